/** The belt conveyor behind the machine: a troughed belt with muck on a frame with idlers. */

import { BoxGeometry, BufferGeometry, CylinderGeometry, Matrix4 } from "three";

import { Parts, sheet, type Paint } from "../geometry";
import { Noise, smoothstep } from "../noise";
import type { Room } from "./section";

const FRAME: Paint = [0.055, 0.13, 0.2];
const ROLLER: Paint = [0.3, 0.28, 0.26];
const DRUM: Paint = [0.14, 0.14, 0.15];
const BAY = 1.5;

/** Where the belt lies in the room's own axes [m]: its front end, middle line, height and half width. */
export interface BeltPlace {
  front: number;
  y: number;
  z: number;
  half: number;
}

function trough(half: number, y: number): number {
  return 0.24 * smoothstep(0.3 * half, half, Math.abs(y));
}

/** The belt's upper side with what lies on it. */
export function beltGeometry(room: Room, place: BeltPlace, noise: Noise): BufferGeometry {
  const length = room.length + place.front;
  const along = Math.round(length / 0.3);
  const across = 12;
  return sheet(along, across, (i, j, vertex) => {
    const x = place.front - (length * i) / along;
    const y = place.half * (1 - (2 * j) / across);
    const lumps = Math.max(0, 0.55 + noise.layers(x * 1.6, y * 2.4, 70, 3));
    const load = smoothstep(0.4, 1.2, place.front - x) * (1 - (y / place.half) ** 2);
    const muck = 0.24 * load * lumps;
    const edge = Math.abs(y) > 0.82 * place.half;
    vertex.x = x;
    vertex.y = place.y + y;
    vertex.z = place.z + trough(place.half, y) + (edge ? 0 : muck);
    vertex.u = x * 0.8;
    vertex.v = y * 0.8;
    const stone = edge ? 0.02 : 0.05 + 0.2 * load * (0.5 + noise.at(x * 4, y * 4, 3));
    vertex.r = stone;
    vertex.g = stone * 0.97;
    vertex.b = stone * 0.92;
  });
}

export function addBeltFrame(parts: Parts, room: Room, place: BeltPlace): void {
  const length = room.length + place.front;
  const middle = place.front - 0.5 * length;
  const side = place.half + 0.07;
  const move = (x: number, y: number, z: number): Matrix4 =>
    new Matrix4().makeTranslation(x, place.y + y, z);
  const across = (x: number, y: number, z: number): Matrix4 => move(x, y, z);
  for (const s of [-1, 1]) {
    parts.add(new BoxGeometry(length, 0.06, 0.14), FRAME, move(middle, s * side, place.z + 0.08));
    parts.add(new BoxGeometry(length, 0.03, 0.03), FRAME, move(middle, s * side, place.z - 0.42));
  }
  for (let x = place.front - 0.5; x > -room.length; x -= BAY) {
    for (const s of [-1, 1]) {
      const leg = new BoxGeometry(0.07, 0.05, place.z + 0.1);
      parts.add(leg, FRAME, move(x, s * side, 0.5 * place.z - 0.05));
      const wing = new CylinderGeometry(0.06, 0.06, 0.62 * place.half, 8);
      const tilt = new Matrix4().makeRotationX(s * 0.36);
      parts.add(wing, ROLLER, tilt.setPosition(x, place.y + s * 0.64 * place.half, place.z - 0.02));
    }
    const low = new CylinderGeometry(0.06, 0.06, 2 * place.half, 8);
    parts.add(low, ROLLER, across(x, 0, place.z - 0.4));
  }
  const drum = new CylinderGeometry(0.27, 0.27, 2 * place.half, 18);
  parts.add(drum, DRUM, across(place.front - 0.05, 0, place.z - 0.24));
  for (const s of [-1, 1]) {
    const cheek = new BoxGeometry(0.9, 0.04, 0.6);
    parts.add(cheek, [0.62, 0.4, 0.03], move(place.front - 0.2, s * (side + 0.04), place.z - 0.16));
    const skirt = new BoxGeometry(1.8, 0.03, 0.36);
    parts.add(skirt, FRAME, move(place.front - 1, s * (place.half - 0.02), place.z + 0.38));
  }
}
