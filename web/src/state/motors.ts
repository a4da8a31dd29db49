/** What the page knows of motors beside their own fields. */

import type { MachineInfo, Motor } from "../protocol/generated";

/** Whether a motor's joint turns; one that slides has speeds in m/s and forces in N. */
export function motorTurns({ joints }: Pick<MachineInfo, "joints">, motor: Motor): boolean {
  return joints.find(({ name }) => name === motor.joint)?.turns ?? true;
}
