/** The open tool, in the console's column: loads it, shows it, closes it. */

import { css, html, LitElement, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { closeIcon } from "../panels/icons";
import { theme } from "../panels/theme";
import { text } from "../text";
import { words } from "../text/tools/strip";
import { toolOf } from "./registry";
import type { Bench, ToolPart } from "./tool";

/** Tools that go on where they were when they are opened again. */
const kept = new Map<string, ToolPart>();

/** Let all tools begin anew when they are opened next. */
export function forgetTools(): void {
  for (const part of kept.values()) part.forget();
  kept.clear();
}

@customElement("hf-tool")
export class PanelPart extends LitElement {
  /** Its id. */
  @property() tool = "";
  @property({ attribute: false }) bench!: Bench;

  @state() private mounted: ToolPart | null = null;
  @state() private failure = "";

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("tool")) void this.show(this.tool);
  }

  /** Bring the focus here. */
  enter(): void {
    void this.updateComplete.then(() => this.renderRoot.querySelector("button")?.focus());
  }

  private async show(id: string): Promise<void> {
    this.mounted = null;
    this.failure = "";
    const entry = toolOf(id);
    if (!entry) return;
    try {
      await entry.load();
    } catch (error) {
      if (this.tool === id) this.failure = error instanceof Error ? error.message : String(error);
      return;
    }
    if (this.tool !== id) return; // another one was chosen meanwhile
    const part = kept.get(id) ?? (document.createElement(entry.tag) as ToolPart);
    part.bench = this.bench;
    if (entry.keeps) kept.set(id, part);
    this.mounted = part;
  }

  override render(): TemplateResult {
    const title = toolOf(this.tool)?.title ?? "";
    return html`<section aria-label=${title} data-testid="panel-${this.tool}">
      <header>
        <h2>${title}</h2>
        <button
          class="square"
          data-testid="close-tool"
          aria-label=${text.close}
          title=${text.close}
          @click=${() => this.dispatchEvent(new CustomEvent("closed"))}
        >
          <svg viewBox="0 0 24 24" aria-hidden="true">${closeIcon}</svg>
        </button>
      </header>
      <div class="content">
        ${this.failure ? words.failed(this.failure) : (this.mounted ?? words.loading)}
      </div>
    </section>`;
  }

  static override styles = [
    theme,
    css`
      :host {
        display: grid;
        min-height: 0;
      }
      section {
        display: grid;
        grid-template-rows: auto minmax(0, 1fr);
        min-height: 0;
        background: var(--panel);
        border: 1px solid var(--line);
        border-radius: var(--radius);
      }
      header {
        display: flex;
        justify-content: space-between;
        align-items: center;
        padding: 0.25rem 0.3rem 0.25rem 0.8rem;
        border-bottom: 1px solid var(--line);
      }
      h2 {
        font-weight: 600;
        font-size: 1.1rem;
      }
      .content {
        overflow: auto;
        padding: 0.8rem;
        min-height: 0;
        scrollbar-width: thin;
      }
    `,
  ];
}
