/** What the rock is made of: dipping layers, and stone dust on what was cut long ago. */

import type { Vertex } from "../geometry";
import { mix, Noise, smoothstep } from "../noise";
import { freshness } from "./section";

type Layer = readonly [top: number, r: number, g: number, b: number];

/** Layers by the height of their top at the face's middle [m]. */
const LAYERS: readonly Layer[] = [
  [0.35, 0.21, 0.195, 0.175],
  [0.62, 0.42, 0.35, 0.26],
  [0.8, 0.15, 0.142, 0.135],
  [1.9, 0.055, 0.054, 0.056],
  [2.02, 0.4, 0.31, 0.22],
  [2.45, 0.07, 0.068, 0.068],
  [2.75, 0.17, 0.16, 0.148],
  [3.25, 0.48, 0.4, 0.3],
  [3.5, 0.19, 0.178, 0.162],
  [4.3, 0.36, 0.31, 0.245],
  [99, 0.2, 0.19, 0.172],
];
const DIP = 0.05;
const DUSTED = [0.34, 0.325, 0.3] as const;

/** Paint a vertex as the rock at its place; `dusted` in [0, 1] tells how far dust has covered it. */
export function paintRock(noise: Noise, vertex: Vertex, dusted: number): void {
  const { x, y, z } = vertex;
  const level =
    z +
    DIP * y +
    0.03 * x +
    0.16 * noise.layers(x * 0.3, y * 0.4, z * 0.3, 3) +
    0.03 * noise.at(x * 3, y * 3, z * 3);
  let k = 0;
  while (LAYERS[k]![0] < level) k++;
  const layer = LAYERS[k]!;
  const band = 1 + 0.22 * noise.at(x * 0.4, y * 0.4, level * 9);
  const speck = 1 + 0.18 * noise.layers(x * 1.7, y * 1.7, z * 1.7, 3);
  vertex.r = layer[1] * band * speck;
  vertex.g = layer[2] * band * speck;
  vertex.b = layer[3] * band * speck;
  if (dusted === 0) return;
  const cover = dusted * (0.72 + 0.28 * noise.layers(x * 0.6, y * 0.6, z * 0.6 + 40, 3));
  const stain = 1 - 0.4 * smoothstep(0.15, 0.5, noise.layers(x * 0.7 + 9, y * 0.7, z * 0.12, 3));
  vertex.r = mix(vertex.r, DUSTED[0] * stain * speck, cover);
  vertex.g = mix(vertex.g, DUSTED[1] * stain * speck, cover);
  vertex.b = mix(vertex.b, DUSTED[2] * stain * speck, cover);
}

/** How far out of the room [m, 0 or more] the rock stands back from the nominal outline. */
export function roughness(noise: Noise, x: number, y: number, z: number): number {
  const broad = 0.5 + 0.5 * noise.layers(x * 0.33, y * 0.33, z * 0.33, 3);
  const ledge = Math.abs(noise.at(x * 0.8, y * 0.8, z * 1.9 + 30));
  const small = 0.5 + 0.5 * noise.layers(x * 2.1, y * 2.1, z * 2.6, 2);
  const out = 0.24 * broad + 0.16 * ledge + (0.09 + 0.14 * freshness(x)) * small;
  return Math.max(0.02, out - 0.11);
}
