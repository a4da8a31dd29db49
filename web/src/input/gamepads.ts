/** Gamepads, read once a picture. Buttons and axes as the standard mapping numbers them. */

import type { Hands } from "./hands";
import { PAD_COMMANDS, type PadSlot } from "./mappings";
import { shaped } from "./shape";

/** What is read of a `Gamepad`. */
export interface PadLike {
  index: number;
  connected: boolean;
  axes: readonly number[];
  buttons: readonly { pressed: boolean; value: number }[];
}

const SLOTS: Readonly<Record<PadSlot, (pad: PadLike) => number>> = {
  leftX: (pad) => axis(pad, 0),
  leftY: (pad) => -axis(pad, 1),
  rightX: (pad) => axis(pad, 2),
  rightY: (pad) => -axis(pad, 3),
  bumpers: (pad) => button(pad, 5) - button(pad, 4),
  triggers: (pad) => button(pad, 7) - button(pad, 6),
  dpadY: (pad) => button(pad, 12) - button(pad, 13),
  dpadX: (pad) => button(pad, 15) - button(pad, 14),
};

const axis = (pad: PadLike, i: number): number => pad.axes[i] ?? 0;
const button = (pad: PadLike, i: number): number => pad.buttons[i]?.value ?? 0;

/** How far a slot is pushed, -1 to 1, as it comes from the gamepad. */
export function slotValue(pad: PadLike, slot: PadSlot): number {
  return SLOTS[slot](pad);
}

/** Sets levers from sticks, and calls actions when buttons go down. */
export class Gamepads {
  /** Which page of the mapping the sticks are on. */
  page = 0;
  /** Gives the gamepads; a test puts its own here. */
  source: () => readonly (PadLike | null)[] = () =>
    typeof navigator !== "undefined" && "getGamepads" in navigator ? navigator.getGamepads() : [];

  private known = new Map<number, boolean[]>();

  constructor(private readonly hands: Hands) {}

  /** How many there are. */
  get count(): number {
    return this.known.size;
  }

  /** All that are connected. */
  connected(): PadLike[] {
    return [...this.source()].filter((pad): pad is PadLike => pad?.connected ?? false);
  }

  poll(): void {
    const present = new Set<number>();
    const pads = this.connected();
    this.hands.catcher?.pads(pads);
    for (const pad of pads) {
      present.add(pad.index);
      this.read(pad);
    }
    for (const index of this.known.keys()) {
      if (present.has(index)) continue;
      this.known.delete(index);
      this.hands.drop(name(index));
    }
  }

  private read(pad: PadLike): void {
    const before = this.known.get(pad.index);
    const now = pad.buttons.map(({ pressed }) => pressed);
    this.known.set(pad.index, now);
    // What is deflected or pressed when a gamepad appears has to come back to neutral first.
    if (before) now.forEach((on, i) => on && !before[i] && this.press(i));
    if (!this.known.has(pad.index)) return; // the page was turned
    const { groups, dead, exponent } = this.hands.mapping;
    const taken = new Set<PadSlot>();
    for (const { group, slot, sign, padPage } of groups) {
      if (padPage !== this.page || slot === "none" || taken.has(slot)) continue;
      taken.add(slot);
      const value = sign * shaped(slotValue(pad, slot), dead, exponent);
      if (!before && value !== 0) this.hands.block(name(pad.index), group);
      this.hands.set(name(pad.index), group, value);
    }
  }

  private press(i: number): void {
    const command = PAD_COMMANDS[i];
    const { catcher } = this.hands;
    if (catcher) {
      if (command !== "estop") return;
      catcher.cancel();
    }
    if (command === "page") this.begin((this.page + 1) % this.hands.mapping.padPages);
    if (command) return this.hands.onAction?.({ command });
    for (const { motor, button: at, padPage } of this.hands.mapping.motors) {
      if (padPage !== this.page || at !== i) continue;
      this.hands.onAction?.({ motor, direction: 1 });
      return;
    }
  }

  /** Begin with a page as if the gamepads had just appeared. */
  begin(page: number): void {
    for (const index of this.known.keys()) this.hands.drop(name(index));
    this.known.clear();
    this.page = page;
  }
}

const name = (index: number): string => `gamepad ${index}`;
