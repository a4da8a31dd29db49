/** Machines of the catalogue, with pictures, to choose from. */

import { css, html, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { Choice } from "../protocol/generated";
import { text } from "../text";
import { words } from "./format";
import { machineSign } from "./icons";
import { SheetPart, sheetStyles } from "./sheet";
import { theme } from "./theme";

/** Address of a machine's picture, beside the page. */
export const pictureOf = (name: string): string => `machines/${encodeURIComponent(name)}.jpg`;

@customElement("hf-chooser")
export class ChooserPart extends SheetPart {
  @property({ attribute: false }) catalogue: readonly Choice[] = [];
  @property() present = "";
  @property({ type: Boolean }) enabled = false;

  @state() private loaded = new Set<string>();
  @state() private broken = new Set<string>();

  protected readonly heading = text.chooseMachine;

  protected renderContent(): TemplateResult {
    return html` <div class="cards">${this.catalogue.map((choice) => this.card(choice))}</div> `;
  }

  private card({ name, machine_class: kind }: Choice): TemplateResult {
    const present = name === this.present;
    const shown = words(name);
    return html`<button
      class="card"
      data-testid="machine-${name}"
      aria-current=${present}
      ?disabled=${!this.enabled}
      @click=${() => this.dispatchEvent(new CustomEvent<string>("chosen", { detail: name }))}
    >
      <span class="picture">
        <svg viewBox="0 0 120 92" aria-hidden="true" ?hidden=${this.loaded.has(name)}>
          ${machineSign(kind)}
        </svg>
        <img
          src=${pictureOf(name)}
          alt=""
          loading="lazy"
          ?hidden=${this.broken.has(name)}
          @load=${() => (this.loaded = new Set(this.loaded).add(name))}
          @error=${() => (this.broken = new Set(this.broken).add(name))}
        />
      </span>
      <span class="title">${shown}</span>
      <span class="kind" ?hidden=${words(kind) === shown}>${words(kind)}</span>
      <span class="now" ?hidden=${!present}>${text.driving}</span>
    </button>`;
  }

  static override styles = [
    theme,
    sheetStyles,
    css`
      .cards {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(min(13rem, 42%), 1fr));
        gap: 0.8rem;
      }
      .card {
        position: relative;
        height: auto;
        padding: 0;
        display: grid;
        align-content: start;
        text-align: left;
        white-space: normal;
        overflow: hidden;
        background: var(--panel);
      }
      .card[aria-current="true"] {
        border-color: var(--accent);
        box-shadow: 0 0 0 1px var(--accent);
      }
      .picture {
        display: grid;
        place-items: center;
        aspect-ratio: 16 / 10;
        background: radial-gradient(circle at 50% 40%, #2b343a, #14181b);
        overflow: hidden;
      }
      .picture > * {
        grid-area: 1 / 1;
      }
      .picture img {
        width: 100%;
        height: 100%;
        object-fit: cover;
        object-position: 50% 15%;
      }
      .picture svg {
        width: 55%;
        height: auto;
        fill: var(--steel);
      }
      .ring {
        fill: none;
        stroke: var(--steel);
        stroke-width: 5;
      }
      .title {
        padding: 0.5rem 0.7rem;
        font-weight: 600;
        overflow-wrap: anywhere;
      }
      .kind {
        margin-top: -0.4rem;
        padding: 0 0.7rem 0.6rem;
        color: var(--dim);
        font-size: 0.9rem;
      }
      .now {
        position: absolute;
        top: 0.5rem;
        right: 0.5rem;
        padding: 0.1rem 0.5rem;
        border-radius: 1rem;
        background: var(--accent);
        color: var(--on-accent);
        font-size: 0.82rem;
        font-weight: 700;
      }
    `,
  ];
}
