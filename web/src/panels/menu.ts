/** What the bar has no room for: the scene, the cameras, physics, the speed of time, the tools. */

import { css, html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { text } from "../text";
import { SheetPart, sheetStyles } from "./sheet";
import { theme } from "./theme";

@customElement("hf-menu")
export class MenuPart extends SheetPart {
  @property({ attribute: false }) content: TemplateResult = html``;

  protected readonly heading = text.menu;

  protected renderContent(): TemplateResult {
    return html`<div class="parts">${this.content}</div>`;
  }

  static override styles = [
    theme,
    sheetStyles,
    css`
      .parts {
        display: grid;
        gap: 0.9rem;
      }
      .row {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0.6rem;
      }
    `,
  ];
}
