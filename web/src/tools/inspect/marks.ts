/** Axes of all links, and their centres of mass, in the picture: one object each. */

import {
  BufferAttribute,
  BufferGeometry,
  Color,
  InstancedMesh,
  LineBasicMaterial,
  LineSegments,
  Matrix4,
  MeshBasicMaterial,
  SphereGeometry,
  Vector3,
} from "three";
import type { LinkFacts } from "../../protocol/generated";
import type { Overlay } from "../../scene/overlay";

const AXIS = 0.4; // [m]
const SHORT = 0.18; // of a tube or rod
const COLORS = ["#ff5a4d", "#58d35f", "#5c8dff"]; // x, y, z
const CENTRE = "#ffe08a";
const WHOLE = "#ff4fd8";

/** Poses of links by index; null where there is none. */
export type Poses = (index: number) => Matrix4 | null;

/** Radius that shows a mass [kg]: as the volume grows. */
export function radiusOf(mass: number): number {
  return Math.min(0.22, Math.max(0.03, 0.055 * Math.cbrt(mass / 1000)));
}

/** Centre of mass of everything [m]; null if nothing has a mass. */
export function wholeCentre(links: readonly LinkFacts[], poses: Poses): Vector3 | null {
  const sum = new Vector3();
  const point = new Vector3();
  let mass = 0;
  links.forEach((link, i) => {
    const X = link.mass ? poses(i) : null;
    if (!X || !link.mass) return;
    sum.addScaledVector(point.set(...link.centre).applyMatrix4(X), link.mass);
    mass += link.mass;
  });
  return mass > 0 ? sum.divideScalar(mass) : null;
}

export class Axes {
  private readonly lines: LineSegments<BufferGeometry, LineBasicMaterial>;
  private readonly places: BufferAttribute;
  private readonly point = new Vector3();

  constructor(
    private readonly overlay: Overlay,
    private readonly links: readonly LinkFacts[],
  ) {
    const geometry = new BufferGeometry();
    this.places = new BufferAttribute(new Float32Array(18 * links.length), 3);
    geometry.setAttribute("position", this.places);
    geometry.setAttribute("color", new BufferAttribute(colorsOf(links.length), 3));
    this.lines = new LineSegments(
      geometry,
      new LineBasicMaterial({
        vertexColors: true,
        depthTest: false,
        transparent: true,
        fog: false,
      }),
    );
    finish(this.lines, "axes");
    overlay.group.add(this.lines);
  }

  move(poses: Poses): void {
    this.links.forEach(({ cylinder }, i) => {
      const X = poses(i);
      if (!X) return;
      const length = (cylinder >= 0 ? SHORT : AXIS) * this.overlay.scale;
      for (let axis = 0; axis < 3; axis++) {
        const at = 6 * i + 2 * axis;
        this.point.setFromMatrixPosition(X);
        this.places.setXYZ(at, this.point.x, this.point.y, this.point.z);
        this.point.set(0, 0, 0).setComponent(axis, length).applyMatrix4(X);
        this.places.setXYZ(at + 1, this.point.x, this.point.y, this.point.z);
      }
    });
    this.places.needsUpdate = true;
  }

  dispose(): void {
    this.lines.removeFromParent();
    this.lines.geometry.dispose();
    this.lines.material.dispose();
  }
}

/** One ball a link that has a mass, and the last one for the whole machine. */
export class Centres {
  private readonly heavy: { link: LinkFacts; index: number }[];
  private readonly balls: InstancedMesh;
  private readonly matrix = new Matrix4();
  private readonly point = new Vector3();

  constructor(
    private readonly overlay: Overlay,
    private readonly links: readonly LinkFacts[],
    mass: number,
  ) {
    this.heavy = links.flatMap((link, index) => (link.mass ? [{ link, index }] : []));
    this.whole = 1.15 * radiusOf(mass);
    this.balls = new InstancedMesh(
      new SphereGeometry(1, 16, 10),
      new MeshBasicMaterial({ depthTest: false, transparent: true, opacity: 0.85, fog: false }),
      this.heavy.length + 1,
    );
    const color = new Color(CENTRE);
    this.heavy.forEach((_, n) => this.balls.setColorAt(n, color));
    this.balls.setColorAt(this.heavy.length, color.set(WHOLE));
    finish(this.balls, "centres");
    overlay.group.add(this.balls);
  }

  private readonly whole: number;

  move(poses: Poses): void {
    this.heavy.forEach(({ link, index }, n) => {
      const X = poses(index);
      if (X) this.put(n, this.point.set(...link.centre).applyMatrix4(X), radiusOf(link.mass ?? 0));
    });
    const middle = wholeCentre(this.links, poses);
    if (middle) this.put(this.heavy.length, middle, this.whole);
    else this.balls.count = this.heavy.length;
    this.balls.instanceMatrix.needsUpdate = true;
  }

  private put(n: number, place: Vector3, radius: number): void {
    const size = radius * this.overlay.scale;
    this.balls.setMatrixAt(n, this.matrix.makeScale(size, size, size).setPosition(place));
  }

  dispose(): void {
    this.balls.removeFromParent();
    this.balls.geometry.dispose();
    (this.balls.material as MeshBasicMaterial).dispose();
    this.balls.dispose();
  }
}

function finish(object: LineSegments | InstancedMesh, name: string): void {
  object.name = name;
  object.renderOrder = 10;
  object.frustumCulled = false;
  object.raycast = () => {};
}

function colorsOf(links: number): Float32Array {
  const one = COLORS.flatMap((name) => {
    const { r, g, b } = new Color(name);
    return [r, g, b, r, g, b];
  });
  return Float32Array.from({ length: 18 * links }, (_, i) => one[i % 18]!);
}
