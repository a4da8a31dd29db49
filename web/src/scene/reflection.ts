/** What a flat mirror shows: the eye is reflected, and looks through the glass at the real scene. */

import { Camera, Matrix4, Vector3 } from "three";

/** A flat rectangle of glass in the world. Unit vectors; right and up as its viewer sees them. */
export class Glass {
  readonly center = new Vector3();
  readonly right = new Vector3(1, 0, 0);
  readonly up = new Vector3(0, 0, 1);
  /** Out of the glass, towards the viewer. */
  readonly normal = new Vector3(0, -1, 0);

  constructor(
    readonly halfWidth: number,
    readonly halfHeight: number,
  ) {}

  /** Take place and axes from a matrix whose columns are right, up, normal and centre. */
  setFromMatrix(matrix: Matrix4): void {
    matrix.extractBasis(this.right, this.up, this.normal);
    this.right.normalize();
    this.up.normalize();
    this.normal.normalize();
    this.center.setFromMatrixPosition(matrix);
  }
}

/** Mirror image of a point in the glass's plane. */
export function reflected(glass: Glass, point: Vector3, into: Vector3): Vector3 {
  const away =
    (point.x - glass.center.x) * glass.normal.x +
    (point.y - glass.center.y) * glass.normal.y +
    (point.z - glass.center.z) * glass.normal.z;
  return into.copy(point).addScaledVector(glass.normal, -2 * away);
}

const image = new Vector3();
const across = new Vector3();
const back = new Vector3();
const toCenter = new Vector3();

/**
 * Set `camera` to see what `eye` sees in the glass; false if the eye is behind the glass. What is
 * nearer to the glass than `clear` [m] is left out.
 *
 * The camera stands at the eye's mirror image and looks along the glass's normal; its frustum goes
 * through the glass's four corners, with the near plane `clear` before the glass. Its picture is seen from
 * behind: a point at s in [0, 1] of the glass's width (from the viewer's left) is at 1 - s of the
 * picture's width; heights agree.
 */
export function reflect(
  glass: Glass,
  eye: Vector3,
  far: number,
  camera: Camera,
  clear = 0,
): boolean {
  reflected(glass, eye, image);
  toCenter.subVectors(glass.center, image);
  const near = toCenter.dot(glass.normal);
  if (near < 1e-3) return false;
  across.copy(glass.right).negate();
  back.copy(glass.normal).negate();
  camera.matrixWorld.makeBasis(across, glass.up, back).setPosition(image);
  camera.matrixWorldInverse.copy(camera.matrixWorld).invert();
  const x = toCenter.dot(across);
  const y = toCenter.dot(glass.up);
  const wider = (near + clear) / near;
  camera.projectionMatrix.makePerspective(
    wider * (x - glass.halfWidth),
    wider * (x + glass.halfWidth),
    wider * (y + glass.halfHeight),
    wider * (y - glass.halfHeight),
    near + clear,
    far,
  );
  camera.projectionMatrixInverse.copy(camera.projectionMatrix).invert();
  return true;
}
