/** A person's own places of keys, sticks and buttons, for all machines of a class. */

import { words } from "../text/tools/controls";
import {
  type Binding,
  COMMAND_KEYS,
  type Mapping,
  PAD_COMMANDS,
  PAD_PARTS,
  PAD_SLOTS,
  type PadSlot,
} from "./mappings";
import { DEAD_ZONE, EXPONENT } from "./shape";

export const FORMAT = 1;
export const LARGEST_FILE = 100_000; // letters
export const DEAD_ZONES = [0, 0.5] as const;
export const EXPONENTS = [0.5, 4] as const;
const MOST_NAMES = 500;
const LONGEST_NAME = 256;
const BUTTONS = 32;

/** Letters, digits, signs and the number pad: what neither the browser nor the page needs itself. */
const BINDABLE = new RegExp(
  "^(Key[A-Z]|Digit\\d|Numpad(\\d|Add|Subtract|Multiply|Divide|Decimal)|Period|Comma|Quote|" +
    "Semicolon|Equal|Minus|Slash|Backslash|Backquote|Bracket(Left|Right)|Intl(Backslash|Ro|Yen)|" +
    "Home|End|Insert|PageUp)$",
);

/** Whether a key can be given to a group or a motor; those of commands never can. */
export function isBindable(code: string): boolean {
  return BINDABLE.test(code) && !Object.hasOwn(COMMAND_KEYS, code);
}

/** Whether a gamepad's button can be given to a motor. */
export function isBindableButton(button: number): boolean {
  const known = Number.isInteger(button) && button >= 0 && button < BUTTONS;
  return known && !Object.hasOwn(PAD_COMMANDS, button);
}

/** What is otherwise for a group; an empty code is no key. */
export interface GroupChange {
  plus?: string;
  minus?: string;
  slot?: PadSlot | "none";
  sign?: 1 | -1;
}

/** What is otherwise for a motor; an empty code is no key, -1 no button. */
export interface MotorChange {
  key?: string;
  button?: number;
}

export interface Profile {
  /** Class of machines that it is for; empty for those that have none. */
  kind: string;
  /** Part of a stick's way around its centre that does nothing. */
  dead: number;
  /** Larger is finer near the centre; 1 is a straight line. */
  exponent: number;
  groups: ReadonlyMap<string, GroupChange>;
  motors: ReadonlyMap<string, MotorChange>;
}

/** A profile that changes nothing. */
export function plainProfile(kind: string): Profile {
  return { kind, dead: DEAD_ZONE, exponent: EXPONENT, groups: new Map(), motors: new Map() };
}

export function isPlain({ dead, exponent, groups, motors }: Profile): boolean {
  return dead === DEAD_ZONE && exponent === EXPONENT && groups.size + motors.size === 0;
}

/** The same profile with something else for a group. */
export function withGroup(profile: Profile, group: string, change: GroupChange): Profile {
  const groups = new Map(profile.groups);
  return { ...profile, groups: groups.set(group, { ...groups.get(group), ...change }) };
}

/** The same profile with something else for a motor. */
export function withMotor(profile: Profile, motor: string, change: MotorChange): Profile {
  const motors = new Map(profile.motors);
  return { ...profile, motors: motors.set(motor, { ...motors.get(motor), ...change }) };
}

/** A mapping as a profile wants it. */
export function applied(mapping: Mapping, profile: Profile): Mapping {
  return {
    ...mapping,
    dead: profile.dead,
    exponent: profile.exponent,
    groups: mapping.groups.map((binding): Binding => {
      const { plus, minus, slot, sign } = profile.groups.get(binding.group) ?? {};
      return {
        ...binding,
        keys: [plus ?? binding.keys[0], minus ?? binding.keys[1]],
        slot: slot ?? binding.slot,
        sign: sign ?? binding.sign,
      };
    }),
    motors: mapping.motors.map((binding) => {
      const { key, button } = profile.motors.get(binding.motor) ?? {};
      return { ...binding, key: key ?? binding.key, button: button ?? binding.button };
    }),
  };
}

/** A place that several want; only the first of them has it. */
export interface Conflict {
  kind: "key" | "slot" | "button";
  /** Code of the key, name of the slot, number of the button. */
  place: string;
  /** Who wants it: name, and which way where it is a key of a group. */
  wanted: { name: string; way: "extend" | "retract" | "" }[];
}

/** Places that several groups or motors of one page want. */
export function conflictsOf({ groups, motors }: Mapping): Conflict[] {
  const found = new Map<string, Conflict>();
  const want = (
    kind: Conflict["kind"],
    place: string,
    page: number,
    name: string,
    way: "extend" | "retract" | "" = "",
  ): void => {
    const key = `${kind} ${page} ${place}`;
    const conflict = found.get(key) ?? { kind, place, wanted: [] };
    if (!conflict.wanted.some((other) => other.name === name && other.way === way))
      conflict.wanted.push({ name, way });
    found.set(key, conflict);
  };
  for (const { group, keys, keyPage, slot, padPage } of groups) {
    if (keys[0]) want("key", keys[0], keyPage, group, "extend");
    if (keys[1]) want("key", keys[1], keyPage, group, "retract");
    if (slot === "none") continue;
    want("slot", slot, padPage, group);
    for (const button of PAD_PARTS[slot]) want("button", String(button), padPage, group);
  }
  for (const { motor, key, keyPage, button, padPage } of motors) {
    if (key) want("key", key, keyPage, motor);
    if (button >= 0) want("button", String(button), padPage, motor);
  }
  const slots = new Set(
    [...found.values()]
      .filter((one) => one.kind === "slot" && one.wanted.length > 1)
      .flatMap(({ place }) => PAD_PARTS[place as PadSlot].map(String)),
  );
  return [...found.values()].filter(
    ({ kind, place, wanted }) => wanted.length > 1 && !(kind === "button" && slots.has(place)),
  );
}

// ---------------------------------------------------------------- as a file

/** A profile as it is stored and saved. */
export function profileData(profile: Profile): object {
  return {
    headframe_controls: FORMAT,
    machine_class: profile.kind,
    dead_zone: profile.dead,
    curve: profile.exponent,
    groups: Object.fromEntries(
      [...profile.groups].map(([name, { plus, minus, slot, sign }]) => [
        name,
        {
          ...(plus === undefined ? {} : { extend: plus }),
          ...(minus === undefined ? {} : { retract: minus }),
          ...(slot === undefined ? {} : { stick: slot }),
          ...(sign === undefined ? {} : { inverted: sign < 0 }),
        },
      ]),
    ),
    motors: Object.fromEntries(profile.motors),
  };
}

/** What is wrong with a file, and where. */
export interface Complaint {
  place: string;
  message: string;
}

/** Reads what was stored or saved, and notes everything that is wrong with it. */
class Reader {
  readonly complaints: Complaint[] = [];

  complain(place: string, message: string): void {
    this.complaints.push({ place, message });
  }

  object(value: unknown, place: string, known: readonly string[] | null): Map<string, unknown> {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      this.complain(place, words.wantObject);
      return new Map();
    }
    const entries = Object.entries(value);
    if (known === null && entries.length > MOST_NAMES) {
      this.complain(place, words.tooMany(MOST_NAMES));
      return new Map();
    }
    for (const [key] of entries) {
      if (known !== null && !known.includes(key)) this.complain(joined(place, key), words.unknown);
      if (key.length > LONGEST_NAME) this.complain(joined(place, key), words.longName);
    }
    return new Map(entries);
  }

  number(value: unknown, place: string, [low, high]: readonly [number, number], plain: number) {
    if (value === undefined) return plain;
    if (typeof value === "number" && value >= low && value <= high) return value;
    this.complain(place, words.wantNumber(low, high));
    return plain;
  }

  key(value: unknown, place: string): string | undefined {
    if (value === undefined) return undefined;
    if (value === "" || (typeof value === "string" && isBindable(value))) return value;
    const taken = typeof value === "string" && Object.hasOwn(COMMAND_KEYS, value);
    this.complain(place, taken ? words.keyOfPage : words.wantKey);
    return undefined;
  }

  slot(value: unknown, place: string): PadSlot | "none" | undefined {
    if (value === undefined) return undefined;
    const slot = [...PAD_SLOTS, "none" as const].find((known) => known === value);
    if (slot === undefined) this.complain(place, words.wantStick(PAD_SLOTS.join(", ")));
    return slot;
  }

  button(value: unknown, place: string): number | undefined {
    if (value === undefined) return undefined;
    if (value === -1 || (typeof value === "number" && isBindableButton(value))) return value;
    this.complain(place, words.wantButton);
    return undefined;
  }

  sign(value: unknown, place: string): 1 | -1 | undefined {
    if (value === undefined) return undefined;
    if (typeof value === "boolean") return value ? -1 : 1;
    this.complain(place, words.wantBoolean);
    return undefined;
  }
}

const joined = (place: string, key: string): string =>
  [place, key.slice(0, 60)].filter(Boolean).join(".");
const HEAD = ["headframe_controls", "machine_class", "dead_zone", "curve", "groups", "motors"];
const EDITORS = ["$schema"]; // by which an editor finds a schema; nothing else is done with it

/** The profile in a value that came from a file or from storage; with complaints it is of no use. */
export function readProfile(value: unknown): { profile: Profile; complaints: Complaint[] } {
  const reader = new Reader();
  const head = reader.object(value, "", [...HEAD, ...EDITORS]);
  const profile = plainProfile("");
  if (reader.complaints.length > 0 && head.size === 0)
    return { profile, complaints: reader.complaints };
  if (head.get("headframe_controls") !== FORMAT)
    reader.complain("headframe_controls", words.wantFormat(FORMAT));
  const kind = head.get("machine_class");
  if (typeof kind === "string" && kind.length <= LONGEST_NAME) profile.kind = kind;
  else reader.complain("machine_class", words.wantClass);
  profile.dead = reader.number(head.get("dead_zone"), "dead_zone", DEAD_ZONES, DEAD_ZONE);
  profile.exponent = reader.number(head.get("curve"), "curve", EXPONENTS, EXPONENT);
  const groups = new Map<string, GroupChange>();
  for (const [name, change] of reader.object(head.get("groups") ?? {}, "groups", null)) {
    const at = joined("groups", name);
    const given = reader.object(change, at, ["extend", "retract", "stick", "inverted"]);
    const plus = reader.key(given.get("extend"), `${at}.extend`);
    const minus = reader.key(given.get("retract"), `${at}.retract`);
    if (plus && plus === minus) reader.complain(at, words.bothWays);
    groups.set(
      name,
      defined({
        plus,
        minus,
        slot: reader.slot(given.get("stick"), `${at}.stick`),
        sign: reader.sign(given.get("inverted"), `${at}.inverted`),
      }),
    );
  }
  const motors = new Map<string, MotorChange>();
  for (const [name, change] of reader.object(head.get("motors") ?? {}, "motors", null)) {
    const at = joined("motors", name);
    const given = reader.object(change, at, ["key", "button"]);
    motors.set(
      name,
      defined({
        key: reader.key(given.get("key"), `${at}.key`),
        button: reader.button(given.get("button"), `${at}.button`),
      }),
    );
  }
  return { profile: { ...profile, groups, motors }, complaints: reader.complaints };
}

/** Without the entries that are undefined. */
function defined<T extends object>(entries: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

/** The profile in a text. */
export function parseProfile(text: string): { profile: Profile; complaints: Complaint[] } {
  const refused = (message: string) => ({
    profile: plainProfile(""),
    complaints: [{ place: "", message }],
  });
  if (text.length > LARGEST_FILE) return refused(words.tooLong(LARGEST_FILE));
  try {
    return readProfile(JSON.parse(text));
  } catch {
    return refused(words.notJson);
  }
}
