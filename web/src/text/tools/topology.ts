/** Words of the tool that shows a machine's graph. */

import { translated } from "../translated";

export const words = translated(
  {
    hint: "Links are nodes, joints and cylinders are edges. Point at a cylinder, here or in the list, to see what it moves; a click keeps it.",
    stages: { raw: "As it stands", contracted: "Contracted", iteps: "By group" },
    stageNames: "Stages of the analysis",
    explained: {
      raw: "The machine as its file has it.",
      contracted: "A generalized joint stands for each four-bar.",
      iteps: "What one group moves while all others are locked.",
    },
    graph: "Graph of the machine",
    groups: "Groups of cylinders",
    none: "No cylinder drives this machine.",
    legend: "Legend",
    kinds: {
      revolute: "revolute joint",
      prismatic: "prismatic joint",
      fixed: "fixed joint",
      other: "spinning or other joint",
      generalized: "generalized joint, named after its input",
      held: "joint that a locked cylinder holds",
      actuator: "cylinders, from tube to rod",
      locked: "locked cylinder that closes the loop",
    } as Record<string, string>,
    closes: "pivot that closes a loop",
    fourBar: "four-bar",
    effector: "end-effector",
    rest: "rest of the machine",
    merged: "contracted or merged",
    counts: (links: number, joints: number, cylinders: number) =>
      `${links} links, ${joints} joints, ${cylinders} cylinders`,
    fourBars: (count: number) => (count === 1 ? "1 four-bar" : `${count} four-bars`),
    leftover: (count: number) =>
      count === 1 ? "1 loop that is no four-bar" : `${count} loops that are no four-bars`,
    type: (letter: string) => `Type ${letter}`,
    types: {
      A: "a prismatic joint moves",
      B: "a revolute joint moves",
      C: "a four-bar moves",
      D: "a four-bar and a hinge move together",
      "?": "out of scope, left to the general solver",
    } as Record<string, string>,
    path: "Path",
    drives: "Drives",
    closedBy: "Loop closed by",
    locked: (group: string) => `${group}, locked`,
    members: "Cylinders",
    solvers: {
      "closed form": "solved in closed form",
      newton:
        "solved by Newton's method; |…| is a distance in the plane, r and t are the mounts at home",
      general: "solved by the general loop solver: all closing equations and lengths at once",
    },
    failed: (why: string) => `The graph cannot be shown: ${why}`,
    loading: "Fetching the graph …",
  },
  {
    hint: "Glieder sind Knoten, Gelenke und Zylinder sind Kanten. Zeigen Sie auf einen Zylinder, hier oder in der Liste, um zu sehen, was er bewegt; ein Klick hält ihn fest.",
    stages: { raw: "Wie sie ist", contracted: "Verkürzt", iteps: "Je Gruppe" },
    stageNames: "Stufen der Analyse",
    explained: {
      raw: "Die Maschine, wie sie in ihrer Datei steht.",
      contracted: "Ein verallgemeinertes Gelenk steht für jedes Viergelenk.",
      iteps: "Was eine Gruppe bewegt, während alle anderen gesperrt sind.",
    },
    graph: "Graph der Maschine",
    groups: "Zylindergruppen",
    none: "Diese Maschine treibt kein Zylinder.",
    legend: "Legende",
    kinds: {
      revolute: "Drehgelenk",
      prismatic: "Schubgelenk",
      fixed: "feste Verbindung",
      other: "drehendes oder anderes Gelenk",
      generalized: "verallgemeinertes Gelenk, nach seinem Antrieb benannt",
      held: "Gelenk, das ein gesperrter Zylinder hält",
      actuator: "Zylinder, vom Rohr zur Stange",
      locked: "gesperrter Zylinder, der die Schleife schließt",
    },
    closes: "Gelenk, das eine Schleife schließt",
    fourBar: "Viergelenk",
    effector: "Endeffektor",
    rest: "übrige Maschine",
    merged: "verkürzt oder vereinigt",
    counts: (links: number, joints: number, cylinders: number) =>
      `${links} Glieder, ${joints} Gelenke, ${cylinders} Zylinder`,
    fourBars: (count: number) => (count === 1 ? "1 Viergelenk" : `${count} Viergelenke`),
    leftover: (count: number) =>
      count === 1
        ? "1 Schleife, die kein Viergelenk ist"
        : `${count} Schleifen, die keine Viergelenke sind`,
    type: (letter: string) => `Typ ${letter}`,
    types: {
      A: "ein Schubgelenk bewegt sich",
      B: "ein Drehgelenk bewegt sich",
      C: "ein Viergelenk bewegt sich",
      D: "ein Viergelenk und ein Drehgelenk bewegen sich gemeinsam",
      "?": "nicht erfasst, dem allgemeinen Löser überlassen",
    },
    path: "Weg",
    drives: "Treibt",
    closedBy: "Schleife geschlossen von",
    locked: (group: string) => `${group}, gesperrt`,
    members: "Zylinder",
    solvers: {
      "closed form": "geschlossen gelöst",
      newton:
        "mit dem Newton-Verfahren gelöst; |…| ist ein Abstand in der Ebene, r und t sind die Lager in Grundstellung",
      general: "vom allgemeinen Schleifenlöser gelöst: alle Schließbedingungen und Längen zugleich",
    },
    failed: (why: string) => `Der Graph kann nicht gezeigt werden: ${why}`,
    loading: "Der Graph wird geholt …",
  },
);
