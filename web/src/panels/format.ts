/** Numbers and names for people. */

import { text } from "../text";

/** With so many decimals, in the reader's notation, and never "-0". */
export function fixed(value: number, decimals: number): string {
  if (!Number.isFinite(value)) return "–";
  let shown = value.toFixed(decimals);
  if (Number(shown) === 0) shown = shown.replace("-", "");
  return shown.replace("-", "−").replace(".", text.decimal);
}

/** Decimals that keep about three digits: 0 from 100, 1 from 10, else 2, but at most `most`. */
export function decimalsFor(size: number, most = 2): number {
  const magnitude = Math.abs(size);
  return Math.min(most, magnitude >= 100 ? 0 : magnitude >= 10 ? 1 : 2);
}

/** A length [m] in millimetres; short strokes [m] get decimals. */
export function millimetres(length: number, stroke: number): string {
  return fixed(length * 1e3, stroke < 0.02 ? 2 : stroke < 0.1 ? 1 : 0);
}

/** A speed [m/s] in mm/s, with decimals that fit the largest one [m/s]. */
export function millimetresPerSecond(speed: number, largest: number): string {
  return fixed(speed * 1e3, largest >= 0.03 ? 0 : largest >= 0.003 ? 1 : 2);
}

/** A force [N] in kN, with decimals that fit the largest one [N], or itself if that is not known. */
export function kilonewtons(force: number, largest: number): string {
  return fixed(force / 1e3, decimalsFor((largest || force) / 1e3));
}

/** A speed [rad/s] in revolutions a minute, with decimals that fit the largest one [rad/s]. */
export function revolutions(speed: number, largest: number): string {
  const most = ((largest || speed) * 30) / Math.PI;
  return fixed((speed * 30) / Math.PI, Math.abs(most) >= 20 ? 0 : 1);
}

/** A torque [N m] in kN m. */
export function kilonewtonMetres(torque: number, largest: number): string {
  return fixed(torque / 1e3, decimalsFor((largest || torque) / 1e3));
}

/** An energy [J] with a prefix. */
/** An angle in degrees, without a sign before nought. */
export function degrees(radians: number): string {
  return fixed((180 / Math.PI) * radians, 1);
}

export function energy(joules: number): string {
  const size = Math.abs(joules);
  const [scale, unit] = size >= 1e6 ? [1e-6, "MJ"] : size >= 1e3 ? [1e-3, "kJ"] : [1, "J"];
  return `${fixed(joules * scale, decimalsFor(joules * scale))} ${unit}`;
}

/** Seconds as m:ss.s, or s.ss below a minute. */
export function clock(seconds: number): string {
  if (!Number.isFinite(seconds)) return "–";
  const tenths = Math.round(Math.max(0, seconds) * 10);
  const minutes = Math.floor(tenths / 600);
  const rest = (tenths % 600) / 10;
  return `${minutes}:${rest < 10 ? "0" : ""}${fixed(rest, 1)}`;
}

const DIRECTED =
  /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const ISOLATES = /[\u2066-\u2069]/g;

/**
 * A name that does not turn the text around it: where it has letters or marks of a direction, it
 * stands between two marks that isolate it. Those of its own would end that too early.
 */
export function isolated(name: string): string {
  return DIRECTED.test(name) ? `\u2068${name.replace(ISOLATES, "")}\u2069` : name;
}

const ABBREVIATION = /^[bcdfghj-np-tvwxz]{2,5}$/; // no vowel: nobody could say it

/** A name of a machine's part as words: "shovel_plate" is "Shovel plate". */
export function words(name: string): string {
  const spaced = name
    .replace(/[_\s]+/g, " ")
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .trim();
  if (ABBREVIATION.test(spaced)) return spaced.toUpperCase();
  return isolated(spaced === "" ? name : spaced.charAt(0).toUpperCase() + spaced.slice(1));
}

/** The same for a motor, without the word that all of them have. */
export function motorWords(name: string): string {
  const short = name.replace(/[_\s]motor$/i, "");
  return words(short === "" ? name : short);
}
