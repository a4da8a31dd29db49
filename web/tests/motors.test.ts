import { describe, expect, it } from "vitest";

import { cutsWith, drives, jointEnds } from "../src/state/motors";
import { machineOf } from "./machines";

const JOINTS = [
  { name: "spin", turns: true, lower: null, upper: null },
  { name: "slide", turns: false, lower: 0, upper: 0.03 },
  { name: "turret", turns: true, lower: null, upper: null },
];

/** A motor of one of the joints. */
const motor = (joint: string, servo: boolean) => ({
  name: `${joint} motor`,
  joint,
  link: "",
  speed: 1,
  torque: 1,
  servo,
  carrier: "boom",
  cuts: false,
  kind: "motor",
});

describe("cutting", () => {
  it("is for links that a cutting motor turns or sits on, and for no others", () => {
    const spin = { ...motor("spin", false), link: "drum", cuts: true };
    const machine = { motors: [{ ...motor("turret", true), link: "turret" }, spin] };
    for (const link of ["boom", "drum"]) expect(cutsWith(machine, link)).toBe(true);
    for (const link of ["turret", "canopy", ""]) expect(cutsWith(machine, link)).toBe(false);
    expect(cutsWith({ motors: [{ ...spin, cuts: false }] }, "drum")).toBe(false);
  });
});

describe("drives", () => {
  it("are groups as their first cylinders, then servos, and no motor that spins", () => {
    const machine = {
      ...machineOf("arm", ["boom", "stick"], 0),
      joints: JOINTS,
      motors: [motor("spin", false), motor("slide", true), motor("turret", true)],
    };
    machine.groups[1] = { ...machine.groups[1]!, cylinders: [1, 0] };
    expect(drives(machine)).toEqual([
      { name: "boom", number: 0, lower: 1, upper: 2, turns: false },
      { name: "stick", number: 1, lower: 1, upper: 2, turns: false },
      { name: "slide motor", number: 2, lower: 0, upper: 0.03, turns: false },
      { name: "turret motor", number: 3, lower: -Math.PI, upper: Math.PI, turns: true },
    ]);
  });

  it("go over one turn where a joint has no ends", () => {
    expect(jointEnds(JOINTS[0]!)).toEqual([-Math.PI, Math.PI]);
    expect(jointEnds(JOINTS[1]!)).toEqual([0, 0.03]);
  });
});
