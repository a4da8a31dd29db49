/** What a point reaches, in the picture: a cloud, its boundary, and a slice of both. */

import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DoubleSide,
  GreaterDepth,
  Group,
  Mesh,
  MeshBasicMaterial,
  Points,
  PointsMaterial,
  Vector3,
} from "three";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { LineSegments2 } from "three/examples/jsm/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/examples/jsm/lines/LineSegmentsGeometry.js";

import { disposeTree } from "../../scene/dispose";
import type { Overlay } from "../../scene/overlay";
import type { Cloud, LegendEntry, Surface } from "./facts";
import { below, cutLines, layer, type Slice } from "./slice";

const WIDTH = 3; // of lines [px]
const OPACITY = 0.32;
const FAINT = 0.25; // of points that something hides
const LIGHT = new Vector3(0.35, 0.45, 0.82);
const DARKEST = 0.55;

export class ReachPicture {
  private readonly group = new Group();
  private readonly colors = new Map<number, Color>();
  private readonly cloud: Points<BufferGeometry, PointsMaterial>;
  private readonly hidden: Points<BufferGeometry, PointsMaterial>;
  private readonly sheet: Mesh<BufferGeometry, MeshBasicMaterial> | null = null;
  private readonly lines: LineSegments2 | null = null;
  private readonly cut: LineSegments2;
  private readonly size: number;

  constructor(
    private readonly overlay: Overlay,
    cloud: Cloud,
    private readonly surface: Surface,
    legend: readonly LegendEntry[],
  ) {
    for (const { end, color } of legend) this.colors.set(end, new Color(color));
    this.group.name = "workspace";
    this.cloud = new Points(
      coloured(cloud.points, this.paint(cloud.ends)),
      new PointsMaterial({ vertexColors: true, toneMapped: false, fog: false }),
    );
    this.cloud.name = "workspace cloud";
    this.cloud.geometry.computeBoundingSphere();
    this.size = this.cloud.geometry.boundingSphere!.radius;
    this.cloud.material.size = Math.min(0.03, Math.max(0.001, this.size / 160));
    this.hidden = this.behind();
    this.group.add(this.cloud, this.hidden);
    if (surface.triangles.length > 0) this.group.add((this.sheet = this.makeSheet()));
    if (surface.lines.length > 0) this.group.add((this.lines = this.makeLines()));
    this.cut = lineSegments("workspace cut");
    this.group.add(this.cut);
    this.slice(null);
    overlay.group.add(this.group);
  }

  set showsCloud(on: boolean) {
    this.cloud.visible = this.hidden.visible = on;
  }

  /** What steel hides of the cloud, faintly. */
  private behind(): Points<BufferGeometry, PointsMaterial> {
    const { size } = this.cloud.material;
    const faint = new PointsMaterial({
      size,
      vertexColors: true,
      transparent: true,
      opacity: FAINT,
      depthFunc: GreaterDepth,
      depthWrite: false,
      toneMapped: false,
      fog: false,
    });
    return new Points(this.cloud.geometry, faint);
  }

  set showsSurface(on: boolean) {
    if (this.sheet) this.sheet.visible = on;
    if (this.lines) this.lines.visible = on;
  }

  /** Show only a layer of the cloud, what lies below of the surface, and the line where it is cut. */
  slice(slice: Slice | null): void {
    const world = this.overlay.group.matrixWorld;
    const planes = slice ? layer(slice, 0.02 * this.size, world) : null;
    this.cloud.material.clippingPlanes = this.hidden.material.clippingPlanes = planes;
    const under = slice ? [below(slice, world)] : null;
    for (const part of [this.sheet, this.lines]) if (part) part.material.clippingPlanes = under;
    const { positions, ends } = slice ? cutLines(this.surface, slice) : { positions: [], ends: [] };
    this.cut.visible = positions.length > 0;
    if (this.cut.visible) setLines(this.cut, positions, this.paint(ends, 1.25));
  }

  dispose(): void {
    disposeTree(this.group);
  }

  /** Colours of ends, red, green and blue in linear light. */
  private paint(ends: ArrayLike<number>, gain = 1): Float32Array {
    const painted = new Float32Array(3 * ends.length);
    const none = new Color(0x4a545e);
    for (let i = 0; i < ends.length; i++) {
      const { r, g, b } = this.colors.get(ends[i]!) ?? none;
      painted.set([gain * r, gain * g, gain * b], 3 * i);
    }
    return painted;
  }

  /** The boundary; light from above tells its shape. */
  private makeSheet(): Mesh<BufferGeometry, MeshBasicMaterial> {
    const geometry = coloured(this.surface.points, this.paint(this.surface.ends));
    geometry.setIndex(new BufferAttribute(this.surface.triangles, 1));
    geometry.computeVertexNormals();
    const normals = geometry.getAttribute("normal") as BufferAttribute;
    const colors = geometry.getAttribute("color") as BufferAttribute;
    for (let i = 0; i < normals.count; i++) {
      const towards = new Vector3().fromBufferAttribute(normals, i).dot(LIGHT);
      const shade = DARKEST + (1 - DARKEST) * (0.5 + 0.5 * towards);
      for (let k = 0; k < 3; k++) colors.array[3 * i + k] = colors.array[3 * i + k]! * shade;
    }
    geometry.deleteAttribute("normal");
    const material = new MeshBasicMaterial({
      vertexColors: true,
      transparent: true,
      opacity: OPACITY,
      side: DoubleSide,
      forceSinglePass: true,
      depthWrite: false,
      toneMapped: false,
      fog: false,
    });
    const mesh = new Mesh(geometry, material);
    mesh.name = "workspace surface";
    mesh.raycast = () => {};
    return mesh;
  }

  private makeLines(): LineSegments2 {
    const { points, ends, lines } = this.surface;
    const positions: number[] = [];
    const kinds: number[] = [];
    for (const at of lines) {
      positions.push(points[3 * at]!, points[3 * at + 1]!, points[3 * at + 2]!);
      kinds.push(ends[at]!);
    }
    const made = lineSegments("workspace lines");
    setLines(made, positions, this.paint(kinds, 1.25));
    return made;
  }
}

/** Lines some pixels wide; `setLines` says which. */
export function lineSegments(name: string): LineSegments2 {
  const material = new LineMaterial({
    linewidth: WIDTH,
    vertexColors: true,
    toneMapped: false,
    fog: false,
  });
  const lines = new LineSegments2(new LineSegmentsGeometry(), material);
  lines.name = name;
  lines.frustumCulled = false;
  lines.raycast = () => {};
  return lines;
}

/** Other lines in the place of the old ones: x, y, z and a colour for both ends of each. */
export function setLines(
  lines: LineSegments2,
  positions: ArrayLike<number>,
  colors: Float32Array,
): void {
  lines.geometry.dispose();
  lines.geometry = new LineSegmentsGeometry();
  lines.geometry.setPositions(Float32Array.from(positions));
  lines.geometry.setColors(colors);
}

function coloured(points: Float32Array, colors: Float32Array): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(points, 3));
  geometry.setAttribute("color", new BufferAttribute(colors, 3));
  return geometry;
}
