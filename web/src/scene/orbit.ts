/** Looking around the machine with mouse, wheel or fingers, without leaving the room. */

import { Vector3 } from "three";
import type { PerspectiveCamera } from "three";

import { pushInside, reach, type Room } from "./tunnel/section";

/** From the eye to rock, and how near one can come [m]; around what is not small. */
const MARGIN = 0.45;
const NEAREST = 1.2;
/** What is smaller than this [m] is looked at from as much nearer as it is smaller. */
const SMALL = 4;

/** How many times as large as usual lengths are around something of a size [m]: 1, or less. */
export function scaleFor(size: number): number {
  return Math.min(1, Math.max(size, 1e-3) / SMALL);
}

const LOWEST = -0.35;
const HIGHEST = 1.45;

/** Where the eye is around a target: angles [rad] and distance [m]; all in the room's own axes. */
export class Orbit {
  readonly target = new Vector3();
  azimuth = 0;
  elevation = 0.3;
  distance = 8;
  /** Whether somebody has looked around. */
  touched = false;
  /** Of lengths around what is looked at: 1, or less around what is small. */
  scale = 1;
  private readonly direction = new Vector3();
  private readonly sideways = new Vector3();
  private readonly upward = new Vector3();

  constructor(private room: Room) {}

  setRoom(room: Room, scale = 1): void {
    this.room = room;
    this.scale = scale;
  }

  private get margin(): number {
    return MARGIN * this.scale;
  }

  /** Turn by angles [rad]. */
  turn(azimuth: number, elevation: number): void {
    this.touched = true;
    this.azimuth += azimuth;
    this.elevation = Math.min(HIGHEST, Math.max(LOWEST, this.elevation + elevation));
  }

  /** Multiply the distance. */
  zoom(factor: number): void {
    this.touched = true;
    const longest = Math.min(80, Math.max(this.room.length, 2 * this.room.half));
    this.distance = Math.min(longest, Math.max(NEAREST * this.scale, this.distance * factor));
  }

  /** Move the target in the picture's plane; lengths in metres, right and up. */
  pan(right: number, up: number): void {
    this.touched = true;
    this.look();
    this.sideways.set(0, 0, 1).cross(this.direction).normalize();
    this.upward.crossVectors(this.direction, this.sideways);
    this.target.addScaledVector(this.sideways, right).addScaledVector(this.upward, up);
    pushInside(this.room, this.target, this.margin);
  }

  /** Place of the eye: as far from the target as wanted and as the room allows. */
  place(into: Vector3): Vector3 {
    this.look();
    const r = reach(this.room, this.target, this.direction, this.distance, this.margin);
    return into.copy(this.target).addScaledVector(this.direction, r);
  }

  private look(): void {
    const level = Math.cos(this.elevation);
    this.direction.set(
      level * Math.cos(this.azimuth),
      level * Math.sin(this.azimuth),
      Math.sin(this.elevation),
    );
  }
}

/** Pointer and wheel of a canvas for an orbit; `active` tells whether it listens. */
export class OrbitInput {
  private readonly pointers = new Map<number, { x: number; y: number }>();
  private spread = 0;
  private readonly end = new AbortController();

  constructor(
    private readonly canvas: HTMLElement,
    private readonly orbit: Orbit,
    private readonly camera: PerspectiveCamera,
    private readonly active: () => boolean,
  ) {
    const options = { signal: this.end.signal };
    canvas.style.touchAction = "none";
    canvas.addEventListener("pointerdown", this.down, options);
    canvas.addEventListener("pointermove", this.move, options);
    canvas.addEventListener("pointerup", this.up, options);
    canvas.addEventListener("pointercancel", this.up, options);
    canvas.addEventListener("wheel", this.wheel, { ...options, passive: false });
    canvas.addEventListener("contextmenu", (event) => event.preventDefault(), options);
  }

  dispose(): void {
    this.end.abort();
  }

  private readonly down = (event: PointerEvent): void => {
    if (!this.active()) return;
    this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    this.spread = this.spreadOf();
    this.canvas.setPointerCapture(event.pointerId);
  };

  private readonly up = (event: PointerEvent): void => {
    this.pointers.delete(event.pointerId);
    this.spread = this.spreadOf();
  };

  private readonly move = (event: PointerEvent): void => {
    const last = this.pointers.get(event.pointerId);
    if (!last || !this.active()) return;
    const dx = event.clientX - last.x;
    const dy = event.clientY - last.y;
    last.x = event.clientX;
    last.y = event.clientY;
    const tall = Math.max(1, this.canvas.clientHeight);
    if (this.pointers.size >= 2) {
      const spread = this.spreadOf();
      if (this.spread > 0 && spread > 0) this.orbit.zoom(this.spread / spread);
      this.spread = spread;
      this.slide(0.5 * dx, 0.5 * dy, tall);
    } else if ((event.buttons & 6) !== 0 || event.shiftKey) this.slide(dx, dy, tall);
    else this.orbit.turn((-2.6 * dx) / tall, (2.6 * dy) / tall);
  };

  private slide(dx: number, dy: number, tall: number): void {
    const half = Math.tan((this.camera.fov * Math.PI) / 360);
    const metres = (2 * half * this.orbit.distance) / tall;
    this.orbit.pan(-dx * metres, dy * metres);
  }

  private readonly wheel = (event: WheelEvent): void => {
    if (!this.active()) return;
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 30 : 1;
    this.orbit.zoom(Math.exp(0.0012 * event.deltaY * lines));
  };

  private spreadOf(): number {
    if (this.pointers.size < 2) return 0;
    const [a, b] = [...this.pointers.values()];
    return Math.hypot(a!.x - b!.x, a!.y - b!.y);
  }
}
