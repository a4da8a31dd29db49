/** Building meshes from numbers: grids, tubes along the roadway, and merged painted parts. */

import { BufferAttribute, BufferGeometry, Matrix3, Vector3 } from "three";
import type { Matrix4 } from "three";

/** Red, green, blue; linear light. */
export type Paint = readonly [number, number, number];

/** One vertex of a grid: place [m], texture place, paint, and wetness in [0, 1]. */
export interface Vertex {
  x: number;
  y: number;
  z: number;
  u: number;
  v: number;
  r: number;
  g: number;
  b: number;
  wet: number;
}

/**
 * A smooth sheet of rows x columns squares; `fill` sets vertex (i, j) of (rows + 1) x (columns + 1).
 *
 * Seen from the side on which i (first) and j (second) turn anticlockwise.
 */
export function sheet(
  rows: number,
  columns: number,
  fill: (i: number, j: number, vertex: Vertex) => void,
): BufferGeometry {
  const count = (rows + 1) * (columns + 1);
  const positions = new Float32Array(3 * count);
  const colors = new Float32Array(3 * count);
  const uvs = new Float32Array(2 * count);
  const wets = new Float32Array(count);
  const vertex: Vertex = { x: 0, y: 0, z: 0, u: 0, v: 0, r: 1, g: 1, b: 1, wet: 0 };
  let n = 0;
  for (let i = 0; i <= rows; i++) {
    for (let j = 0; j <= columns; j++, n++) {
      fill(i, j, vertex);
      positions.set([vertex.x, vertex.y, vertex.z], 3 * n);
      colors.set([vertex.r, vertex.g, vertex.b], 3 * n);
      uvs.set([vertex.u, vertex.v], 2 * n);
      wets[n] = vertex.wet;
    }
  }
  const index = new Uint32Array(6 * rows * columns);
  let k = 0;
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++, k += 6) {
      const a = i * (columns + 1) + j;
      const b = a + columns + 1;
      index.set([a, b, b + 1, a, b + 1, a + 1], k);
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(positions, 3));
  geometry.setAttribute("color", new BufferAttribute(colors, 3));
  geometry.setAttribute("uv", new BufferAttribute(uvs, 2));
  geometry.setAttribute("wet", new BufferAttribute(wets, 1));
  geometry.setIndex(new BufferAttribute(index, 1));
  geometry.computeVertexNormals();
  return geometry;
}

/** Middle and radius [m] of a ring. */
export interface Ring {
  x: number;
  y: number;
  z: number;
  r: number;
}

/** A tube along x whose `count` + 1 rings stand across the roadway; x grows from ring to ring. */
export function tube(
  count: number,
  sides: number,
  place: (i: number, ring: Ring) => void,
): BufferGeometry {
  const ring: Ring = { x: 0, y: 0, z: 0, r: 1 };
  let last = -1;
  return sheet(count, sides, (i, j, vertex) => {
    if (i !== last) place(i, ring);
    last = i;
    const angle = (2 * Math.PI * j) / sides;
    vertex.x = ring.x;
    vertex.y = ring.y + ring.r * Math.sin(angle);
    vertex.z = ring.z + ring.r * Math.cos(angle);
    vertex.u = ring.x;
    vertex.v = j / sides;
  });
}

/** Painted pieces that become one geometry, and so one draw call. */
export class Parts {
  private readonly positions: number[] = [];
  private readonly normals: number[] = [];
  private readonly colors: number[] = [];
  private readonly index: number[] = [];
  private readonly point = new Vector3();
  private readonly turn = new Matrix3();

  /** Add a copy of `piece`, moved by `matrix`; the piece itself is given back its memory. */
  add(piece: BufferGeometry, paint: Paint, matrix?: Matrix4): this {
    const base = this.positions.length / 3;
    const position = piece.getAttribute("position");
    const normal = piece.getAttribute("normal");
    if (matrix) this.turn.getNormalMatrix(matrix);
    for (let i = 0; i < position.count; i++) {
      this.point.fromBufferAttribute(position, i);
      if (matrix) this.point.applyMatrix4(matrix);
      this.positions.push(this.point.x, this.point.y, this.point.z);
      this.point.fromBufferAttribute(normal, i);
      if (matrix) this.point.applyMatrix3(this.turn).normalize();
      this.normals.push(this.point.x, this.point.y, this.point.z);
      this.colors.push(...paint);
    }
    const index = piece.getIndex();
    const count = index ? index.count : position.count;
    for (let i = 0; i < count; i++) this.index.push(base + (index ? index.getX(i) : i));
    piece.dispose();
    return this;
  }

  /** All that was added. */
  build(): BufferGeometry {
    const geometry = new BufferGeometry();
    const attribute = (from: number[]): BufferAttribute =>
      new BufferAttribute(new Float32Array(from), 3);
    geometry.setAttribute("position", attribute(this.positions));
    geometry.setAttribute("normal", attribute(this.normals));
    geometry.setAttribute("color", attribute(this.colors));
    geometry.setIndex(this.index);
    return geometry;
  }
}
