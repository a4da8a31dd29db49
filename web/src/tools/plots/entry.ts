import { svg } from "lit";
import { translated } from "../../text/translated";
import type { Entry } from "../registry";

export const entry: Entry = {
  id: "plots",
  title: translated<string>("Plots", "Kurven"),
  order: 50,
  icon: svg`<path d="M3 3h2v16h16v2H3zM7.4 16.6 6 15.2l4.5-5.4 3.6 3 4.4-6.3 1.6 1.2-5.7 8-3.6-3z"/>`,
  tag: "hf-plots",
  load: () => import("./plots"),
};
