/** Where the operator sits, found from the machine's shape. */

import { Box3, Vector3 } from "three";

/** The operator's eye [m] and unit directions, all in the same axes. */
export interface Seat {
  eye: Vector3;
  ahead: Vector3;
  left: Vector3;
  up: Vector3;
  /** Where the eye looks at first. */
  aim: Vector3;
  /** Whether it is in a cab, and so has mirrors. */
  cab: boolean;
  /** From the eye to the end of the cab behind it [m]. */
  back: number;
}

/** What is known of a machine at home, in the world (z up). */
export interface Shape {
  machineClass: string;
  whole: Box3;
  /** Outermost points of its links. */
  outline: Vector3[];
  /** Points of the root link: x, y, z after each other. */
  body: Float32Array;
  /** Set if the geometry names the place of the eye. */
  given: Vector3 | null;
}

const SLICE = 0.12;
const STANDING = 1.65;
/** What is so near to a lamp is below it [m]. */
const NEAR = 0.25;
/** How far behind the roof's middle one sits, as a part of its length. */
const SITTING = 0.12;

/** The roof over the operator: the highest part of the body, if it has a roof's size. */
export function cabRoof(shape: Shape): Box3 | null {
  const { body, whole } = shape;
  let top = -Infinity;
  for (let i = 2; i < body.length; i += 3) top = Math.max(top, body[i]!);
  const roof = new Box3();
  const point = new Vector3();
  for (let i = 0; i < body.length; i += 3) {
    if (body[i + 2]! < top - SLICE) continue;
    roof.expandByPoint(point.set(body[i]!, body[i + 1]!, body[i + 2]!));
  }
  const long = roof.max.x - roof.min.x;
  const wide = roof.max.y - roof.min.y;
  const high = top - whole.min.z;
  const fits = long > 0.5 && long < 3.2 && wide > 0.5 && wide < 3 && high > 1.5 && high < 4;
  return fits ? roof : null;
}

/**
 * The seat: given by the geometry, or under the cab's roof; a person beside a support; behind
 * anything else.
 */
export function findSeat(shape: Shape): Seat {
  const { whole } = shape;
  const roof = cabRoof(shape);
  const aim = new Vector3(whole.max.x, 0.5 * (whole.min.y + whole.max.y), whole.min.z + 1.1);
  const eye = new Vector3();
  if (shape.given) {
    eye.copy(shape.given);
  } else if (shape.machineClass === "support") {
    eye.set(whole.min.x + 0.2, whole.max.y + 0.95, whole.min.z + STANDING);
    aim.set(whole.max.x - 0.8, aim.y - 0.9, whole.min.z + 1.7);
  } else if (roof) {
    roof.getCenter(eye);
    eye.x -= SITTING * (roof.max.x - roof.min.x);
    eye.z = Math.max(roof.min.z - 0.34, whole.min.z + 1.3);
  } else {
    eye.set(whole.min.x - 1.6, aim.y, whole.min.z + STANDING);
    aim.z = whole.min.z + 0.9;
  }
  aim.y = eye.y + 0.5 * (aim.y - eye.y);
  const ahead = new Vector3(1, 0, 0);
  if (shape.machineClass === "support") ahead.subVectors(aim, eye).setZ(0).normalize();
  const up = new Vector3(0, 0, 1);
  const cab = shape.given !== null || (roof !== null && shape.machineClass !== "support");
  const back = cab && roof ? Math.max(0, eye.x - roof.min.x) : 0;
  return { eye, ahead, left: new Vector3().crossVectors(up, ahead), up, aim, cab, back };
}

/** Where head lamps sit: on the front edge of the cab's roof; none on supports and models. */
export function headLampPlaces(shape: Shape): Vector3[] {
  const roof = cabRoof(shape);
  if (!roof || shape.machineClass === "support" || shape.machineClass === "model") return [];
  const inset = 0.14 * (roof.max.y - roof.min.y);
  return [roof.max.y - inset, roof.min.y + inset].map((y) => {
    const x = roof.max.x - 0.04;
    return new Vector3(x, y, topAt(shape.body, x, y, roof.min.z) + 0.1);
  });
}

/** Highest point of a body near a place, at least `least` [m]. */
function topAt(body: Float32Array, x: number, y: number, least: number): number {
  let top = least;
  for (let i = 0; i < body.length; i += 3) {
    if (Math.abs(body[i]! - x) > NEAR || Math.abs(body[i + 1]! - y) > NEAR) continue;
    top = Math.max(top, body[i + 2]!);
  }
  return top;
}
