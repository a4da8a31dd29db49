/** Where an eye stands in the room to have all of a machine in its picture. */

import { Vector3 } from "three";

import { reach, type Room } from "./tunnel/section";

/** The borders of a picture in which something is to lie: tangents of angles from its middle. */
export interface Borders {
  left: number;
  right: number;
  up: number;
  down: number;
}

/** From where to look: angles of the eye about what it sees [rad]. */
export interface Side {
  azimuth: number;
  elevation: number;
}

/** A place of the eye, the way that it looks (a unit vector), and how far what it sees is [m]. */
export interface Stand extends Side {
  eye: Vector3;
  look: Vector3;
  distance: number;
  /** How many times as far as the nearest point the farthest one is. */
  steep: number;
}

/** A stand in a room. */
export interface Choice extends Stand {
  /** How bad it is: nearer than wanted because of rock, away from the wanted side, or steep. */
  cost: number;
}

/** Part of the picture that a machine may fill; above it are the buttons. */
const FILL = { across: 0.9, up: 0.8, down: 0.86 };
/** From the eye to rock [m], around things that are not small. */
export const MARGIN = 0.5;
/** Sides that are tried: parts of the wanted azimuth, and what is added to the elevation [rad]. */
const PARTS = [1, 0.92, 0.84, 0.76, 0.68, 0.6, 0.52, 0.44, 0.36, 0.28];
const HIGHER = [0, -0.05, 0.05, -0.1, 0.1, -0.15, -0.2];
/**
 * What a metre too near costs, against a radian away from the wanted side; and what it costs that the
 * farthest point is once more as far as the nearest, which makes near things look huge.
 */
const TOO_NEAR = 3;
const STEEP = 0.1;

/** Borders in a picture with a vertical field of view [rad] and an aspect. */
export function bordersOf(field: number, aspect: number): Borders {
  const half = Math.tan(0.5 * field);
  const across = FILL.across * half * aspect;
  return { left: across, right: across, up: FILL.up * half, down: FILL.down * half };
}

/** Directions in which outermost points are looked for: to faces, edges and corners of a cube. */
const WAYS: readonly Vector3[] = [-1, 0, 1].flatMap((x) =>
  [-1, 0, 1].flatMap((y) => [-1, 0, 1].map((z) => new Vector3(x, y, z))),
);

/** Collects the points of something that lie farthest out, each way. */
export class Outermost {
  private readonly found = WAYS.map(() => ({ far: -Infinity, point: new Vector3() }));

  add(point: Vector3): void {
    this.found.forEach((one, i) => {
      const far = WAYS[i]!.dot(point);
      if (far <= one.far) return;
      one.far = far;
      one.point.copy(point);
    });
  }

  get points(): Vector3[] {
    return this.found.filter(({ far }) => far > -Infinity).map(({ point }) => point);
  }
}

/**
 * The nearest eye that looks from a side and has all points within its borders.
 *
 * A point at (r, u, f) along the picture's right, up and forward axes lies left of the right border
 * if r - R f is at most that of the eye, with R the border's tangent; and so for the other borders.
 * Opposite borders together bound how far forward the eye may be; across, it stands in the middle
 * of what is left.
 */
export function nearestEye(points: readonly Vector3[], side: Side, borders: Borders): Stand {
  const level = Math.cos(side.elevation);
  const look = new Vector3(
    -level * Math.cos(side.azimuth),
    -level * Math.sin(side.azimuth),
    -Math.sin(side.elevation),
  );
  const right = new Vector3().crossVectors(look, new Vector3(0, 0, 1)).normalize();
  const up = new Vector3().crossVectors(right, look);
  const beyond = (axis: Vector3, sign: number, slope: number): number => {
    let most = -Infinity;
    for (const p of points) most = Math.max(most, sign * axis.dot(p) - slope * look.dot(p));
    return most;
  };
  const r = beyond(right, 1, borders.right);
  const l = beyond(right, -1, borders.left);
  const u = beyond(up, 1, borders.up);
  const d = beyond(up, -1, borders.down);
  const forward = -Math.max(
    (r + l) / (borders.right + borders.left),
    (u + d) / (borders.up + borders.down),
  );
  const across = 0.5 * (r - l + (borders.right - borders.left) * forward);
  const above = 0.5 * (u - d + (borders.up - borders.down) * forward);
  const eye = new Vector3()
    .addScaledVector(look, forward)
    .addScaledVector(right, across)
    .addScaledVector(up, above);
  const away = points.map((p) => look.dot(p) - forward);
  const [near, far] = [Math.min(...away), Math.max(...away)];
  return { ...side, eye, look, distance: 0.5 * (near + far), steep: far / Math.max(near, 1e-3) };
}

/**
 * The stand in the room that shows all points, from a side as near to the wanted one as may be and
 * with a margin to rock [m].
 */
export function standFor(
  points: readonly Vector3[],
  wanted: Side,
  borders: Borders,
  room: Room,
  margin = MARGIN,
): Choice {
  // the end of the roadway from which one looks
  const end = Math.abs(wanted.azimuth) < 0.5 * Math.PI ? 0 : Math.sign(wanted.azimuth) * Math.PI;
  const target = new Vector3();
  const back = new Vector3();
  let best: Choice | null = null;
  for (const part of PARTS) {
    for (const higher of HIGHER) {
      const azimuth = end + part * (wanted.azimuth - end);
      const stand = nearestEye(points, { azimuth, elevation: wanted.elevation + higher }, borders);
      target.copy(stand.eye).addScaledVector(stand.look, stand.distance);
      back.copy(stand.look).negate();
      const near = stand.distance - reach(room, target, back, stand.distance, margin);
      const aside = Math.abs(azimuth - wanted.azimuth) + Math.abs(higher);
      const cost = (TOO_NEAR * MARGIN * near) / margin + STEEP * stand.steep + aside;
      if (best === null || cost < best.cost) best = { ...stand, cost };
    }
  }
  return best!;
}
