/** What the server answers to a machine file, and to a wish for one. */

/** Suffixes of files that the server takes. */
export const SUFFIXES = [".json", ".mrdf", ".urdf", ".xml", ".mjcf", ".zip"] as const;
/** Largest file that is sent [bytes]; the server refuses more. */
export const LARGEST = 64 * 2 ** 20;
/** Header with notes on a file that was made. */
export const NOTES = "x-headframe-notes";

/** One thing that is wrong with a file. */
export interface Fault {
  /** Which element; empty for the file as a whole. */
  place: string;
  message: string;
  hint: string;
  line: number | null;
  column: number | null;
}

export interface Answer {
  /** Whether the machine is driven now. */
  driven: boolean;
  faults: Fault[];
  notes: string[];
}

const asText = (value: unknown): string => (typeof value === "string" ? value : "");
const asNumber = (value: unknown): number | null => (typeof value === "number" ? value : null);
const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

export function fault(message: string, place = ""): Fault {
  return { place, message, hint: "", line: null, column: null };
}

/** The answer to a file: its problems, or the one reason why it was not looked at. */
export function readAnswer(status: number, body: string): Answer {
  const driven = status === 200;
  let given: unknown = null;
  try {
    given = JSON.parse(body);
  } catch {
    // no answer of this server, such as that of a proxy
  }
  if (typeof given !== "object" || given === null)
    return { driven, faults: driven ? [] : [fault(`${status} ${body.slice(0, 200)}`)], notes: [] };
  const told = given as Record<string, unknown>;
  const faults = asList(told["problems"]).map((each) => {
    const one = (each ?? {}) as Record<string, unknown>;
    return {
      place: asText(one["place"]),
      message: asText(one["message"]),
      hint: asText(one["hint"]),
      line: asNumber(one["line"]),
      column: asNumber(one["column"]),
    };
  });
  if (!driven && faults.length === 0) faults.push(fault(asText(told["error"]) || String(status)));
  return { driven, faults, notes: asList(told["notes"]).map(asText).filter(Boolean) };
}

/** Notes of a header: each percent-encoded, with commas between them. */
export function readNotes(header: string | null): string[] {
  return (header ?? "")
    .split(",")
    .map((note) => {
      try {
        return decodeURIComponent(note);
      } catch {
        return note;
      }
    })
    .filter(Boolean);
}

/** The file name that an answer proposes. */
export function readName(disposition: string | null, otherwise: string): string {
  const coded = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? "")?.[1];
  const plain = /filename="([^"]*)"/i.exec(disposition ?? "")?.[1];
  try {
    if (coded !== undefined) return decodeURIComponent(coded);
  } catch {
    // the plain one is there too
  }
  return plain ?? otherwise;
}

/** Whether a file has a name that the server takes. */
export function isTaken(name: string): boolean {
  return SUFFIXES.some((suffix) => name.toLowerCase().endsWith(suffix));
}
