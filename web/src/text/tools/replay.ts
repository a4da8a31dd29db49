/** Words about recordings that stand outside of their tool. */

import { translated } from "../translated";

export const words = translated(
  {
    title: "A recording",
    detail: (name: string) => `The picture shows “${name}”, not what happens now. Levers are dead.`,
    live: "Back to live",
    recording: "What happens is being recorded",
  },
  {
    title: "Eine Aufzeichnung",
    detail: (name: string) =>
      `Das Bild zeigt „${name}“, nicht was jetzt geschieht. Die Hebel sind tot.`,
    live: "Zurück zum Jetzt",
    recording: "Was geschieht, wird aufgezeichnet",
  },
);
