/** Notes every frame from the moment that the tool is first opened, also while it is closed. */

import type { Frame } from "../../protocol/frame";
import type { Store } from "../../state/store";
import { firstChoice, type Quantity, quantitiesOf } from "./quantities";
import { History } from "./history";

export class Recorder {
  quantities: Quantity[] = [];
  history = new History(0);
  /** Ids of what is plotted. */
  chosen = new Set<string>();
  /** Name of the machine. */
  machine = "";

  private scene = -1;
  private unit = -1;

  constructor(private readonly store: Store) {
    store.watch((frame) => this.take(frame));
    if (store.frame) this.take(store.frame);
  }

  /** Index of a quantity in the history; -1 if there is none of that id. */
  column(id: string): number {
    return this.quantities.findIndex((quantity) => quantity.id === id);
  }

  private take(frame: Frame): void {
    const { scene } = this.store.facts;
    if (!scene) return;
    if (scene.number !== this.scene || frame.unit !== this.unit) {
      this.scene = scene.number;
      this.unit = frame.unit;
      const { machine } = scene;
      this.quantities = quantitiesOf(machine);
      this.history = new History(this.quantities.length);
      if (machine.name !== this.machine) this.chosen = firstChoice(machine);
      this.machine = machine.name;
    }
    const { history, quantities } = this;
    const last = history.length - 1;
    const again = history.time(last) === frame.time; // what computing took is that of the step
    history.take(frame.time, frame.newest, (i) =>
      again && quantities[i]!.kind === "computing"
        ? history.value(i, last)
        : quantities[i]!.read(frame),
    );
  }
}

const recorders = new WeakMap<Store, Recorder>();

/** The recorder of a store, started when it is first asked for. */
export function recorderOf(store: Store): Recorder {
  const recorder = recorders.get(store) ?? new Recorder(store);
  recorders.set(store, recorder);
  return recorder;
}
