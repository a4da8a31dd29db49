/** How the editor of keys and sticks looks. */

import { css } from "lit";

export const controlsStyles = css`
  .table {
    display: grid;
    gap: 0.25rem 0.4rem;
    align-items: center;
  }
  .groups {
    grid-template-columns: minmax(0, 1fr) auto auto minmax(7.4rem, auto) auto;
  }
  .motors {
    grid-template-columns: minmax(0, 1fr) auto minmax(7.4rem, auto) 1.1rem;
  }
  .motors > :nth-child(3n) {
    grid-column: 3 / 5;
  }
  input[type="checkbox"] {
    accent-color: var(--accent);
  }
  .head {
    color: var(--dim);
    font-size: 0.85rem;
  }
  .name {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  small {
    color: var(--dim);
  }
  .field {
    height: 1.9rem;
    padding: 0 0.45rem;
    min-width: 3.6rem;
  }
  .field kbd {
    border: 0;
    background: none;
    font-size: 0.92rem;
  }
  .wish {
    position: sticky;
    top: -0.8rem;
    z-index: 1;
    display: grid;
    gap: 0.5rem;
    padding: 0.6rem 0.8rem;
    border: 1px solid var(--accent);
    border-radius: var(--radius);
    background: #221e0c;
  }
  .shape {
    display: grid;
    grid-template-columns: 7rem minmax(0, 1fr);
    gap: 1rem;
    align-items: center;
  }
  svg .frame {
    fill: none;
    stroke: var(--line-2);
  }
  svg polyline {
    fill: none;
    stroke: var(--accent);
    stroke-width: 2.5;
  }
  svg .dot {
    fill: var(--ink);
  }
  .sliders {
    display: grid;
    gap: 0.6rem;
  }
  .line {
    display: flex;
    justify-content: space-between;
  }
  input[type="range"] {
    width: 100%;
  }
  ol {
    margin: 0.4rem 0 0;
    padding-left: 1.4rem;
    user-select: text;
    overflow-wrap: anywhere;
  }
`;
