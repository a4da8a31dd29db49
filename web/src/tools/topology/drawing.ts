/** Shapes of a graph's drawing: curves, arrows, grounds. */

import type { GraphEdge, GraphHull, GraphNode } from "../../protocol/generated";

export type Line = GraphEdge["line"];
type Point = readonly [number, number];

/** Length of an arrow's head, and half of its width. */
export const HEAD = [13, 5] as const;
/** How far a line runs into its arrow's head. */
const INTO = 5;
export const ACTUATORS: readonly string[] = ["actuator", "locked"];
export const DASHED: readonly string[] = ["other", "locked"];

function unit([x, y]: Point): Point {
  const size = Math.hypot(x, y) || 1;
  return [x / size, y / size];
}

/** Directions in which a curve arrives at its end, and, backwards, at its start. */
export function arrivals([x0, y0, cx, cy, x1, y1]: Line): { end: Point; start: Point } {
  const straight: Point = [x1 - x0, y1 - y0];
  const or = (x: number, y: number, other: Point): Point =>
    unit(Math.hypot(x, y) > 1e-9 ? [x, y] : other);
  return {
    end: or(x1 - cx, y1 - cy, straight),
    start: or(x0 - cx, y0 - cy, [-straight[0], -straight[1]]),
  };
}

/** The line of an edge as an SVG path; it ends within its arrow's head. */
export function curve(line: Line, both: boolean): string {
  const [x0, y0, cx, cy, x1, y1] = line;
  const { end, start } = arrivals(line);
  const back = HEAD[0] - INTO;
  const from: Point = both ? [x0 - back * start[0], y0 - back * start[1]] : [x0, y0];
  return `M${pair(from)}Q${pair([cx, cy])} ${pair([x1 - back * end[0], y1 - back * end[1]])}`;
}

/** Corners of the arrow's head at the end of a curve, or at its start. */
export function head(line: Line, at: "end" | "start"): string {
  const [x, y]: Point = at === "end" ? [line[4], line[5]] : [line[0], line[1]];
  const [dx, dy] = arrivals(line)[at];
  const [long, half] = HEAD;
  const base: Point = [x - long * dx, y - long * dy];
  return [
    pair([x, y]),
    pair([base[0] - half * dy, base[1] + half * dx]),
    pair([base[0] + half * dy, base[1] - half * dx]),
  ].join(" ");
}

/** Corners of the ground under some nodes. */
export function ground(hull: GraphHull, nodes: readonly GraphNode[]): string {
  return hull.nodes.map((n) => pair([nodes[n]!.x, nodes[n]!.y])).join(" ");
}

/** A colour most of the way to white, as in the printed drawings. */
export function faded(color: string): string {
  const parts = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  const pale = parts.map((part) => Math.round(255 - 0.36 * (255 - part)));
  return `#${pale.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

/** A name that fits its place. */
export function shortened(name: string, most = 26): string {
  return name.length <= most ? name : `${name.slice(0, most - 1)}…`;
}

/** Kinds of the edges that are drawn strongly, in the order of the legend. */
export function kindsOf(edges: readonly GraphEdge[], order: readonly string[]): string[] {
  const found = new Set<string>(edges.filter(({ faint }) => !faint).map(({ kind }) => kind));
  return order.filter((kind) => found.has(kind));
}

function pair([x, y]: Point): string {
  return `${Math.round(10 * x) / 10},${Math.round(10 * y) / 10}`;
}
