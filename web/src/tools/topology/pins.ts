/** Joints in the picture: short pins along their axes, seen through everything. */

import {
  Color,
  CylinderGeometry,
  InstancedMesh,
  Matrix4,
  MeshBasicMaterial,
  Quaternion,
  Vector3,
} from "three";
import type { Pin } from "../../protocol/generated";
import type { Overlay } from "../../scene/overlay";
import { own } from "../../state/own";

const RADIUS = 0.035; // [m]
const LENGTH = 0.5;
const BALL = 0.16; // length of a joint without an axis
const UP = new Vector3(0, 1, 0); // along the geometry's cylinder

export class Pins {
  private readonly mesh: InstancedMesh;
  private readonly local: Matrix4[];
  private readonly matrix = new Matrix4();

  constructor(
    overlay: Overlay,
    private readonly pins: readonly Pin[],
    colors: Readonly<Record<string, string>>,
  ) {
    this.mesh = new InstancedMesh(
      new CylinderGeometry(RADIUS * overlay.scale, RADIUS * overlay.scale, overlay.scale, 12),
      new MeshBasicMaterial({ depthTest: false, transparent: true, opacity: 0.95, fog: false }),
      pins.length,
    );
    this.mesh.name = "pins";
    this.mesh.renderOrder = 10;
    this.mesh.frustumCulled = false;
    this.mesh.raycast = () => {};
    this.local = pins.map(pinMatrix);
    pins.forEach(({ kind }, i) =>
      this.mesh.setColorAt(i, new Color(own(colors, kind) ?? "#ffffff")),
    );
    overlay.group.add(this.mesh);
  }

  /** Stand where the links are; `pose` gives a link's matrix. */
  move(pose: (link: string) => Matrix4 | null): void {
    this.pins.forEach(({ link }, i) => {
      const X = pose(link);
      if (X) this.mesh.setMatrixAt(i, this.matrix.multiplyMatrices(X, this.local[i]!));
    });
    this.mesh.instanceMatrix.needsUpdate = true;
  }

  dispose(): void {
    this.mesh.removeFromParent();
    this.mesh.geometry.dispose();
    (this.mesh.material as MeshBasicMaterial).dispose();
    this.mesh.dispose();
  }
}

/** A pin in its link's axes: a cylinder of length 1 put along the joint's axis. */
export function pinMatrix({ place, axis }: Pin): Matrix4 {
  const along = new Vector3(...axis);
  const length = along.lengthSq() > 0 ? LENGTH : BALL;
  if (along.lengthSq() === 0) along.copy(UP);
  return new Matrix4().compose(
    new Vector3(...place),
    new Quaternion().setFromUnitVectors(UP, along.normalize()),
    new Vector3(1, length, 1),
  );
}
