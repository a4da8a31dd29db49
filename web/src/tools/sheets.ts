/** What a tool fetches once a scene. */

/** Why a sheet could not be had, in the server's words where it has any. */
export class SheetError extends Error {}

async function fetched(address: string): Promise<unknown> {
  const answer = await fetch(address);
  if (answer.ok) return answer.json();
  const said = (await answer.json().catch(() => null)) as { error?: unknown } | null;
  throw new SheetError(typeof said?.error === "string" ? said.error : `${answer.status}`);
}

/** Holds the sheet of the present scene; `changed` is called when there is another one. */
export class Holder<Sheet extends { scene: number }> {
  sheet: Sheet | null = null;
  failure = "";
  private scene = -1;

  constructor(
    private readonly address: string,
    private readonly changed: () => void,
    private readonly get: (address: string) => Promise<unknown> = fetched,
  ) {}

  /** Fetch the sheet of a scene, unless it is there or on its way. */
  follow(scene: number): void {
    if (scene === this.scene) return;
    this.scene = scene;
    this.sheet = null;
    this.failure = "";
    void this.fetch(scene);
  }

  private async fetch(scene: number): Promise<void> {
    let sheet: Sheet | null = null;
    let failure = "";
    try {
      sheet = (await this.get(this.address)) as Sheet;
    } catch (error) {
      failure = error instanceof Error ? error.message : String(error);
    }
    if (scene !== this.scene) return; // another machine meanwhile
    if (sheet && sheet.scene !== scene) return; // of a scene that will be told soon
    this.sheet = sheet;
    this.failure = failure;
    this.changed();
  }
}
