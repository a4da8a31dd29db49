/** One redundant group of cylinders: its lever or buttons, its length, speed and force. */

import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import type { Hands } from "../input/hands";
import type { Frame } from "../protocol/frame";
import type { Group, Up } from "../protocol/generated";
import { text } from "../text";
import type { Control } from "./consoles";
import { kilonewtons, millimetres, millimetresPerSecond, words } from "./format";
import { downIcon, upIcon } from "./icons";
import { endStop, part, Throttle, within } from "./scales";
import { theme } from "./theme";

const SOURCE = "panel";
const TRAVEL = 44; // of the knob, in units of its drawing

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
  @query(".lever > svg") private plate!: SVGSVGElement | null;
  @query(".knob") private knob!: SVGElement | null;
  @query(".shaft") private shaft!: SVGElement | null;
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
    if (this.knob && this.shaft && this.lever) {
      this.knob.style.transform = `translateY(${(-TRAVEL * value).toFixed(2)}px)`;
      this.shaft.style.transform = `scaleY(${(-value).toFixed(3)})`;
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
        aria-label="${name}: ${word}"
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
    const travel = TRAVEL * (this.plate?.getScreenCTM()?.d ?? 1);
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

  static override styles = [
    theme,
    css`
      :host {
        display: block;
        min-width: 0;
      }
      .cell {
        height: 100%;
        padding: 0.35rem 0.45rem 0.4rem;
        background: var(--panel);
        border: 1px solid var(--line);
        border-radius: var(--radius);
        display: grid;
        gap: 0.2rem 0.4rem;
      }
      .cell.by-lever {
        grid-template: auto minmax(8.9rem, 1fr) auto / 1fr 2.6rem;
      }
      .cell[data-up],
      .cell[data-down] {
        border-color: var(--accent);
      }
      h3 {
        grid-column: 1 / -1;
        font-size: 0.94rem;
        font-weight: 600;
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      .lever {
        position: relative;
        touch-action: none;
        user-select: none;
        cursor: grab;
        background: var(--sunken);
        border: 1px solid #000;
        box-shadow: inset 0 0 0.6rem #000;
        border-radius: var(--radius);
        display: grid;
        align-content: space-between;
        min-height: 0;
      }
      .lever[aria-disabled="true"] {
        cursor: default;
        opacity: 0.45;
      }
      .lever[data-held] {
        cursor: grabbing;
      }
      .lever svg {
        position: absolute;
        inset: 1.6rem 0;
        width: 100%;
        height: calc(100% - 3.2rem);
      }
      .way {
        justify-self: center;
        font-size: 0.8rem;
        color: var(--dim);
        padding: 0.15rem 0;
        white-space: nowrap;
        pointer-events: none;
      }
      [data-up] .way.up,
      [data-down] .way.down {
        color: var(--accent);
      }
      [data-up] .ring,
      [data-down] .ring {
        stroke: var(--accent);
      }
      .stroke {
        display: grid;
        min-height: 0;
        min-width: 0;
      }
      .by-lever .stroke {
        grid-template: auto 1fr auto / 1fr;
        justify-items: center;
      }
      .bound {
        font-size: 0.78rem;
        color: var(--dim);
        padding: 0 0.15rem;
        border-radius: 0.15rem;
      }
      [data-stop="upper"] .bound.upper,
      [data-stop="lower"] .bound.lower {
        background: var(--accent);
        color: var(--on-accent);
        font-weight: 700;
      }
      .by-lever input[type="range"] {
        writing-mode: vertical-lr;
        direction: rtl;
        width: 1.9rem;
        height: 100%;
        min-height: 0;
      }
      .stroke input[type="range"] {
        --part: 0;
        --at: calc(0.25rem + var(--part) * (100% - 0.5rem));
        --way: to right;
      }
      .by-lever .stroke input[type="range"] {
        --way: to top;
      }
      .stroke input[type="range"]::-webkit-slider-runnable-track {
        width: 0.75rem;
        height: 100%;
        border-radius: 0.12rem;
        border: 1px solid #000;
        background: linear-gradient(var(--way), var(--steel) var(--at), var(--raised-2) var(--at));
      }
      .stroke input[type="range"]::-moz-range-track {
        width: 0.75rem;
        height: 100%;
        border-radius: 0.12rem;
        background: linear-gradient(var(--way), var(--steel) var(--at), var(--raised-2) var(--at));
      }
      .stroke input[type="range"]::-webkit-slider-thumb {
        width: 1.7rem;
        height: 0.5rem;
        margin: 0 0 0 -0.5rem;
        border-radius: 0.12rem;
        background: var(--ink);
      }
      .stroke input[type="range"]::-moz-range-thumb {
        width: 1.7rem;
        height: 0.5rem;
        border-radius: 0.12rem;
        background: var(--ink);
      }
      .stroke input[data-target]::-webkit-slider-thumb {
        background: var(--accent);
      }
      .stroke input[data-target]::-moz-range-thumb {
        background: var(--accent);
      }
      .numbers {
        grid-column: 1 / -1;
        display: grid;
        gap: 0.05rem;
        font-size: 0.9rem;
        white-space: nowrap;
      }
      .line {
        display: flex;
        justify-content: space-between;
        align-items: center;
        gap: 0.2rem;
        min-height: 1.15rem;
      }
      .line:first-child {
        min-height: 1.45rem;
      }
      .numbers b {
        font-weight: 600;
      }
      .length {
        font-size: 1.1rem;
      }
      .float {
        height: 1.45rem;
        padding: 0 0.3rem;
        font-size: 0.78rem;
      }
      .cell.by-buttons {
        grid-template-columns: 1fr;
        gap: 0.3rem;
        padding: 0.45rem 0.55rem 0.55rem;
      }
      .by-buttons .stroke {
        grid-template-columns: auto 1fr auto;
        align-items: center;
        gap: 0.3rem;
      }
      .by-buttons .bound.upper {
        order: 3;
      }
      .by-buttons .bound.lower {
        order: 1;
      }
      .by-buttons input[type="range"] {
        order: 2;
        width: 100%;
      }
      .by-buttons .stroke input[type="range"]::-webkit-slider-runnable-track {
        width: 100%;
        height: 0.75rem;
      }
      .by-buttons .stroke input[type="range"]::-moz-range-track {
        width: 100%;
        height: 0.75rem;
      }
      .by-buttons .stroke input[type="range"]::-webkit-slider-thumb {
        width: 0.5rem;
        height: 1.5rem;
        margin: -0.4rem 0 0;
      }
      .by-buttons .stroke input[type="range"]::-moz-range-thumb {
        width: 0.5rem;
        height: 1.5rem;
      }
      .runs {
        display: grid;
        grid-template-columns: 1fr 1fr;
        gap: 0.4rem;
      }
      .run {
        height: var(--run-height, 3.6rem);
        padding: 0.2rem;
        display: grid;
        justify-items: center;
        align-content: center;
        grid-template-columns: auto auto;
        justify-content: center;
        gap: 0.1rem 0.35rem;
        touch-action: none;
        background: linear-gradient(#333d44, #232a2f);
        border: 1px solid #000;
        box-shadow:
          inset 0 1px 0 #56636c,
          0 2px 0 #000;
      }
      .run svg {
        grid-column: 1 / -1;
      }
      [data-up] .run.plus,
      [data-down] .run.minus {
        background: var(--accent);
        color: var(--on-accent);
        box-shadow: none;
        transform: translateY(2px);
      }
    `,
  ];
}

const cap = (label: string): TemplateResult | typeof nothing =>
  label === "" ? nothing : html`<kbd>${label}</kbd>`;

/** A lever in its gate: the boot in the middle, the shaft from there to the knob. */
const drawing = html`<svg viewBox="-33 -60 66 120" aria-hidden="true">
  <defs>
    <radialGradient id="ball" cx="0.38" cy="0.3" r="0.8">
      <stop offset="0" stop-color="#6d767c" />
      <stop offset="0.35" stop-color="#2b3135" />
      <stop offset="1" stop-color="#0b0d0e" />
    </radialGradient>
    <linearGradient id="steel">
      <stop offset="0" stop-color="#59646b" />
      <stop offset="0.4" stop-color="#d4dce0" />
      <stop offset="1" stop-color="#59646b" />
    </linearGradient>
    <linearGradient id="plate" x2="0" y2="1">
      <stop offset="0" stop-color="#2b3237" />
      <stop offset="1" stop-color="#1b2024" />
    </linearGradient>
  </defs>
  <rect x="-30" y="-57" width="60" height="114" rx="5" fill="url(#plate)" stroke="#3a444a" />
  <rect x="-8" y="-51" width="16" height="102" rx="8" fill="#050607" stroke="#000" />
  <g stroke="#6b7880" stroke-width="1.2">
    <path d="M-24 -44h9M15 -44h9M-21 -22h6M15 -22h6M-21 22h6M15 22h6M-24 44h9M15 44h9" />
    <path d="M-26 0h11M15 0h11" stroke="#c6d0d5" stroke-width="1.6" />
  </g>
  <g fill="none" stroke="#30383d" stroke-width="2.4">
    <ellipse rx="15" ry="13" fill="#101315" />
    <ellipse rx="11" ry="9.5" fill="#15191b" />
  </g>
  <rect class="shaft" x="-4.5" y="0" width="9" height="${TRAVEL}" fill="url(#steel)" />
  <g class="knob">
    <ellipse cx="0" cy="3" rx="16.5" ry="16" fill="#000" opacity="0.55" />
    <circle r="15.5" fill="url(#ball)" />
    <circle class="ring" r="15.5" fill="none" stroke="#4b565d" stroke-width="1.6" />
  </g>
</svg>`;

/** Write text only where it differs: the page is not laid out for nothing. */
export function put(element: Element | null, words: string): void {
  if (element && element.textContent !== words) element.textContent = words;
}
