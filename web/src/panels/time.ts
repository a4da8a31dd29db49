/** Simulated time: pause, single step, speed, rewind, restart. */

import { css, html, LitElement, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import type { Frame } from "../protocol/frame";
import type { Status, Up } from "../protocol/generated";
import { text } from "../text";
import { clock, fixed } from "./format";
import { put } from "./group";
import { pauseIcon, playIcon, restartIcon, stepIcon } from "./icons";
import { DETENTS, part, scaleToSlider, sliderToScale, Throttle, within } from "./scales";
import { theme } from "./theme";

@customElement("hf-time")
export class TimePart extends LitElement {
  @property({ attribute: false }) send!: (message: Up) => void;
  @property({ attribute: false }) status: Status | null = null;
  @property({ type: Boolean }) enabled = false;

  @query(".now") private now!: HTMLElement;
  @query(".oldest") private oldest!: HTMLElement;
  @query(".newest") private newest!: HTMLElement;
  @query(".rewind") private bar!: HTMLInputElement;
  @query(".scale") private scale!: HTMLInputElement;

  private dragging = false;
  private rewind = new Throttle<number>(100, (time) => this.send({ type: "rewind", time }));
  private rescale = new Throttle<number>(100, (scale) => this.send({ type: "time_scale", scale }));

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.rewind.cancel();
    this.rescale.cancel();
  }

  override firstUpdated(): void {
    for (const mark of this.renderRoot.querySelectorAll<HTMLElement>("[data-detent]"))
      mark.style.setProperty("--at", scaleToSlider(Number(mark.dataset["detent"])).toFixed(3));
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

  override updated(changed: PropertyValues<this>): void {
    const before = changed.get("status");
    const scale = this.status?.scale;
    if (scale !== undefined && scale !== before?.scale && !this.scale.matches(":active"))
      this.scale.value = String(scaleToSlider(scale));
  }

  override render(): TemplateResult {
    const { status, enabled } = this;
    const paused = status?.paused ?? false;
    const scale = status?.scale ?? 1;
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
          <svg viewBox="0 0 24 24">${paused ? playIcon : pauseIcon}</svg>
        </button>
        <button
          class="square"
          data-testid="step"
          aria-label=${text.step}
          title=${text.step}
          ?disabled=${!enabled || !paused}
          @click=${() => this.send({ type: "step", count: 1 })}
        >
          <svg viewBox="0 0 24 24">${stepIcon}</svg>
        </button>
        <button
          class="square"
          data-testid="restart"
          aria-label=${text.restart}
          title=${text.restartHint}
          ?disabled=${!enabled}
          @click=${() => this.send({ type: "restart" })}
        >
          <svg viewBox="0 0 24 24">${restartIcon}</svg>
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
      <div class="speed">
        <div class="log">
          <input
            class="scale"
            type="range"
            min="0"
            max="1"
            step="0.005"
            data-testid="timescale"
            aria-label=${text.timeScale}
            aria-valuetext="${fixed(scale, 2)}×"
            title=${text.timeScale}
            ?disabled=${!enabled}
            @input=${this.rescaled}
          />
          ${DETENTS.map((detent) => html`<i data-detent=${detent}></i>`)}
        </div>
        <button
          class="reset"
          data-testid="timescale-reset"
          title=${text.timeReset}
          aria-label=${text.timeReset}
          ?disabled=${!enabled}
          @click=${() => this.send({ type: "time_scale", scale: 1 })}
        >
          ${fixed(scale, scale < 1 ? 2 : 1)}×
        </button>
      </div>
    </div>`;
  }

  private drag(): void {
    this.dragging = true;
    const time = within(this.bar.valueAsNumber, Number(this.bar.min), Number(this.bar.max));
    put(this.now, clock(time));
    this.rewind.give(time);
  }

  private rescaled(): void {
    const scale = sliderToScale(this.scale.valueAsNumber);
    this.scale.value = String(scaleToSlider(scale));
    this.rescale.give(scale);
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
      .speed {
        display: flex;
        align-items: center;
        gap: 0.5rem;
      }
      .log {
        position: relative;
        width: 8.4rem;
        height: 1.9rem;
      }
      .log input {
        width: 100%;
      }
      .log i {
        position: absolute;
        bottom: 0;
        left: calc(0.4rem + var(--at) * (100% - 0.8rem));
        width: 1px;
        height: 0.35rem;
        background: var(--dim);
      }
      .reset {
        width: 4rem;
        padding: 0;
      }
    `,
  ];
}
