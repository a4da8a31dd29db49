import { Matrix4, Plane, Quaternion, Vector3 } from "three";
import { describe, expect, it } from "vitest";

import { factsOf, readCloud, readSurface, type Surface } from "../src/tools/workspace/facts";
import { profile } from "../src/tools/workspace/section";
import { below, cutLines, layer } from "../src/tools/workspace/slice";
import type { StudyStatus } from "../src/protocol/generated";

/** A tetrahedron with corners at the origin and at 1 on each axis. */
const tetrahedron: Surface = {
  points: new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]),
  ends: new Uint8Array([0, 1, 2, 3]),
  triangles: new Uint32Array([0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]),
  lines: new Uint32Array(0),
};

describe("files of a workspace", () => {
  it("are read as they are laid out", () => {
    const counts = { method: "faces", vertices: 3, triangles: 1, lines: 1 };
    const data = new ArrayBuffer(40 + 12 + 8);
    new Float32Array(data, 0, 9).set([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    new Uint8Array(data, 36, 3).set([5, 255, 0]);
    new Uint32Array(data, 40).set([0, 1, 2, 2, 0]);
    const surface = readSurface(data, counts);
    expect([...surface.points.slice(6)]).toEqual([7, 8, 9]);
    expect([...surface.ends]).toEqual([5, 255, 0]);
    expect([...surface.triangles]).toEqual([0, 1, 2]);
    expect([...surface.lines]).toEqual([2, 0]);
    expect([...readCloud(data, 3).ends]).toEqual([5, 255, 0]);
  });

  it("count only for the machine that they are of", () => {
    const told = { state: "done", facts: { machine: "door" } } as unknown as StudyStatus;
    expect(factsOf(told, "door")).toEqual({ machine: "door" });
    expect(factsOf(told, "lhd")).toBeNull();
    expect(factsOf({ ...told, state: "running" }, "door")).toBeNull();
    expect(factsOf(null, "door")).toBeNull();
  });
});

describe("slice", () => {
  it("cuts triangles in a closed line at its own height", () => {
    const { positions, ends } = cutLines(tetrahedron, { axis: 2, at: 0.25 });
    expect(positions).toHaveLength(3 * 2 * 3);
    expect(ends).toHaveLength(6);
    let length = 0;
    for (let i = 0; i < positions.length; i += 6) {
      const [a, b] = [0, 3].map((k) => new Vector3().fromArray(positions, i + k));
      expect(a!.z).toBeCloseTo(0.25);
      length += a!.distanceTo(b!);
    }
    expect(length).toBeCloseTo(0.75 * (2 + Math.SQRT2));
    expect(cutLines(tetrahedron, { axis: 2, at: 2 }).positions).toHaveLength(0);
  });

  it("keeps what lies below, and a layer about it, in turned axes too", () => {
    const world = new Matrix4().makeRotationX(Math.PI / 2); // y up to z up
    const inWorld = (x: number, y: number, z: number): Vector3 =>
      new Vector3(x, y, z).applyMatrix4(world);
    const kept = (planes: Plane[], point: Vector3): boolean =>
      planes.every((plane) => plane.distanceToPoint(point) >= 0);
    const slice = { axis: 1, at: 2 };
    expect(kept([below(slice, world)], inWorld(5, 1.9, -3))).toBe(true);
    expect(kept([below(slice, world)], inWorld(5, 2.1, -3))).toBe(false);
    const slab = layer(slice, 0.1, world);
    expect(kept(slab, inWorld(0, 2.05, 1))).toBe(true);
    expect(kept(slab, inWorld(0, 1.85, 1))).toBe(false);
    expect(kept(slab, inWorld(0, 2.15, 1))).toBe(false);
  });
});

describe("profile", () => {
  const roadway = {
    room: { half: 3, wall: 2, rise: 2.5, length: 50 },
    origin: new Vector3(7, 0.5, -0.2),
  };

  it("is the roadway's, some way before the face", () => {
    const { outline, origin, left, up } = profile(roadway, 1.5, new Quaternion());
    expect(origin).toEqual([5.5, 0.5, -0.2]);
    expect([left, up]).toEqual([
      [0, 1, 0],
      [0, 0, 1],
    ]);
    expect(outline[0]).toEqual([3, 0]);
    expect(Math.max(...outline.map(([, z]) => z))).toBeCloseTo(4.5, 2);
  });

  it("is given in the simulation's axes", () => {
    const turn = new Quaternion().setFromAxisAngle(new Vector3(1, 0, 0), Math.PI / 2);
    const { up, origin } = profile(roadway, 0, turn);
    expect(up.map((value) => Math.round(value * 1e9) / 1e9)).toEqual([0, 1, 0]);
    expect(new Vector3(...origin).applyQuaternion(turn).distanceTo(roadway.origin)).toBeLessThan(
      1e-9,
    );
  });
});
