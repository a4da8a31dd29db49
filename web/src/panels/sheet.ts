/** A sheet over the picture, with a title and a button to close it; the console stays in reach. */

import { css, html, LitElement, type TemplateResult } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import { text } from "../text";
import { closeIcon } from "./icons";
import { theme } from "./theme";

@customElement("hf-sheet")
export class SheetPart extends LitElement {
  @property() heading = "";

  @query("button") private button!: HTMLButtonElement;

  override firstUpdated(): void {
    this.button.focus();
  }

  override render(): TemplateResult {
    return html`<div class="sheet" role="dialog" aria-label=${this.heading}>
      <header>
        <h2>${this.heading}</h2>
        <button
          class="square"
          aria-label=${text.close}
          title=${text.close}
          data-testid="close"
          @click=${() => this.dispatchEvent(new CustomEvent("closed", { bubbles: true, composed: true }))}
        >
          <svg viewBox="0 0 24 24">${closeIcon}</svg>
        </button>
      </header>
      <div class="content"><slot></slot></div>
    </div>`;
  }

  static override styles = [
    theme,
    css`
      :host {
        display: grid;
        min-height: 0;
      }
      .sheet {
        background: #12161a;
        border: 1px solid var(--line-2);
        border-radius: calc(2 * var(--radius));
        box-shadow: 0 0.6rem 2.5rem #000c;
        display: grid;
        grid-template-rows: auto minmax(0, 1fr);
        min-height: 0;
      }
      header {
        display: flex;
        justify-content: space-between;
        align-items: center;
        padding: 0.7rem 0.8rem 0.6rem 1.1rem;
        border-bottom: 1px solid var(--line);
      }
      h2 {
        font-size: 1.25rem;
        font-weight: 600;
      }
      .content {
        overflow: auto;
        padding: 1rem 1.1rem;
        min-height: 0;
      }
    `,
  ];
}
