/** Recordings: made, kept, looked at again, compared. */

import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { clock, words as plain } from "../../panels/format";
import { put } from "../../panels/group";
import { doneWith, theme } from "../../panels/theme";
import type { RecordingStatus } from "../../protocol/generated";
import { words } from "../../text/tools/record";
import { ToolPart, toolStyles } from "../tool";
import * as api from "./api";
import "./controls";
import { endedWords } from "./ended";
import type { FilmPart } from "./controls";
import "./list";
import type { Wish } from "./list";
import { openFilm, Screening } from "./screening";

let asked = false; // the recording of the page's address is opened once

@customElement("hf-record")
export class RecordPart extends ToolPart {
  @state() private items: api.Item[] = [];
  @state() private busy = "";
  @state() private said = "";
  @state() private problem = "";
  @state() private screening: Screening | null = null;
  /** A recording of another machine than the one that is driven. */
  @state() private foreign: api.FilmFacts | null = null;

  private scene = -1;
  private began = 0;
  /** What is opened as soon as its machine is there: with a scene after that number. */
  private next = { name: "", after: -1 };

  override connectedCallback(): void {
    super.connectedCallback();
    const { store } = this.bench;
    this.until(() => this.close());
    this.until(store.on("recording", (message) => this.heard(message)));
    this.noteStart();
    void this.refresh().then((replay) => {
      const wanted = new URLSearchParams(location.search).has("replay");
      if (!asked && wanted && replay) this.next = { name: replay, after: -1 };
      asked = true;
      this.requestUpdate();
    });
  }

  private heard(message: RecordingStatus): void {
    this.noteStart();
    this.problem = endedWords(message) || this.problem;
    void this.refresh();
  }

  /** When the recording began, on this page's clock. */
  private noteStart(): void {
    const { recording } = this.bench.store.facts;
    this.began = performance.now() - 1000 * (recording?.seconds ?? 0);
  }

  /** Fetch the list; the recording to look at first. */
  private async refresh(): Promise<string> {
    try {
      const { recordings, replay } = await api.list();
      this.items = recordings;
      return replay;
    } catch (error) {
      this.complain(error);
      return "";
    }
  }

  private complain(error: unknown): void {
    this.problem = words.failed(error instanceof Error ? error.message : String(error));
  }

  /** Do something with the server; only one thing at a time. */
  private async act(what: string, work: () => Promise<void>): Promise<void> {
    if (this.busy !== "") return;
    this.busy = what;
    this.said = this.problem = "";
    try {
      await work();
    } catch (error) {
      this.complain(error);
    } finally {
      this.busy = "";
    }
  }

  private readonly record = (event: SubmitEvent): void => {
    event.preventDefault();
    doneWith(event.submitter); // keys are the machine's again
    const on = this.bench.store.facts.recording?.on ?? false;
    const field = this.renderRoot.querySelector<HTMLInputElement>("input[name=name]");
    void this.act("record", async () => {
      if (on) this.said = words.saved(await api.stop());
      else await api.start(field?.value ?? "");
      if (field) field.value = "";
      await this.refresh();
    });
  };

  private readonly wished = ({ detail: wish }: CustomEvent<Wish>): void => {
    void this.act(wish.act, async () => {
      if (wish.act === "open") return this.open(wish.name);
      if (wish.act === "remove") {
        if (this.screening?.film.facts.name === wish.name) this.close();
        await api.remove(wish.name);
      } else if (wish.act === "rename") {
        const { screening } = this;
        if ([screening?.film, screening?.other].some((film) => film?.facts.name === wish.name))
          this.close(); // its frames are asked for by its name
        await api.rename(wish.name, wish.to ?? "");
      } else if (wish.file) {
        this.said = words.saved(await api.send(wish.file));
      }
      await this.refresh();
    });
  };

  private async open(name: string): Promise<void> {
    this.close();
    const film = await openFilm(name);
    const { scene } = this.bench.store.facts;
    if (!film.facts.fits || !scene) {
      this.foreign = film.facts;
      return;
    }
    film.onError = (why) => (this.problem = words.failed(why));
    this.screening = new Screening(film, this.bench, scene.number);
  }

  private readonly compare = ({ detail: name }: CustomEvent<string>): void => {
    const { screening } = this;
    if (!screening) return;
    screening.setOther(null);
    this.controls?.requestUpdate();
    if (name === "") return;
    void this.act("compare", async () => {
      const film = await openFilm(name);
      if (!film.facts.fits) this.problem = words.other(plain(film.facts.machine));
      else if (this.screening === screening) screening.setOther(film);
      this.controls?.requestUpdate();
    });
  };

  private readonly drive = (): void => {
    const name = this.foreign?.name ?? "";
    void this.act("machine", async () => {
      this.next = { name, after: this.scene };
      try {
        await api.driveMachine(name);
      } catch (error) {
        this.next = { name: "", after: -1 };
        throw error;
      }
    });
  };

  /** Back to live. */
  private readonly close = (): void => {
    const { screening } = this;
    this.screening = this.foreign = null;
    screening?.close();
  };

  protected override willUpdate(): void {
    const { facts } = this.bench.store;
    if (this.screening && facts.replay === "") this.close(); // by the banner's button
    if (facts.scene && facts.scene.number !== this.scene) {
      if (this.scene >= 0) this.close();
      this.scene = facts.scene.number;
    }
    const { name, after } = this.next;
    if (name !== "" && this.scene > after && this.busy === "") {
      this.next = { name: "", after: -1 };
      void Promise.resolve().then(() => this.act("open", () => this.open(name)));
    }
  }

  protected override paint(): void {
    if (this.bench.store.facts.recording?.on)
      put(this.renderRoot.querySelector(".since"), clock((performance.now() - this.began) / 1000));
    this.controls?.paint();
  }

  private get controls(): FilmPart | null {
    return this.renderRoot.querySelector<FilmPart>("hf-film");
  }

  override render(): TemplateResult | typeof nothing {
    const { store } = this.bench;
    const { scene, welcome } = store.facts;
    if (!scene) return nothing;
    const present = this.screening?.film.facts.name ?? this.foreign?.name ?? "";
    return html`${this.renderRecord()}
      ${this.said ? html`<p data-testid="record-said">${this.said}</p>` : nothing}
      ${
        this.problem
          ? html`<p class="warning" role="alert" data-testid="record-problem">${this.problem}</p>`
          : nothing
      }
      ${this.busy === "open" ? html`<p class="dim">${words.opening}</p>` : nothing}
      ${this.foreign ? this.renderForeign(this.foreign) : nothing}
      ${
        this.screening
          ? html`<section class="card">
              <hf-film
                .screening=${this.screening}
                .machine=${scene.machine}
                .others=${this.items.filter(
                  ({ name, machine }) => name !== present && machine === scene.machine.name,
                )}
                @compare=${this.compare}
                @live=${this.close}
              ></hf-film>
              ${store.hasSeat ? html`<p class="dim">${words.stays}</p>` : nothing}
            </section>`
          : nothing
      }
      <hf-recordings
        .items=${this.items}
        .present=${present}
        ?seat=${store.hasSeat}
        ?operator=${welcome?.role === "operator"}
        @wish=${this.wished}
      ></hf-recordings>`;
  }

  private renderRecord(): TemplateResult {
    const { store } = this.bench;
    const on = store.facts.recording?.on ?? false;
    return html`<form class="record" @submit=${this.record}>
      ${
        on
          ? html`<span class="name" data-testid="record-name">${store.facts.recording?.name}</span>
              <b class="since" data-testid="record-since">0:00</b>`
          : html`<input
              type="text"
              name="name"
              maxlength="120"
              placeholder=${words.nameHint}
              aria-label=${words.name}
              data-testid="record-field"
              ?disabled=${!store.hasSeat}
            />`
      }
      <button
        class="go"
        data-testid="record-go"
        ?data-on=${on}
        ?disabled=${!store.hasSeat || this.busy === "record"}
        title=${store.hasSeat ? "" : words.needsSeat}
      >
        ${on ? words.stop : words.record}
      </button>
    </form>`;
  }

  private renderForeign({ machine }: api.FilmFacts): TemplateResult {
    const { hasSeat } = this.bench.store;
    return html`<div class="warning" data-testid="record-foreign">
      <p>${words.other(plain(machine))}</p>
      ${
        hasSeat
          ? html`<button
              class="primary"
              data-testid="record-machine"
              ?disabled=${this.busy !== ""}
              @click=${this.drive}
            >
              ${words.drive}
            </button>`
          : html`<p class="dim">${words.driveSeat}</p>`
      }
    </div>`;
  }

  static override styles = [
    theme,
    toolStyles,
    css`
      .record {
        display: grid;
        grid-template-columns: minmax(0, 1fr) auto auto;
        align-items: center;
        gap: 0.5rem;
      }
      .record .name {
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      .since {
        color: var(--red-ink);
        font-size: 1.15rem;
      }
      .go::before {
        content: "";
        display: inline-block;
        width: 0.8rem;
        height: 0.8rem;
        margin-right: 0.5rem;
        border-radius: 50%;
        background: var(--red);
        vertical-align: -0.05rem;
      }
      .go[data-on]::before {
        border-radius: 0.1rem;
      }
      input[type="text"] {
        font: inherit;
        color: inherit;
        background: var(--raised);
        border: 1px solid var(--line-2);
        border-radius: var(--radius);
        height: 2.15rem;
        padding: 0 0.6rem;
        min-width: 0;
        width: 100%;
      }
      .card {
        padding: 0.7rem;
        border: 1px solid var(--accent);
        border-radius: var(--radius);
      }
      .warning {
        display: grid;
        gap: 0.5rem;
        justify-items: start;
      }
    `,
  ];
}
