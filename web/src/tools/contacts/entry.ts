import { svg } from "lit";
import { translated } from "../../text/translated";
import type { Entry } from "../registry";

export const entry: Entry = {
  id: "contacts",
  title: translated<string>("Contacts", "Kontakte"),
  order: 35,
  icon: svg`<path d="M2 19h20v2H2zM11 17v-6H7.5L12 3l4.5 8H13v6zM5 14a2 2 0 1 1 0 4 2 2 0 0 1 0-4zm14-.2 2.2 2.2-2.2 2.2-2.2-2.2z"/>`,
  tag: "hf-contacts",
  load: () => import("./contacts"),
};
