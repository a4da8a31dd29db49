/** Words of the strip of tools, and of a tool that is being loaded. */

import { translated } from "../translated";

export const words = translated(
  {
    strip: "Tools",
    loading: "Loading the tool …",
    failed: (why: string) => `The tool could not be loaded: ${why}`,
  },
  {
    strip: "Werkzeuge",
    loading: "Das Werkzeug wird geladen …",
    failed: (why: string) => `Das Werkzeug konnte nicht geladen werden: ${why}`,
  },
);
