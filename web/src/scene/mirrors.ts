/** Two rear-view mirrors ahead of the seat, each redrawn every other picture. */

import {
  BoxGeometry,
  BufferGeometry,
  Camera,
  Color,
  CylinderGeometry,
  Group,
  HalfFloatType,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  PlaneGeometry,
  Vector3,
  WebGLRenderTarget,
} from "three";
import type { Scene, WebGLRenderer } from "three";

import { disposeTree } from "./dispose";
import { Parts } from "./geometry";
import { Glass, reflect } from "./reflection";
import type { Seat } from "./seat";

const WIDE = 0.155;
const HIGH = 0.105;
const FAR = 60;
/** A little brighter than what it shows, which is far from the machine's lamps. */
const BRIGHT = new Color(2.9, 3, 3.1);
/** From the eye to the glass [m]: ahead, aside, up. */
const AHEAD = 0.5;
const ASIDE = 0.285;
const ABOVE = 0.1;
/** How far the line of sight in the glass goes out and up, a metre behind. */
const OUTWARD = 0.22;
const UPWARD = -0.05;

/** Matrix (right, up, normal, centre) of a glass in which the eye sees along `line`. */
export function mirrorMatrix(eye: Vector3, center: Vector3, line: Vector3): Matrix4 {
  const normal = new Vector3().subVectors(eye, center).normalize();
  normal.add(line.clone().normalize()).normalize();
  const right = new Vector3(0, 0, 1).cross(normal).normalize();
  const up = new Vector3().crossVectors(normal, right);
  return new Matrix4().makeBasis(right, up, normal).setPosition(center);
}

interface Mirror {
  glass: Glass;
  mesh: Mesh;
  target: WebGLRenderTarget;
  /** What is nearer to the glass belongs to the cab, and is left out [m]. */
  clear: number;
}

export class Mirrors {
  readonly group = new Group();
  private readonly mirrors: Mirror[] = [];
  private readonly camera = new Camera();
  private turn = 0;

  /** `seat` in the axes of the group's parent; `width` of the pictures in pixels. */
  constructor(seat: Seat, width: number) {
    this.camera.matrixAutoUpdate = false;
    this.camera.matrixWorldAutoUpdate = false;
    const frames = new Parts();
    for (const side of [1, -1]) {
      const center = seat.eye
        .clone()
        .addScaledVector(seat.ahead, AHEAD)
        .addScaledVector(seat.left, side * ASIDE)
        .addScaledVector(seat.up, ABOVE);
      const line = seat.left
        .clone()
        .multiplyScalar(OUTWARD * side)
        .addScaledVector(seat.ahead, -1)
        .addScaledVector(seat.up, UPWARD);
      const matrix = mirrorMatrix(seat.eye, center, line);
      const behind = seat.eye
        .clone()
        .addScaledVector(seat.ahead, -seat.back)
        .addScaledVector(seat.left, side * ASIDE);
      const normal = new Vector3().setFromMatrixColumn(matrix, 2);
      this.add(matrix, width, Math.max(0, behind.sub(center).dot(normal)));
      addFrame(frames, matrix, seat);
    }
    const paint = new MeshStandardMaterial({ vertexColors: true, roughness: 0.5 });
    this.group.add(new Mesh(frames.build(), paint));
    this.group.visible = false;
  }

  private add(matrix: Matrix4, width: number, clear: number): void {
    const target = new WebGLRenderTarget(width, Math.round((width * HIGH) / WIDE), {
      type: HalfFloatType,
      samples: 4,
    });
    const material = new MeshBasicMaterial({
      map: target.texture,
      color: BRIGHT,
      fog: false,
    });
    const mesh = new Mesh(flipped(new PlaneGeometry(WIDE, HIGH)), material);
    mesh.matrixAutoUpdate = false;
    mesh.matrix.copy(matrix);
    this.group.add(mesh);
    this.mirrors.push({ glass: new Glass(0.5 * WIDE, 0.5 * HIGH), mesh, target, clear });
  }

  /** Draw what one of the mirrors shows to `eye` (world). Call before the picture itself. */
  draw(renderer: WebGLRenderer, scene: Scene, eye: Vector3): void {
    const mirror = this.mirrors[this.turn]!;
    this.turn = (this.turn + 1) % this.mirrors.length;
    mirror.glass.setFromMatrix(mirror.mesh.matrixWorld);
    if (!reflect(mirror.glass, eye, FAR, this.camera, mirror.clear)) return;
    this.group.visible = false;
    renderer.setRenderTarget(mirror.target);
    renderer.render(scene, this.camera);
    renderer.setRenderTarget(null);
    this.group.visible = true;
  }

  /** Free the pictures; drawing makes them anew. */
  release(): void {
    for (const mirror of this.mirrors) mirror.target.dispose();
  }

  dispose(): void {
    this.release();
    disposeTree(this.group);
  }
}

/** The picture in a mirror is seen from behind: swap left and right. */
function flipped(plane: BufferGeometry): BufferGeometry {
  const uv = plane.getAttribute("uv");
  for (let i = 0; i < uv.count; i++) uv.setX(i, 1 - uv.getX(i));
  return plane;
}

/** A dark rim behind the glass, and an arm down to the cab. */
function addFrame(parts: Parts, matrix: Matrix4, seat: Seat): void {
  const back = new Matrix4().makeTranslation(0, 0, -0.012).premultiply(matrix);
  parts.add(new BoxGeometry(WIDE + 0.02, HIGH + 0.02, 0.02), [0.012, 0.012, 0.013], back);
  const center = new Vector3().setFromMatrixPosition(matrix);
  const along = new Matrix4().makeBasis(seat.ahead, seat.up, seat.left.clone().negate());
  along.setPosition(center.addScaledVector(seat.up, 0.14).addScaledVector(seat.ahead, 0.02));
  parts.add(new CylinderGeometry(0.006, 0.006, 0.28, 8), [0.03, 0.03, 0.032], along);
}
