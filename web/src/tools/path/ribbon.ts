/** The path in the picture: a ribbon in the colours of speeds or of limiting cylinders. */

import {
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  Group,
  Mesh,
  MeshBasicMaterial,
  SphereGeometry,
  SRGBColorSpace,
  Color,
  Vector3,
} from "three";
import type { Overlay } from "../../scene/overlay";
import { cylinderColor, rgb, speedColor, type Rgb } from "./colors";
import { linkSpeeds, placeAt, type Motion } from "./motion";

const HALF = 0.018; // [m] of the ribbon's width, on a machine of usual size
const CURSOR = 0.05; // [m], likewise
const STILL = 1e-5; // [m] between rows that have no direction

export type Coloring = "speed" | "limit";

/** The ribbon's vertices: two a row, across the path and across the way ahead. */
export function ribbonVertices(motion: Motion, scale = 1): Float32Array {
  const { rows, positions } = motion;
  const vertices = new Float32Array(6 * rows);
  const along = new Vector3();
  const ahead = new Vector3(1, 0, 0);
  const across = new Vector3(0, 1, 0);
  const side = new Vector3();
  const here = new Vector3();
  for (let row = 0; row < rows; row++) {
    const before = 3 * Math.max(0, row - 1);
    const after = 3 * Math.min(rows - 1, row + 1);
    along.fromArray(positions, after).sub(here.fromArray(positions, before));
    side.crossVectors(along, ahead);
    if (side.length() > STILL) across.copy(side.normalize());
    here.fromArray(positions, 3 * row);
    for (const [n, sign] of [-HALF * scale, HALF * scale].entries()) {
      side
        .copy(across)
        .multiplyScalar(sign)
        .add(here)
        .toArray(vertices, 6 * row + 3 * n);
    }
  }
  return vertices;
}

/** The colour of each row. */
export function rowColors(motion: Motion, coloring: Coloring): Rgb[] {
  if (coloring === "limit")
    return Array.from(motion.limiting, (number) => rgb(cylinderColor(number)));
  const speeds = linkSpeeds(motion);
  const most = speeds.reduce((a, b) => Math.max(a, b), 1e-9);
  return Array.from(speeds, (speed) => speedColor(speed / most));
}

export class Ribbon {
  private readonly group = new Group();
  private readonly geometry = new BufferGeometry();
  private readonly clear = material(1, true);
  private readonly faint = material(0.28, false);
  private readonly cursor: Mesh;

  constructor(
    overlay: Overlay,
    readonly motion: Motion,
    coloring: Coloring,
  ) {
    const { rows } = motion;
    const vertices = ribbonVertices(motion, overlay.scale);
    this.geometry.setAttribute("position", new BufferAttribute(vertices, 3));
    this.geometry.setAttribute("color", new BufferAttribute(new Float32Array(6 * rows), 3));
    const index: number[] = [];
    for (let row = 0; row + 1 < rows; row++) {
      const at = 2 * row;
      index.push(at, at + 1, at + 2, at + 2, at + 1, at + 3);
    }
    this.geometry.setIndex(index);
    const ribbon = new Mesh(this.geometry, this.clear);
    ribbon.name = "ribbon";
    const behind = new Mesh(this.geometry, this.faint);
    behind.renderOrder = 5;
    this.cursor = new Mesh(
      new SphereGeometry(CURSOR * overlay.scale, 20, 14),
      new MeshBasicMaterial({ color: "#ffffff", fog: false, depthTest: false, transparent: true }),
    );
    this.cursor.name = "cursor";
    this.cursor.renderOrder = 6;
    this.cursor.visible = false;
    this.group.add(ribbon, behind, this.cursor);
    overlay.group.add(this.group);
    this.color(coloring);
  }

  color(coloring: Coloring): void {
    const colors = this.geometry.getAttribute("color") as BufferAttribute;
    const color = new Color();
    rowColors(this.motion, coloring).forEach(([r, g, b], row) => {
      color.setRGB(r, g, b, SRGBColorSpace);
      for (const n of [0, 1]) colors.setXYZ(2 * row + n, color.r, color.g, color.b);
    });
    colors.needsUpdate = true;
  }

  /** Show where the path is at a moment [s]; null shows nothing. */
  mark(seconds: number | null): void {
    this.cursor.visible = seconds !== null;
    if (seconds !== null) this.cursor.position.fromArray(placeAt(this.motion, seconds));
  }

  dispose(): void {
    this.group.removeFromParent();
    this.geometry.dispose();
    this.clear.dispose();
    this.faint.dispose();
    this.cursor.geometry.dispose();
    (this.cursor.material as MeshBasicMaterial).dispose();
  }
}

function material(opacity: number, depthTest: boolean): MeshBasicMaterial {
  return new MeshBasicMaterial({
    vertexColors: true,
    side: DoubleSide,
    transparent: opacity < 1,
    opacity,
    depthTest,
    depthWrite: depthTest,
    fog: false,
    toneMapped: false,
  });
}
