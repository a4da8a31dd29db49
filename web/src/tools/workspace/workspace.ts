/** What a link can reach: computed by the server, shown as a cloud with its boundary. */

import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { degrees, fixed, words as plain } from "../../panels/format";
import { theme } from "../../panels/theme";
import { cutsWith } from "../../state/motors";
import { subjectOf } from "../../state/selection";
import { words } from "../../text/tools/workspace";
import { firstLink, linkOptions } from "../links";
import { saveFile } from "../saving";
import { Study } from "../study";
import { ToolPart, toolStyles } from "../tool";
import { factsOf, readCloud, readSurface, type LegendEntry, type WorkspaceFacts } from "./facts";
import { begin, progressStyles, renderEntry, renderProgress } from "./progress";
import { ReachPicture } from "./reach";
import "./section-part";
import type { Slice } from "./slice";

const SAMPLES = [10_000, 50_000, 200_000, 500_000];
const AXES = ["x", "y", "z"] as const;
const FILES = ["workspace.npz", "workspace.glb"] as const;

/** What a study has left. */
interface Found {
  cloud: ArrayBuffer;
  surface: ArrayBuffer;
  files: readonly string[];
}

@customElement("hf-workspace")
export class WorkspacePart extends ToolPart {
  @state() private link = "";
  @state() private samples = 50_000;
  @state() private facts: WorkspaceFacts | null = null;
  @state() private showsCloud = true;
  @state() private showsSurface = true;
  @state() private slice: Slice | null = null;
  @state() private trouble = "";

  private study: Study | null = null;
  private drawing: Study | null = null;
  /** Somebody waits for the drawing. */
  private awaited = false;
  private subject = "";
  private shown = 0;
  private found: Found | null = null;
  private picture: ReachPicture | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    const study = new Study(this.bench.store, "workspace", () => this.heard());
    this.study = study;
    const drawing = new Study(this.bench.store, "workspace_picture", () => void this.drawn());
    this.drawing = drawing;
    this.until(() => {
      drawing.dispose();
      this.awaited = false;
      if (study.running) void study.cancel().catch(() => undefined);
      study.dispose();
      this.picture?.dispose();
      this.picture = null;
    });
    this.draw();
  }

  /** Another machine: nothing of the old one is shown. */
  protected override willUpdate(): void {
    const { scene } = this.bench.store.facts;
    const subject = subjectOf(this.bench.store.facts);
    if (!scene || subject === this.subject) return;
    this.clear();
    if (this.subject && this.study?.running) void this.study.cancel().catch(() => undefined);
    this.subject = subject;
    this.link = firstLink(scene.machine);
  }

  private heard(): void {
    this.requestUpdate();
    const told = this.study?.told;
    if (told?.state === "done" && told.number !== this.shown) void this.load(told.number);
  }

  /** Fetch what a study has left, and show it. */
  private async load(number: number): Promise<void> {
    const { scene } = this.bench.store.facts;
    const { subject } = this;
    const facts = factsOf<WorkspaceFacts>(this.study?.told ?? null, scene?.machine.name ?? "");
    if (!facts) return;
    const files = this.study?.told?.files ?? [];
    this.shown = number;
    try {
      const [cloud, surface] = await Promise.all(
        ["cloud.bin", "surface.bin"].map(async (name) => {
          const answer = await fetch(`study/${number}/${name}`);
          if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
          return answer.arrayBuffer();
        }),
      );
      if (number !== this.shown || this.subject !== subject || !this.isConnected) return;
      this.clear();
      this.shown = number;
      this.facts = facts;
      this.found = { cloud: cloud!, surface: surface!, files };
      this.draw();
      this.reveal("workspace-results");
    } catch (error) {
      this.trouble = error instanceof Error ? error.message : String(error);
    }
  }

  /** Draw what was found, if anything was. */
  private draw(): void {
    const { facts, found } = this;
    const { view } = this.bench;
    if (!facts || !found || !view) return;
    this.picture = new ReachPicture(
      view.overlay,
      readCloud(found.cloud, facts.samples),
      readSurface(found.surface, facts.surface),
      facts.legend,
    );
    this.show();
  }

  /** Ask for the drawing; `drawn` saves it. */
  private askForDrawing(): void {
    this.awaited = true;
    void begin(this.drawing!, { of: this.shown }, () => this.requestUpdate());
  }

  private async drawn(): Promise<void> {
    this.requestUpdate();
    const { drawing } = this;
    if (!drawing || drawing.told?.state !== "done" || !this.awaited) return;
    this.awaited = false;
    const answer = await fetch(drawing.address("workspace.png"));
    if (answer.ok) saveFile("workspace.png", await answer.blob());
    else this.trouble = `${answer.status} ${answer.statusText}`;
  }

  private clear(): void {
    this.picture?.dispose();
    this.picture = null;
    this.facts = this.found = this.slice = null;
    this.shown = 0;
    this.trouble = "";
  }

  private show(): void {
    if (!this.picture) return;
    this.picture.showsCloud = this.showsCloud;
    this.picture.showsSurface = this.showsSurface;
    this.picture.slice(this.slice);
  }

  private start(event: Event): void {
    event.preventDefault();
    const fields = AXES.map((axis) =>
      this.renderRoot.querySelector<HTMLInputElement>(`input[name=${axis}]`),
    );
    const point = fields.map((field) => (field?.value === "" ? 0 : field!.valueAsNumber));
    if (!point.every(Number.isFinite)) return;
    this.trouble = "";
    const request = { link: this.link, point, samples: this.samples };
    void begin(this.study!, request, () => this.requestUpdate());
  }

  private cutAcross(axis: number): void {
    const [low, high] = this.facts!.box;
    this.slice = axis < 0 ? null : { axis, at: 0.5 * (low[axis]! + high[axis]!) };
    this.show();
  }

  private moveSlice(at: number): void {
    if (!this.slice) return;
    this.slice = { ...this.slice, at };
    this.show();
  }

  override render(): TemplateResult | typeof nothing {
    const { scene } = this.bench.store.facts;
    if (!scene || !this.study) return nothing;
    const running = this.study.running;
    return html`<p class="dim">${words.hint}</p>
      <form @submit=${this.start}>
        <label class="link">
          <span class="caption">${words.link}</span>
          <select
            data-testid="workspace-link"
            @change=${(event: Event) => (this.link = (event.target as HTMLSelectElement).value)}
          >
            ${linkOptions(scene.machine, this.link)}
          </select>
        </label>
        <label class="third">
          <span class="caption">${words.samples}</span>
          <select
            data-testid="workspace-samples"
            @change=${(event: Event) =>
              (this.samples = Number((event.target as HTMLSelectElement).value))}
          >
            ${SAMPLES.map(
              (count) =>
                html`<option value=${count} ?selected=${count === this.samples}>
                  ${count.toLocaleString()}
                </option>`,
            )}
          </select>
        </label>
        <span class="wide dim">${words.point}</span>
        ${AXES.map(
          (axis) =>
            html`<label class="third">
              <span class="dim">${axis}</span>
              <input
                type="number"
                name=${axis}
                step="any"
                placeholder="0"
                data-testid="workspace-${axis}"
              />
            </label>`,
        )}
        <button
          class="primary wide"
          data-testid="workspace-start"
          ?disabled=${running || !this.operates}
        >
          ${words.start}
        </button>
      </form>
      ${this.renderWatching()} ${renderProgress(this.study, "workspace")}
      ${this.trouble ? html`<p class="warning">${words.failed(this.trouble)}</p>` : nothing}
      ${this.facts ? this.renderFacts(this.facts) : nothing}
      ${
        cutsWith(scene.machine, this.link)
          ? html`<hf-section .bench=${this.bench} .link=${this.link}></hf-section>`
          : nothing
      }`;
  }

  private renderFacts(facts: WorkspaceFacts): TemplateResult {
    const [low, high] = facts.box;
    const { method } = facts.surface;
    return html`<div class="results" data-testid="workspace-results">
        <section data-testid="workspace-facts">
          <h3 class="caption">${words.found}: ${plain(facts.link)}</h3>
          ${facts.dimension === 0 ? html`<p class="warning">${words.stays}</p>` : nothing}
          <dl class="figures">
            ${
              facts.measure === null
                ? nothing
                : html`<dt>${words.size[facts.unit]}</dt>
                    <dd data-testid="workspace-size">${fixed(facts.measure, 3)} ${facts.unit}</dd>`
            }
            ${AXES.map(
              (axis, i) =>
                html`<dt>${words.extent(axis)}</dt>
                  <dd>${words.fromTo(fixed(low[i]!, 2), fixed(high[i]!, 2))}</dd>`,
            )}
            <dt>${words.taken}</dt>
            <dd data-testid="workspace-taken">${facts.samples.toLocaleString()}</dd>
          </dl>
          ${facts.missing > 0 ? html`<p class="dim">${words.missing(`${facts.missing}`)}</p>` : nothing}
          ${method === "" && facts.dimension > 0 ? html`<p class="dim">${words.noBoundary}</p>` : nothing}
          ${
            method === "hull" || method === "outline"
              ? html`<p class="dim">${words.rough}</p>`
              : nothing
          }
        </section>
        <section>
          <h3 class="caption">${words.colors}</h3>
          <ul class="legend" data-testid="workspace-legend">
            ${facts.legend.map((entry) => this.entry(entry))}
          </ul>
        </section>
      </div>
      <section>
        <div class="row">
          ${this.check("workspace-cloud", words.cloud, this.showsCloud, (on) => (this.showsCloud = on))}
          ${this.check(
            "workspace-surface",
            words.surface,
            this.showsSurface,
            (on) => (this.showsSurface = on),
          )}
        </div>
      </section>
      ${this.bench.view ? this.renderSlice(facts) : nothing}
      <div class="row">
        <span class="dim">${words.save}</span>
        ${FILES.filter((name) => this.found?.files.includes(name)).map(
          (name) =>
            html`<a
              href="study/${this.shown}/${name}"
              download=${name}
              data-testid="workspace-save-${name.split(".").at(-1)}"
              >.${name.split(".").at(-1)}</a
            >`,
        )}
        <button
          data-testid="workspace-save-png"
          ?disabled=${this.drawing?.running}
          @click=${this.askForDrawing}
        >
          .png
        </button>
        <button data-testid="workspace-clear" @click=${() => this.clear()}>${words.clear}</button>
      </div>
      ${this.drawing ? renderProgress(this.drawing, "drawing") : nothing}`;
  }

  private entry(entry: LegendEntry): TemplateResult {
    return renderEntry(entry.color, this.ending(entry));
  }

  private ending({ end, group, cylinder, upper, servo, unit, length }: LegendEntry): string {
    const name = plain(group || cylinder);
    const place = length ?? Number.NaN;
    if (end === 255) return words.noEnd;
    if (servo)
      return words.atEnd(name, unit === "rad" ? `${degrees(place)}°` : `${fixed(place, 3)} m`);
    return (upper ? words.extended : words.retracted)(name, fixed(place, 3));
  }

  private check(id: string, name: string, on: boolean, set: (on: boolean) => void): TemplateResult {
    return html`<label class="check">
      <input
        type="checkbox"
        data-testid=${id}
        .checked=${on}
        @change=${(event: Event) => {
          set((event.target as HTMLInputElement).checked);
          this.show();
        }}
      />
      ${name}
    </label>`;
  }

  private renderSlice(facts: WorkspaceFacts): TemplateResult {
    const { slice } = this;
    const [low, high] = facts.box;
    const axis = slice?.axis ?? -1;
    return html`<section>
      <h3 class="caption">${words.slice}</h3>
      <div class="segments" role="group" aria-label=${words.slice}>
        ${[-1, 0, 1, 2].map(
          (which) =>
            html`<button
              data-testid="workspace-slice-${AXES[which] ?? "none"}"
              aria-pressed=${which === axis}
              @click=${() => this.cutAcross(which)}
            >
              ${which < 0 ? words.whole : words.across(AXES[which]!)}
            </button>`,
        )}
      </div>
      ${
        slice
          ? html`<label class="slider">
              <input
                type="range"
                min=${low[axis]!}
                max=${high[axis]!}
                step="any"
                data-testid="workspace-slice-at"
                aria-label=${words.across(AXES[axis]!)}
                .value=${String(slice.at)}
                @input=${(event: Event) =>
                  this.moveSlice((event.target as HTMLInputElement).valueAsNumber)}
              />
              <span>${fixed(slice.at, 2)} m</span>
            </label>`
          : nothing
      }
    </section>`;
  }

  static override styles = [
    theme,
    toolStyles,
    progressStyles,
    css`
      form {
        display: grid;
        grid-template-columns: repeat(6, minmax(0, 1fr));
        gap: 0.45rem 0.5rem;
      }
      .results {
        display: grid;
        gap: 0.8rem;
      }
      .link {
        grid-column: span 4;
      }
      .third {
        grid-column: span 2;
      }
      .wide {
        grid-column: 1 / -1;
      }
      .slider {
        grid-template-columns: 1fr 4.5rem;
        align-items: center;
      }
      .slider span {
        text-align: right;
      }
      a {
        color: var(--accent);
      }
      hf-section {
        border-top: 1px solid var(--line);
        padding-top: 0.7rem;
      }
    `,
  ];
}
