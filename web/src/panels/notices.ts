/** Banners, overlays and toasts. */

import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Toast } from "../state/store";
import { text } from "../text";
import { words as replay } from "../text/tools/replay";
import { closeIcon } from "./icons";
import type { Remedy, Situation } from "./states";

/** What each remedy does. */
export type Remedies = Record<Remedy, () => void>;

const BUTTONS: Readonly<Record<Remedy, readonly [label: string, id: string]>> = {
  reload: [text.reload, "reload"],
  restart: [text.restart, "remedy-restart"],
  rewind: [text.rewindGood, "remedy-rewind"],
  take_seat: [text.takeSeat, "take-seat"],
  live: [replay.live, "back-to-live"],
};

/** A line above the picture. */
export function bannerOf(situation: Situation, act: Remedies): TemplateResult {
  const { id, level, title, detail } = situation;
  return html`<div class="banner ${level}" data-situation=${id}>
    <strong>${title}</strong>
    <span>${detail}</span>
    ${buttons(situation, act)}
  </div>`;
}

/** A quiet line on what will be ready soon. */
export function preparationOf(line: string): TemplateResult | typeof nothing {
  return line === "" ? nothing : html`<p class="preparing" data-testid="preparing">${line}</p>`;
}

/** A notice in the place of the picture. */
export function overlayOf(situation: Situation, act: Remedies): TemplateResult {
  const { id, level, title, detail, progress } = situation;
  return html`<div class="overlay ${level}" data-situation=${id} data-testid="overlay">
    <div class="notice" role="status" aria-live="polite">
      <h2>${title}</h2>
      <p>${detail}</p>
      ${progress === undefined ? nothing : progressBar(title, progress)}
      <div class="remedies">${buttons(situation, act)}</div>
    </div>
  </div>`;
}

/** What goes away by itself. */
export function toastsOf(toasts: readonly Toast[], dismiss: (id: number) => void): TemplateResult {
  return html`<div class="toasts" role="log" aria-live="polite">
    ${repeat(
      toasts,
      ({ id }) => id,
      ({ id, kind, text: words }) =>
        html`<div class="toast ${kind}" data-testid="toast">
          <span>${words}</span>
          <button class="square" aria-label=${text.dismiss} @click=${() => dismiss(id)}>
            <svg viewBox="0 0 24 24" aria-hidden="true">${closeIcon}</svg>
          </button>
        </div>`,
    )}
  </div>`;
}

function buttons({ remedies }: Situation, act: Remedies): TemplateResult[] {
  return remedies.map((remedy) => {
    const [label, id] = BUTTONS[remedy];
    return html`<button class="primary" data-testid=${id} @click=${act[remedy]}>${label}</button>`;
  });
}

function progressBar(title: string, part: number): TemplateResult {
  if (part < 0) return html`<progress aria-label=${title}></progress>`;
  return html`<progress
    aria-label=${title}
    data-testid="progress"
    max="1"
    .value=${part}
  ></progress>`;
}
