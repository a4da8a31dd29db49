/** The via points in the picture: balls that can be clicked on, and a handle on the chosen one. */

import {
  Color,
  DynamicDrawUsage,
  InstancedMesh,
  Matrix4,
  MeshBasicMaterial,
  Quaternion,
  SphereGeometry,
  Vector3,
} from "three";
import type { Overlay } from "../../scene/overlay";
import { Gizmo } from "../reach/gizmo";
import type { Via } from "./vias";

const RADIUS = 0.024; // [m]
const LARGER = 1.7; // the chosen one
const PLAIN = new Color("#e8edf0");
const CHOSEN = new Color("#ffb454");
const MISSED = new Color("#ff5a4a");
const NEAR = 5; // [px] that a click may move

export class Markers {
  /** The handle has been dragged. */
  onMove: ((position: Vector3, turn: Quaternion) => void) | null = null;
  /** Something was clicked on: the number of a via point, or -1 with the place of the window. */
  onClick: ((number: number, x: number, y: number) => void) | null = null;

  private balls: InstancedMesh | null = null;
  private gizmo: Gizmo | null = null;
  private pressed: { x: number; y: number } | null = null;
  private readonly end = new AbortController();

  constructor(private readonly overlay: Overlay) {
    const heard = { signal: this.end.signal };
    overlay.canvas.addEventListener("pointerdown", this.down, heard);
    overlay.canvas.addEventListener("pointerup", this.up, heard);
  }

  get dragging(): boolean {
    return this.gizmo?.dragging ?? false;
  }

  show(list: readonly Via[], chosen: number, missed: ReadonlySet<number>, turns: boolean): void {
    if (this.balls?.count !== list.length) this.make(list.length);
    const place = new Matrix4();
    list.forEach(({ position }, n) => {
      const size = n === chosen ? LARGER : 1;
      this.balls?.setMatrixAt(n, place.makeScale(size, size, size).setPosition(...position));
      this.balls?.setColorAt(n, n === chosen ? CHOSEN : missed.has(n) ? MISSED : PLAIN);
    });
    if (this.balls) {
      this.balls.instanceMatrix.needsUpdate = true;
      this.balls.instanceColor!.needsUpdate = true;
      this.balls.computeBoundingSphere();
    }
    this.handle(list[chosen], turns);
  }

  private make(count: number): void {
    this.drop();
    if (count === 0) return;
    const paint = new MeshBasicMaterial({ fog: false, depthTest: false, transparent: true });
    this.balls = new InstancedMesh(
      new SphereGeometry(RADIUS * this.overlay.scale, 16, 12),
      paint,
      count,
    );
    this.balls.instanceMatrix.setUsage(DynamicDrawUsage);
    this.balls.name = "vias";
    this.balls.renderOrder = 7;
    this.balls.frustumCulled = false;
    this.overlay.group.add(this.balls);
  }

  private handle(via: Via | undefined, turns: boolean): void {
    if (!via) {
      this.gizmo?.dispose();
      this.gizmo = null;
      return;
    }
    if (!this.gizmo) {
      this.gizmo = new Gizmo(this.overlay);
      this.gizmo.onMove = (position, turn) => this.onMove?.(position, turn);
    }
    this.gizmo.turns = turns;
    if (this.gizmo.dragging) return;
    const [w, x, y, z] = via.quaternion ?? [1, 0, 0, 0];
    this.gizmo.put(new Vector3(...via.position), new Quaternion(x, y, z, w));
  }

  private readonly down = (event: PointerEvent): void => {
    const free = event.button === 0 && !this.overlay.busy;
    this.pressed = free ? { x: event.clientX, y: event.clientY } : null;
  };

  private readonly up = (event: PointerEvent): void => {
    const from = this.pressed;
    this.pressed = null;
    const { clientX: x, clientY: y } = event;
    if (!from || Math.hypot(x - from.x, y - from.y) > NEAR) return;
    const hit = this.balls && this.overlay.cast(x, y, [this.balls]);
    this.onClick?.(hit?.instanceId ?? -1, x, y);
  };

  private drop(): void {
    if (!this.balls) return;
    this.balls.removeFromParent();
    this.balls.geometry.dispose();
    (this.balls.material as MeshBasicMaterial).dispose();
    this.balls.dispose();
    this.balls = null;
  }

  dispose(): void {
    this.end.abort();
    this.gizmo?.dispose();
    this.gizmo = null;
    this.drop();
  }
}
