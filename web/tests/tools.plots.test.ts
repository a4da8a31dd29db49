import { describe, expect, it } from "vitest";
import type { Frame } from "../src/protocol/frame";
import type { SceneInfo } from "../src/protocol/generated";
import { Store } from "../src/state/store";
import { csvOf } from "../src/tools/plots/csv";
import { History, MOST_BYTES, MOST_ROWS } from "../src/tools/plots/history";
import { firstChoice, KINDS, quantitiesOf, UNITS } from "../src/tools/plots/quantities";
import { Range } from "../src/tools/plots/range";
import { recorderOf } from "../src/tools/plots/recorder";
import { drawn } from "../src/tools/plots/thinning";
import { machineOf } from "./machines";

/** A history of one column that has the value 10 t at each moment t = 0, 1, ... */
function counting(rows: number, room = 1000): History {
  const history = new History(1, room);
  for (let t = 0; t < rows; t++) history.take(t, t, () => 10 * t);
  return history;
}

const times = (history: History): number[] =>
  Array.from({ length: history.length }, (_, row) => history.time(row));

describe("history", () => {
  it("keeps the newest rows in their order, and forgets the oldest", () => {
    const history = counting(25, 10);
    expect(times(history)).toEqual([15, 16, 17, 18, 19, 20, 21, 22, 23, 24]);
    expect(history.value(0, 0)).toBe(150);
    expect(history.value(0, 9)).toBe(240);
    expect([history.time(-1), history.time(10), history.value(0, 10), history.value(1, 0)]).toEqual(
      [NaN, NaN, NaN, NaN],
    );
  });

  it("never takes more memory than it may", () => {
    expect(new History(10).capacity).toBe(MOST_ROWS);
    const large = new History(5000);
    expect(large.capacity * (8 + 4 * 5000)).toBeLessThanOrEqual(MOST_BYTES);
    expect(large.capacity).toBeGreaterThan(1000);
  });

  it("holds ten minutes of frames", () => {
    expect(MOST_ROWS / 60).toBe(600);
  });

  it("notes a moment once while time stands still, with its last values", () => {
    const history = counting(3);
    history.take(2, 2, () => 77);
    expect(times(history)).toEqual([0, 1, 2]);
    expect(history.value(0, 2)).toBe(77);
  });

  it("keeps the future while somebody looks back, and cuts it off when time goes on there", () => {
    const history = counting(10);
    history.take(4, 9, () => -1); // looks at 4 s; 9 s can still be returned to
    expect(times(history)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(history.value(0, 4)).toBe(40);
    history.take(4.5, 4.5, () => -5); // goes on from there
    expect(times(history)).toEqual([0, 1, 2, 3, 4, 4.5]);
    expect(history.value(0, 5)).toBe(-5);
    history.take(0, 0, () => 3); // restarted
    expect(times(history)).toEqual([0]);
    expect(history.value(0, 0)).toBe(3);
  });

  it("cuts rightly after it has wrapped around", () => {
    const history = counting(25, 10);
    history.take(17.5, 17.5, () => 1);
    expect(times(history)).toEqual([15, 16, 17, 17.5]);
    for (let t = 18; t < 40; t++) history.take(t, t, () => t);
    expect(times(history)).toEqual([30, 31, 32, 33, 34, 35, 36, 37, 38, 39]);
    expect(history.value(0, 9)).toBe(39);
  });

  it("finds rows by their time", () => {
    const history = counting(10, 5); // 5 .. 9
    expect([-1, 5, 5.5, 9, 9.1].map((time) => history.rowAt(time))).toEqual([0, 0, 1, 4, 5]);
    expect(new History(1).rowAt(3)).toBe(0);
  });

  it("takes no moment that is none", () => {
    const history = counting(2);
    history.take(NaN, 5, () => 1);
    expect(times(history)).toEqual([0, 1]);
  });
});

describe("csv", () => {
  it("has units, one row a moment, and numbers that come back", () => {
    const history = new History(2);
    const values = [0.1, 1 / 3, -2.5e-7, 123456.789, NaN];
    values.forEach((value, t) => history.take(t / 60, t / 60, (i) => (i === 0 ? value : t)));
    const columns = [
      { column: 0, title: "Length: boom", unit: "m" },
      { column: 1, title: 'Force: a "b", c', unit: "N" },
    ];
    const lines = csvOf(history, columns, 0, 5).split("\r\n");
    expect(lines[0]).toBe('time [s],Length: boom [m],"Force: a ""b"", c [N]"');
    expect(lines).toHaveLength(7); // and an empty one at the end
    values.forEach((value, t) => {
      const [time, length, force] = lines[t + 1]!.split(",");
      expect(Number(time)).toBeCloseTo(t / 60, 6);
      if (Number.isNaN(value)) expect(length).toBe("");
      else expect(Math.fround(Number(length))).toBe(Math.fround(value));
      expect(Number(force)).toBe(t);
    });
  });

  it("gives the rows that are asked for, and no formula", () => {
    const history = counting(10);
    const text = csvOf(history, [{ column: 0, title: "=1+1", unit: "m" }], 3, 5);
    expect(text).toBe("time [s],'=1+1 [m]\r\n3,30\r\n4,40\r\n");
  });
});

describe("range", () => {
  it("follows the newest moment", () => {
    const range = new Range();
    range.follow(10);
    expect(range.between(0, 100)).toEqual([90, 100]);
    expect(range.between(0, 101)).toEqual([91, 101]);
    expect(range.between(NaN, NaN)).toEqual([-10, 0]);
  });

  it("stands still where it was", () => {
    const range = new Range();
    range.follow(10);
    range.between(0, 100);
    range.stay();
    expect(range.between(0, 140)).toEqual([90, 100]);
  });

  it("shows a stretch, whichever way it was dragged", () => {
    const range = new Range();
    range.show(8, 5);
    expect([range.follows, ...range.between(0, 100)]).toEqual([false, 5, 8]);
    range.show(NaN, 3);
    range.show(4, 4);
    expect(range.between(0, 100)).toEqual([5, 8]);
  });

  it("zooms about a moment that stays where it is", () => {
    const range = new Range();
    range.show(10, 20);
    range.zoom(0.5, 12);
    const [from, to] = range.between(0, 100);
    expect(to - from).toBeCloseTo(5, 12);
    expect((12 - from) / (to - from)).toBeCloseTo(0.2, 12);
    for (let i = 0; i < 100; i++) range.zoom(0.5, 12);
    expect(range.span).toBeCloseTo(0.1, 12);
    range.follow(10);
    range.zoom(2, 3);
    expect(range.between(0, 100)).toEqual([80, 100]);
  });

  it("scrolls within what is known", () => {
    const range = new Range();
    range.follow(10);
    range.pan(-5, 0, 100);
    expect(range.between(0, 100)).toEqual([85, 95]);
    range.pan(-1000, 0, 100);
    expect(range.between(0, 100)).toEqual([0, 10]);
    range.pan(1000, 0, 100);
    expect(range.between(0, 100)).toEqual([90, 100]);
    range.pan(1, 96, 100); // less is known than is looked at
    expect(range.between(96, 100)[0]).toBe(96);
  });
});

describe("what is drawn", () => {
  it("is every row while they are few, scaled", () => {
    const data = drawn(counting(5), [{ column: 0, scale: 1e3 }], 1, 4);
    expect(data).toEqual([
      [1, 2, 3],
      [10_000, 20_000, 30_000],
    ]);
    expect(drawn(counting(5), [], 4, 2)).toEqual([[]]);
  });

  it("keeps every extreme when there are many", () => {
    const history = new History(1, 10_000);
    for (let t = 0; t < 9000; t++)
      history.take(t, t, () => (t === 4321 ? 99 : t === 1234 ? -99 : Math.sin(t)));
    const [x, y] = drawn(history, [{ column: 0, scale: 1 }], 0, 9000, 100) as [number[], number[]];
    expect(x).toHaveLength(200);
    expect(Math.max(...y)).toBe(99);
    expect(Math.min(...y)).toBe(-99);
    expect([x[0], x.at(-1)]).toEqual([0, 8999]);
    expect(x.every((time, i) => i === 0 || time >= x[i - 1]!)).toBe(true);
    const peak = y.indexOf(99);
    expect(Math.abs(x[peak]! - 4321)).toBeLessThan(90);
  });
});

describe("quantities", () => {
  const machine = machineOf("roadheader", ["boom", "slew"], 1);
  machine.groups[0]!.cylinders = [0, 2];
  machine.joints = [
    { name: "hinge", turns: true, lower: null, upper: null },
    { name: "slide", turns: false, lower: 0, upper: 1 },
  ];
  const frame = {
    lengths: Float32Array.of(1, 2, 1),
    speeds: Float32Array.of(0.25, 0.5, 0.25),
    forces: Float32Array.of(100, 7, 30),
    motors: Float32Array.of(5, 60),
    joints: Float32Array.of(0.5, 0.125),
    energy: Float32Array.of(1, 2, 3, 4),
    stepTime: 0.001,
    tickTime: 0.01,
  } as Frame;

  it("reads each from a frame", () => {
    const found = Object.fromEntries(
      quantitiesOf(machine).map(({ id, read }) => [id, read(frame)]),
    );
    expect(found).toEqual({
      "length boom": 1,
      "speed boom": 0.25,
      "force boom": 130,
      "length slew": 2,
      "speed slew": 0.5,
      "force slew": 7,
      "angle hinge": 0.5,
      "travel slide": 0.125,
      "turning motor_0": 5,
      "torque motor_0": 60,
      "energy kinetic": 1,
      "energy potential": 2,
      "energy work": 3,
      "energy unaccounted": 4,
      "computing step": 0.001,
      "computing tick": 0.01,
    });
  });

  it("tells motors that slide in units of slides", () => {
    const slide = {
      ...machine,
      joints: [{ name: "finger", turns: false, lower: 0, upper: 0.1 }],
      motors: [
        {
          name: "grip",
          joint: "finger",
          link: "jaw",
          speed: 0.1,
          torque: 50,
          servo: false,
          kind: "motor",
          carrier: "palm",
          cuts: false,
        },
      ],
    };
    const kinds = quantitiesOf(slide)
      .filter(({ name }) => name === "grip")
      .map(({ kind }) => kind);
    expect(kinds).toEqual(["speed", "force"]);
  });

  it("has units that fit their scales", () => {
    expect(KINDS.map((kind) => UNITS[kind].scale * 1)).toHaveLength(KINDS.length);
    expect(UNITS.turning.scale * 2 * Math.PI).toBeCloseTo(60, 12); // a turn a second
    expect(UNITS.angle.scale * Math.PI).toBeCloseTo(180, 12);
  });

  it("begins with something to see", () => {
    expect(firstChoice(machine)).toEqual(
      new Set(["length boom", "force boom", "length slew", "force slew"]),
    );
    expect(firstChoice(machineOf("", [], 0)).size).toBe(1);
  });

  it("is recorded from frames; another machine begins anew", () => {
    const store = new Store();
    const take = (scene: number, time: number) =>
      store.take({ ...frame, scene, time, newest: time } as Frame);
    store.set({ scene: { number: 1, machine } as SceneInfo });
    const recorder = recorderOf(store);
    expect(recorderOf(store)).toBe(recorder);
    for (const time of [0, 1, 2]) take(1, time);
    expect(recorder.history.length).toBe(3);
    expect(recorder.history.value(recorder.column("force boom"), 1)).toBe(130);
    recorder.chosen = new Set(["speed boom"]);
    store.set({ scene: { number: 2, machine } as SceneInfo }); // the same machine, loaded anew
    take(2, 0);
    expect(recorder.history.length).toBe(1);
    expect([...recorder.chosen]).toEqual(["speed boom"]);
    store.set({ scene: { number: 3, machine: { ...machine, name: "other" } } as SceneInfo });
    take(1, 5);
    take(3, 7);
    expect(recorder.history.time(0)).toBe(7);
    expect(recorder.chosen.has("length boom")).toBe(true);
  });
});
