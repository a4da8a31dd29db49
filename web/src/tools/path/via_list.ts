/** The list of via points, and the numbers of the chosen one. */

import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { Euler, Quaternion } from "three";
import { fixed } from "../../panels/format";
import { closeIcon, downIcon, upIcon } from "../../panels/icons";
import { theme } from "../../panels/theme";
import { words } from "../../text/tools/path";
import { toolStyles } from "../tool";
import type { Missed } from "./motion";
import type { Quad, Triple, Via, Vias } from "./vias";

const DEGREES = 180 / Math.PI;
const AXES = ["x", "y", "z"] as const;
const TURNS = ["roll", "pitch", "yaw"] as const;

/** Changes `vias` and tells "changed"; "turning" tells what the handle does. */
@customElement("hf-vias")
export class ViasPart extends LitElement {
  @property({ attribute: false }) vias!: Vias;
  @property({ attribute: false }) list: readonly Via[] = [];
  @property({ type: Number }) chosen = -1;
  @property({ attribute: false }) missed: readonly Missed[] = [];
  @property({ type: Boolean }) oriented = false;
  @property({ type: Boolean }) turning = false;

  private act(change: () => void): void {
    change();
    this.dispatchEvent(new CustomEvent("changed"));
  }

  private turn(detail: boolean): void {
    this.dispatchEvent(new CustomEvent<boolean>("turning", { detail }));
  }

  /** A number of the chosen one was typed. */
  private typed(name: string, value: number): void {
    const via = this.list[this.chosen];
    if (via && Number.isFinite(value)) {
      const changed = withNumber(via, name, value);
      this.act(() => this.vias.put(this.chosen, changed));
    } else this.requestUpdate();
  }

  override render(): TemplateResult {
    const missed = new Set(this.missed.map(({ via }) => via));
    return html`<span class="caption">${words.vias}</span> ${
        this.list.length
          ? html`<ol data-testid="path-vias">
              ${this.list.map((via, n) => this.row(via, n, missed.has(n)))}
            </ol>`
          : html`<p class="dim">${words.none}</p>`
      }
      ${this.editor()}`;
  }

  private row({ position }: Via, n: number, missed: boolean): TemplateResult {
    const chosen = n === this.chosen;
    const last = this.list.length - 1;
    return html`<li data-testid="path-via" ?data-chosen=${chosen} ?data-missed=${missed}>
      <button
        class="name"
        aria-pressed=${chosen}
        aria-label=${words.viaNumber(n + 1)}
        @click=${() => this.act(() => this.vias.choose(chosen ? -1 : n))}
      >
        <b>${n + 1}</b> ${position.map((value) => html`<span>${fixed(value, 3)}</span>`)}
      </button>
      ${this.small(words.up, upIcon, n === 0, () => this.vias.shift(n, -1))}
      ${this.small(words.down, downIcon, n === last, () => this.vias.shift(n, 1))}
      ${this.small(words.remove, closeIcon, false, () => this.vias.remove(n))}
    </li>`;
  }

  private small(name: string, icon: unknown, off: boolean, change: () => void): TemplateResult {
    return html`<button
      class="square"
      title=${name}
      aria-label=${name}
      ?disabled=${off}
      @click=${() => this.act(change)}
    >
      <svg viewBox="0 0 24 24">${icon}</svg>
    </button>`;
  }

  private editor(): TemplateResult | typeof nothing {
    const via = this.list[this.chosen];
    if (!via) return nothing;
    const turned = eulerOf(via);
    return html`<div class="row">
        <span class="caption">${words.viaNumber(this.chosen + 1)}</span>
        ${
          this.oriented
            ? html`<div class="segments" role="group" aria-label=${words.handle}>
                ${this.switch("path-move", words.move, !this.turning, () => this.turn(false))}
                ${this.switch("path-turn", words.turn, this.turning, () => this.turn(true))}
              </div>`
            : nothing
        }
      </div>
      <div class="fields">
        ${AXES.map((name, n) => this.field(name, `${name} [m]`, via.position[n]!.toFixed(3)))}
        ${
          this.oriented
            ? TURNS.map((name, n) => {
                const degrees = (DEGREES * turned[AXES[n]!]).toFixed(1);
                return this.field(name, `${words[name]} [°]`, degrees);
              })
            : nothing
        }
      </div>`;
  }

  private field(name: string, label: string, value: string): TemplateResult {
    return html`<label>
      <span class="dim">${label}</span>
      <input
        type="number"
        step="any"
        data-testid="path-${name}"
        .value=${value}
        @change=${(event: Event) =>
          this.typed(name, (event.target as HTMLInputElement).valueAsNumber)}
      />
    </label>`;
  }

  private switch(id: string, name: string, on: boolean, act: () => void): TemplateResult {
    return html`<button data-testid=${id} aria-pressed=${on} @click=${act}>${name}</button>`;
  }

  static override styles = [
    theme,
    toolStyles,
    css`
      :host {
        gap: 0.45rem;
      }
      ol {
        list-style: none;
        margin: 0;
        padding: 0;
        display: grid;
        gap: 0.2rem;
        max-height: 12rem;
        overflow: auto;
        scrollbar-width: thin;
      }
      li {
        display: grid;
        grid-template-columns: minmax(0, 1fr) auto auto auto;
        gap: 0.2rem;
      }
      li button {
        height: 1.7rem;
      }
      li .square {
        width: 1.7rem;
      }
      .name {
        display: grid;
        grid-template-columns: 2rem repeat(3, minmax(0, 1fr));
        text-align: right;
        padding: 0 0.5rem;
        align-items: center;
      }
      .name b {
        text-align: left;
        color: var(--dim);
      }
      li[data-missed] .name {
        border-color: #ff5a4a;
        color: #ff9a90;
      }
      .fields {
        display: grid;
        grid-template-columns: repeat(3, minmax(0, 1fr));
        gap: 0.5rem;
      }
    `,
  ];
}

/** A via point with another x, y, z [m], roll, pitch or yaw [°]. */
export function withNumber(via: Via, name: string, value: number): Via {
  const axis = AXES.indexOf(name as "x");
  if (axis >= 0) {
    const position = [...via.position] as Triple;
    position[axis] = value;
    return { ...via, position };
  }
  const turned = eulerOf(via);
  turned[AXES[TURNS.indexOf(name as "roll")]!] = value / DEGREES;
  const { w, x, y, z } = new Quaternion().setFromEuler(turned);
  return { ...via, quaternion: [w, x, y, z] satisfies Quad };
}

/** Roll, pitch and yaw of a via point, about the world's axes [rad]. */
function eulerOf({ quaternion }: Via): Euler {
  const [w, x, y, z] = quaternion ?? [1, 0, 0, 0];
  return new Euler().setFromQuaternion(new Quaternion(x, y, z, w), "ZYX");
}
