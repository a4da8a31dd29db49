/** How a deflection is made from what a hand does. */

/** Below this a stick counts as centred, above 1 - RIM as fully deflected. */
export const DEAD_ZONE = 0.12;
export const RIM = 0.02;
/** Larger is finer near the centre. */
export const EXPONENT = 1.8;
/** From neutral to full deflection while a key or a button is held [s]. */
export const RAMP = 0.2;

/** Deflection of a stick, -1 to 1: dead around the centre, then a smooth curve to both ends. */
export function shaped(raw: number, dead = DEAD_ZONE, exponent = EXPONENT): number {
  if (!Number.isFinite(raw)) return 0;
  const part = (Math.abs(raw) - dead) / (1 - RIM - dead);
  if (part <= 0) return 0;
  return Math.sign(raw) * Math.min(1, part) ** exponent;
}

/** One step of `dt` seconds from `value` towards `direction` (-1, 0 or 1); letting go is at once. */
export function ramped(value: number, direction: number, dt: number): number {
  if (direction === 0) return 0;
  const start = value * direction > 0 ? value : 0;
  const next = start + (direction * Math.max(0, dt)) / RAMP;
  return Math.max(-1, Math.min(1, next));
}
