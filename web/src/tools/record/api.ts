/** Recordings as the server has them. */

/** A recording of the list. */
export interface Item {
  name: string;
  bytes: number;
  machine: string;
  /** [s] since 1970. */
  started: number;
  seconds: number;
  cut: boolean;
  /** Why it cannot be opened; empty if it can. */
  problem: string;
  /** It lies elsewhere: it cannot be named anew or deleted. */
  fixed: boolean;
}

/** What a page needs to show a recording. */
export interface FilmFacts {
  name: string;
  machine: string;
  started: number;
  dynamics: boolean;
  formulation: string;
  count: number;
  seconds: number;
  /** Bytes of a frame. */
  size: number;
  /** Neither cut off nor damaged nor too long. */
  whole: boolean;
  /** Only its first part is shown. */
  too_long: boolean;
  /** It is of the machine that is driven now. */
  fits: boolean;
  /** Its loose bodies are those of the scene. */
  bodies: boolean;
}

const HOME = "recordings";

export function addressOf(name: string, part = ""): string {
  return `${HOME}/${encodeURIComponent(name)}${part}`;
}

/** Ask the server; raises an error in its words. */
async function ask(address: string, method = "GET", body?: Blob): Promise<Response> {
  const answer = await fetch(address, body ? { method, body } : { method });
  if (answer.ok) return answer;
  let why = answer.statusText || String(answer.status);
  try {
    why = ((await answer.json()) as { error?: string }).error ?? why;
  } catch {
    // no JSON: the status has to do
  }
  throw new Error(why);
}

async function nameIn(answer: Promise<Response>): Promise<string> {
  return ((await (await answer).json()) as { name: string }).name;
}

export async function list(): Promise<{ recordings: Item[]; replay: string }> {
  return (await (await ask(HOME)).json()) as { recordings: Item[]; replay: string };
}

export const start = (name: string): Promise<string> =>
  nameIn(ask(`${HOME}?name=${encodeURIComponent(name)}`, "POST"));

export const stop = (): Promise<string> => nameIn(ask(`${HOME}/stop`, "POST"));

export const rename = (name: string, to: string): Promise<string> =>
  nameIn(ask(addressOf(name, `?to=${encodeURIComponent(to)}`), "PATCH"));

export const remove = (name: string): Promise<Response> => ask(addressOf(name), "DELETE");

export const send = (file: File): Promise<string> =>
  nameIn(ask(addressOf(file.name.replace(/\.mcap$/i, "")), "PUT", file));

export const driveMachine = (name: string): Promise<Response> =>
  ask(addressOf(name, "/machine"), "POST");

export async function look(name: string): Promise<FilmFacts> {
  return (await (await ask(addressOf(name))).json()) as FilmFacts;
}

export async function times(name: string): Promise<Float64Array> {
  return new Float64Array(await (await ask(addressOf(name, "/times"))).arrayBuffer());
}

export async function frames(name: string, first: number, count: number): Promise<ArrayBuffer> {
  const part = `/frames?first=${first}&count=${count}`;
  return (await ask(addressOf(name, part))).arrayBuffer();
}
