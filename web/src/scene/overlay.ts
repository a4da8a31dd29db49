/** What tools add to the picture: their own things, lit links, ghosts; and what is pointed at. */

import { Box3, Group, Mesh, MeshBasicMaterial, Raycaster, Vector2, Vector3 } from "three";
import type { BufferGeometry, Camera, ColorRepresentation, Intersection, Object3D } from "three";

import { Ghost } from "./ghost";
import type { Machine } from "./machine";
import { scaleFor } from "./orbit";
import type { Surroundings } from "./surroundings";

/** A point of the machine, or of what is around it, under the pointer. */
export interface Picked {
  /** Empty for a point of the surroundings. */
  link: string;
  /** In the simulation's axes [m]. */
  point: [number, number, number];
}

/** Steel and rock take shadows; lamps' glow, panes and mirrors do not. */
function isSolid(part: Object3D): boolean {
  return part.receiveShadow;
}

export class Overlay {
  /** Holds what tools add, in the simulation's own axes [m]. */
  readonly group = new Group();
  /** The camera of the last picture. */
  lens: Camera;
  /** How large marks are drawn, of their usual size: 1, or less on a small machine. */
  scale = 1;
  /** A tool drags something: the orbit rests. */
  busy = false;
  /** Called before each picture. */
  readonly drawing = new Set<() => void>();
  /** Null before there are any. */
  surroundings: Pick<Surroundings, "walls" | "roadway" | "origin"> | null = null;

  private machine: Machine | null = null;
  private readonly lit = new Map<string, { meshes: Mesh[]; material: MeshBasicMaterial }>();
  private readonly ray = new Raycaster();
  private readonly place = new Vector2();

  constructor(
    readonly canvas: HTMLCanvasElement,
    lens: Camera,
  ) {
    this.lens = lens;
    this.group.name = "overlay";
  }

  /** Another machine, or none; whatever was lit is gone with the old one. */
  follow(machine: Machine | null): void {
    this.light({});
    this.machine = machine;
    const size = machine && new Box3().setFromObject(machine.root).getSize(new Vector3());
    this.scale = size ? scaleFor(Math.max(size.x, size.y, size.z)) : 1;
    if (machine) this.group.rotation.copy(machine.root.rotation);
  }

  /** A picture is about to be drawn; the machine stands, what tools add may still move. */
  draw(lens: Camera): void {
    this.lens = lens;
    if (this.drawing.size === 0) return;
    for (const each of this.drawing) each();
    this.group.parent?.updateMatrixWorld();
  }

  /** The machine's part at a place of the window [px]. */
  pick(x: number, y: number): Picked | null {
    return this.machine && this.picked(this.cast(x, y, this.machine.links, isSolid));
  }

  /** The machine's part, or the place on floor, walls or face, at a place of the window [px]. */
  point(x: number, y: number): Picked | null {
    const { machine, surroundings } = this;
    if (!machine) return null;
    const objects = [...machine.links, ...(surroundings?.walls ?? [])];
    return this.picked(this.cast(x, y, objects, isSolid));
  }

  /** The nearest of some things at a place of the window [px], or of those of their parts wanted. */
  cast(
    x: number,
    y: number,
    objects: readonly Object3D[],
    wanted: (part: Object3D) => boolean = () => true,
  ): Intersection | null {
    const hits = this.rayAt(x, y).intersectObjects([...objects], true);
    return hits.find(({ object }) => wanted(object)) ?? null;
  }

  /** The ray through a place of the window [px]. */
  rayAt(x: number, y: number): Raycaster {
    const box = this.canvas.getBoundingClientRect();
    this.place.set(
      (2 * (x - box.left)) / Math.max(1, box.width) - 1,
      1 - (2 * (y - box.top)) / Math.max(1, box.height),
    );
    this.ray.setFromCamera(this.place, this.lens);
    return this.ray;
  }

  /** The upright box around a link as it stands [m]; null if there is no such link. */
  box(link: string): Box3 | null {
    const found = this.machine?.link(link);
    return found ? new Box3().setFromObject(found, true) : null;
  }

  private picked(hit: Intersection | null): Picked | null {
    const { machine } = this;
    if (!hit || !machine) return null;
    let at: Object3D | null = hit.object;
    while (at && at.parent !== machine.root) at = at.parent;
    const point = machine.root.worldToLocal(new Vector3().copy(hit.point));
    return { link: at?.name ?? "", point: point.toArray() };
  }

  /** Light up links by name, each in a colour; those that are not named go dark. */
  light(colors: Readonly<Record<string, ColorRepresentation>>): void {
    for (const [name, { meshes, material }] of this.lit) {
      if (Object.hasOwn(colors, name)) continue;
      for (const mesh of meshes) mesh.removeFromParent();
      material.dispose();
      this.lit.delete(name);
    }
    for (const [name, color] of Object.entries(colors)) {
      const before = this.lit.get(name);
      if (before) before.material.color.set(color);
      else this.addLight(name, color);
    }
  }

  /** Names of the links that are lit. */
  get lights(): string[] {
    return [...this.lit.keys()];
  }

  /** A see-through copy of some links, or of the whole machine; the tool disposes of it. */
  ghost(color: ColorRepresentation, links?: readonly string[]): Ghost | null {
    if (!this.machine) return null;
    const ghost = new Ghost(this.machine, color, links);
    this.group.add(ghost.group);
    return ghost;
  }

  private addLight(name: string, color: ColorRepresentation): void {
    const link = this.machine?.link(name);
    if (!link) return;
    const material = new MeshBasicMaterial({
      color,
      transparent: true,
      opacity: 0.5,
      depthWrite: false,
      polygonOffset: true,
      polygonOffsetFactor: -1,
      polygonOffsetUnits: -1,
      fog: false,
    });
    const parts: Mesh[] = [];
    link.traverse((part) => {
      if (part instanceof Mesh) parts.push(part);
    });
    const meshes = parts.map((part) => {
      const mesh = new Mesh(part.geometry as BufferGeometry, material);
      mesh.matrixAutoUpdate = false;
      mesh.raycast = () => {};
      part.add(mesh);
      return mesh;
    });
    this.lit.set(name, { meshes, material });
  }
}
