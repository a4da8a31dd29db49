/** Contacts of the same two things, taken together. */

import { Vector3 } from "three";
import { fixed } from "../../panels/format";
import type { Touch } from "../../scene/contacts";

export interface Pair {
  /** Positions in `scene.members`; the force is that of b on a. */
  a: number;
  b: number;
  /** Of all their contacts together [N]. */
  force: number;
  /** Nothing holds them: all of their contacts slide. */
  sliding: boolean;
}

/** Pairs of things that touch, the strongest first. */
export function pairsOf(touches: readonly Touch[]): Pair[] {
  const sums = new Map<string, { a: number; b: number; force: Vector3; sliding: boolean }>();
  for (const { a, b, force, sticking } of touches) {
    const key = `${a} ${b}`;
    const sum = sums.get(key) ?? { a, b, force: new Vector3(), sliding: true };
    sum.force.add(force);
    sum.sliding &&= !sticking;
    sums.set(key, sum);
  }
  const pairs = [...sums.values()].map((sum) => ({ ...sum, force: sum.force.length() }));
  return pairs.sort((one, other) => other.force - one.force);
}

/** What a member of the scene is called. */
export function nameOf(members: readonly string[], member: number): string {
  return members[member] ?? "?";
}

/** A force in words: newtons, or kilonewtons from a thousand on. */
export function newtons(force: number): string {
  return force < 1000
    ? `${fixed(force, force < 10 ? 2 : 1)} N`
    : `${fixed(force / 1000, force < 10_000 ? 2 : 1)} kN`;
}
