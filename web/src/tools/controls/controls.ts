/** Where keys, sticks and buttons are: bound by pressing them, kept by the browser. */

import { html, nothing, svg, type TemplateResult } from "lit";
import { customElement, query, state } from "lit/decorators.js";
import { ButtonFinder, type Catcher, StickFinder } from "../../input/catching";
import { type PadLike, slotValue } from "../../input/gamepads";
import { keyNames, plainKeyName } from "../../input/keynames";
import { type Binding, type MotorBinding, PAD_SLOTS } from "../../input/mappings";
import { padButton, stick } from "../../input/padnames";
import {
  type Complaint,
  type Conflict,
  conflictsOf,
  DEAD_ZONES,
  EXPONENTS,
  type GroupChange,
  isBindable,
  LARGEST_FILE,
  type MotorChange,
  parseProfile,
  plainProfile,
  type Profile,
  profileData,
  withGroup,
  withMotor,
} from "../../input/profile";
import { shaped } from "../../input/shape";
import { fixed, isolated, motorWords, words as plain } from "../../panels/format";
import { invertIcon } from "../../panels/icons";
import { theme } from "../../panels/theme";
import { text } from "../../text";
import { words } from "../../text/tools/controls";
import { fileStem, saveFile } from "../saving";
import { ToolPart, toolStyles } from "../tool";
import { controlsStyles } from "./styles";

/** What is being bound. */
type Wish =
  { kind: "plus" | "minus" | "slot"; name: string } | { kind: "key" | "button"; name: string };

@customElement("hf-controls")
export class ControlsPart extends ToolPart implements Catcher {
  @state() private wish: Wish | null = null;
  @state() private refused = "";
  @state() private loaded = "";
  @state() private complaints: Complaint[] = [];
  @state() private keyName = plainKeyName;

  @query("input[type=file]") private chooser!: HTMLInputElement;
  @query(".dot") private dot!: SVGCircleElement | null;

  private sticks = new StickFinder();
  private buttons = new ButtonFinder();

  override connectedCallback(): void {
    super.connectedCallback();
    void keyNames().then((names) => (this.keyName = names));
    this.until(this.bench.hands.subscribe(() => this.requestUpdate()));
    this.until(() => this.cancel());
  }

  private get kind(): string {
    return this.bench.store.facts.scene?.machine.machine_class ?? "";
  }

  private get profile(): Profile {
    return this.bench.hands.profiles.of(this.kind);
  }

  /** Keep a profile and use it. */
  private keep(profile: Profile): void {
    this.bench.hands.profiles.keep(profile);
    this.bench.hands.remap();
    this.requestUpdate();
  }

  // ------------------------------------------------------------------ binding

  /** Wait for a key, a stick or a button; a second press on the field gives up. */
  private want(wish: Wish, event: Event): void {
    (event.currentTarget as HTMLElement).blur(); // Enter and Space are keys as well
    const again = wish.kind === this.wish?.kind && wish.name === this.wish.name;
    this.cancel();
    if (again) return;
    this.sticks = new StickFinder();
    this.buttons = new ButtonFinder();
    this.wish = wish;
    this.bench.hands.catch(this);
  }

  cancel(): void {
    this.wish = null;
    this.refused = "";
    if (this.bench.hands.catcher === this) this.bench.hands.catch(null);
  }

  key(code: string): void {
    const { wish } = this;
    if (wish?.kind !== "plus" && wish?.kind !== "minus" && wish?.kind !== "key") return;
    if (!isBindable(code)) this.refused = words.refusedKey(this.keyName(code));
    else this.give(code);
  }

  pads(pads: readonly PadLike[]): void {
    const { wish } = this;
    if (wish?.kind === "slot") {
      const found = this.sticks.take(pads);
      if (found) this.change(wish.name, found);
    } else if (wish?.kind === "button") {
      const found = this.buttons.take(pads);
      if (found !== null) this.changeMotor(wish.name, { button: found });
    }
  }

  /** Give what is wished a key; an empty code is none. */
  private give(code: string): void {
    const { wish } = this;
    if (!wish) return;
    if (wish.kind === "plus") this.change(wish.name, { plus: code });
    else if (wish.kind === "minus") this.change(wish.name, { minus: code });
    else if (wish.kind === "key") this.changeMotor(wish.name, { key: code });
  }

  private clear(): void {
    const { wish } = this;
    if (wish?.kind === "slot") this.change(wish.name, { slot: "none" });
    else if (wish?.kind === "button") this.changeMotor(wish.name, { button: -1 });
    else this.give("");
  }

  private change(group: string, change: GroupChange): void {
    this.cancel();
    this.keep(withGroup(this.profile, group, change));
  }

  private changeMotor(motor: string, change: MotorChange): void {
    this.cancel();
    this.keep(withMotor(this.profile, motor, change));
  }

  // ------------------------------------------------------------------- files

  private save(): void {
    const data = JSON.stringify(profileData(this.profile), null, 2);
    const name = `controls_${fileStem(this.kind || "machine")}.json`;
    saveFile(name, new Blob([`${data}\n`], { type: "application/json" }));
  }

  private async load(): Promise<void> {
    const file = this.chooser.files?.[0];
    this.chooser.value = "";
    if (!file) return;
    const content = file.size > LARGEST_FILE ? " ".repeat(LARGEST_FILE + 1) : await file.text();
    const { profile, complaints } = parseProfile(content);
    this.complaints = complaints;
    if (complaints.length > 0) {
      this.loaded = words.refused(isolated(file.name));
      return;
    }
    this.keep(profile);
    this.loaded =
      profile.kind === this.kind
        ? words.loaded(isolated(file.name))
        : words.loadedOther(isolated(file.name), isolated(profile.kind));
  }

  // ----------------------------------------------------------------- showing

  /** The stick that is pushed furthest, as a dot on the curve. */
  protected override paint(): void {
    const { dot } = this;
    if (!dot) return;
    const { dead, exponent } = this.bench.hands.mapping;
    let raw = 0;
    for (const pad of this.bench.hands.gamepads.connected())
      for (const slot of PAD_SLOTS) raw = Math.max(raw, Math.abs(slotValue(pad, slot)));
    const x = Math.min(1, raw);
    dot.setAttribute("cx", String(100 * x));
    dot.setAttribute("cy", String(100 - 100 * shaped(x, dead, exponent)));
  }

  override render(): TemplateResult | typeof nothing {
    const { scene } = this.bench.store.facts;
    if (!scene) return nothing;
    const { mapping, profiles } = this.bench.hands;
    return html`<p class="dim">${words.intro(plain(this.kind))}</p>
      ${profiles.broken ? html`<p class="warning">${words.broken}</p>` : nothing}
      ${profiles.forgetful ? html`<p class="warning">${words.forgetful}</p>` : nothing}
      ${this.wish ? this.renderWish(this.wish) : nothing}
      ${conflictsOf(mapping).map((conflict) => this.renderConflict(conflict))}
      ${
        mapping.groups.length === 0
          ? nothing
          : html`<table>
              <tr>
                <th scope="col">${words.group}</th>
                <th scope="col">${text.extend}</th>
                <th scope="col">${text.retract}</th>
                <th scope="col">${words.stick}</th>
                <th scope="col">
                  <svg class="icon" viewBox="0 0 24 24" role="img" aria-label=${words.invert}>
                    ${invertIcon}
                  </svg>
                </th>
              </tr>
              ${mapping.groups.map((binding) => this.renderGroup(binding))}
            </table>`
      }
      ${
        mapping.motors.length === 0
          ? nothing
          : html`<table>
              <tr>
                <th scope="col">${words.motor}</th>
                <th scope="col">${words.key}</th>
                <th scope="col">${words.button}</th>
              </tr>
              ${mapping.motors.map((binding) => this.renderMotor(binding))}
            </table>`
      }
      ${this.renderCurve()}
      <p class="dim">${words.generalHint}</p>
      <div class="row">
        <button data-testid="controls-save" title=${words.saveHint} @click=${this.save}>
          ${words.save}
        </button>
        <button
          data-testid="controls-load"
          title=${words.loadHint}
          @click=${() => this.chooser.click()}
        >
          ${words.load}
        </button>
        <input
          type="file"
          hidden
          accept=".json"
          aria-label=${words.loadHint}
          data-testid="controls-file"
          @change=${this.load}
        />
        <button
          data-testid="controls-reset"
          title=${words.resetHint}
          @click=${() => {
            this.cancel();
            this.loaded = "";
            this.complaints = [];
            this.keep(plainProfile(this.kind));
          }}
        >
          ${words.reset}
        </button>
      </div>
      ${this.renderLoaded()}`;
  }

  private renderWish(wish: Wish): TemplateResult {
    const name =
      wish.kind === "key" || wish.kind === "button" ? motorWords(wish.name) : plain(wish.name);
    const padded = wish.kind === "slot" || wish.kind === "button";
    const line = {
      plus: () => words.waitKey(name, text.extend),
      minus: () => words.waitKey(name, text.retract),
      key: () => words.waitKey(name, ""),
      slot: () => words.waitStick(name),
      button: () => words.waitButton(name),
    }[wish.kind]();
    const noPad = padded && this.bench.hands.gamepads.connected().length === 0;
    return html`<div class="wish" role="status" data-testid="controls-wish">
      <p><b>${line}</b> ${words.waitSafe}</p>
      ${noPad ? html`<p>${words.noPad}</p>` : nothing}
      ${this.refused ? html`<p data-testid="controls-refused">${this.refused}</p>` : nothing}
      <div class="row">
        <button data-testid="controls-clear" @click=${this.clear}>${words.clear}</button>
        <button data-testid="controls-cancel" @click=${this.cancel}>${words.cancel}</button>
      </div>
    </div>`;
  }

  private renderConflict({ kind, place, wanted }: Conflict): TemplateResult {
    const names = wanted.map(({ name, way }) =>
      way === ""
        ? plain(name)
        : `${plain(name)} (${way === "extend" ? text.extend : text.retract})`,
    );
    const slot = PAD_SLOTS.find((known) => known === place);
    const shown =
      kind === "key"
        ? this.keyName(place)
        : slot
          ? text.slots[slot]
          : `${words.button} ${padButton(Number(place))}`;
    return html`<p class="warning" data-testid="controls-conflict">
      ${words.conflict(shown, names[0] ?? "", names.slice(1).join(", "))}
    </p>`;
  }

  /** A cell with what is bound now, a key's or a stick's name, to be pressed for another. */
  private field(wish: Wish, shown: string, label: string): TemplateResult {
    const waits = wish.kind === this.wish?.kind && wish.name === this.wish.name;
    return html`<td>
      <button
        class="field"
        data-testid="bind-${wish.kind}-${wish.name}"
        aria-pressed=${waits}
        @click=${(event: Event) => this.want(wish, event)}
      >
        <span class="unseen">${label}:</span> ${waits ? "…" : shown}
      </button>
    </td>`;
  }

  private cap(code: string): string {
    return code === "" ? "–" : this.keyName(code);
  }

  private renderGroup({ group, keys, keyPage, slot, sign, padPage }: Binding): TemplateResult {
    const name = plain(group);
    const pages = Math.max(keyPage, padPage);
    return html`<tr>
      <th scope="row" title=${name}>
        ${name} ${pages > 0 ? html`<small>${words.page(pages + 1)}</small>` : nothing}
      </th>
      ${this.field({ kind: "plus", name: group }, this.cap(keys[0]), words.keyOf(name, text.extend))}
      ${this.field({ kind: "minus", name: group }, this.cap(keys[1]), words.keyOf(name, text.retract))}
      ${this.field({ kind: "slot", name: group }, stick(slot, sign), words.stickOf(name))}
      <td>
        <label
          ><input
            type="checkbox"
            data-testid="invert-${group}"
            aria-label=${words.inverted(name)}
            title=${words.invert}
            ?disabled=${slot === "none"}
            .checked=${sign < 0}
            @change=${(event: Event) =>
              this.change(group, { sign: (event.target as HTMLInputElement).checked ? -1 : 1 })}
        /></label>
      </td>
    </tr>`;
  }

  private renderMotor({ motor, key, button }: MotorBinding): TemplateResult {
    const name = motorWords(motor);
    return html`<tr>
      <th scope="row" title=${name}>${name}</th>
      ${this.field({ kind: "key", name: motor }, this.cap(key), words.keyOf(name, ""))}
      ${this.field(
        { kind: "button", name: motor },
        button < 0 ? "–" : padButton(button),
        words.buttonOf(name),
      )}
    </tr>`;
  }

  private renderCurve(): TemplateResult {
    const { dead, exponent } = this.profile;
    const points = Array.from({ length: 51 }, (_, i) => {
      const raw = i / 50;
      return `${100 * raw},${100 - 100 * shaped(raw, dead, exponent)}`;
    }).join(" ");
    return html`<section>
      <h3 class="caption">${words.sticks}</h3>
      <div class="shape">
        <svg viewBox="-4 -4 108 108" aria-hidden="true">
          ${svg`<path class="frame" d="M0 0V100H100M0 50H100M50 0V100M100 0V100M0 0H100"/>
            <polyline points=${points} />
            <circle class="dot" cx="0" cy="100" r="4" />`}
        </svg>
        <div class="sliders">
          ${this.slider(
            "dead",
            words.dead,
            "",
            dead,
            DEAD_ZONES,
            0.01,
            `${fixed(100 * dead, 0)} %`,
            (value) => ({
              dead: value,
            }),
          )}
          ${this.slider(
            "curve",
            words.curve,
            words.curveHint,
            exponent,
            EXPONENTS,
            0.1,
            fixed(exponent, 1),
            (value) => ({
              exponent: value,
            }),
          )}
        </div>
      </div>
    </section>`;
  }

  private slider(
    id: string,
    name: string,
    hint: string,
    value: number,
    [low, high]: readonly [number, number],
    step: number,
    shown: string,
    change: (value: number) => Partial<Profile>,
  ): TemplateResult {
    return html`<label title=${hint}>
      <span class="line"><span>${name}</span><span>${shown}</span></span>
      <input
        type="range"
        data-testid="controls-${id}"
        min=${low}
        max=${high}
        step=${step}
        .value=${String(value)}
        @input=${(event: Event) => {
          const given = (event.target as HTMLInputElement).valueAsNumber;
          this.keep({ ...this.profile, ...change(given) });
        }}
      />
    </label>`;
  }

  private renderLoaded(): TemplateResult | typeof nothing {
    if (this.loaded === "") return nothing;
    const bad = this.complaints.length > 0;
    return html`<div role="status" data-testid="controls-loaded">
      <p class=${bad ? "warning" : ""}>${this.loaded}</p>
      ${
        bad
          ? html`<ol>
              ${this.complaints
                .slice(0, 100)
                .map(
                  ({ place, message }) => html`<li><b>${place || words.file}</b>: ${message}</li>`,
                )}
            </ol>`
          : nothing
      }
    </div>`;
  }

  static override styles = [theme, toolStyles, controlsStyles];
}
