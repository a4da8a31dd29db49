import { svg } from "lit";
import { translated } from "../../text/translated";
import type { Entry } from "../registry";

export const entry: Entry = {
  id: "reach",
  title: translated<string>("Reach", "Greifen"),
  order: 10,
  icon: svg`<path d="M11 2h2v7h-2zM11 15h2v7h-2zM2 11h7v2H2zM15 11h7v2h-7zM12 10a2 2 0 1 0 0 4 2 2 0 0 0 0-4z"/>`,
  tag: "hf-reach",
  load: () => import("./reach"),
};
