/** What the page knows of motors beside their own fields. */

import type { JointInfo, MachineInfo, Motor } from "../protocol/generated";

/** Whether a motor's joint turns; one that slides has speeds in m/s and forces in N. */
export function motorTurns({ joints }: Pick<MachineInfo, "joints">, motor: Motor): boolean {
  return joints.find(({ name }) => name === motor.joint)?.turns ?? true;
}

/** Ends of a joint's range [rad, m]; one turn where it has none. */
export function jointEnds({ lower, upper }: JointInfo): [number, number] {
  return [lower ?? -Math.PI, upper ?? Math.PI];
}

/** The joints of the servos, in their order: drives behind the cylinders. */
export function servoJoints(machine: Pick<MachineInfo, "joints" | "motors">): JointInfo[] {
  return machine.motors
    .filter(({ servo }) => servo)
    .map(({ joint }) => machine.joints.find(({ name }) => name === joint)!);
}
