/** A yard under the sky: ground, fence, lamp posts and a workshop beyond it. */

import {
  BackSide,
  BoxGeometry,
  BufferAttribute,
  Color,
  CylinderGeometry,
  DoubleSide,
  Group,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  SphereGeometry,
  Vector3,
} from "three";
import type { BufferGeometry, Material, Texture } from "three";

import { disposeTree } from "../dispose";
import { Parts, sheet, type Paint } from "../geometry";
import { painted } from "../materials";
import { Noise } from "../noise";
import type { Shape } from "../seat";
import type { Air, Made, Outlook, Surroundings } from "../surroundings";
import { spotTexture, wireTexture } from "../textures";
import type { Room } from "../tunnel/section";

const POST_SPACING = 2.5;
const BEYOND = 70;
const SKY = { high: new Color(0x5d7f9f), low: new Color(0xc3cdd2) };
const STEEL: Paint = [0.24, 0.26, 0.27];
const WALL: Paint = [0.32, 0.34, 0.35];
const GATE: Paint = [0.5, 0.2, 0.08];

const AIR: Air = {
  haze: 0xb9c4ca,
  density: 0.006,
  mirrored: 0.006,
  exposure: 0.95,
  above: 0.95,
  sky: { above: 0xcfe0f0, below: 0x6f6659, strength: 2.5 },
  sun: 1.6,
  lamps: 0.15,
};

export class Yard implements Surroundings {
  readonly group = new Group();
  readonly room: Room;
  readonly roadway = null;
  readonly origin: Vector3;
  readonly spot = spotTexture(64, 2.4);
  readonly air = AIR;
  readonly outlook: Outlook = {
    azimuth: -0.85,
    elevation: 0.2,
    distance: null,
    chaseEye: [-9, -2.6, 3.4],
    chaseAim: [5, 0, 1],
  };
  readonly walls: Mesh[] = [];
  private readonly wire = wireTexture(64);
  private readonly noise = new Noise(5);

  /** Measures as the scene's file has them [m]. */
  constructor(shape: Shape, made: Made, measures: Record<string, number>) {
    const long = measures.length ?? 60;
    const wide = measures.width ?? 44;
    this.room = { half: 0.5 * wide + 8, wall: 16, rise: 0, length: long + 16 };
    this.origin = new Vector3(0.5 * long + 8, 0, shape.whole.min.z);
    this.group.position.copy(this.origin);
    made.lamps.strength.value.set(0, 0);
    this.ground(made, long, wide);
    this.fence(made, long, wide, measures.fence ?? 2.4);
    this.buildings(made, long, wide);
    this.sky();
    this.group.updateMatrixWorld(true);
    this.group.traverse((object) => {
      object.matrixAutoUpdate = false;
      object.matrixWorldAutoUpdate = false;
    });
  }

  /** Middle of the yard in the room's own axes. */
  private get middle(): number {
    return -0.5 * this.room.length;
  }

  private ground(made: Made, long: number, wide: number): void {
    const gravel = painted(made.lamps, {
      map: made.muck.shade,
      normalMap: made.muck.normals,
      roughness: 0.97,
    });
    gravel.normalScale.set(0.9, 0.9);
    const size = 48;
    const reach = { x: 0.5 * long + BEYOND, y: 0.5 * wide + BEYOND };
    const ground = this.add(
      sheet(size, size, (i, j, v) => {
        v.x = this.middle + reach.x * (1 - (2 * j) / size);
        v.y = reach.y * ((2 * i) / size - 1);
        const out = Math.max(
          Math.abs(v.x - this.middle) - 0.5 * long,
          Math.abs(v.y) - 0.5 * wide,
          0,
        );
        const rise = Math.min(1, out / 40);
        v.z = -0.02 + rise * rise * (3 + 5 * (0.5 + this.rough(0.02 * v.x, 0.02 * v.y, 3)));
        [v.u, v.v] = [v.x / 3, v.y / 3];
        const grass = Math.min(1, out / 4) * (0.6 + 0.4 * this.rough(0.2 * v.x, 0.2 * v.y, 2));
        v.r = 0.52 + grass * (0.2 - 0.52);
        v.g = 0.49 + grass * (0.24 - 0.49);
        v.b = 0.44 + grass * (0.12 - 0.44);
      }),
      gravel,
    );
    ground.receiveShadow = true;
    this.walls.push(ground);
  }

  private fence(made: Made, long: number, wide: number, high: number): void {
    const steel = painted(made.lamps, { roughness: 0.6, metalness: 0.3 });
    const posts: Vector3[] = [];
    const rails = new Parts();
    const net: BufferGeometry[] = [];
    for (const side of [-1, 1]) {
      for (const [length, across, turned] of [
        [long, 0.5 * wide * side, false],
        [wide, 0.5 * long * side, true],
      ] as const) {
        const count = Math.round(length / POST_SPACING);
        for (let i = 0; i < count; i++) {
          const along = -0.5 * length + (length * i) / count;
          posts.push(new Vector3(turned ? across : along, turned ? along : across, 0));
        }
        const turn = new Matrix4().makeRotationZ(turned ? Math.PI / 2 : 0);
        const place = (z: number): Matrix4 =>
          new Matrix4()
            .makeTranslation(this.middle + (turned ? across : 0), turned ? 0 : across, z)
            .multiply(turn);
        for (const z of [high - 0.05, 0.15])
          rails.add(new BoxGeometry(length, 0.04, 0.04), STEEL, place(z));
        net.push(this.netting(length, high, place(0)));
      }
    }
    const bars = new InstancedMesh(
      new CylinderGeometry(0.035, 0.035, high + 0.1, 6).rotateX(Math.PI / 2),
      steel,
      posts.length,
    );
    bars.instanceColor = null;
    const paint = painted(made.lamps, { vertexColors: false, roughness: 0.6, metalness: 0.3 });
    paint.color.setRGB(...STEEL);
    bars.material = paint;
    posts.forEach((post, i) =>
      bars.setMatrixAt(i, new Matrix4().makeTranslation(this.middle + post.x, post.y, 0.5 * high)),
    );
    this.add(rails.build(), steel);
    this.group.add(bars);
    const mesh = painted(made.lamps, {
      map: this.wire,
      transparent: true,
      depthWrite: false,
      side: DoubleSide,
      roughness: 0.6,
    });
    for (const geometry of net) this.add(geometry, mesh);
  }

  private netting(long: number, high: number, place: Matrix4): BufferGeometry {
    const mesh = 0.16;
    const geometry = sheet(1, 1, (i, j, v) => {
      v.x = long * (j - 0.5);
      v.y = 0;
      v.z = high * i;
      [v.u, v.v] = [(long * j) / mesh, (high * i) / mesh];
      [v.r, v.g, v.b] = [0.42, 0.44, 0.45];
    });
    return geometry.applyMatrix4(place);
  }

  /** A workshop behind the fence, and masts with lamps at the corners. */
  private buildings(made: Made, long: number, wide: number): void {
    const parts = new Parts();
    const at = (x: number, y: number, z: number): Matrix4 =>
      new Matrix4().makeTranslation(this.middle + x, y, z);
    const back = -0.5 * long - 12;
    parts.add(new BoxGeometry(14, 34, 8), WALL, at(back, 2, 4));
    parts.add(new BoxGeometry(14.6, 34.6, 0.4), STEEL, at(back, 2, 8.2));
    for (const y of [-8, 2, 12])
      parts.add(new BoxGeometry(0.1, 6, 5.4), GATE, at(back + 7.02, y, 2.7));
    parts.add(new BoxGeometry(22, 9, 5.5), WALL, at(6, 0.5 * wide + 10, 2.75));
    parts.add(new BoxGeometry(22.5, 9.5, 0.3), STEEL, at(6, 0.5 * wide + 10, 5.6));
    for (const x of [-1, 1]) {
      for (const y of [-1, 1]) {
        const foot = [x * (0.5 * long - 1), y * (0.5 * wide - 1)] as const;
        const mast = new CylinderGeometry(0.09, 0.14, 10, 8).rotateX(Math.PI / 2);
        parts.add(mast, STEEL, at(...foot, 5));
        parts.add(new BoxGeometry(0.5, 1.6, 0.16), STEEL, at(foot[0] - 0.2 * x, foot[1], 10));
      }
    }
    const stone = painted(made.lamps, { roughness: 0.85 });
    this.add(parts.build(), stone).receiveShadow = true;
  }

  private sky(): void {
    const dome = new SphereGeometry(1, 24, 12);
    const position = dome.getAttribute("position");
    const colors = new Float32Array(3 * position.count);
    const color = new Color();
    for (let i = 0; i < position.count; i++) {
      const up = Math.max(0, position.getY(i));
      color.copy(SKY.low).lerp(SKY.high, Math.min(1, 1.6 * up));
      color.toArray(colors, 3 * i);
    }
    dome.setAttribute("color", new BufferAttribute(colors, 3));
    dome.rotateX(Math.PI / 2);
    dome.scale(85, 85, 85);
    dome.translate(this.middle, 0, -4);
    this.add(
      dome,
      new MeshBasicMaterial({ vertexColors: true, side: BackSide, fog: false, depthWrite: false }),
    ).renderOrder = -1;
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

  showOverhead(): void {}

  showSmall(): void {}

  showExtras(): void {}

  reflect(_map: Texture | null): void {}

  releaseTextures(): void {
    this.spot.dispose();
    this.wire.dispose();
  }

  dispose(): void {
    this.releaseTextures();
    disposeTree(this.group);
  }
}
