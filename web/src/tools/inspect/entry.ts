import { svg } from "lit";
import { translated } from "../../text/translated";
import type { Entry } from "../registry";

export const entry: Entry = {
  id: "inspect",
  title: translated<string>("Inspect", "Prüfen"),
  order: 30,
  icon: svg`<path d="M10 2a8 8 0 1 0 4.9 14.3l5.4 5.4 1.4-1.4-5.4-5.4A8 8 0 0 0 10 2zm0 2a6 6 0 1 1 0 12 6 6 0 0 1 0-12zM9 6h2v2H9zM9 9h2v5H9z"/>`,
  tag: "hf-inspect",
  load: () => import("./inspect"),
};
