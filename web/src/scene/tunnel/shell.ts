/** Walls and roof, and the wire mesh that holds small stones back. */

import { BufferGeometry } from "three";

import { sheet } from "../geometry";
import { Noise, smoothstep } from "../noise";
import { paintRock, roughness } from "./rock";
import { freshness, outline, type Room } from "./section";

/** Metres of rock that one repeat of the rock texture covers. */
export const TEXTURE = 2.6;
/** Metres of one opening of the wire mesh. */
export const OPENING = 0.13;
/** The mesh begins so far behind the face [m]. */
export const UNSUPPORTED = 2.4;

/** Where the shell's cross-sections stand, from the back: dense near the machine. */
function stations(room: Room, count: number): number[] {
  const places: number[] = [];
  for (let i = 0; i <= count; i++) {
    const t = 1 - i / count;
    places.push(-room.length * (0.55 * t + 0.45 * t * t * t));
  }
  return places;
}

/** The rock around the room, seen from inside; `detail` scales the number of triangles. */
export function shellGeometry(room: Room, noise: Noise, detail: number): BufferGeometry {
  const around = Math.round(54 * detail);
  const along = Math.round(172 * detail);
  const points = outline(room, around);
  const xs = stations(room, along);
  return sheet(along, around, (i, j, vertex) => {
    const x = xs[i]!;
    const point = points[j]!;
    const out = roughness(noise, x, point.y, point.z);
    vertex.x = x;
    vertex.y = point.y + out * point.ny;
    vertex.z = point.z + out * point.nz - (j === 0 || j === around ? 0.3 : 0);
    vertex.u = x / TEXTURE;
    vertex.v = point.along / TEXTURE;
    paintRock(noise, vertex, 0.86 * (1 - freshness(x)));
    const foot = 0.45 + 0.55 * smoothstep(0, 0.7, point.z);
    const deep = 1.15 - 0.75 * smoothstep(0.02, 0.3, out);
    vertex.r *= foot * deep;
    vertex.g *= foot * deep;
    vertex.b *= foot * deep;
  });
}

/** The wire mesh, a little inside the rock. */
export function wireGeometry(room: Room): BufferGeometry {
  const around = 36;
  const along = Math.round((room.length - UNSUPPORTED) / 0.6);
  const points = outline(room, around, 0.01);
  return sheet(along, around, (i, j, vertex) => {
    const x = -UNSUPPORTED - 0.6 * (along - i);
    const point = points[j]!;
    const sag = 0.05 * Math.abs(Math.sin(1.9 * i) * Math.sin(0.9 * j + i));
    vertex.x = x;
    vertex.y = point.y + (0.04 - sag) * point.ny;
    vertex.z = point.z + (0.04 - sag) * point.nz;
    vertex.u = x / OPENING;
    vertex.v = point.along / OPENING;
    vertex.r = vertex.g = vertex.b = 0.2;
  });
}
