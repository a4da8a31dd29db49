import { describe, expect, it } from "vitest";
import type { Reach, Reached } from "../src/protocol/generated";
import { Asking, type Question } from "../src/tools/reach/asking";

const question = (x: number): Question => ({
  link: "head",
  position: [x, 0, 0],
  quaternion: null,
});
const answer = (number: number): Reached => ({
  type: "reached",
  link: "head",
  number,
  position: [0, 0, 0],
  quaternion: [1, 0, 0, 0],
  distance: 0,
  angle: 0,
  reachable: true,
  iterations: 3,
  limits: [],
});

function asking(): { sent: Reach[]; heard: number[]; asking: Asking } {
  const sent: Reach[] = [];
  const heard: number[] = [];
  const asks = new Asking(
    (message) => sent.push(message),
    ({ position }) => heard.push(position[0]),
  );
  return { sent, heard, asking: asks };
}

describe("asking", () => {
  it("asks one question at a time; of those that wait the newest is asked next", () => {
    const { sent, heard, asking: asks } = asking();
    for (const x of [1, 2, 3]) asks.ask(question(x));
    expect(sent.map(({ position }) => position[0])).toEqual([1]);
    asks.take(answer(sent[0]!.number));
    expect(sent.map(({ position }) => position[0])).toEqual([1, 3]);
    asks.take(answer(sent[1]!.number));
    expect(heard).toEqual([1, 3]);
    expect(sent).toHaveLength(2);
  });

  it("does not take the answer to another question", () => {
    const { sent, heard, asking: asks } = asking();
    asks.ask(question(1));
    asks.take(answer(sent[0]!.number + 7));
    expect(heard).toEqual([]);
  });

  it("goes on after a refusal", () => {
    const { sent, heard, asking: asks } = asking();
    asks.ask(question(1));
    asks.ask(question(2));
    asks.next();
    expect(sent.map(({ position }) => position[0])).toEqual([1, 2]);
    asks.take(answer(sent[1]!.number));
    asks.next();
    asks.ask(question(3));
    expect(sent).toHaveLength(3);
    expect(heard).toEqual([2]);
  });
});
