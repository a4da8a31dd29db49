/** Small numbers in a corner of the picture: how fast all goes, and where the energy is. */

import { css, html, LitElement, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { Frame } from "../protocol/frame";
import { COLUMN, FLAGS } from "../protocol/generated";
import type { Facts } from "../state/store";
import { text } from "../text";
import type { ViewLike } from "./app";
import { energy, fixed } from "./format";
import { put } from "./group";
import { Pace } from "./scales";
import { theme } from "./theme";

type Row = readonly [id: string, label: string];

const ROWS: readonly Row[] = [
  ["fps", text.fps],
  ["calls", text.calls],
  ["script", text.script],
  ["step", text.stepTime],
  ["pace", text.realTime],
  ["latency", text.latency],
  ["overruns", text.overruns],
  ["people", text.people],
];
/** What is left where there is little room. */
const FEW = ["fps", "step", "pace"];
const ENERGY: readonly Row[] = [
  ["kinetic", text.kinetic],
  ["potential", text.potential],
  ["lost", text.unaccounted],
];

@customElement("hf-readouts")
export class ReadoutsPart extends LitElement {
  @property({ type: Boolean }) dynamics = false;
  /** One line of few numbers, which leaves the mirrors beside the seat free. */
  @property({ type: Boolean, reflect: true }) narrow = false;

  private pace = new Pace();

  paint(frame: Frame | null, facts: Facts, view: ViewLike | null): void {
    const { status } = facts;
    const stats = view?.stats();
    this.put("fps", stats ? `${fixed(stats.fps, 0)} /s` : "–");
    this.put("calls", stats ? String(stats.calls) : "–");
    this.put("script", stats ? `${fixed(stats.script, 2)} ms` : "–");
    this.put("latency", facts.latency > 0 ? `${fixed(facts.latency, 0)} ms` : "–");
    this.put("people", status ? `${status.operators}, ${status.viewers}` : "–");
    if (!frame) return;
    const step = fixed(frame.stepTime * 1e3, 2);
    this.put("step", status ? `${step} / ${fixed(status.step * 1e3, 2)} ms` : `${step} ms`);
    if (frame.flags & FLAGS.PAUSED) this.pace.clear();
    const pace = this.pace.take(performance.now(), frame.time);
    this.put("pace", Number.isFinite(pace) ? `${fixed(pace, 2)}×` : "–");
    this.put("overruns", String(frame.overruns));
    if (!this.dynamics) return;
    this.put("kinetic", energy(frame.energy[COLUMN.energy.kinetic] ?? NaN));
    this.put("potential", energy(frame.energy[COLUMN.energy.potential] ?? NaN));
    this.put("lost", energy(frame.energy[COLUMN.energy.unaccounted] ?? NaN));
  }

  override render(): TemplateResult {
    const all = this.dynamics ? [...ROWS, ...ENERGY] : ROWS;
    const rows = this.narrow ? all.filter(([id]) => FEW.includes(id)) : all;
    return html`<dl aria-label=${text.readouts}>
      ${rows.map(
        ([id, label]) =>
          html`<dt>${label}</dt>
            <dd id=${id} data-testid="readout-${id}">–</dd>`,
      )}
    </dl>`;
  }

  private put(id: string, words: string): void {
    put(this.renderRoot.querySelector(`#${id}`), words);
  }

  static override styles = [
    theme,
    css`
      :host {
        display: block;
      }
      dl {
        margin: 0;
        padding: 0.4rem 0.6rem;
        display: grid;
        grid-template-columns: auto auto;
        gap: 0.05rem 0.9rem;
        font-size: 0.85rem;
        background: var(--ground);
        border-radius: var(--radius);
      }
      :host([narrow]) dl {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        min-height: 1.95rem;
        padding: 0 0.6rem;
        gap: 0 0.4rem;
      }
      :host([narrow]) dd {
        min-width: 3.4rem;
        text-align: left;
      }
      dt {
        color: var(--dim);
      }
      dd {
        margin: 0;
        text-align: right;
        min-width: 6.2rem;
      }
    `,
  ];
}
