/** The strip of tools beside the picture: which one is open. */

import { css, html, LitElement, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { doneWith, theme } from "../panels/theme";
import { words } from "../text/tools/strip";
import { TOOLS } from "./registry";

@customElement("hf-strip")
export class StripPart extends LitElement {
  /** The tool that is open; empty if none is. */
  @property() open = "";

  override render(): TemplateResult {
    return html`<nav aria-label=${words.strip}>
      ${TOOLS.map(
        ({ id, title, icon }) =>
          html`<button
            data-testid="tool-${id}"
            title=${title}
            aria-label=${title}
            aria-pressed=${this.open === id}
            @click=${(event: Event) => this.choose(id, event)}
          >
            <svg viewBox="0 0 24 24" aria-hidden="true">${icon}</svg>
            <span>${title}</span>
          </button>`,
      )}
    </nav>`;
  }

  private choose(id: string, event: Event): void {
    doneWith(event.currentTarget);
    const detail = this.open === id ? "" : id;
    this.dispatchEvent(new CustomEvent<string>("chosen", { detail }));
  }

  static override styles = [
    theme,
    css`
      :host {
        display: block;
        overflow: auto;
        scrollbar-width: none;
        background: var(--panel);
        border-left: 1px solid var(--line);
      }
      nav {
        display: grid;
        gap: 0.25rem;
        padding: 0.3rem;
      }
      button {
        height: auto;
        width: 4.2rem;
        padding: 0.3rem 0.1rem 0.25rem;
        display: grid;
        justify-items: center;
        gap: 0.15rem;
        border-color: transparent;
        background: none;
      }
      span {
        font-size: 0.67rem;
        max-width: 100%;
        overflow: hidden;
        text-overflow: ellipsis;
      }
    `,
  ];
}
