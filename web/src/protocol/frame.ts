/** Frames as views into the bytes that came: nothing is copied. */

import { AT, BATCH, ENERGIES, FRAME_MAGIC, HEADER, MOTOR, POSE, VERSION } from "./generated";

/** What moves at one moment; the arrays lie as `headframe.protocol.frame` says. */
export interface Frame {
  number: number;
  scene: number;
  flags: number;
  time: number;
  oldest: number;
  newest: number;
  stepTime: number;
  tickTime: number;
  overruns: number;
  poses: Float32Array;
  lengths: Float32Array;
  speeds: Float32Array;
  forces: Float32Array;
  motors: Float32Array;
  joints: Float32Array;
  energy: Float32Array;
  /** Number of the unit that all of this is of. */
  unit: number;
  /** Other units of the scene, in batches; `eachUnit` walks through them. */
  crowd: Float32Array;
}

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
    const [count, links] = [crowd[at]!, crowd[at + 1] ?? -1];
    const size = POSE * links;
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
  const head = new DataView(data, 0, HEADER);
  if (head.getUint32(AT.magic, true) !== FRAME_MAGIC) return "not a frame";
  const version = head.getUint16(AT.version, true);
  if (version !== VERSION) return `frame of version ${version}`;
  const links = head.getUint16(AT.links, true);
  const cylinders = head.getUint16(AT.cylinders, true);
  const motors = head.getUint16(AT.motors, true);
  const joints = head.getUint16(AT.joints, true);
  const crowd = head.getUint32(AT.crowd, true);
  const floats = POSE * links + 3 * cylinders + MOTOR * motors + joints + ENERGIES + crowd;
  if (data.byteLength !== HEADER + 4 * floats) return `frame of ${data.byteLength} bytes`;
  let at = HEADER;
  const take = (count: number): Float32Array => {
    const part = new Float32Array(data, at, count);
    at += 4 * count;
    return part;
  };
  return {
    number: head.getUint32(AT.number, true),
    scene: head.getUint32(AT.scene, true),
    flags: head.getUint16(AT.flags, true),
    time: head.getFloat64(AT.time, true),
    oldest: head.getFloat64(AT.oldest, true),
    newest: head.getFloat64(AT.newest, true),
    stepTime: head.getFloat32(AT.stepTime, true),
    tickTime: head.getFloat32(AT.tickTime, true),
    overruns: head.getUint32(AT.overruns, true),
    poses: take(POSE * links),
    lengths: take(cylinders),
    speeds: take(cylinders),
    forces: take(cylinders),
    motors: take(MOTOR * motors),
    joints: take(joints),
    energy: take(ENERGIES),
    unit: head.getUint32(AT.unit, true),
    crowd: take(crowd),
  };
}
