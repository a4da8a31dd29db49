/** The strip of tools beside the picture: which one is open. */

import { css, html, LitElement, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { media } from "../panels/media";
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
            <span aria-hidden="true">${title}</span>
          </button>`,
      )}
    </nav>`;
  }

  /** The button of a tool. */
  button(id: string): HTMLElement | null {
    return this.renderRoot.querySelector(`[data-testid="tool-${id}"]`);
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
      @media ${media.hand} {
        :host {
          border: 0;
          background: none;
        }
        nav {
          padding: 0;
          grid-template-columns: repeat(auto-fill, minmax(4.8rem, 1fr));
        }
        button {
          width: auto;
          min-height: 3.6rem;
          border-color: var(--line-2);
        }
        span {
          font-size: 0.8rem;
        }
      }
    `,
  ];
}
