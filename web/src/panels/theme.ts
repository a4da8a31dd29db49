/** Styles that all parts of the panel share. */

import { css } from "lit";
import { media } from "./media";

export const theme = css`
  :host {
    box-sizing: border-box;
    color: var(--ink);
    font-variant-numeric: tabular-nums;
  }
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  [hidden] {
    display: none !important;
  }
  /* names from files may be written from the right: they must not turn what stands beside them */
  a,
  b,
  code,
  em,
  i,
  span,
  strong {
    unicode-bidi: isolate;
  }
  h1,
  h2,
  h3,
  p {
    margin: 0;
    font: inherit;
  }
  :focus-visible {
    outline: 2px solid var(--accent);
    outline-offset: 2px;
  }
  button,
  select,
  input[type="number"] {
    font: inherit;
    color: inherit;
    background: var(--raised);
    border: 1px solid var(--line-2);
    border-radius: var(--radius);
    height: 2.15rem;
    padding: 0 0.7rem;
    margin: 0;
    min-width: 0;
  }
  button {
    cursor: pointer;
    touch-action: manipulation;
    user-select: none;
    white-space: nowrap;
  }
  button:hover:not(:disabled),
  select:hover:not(:disabled) {
    background: var(--raised-2);
  }
  button[aria-pressed="true"] {
    background: var(--raised-2);
    box-shadow: inset 0 -0.2rem 0 var(--accent);
    color: var(--accent);
  }
  button.primary,
  button.primary:hover:not(:disabled) {
    background: var(--accent);
    border-color: var(--accent);
    color: var(--on-accent);
    font-weight: 600;
  }
  button:disabled,
  select:disabled,
  input:disabled {
    cursor: default;
    opacity: 0.45;
  }
  button svg,
  .icon {
    width: 1.1rem;
    height: 1.1rem;
    fill: currentColor;
    vertical-align: -0.2rem;
  }
  button.square {
    width: 2.15rem;
    padding: 0;
  }
  .segments {
    display: inline-flex;
  }
  .segments button {
    border-radius: 0;
    margin-left: -1px;
  }
  .segments button:first-child {
    border-radius: var(--radius) 0 0 var(--radius);
    margin-left: 0;
  }
  .segments button:last-child {
    border-radius: 0 var(--radius) var(--radius) 0;
  }
  .segments button:focus-visible {
    position: relative;
    z-index: 1;
  }
  kbd {
    font-family: var(--sans);
    font-size: 0.78rem;
    font-weight: 600;
    line-height: 1;
    display: inline-block;
    min-width: 1.3rem;
    padding: 0.14rem 0.25rem;
    text-align: center;
    color: var(--ink);
    background: var(--raised-2);
    border: 1px solid var(--line-2);
    border-bottom-width: 2px;
    border-radius: 0.22rem;
    white-space: nowrap;
  }
  input[type="number"] {
    appearance: textfield;
  }
  input[type="number"]::-webkit-inner-spin-button {
    appearance: none;
    margin: 0;
  }
  .caption {
    font-size: 0.82rem;
    font-weight: 600;
    letter-spacing: 0.07em;
    text-transform: uppercase;
    color: var(--dim);
  }
  .dim {
    color: var(--dim);
  }
  /* for those who listen */
  .unseen {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  .unit {
    color: var(--dim);
    font-size: 0.84em;
  }
  input[type="range"] {
    appearance: none;
    background: none;
    margin: 0;
    height: 1.5rem;
    min-width: 0;
    cursor: pointer;
    touch-action: none;
  }
  input[type="range"]::-webkit-slider-runnable-track {
    height: 0.36rem;
    border-radius: 0.18rem;
    background: var(--line-2);
  }
  input[type="range"]::-moz-range-track {
    height: 0.36rem;
    border-radius: 0.18rem;
    background: var(--line-2);
  }
  input[type="range"]::-webkit-slider-thumb {
    appearance: none;
    width: 0.8rem;
    height: 1.3rem;
    margin-top: -0.47rem;
    border: 1px solid #000;
    border-radius: 0.2rem;
    background: linear-gradient(90deg, #b9c3c9, #eef2f4 50%, #b9c3c9);
  }
  input[type="range"]::-moz-range-thumb {
    width: 0.8rem;
    height: 1.3rem;
    border: 1px solid #000;
    border-radius: 0.2rem;
    background: linear-gradient(90deg, #b9c3c9, #eef2f4 50%, #b9c3c9);
  }
  @media ${media.fingers} {
    button,
    select,
    input[type="number"],
    input[type="text"],
    input[type="range"] {
      min-height: 44px;
    }
    button {
      min-width: 44px;
    }
    button.square {
      width: 44px;
    }
    input[type="checkbox"],
    input[type="radio"] {
      width: 24px;
      height: 24px;
      flex: none;
    }
    label:has(> input[type="checkbox"]),
    label:has(> input[type="radio"]) {
      min-height: 44px;
      min-width: 44px;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    *,
    *::before,
    *::after {
      animation: none !important;
      transition: none !important;
    }
  }
`;

/** Give the keys back to the machine after a choice by pointer; who uses the keyboard keeps focus. */
export function doneWith(element: EventTarget | null): void {
  if (element instanceof HTMLElement && !element.matches(":focus-visible")) element.blur();
}
