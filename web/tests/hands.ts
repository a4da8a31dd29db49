/** Keys and gamepads as the browser gives them, for tests. */

import type { PadLike } from "../src/input/gamepads";

export const key = (code: string, more: object = {}) => ({
  code,
  key: code.replace("Key", "").toLowerCase(),
  repeat: false,
  ctrlKey: false,
  altKey: false,
  metaKey: false,
  shiftKey: false,
  preventDefault: () => {},
  ...more,
});

export function padOf(axes: number[], pressed: number[] = [], index = 0): PadLike {
  const buttons = Array.from({ length: 17 }, (_, i) => ({
    pressed: pressed.includes(i),
    value: pressed.includes(i) ? 1 : 0,
  }));
  return { index, connected: true, axes, buttons };
}
