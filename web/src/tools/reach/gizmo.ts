/** The handle that a person drags: arrows to move it, rings to turn it. */

import { Matrix4, Object3D, Quaternion, Vector3 } from "three";
import { TransformControls } from "three/examples/jsm/controls/TransformControls.js";
import type { Overlay } from "../../scene/overlay";

export class Gizmo {
  /** The handle has been dragged: where it is now, in the simulation's axes. */
  onMove: ((position: Vector3, turn: Quaternion) => void) | null = null;

  private readonly handle = new Object3D();
  private readonly controls: TransformControls;
  private readonly matrix = new Matrix4();
  private readonly size = new Vector3();

  constructor(private readonly overlay: Overlay) {
    this.handle.name = "handle";
    this.controls = new TransformControls(overlay.lens, overlay.canvas);
    this.controls.setSpace("local");
    this.controls.addEventListener("dragging-changed", ({ value }) => {
      overlay.busy = value === true;
    });
    this.controls.addEventListener("objectChange", () => {
      this.onMove?.(this.handle.position, this.handle.quaternion);
    });
    overlay.group.add(this.handle);
    overlay.group.parent?.add(this.controls.getHelper());
    overlay.drawing.add(this.look);
    this.controls.attach(this.handle);
  }

  get dragging(): boolean {
    return this.controls.dragging;
  }

  set turns(on: boolean) {
    this.controls.setMode(on ? "rotate" : "translate");
  }

  /** Stand where a link stands: 16 numbers, column by column, in the simulation's axes. */
  follow(elements: readonly number[]): void {
    this.matrix
      .fromArray(elements)
      .decompose(this.handle.position, this.handle.quaternion, this.size);
  }

  put(position: Vector3, turn: Quaternion): void {
    this.handle.position.copy(position);
    this.handle.quaternion.copy(turn);
  }

  dispose(): void {
    this.overlay.busy = false;
    this.overlay.drawing.delete(this.look);
    this.controls.detach();
    this.controls.getHelper().removeFromParent();
    this.controls.dispose();
    this.handle.removeFromParent();
  }

  private readonly look = (): void => {
    this.controls.camera = this.overlay.lens;
  };
}
