import { Box3, InstancedMesh, Mesh, Points, Vector3 } from "three";
import type { BufferGeometry, Material } from "three";
import { describe, expect, it } from "vitest";

import { lampRow } from "../src/scene/materials";
import { Noise } from "../src/scene/noise";
import { rockHeights, surfaceTextures } from "../src/scene/textures";
import { Tunnel } from "../src/scene/tunnel/build";
import { floorGeometry } from "../src/scene/tunnel/floor";
import { shellGeometry } from "../src/scene/tunnel/shell";

const surface = surfaceTextures(rockHeights(new Noise(1), 16), 3);
const made = { lamps: lampRow(), rock: surface, muck: surface, reflections: null };
const shape = (machineClass: string, size: [number, number, number]) => ({
  machineClass,
  whole: new Box3(
    new Vector3(-3, -size[1] / 2, 0.4),
    new Vector3(size[0] - 3, size[1] / 2, size[2]),
  ),
  body: new Float32Array([0, 0, 0]),
  outline: [],
  given: null,
});

function drawn(tunnel: Tunnel): { calls: number; triangles: number; finite: boolean } {
  let calls = 0;
  let triangles = 0;
  let finite = true;
  tunnel.group.traverse((object) => {
    if (object instanceof Points) calls++;
    if (!(object instanceof Mesh)) return;
    calls++;
    const geometry = object.geometry as BufferGeometry;
    const position = geometry.getAttribute("position");
    finite &&= (position.array as Float32Array).every(Number.isFinite);
    const corners = geometry.getIndex()?.count ?? position.count;
    triangles += (corners / 3) * (object instanceof InstancedMesh ? object.count : 1);
  });
  return { calls, triangles, finite };
}

/** Mean of a normal over the vertices that `take` chooses. */
function meanNormal(geometry: BufferGeometry, take: (point: Vector3) => boolean): Vector3 {
  const position = geometry.getAttribute("position");
  const normal = geometry.getAttribute("normal");
  const sum = new Vector3();
  const point = new Vector3();
  for (let i = 0; i < position.count; i++) {
    point.fromBufferAttribute(position, i);
    if (take(point)) sum.add(new Vector3().fromBufferAttribute(normal, i));
  }
  return sum.normalize();
}

describe("tunnel", () => {
  for (const [name, size] of [
    ["roadheader", [11.7, 3, 2.6]],
    ["support", [7.5, 1.6, 3.2]],
    ["shearer", [2.9, 12, 3.1]],
    ["model", [1, 0.5, 1]],
  ] as [string, [number, number, number]][]) {
    it(`around a ${name}: few calls, few triangles, sound numbers`, () => {
      const tunnel = new Tunnel(shape(name, size), made);
      const { calls, triangles, finite } = drawn(tunnel);
      expect(finite).toBe(true);
      expect(calls).toBeLessThanOrEqual(20);
      expect(triangles).toBeLessThan(110_000);
      expect(tunnel.origin.z).toBeCloseTo(0.4, 9);
      tunnel.dispose();
    });
  }

  it("frees all that it made, but not the shared textures", () => {
    const tunnel = new Tunnel(shape("roadheader", [11.7, 3, 2.6]), made);
    const alive = new Set<BufferGeometry | Material>();
    tunnel.group.traverse((object) => {
      if (!(object instanceof Mesh) && !(object instanceof Points)) return;
      for (const thing of [object.geometry as BufferGeometry, object.material as Material]) {
        alive.add(thing);
        thing.addEventListener("dispose", () => alive.delete(thing));
      }
    });
    let shared = 0;
    surface.shade.addEventListener("dispose", () => shared++);
    expect(alive.size).toBeGreaterThan(20);
    tunnel.dispose();
    expect(alive.size).toBe(0);
    expect(shared).toBe(0);
  });

  it("is the same every time", () => {
    const { room } = new Tunnel(shape("roadheader", [11.7, 3, 2.6]), made);
    const first = shellGeometry(room, new Noise(2), 0.3).getAttribute("position").array;
    const again = shellGeometry(room, new Noise(2), 0.3).getAttribute("position").array;
    expect(again).toEqual(first);
  });

  it("is seen from inside", () => {
    const { room } = new Tunnel(shape("roadheader", [11.7, 3, 2.6]), made);
    const shell = shellGeometry(room, new Noise(2), 0.5);
    expect(meanNormal(shell, (p) => p.y > room.half && p.z < 1).y).toBeLessThan(-0.7);
    expect(meanNormal(shell, (p) => p.z > 1.01 * (room.wall + room.rise)).z).toBeLessThan(-0.7);
    const print = { back: -12, front: -3, half: 1.5 };
    expect(meanNormal(floorGeometry(room, print, new Noise(2), 0.5), () => true).z).toBeGreaterThan(
      0.9,
    );
  });
});
