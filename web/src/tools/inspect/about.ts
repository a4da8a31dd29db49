/** What of a machine's facts is about one of its links. */

import type {
  CylinderFacts,
  FactsSheet,
  JointFacts,
  LinkFacts,
  Source,
} from "../../protocol/generated";

export interface About {
  link: LinkFacts;
  /** Joints that lead to the link or away from it; of a pivot that closes a loop only one half. */
  joints: JointFacts[];
  /** Cylinders that it carries, or that it is a part of, by index. */
  cylinders: number[];
  sources: Source[];
}

/** Everything about a link; null if there is none of that name. */
export function about(facts: FactsSheet, name: string): About | null {
  const link = facts.links.find((each) => each.name === name);
  if (!link) return null;
  const joints = facts.joints.filter(
    (joint) => joint.child === name || (joint.parent === name && !otherHalf(facts, joint)),
  );
  const cylinders = facts.cylinders.flatMap((cylinder, n) =>
    carries(cylinder, name) || link.cylinder === n ? [n] : [],
  );
  return { link, joints, cylinders, sources: sourcesOf(facts, link, joints, cylinders) };
}

function carries({ tube_parent, rod_parent }: CylinderFacts, name: string): boolean {
  return tube_parent === name || rod_parent === name;
}

/** Whether a joint's other half leads to its parent, and is listed there. */
function otherHalf(facts: FactsSheet, joint: JointFacts): boolean {
  return (
    joint.closes &&
    facts.joints.some(
      (other) => other.closes && other.child === joint.parent && other.parent === joint.child,
    )
  );
}

/** Where the figures come from: what is said of this link's parts, or of the whole machine. */
function sourcesOf(
  facts: FactsSheet,
  link: LinkFacts,
  joints: readonly JointFacts[],
  cylinders: readonly number[],
): Source[] {
  const of = cylinders.map((n) => facts.cylinders[n]!);
  const motors = joints.map(({ motor }) => motor).filter((motor) => motor !== "");
  const names = new Set([
    link.name,
    ...joints.map(({ name }) => name),
    ...of.flatMap(({ name, group }) => [name, group]),
    ...motors,
  ]);
  const topics = new Set<string>(["shape"]);
  if (link.mass !== null) topics.add("mass");
  if (joints.length > 0) topics.add("joint");
  if (of.length > 0) topics.add("cylinder");
  if (motors.length > 0) topics.add("motor");
  return facts.sources.filter(
    (source) =>
      (source.parts.length === 0 || source.parts.some((part) => names.has(part))) &&
      (source.topics.length === 0 || source.topics.some((topic) => topics.has(topic))),
  );
}

const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** A small number with its power of ten: 1.1·10⁻¹⁵. */
export function scientific(value: number, decimal = "."): string {
  if (!Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const [digits, power] = value.toExponential(1).split("e") as [string, string];
  const raised = [...String(Math.abs(Number(power)))]
    .map((digit) => RAISED[Number(digit)])
    .join("");
  const sign = Number(power) < 0 ? "⁻" : "";
  return `${digits.replace("-", "−").replace(".", decimal)}·10${sign}${raised}`;
}
