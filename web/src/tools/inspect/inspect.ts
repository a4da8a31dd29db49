/** Everything about a part: what its file says, where it is now, and how the solver stands. */

import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { Euler, Matrix4, Quaternion, Vector3 } from "three";
import { Clicks } from "../../input/clicks";
import { decimalsFor, fixed, kilonewtons, millimetres, words as plain } from "../../panels/format";
import { doneWith, theme } from "../../panels/theme";
import type { Frame } from "../../protocol/frame";
import type { FactsSheet, Inspected, JointFacts, MachineInfo } from "../../protocol/generated";
import { text } from "../../text";
import { words } from "../../text/tools/inspect";
import { linkMatrix } from "../poses";
import { Holder } from "../sheets";
import { ToolPart, toolStyles } from "../tool";
import { about, scientific, type About } from "./about";
import { Axes, Centres } from "./marks";
import { own } from "../../state/own";

const EVERY = 250; // [ms] between two questions to the solver
const LIT = "#35d4ff";
const DEGREES = 180 / Math.PI;

@customElement("hf-inspect")
export class InspectPart extends ToolPart {
  @state() private link = "";
  @state() private axesOn = false;
  @state() private centresOn = false;
  @state() private answer: Inspected | null = null;

  private scene = -1;
  private asked = 0;
  private axes: Axes | null = null;
  private centres: Centres | null = null;
  private readonly sheets = new Holder<FactsSheet>("facts", () => this.requestUpdate());
  private readonly matrix = new Matrix4();

  override connectedCallback(): void {
    super.connectedCallback();
    const { store, view } = this.bench;
    this.until(
      store.on("inspected", (answer) => {
        if (answer.number === this.asked) this.answer = answer;
      }),
    );
    const timer = window.setInterval(() => this.ask(), EVERY);
    this.until(() => window.clearInterval(timer));
    this.ask();
    if (!view) return;
    const clicks = new Clicks(view.overlay.canvas, ({ clientX, clientY }) => {
      if (!view.overlay.busy) this.choose(view.overlay.pick(clientX, clientY)?.link ?? "");
    });
    const move = (): void => this.moveMarks();
    view.overlay.drawing.add(move);
    this.until(() => {
      clicks.dispose();
      view.overlay.drawing.delete(move);
      view.overlay.light({});
      this.dropMarks();
    });
  }

  private ask(): void {
    const { facts, send } = this.bench.store;
    if (facts.connection !== "open" || !facts.status?.alive || facts.loading) return;
    this.asked += 1;
    send({ type: "inspect", number: this.asked });
  }

  protected override paint(_frame: Frame): void {
    this.requestUpdate();
  }

  protected override willUpdate(): void {
    const { scene } = this.bench.store.facts;
    if (!scene) return;
    if (scene.number !== this.scene) {
      this.scene = scene.number;
      this.answer = null;
      this.dropMarks();
      this.choose("");
    }
    this.sheets.follow(scene.number);
  }

  private choose(link: string): void {
    this.link = link;
    this.bench.view?.overlay.light(link ? { [link]: LIT } : {});
  }

  // ------------------------------------------------------------------ marks

  protected override updated(): void {
    const overlay = this.bench.view?.overlay;
    const { sheet } = this.sheets;
    if (!overlay || !sheet) return;
    if (this.axesOn) this.axes ??= new Axes(overlay, sheet.links);
    else this.dropAxes();
    if (this.centresOn) this.centres ??= new Centres(overlay, sheet.links, sheet.mass);
    else this.dropCentres();
  }

  private moveMarks(): void {
    const { frame } = this.bench.store;
    if (!frame) return;
    const poses = (index: number): Matrix4 | null => linkMatrix(frame, index, this.matrix);
    this.axes?.move(poses);
    this.centres?.move(poses);
  }

  private dropAxes(): void {
    this.axes?.dispose();
    this.axes = null;
  }

  private dropCentres(): void {
    this.centres?.dispose();
    this.centres = null;
  }

  private dropMarks(): void {
    this.dropAxes();
    this.dropCentres();
  }

  // ---------------------------------------------------------------- drawing

  override render(): TemplateResult | typeof nothing {
    const { scene } = this.bench.store.facts;
    if (!scene) return nothing;
    const { sheet, failure } = this.sheets;
    const found = sheet ? about(sheet, this.link) : null;
    return html`<p class="dim">${this.bench.view ? words.hint : words.hintNoPicture}</p>
      ${this.renderChoice(scene.machine)}
      ${
        sheet
          ? nothing
          : html`<p class="dim" data-testid="inspect-wait">
              ${failure ? words.failed(failure) : words.loading}
            </p>`
      }
      ${found && sheet ? this.renderPart(found, sheet, scene.machine) : nothing}
      ${this.renderSolver()}`;
  }

  private renderChoice({ links, cylinders }: MachineInfo): TemplateResult {
    const parts = new Set(cylinders.flatMap(({ tube, rod }) => [tube, rod]));
    const option = (link: string): TemplateResult =>
      html`<option value=${link} ?selected=${link === this.link}>${plain(link)}</option>`;
    const main = links.filter((link) => !parts.has(link));
    return html`<label>
        <span class="caption">${words.part}</span>
        <select
          data-testid="inspect-link"
          .value=${this.link}
          @change=${(event: Event) => {
            this.choose((event.target as HTMLSelectElement).value);
            doneWith(event.target);
          }}
        >
          <option value="" ?selected=${this.link === ""}>${words.nothing}</option>
          <optgroup label=${words.mainLinks}>${main.map(option)}</optgroup>
          ${
            parts.size > 0
              ? html`<optgroup label=${words.cylinderParts}>
                  ${links.filter((link) => parts.has(link)).map(option)}
                </optgroup>`
              : nothing
          }
        </select>
      </label>
      <div class="row">
        ${this.check("axes", words.axes, this.axesOn, (on) => (this.axesOn = on))}
        ${this.check("centres", words.centres, this.centresOn, (on) => (this.centresOn = on))}
      </div>`;
  }

  private check(id: string, name: string, on: boolean, set: (on: boolean) => void): TemplateResult {
    return html`<label class="check">
      <input
        type="checkbox"
        data-testid="inspect-${id}"
        .checked=${on}
        ?disabled=${this.bench.view === null}
        @change=${(event: Event) => {
          set((event.target as HTMLInputElement).checked);
          doneWith(event.target);
        }}
      />
      ${name}
    </label>`;
  }

  private renderPart(found: About, sheet: FactsSheet, machine: MachineInfo): TemplateResult {
    const { link, joints, cylinders, sources } = found;
    const { frame } = this.bench.store;
    const X = frame ? linkMatrix(frame, machine.links.indexOf(link.name), this.matrix) : null;
    return html`<section data-testid="inspect-part">
        <h3 class="caption">${plain(link.name)}</h3>
        <dl class="figures">
          ${X ? poseFigures(X) : nothing}
          <dt>${words.mass}</dt>
          <dd data-testid="inspect-mass">
            ${
              link.mass === null
                ? words.massless
                : html`${fixed(link.mass, decimalsFor(link.mass, 1))} <span class="unit">kg</span>,
                    ${words.ofAll(fixed((100 * link.mass) / sheet.mass, 1))}`
            }
          </dd>
          ${
            link.mass === null
              ? nothing
              : html`<dt>${words.centre}</dt>
                  <dd>${triple(link.centre, 3)} <span class="unit">m</span></dd>
                  <dt>${words.moments}</dt>
                  <dd>
                    ${triple(link.moments, decimalsFor(link.moments[2], 1))}
                    <span class="unit">kg m²</span>
                  </dd>`
          }
        </dl>
      </section>
      ${
        joints.length === 0
          ? nothing
          : html`<section>
              <h3 class="caption">${words.joints}</h3>
              ${joints.map((joint) => this.renderJoint(joint, link.name, frame))}
            </section>`
      }
      ${
        cylinders.length === 0
          ? nothing
          : html`<section>
              <h3 class="caption">${words.cylinders}</h3>
              ${cylinders.map((n) => this.renderCylinder(n, sheet, frame))}
            </section>`
      }
      <section>
        <h3 class="caption">${words.sources}</h3>
        ${sources.length === 0 ? html`<p class="dim">${words.noSources}</p>` : nothing}
        <ul class="sources" data-testid="inspect-sources">
          ${sources.map(
            ({ of, kind, source }) =>
              html`<li>
                <strong>${of}</strong> <em>${own(words.sourceKinds, kind) ?? kind}</em>: ${source}
              </li>`,
          )}
        </ul>
      </section>`;
  }

  private renderJoint(joint: JointFacts, link: string, frame: Frame | null): TemplateResult {
    const other =
      joint.child === link ? words.from(plain(joint.parent)) : words.to(plain(joint.child));
    const notes = [
      own(words.kinds, joint.kind) ?? joint.kind,
      other,
      ...(joint.closes ? [words.closes] : []),
      ...(joint.motor ? [words.motor(plain(joint.motor))] : []),
    ];
    const { slides } = joint;
    const now = joint.index >= 0 ? frame?.joints[joint.index] : undefined;
    return html`<div class="item">
      <div>${plain(joint.name)} <span class="dim">${notes.join(", ")}</span></div>
      <dl class="figures">
        ${
          now === undefined
            ? nothing
            : html`<dt>${words.now}</dt>
                <dd data-testid="inspect-joint-${joint.name}">${measured(now, slides)}</dd>`
        }
        ${
          joint.lower === null && joint.upper === null
            ? nothing
            : html`<dt>${words.limits}</dt>
                <dd>${measured(joint.lower, slides)} … ${measured(joint.upper, slides)}</dd>`
        }
        ${
          joint.axis === null
            ? nothing
            : html`<dt>${words.axis}</dt>
                <dd>${triple(joint.axis, 2)}</dd>`
        }
      </dl>
    </div>`;
  }

  private renderCylinder(n: number, sheet: FactsSheet, frame: Frame | null): TemplateResult {
    const cylinder = sheet.cylinders[n]!;
    const { lower, upper, force, speed, bore, rod_diameter: rod } = cylinder;
    const stroke = upper - lower;
    const most = force ?? 0;
    return html`<div class="item">
      <div>${plain(cylinder.name)}</div>
      <dl class="figures">
        <dt>${words.length}</dt>
        <dd data-testid="inspect-length-${cylinder.name}">
          ${millimetres(frame?.lengths[n] ?? Number.NaN, stroke)} <span class="unit">mm</span>
        </dd>
        <dt>${words.bounds}</dt>
        <dd>
          ${millimetres(lower, stroke)} … ${millimetres(upper, stroke)}
          <span class="unit">mm</span>
        </dd>
        <dt>${words.force}</dt>
        <dd>
          ${kilonewtons(frame?.forces[n] ?? Number.NaN, most)}
          <span class="unit">kN</span>${
            most > 0 ? html`, ${words.largest} ${kilonewtons(most, most)}` : nothing
          }
        </dd>
        ${
          speed === null
            ? nothing
            : html`<dt>${words.speed}</dt>
                <dd>
                  ${fixed(1e3 * (frame?.speeds[n] ?? Number.NaN), 1)}
                  <span class="unit">mm/s</span>, ${words.largest} ${fixed(1e3 * speed, 0)}
                </dd>`
        }
        ${
          bore === null
            ? nothing
            : html`<dt>${words.bore}</dt>
                <dd>
                  ${fixed(1e3 * bore, 0)}${rod === null ? nothing : html`, ${fixed(1e3 * rod, 0)}`}
                  <span class="unit">mm</span>
                </dd>`
        }
      </dl>
    </div>`;
  }

  private renderSolver(): TemplateResult {
    const { answer } = this;
    if (!answer)
      return html`<section>
        <h3 class="caption">${words.solver}</h3>
        <p class="dim">${words.waiting}</p>
      </section>`;
    const methods = [...new Set(answer.blocks.map(({ method }) => words.methods[method]))];
    const small = (value: number): string => scientific(value, text.decimal);
    return html`<section data-testid="inspect-solver">
      <h3 class="caption">${words.solver}</h3>
      <dl class="figures">
        <dt>${words.gap}</dt>
        <dd data-testid="inspect-gap">
          ${small(answer.gap)} <span class="unit">m</span>, ${small(answer.angle)}
          <span class="unit">rad</span>
        </dd>
        <dt>${words.lengthError}</dt>
        <dd>
          ${answer.length_error === null ? "–" : small(answer.length_error)}
          <span class="unit">m</span>
        </dd>
        <dt>${words.iterations}</dt>
        <dd data-testid="inspect-iterations">
          ${words.steps(answer.iterations, methods.join(", ") || "–")}
        </dd>
        <dt>${words.dead}</dt>
        <dd data-testid="inspect-dead">${this.renderDead(answer)}</dd>
        <dt title=${words.conditioningWhat}>${words.conditioning}</dt>
        <dd data-testid="inspect-conditioning" title=${words.conditioningWhat}>
          ${fixed(answer.conditioning, 4)}
        </dd>
        ${
          answer.lever === null
            ? nothing
            : html`<dt>${words.lever}</dt>
                <dd>
                  ${fixed(answer.lever, 3)} <span class="unit">m/rad</span>,
                  ${plain(answer.weakest)}
                </dd>`
        }
      </dl>
      <h3 class="caption">${words.branches}</h3>
      ${answer.branches.length === 0 ? html`<p class="dim">${words.noBranches}</p>` : nothing}
      <dl class="figures" data-testid="inspect-branches">
        ${answer.branches.map(
          ({ kind, name, side, as_home: home }) =>
            html`<dt>${branchName(name)}</dt>
              <dd ?data-other=${!home}>
                ${own(own(words.branch, kind) ?? {}, side) ?? side},
                ${home ? words.asHome : words.notHome}
              </dd>`,
        )}
      </dl>
      ${answer.problem ? html`<p class="warning">${answer.problem}</p>` : nothing}
    </section>`;
  }

  private renderDead({ dead_centre: dead }: Inspected): TemplateResult | string {
    if (!dead) return words.noDead;
    const notes = [words[dead.towards], dead.inside ? words.inside : words.beyond];
    if (!dead.exact) notes.push(words.estimated);
    return html`${words.deadOf(fixed(1e3 * dead.left, 1), plain(dead.group))}
      <span class="dim">${notes.join(", ")}</span>`;
  }

  static override styles = [
    theme,
    toolStyles,
    css`
      .check {
        display: flex;
        align-items: center;
        gap: 0.4rem;
      }
      .item {
        display: grid;
        gap: 0.15rem;
        padding: 0.35rem 0.6rem;
        background: #171c20;
        border-radius: var(--radius);
      }
      .figures {
        font-size: 0.95rem;
      }
      .sources {
        margin: 0;
        padding-left: 1.1rem;
        display: grid;
        gap: 0.25rem;
        font-size: 0.9rem;
        user-select: text;
        overflow-wrap: anywhere;
      }
      [data-other] {
        color: var(--accent);
      }
    `,
  ];
}

/** Position and angles of a pose. */
function poseFigures(X: Matrix4): TemplateResult {
  const place = new Vector3();
  const turn = new Quaternion();
  X.decompose(place, turn, new Vector3());
  const turned = new Euler().setFromQuaternion(turn, "ZYX");
  const angles = [turned.x, turned.y, turned.z].map((angle) => DEGREES * angle);
  return html`<dt>${words.position}</dt>
    <dd data-testid="inspect-position">
      ${triple(place.toArray(), 3)} <span class="unit">m</span>
    </dd>
    <dt>${words.turned}</dt>
    <dd>${triple(angles, 1)} <span class="unit">°</span></dd>`;
}

function triple(values: readonly number[], decimals: number): string {
  return values.map((value) => fixed(value, decimals)).join("  ");
}

/** A joint's position in degrees or millimetres. */
function measured(value: number | null, slides: boolean): TemplateResult {
  if (value === null) return html`–`;
  return slides
    ? html`${fixed(1e3 * value, 1)} <span class="unit">mm</span>`
    : html`${fixed(DEGREES * value, 1)} <span class="unit">°</span>`;
}

/** Names of groups, or of a loop's two halves, of which the first will do. */
function branchName(name: string): string {
  return name
    .split(", ")
    .map((part) => plain(part.split("/")[0] ?? part))
    .join(", ");
}
