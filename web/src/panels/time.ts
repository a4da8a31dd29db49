/** Simulated time: pause, single step, rewind, restart; and its speed where there is room. */

import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import type { Frame } from "../protocol/frame";
import type { Status, Up } from "../protocol/generated";
import { text } from "../text";
import { clock } from "./format";
import { put } from "./group";
import { pauseIcon, playIcon, restartIcon, stepIcon } from "./icons";
import { media } from "./media";
import { part, Throttle, within } from "./scales";
import "./speed";
import { theme } from "./theme";

@customElement("hf-time")
export class TimePart extends LitElement {
  @property({ attribute: false }) send!: (message: Up) => void;
  @property({ attribute: false }) status: Status | null = null;
  @property({ type: Boolean }) enabled = false;
  /** Without the speed of time, which has its place elsewhere then. */
  @property({ type: Boolean }) compact = false;

  @query(".now") private now!: HTMLElement;
  @query(".oldest") private oldest!: HTMLElement;
  @query(".newest") private newest!: HTMLElement;
  @query(".rewind") private bar!: HTMLInputElement;

  private dragging = false;
  private rewind = new Throttle<number>(100, (time) => this.send({ type: "rewind", time }));

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.rewind.cancel();
  }

  paint(frame: Frame): void {
    if (!this.hasUpdated) return;
    const { oldest, newest, time } = frame;
    put(this.oldest, clock(oldest));
    put(this.newest, clock(newest));
    if (this.dragging) return;
    put(this.now, clock(time));
    this.bar.min = String(oldest);
    this.bar.max = String(Math.max(newest, oldest + 1e-3));
    this.bar.value = String(time);
    this.bar.setAttribute("aria-valuetext", clock(time));
    this.bar.style.setProperty("--part", part(time, oldest, newest).toFixed(4));
  }

  override render(): TemplateResult {
    const { status, enabled } = this;
    const paused = status?.paused ?? false;
    return html`<div class="bar" role="group" aria-label=${text.time}>
      <div class="segments">
        <button
          class="square"
          data-testid="pause"
          aria-label=${paused ? text.resume : text.pause}
          title=${paused ? text.resume : text.pause}
          aria-pressed=${paused}
          ?disabled=${!enabled}
          @click=${() => this.send({ type: "pause", on: !paused })}
        >
          <svg viewBox="0 0 24 24" aria-hidden="true">${paused ? playIcon : pauseIcon}</svg>
        </button>
        <button
          class="square"
          data-testid="step"
          aria-label=${text.step}
          title=${text.step}
          ?disabled=${!enabled || !paused}
          @click=${() => this.send({ type: "step", count: 1 })}
        >
          <svg viewBox="0 0 24 24" aria-hidden="true">${stepIcon}</svg>
        </button>
        <button
          class="square"
          data-testid="restart"
          aria-label=${text.restart}
          title=${text.restartHint}
          ?disabled=${!enabled}
          @click=${() => this.send({ type: "restart" })}
        >
          <svg viewBox="0 0 24 24" aria-hidden="true">${restartIcon}</svg>
        </button>
      </div>
      <div class="clock">
        <b class="now" data-testid="time">0:00${text.decimal}0</b>
        <span class="tag" ?data-on=${paused}>${text.paused}</span>
        <span class="tag" data-testid="forgotten" ?data-on=${status?.forgotten}
          >${text.forgottenShort}</span
        >
      </div>
      <div class="film">
        <span
          class="oldest dim"
          ?data-forgotten=${status?.forgotten}
          title=${status?.forgotten ? text.forgotten(clock(status.oldest)) : ""}
          >0:00</span
        >
        <input
          class="rewind"
          type="range"
          min="0"
          max="1"
          step="any"
          value="1"
          data-testid="rewind"
          aria-label=${text.rewind}
          ?disabled=${!enabled}
          ?data-forgotten=${status?.forgotten}
          @input=${this.drag}
          @change=${() => (this.dragging = false)}
          @pointerup=${() => (this.dragging = false)}
          @pointercancel=${() => (this.dragging = false)}
        />
        <span class="newest dim">0:00</span>
      </div>
      ${this.compact ? nothing : html`<hf-speed .send=${this.send} .status=${status} ?enabled=${enabled}></hf-speed>`}
    </div>`;
  }

  private drag(): void {
    this.dragging = true;
    const time = within(this.bar.valueAsNumber, Number(this.bar.min), Number(this.bar.max));
    put(this.now, clock(time));
    this.rewind.give(time);
  }

  static override styles = [
    theme,
    css`
      :host {
        display: block;
      }
      .bar {
        display: grid;
        grid-template-columns: auto auto minmax(6rem, 1fr) auto;
        align-items: center;
        gap: 0.9rem;
      }
      .clock {
        display: grid;
        min-width: 5.2rem;
        line-height: 1.1;
      }
      .now {
        font-size: 1.25rem;
        font-weight: 600;
      }
      .tag {
        font-size: 0.78rem;
        font-weight: 700;
        letter-spacing: 0.06em;
        text-transform: uppercase;
        color: var(--accent);
      }
      .tag:not([data-on]) {
        display: none;
      }
      .film {
        display: grid;
        grid-template-columns: auto 1fr auto;
        align-items: center;
        gap: 0.5rem;
        font-size: 0.88rem;
        min-width: 0;
      }
      .oldest[data-forgotten] {
        color: var(--ink);
        border-left: 2px dashed var(--accent);
        padding-left: 0.3rem;
      }
      .rewind {
        width: 100%;
        --part: 0;
      }
      .rewind::-webkit-slider-runnable-track {
        background: linear-gradient(
          90deg,
          var(--steel) calc(var(--part) * 100%),
          var(--line-2) calc(var(--part) * 100%)
        );
      }
      .rewind::-moz-range-track {
        background: linear-gradient(
          90deg,
          var(--steel) calc(var(--part) * 100%),
          var(--line-2) calc(var(--part) * 100%)
        );
      }
      @media ${media.hand} {
        .bar {
          grid-template-columns: auto auto minmax(4rem, 1fr);
          gap: 0.6rem;
        }
        .clock {
          min-width: 3.6rem;
        }
        .film {
          grid-template-columns: 1fr;
        }
        .film span {
          display: none;
        }
      }
    `,
  ];
}
