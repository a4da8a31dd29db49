import { Box3, PerspectiveCamera, Vector3 } from "three";
import { describe, expect, it } from "vitest";

import {
  bordersOf,
  MARGIN,
  nearestEye,
  Outermost,
  standFor,
  type Stand,
} from "../src/scene/framing";
import { random } from "../src/scene/noise";
import { Orbit, scaleFor } from "../src/scene/orbit";
import { aheadOf } from "../src/scene/tunnel/build";
import { inside, roomAround } from "../src/scene/tunnel/section";

const FIELD = 38;

/** Corners of a box that ends `ahead` of the face, in the room's own axes. */
function corners(long: number, wide: number, high: number, ahead: number): Vector3[] {
  const found: Vector3[] = [];
  for (const x of [-ahead - long, -ahead]) {
    for (const y of [-wide / 2, wide / 2]) {
      for (const z of [0, high]) found.push(new Vector3(x, y, z));
    }
  }
  return found;
}

/** What a camera of three.js sees from a stand: x and y of points in its picture, in [-1, 1]. */
function seen(stand: Stand, points: Vector3[], aspect: number): Vector3[] {
  const camera = new PerspectiveCamera(FIELD, aspect, 0.05, 90);
  camera.up.set(0, 0, 1);
  camera.position.copy(stand.eye);
  camera.lookAt(stand.eye.clone().add(stand.look));
  camera.updateMatrixWorld();
  return points.map((point) => point.clone().project(camera));
}

const borders = (aspect: number): ReturnType<typeof bordersOf> =>
  bordersOf((FIELD * Math.PI) / 180, aspect);

describe("framing", () => {
  it("has every point in the picture, with opposite borders touched", () => {
    const next = random(5);
    for (let i = 0; i < 50; i++) {
      const points = Array.from(
        { length: 30 },
        () => new Vector3(12 * next() - 14, 3 * next() - 1.5, 3 * next()),
      );
      const side = { azimuth: 6 * next() - 3, elevation: next() - 0.3 };
      const aspect = 0.6 + 1.4 * next();
      const drawn = seen(nearestEye(points, side, borders(aspect)), points, aspect);
      const [left, right] = [
        Math.min(...drawn.map(({ x }) => x)),
        Math.max(...drawn.map(({ x }) => x)),
      ];
      const [down, up] = [
        Math.min(...drawn.map(({ y }) => y)),
        Math.max(...drawn.map(({ y }) => y)),
      ];
      for (const { z } of drawn) expect(z).toBeLessThan(1);
      expect(Math.max(-left, right)).toBeLessThan(0.9001);
      expect(up).toBeLessThan(0.8001);
      expect(down).toBeGreaterThan(-0.8601);
      const touched = (left < -0.8999 && right > 0.8999) || (up > 0.7999 && down < -0.8599);
      expect(touched).toBe(true);
    }
  });

  for (const [name, long, wide, high] of [
    ["roadheader", 11.7, 3, 2.6],
    ["loader", 9.3, 2.6, 2.5],
    ["support", 7.5, 1.6, 3.2],
    ["model", 1, 0.5, 1.2],
    ["robot of 0.2 m", 0.08, 0.06, 0.2],
    ["machine of 20 m length", 20, 3, 4],
    ["machine of 20 m height", 7, 6, 20],
  ] as const) {
    it(`stands in the room and sees a whole ${name}, in wide and in squarish pictures`, () => {
      const box = new Box3(new Vector3(0, -wide / 2, 0), new Vector3(long, wide / 2, high));
      const room = roomAround(box);
      const points = corners(long, wide, high, aheadOf(box));
      for (const aspect of [1.25, 1.45, 1.8]) {
        const wanted = { azimuth: -0.54, elevation: 0.26 };
        const margin = MARGIN * scaleFor(Math.max(long, wide, high));
        const stand = standFor(points, wanted, borders(aspect), room, margin);
        expect(inside(room, stand.eye.x, stand.eye.y, stand.eye.z, 0.98 * margin)).toBe(true);
        expect(stand.azimuth).toBeLessThan(-0.1);
        for (const { x, y } of seen(stand, points, aspect)) {
          expect(Math.abs(x)).toBeLessThan(0.95);
          expect(Math.abs(y)).toBeLessThan(0.95);
        }
      }
    });
  }

  it("goes as near to a small thing as its size asks for, and no nearer to a large one", () => {
    const room = roomAround(new Box3(new Vector3(), new Vector3(0.1, 0.1, 0.2)));
    for (const [size, nearest] of [
      [0.2, 0.06],
      [20, 1.2],
    ] as const) {
      const orbit = new Orbit(room);
      orbit.setRoom(room, scaleFor(size));
      orbit.target.set(-3, 0, Math.max(0.1, 0.5 * orbit.scale));
      for (let i = 0; i < 100; i++) orbit.zoom(0.9);
      expect(orbit.distance).toBeCloseTo(nearest);
      orbit.distance = 2 * nearest;
      const eye = orbit.place(new Vector3());
      expect(eye.distanceTo(orbit.target)).toBeCloseTo(2 * nearest); // the floor is not in the way
    }
  });

  it("stands behind what is to be seen from behind", () => {
    const room = roomAround(new Box3(new Vector3(0, -6, 0), new Vector3(2.9, 6, 3.1)));
    const points = corners(2.9, 12, 3.1, 2.2);
    const stand = standFor(points, { azimuth: -2.5, elevation: 0.2 }, borders(1.25), room);
    expect(stand.eye.x).toBeLessThan(-5.1);
    expect(inside(room, stand.eye.x, stand.eye.y, stand.eye.z, 0.49)).toBe(true);
  });

  it("finds the outermost points, which bound all others every way of a cube", () => {
    const next = random(3);
    const outermost = new Outermost();
    expect(outermost.points).toEqual([]);
    const all = Array.from({ length: 500 }, () => new Vector3(next(), next(), next()));
    for (const point of all) outermost.add(point);
    const box = new Box3().setFromPoints(all);
    const found = new Box3().setFromPoints(outermost.points);
    expect(found.equals(box)).toBe(true);
    const sum = (point: Vector3): number => point.x + point.y + point.z;
    expect(Math.max(...outermost.points.map(sum))).toBe(Math.max(...all.map(sum)));
  });
});
