/** How the graph looks: the printed drawings' colours on their light ground. */

import { css } from "lit";

export const topologyStyles = css`
  .segments button {
    flex: 1;
    padding: 0 0.5rem;
  }
  .segments {
    display: flex;
  }
  .groups {
    display: flex;
    flex-wrap: wrap;
    gap: 0.3rem;
  }
  .groups button {
    height: 1.8rem;
    padding: 0 0.5rem 0 0.2rem;
    display: flex;
    align-items: center;
    gap: 0.4rem;
  }
  .groups button[data-active] {
    border-color: var(--accent);
  }
  .groups .badge,
  .badge {
    width: 1.35rem;
    height: 1.35rem;
    flex: none;
  }
  .badge {
    display: inline-grid;
    place-items: center;
    border-radius: 0.25rem;
    color: white;
    font-weight: 700;
    font-size: 0.9rem;
    line-height: 1;
  }
  .sheet {
    background: #fbfcfc;
    border-radius: var(--radius);
  }
  .graph {
    position: relative;
    margin: auto;
    container-type: inline-size;
  }
  .graph svg {
    display: block;
    width: 100%;
    height: 100%;
  }
  .line {
    fill: none;
  }
  .legend .line {
    stroke-width: 2.6;
  }
  .line[data-dashed] {
    stroke-dasharray: 8 4;
  }
  .hit {
    fill: none;
    stroke: transparent;
    stroke-width: 16;
    pointer-events: stroke;
  }
  .hit[role="button"] {
    cursor: pointer;
    outline: none;
  }
  .hit[role="button"]:focus-visible {
    stroke: #ee7d1644;
  }
  .hull {
    fill: #eaf6ec;
    stroke: #eaf6ec;
    stroke-linejoin: round;
  }
  .hull.rim {
    stroke: #b9dfc1;
  }
  .hull[data-faint] {
    fill: #f3f7f4;
    stroke: #f3f7f4;
  }
  .hull.rim[data-faint] {
    stroke: #e3ebe5;
  }
  .edge,
  .node {
    transition: opacity 0.12s;
  }
  .edge[data-dark],
  .node[data-dark] circle {
    opacity: 0.16;
  }
  .node circle {
    fill: #eef1f4;
    stroke: #8d99a5;
    stroke-width: 1.6;
  }
  .node[data-main] circle {
    fill: #2b3a49;
    stroke: #2b3a49;
  }
  .node[data-faint] circle {
    fill: #fafbfc;
    stroke: #ccd3d9;
  }
  .node circle.ring {
    fill: none;
    stroke: #8d99a5;
    stroke-width: 1.4;
    pointer-events: none;
  }
  .node[data-main]:not([data-faint]) circle.ring {
    stroke: white;
  }
  .words {
    position: absolute;
    pointer-events: none;
    color: #1d2733;
    background-color: #fbfcfc;
    border-radius: 0.2em;
    padding: 0 0.12em;
    line-height: normal;
    white-space: nowrap;
  }
  .number {
    font-weight: 700;
    background-color: #eef1f4;
  }
  .number.main {
    color: white;
    background-color: #2b3a49;
  }
  .number.quiet {
    background-color: #fafbfc;
  }
  .quiet,
  .label {
    color: #5c6771;
  }
  .label.actuator {
    color: #9c4d04;
  }
  .label.locked {
    color: #8a4b12;
  }
  .label.generalized {
    color: #24773a;
  }
  .hull-name {
    font-style: italic;
    color: #2f7040;
    background-color: #eaf6ec;
  }
  .legend {
    list-style: none;
    margin: 0;
    padding: 0.4rem 0.6rem;
    display: flex;
    flex-wrap: wrap;
    gap: 0.15rem 0.9rem;
    font-size: 0.85rem;
    color: #1d2733;
    background: #fbfcfc;
    border-radius: var(--radius);
    margin-top: -0.5rem;
  }
  .legend li {
    display: flex;
    align-items: center;
    gap: 0.35rem;
  }
  .legend svg {
    width: 2rem;
    height: 0.9rem;
    flex: none;
  }
  .swatch {
    fill: #eaf6ec;
    stroke: #b9dfc1;
    stroke-width: 1.5;
  }
  .detail {
    display: grid;
    gap: 0.35rem;
    padding: 0.6rem 0.8rem;
    background: #171c20;
    border-left: 0.3rem solid var(--accent);
    user-select: text;
    align-content: start;
    min-height: 7.6rem;
  }
  .detail h3 {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0 0.5rem;
    font-weight: 600;
  }
  .detail .dim {
    font-weight: 400;
  }
  .equation,
  .symbol {
    font-family: "STIX Two Math", "Cambria Math", "Latin Modern Math", Georgia, serif;
  }
  .equation {
    font-size: 1.12rem;
    line-height: 1.4;
    overflow-wrap: anywhere;
  }
  .figures dt.symbol {
    color: var(--ink);
  }
`;
