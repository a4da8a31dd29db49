/** The roadway and what is in it, around a machine. */

import { DoubleSide, Group, Mesh, Vector3 } from "three";
import type {
  Box3,
  BufferGeometry,
  DataTexture,
  InstancedMesh,
  Material,
  MeshStandardMaterial,
  Texture,
} from "three";

import { disposeTree } from "../dispose";
import { TUNNEL_AIR, type Made, type Surroundings } from "../surroundings";
import { Dust } from "../dust";
import { Parts } from "../geometry";
import { addHousings, glasses, halos, lampPlaces, lightRow, shafts } from "../lamps";
import { painted, wettable } from "../materials";
import { Noise } from "../noise";
import type { Shape } from "../seat";
import { spotTexture, wireTexture } from "../textures";
import { addStruts, arches, bolts } from "./arches";
import { addBeltFrame, beltGeometry, type BeltPlace } from "./belt";
import { addHangers, ductGeometry } from "./duct";
import { faceGeometry, faceTexture } from "./face";
import { floorGeometry, type Footprint } from "./floor";
import { rubble } from "./rubble";
import { height, roomAround, type Room } from "./section";
import { addCables, addPipe } from "./services";
import { shellGeometry, wireGeometry } from "./shell";

const LAMP_STRENGTH = 8.5;
/**
 * From the machine's foremost point to the face: by its length and height [m], and no more than `most`
 * unless the machine is larger than usual.
 */
const AHEAD = { long: 0.5, high: 1.9, least: 3, most: 6, tall: 6, lengthy: 14, larger: 0.8 };

/** How far the face is ahead of a machine, so that one can stand before it and see all of it [m]. */
export function aheadOf({ min, max }: Box3): number {
  const [long, high] = [max.x - min.x, max.z - min.z];
  if (long > AHEAD.lengthy || high > AHEAD.tall)
    return Math.max(AHEAD.most, AHEAD.larger * long, AHEAD.high * high);
  const wanted = Math.max(AHEAD.long * long, AHEAD.high * high);
  return Math.min(AHEAD.most, Math.max(AHEAD.least, wanted));
}

/** Everything around the machine; `overhead` is what a view from above leaves out. */
export class Tunnel implements Surroundings {
  readonly air = TUNNEL_AIR;
  readonly outlook = null;
  readonly group = new Group();
  readonly room: Room;
  readonly roadway: Room;
  /** Place of the room's own axes in the world: the middle of the face's foot. */
  readonly origin: Vector3;
  readonly dust: Dust;
  /** Rock and floor, which can be pointed at. */
  readonly walls: Mesh[] = [];
  /** A round spot that fades, for whatever glows. */
  readonly spot = spotTexture(64, 2.4);
  private readonly wire = wireTexture(64);
  private readonly strata: DataTexture;
  private readonly ruggedness: Texture;
  private readonly overhead = new Group();
  private readonly small: Mesh[] = [];
  private readonly extras: (Mesh | Dust["points"])[] = [];
  private readonly ground: MeshStandardMaterial;

  constructor(shape: Shape, made: Made, seed = 11) {
    const { whole } = shape;
    this.room = this.roadway = roomAround(whole);
    const middle = 0.5 * (whole.min.y + whole.max.y);
    const ahead = aheadOf(whole);
    this.origin = new Vector3(whole.max.x + ahead, middle, whole.min.z);
    this.group.position.copy(this.origin);
    const noise = new Noise(seed);
    const print: Footprint = {
      back: whole.min.x - this.origin.x,
      front: whole.max.x - this.origin.x - 2.2,
      half: Math.max(0.6, 0.5 * (whole.max.y - whole.min.y)),
    };
    this.strata = faceTexture(this.room, noise, made.rock.shade.image.width >= 512 ? 256 : 160);
    this.ruggedness = made.rock.normals.clone();
    this.ruggedness.repeat.set(3, 2);
    this.ground = this.rock(noise, print, made);
    this.steel(shape, noise, made, print);
    this.dust = this.glow(shape, made);
    this.group.add(this.overhead);
    this.group.updateMatrixWorld(true);
    this.group.traverse((object) => {
      object.matrixAutoUpdate = false;
      object.matrixWorldAutoUpdate = false;
    });
  }

  private rock(noise: Noise, print: Footprint, made: Made): MeshStandardMaterial {
    const { room } = this;
    const { shade, normals } = made.rock;
    const wall = painted(made.lamps, { map: shade, normalMap: normals, roughness: 0.93 });
    wall.normalScale.set(1.1, 1.1);
    this.walls.push(this.add(shellGeometry(room, noise, 1), wall));
    const cut = painted(made.lamps, {
      vertexColors: false,
      map: this.strata,
      normalMap: this.ruggedness,
      roughness: 0.82,
    });
    cut.normalScale.set(1.2, 1.2);
    this.walls.push(this.add(faceGeometry(room, noise, 1), cut));
    const ground = wettable(made.lamps, {
      map: made.muck.shade,
      normalMap: made.muck.normals,
      roughness: 0.95,
    });
    ground.normalScale.set(1.3, 1.3);
    ground.envMap = made.reflections;
    ground.envMapIntensity = 0.75;
    this.walls.push(this.add(floorGeometry(room, print, noise, 1), ground));
    for (const surface of this.walls) surface.receiveShadow = true;
    const stone = painted(made.lamps, {
      vertexColors: false,
      roughness: 0.95,
      flatShading: true,
    });
    const stones = rubble(room, print, noise, stone, 240);
    stones.receiveShadow = true;
    this.group.add(stones);
    this.small.push(stones);
    return ground;
  }

  private steel(shape: Shape, noise: Noise, made: Made, print: Footprint): void {
    const { room } = this;
    const steel = painted(made.lamps, { roughness: 0.55, metalness: 0.35, side: DoubleSide });
    const cloth = painted(made.lamps, {
      normalMap: made.rock.normals,
      roughness: 0.72,
      side: DoubleSide,
    });
    cloth.normalScale.set(0.5, 0.5);
    const wires = painted(made.lamps, {
      map: this.wire,
      transparent: true,
      depthWrite: false,
      side: DoubleSide,
      roughness: 0.6,
      metalness: 0.4,
    });
    const held = arches(room, steel);
    held.receiveShadow = true;
    const high = new Parts();
    addStruts(high, room);
    addHangers(high, room);
    addHousings(high, room, lampPlaces(room));
    const low = new Parts();
    addCables(low, room);
    addPipe(low, room);
    const belt = beltPlace(room, shape, print);
    addBeltFrame(low, room, belt);
    const anchors = bolts(room, noise, steel);
    this.overhead.add(held, anchors, new Mesh(high.build(), steel));
    this.small.push(anchors);
    this.overhead.add(new Mesh(ductGeometry(room, noise), cloth));
    this.add(low.build(), steel);
    const load = painted(made.lamps, {
      map: made.muck.shade,
      normalMap: made.muck.normals,
      roughness: 0.9,
      side: DoubleSide,
    });
    this.add(beltGeometry(room, belt, noise), load);
    const net = new Mesh(wireGeometry(room), wires);
    this.overhead.add(net);
    this.extras.push(net);
  }

  private glow(shape: Shape, made: Made): Dust {
    const { room } = this;
    const lamps = lampPlaces(room);
    lightRow(
      made.lamps,
      lamps,
      this.origin,
      LAMP_STRENGTH * Math.max(1, room.half / 3.6, height(room) / 7) ** 1.5,
    );
    const beams = shafts(room, lamps);
    this.overhead.add(glasses(lamps), halos(lamps, this.spot), beams);
    const air = shape.whole.clone().translate(this.origin.clone().negate());
    air.expandByVector(new Vector3(2, 1.6, 0));
    air.max.z += 1.4;
    const dust = new Dust(air, 900, this.spot);
    this.group.add(dust.points);
    this.extras.push(beams, dust.points);
    return dust;
  }

  /** Let motes drift; time [s] and the picture's height [pixels]. */
  move(time: number, pixels: number): void {
    this.dust.move(time, pixels);
  }

  /** Leave out what hangs above, for a view from above. */
  showOverhead(on: boolean): void {
    this.overhead.visible = on;
  }

  /** What wet ground reflects; null for nothing. */
  reflect(map: Texture | null): void {
    if (this.ground.envMap === map) return;
    this.ground.envMap = map;
    this.ground.needsUpdate = true;
  }

  /** Leave out small things, in the small pictures of mirrors. */
  showSmall(on: boolean): void {
    for (const mesh of this.small) mesh.visible = on;
  }

  showExtras(on: boolean): void {
    for (const extra of this.extras) extra.visible = on;
  }

  private add(geometry: BufferGeometry, material: Material): Mesh | InstancedMesh {
    const mesh = new Mesh(geometry, material);
    this.group.add(mesh);
    return mesh;
  }

  /** Shared rock textures and reflections are the caller's. */
  dispose(): void {
    this.releaseTextures();
    disposeTree(this.group);
  }

  /** Free the graphics card's copies; drawing takes them anew. */
  releaseTextures(): void {
    this.spot.dispose();
    this.wire.dispose();
    this.strata.dispose();
    this.ruggedness.dispose();
  }
}

/** Behind the discharge of a roadheader; along the right wall behind other machines. */
function beltPlace(room: Room, shape: Shape, print: Footprint): BeltPlace {
  const half = 0.42;
  if (shape.machineClass === "roadheader") return { front: print.back + 1.3, y: 0, z: 0.62, half };
  return { front: print.back - 3, y: -room.half + 1.05, z: 0.7, half };
}
