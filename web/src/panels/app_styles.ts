/** Where everything stands on the page. */

import { css } from "lit";
import { media } from "./media";

export const appStyles = css`
  :host {
    display: block;
    height: 100%;
  }
  .page {
    position: relative;
    height: 100%;
    display: grid;
    grid-template:
      "bar bar bar" auto
      "picture strip console" minmax(0, 1fr)
      "footer strip console" auto / minmax(0, 1fr) auto auto;
    user-select: none;
  }
  header {
    grid-area: bar;
    display: flex;
    align-items: center;
    gap: 0.7rem;
    padding: 0.4rem 0.6rem;
    background: var(--panel);
    border-bottom: 1px solid var(--line);
    min-width: 0;
  }
  .machine {
    font-weight: 600;
    display: flex;
    align-items: center;
    gap: 0.5rem;
    flex: none;
    max-width: 15rem;
  }
  header > select {
    flex: none;
    width: 7rem;
    padding: 0 0.4rem;
  }
  .name {
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .seat {
    margin-left: auto;
    display: flex;
    align-items: center;
    gap: 0.6rem;
  }
  .chip {
    font-size: 0.9rem;
    padding: 0.25rem 0.7rem;
    border-radius: 1rem;
    border: 1px solid var(--line-2);
    color: var(--dim);
    white-space: nowrap;
  }
  .chip[data-on] {
    border-color: var(--accent);
    color: var(--accent);
  }
  .chip.rec {
    border-color: var(--red);
    color: var(--red-ink);
    font-weight: 700;
    letter-spacing: 0.05em;
  }
  .chip.rec::before {
    content: "";
    display: inline-block;
    width: 0.6rem;
    height: 0.6rem;
    margin-right: 0.4rem;
    border-radius: 50%;
    background: var(--red);
  }
  .picture {
    grid-area: picture;
    position: relative;
    isolation: isolate;
    overflow: hidden;
    background: #07090a;
    min-width: 0;
    min-height: 0;
  }
  ::slotted(canvas) {
    position: absolute;
    z-index: 0;
    inset: 0;
    width: 100%;
    height: 100%;
  }
  .top {
    position: absolute;
    z-index: 1;
    inset: 0.6rem 0.6rem auto;
    display: grid;
    grid-template: auto 1fr / auto minmax(0, 1fr);
    gap: 0.5rem 0.6rem;
    align-items: start;
    pointer-events: none;
  }
  .top > * > * {
    pointer-events: auto;
  }
  hf-readouts {
    grid-row: 1 / 3;
  }
  .corner {
    display: flex;
    justify-content: end;
    gap: 0.5rem;
  }
  .corner button,
  .corner select {
    height: 1.95rem;
    padding: 0 0.55rem;
  }
  .banners {
    justify-self: center;
    max-width: 46rem;
    display: grid;
    gap: 0.4rem;
  }
  .banner {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.35rem 0.8rem;
    padding: 0.55rem 0.9rem;
    background: #171c20;
    border: 1px solid var(--line-2);
    border-left: 0.3rem solid var(--steel);
    border-radius: var(--radius);
    box-shadow: 0 0.3rem 1rem #0008;
    overflow-wrap: anywhere;
  }
  .preparing {
    justify-self: center;
    margin: 0;
    padding: 0.2rem 0.7rem;
    font-size: 0.8rem;
    background: #171c20cc;
    border-radius: var(--radius);
  }
  .banner.warning {
    border-left-color: var(--accent);
  }
  .banner.danger {
    border-color: var(--red);
    background: #35110e;
  }
  .banner,
  .notice,
  .toast {
    user-select: text;
  }
  .blank {
    position: absolute;
    z-index: 1;
    inset: 0;
    display: grid;
    place-content: center;
    justify-items: center;
    text-align: center;
    gap: 0.5rem;
    padding: 2rem;
    background: #07090a;
  }
  .blank h2,
  .notice h2 {
    font-size: 1.6rem;
    font-weight: 600;
  }
  .blank p {
    max-width: 30rem;
  }
  .overlay {
    position: absolute;
    z-index: 3;
    inset: 0;
    display: grid;
    place-content: center;
    background: #0a0d0f;
  }
  .notice {
    width: min(34rem, 90vw);
    padding: 1.6rem 1.8rem;
    background: var(--panel);
    border: 1px solid var(--line-2);
    border-top: 0.3rem solid var(--steel);
    border-radius: calc(2 * var(--radius));
    display: grid;
    gap: 0.8rem;
    font-size: 1.05rem;
  }
  .overlay.warning .notice {
    border-top-color: var(--accent);
  }
  .notice p {
    color: var(--dim);
    overflow-wrap: anywhere;
  }
  .remedies {
    display: flex;
    gap: 0.6rem;
  }
  .remedies:empty {
    display: none;
  }
  progress {
    width: 100%;
    height: 0.5rem;
    accent-color: var(--accent);
  }
  .toasts {
    grid-area: picture;
    z-index: 6;
    place-self: end start;
    margin: 0.6rem;
    display: grid;
    gap: 0.4rem;
    max-width: min(32rem, 60%);
  }
  .toast {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: 0.8rem;
    padding: 0.4rem 0.4rem 0.4rem 0.9rem;
    background: #1d2327;
    border: 1px solid var(--line-2);
    border-left: 0.3rem solid var(--steel);
    border-radius: var(--radius);
    overflow-wrap: anywhere;
  }
  .toast.error {
    border-left-color: var(--red);
  }
  .toast button {
    border: 0;
    background: none;
    flex: none;
  }
  .sheets {
    grid-area: picture;
    z-index: 4;
    align-self: start;
    display: grid;
    grid-template: auto minmax(0, 1fr) / minmax(0, 1fr);
    margin: 0.6rem;
    max-height: calc(100% - 1.2rem);
    min-height: 0;
  }
  .sheets .banner {
    margin-bottom: 0.5rem;
  }
  hf-strip {
    grid-area: strip;
  }
  /* nothing is ever above the stop */
  hf-estop {
    position: relative;
    z-index: 7;
  }
  .console {
    grid-area: console;
    display: grid;
    grid-template: minmax(0, 1fr) auto / 28.5rem;
    gap: 0.5rem;
    padding: 0.5rem;
    background: #0f1315;
    border-left: 1px solid var(--line);
    min-height: 0;
  }
  .page[data-tool] .banks {
    display: none;
  }
  @media (min-width: 1700px) {
    .page[data-tool] .console {
      grid-template-columns: 28.5rem 28.5rem;
    }
    .page[data-tool] .banks {
      display: flex;
    }
    hf-tool {
      grid-row: 1 / 3;
    }
  }
  .banks {
    overflow: auto;
    display: flex;
    flex-direction: column;
    gap: 0.4rem;
    min-height: 0;
    scrollbar-width: thin;
  }
  footer {
    grid-area: footer;
    padding: 0.45rem 0.6rem;
    background: var(--panel);
    border-top: 1px solid var(--line);
  }
  .page[data-emergency]::after {
    content: "";
    position: absolute;
    inset: 0;
    border: 0.4rem solid var(--red);
    pointer-events: none;
    z-index: 5;
  }
  @media (max-aspect-ratio: 5/4) {
    .page {
      grid-template:
        "bar bar" auto
        "picture strip" minmax(0, 1fr)
        "footer footer" auto
        "console console" minmax(0, auto) / minmax(0, 1fr) auto;
    }
    .console {
      grid-template-columns: minmax(0, 1fr);
      max-height: 50vh;
      border-left: 0;
      border-top: 1px solid var(--line);
    }
    header {
      flex-wrap: wrap;
    }
    header hf-physics {
      order: 1;
      flex-basis: 100%;
    }
  }
  @media ${media.hand} {
    header {
      flex-wrap: nowrap;
      gap: 0.4rem;
      padding: 0.2rem max(0.4rem, env(safe-area-inset-right)) 0.2rem
        max(0.4rem, env(safe-area-inset-left));
    }
    .machine {
      flex: 0 1 auto;
      min-width: 0;
      max-width: none;
    }
    .seat {
      gap: 0.4rem;
      flex: none;
    }
    .top {
      inset: 0.3rem 0.3rem auto;
      grid-template: auto auto / minmax(0, 1fr);
    }
    hf-readouts {
      grid-row: auto;
      justify-self: start;
    }
    .banners {
      justify-self: stretch;
    }
    .toasts {
      margin: 0.3rem;
      max-width: calc(100% - 0.6rem);
    }
    .sheets {
      align-self: stretch;
      margin: 0.3rem;
      max-height: calc(100% - 0.6rem);
    }
    .console {
      display: contents;
    }
    /* an open window covers them */
    .page[data-sheet] :is(.banks, hf-tool, footer) {
      visibility: hidden;
    }
    .banks,
    hf-tool {
      grid-area: console;
      background: #0f1315;
      padding: 0.3rem;
      border: 0 solid var(--line);
    }
    hf-estop {
      grid-area: stop;
      background: #0f1315;
    }
    footer {
      padding: 0.15rem 0.4rem;
    }
  }
  @media ${media.upright} {
    .page {
      grid-template:
        "bar" auto
        "picture" minmax(0, 1fr)
        "footer" auto
        "console" auto
        "stop" auto / minmax(0, 1fr);
    }
    .banks,
    hf-tool {
      max-height: 56dvh;
      border-top-width: 1px;
    }
    hf-tool {
      height: 56dvh;
    }
    hf-estop {
      padding: 0.2rem 0.3rem max(0.3rem, env(safe-area-inset-bottom));
    }
    .sheets {
      grid-row: picture / console;
    }
  }
  @media ${media.lying} {
    .page {
      grid-template:
        "bar bar" auto
        "picture console" minmax(0, 1fr)
        "footer stop" auto / minmax(0, 1fr) minmax(0, 1.1fr);
    }
    .sheets {
      grid-column: picture / console;
    }
    .banks {
      display: grid;
      grid-template-columns: repeat(auto-fit, minmax(4.2rem, 1fr));
      align-content: start;
      border-left-width: 1px;
    }
    .banks[data-control="buttons"] {
      grid-template-columns: repeat(auto-fit, minmax(8.6rem, 1fr));
    }
    hf-tool {
      border-left-width: 1px;
      min-height: 0;
    }
    hf-units {
      grid-column: 1 / -1;
    }
    hf-estop {
      padding: 0.2rem max(0.3rem, env(safe-area-inset-right)) 0.3rem 0.3rem;
    }
    footer {
      padding-left: max(0.4rem, env(safe-area-inset-left));
      display: grid;
      align-items: center;
    }
  }
`;
