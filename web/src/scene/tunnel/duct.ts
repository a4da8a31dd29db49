/** The flexible ventilation duct under the roof, with its hangers. */

import { BufferGeometry, CylinderGeometry, Matrix4, TorusGeometry } from "three";

import { Parts, tube } from "../geometry";
import { mix, Noise } from "../noise";
import { roofAt, type Room } from "./section";

const HANGERS = 2.5;
/** The duct ends so far behind the face [m], where the fan's air leaves it. */
const END = 7.5;
const WIRE = [0.12, 0.12, 0.12] as const;

/** Radius and middle of the duct in the room's cross-section [m]. */
export interface DuctPlace {
  r: number;
  y: number;
  z: number;
}

export function ductPlace(room: Room): DuctPlace {
  const r = Math.min(0.45, 0.09 * (room.wall + room.rise));
  const y = 0.52 * room.half;
  return { r, y, z: roofAt(room, y + 0.75 * r) - r - 0.12 };
}

function sag(x: number): number {
  const t = ((((x + END) % HANGERS) + HANGERS) % HANGERS) / HANGERS;
  return 0.28 * t * (1 - t);
}

/** Yellow cloth over wire rings; the first rings are the open end. */
export function ductGeometry(room: Room, noise: Noise): BufferGeometry {
  const place = ductPlace(room);
  const count = Math.round((room.length - END) / 0.17);
  const geometry = tube(count, 14, (i, ring) => {
    const x = -END - 0.17 * (count - i);
    ring.x = x;
    ring.y = place.y + 0.03 * noise.at(x * 0.4, 0, 50);
    ring.z = place.z - sag(x);
    ring.r = place.r * (i % 2 === 0 ? 1 : 0.925);
  });
  const colors = geometry.getAttribute("color");
  const position = geometry.getAttribute("position");
  for (let i = 0; i < colors.count; i++) {
    const x = position.getX(i);
    const z = position.getZ(i);
    const high = (z - place.z) / place.r;
    const dust = Math.min(1, Math.max(0, 0.55 * high + 0.35 + 0.5 * noise.at(x, high, 60)));
    const band = Math.floor((-x - END) / 10) % 2 === 0 && (-x - END) % 10 < 0.24 ? 0.35 : 1;
    colors.setXYZ(
      i,
      band * mix(0.72, 0.36, 0.75 * dust),
      band * mix(0.44, 0.31, 0.75 * dust),
      band * mix(0.045, 0.22, 0.75 * dust),
    );
  }
  return geometry;
}

/** A ring and two wires to the roof at every hanger, and a steel ring at the open end. */
export function addHangers(parts: Parts, room: Room): void {
  const place = ductPlace(room);
  for (let x = -END; x > -room.length + 1; x -= HANGERS) {
    const across = new Matrix4().makeRotationY(Math.PI / 2);
    parts.add(
      new TorusGeometry(place.r * 1.015, x === -END ? 0.03 : 0.014, 4, 18),
      WIRE,
      across.setPosition(x, place.y, place.z),
    );
    for (const side of [-0.6, 0.6]) {
      const y = place.y + side * place.r;
      const low = place.z + 0.8 * place.r;
      const high = roofAt(room, y) + 0.1;
      parts.add(
        new CylinderGeometry(0.006, 0.006, high - low, 4, 1, true),
        WIRE,
        new Matrix4().makeRotationX(Math.PI / 2).setPosition(x, y, 0.5 * (low + high)),
      );
    }
  }
}
