/** Frames as views into the bytes that came: nothing is copied. */

import {
  BATCH,
  BATCH_COLUMNS,
  ELEMENT_BYTES,
  FRAME_MAGIC,
  HEADER,
  VERSION,
  WIDTH,
  cutSections,
  readHeader,
  sectionSizes,
  type FrameHeader,
  type FrameSections,
} from "./generated";

/** Fields of the header that only say how the rest lies. */
type Layout = "magic" | "version" | "links" | "cylinders" | keyof FrameSections;

/** What moves at one moment; `eachUnit` walks through the crowd. */
export type Frame = Omit<FrameHeader, Layout> & FrameSections;

/**
 * Call `take` with the number and the poses of every unit in a frame's crowd.
 *
 * Returns whether all batches are whole; those before a broken one are taken.
 */
export function eachUnit(
  crowd: Float32Array,
  take: (unit: number, poses: Float32Array) => void,
): boolean {
  let at = 0;
  while (at < crowd.length) {
    const count = crowd[at + BATCH_COLUMNS.units]!;
    const links = crowd[at + BATCH_COLUMNS.links] ?? -1;
    const size = WIDTH.poses * links;
    const end = at + BATCH + count * (1 + size);
    if (!(count >= 0 && links >= 0 && end <= crowd.length)) return false;
    const first = at + BATCH + count;
    for (let n = 0; n < count; n++)
      take(crowd[at + BATCH + n]!, crowd.subarray(first + n * size, first + (n + 1) * size));
    at = end;
  }
  return true;
}

/** The frame in these bytes, or why they are none. */
export function decodeFrame(data: ArrayBuffer): Frame | string {
  if (data.byteLength < HEADER) return `frame of ${data.byteLength} bytes`;
  const head = readHeader(new DataView(data, 0, HEADER));
  if (head.magic !== FRAME_MAGIC) return "not a frame";
  if (head.version !== VERSION) return `frame of version ${head.version}`;
  const sizes = sectionSizes(head);
  const numbers = sizes.reduce((sum, size) => sum + size);
  if (data.byteLength !== HEADER + ELEMENT_BYTES * numbers)
    return `frame of ${data.byteLength} bytes`;
  return { ...head, ...cutSections(data, sizes) };
}
