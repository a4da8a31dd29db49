/**
 * Which keys, sticks and buttons move what.
 *
 * Groups that a class of machines is known to have get keys that suit them: the upper key of a pair
 * raises or reaches out, A and D turn left and right. All other groups take free pairs in order, and
 * when these run out a further page begins, so that any machine can be driven.
 */

import type { MachineInfo } from "../protocol/generated";
import { DEAD_ZONE, EXPONENT } from "./shape";
import { own } from "../state/own";

/** Code of a key that extends, and of one that retracts (`KeyboardEvent.code`). */
export type Pair = readonly [plus: string, minus: string];

export const PAD_SLOTS = [
  "leftY",
  "leftX",
  "rightY",
  "rightX",
  "dpadY",
  "dpadX",
  "triggers",
  "bumpers",
] as const;
export type PadSlot = (typeof PAD_SLOTS)[number];

/** How a slot is pushed to extend, and to retract. */
export const PAD_WAYS: Readonly<Record<PadSlot, readonly [string, string]>> = {
  leftY: ["↑", "↓"],
  leftX: ["→", "←"],
  rightY: ["↑", "↓"],
  rightX: ["→", "←"],
  dpadY: ["↑", "↓"],
  dpadX: ["→", "←"],
  triggers: ["RT", "LT"],
  bumpers: ["RB", "LB"],
};

/** Buttons that a slot is made of. */
export const PAD_PARTS: Readonly<Record<PadSlot, readonly number[]>> = {
  leftY: [],
  leftX: [],
  rightY: [],
  rightX: [],
  dpadY: [12, 13],
  dpadX: [14, 15],
  triggers: [6, 7],
  bumpers: [4, 5],
};

export interface Binding {
  group: string;
  /** An empty code is no key. */
  keys: Pair;
  keyPage: number;
  slot: PadSlot | "none";
  /** 1, or -1 where pushing up or right retracts. */
  sign: 1 | -1;
  padPage: number;
}

export interface MotorBinding {
  motor: string;
  /** An empty code is no key. */
  key: string;
  keyPage: number;
  /** -1 is no button. */
  button: number;
  padPage: number;
}

export interface Mapping {
  groups: Binding[];
  motors: MotorBinding[];
  keyPages: number;
  padPages: number;
  /** Of all sticks: see `shaped`. */
  dead: number;
  exponent: number;
}

/** Pairs in the order in which they are given away; never one of the keys below. */
export const PAIRS: readonly Pair[] = [
  ["KeyW", "KeyS"],
  ["KeyD", "KeyA"],
  ["KeyR", "KeyF"],
  ["KeyT", "KeyG"],
  ["KeyY", "KeyH"],
  ["KeyU", "KeyJ"],
  ["KeyI", "KeyK"],
  ["KeyO", "KeyL"],
  ["KeyE", "KeyQ"],
  ["KeyX", "KeyZ"],
  ["KeyB", "KeyV"],
  ["KeyM", "KeyN"],
  ["BracketRight", "BracketLeft"],
  ["Quote", "Semicolon"],
  ["Equal", "Minus"],
  ["Numpad7", "Numpad4"],
  ["Numpad8", "Numpad5"],
  ["Numpad9", "Numpad6"],
  ["Numpad1", "Numpad0"],
  ["NumpadAdd", "NumpadSubtract"],
  ["NumpadMultiply", "NumpadDivide"],
];

/** Start and stop a motor; with Shift it turns backwards. */
export const MOTOR_KEYS = [
  "Digit1",
  "Digit2",
  "Digit3",
  "Digit4",
  "Digit5",
  "Digit6",
  "Digit7",
  "Digit8",
  "Digit9",
  "Digit0",
] as const;

/** What is not about one group or motor. */
export type Command = "estop" | "pause" | "camera" | "all" | "help" | "page" | "previous" | "next";

/** Escape closes an open overlay first; the other two stop at any time. */
export const COMMAND_KEYS: Readonly<Record<string, Command>> = {
  Escape: "estop",
  Pause: "estop",
  Delete: "estop",
  KeyP: "pause",
  KeyC: "camera",
  Home: "all",
  F1: "help",
  PageDown: "page",
  Comma: "previous",
  Period: "next",
};

/** Buttons of a standard gamepad. */
export const PAD_COMMANDS: Readonly<Record<number, Command>> = {
  1: "estop",
  8: "page",
  9: "pause",
  10: "camera",
};
export const PAD_MOTORS = [0, 2, 3, 11] as const;

interface Habit {
  match: RegExp;
  keys?: Pair;
  slot?: PadSlot;
  sign?: 1 | -1;
}

/** By class of machine: where hands expect a group, and which way. */
export const HABITS: Readonly<Record<string, readonly Habit[]>> = {
  roadheader: [
    { match: /^(boom|lift)/, keys: ["KeyW", "KeyS"], slot: "leftY" },
    { match: /^(slew|swing|turret)/, keys: ["KeyD", "KeyA"], slot: "leftX" },
    { match: /^(telescope|extension|feed)/, keys: ["KeyR", "KeyF"], slot: "rightY" },
    { match: /^(shovel|apron|loading)/, keys: ["KeyG", "KeyT"], slot: "dpadY", sign: -1 },
    { match: /^stabili[sz]er.*left/, keys: ["KeyH", "KeyY"], slot: "bumpers" },
    { match: /^stabili[sz]er.*right/, keys: ["KeyJ", "KeyU"], slot: "triggers" },
  ],
  loader: [
    { match: /^(lift|boom|arm)/, keys: ["KeyW", "KeyS"], slot: "leftY" },
    { match: /^(steer|swing|slew)/, keys: ["KeyD", "KeyA"], slot: "leftX" },
    { match: /^(slide|telescope|extension)/, keys: ["KeyR", "KeyF"], slot: "rightY" },
    { match: /^(bucket|tilt|dump|crowd)/, keys: ["KeyT", "KeyG"], slot: "rightX" },
  ],
  jumbo: [
    { match: /^(lift|boom)/, keys: ["KeyW", "KeyS"], slot: "leftY" },
    { match: /^(swing|slew)/, keys: ["KeyD", "KeyA"], slot: "leftX" },
    { match: /^feed/, keys: ["KeyR", "KeyF"], slot: "rightY" },
    { match: /^(tilt|pitch)/, keys: ["KeyT", "KeyG"], slot: "dpadY" },
  ],
  shearer: [
    { match: /left/, keys: ["KeyW", "KeyS"], slot: "leftY" },
    { match: /right/, keys: ["KeyI", "KeyK"], slot: "rightY" },
    { match: /cowl/, keys: ["KeyT", "KeyG"], slot: "dpadY" },
  ],
  support: [
    { match: /^(front_)?legs?/, keys: ["KeyW", "KeyS"], slot: "leftY" },
    { match: /^rear_legs?/, keys: ["KeyR", "KeyF"], slot: "rightY" },
  ],
};

const same = (a: Pair, b: Pair): boolean => a.includes(b[0]) || a.includes(b[1]);

/** Where every group and motor of this machine is; nothing has the same place on the same page. */
export function mappingFor(machine: MachineInfo | null): Mapping {
  const groups = machine?.groups.map((group) => group.name) ?? [];
  const motors = machine?.motors.map((motor) => motor.name) ?? [];
  const habits = own(HABITS, machine?.machine_class ?? "") ?? [];
  const keys = new Map<string, { at: Pair; page: number }>();
  const pads = new Map<string, { at: PadSlot; page: number; sign: 1 | -1 }>();

  for (const name of groups) {
    for (const { match, keys: pair, slot, sign = 1 } of habits) {
      if (!match.test(name)) continue;
      if (pair && !keys.has(name) && ![...keys.values()].some(({ at }) => same(at, pair)))
        keys.set(name, { at: pair, page: 0 });
      if (slot && !pads.has(name) && ![...pads.values()].some(({ at }) => at === slot))
        pads.set(name, { at: slot, page: 0, sign });
    }
  }

  const takenKeys = [...keys.values()].map(({ at }) => at);
  const takenSlots = [...pads.values()].map(({ at }) => at);
  const freeKeys = pages(PAIRS, (pair) => takenKeys.some((other) => same(other, pair)));
  const freeSlots = pages(PAD_SLOTS, (slot) => takenSlots.includes(slot));
  for (const name of groups) {
    if (!keys.has(name)) keys.set(name, freeKeys());
    if (!pads.has(name)) pads.set(name, { ...freeSlots(), sign: 1 });
  }

  const motorKeys = pages(MOTOR_KEYS, () => false);
  const motorButtons = pages(PAD_MOTORS, () => false);
  const mapping: Mapping = {
    groups: groups.map((group) => {
      const key = keys.get(group)!;
      const pad = pads.get(group)!;
      return {
        group,
        keys: key.at,
        keyPage: key.page,
        slot: pad.at,
        sign: pad.sign,
        padPage: pad.page,
      };
    }),
    motors: motors.map((motor) => {
      const key = motorKeys();
      const button = motorButtons();
      return {
        motor,
        key: key.at,
        keyPage: key.page,
        button: button.at,
        padPage: button.page,
      };
    }),
    keyPages: 1,
    padPages: 1,
    dead: DEAD_ZONE,
    exponent: EXPONENT,
  };
  for (const { keyPage, padPage } of [...mapping.groups, ...mapping.motors]) {
    mapping.keyPages = Math.max(mapping.keyPages, keyPage + 1);
    mapping.padPages = Math.max(mapping.padPages, padPage + 1);
  }
  return mapping;
}

/** Gives the places in order, page after page; on the first page without those that are taken. */
function pages<T>(
  places: readonly T[],
  taken: (place: T) => boolean,
): () => { at: T; page: number } {
  let queue = places.filter((place) => !taken(place));
  let page = 0;
  return () => {
    if (queue.length === 0) {
      queue = [...places];
      page += 1;
    }
    return { at: queue.shift()!, page };
  };
}
