import { Matrix4, Vector3 } from "three";
import { describe, expect, it } from "vitest";
import type { GraphEdge, GraphHull, GraphNode, Pin } from "../src/protocol/generated";
import { Holder } from "../src/tools/sheets";
import {
  arrivals,
  curve,
  faded,
  ground,
  head,
  kindsOf,
  shortened,
  type Line,
} from "../src/tools/topology/drawing";
import { pinMatrix } from "../src/tools/topology/pins";

const STRAIGHT: Line = [0, 0, 50, 0, 100, 0];

const numbers = (text: string): number[] => text.match(/-?\d+(\.\d+)?/g)!.map(Number);

describe("edges", () => {
  it("arrive along the line from their control point", () => {
    expect(arrivals(STRAIGHT)).toEqual({ end: [1, 0], start: [-1, 0] });
    const bent = arrivals([0, 0, 30, 40, 60, 0]);
    expect(bent.end[0]).toBeCloseTo(0.6);
    expect(bent.end[1]).toBeCloseTo(-0.8);
    expect(arrivals([0, 0, 0, 0, 0, 10]).start).toEqual([-0, -1]);
  });

  it("end within their arrow's head, at both ends if it has two", () => {
    expect(numbers(curve(STRAIGHT, false))).toEqual([0, 0, 50, 0, 92, 0]);
    expect(numbers(curve(STRAIGHT, true))).toEqual([8, 0, 50, 0, 92, 0]);
  });

  it("have heads whose tips are at their ends", () => {
    expect(numbers(head(STRAIGHT, "end"))).toEqual([100, 0, 87, 5, 87, -5]);
    expect(numbers(head(STRAIGHT, "start"))).toEqual([0, 0, 13, -5, 13, 5]);
  });

  it("are listed in the legend once, without the faint ones", () => {
    const edge = (kind: string, faint = false): GraphEdge => ({ kind, faint }) as GraphEdge;
    const edges = [edge("actuator"), edge("fixed", true), edge("revolute"), edge("actuator")];
    expect(kindsOf(edges, ["revolute", "fixed", "actuator"])).toEqual(["revolute", "actuator"]);
  });
});

describe("drawing", () => {
  it("lays a ground through its nodes in their order", () => {
    const nodes = [
      [1, 2],
      [3, 4],
      [5, 6],
    ].map(([x, y]) => ({ x, y }) as GraphNode);
    expect(ground({ nodes: [2, 0, 1] } as unknown as GraphHull, nodes)).toBe("5,6 1,2 3,4");
  });

  it("fades colours towards white", () => {
    expect(faded("#000000")).toBe("#a3a3a3");
    expect(faded("#ffffff")).toBe("#ffffff");
  });

  it("cuts long names", () => {
    expect(shortened("abc", 3)).toBe("abc");
    expect(shortened("abcdef", 4)).toBe("abc…");
  });
});

describe("pins", () => {
  const pin = (axis: [number, number, number]): Pin => ({
    joint: "j",
    kind: "revolute",
    link: "l",
    place: [1, 2, 3],
    axis,
  });

  it("lie along the joint's axis about its place", () => {
    const matrix = pinMatrix(pin([1, 0, 0]));
    const ends = [-0.5, 0.5].map((y) => new Vector3(0, y, 0).applyMatrix4(matrix));
    expect(ends[0]!.toArray().map((x) => Math.round(1e6 * x) / 1e6)).toEqual([0.75, 2, 3]);
    expect(ends[1]!.x).toBeCloseTo(1.25);
  });

  it("are short where the joint has no axis, and never broken", () => {
    const matrix = pinMatrix(pin([0, 0, 0]));
    expect(matrix.elements.every(Number.isFinite)).toBe(true);
    expect(new Matrix4().copy(matrix).determinant()).toBeCloseTo(0.16);
  });
});

describe("sheets", () => {
  const later = async (): Promise<void> => {
    await Promise.resolve();
    await Promise.resolve();
    await Promise.resolve();
  };

  it("are fetched once a scene", async () => {
    let asked = 0;
    let told = 0;
    const holder = new Holder<{ scene: number }>(
      "x",
      () => (told += 1),
      () => Promise.resolve({ scene: 4 + asked++ }),
    );
    holder.follow(4);
    holder.follow(4);
    await later();
    expect([asked, told, holder.sheet?.scene]).toEqual([1, 1, 4]);
    holder.follow(5);
    expect(holder.sheet).toBeNull();
    await later();
    expect([asked, told, holder.sheet?.scene]).toEqual([2, 2, 5]);
  });

  it("of another scene are not shown", async () => {
    const holder = new Holder<{ scene: number }>(
      "x",
      () => {},
      () => Promise.resolve({ scene: 9 }),
    );
    holder.follow(8);
    await later();
    expect(holder.sheet).toBeNull();
    expect(holder.failure).toBe("");
  });

  it("that cannot be had say why", async () => {
    const refuse = (): Promise<unknown> => Promise.reject(new Error("too many links"));
    const holder = new Holder<{ scene: number }>("x", () => {}, refuse);
    holder.follow(1);
    await later();
    expect(holder.failure).toBe("too many links");
  });
});
