/** A planned motion as numbers: `path.bin`, whose layout `headframe.workbench.path` tells. */

const MAGIC = 0x54504648;
const HEAD = 16;

export interface Motion {
  rows: number;
  cylinders: number;
  /** [s] */
  times: Float32Array;
  /** Of cylinders [m], then positions of servos [rad, m], row by row. */
  lengths: Float32Array;
  /** Row by row [m/s, rad/s]. */
  speeds: Float32Array;
  /** Of the link's origin, row by row [m]. */
  positions: Float32Array;
  /** From the curve [m]. */
  off: Float32Array;
  /** Number of the drive that is at its limit; -1 if none is. */
  limiting: Float32Array;
  /** Of the limit that is the nearest. */
  share: Float32Array;
  viaRows: Float32Array;
}

/** What the study tells in words and single numbers. */
export interface PathFacts {
  planned: boolean;
  link: string;
  duration: number;
  way: number;
  rows: number;
  cylinders: string[];
  units: ("m" | "rad")[];
  limits: number[];
  assumed: string[];
  largest_error: number;
  largest_angle: number;
  via_times: number[];
  missed: Missed[];
  limiting: { cylinder: string; speed: number; acceleration: number }[];
}

/** A via point that is not reached, and what is left [m, rad]. */
export interface Missed {
  via: number;
  distance: number;
  angle: number;
}

/** The motion in these bytes, or why they are none. */
export function decodeMotion(data: ArrayBuffer): Motion | string {
  if (data.byteLength < HEAD) return `path of ${data.byteLength} bytes`;
  const head = new DataView(data, 0, HEAD);
  if (head.getUint32(0, true) !== MAGIC) return "not a path";
  const [rows, cylinders, vias] = [4, 8, 12].map((at) => head.getUint32(at, true)) as [
    number,
    number,
    number,
  ];
  if (data.byteLength !== HEAD + 4 * (rows * (7 + 2 * cylinders) + vias))
    return `path of ${data.byteLength} bytes`;
  let at = HEAD;
  const take = (count: number): Float32Array => {
    const part = new Float32Array(data, at, count);
    at += 4 * count;
    return part;
  };
  return {
    rows,
    cylinders,
    times: take(rows),
    lengths: take(rows * cylinders),
    speeds: take(rows * cylinders),
    positions: take(3 * rows),
    off: take(rows),
    limiting: take(rows),
    share: take(rows),
    viaRows: take(vias),
  };
}

/** The row at or before a moment [s], and the part of the way to the next one. */
export function rowAt(motion: Motion, seconds: number): [number, number] {
  const { times, rows } = motion;
  if (!(seconds > 0)) return [0, 0];
  if (seconds >= times[rows - 1]!) return [Math.max(0, rows - 2), 1];
  let low = 0;
  let high = rows - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle]! <= seconds) low = middle;
    else high = middle;
  }
  return [low, (seconds - times[low]!) / (times[low + 1]! - times[low]!)];
}

/** Where the link is at a moment [s], in the simulation's axes [m]. */
export function placeAt(motion: Motion, seconds: number): [number, number, number] {
  const [row, part] = rowAt(motion, seconds);
  const at = (axis: number): number => {
    const here = motion.positions[3 * row + axis]!;
    const next = motion.positions[3 * Math.min(row + 1, motion.rows - 1) + axis]!;
    return here + part * (next - here);
  };
  return [at(0), at(1), at(2)];
}

/** Speed of the link's origin in each row [m/s]. */
export function linkSpeeds(motion: Motion): Float32Array {
  const { rows, times, positions } = motion;
  const speeds = new Float32Array(rows);
  for (let row = 0; row < rows; row++) {
    const a = Math.max(0, row - 1);
    const b = Math.min(rows - 1, row + 1);
    const along = [0, 1, 2].map((axis) => positions[3 * b + axis]! - positions[3 * a + axis]!);
    speeds[row] = Math.hypot(...along) / Math.max(1e-9, times[b]! - times[a]!);
  }
  return speeds;
}

/** Numbers of the drives that move at all. */
export function movingCylinders({ rows, cylinders, lengths }: Motion): number[] {
  return Array.from({ length: cylinders }, (_, i) => i).filter((i) => {
    let low = Infinity;
    let high = -Infinity;
    for (let row = 0; row < rows; row++) {
      low = Math.min(low, lengths[row * cylinders + i]!);
      high = Math.max(high, lengths[row * cylinders + i]!);
    }
    return high - low > 1e-5;
  });
}
