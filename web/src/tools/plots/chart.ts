/** One plot: the chosen quantities of a kind over time. */

import uPlot from "uplot";
import type { Kind } from "./quantities";

/** Colours that are told apart on a dark ground. */
export const COLOURS = [
  "#f7c600",
  "#4fb3ff",
  "#ff8a5c",
  "#6fdc8c",
  "#c792ff",
  "#ff7eb6",
  "#35d6d0",
  "#d8dee2",
] as const;
export const colourOf = (i: number): string => COLOURS[i % COLOURS.length]!;

const AXIS = "#a3afb6";
const GRID = "#2d363c";
const NOW = "#e8edf0aa";
const LEFT = 52; // room for the numbers at the left, the same in all plots [px]
const SHARED: readonly string[] = ["mousemove", "mouseleave"];
const FONT = "11px system-ui, sans-serif";

/**
 * Make something whose canvases are drawn by the processor.
 *
 * Lines are cheap for it, while a graphics process without a graphics card needs longer for some
 * charts than for the whole picture. The library asks for no such context, so it is done for it.
 */
function drawnByProcessor<Made>(make: () => Made): Made {
  const canvas = HTMLCanvasElement.prototype;
  const asked = canvas.getContext;
  canvas.getContext = function (this: HTMLCanvasElement, kind: string) {
    return asked.call(this, kind, { willReadFrequently: true });
  } as typeof asked;
  try {
    return make();
  } finally {
    canvas.getContext = asked;
  }
}

/** What a plot tells of the hand on it. */
export interface Touch {
  /** A stretch was chosen by dragging [s]. */
  selected: (from: number, to: number) => void;
  /** The wheel was turned: a factor about a moment [s]. */
  zoomed: (factor: number, about: number) => void;
  /** Scrolled sideways by a part of the width. */
  panned: (part: number) => void;
  /** Clicked twice. */
  reset: () => void;
  /** The cursor stands at an index of the data; null where it stands at none. */
  pointed: (index: number | null) => void;
}

export class Chart {
  readonly plot: uPlot;
  /** The moment that the simulation is at [s], where that is not the newest; else NaN. */
  now = NaN;
  /** Whether any of it is in the window: else it need not be drawn. */
  seen = true;
  /** What was drawn last, and how often anything was. */
  drawn = "";
  redraws = 0;

  constructor(
    readonly kind: Kind,
    readonly ids: readonly string[],
    readonly timed: boolean,
    target: HTMLElement,
    [width, height]: readonly [number, number],
    touch: Touch,
  ) {
    const line = { stroke: AXIS, grid: { stroke: GRID, width: 1 }, font: FONT };
    const ticks = { stroke: GRID, width: 1, size: 4 };
    const options: uPlot.Options = {
      width,
      height,
      padding: [8, 8, timed ? 0 : 6, 0],
      legend: { show: false },
      scales: { x: { time: false, auto: false } },
      axes: [
        {
          ...line,
          ticks,
          size: timed ? 24 : 0,
          gap: 3,
          values: timed ? (_plot, values) => values.map((value) => `${value} s`) : () => [],
        },
        { ...line, ticks, size: LEFT, gap: 3, space: 28 },
      ],
      series: [
        {},
        ...ids.map((_, i) => ({ stroke: colourOf(i), width: 1.5, points: { show: false } })),
      ],
      cursor: {
        // the cursor is shared; a stretch is chosen in one plot for all
        sync: { key: "headframe plots", filters: { pub: (type) => SHARED.includes(type) } },
        drag: { x: true, y: false, setScale: false },
        y: false,
        points: { size: 5 },
        bind: { dblclick: () => () => (touch.reset(), null) },
      },
      hooks: {
        setSelect: [
          (plot) => {
            const { left, width: wide } = plot.select;
            if (wide < 4) return;
            touch.selected(plot.posToVal(left, "x"), plot.posToVal(left + wide, "x"));
            plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          },
        ],
        draw: [(plot) => this.mark(plot)],
        setCursor: [(plot) => touch.pointed(plot.cursor.idx ?? null)],
      },
    };
    this.plot = drawnByProcessor(() => new uPlot(options, [[], ...ids.map(() => [])], target));
    this.plot.over.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        const across = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;
        if (Math.abs(across) > Math.abs(event.shiftKey ? 0 : event.deltaY))
          return touch.panned(Math.sign(across) * 0.1);
        const { left } = this.plot.over.getBoundingClientRect();
        const about = this.plot.posToVal(event.clientX - left, "x");
        touch.zoomed(event.deltaY > 0 ? 1.25 : 0.8, about);
      },
      { passive: false },
    );
  }

  /** A line at the moment that the simulation has gone back to. */
  private mark(plot: uPlot): void {
    const { min = NaN, max = NaN } = plot.scales["x"]!;
    if (!(this.now >= min && this.now <= max)) return;
    const { top, height } = plot.bbox;
    const x = Math.round(plot.valToPos(this.now, "x", true));
    plot.ctx.fillStyle = NOW;
    plot.ctx.fillRect(x, top, 2 * devicePixelRatio, height);
  }

  /** Show data over a stretch of time [s]; the simulation is at the moment `now`. */
  show(data: number[][], from: number, to: number, now: number): void {
    this.now = now;
    this.redraws += 1;
    this.plot.batch(() => {
      this.plot.setData(data as uPlot.AlignedData, false);
      this.plot.setScale("x", { min: from, max: to });
    });
  }

  resize(width: number, height: number): void {
    if (this.plot.width !== width || this.plot.height !== height)
      this.plot.setSize({ width, height });
  }

  dispose(): void {
    this.plot.destroy();
  }
}
