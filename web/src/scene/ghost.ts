/** A see-through copy of a machine, or of some of its links, that stands where it is told. */

import { Group, Matrix4, Mesh, MeshStandardMaterial, Quaternion, Vector3 } from "three";
import type { BufferGeometry, ColorRepresentation } from "three";

import type { Machine } from "./machine";
import { copyPoses } from "./poses";

const ONE = new Vector3(1, 1, 1);

export class Ghost {
  readonly group = new Group();
  private readonly links: Group[] = [];
  private readonly byName = new Map<string, Group>();
  private readonly material: MeshStandardMaterial;

  /** Copies the named links of a machine, all if none are named; geometry is shared with it. */
  constructor(machine: Machine, color: ColorRepresentation, names?: readonly string[]) {
    this.material = new MeshStandardMaterial({
      color,
      emissive: color,
      emissiveIntensity: 0.35,
      transparent: true,
      opacity: 0.38,
      depthWrite: false,
      fog: false,
    });
    for (const link of machine.links) {
      const copy = new Group();
      copy.name = `ghost ${link.name}`;
      copy.matrixAutoUpdate = false;
      copy.matrix.copy(link.matrix);
      this.links.push(copy);
      this.group.add(copy);
      this.byName.set(link.name, copy);
      if (!names || names.includes(link.name)) this.fill(copy, link);
    }
  }

  private fill(copy: Group, link: Group): void {
    const inverse = new Matrix4().copy(link.matrixWorld).invert();
    link.traverse((part) => {
      if (!(part instanceof Mesh) || part.raycast !== Mesh.prototype.raycast) return;
      const mesh = new Mesh(part.geometry as BufferGeometry, this.material);
      mesh.matrixAutoUpdate = false;
      mesh.matrix.multiplyMatrices(inverse, part.matrixWorld);
      mesh.raycast = () => {};
      copy.add(mesh);
    });
  }

  set visible(on: boolean) {
    this.group.visible = on;
  }

  get visible(): boolean {
    return this.group.visible;
  }

  /** Stand as a frame's poses say; false if they are not of this machine. */
  show(poses: Float32Array): boolean {
    return copyPoses(poses, this.links);
  }

  /** Put one link somewhere, in the simulation's axes [m]. */
  put(link: string, position: Vector3, turn: Quaternion): void {
    this.byName.get(link)?.matrix.compose(position, turn, ONE);
  }

  dispose(): void {
    this.group.removeFromParent();
    this.material.dispose();
  }
}
