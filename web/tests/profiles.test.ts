import { beforeEach, describe, expect, it } from "vitest";
import { ButtonFinder, type Catcher, StickFinder } from "../src/input/catching";
import type { PadLike } from "../src/input/gamepads";
import { type Action, Hands } from "../src/input/hands";
import { COMMAND_KEYS, mappingFor, MOTOR_KEYS, PAD_COMMANDS, PAIRS } from "../src/input/mappings";
import {
  applied,
  conflictsOf,
  isBindable,
  isBindableButton,
  isPlain,
  LARGEST_FILE,
  parseProfile,
  plainProfile,
  profileData,
  readProfile,
  withGroup,
  withMotor,
} from "../src/input/profile";
import { BROKEN, Profiles, STORED, type StorageLike } from "../src/input/profiles";
import { DEAD_ZONE, shaped } from "../src/input/shape";
import { key, padOf } from "./hands";
import { machineOf } from "./machines";

const machine = machineOf("roadheader", ["boom", "slew", "telescope"], 2);

/** A storage that may be full or shut. */
class Memory implements StorageLike {
  entries = new Map<string, string>();
  fails = false;

  getItem(name: string): string | null {
    if (this.fails) throw new Error("shut");
    return this.entries.get(name) ?? null;
  }

  setItem(name: string, value: string): void {
    if (this.fails) throw new Error("full");
    this.entries.set(name, value);
  }
}

const own = withMotor(
  withGroup(withGroup(plainProfile("roadheader"), "boom", { plus: "KeyU", minus: "" }), "slew", {
    slot: "rightX",
    sign: -1,
  }),
  "motor_1",
  { key: "KeyM", button: 5 },
);

describe("a profile", () => {
  it("changes what it names and leaves the rest", () => {
    const usual = mappingFor(machine);
    const mapping = applied(usual, { ...own, dead: 0.3, exponent: 1 });
    expect(mapping.groups[0]).toEqual({ ...usual.groups[0], keys: ["KeyU", ""] });
    expect(mapping.groups[1]).toEqual({ ...usual.groups[1], slot: "rightX", sign: -1 });
    expect(mapping.groups[2]).toEqual(usual.groups[2]);
    expect(mapping.motors[0]).toEqual(usual.motors[0]);
    expect(mapping.motors[1]).toEqual({ ...usual.motors[1], key: "KeyM", button: 5 });
    expect([mapping.dead, mapping.exponent]).toEqual([0.3, 1]);
    expect(applied(usual, plainProfile("roadheader"))).toEqual(usual);
  });

  it("never takes the keys and buttons of commands", () => {
    for (const code of Object.keys(COMMAND_KEYS)) expect(isBindable(code)).toBe(false);
    for (const code of [...PAIRS.flat(), ...MOTOR_KEYS]) expect(isBindable(code)).toBe(true);
    for (const code of ["Tab", "Enter", "Space", "ShiftLeft", "F5", "ArrowUp", "", "toString"])
      expect(isBindable(code)).toBe(false);
    for (const button of Object.keys(PAD_COMMANDS))
      expect(isBindableButton(Number(button))).toBe(false);
    expect([0, 5, 31].every(isBindableButton)).toBe(true);
    expect([-1, 32, 1.5, NaN].some(isBindableButton)).toBe(false);
  });

  it("comes back from its file", () => {
    const text = JSON.stringify(profileData({ ...own, dead: 0.2, exponent: 2.5 }));
    const { profile, complaints } = parseProfile(text);
    expect(complaints).toEqual([]);
    expect(profile).toEqual({ ...own, dead: 0.2, exponent: 2.5 });
    expect(isPlain(profile)).toBe(false);
    expect(isPlain(plainProfile("x"))).toBe(true);
  });

  it("has names that mean something to objects", () => {
    const odd = withGroup(plainProfile(""), "constructor", { plus: "KeyU" });
    expect(parseProfile(JSON.stringify(profileData(odd))).profile).toEqual(odd);
    const text =
      '{"headframe_controls": 1, "machine_class": "", "groups": {"__proto__": {"extend": "KeyU"}}}';
    expect([...parseProfile(text).profile.groups]).toEqual([["__proto__", { plus: "KeyU" }]]);
    expect(applied(mappingFor(machine), plainProfile("")).groups[0]!.keys[0]).toBe("KeyW");
  });

  it("may name a schema, for its author's editor", () => {
    const data = { $schema: "controls.schema.json", headframe_controls: 1, machine_class: "" };
    expect(readProfile(data).complaints).toEqual([]);
    expect(profileData(readProfile(data).profile)).not.toHaveProperty("$schema");
  });

  it("tells everything that is wrong with a file, and where", () => {
    const { complaints } = readProfile({
      headframe_controls: 2,
      machine_class: 5,
      dead_zone: 0.9,
      curve: "steep",
      colour: "red",
      groups: {
        boom: { extend: "Escape", retract: 5, stick: "middle", inverted: 1, speed: 2 },
        slew: { extend: "KeyU", retract: "KeyU" },
        lift: null,
      },
      motors: { cutter: { key: "Enter", button: 1 } },
    });
    expect(complaints.map(({ place }) => place)).toEqual([
      "colour",
      "headframe_controls",
      "machine_class",
      "dead_zone",
      "curve",
      "groups.boom.speed",
      "groups.boom.extend",
      "groups.boom.retract",
      "groups.boom.stick",
      "groups.boom.inverted",
      "groups.slew",
      "groups.lift",
      "motors.cutter.key",
      "motors.cutter.button",
    ]);
    expect(complaints.every(({ message }) => message.length > 5)).toBe(true);
  });

  it.each(["", "{", "null", "[]", "5", '"x"', " ".repeat(LARGEST_FILE + 1), '{"groups": []}'])(
    "is none in %j",
    (text) => {
      expect(parseProfile(text).complaints.length).toBeGreaterThan(0);
    },
  );

  it("refuses more names than a machine has", () => {
    const groups = Object.fromEntries(Array.from({ length: 501 }, (_, i) => [`g${i}`, {}]));
    const data = { headframe_controls: 1, machine_class: "", groups };
    expect(readProfile(data).complaints.map(({ place }) => place)).toEqual(["groups"]);
  });
});

describe("conflicts", () => {
  const usual = mappingFor(machine);

  it("has none by itself", () => {
    expect(conflictsOf(usual)).toEqual([]);
  });

  it("finds one key for two groups, for a group and a motor, and for both ways", () => {
    const profile = withMotor(
      withGroup(plainProfile(""), "slew", { plus: "KeyW", minus: "KeyR" }),
      "motor_0",
      { key: "KeyS" },
    );
    expect(conflictsOf(applied(usual, profile))).toEqual([
      {
        kind: "key",
        place: "KeyW",
        wanted: [
          { name: "boom", way: "extend" },
          { name: "slew", way: "extend" },
        ],
      },
      {
        kind: "key",
        place: "KeyS",
        wanted: [
          { name: "boom", way: "retract" },
          { name: "motor_0", way: "" },
        ],
      },
      {
        kind: "key",
        place: "KeyR",
        wanted: [
          { name: "slew", way: "retract" },
          { name: "telescope", way: "extend" },
        ],
      },
    ]);
  });

  it("finds one stick for two groups, and a button that is part of a stick", () => {
    const slots = applied(usual, withGroup(plainProfile(""), "slew", { slot: "leftY" }));
    expect(conflictsOf(slots)).toMatchObject([{ kind: "slot", place: "leftY" }]);
    const both = withMotor(withGroup(plainProfile(""), "slew", { slot: "bumpers" }), "motor_0", {
      button: 5,
    });
    expect(conflictsOf(applied(usual, both))).toEqual([
      {
        kind: "button",
        place: "5",
        wanted: [
          { name: "slew", way: "" },
          { name: "motor_0", way: "" },
        ],
      },
    ]);
    const twice = withGroup(withGroup(plainProfile(""), "slew", { slot: "bumpers" }), "boom", {
      slot: "bumpers",
    });
    expect(conflictsOf(applied(usual, twice))).toHaveLength(1);
  });

  it("does not mind what has no place", () => {
    const none = withGroup(
      withGroup(plainProfile(""), "slew", { plus: "", minus: "", slot: "none" }),
      "boom",
      { plus: "", minus: "", slot: "none" },
    );
    const motors = withMotor(withMotor(none, "motor_0", { button: -1 }), "motor_1", { button: -1 });
    expect(conflictsOf(applied(usual, motors))).toEqual([]);
  });
});

describe("profiles that a browser keeps", () => {
  it("are there the next time, one for each class", () => {
    const storage = new Memory();
    const first = new Profiles();
    first.open(storage);
    expect([first.broken, first.forgetful]).toEqual([false, false]);
    first.keep(own);
    first.keep({ ...plainProfile("loader"), dead: 0.25 });
    const second = new Profiles();
    second.open(storage);
    expect(second.of("roadheader")).toEqual(own);
    expect(second.of("loader").dead).toBe(0.25);
    expect(second.of("jumbo")).toEqual(plainProfile("jumbo"));
    second.keep(plainProfile("roadheader"));
    expect(second.of("roadheader")).toEqual(plainProfile("roadheader"));
    expect(storage.getItem(STORED)).not.toContain("roadheader");
  });

  it("do not undo each other in two pages", () => {
    const storage = new Memory();
    const [one, two] = [new Profiles(), new Profiles()];
    one.open(storage);
    two.open(storage);
    one.keep(own);
    two.keep({ ...plainProfile("loader"), dead: 0.25 });
    const third = new Profiles();
    third.open(storage);
    expect(third.of("roadheader")).toEqual(own);
    expect(third.of("loader").dead).toBe(0.25);
  });

  it.each(["{", "5", "null", "[]", '{"version": 2, "profiles": []}', '{"version": 1}'])(
    "ignores %j, tells so, and loses nothing of it",
    (text) => {
      const storage = new Memory();
      storage.setItem(STORED, text);
      const profiles = new Profiles();
      profiles.open(storage);
      expect(profiles.broken).toBe(true);
      expect(profiles.of("roadheader")).toEqual(plainProfile("roadheader"));
      expect(storage.getItem(STORED)).toBe(text);
      profiles.keep(own);
      expect(profiles.broken).toBe(false);
      expect(storage.getItem(BROKEN)).toBe(text);
      expect(
        parseProfile(JSON.stringify(JSON.parse(storage.getItem(STORED)!).profiles[0])).profile,
      ).toEqual(own);
    },
  );

  it("keeps the sound ones beside a broken one", () => {
    const storage = new Memory();
    const entries = [profileData(own), { headframe_controls: 1, machine_class: "x", curve: 99 }];
    storage.setItem(STORED, JSON.stringify({ version: 1, profiles: entries }));
    const profiles = new Profiles();
    profiles.open(storage);
    expect(profiles.broken).toBe(true);
    expect(profiles.of("roadheader")).toEqual(own);
  });

  it("works without a storage, and with one that is full", () => {
    const profiles = new Profiles();
    profiles.open(null);
    profiles.keep(own);
    expect(profiles.of("roadheader")).toEqual(own);
    expect(profiles.forgetful).toBe(true);
    const storage = new Memory();
    profiles.open(storage);
    storage.fails = true;
    profiles.keep(own);
    expect(profiles.of("roadheader")).toEqual(own);
    expect(profiles.forgetful).toBe(true);
  });

  it("keeps no more classes than it may", () => {
    const storage = new Memory();
    const profiles = new Profiles();
    profiles.open(storage);
    for (let i = 0; i < 60; i++) profiles.keep({ ...plainProfile(`class ${i}`), dead: 0.2 });
    expect(JSON.parse(storage.getItem(STORED)!).profiles).toHaveLength(50);
  });
});

describe("finding a stick or a button", () => {
  it("takes the one that is moved, with its way", () => {
    const finder = new StickFinder();
    expect(finder.take([padOf([0, 0, 0, 0])])).toBeNull();
    expect(finder.take([padOf([0.4, 0, 0, 0])])).toBeNull();
    expect(finder.take([padOf([0.65, 0, -0.9, 0])])).toEqual({ slot: "rightX", sign: -1 });
    expect(finder.take([padOf([0, 0, 0, 0], [5])])).toEqual({ slot: "bumpers", sign: 1 });
  });

  it("waits for what is deflected from the start to come back", () => {
    const finder = new StickFinder();
    expect(finder.take([padOf([1, 0, 0, 0], [12])])).toBeNull();
    expect(finder.take([padOf([0.5, 0, 0, 0], [12])])).toBeNull();
    expect(finder.take([padOf([0.1, 0, 0, 0], [12])])).toBeNull();
    expect(finder.take([padOf([-0.8, 0, 0, 0], [12])])).toEqual({ slot: "leftX", sign: -1 });
  });

  it("takes the button that goes down, but none of a command", () => {
    const finder = new ButtonFinder();
    expect(finder.take([padOf([], [3])])).toBeNull(); // held from the start
    expect(finder.take([padOf([], [3, 1, 9])])).toBeNull();
    expect(finder.take([padOf([], [7])])).toBe(7);
    expect(finder.take([padOf([], [])])).toBeNull();
    expect(finder.take([padOf([], [3])])).toBe(3);
  });
});

describe("hands with a profile", () => {
  let hands: Hands;
  let actions: Action[];
  let pads: PadLike[];
  const caught = { keys: [] as string[], pads: 0, cancelled: 0 };
  const catcher: Catcher = {
    key: (code) => caught.keys.push(code),
    pads: () => (caught.pads += 1),
    cancel: () => {
      caught.cancelled += 1;
      hands.catch(null);
    },
  };

  beforeEach(() => {
    hands = new Hands();
    actions = [];
    pads = [];
    Object.assign(caught, { keys: [], pads: 0, cancelled: 0 });
    hands.onAction = (action) => actions.push(action);
    hands.gamepads.source = () => pads;
    hands.configure(machine);
    hands.poll(0);
  });

  /** Poll for a second. */
  function wait(): void {
    for (let i = 0, start = performance.now(); i <= 10; i++) hands.poll(start + 1000 * i);
  }

  it("drives by the keys of the profile, from the next machine on or at once", () => {
    hands.profiles.keep(own);
    hands.remap();
    hands.keyboard.down(key("KeyW"));
    wait();
    expect(hands.levers()).toEqual({});
    hands.keyboard.down(key("KeyU"));
    wait();
    expect(hands.levers()).toEqual({ boom: 1 });
    hands.keyboard.up(key("KeyU"));
    hands.configure(machineOf("loader", ["boom"], 0));
    hands.keyboard.down(key("KeyU"));
    wait();
    expect(hands.levers()).toEqual({});
  });

  it("lets go of everything when the profile changes; what is held has no effect any more", () => {
    hands.keyboard.down(key("KeyW"));
    pads = [padOf([0, 0, 0, 0])];
    wait();
    pads = [padOf([-1, 0, 0, 0])];
    wait();
    expect(Object.keys(hands.levers()).sort()).toEqual(["boom", "slew"]);
    hands.profiles.keep(withGroup(plainProfile("roadheader"), "telescope", { slot: "leftX" }));
    hands.remap();
    wait();
    expect(hands.levers()).toEqual({});
    pads = [padOf([0, 0, 0, 0])];
    wait();
    pads = [padOf([0, -1, 0, 0])];
    wait();
    expect(hands.levers()["boom"]).toBe(1);
  });

  it("has the dead zone, the curve and the way of the profile", () => {
    const profile = withGroup(plainProfile("roadheader"), "slew", { sign: -1 });
    hands.profiles.keep({ ...profile, dead: 0.4, exponent: 1 });
    hands.remap();
    pads = [padOf([0, 0, 0, 0])];
    hands.poll(1);
    pads = [padOf([0.7, -0.3, 0, 0])];
    hands.poll(2);
    expect(0.3).toBeGreaterThan(DEAD_ZONE);
    expect(hands.levers()).toEqual({ slew: -shaped(0.7, 0.4, 1) });
    expect(hands.lever("slew")).toBeCloseTo(-(0.7 - 0.4) / (0.98 - 0.4), 12);
  });

  it("leaves a place that two want to the first", () => {
    hands.profiles.keep(
      withMotor(
        withGroup(plainProfile("roadheader"), "telescope", { plus: "KeyW", slot: "leftY" }),
        "motor_1",
        { button: 0 },
      ),
    );
    hands.remap();
    hands.keyboard.down(key("KeyW"));
    wait();
    expect(hands.levers()).toEqual({ boom: 1 });
    hands.keyboard.up(key("KeyW"));
    pads = [padOf([0, 0, 0, 0])];
    wait();
    pads = [padOf([0, -1, 0, 0], [0])];
    wait();
    expect(hands.levers()).toEqual({ boom: 1 });
    expect(actions).toEqual([{ motor: "motor_0", direction: 1 }]);
  });

  it("moves nothing while somebody waits for a key or a stick", () => {
    pads = [padOf([0, 0, 0, 0])];
    hands.keyboard.down(key("KeyW"));
    wait();
    expect(hands.levers()).toEqual({ boom: 1 });
    hands.catch(catcher);
    expect(hands.levers()).toEqual({});
    hands.keyboard.down(key("KeyD"));
    hands.keyboard.down(key("KeyD", { repeat: true }));
    hands.keyboard.down(key("KeyP"));
    hands.keyboard.down(key("Digit1"));
    hands.keyboard.down(key("KeyR", { ctrlKey: true }));
    hands.set("panel", "slew", 1);
    pads = [padOf([1, -1, 0, 0], [0, 9])];
    wait();
    expect(hands.levers()).toEqual({});
    expect(actions).toEqual([]);
    expect(caught.keys).toEqual(["KeyD", "KeyP", "Digit1"]);
    expect(caught.pads).toBeGreaterThan(5);
    hands.catch(null);
    wait(); // all of it is still held
    expect(hands.levers()).toEqual({});
    hands.set("panel", "slew", 0);
    pads = [padOf([0, 0, 0, 0])];
    wait();
    pads = [padOf([1, 0, 0, 0])];
    wait();
    expect(hands.lever("slew")).toBe(1);
  });

  it("stops the machine at any time; Escape only ends the waiting", () => {
    hands.catch(catcher);
    hands.keyboard.down(key("Escape"));
    expect([caught.cancelled, hands.catcher]).toEqual([1, null]);
    expect(actions).toEqual([]);
    for (const code of ["Delete", "Pause"]) {
      hands.catch(catcher);
      hands.keyboard.down(key(code));
      expect(hands.catcher).toBeNull();
    }
    pads = [padOf([0, 0, 0, 0])];
    hands.poll(1);
    hands.catch(catcher);
    pads = [padOf([0, 0, 0, 0], [1])];
    hands.poll(2);
    expect(hands.catcher).toBeNull();
    expect(actions).toEqual([{ command: "estop" }, { command: "estop" }, { command: "estop" }]);
    expect(caught.keys).toEqual([]);
  });
});
