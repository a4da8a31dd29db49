/** Steel arches, the struts between them, and rock bolts with their plates. */

import {
  BoxGeometry,
  BufferGeometry,
  CylinderGeometry,
  InstancedMesh,
  Matrix4,
  Quaternion,
  Vector3,
} from "three";
import type { MeshStandardMaterial } from "three";

import { Parts, sheet } from "../geometry";
import { type Noise, random } from "../noise";
import { roughness } from "./rock";
import { outline, type Room } from "./section";
import { UNSUPPORTED } from "./shell";

const STEEL = [0.2, 0.185, 0.17] as const;
const RUST = [0.16, 0.085, 0.05] as const;

/** Outline of the rolled profile: along the roadway, into the room [m]. */
const PROFILE: readonly (readonly [number, number])[] = [
  [-0.075, 0],
  [-0.075, 0.025],
  [-0.028, 0.045],
  [-0.028, 0.125],
  [0.028, 0.125],
  [0.028, 0.045],
  [0.075, 0.025],
  [0.075, 0],
];
const SPACING = 1.25;

/** x of the arches, from the foremost. */
export function archPlaces(room: Room): number[] {
  const places: number[] = [];
  for (let x = -UNSUPPORTED - 0.1; x > -room.length + 0.5; x -= SPACING) places.push(x);
  return places;
}

/** One arch at x = 0. */
export function archGeometry(room: Room): BufferGeometry {
  const around = 22;
  const points = outline(room, around);
  const smooth = sheet(around, PROFILE.length - 1, (i, j, vertex) => {
    const point = points[i]!;
    const [x, inward] = PROFILE[PROFILE.length - 1 - j]!;
    vertex.x = x;
    vertex.y = point.y - inward * point.ny;
    vertex.z = point.z - inward * point.nz;
    const rust = 0.5 + 0.5 * Math.sin(i * 2.3 + 1);
    vertex.r = STEEL[0] + rust * 0.35 * (RUST[0] - STEEL[0]);
    vertex.g = STEEL[1] + rust * 0.35 * (RUST[1] - STEEL[1]);
    vertex.b = STEEL[2] + rust * 0.35 * (RUST[2] - STEEL[2]);
  });
  const sharp = smooth.toNonIndexed(); // edges of rolled steel are sharp
  sharp.computeVertexNormals();
  smooth.dispose();
  return sharp;
}

export function arches(room: Room, material: MeshStandardMaterial): InstancedMesh {
  const places = archPlaces(room);
  const mesh = new InstancedMesh(archGeometry(room), material, places.length);
  const matrix = new Matrix4();
  places.forEach((x, i) => mesh.setMatrixAt(i, matrix.makeTranslation(x, 0, 0)));
  return mesh;
}

/** Struts along the roadway that keep the arches apart. */
export function addStruts(parts: Parts, room: Room): void {
  const places = archPlaces(room);
  const front = places[0]!;
  const back = places.at(-1)!;
  const points = outline(room, 12);
  for (const k of [2, 4, 6, 8, 10]) {
    const point = points[k]!;
    const strut = new CylinderGeometry(0.022, 0.022, front - back, 6, 1, true);
    const matrix = new Matrix4()
      .makeRotationZ(Math.PI / 2)
      .setPosition(0.5 * (front + back), point.y - 0.06 * point.ny, point.z - 0.06 * point.nz);
    parts.add(strut, STEEL, matrix);
  }
}

/** Rock bolts: a plate on the rock and the bolt's end with its nut. */
export function bolts(room: Room, noise: Noise, material: MeshStandardMaterial): InstancedMesh {
  const parts = new Parts()
    .add(new BoxGeometry(0.2, 0.2, 0.014), [0.4, 0.38, 0.35])
    .add(
      new CylinderGeometry(0.03, 0.05, 0.04, 6),
      [0.42, 0.4, 0.36],
      new Matrix4().makeRotationX(Math.PI / 2).setPosition(0, 0, 0.025),
    )
    .add(
      new CylinderGeometry(0.012, 0.012, 0.05, 5),
      [0.36, 0.33, 0.3],
      new Matrix4().makeRotationX(Math.PI / 2).setPosition(0, 0, 0.06),
    );
  const next = random(41);
  const points = outline(room, 14);
  const places: Matrix4[] = [];
  const turn = new Quaternion();
  const outward = new Vector3(0, 0, 1);
  const one = new Vector3(1, 1, 1);
  const rows = Math.floor(Math.min(26, room.length - 4) / SPACING);
  for (let row = 0; row < rows; row++) {
    for (let k = 2; k <= 12; k += 2) {
      const x = -UNSUPPORTED - 0.72 - SPACING * row + 0.2 * (next() - 0.5);
      const point = points[k]!;
      turn.setFromUnitVectors(outward, new Vector3(0, -point.ny, -point.nz));
      const out = roughness(noise, x, point.y, point.z) - 0.002;
      const matrix = new Matrix4().compose(
        new Vector3(x, point.y + out * point.ny, point.z + out * point.nz),
        turn,
        one,
      );
      places.push(matrix);
    }
  }
  const mesh = new InstancedMesh(parts.build(), material, places.length);
  places.forEach((matrix, i) => mesh.setMatrixAt(i, matrix));
  return mesh;
}
