/** The form that makes via points for cutting a cross-section. */

import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { fixed } from "../../panels/format";
import { theme } from "../../panels/theme";
import type { Overlay } from "../../scene/overlay";
import { words } from "../../text/tools/path";
import { toolStyles } from "../tool";

/** What the study needs [m]; `overlap` is a part of the diameter. */
export interface CutRequest {
  link: string;
  width: number;
  wall: number;
  rise: number;
  depth: number;
  diameter: number;
  overlap: number;
  margin: number;
  floor: number;
  centre: number;
  contour: boolean;
}

/** What it tells. */
export interface CutFacts {
  link: string;
  via: [number, number, number][];
  rows: number;
  spacing: number;
  way: number;
  covered: number;
  left_out: [number, number, number][];
}

const FIELDS = [
  "width",
  "wall",
  "rise",
  "depth",
  "diameter",
  "overlap",
  "margin",
  "floor",
  "centre",
] as const;
type Field = (typeof FIELDS)[number];

/** Numbers to begin with: the roadway's own section, the link where it is and as wide as it is. */
export function suggested(
  overlay: Overlay | null,
  link: string,
  ahead: number,
): Record<Field, number> {
  const around = overlay?.surroundings;
  const roadway = around?.roadway;
  const box = overlay?.box(link);
  const wide = box ? box.max.y - box.min.y : 0;
  const round = (value: number): number => Number(value.toFixed(2));
  return {
    width: round(2 * (roadway?.half ?? 2)),
    wall: round(roadway?.wall ?? 1.8),
    rise: round(roadway?.rise ?? 1.4),
    depth: round(ahead),
    diameter: wide > 0.05 ? round(wide) : 1,
    overlap: 20,
    margin: 0.05,
    floor: round(around?.origin.z ?? 0),
    centre: round(roadway ? around!.origin.y : box ? 0.5 * (box.min.y + box.max.y) : 0),
  };
}

@customElement("hf-cut")
export class CutPart extends LitElement {
  @property() link = "";
  @property({ attribute: false }) overlay: Overlay | null = null;
  /** Where the link is, ahead [m]. */
  @property({ type: Number }) ahead = 0;
  @property({ attribute: false }) facts: CutFacts | null = null;
  @property({ type: Boolean }) busy = false;
  @property() failure = "";

  @state() private contour = true;
  @state() private values: Record<Field, number> | null = null;

  private touched = false;
  private seen: unknown = null;

  /** Fields that nobody has typed into follow the link and the roadway. */
  protected override willUpdate(changed: PropertyValues<this>): void {
    const fresh = changed.has("link") || changed.has("overlay") || this.around !== this.seen;
    if (this.touched || !fresh) return;
    this.seen = this.around;
    this.values = suggested(this.overlay, this.link, this.ahead);
  }

  private get around(): unknown {
    return this.overlay?.surroundings ?? null;
  }

  private asked(event: Event): void {
    event.preventDefault();
    const { values } = this;
    if (!values || !FIELDS.every((name) => Number.isFinite(values[name]))) return;
    const detail: CutRequest = {
      ...values,
      overlap: values.overlap / 100,
      link: this.link,
      contour: this.contour,
    };
    this.dispatchEvent(new CustomEvent<CutRequest>("asked", { detail }));
  }

  private typed(name: Field, event: Event): void {
    const value = (event.target as HTMLInputElement).valueAsNumber;
    this.touched = true;
    if (this.values) this.values = { ...this.values, [name]: value };
  }

  override render(): TemplateResult {
    return html`<details data-testid="path-cut">
      <summary class="caption">${words.cut.title}</summary>
      <p class="dim">${words.cut.hint}</p>
      <form @submit=${this.asked}>
        ${FIELDS.map((name) => this.field(name))}
        <label class="check wide">
          <input
            type="checkbox"
            data-testid="cut-contour"
            .checked=${this.contour}
            @change=${(event: Event) => (this.contour = (event.target as HTMLInputElement).checked)}
          />
          ${words.cut.contour}
        </label>
        <button class="wide" data-testid="cut-make" ?disabled=${this.busy}>
          ${words.cut.make}
        </button>
      </form>
      ${this.failure ? html`<p class="warning" data-testid="cut-failure">${this.failure}</p>` : nothing}
      ${this.facts ? this.told(this.facts) : nothing}
    </details>`;
  }

  private field(name: Field): TemplateResult {
    const value = this.values?.[name];
    return html`<label>
      <span class="dim">${words.cut[name]}</span>
      <input
        type="number"
        step="any"
        data-testid="cut-${name}"
        .value=${value === undefined || Number.isNaN(value) ? "" : String(value)}
        @change=${(event: Event) => this.typed(name, event)}
      />
    </label>`;
  }

  private told({ covered, rows, spacing, left_out: out }: CutFacts): TemplateResult {
    const metres = out.reduce((sum, [, right, left]) => sum + left - right, 0);
    return html`<div data-testid="cut-results">
      <p data-testid="cut-covered">
        ${words.cut.covered(fixed(100 * covered, 1), rows, fixed(spacing, 2))}
      </p>
      ${
        out.length
          ? html`<div class="warning" data-testid="cut-left-out">
              ${words.cut.leftOut(out.length, fixed(metres, 2))}
              <ul>
                ${out.map(
                  ([height, right, left]) =>
                    html`<li>
                      ${words.cut.piece(fixed(height, 2), fixed(right, 2), fixed(left, 2))}
                    </li>`,
                )}
              </ul>
            </div>`
          : nothing
      }
    </div>`;
  }

  /** Results that have just come are brought into the window. */
  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has("facts") && this.facts)
      this.renderRoot
        .querySelector("[data-testid=cut-results]")
        ?.scrollIntoView({ block: "nearest" });
  }

  static override styles = [
    theme,
    toolStyles,
    css`
      details {
        display: grid;
        gap: 0.5rem;
      }
      summary {
        cursor: pointer;
      }
      form {
        display: grid;
        grid-template-columns: repeat(3, minmax(0, 1fr));
        gap: 0.5rem;
        margin: 0.5rem 0;
        align-items: end;
      }
      .wide {
        grid-column: 1 / -1;
      }
      .check {
        display: flex;
        align-items: center;
        gap: 0.4rem;
      }
      ul {
        margin: 0.3rem 0 0;
        padding-left: 1.1rem;
        max-height: 7rem;
        overflow: auto;
      }
    `,
  ];
}
