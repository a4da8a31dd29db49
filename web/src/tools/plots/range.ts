/** Which stretch of time is looked at: the last seconds, or one that stands still. */

export const SPANS = [10, 30, 60, 300, 600] as const;
const SHORTEST = 0.1; // [s]
const LONGEST = 3600; // [s]

export class Range {
  /** The newest moment is at the right edge. */
  follows = true;

  private start = 0;
  private length = 30;

  /** Length of the stretch [s]. */
  get span(): number {
    return this.length;
  }

  /** The stretch, while all that is known lies between two moments [s]. */
  between(oldest: number, newest: number): [from: number, to: number] {
    if (this.follows || !Number.isFinite(oldest)) {
      const end = Number.isFinite(newest) ? newest : 0;
      this.start = end - this.length;
    }
    return [this.start, this.start + this.length];
  }

  /** Follow the newest moment, with the last `span` seconds. */
  follow(span = this.length): void {
    this.follows = true;
    this.length = bounded(span);
  }

  /** Stand still. */
  stay(): void {
    this.follows = false;
  }

  /** Stand still at a stretch [s]. */
  show(from: number, to: number): void {
    if (!Number.isFinite(from) || !Number.isFinite(to) || to === from) return;
    this.follows = false;
    this.length = bounded(Math.abs(to - from));
    this.start = Math.min(from, to);
  }

  /** Make the stretch longer (more than 1) or shorter; a moment [s] stays where it is. */
  zoom(factor: number, about: number): void {
    const length = bounded(this.length * factor);
    const part = (about - this.start) / this.length;
    if (this.follows) this.length = length;
    else this.show(about - part * length, about + (1 - part) * length);
  }

  /** Look earlier (negative) or later [s], within what is known. */
  pan(seconds: number, oldest: number, newest: number): void {
    const [from] = this.between(oldest, newest);
    this.follows = false;
    const last = Math.max(oldest, newest - this.length);
    this.start = Math.min(Math.max(from + seconds, Math.min(oldest, last)), last);
  }
}

function bounded(span: number): number {
  return Math.min(LONGEST, Math.max(SHORTEST, span));
}
