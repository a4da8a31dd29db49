/** One redundant group of cylinders: its lever or buttons, its length, speed and force. */

import { html, LitElement, nothing, type TemplateResult } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import type { Hands } from "../input/hands";
import type { Frame } from "../protocol/frame";
import type { Group, Up } from "../protocol/generated";
import { text } from "../text";
import type { Control } from "./consoles";
import { kilonewtons, millimetres, millimetresPerSecond, words } from "./format";
import { groupStyles } from "./group_styles";
import { downIcon, upIcon } from "./icons";
import { endStop, part, Throttle, within } from "./scales";
import { theme } from "./theme";

const SOURCE = "panel";
const TRAVEL = 40; // that a hand has at least, also where the knob goes less far [px]

@customElement("hf-group")
export class GroupPart extends LitElement {
  @property({ attribute: false }) group!: Group;
  @property({ attribute: false }) hands!: Hands;
  @property({ attribute: false }) send!: (message: Up) => void;
  @property() control: Control = "lever";
  @property({ type: Boolean }) enabled = false;
  @property({ type: Boolean }) dynamics = false;
  @property({ type: Boolean }) floating = false;
  /** Where the group goes by itself [m]. */
  @property({ attribute: false }) target: number | null = null;
  /** Labels of the keys that extend and retract. */
  @property({ attribute: false }) caps: readonly [string, string] = ["", ""];

  @query(".lever") private lever!: HTMLElement | null;
  @query(".shaft") private shaft!: HTMLElement | null;
  @query("input") private slider!: HTMLInputElement | null;
  @query(".length b") private lengthText!: HTMLElement;
  @query(".speed b") private speedText!: HTMLElement;
  @query(".force b") private forceText!: HTMLElement;
  @query(".cell") private cell!: HTMLElement;

  private dragging = false;
  private pointer: number | null = null;
  private from = 0;
  private goTo = new Throttle<number>(100, (length) =>
    this.send({ type: "go_to", group: this.group.name, length }),
  );

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.goTo.cancel();
    this.letGo();
  }

  override updated(): void {
    this.follow();
  }

  /** Numbers of a frame, about ten times a second. */
  paint(frame: Frame): void {
    const { cylinders, lower, upper, speed: largest, force: most } = this.group;
    const first = cylinders[0];
    if (!this.hasUpdated || first === undefined) return;
    const length = frame.lengths[first] ?? NaN;
    let force = 0;
    for (const i of cylinders) force += frame.forces[i] ?? 0;
    put(this.lengthText, millimetres(length, upper - lower));
    put(this.speedText, millimetresPerSecond(frame.speeds[first] ?? NaN, largest));
    put(this.forceText, kilonewtons(force, most));
    this.cell.dataset["stop"] = endStop(length, lower, upper);
    const slider = this.slider;
    if (!slider) return;
    slider.style.setProperty("--part", part(length, lower, upper).toFixed(3));
    const shown = this.target ?? length;
    if (!this.dragging && Number.isFinite(shown)) slider.value = String(shown);
    const now = `${this.lengthText.textContent} mm`;
    const spoken =
      this.target === null
        ? now
        : text.lengthIs(now, `${millimetres(this.target, upper - lower)} mm`);
    if (slider.getAttribute("aria-valuetext") !== spoken)
      slider.setAttribute("aria-valuetext", spoken);
  }

  /** Show where the merged lever is, whatever moves it. */
  follow(): void {
    const value = this.hands.lever(this.group.name);
    if (this.lever) {
      this.lever.style.setProperty("--deflection", value.toFixed(3));
      this.lever.setAttribute("aria-valuenow", String(Math.round(100 * value)));
      this.lever.setAttribute("aria-valuetext", text.deflection(Math.round(100 * value)));
    }
    this.cell?.toggleAttribute("data-up", value > 0);
    this.cell?.toggleAttribute("data-down", value < 0);
  }

  override render(): TemplateResult {
    const name = words(this.group.name);
    const { group, dynamics } = this;
    return html`<section class="cell by-${this.control}" role="group" aria-label=${name}>
      <h3 title=${name}>${name}</h3>
      ${this.control === "lever" ? this.renderLever(name) : this.renderButtons(name)}
      <div class="stroke">
        <span class="bound upper" title=${text.atUpper}
          >${millimetres(group.upper, group.upper - group.lower)}</span
        >
        <input
          type="range"
          data-testid="slider-${group.name}"
          aria-label=${text.lengthOf(name)}
          min=${group.lower}
          max=${group.upper}
          step=${(group.upper - group.lower) / 400}
          ?disabled=${!this.enabled}
          ?data-target=${this.target !== null}
          @input=${this.slide}
          @change=${this.slid}
          @pointerdown=${() => (this.dragging = true)}
          @pointerup=${() => (this.dragging = false)}
          @pointercancel=${() => (this.dragging = false)}
        />
        <span class="bound lower" title=${text.atLower}
          >${millimetres(group.lower, group.upper - group.lower)}</span
        >
      </div>
      <div class="numbers">
        <div class="line">
          <span class="length"><b>–</b> <span class="unit">mm</span></span>
          <button
            class="float"
            data-testid="float-${group.name}"
            title=${text.floatHint}
            aria-pressed=${this.floating}
            ?hidden=${!dynamics}
            ?disabled=${!this.enabled}
            @click=${() => this.send({ type: "let_float", group: group.name, on: !this.floating })}
          >
            ${text.float}
          </button>
        </div>
        <div class="line">
          <span class="speed"><b>–</b> <span class="unit">mm/s</span></span>
          <span class="force"><b>–</b> <span class="unit">kN</span></span>
        </div>
      </div>
    </section>`;
  }

  private renderLever(name: string): TemplateResult {
    return html`<div
      class="lever"
      role="slider"
      tabindex="0"
      data-testid="lever-${this.group.name}"
      aria-label=${text.leverOf(name)}
      aria-orientation="vertical"
      aria-valuemin="-100"
      aria-valuemax="100"
      aria-disabled=${!this.enabled}
      @pointerdown=${this.grab}
      @pointermove=${this.drag}
      @pointerup=${this.letGo}
      @pointercancel=${this.letGo}
      @lostpointercapture=${this.letGo}
      @contextmenu=${(event: Event) => event.preventDefault()}
      @keydown=${this.keyDown}
      @keyup=${this.keyUp}
      @blur=${this.keysUp}
    >
      <span class="way up">${text.extend} ${cap(this.caps[0])}</span>
      ${drawing}
      <span class="way down">${text.retract} ${cap(this.caps[1])}</span>
    </div>`;
  }

  private renderButtons(name: string): TemplateResult {
    const one = (direction: 1 | -1, word: string, label: string, icon: unknown): TemplateResult =>
      html`<button
        class="run ${direction > 0 ? "plus" : "minus"}"
        data-testid="${direction > 0 ? "extend" : "retract"}-${this.group.name}"
        ?disabled=${!this.enabled}
        @pointerdown=${(event: PointerEvent) => this.run(event, direction)}
        @pointerup=${() => this.halt(direction)}
        @pointercancel=${() => this.halt(direction)}
        @lostpointercapture=${() => this.halt(direction)}
        @contextmenu=${(event: Event) => event.preventDefault()}
        @keydown=${(event: KeyboardEvent) => {
          if (event.code !== "Space" && event.code !== "Enter") return;
          event.preventDefault();
          if (!event.repeat) this.hold(direction);
        }}
        @keyup=${() => this.halt(direction)}
        @blur=${() => this.halt(direction)}
      >
        <span class="unseen">${name}:</span>
        <svg viewBox="0 0 24 24" aria-hidden="true">${icon}</svg>
        <span>${word}</span> ${cap(label)}
      </button>`;
    return html`<div class="runs" data-testid="lever-${this.group.name}">
      ${one(1, text.extend, this.caps[0], upIcon)} ${one(-1, text.retract, this.caps[1], downIcon)}
    </div>`;
  }

  private grab(event: PointerEvent): void {
    if (!this.enabled || event.button !== 0 || this.pointer !== null || !this.lever) return;
    event.preventDefault();
    this.lever.focus({ preventScroll: true });
    this.lever.setPointerCapture(event.pointerId);
    this.pointer = event.pointerId;
    this.from = event.clientY;
    this.lever.toggleAttribute("data-held", true);
  }

  private drag(event: PointerEvent): void {
    if (event.pointerId !== this.pointer || !this.lever) return;
    const travel = Math.max(TRAVEL, this.shaft?.offsetHeight ?? 0); // as far as the knob can go
    this.hands.set(SOURCE, this.group.name, (this.from - event.clientY) / travel);
  }

  private letGo(event?: PointerEvent): void {
    if (event && event.pointerId !== this.pointer) return;
    this.pointer = null;
    this.lever?.toggleAttribute("data-held", false);
    if (!this.group) return;
    this.hands.set(SOURCE, this.group.name, 0);
    this.keysUp();
  }

  private keyDown(event: KeyboardEvent): void {
    const direction = event.code === "ArrowUp" ? 1 : event.code === "ArrowDown" ? -1 : 0;
    if (direction === 0) return;
    event.preventDefault();
    if (!event.repeat && this.enabled) this.hold(direction);
  }

  private keyUp(event: KeyboardEvent): void {
    if (event.code === "ArrowUp") this.halt(1);
    if (event.code === "ArrowDown") this.halt(-1);
  }

  private keysUp(): void {
    this.halt(1);
    this.halt(-1);
  }

  private run(event: PointerEvent, direction: 1 | -1): void {
    if (event.button !== 0) return;
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
    this.hold(direction);
  }

  private hold(direction: 1 | -1): void {
    this.hands.hold(this.id_(direction), "panel held", this.group.name, direction);
  }

  private halt(direction: 1 | -1): void {
    this.hands.letGo(this.id_(direction));
  }

  private id_(direction: 1 | -1): string {
    return `panel ${direction} ${this.group.name}`;
  }

  private slide(event: Event): void {
    this.dragging = true;
    const { lower, upper } = this.group;
    this.goTo.give(within((event.target as HTMLInputElement).valueAsNumber, lower, upper));
  }

  private slid(): void {
    this.dragging = false;
  }

  static override styles = [theme, groupStyles];
}

const cap = (label: string): TemplateResult | typeof nothing =>
  label === "" ? nothing : html`<kbd>${label}</kbd>`;

/** A lever in its gate: the boot in the middle, the shaft from there to the knob. */
const drawing = html`<div class="gate" aria-hidden="true">
  <i class="boot"></i><i class="shaft"></i><i class="knob"></i>
</div>`;

/** Write text only where it differs: the page is not laid out for nothing. */
export function put(element: Element | null, words: string): void {
  if (element && element.textContent !== words) element.textContent = words;
}
