/** Seeded noise: the same seed gives the same rock in every browser. */

/** Pseudo-random numbers in [0, 1), the same for the same seed. */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** 0 below `low`, 1 above `high`, and smooth between. */
export function smoothstep(low: number, high: number, x: number): number {
  const t = Math.min(1, Math.max(0, (x - low) / (high - low)));
  return t * t * (3 - 2 * t);
}

export function mix(a: number, b: number, t: number): number {
  return a + (b - a) * t;
}

const fade = (t: number): number => t * t * t * (t * (t * 6 - 15) + 10);

/** Gradient noise over a shuffled table of 256 corners. */
export class Noise {
  private readonly table = new Uint8Array(512);

  constructor(seed: number) {
    const next = random(seed);
    for (let i = 0; i < 256; i++) this.table[i] = i;
    for (let i = 255; i > 0; i--) {
      const j = Math.floor(next() * (i + 1));
      const kept = this.table[i]!;
      this.table[i] = this.table[j]!;
      this.table[j] = kept;
    }
    this.table.copyWithin(256, 0, 256);
  }

  /** Noise of a point in space, in about [-1, 1] and 0 at whole numbers. */
  at(x: number, y: number, z: number): number {
    const xi = Math.floor(x);
    const yi = Math.floor(y);
    const zi = Math.floor(z);
    const fx = x - xi;
    const fy = y - yi;
    const fz = z - zi;
    const u = fade(fx);
    const v = fade(fy);
    const w = fade(fz);
    const low = mix(
      mix(this.corner(xi, yi, zi, fx, fy, fz), this.corner(xi + 1, yi, zi, fx - 1, fy, fz), u),
      mix(
        this.corner(xi, yi + 1, zi, fx, fy - 1, fz),
        this.corner(xi + 1, yi + 1, zi, fx - 1, fy - 1, fz),
        u,
      ),
      v,
    );
    const high = mix(
      mix(
        this.corner(xi, yi, zi + 1, fx, fy, fz - 1),
        this.corner(xi + 1, yi, zi + 1, fx - 1, fy, fz - 1),
        u,
      ),
      mix(
        this.corner(xi, yi + 1, zi + 1, fx, fy - 1, fz - 1),
        this.corner(xi + 1, yi + 1, zi + 1, fx - 1, fy - 1, fz - 1),
        u,
      ),
      v,
    );
    return mix(low, high, w);
  }

  /** Sum of `octaves` layers, each twice as fine and half as strong; in about [-1, 1]. */
  layers(x: number, y: number, z: number, octaves: number): number {
    let sum = 0;
    let weight = 1;
    let total = 0;
    for (let i = 0; i < octaves; i++) {
      sum += weight * this.at(x, y, z);
      total += weight;
      weight *= 0.5;
      x = 2 * x + 17.3;
      y = 2 * y + 5.1;
      z = 2 * z + 11.7;
    }
    return sum / total;
  }

  /** Noise in the plane that repeats after `period` (a whole number up to 256). */
  tile(x: number, y: number, period: number): number {
    const xi = Math.floor(x);
    const yi = Math.floor(y);
    const fx = x - xi;
    const fy = y - yi;
    const x0 = wrap(xi, period);
    const x1 = wrap(xi + 1, period);
    const y0 = wrap(yi, period);
    const y1 = wrap(yi + 1, period);
    const u = fade(fx);
    return mix(
      mix(this.corner(x0, y0, 0, fx, fy, 0), this.corner(x1, y0, 0, fx - 1, fy, 0), u),
      mix(this.corner(x0, y1, 0, fx, fy - 1, 0), this.corner(x1, y1, 0, fx - 1, fy - 1, 0), u),
      fade(fy),
    );
  }

  /** Like `layers`, but repeating after `period`. */
  tileLayers(x: number, y: number, period: number, octaves: number): number {
    let sum = 0;
    let weight = 1;
    let total = 0;
    for (let i = 0; i < octaves && period <= 256; i++) {
      sum += weight * this.tile(x, y, period);
      total += weight;
      weight *= 0.5;
      x *= 2;
      y *= 2;
      period *= 2;
    }
    return sum / total;
  }

  /**
   * How far (x, y) lies from the border between its two nearest cells, one of which lies in each
   * unit square; 0 at the border. Repeats after `period`.
   */
  cracks(x: number, y: number, period: number): number {
    const xi = Math.floor(x);
    const yi = Math.floor(y);
    let nearest = 9;
    let second = 9;
    for (let i = xi - 1; i <= xi + 1; i++) {
      for (let j = yi - 1; j <= yi + 1; j++) {
        const key = this.key(wrap(i, period), wrap(j, period), 7);
        const dx = i + this.table[key]! / 255 - x;
        const dy = j + this.table[key + 1]! / 255 - y;
        const away = dx * dx + dy * dy;
        if (away < nearest) {
          second = nearest;
          nearest = away;
        } else if (away < second) second = away;
      }
    }
    return Math.sqrt(second) - Math.sqrt(nearest);
  }

  private key(x: number, y: number, z: number): number {
    return this.table[this.table[this.table[x & 255]! + (y & 255)]! + (z & 255)]!;
  }

  private corner(xi: number, yi: number, zi: number, x: number, y: number, z: number): number {
    switch (this.key(xi, yi, zi) % 12) {
      case 0:
        return x + y;
      case 1:
        return -x + y;
      case 2:
        return x - y;
      case 3:
        return -x - y;
      case 4:
        return x + z;
      case 5:
        return -x + z;
      case 6:
        return x - z;
      case 7:
        return -x - z;
      case 8:
        return y + z;
      case 9:
        return -y + z;
      case 10:
        return y - z;
      default:
        return -y - z;
    }
  }
}

function wrap(i: number, period: number): number {
  return ((i % period) + period) % period;
}
