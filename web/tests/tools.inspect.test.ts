import { Matrix4, Vector3 } from "three";
import { describe, expect, it } from "vitest";
import type { Frame } from "../src/protocol/frame";
import type { FactsSheet, JointFacts, LinkFacts } from "../src/protocol/generated";
import { about, scientific } from "../src/tools/inspect/about";
import { Clicks } from "../src/input/clicks";
import { radiusOf, wholeCentre } from "../src/tools/inspect/marks";
import { linkMatrix } from "../src/tools/poses";

const link = (name: string, mass: number | null, cylinder = -1): LinkFacts => ({
  name,
  mass,
  centre: [1, 0, 0],
  inertia: [1, 1, 1, 0, 0, 0],
  moments: [1, 1, 1],
  cylinder,
});
const joint = (name: string, parent: string, child: string, more = {}): JointFacts => ({
  name,
  parent,
  child,
  kind: "revolute",
  slides: false,
  place: [0, 0, 0],
  axis: [0, 1, 0],
  lower: null,
  upper: null,
  damping: 0,
  friction: 0,
  armature: 0,
  closes: false,
  motor: "",
  index: -1,
  ...more,
});
const FACTS: FactsSheet = {
  scene: 1,
  mass: 30,
  links: [link("base", 10), link("arm", 20), link("lid", null), link("tube", null, 0)],
  joints: [
    joint("hinge", "base", "arm"),
    joint("there", "arm", "lid", { closes: true }),
    joint("back", "lid", "arm", { closes: true }),
    joint("spin", "arm", "lid", { motor: "fan", kind: "continuous" }),
  ],
  cylinders: [
    {
      name: "jack",
      group: "jacks",
      tube_parent: "base",
      rod_parent: "arm",
      lower: 1,
      upper: 2,
      speed: null,
      acceleration: null,
      force: null,
      bore: null,
      rod_diameter: null,
    },
  ],
  sources: [
    { of: "everything", kind: "estimated", source: "a", topics: [], parts: [] },
    { of: "masses", kind: "measured", source: "b", topics: ["mass"], parts: [] },
    { of: "jacks' bores", kind: "data sheet", source: "c", topics: ["cylinder"], parts: ["jacks"] },
    { of: "fan", kind: "estimated", source: "d", topics: ["motor"], parts: ["fan"] },
  ],
};

describe("what is about a link", () => {
  it("is its joints, of a closing pivot one half, and its cylinders", () => {
    expect(about(FACTS, "arm")!.joints.map(({ name }) => name)).toEqual(["hinge", "back", "spin"]);
    expect(about(FACTS, "lid")!.joints.map(({ name }) => name)).toEqual(["there", "spin"]);
    expect(about(FACTS, "arm")!.cylinders).toEqual([0]);
    expect(about(FACTS, "tube")!.cylinders).toEqual([0]);
    expect(about(FACTS, "lid")!.cylinders).toEqual([]);
    expect(about(FACTS, "nothing")).toBeNull();
  });

  it("is said to come from where the file says", () => {
    const of = (name: string): string[] => about(FACTS, name)!.sources.map((one) => one.of);
    expect(of("base")).toEqual(["everything", "masses", "jacks' bores"]);
    expect(of("arm")).toEqual(["everything", "masses", "jacks' bores", "fan"]);
    expect(of("lid")).toEqual(["everything", "fan"]);
  });
});

describe("small numbers", () => {
  it("have powers of ten", () => {
    expect([1.1e-15, 0, 2.5, -3e12].map((x) => scientific(x))).toEqual([
      "1.1·10⁻¹⁵",
      "0",
      "2.5·10⁰",
      "−3.0·10¹²",
    ]);
    expect(scientific(1.5e-3, ",")).toBe("1,5·10⁻³");
    expect(scientific(Number.NaN)).toBe("–");
  });
});

describe("centre of mass", () => {
  it("is the mass-weighted mean, in the world", () => {
    const poses = [new Matrix4(), new Matrix4().makeTranslation(0, 3, 0)];
    const found = wholeCentre(FACTS.links, (i) => poses[i] ?? null);
    expect(found!.toArray()).toEqual([1, 2, 0]);
    expect(wholeCentre([link("x", null)], () => new Matrix4())).toBeNull();
  });

  it("of heavier links is a larger ball, within bounds", () => {
    expect(radiusOf(8000)).toBeCloseTo(2 * radiusOf(1000));
    expect(radiusOf(0)).toBe(0.03);
    expect(radiusOf(1e9)).toBe(0.22);
  });
});

describe("poses of a frame", () => {
  const frame = {
    poses: new Float32Array([1, 2, 3, 1, 0, 0, 0, 0, 0, 0, Math.SQRT1_2, 0, 0, Math.SQRT1_2]),
  } as unknown as Frame;

  it("are matrices", () => {
    const moved = linkMatrix(frame, 0, new Matrix4())!;
    expect(new Vector3(1, 0, 0).applyMatrix4(moved).toArray()).toEqual([2, 2, 3]);
    const turned = linkMatrix(frame, 1, new Matrix4())!; // by 90 degrees about z
    const [x, y] = new Vector3(1, 0, 0).applyMatrix4(turned).toArray();
    expect([x!.toFixed(5), y!.toFixed(5)].map(Number)).toEqual([0, 1]);
  });

  it("are left out where there are none", () => {
    expect(linkMatrix(frame, 2, new Matrix4())).toBeNull();
    expect(linkMatrix(frame, -1, new Matrix4())).toBeNull();
    const broken = { poses: new Float32Array(7).fill(Number.NaN) } as unknown as Frame;
    expect(linkMatrix(broken, 0, new Matrix4())).toBeNull();
  });
});

describe("clicks", () => {
  const hand = (): { found: number[][]; act: (type: string, x: number, more?: object) => void } => {
    const target = new EventTarget();
    const found: number[][] = [];
    new Clicks(target, ({ clientX, clientY }) => found.push([clientX, clientY]));
    const act = (type: string, x: number, more: object = {}): void => {
      const event = Object.assign(new Event(type), {
        pointerId: 1,
        button: 0,
        clientX: x,
        clientY: 7,
        ...more,
      });
      target.dispatchEvent(event);
    };
    return { found, act };
  };

  it("are a press and a release at the same place", () => {
    const { found, act } = hand();
    act("pointerdown", 10);
    act("pointermove", 12);
    act("pointerup", 12);
    expect(found).toEqual([[12, 7]]);
  });

  it("are none when the hand has moved, even if it came back", () => {
    const { found, act } = hand();
    act("pointerdown", 10);
    act("pointermove", 40);
    act("pointermove", 10);
    act("pointerup", 10);
    expect(found).toEqual([]);
  });

  it("are none with another button or a second finger", () => {
    const { found, act } = hand();
    act("pointerdown", 10, { button: 2 });
    act("pointerup", 10, { button: 2 });
    act("pointerdown", 10);
    act("pointerdown", 60, { pointerId: 2 });
    act("pointerup", 60, { pointerId: 2 });
    act("pointerup", 10);
    expect(found).toEqual([]);
  });
});
