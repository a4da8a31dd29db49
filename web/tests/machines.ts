/** Machines for tests. */

import type { MachineInfo } from "../src/protocol/generated";

/** A machine of a class with these groups, each of one cylinder, and so many motors. */
export function machineOf(kind: string, groups: string[], motors: number): MachineInfo {
  return {
    name: "test",
    machine_class: kind,
    up_axis: "z",
    links: [],
    root: "",
    end_effector: "",
    cylinders: groups.map((name) => ({ name, tube: "", rod: "", lower: 1, upper: 2 })),
    groups: groups.map((name, i) => ({
      name,
      cylinders: [i],
      lower: 1,
      upper: 2,
      speed: 0.1,
      force: 1e5,
    })),
    joints: [],
    motors: Array.from({ length: motors }, (_, i) => ({
      name: `motor_${i}`,
      joint: "",
      link: "",
      speed: 5,
      torque: 1e3,
      servo: false,
      kind: "motor",
      carrier: "",
      cuts: false,
    })),
  };
}
