/** How fast simulated time goes. */

import { css, html, LitElement, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import type { Status, Up } from "../protocol/generated";
import { text } from "../text";
import { fixed } from "./format";
import { DETENTS, scaleToSlider, sliderToScale, Throttle } from "./scales";
import { theme } from "./theme";

@customElement("hf-speed")
export class SpeedPart extends LitElement {
  @property({ attribute: false }) send!: (message: Up) => void;
  @property({ attribute: false }) status: Status | null = null;
  @property({ type: Boolean }) enabled = false;

  @query(".scale") private scale!: HTMLInputElement;

  private rescale = new Throttle<number>(100, (scale) => this.send({ type: "time_scale", scale }));

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.rescale.cancel();
  }

  override firstUpdated(): void {
    for (const mark of this.renderRoot.querySelectorAll<HTMLElement>("[data-detent]"))
      mark.style.setProperty("--at", scaleToSlider(Number(mark.dataset["detent"])).toFixed(3));
  }

  override updated(changed: PropertyValues<this>): void {
    const before = changed.get("status");
    const scale = this.status?.scale;
    if (scale !== undefined && scale !== before?.scale && !this.scale.matches(":active"))
      this.scale.value = String(scaleToSlider(scale));
  }

  override render(): TemplateResult {
    const { enabled } = this;
    const scale = this.status?.scale ?? 1;
    const shown = `${fixed(scale, scale < 1 ? 2 : 1)}×`;
    return html`<div class="speed">
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
        aria-label="${shown}: ${text.timeReset}"
        ?disabled=${!enabled}
        @click=${() => this.send({ type: "time_scale", scale: 1 })}
      >
        ${shown}
      </button>
    </div>`;
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
