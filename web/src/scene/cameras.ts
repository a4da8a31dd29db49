/** The four cameras and where they stand. */

import { Box3, Matrix4, OrthographicCamera, PerspectiveCamera, Vector3 } from "three";
import type { Camera, Object3D } from "three";

import { bordersOf, MARGIN, standFor, type Choice, type Side, type Stand } from "./framing";
import { Orbit, OrbitInput, scaleFor } from "./orbit";
import type { Seat, Shape } from "./seat";
import type { Outlook, Surroundings } from "./surroundings";
import { height, pushInside, type Room } from "./tunnel/section";

export type CameraName = "orbit" | "chase" | "seat" | "top";

const FIELD = { orbit: 38, chase: 58, seat: 66 } as const;
/** From where machines along and across the roadway are seen. */
const ALONG: Side = { azimuth: -0.54, elevation: 0.26 };
const ACROSS: Side = { azimuth: -2.6, elevation: 0.2 };
/** From where else everything may be seen: along the room, from its sides and ends. */
const OTHERS: readonly Side[] = [0.54, -1.3, 1.3, -2.6, 2.6].map((azimuth) => ({
  azimuth,
  elevation: 0.24,
}));
/** What another side than the present one costs, beside what it costs to stand there. */
const ELSEWHERE = 0.5;
/** The chase camera comes half of the way nearer in about so long [ms]. */
const FOLLOWING = 160;
/** Half of what a camera takes of a wide room [m]. */
const WIDEST = 9;
/** The nearest and the farthest that is seen [m]; nearer around small machines. */
const SIGHT = { near: 0.05, far: 90 };
/** From what is looked at, and from the chase camera, to rock [m]. */
const FREE = 0.4;

/** What is looked at then: parts of the machine's length before and beside it, of its height. */
const AHEAD = { x: 0.22, y: 0.13, z: 0.46 };

/** Part of the way that is left after `elapsed` [ms] of following; 0 is there at once. */
export function lag(elapsed: number, smooth: boolean): number {
  return smooth ? 0.5 ** (Math.max(0, elapsed) / FOLLOWING) : 0;
}

/** Vertical field of view [deg]; wider in tall pictures. */
function field(name: keyof typeof FIELD, aspect: number): number {
  return aspect < 1 ? Math.min(88, 1.25 * FIELD[name]) : FIELD[name];
}

export class Cameras {
  name: CameraName = "orbit";
  /** Whether the pointer is the orbit's; a tool may want it for itself. */
  listens: () => boolean = () => true;
  readonly orbit: Orbit;
  private readonly perspective = new PerspectiveCamera(FIELD.orbit, 16 / 9, SIGHT.near, SIGHT.far);
  private readonly above = new OrthographicCamera(-1, 1, 1, -1, 0.1, 40);
  private readonly input: OrbitInput;
  private aspect = 16 / 9;
  private body: Object3D | null = null;
  private readonly origin = new Vector3();
  private readonly seatEye = new Vector3();
  private readonly seatAim = new Vector3();
  private readonly seatUp = new Vector3();
  /** Middle of the machine in the body's axes, and in the world at first. */
  private readonly middle = new Vector3();
  private readonly start = new Vector3();
  private readonly chaseEye = new Vector3();
  private readonly chaseAim = new Vector3();
  /** How far the machine's middle has gone since the first frame, in the world [m]. */
  readonly moved = new Vector3();
  private readonly goal = new Vector3();
  private readonly eye = new Vector3();
  private readonly aim = new Vector3();
  private chasing = false;
  private topHalf = { x: 8, y: 4, z: 5 };
  /** Outermost points of the machine in the room's axes, and the side to see them from. */
  private points: Vector3[] = [];
  private side = ALONG;
  private outlook: Outlook | null = null;

  constructor(
    canvas: HTMLElement,
    private room: Room,
    private readonly smooth: boolean,
  ) {
    this.orbit = new Orbit(room);
    this.perspective.up.set(0, 0, 1);
    this.above.up.set(0, 1, 0);
    this.input = new OrbitInput(
      canvas,
      this.orbit,
      this.perspective,
      () => this.name === "orbit" && this.body !== null && this.listens(),
    );
  }

  /** Stand around a machine: its shape and body, the seat (body's axes), and what is around. */
  settle(
    shape: Shape,
    body: Object3D,
    seat: Seat,
    { room, origin, outlook }: Pick<Surroundings, "room" | "origin" | "outlook">,
  ): void {
    const box = shape.whole;
    this.room = room;
    this.body = body;
    this.origin.copy(origin);
    this.seatEye.copy(seat.eye);
    this.seatAim.copy(seat.aim);
    this.seatUp.copy(seat.up);
    box.getCenter(this.start);
    this.middle.copy(this.start).applyMatrix4(new Matrix4().copy(body.matrixWorld).invert());
    const long = box.max.x - box.min.x;
    const size = box.getSize(new Vector3());
    const scale = scaleFor(Math.max(size.x, size.y, size.z));
    this.orbit.setRoom(room, scale);
    this.points = shape.outline.map((point) => point.clone().sub(origin));
    this.side = outlook ?? (box.max.y - box.min.y > long ? ACROSS : ALONG);
    this.outlook = outlook;
    this.standBack();
    const beside = Math.min(room.half, WIDEST);
    this.chaseEye.set(-3.2, -0.3 * beside, 0.68 * height(room)).multiplyScalar(scale);
    const tall = Math.max(0, size.z - Math.max(long, 2.5 * scale)); // more than it is long
    this.chaseEye.x -= 0.5 * long + 1.2 * tall;
    this.chaseAim.set(0.15 * long, 0, scale + 0.4 * tall);
    if (outlook) {
      this.chaseEye.fromArray(outlook.chaseEye);
      this.chaseAim.fromArray(outlook.chaseAim);
    }
    this.topHalf = { x: 0.5 * long + 0.9 * scale, y: (beside + 0.4) * scale, z: height(room) };
    this.perspective.near = SIGHT.near * scale;
    this.perspective.far = Math.max(SIGHT.far, 2.4 * Math.max(room.half, room.length));
    this.chasing = false;
  }

  /** Another unit is driven, which fills `box`: the same view of that one. */
  turnTo(box: Box3): void {
    const before = this.goal.copy(this.start);
    box.getCenter(this.start);
    const step = this.goal.subVectors(this.start, before);
    for (const point of this.points) point.add(step);
    this.orbit.target.add(step);
    pushInside(this.room, this.orbit.target, FREE * this.orbit.scale);
    this.chasing = false;
  }

  resize(width: number, height: number): void {
    this.aspect = width / Math.max(1, height);
    if (this.body && !this.orbit.touched) this.standBack();
  }

  /** Stand so that the whole machine is in the picture. */
  private standBack(): void {
    const { distance = null } = this.outlook ?? {};
    if (distance !== null) return this.lookFrom(distance);
    this.stand(this.standFrom(this.points, this.side));
    this.orbit.touched = false;
  }

  /**
   * Look at all these points of the world: from the present side if one can, else from one where
   * rock is less in the way.
   */
  showAll(world: readonly Vector3[]): void {
    if (!this.body || world.length === 0) return;
    const points = world.map((point) => point.clone().sub(this.origin));
    const { azimuth, elevation } = this.orbit;
    const turns = 2 * Math.PI * Math.round(azimuth / (2 * Math.PI));
    let best = this.standFrom(points, { azimuth: azimuth - turns, elevation });
    for (const side of [this.side, ...OTHERS]) {
      const other = this.standFrom(points, side);
      if (other.cost + ELSEWHERE < best.cost) best = { ...other, cost: other.cost + ELSEWHERE };
    }
    this.name = "orbit";
    this.stand(best);
    this.orbit.touched = true;
  }

  private standFrom(points: readonly Vector3[], side: Side): Choice {
    const borders = bordersOf((field("orbit", this.aspect) * Math.PI) / 180, this.aspect);
    return standFor(points, side, borders, this.room, MARGIN * this.orbit.scale);
  }

  private stand({ azimuth, elevation, distance, eye, look }: Stand): void {
    const { orbit } = this;
    Object.assign(orbit, { azimuth, elevation, distance });
    orbit.target.copy(eye).addScaledVector(look, distance);
    pushInside(this.room, orbit.target, FREE * orbit.scale);
  }

  /** Stand where the surroundings say: at a distance [m] from a place before the machine. */
  private lookFrom(distance: number): void {
    const { orbit } = this;
    const { azimuth, elevation } = this.side;
    Object.assign(orbit, { azimuth, elevation, distance });
    const box = new Box3().setFromPoints(this.points);
    const long = box.max.x - box.min.x;
    box.getCenter(orbit.target);
    orbit.target.x += AHEAD.x * long;
    orbit.target.y += AHEAD.y * long;
    orbit.target.z = AHEAD.z * (box.max.z - box.min.z);
    pushInside(this.room, orbit.target, FREE * orbit.scale);
    orbit.touched = false;
  }

  /** Leave the machine; the next one settles anew. */
  leave(): void {
    this.body = null;
  }

  /** The camera for a picture `elapsed` [ms] after the last one. */
  update(elapsed: number): Camera {
    if (!this.body) return this.perspective;
    this.moved.copy(this.middle).applyMatrix4(this.body.matrixWorld).sub(this.start);
    if (this.name === "top") return this.fromAbove();
    if (this.name === "orbit") this.fromOrbit();
    else if (this.name === "chase") this.fromBehind(elapsed);
    else this.fromSeat();
    if (this.name !== "chase") this.chasing = false;
    this.perspective.fov = field(this.name, this.aspect);
    this.perspective.aspect = this.aspect;
    this.perspective.updateProjectionMatrix();
    this.perspective.updateMatrixWorld();
    return this.perspective;
  }

  private fromOrbit(): void {
    this.orbit.place(this.eye).add(this.origin);
    this.aim.copy(this.orbit.target).add(this.origin);
    this.perspective.position.copy(this.eye);
    this.perspective.up.set(0, 0, 1);
    this.perspective.lookAt(this.aim);
  }

  private fromBehind(elapsed: number): void {
    this.goal.copy(this.chaseEye);
    this.goal.x += this.start.x + this.moved.x - this.origin.x;
    this.goal.y += this.start.y + this.moved.y - this.origin.y;
    pushInside(this.room, this.goal, FREE * this.orbit.scale);
    this.goal.add(this.origin);
    const left = this.chasing ? lag(elapsed, this.smooth) : 0;
    this.chasing = true;
    this.eye.sub(this.goal).multiplyScalar(left).add(this.goal);
    this.aim.copy(this.chaseAim);
    this.aim.x += this.start.x + this.eye.x - this.goal.x + this.moved.x;
    this.aim.y += this.start.y + this.eye.y - this.goal.y + this.moved.y;
    this.aim.z += this.origin.z;
    this.perspective.position.copy(this.eye);
    this.perspective.up.set(0, 0, 1);
    this.perspective.lookAt(this.aim);
  }

  private fromSeat(): void {
    const matrix = this.body!.matrixWorld;
    this.eye.copy(this.seatEye).applyMatrix4(matrix);
    this.aim.copy(this.seatAim).applyMatrix4(matrix);
    this.perspective.up.copy(this.seatUp).transformDirection(matrix);
    this.perspective.position.copy(this.eye);
    this.perspective.lookAt(this.aim);
  }

  private fromAbove(): Camera {
    const half = Math.max(this.topHalf.x / this.aspect, this.topHalf.y);
    this.above.left = -half * this.aspect;
    this.above.right = half * this.aspect;
    this.above.top = half;
    this.above.bottom = -half;
    this.above.position
      .copy(this.start)
      .add(this.moved)
      .setZ(this.origin.z + this.topHalf.z + 1);
    this.aim.copy(this.above.position).setZ(this.origin.z);
    this.above.lookAt(this.aim);
    this.above.updateProjectionMatrix();
    this.above.updateMatrixWorld();
    return this.above;
  }

  dispose(): void {
    this.input.dispose();
  }
}
