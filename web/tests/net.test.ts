import { describe, expect, it } from "vitest";
import { Heartbeat } from "../src/net/heartbeat";
import { tokenIn } from "../src/net/session";
import { decodeFrame, eachUnit } from "../src/protocol/frame";
import { AT, FRAME_MAGIC, HEADER, SECTIONS, VERSION, WIDTH } from "../src/protocol/generated";
import { Store } from "../src/state/store";

function bytes(links: number, cylinders: number, motors: number, joints = 0): ArrayBuffer {
  const floats =
    WIDTH.poses * links + 3 * cylinders + WIDTH.motors * motors + joints + WIDTH.energy;
  const data = new ArrayBuffer(HEADER + 4 * floats);
  const view = new DataView(data);
  view.setUint32(AT.magic, FRAME_MAGIC, true);
  view.setUint16(AT.version, VERSION, true);
  view.setUint32(AT.scene, 3, true);
  view.setFloat64(AT.time, 12.5, true);
  view.setUint16(AT.links, links, true);
  view.setUint16(AT.cylinders, cylinders, true);
  view.setUint16(AT.motors, motors, true);
  view.setUint16(AT.joints, joints, true);
  for (let i = 0; i < floats; i++) view.setFloat32(HEADER + 4 * i, i, true);
  return data;
}

describe("frames", () => {
  it("are cut as the table of sections says", () => {
    const frame = decodeFrame(bytes(2, 3, 1, 2));
    if (typeof frame === "string") throw new Error(frame);
    const counts = {
      links: 2,
      cylinders: 3,
      motors: 1,
      joints: 2,
      bodies: 0,
      contacts: 0,
      crowd: 0,
      "": 1,
    };
    let at = 0;
    for (const { name, rows, width } of SECTIONS) {
      const size = counts[rows] * width;
      expect([...frame[name]]).toEqual(Array.from({ length: size }, (_, i) => at + i));
      at += size;
    }
  });

  it("lie as the protocol says", () => {
    const frame = decodeFrame(bytes(2, 3, 1, 2));
    if (typeof frame === "string") throw new Error(frame);
    expect(frame.time).toBe(12.5);
    expect([...frame.poses]).toEqual([...Array(14).keys()]);
    expect([...frame.lengths]).toEqual([14, 15, 16]);
    expect([...frame.speeds]).toEqual([17, 18, 19]);
    expect([...frame.forces]).toEqual([20, 21, 22]);
    expect([...frame.motors]).toEqual([23, 24]);
    expect([...frame.joints]).toEqual([25, 26]);
    expect([...frame.energy]).toEqual([27, 28, 29, 30]);
  });

  it("copy nothing", () => {
    const data = bytes(1, 0, 0);
    const frame = decodeFrame(data);
    if (typeof frame === "string") throw new Error(frame);
    expect(frame.poses.buffer).toBe(data);
  });

  it("have other units in batches", () => {
    const poses = (from: number, count: number): number[] =>
      Array.from({ length: WIDTH.poses * count }, (_, i) => from + i);
    const crowd = [2, 1, 8, 3, ...poses(100, 1), ...poses(200, 1), 1, 2, 5, ...poses(300, 2)];
    const plain = bytes(1, 0, 0);
    const data = new ArrayBuffer(plain.byteLength + 4 * crowd.length);
    new Uint8Array(data).set(new Uint8Array(plain));
    const view = new DataView(data);
    view.setUint32(AT.unit, 8, true);
    view.setUint32(AT.crowd, crowd.length, true);
    crowd.forEach((x, i) => view.setFloat32(plain.byteLength + 4 * i, x, true));
    const frame = decodeFrame(data);
    if (typeof frame === "string") throw new Error(frame);
    expect(frame.unit).toBe(8);
    const found: [number, number[]][] = [];
    expect(eachUnit(frame.crowd, (unit, own) => found.push([unit, [...own]]))).toBe(true);
    expect(found).toEqual([
      [8, poses(100, 1)],
      [3, poses(200, 1)],
      [5, poses(300, 2)],
    ]);
    expect(decodeFrame(plain)).toMatchObject({ unit: 0, crowd: new Float32Array() });
    for (const [at, x] of [
      [0, 9],
      [0, -1],
      [1, 50],
    ] as const) {
      const broken = frame.crowd.slice();
      broken[at] = x;
      expect(eachUnit(broken, () => {})).toBe(false);
    }
    expect(eachUnit(frame.crowd.slice(0, 1), () => {})).toBe(false);
  });

  it("are refused when cut, strange or of another version", () => {
    expect(decodeFrame(new ArrayBuffer(10))).toContain("10 bytes");
    expect(decodeFrame(new ArrayBuffer(200))).toBe("not a frame");
    expect(decodeFrame(bytes(2, 3, 1).slice(0, -4))).toContain("bytes");
    const other = bytes(0, 0, 0);
    new DataView(other).setUint16(AT.version, VERSION + 1, true);
    expect(decodeFrame(other)).toContain(`version ${VERSION + 1}`);
  });
});

describe("heartbeat", () => {
  it("tells the age of the main thread's last turn in seconds", () => {
    const heart = new Heartbeat(1000);
    expect(heart.beat(1500)).toMatchObject({ levers: {}, age: 0.5, present: false });
    heart.turn(2000, { boom: 0.5 }, true);
    expect(heart.beat(2050)).toEqual({
      type: "levers",
      levers: { boom: 0.5 },
      age: 0.05,
      present: true,
      sent: 2050,
    });
    expect(heart.beat(1990).age).toBe(0);
  });
});

describe("token", () => {
  it("is found in the fragment of either role only", () => {
    expect(tokenIn("#operator=aB3_-x")).toBe("aB3_-x");
    expect(tokenIn("#viewer=abc")).toBe("abc");
    for (const other of ["", "#", "#operator=", "#admin=abc", "#operator=a b", "#x&operator=a"])
      expect(tokenIn(other)).toBeNull();
  });
});

describe("store", () => {
  const scene = { number: 3 } as never;

  it("takes frames of the present scene only", () => {
    const store = new Store();
    const frame = decodeFrame(bytes(0, 0, 0));
    if (typeof frame === "string") throw new Error(frame);
    expect(store.take(frame)).toBe(false);
    store.set({ scene });
    expect(store.take(frame)).toBe(true);
    expect(store.frame).toBe(frame);
  });

  it("has the seat only while connected", () => {
    const store = new Store();
    store.set({
      connection: "open",
      welcome: { client: 4 } as never,
      status: { seat: 4 } as never,
    });
    expect(store.hasSeat).toBe(true);
    store.set({ connection: "reconnecting" });
    expect(store.hasSeat).toBe(false);
    store.set({ connection: "open", status: { seat: 5 } as never });
    expect(store.hasSeat).toBe(false);
  });

  it("tells listeners until they end it", () => {
    const store = new Store();
    let calls = 0;
    const end = store.subscribe(() => calls++);
    store.set({ latency: 1 });
    end();
    store.set({ latency: 2 });
    expect(calls).toBe(1);
  });

  it("shows a few toasts, none twice in a row", () => {
    const store = new Store();
    store.toast("error", "a");
    store.toast("error", "a");
    expect(store.facts.toasts.length).toBe(1);
    for (const word of "bcdef") store.toast("notice", word);
    expect(store.facts.toasts.map((toast) => toast.text)).toEqual(["c", "d", "e", "f"]);
    store.dismiss(store.facts.toasts[0]!.id);
    expect(store.facts.toasts.length).toBe(3);
  });

  it("smooths the latency and does not tell every jitter", () => {
    const store = new Store();
    store.noteLatency(10);
    expect(store.facts.latency).toBe(10);
    store.noteLatency(11);
    expect(store.facts.latency).toBe(10);
    for (let i = 0; i < 50; i++) store.noteLatency(100);
    expect(store.facts.latency).toBeGreaterThan(70);
  });
});
