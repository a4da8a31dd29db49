/** Your own machine: a file to be driven, what is wrong with it, and the present one as a file. */

import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, query, state } from "lit/decorators.js";
import { isolated, words as plain } from "../../panels/format";
import { theme } from "../../panels/theme";
import { words } from "../../text/tools/machine";
import { saveFile } from "../saving";
import { ToolPart, toolStyles } from "../tool";
import { type Fault, NOTES, readAnswer, readName, readNotes, SUFFIXES } from "./answer";
import { sending } from "./sending";

const SHOWN = 200; // problems that are listed

@customElement("hf-machine")
export class MachineToolPart extends ToolPart {
  @state() private making = "";
  @state() private made: { form: string; name: string; notes: string[] } | null = null;
  @state() private failure = "";

  @query("input[type=file]") private chooser!: HTMLInputElement;

  override connectedCallback(): void {
    super.connectedCallback();
    this.until(sending.subscribe(() => this.requestUpdate()));
  }

  private chosen(): void {
    const files = [...(this.chooser.files ?? [])];
    this.chooser.value = ""; // so that the same file can be chosen again
    void sending.send(files, this.bench.store.facts.scene?.machine.name ?? "");
  }

  private async take(form: string): Promise<void> {
    if (this.making) return;
    this.making = form;
    this.made = null;
    this.failure = "";
    try {
      const answer = await fetch(`machine/export?form=${form}`);
      if (answer.ok) {
        const name = readName(answer.headers.get("content-disposition"), `machine.${form}`);
        saveFile(name, await answer.blob());
        this.made = { form, name, notes: readNotes(answer.headers.get(NOTES)) };
      } else {
        const { faults } = readAnswer(answer.status, await answer.text());
        this.failure = faults.map(({ message }) => message).join("; ");
      }
    } catch {
      this.failure = words.lost;
    } finally {
      this.making = "";
    }
  }

  override render(): TemplateResult {
    const { store } = this.bench;
    return html`<section>
        <h3 class="caption">${words.drive}</h3>
        <p class="dim">${words.driveHint}</p>
        <div class="row">
          <button
            class="primary"
            data-testid="machine-choose"
            ?disabled=${!store.hasSeat || sending.busy}
            @click=${() => this.chooser.click()}
          >
            ${words.choose}
          </button>
          <input
            type="file"
            hidden
            data-testid="machine-file"
            aria-label=${words.choose}
            accept=${SUFFIXES.join(",")}
            @change=${this.chosen}
          />
          ${store.hasSeat ? nothing : html`<span class="dim">${words.dropSeat}</span>`}
        </div>
        ${this.renderProgress()}
      </section>
      <section>
        <h3 class="caption">${words.takeHome(plain(store.facts.scene?.machine.name ?? ""))}</h3>
        <div class="forms">
          ${(store.facts.scene?.formats ?? []).map(
            ({ name, title, text }) =>
              html`<button
                  data-testid="machine-take-${name}"
                  ?disabled=${this.making !== ""}
                  @click=${() => this.take(name)}
                >
                  ${title}
                </button>
                <span class="dim">${words.formHints[name] ?? text}</span>`,
          )}
        </div>
        ${this.renderMade()}
      </section>`;
  }

  private renderProgress(): TemplateResult | typeof nothing {
    const { now } = sending;
    switch (now.kind) {
      case "none":
        return nothing;
      case "sending":
        return html`<p data-testid="machine-progress">${words.sending(now.name)}</p>
          <progress max="1" .value=${now.part}></progress>`;
      case "checking":
        return html`<p data-testid="machine-progress">${words.checking(now.name)}</p>
          <progress></progress>`;
      case "answered":
        return html`<div
          class="answer"
          role="status"
          data-testid="machine-answer"
          ?data-driven=${now.driven}
        >
          ${
            now.driven
              ? html`<p>${words.driven(isolated(now.name))}</p>`
              : html`<p class="warning">
                    ${words.refused(isolated(now.name), now.faults.length)}
                    ${now.kept === "" ? nothing : words.kept(plain(now.kept))}
                  </p>
                  <ol data-testid="machine-problems">
                    ${now.faults.slice(0, SHOWN).map((one) => this.renderFault(one))}
                  </ol>
                  ${
                    now.faults.length > SHOWN
                      ? html`<p class="dim">${words.more(now.faults.length - SHOWN)}</p>`
                      : nothing
                  }`
          }
          ${this.renderNotes(now.notes)}
        </div>`;
    }
  }

  private renderFault({ place, line, column, message, hint }: Fault): TemplateResult {
    const at = line === null ? "" : words.line(line, column);
    return html`<li>
      <div class="place">
        <b>${place || words.wholeFile}</b>
        ${at === "" ? nothing : html`<span class="dim">${at}</span>`}
      </div>
      <div>${message}</div>
      ${hint === "" ? nothing : html`<div class="hint">${hint}</div>`}
    </li>`;
  }

  private renderMade(): TemplateResult | typeof nothing {
    const { made } = this;
    if (this.making) return html`<p data-testid="machine-making">${words.making}</p>`;
    if (this.failure)
      return html`<p class="warning" data-testid="machine-failure">
        ${words.failed} ${this.failure}
      </p>`;
    if (!made) return nothing;
    return html`<div class="answer" role="status" data-testid="machine-made">
      <p>${words.made(isolated(made.name))}</p>
      ${this.renderNotes(made.notes)}
    </div>`;
  }

  private renderNotes(notes: readonly string[]): TemplateResult | typeof nothing {
    if (notes.length === 0) return nothing;
    return html`<p class="dim">${words.notes}</p>
      <ul data-testid="machine-notes">
        ${notes.map((note) => html`<li>${note}</li>`)}
      </ul>`;
  }

  static override styles = [
    theme,
    toolStyles,
    css`
      section + section {
        padding-top: 0.8rem;
        border-top: 1px solid var(--line);
      }
      progress {
        width: 100%;
        accent-color: var(--accent);
      }
      .answer {
        display: grid;
        gap: 0.5rem;
        user-select: text;
        overflow-wrap: anywhere;
      }
      ol,
      ul {
        margin: 0;
        padding-left: 1.4rem;
        display: grid;
        gap: 0.5rem;
      }
      ol {
        max-height: 34dvh;
        overflow: auto;
        scrollbar-width: thin;
      }
      ul {
        list-style: "– ";
        padding-left: 1rem;
        gap: 0.25rem;
        color: var(--dim);
      }
      .place {
        font-family: var(--mono);
        font-size: 0.92em;
      }
      .place span {
        font-family: var(--sans);
      }
      .hint {
        color: var(--accent);
      }
      .forms {
        display: grid;
        grid-template-columns: auto minmax(0, 1fr);
        align-items: center;
        gap: 0.4rem 0.8rem;
      }
    `,
  ];
}
