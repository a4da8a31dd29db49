import { describe, expect, it } from "vitest";

import { LEVELS, QualityChoice } from "../src/scene/quality";

/** Feed frames of one length for some time; the number of changes. */
function feed(choice: QualityChoice, frame: number, time: number): number {
  let changes = 0;
  for (let t = 0; t < time; t += frame) if (choice.sample(frame)) changes++;
  return changes;
}

describe("choice of quality", () => {
  it("falls when frames are slow, down to the lowest level", () => {
    const choice = new QualityChoice("high");
    expect(feed(choice, 40, 1000)).toBe(0);
    feed(choice, 40, 1000);
    expect(choice.quality).toBe("medium");
    feed(choice, 40, 10000);
    expect(choice.quality).toBe("low");
  });

  it("rises when there is room, after a longer time", () => {
    const choice = new QualityChoice("low");
    feed(choice, 16.7, 4000);
    expect(choice.quality).toBe("low");
    feed(choice, 16.7, 4000);
    expect(choice.quality).toBe("medium");
  });

  it("stays between its thresholds", () => {
    const choice = new QualityChoice("medium");
    expect(feed(choice, 22, 60000)).toBe(0);
  });

  it("does not go to and fro on a machine that is too slow for the next level", () => {
    const choice = new QualityChoice("medium");
    let changes = 0;
    for (let t = 0; t < 120_000;) {
      const frame = choice.quality === "low" ? 16.7 : 35;
      if (choice.sample(frame)) changes++;
      t += frame;
    }
    expect(changes).toBeLessThanOrEqual(5);
  });

  it("takes one slow frame for no sign", () => {
    const choice = new QualityChoice("high");
    feed(choice, 16.7, 1000);
    for (const slow of [200, 5000]) {
      choice.sample(slow);
      expect(feed(choice, 16.7, 2000)).toBe(0);
    }
    expect(choice.quality).toBe("high");
  });

  it("falls within a few frames where each takes seconds", () => {
    const choice = new QualityChoice("high");
    for (let i = 0; i < 4; i++) choice.sample(3000);
    expect(choice.quality).toBe("low");
  });

  it("each level asks for more than the one below", () => {
    const { low, medium, high } = LEVELS;
    expect(low.shadow).toBe(0);
    expect(medium.shadow).toBe(1024);
    expect(high.shadow).toBe(2048);
    expect(low.pixelRatio * low.scale).toBeLessThan(medium.pixelRatio * medium.scale);
    expect(medium.pixelRatio * medium.scale).toBeLessThan(high.pixelRatio * high.scale);
  });
});
