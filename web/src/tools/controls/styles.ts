/** How the editor of keys and sticks looks. */

import { css } from "lit";

export const controlsStyles = css`
  table {
    width: 100%;
    border-spacing: 0.2rem 0.13rem;
    margin: 0 -0.2rem;
  }
  th {
    text-align: left;
    font-weight: 400;
    overflow-wrap: anywhere;
  }
  th[scope="col"] {
    color: var(--dim);
    font-size: 0.85rem;
  }
  td {
    width: 1%;
  }
  label {
    place-items: center;
  }
  td .field {
    width: 100%;
  }
  input[type="checkbox"] {
    accent-color: var(--accent);
  }
  small {
    color: var(--dim);
  }
  .field {
    height: 1.9rem;
    padding: 0 0.45rem;
    min-width: 3.6rem;
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
