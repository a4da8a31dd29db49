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

  poll(): void {
    const present = new Set<number>();
    for (const pad of this.source()) {
      if (!pad?.connected) continue;
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
    for (const { group, slot, sign, padPage } of this.hands.mapping.groups) {
      if (padPage !== this.page) continue;
      const value = sign * shaped(SLOTS[slot](pad));
      if (!before && value !== 0) this.hands.block(name(pad.index), group);
      this.hands.set(name(pad.index), group, value);
    }
  }

  private press(i: number): void {
    const command = PAD_COMMANDS[i];
    if (command === "page") this.begin((this.page + 1) % this.hands.mapping.padPages);
    if (command) return this.hands.onAction?.({ command });
    for (const { motor, button: at, padPage } of this.hands.mapping.motors) {
      if (padPage === this.page && at === i) this.hands.onAction?.({ motor, direction: 1 });
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
