/** Colours of cylinders and of speeds, the same in picture and plots. */

const CYLINDERS = [
  "#4cc2ff",
  "#ffb454",
  "#7ee787",
  "#ff7b9c",
  "#c69bff",
  "#f2e94e",
  "#5ee2d0",
  "#ff9d6c",
];
/** Where no cylinder is at its limit. */
export const FREE = "#9aa7ad";
/** From standing to the fastest. */
const SPEEDS: readonly (readonly [number, number, number])[] = [
  [38, 70, 160],
  [36, 170, 175],
  [250, 215, 70],
];

export type Rgb = [number, number, number];

export function cylinderColor(number: number): string {
  return number < 0 ? FREE : CYLINDERS[number % CYLINDERS.length]!;
}

/** Parts of red, green and blue, 0 to 1, of a colour such as "#4cc2ff". */
export function rgb(color: string): Rgb {
  const at = (from: number): number => parseInt(color.slice(from, from + 2), 16) / 255;
  return [at(1), at(3), at(5)];
}

/** The colour of a part of the largest speed, 0 to 1. */
export function speedColor(part: number): Rgb {
  const place = Math.min(1, Math.max(0, part)) * (SPEEDS.length - 1);
  const low = Math.min(SPEEDS.length - 2, Math.floor(place));
  const t = place - low;
  const [a, b] = [SPEEDS[low]!, SPEEDS[low + 1]!];
  return [0, 1, 2].map((i) => (a[i]! + t * (b[i]! - a[i]!)) / 255) as Rgb;
}
