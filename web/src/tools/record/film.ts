/** A recording's moments, fetched in blocks as they are needed. */

import { decodeFrame, type Frame } from "../../protocol/frame";
import { COLUMN, WIDTH } from "../../protocol/generated";
import type { FilmFacts } from "./api";

export const BLOCK = 600; // frames that are fetched together
const KEPT = 24; // blocks
const CLOSE = 5e-10; // [s] that a slider may lose in its last digit; ticks are further apart
const REST = 2000; // [ms] before something that did not come is asked for again

/** Fetches frames: so many bytes for each, one after the other. */
export type Fetch = (first: number, count: number) => Promise<ArrayBuffer>;

export class Film {
  /** A block that was missing has come. */
  onLoad: (() => void) | null = null;
  /** A block did not come. */
  onError: ((why: string) => void) | null = null;

  private blocks = new Map<number, ArrayBuffer | null>(); // null while it is on its way
  private rests = 0;

  constructor(
    readonly facts: FilmFacts,
    /** Seconds since the start, growing. */
    readonly times: Float64Array,
    private readonly fetch: Fetch,
  ) {}

  /** How long it is [s]. */
  get seconds(): number {
    return this.times.at(-1) ?? 0;
  }

  /** The last moment that is not after a time [s]. */
  index(time: number): number {
    let low = 0;
    let high = this.times.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.times[middle]! <= time + CLOSE) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** A moment as it was recorded; null while it is being fetched. */
  frame(index: number): Frame | null {
    const block = Math.floor(index / BLOCK);
    const data = this.block(block);
    if ((block + 1) * BLOCK < this.times.length) this.block(block + 1);
    const { size } = this.facts;
    const at = (index - block * BLOCK) * size;
    if (!data || at + size > data.byteLength) return null;
    const frame = decodeFrame(data.slice(at, at + size));
    return typeof frame === "string" ? null : frame;
  }

  /** Between two moments: the earlier one, with poses on the way to the later one. */
  between(time: number): Frame | null {
    const index = this.index(time);
    const frame = this.frame(index);
    const next = index + 1 < this.times.length ? this.frame(index + 1) : null;
    if (!frame || !next) return frame;
    const step = this.times[index + 1]! - this.times[index]!;
    const part = Math.min(1, Math.max(0, (time - this.times[index]!) / step));
    const bodies = blended(frame.bodies, next.bodies, part, WIDTH.bodies, COLUMN.bodies.x);
    return { ...frame, poses: blended(frame.poses, next.poses, part), bodies };
  }

  private block(number: number): ArrayBuffer | null {
    const found = this.blocks.get(number);
    if (found === undefined) {
      if (performance.now() >= this.rests) void this.load(number);
    } else if (found) {
      this.blocks.delete(number); // to the end: it was used last
      this.blocks.set(number, found);
    }
    return found ?? null;
  }

  private async load(number: number): Promise<void> {
    this.blocks.set(number, null);
    try {
      this.blocks.set(number, await this.fetch(number * BLOCK, BLOCK));
    } catch (error) {
      this.blocks.delete(number);
      this.rests = performance.now() + REST;
      this.onError?.(error instanceof Error ? error.message : String(error));
      return;
    }
    for (const old of this.blocks.keys()) {
      if (this.blocks.size <= KEPT) break;
      this.blocks.delete(old);
    }
    this.onLoad?.();
  }
}

/**
 * Poses on the way from one to another: positions straight, axes by the shorter way.
 *
 * They stand in rows of so many numbers, each beginning after what stays as it is.
 */
export function blended(
  from: Float32Array,
  to: Float32Array,
  part: number,
  width: number = WIDTH.poses,
  first = 0,
): Float32Array {
  const poses = from.slice();
  const turn = first + COLUMN.poses.qw;
  const end = first + WIDTH.poses;
  for (let k = 0; k + width <= Math.min(from.length, to.length); k += width) {
    for (let i = first; i < turn; i++)
      poses[k + i] = from[k + i]! + part * (to[k + i]! - from[k + i]!);
    let same = 0;
    for (let i = turn; i < end; i++) same += from[k + i]! * to[k + i]!;
    const sign = same < 0 ? -1 : 1;
    let norm = 0;
    for (let i = turn; i < end; i++) {
      const value = (1 - part) * from[k + i]! + part * sign * to[k + i]!;
      poses[k + i] = value;
      norm += value * value;
    }
    norm = Math.sqrt(norm) || 1;
    for (let i = turn; i < end; i++) poses[k + i] = poses[k + i]! / norm;
  }
  return poses;
}
