/** Sliders whose steps are not even, and where numbers come to rest. */

export const SLOWEST = 0.1;
export const FASTEST = 4;
/** Where the slider of time comes to rest. */
export const DETENTS = [0.1, 0.25, 0.5, 1, 2, 4] as const;
const LEAST_PACE = 400; // [ms] over which the pace of time is measured at least
const SNAP = 0.035; // of the slider's whole way

/** Place of a time scale on its slider, 0 to 1. */
export function scaleToSlider(scale: number): number {
  const place = Math.log(scale / SLOWEST) / Math.log(FASTEST / SLOWEST);
  return Math.min(1, Math.max(0, place));
}

/** Time scale at a place of the slider; near a detent exactly that one. */
export function sliderToScale(place: number): number {
  for (const detent of DETENTS) {
    if (Math.abs(scaleToSlider(detent) - place) < SNAP) return detent;
  }
  const scale = SLOWEST * (FASTEST / SLOWEST) ** Math.min(1, Math.max(0, place));
  return Math.min(FASTEST, Math.max(SLOWEST, Number(scale.toPrecision(2))));
}

/** Not below, not above; the lower bound for what is no number. */
export function within(value: number, lower: number, upper: number): number {
  return Number.isFinite(value) ? Math.min(upper, Math.max(lower, value)) : lower;
}

/** Part of the way from `lower` to `upper`, 0 to 1. */
export function part(value: number, lower: number, upper: number): number {
  return upper > lower ? within((value - lower) / (upper - lower), 0, 1) : 0;
}

/** Which end stop a length is at; within half a millimetre, or less of a short stroke. */
export function endStop(length: number, lower: number, upper: number): "lower" | "upper" | "" {
  const near = Math.min(5e-4, 0.01 * (upper - lower));
  if (length >= upper - near) return "upper";
  if (length <= lower + near) return "lower";
  return "";
}

/** Calls `act` with the newest value at most once in `every` milliseconds, and always at last. */
export class Throttle<T> {
  private waiting: { value: T } | null = null;
  private timer: ReturnType<typeof setTimeout> | null = null;

  constructor(
    private readonly every: number,
    private readonly act: (value: T) => void,
  ) {}

  /** A new value; calls at once if the last call is long ago. */
  give(value: T): void {
    if (this.timer !== null) {
      this.waiting = { value };
      return;
    }
    this.act(value);
    this.timer = setTimeout(() => {
      this.timer = null;
      const late = this.waiting;
      this.waiting = null;
      if (late) this.give(late.value);
    }, this.every);
  }

  /** Forget what waits. */
  cancel(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.waiting = null;
  }
}

/** Simulated seconds a second, over about the last second. */
export class Pace {
  private samples: { wall: number; time: number }[] = [];

  /** Begin anew, as after a pause. */
  clear(): void {
    this.samples = [];
  }

  /** Take a moment: the page's clock [ms] and simulated time [s]. */
  take(wall: number, time: number): number {
    const last = this.samples.at(-1);
    if (last && (time < last.time || wall < last.wall)) this.samples = [];
    this.samples.push({ wall, time });
    while (this.samples.length > 2 && wall - this.samples[0]!.wall > 1200) this.samples.shift();
    const first = this.samples[0]!;
    const passed = wall - first.wall;
    return passed >= LEAST_PACE ? ((time - first.time) * 1e3) / passed : NaN;
  }
}
