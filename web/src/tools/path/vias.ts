/** The via points of a path: a list with undo. */

export type Triple = [number, number, number];
export type Quad = [number, number, number, number];

export interface Via {
  /** In the simulation's axes [m]. */
  position: Triple;
  /** Of the link's axes (w, x, y, z); kept also while orientations do not count. */
  quaternion: Quad | null;
}

const DEEPEST = 100; // changes that can be undone

/** Changes make new lists, so that what was there can come back. */
export class Vias {
  list: readonly Via[] = [];
  /** Number of the chosen one; -1 if none is. */
  chosen = -1;

  private before: { list: readonly Via[]; chosen: number }[] = [];
  private last = "";

  get canUndo(): boolean {
    return this.before.length > 0;
  }

  /** Add one behind the chosen one, or at the end, and choose it. */
  add(via: Via): void {
    const at = this.chosen < 0 ? this.list.length : this.chosen + 1;
    this.change("", [...this.list.slice(0, at), via, ...this.list.slice(at)], at);
  }

  remove(at: number): void {
    const list = this.list.filter((_, n) => n !== at);
    this.change("", list, Math.min(at, list.length - 1));
  }

  /** Exchange one with its neighbour: -1 for the one before, 1 for the one behind. */
  shift(at: number, by: -1 | 1): void {
    const [one, other] = [this.list[at], this.list[at + by]];
    if (!one || !other) return;
    const list = [...this.list];
    list[at] = other;
    list[at + by] = one;
    this.change("", list, at + by);
  }

  /** Put one elsewhere; several such changes of the same one are undone together. */
  put(at: number, via: Via): void {
    if (!this.list[at]) return;
    this.change(
      `put ${at}`,
      this.list.map((each, n) => (n === at ? via : each)),
      at,
    );
  }

  replace(list: readonly Via[]): void {
    this.change("", list, -1);
  }

  choose(at: number): void {
    this.chosen = at;
    this.last = "";
  }

  undo(): void {
    const then = this.before.pop();
    if (!then) return;
    this.list = then.list;
    this.chosen = then.chosen;
    this.last = "";
  }

  private change(kind: string, list: readonly Via[], chosen: number): void {
    if (kind === "" || kind !== this.last) {
      this.before = [...this.before, { list: this.list, chosen: this.chosen }].slice(-DEEPEST);
    }
    this.last = kind;
    this.list = list;
    this.chosen = chosen;
  }
}

const kept = new Map<string, Vias>();

/** The via points of a machine: they stay while the page is open. */
export function viasOf(machine: string): Vias {
  const found = kept.get(machine) ?? new Vias();
  kept.set(machine, found);
  return found;
}
