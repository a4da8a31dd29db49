/** Windows: triangles whose paint can be seen through. */

import { BufferAttribute, BufferGeometry, MeshStandardMaterial } from "three";

const OPAQUE = 0.99;
/** Panes are shown clearer than their paint says, since one looks through them from the seat. */
const CLEAR = 0.4;

/**
 * Move the triangles that can be seen through (alpha of their first corner) to a geometry of their
 * own, which shares the vertices; null if there are none.
 */
export function splitGlass(geometry: BufferGeometry): BufferGeometry | null {
  const color = geometry.getAttribute("color");
  if (!color || color.itemSize < 4) return null;
  const index = geometry.getIndex();
  const count = index ? index.count : geometry.getAttribute("position").count;
  const solid: number[] = [];
  const clear: number[] = [];
  for (let i = 0; i < count; i += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => (index ? index.getX(i + k) : i + k));
    (color.getW(a!) < OPAQUE ? clear : solid).push(a!, b!, c!);
  }
  if (clear.length === 0) return null;
  const glass = new BufferGeometry();
  for (const [name, attribute] of Object.entries(geometry.attributes)) {
    glass.setAttribute(name, attribute);
  }
  glass.setIndex(new BufferAttribute(new Uint32Array(clear), 1));
  geometry.setIndex(new BufferAttribute(new Uint32Array(solid), 1));
  return glass;
}

export function glassMaterial(): MeshStandardMaterial {
  return new MeshStandardMaterial({
    vertexColors: true,
    transparent: true,
    opacity: CLEAR,
    depthWrite: false,
    roughness: 0.12,
  });
}
