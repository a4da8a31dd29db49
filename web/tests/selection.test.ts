import { describe, expect, it } from "vitest";

import type { SceneInfo, StandInfo, Status } from "../src/protocol/generated";
import {
  ALONE,
  chosenUnits,
  neighbour,
  selectionAfter,
  selectMessage,
  unitCount,
} from "../src/state/selection";

const stand = (name: string, first: number, count: number): StandInfo =>
  ({
    name,
    first,
    units: Array.from({ length: count }, (_, n) => String(n + 1)),
  }) as unknown as StandInfo;
const scene = {
  stands: [stand("loader", 0, 1), stand("support", 1, 5)],
  driven: 1,
} as unknown as SceneInfo;
const status = (selected: string[]): Status => ({ selected }) as unknown as Status;

describe("selection", () => {
  it("knows the numbers of those who obey", () => {
    expect(chosenUnits({ scene, status: status(["2", "5"]) })).toEqual([2, 5]);
    expect(chosenUnits({ scene, status: status(["9"]) })).toEqual([]);
    expect(chosenUnits({ scene: null, status: null })).toEqual([]);
    expect(unitCount(scene)).toBe(6);
  });

  it("takes one, adds one, takes one away, or a range", () => {
    expect(selectionAfter([1, 2], 4, 1, ALONE)).toEqual([4]);
    expect(selectionAfter([1, 4], 2, 1, { toggle: true, range: false })).toEqual([1, 2, 4]);
    expect(selectionAfter([1, 4], 4, 1, { toggle: true, range: false })).toEqual([1]);
    expect(selectionAfter([4], 4, 1, { toggle: true, range: false })).toEqual([4]);
    expect(selectionAfter([4], 1, 3, { toggle: false, range: true })).toEqual([1, 2, 3]);
    expect(selectionAfter([], 3, 1, { toggle: true, range: true })).toEqual([1, 2, 3]);
  });

  it("asks for all by a single word", () => {
    expect(selectMessage(scene.stands[1]!, [0, 2])).toEqual({
      type: "select",
      stand: "support",
      units: ["1", "3"],
    });
    expect(selectMessage(scene.stands[1]!, [0, 1, 2, 3, 4])).toMatchObject({ units: null });
    expect(selectMessage(scene.stands[0]!, [0])).toMatchObject({ units: ["1"] });
  });

  it("goes around at the ends", () => {
    expect(neighbour([4], 5, 1)).toBe(0);
    expect(neighbour([0], 5, -1)).toBe(4);
    expect(neighbour([1, 2], 5, 1)).toBe(3);
    expect(neighbour([1, 2], 5, -1)).toBe(0);
    expect(neighbour([], 5, 1)).toBe(0);
  });
});
