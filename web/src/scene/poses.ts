/** Poses of a frame into the scene graph. */

import { Quaternion, Vector3 } from "three";
import type { Object3D } from "three";

import { POSE } from "../protocol/generated";

const place = new Vector3();
const turn = new Quaternion();
const one = new Vector3(1, 1, 1);

/**
 * Give each link its pose: position and quaternion (w, x, y, z), POSE numbers a link.
 *
 * Returns whether the frame has as many poses as there are links; if not, nothing moves. Poses with
 * numbers that are not finite are left out, so that a link stays where it was.
 */
export function copyPoses(poses: Float32Array, links: readonly Object3D[]): boolean {
  if (poses.length !== POSE * links.length) return false;
  for (let i = 0, k = 0; i < links.length; i++, k += POSE) {
    place.set(poses[k]!, poses[k + 1]!, poses[k + 2]!);
    turn.set(poses[k + 4]!, poses[k + 5]!, poses[k + 6]!, poses[k + 3]!);
    if (!Number.isFinite(place.x + place.y + place.z + turn.x + turn.y + turn.z + turn.w)) continue;
    const link = links[i]!;
    link.matrix.compose(place, turn, one);
    link.matrixWorldNeedsUpdate = true;
  }
  return true;
}
