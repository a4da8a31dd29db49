/** The emergency stop: a red mushroom on yellow, for everyone, and its release. */

import { css, html, LitElement, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { Up } from "../protocol/generated";
import { text } from "../text";
import { media } from "./media";
import { theme } from "./theme";

@customElement("hf-estop")
export class EmergencyPart extends LitElement {
  @property({ attribute: false }) send!: (message: Up) => void;
  @property({ type: Boolean }) latched = false;
  /** There is no server that would hear it. */
  @property({ type: Boolean }) offline = false;
  /** Why it cannot be released; empty if it can. */
  @property() why = "";
  /** Labels of the keys that stop. */
  @property() caps = "";

  override render(): TemplateResult {
    return html`<div class="box" ?data-latched=${this.latched} ?data-offline=${this.offline}>
      <button
        class="mushroom"
        data-testid="estop"
        aria-label=${text.emergencyStop}
        aria-pressed=${this.latched}
        ?disabled=${this.offline}
        title=${text.stopHint(this.caps)}
        @pointerdown=${(event: PointerEvent) => event.button === 0 && this.stop()}
        @click=${this.stop}
      >
        ${drawing}
      </button>
      <div class="words">
        <strong>${text.emergencyStop}</strong>
        <span class="why" data-testid="estop-offline" ?hidden=${!this.offline}
          >${text.stopOffline}</span
        >
        <span class="dim" ?hidden=${this.latched || this.offline}
          >${this.caps.split(", ").map((cap) => html`<kbd>${cap}</kbd> `)}</span
        >
        <span class="why" id="why" ?hidden=${!this.latched || this.offline}
          >${this.why === "" ? text.releaseReady : this.why}</span
        >
      </div>
      <button
        class="primary"
        data-testid="release"
        aria-describedby="why"
        ?hidden=${!this.latched}
        ?disabled=${this.why !== ""}
        @click=${() => this.send({ type: "release" })}
      >
        ${text.release}
      </button>
    </div>`;
  }

  /** On the way down already, not only when the button comes up again. */
  private stop(): void {
    if (!this.latched) this.send({ type: "emergency_stop" });
  }

  static override styles = [
    theme,
    css`
      :host {
        display: block;
      }
      .box {
        display: grid;
        grid-template-columns: auto 1fr auto;
        align-items: center;
        gap: 0.8rem;
        padding: 0.4rem 0.6rem;
        background: var(--panel);
        border: 1px solid var(--line);
        border-radius: var(--radius);
        min-height: 6rem;
      }
      .box[data-latched] {
        border-color: var(--red);
        background: #2a1210;
      }
      .mushroom[aria-pressed],
      .mushroom:hover:not(:disabled) {
        width: 5.2rem;
        height: 5.2rem;
        padding: 0;
        border: 0;
        border-radius: 50%;
        background: none;
        box-shadow: none;
        touch-action: none;
      }
      .mushroom svg {
        width: 100%;
        height: 100%;
        display: block;
      }
      .box[data-offline] .mushroom svg {
        filter: grayscale(1) brightness(0.6);
      }
      .cap {
        transform-origin: 50px 50px;
        transition: transform 90ms;
      }
      [data-latched] .cap,
      .mushroom:active .cap {
        transform: scale(0.9);
      }
      @media ${media.hand} {
        .box {
          min-height: 0;
          padding: 0.15rem 0.5rem;
        }
        .box .mushroom[aria-pressed] {
          width: 4rem;
          height: 4rem;
        }
        .words .dim {
          display: none;
        }
      }
      .words {
        display: grid;
        gap: 0.4rem;
        justify-items: start;
        min-width: 0;
      }
      strong {
        font-size: 1.1rem;
        letter-spacing: 0.02em;
      }
      .why {
        font-size: 0.92rem;
      }
    `,
  ];
}

const drawing = html`<svg viewBox="0 0 100 100" aria-hidden="true">
  <defs>
    <radialGradient id="dome" cx="0.4" cy="0.32" r="0.75">
      <stop offset="0" stop-color="#ff6a5c" />
      <stop offset="0.45" stop-color="#d3281c" />
      <stop offset="1" stop-color="#7d130b" />
    </radialGradient>
  </defs>
  <circle cx="50" cy="50" r="49" fill="#f7c600" stroke="#000" />
  <circle cx="50" cy="50" r="41" fill="#1a1506" opacity="0.55" />
  <g class="cap">
    <circle cx="50" cy="50" r="37" fill="url(#dome)" stroke="#4d0b06" stroke-width="1.5" />
    <circle cx="50" cy="50" r="28" fill="none" stroke="#a51c12" stroke-width="1.5" />
    <g fill="none" stroke="#ffe9e6" stroke-width="3.4" opacity="0.92">
      <path d="M36 41a17 17 0 0 1 22 -6" />
      <path d="M67 46a17 17 0 0 1 -6 18" />
      <path d="M51 67a17 17 0 0 1 -17 -12" />
    </g>
    <g fill="#ffe9e6" opacity="0.92">
      <path d="M56 28l10 9-12 5z" />
      <path d="M68 66l-12 5 1-13z" />
      <path d="M27 56l8-10 6 11z" />
    </g>
  </g>
</svg>`;
