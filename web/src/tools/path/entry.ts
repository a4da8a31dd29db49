import { svg } from "lit";
import { translated } from "../../text/translated";
import type { Entry } from "../registry";

export const entry: Entry = {
  id: "path",
  title: translated<string>("Path", "Bahn"),
  order: 25,
  icon: svg`<path d="M5 16a3 3 0 1 0 2.8 4H14a5 5 0 0 0 0-10h-4a2.5 2.5 0 0 1 0-5h6.2a3 3 0 1 0 0-2H10a4.5 4.5 0 0 0 0 9h4a3 3 0 0 1 0 6H7.8A3 3 0 0 0 5 16z"/>`,
  tag: "hf-path",
  keeps: true,
  load: () => import("./path"),
};
