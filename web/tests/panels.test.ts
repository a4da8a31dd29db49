import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { consoleFor, PLANS } from "../src/panels/consoles";
import {
  clock,
  decimalsFor,
  energy,
  fixed,
  kilonewtons,
  millimetres,
  millimetresPerSecond,
  motorWords,
  revolutions,
  words,
} from "../src/panels/format";
import {
  DETENTS,
  endStop,
  Pace,
  part,
  scaleToSlider,
  sliderToScale,
  Throttle,
  within,
} from "../src/panels/scales";
import {
  banners,
  handsLive,
  lastGood,
  overlay,
  preparation,
  seatWords,
  whyNotRelease,
} from "../src/panels/states";
import type { Preparing, SceneInfo, Status, Welcome } from "../src/protocol/generated";
import { own } from "../src/state/own";
import type { Facts } from "../src/state/store";
import { text } from "../src/text";
import { machineOf } from "./machines";

describe("format", () => {
  it("never shows a negative zero, and a dash for what is no number", () => {
    expect(fixed(-0.004, 2)).toBe("0.00");
    expect(fixed(-1.25, 1)).toMatch(/^−1\.[23]$/);
    expect(fixed(NaN, 1)).toBe("–");
  });

  it("chooses decimals by size", () => {
    expect([0.5, 9.99, 10, -99, 100, 5000].map((size) => decimalsFor(size))).toEqual([
      2, 2, 1, 1, 0, 0,
    ]);
  });

  it("uses millimetres, kN and revolutions a minute", () => {
    expect(millimetres(1.2373, 0.7)).toBe("1237");
    expect(millimetres(0.0512, 0.05)).toBe("51.2");
    expect(millimetresPerSecond(-0.0604, 0.06)).toBe("−60");
    expect(millimetresPerSecond(0.0123, 0.02)).toBe("12.3");
    expect(kilonewtons(636200, 1272400)).toBe("636");
    expect(kilonewtons(-4712, 47120)).toBe("−4.7");
    expect(revolutions(2 * Math.PI, 2 * Math.PI)).toBe("60");
    expect(revolutions(Math.PI / 30, Math.PI / 15)).toBe("1.0");
  });

  it("puts prefixes to energies", () => {
    expect([0, 12.34, 12345, -2.3e6].map(energy)).toEqual([
      "0.00 J",
      "12.3 J",
      "12.3 kJ",
      "−2.30 MJ",
    ]);
  });

  it("reads like a clock, also where seconds round up", () => {
    expect([0, 9.96, 59.96, 61.04, 600].map(clock)).toEqual([
      "0:00.0",
      "0:10.0",
      "1:00.0",
      "1:01.0",
      "10:00.0",
    ]);
  });

  it("makes words of names and leaves markup as it is", () => {
    expect(words("shovel_plate")).toBe("Shovel plate");
    expect(words("frontLegs")).toBe("Front Legs");
    expect(words("<b>x</b>")).toBe("<b>x</b>");
    expect(words("__")).toBe("__");
    expect(words("tcchs")).toBe("TCCHS");
    expect(words("lhd")).toBe("LHD");
    expect(words("jack")).toBe("Jack");
    expect(words("y")).toBe("Y");
    expect(motorWords("cutting_motor")).toBe("Cutting");
    expect(motorWords("motor")).toBe("Motor");
  });

  it("isolates names that are written from the right, or want to turn what follows", () => {
    expect(words("boom")).toBe("Boom");
    expect(words("\u05d0\u05d1")).toBe("\u2068\u05d0\u05d1\u2069");
    expect(words("a\u202eb")).toBe("\u2068A\u202eb\u2069");
    expect(words("a\u2069\u202eb")).toBe("\u2068A\u202eb\u2069"); // not ended by its own mark
  });

  it("finds in a map only what was put there", () => {
    const map = JSON.parse('{"boom": 1, "__proto__": 2}') as Record<string, number>;
    expect(["boom", "__proto__", "toString", "constructor"].map((key) => own(map, key))).toEqual([
      1,
      2,
      undefined,
      undefined,
    ]);
  });
});

describe("scales", () => {
  it("goes there and back, with rests at the detents", () => {
    for (const detent of DETENTS) {
      expect(sliderToScale(scaleToSlider(detent))).toBe(detent);
      expect(sliderToScale(scaleToSlider(detent) + 0.01)).toBe(detent);
    }
    expect(scaleToSlider(0.1)).toBe(0);
    expect(scaleToSlider(4)).toBe(1);
    for (let place = -0.5; place <= 1.5; place += 0.01) {
      const scale = sliderToScale(place);
      expect(scale).toBeGreaterThanOrEqual(0.1);
      expect(scale).toBeLessThanOrEqual(4);
      if (place >= 0 && place <= 1)
        expect(Math.abs(scaleToSlider(scale) - place)).toBeLessThan(0.04);
    }
  });

  it("keeps within bounds", () => {
    expect([within(3, 1, 2), within(0, 1, 2), within(NaN, 1, 2)]).toEqual([2, 1, 1]);
    expect([part(1.5, 1, 2), part(9, 1, 2), part(1, 1, 1)]).toEqual([0.5, 1, 0]);
  });

  it("sees end stops", () => {
    expect(endStop(1.9996, 1, 2)).toBe("upper");
    expect(endStop(1.0004, 1, 2)).toBe("lower");
    expect(endStop(1.001, 1, 2)).toBe("");
    expect(endStop(0.0105, 0.01, 0.02)).toBe("");
  });

  it("measures the pace of simulated time", () => {
    const pace = new Pace();
    let last = NaN;
    for (let i = 0; i <= 30; i++) last = pace.take(100 * i, 5 + 0.05 * i);
    expect(last).toBeCloseTo(0.5, 9);
    expect(pace.take(3100, 2)).toBeNaN();
  });

  describe("throttle", () => {
    beforeEach(() => void vi.useFakeTimers());
    afterEach(() => void vi.useRealTimers());

    it("calls at once, then seldom, and at last with the newest", () => {
      const got: number[] = [];
      const throttle = new Throttle<number>(100, (value) => got.push(value));
      for (let i = 0; i < 25; i++) {
        throttle.give(i);
        vi.advanceTimersByTime(10);
      }
      vi.advanceTimersByTime(300);
      expect(got[0]).toBe(0);
      expect(got.at(-1)).toBe(24);
      expect(got.length).toBeLessThanOrEqual(4);
      throttle.give(50);
      throttle.give(51);
      throttle.cancel();
      vi.advanceTimersByTime(300);
      expect(got.at(-1)).toBe(50);
    });
  });
});

describe("consoles", () => {
  const names = ["slew", "boom", "front_legs", "stabiliser_left", "left_arm", "door", "x"];

  it.each(["", "toString", "__proto__", "thing", ...Object.keys(PLANS)])(
    "has each group of class %j in one bank",
    (kind) => {
      for (let count = 0; count <= names.length; count++) {
        const { banks, columns } = consoleFor(machineOf(kind, names.slice(0, count), 0));
        const shown = banks.flatMap((bank) => bank.groups.map((group) => group.name));
        expect(shown.sort()).toEqual(names.slice(0, count).sort());
        for (const bank of banks) expect(bank.groups.length).toBeGreaterThan(0);
        expect(columns).toBeGreaterThanOrEqual(1);
      }
    },
  );

  it("has levers for roadheaders and push buttons for supports and doors", () => {
    const control = (kind: string) => consoleFor(machineOf(kind, ["a"], 0)).control;
    expect(["roadheader", "loader", "jumbo", "shearer", "other"].map(control)).toEqual(
      Array(5).fill("lever"),
    );
    expect(["support", "door"].map(control)).toEqual(["buttons", "buttons"]);
  });

  it("puts a roadheader's boom apart from its chassis", () => {
    const machine = machineOf("roadheader", ["shovel_plate", "slew", "boom", "telescope"], 0);
    const { banks } = consoleFor(machine);
    expect(banks.map(({ title, groups }) => [title, groups.map(({ name }) => name)])).toEqual([
      [text.bankBoom, ["slew", "boom", "telescope"]],
      [text.bankChassis, ["shovel_plate"]],
    ]);
  });
});

describe("states", () => {
  const welcome: Welcome = {
    type: "welcome",
    version: 1,
    build: "",
    client: 1,
    role: "operator",
  };
  const status: Status = {
    type: "status",
    paused: false,
    scale: 1,
    dynamics: false,
    formulation: "kinematic",
    reason: "",
    integrator: "",
    gravity: 9.81,
    step: 0.001,
    emergency: false,
    presence: "",
    floating: [],
    targets: {},
    motors: {},
    playing: null,
    oldest: 0,
    newest: 1,
    forgotten: false,
    overruns: 0,
    trouble: "",
    selected: ["1"],
    alive: true,
    seat: 1,
    operators: 1,
    viewers: 0,
  };
  const scene = { number: 1 } as SceneInfo;
  const facts = (change: Partial<Facts> = {}, state: Partial<Status> = {}): Facts => ({
    connection: "open",
    welcome,
    scene,
    status: { ...status, ...state },
    loading: null,
    preparing: null,
    recording: null,
    replay: "",
    latency: 0,
    toasts: [],
    ...change,
  });
  const ids = (f: Facts, seat = true): string[] => banners(f, seat).map(({ id }) => id);

  it("is quiet while all goes well", () => {
    expect(overlay(facts())).toBeNull();
    expect(banners(facts(), true)).toEqual([]);
  });

  it("hides the picture where there is nothing to drive", () => {
    expect(overlay(facts({ connection: "version" }))?.remedies).toEqual(["reload"]);
    expect(overlay(facts({ connection: "address", scene: null }))?.id).toBe("address");
    expect(overlay(facts({ connection: "gone" }))?.id).toBe("gone");
    expect(overlay(facts({ connection: "connecting", scene: null }))?.progress).toBe(-1);
    const loading = { type: "loading", text: "shapes", part: 0.3 } as const;
    expect(overlay(facts({ loading }))).toMatchObject({ detail: "shapes", progress: 0.3 });
    expect(overlay(facts({ connection: "reconnecting" }))).toBeNull();
  });

  it("says quietly what will be ready soon, and more to who has asked for it", () => {
    const line = (change: Partial<Preparing>): string =>
      preparation(
        facts({
          preparing: { type: "preparing", part: "dynamics", seconds: 40, waiting: [], ...change },
        }),
      );
    expect(preparation(facts())).toBe("");
    expect(line({})).toBe("Dynamics: ready in about 40 s");
    expect(line({ seconds: null })).toBe("Dynamics: being prepared");
    expect(line({ seconds: 240 })).toBe("Dynamics: ready in about 4 min");
    expect(line({ waiting: ["set_physics"] })).toBe(
      "Dynamics: ready in about 40 s. What you asked for starts then.",
    );
    expect(line({ part: "reaching" })).toContain("Reach");
    expect(line({ part: "bench" })).toBe("");
    expect(line({ part: "comparison" })).toBe("");
    expect(line({ part: "comparison", waiting: ["set_physics"] })).toContain("comparison");
    expect(line({ part: "" })).toBe("");
  });

  it("tells the most urgent first", () => {
    expect(ids(facts({ connection: "reconnecting" }))).toEqual(["reconnecting"]);
    expect(ids(facts({}, { emergency: true, trouble: "x" }))).toEqual(["emergency", "trouble"]);
    expect(ids(facts({}, { alive: false, trouble: "x" }))).toEqual(["dead"]);
    expect(ids(facts({}, { presence: "centre" }))).toEqual(["presence"]);
    expect(ids(facts({}, { presence: "centre", emergency: true }))).toEqual(["emergency"]);
  });

  it("says that the picture shows a recording, and lets nobody drive blindly", () => {
    const film = facts({ replay: "run 1" }, { presence: "centre" });
    expect(ids(film)).toEqual(["replay"]);
    expect(banners(film, true)[0]?.detail).toContain("run 1");
    expect(banners(film, true)[0]?.remedies).toEqual(["live"]);
    expect(ids(facts({ replay: "run 1" }, { emergency: true }))).toEqual(["emergency", "replay"]);
    expect(handsLive(facts({ replay: "run 1" }), true, true)).toBe(false);
  });

  it("offers remedies only to who may use them", () => {
    const trouble = facts({}, { trouble: "x" });
    expect(banners(trouble, true)[0]?.remedies).toEqual(["rewind", "restart"]);
    expect(banners(trouble, false)[0]?.remedies).toEqual([]);
    const other = facts({}, { seat: 5 });
    expect(banners(other, false)[0]).toMatchObject({ id: "other_seat", remedies: ["take_seat"] });
    expect(ids(facts({}, { seat: -1 }), false)).toEqual(["no_seat"]);
    const viewer = facts({ welcome: { ...welcome, role: "viewer" } }, { seat: 5 });
    expect(banners(viewer, false)[0]).toMatchObject({ id: "watching", remedies: [] });
  });

  it("says who drives", () => {
    expect(seatWords(facts(), true)).toBe(text.youDrive);
    expect(seatWords(facts({}, { seat: 5 }), false)).toBe(text.otherDrives);
    expect(seatWords(facts({}, { seat: -1 }), false)).toBe(text.nobodyDrives);
    expect(seatWords(facts({ welcome: { ...welcome, role: "viewer" } }), false)).toBe(
      text.youWatch,
    );
    expect(seatWords(facts({ connection: "reconnecting" }), false)).toBe(text.offline);
  });

  it("says why the emergency stop cannot be released", () => {
    expect(whyNotRelease(facts(), true, true)).toBe("");
    expect(whyNotRelease(facts(), true, false)).toBe(text.releaseLevers);
    expect(whyNotRelease(facts(), false, true)).toBe(text.releaseSeat);
    expect(whyNotRelease(facts({ connection: "reconnecting" }), true, true)).toBe(
      text.releaseLater,
    );
  });

  it("lets hands have effect only in the seat, looked at, alive and not stopped", () => {
    expect(handsLive(facts(), true, true)).toBe(true);
    expect(handsLive(facts(), false, true)).toBe(false);
    expect(handsLive(facts(), true, false)).toBe(false);
    expect(handsLive(facts({}, { emergency: true }), true, true)).toBe(false);
    expect(handsLive(facts({}, { alive: false }), true, true)).toBe(false);
    expect(handsLive(facts({ status: null }), true, true)).toBe(false);
  });

  it("rewinds to a moment within the ring", () => {
    expect(lastGood(0, 42)).toBe(41);
    expect(lastGood(41.5, 42)).toBe(41.5);
  });
});
