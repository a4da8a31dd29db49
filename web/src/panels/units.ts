/** Which machines of the scene are driven: one by one, some, or all of a kind. */

import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { SceneInfo, StandInfo, Status, Up } from "../protocol/generated";
import {
  ALONE,
  chosenUnits,
  drivenStand,
  neighbour,
  selectionAfter,
  selectMessage,
  unitCount,
  type Way,
} from "../state/selection";
import { sceneWords as say } from "../text/scenes";
import { words } from "./format";
import { nextIcon, previousIcon } from "./icons";
import { doneWith, theme } from "./theme";

@customElement("hf-units")
export class UnitsPart extends LitElement {
  @property({ attribute: false }) scene: SceneInfo | null = null;
  @property({ attribute: false }) status: Status | null = null;
  @property({ attribute: false }) send!: (message: Up) => void;
  @property({ type: Boolean }) enabled = false;

  private anchor = 0;

  /** Positions in the driven stand of the units that obey. */
  private get chosen(): number[] {
    const first = (this.scene && drivenStand(this.scene)?.first) ?? 0;
    return chosenUnits({ scene: this.scene, status: this.status }).map((unit) => unit - first);
  }

  /** A unit was chosen, by its number in the scene; of another kind, it begins anew there. */
  choose(number: number, way: Way = ALONE): void {
    const { scene } = this;
    if (!scene || !this.enabled) return;
    const stand = scene.stands.find(
      ({ first, units }) => number >= first && number < first + units.length,
    );
    if (!stand) return;
    const clicked = number - stand.first;
    const same = stand === drivenStand(scene);
    const before = same ? this.chosen : [];
    const wanted = same ? selectionAfter(before, clicked, this.anchor, way) : [clicked];
    if (!way.range) this.anchor = clicked;
    if (same && before.join() === wanted.join()) return;
    this.send(selectMessage(stand, wanted));
  }

  /** The next unit of the driven kind, or the one before. */
  step(step: 1 | -1): void {
    const stand = this.scene && drivenStand(this.scene);
    if (!stand || stand.units.length < 2) return;
    this.choose(stand.first + neighbour(this.chosen, stand.units.length, step));
  }

  override render(): TemplateResult | typeof nothing {
    const { scene } = this;
    const stand = scene && drivenStand(scene);
    if (!scene || !stand || unitCount(scene) < 2) return nothing;
    return html`<section data-testid="units">
      ${scene.stands.length > 1 ? this.renderStands(scene, stand) : nothing}
      ${stand.units.length > 1 ? this.renderUnits(stand) : nothing}
    </section>`;
  }

  private renderStands(scene: SceneInfo, driven: StandInfo): TemplateResult {
    return html`<div class="segments" role="group" aria-label=${say.stands}>
      ${scene.stands.map(
        (stand) =>
          html`<button
            data-testid="stand-${stand.name}"
            aria-pressed=${stand === driven}
            ?disabled=${!this.enabled}
            @click=${(event: Event) => {
              doneWith(event.currentTarget);
              if (stand !== driven) this.choose(stand.first);
            }}
          >
            ${words(stand.name)}
          </button>`,
      )}
    </div>`;
  }

  private renderUnits(stand: StandInfo): TemplateResult {
    const chosen = new Set(this.chosen);
    const every = chosen.size === stand.units.length;
    return html`<header>
        <h2 class="caption">${words(stand.name)}</h2>
        <span class="dim" data-testid="units-chosen"
          >${say.chosen(chosen.size, stand.units.length)}</span
        >
        <button
          class="square"
          data-testid="unit-previous"
          title="${say.previous} (,)"
          aria-label=${say.previous}
          ?disabled=${!this.enabled}
          @click=${(event: Event) => this.stepped(event, -1)}
        >
          <svg viewBox="0 0 24 24" aria-hidden="true">${previousIcon}</svg>
        </button>
        <button
          class="square"
          data-testid="unit-next"
          title="${say.next} (.)"
          aria-label=${say.next}
          ?disabled=${!this.enabled}
          @click=${(event: Event) => this.stepped(event, 1)}
        >
          <svg viewBox="0 0 24 24" aria-hidden="true">${nextIcon}</svg>
        </button>
        <button
          data-testid="unit-all"
          title=${say.allHint}
          aria-pressed=${every}
          ?disabled=${!this.enabled}
          @click=${(event: Event) => {
            doneWith(event.currentTarget);
            if (!every) this.send({ type: "select", stand: stand.name, units: null });
          }}
        >
          ${say.all}
        </button>
      </header>
      <div class="units" role="group" aria-label=${say.units(words(stand.name))} title=${say.hint}>
        ${stand.units.map(
          (name, n) =>
            html`<button
              data-testid="unit-${name}"
              aria-label=${say.unit(words(stand.name), name)}
              aria-pressed=${chosen.has(n)}
              ?disabled=${!this.enabled}
              @click=${(event: MouseEvent) => {
                doneWith(event.currentTarget);
                const toggle = event.ctrlKey || event.metaKey;
                this.choose(stand.first + n, { toggle, range: event.shiftKey });
              }}
            >
              ${name}
            </button>`,
        )}
      </div>
      <p class="dim" ?hidden=${!(this.status?.dynamics ?? false) || chosen.size < 2}>
        ${say.alone}
      </p>`;
  }

  private stepped(event: Event, step: 1 | -1): void {
    doneWith(event.currentTarget);
    this.step(step);
  }

  static override styles = [
    theme,
    css`
      :host {
        display: block;
        flex: none;
      }
      section {
        display: grid;
        gap: 0.35rem;
      }
      header {
        display: flex;
        align-items: center;
        gap: 0.4rem;
      }
      header .dim {
        margin-right: auto;
      }
      header button {
        height: 1.8rem;
      }
      header .square {
        width: 1.8rem;
        font-size: 1.2rem;
        line-height: 1;
      }
      .units {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(1.72rem, 1fr));
        gap: 1px;
        max-height: 10.5rem;
        overflow: auto;
        scrollbar-width: thin;
        padding: 2px;
      }
      .units button {
        height: 1.4rem;
        padding: 0;
        border-radius: 0.2rem;
        font-size: 0.74rem;
      }
      .units button[aria-pressed="true"] {
        background: var(--accent);
        border-color: var(--accent);
        color: var(--on-accent);
        box-shadow: none;
        font-weight: 700;
      }
    `,
  ];
}
