/** Rows of a history as comma-separated values: SI units, points as decimal signs. */

import type { History } from "./history";

export interface Column {
  /** Index in the history. */
  column: number;
  title: string;
  /** SI unit. */
  unit: string;
}

/** Nine digits tell every single-precision number from its neighbours. */
function figure(value: number): string {
  return Number.isFinite(value) ? String(Number(value.toPrecision(9))) : "";
}

/** A cell in quotes where it needs them; it never begins like a formula of a spreadsheet. */
function cell(words: string): string {
  const safe = /^[=+\-@\t\r]/.test(words) ? `'${words}` : words;
  return /[",\r\n;]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A row of titles with units, then one row a moment. */
export function csvOf(
  history: History,
  columns: readonly Column[],
  from: number,
  to: number,
): string {
  const head = ["time [s]", ...columns.map(({ title, unit }) => cell(`${title} [${unit}]`))];
  const lines = [head.join(",")];
  for (let row = from; row < to; row++) {
    const values = columns.map(({ column }) => figure(history.value(column, row)));
    lines.push([String(Number(history.time(row).toFixed(6))), ...values].join(","));
  }
  return `${lines.join("\r\n")}\r\n`;
}
