/** Edges of the shapes that are touched: those of the machine's links, and those of things. */

import {
  EdgesGeometry,
  Group,
  LineBasicMaterial,
  LineSegments,
  Matrix4,
  Mesh,
  WireframeGeometry,
} from "three";
import type { BufferGeometry, Object3D } from "three";

import type { Machine } from "./machine";
import type { Things } from "./things";

const COLOR = "#7dffb0";
const CREASE = 25; // degrees between two faces from which their edge is drawn

/** Edges of a shape; of one that is round all over, those of its triangles. */
function edgesOf(geometry: BufferGeometry): BufferGeometry {
  const edges = new EdgesGeometry(geometry, CREASE);
  if (edges.getAttribute("position").count > 0) return edges;
  edges.dispose();
  return new WireframeGeometry(geometry);
}

export class TouchedShapes {
  private readonly lines: LineSegments[] = [];
  private readonly about = new Group();
  private readonly ofThings: { thing: number; lines: LineSegments }[] = [];
  private readonly matrix = new Matrix4();
  private readonly material = new LineBasicMaterial({
    color: COLOR,
    transparent: true,
    opacity: 0.85,
    depthTest: false,
    fog: false,
  });

  /** `model` has a node a link with the shapes of it; edges hang on the machine's links. */
  constructor(
    model: Object3D,
    machine: Machine,
    private readonly things: Things | null,
    graph: Object3D,
  ) {
    this.about.name = "touched";
    graph.add(this.about);
    model.updateMatrixWorld(true);
    model.traverse((node) => {
      const index: unknown = node.userData.link;
      const link = typeof index === "number" ? machine.links[index] : undefined;
      if (!link) return;
      node.traverse((part) => {
        if (part instanceof Mesh) link.add(this.edges(part.geometry as BufferGeometry));
      });
    });
    things?.eachShape((thing, geometry) => {
      const lines = this.edges(geometry);
      this.about.add(lines);
      this.ofThings.push({ thing, lines });
    });
    this.follow();
  }

  /** How many pieces are drawn. */
  get count(): number {
    return this.lines.length;
  }

  /** Let the edges of things go where these are. */
  follow(): void {
    for (const { thing, lines } of this.ofThings) {
      const found = this.things?.matrixOf(thing);
      if (!found) continue;
      lines.matrix.copy(this.matrix.fromArray(found));
      lines.matrixWorldNeedsUpdate = true;
    }
  }

  private edges(geometry: BufferGeometry): LineSegments {
    const lines = new LineSegments(edgesOf(geometry), this.material);
    lines.matrixAutoUpdate = false;
    lines.frustumCulled = false;
    lines.renderOrder = 9;
    lines.raycast = () => {};
    this.lines.push(lines);
    return lines;
  }

  dispose(): void {
    for (const lines of this.lines) {
      lines.removeFromParent();
      lines.geometry.dispose();
    }
    this.about.removeFromParent();
    this.material.dispose();
  }
}
