import { describe, expect, it } from "vitest";

import { cylinderColor, FREE, rgb, speedColor } from "../src/tools/path/colors";
import {
  decodeMotion,
  linkSpeeds,
  movingCylinders,
  placeAt,
  rowAt,
  type Motion,
} from "../src/tools/path/motion";
import { HIGH, linePath, ticks, WIDE } from "../src/tools/path/plot";
import { ribbonVertices, rowColors } from "../src/tools/path/ribbon";
import { Vias, viasOf, type Via } from "../src/tools/path/vias";

/** Three rows, two cylinders, one via point: along y, at 1 m/s and then at 2 m/s. */
function bytes(change: (view: DataView) => void = () => {}): ArrayBuffer {
  const numbers = [
    [0, 1, 2], // times
    [1, 5, 1.5, 5, 2, 5], // lengths
    [0, 0, 0.5, 0, 0, 0], // speeds
    [5, 0, 1, 5, 1, 1, 5, 3, 1], // positions
    [0, 0, 0.25], // off
    [-1, 0, 1], // limiting
    [0.5, 1, 1], // share
    [2], // via rows
  ].flat();
  const data = new ArrayBuffer(16 + 4 * numbers.length);
  const view = new DataView(data);
  [0x54504648, 3, 2, 1].forEach((value, n) => view.setUint32(4 * n, value, true));
  numbers.forEach((value, n) => view.setFloat32(16 + 4 * n, value, true));
  change(view);
  return data;
}

const motion = decodeMotion(bytes()) as Motion;
const via = (x: number): Via => ({ position: [x, 0, 0], quaternion: null });
const places = (vias: Vias): number[] => vias.list.map(({ position }) => position[0]);

describe("decodeMotion", () => {
  it("takes the numbers in the order of their layout", () => {
    expect([motion.rows, motion.cylinders]).toEqual([3, 2]);
    expect([...motion.lengths]).toEqual([1, 5, 1.5, 5, 2, 5]);
    expect([...motion.off]).toEqual([0, 0, 0.25]);
    expect([...motion.limiting]).toEqual([-1, 0, 1]);
    expect([...motion.viaRows]).toEqual([2]);
  });

  it("refuses what is none", () => {
    expect(decodeMotion(new ArrayBuffer(3))).toContain("3 bytes");
    expect(decodeMotion(bytes((view) => view.setUint32(0, 1, true)))).toBe("not a path");
    expect(decodeMotion(bytes((view) => view.setUint32(4, 4, true)))).toContain("bytes");
  });
});

describe("a motion", () => {
  it("is found at any moment", () => {
    expect(rowAt(motion, -1)).toEqual([0, 0]);
    expect(rowAt(motion, 0.25)).toEqual([0, 0.25]);
    expect(rowAt(motion, 1)).toEqual([1, 0]);
    expect(rowAt(motion, 9)).toEqual([1, 1]);
    expect(placeAt(motion, 1.5)).toEqual([5, 2, 1]);
    expect(placeAt(motion, 9)).toEqual([5, 3, 1]);
  });

  it("has speeds of the link, and cylinders that move", () => {
    expect([...linkSpeeds(motion)]).toEqual([1, 1.5, 2]);
    expect(movingCylinders(motion)).toEqual([0]);
  });
});

describe("the ribbon", () => {
  it("lies on both sides of the path, across it and across the way ahead", () => {
    const vertices = ribbonVertices(motion);
    for (let row = 0; row < 3; row++) {
      const [a, b] = [0, 3].map((n) => [...vertices.subarray(6 * row + n, 6 * row + n + 3)]);
      const middle = [0, 1, 2].map((axis) => 0.5 * (a![axis]! + b![axis]!));
      middle.forEach((value, axis) =>
        expect(value).toBeCloseTo(motion.positions[3 * row + axis]!, 6),
      );
      expect(Math.abs(a![2]! - b![2]!)).toBeCloseTo(0.036, 6); // along y: across is z
      expect(a![0]).toBeCloseTo(b![0]!, 6);
    }
  });

  it("stays as wide where the path stands still or goes ahead", () => {
    const still = { ...motion, positions: new Float32Array([5, 0, 1, 5, 0, 1, 6, 0, 1]) };
    const vertices = ribbonVertices(still);
    expect(vertices.every(Number.isFinite)).toBe(true);
    expect(Math.hypot(vertices[0]! - vertices[3]!, vertices[1]! - vertices[4]!)).toBeCloseTo(0.036);
  });

  it("is coloured by speed or by the limiting cylinder", () => {
    const speeds = rowColors(motion, "speed");
    expect(speeds[2]).toEqual(speedColor(1));
    expect(speeds[0]).toEqual(speedColor(0.5));
    expect(rowColors(motion, "limit")).toEqual([FREE, cylinderColor(0), cylinderColor(1)].map(rgb));
    expect(rgb("#ff0080")).toEqual([1, 0, 128 / 255]);
  });
});

describe("plots", () => {
  it("draw values from the bottom to the top over the whole time", () => {
    const path = linePath(motion, (row) => row, 0, 2);
    expect(path).toBe(`M0.0 ${HIGH}.0L${WIDE / 2}.0 ${HIGH / 2}.0L${WIDE}.0 0.0`);
  });

  it("leave out points where there are many, but never the last", () => {
    const rows = 5001;
    const long = {
      ...motion,
      rows,
      times: Float32Array.from({ length: rows }, (_, n) => n),
    };
    const parts = linePath(long, () => 0, -1, 1).split("L");
    expect(parts.length).toBeLessThan(600);
    expect(parts.at(-1)).toBe(`${WIDE}.0 ${HIGH / 2}.0`);
  });

  it("have lines at round numbers", () => {
    expect(ticks(38, 6)).toEqual([0, 10, 20, 30]);
    expect(ticks(1, 5).map((each) => each.toFixed(1))).toEqual([
      "0.0",
      "0.2",
      "0.4",
      "0.6",
      "0.8",
      "1.0",
    ]);
  });
});

describe("via points", () => {
  it("are added behind the chosen one, moved and removed", () => {
    const vias = new Vias();
    [1, 2, 3].forEach((x) => vias.add(via(x)));
    expect(places(vias)).toEqual([1, 2, 3]);
    vias.choose(0);
    vias.add(via(9));
    expect(places(vias)).toEqual([1, 9, 2, 3]);
    expect(vias.chosen).toBe(1);
    vias.shift(1, 1);
    expect(places(vias)).toEqual([1, 2, 9, 3]);
    vias.shift(3, 1);
    expect(places(vias)).toEqual([1, 2, 9, 3]);
    vias.remove(0);
    expect(places(vias)).toEqual([2, 9, 3]);
  });

  it("come back one change after the other; a drag is one change", () => {
    const vias = new Vias();
    vias.add(via(1));
    vias.add(via(2));
    [2.1, 2.2, 2.3].forEach((x) => vias.put(1, via(x)));
    vias.replace([]);
    vias.undo();
    expect(places(vias)).toEqual([1, 2.3]);
    vias.undo();
    expect(places(vias)).toEqual([1, 2]);
    vias.undo();
    vias.undo();
    expect(vias.canUndo).toBe(false);
    vias.undo();
    expect(places(vias)).toEqual([]);
  });

  it("stay with their machine", () => {
    viasOf("a").add(via(4));
    expect(places(viasOf("a"))).toEqual([4]);
    expect(places(viasOf("b"))).toEqual([]);
  });
});
