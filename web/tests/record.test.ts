import { describe, expect, it, vi } from "vitest";
import type { Frame } from "../src/protocol/frame";
import { AT, FRAME_MAGIC, HEADER, VERSION, WIDTH } from "../src/protocol/generated";
import type { FilmFacts } from "../src/tools/record/api";
import { BLOCK, blended, Film } from "../src/tools/record/film";
import { Player } from "../src/tools/record/player";
import { apart, differences } from "../src/tools/record/screening";
import { standingHere } from "../src/tools/record/standing";

const SIZE = HEADER + 4 * (WIDTH.poses + 3 + 4); // one link, one cylinder, energies

/** Frames of one link that moves along x by a metre a tick. */
function bytes(first: number, count: number): ArrayBuffer {
  const data = new ArrayBuffer(count * SIZE);
  for (let i = 0; i < count; i++) {
    const head = new DataView(data, i * SIZE, SIZE);
    head.setUint32(AT.magic, FRAME_MAGIC, true);
    head.setUint16(AT.version, VERSION, true);
    head.setUint32(AT.number, first + i, true);
    head.setUint16(AT.links, 1, true);
    head.setUint16(AT.cylinders, 1, true);
    head.setFloat32(HEADER, first + i, true);
    head.setFloat32(HEADER + 12, 1, true);
    head.setFloat32(HEADER + 4 * WIDTH.poses, 2 + first + i, true);
  }
  return data;
}

function filmOf(count: number) {
  const fetch = vi.fn(async (first: number, many: number) =>
    bytes(first, Math.min(many, count - first)),
  );
  const facts = { name: "run", size: SIZE, count } as FilmFacts;
  const times = Float64Array.from({ length: count }, (_, i) => i / 60);
  return { film: new Film(facts, times, fetch), fetch };
}

const settle = (): Promise<void> => new Promise((done) => setTimeout(done));

describe("a film", () => {
  it("finds the last moment that is not after a time", () => {
    const { film } = filmOf(5);
    expect([-1, 0, 0.016, 1 / 60, 0.05, 99].map((t) => film.index(t))).toEqual([0, 0, 0, 1, 3, 4]);
    expect(film.index(film.seconds - 1e-15)).toBe(4); // the end of a slider is the end
    expect(film.seconds).toBeCloseTo(4 / 60);
  });

  it("fetches the block of a moment and the next one, once", async () => {
    const { film, fetch } = filmOf(3 * BLOCK);
    const came = vi.fn();
    film.onLoad = came;
    expect(film.frame(5)).toBeNull();
    expect(film.frame(6)).toBeNull();
    await settle();
    expect(came).toHaveBeenCalledTimes(2);
    expect(fetch.mock.calls).toEqual([
      [0, BLOCK],
      [BLOCK, BLOCK],
    ]);
    expect(film.frame(5)?.number).toBe(5);
    expect(film.frame(BLOCK - 1)?.lengths[0]).toBe(BLOCK + 1);
  });

  it("shows poses between two moments, but nothing else that was not recorded", async () => {
    const { film } = filmOf(10);
    film.frame(0);
    await settle();
    const between = film.between(2.25 / 60)!;
    expect(between.poses[0]).toBeCloseTo(2.25);
    expect(between.lengths[0]).toBe(4);
    expect(film.between(99)?.number).toBe(9);
  });

  it("keeps no more blocks than it may, and fetches those again", async () => {
    const { film, fetch } = filmOf(40 * BLOCK);
    for (let block = 0; block < 40; block++) {
      film.frame(block * BLOCK);
      await settle();
    }
    expect(film.frame(39 * BLOCK)?.number).toBe(39 * BLOCK);
    const before = fetch.mock.calls.length;
    expect(film.frame(0)).toBeNull();
    await settle();
    expect(fetch.mock.calls.length).toBeGreaterThan(before);
    expect(film.frame(0)?.number).toBe(0);
  });

  it("says what did not come, and rests before it asks again", async () => {
    const { film, fetch } = filmOf(10);
    fetch.mockRejectedValue(new Error("gone"));
    const said = vi.fn();
    film.onError = said;
    film.frame(0);
    await settle();
    film.frame(0);
    await settle();
    expect(said.mock.calls).toEqual([["gone"]]);
    expect(fetch).toHaveBeenCalledTimes(1);
  });
});

describe("poses between two", () => {
  it("turn by the shorter way and stay unit quaternions", () => {
    const half = Math.SQRT1_2;
    const from = Float32Array.of(0, 0, 0, 1, 0, 0, 0);
    const to = Float32Array.of(2, 4, 6, -half, 0, 0, -half); // a quarter about z, told negative
    const middle = blended(from, to, 0.5);
    expect(Array.from(middle.slice(0, 3))).toEqual([1, 2, 3]);
    expect(middle[3]).toBeCloseTo(Math.cos(Math.PI / 8), 6);
    expect(middle[6]).toBeCloseTo(Math.sin(Math.PI / 8), 6);
    expect(Array.from(blended(from, to, 0))).toEqual(Array.from(from));
  });
});

describe("a player", () => {
  const times = Float64Array.from({ length: 61 }, (_, i) => i / 60);

  it("goes on at its speed and stops at the end", () => {
    const player = new Player(times);
    player.speed = 0.5;
    player.advance(0.1);
    expect(player.time).toBe(0);
    player.play();
    player.advance(0.1);
    expect(player.time).toBeCloseTo(0.05);
    player.speed = 4;
    for (let i = 0; i < 10; i++) player.advance(0.1);
    expect(player.time).toBe(1);
    expect(player.playing).toBe(false);
    player.play();
    expect(player.time).toBe(0);
  });

  it("keeps its speed between a tenth and four", () => {
    const player = new Player(times);
    player.speed = 0.01;
    expect(player.speed).toBe(0.1);
    player.speed = 9;
    expect(player.speed).toBe(4);
  });

  it("steps by ticks and stands still then", () => {
    const player = new Player(times);
    player.play();
    player.step(3, 1);
    expect([player.time, player.playing]).toEqual([4 / 60, false]);
    player.step(0, -1);
    expect(player.time).toBe(0);
    player.step(60, 1);
    expect(player.time).toBe(1);
  });

  it("makes up for a long picture only a little", () => {
    const player = new Player(times);
    player.play();
    player.advance(30);
    expect(player.time).toBeLessThan(0.3);
    player.seek(Number.POSITIVE_INFINITY);
    expect(player.time).toBe(1);
  });
});

describe("two runs", () => {
  it("stand apart where a link has moved or turned", () => {
    const here = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 2, 3, 1, 0, 0, 0);
    const there = Float32Array.from(here);
    there[8] = 2.01;
    expect([apart(here, there, 0), apart(here, there, 1)]).toEqual([false, true]);
    there[6] = 0.1;
    expect(apart(here, there, 0)).toBe(true);
  });

  it("differ by their lengths", () => {
    const frame = (...lengths: number[]): Frame =>
      ({ lengths: Float32Array.from(lengths) }) as Frame;
    expect(differences(frame(1.5, 2), frame(1, 2.25))).toEqual([0.5, -0.25]);
  });
});

describe("a machine that was recorded elsewhere", () => {
  const half = Math.SQRT1_2;
  const then = Float32Array.of(0, 10, 0, 1, 0, 0, 0, 2, 10, 1, 1, 0, 0, 0);

  it("is shown where the driven one stands, turned as that is", () => {
    const now = Float32Array.of(5, 0, 0, half, 0, 0, half, 0, 0, 0, 1, 0, 0, 0);
    const found = Array.from(standingHere(then, now, 0));
    const wanted = [5, 0, 0, half, 0, 0, half, 5, 2, 1, half, 0, 0, half];
    found.forEach((value, i) => expect(value).toBeCloseTo(wanted[i]!, 6));
  });

  it("keeps its own bits in the same place, and where nothing is known of the root", () => {
    const moved = Float32Array.from(then);
    moved[7] = 3;
    expect(standingHere(then, moved, 0)).toBe(then);
    expect(standingHere(then, moved, -1)).toBe(then);
    expect(standingHere(then, new Float32Array(7), 0)).toBe(then);
  });
});
