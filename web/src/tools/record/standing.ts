/** A recorded machine stood elsewhere than the one that is driven: bring it there. */

import { Quaternion, Vector3 } from "three";
import { WIDTH } from "../../protocol/generated";

const SAME = 1e-5; // [m, 1] up to which two places are the same

/** Place and turn of a link in a frame's poses. */
function pose(poses: Float32Array, link: number): { place: Vector3; turn: Quaternion } {
  const [x, y, z, w, i, j, k] = poses.subarray(WIDTH.poses * link, WIDTH.poses * (link + 1));
  return { place: new Vector3(x, y, z), turn: new Quaternion(i, j, k, w).normalize() };
}

/**
 * Recorded poses as if the machine stood where it stands now; `root` is the link that never moves.
 *
 * X_now = X_now_root X_then_root^-1 X_then for every link. Where both roots are in the same place the
 * poses come back as they are.
 */
export function standingHere(then: Float32Array, now: Float32Array, root: number): Float32Array {
  if (root < 0 || then.length !== now.length) return then;
  const from = pose(then, root);
  const to = pose(now, root);
  const turn = to.turn.clone().multiply(from.turn.clone().invert());
  const shift = to.place.clone().sub(from.place.clone().applyQuaternion(turn));
  const still = 2 * Math.hypot(turn.x, turn.y, turn.z) < SAME && shift.length() < SAME;
  if (still) return then;
  const found = new Float32Array(then.length);
  for (let link = 0; link < then.length / WIDTH.poses; link++) {
    const { place, turn: own } = pose(then, link);
    place.applyQuaternion(turn).add(shift);
    own.premultiply(turn);
    found.set([...place.toArray(), own.w, own.x, own.y, own.z], WIDTH.poses * link);
  }
  return found;
}
