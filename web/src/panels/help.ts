/** All keys and gamepad controls of the present machine. */

import { css, html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { COMMAND_KEYS, type Command, type Mapping, PAD_COMMANDS } from "../input/mappings";
import { padButton, stick } from "../input/padnames";
import { text } from "../text";
import { sceneWords } from "../text/scenes";
import { motorWords, words } from "./format";
import { SheetPart, sheetStyles } from "./sheet";
import { theme } from "./theme";

const COMMANDS: readonly [Command, string][] = [
  ["estop", text.helpStop],
  ["pause", text.helpPause],
  ["camera", text.helpCamera],
  ["all", text.helpAll],
  ["page", text.helpPages],
  ["previous", sceneWords.previous],
  ["next", sceneWords.next],
  ["help", text.helpHelp],
];

@customElement("hf-help")
export class HelpPart extends SheetPart {
  @property({ attribute: false }) mapping!: Mapping;
  /** How many gamepads there are. */
  @property({ type: Number }) pads = 0;
  @property({ attribute: false }) keyName!: (code: string) => string;

  protected readonly heading = text.helpTitle;

  protected renderContent(): TemplateResult {
    const { mapping } = this;
    const paged = mapping.keyPages > 1 || mapping.padPages > 1;
    return html`
      <div class="columns">
        <table ?hidden=${mapping.groups.length === 0}>
          <caption class="caption">
            ${text.helpGroups}
          </caption>
          <tr>
            <td></td>
            <th scope="col">${text.extend}</th>
            <th scope="col">${text.retract}</th>
            <th scope="col">${text.helpGamepad}</th>
          </tr>
          ${mapping.groups.map(
            ({ group, keys, keyPage, slot, sign, padPage }) =>
              html`<tr>
                <th scope="row">${words(group)}</th>
                <td>${this.key(keys[0], keyPage)}</td>
                <td>${this.key(keys[1], keyPage)}</td>
                <td>${stick(slot, sign)} ${page(padPage)}</td>
              </tr>`,
          )}
        </table>
        <div>
          <table ?hidden=${mapping.motors.length === 0}>
            <caption class="caption">
              ${text.helpMotors}
            </caption>
            ${mapping.motors.map(
              ({ motor, key, keyPage, button, padPage }) =>
                html`<tr>
                  <th scope="row">${motorWords(motor)}</th>
                  <td>${this.key(key, keyPage)}</td>
                  <td>${pad(button)} ${page(padPage)}</td>
                </tr>`,
            )}
            <tr>
              <td colspan="3" class="dim">${text.helpMotor}</td>
            </tr>
          </table>
          <table>
            <caption class="caption">
              ${text.helpGeneral}
            </caption>
            ${COMMANDS.filter(([command]) => command !== "page" || paged).map(
              ([command, label]) =>
                html`<tr>
                  <th scope="row">${label}</th>
                  <td>${this.keysFor(command)}</td>
                  <td>
                    ${Object.entries(PAD_COMMANDS)
                      .filter(([, other]) => other === command)
                      .map(([button]) => pad(Number(button)))}
                  </td>
                </tr>`,
            )}
            <tr>
              <td colspan="3" class="dim">${text.helpOrbit}</td>
            </tr>
          </table>
        </div>
      </div>
      <p>${text.helpLevers}</p>
      <p>${text.helpSafety} ${text.helpEscape}.</p>
      <p>${text.helpPads(this.pads)}</p>
    `;
  }

  private key(code: string, at: number): TemplateResult {
    if (code === "") return html`–`;
    return html`<kbd>${this.keyName(code)}</kbd> ${page(at)}`;
  }

  private keysFor(command: Command): TemplateResult[] {
    const codes = Object.keys(COMMAND_KEYS).filter((code) => COMMAND_KEYS[code] === command);
    const keys = codes.map((code) => html`<kbd>${this.keyName(code)}</kbd> `);
    return command === "help" ? [...keys, html`<kbd>?</kbd>`] : keys;
  }

  static override styles = [
    theme,
    sheetStyles,
    css`
      .columns {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(24rem, 100%), 1fr));
        gap: 1rem 2.2rem;
        align-items: start;
      }
      table {
        width: 100%;
        border-collapse: collapse;
        margin-bottom: 1rem;
      }
      caption {
        text-align: left;
        padding-bottom: 0.3rem;
      }
      th {
        text-align: left;
        font-weight: 400;
        color: var(--dim);
        font-size: 0.9rem;
      }
      th[scope="row"] {
        color: inherit;
        font-size: inherit;
      }
      td,
      th {
        padding: 0.28rem 0.6rem 0.28rem 0;
        border-bottom: 1px solid var(--line);
      }
      p {
        color: var(--dim);
        max-width: 60rem;
        margin-top: 0.4rem;
      }
    `,
  ];
}

const pad = (button: number): string => (button < 0 ? "–" : padButton(button));
const page = (at: number): TemplateResult | string =>
  at === 0 ? "" : html`<span class="dim">${text.helpPage(at + 1)}</span>`;
