import { svg } from "lit";
import { translated } from "../../text/translated";
import type { Entry } from "../registry";

export const entry: Entry = {
  id: "workspace",
  title: translated<string>("Workspace", "Reichweite"),
  order: 20,
  icon: svg`<path d="M12 2a10 10 0 0 1 9.5 6.9l-1.9.6A8 8 0 0 0 4.4 9.5l-1.9-.6A10 10 0 0 1 12 2zM2.1 11.4l2 .2a8 8 0 0 0 3.2 6.9l-1.2 1.6a10 10 0 0 1-4-8.7zM21.9 11.4a10 10 0 0 1-4 8.7l-1.2-1.6a8 8 0 0 0 3.2-6.9zM9 9h2v2H9zM13 8h2v2h-2zM11 12h2v2h-2zM8 14h2v2H8zM14 13h2v2h-2zM11 17h2v2h-2z"/>`,
  tag: "hf-workspace",
  keeps: true,
  load: () => import("./workspace"),
};
