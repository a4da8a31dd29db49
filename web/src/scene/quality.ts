/** How rich the picture is, and the choice of it by measured time. */

export type Quality = "low" | "medium" | "high";

/** What a level means. */
export interface Level {
  /** Largest device pixels a CSS pixel, and a factor on them. */
  pixelRatio: number;
  scale: number;
  /** Size of the shadow's picture, 0 for none [pixels]. */
  shadow: number;
  /** Size of the rock's textures when a scene is loaded [pixels]. */
  texture: number;
  anisotropy: number;
  /** Wire mesh, motes and shafts of light. */
  extras: boolean;
  /** Bright metal reflects the tunnel's lamps. */
  reflections: boolean;
  /** Width of the mirrors' pictures [pixels]. */
  mirror: number;
}

export const LEVELS: Record<Quality, Level> = {
  low: {
    pixelRatio: 1,
    scale: 0.75,
    shadow: 0,
    texture: 256,
    anisotropy: 1,
    extras: false,
    reflections: false,
    mirror: 192,
  },
  medium: {
    pixelRatio: 1.25,
    scale: 1,
    shadow: 1024,
    texture: 512,
    anisotropy: 4,
    extras: true,
    reflections: true,
    mirror: 320,
  },
  high: {
    pixelRatio: 2,
    scale: 1,
    shadow: 2048,
    texture: 512,
    anisotropy: 8,
    extras: true,
    reflections: true,
    mirror: 448,
  },
};

const ORDER: readonly Quality[] = ["low", "medium", "high"];
/** Mean frame times [ms]: above the first is too slow, below the second there is room. */
const SLOW = 26;
const QUICK = 18;
/** Time that a mean must last before a change [ms]. */
const DOWN_AFTER = 1500;
const UP_AFTER = 6000;
/** A frame counts for no more than this, so that one that compiles shaders is no sign [ms]. */
const LONGEST = 1000;

/**
 * Chooses a level by the time between frames.
 *
 * Two thresholds keep it from going to and fro; a level that proved too slow is not tried again
 * before four times as long as the last time.
 */
export class QualityChoice {
  private mean = 0;
  private slow = 0;
  private quick = 0;
  private patience = UP_AFTER;

  constructor(private level: Quality = "medium") {}

  get quality(): Quality {
    return this.level;
  }

  /** Take the time since the last frame [ms]; true if the level changed. */
  sample(elapsed: number): boolean {
    if (elapsed <= 0) return false;
    const taken = Math.min(elapsed, LONGEST);
    this.mean = this.mean === 0 ? taken : this.mean + 0.1 * (taken - this.mean);
    this.slow = this.mean > SLOW ? this.slow + taken : 0;
    this.quick = this.mean < QUICK ? this.quick + taken : 0;
    const at = ORDER.indexOf(this.level);
    if (this.slow > DOWN_AFTER && at > 0) {
      this.patience *= 4;
      return this.change(ORDER[at - 1]!);
    }
    if (this.quick > this.patience && at < ORDER.length - 1) return this.change(ORDER[at + 1]!);
    return false;
  }

  private change(level: Quality): boolean {
    this.level = level;
    this.mean = this.slow = this.quick = 0;
    return true;
  }
}
