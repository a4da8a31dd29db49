/** The roadway's cross-section: vertical walls under half an ellipse; a convex room. */

import type { Box3, Vector3 } from "three";

import { smoothstep } from "../noise";

/** Lengths in metres. The room's own axes: x forward, 0 at the face; y left; z up, 0 at the floor. */
export interface Room {
  half: number;
  wall: number;
  rise: number;
  length: number;
}

/** A point of the outline with the direction out of the room and its length from the left foot. */
export interface OutlinePoint {
  y: number;
  z: number;
  ny: number;
  nz: number;
  along: number;
}

export const NARROWEST = 5.5;
const LENGTH = 52;

/** The room around a machine that fills `box` (z up). */
export function roomAround(box: Box3): Room {
  const tall = box.max.z - box.min.z;
  const across = Math.max(0.5 * (box.max.x - box.min.x), 0.7 * tall, box.max.y - box.min.y + 4.2);
  const wide = Math.max(NARROWEST, across);
  const high = Math.max(4.6, tall + 2.1);
  const half = wide / 2;
  const wall = Math.max(1.2, high - half);
  const length = Math.max(LENGTH, box.max.x - box.min.x + 40 + Math.max(0, 2 * (tall - 6)));
  return { half, wall, rise: high - wall, length };
}

export function height(room: Room): number {
  return room.wall + room.rise;
}

/** Height of the roof above the floor at `y`. */
export function roofAt(room: Room, y: number): number {
  const t = Math.min(1, Math.abs(y) / room.half);
  return room.wall + room.rise * Math.sqrt(1 - t * t);
}

/** The outline from the left foot over the roof to the right foot, in `count` + 1 even steps. */
export function outline(room: Room, count: number, inset = 0): OutlinePoint[] {
  const a = room.half - inset;
  const b = room.rise - inset;
  const fine: OutlinePoint[] = [];
  const walls = 24;
  const arch = 192;
  let along = 0;
  const push = (y: number, z: number, ny: number, nz: number): void => {
    const last = fine.at(-1);
    if (last !== undefined) along += Math.hypot(y - last.y, z - last.z);
    fine.push({ y, z, ny, nz, along });
  };
  for (let i = 0; i < walls; i++) push(a, (room.wall * i) / walls, 1, 0);
  for (let i = 0; i <= arch; i++) {
    const angle = (Math.PI * i) / arch;
    const ny = b * Math.cos(angle);
    const nz = a * Math.sin(angle);
    const size = Math.hypot(ny, nz);
    push(a * Math.cos(angle), room.wall + b * Math.sin(angle), ny / size, nz / size);
  }
  for (let i = walls - 1; i >= 0; i--) push(-a, (room.wall * i) / walls, -1, 0);
  return even(fine, count);
}

function even(fine: OutlinePoint[], count: number): OutlinePoint[] {
  const total = fine.at(-1)!.along;
  const points: OutlinePoint[] = [];
  let k = 0;
  for (let i = 0; i <= count; i++) {
    const along = (total * i) / count;
    while (k < fine.length - 2 && fine[k + 1]!.along < along) k++;
    const p = fine[k]!;
    const q = fine[k + 1]!;
    const t = (along - p.along) / (q.along - p.along);
    const ny = p.ny + t * (q.ny - p.ny);
    const nz = p.nz + t * (q.nz - p.nz);
    const size = Math.hypot(ny, nz);
    points.push({
      y: p.y + t * (q.y - p.y),
      z: p.z + t * (q.z - p.z),
      ny: ny / size,
      nz: nz / size,
      along,
    });
  }
  return points;
}

/** Whether a point of the room's own axes keeps `margin` from floor, walls, roof and both ends. */
export function inside(room: Room, x: number, y: number, z: number, margin: number): boolean {
  if (x > -margin || x < -room.length + margin || z < margin) return false;
  const a = room.half - margin;
  const b = room.rise - margin;
  if (Math.abs(y) > a) return false;
  if (room.rise <= margin) return z <= height(room) - margin; // a flat roof
  if (z <= room.wall) return true;
  const v = (z - room.wall) / b;
  const u = y / a;
  return u * u + v * v <= 1;
}

/** Push a point (room's own axes) into the room, `margin` from its borders. */
export function pushInside(room: Room, point: Vector3, margin: number): void {
  point.x = Math.min(-margin, Math.max(-room.length + margin, point.x));
  const a = room.half - margin;
  point.y = Math.min(a, Math.max(-a, point.y));
  const u = point.y / a;
  const arch = room.rise > margin ? Math.sqrt(Math.max(0, 1 - u * u)) : 1;
  const roof = room.wall + (room.rise - margin) * arch;
  point.z = Math.max(margin, Math.min(roof, point.z));
}

/**
 * How far one can go from a point inside along a unit direction, at most `wanted`.
 *
 * The room is convex: the points inside are an interval that begins at the start.
 */
export function reach(
  room: Room,
  start: Vector3,
  direction: Vector3,
  wanted: number,
  margin: number,
): number {
  const free = (r: number): boolean =>
    inside(
      room,
      start.x + r * direction.x,
      start.y + r * direction.y,
      start.z + r * direction.z,
      margin,
    );
  if (free(wanted)) return wanted;
  let low = 0;
  let high = wanted;
  for (let i = 0; i < 24; i++) {
    const middle = 0.5 * (low + high);
    if (free(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** 1 where the rock was cut lately, near the face, and 0 farther back. */
export function freshness(x: number): number {
  return smoothstep(-3.2, -1.6, x);
}
