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
  .badge text {
    fill: white;
    font: 700 14px var(--sans);
    text-anchor: middle;
    dominant-baseline: central;
  }
  .graph {
    width: 100%;
    max-height: 34rem;
    background: #fbfcfc;
    border-radius: var(--radius);
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
  [data-dark] {
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
  .graph text {
    text-anchor: middle;
    dominant-baseline: central;
    pointer-events: none;
    font-family: var(--sans);
  }
  .number {
    font-weight: 700;
    fill: #1d2733;
  }
  .node[data-main] .number {
    fill: white;
  }
  .node[data-faint] .number,
  .node[data-faint] .name {
    fill: #9aa5af;
  }
  .name,
  .label {
    fill: #1d2733;
    paint-order: stroke;
    stroke: #fbfcfc;
    stroke-width: 4px;
    stroke-linejoin: round;
  }
  .label {
    fill: #66727e;
  }
  .label[data-kind="actuator"] {
    fill: #b85c06;
  }
  .label[data-kind="locked"] {
    fill: #8a4b12;
  }
  .label[data-kind="generalized"] {
    fill: #24773a;
  }
  .hull-name {
    font-style: italic;
    fill: #4f9a61;
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
