/** Giving memory back. */

import { InstancedMesh, Mesh, Points } from "three";
import type { Material, Object3D } from "three";

/**
 * Free geometries and materials of everything below `root`, and unhook it.
 *
 * Textures are shared between materials: whoever made one frees it.
 */
export function disposeTree(root: Object3D): void {
  releaseTree(root);
  root.removeFromParent();
}

/** Free what the graphics card holds of everything below `root`; drawing it takes it anew. */
export function releaseTree(root: Object3D): void {
  root.traverse((object) => {
    if (object instanceof Mesh || object instanceof Points) {
      object.geometry.dispose();
      const materials = Array.isArray(object.material) ? object.material : [object.material];
      for (const material of materials as Material[]) material.dispose();
    }
    if (object instanceof InstancedMesh) object.dispose();
  });
}
