/**
 * What touches, in the picture: a mark where two things touch, and an arrow for the force.
 *
 * Shape and colour of a mark say whether friction holds: a ball sticks, a diamond slides. An arrow
 * grows by the same length for every tenfold force, since forces of one scene may differ by a million.
 */

import {
  Color,
  ConeGeometry,
  CylinderGeometry,
  Group,
  InstancedMesh,
  Matrix4,
  MeshBasicMaterial,
  OctahedronGeometry,
  Quaternion,
  SphereGeometry,
  Vector3,
} from "three";
import type { BufferGeometry } from "three";

import { COLUMN, WIDTH } from "../protocol/generated";
import { disposeTree } from "./dispose";

export const STICKING = "#4aa3ff";
export const SLIDING = "#ff9f1c";
const MOST = 64;
const SIZE = 0.07; // radius of a mark [m]
const DECADE = 0.3; // what an arrow grows for a tenfold force [m]
const THIN = 0.22; // of an arrow's shaft, against the mark
const TIP = 2.4; // length of an arrow's tip, in radii of a mark

/** Length of the arrow of a force [N], before it is scaled [m]. */
export function arrowLength(force: number): number {
  return DECADE * Math.log10(1 + force);
}

/** A contact of a frame. */
export interface Touch {
  point: Vector3;
  force: Vector3;
  sticking: boolean;
  /** Positions in `scene.members`. */
  a: number;
  b: number;
}

/** The contacts in a frame's section; rows without a force are room that was not needed. */
export function touchesOf(contacts: Float32Array): Touch[] {
  const { x, y, z, fx, fy, fz, sticking, a, b } = COLUMN.contacts;
  const found: Touch[] = [];
  for (let at = 0; at + WIDTH.contacts <= contacts.length; at += WIDTH.contacts) {
    const one = (column: number): number => contacts[at + column]!;
    const force = new Vector3(one(fx), one(fy), one(fz));
    const point = new Vector3(one(x), one(y), one(z));
    if (!(force.lengthSq() > 0) || !Number.isFinite(point.x + point.y + point.z)) continue;
    found.push({ point, force, sticking: one(sticking) !== 0, a: one(a), b: one(b) });
  }
  return found;
}

export class ContactMarks {
  readonly root = new Group();
  /** How many are shown. */
  shown = 0;
  private readonly material = new MeshBasicMaterial({
    depthTest: false,
    transparent: true,
    opacity: 0.92,
    fog: false,
  });
  private readonly balls = this.made(new SphereGeometry(1, 14, 10), "sticking");
  private readonly diamonds = this.made(new OctahedronGeometry(1.35), "sliding");
  private readonly shafts = this.made(new CylinderGeometry(THIN, THIN, 1, 8), "shafts");
  private readonly tips = this.made(new ConeGeometry(0.75, 1, 12), "tips");
  private readonly matrix = new Matrix4();
  private readonly turn = new Quaternion();
  private readonly middle = new Vector3();
  private readonly size = new Vector3();
  private readonly along = new Vector3();
  private readonly up = new Vector3(0, 1, 0);
  private readonly sticks = new Color(STICKING);
  private readonly slides = new Color(SLIDING);

  constructor() {
    this.root.name = "contacts";
    this.root.visible = false;
  }

  private made(geometry: BufferGeometry, name: string): InstancedMesh {
    const mesh = new InstancedMesh(geometry, this.material, MOST);
    mesh.name = name;
    mesh.count = 0;
    mesh.frustumCulled = false;
    mesh.renderOrder = 11;
    mesh.raycast = () => {};
    this.root.add(mesh);
    return mesh;
  }

  /** Show the contacts of a frame, in sizes that fit a machine: 1, or less for a small one. */
  show(contacts: Float32Array, scale: number): void {
    const touches = touchesOf(contacts).slice(0, MOST);
    for (const mesh of [this.balls, this.diamonds, this.shafts, this.tips]) mesh.count = 0;
    for (const touch of touches) this.add(touch, scale);
    for (const mesh of [this.balls, this.diamonds, this.shafts, this.tips]) {
      mesh.instanceMatrix.needsUpdate = true;
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    }
    this.shown = touches.length;
  }

  private add({ point, force, sticking }: Touch, scale: number): void {
    const radius = SIZE * scale;
    const color = sticking ? this.sticks : this.slides;
    const size = force.length();
    this.along.copy(force).divideScalar(size);
    this.turn.setFromUnitVectors(this.up, this.along);
    this.put(sticking ? this.balls : this.diamonds, point, this.size.setScalar(radius), color);
    const tip = TIP * radius;
    const shaft = Math.max(arrowLength(size) * scale, 0.01 * radius);
    this.middle.copy(point).addScaledVector(this.along, 0.5 * shaft);
    this.put(this.shafts, this.middle, this.size.set(radius, shaft, radius), color);
    this.middle.copy(point).addScaledVector(this.along, shaft + 0.5 * tip);
    this.put(this.tips, this.middle, this.size.set(radius, tip, radius), color);
  }

  private put(mesh: InstancedMesh, place: Vector3, size: Vector3, color: Color): void {
    const n = mesh.count++;
    mesh.setMatrixAt(n, this.matrix.compose(place, this.turn, size));
    mesh.setColorAt(n, color);
  }

  dispose(): void {
    disposeTree(this.root);
  }
}
