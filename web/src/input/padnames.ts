/** What the parts of a gamepad are called. */

import { text } from "../text";
import { type PadSlot, PAD_WAYS } from "./mappings";

/** Which stick, and how it is pushed to extend. */
export function stick(slot: PadSlot | "none", sign: 1 | -1): string {
  return slot === "none" ? "–" : `${text.slots[slot]} ${PAD_WAYS[slot][sign > 0 ? 0 : 1]}`;
}

const MORE: Readonly<Record<number, string>> = {
  4: "LB",
  5: "RB",
  6: "LT",
  7: "RT",
  12: "↑",
  13: "↓",
  14: "←",
  15: "→",
};

/** A button of a standard gamepad. */
export function padButton(button: number): string {
  return text.buttons[button] ?? MORE[button] ?? String(button);
}
