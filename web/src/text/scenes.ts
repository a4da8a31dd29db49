/** Words of scenes and their units. */

import { translated } from "./translated";

export const sceneWords = translated(
  {
    scene: "Scene",
    stands: "Machines of this scene",
    units: (stand: string) => `Units: ${stand}`,
    unit: (stand: string, name: string) => `${stand} ${name}`,
    all: "All",
    allHint: "Drive all of them together",
    previous: "Previous unit",
    next: "Next unit",
    chosen: (count: number, all: number) => `${count} of ${all}`,
    alone: "Under forces the first of them moves alone.",
    hint: "Click a number, or a machine in the picture. Shift takes a range, Ctrl one more.",
    names: {
      tunnel: "Tunnel",
      longwall: "Longwall",
      yard: "Yard",
      playground: "Playground",
    } as Record<string, string>,
  },
  {
    scene: "Szene",
    stands: "Maschinen dieser Szene",
    units: (stand: string) => `Einheiten: ${stand}`,
    unit: (stand: string, name: string) => `${stand} ${name}`,
    all: "Alle",
    allHint: "Alle gemeinsam fahren",
    previous: "Vorige Einheit",
    next: "Nächste Einheit",
    chosen: (count: number, all: number) => `${count} von ${all}`,
    alone: "Unter Kräften bewegt sich nur die erste.",
    hint: "Eine Nummer anklicken oder eine Maschine im Bild. Umschalt nimmt einen Bereich, Strg eine mehr.",
    names: {
      tunnel: "Strecke",
      longwall: "Streb",
      yard: "Hof",
      playground: "Spielplatz",
    } as Record<string, string>,
  },
);
