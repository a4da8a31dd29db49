/** Which units of a scene obey, and which ones a person means. */

import type { SceneInfo, StandInfo, Up } from "../protocol/generated";
import type { Facts } from "./store";

/** The stand that is driven. */
export function drivenStand(scene: SceneInfo): StandInfo | null {
  return scene.stands[scene.driven] ?? null;
}

/** Numbers in the scene of the units that obey. */
export function chosenUnits({ scene, status }: Pick<Facts, "scene" | "status">): number[] {
  const stand = scene && drivenStand(scene);
  if (!stand || !status) return [];
  const chosen = new Set(status.selected);
  return stand.units.flatMap((name, n) => (chosen.has(name) ? [stand.first + n] : []));
}

/** Names the unit that figures and pictures are of: the first that obeys; empty before a scene. */
export function subjectOf({ scene, status }: Pick<Facts, "scene" | "status">): string {
  if (!scene) return "";
  const unit = status?.selected[0] ?? drivenStand(scene)?.units[0] ?? "";
  return `${scene.number}/${unit}`;
}

/** How many units the scene has. */
export function unitCount(scene: SceneInfo): number {
  return scene.stands.reduce((sum, { units }) => sum + units.length, 0);
}

/** How a unit is chosen: alone, to or from those that are (ctrl), or all from the last one (shift). */
export interface Way {
  toggle: boolean;
  range: boolean;
}

export const ALONE: Way = { toggle: false, range: false };

/**
 * Positions of the units to select in a stand, after `clicked` was chosen in a way.
 *
 * `chosen` are those of now; `anchor` is where a range begins.
 */
export function selectionAfter(
  chosen: readonly number[],
  clicked: number,
  anchor: number,
  way: Way,
): number[] {
  if (way.range) {
    const [low, high] = [Math.min(anchor, clicked), Math.max(anchor, clicked)];
    return Array.from({ length: high - low + 1 }, (_, n) => low + n);
  }
  if (!way.toggle) return [clicked];
  const others = chosen.filter((unit) => unit !== clicked);
  if (others.length === chosen.length) return [...chosen, clicked].sort((a, b) => a - b);
  return others.length > 0 ? others : [clicked];
}

/** The message that selects units of a stand by their positions. */
export function selectMessage(stand: StandInfo, positions: readonly number[]): Up {
  const every = positions.length === stand.units.length && positions.length > 1;
  const units = positions.flatMap((n) => stand.units[n] ?? []);
  return { type: "select", stand: stand.name, units: every ? null : units };
}

/** The unit before or after those that obey, going around. */
export function neighbour(chosen: readonly number[], count: number, step: 1 | -1): number {
  const from = step > 0 ? (chosen.at(-1) ?? -1) : (chosen[0] ?? 0);
  return (from + step + count) % count;
}
