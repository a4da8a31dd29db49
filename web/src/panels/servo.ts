/** Where a servo's joint is and where it goes: a slider between its ends, and the number. */

import { css, html, LitElement, type TemplateResult } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import type { JointInfo, MotorInfo, Up } from "../protocol/generated";
import { jointEnds } from "../state/motors";
import { text } from "../text";
import { degrees, millimetres, motorWords } from "./format";
import { put } from "./group";
import { Throttle, within } from "./scales";
import { theme } from "./theme";

@customElement("hf-servo")
export class ServoPart extends LitElement {
  @property({ attribute: false }) motor!: MotorInfo;
  @property({ attribute: false }) joint!: JointInfo;
  @property({ attribute: false }) send!: (message: Up) => void;
  @property({ type: Boolean }) enabled = false;
  /** Where it goes by itself [rad, m]. */
  @property({ attribute: false }) target: number | null = null;

  @query("input") private slider!: HTMLInputElement;
  @query("output b") private number!: HTMLElement;

  private dragging = false;
  private goTo = new Throttle<number>(100, (length) =>
    this.send({ type: "go_to", group: this.motor.name, length }),
  );

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.goTo.cancel();
  }

  /** The joint's position [rad, m]. */
  paint(position: number): void {
    if (!this.hasUpdated) return;
    put(this.number, this.shown(position));
    const where = this.target ?? position;
    if (!this.dragging && Number.isFinite(where)) this.slider.value = String(where);
    const now = `${this.shown(position)} ${this.unit}`;
    const spoken =
      this.target === null ? now : text.lengthIs(now, `${this.shown(this.target)} ${this.unit}`);
    if (this.slider.getAttribute("aria-valuetext") !== spoken)
      this.slider.setAttribute("aria-valuetext", spoken);
  }

  private get unit(): string {
    return this.joint.turns ? "°" : "mm";
  }

  private shown(position: number): string {
    const [lower, upper] = jointEnds(this.joint);
    return this.joint.turns ? degrees(position) : millimetres(position, upper - lower);
  }

  override render(): TemplateResult {
    const [lower, upper] = jointEnds(this.joint);
    return html`<input
        type="range"
        data-testid="servo-${this.motor.name}"
        aria-label=${text.positionOf(motorWords(this.motor.name))}
        min=${lower}
        max=${upper}
        step=${(upper - lower) / 400}
        ?disabled=${!this.enabled}
        ?data-target=${this.target !== null}
        @input=${this.slide}
        @change=${() => (this.dragging = false)}
        @pointerdown=${() => (this.dragging = true)}
        @pointerup=${() => (this.dragging = false)}
        @pointercancel=${() => (this.dragging = false)}
      />
      <output><b>–</b> <span class="unit">${this.unit}</span></output>`;
  }

  private slide(event: Event): void {
    this.dragging = true;
    const [lower, upper] = jointEnds(this.joint);
    this.goTo.give(within((event.target as HTMLInputElement).valueAsNumber, lower, upper));
  }

  static override styles = [
    theme,
    css`
      :host {
        display: grid;
        min-width: 0;
      }
      input {
        min-width: 0;
        margin: 0;
        accent-color: var(--accent);
      }
      output {
        font-size: 0.9rem;
        white-space: nowrap;
      }
      b {
        font-weight: 600;
      }
    `,
  ];
}
