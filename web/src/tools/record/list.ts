/** The list of recordings: open, rename, download, delete, add. */

import { css, html, LitElement, nothing, type SVGTemplateResult, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { svg } from "lit";
import { clock, fixed, words as plain } from "../../panels/format";
import { closeIcon } from "../../panels/icons";
import { theme } from "../../panels/theme";
import { language } from "../../text";
import { words } from "../../text/tools/record";
import { toolStyles } from "../tool";
import { addressOf, type Item } from "./api";

const penIcon = svg`<path d="M4 17.5V20h2.5L17.8 8.7l-2.5-2.5zM19.7 6.8a1 1 0 0 0 0-1.4l-1.1-1.1a1 1 0 0 0-1.4 0l-1 1 2.5 2.5z"/>`;
const fetchIcon = svg`<path d="M11 3h2v9h3.5L12 17l-4.5-5H11zM4 19h16v2H4z"/>`;

/** What is asked of a recording. */
export interface Wish {
  act: "open" | "rename" | "remove" | "send";
  name: string;
  to?: string;
  file?: File;
}

@customElement("hf-recordings")
export class RecordingsPart extends LitElement {
  @property({ attribute: false }) items: readonly Item[] = [];
  /** The one that is open. */
  @property() present = "";
  /** This page has the seat. */
  @property({ type: Boolean }) seat = false;
  @property({ type: Boolean }) operator = false;

  @state() private naming = "";
  @state() private removing = "";

  private wish(wish: Wish): void {
    this.naming = this.removing = "";
    this.dispatchEvent(new CustomEvent<Wish>("wish", { detail: wish }));
  }

  override render(): TemplateResult {
    return html`<div class="head">
        <h3 class="caption">${words.recordings}</h3>
        ${
          this.seat
            ? html`<label class="add">
                ${words.upload}
                <input
                  type="file"
                  accept=".mcap"
                  data-testid="record-upload"
                  @change=${this.sent}
                />
              </label>`
            : nothing
        }
      </div>
      ${this.items.length === 0 ? html`<p class="dim">${words.none}</p>` : nothing}
      <ul data-testid="recordings">
        ${repeat(
          this.items,
          ({ name }) => name,
          (item) => this.renderItem(item),
        )}
      </ul>`;
  }

  private renderItem(item: Item): TemplateResult {
    const { name } = item;
    if (this.naming === name) return html`<li>${this.renderNaming(name)}</li>`;
    return html`<li ?data-present=${name === this.present} data-testid="recording-${name}">
      <button
        class="open"
        data-testid="open-${name}"
        aria-label=${words.open(name)}
        aria-pressed=${name === this.present}
        ?disabled=${item.problem !== ""}
        @click=${() => this.wish({ act: "open", name })}
      >
        <span class="name">${name}</span>
        <span class="dim">${item.problem || factsOf(item)}</span>
      </button>
      <div class="acts">${this.renderActs(item)}</div>
    </li>`;
  }

  private renderActs({ name, fixed: stays }: Item): TemplateResult {
    const mine = this.seat && !stays;
    return html`${
      mine
        ? this.act(`rename-${name}`, words.rename(name), penIcon, () => (this.naming = name))
        : nothing
    }
    ${
      this.operator
        ? html`<a
            class="square"
            href=${addressOf(name, "/file")}
            download
            data-testid="download-${name}"
            aria-label=${words.download(name)}
            title=${words.download(name)}
            ><svg viewBox="0 0 24 24">${fetchIcon}</svg></a
          >`
        : nothing
    }
    ${
      !mine
        ? nothing
        : this.removing === name
          ? html`<button
              class="really"
              data-testid="really-${name}"
              @click=${() => this.wish({ act: "remove", name })}
              @blur=${() => (this.removing = "")}
            >
              ${words.removeReally}
            </button>`
          : this.act(`delete-${name}`, words.remove(name), closeIcon, () => this.ask(name))
    }`;
  }

  private act(id: string, label: string, icon: SVGTemplateResult, act: () => void): TemplateResult {
    return html`<button
      class="square"
      data-testid=${id}
      aria-label=${label}
      title=${label}
      @click=${act}
    >
      <svg viewBox="0 0 24 24">${icon}</svg>
    </button>`;
  }

  /** A second click deletes. */
  private ask(name: string): void {
    this.removing = name;
    void this.updateComplete.then(() =>
      this.renderRoot.querySelector<HTMLElement>(".really")?.focus(),
    );
  }

  private renderNaming(name: string): TemplateResult {
    return html`<form
      @submit=${(event: SubmitEvent) => {
        event.preventDefault();
        const field = (event.target as HTMLFormElement).elements.namedItem("to");
        this.wish({ act: "rename", name, to: (field as HTMLInputElement).value });
      }}
    >
      <input
        type="text"
        name="to"
        .value=${name}
        maxlength="120"
        aria-label=${words.newName}
        data-testid="new-name"
      />
      <button class="primary" data-testid="keep-name">${words.keep}</button>
      <button type="button" @click=${() => (this.naming = "")}>${words.cancel}</button>
    </form>`;
  }

  private sent(event: Event): void {
    const field = event.target as HTMLInputElement;
    const file = field.files?.[0];
    if (file) this.wish({ act: "send", name: file.name, file });
    field.value = "";
  }

  static override styles = [
    theme,
    toolStyles,
    css`
      .head {
        display: flex;
        justify-content: space-between;
        align-items: center;
      }
      .add {
        display: inline-grid;
        align-items: center;
        height: 2.15rem;
        padding: 0 0.7rem;
        border: 1px solid var(--line-2);
        border-radius: var(--radius);
        background: var(--raised);
        cursor: pointer;
      }
      .add:focus-within {
        outline: 2px solid var(--accent);
        outline-offset: 2px;
      }
      .add input {
        position: absolute;
        opacity: 0;
        width: 1px;
        height: 1px;
      }
      ul {
        list-style: none;
        margin: 0;
        padding: 0;
        display: grid;
        gap: 0.3rem;
      }
      li {
        display: grid;
        grid-template-columns: minmax(0, 1fr) auto;
        gap: 0.3rem;
        align-items: center;
      }
      .open {
        height: auto;
        padding: 0.35rem 0.6rem;
        display: grid;
        text-align: left;
        white-space: normal;
      }
      .open .dim {
        font-size: 0.86rem;
      }
      .name {
        overflow-wrap: anywhere;
      }
      .acts {
        display: flex;
        gap: 0.2rem;
      }
      a.square {
        display: inline-grid;
        place-items: center;
        width: 2.15rem;
        height: 2.15rem;
        color: inherit;
        border: 1px solid var(--line-2);
        border-radius: var(--radius);
        background: var(--raised);
      }
      a.square:hover {
        background: var(--raised-2);
      }
      a svg {
        width: 1.1rem;
        height: 1.1rem;
        fill: currentColor;
      }
      .really {
        border-color: var(--red);
        color: var(--red-ink);
      }
      form {
        grid-column: 1 / -1;
        display: flex;
        gap: 0.3rem;
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
        flex: 1;
      }
    `,
  ];
}

/** Machine, length, day and size of a recording in a line. */
export function factsOf({ machine, seconds, started, bytes, cut }: Item): string {
  const when = new Date(1000 * started).toLocaleString(language, {
    dateStyle: "short",
    timeStyle: "short",
  });
  const size = `${fixed(bytes / 2 ** 20, 1)} MiB`;
  const parts = [plain(machine), clock(seconds), when, size];
  return [...parts, ...(cut ? [words.cut] : [])].join(" · ");
}
