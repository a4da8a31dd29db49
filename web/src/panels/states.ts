/** What a person meets: which overlay lies over the picture, and which banners stand above it. */

import type { Facts } from "../state/store";
import { text } from "../text";
import { words as replay } from "../text/tools/replay";
import { isolated } from "./format";

export type Remedy = "reload" | "restart" | "rewind" | "take_seat" | "live";

export interface Situation {
  id: string;
  level: "info" | "warning" | "danger";
  title: string;
  detail: string;
  remedies: Remedy[];
  /** How far loading has come, 0 to 1; below 0 where it is not known. */
  progress?: number;
}

/** What hides the picture: there is nothing to drive yet, or no longer. */
export function overlay(facts: Facts): Situation | null {
  switch (facts.connection) {
    case "version":
      return make("version", "warning", text.version, text.versionDetail, ["reload"]);
    case "address":
      return make("address", "info", text.address, text.addressDetail);
    case "gone":
      return make("gone", "warning", text.gone, text.goneDetail, ["reload"]);
    default:
  }
  if (facts.loading) {
    const { text: what, part } = facts.loading;
    return { ...make("loading", "info", text.loading, what), progress: part };
  }
  if (facts.scene || facts.status?.alive === false) return null;
  return { ...make("connecting", "info", text.connecting, text.connectingDetail), progress: -1 };
}

/** What stands above the picture, the most urgent first. */
export function banners(facts: Facts, hasSeat: boolean): Situation[] {
  const { connection, status, welcome } = facts;
  const found: Situation[] = [];
  if (overlay(facts)) return found;
  if (connection === "reconnecting")
    found.push(make("reconnecting", "warning", text.reconnecting, text.reconnectingDetail));
  if (!status) return found;
  const mine = (remedies: Remedy[]): Remedy[] => (hasSeat ? remedies : []);
  if (!status.alive)
    found.push(
      make(
        "dead",
        "danger",
        text.dead,
        `${text.deadDetail} (${status.trouble})`,
        mine(["rewind", "restart"]),
      ),
    );
  if (status.emergency)
    found.push(make("emergency", "danger", text.emergency, text.emergencyDetail));
  if (status.alive && status.trouble !== "")
    found.push(
      make("trouble", "danger", text.trouble, status.trouble, mine(["rewind", "restart"])),
    );
  if (facts.replay !== "")
    found.push(
      make("replay", "warning", replay.title, replay.detail(isolated(facts.replay)), ["live"]),
    );
  if (connection !== "open") return found;
  if (!hasSeat) {
    if (welcome?.role !== "operator")
      found.push(make("watching", "info", text.watching, text.watchingDetail));
    else if (status.seat < 0)
      found.push(make("no_seat", "info", text.noSeat, text.noSeatDetail, ["take_seat"]));
    else
      found.push(make("other_seat", "info", text.otherSeat, text.otherSeatDetail, ["take_seat"]));
  } else if (
    status.presence !== "" &&
    !status.emergency &&
    status.alive &&
    facts.replay === "" // else they are dead anyhow
  ) {
    found.push(make("presence", "warning", text.leversDead, text.presence[status.presence]));
  }
  return found;
}

/** Parts that people wait for without having asked; of the others only who has asked hears. */
const TOLD: readonly string[] = ["dynamics", "reaching"];
const MINUTE = 60;

/** What will be ready soon, in a line; empty if nobody needs to know. */
export function preparation({ preparing }: Facts): string {
  if (!preparing || preparing.part === "") return "";
  const { part, seconds, waiting } = preparing;
  if (waiting.length === 0 && !TOLD.includes(part)) return "";
  const what = text.preparedParts[part];
  const line = seconds === null ? text.preparing(what) : text.readyIn(what, duration(seconds));
  return waiting.length === 0 ? line : `${line}. ${text.startsThen}`;
}

function duration(seconds: number): string {
  return seconds < 2 * MINUTE ? text.seconds(seconds) : text.minutes(Math.round(seconds / MINUTE));
}

/** Who drives, in a few words. */
export function seatWords({ connection, welcome, status }: Facts, hasSeat: boolean): string {
  if (connection !== "open") return text.offline;
  if (hasSeat) return text.youDrive;
  if (welcome?.role !== "operator") return text.youWatch;
  return (status?.seat ?? -1) < 0 ? text.nobodyDrives : text.otherDrives;
}

/** Why the emergency stop cannot be released now; empty if it can. */
export function whyNotRelease(facts: Facts, hasSeat: boolean, neutral: boolean): string {
  if (facts.connection !== "open") return text.releaseLater;
  if (!hasSeat) return text.releaseSeat;
  return neutral ? "" : text.releaseLevers;
}

/** Hands may have effect. */
export function handsLive(facts: Facts, hasSeat: boolean, present: boolean): boolean {
  const { status, replay: film } = facts;
  const open = status !== null && status.alive && !status.emergency;
  return hasSeat && present && open && film === "";
}

/** The last moment from which the simulation went well for a while [s]. */
export function lastGood(oldest: number, newest: number): number {
  return Math.max(oldest, newest - 1);
}

function make(
  id: string,
  level: Situation["level"],
  title: string,
  detail: string,
  remedies: Remedy[] = [],
): Situation {
  return { id, level, title, detail, remedies };
}
