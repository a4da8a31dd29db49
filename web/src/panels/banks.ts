/** What a machine is driven by: banks of levers, and motors. */

import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import type { Hands } from "../input/hands";
import type { Mapping } from "../input/mappings";
import type { Frame } from "../protocol/frame";
import type { Group, MotorInfo, SceneInfo, Status, Up } from "../protocol/generated";
import { own } from "../state/own";
import { text } from "../text";
import { consoleFor } from "./consoles";
import "./group";
import type { GroupPart } from "./group";
import { media } from "./media";
import "./motor";
import type { MotorPart } from "./motor";
import { theme } from "./theme";

/** Keys that extend and retract, as they are printed on the keyboard; empty for none. */
type Caps = readonly [string, string];

@customElement("hf-banks")
export class BanksPart extends LitElement {
  @property({ attribute: false }) scene!: SceneInfo;
  @property({ attribute: false }) status: Status | null = null;
  @property({ attribute: false }) hands!: Hands;
  /** Which keys move what. */
  @property({ attribute: false }) mapping!: Mapping;
  /** Which page of them counts. */
  @property({ type: Number }) keyPage = 0;
  @property({ attribute: false }) keyName!: (code: string) => string;
  @property({ attribute: false }) send!: (message: Up) => void;
  @property({ type: Boolean }) enabled = false;

  private readonly kept = new Map<string, Caps>();

  /** Levers are drawn where the hands have them. */
  follow(): void {
    for (const group of this.groups()) group.follow();
  }

  /** Show a frame's numbers. */
  paint(frame: Frame): void {
    for (const group of this.groups()) group.paint(frame);
    for (const motor of this.renderRoot.querySelectorAll<MotorPart>("hf-motor")) motor.paint(frame);
  }

  private groups(): NodeListOf<GroupPart> {
    return this.renderRoot.querySelectorAll<GroupPart>("hf-group");
  }

  override render(): TemplateResult {
    const { motors } = this.scene.machine;
    const { control, columns, banks } = consoleFor(this.scene.machine);
    return html`${
      banks.length + motors.length === 0 ? html`<p class="dim">${text.noGroups}</p>` : nothing
    }
    ${banks.map(
      ({ title, groups }) =>
        html`<section class="bank ${control === "lever" ? "levers" : ""}">
          <h2 class="caption">${title}</h2>
          <div class="cells" data-columns=${columns}>
            ${repeat(
              groups,
              ({ name }) => `${this.scene.number} ${name}`,
              (group) => this.renderGroup(group, control),
            )}
          </div>
        </section>`,
    )}
    ${
      motors.length === 0
        ? nothing
        : html`<section class="bank motors">
            <h2 class="caption">
              ${motors.every(({ kind }) => kind === "motor") ? text.motors : text.jointDrives}
            </h2>
            <div class="cells" data-columns=${Math.min(3, motors.length)}>
              ${motors.map((motor, i) => this.renderMotor(motor, i))}
            </div>
          </section>`
    }`;
  }

  private renderGroup(group: Group, control: string): TemplateResult {
    const { status } = this;
    return html`<hf-group
      .group=${group}
      .hands=${this.hands}
      .send=${this.send}
      .control=${control}
      ?enabled=${this.enabled}
      ?dynamics=${status?.dynamics ?? false}
      ?floating=${status?.floating.includes(group.name) ?? false}
      .target=${own(status?.targets ?? {}, group.name) ?? null}
      .caps=${this.capsOf(group.name)}
    ></hf-group>`;
  }

  private renderMotor(motor: MotorInfo, index: number): TemplateResult {
    const { status } = this;
    const { joints } = this.scene.machine;
    const place = joints.findIndex(({ name }) => name === motor.joint);
    const binding = this.mapping.motors[index];
    const shown = binding && binding.keyPage === this.keyPage;
    return html`<hf-motor
      .motor=${motor}
      .joint=${joints[place]}
      .place=${place}
      .target=${own(status?.targets ?? {}, motor.name) ?? null}
      .index=${index}
      .send=${this.send}
      ?enabled=${this.enabled}
      .speed=${own(status?.motors ?? {}, motor.name) ?? 0}
      .cap=${shown ? this.keyName(binding.key) : ""}
    ></hf-motor>`;
  }

  /** The same object while its content is the same, so that nothing is drawn again for it. */
  private capsOf(group: string): Caps {
    const binding = this.mapping.groups.find((other) => other.group === group);
    const caps: Caps =
      binding?.keyPage === this.keyPage
        ? [this.keyName(binding.keys[0]), this.keyName(binding.keys[1])]
        : ["", ""];
    const old = this.kept.get(group);
    if (old && old[0] === caps[0] && old[1] === caps[1]) return old;
    this.kept.set(group, caps);
    return caps;
  }

  static override styles = [
    theme,
    css`
      :host {
        display: contents;
      }
      .bank {
        background: #0f1315;
      }
      .bank.levers {
        flex: 1 0 auto;
        display: grid;
        grid-template-rows: auto 1fr;
      }
      .levers hf-group {
        max-height: 30rem;
      }
      .bank h2 {
        padding: 0 0.1rem 0.2rem;
      }
      .cells {
        display: grid;
        gap: 0.4rem;
        grid-template-columns: repeat(3, minmax(0, 1fr));
      }
      .cells[data-columns="1"] {
        --run-height: 7rem;
        grid-template-columns: minmax(0, 1fr);
      }
      .cells[data-columns="2"] {
        grid-template-columns: repeat(2, minmax(0, 1fr));
      }
      @media ${media.hand} {
        .motors .cells[data-columns] {
          grid-template-columns: repeat(auto-fill, minmax(10.6rem, 1fr));
        }
      }
      @media ${media.lying} {
        .bank:not(.motors),
        .bank:not(.motors) .cells {
          display: contents;
        }
        .bank:not(.motors) h2 {
          display: none;
        }
        .bank.motors,
        p {
          grid-column: 1 / -1;
        }
      }
    `,
  ];
}
