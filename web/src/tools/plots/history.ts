/** The last minutes of a few numbers, in memory that never grows. */

const RATE = 60; // frames a second
const LONGEST = 600; // [s]
/** Rows of ten minutes of frames. */
export const MOST_ROWS = RATE * LONGEST;
/** Memory of all values together [bytes]; a machine with very many gets fewer rows. */
export const MOST_BYTES = 64 * 2 ** 20;

/** Rows of values, the oldest forgotten when there is no more room. */
export class History {
  /** How many rows there is room for. */
  readonly capacity: number;
  /** Rises with every change. */
  version = 0;

  private readonly times: Float64Array;
  private readonly columns: Float32Array[];
  private first = 0;
  private rows = 0;

  constructor(columns: number, most = MOST_ROWS) {
    this.capacity = Math.max(2, Math.min(most, Math.floor(MOST_BYTES / (8 + 4 * columns))));
    this.times = new Float64Array(this.capacity);
    this.columns = Array.from({ length: columns }, () => new Float32Array(this.capacity));
  }

  get length(): number {
    return this.rows;
  }

  /** Time of a row [s]; NaN where there is none. */
  time(row: number): number {
    return row >= 0 && row < this.rows ? this.times[this.at(row)]! : NaN;
  }

  value(column: number, row: number): number {
    return row >= 0 && row < this.rows ? (this.columns[column]?.[this.at(row)] ?? NaN) : NaN;
  }

  /**
   * Take the values of a moment [s].
   *
   * `newest` is the last moment that the simulation still has: what was noted after it has not
   * happened, since somebody went back and on from there. A moment in the past that still holds
   * adds nothing.
   */
  take(time: number, newest: number, read: (column: number) => number): void {
    if (!Number.isFinite(time)) return;
    this.cut(Math.max(time, newest));
    const last = this.time(this.rows - 1);
    if (time < last) return;
    let changed = time > last || this.rows === 0;
    if (changed) this.grow();
    const at = this.at(this.rows - 1);
    this.times[at] = time;
    this.columns.forEach((column, i) => {
      const before = column[at];
      column[at] = read(i);
      changed ||= !Object.is(column[at], before);
    });
    if (changed) this.version += 1;
  }

  /** Forget everything after a moment [s]. */
  private cut(newest: number): void {
    while (this.rows > 0 && this.time(this.rows - 1) > newest) {
      this.rows -= 1;
      this.version += 1;
    }
  }

  /** First row that is not before a moment [s]; the number of rows if all are. */
  rowAt(time: number): number {
    let low = 0;
    let high = this.rows;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.time(middle) < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private grow(): void {
    if (this.rows < this.capacity) this.rows += 1;
    else this.first = (this.first + 1) % this.capacity;
  }

  private at(row: number): number {
    return (this.first + row) % this.capacity;
  }
}
