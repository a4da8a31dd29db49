/** What runs along the walls: power cables on hooks, and a water pipe on brackets. */

import { BoxGeometry, CylinderGeometry, Matrix4 } from "three";

import { Parts, tube, type Paint } from "../geometry";
import type { Room } from "./section";

const HOOKS = 2.5;
const RUBBER: Paint = [0.018, 0.018, 0.02];
const PIPE: Paint = [0.09, 0.16, 0.2];
const FLANGE: Paint = [0.16, 0.2, 0.22];
const STEEL: Paint = [0.2, 0.19, 0.18];
const START = 3;

/** Cables that sag between hooks on the left wall. */
export function addCables(parts: Parts, room: Room): void {
  const steps = 8;
  const length = Math.min(room.length - 1, 34);
  const count = Math.floor((length - START) / HOOKS) * steps;
  const radii = [0.034, 0.026, 0.026, 0.018];
  radii.forEach((r, k) => {
    const height = Math.min(room.wall, 2.1) - 0.06 - 0.15 * k;
    const cable = tube(count, 5, (i, ring) => {
      const t = (i % steps) / steps;
      ring.x = -START - ((count - i) * HOOKS) / steps;
      ring.y = room.half - 0.16 - 0.01 * k;
      ring.z = height - (0.3 + 0.09 * k) * t * (1 - t);
      ring.r = r;
    });
    parts.add(cable, k === 1 ? [0.16, 0.03, 0.02] : RUBBER);
  });
  for (let i = 0; i <= count; i += steps) {
    const x = -START - (i * HOOKS) / steps;
    const hook = new BoxGeometry(0.03, 0.03, 0.66);
    const middle = Math.min(room.wall, 2.1) - 0.28;
    parts.add(hook, STEEL, new Matrix4().makeTranslation(x, room.half - 0.11, middle));
  }
}

/** A pipe with flanges on the right wall, with a valve at its end. */
export function addPipe(parts: Parts, room: Room): void {
  const start = 6;
  const length = room.length - start;
  const y = -room.half + 0.22;
  const z = Math.min(room.wall, 1.9) - 0.25;
  const along = new Matrix4().makeRotationZ(Math.PI / 2);
  const at = (x: number): Matrix4 => along.clone().setPosition(x, y, z);
  parts.add(
    new CylinderGeometry(0.085, 0.085, length, 12, 1, true),
    PIPE,
    at(-start - 0.5 * length),
  );
  for (let x = -start - 0.06; x > -room.length; x -= 3) {
    parts.add(new CylinderGeometry(0.135, 0.135, 0.06, 12), FLANGE, at(x));
    const bracket = new BoxGeometry(0.05, 0.24, 0.04);
    parts.add(bracket, STEEL, new Matrix4().makeTranslation(x - 1.2, y - 0.06, z - 0.1));
  }
  parts.add(new CylinderGeometry(0.088, 0.088, 0.2, 12), [0.22, 0.03, 0.02], at(-start + 0.1));
}
