/** What of the roadway can be cut: asked for with the tunnel's own profile, and laid over it. */

import {
  DataTexture,
  DoubleSide,
  Group,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  NearestFilter,
  Quaternion,
  Shape,
  ShapeGeometry,
  SRGBColorSpace,
  Vector2,
  Vector3,
} from "three";
import type { BufferAttribute } from "three";

import { disposeTree } from "../../scene/dispose";
import type { Overlay } from "../../scene/overlay";
import { outline, type Room } from "../../scene/tunnel/section";
import type { Border, SectionFacts, Triple } from "./facts";
import { lineSegments, setLines } from "./reach";

/** Red, green, blue and opacity of a cell: outside, left standing, cut, where the middle gets. */
export const PAINTS = ["#000000", "#ff5a3c", "#4caf6d", "#a5e6b4"] as const;
const OPACITIES = [0, 110, 80, 80];
const STEPS = 72; // of the outline

/** The roadway's profile and where its foot is, in the world's axes: x ahead, y left, z up. */
export interface Roadway {
  room: Room;
  origin: Vector3;
}

/** The profile `before` metres before the face, in the axes of a simulation that is turned by `turn`. */
export function profile(
  { room, origin }: Roadway,
  before: number,
  turn: Quaternion,
): { outline: [number, number][]; origin: Triple; left: Triple; up: Triple } {
  const back = turn.clone().invert();
  const of = (x: number, y: number, z: number): Triple =>
    new Vector3(x, y, z).applyQuaternion(back).toArray();
  return {
    outline: outline(room, STEPS).map(({ y, z }) => [y, z]),
    origin: of(origin.x - before, origin.y, origin.z),
    left: of(0, 1, 0),
    up: of(0, 0, 1),
  };
}

export class SectionPicture {
  private readonly group = new Group();
  private readonly texture: DataTexture;

  constructor(
    overlay: Overlay,
    facts: SectionFacts,
    cells: Uint8Array,
    corners: readonly (readonly [number, number])[],
    border: Border,
  ) {
    const [left, up] = [new Vector3(...facts.left), new Vector3(...facts.up)];
    this.group.name = "section";
    this.group.matrixAutoUpdate = false;
    this.group.matrix
      .copy(new Matrix4().makeBasis(left, up, new Vector3().crossVectors(left, up)))
      .setPosition(...facts.origin);
    this.texture = painted(cells, facts);
    this.group.add(this.face(facts, corners), edges(corners, border));
    overlay.group.add(this.group);
  }

  dispose(): void {
    this.texture.dispose();
    disposeTree(this.group);
  }

  /** The profile, painted with the grid's cells. */
  private face(facts: SectionFacts, corners: readonly (readonly [number, number])[]): Mesh {
    const geometry = new ShapeGeometry(new Shape(corners.map(([y, z]) => new Vector2(y, z))));
    const { cell, columns, rows, corner } = facts;
    const places = geometry.getAttribute("position");
    const uv = geometry.getAttribute("uv") as BufferAttribute;
    for (let i = 0; i < places.count; i++) {
      uv.setXY(
        i,
        ((places.getX(i) - corner[0]) / cell + 0.5) / columns,
        ((places.getY(i) - corner[1]) / cell + 0.5) / rows,
      );
    }
    const material = new MeshBasicMaterial({
      map: this.texture,
      transparent: true,
      side: DoubleSide,
      forceSinglePass: true,
      depthWrite: false,
      toneMapped: false,
      fog: false,
    });
    const mesh = new Mesh(geometry, material);
    mesh.name = "section cells";
    mesh.raycast = () => {};
    return mesh;
  }
}

/** The profile's outline, and the lines between what can be cut and what cannot. */
function edges(
  corners: readonly (readonly [number, number])[],
  border: Border,
): ReturnType<typeof lineSegments> {
  const positions: number[] = [];
  corners.forEach(([y, z], i) => {
    const [next, above] = corners[(i + 1) % corners.length]!;
    positions.push(y, z, 0, next, above, 0);
  });
  for (const [from, to] of border) positions.push(...from, 0, ...to, 0);
  const made = lineSegments("section lines");
  const colors = new Float32Array(positions.length).fill(0.8);
  setLines(made, positions, colors);
  return made;
}

function painted(cells: Uint8Array, { columns, rows }: SectionFacts): DataTexture {
  const data = new Uint8Array(4 * cells.length);
  const paints = PAINTS.map((paint, i) => [
    ...[1, 3, 5].map((at) => Number.parseInt(paint.slice(at, at + 2), 16)),
    OPACITIES[i]!,
  ]);
  cells.forEach((cell, i) => data.set(paints[cell] ?? paints[0]!, 4 * i));
  const texture = new DataTexture(data, columns, rows);
  texture.colorSpace = SRGBColorSpace;
  texture.magFilter = texture.minFilter = NearestFilter;
  texture.needsUpdate = true;
  return texture;
}
