/** A study as a tool sees it: begun, followed, given up. */

import type { StudyStatus } from "../protocol/generated";
import type { Store } from "../state/store";

/** The studies of one kind; `changed` is called whenever one of them has something to tell. */
export class Study {
  /** The newest that is told of the study which this page has begun last, or of another page's. */
  told: StudyStatus | null = null;
  /** Why the server did not begin it; empty if it did. */
  refusal = "";

  /** Number of the newest study that this server told of. */
  private newest = 0;
  private readonly ends: (() => void)[];

  constructor(
    store: Store,
    private readonly kind: string,
    private readonly changed: () => void,
  ) {
    this.ends = [
      store.on("study", (told) => {
        if (told.kind !== kind || told.number < this.newest) return;
        this.told = told;
        this.newest = told.number;
        changed();
      }),
      // perhaps another server, which counts anew and knows nothing of what ran
      store.on("welcome", () => {
        this.newest = 0;
        if (this.running) this.told = null;
        changed();
      }),
    ];
  }

  get running(): boolean {
    return this.told?.state === "waiting" || this.told?.state === "running";
  }

  async begin(request: object): Promise<void> {
    this.refusal = "";
    const body = JSON.stringify(request);
    const answer = await fetch(`study/${this.kind}`, { method: "POST", body });
    if (!answer.ok) this.refusal = await errorOf(answer);
    this.changed();
  }

  async cancel(): Promise<void> {
    await fetch("study", { method: "DELETE" });
  }

  /** Address of a file of the study that is done. */
  address(name: string): string {
    return `study/${this.told?.number ?? 0}/${name}`;
  }

  dispose(): void {
    for (const end of this.ends) end();
  }
}

/** What a refused request says. */
export async function errorOf(answer: Response): Promise<string> {
  try {
    const said = (await answer.json()) as { error?: unknown };
    if (typeof said.error === "string") return said.error;
  } catch {
    // no JSON: the status has to do
  }
  return `${answer.status} ${answer.statusText}`;
}
