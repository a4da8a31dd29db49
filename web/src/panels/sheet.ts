/** A window over the picture, with a title and a button to close it; the stop stays in reach. */

import { css, html, LitElement, type TemplateResult } from "lit";
import { query } from "lit/decorators.js";
import { text } from "../text";
import { goRound } from "./focus";
import { closeIcon } from "./icons";

/** What all windows have: they take the focus, keep it while Tab is pressed, and can be closed. */
export abstract class SheetPart extends LitElement {
  protected abstract readonly heading: string;

  @query("button") private button!: HTMLButtonElement;

  protected abstract renderContent(): TemplateResult;

  override firstUpdated(): void {
    this.button.focus();
  }

  override render(): TemplateResult {
    return html`<div
      class="sheet"
      role="dialog"
      aria-label=${this.heading}
      @keydown=${(event: KeyboardEvent) => goRound(event, this)}
    >
      <div class="head">
        <h2>${this.heading}</h2>
        <button
          class="square"
          aria-label=${text.close}
          title=${text.close}
          data-testid="close"
          @click=${() => this.dispatchEvent(new CustomEvent("closed"))}
        >
          <svg viewBox="0 0 24 24" aria-hidden="true">${closeIcon}</svg>
        </button>
      </div>
      <div class="content" tabindex="0"><div class="paper">${this.renderContent()}</div></div>
    </div>`;
  }
}

export const sheetStyles = css`
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
  .head {
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
  .paper {
    background: #12161a;
  }
`;
