/** Links of a frame as matrices, in the simulation's axes. */

import { Matrix4, Quaternion, Vector3 } from "three";
import type { Frame } from "../protocol/frame";
import { WIDTH } from "../protocol/generated";

const place = new Vector3();
const turn = new Quaternion();
const one = new Vector3(1, 1, 1);

/** Pose of the link at an index; null if the frame has none, or one that is not finite. */
export function linkMatrix(frame: Frame, index: number, into: Matrix4): Matrix4 | null {
  const at = WIDTH.poses * index;
  if (index < 0 || at + WIDTH.poses > frame.poses.length) return null;
  const [x, y, z, w, i, j, k] = frame.poses.subarray(at, at + WIDTH.poses) as unknown as number[];
  if (!Number.isFinite(x! + y! + z! + w! + i! + j! + k!)) return null;
  return into.compose(place.set(x!, y!, z!), turn.set(i!, j!, k!, w!), one);
}
