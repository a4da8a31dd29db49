/** How far a study is, a button to give it up, and entries of legends. */

import { css, html, nothing, type TemplateResult } from "lit";
import { words } from "../../text/tools/workspace";
import type { Study } from "../study";
import { own } from "../../state/own";

/** Begin a study; a server that does not answer is told like a refusal. */
export async function begin(study: Study, request: object, changed: () => void): Promise<void> {
  try {
    await study.begin(request);
  } catch {
    study.refusal = words.noServer;
    changed();
  }
}

export function renderProgress(study: Study, id: string): TemplateResult | typeof nothing {
  const { told, refusal, running } = study;
  if (running && told) {
    return html`<div class="progress" data-testid="${id}-progress">
      <progress max="1" .value=${told.part}></progress>
      <span class="dim">${own(words.doing, told.text) ?? words.waiting}</span>
      <button data-testid="${id}-cancel" @click=${() => void study.cancel().catch(() => undefined)}>
        ${words.cancel}
      </button>
    </div>`;
  }
  const why = refusal || (told?.state === "failed" ? told.text : "");
  if (why) {
    return html`<p class="warning" role="alert" data-testid="${id}-failed">
      ${words.failed(why)}
    </p>`;
  }
  if (told?.state !== "cancelled") return nothing;
  return html`<p class="dim" data-testid="${id}-cancelled">${words.cancelled}</p>`;
}

/** An entry of a legend; the page's policy allows no inline style, so that the colour is drawn. */
export function renderEntry(color: string, name: string): TemplateResult {
  return html`<li>
    <svg class="swatch" viewBox="0 0 1 1" aria-hidden="true">
      <rect width="1" height="1" fill=${color} />
    </svg>
    ${name}
  </li>`;
}

export const progressStyles = css`
  .progress {
    display: grid;
    grid-template-columns: 1fr auto;
    align-items: center;
    gap: 0.3rem 0.6rem;
  }
  .progress progress {
    grid-column: 1 / -1;
    width: 100%;
    height: 0.5rem;
    accent-color: var(--accent);
  }
  .swatch {
    width: 0.9rem;
    height: 0.9rem;
    border-radius: 0.2rem;
    border: 1px solid var(--line-2);
    flex: none;
  }
  .legend {
    list-style: none;
    margin: 0;
    padding: 0;
    display: grid;
    gap: 0.2rem;
  }
  .legend li {
    display: flex;
    align-items: center;
    gap: 0.5rem;
    overflow-wrap: anywhere;
  }
  .check {
    display: flex;
    align-items: center;
    gap: 0.4rem;
  }
`;
