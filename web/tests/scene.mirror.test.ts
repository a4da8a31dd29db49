import { Camera, Matrix4, Vector3 } from "three";
import { describe, expect, it } from "vitest";

import { mirrorMatrix } from "../src/scene/mirrors";
import { random } from "../src/scene/noise";
import { Glass, reflect, reflected } from "../src/scene/reflection";

const eye = new Vector3(-1, 0.9, 1.8);
const center = new Vector3(-0.4, 1.4, 1.9);
const glass = new Glass(0.12, 0.08);
glass.setFromMatrix(mirrorMatrix(eye, center, new Vector3(-1, 0.2, -0.1)));

/** Where a ray of light from `point` to the eye meets the glass: width and height, each in [0, 1]. */
function seenAt(point: Vector3): { s: number; t: number } {
  // Heron: the shortest way over the mirror. Found by search, without any reflection formula.
  let [x, y, step] = [0, 0, 1];
  const spot = new Vector3();
  const way = (a: number, b: number): number => {
    spot.copy(glass.center).addScaledVector(glass.right, a).addScaledVector(glass.up, b);
    return spot.distanceTo(point) + spot.distanceTo(eye);
  };
  while (step > 1e-10) {
    const here = way(x, y);
    if (way(x + step, y) < here) x += step;
    else if (way(x - step, y) < here) x -= step;
    else if (way(x, y + step) < here) y += step;
    else if (way(x, y - step) < here) y -= step;
    else step /= 2;
  }
  return { s: 0.5 + (0.5 * x) / glass.halfWidth, t: 0.5 + (0.5 * y) / glass.halfHeight };
}

describe("mirror", () => {
  const camera = new Camera();

  it("shows a point where the shortest way over the glass says, left and right swapped", () => {
    expect(reflect(glass, eye, 60, camera)).toBe(true);
    const next = random(8);
    const drawn = new Vector3();
    for (let i = 0; i < 40; i++) {
      const point = new Vector3(-2 - 12 * next(), 4 * next() - 1, 3 * next());
      drawn
        .copy(point)
        .applyMatrix4(camera.matrixWorldInverse)
        .applyMatrix4(camera.projectionMatrix);
      const { s, t } = seenAt(point);
      expect(0.5 + 0.5 * drawn.x).toBeCloseTo(1 - s, 3);
      expect(0.5 + 0.5 * drawn.y).toBeCloseTo(t, 3);
    }
  });

  it("puts the near plane into the glass: what is behind it is not drawn", () => {
    reflect(glass, eye, 60, camera);
    const depth = (away: number): number =>
      glass.center
        .clone()
        .addScaledVector(glass.normal, away)
        .applyMatrix4(camera.matrixWorldInverse)
        .applyMatrix4(camera.projectionMatrix).z;
    expect(depth(0)).toBeCloseTo(-1, 6);
    expect(depth(-0.01)).toBeLessThan(-1);
    expect(depth(0.01)).toBeGreaterThan(-1);
  });

  it("leaves out what is nearer than told, and shows the rest in the same places", () => {
    const whole = new Camera();
    reflect(glass, eye, 60, whole);
    reflect(glass, eye, 60, camera, 1.2);
    const drawn = (away: number, by: Camera): Vector3 =>
      glass.center
        .clone()
        .addScaledVector(glass.normal, away)
        .addScaledVector(glass.right, 0.1)
        .addScaledVector(glass.up, 0.05)
        .applyMatrix4(by.matrixWorldInverse)
        .applyMatrix4(by.projectionMatrix);
    expect(drawn(1.19, camera).z).toBeLessThan(-1);
    expect(drawn(1.21, camera).z).toBeGreaterThan(-1);
    for (const away of [1.3, 5, 20]) {
      expect(drawn(away, camera).x).toBeCloseTo(drawn(away, whole).x, 9);
      expect(drawn(away, camera).y).toBeCloseTo(drawn(away, whole).y, 9);
    }
  });

  it("fills the picture with the glass", () => {
    reflect(glass, eye, 60, camera);
    for (const a of [-1, 1]) {
      for (const b of [-1, 1]) {
        const corner = glass.center
          .clone()
          .addScaledVector(glass.right, a * glass.halfWidth)
          .addScaledVector(glass.up, b * glass.halfHeight)
          .applyMatrix4(camera.matrixWorldInverse)
          .applyMatrix4(camera.projectionMatrix);
        expect(corner.x).toBeCloseTo(-a, 6);
        expect(corner.y).toBeCloseTo(b, 6);
      }
    }
  });

  it("is a proper camera: its axes are right-handed and of length one", () => {
    reflect(glass, eye, 60, camera);
    expect(camera.matrixWorld.determinant()).toBeCloseTo(1, 9);
    const back = new Matrix4().multiplyMatrices(camera.matrixWorld, camera.matrixWorldInverse);
    back.elements.forEach((x, i) => expect(x).toBeCloseTo(i % 5 === 0 ? 1 : 0, 9));
  });

  it("shows nothing to an eye behind the glass", () => {
    const behind = reflected(glass, eye, new Vector3());
    expect(reflect(glass, behind, 60, camera)).toBe(false);
  });

  it("reflects twice into the same place", () => {
    const once = reflected(glass, eye, new Vector3());
    expect(once.distanceTo(eye)).toBeGreaterThan(0.5);
    expect(reflected(glass, once, new Vector3()).distanceTo(eye)).toBeCloseTo(0, 9);
  });

  it("is mounted so that the eye sees along the wanted line", () => {
    const line = new Vector3(-1, 0.2, -0.1).normalize();
    const into = new Vector3().subVectors(center, eye).normalize();
    const out = into.addScaledVector(glass.normal, -2 * into.dot(glass.normal));
    expect(out.distanceTo(line)).toBeCloseTo(0, 9);
    expect(glass.right.z).toBeCloseTo(0, 9);
    expect(glass.up.z).toBeGreaterThan(0.9);
  });
});
