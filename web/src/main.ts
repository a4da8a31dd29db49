/** The page: puts network, picture, hands and panel together. */

import { Hands } from "./input/hands";
import { Connection } from "./net/connection";
import "./panels/app";
import type { App } from "./panels/app";
import { NoWebGL, View } from "./scene/view";
import { Store } from "./state/store";
import { text } from "./text";

const TEST = new URLSearchParams(location.search).has("test");
const TEST_SIZE = [640, 360] as const;
const TEST_PERIOD = 100; // between two pictures of the test mode [ms]

const store = new Store();
const hands = new Hands();
const connection = new Connection(store);
const canvas = document.createElement("canvas");
const view = makeView();
let shown = -1;
let drawn = 0;
let scene = -1;

function makeView(): View | null {
  const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)").matches;
  try {
    return new View(canvas, { test: TEST, reducedMotion });
  } catch (error) {
    if (error instanceof NoWebGL) return null;
    throw error;
  }
}

/** The operator is there: looks at this page and can press its keys. */
function present(): boolean {
  return document.visibilityState === "visible" && document.hasFocus();
}

function turn(): void {
  if (!present() || !store.hasSeat) hands.release();
  connection.turn(hands.levers(), present());
}

function picture(now: number): void {
  requestAnimationFrame(picture);
  hands.poll(now);
  turn();
  if (view === null || (TEST && now - drawn < TEST_PERIOD)) return;
  drawn = now;
  const { frame } = store;
  if (frame !== null && scene === frame.scene) {
    if (shown !== frame.number) view.show(frame);
    shown = frame.number;
  }
  view.render(now);
}

/** Load what a new scene shows. */
async function follow(): Promise<void> {
  const next = store.facts.scene;
  if (view === null || next === null || next.number === scene) return;
  scene = next.number;
  hands.configure(next.machine);
  try {
    await view.load(next, (part) => {
      if (store.facts.scene === next)
        store.set({ loading: { type: "loading", text: text.loadingShapes, part } });
    });
  } catch (error) {
    store.toast("error", error instanceof Error ? error.message : String(error));
  } finally {
    if (store.facts.scene === next) store.set({ loading: null });
  }
}

function fit(): void {
  if (TEST) view?.resize(...TEST_SIZE, 1);
  else view?.resize(canvas.clientWidth, canvas.clientHeight, devicePixelRatio);
}

const app = document.createElement("hf-app") as App;
app.store = store;
app.hands = hands;
app.view = view;
app.append(canvas);
document.body.append(app);
document.body.classList.toggle("test", TEST);

store.subscribe(() => void follow());
hands.onChange = turn;
for (const name of ["blur", "focus"]) window.addEventListener(name, turn);
document.addEventListener("visibilitychange", turn);
window.addEventListener("hashchange", () => void connection.reenter());
new ResizeObserver(fit).observe(canvas);
if (view !== null) {
  view.onLost = () => (app.lost = true);
  view.onRestored = () => (app.lost = false);
}
if (TEST) Object.assign(window, { headframe: { store, view, hands } });
fit();
requestAnimationFrame(picture);
void connection.start();
