/** How the machine moves: kinematics or dynamics, by which method, under which gravity. */

import { css, html, LitElement, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import type { SceneInfo, SetPhysics, Status, Up } from "../protocol/generated";
import { text } from "../text";
import { Throttle, within } from "./scales";
import { doneWith, theme } from "./theme";

const EARTH = 9.81;
const MOON = 1.62;
const MOST = 20;

@customElement("hf-physics")
export class PhysicsPart extends LitElement {
  @property({ attribute: false }) send!: (message: Up) => void;
  @property({ attribute: false }) status: Status | null = null;
  @property({ attribute: false }) scene: SceneInfo | null = null;
  @property({ type: Boolean }) enabled = false;

  @query(".slide") private slide!: HTMLInputElement;
  @query(".number") private number!: HTMLInputElement;

  private pull = new Throttle<number>(150, (gravity) => this.change({ gravity }));
  /** What was asked for last: "auto" is answered by the name of what it chose. */
  private asked = "auto";

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.pull.cancel();
  }

  override updated(changed: PropertyValues<this>): void {
    const gravity = this.status?.gravity;
    if (gravity === undefined || gravity === changed.get("status")?.gravity) return;
    if (!this.slide.matches(":active")) this.slide.value = String(gravity);
    if (!this.number.matches(":focus")) this.number.value = gravity.toFixed(2);
  }

  override render(): TemplateResult {
    const { status, scene, enabled } = this;
    const dynamics = status?.dynamics ?? false;
    const methods = scene?.formulations ?? [];
    const integrators = scene?.integrators ?? [];
    const isAuto = (status?.reason ?? "") !== "" && methods.includes("auto");
    const chosen = !dynamics ? this.asked : isAuto ? "auto" : (status?.formulation ?? "auto");
    return html`<div class="row" role="group" aria-label=${text.physics}>
      <div class="segments">
        ${[false, true].map(
          (on) =>
            html`<button
              data-testid=${on ? "mode-dynamic" : "mode-kinematic"}
              aria-pressed=${on === dynamics}
              ?disabled=${!enabled}
              @click=${() => this.change({ dynamics: on })}
            >
              ${on ? text.dynamic : text.kinematic}
            </button>`,
        )}
      </div>
      <label>
        <span class="caption">${text.formulation}</span>
        <select
          data-testid="formulation"
          title=${status?.reason ?? ""}
          ?disabled=${!enabled || !dynamics}
          .value=${live(chosen)}
          @change=${(event: Event) => {
            this.asked = (event.target as HTMLSelectElement).value;
            this.change({ formulation: this.asked });
            doneWith(event.target);
          }}
        >
          ${methods.map(
            (name) =>
              html`<option value=${name} ?selected=${name === chosen}>
                ${
                  name === "auto" && isAuto && dynamics
                    ? text.formulationAuto(status?.formulation ?? "")
                    : name
                }
              </option>`,
          )}
        </select>
      </label>
      <label>
        <span class="caption">${text.integrator}</span>
        <select
          data-testid="integrator"
          ?disabled=${!enabled || !dynamics || integrators.length === 0}
          .value=${live(status?.integrator ?? "")}
          @change=${(event: Event) => {
            this.change({ integrator: (event.target as HTMLSelectElement).value });
            doneWith(event.target);
          }}
        >
          <option value="" ?selected=${!status?.integrator}>${text.ownIntegrator}</option>
          ${integrators
            .filter((name) => name !== "")
            .map(
              (name) =>
                html`<option value=${name} ?selected=${name === status?.integrator}>
                  ${name}
                </option>`,
            )}
        </select>
      </label>
      <div class="gravity" role="group" aria-label=${text.gravity}>
        <span class="caption">${text.gravity}</span>
        <input
          class="slide"
          type="range"
          min="0"
          max=${MOST}
          step="0.01"
          data-testid="gravity"
          aria-label="${text.gravity}, ${text.gravityUnit}"
          ?disabled=${!enabled}
          @input=${() => this.pull.give(this.slide.valueAsNumber)}
        />
        <input
          class="number"
          type="number"
          min="0"
          max=${MOST}
          step="0.01"
          data-testid="gravity-number"
          aria-label="${text.gravity}, ${text.gravityUnit}"
          ?disabled=${!enabled}
          @change=${this.typed}
          @keydown=${(event: KeyboardEvent) => event.code === "Enter" && this.number.blur()}
        />
        <span class="unit">${text.gravityUnit}</span>
        <span class="segments">
          ${(
            [
              [text.earth, EARTH, "earth"],
              [text.moon, MOON, "moon"],
            ] as const
          ).map(
            ([name, gravity, id]) =>
              html`<button
                data-testid="gravity-${id}"
                aria-pressed=${Math.abs((status?.gravity ?? NaN) - gravity) < 5e-3}
                ?disabled=${!enabled}
                @click=${() => this.change({ gravity })}
              >
                ${name}
              </button>`,
          )}
        </span>
      </div>
    </div>`;
  }

  private typed(): void {
    const wanted = this.number.valueAsNumber;
    if (!Number.isFinite(wanted)) {
      this.number.value = (this.status?.gravity ?? EARTH).toFixed(2);
      return;
    }
    const gravity = within(wanted, 0, MOST);
    this.number.value = gravity.toFixed(2);
    this.change({ gravity });
  }

  private change(part: Partial<SetPhysics>): void {
    this.send({
      dynamics: null,
      formulation: null,
      integrator: null,
      gravity: null,
      ...part,
      type: "set_physics",
    });
  }

  static override styles = [
    theme,
    css`
      :host {
        display: block;
        min-width: 0;
      }
      .row,
      .gravity {
        display: flex;
        align-items: center;
        gap: 0.9rem;
      }
      .gravity {
        gap: 0.4rem;
      }
      label {
        display: flex;
        align-items: center;
        gap: 0.4rem;
        min-width: 0;
      }
      .caption {
        font-size: 0.74rem;
      }
      select {
        width: 8.4rem;
        padding: 0 0.3rem;
      }
      label:first-of-type select {
        width: 10.6rem;
      }
      .slide {
        width: 6rem;
      }
      .number {
        width: 4.2rem;
        padding: 0 0.4rem;
        text-align: right;
      }
      .gravity .segments button {
        padding: 0 0.5rem;
      }
      @media (max-aspect-ratio: 5/4), (max-width: 1180px), (max-height: 520px) {
        .row,
        .gravity {
          flex-wrap: wrap;
        }
      }
    `,
  ];
}
