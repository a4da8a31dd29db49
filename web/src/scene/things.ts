/** What stands and lies about in a scene beside machines: one draw call for each kind. */

import { Group, InstancedMesh, Matrix4, Mesh, Quaternion, Vector3 } from "three";
import type { BufferGeometry, Material, Object3D } from "three";

import { COLUMN, WIDTH, type ThingInfo } from "../protocol/generated";
import { readPose } from "./poses";

const place = new Vector3();
const turn = new Quaternion();
const one = new Vector3(1, 1, 1);
const matrix = new Matrix4();

export class Things {
  readonly root = new Group();
  /** Meshes that show a thing, and which of their instances it is. */
  private readonly shown: { meshes: InstancedMesh[]; instance: number }[] = [];

  constructor(infos: readonly ThingInfo[], model: Object3D, paint: Material) {
    this.root.name = "things";
    const kinds = new Map<number, InstancedMesh[]>();
    const counts = new Map<number, number>();
    for (const { shape } of infos) counts.set(shape, (counts.get(shape) ?? 0) + 1);
    model.updateMatrixWorld(true);
    model.traverse((node) => {
      const shape: unknown = node.userData.link;
      if (typeof shape !== "number" || !counts.has(shape)) return;
      kinds.set(shape, this.made(node, counts.get(shape)!, paint));
    });
    counts.clear();
    for (const { shape, position, quaternion } of infos) {
      const instance = counts.get(shape) ?? 0;
      counts.set(shape, instance + 1);
      this.shown.push({ meshes: kinds.get(shape) ?? [], instance });
      const [w, x, y, z] = quaternion;
      this.move(this.shown.length - 1, place.set(...position), turn.set(x, y, z, w));
    }
  }

  /** Let a thing be somewhere else, in the world's axes. */
  move(thing: number, to: Vector3, turned: Quaternion): void {
    const found = this.shown[thing];
    if (!found) return;
    matrix.compose(to, turned, one);
    for (const mesh of found.meshes) {
      mesh.setMatrixAt(found.instance, matrix);
      mesh.instanceMatrix.needsUpdate = true;
      mesh.boundingSphere = null; // for the next ray
    }
  }

  /** Where a thing is drawn: 16 numbers, column by column; null if it is not. */
  matrixOf(thing: number): number[] | null {
    const found = this.shown[thing];
    if (!found?.meshes[0]) return null;
    found.meshes[0].getMatrixAt(found.instance, matrix);
    return Array.from(matrix.elements);
  }

  /** Let bodies be where rows of a frame say: number, place and quaternion of each. */
  show(bodies: Float32Array): void {
    const { number, x } = COLUMN.bodies;
    for (let at = 0; at + WIDTH.bodies <= bodies.length; at += WIDTH.bodies) {
      readPose(bodies, at + x, place, turn);
      if (Number.isFinite(place.x + place.y + place.z + turn.x + turn.y + turn.z + turn.w))
        this.move(bodies[at + number]!, place, turn);
    }
  }

  /** Call `take` with every thing that is drawn and the geometry of each of its meshes. */
  eachShape(take: (thing: number, geometry: BufferGeometry) => void): void {
    this.shown.forEach(({ meshes }, thing) => {
      for (const mesh of meshes) take(thing, mesh.geometry);
    });
  }

  /** Meshes of a kind with room for all things that look so. */
  private made(node: Object3D, count: number, paint: Material): InstancedMesh[] {
    const meshes: InstancedMesh[] = [];
    node.traverse((part) => {
      if (!(part instanceof Mesh)) return;
      const geometry = part.geometry as BufferGeometry;
      for (const name of Object.keys(geometry.attributes)) {
        if (!["position", "normal", "color"].includes(name)) geometry.deleteAttribute(name);
      }
      const mesh = new InstancedMesh(geometry, paint, count);
      mesh.frustumCulled = false; // they may be anywhere
      mesh.matrixAutoUpdate = false;
      mesh.castShadow = true;
      mesh.receiveShadow = true;
      meshes.push(mesh);
      this.root.add(mesh);
    });
    return meshes;
  }
}
