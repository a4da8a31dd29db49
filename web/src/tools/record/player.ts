/** Where in a recording one is, and how fast that goes on. */

import { FASTEST, SLOWEST } from "../../panels/scales";

const LONGEST = 0.25; // [s] that one picture may make up for

export class Player {
  /** Since the start of the recording [s]. */
  time = 0;
  playing = false;
  private pace = 1;

  constructor(readonly times: Float64Array) {}

  get seconds(): number {
    return this.times.at(-1) ?? 0;
  }

  /** Recorded seconds a second. */
  get speed(): number {
    return this.pace;
  }

  set speed(speed: number) {
    this.pace = Math.min(FASTEST, Math.max(SLOWEST, speed));
  }

  /** Play from here, or from the start if this is the end. */
  play(): void {
    if (this.time >= this.seconds) this.time = 0;
    this.playing = this.seconds > 0;
  }

  pause(): void {
    this.playing = false;
  }

  /** Go to a time [s]. */
  seek(time: number): void {
    this.time = Math.min(this.seconds, Math.max(0, time));
  }

  /** Stand still at the moment so many ticks after `index`. */
  step(index: number, ticks: number): void {
    this.playing = false;
    const to = Math.min(this.times.length - 1, Math.max(0, index + ticks));
    this.time = this.times[to] ?? 0;
  }

  /** Real time has gone on [s]; the end is where it stops. */
  advance(elapsed: number): void {
    if (!this.playing) return;
    this.seek(this.time + this.pace * Math.min(LONGEST, Math.max(0, elapsed)));
    if (this.time >= this.seconds) this.playing = false;
  }
}
