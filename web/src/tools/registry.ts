/** The tools of the workbench: every folder here with an `entry.ts` is one. */

import type { SVGTemplateResult } from "lit";

/** What the page knows of a tool before it is opened. */
export interface Entry {
  id: string;
  /** Its name in the reader's language. */
  title: string;
  /** Place in the strip: small numbers first. */
  order: number;
  /** Drawn in a field of 24 by 24. */
  icon: SVGTemplateResult;
  /** The tool's element, which `load` defines. */
  tag: string;
  /** Whether it goes on where it was when it is opened again. */
  keeps?: boolean;
  load: () => Promise<unknown>;
}

const found = import.meta.glob<Entry>("./*/entry.ts", { eager: true, import: "entry" });

export const TOOLS: readonly Entry[] = Object.values(found).sort((a, b) => a.order - b.order);

export function toolOf(id: string): Entry | null {
  return TOOLS.find((entry) => entry.id === id) ?? null;
}
