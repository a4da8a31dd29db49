/** Poses of a frame into the scene graph. */

import { Quaternion, Vector3 } from "three";
import type { Object3D } from "three";

import { COLUMN, WIDTH } from "../protocol/generated";

const place = new Vector3();
const turn = new Quaternion();
const one = new Vector3(1, 1, 1);

/** Put the pose that begins at number `at` of a frame's poses into a place and a turn. */
export function readPose(poses: Float32Array, at: number, place: Vector3, turn: Quaternion): void {
  const { x, y, z, qw, qx, qy, qz } = COLUMN.poses;
  place.set(poses[at + x]!, poses[at + y]!, poses[at + z]!);
  turn.set(poses[at + qx]!, poses[at + qy]!, poses[at + qz]!, poses[at + qw]!);
}

/**
 * Give each link its pose: position and quaternion (w, x, y, z), `COLUMN.poses` a link.
 *
 * Returns whether the frame has as many poses as there are links; if not, nothing moves. Poses with
 * numbers that are not finite are left out, so that a link stays where it was.
 */
export function copyPoses(poses: Float32Array, links: readonly Object3D[]): boolean {
  if (poses.length !== WIDTH.poses * links.length) return false;
  for (let i = 0, k = 0; i < links.length; i++, k += WIDTH.poses) {
    readPose(poses, k, place, turn);
    if (!Number.isFinite(place.x + place.y + place.z + turn.x + turn.y + turn.z + turn.w)) continue;
    const link = links[i]!;
    link.matrix.compose(place, turn, one);
    link.matrixWorldNeedsUpdate = true;
  }
  return true;
}
