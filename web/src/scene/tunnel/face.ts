/** The freshly cut face: layered rock with the grooves that the drum left. */

import { BufferGeometry, DataTexture } from "three";

import { sheet, type Vertex } from "../geometry";
import { mix, Noise, smoothstep } from "../noise";
import { bytesTexture } from "../textures";
import { paintRock, roughness } from "./rock";
import { height, outline, type Room } from "./section";

/** Metres beyond the outline that the face's picture covers. */
const BEYOND = 0.5;

/** Phase of the grooves that the drum's sweeps left. */
function sweep(noise: Noise, y: number, z: number): number {
  return Math.sin(z * 15 + 2.2 * noise.at(y * 0.5, z * 0.5, 3));
}

/** How far the rock stands back from the plane x = 0 [m], without the hollow in its middle. */
function relief(noise: Noise, y: number, z: number): number {
  const rough = 0.22 * noise.layers(y * 0.9, z * 1.3, 8, 4) + 0.1 * noise.at(y * 3.1, z * 4.2, 2);
  return rough + 0.05 * sweep(noise, y, z);
}

/** The face closes the room at x = 0: rings from its middle to the outline. */
export function faceGeometry(room: Room, noise: Noise, detail: number): BufferGeometry {
  const rings = Math.round(34 * detail);
  const points = outline(room, Math.round(56 * detail));
  const foot = Math.round(16 * detail); // back along the floor, to the left foot
  for (let i = 1; i < foot; i++) {
    points.push({ y: room.half * ((2 * i) / foot - 1), z: -0.2, ny: 0, nz: 0, along: 0 });
  }
  points.push(points[0]!);
  const middle = 0.42 * height(room);
  return sheet(points.length - 1, rings, (i, j, vertex) => {
    const t = j / rings;
    const point = points[i]!;
    const out = roughness(noise, 0, point.y, point.z) + 0.02;
    const y = t * (point.y + out * point.ny);
    const z = middle + t * (point.z + out * point.nz - middle) - (t === 1 ? 0.05 : 0);
    vertex.x = 0.55 * (1 - t ** 2.6) + relief(noise, y, z) * Math.min(1, 4 * (1 - t));
    vertex.y = y;
    vertex.z = z;
    vertex.u = 0.5 - y / (2 * (room.half + BEYOND));
    vertex.v = (z + BEYOND) / (height(room) + 2 * BEYOND);
  });
}

/** The face's layers, finer than its geometry; `size` points wide. */
export function faceTexture(room: Room, noise: Noise, size: number): DataTexture {
  const data = new Uint8Array(4 * size * size);
  const vertex: Vertex = { x: 0, y: 0, z: 0, u: 0, v: 0, r: 0, g: 0, b: 0, wet: 0 };
  for (let j = 0; j < size; j++) {
    for (let i = 0; i < size; i++) {
      vertex.y = (room.half + BEYOND) * (1 - (2 * (i + 0.5)) / size);
      vertex.z = ((j + 0.5) / size) * (height(room) + 2 * BEYOND) - BEYOND;
      paintRock(noise, vertex, 0);
      const grain = 1 + 0.5 * noise.layers(vertex.y * 5, vertex.z * 9, 14, 2);
      const crack = noise.cracks(vertex.y * 2.2 + 50, vertex.z * 3.4 + 50, 200);
      const broken = mix(0.62, 1, smoothstep(0.0, 0.07, crack));
      const groove = 1 - 0.3 * Math.max(0, -sweep(noise, vertex.y, vertex.z));
      const shade = 255 * grain * groove * broken;
      const at = 4 * (j * size + i);
      data[at] = Math.min(255, shade * vertex.r);
      data[at + 1] = Math.min(255, shade * vertex.g);
      data[at + 2] = Math.min(255, shade * vertex.b);
      data[at + 3] = 255;
    }
  }
  return bytesTexture(data, size);
}
