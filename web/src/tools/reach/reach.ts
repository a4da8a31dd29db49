/** Inverse kinematics by hand: a handle on a link, numbers to type, and what is left. */

import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { Euler, Quaternion, Vector3 } from "three";
import { fixed, words as plain } from "../../panels/format";
import { theme } from "../../panels/theme";
import type { Frame } from "../../protocol/frame";
import { WIDTH, type Reached } from "../../protocol/generated";
import type { Ghost } from "../../scene/ghost";
import { subjectOf } from "../../state/selection";
import { words } from "../../text/tools/reach";
import { firstLink, linkOptions } from "../links";
import { ToolPart, toolStyles } from "../tool";
import { Asking, type Question } from "./asking";
import { Gizmo } from "./gizmo";

const SHOWN = 1e-3; // [m, rad] left from which the target is shown as a ghost
const DEGREES = 180 / Math.PI;
const AXES = ["x", "y", "z"] as const;
const TURNS = ["roll", "pitch", "yaw"] as const;

@customElement("hf-reach")
export class ReachPart extends ToolPart {
  @state() private link = "";
  @state() private oriented = false;
  @state() private turning = false;
  @state() private answer: Reached | null = null;
  /** Where the link should be, while it cannot get there. */
  @state() private missed: Question | null = null;

  private subject = "";
  private gizmo: Gizmo | null = null;
  private ghost: Ghost | null = null;
  private readonly place = new Vector3();
  private readonly turn = new Quaternion();
  private readonly asking = new Asking(
    (message) => this.bench.store.send(message),
    (question, answer) => this.heard(question, answer),
  );

  override connectedCallback(): void {
    super.connectedCallback();
    const { store, view } = this.bench;
    this.until(store.on("reached", (message) => this.asking.take(message)));
    this.until(store.on("refused", ({ about }) => about === "reach" && this.asking.next()));
    this.until(store.on("welcome", () => this.asking.next()));
    if (!view) return;
    this.gizmo = new Gizmo(view.overlay);
    this.gizmo.onMove = (position, turn) => this.ask(position, turn);
    const stay = (): void => this.stay();
    view.overlay.drawing.add(stay);
    this.until(() => {
      view.overlay.drawing.delete(stay);
      this.gizmo?.dispose();
      this.gizmo = null;
      this.dropGhost();
    });
  }

  /** The handle stands on the link, or where the link should be. */
  private stay(): void {
    if (!this.gizmo || this.gizmo.dragging || this.missed) return;
    const pose = this.bench.view?.worldMatrix(this.link);
    if (pose) this.gizmo.follow(pose);
  }

  private ask(position: Vector3, turn: Quaternion): void {
    const { x, y, z, w } = turn;
    this.asking.ask({
      link: this.link,
      position: position.toArray(),
      quaternion: this.oriented || this.turning ? [w, x, y, z] : null,
    });
  }

  private heard(question: Question, answer: Reached): void {
    this.answer = answer;
    const left = answer.distance > SHOWN || answer.angle > SHOWN;
    this.missed = left ? question : null;
    if (!left) this.dropGhost();
    else this.showGhost(question, answer);
  }

  private showGhost({ link, position, quaternion }: Question, answer: Reached): void {
    this.ghost ??= this.bench.view?.overlay.ghost("#ff7a3c", [link]) ?? null;
    const [w, x, y, z] = quaternion ?? answer.quaternion;
    this.ghost?.put(link, this.place.fromArray(position), this.turn.set(x, y, z, w));
  }

  private dropGhost(): void {
    this.ghost?.dispose();
    this.ghost = null;
  }

  /** Give up a target that cannot be reached. */
  private giveUp(): void {
    this.missed = null;
    this.dropGhost();
  }

  private choose(link: string): void {
    this.giveUp();
    this.link = link;
    this.answer = null;
  }

  protected override willUpdate(): void {
    const { scene } = this.bench.store.facts;
    const subject = subjectOf(this.bench.store.facts);
    if (!scene || subject === this.subject) return;
    this.subject = subject;
    this.choose(firstLink(scene.machine));
  }

  /** Ask for what the fields say. */
  private typed(event: Event): void {
    event.preventDefault();
    const { frame } = this.bench.store;
    if (frame) this.paint(frame); // what was left empty stays as it is
    const [x, y, z] = AXES.map((name) => this.number(name));
    const [roll, pitch, yaw] = TURNS.map((name) => this.number(name) / DEGREES);
    if (![x, y, z].every(Number.isFinite)) return;
    this.place.set(x!, y!, z!);
    if (this.oriented && [roll, pitch, yaw].every(Number.isFinite))
      this.turn.setFromEuler(new Euler(roll, pitch, yaw, "ZYX"));
    this.gizmo?.put(this.place, this.turn);
    this.ask(this.place, this.turn);
  }

  private number(name: string): number {
    return this.field(name)?.valueAsNumber ?? Number.NaN;
  }

  private field(name: string): HTMLInputElement | null {
    return this.renderRoot.querySelector(`input[name=${name}]`);
  }

  /** Fields show where the link is; while somebody types, only those that are empty and left. */
  protected override paint(frame: Frame): void {
    const at = WIDTH.poses * (this.bench.store.facts.scene?.machine.links.indexOf(this.link) ?? -1);
    if (at < 0) return;
    const [x, y, z, w, i, j, k] = frame.poses.subarray(at, at + WIDTH.poses);
    this.place.set(x!, y!, z!);
    this.turn.set(i!, j!, k!, w!);
    const turned = new Euler().setFromQuaternion(this.turn, "ZYX");
    AXES.forEach((name) => this.show(name, this.place[name], 3));
    TURNS.forEach((name, i) => this.show(name, DEGREES * turned[AXES[i]!], 1));
  }

  private show(name: string, value: number, decimals: number): void {
    const field = this.field(name);
    const typing = this.renderRoot.querySelector("form")?.matches(":focus-within") ?? false;
    if (!field || (typing && (field.value !== "" || field.matches(":focus")))) return;
    field.value = value.toFixed(decimals);
  }

  override render(): TemplateResult | typeof nothing {
    const { scene } = this.bench.store.facts;
    if (!scene) return nothing;
    if (this.gizmo) this.gizmo.turns = this.turning;
    return html`<p class="dim">${this.bench.view ? words.hint : words.hintNoPicture}</p>
      <label>
        <span class="caption">${words.link}</span>
        <select
          data-testid="reach-link"
          @change=${(event: Event) => this.choose((event.target as HTMLSelectElement).value)}
        >
          ${linkOptions(scene.machine, this.link)}
        </select>
      </label>
      <div class="row">
        <div class="segments" role="group" aria-label=${words.handle}>
          ${this.switch("reach-move", words.move, !this.turning, () => (this.turning = false))}
          ${this.switch("reach-turn", words.turn, this.turning, () => (this.turning = true))}
        </div>
        <label class="check">
          <input
            type="checkbox"
            data-testid="reach-oriented"
            .checked=${this.oriented}
            @change=${(event: Event) => (this.oriented = (event.target as HTMLInputElement).checked)}
          />
          ${words.oriented}
        </label>
      </div>
      <form @submit=${this.typed}>
        ${AXES.map((name) => this.numberField(name, `${name} [m]`))}
        ${TURNS.map((name) => this.numberField(name, `${words[name]} [°]`, !this.oriented))}
        <button
          class="primary"
          data-testid="reach-go"
          ?disabled=${!this.bench.store.hasSeat}
          title=${this.bench.store.hasSeat ? words.go : words.noSeat}
        >
          ${words.go}
        </button>
      </form>
      ${this.renderWatching()} ${this.renderAnswer()}`;
  }

  private switch(id: string, name: string, on: boolean, act: () => void): TemplateResult {
    return html`<button data-testid=${id} aria-pressed=${on} @click=${act}>${name}</button>`;
  }

  private numberField(name: string, label: string, off = false): TemplateResult {
    return html`<label>
      <span class="dim">${label}</span>
      <input type="number" name=${name} data-testid="reach-${name}" step="any" ?disabled=${off} />
    </label>`;
  }

  private renderAnswer(): TemplateResult | typeof nothing {
    const { answer } = this;
    if (!answer) return nothing;
    return html`<div data-testid="reach-answer" ?data-missed=${this.missed !== null}>
      ${
        this.missed
          ? html`<p class="warning" data-testid="reach-left">
              ${words.left(fixed(1000 * answer.distance, 1), fixed(DEGREES * answer.angle, 1))}
              <button data-testid="reach-give-up" @click=${this.giveUp}>${words.giveUp}</button>
            </p>`
          : html`<p data-testid="reach-there">${words.there}</p>`
      }
      <dl class="figures">
        <dt>${words.limits}</dt>
        <dd data-testid="reach-limits">${answer.limits.map(plain).join(", ") || words.none}</dd>
        <dt>${words.iterations}</dt>
        <dd>${answer.iterations}</dd>
      </dl>
    </div>`;
  }

  static override styles = [
    theme,
    toolStyles,
    css`
      form {
        display: grid;
        grid-template-columns: repeat(3, minmax(0, 1fr));
        gap: 0.5rem;
      }
      form button {
        grid-column: 1 / -1;
      }
      .check {
        display: flex;
        align-items: center;
        gap: 0.4rem;
      }
      [data-testid="reach-answer"] {
        display: grid;
        gap: 0.5rem;
      }
    `,
  ];
}
