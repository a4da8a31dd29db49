/**
 * The operator's heartbeat: twenty times a second, with the levers and with the age of the main
 * thread's last turn. It lives in the network worker, so that slow pictures do not silence it, and
 * so that a main thread that hangs is noticed.
 */

import type { Levers } from "../protocol/generated";

export const BEAT = 50; // [ms]

export class Heartbeat {
  private levers: Record<string, number> = {};
  private present = false;
  private turned: number;

  constructor(now: number) {
    this.turned = now;
  }

  /** The main thread took its turn. */
  turn(now: number, levers: Record<string, number>, present: boolean): void {
    this.levers = levers;
    this.present = present;
    this.turned = now;
  }

  /** The message of a moment [ms]. */
  beat(now: number): Levers {
    const age = Math.max(now - this.turned, 0) / 1000;
    return { type: "levers", levers: this.levers, age, present: this.present, sent: now };
  }
}
