/** What is said of a recording that ended by itself. */

import { isolated } from "../../panels/format";
import type { RecordingStatus } from "../../protocol/generated";
import { words } from "../../text/tools/record";

/** Why it ended and what is kept of it; empty while one runs, and where a person ended it. */
export function endedWords({ on, text: why, name, seconds }: RecordingStatus): string {
  return on || why === "" ? "" : words.ended(why, isolated(name), seconds.toFixed(1));
}
