/** The page: puts network, picture, hands and panel together. */

import { Hands } from "./input/hands";
import { Connection } from "./net/connection";
import "./panels/app";
import type { App } from "./panels/app";
import type { Frame } from "./protocol/frame";
import { NoWebGL, View } from "./scene/view";
import { step } from "./state/stepping";
import { chosenUnits } from "./state/selection";
import { Store } from "./state/store";
import { text } from "./text";
import { forgetTools } from "./tools/panel";
import { words as controlsWords } from "./text/tools/controls";

const TEST = new URLSearchParams(location.search).has("test");
const TEST_SIZE = [640, 360] as const;
const TEST_PERIOD = 100; // between two pictures of the test mode [ms]
const LATE = 50; // without a picture for so long, hands are polled all the same [ms]
const TEST_SHARE = 4; // the test mode rests so many times as long as a picture took

const store = new Store();
const hands = new Hands();
const connection = new Connection(store);
const canvas = document.createElement("canvas");
const view = makeView();
let polled = 0; // [ms]
let shown: Frame | null = null;
let scene = -1;
let drawing: { gl: WebGL2RenderingContext; fence: WebGLSync; since: number } | null = null;
let rest = 0; // the test mode draws no picture before [ms]

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

/** Slow pictures must not take the levers out of the operator's hands. */
function pollLate(): void {
  const now = performance.now();
  if (now - polled >= LATE) poll(now);
}

function poll(now: number): void {
  polled = now;
  hands.poll(now);
  turn();
}

function picture(now: number): void {
  requestAnimationFrame(picture);
  poll(now);
  if (view === null) return;
  const { seen } = store;
  const isNew = seen !== null && seen !== shown && scene === seen.scene;
  if (isNew && view.show(seen, seen === store.replayed)) shown = seen;
  if (TEST && rests(now)) return;
  view.render(now);
  if (TEST) drawing = begun(now);
}

/**
 * Whether the test mode waits with the next picture: a slow renderer must not hold up the hands. The
 * last one has to be finished, not only begun, and after it comes a rest.
 */
function rests(now: number): boolean {
  if (drawing !== null) {
    const { gl, fence, since } = drawing;
    if (gl.clientWaitSync(fence, 0, 0) === gl.TIMEOUT_EXPIRED) return true;
    gl.deleteSync(fence);
    drawing = null;
    rest = now + Math.max(TEST_PERIOD, TEST_SHARE * (now - since));
  }
  return now < rest;
}

function begun(since: number): typeof drawing {
  const gl = canvas.getContext("webgl2");
  const fence = gl?.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
  gl?.flush();
  return gl && fence ? { gl, fence, since } : null;
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

/** What the browser keeps for this page; null where it does not. */
function browserStorage(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
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
app.bench = { store, hands, view };
app.append(canvas);
document.body.append(app);
document.body.classList.toggle("test", TEST);

hands.profiles.open(browserStorage());
if (hands.profiles.broken) store.toast("error", controlsWords.broken);
store.subscribe(() => void follow());
store.subscribe(() => view?.mark(chosenUnits(store.facts)));
store.watch((frame) => view?.note(frame));
hands.onChange = turn;
for (const name of ["blur", "focus"]) window.addEventListener(name, turn);
document.addEventListener("visibilitychange", turn);
document.addEventListener("visibilitychange", () => view?.rest());
window.setInterval(pollLate, LATE);
window.addEventListener("hashchange", () => void connection.reenter());
new ResizeObserver(fit).observe(canvas);
if (view !== null) {
  view.onLost = () => (app.lost = true);
  view.onRestored = () => (app.lost = false);
}
// for tests, and in the console
const stepped = (count: number): ReturnType<typeof step> => step(store, count);
Object.assign(window, { headframe: { store, view, hands, forgetTools, step: stepped } });
fit();
requestAnimationFrame(picture);
void connection.start();
