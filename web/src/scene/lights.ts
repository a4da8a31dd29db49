/** The lights that shaders compute: sky of the tunnel, the work lamp with its shadow, head lamps. */

import { Group, HemisphereLight, PointLight, SpotLight, Vector3 } from "three";
import type { Box3 } from "three";

import type { Air } from "./surroundings";

const HEAD = 4.6;
const FILL = 9;

export class Lights {
  readonly group = new Group();
  private readonly ambient = new HemisphereLight(0xffe2c0, 0x3a3530, 0.42);
  /** Stands above the roof, which casts no shadow: so its shadows stay sharp enough. */
  private readonly work = new SpotLight(0xfff0dc, 1.7, 0, 0.5, 0.85, 0);
  private readonly head = new SpotLight(0xfff2e0, HEAD, 40, 0.8, 0.9, 0.35);
  private readonly fill = new PointLight(0xffe6c8, FILL, 16, 1.6);
  private readonly offset = new Vector3(-1.5, -4.2, 12);
  private readonly middle = new Vector3();

  constructor() {
    this.work.shadow.bias = -0.0006;
    this.work.shadow.normalBias = 0.025;
    this.work.shadow.radius = 3;
    this.group.add(this.ambient, this.work, this.work.target, this.head, this.head.target);
    this.group.add(this.fill);
  }

  /** Stand around the machine that fills `box`; `nose` is where its head lamps are, if any. */
  settle(box: Box3, nose: Vector3 | null): void {
    box.getCenter(this.middle);
    const half = 0.5 * Math.max(box.max.x - box.min.x, box.max.y - box.min.y) + 2.2;
    this.work.angle = Math.atan2(half, this.offset.length());
    this.work.shadow.camera.near = 6;
    this.work.shadow.camera.far = 22;
    this.head.visible = nose !== null;
    if (nose) {
      this.head.position.copy(nose);
      this.head.target.position.set(nose.x + 8, nose.y * 0.3, box.min.z + 1.5);
    }
    this.fillFrom(box);
    this.work.position.copy(this.middle).add(this.offset);
    this.work.target.position.copy(this.middle);
  }

  /** Light the side that is seen at first: the front, or the back of a machine across the roadway. */
  private fillFrom({ min, max }: Box3): void {
    if (max.y - min.y > max.x - min.x) this.fill.position.set(min.x - 3, min.y + 3, min.z + 2.6);
    else this.fill.position.set(max.x + 1.2, min.y - 0.9, min.z + 2);
  }

  /** Light of the sky, and of the lamp or sun above; see `Air`. */
  shine({ sky, sun, lamps }: Air): void {
    this.ambient.color.set(sky.above);
    this.ambient.groundColor.set(sky.below);
    this.ambient.intensity = sky.strength;
    this.work.intensity = sun;
    this.head.intensity = HEAD * lamps;
    this.fill.intensity = FILL * lamps;
  }

  /** Go along with the machine, which has moved so far since `settle` [m]. */
  follow(moved: Vector3): void {
    this.group.position.copy(moved);
    this.group.updateMatrixWorld();
  }

  /** Size of the shadow's picture, 0 for none. */
  setShadow(size: number): void {
    this.work.castShadow = size > 0;
    if (size === 0 || this.work.shadow.mapSize.x === size) return;
    this.work.shadow.mapSize.set(size, size);
    this.release();
  }

  /** Free the shadow's picture; drawing makes it anew. */
  release(): void {
    this.work.shadow.map?.dispose();
    this.work.shadow.map = null;
  }

  dispose(): void {
    this.work.dispose();
    this.head.dispose();
    this.fill.dispose();
    this.group.removeFromParent();
  }
}
