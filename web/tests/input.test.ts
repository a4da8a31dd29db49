import { beforeEach, describe, expect, it, vi } from "vitest";
import type { PadLike } from "../src/input/gamepads";
import { Hands, type Action } from "../src/input/hands";
import { plainKeyName } from "../src/input/keynames";
import {
  COMMAND_KEYS,
  HABITS,
  mappingFor,
  MOTOR_KEYS,
  PAD_COMMANDS,
  PAD_MOTORS,
  PAIRS,
} from "../src/input/mappings";
import { DEAD_ZONE, RAMP, ramped, shaped } from "../src/input/shape";
import { key, padOf } from "./hands";
import { machineOf } from "./machines";

describe("shape", () => {
  it("is dead around the centre and odd", () => {
    for (const raw of [0, 0.05, DEAD_ZONE]) {
      expect(shaped(raw)).toBe(0);
      expect(shaped(-raw)).toBeCloseTo(0, 12);
    }
    expect(shaped(0.6)).toBeCloseTo(-shaped(-0.6), 12);
    expect(shaped(NaN)).toBe(0);
  });

  it("rises steadily to full deflection, without a jump at the dead zone", () => {
    let last = 0;
    for (let raw = 0; raw <= 1; raw += 0.01) {
      expect(shaped(raw)).toBeGreaterThanOrEqual(last);
      last = shaped(raw);
    }
    expect(shaped(DEAD_ZONE + 1e-3)).toBeLessThan(1e-3);
    expect(shaped(0.98)).toBe(1);
    expect(shaped(1.4)).toBe(1);
  });

  it("is finer near the centre than a straight line", () => {
    expect(shaped(0.5)).toBeLessThan((0.5 - DEAD_ZONE) / (1 - DEAD_ZONE));
    expect(shaped(0.5, 0, 1)).toBeCloseTo(0.5 / 0.98, 12);
  });

  it("ramps to full deflection in its time, and lets go at once", () => {
    let value = 0;
    for (let i = 0; i < 10; i++) value = ramped(value, 1, RAMP / 20);
    expect(value).toBeCloseTo(0.5, 12);
    for (let i = 0; i < 20; i++) value = ramped(value, 1, RAMP / 20);
    expect(value).toBe(1);
    expect(ramped(value, 0, 0.001)).toBe(0);
    expect(ramped(0.8, -1, RAMP / 10)).toBeCloseTo(-0.1, 12);
  });
});

describe("mappings", () => {
  const classes = ["", "thing", "toString", "__proto__", "constructor", ...Object.keys(HABITS)];

  it.each(classes)("has a place without clashes for all groups and motors of class %j", (kind) => {
    for (let count = 0; count <= 60; count++) {
      const names = Array.from({ length: count }, (_, i) =>
        i % 3 === 0 ? `boom_${i}` : i % 3 === 1 ? `stabiliser_left_${i}` : `axis ${i}`,
      );
      const { groups, motors, keyPages, padPages } = mappingFor(machineOf(kind, names, count));
      expect(groups.map(({ group }) => group)).toEqual(names);
      const keys = groups.flatMap(({ keys, keyPage }) => keys.map((code) => `${keyPage} ${code}`));
      const digits = motors.map(({ key, keyPage }) => `${keyPage} ${key}`);
      expect(new Set([...keys, ...digits]).size).toBe(2 * count + count);
      const slots = groups.map(({ slot, padPage }) => `${padPage} ${slot}`);
      const buttons = motors.map(({ button, padPage }) => `${padPage} ${button}`);
      expect(new Set([...slots, ...buttons]).size).toBe(2 * count);
      for (const { keyPage, padPage } of [...groups, ...motors]) {
        expect(keyPage).toBeLessThan(keyPages);
        expect(padPage).toBeLessThan(padPages);
      }
    }
  });

  it("drives up to twenty groups from one page of keys", () => {
    const names = Array.from({ length: 20 }, (_, i) => `group_${i}`);
    expect(mappingFor(machineOf("", names, 3)).keyPages).toBe(1);
  });

  it("keeps keys and buttons of commands free", () => {
    const keys = [...PAIRS.flat(), ...MOTOR_KEYS];
    expect(new Set(keys).size).toBe(keys.length);
    for (const code of Object.keys(COMMAND_KEYS)) expect(keys).not.toContain(code);
    for (const button of PAD_MOTORS) expect(PAD_COMMANDS).not.toHaveProperty(String(button));
    for (const habits of Object.values(HABITS))
      for (const { keys: pair = [] } of habits)
        for (const code of pair) expect(PAIRS.flat()).toContain(code);
  });

  it("puts a roadheader's groups where hands expect them", () => {
    const machine = machineOf("roadheader", ["slew", "boom", "telescope", "shovel_plate"], 1);
    const { groups, motors } = mappingFor(machine);
    expect(groups.map(({ keys }) => keys.join(" "))).toEqual([
      "KeyD KeyA",
      "KeyW KeyS",
      "KeyR KeyF",
      "KeyG KeyT",
    ]);
    expect(groups.map(({ slot }) => slot)).toEqual(["leftX", "leftY", "rightY", "dpadY"]);
    expect(motors[0]?.key).toBe("Digit1");
  });

  it("gives sticks to the first four groups of an unknown machine", () => {
    const { groups } = mappingFor(machineOf("", ["a", "b", "c", "d", "e"], 0));
    const sticks = groups.slice(0, 4).map(({ slot }) => slot);
    expect(sticks.sort()).toEqual(["leftX", "leftY", "rightX", "rightY"]);
  });

  it("names keys", () => {
    expect(["KeyW", "Digit3", "Numpad7", "Escape", "Pause"].map(plainKeyName)).toEqual([
      "W",
      "3",
      "Num 7",
      "Esc",
      "Pause",
    ]);
  });
});

describe("hands", () => {
  let hands: Hands;
  let pads: PadLike[];
  let actions: Action[];
  let now: number;

  const poll = (seconds: number): void => {
    for (let t = 0; t < seconds - 1e-9; t += 0.02) hands.poll((now += 20));
  };

  beforeEach(() => {
    hands = new Hands();
    pads = [];
    actions = [];
    now = 1000;
    hands.gamepads.source = () => pads;
    hands.onAction = (action) => actions.push(action);
    hands.configure(machineOf("roadheader", ["boom", "slew", "telescope"], 2));
    hands.poll(now);
  });

  it("takes the largest deflection of a group", () => {
    hands.set("panel", "boom", 0.3);
    hands.set("other", "boom", -0.6);
    hands.set("panel", "slew", 0.2);
    expect(hands.levers()).toEqual({ boom: -0.6, slew: 0.2 });
    hands.set("other", "boom", 0);
    expect(hands.levers()).toEqual({ boom: 0.3, slew: 0.2 });
    hands.set("panel", "boom", 0);
    hands.set("panel", "slew", 0);
    expect(hands.levers()).toEqual({});
    expect(hands.neutral).toBe(true);
  });

  it("keeps to -1 to 1, to known groups and to numbers", () => {
    hands.set("panel", "boom", 7);
    hands.set("panel", "slew", NaN);
    hands.set("panel", "nobody", 1);
    hands.set("panel", "__proto__", 1);
    expect(hands.levers()).toEqual({ boom: 1 });
  });

  it("tells each change once", () => {
    const told = vi.fn();
    hands.onChange = told;
    hands.set("panel", "boom", 0.5);
    hands.set("panel", "boom", 0.5);
    hands.set("weaker", "boom", 0.1);
    expect(told).toHaveBeenCalledTimes(1);
    hands.release();
    hands.release();
    expect(told).toHaveBeenCalledTimes(2);
  });

  it("ignores what was deflected at a release until it was neutral", () => {
    hands.set("panel", "boom", 0.5);
    hands.release();
    expect(hands.levers()).toEqual({});
    expect(hands.neutral).toBe(false);
    hands.set("panel", "boom", 0.9);
    expect(hands.levers()).toEqual({});
    hands.set("panel", "boom", 0);
    expect(hands.neutral).toBe(true);
    hands.set("panel", "boom", 0.4);
    expect(hands.levers()).toEqual({ boom: 0.4 });
  });

  it("releases one source alone", () => {
    hands.set("panel", "boom", 0.5);
    hands.set("other", "slew", 0.5);
    hands.release("panel");
    expect(hands.levers()).toEqual({ slew: 0.5 });
  });

  it("is neutral while not live, and afterwards wants neutral first", () => {
    hands.set("panel", "boom", 0.5);
    hands.live = false;
    expect(hands.levers()).toEqual({});
    hands.set("panel", "slew", 0.5);
    hands.keyboard.down(key("KeyR"));
    poll(0.5);
    hands.live = true;
    poll(0.5);
    expect(hands.levers()).toEqual({});
    expect(hands.neutral).toBe(false);
    hands.keyboard.up({ code: "KeyR" });
    hands.set("panel", "boom", 0);
    hands.set("panel", "slew", 0);
    expect(hands.neutral).toBe(true);
    hands.keyboard.down(key("KeyR"));
    poll(0.5);
    expect(hands.levers()).toEqual({ telescope: 1 });
  });

  it("ramps with a key and comes back at once", () => {
    hands.keyboard.down(key("KeyW"));
    poll(0.1);
    expect(hands.lever("boom")).toBeCloseTo(0.5, 6);
    poll(0.2);
    expect(hands.lever("boom")).toBe(1);
    hands.keyboard.up({ code: "KeyW" });
    expect(hands.levers()).toEqual({});
  });

  it("stands still with both keys of a pair, and goes on with one", () => {
    hands.keyboard.down(key("KeyW"));
    hands.keyboard.down(key("KeyS"));
    poll(0.3);
    expect(hands.levers()).toEqual({});
    hands.keyboard.up({ code: "KeyW" });
    poll(0.3);
    expect(hands.levers()).toEqual({ boom: -1 });
  });

  it("wants a held key to be pressed anew after a release, though it repeats", () => {
    hands.keyboard.down(key("KeyW"));
    poll(0.3);
    hands.release();
    hands.keyboard.down(key("KeyW", { repeat: true }));
    hands.keyboard.down(key("KeyW"));
    poll(0.3);
    expect(hands.levers()).toEqual({});
    hands.keyboard.up({ code: "KeyW" });
    hands.keyboard.down(key("KeyW"));
    poll(0.3);
    expect(hands.levers()).toEqual({ boom: 1 });
  });

  it("forgets keys that were let go of while the page had no focus", () => {
    hands.keyboard.down(key("KeyW"));
    hands.keyboard.down(key("KeyA"));
    hands.release();
    hands.keyboard.focused();
    hands.keyboard.down(key("KeyA", { repeat: true }));
    poll(1);
    hands.keyboard.down(key("KeyW"));
    hands.keyboard.down(key("KeyA"));
    poll(0.3);
    expect(hands.levers()).toEqual({ boom: 1 });
  });

  it("leaves keys with Ctrl, Alt or Meta to the browser", () => {
    const spared = vi.fn();
    for (const more of [{ ctrlKey: true }, { altKey: true }, { metaKey: true }])
      hands.keyboard.down(key("KeyW", { ...more, preventDefault: spared }));
    poll(0.3);
    expect(hands.levers()).toEqual({});
    expect(spared).not.toHaveBeenCalled();
  });

  it("calls actions once a press, and stops even with Ctrl held", () => {
    hands.keyboard.down(key("Pause", { ctrlKey: true }));
    hands.keyboard.down(key("Delete", { repeat: true }));
    hands.keyboard.down(key("Escape"));
    hands.keyboard.down(key("Digit2", { shiftKey: true }));
    hands.keyboard.down(key("KeyP"));
    hands.keyboard.down(key("Slash", { key: "?" }));
    expect(actions).toEqual([
      { command: "estop" },
      { command: "escape" },
      { motor: "motor_1", direction: -1 },
      { command: "pause" },
      { command: "help" },
    ]);
  });

  it("reads sticks, with up as extend", () => {
    pads = [padOf([0, 0, 0, 0])];
    poll(0.02);
    pads = [padOf([1, -1, 0, 0.05])];
    poll(0.02);
    expect(hands.levers()).toEqual({ boom: 1, slew: 1 });
    pads = [padOf([0, 0, 0, 1])];
    poll(0.02);
    expect(hands.levers()).toEqual({ telescope: -1 });
  });

  it("ignores a stick that is deflected when its gamepad appears, until it was centred", () => {
    pads = [padOf([0, -1, 0, 0], [1])];
    poll(0.1);
    expect(hands.levers()).toEqual({});
    expect(actions).toEqual([]);
    pads = [padOf([0, 0, 0, 0])];
    poll(0.02);
    pads = [padOf([0, -1, 0, 0], [1, 2])];
    poll(0.1);
    expect(hands.levers()).toEqual({ boom: 1 });
    expect(actions).toEqual([{ command: "estop" }, { motor: "motor_1", direction: 1 }]);
  });

  it("is neutral when a gamepad is pulled out", () => {
    pads = [padOf([0, 0, 0, 0])];
    poll(0.02);
    pads = [padOf([0, -1, 0, 0])];
    poll(0.02);
    pads = [];
    poll(0.02);
    expect(hands.levers()).toEqual({});
    expect(hands.neutral).toBe(true);
  });

  it("turns pages where a machine has more groups than keys or sticks", () => {
    const names = Array.from({ length: 30 }, (_, i) => `axis_${i}`);
    hands.configure(machineOf("", names, 0));
    hands.keyboard.down(key("KeyW"));
    poll(0.3);
    expect(hands.levers()).toEqual({ axis_0: 1 });
    hands.keyboard.down(key("PageDown"));
    expect(hands.levers()).toEqual({});
    hands.keyboard.up({ code: "KeyW" });
    hands.keyboard.down(key("KeyW"));
    poll(0.3);
    expect(hands.levers()).toEqual({ [`axis_${PAIRS.length}`]: 1 });
    hands.keyboard.up({ code: "KeyW" });

    pads = [padOf([0, 0, 0, 0])];
    poll(0.02);
    pads = [padOf([0, -1, 0, 0], [8])];
    poll(0.1);
    expect(hands.gamepads.page).toBe(1);
    expect(hands.levers()).toEqual({});
    pads = [padOf([0, 0, 0, 0])];
    poll(0.02);
    pads = [padOf([0, -1, 0, 0])];
    poll(0.02);
    expect(hands.levers()).toEqual({ axis_8: 1 });
  });

  it("wants sticks to be centred after another machine came", () => {
    pads = [padOf([0, 0, 0, 0])];
    poll(0.02);
    pads = [padOf([0, -1, 0, 0])];
    poll(0.02);
    hands.configure(machineOf("loader", ["lift"], 0));
    poll(0.1);
    expect(hands.levers()).toEqual({});
    expect(hands.neutral).toBe(false);
    pads = [padOf([0, 0, 0, 0])];
    poll(0.02);
    pads = [padOf([0, -1, 0, 0])];
    poll(0.02);
    expect(hands.levers()).toEqual({ lift: 1 });
  });

  it("forgets everything of the machine before", () => {
    hands.set("panel", "boom", 1);
    hands.keyboard.down(key("KeyD"));
    poll(0.1);
    hands.configure(machineOf("door", ["door"], 0));
    poll(0.1);
    expect(hands.levers()).toEqual({});
    hands.keyboard.up({ code: "KeyD" });
    hands.set("panel", "boom", 0);
    expect(hands.neutral).toBe(true);
    hands.configure(null);
    hands.set("panel", "door", 1);
    expect(hands.levers()).toEqual({});
  });
});
