import { svg } from "lit";
import { translated } from "../../text/translated";
import type { Entry } from "../registry";

export const entry: Entry = {
  id: "machine",
  title: translated<string>("Machine", "Maschine"),
  order: 80,
  icon: svg`<path d="M11 3h2v8h3l-4 5-4-5h3zM4 15h2v4h12v-4h2v6H4z"/>`,
  tag: "hf-machine",
  load: () => import("./machine"),
};
