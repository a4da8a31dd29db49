/** Small plots over time, drawn as SVG. */

import { html, svg, type SVGTemplateResult, type TemplateResult } from "lit";
import type { Motion } from "./motion";

export const WIDE = 400;
export const HIGH = 92;
const MOST = 500; // points of a line

/** Values over time as a line: `low` is at the bottom of the field and `high` at its top. */
export function linePath(
  { rows, times }: Motion,
  value: (row: number) => number,
  low: number,
  high: number,
): string {
  const end = Math.max(1e-9, times[rows - 1]!);
  const every = Math.max(1, Math.ceil(rows / MOST));
  const parts: string[] = [];
  for (let row = 0; row < rows; row += every) parts.push(point(row));
  if ((rows - 1) % every !== 0) parts.push(point(rows - 1));
  return `M${parts.join("L")}`;

  function point(row: number): string {
    const x = (WIDE * times[row]!) / end;
    const y = HIGH * (1 - (value(row) - low) / (high - low));
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  }
}

/** Lines of a step of 1, 2 or 5 times a power of ten, about `count` of them up to `end`. */
export function ticks(end: number, count: number): number[] {
  const raw = end / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((n) => n * power).find((each) => each >= raw) ?? raw;
  const found: number[] = [];
  for (let n = 0; n * step <= end * (1 + 1e-9); n++) found.push(n * step);
  return found;
}

export interface Line {
  color: string;
  path: string;
  name: string;
}

/** The inside of a plot: grid, lines, via points below, and a cursor that is moved by its id. */
export function plotContent(
  motion: Motion,
  lines: readonly Line[],
  level: readonly number[],
): SVGTemplateResult {
  const end = Math.max(1e-9, motion.times[motion.rows - 1]!);
  return svg`
    ${ticks(end, 6).map((at) => {
      const x = (WIDE * at) / end;
      return svg`<line class="grid" x1=${x} x2=${x} y1="0" y2=${HIGH} />`;
    })}
    ${level.map((y) => svg`<line class="grid" x1="0" x2=${WIDE} y1=${y} y2=${y} />`)}
    ${Array.from(motion.viaRows, (row) => {
      const x = (WIDE * motion.times[row]!) / end;
      return svg`<line class="via" x1=${x} x2=${x} y1=${HIGH - 5} y2=${HIGH} />`;
    })}
    ${lines.map(
      ({ color, path, name }) =>
        svg`<path d=${path} stroke=${color} data-cylinder=${name}><title>${name}</title></path>`,
    )}
    <line class="cursor" x1="0" x2="0" y1="0" y2=${HIGH} />`;
}

/** A stroke of a colour, for legends. */
export function swatch(color: string): TemplateResult {
  return html`<svg class="swatch" viewBox="0 0 18 5" aria-hidden="true">
    <rect width="18" height="5" rx="2" fill=${color} />
  </svg>`;
}
