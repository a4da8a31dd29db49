/** A plane across an axis, and the line in which it cuts triangles. */

import { Plane, Vector3 } from "three";
import type { Matrix4 } from "three";

import type { Surface } from "./facts";

export interface Slice {
  /** 0, 1 or 2: across x, y or z. */
  axis: number;
  /** Where on it [m]. */
  at: number;
}

/** The half-space below a slice, in the world: what lies above is left out. */
export function below({ axis, at }: Slice, world: Matrix4): Plane {
  const normal = new Vector3().setComponent(axis, -1);
  return new Plane(normal, at).applyMatrix4(world);
}

/** The half-spaces whose common part is a layer about a slice, half as thick to each side [m]. */
export function layer({ axis, at }: Slice, half: number, world: Matrix4): Plane[] {
  const up = new Plane(new Vector3().setComponent(axis, 1), half - at).applyMatrix4(world);
  return [below({ axis, at: at + half }, world), up];
}

/** Lines in which a slice cuts a surface: x, y, z of both ends, and the surface's end at each. */
export function cutLines(
  { points, ends, triangles }: Surface,
  { axis, at }: Slice,
): { positions: number[]; ends: number[] } {
  const positions: number[] = [];
  const kinds: number[] = [];
  const cross = (a: number, b: number): void => {
    const low = points[3 * a + axis]! - at;
    const high = points[3 * b + axis]! - at;
    const part = low / (low - high);
    for (let k = 0; k < 3; k++) {
      const from = points[3 * a + k]!;
      positions.push(from + part * (points[3 * b + k]! - from));
    }
    kinds.push(ends[part < 0.5 ? a : b]!);
  };
  for (let i = 0; i < triangles.length; i += 3) {
    const corners = [triangles[i]!, triangles[i + 1]!, triangles[i + 2]!];
    const above = corners.map((corner) => points[3 * corner + axis]! > at);
    const count = Number(above[0]) + Number(above[1]) + Number(above[2]);
    if (count === 0 || count === 3) continue;
    const alone = above.indexOf(count === 1);
    cross(corners[alone]!, corners[(alone + 1) % 3]!);
    cross(corners[alone]!, corners[(alone + 2) % 3]!);
  }
  return { positions, ends: kinds };
}
