/** What every tool of the workbench has: the bench it works at, and a look at each frame. */

import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import type { Hands } from "../input/hands";
import type { Frame } from "../protocol/frame";
import type { View } from "../scene/view";
import type { Store } from "../state/store";
import { words } from "../text/tools/strip";

const PAINT = 100; // [ms] between two looks at the numbers

/** The page as a tool sees it. */
export interface Bench {
  readonly store: Store;
  readonly hands: Hands;
  /** The picture; null where there is no WebGL. */
  readonly view: View | null;
}

/**
 * A tool: an element that stands in the console's column while it is open.
 *
 * It is drawn again whenever the facts change; numbers that move are painted ten times a second.
 */
export abstract class ToolPart extends LitElement {
  @property({ attribute: false }) bench!: Bench;

  private ends: (() => void)[] = [];

  override connectedCallback(): void {
    super.connectedCallback();
    let request = 0; // a browser that is late with pictures is late with this, too: nothing piles up
    const timer = window.setInterval(() => {
      request ||= requestAnimationFrame(() => {
        request = 0;
        const { frame } = this.bench.store;
        if (frame) this.paint(frame);
      });
    }, PAINT);
    this.until(() => {
      window.clearInterval(timer);
      cancelAnimationFrame(request);
    });
    this.until(this.bench.store.subscribe(() => this.requestUpdate()));
    this.requestUpdate(); // one that is kept may have missed changes
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const end of this.ends.reverse()) end();
    this.ends = [];
  }

  /** It is never opened again. */
  forget(): void {}

  /** Show a frame's numbers. */
  protected paint(_frame: Frame): void {}

  /** Bring results that have just come into the window, where they are not yet. */
  protected reveal(name: string): void {
    void this.updateComplete.then(() =>
      this.renderRoot
        .querySelector(`[data-testid="${name}"]`)
        ?.scrollIntoView({ block: "nearest" }),
    );
  }

  /** Whether this page may compute and drive; viewers only watch. */
  protected get operates(): boolean {
    return this.bench.store.facts.welcome?.role === "operator";
  }

  /** Tells viewers why buttons are grey. */
  protected renderWatching(): TemplateResult | typeof nothing {
    if (this.operates) return nothing;
    return html`<p class="dim" data-testid="only-watching">${words.watching}</p>`;
  }

  /** What is to be done when the tool is closed, the last first. */
  protected until(end: () => void): void {
    this.ends.push(end);
  }
}

/** Styles of tools: fields under each other, rows of buttons, lists of figures. */
export const toolStyles = css`
  :host {
    display: grid;
    gap: 0.8rem;
    align-content: start;
    background: var(--panel);
  }
  section {
    display: grid;
    gap: 0.45rem;
  }
  .row {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5rem;
  }
  label {
    display: grid;
    gap: 0.2rem;
    min-width: 0;
  }
  .figures {
    display: grid;
    grid-template-columns: auto 1fr;
    gap: 0.15rem 0.8rem;
    margin: 0;
  }
  .figures dt {
    color: var(--dim);
  }
  .figures dd {
    margin: 0;
    text-align: right;
    overflow-wrap: anywhere;
    user-select: text;
  }
  .warning {
    padding: 0.5rem 0.7rem;
    border-left: 0.3rem solid var(--accent);
    background: #171c20;
    user-select: text;
    overflow-wrap: anywhere;
  }
`;
