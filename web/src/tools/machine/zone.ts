/** What lies over the whole page while a file is held over it. */

import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { theme } from "../../panels/theme";
import type { Store } from "../../state/store";
import { words } from "../../text/tools/machine";
import { watchDrops } from "./dropping";
import { sending } from "./sending";

@customElement("hf-dropzone")
export class DropzonePart extends LitElement {
  @property({ attribute: false }) store!: Store;

  @state() private over = false;

  private end: () => void = () => {};

  override connectedCallback(): void {
    super.connectedCallback();
    this.end = watchDrops(
      window,
      (on) => (this.over = on),
      (files) => {
        void sending.send(files, this.store.facts.scene?.machine.name ?? "");
        this.dispatchEvent(new CustomEvent("dropped"));
      },
    );
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.end();
  }

  override render(): TemplateResult | typeof nothing {
    if (!this.over) return nothing;
    return html`<div class="zone" data-testid="dropzone">
      <div>
        <h2>${words.drop}</h2>
        <p>${this.store.hasSeat ? words.dropDetail : words.dropSeat}</p>
      </div>
    </div>`;
  }

  static override styles = [
    theme,
    css`
      .zone {
        position: fixed;
        inset: 0;
        z-index: 20;
        display: grid;
        place-content: center;
        text-align: center;
        background: #0a0d0fd9;
        pointer-events: none;
      }
      .zone > div {
        padding: 3rem 4rem;
        border: 0.2rem dashed var(--accent);
        border-radius: calc(3 * var(--radius));
        background: var(--panel);
      }
      h2 {
        font-size: 1.8rem;
        font-weight: 600;
      }
      p {
        margin-top: 0.6rem;
        color: var(--dim);
        font-size: 1.1rem;
      }
    `,
  ];
}
