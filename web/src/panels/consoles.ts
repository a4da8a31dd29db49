/** Which controls a machine's panel has, by its class; all of it from the machine's description. */

import type { Group, MachineInfo } from "../protocol/generated";
import { text, type Text } from "../text";
import { own } from "../state/own";

/** What moves a group: a proportional lever, or two buttons that are held down. */
export type Control = "lever" | "buttons";

export interface Bank {
  title: string;
  groups: Group[];
}

export interface Console {
  control: Control;
  /** Cells side by side. */
  columns: number;
  banks: Bank[];
}

type Title = {
  [K in keyof Text]: Text[K] extends string ? K : never;
}[keyof Text];

interface Plan {
  control: Control;
  columns: number;
  /** Banks in order; each takes the groups that match and that no bank before it took. */
  banks: readonly { title: Title; match: RegExp }[];
}

const PLAIN: Plan = {
  control: "lever",
  columns: 3,
  banks: [{ title: "bankLevers", match: /^/ }],
};

export const PLANS: Readonly<Record<string, Plan>> = {
  roadheader: {
    control: "lever",
    columns: 3,
    banks: [
      { title: "bankBoom", match: /boom|slew|swing|turret|telescope|lift|cutter/ },
      { title: "bankChassis", match: /^/ },
    ],
  },
  loader: PLAIN,
  jumbo: { ...PLAIN, banks: [{ title: "bankBoom", match: /^/ }] },
  shearer: {
    control: "lever",
    columns: 3,
    banks: [
      { title: "bankArms", match: /arm|cowl/ },
      { title: "bankMore", match: /^/ },
    ],
  },
  support: {
    control: "buttons",
    columns: 2,
    banks: [
      { title: "bankLegs", match: /leg/ },
      { title: "bankJacks", match: /^/ },
    ],
  },
  door: { control: "buttons", columns: 1, banks: [{ title: "bankDoor", match: /^/ }] },
};

/** The panel of a machine: every group is in exactly one bank, and no bank is empty. */
export function consoleFor(machine: MachineInfo): Console {
  const { machine_class: kind, groups } = machine;
  const plan = own(PLANS, kind) ?? PLAIN;
  const left = new Set(groups);
  const banks: Bank[] = [];
  for (const { title, match } of plan.banks) {
    const mine = [...left].filter((group) => match.test(group.name));
    for (const group of mine) left.delete(group);
    if (mine.length > 0) banks.push({ title: text[title], groups: mine });
  }
  const most = Math.max(1, ...banks.map((bank) => bank.groups.length));
  return { control: plan.control, columns: Math.min(plan.columns, most), banks };
}
