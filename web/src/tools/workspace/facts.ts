/** What the server tells of workspaces and sections, and how their files are laid out. */

import type { StudyStatus } from "../../protocol/generated";

export type Triple = [number, number, number];

/** An end of a cylinder's stroke, and its colour; 255 is no end. */
export interface LegendEntry {
  end: number;
  group: string;
  cylinder: string;
  color: string;
  upper?: boolean;
  length?: number;
  /** A servo's end is an angle [rad], or a place [m]. */
  servo?: boolean;
  unit?: "m" | "rad";
}

export interface WorkspaceFacts {
  machine: string;
  link: string;
  samples: number;
  missing: number;
  groups: string[];
  dimension: number;
  measure: number | null;
  unit: string;
  box: [Triple, Triple];
  surface: { method: string; vertices: number; triangles: number; lines: number };
  legend: LegendEntry[];
}

/** A section's axes are given in the simulation's; lengths [m]. */
export interface SectionFacts {
  machine: string;
  link: string;
  radius: number;
  origin: Triple;
  left: Triple;
  up: Triple;
  cell: number;
  rows: number;
  columns: number;
  corner: [number, number];
  area: number;
  fraction: number;
}

/** Lines between two points of a section, y and z [m]. */
export type Border = [[number, number], [number, number]][];

export interface Cloud {
  /** x, y, z of each [m]. */
  points: Float32Array;
  /** The end that belongs to each. */
  ends: Uint8Array;
}

export interface Surface extends Cloud {
  triangles: Uint32Array;
  lines: Uint32Array;
}

export function readCloud(data: ArrayBuffer, count: number): Cloud {
  return {
    points: new Float32Array(data, 0, 3 * count),
    ends: new Uint8Array(data, 12 * count, count),
  };
}

export function readSurface(
  data: ArrayBuffer,
  { vertices, triangles, lines }: WorkspaceFacts["surface"],
): Surface {
  const at = 4 * Math.ceil((13 * vertices) / 4);
  return {
    ...readCloud(data, vertices),
    triangles: new Uint32Array(data, at, 3 * triangles),
    lines: new Uint32Array(data, at + 12 * triangles, 2 * lines),
  };
}

/** The facts of a study that is done, if they are of this machine. */
export function factsOf<Facts extends { machine: string }>(
  told: StudyStatus | null,
  machine: string,
): Facts | null {
  if (told?.state !== "done" || told.facts.machine !== machine) return null;
  return told.facts as unknown as Facts;
}
