import { svg } from "lit";
import { translated } from "../../text/translated";
import type { Entry } from "../registry";

export const entry: Entry = {
  id: "topology",
  title: translated<string>("Topology", "Topologie"),
  order: 40,
  icon: svg`<path d="M5 2a3 3 0 1 0 1 5.8l1.9 6.5a3 3 0 1 0 3.9 3.7h4.4a3 3 0 1 0-.2-2h-4.1a3 3 0 0 0-2.2-2.1L7.9 7l7.3-1a3 3 0 1 0-.2-2L8 5a3 3 0 0 0-3-3z"/>`,
  tag: "hf-topology",
  load: () => import("./topology"),
};
