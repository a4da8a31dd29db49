/** The floor: trodden muck with the ruts of tracks, puddles and banks along the walls. */

import { BufferGeometry } from "three";

import { sheet } from "../geometry";
import { mix, Noise, smoothstep } from "../noise";
import type { Room } from "./section";
import { TEXTURE } from "./shell";

/** Where the machine stands, in the room's own axes [m]. */
export interface Footprint {
  back: number;
  front: number;
  half: number;
}

/** Height of the floor [m]; never above 0 under the machine. */
export function floorHeight(
  room: Room,
  print: Footprint,
  noise: Noise,
  x: number,
  y: number,
): number {
  const side = Math.abs(y);
  const bank = smoothstep(print.half + 0.15, room.half, side);
  const heap = smoothstep(-2.6, 0.2, x) * smoothstep(print.half * 0.5, room.half, side);
  const rough = noise.layers(x * 0.7, y * 0.7, 5, 4);
  const under =
    smoothstep(print.half + 0.5, print.half, side) *
    smoothstep(print.back - 1, print.back, x) *
    smoothstep(print.front + 0.8, print.front - 0.2, x);
  const level = 1 - 0.85 * pools(noise, x, y);
  let z =
    0.07 * rough * level + 0.3 * bank * (0.6 + 0.7 * rough) + 0.6 * heap * (0.7 + 0.6 * rough);
  z += 0.55 * smoothstep(-1.5, 0.3, x) * (0.8 + 0.8 * rough);
  z -= rut(print, noise, x, y) * (0.06 + 0.02 * Math.sin(x * 30));
  return mix(z, Math.min(-0.015, 0.3 * z - 0.02), under);
}

/** Where water gathers: 0 nowhere to 1 in the middle of a pool. */
function pools(noise: Noise, x: number, y: number): number {
  return smoothstep(0.02, 0.32, noise.layers(x * 0.3, y * 0.55, 33, 2)) * smoothstep(-1.5, -4, x);
}

/** 1 in the middle of the ruts that the machine's tracks left, 0 beside them. */
function rut(print: Footprint, noise: Noise, x: number, y: number): number {
  const wander = 0.12 * noise.at(x * 0.25, 0, 9);
  const away = Math.abs(Math.abs(y - wander) - 0.72 * print.half);
  return (1 - smoothstep(0.2, 0.36, away)) * smoothstep(print.front, print.front - 1, x);
}

export function floorGeometry(
  room: Room,
  print: Footprint,
  noise: Noise,
  detail: number,
): BufferGeometry {
  const along = Math.round(124 * detail);
  const across = Math.round(38 * detail);
  const wide = room.half + 0.5;
  return sheet(along, across, (i, j, vertex) => {
    const t = i / along;
    const x = 0.9 - (room.length + 0.9) * (0.5 * t + 0.5 * t * t * t);
    const y = wide * (1 - (2 * j) / across);
    const z = floorHeight(room, print, noise, x, y);
    vertex.x = x;
    vertex.y = y;
    vertex.z = z;
    vertex.u = x / TEXTURE;
    vertex.v = y / TEXTURE;
    const stain = 0.75 + 0.5 * noise.layers(x * 0.5, y * 0.5, 21, 3);
    const fresh = smoothstep(-4, -0.5, x);
    const pressed = 1 - 0.3 * rut(print, noise, x, y);
    const edge = 1 - 0.5 * smoothstep(room.half - 0.5, room.half + 0.1, Math.abs(y));
    const shade = stain * pressed * edge;
    vertex.r = shade * mix(0.158, 0.1, fresh);
    vertex.g = shade * mix(0.143, 0.094, fresh);
    vertex.b = shade * mix(0.123, 0.088, fresh);
    vertex.wet = smoothstep(0.16, -0.02, z) * pools(noise, x, y);
  });
}
