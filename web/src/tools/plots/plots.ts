/** Plots of everything that frames tell: live, scrollable, to be taken away as numbers or picture. */

import {
  css,
  html,
  nothing,
  type PropertyValues,
  type SVGTemplateResult,
  type TemplateResult,
  unsafeCSS,
} from "lit";
import { customElement, query, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import uplotStyles from "uplot/dist/uPlot.min.css?inline";
import { clock, fixed, motorWords, words as plain } from "../../panels/format";
import { lessIcon, minusIcon, moreIcon, plusIcon } from "../../panels/icons";
import { theme } from "../../panels/theme";
import { words } from "../../text/tools/plots";
import { fileStem, saveFile } from "../saving";
import { ToolPart, toolStyles } from "../tool";
import { Chart, colourOf } from "./chart";
import { csvOf } from "./csv";
import { pictureOf } from "./picture";
import { type Kind, KINDS, type Quantity, UNITS } from "./quantities";
import { Range, SPANS } from "./range";
import { type Recorder, recorderOf } from "./recorder";
import { drawn } from "./thinning";
import { own } from "../../state/own";

const HEIGHT = 9.5; // of a plot [rem]
const OFTEN = 95; // [ms] between two drawings: about ten times a second

/** A quantity's name for people. */
export function nameOf({ kind, name }: Quantity): string {
  if (kind === "energy" || kind === "computing") return own(words.names, name) ?? name;
  return kind === "turning" || kind === "torque" ? motorWords(name) : plain(name);
}

@customElement("hf-plots")
export class PlotsPart extends ToolPart {
  /** The plots that are shown, from top to bottom. */
  charts: Chart[] = [];

  @state() private choosing = false;
  @query("input[type=range]") private scroller!: HTMLInputElement | null;

  private readonly range = new Range();
  private recorder!: Recorder;
  private drawnOf: readonly Quantity[] = [];
  private drawnAt = -Infinity; // [ms]
  private pointed: number | null = null;
  private observer: ResizeObserver | null = null;
  private watcher: IntersectionObserver | null = null;

  override connectedCallback(): void {
    this.recorder = recorderOf(this.bench.store);
    super.connectedCallback();
    this.observer = new ResizeObserver(() => this.fit());
    this.observer.observe(this);
    this.watcher = new IntersectionObserver((changes) => this.scrolled(changes));
    this.until(() => {
      this.observer?.disconnect();
      this.watcher?.disconnect();
      for (const chart of this.charts) chart.dispose();
      this.charts = [];
    });
  }

  private ofKind(kind: Kind): Quantity[] {
    return this.recorder.quantities.filter((quantity) => quantity.kind === kind);
  }

  private shown(kind: Kind): Quantity[] {
    return this.ofKind(kind).filter(({ id }) => this.recorder.chosen.has(id));
  }

  private kinds(): Kind[] {
    return KINDS.filter((kind) => this.shown(kind).length > 0);
  }

  /** The first and the last moment that are known [s]. */
  private known(): [number, number] {
    const { history } = this.recorder;
    return [history.time(0), history.time(history.length - 1)];
  }

  /** Make the plots anew where what they show has changed. */
  protected override updated(_changed: PropertyValues): void {
    const kinds = this.kinds();
    kinds.forEach((kind, i) => {
      const ids = this.shown(kind).map(({ id }) => id);
      const timed = i === kinds.length - 1;
      const old = this.charts.find((chart) => chart.kind === kind);
      const target = this.renderRoot.querySelector<HTMLElement>(`[data-plot=${kind}]`);
      if (!target) return;
      if (old && old.timed === timed && old.ids.join("\n") === ids.join("\n")) return;
      old?.dispose();
      const chart = new Chart(kind, ids, timed, target, this.size(timed), {
        selected: (from, to) => this.look(() => this.range.show(from, to)),
        zoomed: (factor, about) => this.look(() => this.range.zoom(factor, about)),
        panned: (part) => this.look(() => this.range.pan(part * this.range.span, ...this.known())),
        reset: () => this.look(() => this.range.follow()),
        pointed: (index) => this.point(index),
      });
      this.charts = [...this.charts.filter((other) => other !== old), chart];
      this.watcher?.observe(target);
    });
    for (const chart of this.charts) if (!kinds.includes(chart.kind)) chart.dispose();
    this.charts = kinds.flatMap((kind) => this.charts.filter((chart) => chart.kind === kind));
    this.draw();
  }

  private size(timed: boolean): [number, number] {
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const width = this.renderRoot.querySelector(".plots")?.clientWidth ?? 400;
    return [Math.max(100, width), Math.round(HEIGHT * rem) + (timed ? 24 : 0)];
  }

  private fit(): void {
    for (const chart of this.charts) {
      chart.resize(...this.size(chart.timed));
      chart.drawn = "";
    }
  }

  /** What is scrolled out of the window is not drawn until it comes back. */
  private scrolled(changes: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting } of changes) {
      const chart = this.charts.find(({ plot }) => target.contains(plot.root));
      if (chart) chart.seen = isIntersecting;
    }
    this.draw(true);
  }

  private look(change: () => void): void {
    change();
    this.requestUpdate();
    this.draw(true);
  }

  protected override paint(): void {
    this.draw();
  }

  /**
   * Draw what has changed and can be seen; all of it where a picture is to be saved.
   *
   * No more than about ten times a second, unless a hand has changed what is looked at.
   */
  private draw(atOnce = false, all = false): void {
    const { history, quantities } = this.recorder;
    if (quantities !== this.drawnOf) {
      this.drawnOf = quantities; // another machine
      this.requestUpdate();
      return;
    }
    const moment = performance.now();
    if (document.hidden || (!atOnce && moment - this.drawnAt < OFTEN)) return;
    this.drawnAt = moment;
    const [oldest, newest] = this.known();
    const [from, to] = this.range.between(oldest, newest);
    const time = this.bench.store.frame?.time ?? NaN;
    const now = time < newest ? time : NaN;
    const key = `${history.version} ${from} ${to} ${now}`;
    const stale = this.charts.filter((chart) => (chart.seen || all) && chart.drawn !== key);
    if (stale.length === 0) return;
    const [first, last] = [Math.max(0, history.rowAt(from) - 1), history.rowAt(to) + 1];
    for (const chart of stale) {
      const columns = chart.ids.map((id) => ({
        column: this.recorder.column(id),
        scale: UNITS[chart.kind].scale,
      }));
      const end = Math.min(last, history.length);
      chart.show(drawn(history, columns, first, end, chart.plot.width), from, to, now);
      chart.drawn = key;
    }
    const { scroller } = this;
    if (scroller && !scroller.matches(":active")) {
      scroller.min = String(Math.min(oldest, newest - this.range.span) || 0);
      scroller.max = String(newest - this.range.span || 0);
      scroller.value = String(from);
    }
    this.write();
  }

  private point(index: number | null): void {
    this.pointed = index;
    this.write();
  }

  /** Values beside the names: those at the cursor, else the newest. */
  private write(): void {
    for (const chart of this.charts) {
      const data = chart.plot.data;
      chart.ids.forEach((id, i) => {
        const at = this.pointed ?? data[0].length - 1;
        const value = data[i + 1]?.[at] ?? NaN;
        const cell = this.renderRoot.querySelector(`[data-value="${CSS.escape(id)}"]`);
        const size = Math.abs(value);
        if (cell) cell.textContent = fixed(value, size >= 1000 ? 0 : size >= 10 ? 1 : 3);
      });
    }
    const at = this.renderRoot.querySelector(".moment");
    const time = this.charts[0]?.plot.data[0][this.pointed ?? -1];
    if (at) at.textContent = time === undefined ? "" : words.at(fixed(time, 3));
  }

  private choose(ids: readonly string[], on: boolean): void {
    const chosen = new Set(this.recorder.chosen);
    for (const id of ids) on ? chosen.add(id) : chosen.delete(id);
    this.recorder.chosen = chosen;
    this.requestUpdate();
  }

  /** Rows of the history that are looked at. */
  private rows(): [number, number] {
    const { history } = this.recorder;
    const [from, to] = this.range.between(...this.known());
    return [history.rowAt(from), Math.min(history.length, history.rowAt(to + 1e-9))];
  }

  private fileName(suffix: string): string {
    const [from] = this.rows();
    const start = clock(this.recorder.history.time(from)).replace(":", "-");
    return `${fileStem(this.recorder.machine)}_${start}${suffix}`;
  }

  private saveNumbers(): void {
    const columns = this.kinds()
      .flatMap((kind) => this.shown(kind))
      .map(({ id, kind, name }) => ({
        column: this.recorder.column(id),
        title: `${words.kinds[kind]}: ${name}`,
        unit: UNITS[kind].si,
      }));
    const text = csvOf(this.recorder.history, columns, ...this.rows());
    saveFile(this.fileName(".csv"), new Blob([text], { type: "text/csv;charset=utf-8" }));
  }

  private async savePicture(): Promise<void> {
    this.draw(true, true);
    const parts = this.charts.map(({ kind, plot }) => ({
      title: `${words.kinds[kind]} [${UNITS[kind].shown}]`,
      legend: this.shown(kind).map((quantity, i) => ({
        name: nameOf(quantity),
        colour: colourOf(i),
      })),
      canvas: plot.ctx.canvas,
    }));
    const picture = await pictureOf(plain(this.recorder.machine), parts);
    if (picture) saveFile(this.fileName(".png"), picture);
  }

  override render(): TemplateResult | typeof nothing {
    const { recorder, range } = this;
    if (!this.bench.store.facts.scene || recorder.quantities.length === 0) return nothing;
    const kinds = this.kinds();
    return html`<div class="row">
        <button
          data-testid="plots-follow"
          aria-pressed=${range.follows}
          title=${words.followHint}
          @click=${() => this.look(() => (range.follows ? range.stay() : range.follow()))}
        >
          ${words.follow}
        </button>
        <select
          data-testid="plots-span"
          aria-label=${words.span}
          title=${words.span}
          @change=${(event: Event) => {
            const span = Number((event.target as HTMLSelectElement).value);
            this.look(() => range.follow(span));
          }}
        >
          ${
            (SPANS as readonly number[]).includes(range.span)
              ? nothing
              : html`<option selected>${fixed(range.span, 1)} s</option>`
          }
          ${SPANS.map(
            (span) =>
              html`<option value=${span} ?selected=${span === range.span}>
                ${words.spans(span)}
              </option>`,
          )}
        </select>
        <span class="segments" role="group" aria-label=${words.zoom}>
          ${this.zoomButton("plots-in", plusIcon, words.zoomIn, 0.5)}
          ${this.zoomButton("plots-out", minusIcon, words.zoomOut, 2)}
        </span>
        <span class="push"></span>
        <button data-testid="plots-csv" title=${words.csvHint} @click=${this.saveNumbers}>
          CSV
        </button>
        <button data-testid="plots-png" title=${words.pngHint} @click=${this.savePicture}>
          PNG
        </button>
      </div>
      <input
        type="range"
        step="any"
        data-testid="plots-scroll"
        aria-label=${words.scroll}
        title=${words.scroll}
        @input=${(event: Event) => {
          const from = (event.target as HTMLInputElement).valueAsNumber;
          this.look(() => range.show(from, from + range.span));
        }}
      />
      <div class="plots">
        ${repeat(
          kinds,
          (kind) => kind,
          (kind) =>
            html`<figure>
              <figcaption>
                <b>${words.kinds[kind]} <span class="unit">[${UNITS[kind].shown}]</span></b>
                ${this.shown(kind).map(
                  (quantity, i) =>
                    html`<span class="entry">
                      <i .style=${`background: ${colourOf(i)}`}></i>${nameOf(quantity)}
                      <span class="value" data-value=${quantity.id}></span>
                    </span>`,
                )}
              </figcaption>
              <div data-plot=${kind} data-testid="plot-${kind}"></div>
            </figure>`,
        )}
        ${kinds.length === 0 ? html`<p class="dim">${words.nothing}</p>` : nothing}
        <p class="dim foot"><span>${words.hint}</span> <span class="moment"></span></p>
      </div>
      <button
        data-testid="plots-choose"
        aria-expanded=${this.choosing}
        @click=${() => (this.choosing = !this.choosing)}
      >
        ${words.choose(recorder.chosen.size)}
        <svg viewBox="0 0 24 24" aria-hidden="true">${this.choosing ? lessIcon : moreIcon}</svg>
      </button>
      ${this.choosing ? this.renderChoice() : nothing}`;
  }

  private zoomButton(
    id: string,
    sign: SVGTemplateResult,
    name: string,
    factor: number,
  ): TemplateResult {
    return html`<button
      class="square"
      data-testid=${id}
      aria-label=${name}
      title=${name}
      @click=${() =>
        this.look(() => {
          const [from, to] = this.range.between(...this.known());
          this.range.zoom(factor, (from + to) / 2);
        })}
    >
      <svg viewBox="0 0 24 24" aria-hidden="true">${sign}</svg>
    </button>`;
  }

  private renderChoice(): TemplateResult {
    return html`<div class="choice">
      ${KINDS.filter((kind) => this.ofKind(kind).length > 0).map((kind) => {
        const all = this.ofKind(kind);
        const ids = all.map(({ id }) => id);
        const every = ids.every((id) => this.recorder.chosen.has(id));
        return html`<fieldset>
          <legend>
            <span class="caption">${words.kinds[kind]}</span>
            <button
              class="small"
              data-testid="plots-all-${kind}"
              @click=${() => this.choose(ids, !every)}
            >
              ${every ? words.none : words.all}
            </button>
          </legend>
          ${all.map(
            (quantity) =>
              html`<label title=${quantity.name}>
                <input
                  type="checkbox"
                  data-testid="plots-${quantity.kind}-${quantity.name}"
                  .checked=${this.recorder.chosen.has(quantity.id)}
                  @change=${(event: Event) =>
                    this.choose([quantity.id], (event.target as HTMLInputElement).checked)}
                />
                <span>${nameOf(quantity)}</span>
              </label>`,
          )}
        </fieldset>`;
      })}
    </div>`;
  }

  static override styles = [
    theme,
    toolStyles,
    unsafeCSS(uplotStyles),
    css`
      :host {
        gap: 0.5rem;
      }
      .push {
        flex: 1;
      }
      input[type="range"] {
        width: 100%;
      }
      .plots {
        display: grid;
        gap: 0.3rem;
        min-width: 0;
      }
      figure {
        margin: 0;
        min-width: 0;
      }
      figcaption {
        display: flex;
        flex-wrap: wrap;
        gap: 0 0.7rem;
        font-size: 0.9rem;
      }
      figcaption b {
        flex-basis: 100%;
        font-weight: 600;
      }
      .entry {
        display: inline-flex;
        align-items: center;
        gap: 0.3rem;
        white-space: nowrap;
      }
      .entry i {
        width: 0.8rem;
        height: 0.22rem;
      }
      .value {
        color: var(--dim);
        min-width: 3.4em;
      }
      .foot {
        display: flex;
        justify-content: space-between;
        gap: 1rem;
        font-size: 0.85rem;
      }
      .moment {
        white-space: nowrap;
        color: var(--ink);
      }
      .uplot {
        font-family: inherit;
      }
      .u-select {
        background: #f7c60033;
      }
      .choice {
        display: grid;
        gap: 0.6rem;
      }
      fieldset {
        border: 0;
        margin: 0;
        padding: 0;
        display: grid;
        grid-template-columns: repeat(2, minmax(0, 1fr));
        gap: 0.15rem 0.8rem;
      }
      legend {
        padding: 0;
        margin-bottom: 0.2rem;
        display: flex;
        align-items: center;
        gap: 0.6rem;
      }
      fieldset label {
        display: flex;
        align-items: center;
        gap: 0.4rem;
      }
      input[type="checkbox"] {
        accent-color: var(--accent);
      }
      label span {
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      .small {
        height: 1.5rem;
        padding: 0 0.5rem;
        font-size: 0.85rem;
      }
    `,
  ];
}
