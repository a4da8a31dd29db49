/** Links that a tool may choose among. */

import type { MachineInfo } from "../protocol/generated";

/** All but the parts of cylinders. */
export function mainLinks(machine: MachineInfo): string[] {
  const parts = new Set(machine.cylinders.flatMap(({ tube, rod }) => [tube, rod]));
  return machine.links.filter((link) => !parts.has(link));
}
