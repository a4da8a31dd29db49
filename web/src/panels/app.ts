/** The whole page: bar, picture, console, time; and everything that a person can meet. */

import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { Clicks } from "../input/clicks";
import type { Action, Hands } from "../input/hands";
import { keyNames, plainKeyName } from "../input/keynames";
import type { Mapping } from "../input/mappings";
import type { Up } from "../protocol/generated";
import { own } from "../state/own";
import type { Facts, Store } from "../state/store";
import { unitCount } from "../state/selection";
import { language, text } from "../text";
import { sceneWords } from "../text/scenes";
import { words as replay } from "../text/tools/replay";
import "../tools/machine/zone";
import "../tools/panel";
import type { PanelPart } from "../tools/panel";
import { toolOf } from "../tools/registry";
import "../tools/strip";
import type { StripPart } from "../tools/strip";
import type { Bench } from "../tools/tool";
import { appStyles } from "./app_styles";
import "./banks";
import type { BanksPart } from "./banks";
import "./chooser";
import { consoleFor } from "./consoles";
import "./estop";
import { words } from "./format";
import "./help";
import { focused } from "./focus";
import { menuIcon, moreIcon } from "./icons";
import { HAND, NARROW, whether } from "./media";
import "./menu";
import { bannerOf, overlayOf, preparationOf, type Remedies, toastsOf } from "./notices";
import "./physics";
import "./readouts";
import type { ReadoutsPart } from "./readouts";
import {
  banners,
  handsLive,
  lastGood,
  overlay,
  preparation,
  seatWords,
  whyNotRelease,
} from "./states";
import { QUALITIES, qualityWords, rememberedQuality, rememberQuality } from "./quality_choice";
import "./speed";
import { doneWith, theme } from "./theme";
import "./time";
import type { TimePart } from "./time";
import "./units";
import type { UnitsPart } from "./units";

/** What the panel asks of the picture. */
export interface ViewLike {
  readonly camera: string;
  setCamera(name: string): void;
  /** Look at everything that is shown. */
  showAll(): void;
  readonly quality: string;
  /** A quality, or "auto". */
  readonly chosen: string;
  setQuality(quality: string): void;
  /** Draw calls, triangles, script time a picture [ms], pictures a second. */
  stats(): { calls: number; triangles: number; script: number; fps: number };
  /** Number of the unit at a place of the window [px]. */
  unitAt?(x: number, y: number): number | null;
}

export const CAMERAS = ["orbit", "chase", "seat", "top"] as const;

const PAINT = 100; // [ms] between two looks at the numbers
const TOAST = 6000; // [ms] for which a notice stays

/** The tool that the page's address asks for, as in "?tool=record". */
function toolInAddress(): string {
  const asked = typeof location === "undefined" ? "" : location.search;
  return toolOf(new URLSearchParams(asked).get("tool") ?? "")?.id ?? "";
}

@customElement("hf-app")
export class App extends LitElement {
  @property({ attribute: false }) store!: Store;
  @property({ attribute: false }) hands!: Hands;
  /** The picture; null where there is no WebGL. */
  @property({ attribute: false }) view: ViewLike | null = null;
  /** What tools work with. */
  @property({ attribute: false }) bench!: Bench;
  /** The picture's context was lost; the browser may give it back. */
  @property({ type: Boolean }) lost = false;

  @state() private facts: Facts | null = null;
  @state() private sheet: "" | "chooser" | "help" | "menu" = "";
  @state() private tool = toolInAddress();
  /** The page is a panel in the hand; and its bar has a menu. */
  @state() private hand = false;
  @state() private narrow = false;
  @state() private neutral = true;
  @state() private mapping: Mapping | null = null;
  @state() private keyName = plainKeyName;

  @query("hf-readouts") private readouts!: ReadoutsPart | null;
  @query("hf-time") private time!: TimePart | null;
  @query("hf-units") private units!: UnitsPart | null;
  @query("hf-banks") private banks!: BanksPart | null;

  private send = (message: Up): void => this.store.send(message);
  private endings: (() => void)[] = [];
  private timer = 0;
  private following = 0;
  private had = { seat: false, presence: "", machine: "", scene: -1 };
  private fading = new Map<number, number>();
  private back: HTMLElement | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    document.documentElement.lang = language;
    const quality = rememberedQuality();
    if (quality !== null) this.view?.setQuality(quality);
    void keyNames().then((names) => (this.keyName = names));
    const look = (): void => this.look();
    const hide = (): void => this.present();
    const blur = (): void => {
      this.hands.release();
      this.present();
    };
    window.addEventListener("blur", blur);
    window.addEventListener("focus", hide);
    document.addEventListener("visibilitychange", hide);
    this.endings = [
      this.store.subscribe(look),
      this.hands.subscribe(() => this.moved()),
      this.hands.keyboard.attach(window),
      () => window.removeEventListener("blur", blur),
      () => window.removeEventListener("focus", hide),
      () => document.removeEventListener("visibilitychange", hide),
      whether(HAND, (fits) => (this.hand = fits)),
      whether(NARROW, (fits) => this.narrowed(fits)),
    ];
    this.hands.onAction = (action) => this.act(action);
    this.timer = window.setInterval(() => this.paint(), PAINT);
    const clicks = new Clicks(this, (event) => this.pointed(event));
    this.endings.push(() => clicks.dispose());
    this.look();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const end of this.endings) end();
    this.endings = [];
    this.hands.onAction = null;
    this.hands.release();
    window.clearInterval(this.timer);
    for (const fade of this.fading.values()) window.clearTimeout(fade);
    this.fading.clear();
  }

  /** Look at the facts: what is drawn, and whether hands have effect. */
  private look(): void {
    const { facts } = this.store;
    const before = this.facts;
    const same =
      before !== null &&
      (Object.keys(facts) as (keyof Facts)[]).every(
        (key) => key === "latency" || facts[key] === before[key],
      );
    if (!same) this.facts = facts;
    const scene = facts.scene;
    if (scene && (scene.number !== this.had.scene || scene.machine.name !== this.had.machine)) {
      this.had.scene = scene.number;
      this.had.machine = scene.machine.name;
      this.hands.configure(scene.machine);
    }
    this.present();
    const presence = facts.status?.presence ?? "";
    if (presence !== "" && this.had.presence === "") this.drop();
    this.had.presence = presence;
    const hadSeat = this.had.seat;
    this.had.seat = this.store.hasSeat;
    if (hadSeat && !this.had.seat && facts.connection === "open" && facts.status !== null)
      this.store.toast("notice", text.notices.seat_lost);
    for (const { id, kind } of this.store.facts.toasts) {
      if (this.fading.has(id)) continue;
      const stay = kind === "error" ? 2 * TOAST : TOAST;
      this.fading.set(
        id,
        window.setTimeout(() => {
          this.fading.delete(id);
          this.store.dismiss(id);
        }, stay),
      );
    }
  }

  /** Levers died: what is held has no effect until it is let go of, which has to be said. */
  private drop(): void {
    if (!this.hands.neutral) this.store.toast("notice", text.leversDropped);
    this.hands.release();
  }

  private present(): void {
    const present = !document.hidden && document.hasFocus();
    this.hands.live = handsLive(this.store.facts, this.store.hasSeat, present);
  }

  /** Levers are drawn again with the next picture. */
  private moved(): void {
    this.neutral = this.hands.neutral;
    this.mapping = this.hands.mapping;
    if (this.following !== 0) return;
    this.following = requestAnimationFrame(() => {
      this.following = 0;
      this.banks?.follow();
    });
  }

  private paint(): void {
    const { frame, seen, facts } = this.store;
    this.readouts?.paint(frame, facts, this.view);
    if (!frame || !seen) return;
    this.banks?.paint(seen);
    this.time?.paint(frame);
  }

  /** A machine in the picture was clicked: it is driven from now on. */
  private pointed({ target, clientX, clientY, shiftKey, ctrlKey, metaKey }: PointerEvent): void {
    if (!(target instanceof HTMLCanvasElement)) return;
    const { scene } = this.store.facts;
    if (!scene || unitCount(scene) < 2 || this.tool !== "" || !this.view?.unitAt) return;
    const unit = this.view.unitAt(clientX, clientY);
    if (unit !== null) this.units?.choose(unit, { range: shiftKey, toggle: ctrlKey || metaKey });
  }

  private act(action: Action): void {
    const { facts, send } = this.store;
    const hasSeat = this.store.hasSeat && facts.replay === "";
    if ("motor" in action) {
      if (!hasSeat) return;
      const turns = (own(facts.status?.motors ?? {}, action.motor) ?? 0) !== 0;
      send({ type: "spin_motor", motor: action.motor, speed: turns ? 0 : action.direction });
      return;
    }
    switch (action.command) {
      case "escape":
        if (this.sheet !== "") this.close();
        else send({ type: "emergency_stop" });
        break;
      case "estop":
        send({ type: "emergency_stop" });
        break;
      case "pause":
        if (hasSeat) send({ type: "pause", on: !(facts.status?.paused ?? false) });
        break;
      case "camera":
        this.nextCamera();
        break;
      case "all":
        this.showAll();
        break;
      case "previous":
      case "next":
        if (hasSeat) this.units?.step(action.command === "next" ? 1 : -1);
        break;
      case "help":
        this.toggle("help");
        break;
      case "page":
        this.requestUpdate();
    }
  }

  private nextCamera(): void {
    if (!this.view) return;
    const at = CAMERAS.findIndex((name) => name === this.view?.camera);
    this.view.setCamera(CAMERAS[(at + 1) % CAMERAS.length] ?? "orbit");
    this.requestUpdate();
  }

  private showAll(): void {
    this.view?.showAll();
    this.requestUpdate();
  }

  private narrowed(fits: boolean): void {
    this.narrow = fits;
    if (!fits && this.sheet === "menu") this.close();
  }

  /** Open a window, or close it where it is open; the focus then goes back to where it was. */
  private toggle(sheet: "chooser" | "help" | "menu"): void {
    if (this.sheet === sheet) this.close();
    else this.open(sheet);
  }

  private open(sheet: "chooser" | "help" | "menu"): void {
    if (this.sheet === "") this.back = focused();
    this.sheet = sheet;
  }

  private close(): void {
    this.sheet = "";
    this.back?.focus();
    this.back = null;
  }

  /** Show a tool, or none; who came by the menu goes on in the tool. */
  private async choose(tool: string): Promise<void> {
    this.tool = tool;
    if (this.sheet !== "menu") return;
    this.close();
    if (tool === "") return;
    await this.updateComplete;
    this.renderRoot.querySelector<PanelPart>("hf-tool")?.enter();
  }

  private closeTool(): void {
    const button = this.renderRoot.querySelector<StripPart>("hf-strip")?.button(this.tool);
    this.tool = "";
    (button ?? this.renderRoot.querySelector<HTMLElement>("[data-testid=menu]"))?.focus();
  }

  override updated(changed: PropertyValues): void {
    if (changed.has("facts") || changed.has("view")) this.paint();
  }

  override render(): TemplateResult {
    const { facts } = this.store;
    const { status, scene } = facts;
    const hasSeat = this.store.hasSeat;
    const emergency = status?.emergency ?? false;
    const over = overlay(facts);
    const remedies = this.remedies();
    const settable = hasSeat && scene !== null && over === null && facts.replay === "";
    const control = scene ? consoleFor(scene.machine).control : nothing;
    return html`<div
      class="page"
      ?data-emergency=${emergency}
      ?data-tool=${this.tool !== ""}
      ?data-sheet=${this.sheet !== ""}
    >
      ${this.renderBar(hasSeat, settable)}
      <main class="picture">
        <slot name="canvas"></slot>
        <slot></slot>
        ${over === null ? this.renderNoPicture() : nothing}
        <div class="top" ?hidden=${over !== null || this.sheet !== ""}>
          <hf-readouts
            ?dynamics=${status?.dynamics ?? false}
            ?narrow=${this.hand || this.view?.camera === "seat"}
          ></hf-readouts>
          ${this.hand ? nothing : html`<div class="corner">${this.renderCameras()}</div>`}
          <div class="banners" data-testid="banner" role="status" aria-live="polite">
            ${repeat(
              banners(facts, hasSeat),
              ({ id }) => id,
              (situation) => bannerOf(situation, remedies),
            )}
            ${preparationOf(preparation(facts))}
          </div>
        </div>
        ${over ? overlayOf(over, remedies) : nothing}
      </main>
      ${toastsOf(facts.toasts, (id) => this.store.dismiss(id))}
      ${this.sheet === "" ? nothing : this.renderSheets(hasSeat, settable)}
      ${this.hand ? nothing : this.renderStrip()}
      <aside class="console" aria-label=${text.machine}>
        ${this.renderTool()}
        <div class="banks" data-control=${control} tabindex=${settable ? nothing : 0}>
          <hf-units
            .scene=${scene}
            .status=${status}
            .send=${this.send}
            ?enabled=${settable && (status?.alive ?? false)}
            ?hidden=${!scene || unitCount(scene) < 2}
          ></hf-units>
          ${this.renderBanks(settable)}
        </div>
        <hf-estop
          .send=${this.send}
          ?latched=${emergency}
          ?offline=${facts.connection !== "open"}
          .why=${whyNotRelease(facts, hasSeat, this.neutral)}
          .caps=${["Escape", "Pause", "Delete"].map((code) => this.keyName(code)).join(", ")}
        ></hf-estop>
      </aside>
      <hf-dropzone .store=${this.store} @dropped=${() => (this.tool = "machine")}></hf-dropzone>
      <footer>
        <hf-time
          .send=${this.send}
          .status=${status}
          ?enabled=${settable}
          ?compact=${this.hand}
        ></hf-time>
      </footer>
    </div>`;
  }

  private renderTool(): TemplateResult | typeof nothing {
    if (this.tool === "") return nothing;
    return html`<hf-tool
      .tool=${this.tool}
      .bench=${this.bench}
      @closed=${this.closeTool}
    ></hf-tool>`;
  }

  private renderStrip(): TemplateResult {
    return html`<hf-strip
      .open=${this.tool}
      @chosen=${(event: CustomEvent<string>) => void this.choose(event.detail)}
    ></hf-strip>`;
  }

  private renderBar(hasSeat: boolean, settable: boolean): TemplateResult {
    const { facts } = this.store;
    const { scene, status } = facts;
    const name = scene?.machine.name ?? "";
    const [first, ...more] = status?.selected ?? [];
    const unit =
      scene && first !== undefined && unitCount(scene) > 1
        ? ` ${first}${more.length > 0 ? ` + ${more.length}` : ""}`
        : "";
    return html`<header>
      <h1 class="unseen">${text.title}</h1>
      <button
        class="machine"
        data-testid="chooser"
        title=${text.chooseMachine}
        aria-expanded=${this.sheet === "chooser"}
        ?disabled=${!scene}
        @click=${() => this.toggle("chooser")}
      >
        <span class="name">${words(name) || text.title}${unit}</span>
        <svg viewBox="0 0 24 24" aria-hidden="true">${moreIcon}</svg>
      </button>
      ${this.narrow ? nothing : [this.renderScenes(settable), this.renderPhysics(settable)]}
      <div class="seat">
        ${
          facts.recording?.on
            ? html`<span class="chip rec" data-testid="rec" title=${replay.recording}>REC</span>`
            : nothing
        }
        <span class="chip" ?data-on=${hasSeat} data-testid="seat"
          >${seatWords(facts, hasSeat)}</span
        >
        ${this.narrow ? this.renderMenuButton() : this.renderHelpButton(html`<span class="unseen">${text.help}</span> ?`)}
      </div>
    </header>`;
  }

  private renderMenuButton(): TemplateResult {
    return html`<button
      class="square"
      data-testid="menu"
      aria-label=${text.menu}
      title=${text.menu}
      aria-expanded=${this.sheet === "menu"}
      @click=${() => this.toggle("menu")}
    >
      <svg viewBox="0 0 24 24" aria-hidden="true">${menuIcon}</svg>
    </button>`;
  }

  private renderHelpButton(sign: TemplateResult): TemplateResult {
    return html`<button
      class=${this.narrow ? "" : "square"}
      data-testid="help"
      title="${text.help} (F1, ?)"
      aria-expanded=${this.sheet === "help"}
      @click=${() => this.toggle("help")}
    >
      ${sign}
    </button>`;
  }

  private renderPhysics(settable: boolean): TemplateResult {
    const { scene, status } = this.store.facts;
    return html`<hf-physics
      .send=${this.send}
      .status=${status}
      .scene=${scene}
      ?enabled=${settable}
    ></hf-physics>`;
  }

  private renderScenes(settable: boolean): TemplateResult {
    const { scene } = this.store.facts;
    return html`<select
      data-testid="scene"
      aria-label=${sceneWords.scene}
      title=${sceneWords.scene}
      ?disabled=${!settable}
      @change=${(event: Event) => this.chooseScene(event.target as HTMLSelectElement)}
    >
      ${(scene?.scenes ?? []).map(
        (one) =>
          html`<option value=${one} ?selected=${one === scene?.name}>
            ${own(sceneWords.names, one) ?? words(one)}
          </option>`,
      )}
    </select>`;
  }

  private chooseScene(select: HTMLSelectElement): void {
    const name = select.value;
    doneWith(select);
    select.value = this.store.facts.scene?.name ?? name; // until the server has gone there
    this.store.send({ type: "choose_scene", name, machine: null });
  }

  /** A machine of the catalogue; in a scene without room for it, the tunnel has. */
  private chooseMachine(name: string): void {
    this.close();
    if (this.store.facts.scene?.guest ?? true) this.store.send({ type: "choose_machine", name });
    else this.store.send({ type: "choose_scene", name: "tunnel", machine: name });
  }

  private renderCameras(): TemplateResult {
    const { view } = this;
    return html`<div class="segments" role="group" aria-label=${text.cameras}>
        ${CAMERAS.map(
          (name) =>
            html`<button
              data-testid="camera-${name}"
              aria-pressed=${view?.camera === name}
              ?disabled=${!view}
              @click=${() => {
                view?.setCamera(name);
                this.requestUpdate();
              }}
            >
              ${text.camera[name]}
            </button>`,
        )}
      </div>
      <button
        data-testid="show-all"
        title=${text.showAllHint(this.keyName("Home"))}
        ?disabled=${!view}
        @click=${(event: Event) => {
          doneWith(event.currentTarget);
          this.showAll();
        }}
      >
        ${text.showAll}
      </button>
      <select
        data-testid="quality"
        aria-label=${text.quality}
        title=${text.quality}
        ?disabled=${!view}
        @change=${(event: Event) => {
          const { value } = event.target as HTMLSelectElement;
          view?.setQuality(value);
          rememberQuality(value);
          doneWith(event.target);
          this.requestUpdate();
        }}
      >
        ${QUALITIES.map(
          (name) =>
            html`<option value=${name} ?selected=${view?.chosen === name}>
              ${name === "auto" ? text.autoQuality(qualityWords(view)) : text.qualities[name]}
            </option>`,
        )}
      </select>`;
  }

  private renderBanks(settable: boolean): TemplateResult | typeof nothing {
    const { scene, status } = this.store.facts;
    if (!scene) return nothing;
    return html`<hf-banks
      .scene=${scene}
      .status=${status}
      .hands=${this.hands}
      .mapping=${this.mapping ?? this.hands.mapping}
      .keyPage=${this.hands.keyboard.page}
      .keyName=${this.keyName}
      .send=${this.send}
      ?enabled=${settable && (status?.alive ?? false) && !(status?.emergency ?? true)}
    ></hf-banks>`;
  }

  private renderNoPicture(): TemplateResult | typeof nothing {
    if (this.view !== null && !this.lost) return nothing;
    return html`<div class="blank" data-testid="no-picture">
      <h2>${this.lost ? text.pictureLost : text.noPicture}</h2>
      <p>${this.lost ? text.pictureLostDetail : text.noPictureDetail}</p>
    </div>`;
  }

  private remedies(): Remedies {
    const { send } = this;
    return {
      reload: () => location.reload(),
      restart: () => send({ type: "restart" }),
      take_seat: () => send({ type: "take_seat" }),
      live: () => this.store.set({ replay: "" }),
      rewind: () => {
        const from = this.store.frame ?? this.store.facts.status;
        if (from) send({ type: "rewind", time: lastGood(from.oldest, from.newest) });
      },
    };
  }

  /** An open window; what is dangerous stands above it. */
  private renderSheets(hasSeat: boolean, settable: boolean): TemplateResult {
    const dangers = banners(this.store.facts, hasSeat).filter(({ level }) => level === "danger");
    return html`<div class="sheets">
      <div class="banners" role="status" aria-live="polite">
        ${dangers.map((situation) => bannerOf(situation, this.remedies()))}
      </div>
      ${this.sheet === "menu" ? this.renderMenu(settable) : this.renderSheet(hasSeat)}
    </div>`;
  }

  private renderMenu(settable: boolean): TemplateResult {
    const { status } = this.store.facts;
    const content = html`${this.hand ? this.renderStrip() : nothing}
      <div class="row">
        ${this.renderScenes(settable)} ${this.renderHelpButton(html`${text.help}`)}
      </div>
      ${
        this.hand
          ? html`<div class="row">${this.renderCameras()}</div>
              <hf-speed .send=${this.send} .status=${status} ?enabled=${settable}></hf-speed>`
          : nothing
      }
      ${this.renderPhysics(settable)} `;
    return html`<hf-menu .content=${content} @closed=${this.close}></hf-menu>`;
  }

  private renderSheet(hasSeat: boolean): TemplateResult | typeof nothing {
    const { scene } = this.store.facts;
    if (this.sheet === "help")
      return html`<hf-help
        .mapping=${this.hands.mapping}
        .keyName=${this.keyName}
        .pads=${this.hands.gamepads.count}
        @closed=${this.close}
      ></hf-help>`;
    if (this.sheet === "chooser" && scene)
      return html`<hf-chooser
        .catalogue=${scene.catalogue}
        .present=${scene.machine.name}
        ?enabled=${hasSeat}
        @chosen=${(event: CustomEvent<string>) => this.chooseMachine(event.detail)}
        @closed=${this.close}
      ></hf-chooser>`;
    return nothing;
  }

  static override styles = [theme, appStyles];
}
