/** Profiles that this browser keeps, one for each class of machines. */

import {
  isPlain,
  LARGEST_FILE,
  parseProfile,
  plainProfile,
  type Profile,
  profileData,
} from "./profile";

export const STORED = "headframe.controls";
/** What was stored and could not be read is kept here when something new is stored. */
export const BROKEN = "headframe.controls.broken";
const FORMAT = 1;
const MOST = 50; // classes

/** What is needed of `localStorage`. */
export type StorageLike = Pick<Storage, "getItem" | "setItem">;

export class Profiles {
  /** Something is stored that cannot be read, and is ignored. */
  broken = false;
  /** The browser keeps nothing: profiles last as long as the page. */
  forgetful = true;

  private known = new Map<string, Profile>();
  private storage: StorageLike | null = null;

  /** Read what a browser keeps. */
  open(storage: StorageLike | null): void {
    this.storage = storage;
    const read = this.read();
    this.forgetful = read === null;
    this.broken = read?.broken ?? false;
    this.known = read?.profiles ?? new Map();
  }

  /** The profile of a class. */
  of(kind: string): Profile {
    return this.known.get(kind) ?? plainProfile(kind);
  }

  /** Keep a profile; one that changes nothing is forgotten. */
  keep(profile: Profile): void {
    // Another page may have stored something meanwhile: only this class is replaced.
    const stored = this.read();
    const all = stored && !stored.broken ? stored.profiles : new Map(this.known);
    all.delete(profile.kind);
    this.known.delete(profile.kind);
    if (!isPlain(profile)) {
      all.set(profile.kind, profile);
      this.known.set(profile.kind, profile);
    }
    this.write(new Map([...all].slice(-MOST)));
  }

  private read(): { profiles: Map<string, Profile>; broken: boolean } | null {
    if (!this.storage) return null;
    let text: string | null;
    try {
      text = this.storage.getItem(STORED);
    } catch {
      return null;
    }
    if (text === null) return { profiles: new Map(), broken: false };
    return parsed(text);
  }

  private write(profiles: ReadonlyMap<string, Profile>): void {
    if (!this.storage) return;
    try {
      if (this.broken) {
        this.storage.setItem(BROKEN, this.storage.getItem(STORED) ?? "");
        this.broken = false;
      }
      const entries = [...profiles.values()].map(profileData);
      this.storage.setItem(STORED, JSON.stringify({ version: FORMAT, profiles: entries }));
      this.forgetful = false;
    } catch {
      this.forgetful = true; // it is full, or may not be used
    }
  }
}

/** Profiles in what was stored; one that cannot be read leaves the others. */
function parsed(text: string): { profiles: Map<string, Profile>; broken: boolean } {
  const profiles = new Map<string, Profile>();
  let broken = false;
  try {
    if (text.length > MOST * LARGEST_FILE) throw new Error("too long");
    const { version, profiles: entries } = JSON.parse(text) as Record<string, unknown>;
    if (version !== FORMAT || !Array.isArray(entries)) throw new Error("of another version");
    for (const entry of entries.slice(0, MOST)) {
      const { profile, complaints } = parseProfile(JSON.stringify(entry) ?? "");
      if (complaints.length > 0) broken = true;
      else profiles.set(profile.kind, profile);
    }
  } catch {
    broken = true;
  }
  return { profiles, broken };
}
