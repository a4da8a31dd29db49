/** The outermost points of what is drawn. */

import { Box3, InstancedMesh, Line, Matrix4, Mesh, Points, Vector3 } from "three";
import type { BufferGeometry, Object3D } from "three";

import type { Outermost } from "./framing";

const corner = new Vector3();
const matrix = new Matrix4();

/** Add the corners of a box that stands as a matrix says. */
export function addBox({ min, max }: Box3, stands: Matrix4, into: Outermost): void {
  for (let i = 0; i < 8; i++) {
    corner.set(i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z);
    into.add(corner.applyMatrix4(stands));
  }
}

/** The box around a geometry in its own axes, as it is now; empty if there is nothing in it. */
export function boxOf(geometry: BufferGeometry): Box3 {
  geometry.computeBoundingBox();
  return geometry.boundingBox ?? new Box3();
}

/** Add everything of a tree that is shown; its world matrices have to be up to date. */
export function addShown(root: Object3D, into: Outermost): void {
  if (!root.visible) return;
  if (root instanceof Mesh || root instanceof Points || root instanceof Line) addDrawn(root, into);
  for (const child of root.children) addShown(child, into);
}

function addDrawn(drawn: Mesh | Points | Line, into: Outermost): void {
  const box = boxOf(drawn.geometry as BufferGeometry);
  if (box.isEmpty()) return;
  if (!(drawn instanceof InstancedMesh)) return addBox(box, drawn.matrixWorld, into);
  for (let i = 0; i < drawn.count; i++) {
    drawn.getMatrixAt(i, matrix);
    addBox(box, matrix.premultiply(drawn.matrixWorld), into);
  }
}
