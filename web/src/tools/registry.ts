/** The tools of the workbench; each is loaded when it is first opened. */

import type { SVGTemplateResult } from "lit";
import * as icons from "./icons";

export interface ToolEntry {
  /** The element of the tool. */
  tag: string;
  icon: SVGTemplateResult;
  load: () => Promise<unknown>;
}

export const TOOLS = {
  reach: { tag: "hf-reach", icon: icons.reach, load: () => import("./reach/reach") },
} as const satisfies Record<string, ToolEntry>;

export type ToolId = keyof typeof TOOLS;
export const TOOL_IDS = Object.keys(TOOLS) as ToolId[];
