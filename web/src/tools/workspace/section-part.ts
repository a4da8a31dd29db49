/** The roadway's cross-section: what of it the head can cut from here, laid over the picture. */

import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { fixed } from "../../panels/format";
import { theme } from "../../panels/theme";
import { subjectOf } from "../../state/selection";
import { words } from "../../text/tools/workspace";
import { Study } from "../study";
import { ToolPart, toolStyles } from "../tool";
import { factsOf, type Border, type SectionFacts } from "./facts";
import { begin, progressStyles, renderEntry, renderProgress } from "./progress";
import { PAINTS, profile, SectionPicture } from "./section";

const CELL = 0.04; // [m]
const FARTHEST = 12; // before the face [m]

@customElement("hf-section")
export class SectionPart extends ToolPart {
  /** The link that carries the head. */
  @property() link = "";

  @state() private chosen = Number.NaN;
  @state() private overbreak = true;
  @state() private facts: SectionFacts | null = null;
  @state() private trouble = "";

  private study: Study | null = null;
  private subject = "";
  private shown = 0;
  private picture: SectionPicture | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    const study = new Study(this.bench.store, "section", () => this.heard());
    this.study = study;
    this.until(() => {
      if (study.running) void study.cancel().catch(() => undefined);
      study.dispose();
      this.clear();
    });
  }

  protected override willUpdate(): void {
    const { scene } = this.bench.store.facts;
    const subject = subjectOf(this.bench.store.facts);
    if (!scene || subject === this.subject) return;
    this.clear();
    if (this.subject && this.study?.running) void this.study.cancel().catch(() => undefined);
    this.subject = subject;
    this.chosen = Number.NaN;
  }

  /** Where the section lies: as was chosen, at first where the link is [m before the face]. */
  private get distance(): number {
    if (Number.isFinite(this.chosen)) return this.chosen;
    const { view } = this.bench;
    const place = view?.worldMatrix(this.link);
    const roadway = view?.roadway;
    if (!place || !roadway) return 0;
    const [x, y, z] = place.slice(12, 15);
    const ahead = view!.overlay.group.localToWorld(roadway.origin.clone().set(x!, y!, z!)).x;
    return Math.min(FARTHEST, Math.max(0, roadway.origin.x - ahead));
  }

  private start(): void {
    const { view } = this.bench;
    const roadway = view?.roadway;
    if (!view || !roadway) return;
    const field = this.renderRoot.querySelector<HTMLInputElement>("input[name=radius]");
    const radius = field?.value ? field.valueAsNumber : null;
    this.chosen = this.distance;
    const request = {
      link: this.link,
      ...profile(roadway, this.chosen, view.overlay.group.quaternion),
      radius,
      cell: CELL,
      overbreak: this.overbreak,
    };
    void begin(this.study!, request, () => this.requestUpdate());
  }

  private heard(): void {
    this.requestUpdate();
    const told = this.study?.told;
    if (told?.state === "done" && told.number !== this.shown) void this.load(told.number);
  }

  private async load(number: number): Promise<void> {
    const { scene } = this.bench.store.facts;
    const { subject } = this;
    const facts = factsOf<SectionFacts>(this.study?.told ?? null, scene?.machine.name ?? "");
    const { view } = this.bench;
    if (!facts || !view) return;
    this.shown = number;
    try {
      const [cells, told] = await Promise.all(
        ["section.bin", "section.json"].map(async (name) => {
          const answer = await fetch(`study/${number}/${name}`);
          if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
          return answer;
        }),
      );
      const bytes = new Uint8Array(await cells!.arrayBuffer());
      const { outline, border } = (await told!.json()) as {
        outline: [number, number][];
        border: Border;
      };
      if (number !== this.shown || this.subject !== subject || !this.isConnected) return;
      this.clear();
      this.shown = number;
      this.facts = facts;
      this.picture = new SectionPicture(view.overlay, facts, bytes, outline, border);
      this.reveal("section-results");
    } catch (error) {
      this.trouble = error instanceof Error ? error.message : String(error);
    }
  }

  private clear(): void {
    this.picture?.dispose();
    this.picture = null;
    this.facts = null;
    this.shown = 0;
    this.trouble = "";
  }

  override render(): TemplateResult | typeof nothing {
    if (!this.study) return nothing;
    const { facts } = this;
    const title = html`<h3 class="caption" data-testid="section-title">${words.section}</h3>`;
    if (!this.bench.view?.roadway)
      return html`${title}
        <p class="dim">${words.noRoadway}</p>`;
    return html`${title}
      <p class="dim">${words.sectionHint}</p>
      <label class="slider">
        <span class="dim">${words.before}</span>
        <input
          type="range"
          min="0"
          max=${FARTHEST}
          step="0.05"
          data-testid="section-before"
          .value=${String(this.distance)}
          @input=${(event: Event) => (this.chosen = (event.target as HTMLInputElement).valueAsNumber)}
        />
        <span>${fixed(this.distance, 2)} m</span>
      </label>
      <div class="row">
        <label class="radius">
          <span class="dim">${words.radius}</span>
          <input
            type="number"
            name="radius"
            min="0"
            max="20"
            step="any"
            placeholder=${words.described}
            data-testid="section-radius"
          />
        </label>
        <label class="check">
          <input
            type="checkbox"
            data-testid="section-overbreak"
            .checked=${this.overbreak}
            @change=${(event: Event) =>
              (this.overbreak = (event.target as HTMLInputElement).checked)}
          />
          ${words.overbreak}
        </label>
      </div>
      <div class="row">
        <button
          class="primary"
          data-testid="section-start"
          ?disabled=${this.study.running || !this.operates}
          @click=${this.start}
        >
          ${words.cut}
        </button>
        ${
          facts
            ? html`<button data-testid="section-clear" @click=${() => this.clear()}>
                ${words.clear}
              </button>`
            : nothing
        }
      </div>
      ${renderProgress(this.study, "section")}
      ${this.trouble ? html`<p class="warning">${words.failed(this.trouble)}</p>` : nothing}
      ${facts ? this.renderFacts(facts) : nothing}`;
  }

  private renderFacts(facts: SectionFacts): TemplateResult {
    const percent = fixed(100 * facts.fraction, 1);
    const names = [words.standing, words.reached, words.middle];
    return html`<div data-testid="section-results">
      <p data-testid="section-fraction">
        <strong>${words.fraction(percent, fixed(facts.area, 1))}</strong>
      </p>
      <ul class="legend">
        ${names.map((name, i) => renderEntry(PAINTS[i + 1]!, name))}
      </ul>
    </div>`;
  }

  static override styles = [
    theme,
    toolStyles,
    progressStyles,
    css`
      .slider {
        grid-template-columns: auto 1fr 4.5rem;
        align-items: center;
        gap: 0.6rem;
      }
      .slider span:last-child {
        text-align: right;
      }
      .radius input {
        width: 9rem;
      }
    `,
  ];
}
