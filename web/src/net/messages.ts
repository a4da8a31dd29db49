/** What the page's main thread and its network worker say to each other. */

import type { Down, Up } from "../protocol/generated";

/** The main thread's hands and presence, at each of its turns. */
export interface Turn {
  kind: "turn";
  levers: Record<string, number>;
  present: boolean;
}

export interface Open {
  kind: "open";
  address: string;
}

export interface Send {
  kind: "send";
  message: Up;
}

/** The page holds the seat: its worker sends heartbeats. */
export interface Hold {
  kind: "hold";
  on: boolean;
}

export type ToWorker = Turn | Open | Send | Hold;

export type FromWorker =
  | { kind: "opened" }
  | { kind: "closed"; code: number }
  | { kind: "message"; message: Down }
  | { kind: "latency"; milliseconds: number }
  | { kind: "frame"; data: ArrayBuffer };
