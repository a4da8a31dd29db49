import { describe, expect, it } from "vitest";
import { isTaken, LARGEST, readAnswer, readName, readNotes } from "../src/tools/machine/answer";
import { type Progress, Sending } from "../src/tools/machine/sending";

const fileOf = (name: string, size = 3): File => {
  const file = new File(["abc"], name);
  Object.defineProperty(file, "size", { value: size });
  return file;
};

describe("answers to a machine file", () => {
  it("has every problem with its place", () => {
    const one = {
      place: "links[2].name",
      message: "found 5",
      hint: "a string",
      line: 3,
      column: 7,
    };
    const body = JSON.stringify({ problems: [one, { message: "odd", line: "x" }], notes: [] });
    const answer = readAnswer(422, body);
    expect(answer.driven).toBe(false);
    expect(answer.faults[0]).toEqual(one);
    expect(answer.faults[1]).toEqual({
      place: "",
      message: "odd",
      hint: "",
      line: null,
      column: null,
    });
  });

  it("tells the one reason of a refusal, also of somebody else's answer", () => {
    const told = (status: number, body: string) => readAnswer(status, body).faults[0]?.message;
    expect(told(403, '{"error": "only the operator"}')).toBe("only the operator");
    expect(told(502, "<html>bad gateway")).toBe("502 <html>bad gateway");
    expect(told(500, "null")).toBe("500 null");
    expect(told(422, "{}")).toBe("422");
  });

  it("keeps the notes of a machine that is driven", () => {
    const answer = readAnswer(200, '{"problems": [], "notes": ["a", 5, ""]}');
    expect(answer).toEqual({ driven: true, faults: [], notes: ["a"] });
  });

  it("reads notes and names of files from headers", () => {
    expect(readNotes("a%2C%20b,c%C3%A4,%")).toEqual(["a, b", "cä", "%"]);
    expect(readNotes(null)).toEqual([]);
    const both = "attachment; filename=\"Gr__e.zip\"; filename*=UTF-8''Gr%C3%B6%C3%9Fe.zip";
    expect(readName(both, "x")).toBe("Größe.zip");
    expect(readName('attachment; filename="a.json"', "x")).toBe("a.json");
    expect(readName("attachment; filename=\"a.json\"; filename*=UTF-8''%", "x")).toBe("a.json");
    expect(readName(null, "x")).toBe("x");
  });

  it("knows its suffixes", () => {
    expect(["a.ZIP", "b.mrdf", "c.json", "d.urdf", "e.xml", "f.mjcf"].every(isTaken)).toBe(true);
    expect(["a.3dt", "zip", "a.json.exe"].some(isTaken)).toBe(false);
  });
});

describe("sending", () => {
  it("tells how far it is, then what came of it", async () => {
    const seen: Progress[] = [];
    const sending = new Sending(async (_file, told) => {
      told(0.5);
      told(1);
      return [200, '{"problems": [], "notes": []}'];
    });
    sending.subscribe(() => seen.push(sending.now));
    await sending.send([fileOf("a.json")], "door");
    expect(seen.map(({ kind }) => kind)).toEqual(["sending", "sending", "checking", "answered"]);
    expect(sending.now).toMatchObject({ name: "a.json", kept: "door", driven: true, faults: [] });
  });

  it("sends nothing that the server would refuse", async () => {
    let sent = 0;
    const sending = new Sending(async () => {
      sent += 1;
      return [200, "{}"];
    });
    await sending.send([fileOf("a.json"), fileOf("b.3dt")], "door");
    expect(sending.now).toMatchObject({ driven: false, kept: "door" });
    await sending.send([fileOf("a.exe")], "door");
    await sending.send([fileOf("a.zip", LARGEST + 1)], "door");
    await sending.send([], "door");
    expect(sending.now).toMatchObject({ driven: false, name: "a.zip" });
    expect(sent).toBe(0);
  });

  it("sends one at a time, and says so when nobody answers", async () => {
    let fail: (error: Error) => void = () => {};
    let sent = 0;
    const sending = new Sending(() => {
      sent += 1;
      return new Promise((_, failed) => (fail = failed));
    });
    const first = sending.send([fileOf("a.json")], "door");
    expect(sending.busy).toBe(true);
    await sending.send([fileOf("b.json")], "door");
    expect(sent).toBe(1);
    fail(new Error("gone"));
    await first;
    expect(sending.busy).toBe(false);
    expect(sending.now).toMatchObject({ name: "a.json", driven: false });
  });
});
