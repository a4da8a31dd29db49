/** Textures computed from noise: no pictures are loaded. */

import {
  DataTexture,
  EquirectangularReflectionMapping,
  FloatType,
  LinearFilter,
  LinearMipmapLinearFilter,
  RepeatWrapping,
  RGBAFormat,
  UnsignedByteType,
} from "three";

import { mix, Noise, smoothstep } from "./noise";

/** Shade (values about 1) and normals of one rock surface; both repeat. */
export interface RockTextures {
  shade: DataTexture;
  normals: DataTexture;
}

/** Height of a broken rock surface in [0, 1] on a repeating square of size x size points. */
export function rockHeights(noise: Noise, size: number): Float32Array {
  const heights = new Float32Array(size * size);
  for (let j = 0; j < size; j++) {
    for (let i = 0; i < size; i++) {
      const u = i / size;
      const v = j / size;
      const bend = noise.tileLayers(u * 4, v * 4, 4, 3);
      const rough = noise.tileLayers(u * 6, v * 6, 6, 6);
      const ridge =
        1 - 2 * Math.abs(noise.tileLayers(u * 5 + 0.6 * bend, v * 5 - 0.6 * bend, 5, 5));
      const shard = noise.tileLayers(u * 24 + 1.4 * bend, v * 12, 12, 4);
      heights[j * size + i] = clamp(0.28 + 0.42 * rough + 0.34 * ridge + 0.24 * shard);
    }
  }
  return heights;
}

/** Height of trodden muck with small stones in it; otherwise like `rockHeights`. */
export function muckHeights(noise: Noise, size: number): Float32Array {
  const heights = new Float32Array(size * size);
  for (let j = 0; j < size; j++) {
    for (let i = 0; i < size; i++) {
      const u = i / size;
      const v = j / size;
      const bend = noise.tileLayers(u * 8, v * 8, 8, 2);
      const mud = noise.tileLayers(u * 7, v * 7, 7, 6);
      const where = smoothstep(-0.1, 0.35, noise.tileLayers(u * 3 + 0.5, v * 3, 3, 3));
      const stone = smoothstep(0.05, 0.6, noise.cracks(u * 34 + bend, v * 34 - bend, 34));
      const grit = noise.tile(u * 90, v * 90, 90);
      const stones = (0.2 + 0.8 * where) * stone + 0.35 * (0.5 + grit);
      heights[j * size + i] = clamp(0.3 + 0.45 * mud + 0.28 * stones);
    }
  }
  return heights;
}

/** Shade and normals of a surface; hollows are dark, `depth` scales the slopes that light sees. */
export function surfaceTextures(heights: Float32Array, depth: number): RockTextures {
  const size = Math.round(Math.sqrt(heights.length));
  const shade = new Uint8Array(4 * size * size);
  const normals = new Uint8Array(4 * size * size);
  const slope = depth * (size / 256);
  for (let j = 0; j < size; j++) {
    const below = ((j + size - 1) % size) * size;
    const above = ((j + 1) % size) * size;
    for (let i = 0; i < size; i++) {
      const left = (i + size - 1) % size;
      const right = (i + 1) % size;
      const at = j * size + i;
      const h = heights[at]!;
      const nx = slope * (heights[j * size + left]! - heights[j * size + right]!);
      const ny = slope * (heights[below + i]! - heights[above + i]!);
      const scale = 127.5 / Math.hypot(nx, ny, 1);
      normals[4 * at] = 127.5 + nx * scale;
      normals[4 * at + 1] = 127.5 + ny * scale;
      normals[4 * at + 2] = 127.5 + scale;
      normals[4 * at + 3] = 255;
      const value = 255 * mix(0.42, 1, smoothstep(0.12, 0.72, h));
      shade[4 * at] = value;
      shade[4 * at + 1] = value;
      shade[4 * at + 2] = value;
      shade[4 * at + 3] = 255 * h;
    }
  }
  return { shade: repeating(shade, size), normals: repeating(normals, size) };
}

/** Welded wire mesh: opaque wires (alpha) around one square opening. */
export function wireTexture(size: number): DataTexture {
  const data = new Uint8Array(4 * size * size);
  for (let j = 0; j < size; j++) {
    for (let i = 0; i < size; i++) {
      const away = Math.min(i, size - 1 - i, j, size - 1 - j) / size;
      const at = 4 * (j * size + i);
      data[at] = data[at + 1] = data[at + 2] = 255;
      data[at + 3] = 255 * (1 - smoothstep(0.012, 0.036, away));
    }
  }
  return repeating(data, size);
}

/** A round spot that fades from the middle; `power` sharpens it. */
export function spotTexture(size: number, power: number): DataTexture {
  const data = new Uint8Array(4 * size * size);
  for (let j = 0; j < size; j++) {
    for (let i = 0; i < size; i++) {
      const r = Math.hypot((2 * i + 1) / size - 1, (2 * j + 1) / size - 1);
      const at = 4 * (j * size + i);
      data[at] = data[at + 1] = data[at + 2] = 255;
      data[at + 3] = 255 * Math.max(0, 1 - r) ** power;
    }
  }
  return bytesTexture(data, size);
}

/** What bright metal reflects: dark walls and a row of warm lamps above. */
export function surroundingsTexture(): DataTexture {
  const width = 128;
  const height = 64;
  const data = new Float32Array(4 * width * height);
  for (let j = 0; j < height; j++) {
    const up = (2 * (j + 0.5)) / height - 1;
    for (let i = 0; i < width; i++) {
      const around = (2 * (i + 0.5)) / width - 1;
      const wall = 0.05 + 0.2 * smoothstep(-0.35, 0.25, up);
      const row = Math.exp(-((((Math.abs(around) % 0.5) - 0.25) / 0.05) ** 2));
      const lamp = 7 * row * smoothstep(0.4, 0.5, up) * (1 - smoothstep(0.62, 0.72, up));
      const strip = 2.2 * smoothstep(0.84, 0.92, up);
      const at = 4 * (j * width + i);
      data[at] = wall + lamp + strip;
      data[at + 1] = wall * 0.97 + 0.84 * lamp + 0.9 * strip;
      data[at + 2] = wall * 0.92 + 0.62 * lamp + 0.75 * strip;
      data[at + 3] = 1;
    }
  }
  const texture = new DataTexture(data, width, height, RGBAFormat, FloatType);
  texture.mapping = EquirectangularReflectionMapping;
  texture.minFilter = LinearFilter;
  texture.magFilter = LinearFilter;
  texture.needsUpdate = true;
  return texture;
}

/** A square picture that does not repeat; red, green, blue and alpha of each point, linear light. */
export function bytesTexture(data: Uint8Array, size: number): DataTexture {
  const texture = new DataTexture(data, size, size, RGBAFormat, UnsignedByteType);
  texture.magFilter = LinearFilter;
  texture.minFilter = LinearFilter;
  texture.needsUpdate = true;
  return texture;
}

function repeating(data: Uint8Array, size: number): DataTexture {
  const texture = bytesTexture(data, size);
  texture.wrapS = texture.wrapT = RepeatWrapping;
  texture.minFilter = LinearMipmapLinearFilter;
  texture.generateMipmaps = true;
  texture.anisotropy = 4;
  return texture;
}

function clamp(x: number): number {
  return Math.min(1, Math.max(0, x));
}
