/** Coming in: the token in the address's fragment becomes a session cookie. */

export type Entry = "in" | "address" | "password" | "gone";

const PATTERN = /^#(operator|viewer)=([\w-]+)$/;

/** The token in a fragment such as "#operator=...", or null. */
export function tokenIn(fragment: string): string | null {
  return PATTERN.exec(fragment)?.[2] ?? null;
}

/** Open a session, or go on with the one that the browser has. */
export async function enter(password?: string, token?: string): Promise<Entry> {
  const given = token ?? tokenIn(location.hash);
  try {
    if (given === null) {
      const answer = await fetch("session");
      return answer.ok ? "in" : "address";
    }
    const answer = await fetch("session", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(password === undefined ? { token: given } : { token: given, password }),
    });
    if (answer.ok) {
      history.replaceState(null, "", location.pathname + location.search);
      return "in";
    }
    const { password: asks } = (await answer.json()) as { password?: boolean };
    return asks ? "password" : "address";
  } catch {
    return "gone";
  }
}
