/** A path through via points: placed, planned, looked at, played, saved and opened. */

import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, query, state } from "lit/decorators.js";
import type { Quaternion, Vector3 } from "three";
import { fixed, isolated, words as plain } from "../../panels/format";
import { doneWith, theme } from "../../panels/theme";
import type { Frame } from "../../protocol/frame";
import { WIDTH } from "../../protocol/generated";
import { cutsWith } from "../../state/motors";
import { subjectOf } from "../../state/selection";
import { words } from "../../text/tools/path";
import { firstLink, linkOptions } from "../links";
import { Study } from "../study";
import { ToolPart, toolStyles } from "../tool";
import { cylinderColor, FREE } from "./colors";
import type { CutFacts, CutRequest } from "./cut";
import "./cut";
import { Markers } from "./markers";
import { decodeMotion, type Missed, type Motion, type PathFacts } from "./motion";
import type { PlayerPart } from "./player";
import "./player";
import { swatch } from "./plot";
import { Ribbon, type Coloring } from "./ribbon";
import "./via_list";
import { Vias, viasOf, type Triple, type Via } from "./vias";

const DEGREES = 180 / Math.PI;
const LARGEST = 16 * 2 ** 20; // bytes of a file

/** A path that is planned. */
interface Shown {
  number: number;
  facts: PathFacts;
  motion: Motion;
}

interface FileFacts extends Partial<PathFacts> {
  via?: Via[];
  oriented?: boolean;
}

@customElement("hf-path")
export class PathPart extends ToolPart {
  @state() private link = "";
  @state() private placing = false;
  @state() private turning = false;
  @state() private oriented = false;
  @state() private fromHere = false;
  @state() private nearest = false;
  @state() private speed = 100;
  @state() private linkSpeed = Number.NaN;
  @state() private coloring: Coloring = "speed";
  @state() private shown: Shown | null = null;
  @state() private missed: readonly Missed[] = [];
  @state() private cutFacts: CutFacts | null = null;
  @state() private fault = "";
  @query("hf-player") private player!: PlayerPart | null;

  private subject = "";
  private vias = new Vias();
  private markers: Markers | null = null;
  private ribbon: Ribbon | null = null;
  private plan!: Study; // these three from the first opening on
  private file!: Study;
  private cut!: Study;
  /** What the path that is shown was planned for; null for one from a file. */
  private asked: readonly Via[] = [];
  private plannedFor: readonly Via[] | null = null;
  private expected: "plan" | "file" | "cut" | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    const { store, view } = this.bench;
    // they go on while the tool is closed
    this.plan ??= new Study(store, "path", () => this.heard("plan", this.plan));
    this.file ??= new Study(store, "path_file", () => this.heard("file", this.file));
    this.cut ??= new Study(store, "sweep", () => this.heard("cut", this.cut));
    this.until(() => (this.placing = false));
    if (!view) return;
    this.markers = new Markers(view.overlay);
    this.markers.onMove = (position, turn) => this.dragged(position, turn);
    this.markers.onClick = (number, x, y) => this.clicked(number, x, y);
    const mark = (): void => {
      const time = store.frame?.time ?? 0;
      this.ribbon?.mark(this.player ? this.player.cursor(time) : null);
    };
    view.overlay.drawing.add(mark);
    this.until(() => {
      view.overlay.drawing.delete(mark);
      this.markers?.dispose();
      this.markers = null;
      this.drop();
    });
    this.show(this.shown);
  }

  override forget(): void {
    this.expected = null;
    for (const study of [this.plan, this.file, this.cut] as (Study | undefined)[]) study?.dispose();
  }

  // ------------------------------------------------------------------ studies

  /** Only what this page has begun is taken. */
  private heard(kind: "plan" | "file" | "cut", study: Study): void {
    const { told } = study;
    this.requestUpdate();
    if (this.expected !== kind || told?.state !== "done") return;
    this.expected = null;
    if (kind === "cut") this.laid(told.facts as unknown as CutFacts);
    else if (kind === "file" && (told.facts as FileFacts).via) this.opened(told.facts as FileFacts);
    else void this.take(told.number, told.facts as unknown as PathFacts, study);
  }

  private async begin(kind: "plan" | "file" | "cut", request: object): Promise<void> {
    this.fault = "";
    this.expected = kind;
    const study = this[kind];
    study.told = null;
    await study.begin(request);
    if (study.refusal && this.expected === kind) this.expected = null;
  }

  private async take(number: number, facts: PathFacts, study: Study): Promise<void> {
    this.missed = facts.missed;
    if (!facts.planned) {
      this.show(null);
      this.reveal("path-missed");
      return;
    }
    const answer = await fetch(study.address("path.bin"));
    const motion = answer.ok ? decodeMotion(await answer.arrayBuffer()) : answer.statusText;
    if (typeof motion === "string") {
      this.fault = motion;
      return;
    }
    this.plannedFor = study === this.plan ? this.asked : null;
    this.show({ number, facts, motion });
    this.reveal("path-results");
  }

  private show(shown: Shown | null): void {
    this.drop();
    this.shown = shown;
    const overlay = this.isConnected ? this.bench.view?.overlay : null;
    if (shown && overlay) this.ribbon = new Ribbon(overlay, shown.motion, this.coloring);
  }

  private drop(): void {
    this.ribbon?.dispose();
    this.ribbon = null;
  }

  private planned(): void {
    this.asked = this.vias.list;
    const via = this.vias.list.map(({ position, quaternion }) => ({
      position,
      quaternion: this.oriented ? quaternion : null,
    }));
    void this.begin("plan", {
      via,
      link: this.link,
      oriented: this.oriented,
      from_here: this.fromHere,
      closest: this.nearest,
      part: this.speed / 100,
      link_speed: Number.isFinite(this.linkSpeed) ? this.linkSpeed : null,
    });
  }

  private laid(facts: CutFacts): void {
    this.cutFacts = facts;
    const quaternion = this.pose()?.quaternion ?? null;
    this.vias.replace(facts.via.map((position) => ({ position, quaternion })));
    this.oriented = false;
    this.changed();
  }

  private opened(facts: FileFacts): void {
    if (facts.link) this.link = facts.link;
    this.oriented = facts.oriented ?? false;
    this.vias.replace(facts.via ?? []);
    this.changed();
  }

  private async chosenFile(event: Event): Promise<void> {
    const field = event.target as HTMLInputElement;
    const chosen = field.files?.[0];
    field.value = "";
    if (!chosen) return;
    if (chosen.size > LARGEST) {
      this.fault = `${isolated(chosen.name)}: ${(chosen.size / 2 ** 20).toFixed(1)} MiB > 16 MiB`;
      return;
    }
    await this.begin("file", { name: chosen.name, text: await chosen.text() });
  }

  // --------------------------------------------------------------- via points

  /** Where the link is now. */
  private pose(): Via | null {
    const { frame, facts } = this.bench.store;
    const at = WIDTH.poses * (facts.scene?.machine.links.indexOf(this.link) ?? -1);
    if (!frame || at < 0) return null;
    const [x, y, z, w, i, j, k] = Array.from(frame.poses.subarray(at, at + WIDTH.poses));
    return { position: [x!, y!, z!], quaternion: [w!, i!, j!, k!] };
  }

  private changed(): void {
    this.missed = [];
    this.requestUpdate();
  }

  private add(position?: Triple): void {
    const now = this.pose();
    if (!now) return;
    this.vias.add(position ? { ...now, position } : now);
    this.changed();
  }

  private undo(): void {
    this.vias.undo();
    this.changed();
  }

  private clear(): void {
    this.vias.replace([]);
    this.show(null);
    this.changed();
  }

  private clicked(number: number, x: number, y: number): void {
    if (number >= 0) {
      this.vias.choose(number === this.vias.chosen && !this.placing ? -1 : number);
      this.requestUpdate();
      return;
    }
    if (!this.placing) return;
    const picked = this.bench.view?.overlay.point(x, y);
    if (picked) this.add(picked.point);
  }

  private dragged(position: Vector3, { w, x, y, z }: Quaternion): void {
    this.vias.put(this.vias.chosen, { position: position.toArray(), quaternion: [w, x, y, z] });
    this.changed();
  }

  // ------------------------------------------------------------------ drawing

  protected override willUpdate(): void {
    const { scene } = this.bench.store.facts;
    const subject = subjectOf(this.bench.store.facts);
    if (!scene || subject === this.subject) return;
    this.subject = subject;
    this.link = firstLink(scene.machine);
    this.vias = viasOf(`${scene.machine.name} ${subject.split("/")[1]}`);
    this.missed = [];
    this.cutFacts = null;
    this.expected = null;
    this.show(null);
  }

  protected override updated(): void {
    const missed = new Set(this.missed.map(({ via }) => via));
    this.markers?.show(this.vias.list, this.vias.chosen, missed, this.turning && this.oriented);
  }

  protected override paint(frame: Frame): void {
    this.player?.paint(frame.time);
  }

  override render(): TemplateResult | typeof nothing {
    const { scene, status } = this.bench.store.facts;
    if (!scene) return nothing;
    const busy = this.plan.running || this.file.running || this.cut.running;
    return html`<p class="dim">${words.hint}</p>
      <label>
        <span class="caption">${words.link}</span>
        <select
          data-testid="path-link"
          @change=${(event: Event) => (this.link = (event.target as HTMLSelectElement).value)}
        >
          ${linkOptions(scene.machine, this.link)}
        </select>
      </label>
      <hf-vias
        .list=${this.vias.list}
        .chosen=${this.vias.chosen}
        .vias=${this.vias}
        .missed=${this.missed}
        ?oriented=${this.oriented}
        ?turning=${this.turning}
        @changed=${this.changed}
        @turning=${(event: CustomEvent<boolean>) => (this.turning = event.detail)}
      ></hf-vias>
      <div class="row">
        <button
          data-testid="path-place"
          aria-pressed=${this.placing}
          title=${words.placeHint}
          ?disabled=${!this.bench.view}
          @click=${(event: Event) => {
            doneWith(event.currentTarget);
            this.placing = !this.placing;
          }}
        >
          ${words.place}
        </button>
        <button data-testid="path-here" @click=${() => this.add()}>${words.here}</button>
        <button data-testid="path-undo" ?disabled=${!this.vias.canUndo} @click=${this.undo}>
          ${words.undo}
        </button>
        <button
          data-testid="path-clear"
          ?disabled=${this.vias.list.length === 0 && !this.shown}
          @click=${this.clear}
        >
          ${words.clear}
        </button>
      </div>
      ${cutsWith(scene.machine, this.link) ? this.renderCut(busy) : nothing} ${this.renderHow()}
      ${this.renderPlan(busy)} ${this.renderWatching()} ${this.renderProblems()}
      ${
        this.shown
          ? html`<section data-testid="path-results">
              ${
                this.plannedFor && this.plannedFor !== this.vias.list
                  ? html`<p class="warning" data-testid="path-stale">${words.stale}</p>`
                  : nothing
              }
              ${this.renderFacts(this.shown)}
              <hf-player
                .bench=${this.bench}
                .motion=${this.shown.motion}
                .facts=${this.shown.facts}
                .number=${this.shown.number}
                .machine=${scene.machine}
                .playing=${status?.playing ?? null}
              ></hf-player>
              ${this.renderExport(this.shown)}
            </section>`
          : nothing
      }`;
  }

  private renderCut(busy: boolean): TemplateResult {
    return html`<hf-cut
      .link=${this.link}
      .overlay=${this.bench.view?.overlay ?? null}
      .ahead=${this.pose()?.position[0] ?? 0}
      .facts=${this.cutFacts}
      .failure=${failureOf(this.cut)}
      ?busy=${busy || !this.operates}
      @asked=${(event: CustomEvent<CutRequest>) => void this.begin("cut", event.detail)}
    ></hf-cut>`;
  }

  private switch(id: string, name: string, on: boolean, act: () => void): TemplateResult {
    return html`<button data-testid=${id} aria-pressed=${on} @click=${act}>${name}</button>`;
  }

  private renderHow(): TemplateResult {
    return html`${this.check("oriented", words.oriented)}
      <details data-testid="path-options">
        <summary class="caption">${words.options}</summary>
        ${this.check("fromHere", words.fromHere)} ${this.check("nearest", words.closest)}
        <div class="fields">
          <label>
            <span class="dim">${words.part}</span>
            <input
              type="number"
              min="1"
              max="100"
              data-testid="path-part"
              .value=${String(this.speed)}
              @change=${(event: Event) => {
                const value = (event.target as HTMLInputElement).valueAsNumber;
                if (value >= 1 && value <= 100) this.speed = value;
                this.requestUpdate();
              }}
            />
          </label>
          <label>
            <span class="dim">${words.linkSpeed}</span>
            <input
              type="number"
              step="any"
              min="0"
              placeholder=${words.unlimited}
              data-testid="path-link-speed"
              @change=${(event: Event) => {
                const value = (event.target as HTMLInputElement).valueAsNumber;
                this.linkSpeed = value > 0 ? value : Number.NaN;
              }}
            />
          </label>
        </div>
      </details>`;
  }

  private check(name: "oriented" | "fromHere" | "nearest", label: string): TemplateResult {
    return html`<label class="check">
      <input
        type="checkbox"
        data-testid="path-${name}"
        .checked=${this[name]}
        @change=${(event: Event) => (this[name] = (event.target as HTMLInputElement).checked)}
      />
      ${label}
    </label>`;
  }

  private renderPlan(busy: boolean): TemplateResult {
    const told = [this.plan, this.file, this.cut].find((study) => study.running)?.told;
    return html`<div class="row">
      <button
        class="primary"
        data-testid="path-plan"
        ?disabled=${busy || this.vias.list.length === 0 || !this.operates}
        @click=${this.planned}
      >
        ${words.plan}
      </button>
      <label class="button" title=${words.importHint}>
        ${words.import}
        <input
          type="file"
          accept=".json,.csv"
          aria-label=${words.import}
          data-testid="path-import"
          @change=${(event: Event) => void this.chosenFile(event)}
        />
      </label>
      ${
        busy
          ? html`<progress max="1" value=${told?.part ?? 0} aria-label=${words.planning}></progress>
              <button data-testid="path-cancel" @click=${() => void this.plan.cancel()}>
                ${words.cancel}
              </button>`
          : nothing
      }
    </div>`;
  }

  private renderProblems(): TemplateResult {
    const failed = failureOf(this.plan) || this.fault;
    const file = failureOf(this.file);
    return html`${
      failed ? html`<p class="warning" data-testid="path-failure">${failed}</p>` : nothing
    }
    ${
      file
        ? html`<div class="warning" data-testid="path-problems">
            ${words.problems}
            <ul>
              ${file.split("\n").map((line) => html`<li>${line}</li>`)}
            </ul>
          </div>`
        : nothing
    }
    ${
      this.missed.length
        ? html`<div class="warning" data-testid="path-missed">
            ${words.missed(this.missed.length)}
            <ul>
              ${this.missed.map(
                ({ via, distance, angle }) =>
                  html`<li>
                    ${words.missedOne(
                      via + 1,
                      fixed(1000 * distance, 1),
                      angle > 1e-3 ? fixed(DEGREES * angle, 1) : "",
                    )}
                  </li>`,
              )}
            </ul>
          </div>`
        : nothing
    }`;
  }

  private renderFacts({ facts }: Shown): TemplateResult {
    const { cylinders } = facts;
    return html`<dl class="figures" data-testid="path-facts">
        <dt>${words.duration}</dt>
        <dd data-testid="path-duration">${fixed(facts.duration, 2)} s</dd>
        <dt>${words.way}</dt>
        <dd>${fixed(facts.way, 2)} m</dd>
        <dt>${words.error}</dt>
        <dd>${fixed(1000 * facts.largest_error, 2)} mm</dd>
      </dl>
      ${facts.assumed.length ? html`<p class="warning">${words.assumed(facts.assumed.map(plain).join(", "), facts.units.includes("rad"))}</p>` : nothing}
      <div class="row">
        <span class="caption">${words.coloring}</span>
        <div class="segments" role="group" aria-label=${words.coloring}>
          ${this.colored("speed", words.bySpeed)} ${this.colored("limit", words.byLimit)}
        </div>
      </div>
      ${
        this.coloring === "limit"
          ? html`<ul class="limits" data-testid="path-limiting">
              ${facts.limiting.map(
                ({ cylinder, speed, acceleration }) =>
                  html`<li>
                    ${swatch(cylinderColor(cylinders.indexOf(cylinder)))}
                    ${words.limitedBy(plain(cylinder), fixed(100 * speed, 0), fixed(100 * acceleration, 0))}
                  </li>`,
              )}
              <li>${swatch(FREE)} ${words.noLimit}</li>
            </ul>`
          : nothing
      }`;
  }

  private colored(coloring: Coloring, name: string): TemplateResult {
    return this.switch(`path-color-${coloring}`, name, this.coloring === coloring, () => {
      this.coloring = coloring;
      this.ribbon?.color(coloring);
    });
  }

  private renderExport({ number }: Shown): TemplateResult {
    const link = (kind: string): TemplateResult =>
      html`<a
        class="button"
        data-testid="path-export-${kind}"
        href="study/${number}/path.${kind}"
        download="path.${kind}"
        >.${kind}</a
      >`;
    return html`<div class="row">
      <span class="caption">${words.export}</span> ${link("csv")} ${link("json")}
    </div>`;
  }

  static override styles = [
    theme,
    toolStyles,
    css`
      .fields {
        display: grid;
        grid-template-columns: repeat(3, minmax(0, 1fr));
        gap: 0.5rem;
        align-items: end;
      }
      details[open] {
        display: grid;
        gap: 0.45rem;
      }
      summary {
        cursor: pointer;
      }
      .check {
        display: flex;
        align-items: center;
        gap: 0.4rem;
      }
      .button {
        display: inline-flex;
        align-items: center;
        height: 2.15rem;
        padding: 0 0.7rem;
        color: inherit;
        text-decoration: none;
        background: var(--raised);
        border: 1px solid var(--line-2);
        border-radius: var(--radius);
        cursor: pointer;
        position: relative;
      }
      .button:hover {
        background: var(--raised-2);
      }
      .button:focus-within {
        outline: 2px solid var(--accent);
        outline-offset: 2px;
      }
      .button input {
        position: absolute;
        inset: 0;
        opacity: 0;
        cursor: pointer;
      }
      progress {
        flex: 1;
        min-width: 5rem;
        accent-color: var(--accent);
      }
      .warning ul {
        margin: 0.3rem 0 0;
        padding-left: 1.1rem;
        max-height: 9rem;
        overflow: auto;
      }
      .limits {
        list-style: none;
        margin: 0;
        padding: 0;
        font-size: 0.88rem;
      }
      .swatch {
        width: 0.9rem;
        height: 0.25rem;
        vertical-align: 0.2rem;
      }
    `,
  ];
}

/** Why a study came to nothing; empty if it did not. */
function failureOf(study: Study): string {
  return study.refusal || (study.told?.state === "failed" ? study.told.text : "");
}
