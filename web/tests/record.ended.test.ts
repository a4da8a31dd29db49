import { afterEach, describe, expect, it, vi } from "vitest";
import type { RecordingStatus } from "../src/protocol/generated";

const FULL: RecordingStatus = {
  type: "recording",
  on: false,
  name: "lhd night",
  seconds: 12.34,
  text: "the disk is full",
};

/** What a page in a language says of a recording. */
async function said(language: string, change: Partial<RecordingStatus>): Promise<string> {
  vi.resetModules();
  vi.stubGlobal("location", { search: `?lang=${language}` });
  vi.stubGlobal("navigator", { languages: [] });
  const { endedWords } = await import("../src/tools/record/ended");
  return endedWords({ ...FULL, ...change });
}

afterEach(() => vi.unstubAllGlobals());

describe("a recording that ended by itself", () => {
  it("says why, how much is kept, and under which name", async () => {
    expect(await said("en", {})).toBe(
      "The recording ended by itself: the disk is full. 12.3 s are kept as “lhd night”.",
    );
    expect(await said("de", {})).toBe(
      "Die Aufzeichnung endete von selbst: the disk is full. 12.3 s sind aufgehoben als „lhd night“.",
    );
  });

  it("says so where nothing of it is kept", async () => {
    const nothing = { name: "", seconds: 0, text: "the disk does not follow" };
    expect(await said("en", nothing)).toBe(
      "The recording ended by itself: the disk does not follow. Nothing of it is kept.",
    );
    expect(await said("de", nothing)).toBe(
      "Die Aufzeichnung endete von selbst: the disk does not follow. Nichts davon ist aufgehoben.",
    );
  });

  it("says nothing while one runs, and where a person ended it", async () => {
    expect(await said("en", { on: true })).toBe("");
    expect(await said("en", { text: "" })).toBe("");
  });

  it("keeps a name from turning the words around it", async () => {
    expect(await said("en", { name: "\u202eabc" })).toContain("“\u2068\u202eabc\u2069”.");
  });
});
