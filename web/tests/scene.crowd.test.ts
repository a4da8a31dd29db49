import {
  BoxGeometry,
  Group,
  InstancedMesh,
  Mesh,
  MeshBasicMaterial,
  PerspectiveCamera,
  Raycaster,
  Vector2,
} from "three";
import { describe, expect, it } from "vitest";

import type { StandInfo } from "../src/protocol/generated";
import { Crowd, partsOf } from "../src/scene/crowd";

const stand = (count: number, first = 0, up: "z" | "y" = "z"): StandInfo => ({
  name: "support",
  machine: {
    name: "post",
    machine_class: "support",
    up_axis: up,
    links: ["base", "left", "right"],
    root: "",
    end_effector: "",
    cylinders: [],
    groups: [],
    motors: [],
    joints: [],
  },
  geometry: "",
  near: "",
  units: Array.from({ length: count }, (_, n) => String(n + 1)),
  first,
});

/** A base and two equal legs. */
function model(): Group {
  const scene = new Group();
  for (const [link, size] of [
    [0, 1],
    [1, 0.2],
    [2, 0.2],
  ] as const) {
    const mesh = new Mesh(new BoxGeometry(size, size, 1));
    mesh.userData.link = link;
    scene.add(mesh);
  }
  return scene;
}

/** Poses of a unit at x. */
const at = (x: number): Float32Array =>
  new Float32Array([x, 0, 0, 1, 0, 0, 0, x, 0.4, 1, 1, 0, 0, 0, x, -0.4, 1, 1, 0, 0, 0]);

function eye(x: number, y: number): PerspectiveCamera {
  const camera = new PerspectiveCamera(60, 1, 0.1, 200);
  camera.up.set(0, 0, 1);
  camera.position.set(x, y, 0.5);
  camera.lookAt(x, 0, 0.5);
  camera.updateMatrixWorld();
  return camera;
}

const meshes = (crowd: Crowd): InstancedMesh[] => crowd.root.children as InstancedMesh[];
const drawn = (crowd: Crowd): number[] => meshes(crowd).map(({ count }) => count);

describe("crowd", () => {
  it("draws links of equal shape together", () => {
    expect(partsOf(model(), 3).map(({ links }) => links)).toEqual([[0], [1, 2]]);
  });

  it("draws units that are known, but not the driven one", () => {
    const crowd = new Crowd(stand(5, 10), model(), null, new MeshBasicMaterial());
    expect(crowd.show(9, at(0))).toBe(false);
    expect(crowd.show(15, at(0))).toBe(false);
    expect(crowd.show(10, at(0).slice(1))).toBe(false);
    for (const unit of [10, 11, 14]) expect(crowd.show(unit, at(2 * unit))).toBe(true);
    crowd.mark(new Set([11]), 11);
    crowd.draw(eye(22, -6), 100);
    expect(drawn(crowd)).toEqual([2, 4]);
    expect(crowd.worldMatrix(14, "right")!.slice(12)).toEqual([28, Math.fround(-0.4), 1, 1]);
    expect(crowd.worldMatrix(11, "base")).toBeNull();
    expect(crowd.worldMatrix(12, "base")).toBeNull();
    crowd.mark(new Set([11]), 14);
    crowd.draw(eye(22, -6), 100);
    expect(crowd.worldMatrix(11, "base")!.slice(12)).toEqual([22, 0, 0, 1]);
  });

  it("leaves out who is too far or behind, and gives the nearest their full shape", () => {
    const crowd = new Crowd(stand(20), model(), model(), new MeshBasicMaterial());
    for (let n = 0; n < 20; n++) crowd.show(n, at(10 * n));
    crowd.draw(eye(30, -6), 45);
    expect(drawn(crowd)).toEqual([6, 12, 2, 4]); // 0 to 7, of which two are near
    const turned = eye(30, -6);
    turned.lookAt(200, -6, 0.5);
    turned.updateMatrixWorld();
    crowd.draw(turned, 45);
    expect(drawn(crowd)).toEqual([3, 6, 2, 4]); // 3 to 7
  });

  it("leaves a link where it was if its pose is not finite", () => {
    const crowd = new Crowd(stand(1), model(), null, new MeshBasicMaterial());
    crowd.show(0, at(1));
    const broken = at(2);
    broken[7] = NaN;
    crowd.show(0, broken);
    crowd.draw(eye(0, -6), 100);
    expect(crowd.worldMatrix(0, "base")![12]).toBe(2);
    expect(crowd.worldMatrix(0, "left")![12]).toBe(1);
  });

  it("finds who is pointed at", () => {
    const crowd = new Crowd(stand(4, 3), model(), model(), new MeshBasicMaterial());
    for (let n = 0; n < 4; n++) crowd.show(3 + n, at(3 * n));
    const camera = eye(6, -8);
    crowd.draw(camera, 100);
    crowd.root.updateMatrixWorld(true);
    const ray = new Raycaster();
    ray.setFromCamera(new Vector2(0, -0.1), camera);
    expect(crowd.pick(ray)?.unit).toBe(5);
    ray.setFromCamera(new Vector2(0, 0.95), camera);
    expect(crowd.pick(ray)).toBeNull();
  });

  it("stands upright when y is up", () => {
    const crowd = new Crowd(stand(1, 0, "y"), model(), null, new MeshBasicMaterial());
    crowd.show(0, new Float32Array([0, 5, 0, 1, 0, 0, 0, ...at(0).slice(7)]));
    crowd.draw(eye(0, -8), 100);
    const world = meshes(crowd)[0]!;
    crowd.root.updateMatrixWorld(true);
    expect(world.matrixWorld.elements[6]).toBeCloseTo(1);
    expect(crowd.worldMatrix(0, "base")!.slice(12)).toEqual([0, 5, 0, 1]);
  });
});
