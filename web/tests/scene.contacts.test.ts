import {
  Group,
  InstancedMesh,
  Matrix4,
  Mesh,
  SphereGeometry,
  type LineSegments,
  BoxGeometry,
  MeshBasicMaterial,
  Vector3,
} from "three";
import { describe, expect, it } from "vitest";

import { WIDTH } from "../src/protocol/generated";
import { arrowLength, ContactMarks, touchesOf } from "../src/scene/contacts";
import { Lying } from "../src/scene/lying";
import { Things } from "../src/scene/things";
import { TouchedShapes } from "../src/scene/touched";
import type { Machine } from "../src/scene/machine";
import { newtons, pairsOf } from "../src/tools/contacts/pairs";
import { blended } from "../src/tools/record/film";

/** Point, normal, force, sticking, a, b. */
const contact = (x: number, force: number, sticking: number, a = 1, b = 0): number[] => [
  x, 0, 0.5, 0, 0, 1, 0, 0, force, sticking, a, b,
]; // prettier-ignore

const section = (...rows: number[][]): Float32Array => new Float32Array(rows.flat());

describe("contacts", () => {
  it("reads them, and leaves out room that was not needed", () => {
    const touches = touchesOf(section(contact(1, 50, 1), contact(2, 9, 0, 3, 2), contact(0, 0, 0)));
    expect(touches.map(({ sticking, a, b }) => [sticking, a, b])).toEqual([
      [true, 1, 0],
      [false, 3, 2],
    ]);
    expect(touches[0]!.force.z).toBe(50);
    expect(touchesOf(section(contact(NaN, 5, 1)))).toEqual([]);
  });

  it("marks those that hold and those that slide by shape and colour", () => {
    const marks = new ContactMarks();
    marks.show(section(contact(1, 50, 1), contact(2, 9, 0), contact(3, 4, 0)), 1);
    const count = (name: string): number =>
      (marks.root.getObjectByName(name) as InstancedMesh).count;
    expect([count("sticking"), count("sliding"), count("shafts"), count("tips")]).toEqual([
      1, 2, 3, 3,
    ]);
    expect(marks.shown).toBe(3);
    const colors = marks.root.getObjectByName("tips") as InstancedMesh;
    expect(colors.instanceColor!.getX(0)).not.toBe(colors.instanceColor!.getX(1));
    marks.show(section(), 1);
    expect([count("sticking"), count("shafts"), marks.shown]).toEqual([0, 0, 0]);
  });

  it("draws arrows along the force, longer by the same for every tenfold one", () => {
    const grows = arrowLength(1e5) - arrowLength(1e4);
    expect(arrowLength(1e4) - arrowLength(1e3)).toBeCloseTo(grows, 3);
    const marks = new ContactMarks();
    marks.show(section(contact(1, 1000, 1)), 1);
    const tips = marks.root.getObjectByName("tips") as InstancedMesh;
    const matrix = new Matrix4();
    tips.getMatrixAt(0, matrix);
    const tip = new Vector3().setFromMatrixPosition(matrix);
    expect([tip.x, tip.y]).toEqual([1, 0]);
    expect(tip.z).toBeGreaterThan(0.5 + arrowLength(1000));
  });

  it("takes contacts of the same two together", () => {
    const rows = section(contact(0, 30, 0, 2, 1), contact(1, 20, 1, 2, 1), contact(2, 40, 0, 3, 0));
    expect(pairsOf(touchesOf(rows))).toEqual([
      { a: 2, b: 1, force: 50, sliding: false },
      { a: 3, b: 0, force: 40, sliding: true },
    ]);
    expect([newtons(3.456), newtons(345.6), newtons(34_560)]).toEqual([
      "3.46 N",
      "345.6 N",
      "34.6 kN",
    ]);
  });
});

describe("loose bodies", () => {
  const row = (number: number, x: number): number[] => [number, x, 0, 0, 1, 0, 0, 0];
  const cube = (): Group => {
    const model = new Group();
    const node = new Mesh(new BoxGeometry(1, 1, 1));
    node.userData.link = 0;
    return model.add(node);
  };
  const infos = [0, 1, 2].map((x) => ({
    name: `t${x}`,
    shape: 0,
    fixed: false,
    position: [x, 0, 0] as [number, number, number],
    quaternion: [1, 0, 0, 0] as [number, number, number, number],
  }));

  it("are told once, and all of them again after a recording", () => {
    const lying = new Lying();
    lying.note(section(row(0, 5), row(2, 6)));
    lying.note(section(row(2, 7)));
    expect([...lying.told()]).toEqual([...row(0, 5), ...row(2, 7)]);
    expect(lying.told().length).toBe(0);
    expect(lying.told(true).length).toBe(2 * WIDTH.bodies);
    lying.clear();
    expect(lying.told(true).length).toBe(0);
  });

  it("go where frames say", () => {
    const things = new Things(infos, cube(), new MeshBasicMaterial());
    things.show(section(row(1, 9), row(0, NaN), row(77, 1)));
    expect([0, 1, 2].map((n) => things.matrixOf(n)![12])).toEqual([0, 9, 2]);
  });

  it("carry the edges of their shapes along", () => {
    const things = new Things(infos, cube(), new MeshBasicMaterial());
    const link = new Group();
    const graph = new Group();
    const machine = { links: [link] } as unknown as Machine;
    const touched = new TouchedShapes(cube(), machine, things, graph);
    expect(touched.count).toBe(1 + 3);
    expect(link.children.length).toBe(1);
    things.show(section(row(1, 9)));
    touched.follow();
    expect(graph.children[0]!.children[1]!.matrix.elements[12]).toBe(9);
    touched.dispose();
    expect([link.children.length, graph.children.length]).toEqual([0, 0]);
  });

  it("have the edges of their triangles where they are round all over", () => {
    const model = new Group();
    const node = new Mesh(new SphereGeometry(1, 24, 16));
    node.userData.link = 0;
    model.add(node);
    const link = new Group();
    const machine = { links: [link] } as unknown as Machine;
    new TouchedShapes(model, machine, null, new Group());
    const [lines] = link.children as LineSegments[];
    expect(lines!.geometry.getAttribute("position").count).toBeGreaterThan(500);
  });

  it("are on their way between two moments of a recording, their numbers as they are", () => {
    const found = blended(section(row(4, 1)), section(row(4, 3)), 0.5, WIDTH.bodies, 1);
    expect([...found]).toEqual(row(4, 2));
  });
});
