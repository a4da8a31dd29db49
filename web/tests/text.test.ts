import { describe, expect, it } from "vitest";
import { chooseLanguage, LANGUAGES } from "../src/text";
import { en } from "../src/text/en";

/** Path and kind of every entry: "camera.orbit: string". */
function entries(words: object, at = ""): string[] {
  return Object.entries(words).flatMap(([key, value]: [string, unknown]) =>
    typeof value === "object" && value !== null
      ? entries(value, `${at}${key}.`)
      : [`${at}${key}: ${typeof value}`],
  );
}

describe("text", () => {
  it.each(Object.keys(LANGUAGES))("is complete in %s", (name) => {
    const words = LANGUAGES[name]!;
    expect(entries(words).sort()).toEqual(entries(en).sort());
    const empty = JSON.stringify(words).includes('""');
    expect(empty).toBe(false);
  });

  it("uses what functions are given", () => {
    for (const words of Object.values(LANGUAGES)) {
      expect(words.leverOf("Boom")).toContain("Boom");
      expect(words.lengthIs("1 mm", "2 mm")).toMatch(/1 mm.*2 mm/);
      expect(words.forgotten("0:12")).toContain("0:12");
    }
  });

  it("has a reason for every way in which levers are dead, and for every notice", () => {
    for (const words of Object.values(LANGUAGES)) {
      expect(Object.keys(words.presence)).toHaveLength(6);
      expect(Object.keys(words.notices).sort()).toEqual(["reload", "seat_lost", "seat_taken"]);
    }
  });

  it("chooses by the address, then by the browser, else English", () => {
    expect(chooseLanguage("?lang=de", ["en-GB"])).toBe("de");
    expect(chooseLanguage("", ["fr-FR", "de-AT", "en"])).toBe("de");
    expect(chooseLanguage("?lang=xx", ["en-US"])).toBe("en");
    expect(chooseLanguage("?lang=toString", ["constructor"])).toBe("en");
    expect(chooseLanguage("", [])).toBe("en");
  });
});
