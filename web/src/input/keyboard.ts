/** Keys by their place on the keyboard (`event.code`), so that any layout has them where they are. */

import type { Hands } from "./hands";
import { COMMAND_KEYS } from "./mappings";
import { own } from "../state/own";

const SOURCE = "keyboard";
/** A key that is held while the page gets the focus repeats within this time [ms]. */
const SETTLE = 700;

type KeyLike = Pick<
  KeyboardEvent,
  "code" | "key" | "repeat" | "ctrlKey" | "altKey" | "metaKey" | "shiftKey" | "preventDefault"
> & { composedPath?: () => EventTarget[] };

/** Turns key events into holds and actions. */
export class Keyboard {
  /** Which page of the mapping the keys are on. */
  page = 0;
  private seen = new Set<string>();
  private settling = 0;
  private now = 0;

  constructor(private readonly hands: Hands) {}

  /** Listen to a window; gives back what ends it. */
  attach(target: Window): () => void {
    const down = (event: KeyboardEvent): void => this.down(event);
    const up = (event: KeyboardEvent): void => this.up(event);
    const focus = (): void => this.focused();
    target.addEventListener("keydown", down, true);
    target.addEventListener("keyup", up, true);
    target.addEventListener("focus", focus);
    return () => {
      target.removeEventListener("keydown", down, true);
      target.removeEventListener("keyup", up, true);
      target.removeEventListener("focus", focus);
    };
  }

  down(event: KeyLike): void {
    this.seen.add(event.code);
    const command = event.key === "?" ? "help" : own(COMMAND_KEYS, event.code);
    const typing = isTyping(event.composedPath?.()[0]);
    if (command === "estop") {
      if (typing && event.code === "Delete") return;
      event.preventDefault();
      const { catcher } = this.hands;
      catcher?.cancel();
      if (catcher && event.code === "Escape") return;
      if (!event.repeat) this.act({ command: event.code === "Escape" ? "escape" : "estop" });
      return;
    }
    if (event.ctrlKey || event.altKey || event.metaKey || typing) return;
    if (this.hands.catcher) {
      event.preventDefault();
      if (!event.repeat) this.hands.catcher.key(event.code);
      return;
    }
    if (command === "page" && this.hands.mapping.keyPages === 1) return;
    if (command) {
      event.preventDefault();
      if (event.repeat) return;
      if (command === "page") this.turnPage();
      this.act({ command });
      return;
    }
    for (const { group, keys, keyPage } of this.hands.mapping.groups) {
      if (keyPage !== this.page || !keys.includes(event.code)) continue;
      event.preventDefault();
      if (event.repeat) return;
      this.hands.hold(`key ${event.code}`, SOURCE, group, event.code === keys[0] ? 1 : -1);
      return;
    }
    for (const { motor, key, keyPage } of this.hands.mapping.motors) {
      if (keyPage !== this.page || key !== event.code) continue;
      event.preventDefault();
      if (!event.repeat) this.hands.onAction?.({ motor, direction: event.shiftKey ? -1 : 1 });
      return;
    }
  }

  up(event: Pick<KeyboardEvent, "code">): void {
    this.hands.letGo(`key ${event.code}`);
  }

  /** The focus came back: keys may have been let go of unseen. */
  focused(): void {
    this.seen.clear();
    this.settling = this.now + SETTLE;
  }

  poll(now: number): void {
    this.now = now;
    if (this.settling === 0 || now < this.settling) return;
    this.settling = 0;
    for (const id of this.hands.deadHolds()) {
      if (id.startsWith("key ") && !this.seen.has(id.slice(4))) this.hands.letGo(id);
    }
  }

  private turnPage(): void {
    this.hands.release(SOURCE);
    this.page = (this.page + 1) % this.hands.mapping.keyPages;
  }

  private act(action: Parameters<NonNullable<Hands["onAction"]>>[0]): void {
    this.hands.onAction?.(action);
  }
}

/** Letters that are meant for a text field are not for the machine. */
function isTyping(target: EventTarget | undefined): boolean {
  if (typeof HTMLElement === "undefined" || !(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !["range", "checkbox"].includes(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}
