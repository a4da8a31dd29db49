/** Names of the tools. */

import { translated } from "../translated";

export const words = translated(
  {
    strip: "Tools",
    loading: "Loading the tool …",
    failed: (why: string) => `The tool could not be loaded: ${why}`,
    reach: "Reach",
  },
  {
    strip: "Werkzeuge",
    loading: "Das Werkzeug wird geladen …",
    failed: (why: string) => `Das Werkzeug konnte nicht geladen werden: ${why}`,
    reach: "Greifen",
  },
);
