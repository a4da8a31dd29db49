import { Box3, InstancedMesh, Mesh, Object3D, Vector3 } from "three";
import type { BufferGeometry, Material } from "three";
import { describe, expect, it } from "vitest";

import type { SceneInfo } from "../src/protocol/generated";
import { Cameras } from "../src/scene/cameras";
import { lampRow } from "../src/scene/materials";
import { Noise } from "../src/scene/noise";
import { findSeat } from "../src/scene/seat";
import { surroundingsOf, type Surroundings } from "../src/scene/surroundings";
import { rockHeights, surfaceTextures } from "../src/scene/textures";
import { inside } from "../src/scene/tunnel/section";

const surface = surfaceTextures(rockHeights(new Noise(1), 16), 3);
const support = {
  machineClass: "support",
  whole: new Box3(new Vector3(-2.75, -0.85, 0), new Vector3(4.7, 0.85, 3.22)),
  body: new Float32Array([0, 0, 0]),
  given: null,
  outline: [new Vector3(-2.75, -0.85, 0), new Vector3(4.7, 0.85, 3.22)],
};

async function made(
  environment: string,
  surroundings: Record<string, number>,
  count = 1,
): Promise<{ place: Surroundings; lamps: ReturnType<typeof lampRow> }> {
  const lamps = lampRow();
  const units = Array.from({ length: count }, (_, n) => String(n));
  const scene = { environment, surroundings, stands: [{ units }] } as unknown as SceneInfo;
  const build = await surroundingsOf(scene);
  const with_ = { lamps, rock: surface, muck: surface, reflections: null };
  return { place: build(support, with_), lamps };
}

function drawn(place: Surroundings): { calls: number; triangles: number; finite: boolean } {
  let [calls, triangles, finite] = [0, 0, true];
  place.group.traverse((object) => {
    if (!(object instanceof Mesh)) return;
    calls++;
    const geometry = object.geometry as BufferGeometry;
    const position = geometry.getAttribute("position");
    finite &&= (position.array as Float32Array).every(Number.isFinite);
    const corners = geometry.getIndex()?.count ?? position.count;
    triangles += (corners / 3) * (object instanceof InstancedMesh ? object.count : 1);
    if (object instanceof InstancedMesh)
      finite &&= (object.instanceMatrix.array as Float32Array).every(Number.isFinite);
  });
  return { calls, triangles, finite };
}

describe("surroundings", () => {
  for (const [kind, measures, count] of [
    ["tunnel", {}, 1],
    ["longwall", { seam: 3.3, conveyor: 5.15, face: 6.4 }, 100],
    ["longwall", { seam: 2.1, conveyor: 4, face: 5 }, 1],
    ["yard", { length: 60, width: 44, fence: 2.4 }, 1],
  ] as const) {
    it(`${kind} of ${count}: few calls, few triangles, room for the machine`, async () => {
      const { place } = await made(kind, measures, count);
      const { calls, triangles, finite } = drawn(place);
      expect(calls).toBeLessThan(30);
      expect(triangles).toBeLessThan(110_000);
      expect(finite).toBe(true);
      const [x, y] = [1 - place.origin.x, -place.origin.y];
      expect(inside(place.room, x, y, 1.2, 0.4)).toBe(true);
      expect(place.origin.z).toBe(0);
      const freed = new Set<unknown>();
      place.group.traverse((object) => {
        if (!(object instanceof Mesh)) return;
        (object.geometry as BufferGeometry).addEventListener("dispose", () => freed.add(object));
        (object.material as Material).addEventListener("dispose", () => freed.add(object.material));
      });
      place.dispose();
      expect(freed.size).toBeGreaterThan(calls);
      expect(place.group.parent).toBeNull();
    });
  }

  it("hangs a longwall's lamps along the row, and leaves the yard without", async () => {
    const { lamps, place } = await made("longwall", { face: 6.4, conveyor: 5.15 }, 100);
    expect(lamps.turn.value).toBe(1);
    const [first, spacing, x] = lamps.place.value.toArray();
    const count = lamps.strength.value.x;
    expect(first! + 0.5 * spacing! * (count - 1)).toBeCloseTo(0);
    expect(first!).toBeGreaterThan(-place.room.half);
    expect(x!).toBeLessThan(5.15);
    const other = await made("yard", {});
    expect(other.lamps.strength.value.x).toBe(0);
    const tunnel = await made("tunnel", {});
    expect(tunnel.lamps.turn.value).toBe(0);
  });

  it("lets an eye along the row look at the support", async () => {
    const { place } = await made("longwall", {}, 100);
    const { azimuth, elevation } = place.outlook!;
    const distance = place.outlook!.distance!;
    const eye = new Vector3(
      2.5 - place.origin.x + distance * Math.cos(elevation) * Math.cos(azimuth),
      distance * Math.cos(elevation) * Math.sin(azimuth),
      1.48 + distance * Math.sin(elevation),
    );
    expect(inside(place.room, eye.x, eye.y, eye.z, 0.4)).toBe(true);
  });

  it("lets the first eye in a yard see the whole machine, small or large", async () => {
    for (const size of [0.4, 1, 3]) {
      const whole = new Box3(
        support.whole.min.clone().multiplyScalar(size),
        support.whole.max.clone().multiplyScalar(size),
      );
      const outline = [0, 1, 2, 3, 4, 5, 6, 7].map(
        (corner) =>
          new Vector3(
            corner & 1 ? whole.max.x : whole.min.x,
            corner & 2 ? whole.max.y : whole.min.y,
            corner & 4 ? whole.max.z : whole.min.z,
          ),
      );
      const { place } = await made("yard", {});
      const canvas = { style: {}, addEventListener: () => {} } as unknown as HTMLElement;
      const cameras = new Cameras(canvas, place.room, false);
      const shape = { ...support, whole, outline };
      cameras.settle(shape, new Object3D(), findSeat(shape), place);
      cameras.resize(836, 640);
      const lens = cameras.update(0);
      const seen = outline.map((corner) => corner.clone().project(lens));
      const across = Math.max(...seen.map(({ x, y }) => Math.max(Math.abs(x), Math.abs(y))));
      expect(across).toBeLessThan(1);
      expect(across).toBeGreaterThan(0.7);
    }
  });
});
