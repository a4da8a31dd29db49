import { svg } from "lit";
import { translated } from "../../text/translated";
import type { Entry } from "../registry";

export const entry: Entry = {
  id: "controls",
  title: translated<string>("Controls", "Bedienung"),
  order: 70,
  icon: svg`<path d="M7 6h10a5 5 0 0 1 5 5l1 6a3 3 0 0 1-5 2l-3-3H9l-3 3a3 3 0 0 1-5-2l1-6a5 5 0 0 1 5-5zM7 8v2H5v2h2v2h2v-2h2v-2H9V8zM16 9a1.3 1.3 0 1 0 0 2.6A1.3 1.3 0 0 0 16 9z"/>`,
  tag: "hf-controls",
  load: () => import("./controls"),
};
