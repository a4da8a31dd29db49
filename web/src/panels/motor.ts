/** A motor: backwards, stop, forwards, and what it does. */

import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import type { Frame } from "../protocol/frame";
import { COLUMN, WIDTH, type JointInfo, type MotorInfo, type Up } from "../protocol/generated";
import { own } from "../state/own";
import { text } from "../text";
import {
  kilonewtonMetres,
  kilonewtons,
  millimetresPerSecond,
  motorWords,
  revolutions,
} from "./format";
import { put } from "./group";
import { backIcon, forwardIcon, outIcon, reverseIcon, stopIcon } from "./icons";
import { media } from "./media";
import "./servo";
import type { ServoPart } from "./servo";
import { theme } from "./theme";

@customElement("hf-motor")
export class MotorPart extends LitElement {
  @property({ attribute: false }) motor!: MotorInfo;
  @property({ attribute: false }) send!: (message: Up) => void;
  /** Which one of the machine's motors. */
  @property({ type: Number }) index = 0;
  @property({ type: Boolean }) enabled = false;
  /** Fraction of its speed that was asked for. */
  @property({ type: Number }) speed = 0;
  @property() cap = "";
  /** The joint that it moves, and which one of the machine's it is. */
  @property({ attribute: false }) joint: JointInfo | undefined;
  @property({ type: Number }) place = -1;
  /** Where a servo goes by itself [rad, m]. */
  @property({ attribute: false }) target: number | null = null;

  @query(".pace b") private pace!: HTMLElement;
  @query(".effort b") private effort!: HTMLElement;
  @query("hf-servo") private servo!: ServoPart | null;

  /** Whether its joint turns; else it slides. */
  private get turns(): boolean {
    return this.joint?.turns ?? true;
  }

  paint(frame: Frame): void {
    if (!this.hasUpdated) return;
    const { turns, motor } = this;
    const pace = frame.motors[WIDTH.motors * this.index + COLUMN.motors.speed] ?? NaN;
    const effort = frame.motors[WIDTH.motors * this.index + COLUMN.motors.torque] ?? NaN;
    put(this.pace, (turns ? revolutions : millimetresPerSecond)(pace, motor.speed));
    put(this.effort, (turns ? kilonewtonMetres : kilonewtons)(effort, motor.torque));
    this.servo?.paint(frame.joints[this.place] ?? NaN);
  }

  override render(): TemplateResult {
    const { motor, speed, turns } = this;
    const name = motorWords(motor.name);
    const kind = own(text.driveKinds, motor.kind);
    const one = (value: -1 | 0 | 1, way: string, label: string, icon: unknown): TemplateResult =>
      html`<button
        class=${way}
        data-testid="motor-${motor.name}-${way}"
        title=${label}
        aria-pressed=${Math.sign(speed) === value && value !== 0}
        ?disabled=${!this.enabled}
        @click=${() => this.send({ type: "spin_motor", motor: motor.name, speed: value })}
      >
        <span class="unseen">${label}</span>
        <svg viewBox="0 0 24 24" aria-hidden="true">${icon}</svg>
        ${value === 1 && this.cap !== "" ? html`<kbd>${this.cap}</kbd>` : nothing}
      </button>`;
    return html`<section
      class="cell"
      ?data-on=${speed !== 0 || this.target !== null}
      role="group"
      aria-label=${name}
    >
      <h3 title=${kind === undefined ? name : `${name}: ${kind}`}>${name}</h3>
      <div class="segments">
        ${
          turns
            ? one(-1, "reverse", text.motorReverse(name), reverseIcon)
            : one(-1, "reverse", text.slideReverse(name), backIcon)
        }
        ${one(0, "stop", text.motorStop(name), stopIcon)}
        ${
          turns
            ? one(1, "forward", text.motorForward(name), forwardIcon)
            : one(1, "forward", text.slideForward(name), outIcon)
        }
      </div>
      ${
        motor.servo && this.joint
          ? html`<hf-servo
              .motor=${motor}
              .joint=${this.joint}
              .send=${this.send}
              .target=${this.target}
              ?enabled=${this.enabled}
            ></hf-servo>`
          : nothing
      }
      <div class="numbers">
        <span class="pace"><b>–</b> <span class="unit">${turns ? "rpm" : "mm/s"}</span></span>
        <span class="effort"><b>–</b> <span class="unit">${turns ? "kNm" : "kN"}</span></span>
      </div>
    </section>`;
  }

  static override styles = [
    theme,
    css`
      :host {
        display: block;
        min-width: 0;
      }
      .cell {
        padding: 0.35rem 0.45rem 0.4rem;
        background: var(--panel);
        border: 1px solid var(--line);
        border-radius: var(--radius);
        display: grid;
        gap: 0.3rem;
      }
      .cell[data-on] {
        border-color: var(--accent);
      }
      h3 {
        font-size: 0.94rem;
        font-weight: 600;
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      .segments {
        display: flex;
      }
      .segments button {
        flex: 1 1 0;
        padding: 0;
      }
      .segments .forward {
        flex-grow: 1.6;
      }
      .numbers {
        display: flex;
        flex-wrap: wrap;
        justify-content: space-between;
        font-size: 0.9rem;
        white-space: nowrap;
      }
      b {
        font-weight: 600;
      }
      @media ${media.hand} {
        kbd {
          display: none;
        }
      }
    `,
  ];
}
