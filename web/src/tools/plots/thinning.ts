/** Rows of a history as arrays to draw; many rows as the extremes of short stretches. */

import type { History } from "./history";

/** Stretches that a row of many is divided into; two points each. */
export const STRETCHES = 1000;

/** Times and scaled values of rows, no more than twice as many as there are stretches. */
export function drawn(
  history: History,
  columns: readonly { column: number; scale: number }[],
  from: number,
  to: number,
  stretches = STRETCHES,
): number[][] {
  const count = Math.max(0, to - from);
  if (count <= 2 * stretches) return plain(history, columns, from, to);
  const out: number[][] = [[], ...columns.map(() => [])];
  for (let k = 0; k < stretches; k++) {
    const begin = from + Math.floor((k * count) / stretches);
    const end = from + Math.floor(((k + 1) * count) / stretches);
    out[0]!.push(history.time(begin), history.time(end - 1));
    columns.forEach(({ column, scale }, i) => {
      let [low, high] = [begin, begin];
      for (let row = begin + 1; row < end; row++) {
        if (history.value(column, row) < history.value(column, low)) low = row;
        if (history.value(column, row) > history.value(column, high)) high = row;
      }
      for (const row of low < high ? [low, high] : [high, low])
        out[i + 1]!.push(scale * history.value(column, row));
    });
  }
  return out;
}

function plain(
  history: History,
  columns: readonly { column: number; scale: number }[],
  from: number,
  to: number,
): number[][] {
  const out: number[][] = [[], ...columns.map(() => [])];
  for (let row = from; row < to; row++) {
    out[0]!.push(history.time(row));
    columns.forEach(({ column, scale }, i) => out[i + 1]!.push(scale * history.value(column, row)));
  }
  return out;
}
