/** Substeps one by one, for tests: the same commands at the same substeps show the same pictures. */

import type { Frame } from "../protocol/frame";
import type { Store } from "./store";

const LOOK = 5; // [ms]

/** Make substeps while the simulation is paused; the frame after the last of them. */
export function step(store: Store, count: number): Promise<Frame> {
  const { frame, facts } = store;
  if (frame === null || facts.status === null || !facts.status.paused)
    return Promise.reject(new Error("substeps are made while paused"));
  const until = frame.time + (count - 0.5) * facts.status.step;
  store.send({ type: "step", count });
  return new Promise((done) => {
    const look = (): void => {
      const now = store.frame;
      if (now !== null && now.time > until) done(now);
      else setTimeout(look, LOOK);
    };
    look();
  });
}
