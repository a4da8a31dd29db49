import {
  Box3,
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  Group,
  InstancedMesh,
  Matrix4,
  Mesh,
  Object3D,
  Points,
  Vector3,
} from "three";
import { describe, expect, it } from "vitest";

import { Cameras } from "../src/scene/cameras";
import { Outermost } from "../src/scene/framing";
import { addShown } from "../src/scene/outline";
import { aheadOf } from "../src/scene/tunnel/build";
import { roomAround } from "../src/scene/tunnel/section";

function boxAround(root: Object3D): Box3 {
  root.updateMatrixWorld(true);
  const found = new Outermost();
  addShown(root, found);
  return new Box3().setFromPoints(found.points);
}

describe("outermost points of what is shown", () => {
  it("counts meshes, points and every instance, where they stand", () => {
    const root = new Group();
    root.position.set(10, 0, 0);
    const mesh = new Mesh(new BoxGeometry(2, 2, 2));
    const balls = new InstancedMesh(new BoxGeometry(1, 1, 1), undefined, 2);
    balls.setMatrixAt(0, new Matrix4().makeTranslation(0, 5, 0));
    balls.setMatrixAt(1, new Matrix4().makeTranslation(0, -7, 0));
    const cloud = new BufferGeometry();
    cloud.setAttribute("position", new BufferAttribute(new Float32Array([0, 0, 3, 0, 0, -4]), 3));
    root.add(mesh, balls, new Points(cloud));
    const box = boxAround(root);
    expect(box.min.toArray()).toEqual([9, -7.5, -4]);
    expect(box.max.toArray()).toEqual([11, 5.5, 3]);
  });

  it("leaves out what is hidden, with all that hangs on it, and what is empty", () => {
    const root = new Group();
    const hidden = new Group();
    hidden.visible = false;
    hidden.add(new Mesh(new BoxGeometry(100, 100, 100)));
    root.add(hidden, new Mesh(new BufferGeometry()), new Object3D());
    expect(boxAround(root).isEmpty()).toBe(true);
    root.add(new Mesh(new BoxGeometry(2, 2, 2)));
    expect(boxAround(root).max.toArray()).toEqual([1, 1, 1]);
  });
});

describe("show all", () => {
  const size = new Box3(new Vector3(-7, -1.5, 0), new Vector3(0, 1.5, 2.6));
  const machine = size.clone().translate(new Vector3(-aheadOf(size), 0, 0));
  const corners = ({ min, max }: Box3): Vector3[] =>
    [0, 1, 2, 3, 4, 5, 6, 7].map(
      (i) => new Vector3(i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z),
    );

  function settled(): Cameras {
    const canvas = { style: {}, addEventListener: () => {} } as unknown as HTMLElement;
    const room = roomAround(machine);
    const cameras = new Cameras(canvas, room, false);
    const seat = {
      eye: new Vector3(),
      aim: new Vector3(1, 0, 0),
      ahead: new Vector3(1, 0, 0),
      left: new Vector3(0, 1, 0),
      up: new Vector3(0, 0, 1),
      cab: false,
      back: 0,
    };
    const outline = corners(machine);
    const shape = {
      machineClass: "",
      whole: machine,
      outline,
      body: new Float32Array(),
      given: null,
    };
    cameras.settle(shape, new Object3D(), seat, { room, origin: new Vector3(), outlook: null });
    cameras.resize(1280, 720);
    return cameras;
  }

  /** The farthest that a point is from the middle of the picture; 1 is at its border. */
  function farthest(cameras: Cameras, points: Vector3[]): number {
    const camera = cameras.update(0);
    return Math.max(
      ...points.map((point) => {
        const { x, y, z } = point.clone().project(camera);
        return Math.abs(z) > 1 ? Infinity : Math.max(Math.abs(x), Math.abs(y));
      }),
    );
  }

  it("brings everything into the picture, from wherever one has been", () => {
    const { x } = machine.max;
    const cloud = corners(new Box3(new Vector3(x - 2, -2.2, 0.2), new Vector3(x + 1, 2.2, 3.6)));
    const points = [...corners(machine), ...cloud];
    const cameras = settled();
    for (const [azimuth, elevation] of [
      [-0.54, 0.26],
      [2.4, 0.1],
      [7.5, 0.5],
      [0.9, -0.3],
    ] as const) {
      cameras.name = "seat";
      cameras.orbit.turn(azimuth - cameras.orbit.azimuth, elevation - cameras.orbit.elevation);
      cameras.orbit.zoom(0.05);
      cameras.orbit.pan(0.7, 0.3);
      cameras.name = "orbit";
      expect(farthest(cameras, points)).toBeGreaterThan(1);
      cameras.name = "seat";
      cameras.showAll(points);
      expect(cameras.name).toBe("orbit");
      expect(farthest(cameras, points)).toBeLessThan(1);
    }
  });

  it("keeps the side from which one looks where rock leaves room, and survives a new size", () => {
    const cameras = settled();
    cameras.orbit.turn(0.2, 0.05);
    const { azimuth } = cameras.orbit;
    cameras.showAll(corners(machine));
    expect(Math.abs(cameras.orbit.azimuth - azimuth)).toBeLessThan(0.5);
    const after = cameras.orbit.azimuth;
    cameras.resize(1280, 700);
    expect(cameras.orbit.azimuth).toBe(after);
  });

  it("does nothing where there is nothing", () => {
    const cameras = settled();
    cameras.name = "top";
    cameras.showAll([]);
    expect(cameras.name).toBe("top");
  });
});
