/** Which motor cuts, and the dust that it makes. */

import { Box3, Mesh, Vector3 } from "three";
import type { Object3D, Texture } from "three";

import type { Frame } from "../protocol/frame";
import { COLUMN, WIDTH, type MachineInfo } from "../protocol/generated";
import { Spray } from "./dust";

const COUNT = 110;
/** Part of the way to its new strength that the dust goes with each frame. */
const GROWING = 0.04;

/** Index of the foremost motor that cuts, its link beyond `front` (world x); -1 if none does. */
export function cuttingMotor(info: MachineInfo, links: readonly Object3D[], front: number): number {
  const box = new Box3();
  let found = -1;
  let foremost = front;
  info.motors.forEach((motor, i) => {
    const link = links[info.links.indexOf(motor.link)];
    if (!motor.cuts || !link) return;
    box.setFromObject(link);
    if (box.isEmpty() || box.max.x <= foremost) return;
    foremost = box.max.x;
    found = i;
  });
  return found;
}

/** Dust around the link that a motor turns. */
export class Cutting {
  readonly spray: Spray;
  private readonly middle = new Vector3();
  private readonly place = new Vector3();
  private time = 0;

  constructor(
    private readonly motor: number,
    private readonly fastest: number,
    private readonly link: Object3D,
    private readonly atOnce: boolean,
    spot: Texture,
  ) {
    this.spray = new Spray(COUNT, spot);
    const box = new Box3();
    link.traverse((part) => {
      if (!(part instanceof Mesh)) return;
      part.geometry.computeBoundingBox();
      if (part.geometry.boundingBox) box.union(part.geometry.boundingBox as Box3);
    });
    if (!box.isEmpty()) box.getCenter(this.middle);
  }

  /** The motor's speed as a part of its largest makes the dust. */
  show(frame: Frame): void {
    const speed = Math.abs(frame.motors[WIDTH.motors * this.motor + COLUMN.motors.speed] ?? 0);
    const wanted = this.fastest > 0 ? Math.min(1, speed / this.fastest) : 0;
    const step = this.atOnce ? 1 : GROWING;
    this.spray.strength += step * (wanted - this.spray.strength);
    this.time = frame.time;
  }

  /** Bring the dust to the link's place; `pixels` is the picture's height. */
  move(pixels: number): void {
    this.place.copy(this.middle).applyMatrix4(this.link.matrixWorld);
    this.spray.move(this.place, this.time, pixels);
  }
}
