/** Finding out which stick or button a person moves, to bind it. */

import { type PadLike, slotValue } from "./gamepads";
import { PAD_COMMANDS, PAD_SLOTS, type PadSlot } from "./mappings";

/** Somebody who gets all keys and sticks, so that none of them moves the machine. */
export interface Catcher {
  /** A key went down. */
  key(code: string): void;
  /** Where the gamepads are, once a picture. */
  pads(pads: readonly PadLike[]): void;
  /** Escape, or an emergency stop. */
  cancel(): void;
}

const CENTRED = 0.3;
const MOVED = 0.6;

/** The first stick that is moved from its centre; what is deflected at first has to come back. */
export class StickFinder {
  private ready = new Set<string>();

  take(pads: readonly PadLike[]): { slot: PadSlot; sign: 1 | -1 } | null {
    let best: { slot: PadSlot; sign: 1 | -1; far: number } | null = null;
    for (const pad of pads) {
      for (const slot of PAD_SLOTS) {
        const value = slotValue(pad, slot);
        const id = `${pad.index} ${slot}`;
        if (Math.abs(value) < CENTRED) this.ready.add(id);
        if (!this.ready.has(id) || Math.abs(value) < MOVED) continue;
        if (!best || Math.abs(value) > best.far)
          best = { slot, sign: value > 0 ? 1 : -1, far: Math.abs(value) };
      }
    }
    return best && { slot: best.slot, sign: best.sign };
  }
}

/** The first button that goes down; those of commands are none. */
export class ButtonFinder {
  private ready = new Set<string>();

  take(pads: readonly PadLike[]): number | null {
    for (const pad of pads) {
      for (const [i, { pressed }] of pad.buttons.entries()) {
        if (Object.hasOwn(PAD_COMMANDS, i)) continue;
        const id = `${pad.index} ${i}`;
        if (!pressed) this.ready.add(id);
        else if (this.ready.has(id)) return i;
      }
    }
    return null;
  }
}
