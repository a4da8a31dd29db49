/** Links that a tool may choose among. */

import { html, type TemplateResult } from "lit";
import { words } from "../panels/format";
import type { MachineInfo } from "../protocol/generated";

/** All but the parts of cylinders. */
export function mainLinks(machine: MachineInfo): string[] {
  const parts = new Set(machine.cylinders.flatMap(({ tube, rod }) => [tube, rod]));
  return machine.links.filter((link) => !parts.has(link));
}

/** The link that a tool begins with: the one that works, or the last. */
export function firstLink(machine: MachineInfo): string {
  return machine.end_effector || (mainLinks(machine).at(-1) ?? "");
}

/** Options of a list of links. */
export function linkOptions(machine: MachineInfo, chosen: string): TemplateResult[] {
  return mainLinks(machine).map(
    (link) => html`<option value=${link} ?selected=${link === chosen}>${words(link)}</option>`,
  );
}
