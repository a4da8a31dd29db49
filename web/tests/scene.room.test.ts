import { Box3, Vector3 } from "three";
import { describe, expect, it } from "vitest";

import { lag } from "../src/scene/cameras";
import { Noise, random } from "../src/scene/noise";
import { Orbit } from "../src/scene/orbit";
import { floorHeight } from "../src/scene/tunnel/floor";
import { roughness } from "../src/scene/tunnel/rock";
import {
  height,
  inside,
  NARROWEST,
  outline,
  pushInside,
  reach,
  roofAt,
  roomAround,
} from "../src/scene/tunnel/section";

const box = (x: number, y: number, z: number): Box3 =>
  new Box3(new Vector3(-x / 2, -y / 2, 0), new Vector3(x / 2, y / 2, z));
const room = roomAround(box(11.7, 3, 2.6));

describe("room", () => {
  it("is wide enough for the machine, and never narrow", () => {
    expect(2 * roomAround(box(1, 0.4, 1)).half).toBe(NARROWEST);
    for (const [x, y, z] of [
      [11.7, 3, 2.6],
      [7.5, 1.6, 3.2],
      [2.9, 12, 3.1],
    ] as const) {
      const made = roomAround(box(x, y, z));
      expect(2 * made.half).toBeGreaterThan(y + 2);
      expect(roofAt(made, y / 2)).toBeGreaterThan(z);
      expect(made.length).toBeGreaterThan(x + 30);
    }
  });

  it("has an outline of even steps from foot to foot, with normals out of the room", () => {
    const points = outline(room, 80);
    expect(points).toHaveLength(81);
    expect(points[0]!.z).toBe(0);
    expect(points[0]!.y).toBeCloseTo(room.half);
    expect(points[80]!.y).toBeCloseTo(-room.half);
    expect(Math.max(...points.map((p) => p.z))).toBeCloseTo(height(room), 2);
    const step = points[80]!.along / 80;
    for (let i = 1; i <= 80; i++) {
      const [p, q] = [points[i - 1]!, points[i]!];
      expect(Math.hypot(q.y - p.y, q.z - p.z)).toBeCloseTo(step, 2);
      expect(Math.hypot(p.ny, p.nz)).toBeCloseTo(1, 9);
      expect(inside(room, -5, p.y - 0.2 * p.ny, Math.max(0.2, p.z - 0.2 * p.nz), 0.05)).toBe(true);
      expect(inside(room, -5, p.y + 0.1 * p.ny, p.z + 0.1 * p.nz, 0)).toBe(false);
    }
  });

  it("pushes any point inside, and leaves points inside alone", () => {
    const next = random(4);
    for (let i = 0; i < 300; i++) {
      const point = new Vector3(80 * next() - 60, 20 * next() - 10, 14 * next() - 4);
      const before = point.clone();
      const was = inside(room, point.x, point.y, point.z, 0.3);
      pushInside(room, point, 0.3);
      expect(inside(room, point.x, point.y, point.z, 0.3 - 1e-9)).toBe(true);
      if (was) expect(point.distanceTo(before)).toBeLessThan(1e-9);
    }
  });

  it("reaches to the wall and no farther", () => {
    const start = new Vector3(-6, 0, 1);
    expect(reach(room, start, new Vector3(0, 1, 0), 50, 0.3)).toBeCloseTo(room.half - 0.3, 4);
    expect(reach(room, start, new Vector3(1, 0, 0), 50, 0.3)).toBeCloseTo(5.7, 4);
    expect(reach(room, start, new Vector3(0, 0, -1), 50, 0.3)).toBeCloseTo(0.7, 4);
    expect(reach(room, start, new Vector3(0, 1, 0), 0.5, 0.3)).toBe(0.5);
  });

  it("has rock only outside of the outline", () => {
    const noise = new Noise(1);
    for (const point of outline(room, 40)) {
      for (const x of [-0.5, -3, -20]) {
        expect(roughness(noise, x, point.y, point.z)).toBeGreaterThan(0);
      }
    }
  });

  it("has a floor that does not rise into the machine", () => {
    const noise = new Noise(1);
    const print = { back: -12, front: -3, half: 1.5 };
    for (let x = -11.9; x < -3.3; x += 0.37) {
      for (let y = -1.4; y <= 1.4; y += 0.2) {
        const z = floorHeight(room, print, noise, x, y);
        expect(z).toBeLessThan(0);
        expect(z).toBeGreaterThan(-0.3);
      }
    }
  });
});

describe("orbit", () => {
  it("keeps the eye in the room and above the floor, whatever one does", () => {
    const orbit = new Orbit(room);
    orbit.target.set(-6, 0, 1);
    const next = random(12);
    const eye = new Vector3();
    for (let i = 0; i < 2000; i++) {
      orbit.turn(8 * next() - 4, 4 * next() - 2);
      orbit.zoom(0.3 + 3 * next());
      orbit.pan(6 * next() - 3, 6 * next() - 3);
      orbit.place(eye);
      expect(inside(room, eye.x, eye.y, eye.z, 0.3)).toBe(true);
    }
  });

  it("stands at the wanted distance where there is room", () => {
    const orbit = new Orbit(room);
    orbit.target.set(-12, 0, 1.5);
    orbit.azimuth = 0;
    orbit.elevation = 0;
    orbit.distance = 5;
    const eye = orbit.place(new Vector3());
    expect(eye.x).toBeCloseTo(-7);
    expect(eye.y).toBeCloseTo(0);
    expect(eye.z).toBeCloseTo(1.5);
  });

  it("knows whether somebody has looked around", () => {
    for (const move of [
      (orbit: Orbit) => orbit.turn(0.1, 0),
      (orbit: Orbit) => orbit.zoom(1.1),
      (orbit: Orbit) => orbit.pan(0.1, 0),
    ]) {
      const orbit = new Orbit(room);
      expect(orbit.touched).toBe(false);
      move(orbit);
      expect(orbit.touched).toBe(true);
    }
  });

  it("pans in the picture's plane", () => {
    const orbit = new Orbit(room);
    orbit.target.set(-12, 0, 1.5);
    orbit.azimuth = Math.PI; // the eye is behind and looks ahead: right is -y
    orbit.elevation = 0;
    orbit.pan(0.4, 0.2);
    expect(orbit.target.x).toBeCloseTo(-12);
    expect(orbit.target.y).toBeCloseTo(-0.4);
    expect(orbit.target.z).toBeCloseTo(1.7);
  });
});

describe("a room with a flat roof", () => {
  const flat = { half: 90, wall: 3.3, rise: 0, length: 14 };

  it("keeps its margin from the roof", () => {
    expect(inside(flat, -5, 80, 2.7, 0.45)).toBe(true);
    expect(inside(flat, -5, 80, 2.9, 0.45)).toBe(false);
    expect(inside(flat, -5, 80, 3.2, 0)).toBe(true);
    const point = new Vector3(-5, 200, 9);
    pushInside(flat, point, 0.4);
    expect(point.y).toBeCloseTo(89.6);
    expect(inside(flat, point.x, point.y - 0.01, point.z - 0.01, 0.4)).toBe(true);
  });

  it("lets the eye go far along it", () => {
    const orbit = new Orbit(flat);
    for (let i = 0; i < 50; i++) orbit.zoom(2);
    expect(orbit.distance).toBe(80);
  });
});

describe("chase", () => {
  it("follows without delay when motion is reduced, and by halves otherwise", () => {
    expect(lag(16, false)).toBe(0);
    expect(lag(0, true)).toBe(1);
    expect(lag(100, true) * lag(60, true)).toBeCloseTo(0.5, 9);
  });
});
