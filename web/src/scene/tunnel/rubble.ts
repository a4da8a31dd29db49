/** Loose stones: many at the foot of the face, fewer along the walls. */

import { Color, IcosahedronGeometry, InstancedMesh, Matrix4, Quaternion, Vector3 } from "three";
import type { BufferGeometry, MeshStandardMaterial } from "three";

import { mix, Noise, random } from "../noise";
import { floorHeight, type Footprint } from "./floor";
import type { Room } from "./section";

/** A stone of about one metre, with flat sides. */
function stoneGeometry(noise: Noise): BufferGeometry {
  const stone = new IcosahedronGeometry(0.5, 1);
  const position = stone.getAttribute("position");
  const point = new Vector3();
  for (let i = 0; i < position.count; i++) {
    point.fromBufferAttribute(position, i);
    const scale = 1 + 0.75 * noise.layers(point.x * 2.1, point.y * 2.1, point.z * 2.1 + 4, 2);
    position.setXYZ(i, point.x * scale, point.y * scale * 0.9, point.z * scale * 0.75);
  }
  stone.computeVertexNormals();
  return stone;
}

export function rubble(
  room: Room,
  print: Footprint,
  noise: Noise,
  material: MeshStandardMaterial,
  count: number,
): InstancedMesh {
  const mesh = new InstancedMesh(stoneGeometry(noise), material, count);
  const next = random(97);
  const matrix = new Matrix4();
  const place = new Vector3();
  const turn = new Quaternion();
  const size = new Vector3();
  const tint = new Color();
  for (let i = 0; i < count; i++) {
    const atFace = i < 0.5 * count;
    const x = atFace ? 0.25 - 2.6 * next() ** 2 : -0.5 - (room.length - 8) * next() ** 1.7;
    const side = next() < 0.5 ? -1 : 1;
    const y = atFace
      ? room.half * (2 * next() - 1)
      : side * mix(room.half, print.half + 0.25, next() ** 1.6);
    const scale = (atFace ? 0.1 : 0.06) + (atFace ? 0.26 : 0.16) * next() ** 3;
    place.set(x, y, floorHeight(room, print, noise, x, y) + 0.12 * scale);
    turn.set(next() - 0.5, next() - 0.5, next() - 0.5, next() - 0.5).normalize();
    size.set(scale * (0.8 + 0.5 * next()), scale, scale * (0.7 + 0.4 * next()));
    mesh.setMatrixAt(i, matrix.compose(place, turn, size));
    const grey = 0.08 + 0.16 * next();
    mesh.setColorAt(i, tint.setRGB(grey, grey * 0.95, grey * 0.87));
  }
  return mesh;
}
