/** A planned path: its plots, where it is played, and what plays it. */

import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { fixed, words as plain } from "../../panels/format";
import { playIcon, stopIcon } from "../../panels/icons";
import { theme } from "../../panels/theme";
import type { MachineInfo, Played } from "../../protocol/generated";
import { text } from "../../text";
import { words } from "../../text/tools/path";
import { toolStyles, type Bench } from "../tool";
import { drives } from "../../state/motors";
import { cylinderColor } from "./colors";
import { movingCylinders, type Motion, type PathFacts } from "./motion";
import { HIGH, linePath, plotContent, swatch, WIDE, type Line } from "./plot";

const RATES = [0.1, 0.25, 0.5, 1];
const LAST = 0.15; // [s] before the end at which a path that is over was played to the end

/** Where a path is that is played, at a simulated time [s]; null on the way to its start. */
export function momentOf({ start, begun, speed }: Played, time: number): number | null {
  return begun === null ? null : start + (time - begun) * speed;
}

@customElement("hf-player")
export class PlayerPart extends LitElement {
  @property({ attribute: false }) bench!: Bench;
  @property({ attribute: false }) motion!: Motion;
  @property({ attribute: false }) facts!: PathFacts;
  /** Of the study. */
  @property({ type: Number }) number = 0;
  @property({ attribute: false }) machine!: MachineInfo;
  /** What is played now, of whatever study. */
  @property({ attribute: false }) playing: Played | null = null;

  @state() private rate = 1;
  @state() private start = 0;
  @state() private ended = "";

  private lines: { lengths: Line[]; speeds: Line[] } = { lengths: [], speeds: [] };
  private moment: number | null = null;
  private drawn: Motion | null = null;

  /** This path is played. */
  private get mine(): Played | null {
    return this.playing?.number === this.number ? this.playing : null;
  }

  /** Where the cursor stands at a frame's time [s]. */
  cursor(time: number): number {
    if (this.mine) this.moment = momentOf(this.mine, time);
    return this.mine ? (this.moment ?? this.start) : this.start;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (this.motion !== this.drawn) {
      this.drawn = this.motion;
      this.start = 0;
      this.ended = "";
      this.lines = this.draw();
    }
    const before = changed.get("playing");
    if (before?.number === this.number && !this.playing) this.over();
  }

  private over(): void {
    const { moment, facts } = this;
    const presence = this.bench.store.facts.status?.presence ?? "";
    if (moment === null)
      this.ended = presence ? words.stoppedBy(text.presence[presence]) : words.notReached;
    else {
      const done = moment > facts.duration - LAST;
      const why = presence ? words.stoppedBy(text.presence[presence]) : words.stopped;
      this.ended = done ? words.done : why;
      this.start = done ? 0 : Math.min(moment, facts.duration);
    }
    this.moment = null;
  }

  /** A frame's time [s]: move the cursor. */
  paint(time: number): void {
    const { mine } = this;
    const cursor = this.cursor(time);
    const x = (WIDE * Math.min(1, cursor / this.facts.duration)).toFixed(1);
    for (const line of this.renderRoot.querySelectorAll("line.cursor")) {
      line.setAttribute("x1", x);
      line.setAttribute("x2", x);
    }
    const shown = this.renderRoot.querySelector("[data-testid=path-time]");
    if (shown)
      shown.textContent =
        mine && this.moment === null
          ? words.toStart
          : words.atTime(fixed(cursor, 1), fixed(this.facts.duration, 1));
  }

  private draw(): { lengths: Line[]; speeds: Line[] } {
    const { motion, facts, machine } = this;
    const leads = new Map(drives(machine).map((drive) => [drive.number, drive]));
    const shown = movingCylinders(motion).filter((i) => leads.has(i));
    const make = (value: (row: number, i: number) => number, low: number): Line[] =>
      shown.map((i) => ({
        color: cylinderColor(i),
        name: leads.get(i)!.name,
        path: linePath(motion, (row) => value(row, i), low, 1),
      }));
    const at = (row: number, i: number): number => row * motion.cylinders + i;
    return {
      lengths: make((row, i) => {
        const { lower, upper } = leads.get(i)!;
        return (motion.lengths[at(row, i)]! - lower) / (upper - lower);
      }, 0),
      speeds: make((row, i) => motion.speeds[at(row, i)]! / facts.limits[i]!, -1),
    };
  }

  private play(): void {
    this.ended = "";
    const { number, rate, facts } = this;
    const start = this.start < facts.duration - LAST ? this.start : 0;
    this.bench.store.send({ type: "play", number, speed: rate, start });
  }

  /** The place of a plot that is pointed at is where playing starts. */
  private seek(event: PointerEvent): void {
    if (event.buttons !== 1 || this.mine) return;
    const box = (event.currentTarget as SVGElement).getBoundingClientRect();
    const part = Math.min(1, Math.max(0, (event.clientX - box.left) / Math.max(1, box.width)));
    this.start = part * this.facts.duration;
    this.ended = "";
  }

  private stepped(event: KeyboardEvent): void {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by === undefined || this.mine) return;
    event.preventDefault();
    event.stopPropagation();
    const { duration } = this.facts;
    this.start = Math.min(duration, Math.max(0, this.start + 0.02 * by * duration));
  }

  override render(): TemplateResult {
    return html`${this.plot("lengths", this.machine.motors.some(({ servo }) => servo) ? words.positions : words.lengths, [0.5 * HIGH])}
      ${this.plot("speeds", words.speeds, [0.5 * HIGH])}
      <p class="legend">
        ${this.lines.lengths.map(
          ({ color, name }) => html`<span>${swatch(color)} ${plain(name)}</span>`,
        )}
      </p>
      <div class="row">${this.buttons()}</div>
      ${this.ended ? html`<p class="dim" data-testid="path-ended">${this.ended}</p>` : nothing}`;
  }

  private buttons(): TemplateResult {
    const { mine } = this;
    const seat = this.bench.store.hasSeat;
    return html`${
        mine
          ? html`<button
              data-testid="path-stop"
              @click=${() => this.bench.store.send({ type: "stop_playing" })}
            >
              <svg viewBox="0 0 24 24">${stopIcon}</svg> ${words.stop}
            </button>`
          : html`<button
              class="primary"
              data-testid="path-play"
              ?disabled=${!seat}
              title=${seat ? words.play : words.noSeat}
              @click=${this.play}
            >
              <svg viewBox="0 0 24 24">${playIcon}</svg> ${words.play}
            </button>`
      }
      <select
        aria-label=${words.rate}
        data-testid="path-rate"
        ?disabled=${mine !== null}
        @change=${(event: Event) => (this.rate = Number((event.target as HTMLSelectElement).value))}
      >
        ${RATES.map(
          (rate) => html`<option value=${rate} ?selected=${rate === this.rate}>${rate} ×</option>`,
        )}
      </select>
      <span data-testid="path-time"></span>`;
  }

  private plot(kind: "lengths" | "speeds", title: string, level: number[]): TemplateResult {
    return html`<figure>
      <figcaption class="dim">${title}</figcaption>
      <svg
        class="plot"
        role="slider"
        tabindex="0"
        aria-label=${title}
        aria-valuemin="0"
        aria-valuemax=${this.facts.duration}
        aria-valuenow=${this.start}
        data-testid="path-${kind}"
        viewBox="0 0 ${WIDE} ${HIGH}"
        preserveAspectRatio="none"
        @pointerdown=${this.seek}
        @pointermove=${this.seek}
        @keydown=${this.stepped}
      >
        ${plotContent(this.motion, this.lines[kind], level)}
      </svg>
    </figure>`;
  }

  static override styles = [
    theme,
    toolStyles,
    css`
      figure {
        margin: 0;
        display: grid;
        gap: 0.15rem;
      }
      .plot {
        width: 100%;
        height: 5.4rem;
        background: #12171a;
        border: 1px solid var(--line);
        border-radius: var(--radius);
        cursor: col-resize;
        touch-action: none;
      }
      .plot path {
        fill: none;
        stroke-width: 1.6;
        vector-effect: non-scaling-stroke;
      }
      .plot line {
        vector-effect: non-scaling-stroke;
      }
      .grid {
        stroke: var(--line);
      }
      .via {
        stroke: var(--dim);
      }
      .cursor {
        stroke: #fff;
        stroke-width: 1.4;
      }
      .legend {
        display: flex;
        flex-wrap: wrap;
        gap: 0.15rem 0.8rem;
        font-size: 0.85rem;
      }
      .legend svg {
        width: 0.9rem;
        height: 0.25rem;
        vertical-align: 0.2rem;
      }
    `,
  ];
}
