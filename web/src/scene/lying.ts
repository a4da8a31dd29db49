/** Where loose bodies lie: frames tell of those that moved, and of a few others in turn. */

import { COLUMN, WIDTH } from "../protocol/generated";

export class Lying {
  /** Rows as frames have them, body by body. */
  private readonly rows = new Map<number, Float32Array>();
  private fresh = new Set<number>();

  /** Take what a frame tells. */
  note(bodies: Float32Array): void {
    for (let at = 0; at + WIDTH.bodies <= bodies.length; at += WIDTH.bodies) {
      const number = bodies[at + COLUMN.bodies.number]!;
      this.rows.set(number, bodies.slice(at, at + WIDTH.bodies));
      this.fresh.add(number);
    }
  }

  /** What has been told since this was last asked, or all of it. */
  told(all = false): Float32Array {
    const numbers = all ? [...this.rows.keys()] : [...this.fresh];
    this.fresh = new Set();
    const found = new Float32Array(WIDTH.bodies * numbers.length);
    numbers.forEach((number, n) => found.set(this.rows.get(number)!, WIDTH.bodies * n));
    return found;
  }

  /** Another scene has others. */
  clear(): void {
    this.rows.clear();
    this.fresh.clear();
  }
}
