/** What can be plotted of a machine, and in which units. */

import type { Frame } from "../../protocol/frame";
import { COLUMN, WIDTH, type MachineInfo } from "../../protocol/generated";
import { motorTurns } from "../../state/motors";

export const KINDS = [
  "length",
  "speed",
  "force",
  "angle",
  "travel",
  "turning",
  "torque",
  "energy",
  "computing",
] as const;
export type Kind = (typeof KINDS)[number];

/** The unit that frames have, the one that is shown, and how many of these one of those is. */
export const UNITS: Readonly<Record<Kind, { si: string; shown: string; scale: number }>> = {
  length: { si: "m", shown: "mm", scale: 1e3 },
  speed: { si: "m/s", shown: "mm/s", scale: 1e3 },
  force: { si: "N", shown: "kN", scale: 1e-3 },
  angle: { si: "rad", shown: "°", scale: 180 / Math.PI },
  travel: { si: "m", shown: "mm", scale: 1e3 },
  turning: { si: "rad/s", shown: "rpm", scale: 30 / Math.PI },
  torque: { si: "N m", shown: "kN m", scale: 1e-3 },
  energy: { si: "J", shown: "kJ", scale: 1e-3 },
  computing: { si: "s", shown: "ms", scale: 1e3 },
};

/** Columns of a frame's energies by the names that people see. */
const ENERGIES = {
  kinetic: COLUMN.energy.kinetic,
  potential: COLUMN.energy.potential,
  work: COLUMN.energy.drives,
  unaccounted: COLUMN.energy.unaccounted,
} as const;
export const ENERGY_NAMES = Object.keys(ENERGIES) as (keyof typeof ENERGIES)[];
export const COMPUTING_NAMES = ["step", "tick"] as const;

export interface Quantity {
  /** Kind and name, such as "length boom". */
  id: string;
  kind: Kind;
  /** Of the group, joint or motor, or one of the names above. */
  name: string;
  /** Its value in a frame, in SI units. */
  read: (frame: Frame) => number;
}

/** Everything that a frame tells of this machine; a group's force is that of all its cylinders. */
export function quantitiesOf(machine: MachineInfo): Quantity[] {
  const found: Quantity[] = [];
  const add = (kind: Kind, name: string, read: (frame: Frame) => number): void => {
    found.push({ id: `${kind} ${name}`, kind, name, read });
  };
  for (const { name, cylinders } of machine.groups) {
    const first = cylinders[0] ?? -1;
    add("length", name, ({ lengths }) => lengths[first] ?? NaN);
    add("speed", name, ({ speeds }) => speeds[first] ?? NaN);
    add("force", name, ({ forces }) => cylinders.reduce((sum, i) => sum + (forces[i] ?? NaN), 0));
  }
  machine.joints.forEach(({ name, turns }, i) =>
    add(turns ? "angle" : "travel", name, ({ joints }) => joints[i] ?? NaN),
  );
  machine.motors.forEach((motor, i) => {
    const turns = motorTurns(machine, motor);
    add(
      turns ? "turning" : "speed",
      motor.name,
      ({ motors }) => motors[WIDTH.motors * i + COLUMN.motors.speed] ?? NaN,
    );
    add(
      turns ? "torque" : "force",
      motor.name,
      ({ motors }) => motors[WIDTH.motors * i + COLUMN.motors.torque] ?? NaN,
    );
  });
  ENERGY_NAMES.forEach((name) =>
    add("energy", name, ({ energy }) => energy[ENERGIES[name]] ?? NaN),
  );
  add("computing", "step", ({ stepTime }) => stepTime);
  add("computing", "tick", ({ tickTime }) => tickTime);
  return found;
}

const FIRST = 6; // groups that are shown before anybody has chosen

/** What is plotted before anybody has chosen: lengths and forces of the first groups. */
export function firstChoice(machine: MachineInfo): Set<string> {
  const names = machine.groups.slice(0, FIRST).map(({ name }) => name);
  const chosen = names.flatMap((name) => [`length ${name}`, `force ${name}`]);
  return new Set(chosen.length > 0 ? chosen : ["computing step"]);
}
