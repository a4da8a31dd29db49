import {
  Box3,
  BoxGeometry,
  BufferAttribute,
  Group,
  InstancedMesh,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  Quaternion,
  Texture,
  Vector3,
} from "three";
import { describe, expect, it } from "vitest";

import type { Frame } from "../src/protocol/frame";
import type { MachineInfo } from "../src/protocol/generated";
import { Cutting, cuttingMotor } from "../src/scene/cutting";
import { disposeTree } from "../src/scene/dispose";
import { splitGlass } from "../src/scene/glass";
import { Machine } from "../src/scene/machine";
import { copyPoses } from "../src/scene/poses";
import { cabRoof, findSeat, headLampPlaces, type Shape } from "../src/scene/seat";

const info = (up_axis: "z" | "y", links = ["body", "arm"]): MachineInfo => ({
  name: "crane",
  machine_class: "loader",
  up_axis,
  links,
  root: "base",
  end_effector: "arm",
  cylinders: [],
  groups: [],
  motors: [],
  joints: [],
});

/** A body of 4 x 2 x 1 m with a roof on it, and an arm; given in the wrong order. */
function model(): Group {
  const scene = new Group();
  const arm = new Mesh(new BoxGeometry(2, 0.2, 0.2));
  arm.userData.link = 1;
  arm.position.set(9, 9, 9);
  const body = new Mesh(new BoxGeometry(4, 2, 1));
  body.userData.link = 0;
  const roof = new Mesh(new BoxGeometry(1.2, 1, 0.08));
  roof.position.set(-0.5, 0.4, 1.4);
  body.add(roof);
  scene.add(arm, body);
  return scene;
}

const half = Math.SQRT1_2;
/** Body half a metre up; arm at (2, 0, 1), a quarter turn about z. */
const poses = new Float32Array([0, 0, 0.5, 1, 0, 0, 0, 2, 0, 1, half, 0, 0, half]);

describe("copyPoses", () => {
  it("turns and moves each link as its numbers say", () => {
    const links = [new Group(), new Group()];
    expect(copyPoses(poses, links)).toBe(true);
    const tip = new Vector3(1, 0, 0).applyMatrix4(links[1]!.matrix);
    expect(tip.distanceTo(new Vector3(2, 1, 1))).toBeLessThan(1e-6);
    const turn = new Quaternion().setFromRotationMatrix(links[1]!.matrix);
    expect(turn.z).toBeCloseTo(half, 6);
    expect(turn.w).toBeCloseTo(half, 6);
  });

  it("moves nothing if the frame has another number of links", () => {
    const links = [new Group()];
    expect(copyPoses(poses, links)).toBe(false);
    expect(links[0]!.matrix.elements[14]).toBe(0);
  });

  it("leaves a link where it was if its pose is not finite", () => {
    const links = [new Group(), new Group()];
    copyPoses(poses, links);
    const broken = poses.slice();
    broken[7] = NaN;
    broken[2] = 3;
    copyPoses(broken, links);
    expect(links[0]!.matrix.elements[14]).toBe(3);
    expect(links[1]!.matrix.elements[12]).toBe(2);
  });
});

describe("Machine", () => {
  it("hangs each node below its link, in the link's own axes", () => {
    const machine = new Machine(info("z"), model(), new MeshStandardMaterial());
    machine.show(poses);
    const { whole } = machine.shape();
    expect(whole.min.z).toBeCloseTo(0, 6);
    expect(whole.max.x).toBeCloseTo(2.1, 6);
    expect(whole.max.y).toBeCloseTo(1, 6);
    expect(whole.max.z).toBeCloseTo(1.94, 6);
  });

  for (const up of ["z", "y"] as const) {
    it(`gives world matrices in the simulation's axes (${up} up)`, () => {
      const machine = new Machine(info(up), model(), new MeshStandardMaterial());
      machine.show(poses);
      const matrix = machine.worldMatrix("arm")!;
      const expected = [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 2, 0, 1, 1];
      matrix.forEach((x, i) => expect(x).toBeCloseTo(expected[i]!, 6));
      expect(machine.worldMatrix("nothing")).toBeNull();
    });
  }

  it("stands upright when y is up", () => {
    const machine = new Machine(info("y"), model(), new MeshStandardMaterial());
    machine.show(new Float32Array([0, 5, 0, 1, 0, 0, 0, 0, 5, 0, 1, 0, 0, 0]));
    const { whole } = machine.shape();
    expect(whole.min.z).toBeCloseTo(4, 6);
  });

  it("refuses geometry that does not belong to it", () => {
    const paint = new MeshStandardMaterial();
    expect(() => new Machine(info("z", ["body"]), model(), paint)).toThrow(/belongs to no link/);
    expect(() => new Machine(info("z"), new Group(), paint)).toThrow(/no node carries/);
  });

  it("has outermost points that fill its box", () => {
    const machine = new Machine(info("z"), model(), new MeshStandardMaterial());
    machine.show(poses);
    const { outline, whole } = machine.shape();
    expect(new Box3().setFromPoints(outline).equals(whole)).toBe(true);
  });

  it("takes the seat's place from the geometry", () => {
    const scene = model();
    scene.children[1]!.userData.seat = [0.5, 0.1, 1];
    const machine = new Machine(info("z"), scene, new MeshStandardMaterial());
    machine.show(poses);
    expect(findSeat(machine.shape()).eye.toArray()).toEqual([0.5, 0.1, 1.5]);
  });
});

describe("seat", () => {
  const machine = new Machine(info("z"), model(), new MeshStandardMaterial());
  machine.show(poses);
  const shape: Shape = machine.shape();

  it("is below the cab's roof and looks ahead", () => {
    const roof = cabRoof(shape)!;
    expect(roof.min.x).toBeCloseTo(-1.1, 6);
    expect(roof.max.y).toBeCloseTo(0.9, 6);
    const seat = findSeat(shape);
    const long = roof.max.x - roof.min.x;
    expect(seat.eye.x).toBeCloseTo(-0.5 - 0.12 * long, 6);
    expect(seat.eye.x - seat.back).toBeCloseTo(roof.min.x, 6);
    expect(seat.eye.z).toBeLessThan(roof.min.z);
    expect(seat.eye.z).toBeGreaterThan(1);
    expect(seat.ahead.toArray()).toEqual([1, 0, 0]);
    expect(seat.left.toArray()).toEqual([0, 1, 0]);
    expect(seat.aim.x).toBeGreaterThan(seat.eye.x);
    expect(seat.cab).toBe(true);
  });

  it("has head lamps on the roof's front edge", () => {
    const places = headLampPlaces(shape);
    expect(places).toHaveLength(2);
    for (const place of places) {
      expect(place.x).toBeCloseTo(0.1, 0);
      expect(place.z).toBeGreaterThan(cabRoof(shape)!.max.z);
    }
    expect(headLampPlaces({ ...shape, machineClass: "support" })).toEqual([]);
    const beacon = [-0.5, 0, cabRoof(shape)!.max.z + 0.1]; // in the middle: no lamp rises for it
    const body = new Float32Array([...shape.body, ...beacon]);
    headLampPlaces({ ...shape, body }).forEach((place, i) => {
      expect(place.distanceTo(places[i]!)).toBeLessThan(1e-9);
    });
  });

  it("is beside a support, outside of it", () => {
    const seat = findSeat({ ...shape, machineClass: "support" });
    expect(seat.eye.y).toBeGreaterThan(shape.whole.max.y);
    expect(seat.left.dot(seat.ahead)).toBeCloseTo(0, 9);
    expect(seat.cab).toBe(false);
    expect(seat.back).toBe(0);
  });

  it("is behind a machine without a cab", () => {
    const body = new Float32Array([-1, -0.2, 0, 1, 0.2, 0.5]);
    const seat = findSeat({ ...shape, machineClass: "model", body });
    expect(seat.eye.x).toBeLessThan(shape.whole.min.x);
  });
});

describe("disposeTree", () => {
  it("frees every geometry and material, and instances", () => {
    const root = new Group();
    const parent = new Group().add(root);
    const mesh = new Mesh(new BoxGeometry(), new MeshBasicMaterial());
    const many = new InstancedMesh(new BoxGeometry(), new MeshBasicMaterial(), 3);
    root.add(mesh, new Group().add(many));
    const freed: string[] = [];
    mesh.geometry.addEventListener("dispose", () => freed.push("geometry"));
    mesh.material.addEventListener("dispose", () => freed.push("material"));
    many.geometry.addEventListener("dispose", () => freed.push("geometry"));
    many.addEventListener("dispose", () => freed.push("instances"));
    disposeTree(root);
    expect(freed.sort()).toEqual(["geometry", "geometry", "instances", "material"]);
    expect(parent.children).toEqual([]);
  });
});

describe("cutting", () => {
  const motors = [
    { name: "swing", joint: "a", link: "body", speed: 1 },
    { name: "drum", joint: "b", link: "arm", speed: 4 },
  ].map((motor) => ({ ...motor, torque: 1, servo: false, carrier: "", cuts: true, kind: "motor" }));
  const machine = new Machine({ ...info("z"), motors }, model(), new MeshStandardMaterial());
  machine.show(new Float32Array([0, 0, 0.5, 1, 0, 0, 0, 3, 0, 1, 1, 0, 0, 0]));
  machine.root.updateMatrixWorld(true);
  const frame = (time: number, speed: number) =>
    ({ time, motors: new Float32Array([9, 9, speed, 0]) }) as unknown as Frame;

  it("is done by the foremost motor that cuts", () => {
    expect(cuttingMotor(machine.info, machine.links, 0)).toBe(1);
    expect(cuttingMotor(machine.info, machine.links, 99)).toBe(-1);
    expect(cuttingMotor({ ...machine.info, motors: [] }, machine.links, 0)).toBe(-1);
    const tame = motors.map((motor, i) => ({ ...motor, cuts: i === 0 }));
    expect(cuttingMotor({ ...machine.info, motors: tame }, machine.links, -9)).toBe(0);
  });

  it("makes dust while the motor turns, slowly more and slowly less", () => {
    const cutting = new Cutting(1, 4, machine.links[1]!, false, new Texture());
    cutting.show(frame(0, 4));
    const first = cutting.spray.strength;
    expect(first).toBeGreaterThan(0);
    expect(first).toBeLessThan(0.2);
    for (let i = 0; i < 200; i++) cutting.show(frame(i / 60, -2));
    expect(cutting.spray.strength).toBeCloseTo(0.5, 2);
    cutting.move(360);
    expect(cutting.spray.points.visible).toBe(true);
    for (let i = 0; i < 300; i++) cutting.show(frame(5 + i / 60, 0));
    cutting.move(360);
    expect(cutting.spray.points.visible).toBe(false);
  });
});

describe("windows", () => {
  it("are taken out of the solid geometry, and share its vertices", () => {
    const box = new BoxGeometry();
    const count = box.getAttribute("position").count;
    const colors = new Float32Array(4 * count).fill(1);
    for (let i = 0; i < 4; i++) colors[4 * i + 3] = 0.4; // the first side: two triangles
    box.setAttribute("color", new BufferAttribute(colors, 4));
    const glass = splitGlass(box)!;
    expect(glass.getIndex()!.count).toBe(6);
    expect(box.getIndex()!.count).toBe(30);
    expect(Math.max(...Array.from(glass.getIndex()!.array))).toBeLessThan(4);
    expect(glass.getAttribute("position")).toBe(box.getAttribute("position"));
  });

  it("are none in solid paint, or without alpha", () => {
    const box = new BoxGeometry();
    expect(splitGlass(box)).toBeNull();
    const count = box.getAttribute("position").count;
    box.setAttribute("color", new BufferAttribute(new Float32Array(4 * count).fill(1), 4));
    expect(splitGlass(box)).toBeNull();
    expect(box.getIndex()!.count).toBe(36);
  });
});
