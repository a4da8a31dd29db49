/** A longwall face: floor, roof, coal, goaf, and the armoured face conveyor along the row. */

import {
  BoxGeometry,
  CylinderGeometry,
  DodecahedronGeometry,
  DoubleSide,
  Group,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  Quaternion,
  Vector3,
} from "three";
import type { BufferGeometry, Material, Texture } from "three";

import { disposeTree } from "../dispose";
import { Parts, sheet, type Paint } from "../geometry";
import { painted } from "../materials";
import { Noise, random } from "../noise";
import type { Shape } from "../seat";
import type { Air, Made, Outlook, Surroundings } from "../surroundings";
import { spotTexture } from "../textures";
import type { Room } from "../tunnel/section";

const BEHIND = 7.5;
const PAN = 1.75;
const LAMP_SPACING = 7;
const STEEL: Paint = [0.16, 0.15, 0.14];
const WORN: Paint = [0.34, 0.33, 0.31];
const RUST: Paint = [0.2, 0.13, 0.09];

const AIR: Air = {
  haze: 0x100f0d,
  density: 0.02,
  mirrored: 0.02,
  exposure: 1.25,
  above: 1.5,
  sky: { above: 0xffe6c8, below: 0x2e2a26, strength: 0.5 },
  sun: 1.3,
  lamps: 1,
};

export class Longwall implements Surroundings {
  readonly group = new Group();
  readonly room: Room;
  readonly roadway = null;
  readonly origin: Vector3;
  readonly spot = spotTexture(64, 2.4);
  readonly air = AIR;
  readonly outlook: Outlook = {
    azimuth: -1.26,
    elevation: 0.04,
    distance: 8.4,
    chaseEye: [2.6, -9, 1.7],
    chaseAim: [2.2, 4, 1.5],
  };
  readonly walls: Mesh[] = [];
  private readonly overhead = new Group();
  private readonly small: Mesh[] = [];
  private readonly noise = new Noise(23);

  /** Around a row of `row` machines; measures as the scene's file has them [m]. */
  constructor(shape: Shape, made: Made, measures: Record<string, number>, row: number) {
    const face = measures.face ?? 6.4;
    const conveyor = (measures.conveyor ?? 5.15) - face;
    const half = 0.5 * PAN * row + 7;
    this.room = { half, wall: measures.seam ?? 3.3, rise: 0, length: face + BEHIND };
    this.origin = new Vector3(face, 0, shape.whole.min.z);
    this.group.position.copy(this.origin);
    this.rock(made);
    this.goaf(made);
    this.steel(made, conveyor);
    this.lamps(made, conveyor - 0.72);
    this.group.add(this.overhead);
    this.group.updateMatrixWorld(true);
    this.group.traverse((object) => {
      object.matrixAutoUpdate = false;
      object.matrixWorldAutoUpdate = false;
    });
  }

  private rock(made: Made): void {
    const { half, wall, length } = this.room;
    const rows = Math.ceil(half);
    const along = (i: number): number => -half + (2 * half * i) / rows;
    const muck = painted(made.lamps, {
      map: made.muck.shade,
      normalMap: made.muck.normals,
      roughness: 0.95,
    });
    const floor = sheet(rows, 10, (i, j, v) => {
      v.y = along(i);
      v.x = -(length * j) / 10;
      v.z = -0.02 - 0.05 * Math.abs(this.rough(v.x, v.y, 3));
      [v.u, v.v] = [v.x / 2.4, v.y / 2.4];
      [v.r, v.g, v.b] = [0.3, 0.27, 0.24];
    });
    this.walls.push(this.add(floor, muck));
    const stone = painted(made.lamps, {
      map: made.rock.shade,
      normalMap: made.rock.normals,
      roughness: 0.95,
      side: DoubleSide,
    });
    stone.normalScale.set(1.2, 1.2);
    const roof = sheet(rows, 12, (i, j, v) => {
      v.y = along(i);
      v.x = -(length * (12 - j)) / 12;
      v.z = wall + 0.1 * this.rough(0.7 * v.x, 0.7 * v.y, 4) + 0.05;
      [v.u, v.v] = [v.x / 3, v.y / 3];
      [v.r, v.g, v.b] = [0.31, 0.28, 0.25];
    });
    const above = new Mesh(roof, stone);
    this.overhead.add(above);
    const coal = painted(made.lamps, {
      map: made.rock.shade,
      normalMap: made.rock.normals,
      roughness: 0.55,
      metalness: 0.1,
      side: DoubleSide,
    });
    coal.normalScale.set(1.6, 1.6);
    const seam = sheet(2 * rows, 10, (i, j, v) => {
      v.y = along(i / 2);
      v.z = -0.1 + ((wall + 0.3) * j) / 10;
      v.x = 0.16 * this.rough(0.9 * v.y, 1.6 * v.z, 5) - 0.1 * (1 - j / 10) ** 2;
      [v.u, v.v] = [v.y / 1.8, v.z / 1.8];
      const band = 0.75 + 0.35 * Math.sin(9 * v.z + 2 * this.rough(0.2 * v.y, v.z, 2));
      [v.r, v.g, v.b] = [0.055 * band, 0.055 * band, 0.06 * band];
    });
    this.walls.push(this.add(seam, coal), above);
    for (const surface of this.walls) surface.receiveShadow = true;
  }

  /** Broken roof behind the supports. */
  private goaf(made: Made): void {
    const { half, wall, length } = this.room;
    const next = random(31);
    const stone = painted(made.lamps, { vertexColors: false, roughness: 0.97, flatShading: true });
    stone.color.setRGB(0.26, 0.235, 0.21);
    const count = Math.min(1200, Math.round(5.5 * half));
    const rubble = new InstancedMesh(new DodecahedronGeometry(0.5, 0), stone, count);
    const matrix = new Matrix4();
    const turn = new Quaternion();
    for (let i = 0; i < count; i++) {
      const deep = next();
      const x = -length + 3.4 - 3 * deep + 0.5 * next();
      const z = (0.1 + 0.75 * deep) * wall * next() ** 0.6;
      turn.set(next() - 0.5, next() - 0.5, next() - 0.5, next() - 0.5).normalize();
      const size = 0.35 + 1.3 * next() * next() + 0.5 * deep;
      matrix.compose(
        new Vector3(x, half * (2 * next() - 1), z),
        turn,
        new Vector3(size, size * (0.6 + 0.6 * next()), size * (0.5 + 0.4 * next())),
      );
      rubble.setMatrixAt(i, matrix);
    }
    this.group.add(rubble);
    const rows = Math.ceil(half);
    const heap = painted(made.lamps, { map: made.rock.shade, roughness: 0.97, side: DoubleSide });
    this.add(
      sheet(rows, 8, (i, j, v) => {
        const t = j / 8;
        v.y = -half + (2 * half * i) / rows;
        v.x = -length + 3 * (1 - t) + 0.3 * this.rough(0.6 * v.y, 3 * t, 3);
        v.z = (wall + 0.4) * t + 0.3 * this.rough(0.5 * v.y + 9, 4 * t, 4) * (1 - t);
        [v.u, v.v] = [v.y / 2, (4 * t) / 2];
        [v.r, v.g, v.b] = [0.2, 0.18, 0.16];
      }),
      heap,
    );
  }

  /** Line pans with deck, side profiles, spill plate and rack; chain with flights; coal on it. */
  private steel(made: Made, x: number): void {
    const { half } = this.room;
    const steel = painted(made.lamps, { roughness: 0.5, metalness: 0.45 });
    const pan = new Parts();
    const box = (
      dx: number,
      dz: number,
      wide: number,
      long: number,
      high: number,
      paint: Paint,
      dy = 0,
    ): void => {
      pan.add(new BoxGeometry(wide, long, high), paint, new Matrix4().makeTranslation(dx, dy, dz));
    };
    const gap = PAN - 0.03;
    box(0, 0.16, 0.86, gap, 0.05, WORN);
    for (const side of [-1, 1]) {
      box(0.44 * side, 0.16, 0.06, gap, 0.3, STEEL);
      box(0.39 * side, 0.29, 0.12, gap, 0.05, WORN);
    }
    box(0.56, 0.07, 0.18, gap, 0.1, STEEL); // ramp towards the coal
    box(-0.52, 0.55, 0.04, gap, 0.75, RUST); // spill plate
    box(-0.66, 0.75, 0.24, gap, 0.03, RUST); // cable trough
    box(-0.77, 0.87, 0.03, gap, 0.25, RUST);
    box(-0.6, 0.36, 0.12, gap, 0.1, STEEL); // rack
    for (let tooth = 0; tooth < 5; tooth++)
      box(-0.6, 0.44, 0.06, 0.12, 0.08, WORN, (tooth - 2) * 0.35);
    const geometry = pan.build();
    const count = Math.ceil((2 * half) / PAN);
    const pans = new InstancedMesh(geometry, steel, count);
    const matrix = new Matrix4();
    for (let i = 0; i < count; i++) {
      pans.setMatrixAt(i, matrix.makeTranslation(x, -half + (i + 0.5) * PAN, 0));
    }
    pans.receiveShadow = true;
    const flight = new Parts()
      .add(new BoxGeometry(0.7, 0.07, 0.05), WORN, new Matrix4().makeTranslation(0, 0, 0.21))
      .add(
        new CylinderGeometry(0.022, 0.022, 0.92, 5),
        STEEL,
        new Matrix4().makeTranslation(-0.06, 0.46, 0.21),
      )
      .add(
        new CylinderGeometry(0.022, 0.022, 0.92, 5),
        STEEL,
        new Matrix4().makeTranslation(0.06, 0.46, 0.21),
      )
      .build();
    const flights = new InstancedMesh(flight, steel, Math.ceil((2 * half) / 0.92));
    for (let i = 0; i < flights.count; i++) {
      flights.setMatrixAt(i, matrix.makeTranslation(x, -half + 0.92 * i, 0));
    }
    this.group.add(pans, flights);
    this.small.push(flights);
    this.coal(made, x);
  }

  private coal(made: Made, x: number): void {
    const { half } = this.room;
    const next = random(47);
    const lump = painted(made.lamps, { vertexColors: false, roughness: 0.45, flatShading: true });
    lump.color.setRGB(0.05, 0.05, 0.055);
    const count = Math.min(900, Math.round(7 * half));
    const lumps = new InstancedMesh(new DodecahedronGeometry(0.12, 0), lump, count);
    const matrix = new Matrix4();
    const turn = new Quaternion();
    for (let i = 0; i < count; i++) {
      const swept = next() < 0.3;
      const place = new Vector3(
        swept ? x + 0.62 + 0.4 * next() : x + 0.62 * (next() - 0.5),
        half * (2 * next() - 1),
        swept ? 0.05 : 0.24,
      );
      turn.set(next() - 0.5, next() - 0.5, next() - 0.5, next() - 0.5).normalize();
      const size = 0.5 + 1.3 * next() * next();
      matrix.compose(place, turn, new Vector3(size, size, 0.8 * size));
      lumps.setMatrixAt(i, matrix);
    }
    this.group.add(lumps);
    this.small.push(lumps);
  }

  /** Lamps on the spill plate, every few metres. */
  private lamps(made: Made, x: number): void {
    const { half } = this.room;
    const z = 1.28;
    const count = Math.floor((2 * half - 2) / LAMP_SPACING);
    const first = -0.5 * LAMP_SPACING * (count - 1);
    made.lamps.turn.value = 1;
    made.lamps.place.value.set(
      first + this.origin.y,
      LAMP_SPACING,
      x + 0.15 + this.origin.x,
      z + 0.3 + this.origin.z,
    );
    made.lamps.strength.value.set(count, 6.5);
    const glass = new CylinderGeometry(0.06, 0.06, 0.5, 10);
    const shine = new MeshBasicMaterial({ color: 0xffffff, fog: false });
    shine.color.setRGB(7, 5.6, 3.6);
    const glows = new InstancedMesh(glass, shine, count);
    const post = new Parts()
      .add(new BoxGeometry(0.05, 0.06, 0.5), STEEL, new Matrix4().makeTranslation(0.13, 0, -0.25))
      .add(new BoxGeometry(0.2, 0.62, 0.03), STEEL, new Matrix4().makeTranslation(0.02, 0, 0.09))
      .build();
    const steel = painted(made.lamps, { roughness: 0.5, metalness: 0.4 });
    const posts = new InstancedMesh(post, steel, count);
    const matrix = new Matrix4();
    for (let i = 0; i < count; i++) {
      matrix.makeTranslation(x, first + i * LAMP_SPACING, z);
      glows.setMatrixAt(i, matrix);
      posts.setMatrixAt(i, matrix);
    }
    this.group.add(glows, posts);
    this.small.push(posts);
  }

  /** Noise of a surface. */
  private rough(x: number, y: number, octaves: number): number {
    return this.noise.layers(x, y, 0, octaves);
  }

  private add(geometry: BufferGeometry, material: Material): Mesh {
    const mesh = new Mesh(geometry, material);
    this.group.add(mesh);
    return mesh;
  }

  move(): void {}

  showOverhead(on: boolean): void {
    this.overhead.visible = on;
  }

  showSmall(on: boolean): void {
    for (const mesh of this.small) mesh.visible = on;
  }

  showExtras(): void {}

  reflect(_map: Texture | null): void {}

  releaseTextures(): void {
    this.spot.dispose();
  }

  dispose(): void {
    this.releaseTextures();
    disposeTree(this.group);
  }
}
