/** A group's cell: lever in its gate or buttons, slider of its length, numbers. */

import { css } from "lit";
import { media } from "./media";

export const groupStyles = css`
  :host {
    display: block;
    min-width: 0;
    container-type: inline-size;
  }
  .cell {
    height: 100%;
    padding: 0.35rem 0.45rem 0.4rem;
    background: var(--panel);
    border: 1px solid var(--line);
    border-radius: var(--radius);
    display: grid;
    gap: 0.2rem 0.4rem;
  }
  .cell.by-lever {
    grid-template: auto minmax(8.9rem, 1fr) auto / 1fr 2.6rem;
  }
  .cell[data-up],
  .cell[data-down] {
    border-color: var(--accent);
  }
  h3 {
    grid-column: 1 / -1;
    font-size: 0.94rem;
    font-weight: 600;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .lever {
    position: relative;
    touch-action: none;
    user-select: none;
    cursor: grab;
    background: var(--sunken);
    border: 1px solid #000;
    box-shadow: inset 0 0 0.6rem #000;
    border-radius: var(--radius);
    display: grid;
    align-content: space-between;
    min-height: 0;
  }
  .lever[aria-disabled="true"] {
    cursor: default;
    opacity: 0.45;
  }
  .lever[data-held] {
    cursor: grabbing;
  }
  .gate {
    --travel: calc(50cqh - 1.75rem);
    position: absolute;
    inset: 1.65rem 0.35rem;
    max-height: 15rem;
    margin: auto;
    max-width: 6rem;
    container-type: size;
    border: 1px solid #3d474e;
    border-radius: 0.35rem;
    /* slot, marks, plate */
    background:
      linear-gradient(#050607, #050607) 50% / 1rem calc(100% - 1rem) no-repeat,
      linear-gradient(#c6d0d5, #c6d0d5) 50% / calc(100% - 0.7rem) 2px no-repeat,
      linear-gradient(#5d6a72, #5d6a72) 50% 12% / calc(100% - 1rem) 1px no-repeat,
      linear-gradient(#5d6a72, #5d6a72) 50% 31% / calc(100% - 1.5rem) 1px no-repeat,
      linear-gradient(#5d6a72, #5d6a72) 50% 69% / calc(100% - 1.5rem) 1px no-repeat,
      linear-gradient(#5d6a72, #5d6a72) 50% 88% / calc(100% - 1rem) 1px no-repeat,
      linear-gradient(#2b3237, #1b2024);
  }
  .gate i {
    position: absolute;
    left: 50%;
    top: 50%;
  }
  .boot {
    width: 2.1rem;
    height: 1.9rem;
    margin: -0.95rem -1.05rem;
    border-radius: 50%;
    background: radial-gradient(#15191b 30%, #30383d 36%, #101315 46%, #30383d 66%, #0c0e10 70%);
  }
  .shaft {
    width: 0.62rem;
    margin-left: -0.31rem;
    height: var(--travel);
    background: linear-gradient(90deg, #59646b, #d4dce0 40%, #59646b);
    transform-origin: top;
    transform: scaleY(calc(-1 * var(--deflection, 0)));
  }
  .knob {
    width: 2.3rem;
    height: 2.3rem;
    margin: -1.15rem;
    border-radius: 50%;
    border: 0.13rem solid #4b565d;
    background: radial-gradient(circle at 38% 30%, #77828a, #2b3135 42%, #0b0d0e);
    box-shadow: 0 0.25rem 0.4rem #000a;
    transform: translateY(calc(-1 * var(--deflection, 0) * var(--travel)));
  }
  .way {
    justify-self: center;
    font-size: 0.8rem;
    color: var(--dim);
    padding: 0.15rem 0;
    white-space: nowrap;
    pointer-events: none;
  }
  [data-up] .way.up,
  [data-down] .way.down {
    color: var(--accent);
  }
  [data-up] .knob,
  [data-down] .knob {
    border-color: var(--accent);
  }
  .stroke {
    display: grid;
    min-height: 0;
    min-width: 0;
  }
  .by-lever .stroke {
    grid-template: auto 1fr auto / 1fr;
    justify-items: center;
  }
  .bound {
    font-size: 0.78rem;
    color: var(--dim);
    padding: 0 0.15rem;
    border-radius: 0.15rem;
  }
  [data-stop="upper"] .bound.upper,
  [data-stop="lower"] .bound.lower {
    background: var(--accent);
    color: var(--on-accent);
    font-weight: 700;
  }
  .by-lever input[type="range"] {
    writing-mode: vertical-lr;
    direction: rtl;
    width: 1.9rem;
    height: 100%;
    min-height: 0;
  }
  .stroke input[type="range"] {
    --part: 0;
    --at: calc(0.25rem + var(--part) * (100% - 0.5rem));
    --way: to right;
  }
  .by-lever .stroke input[type="range"] {
    --way: to top;
  }
  .stroke input[type="range"]::-webkit-slider-runnable-track {
    width: 0.75rem;
    height: 100%;
    border-radius: 0.12rem;
    border: 1px solid #000;
    background: linear-gradient(var(--way), var(--steel) var(--at), var(--raised-2) var(--at));
  }
  .stroke input[type="range"]::-moz-range-track {
    width: 0.75rem;
    height: 100%;
    border-radius: 0.12rem;
    background: linear-gradient(var(--way), var(--steel) var(--at), var(--raised-2) var(--at));
  }
  .stroke input[type="range"]::-webkit-slider-thumb {
    width: 1.7rem;
    height: 0.5rem;
    margin: 0 0 0 -0.5rem;
    border-radius: 0.12rem;
    background: var(--ink);
  }
  .stroke input[type="range"]::-moz-range-thumb {
    width: 1.7rem;
    height: 0.5rem;
    border-radius: 0.12rem;
    background: var(--ink);
  }
  .stroke input[data-target]::-webkit-slider-thumb {
    background: var(--accent);
  }
  .stroke input[data-target]::-moz-range-thumb {
    background: var(--accent);
  }
  .numbers {
    grid-column: 1 / -1;
    display: grid;
    gap: 0.05rem;
    font-size: 0.9rem;
    white-space: nowrap;
  }
  .line {
    display: flex;
    justify-content: space-between;
    align-items: center;
    gap: 0.2rem;
    min-height: 1.15rem;
  }
  .line:first-child {
    min-height: 1.45rem;
  }
  .numbers b {
    font-weight: 600;
  }
  .length {
    font-size: 1.1rem;
  }
  .float {
    height: 1.45rem;
    padding: 0 0.3rem;
    font-size: 0.78rem;
  }
  .cell.by-buttons {
    grid-template-columns: 1fr;
    gap: 0.3rem;
    padding: 0.45rem 0.55rem 0.55rem;
  }
  .by-buttons .stroke {
    grid-template-columns: auto 1fr auto;
    align-items: center;
    gap: 0.3rem;
  }
  .by-buttons .bound.upper {
    order: 3;
  }
  .by-buttons .bound.lower {
    order: 1;
  }
  .by-buttons input[type="range"] {
    order: 2;
    width: 100%;
  }
  .by-buttons .stroke input[type="range"]::-webkit-slider-runnable-track {
    width: 100%;
    height: 0.75rem;
  }
  .by-buttons .stroke input[type="range"]::-moz-range-track {
    width: 100%;
    height: 0.75rem;
  }
  .by-buttons .stroke input[type="range"]::-webkit-slider-thumb {
    width: 0.5rem;
    height: 1.5rem;
    margin: -0.4rem 0 0;
  }
  .by-buttons .stroke input[type="range"]::-moz-range-thumb {
    width: 0.5rem;
    height: 1.5rem;
  }
  .runs {
    display: grid;
    grid-template-columns: 1fr 1fr;
    gap: 0.4rem;
  }
  .run {
    height: var(--run-height, 4.4rem);
    padding: 0.2rem;
    display: grid;
    justify-items: center;
    align-content: center;
    grid-template-columns: auto auto;
    justify-content: center;
    gap: 0.1rem 0.35rem;
    touch-action: none;
    background: #2a3237;
    border: 1px solid #000;
    box-shadow:
      inset 0 1px 0 #56636c,
      0 2px 0 #000;
  }
  .run svg {
    grid-column: 1 / -1;
  }
  @media ${media.hand} {
    .cell.by-lever {
      grid-template: auto minmax(clamp(7.4rem, 15dvh, 12rem), 1fr) auto / minmax(0, 1fr) 44px;
      padding: 0.2rem 0.3rem;
    }
    .by-lever .stroke input[type="range"] {
      width: 44px;
      height: 0; /* no more than the lever beside it */
      min-height: 100%;
    }
    .numbers {
      display: flex;
      flex-wrap: wrap;
      justify-content: space-between;
      align-items: center;
      gap: 0 0.3rem;
    }
    .numbers .line {
      min-height: 0;
    }
    .numbers .unit {
      font-size: 0.72em;
    }
    .length {
      font-size: 1rem;
    }
    .cell.by-buttons {
      padding: 0.3rem;
      gap: 0.2rem;
    }
    .run {
      height: var(--run-height, 46px);
    }
    .way kbd,
    .run kbd,
    .speed {
      display: none;
    }
  }
  @media ${media.lying} {
    :host {
      max-height: none;
    }
    .cell.by-lever {
      grid-template-rows: auto minmax(6rem, calc(100dvh - 15.6rem)) auto;
    }
    .run {
      height: var(--run-height, 44px);
    }
    .by-buttons .stroke {
      display: none;
    }
  }
  /* a cell of little width has its lever and its numbers */
  @container (max-width: 6.6rem) {
    .cell.by-lever {
      grid-template-columns: minmax(0, 1fr);
    }
    .by-lever .stroke,
    .length .unit {
      display: none;
    }
    h3 {
      font-size: 0.7rem;
      line-height: 1.1;
      height: 2.2em;
      white-space: normal;
      overflow-wrap: anywhere;
    }
    .numbers .line {
      flex-wrap: wrap;
    }
  }
  [data-up] .run.plus,
  [data-down] .run.minus {
    background: var(--accent);
    color: var(--on-accent);
    box-shadow: none;
    transform: translateY(2px);
  }
`;
