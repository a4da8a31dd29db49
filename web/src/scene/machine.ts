/** The machine: one group a link, moved by the frames' poses. */

import { Box3, Group, Matrix4, Mesh, Vector3 } from "three";
import type { BufferGeometry, MeshStandardMaterial, Object3D } from "three";

import type { MachineInfo } from "../protocol/generated";
import { Outermost } from "./framing";
import { glassMaterial, splitGlass } from "./glass";
import { copyPoses } from "./poses";
import type { Shape } from "./seat";

export class Machine {
  /** Turns the simulation's axes upright. */
  readonly root = new Group();
  readonly links: Group[] = [];
  private readonly names = new Map<string, number>();
  private seatLink: { link: number; place: Vector3 } | null = null;
  private readonly inverse = new Matrix4();
  private readonly glass = glassMaterial();

  constructor(
    readonly info: MachineInfo,
    model: Object3D,
    private readonly paint: MeshStandardMaterial,
  ) {
    this.root.name = info.name;
    if (info.up_axis === "y") this.root.rotation.x = Math.PI / 2;
    info.links.forEach((name, i) => {
      const group = new Group();
      group.name = name;
      group.matrixAutoUpdate = false;
      this.root.add(group);
      this.links.push(group);
      this.names.set(name, i);
    });
    this.adopt(model, paint);
  }

  /** Hang the model's nodes below their links. */
  private adopt(model: Object3D, paint: MeshStandardMaterial): void {
    const nodes: Object3D[] = [];
    model.traverse((object) => {
      if (typeof object.userData.link === "number") nodes.push(object);
    });
    for (const node of nodes) {
      const index = node.userData.link as number;
      const link = this.links[index];
      if (!link) throw new Error(`geometry: node "${node.name}" belongs to no link (${index})`);
      const seat: unknown = node.userData.seat;
      if (Array.isArray(seat) && seat.length === 3 && seat.every((x) => typeof x === "number")) {
        this.seatLink = { link: index, place: new Vector3().fromArray(seat as number[]) };
      }
      node.removeFromParent();
      node.position.set(0, 0, 0);
      node.quaternion.identity();
      node.scale.set(1, 1, 1);
      link.add(node);
      node.traverse((part) => this.finish(part, paint));
      this.glaze(node);
    }
    if (nodes.length === 0) throw new Error("geometry: no node carries the number of a link");
  }

  private finish(part: Object3D, paint: MeshStandardMaterial): void {
    part.matrixAutoUpdate = false;
    part.updateMatrix();
    if (!(part instanceof Mesh)) return;
    part.material = paint;
    part.castShadow = true;
    part.receiveShadow = true;
    const geometry = part.geometry as BufferGeometry;
    if (!geometry.getAttribute("normal")) geometry.computeVertexNormals();
    for (const name of Object.keys(geometry.attributes)) {
      if (!["position", "normal", "color"].includes(name)) geometry.deleteAttribute(name);
    }
  }

  /** Give windows their own meshes. */
  private glaze(node: Object3D): void {
    const meshes: Mesh[] = [];
    node.traverse((part) => {
      if (part instanceof Mesh) meshes.push(part);
    });
    for (const mesh of meshes) {
      const glass = splitGlass(mesh.geometry as BufferGeometry);
      if (!glass) continue;
      const pane = new Mesh(glass, this.glass);
      pane.matrixAutoUpdate = false;
      mesh.add(pane);
    }
  }

  /** The link that stands for the whole machine. */
  get body(): Group {
    return this.links[0]!;
  }

  /** The group of a link; null if there is none of that name. */
  link(name: string): Group | null {
    return this.links[this.names.get(name) ?? -1] ?? null;
  }

  show(poses: Float32Array): boolean {
    return copyPoses(poses, this.links);
  }

  /** Pose of a link in the simulation's own axes: 16 numbers, column by column. */
  worldMatrix(name: string): number[] | null {
    const index = this.names.get(name);
    if (index === undefined) return null;
    this.root.updateWorldMatrix(true, true);
    this.inverse.copy(this.root.matrixWorld).invert();
    this.inverse.multiply(this.links[index]!.matrixWorld);
    return Array.from(this.inverse.elements);
  }

  /** Whether it is steel or glass of the machine, and no lamp, mirror or light that hangs on it. */
  private isOwn(part: Object3D): part is Mesh {
    return part instanceof Mesh && (part.material === this.paint || part.material === this.glass);
  }

  /** Shape as it stands now; every vertex counts, so that the floor touches the lowest one. */
  shape(): Shape {
    this.root.updateWorldMatrix(true, true);
    const whole = new Box3();
    const outline: Vector3[] = [];
    const body: number[] = [];
    const point = new Vector3();
    this.links.forEach((link, index) => {
      const outermost = new Outermost();
      link.traverse((part) => {
        if (!this.isOwn(part)) return;
        const position = (part.geometry as BufferGeometry).getAttribute("position");
        for (let i = 0; i < position.count; i++) {
          point.fromBufferAttribute(position, i).applyMatrix4(part.matrixWorld);
          whole.expandByPoint(point);
          outermost.add(point);
          if (index === 0) body.push(point.x, point.y, point.z);
        }
      });
      outline.push(...outermost.points);
    });
    if (whole.isEmpty()) {
      whole.set(new Vector3(-1, -1, 0), new Vector3(1, 1, 2));
      outline.push(whole.min.clone(), whole.max.clone());
    }
    const seat = this.seatLink;
    const given = seat?.place.clone().applyMatrix4(this.links[seat.link]!.matrixWorld) ?? null;
    return {
      machineClass: this.info.machine_class,
      whole,
      outline,
      body: new Float32Array(body),
      given,
    };
  }
}

/** Fetch a binary glTF file; `progress` gets the part that has come, in [0, 1]. */
export async function fetchModel(
  address: string,
  progress: (part: number) => void,
): Promise<Object3D> {
  let answer: Response;
  try {
    answer = await fetch(address);
  } catch {
    throw new Error(`The machine's geometry could not be fetched from ${address}.`);
  }
  if (!answer.ok) {
    throw new Error(`The machine's geometry could not be fetched: ${address} (${answer.status}).`);
  }
  const data = await readAll(answer, progress);
  const { GLTFLoader } = await import("three/examples/jsm/loaders/GLTFLoader.js");
  try {
    return (await new GLTFLoader().parseAsync(data, "")).scene;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`The machine's geometry could not be read: ${why}`);
  }
}

async function readAll(answer: Response, progress: (part: number) => void): Promise<ArrayBuffer> {
  const total = Number(answer.headers.get("content-length") ?? 0);
  if (!answer.body || total === 0) return answer.arrayBuffer();
  const chunks: Uint8Array[] = [];
  let count = 0;
  const reader = answer.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    count += value.length;
    progress(Math.min(1, count / total));
  }
  const data = new Uint8Array(count);
  let at = 0;
  for (const chunk of chunks) {
    data.set(chunk, at);
    at += chunk.length;
  }
  return data.buffer;
}
