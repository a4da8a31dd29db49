import { describe, expect, it } from "vitest";

import { Noise, random, smoothstep } from "../src/scene/noise";
import { muckHeights, rockHeights, surfaceTextures } from "../src/scene/textures";

describe("random", () => {
  it("gives the same numbers for the same seed, and others for another", () => {
    const first = random(5);
    const again = random(5);
    const other = random(6);
    const numbers = Array.from({ length: 50 }, first);
    expect(Array.from({ length: 50 }, again)).toEqual(numbers);
    expect(Array.from({ length: 50 }, other)).not.toEqual(numbers);
    expect(numbers.every((x) => x >= 0 && x < 1)).toBe(true);
  });

  it("is even: a mean of one half", () => {
    const next = random(1);
    let sum = 0;
    for (let i = 0; i < 10000; i++) sum += next();
    expect(sum / 10000).toBeCloseTo(0.5, 1);
  });
});

describe("Noise", () => {
  const noise = new Noise(3);

  it("is 0 at whole numbers and bounded between them", () => {
    expect(noise.at(3, -7, 12)).toBeCloseTo(0, 12);
    const next = random(2);
    for (let i = 0; i < 500; i++) {
      const value = noise.at(40 * next() - 20, 40 * next() - 20, 40 * next() - 20);
      expect(Math.abs(value)).toBeLessThan(1.1);
    }
  });

  it("has no jumps between cells", () => {
    for (const x of [-2, 0, 5, 255, 256]) {
      const before = noise.at(x - 1e-7, 0.3, 0.6);
      expect(noise.at(x + 1e-7, 0.3, 0.6)).toBeCloseTo(before, 5);
    }
  });

  it("repeats after its period", () => {
    expect(noise.tile(1.3 + 6, 2.7 - 12, 6)).toBeCloseTo(noise.tile(1.3, 2.7, 6), 12);
    expect(noise.tileLayers(0.4 + 5, 3.1, 5, 4)).toBeCloseTo(noise.tileLayers(0.4, 3.1, 5, 4), 12);
    expect(noise.cracks(7.1 + 9, 0.2, 9)).toBeCloseTo(noise.cracks(7.1, 0.2, 9), 12);
  });

  it("depends on its seed", () => {
    expect(new Noise(4).at(0.5, 0.5, 0.5)).not.toBe(noise.at(0.5, 0.5, 0.5));
    expect(new Noise(3).at(0.5, 0.2, 0.1)).toBe(noise.at(0.5, 0.2, 0.1));
  });

  it("measures cracks from 0 up", () => {
    const next = random(9);
    let least = 1;
    for (let i = 0; i < 4000; i++) {
      const away = noise.cracks(8 * next(), 8 * next(), 8);
      expect(away).toBeGreaterThanOrEqual(0);
      least = Math.min(least, away);
    }
    expect(least).toBeLessThan(0.01);
  });
});

describe("smoothstep", () => {
  it("goes from 0 to 1, in either direction", () => {
    expect(smoothstep(1, 3, 0)).toBe(0);
    expect(smoothstep(1, 3, 2)).toBe(0.5);
    expect(smoothstep(1, 3, 4)).toBe(1);
    expect(smoothstep(3, 1, 0)).toBe(1);
    expect(smoothstep(3, 1, 4)).toBe(0);
  });
});

describe("textures", () => {
  for (const [name, heights] of [
    ["rock", rockHeights],
    ["muck", muckHeights],
  ] as const) {
    it(`${name}: heights fill a good part of [0, 1] and meet at the seam`, () => {
      const size = 64;
      const field = heights(new Noise(1), size);
      const low = Math.min(...field);
      const high = Math.max(...field);
      expect(low).toBeGreaterThanOrEqual(0);
      expect(high).toBeLessThanOrEqual(1);
      expect(high - low).toBeGreaterThan(0.3);
      let seam = 0;
      let inside = 0;
      for (let j = 0; j < size; j++) {
        seam += Math.abs(field[j * size]! - field[j * size + size - 1]!);
        inside += Math.abs(field[j * size + 31]! - field[j * size + 30]!);
      }
      expect(seam).toBeLessThan(3 * inside);
    });
  }

  it("normals of a slope lean against it", () => {
    const size = 16;
    const slope = new Float32Array(size * size);
    for (let i = 0; i < size * size; i++) slope[i] = (i % size) / size;
    const { normals } = surfaceTextures(slope, 40);
    const data = normals.image.data as Uint8Array;
    const at = 4 * (5 * size + 8);
    expect(data[at]!).toBeLessThan(127);
    expect(data[at + 1]!).toBe(127);
    const [x, y, z] = [0, 1, 2].map((k) => data[at + k]! / 127.5 - 1);
    expect(Math.hypot(x!, y!, z!)).toBeCloseTo(1, 1);
  });
});
