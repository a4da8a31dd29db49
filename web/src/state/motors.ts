/** What the page knows of motors beside their own fields. */

import type { JointInfo, MachineInfo, MotorInfo } from "../protocol/generated";

/** Whether a motor's joint turns; one that slides has speeds in m/s and forces in N. */
export function motorTurns({ joints }: Pick<MachineInfo, "joints">, motor: MotorInfo): boolean {
  return joints.find(({ name }) => name === motor.joint)?.turns ?? true;
}

/** Whether a link cuts, or carries what does: a motor that cuts turns it, or sits on it. */
export function cutsWith({ motors }: Pick<MachineInfo, "motors">, link: string): boolean {
  return motors.some(({ cuts, carrier, link: turned }) => cuts && [carrier, turned].includes(link));
}

/** Ends of a joint's range [rad, m]; one turn where it has none. */
export function jointEnds({ lower, upper }: JointInfo): [number, number] {
  return [lower ?? -Math.PI, upper ?? Math.PI];
}

/** What sets a motion: a group of cylinders or a servo, between its ends [m, rad]. */
export interface Drive {
  name: string;
  /** Its number among all cylinders, then servos. */
  number: number;
  lower: number;
  upper: number;
  turns: boolean;
}

/** Groups of cylinders, each as its first one, then servos. */
export function drives(
  machine: Pick<MachineInfo, "cylinders" | "groups" | "joints" | "motors">,
): Drive[] {
  const groups = machine.groups.map(({ name, cylinders, lower, upper }) => {
    return { name, number: cylinders[0]!, lower, upper, turns: false };
  });
  const servos = machine.motors
    .filter(({ servo }) => servo)
    .map(({ name, joint }, n) => {
      const moved = machine.joints.find((each) => each.name === joint)!;
      const [lower, upper] = jointEnds(moved);
      return { name, number: machine.cylinders.length + n, lower, upper, turns: moved.turns };
    });
  return [...groups, ...servos];
}
