/** Words of the strip of tools, and of a tool that is being loaded. */

import { translated } from "../translated";

export const words = translated(
  {
    strip: "Tools",
    loading: "Loading the tool …",
    failed: (why: string) => `The tool could not be loaded: ${why}`,
    watching: "Viewers only watch. With the operator's address you can do this.",
  },
  {
    strip: "Werkzeuge",
    loading: "Das Werkzeug wird geladen …",
    failed: (why: string) => `Das Werkzeug konnte nicht geladen werden: ${why}`,
    watching: "Zuschauer sehen nur zu. Mit der Adresse für Bediener geht das.",
  },
);
