/** Machines of one kind that are not driven: one draw call for each shape of a link. */

import {
  Color,
  DynamicDrawUsage,
  Group,
  InstancedMesh,
  Matrix4,
  Mesh,
  Quaternion,
  Vector3,
} from "three";
import type {
  Box3,
  BufferGeometry,
  Camera,
  Intersection,
  Material,
  Object3D,
  Raycaster,
} from "three";

import { WIDTH, type StandInfo } from "../protocol/generated";
import type { Outermost } from "./framing";
import { addBox, boxOf } from "./outline";
import { readPose } from "./poses";

/** Numbers of a matrix. */
const MATRIX = 16;
/** How many are drawn in full: those that are nearest to the eye. */
const NEAR = 2;
/** Behind the eye by so much [m] they are not drawn: nobody sees them. */
const BEHIND = 6;
const PLAIN = new Color(1, 1, 1);
const CHOSEN = new Color(1.35, 1.22, 0.9);
const ONE = new Vector3(1, 1, 1);

/** A shape, and the links that look so. */
interface Part {
  geometry: BufferGeometry;
  links: number[];
}

/** Shapes of a model by their links; links whose shapes are equal share one. */
export function partsOf(model: Object3D, links: number): Part[] {
  const parts = new Map<string, Part>();
  model.traverse((object) => {
    const link: unknown = object.userData.link;
    if (typeof link !== "number" || link < 0 || link >= links) return;
    object.traverse((part) => {
      if (!(part instanceof Mesh)) return;
      const geometry = part.geometry as BufferGeometry;
      const key = keyOf(geometry);
      const found = parts.get(key);
      if (found) found.links.push(link);
      else parts.set(key, { geometry, links: [link] });
    });
  });
  return [...parts.values()];
}

/** The same for geometries with the same points and paint. */
function keyOf(geometry: BufferGeometry): string {
  let sum = 0;
  for (const name of ["position", "color"]) {
    const attribute = geometry.getAttribute(name);
    if (!attribute) continue;
    const { array } = attribute;
    for (let i = 0; i < array.length; i++) sum = (sum * 31 + array[i]! * 1e4) % 1e9;
  }
  const index = geometry.getIndex();
  return `${geometry.getAttribute("position").count} ${index?.count ?? 0} ${sum.toFixed(3)}`;
}

/** Instances of one model for units that are chosen anew for each picture. */
class Level {
  readonly meshes: InstancedMesh[] = [];
  units: number[] = [];
  private readonly parts: Part[];

  constructor(model: Object3D, links: number, most: number, paint: Material) {
    this.parts = partsOf(model, links);
    for (const { geometry, links: shared } of this.parts) {
      for (const name of Object.keys(geometry.attributes)) {
        if (!["position", "normal", "color"].includes(name)) geometry.deleteAttribute(name);
      }
      const mesh = new InstancedMesh(geometry, paint, Math.max(1, most * shared.length));
      mesh.instanceMatrix.setUsage(DynamicDrawUsage);
      mesh.count = 0;
      mesh.frustumCulled = false;
      mesh.matrixAutoUpdate = false;
      mesh.receiveShadow = true;
      this.meshes.push(mesh);
    }
  }

  /** Draw these units as their matrices say; those that `chosen` names are lit. */
  fill(units: number[], links: number, matrices: Float32Array, chosen: ReadonlySet<number>): void {
    this.units = units;
    this.parts.forEach((part, p) => {
      const mesh = this.meshes[p]!;
      const into = mesh.instanceMatrix.array as Float32Array;
      let at = 0;
      for (const unit of units) {
        for (const link of part.links) {
          const from = MATRIX * (unit * links + link);
          into.set(matrices.subarray(from, from + MATRIX), MATRIX * at);
          mesh.setColorAt(at, chosen.has(unit) ? CHOSEN : PLAIN);
          at++;
        }
      }
      mesh.count = at;
      mesh.visible = at > 0;
      mesh.instanceMatrix.needsUpdate = true;
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
      mesh.boundingSphere = null; // for the next ray
    });
  }

  /** Matrix of a unit's link as it is drawn: 16 numbers; null if it is not. */
  matrixOf(unit: number, link: number): number[] | null {
    const place = this.units.indexOf(unit);
    const p = this.parts.findIndex(({ links }) => links.includes(link));
    if (place < 0 || p < 0) return null;
    const { links } = this.parts[p]!;
    const from = MATRIX * (place * links.length + links.indexOf(link));
    return Array.from(this.meshes[p]!.instanceMatrix.array.slice(from, from + MATRIX));
  }

  /** Boxes around the shapes, each with the links that look so. */
  boxes(): { box: Box3; links: readonly number[] }[] {
    return this.parts.map(({ geometry, links }) => ({ box: boxOf(geometry), links }));
  }

  /** The unit of an instance. */
  unitOf(mesh: InstancedMesh, instance: number): number | null {
    const part = this.parts[this.meshes.indexOf(mesh)];
    return part ? (this.units[Math.floor(instance / part.links.length)] ?? null) : null;
  }

  dispose(): void {
    for (const mesh of this.meshes) {
      mesh.geometry.dispose();
      mesh.dispose();
      mesh.removeFromParent();
    }
  }
}

export class Crowd {
  /** Turns the simulation's axes upright. */
  readonly root = new Group();
  private readonly count: number;
  private readonly links: number;
  /** Poses of all links of all units, as matrices in the simulation's axes. */
  private readonly matrices: Float32Array;
  private readonly known: boolean[];
  private readonly far: Level;
  private readonly near: Level | null;
  private changed = true;
  private chosen: ReadonlySet<number> = new Set();
  private driven = -1;
  private readonly place = new Vector3();
  private readonly turn = new Quaternion();
  private readonly matrix = new Matrix4();
  private readonly eye = new Vector3();
  private readonly ahead = new Vector3();

  /** Stands nowhere until poses come; `near` is the model for the nearest ones, if another. */
  constructor(
    readonly stand: StandInfo,
    far: Object3D,
    near: Object3D | null,
    paint: Material,
  ) {
    this.count = stand.units.length;
    this.links = stand.machine.links.length;
    this.root.name = `crowd ${stand.name}`;
    if (stand.machine.up_axis === "y") this.root.rotation.x = Math.PI / 2;
    this.matrices = new Float32Array(MATRIX * this.links * this.count);
    this.known = Array.from({ length: this.count }, () => false);
    this.far = new Level(far, this.links, this.count, paint);
    this.near = near ? new Level(near, this.links, NEAR, paint) : null;
    this.root.add(...this.far.meshes, ...(this.near?.meshes ?? []));
  }

  /** A unit of the scene stands as these poses say; whether it is one of these. */
  show(number: number, poses: Float32Array): boolean {
    const unit = number - this.stand.first;
    if (unit < 0 || unit >= this.count || poses.length !== WIDTH.poses * this.links) return false;
    for (let link = 0, k = 0; link < this.links; link++, k += WIDTH.poses) {
      readPose(poses, k, this.place, this.turn);
      this.matrix.compose(this.place, this.turn, ONE);
      if (!this.matrix.elements.every(Number.isFinite)) continue;
      this.matrix.toArray(this.matrices, MATRIX * (unit * this.links + link));
    }
    this.known[unit] = true;
    this.changed = true;
    return true;
  }

  /** Which units obey, and which is drawn as the driven machine; numbers in the scene. */
  mark(chosen: ReadonlySet<number>, driven: number): void {
    const own = new Set<number>();
    for (const number of chosen) own.add(number - this.stand.first);
    const same = own.size === this.chosen.size && [...own].every((unit) => this.chosen.has(unit));
    if (same && this.driven === driven - this.stand.first) return;
    this.chosen = own;
    this.driven = driven - this.stand.first;
    this.changed = true;
  }

  /** Before each picture: who is in it, for an eye that sees so far [m]. */
  draw(camera: Camera, sight: number): void {
    this.root.updateWorldMatrix(true, false);
    this.eye.setFromMatrixPosition(camera.matrixWorld);
    this.root.worldToLocal(this.eye);
    camera.getWorldDirection(this.ahead);
    this.matrix.copy(this.root.matrixWorld).invert();
    this.ahead.transformDirection(this.matrix);
    const seen: { unit: number; away: number }[] = [];
    for (let unit = 0; unit < this.count; unit++) {
      if (!this.known[unit] || unit === this.driven) continue;
      this.place.fromArray(this.matrices, MATRIX * unit * this.links + 12).sub(this.eye);
      const away = this.place.length();
      if (away > sight || this.place.dot(this.ahead) < -BEHIND) continue;
      seen.push({ unit, away });
    }
    seen.sort((a, b) => a.away - b.away);
    const count = this.near ? NEAR : 0;
    const order = (from: number, to?: number): number[] =>
      seen
        .slice(from, to)
        .map(({ unit }) => unit)
        .sort((a, b) => a - b);
    const near = order(0, count);
    const far = order(count);
    if (!this.changed && same(far, this.far.units) && (!this.near || same(near, this.near.units)))
      return;
    this.changed = false;
    this.far.fill(far, this.links, this.matrices, this.chosen);
    this.near?.fill(near, this.links, this.matrices, this.chosen);
  }

  /** Add the outermost points of all units that stand somewhere, near or far. */
  addTo(into: Outermost): void {
    this.root.updateWorldMatrix(true, false);
    const boxes = this.far.boxes();
    for (let unit = 0; unit < this.count; unit++) {
      if (!this.known[unit] || unit === this.driven) continue;
      for (const { box, links } of boxes) {
        for (const link of links) {
          this.matrix.fromArray(this.matrices, MATRIX * (unit * this.links + link));
          addBox(box, this.matrix.premultiply(this.root.matrixWorld), into);
        }
      }
    }
  }

  /** The nearest unit that a ray meets, with its distance [m]. */
  pick(ray: Raycaster): { unit: number; away: number } | null {
    let found: { unit: number; away: number } | null = null;
    for (const level of this.near ? [this.far, this.near] : [this.far]) {
      const [hit] = ray.intersectObjects(level.meshes, false) as Intersection<InstancedMesh>[];
      if (hit?.instanceId === undefined || (found && hit.distance > found.away)) continue;
      const unit = level.unitOf(hit.object, hit.instanceId);
      if (unit !== null) found = { unit: unit + this.stand.first, away: hit.distance };
    }
    return found;
  }

  /** Pose of a unit's link as it is drawn, in the simulation's axes: 16 numbers, or null. */
  worldMatrix(number: number, link: string): number[] | null {
    const unit = number - this.stand.first;
    const index = this.stand.machine.links.indexOf(link);
    return this.far.matrixOf(unit, index) ?? this.near?.matrixOf(unit, index) ?? null;
  }

  dispose(): void {
    this.far.dispose();
    this.near?.dispose();
    this.root.removeFromParent();
  }
}

function same(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((x, i) => x === b[i]);
}
