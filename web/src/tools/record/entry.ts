import { svg } from "lit";
import { translated } from "../../text/translated";
import type { Entry } from "../registry";

export const entry: Entry = {
  id: "record",
  title: translated<string>("Record", "Aufnahme"),
  order: 60,
  icon: svg`<path d="M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm0 2a7 7 0 1 1 0 14 7 7 0 0 1 0-14zm0 3a4 4 0 1 0 0 8 4 4 0 0 0 0-8z"/>`,
  tag: "hf-record",
  load: () => import("./record"),
};
