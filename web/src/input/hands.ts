/** Where the operator's hands are: panel, keyboard and gamepads, merged to one lever a group. */

import type { MachineInfo } from "../protocol/generated";
import type { Catcher } from "./catching";
import { Gamepads } from "./gamepads";
import { Keyboard } from "./keyboard";
import { type Command, type Mapping, mappingFor } from "./mappings";
import { applied } from "./profile";
import { Profiles } from "./profiles";
import { ramped } from "./shape";

/** What a key or a button asks for, beside moving a group. */
export type Action =
  | { command: Command }
  | { motor: string; direction: 1 | -1 }
  /** A key that closes what lies over the picture, and otherwise stops the machine. */
  | { command: "escape" };

interface Hold {
  source: string;
  group: string;
  direction: 1 | -1;
  /** Held since before everything was made neutral: has to be let go of first. */
  dead: boolean;
}

const LONGEST_TURN = 0.1; // [s] of ramp that one poll may make up for

/**
 * Merges what the sources say: per group the largest deflection wins.
 *
 * `release` makes everything neutral at once, and so does `live = false`. What was deflected then
 * stays without effect until it has come back to neutral: a key has to be pressed anew.
 */
export class Hands {
  /** Called after `levers()` has changed. */
  onChange: (() => void) | null = null;
  /** Called for each action of a key or a gamepad's button. */
  onAction: ((action: Action) => void) | null = null;
  mapping: Mapping = mappingFor(null);
  readonly keyboard = new Keyboard(this);
  readonly gamepads = new Gamepads(this);
  /** Where a person wants things to be. */
  readonly profiles = new Profiles();
  /** Gets all keys and sticks at present; nothing moves meanwhile. */
  catcher: Catcher | null = null;

  private machine: MachineInfo | null = null;
  private groups = new Set<string>();
  private values = new Map<string, Map<string, number>>();
  private blocked = new Map<string, Set<string>>();
  private holds = new Map<string, Hold>();
  private ramps = new Map<string, { source: string; group: string; value: number }>();
  private listeners = new Set<() => void>();
  private merged: Record<string, number> = {};
  private isLive = true;
  private last = 0;

  /** Deflections that are not neutral, -1 to 1, by group. */
  levers(): Record<string, number> {
    return { ...this.merged };
  }

  /** Deflection of one group. */
  lever(group: string): number {
    return this.merged[group] ?? 0;
  }

  /** Nobody holds anything, with or without effect. */
  get neutral(): boolean {
    return this.values.size === 0 && this.blocked.size === 0 && this.holds.size === 0;
  }

  /** Hands have effect; while not, everything is neutral. */
  get live(): boolean {
    return this.isLive && this.catcher === null;
  }

  set live(live: boolean) {
    if (live === this.isLive) return;
    this.isLive = live;
    if (!live) this.release();
  }

  /** Let somebody have all keys and sticks, or nobody any more; everything becomes neutral. */
  catch(catcher: Catcher | null): void {
    this.catcher = catcher;
    this.release();
  }

  /** Call `listener` after each change of `levers()`, `neutral` or `mapping`; gives back what ends it. */
  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** A source says where a lever is; it stays there until the source says otherwise. */
  set(source: string, group: string, value: number): void {
    if (this.put(source, group, value)) this.merge();
  }

  /** Something is held down that moves a group, such as a key; `id` names it. */
  hold(id: string, source: string, group: string, direction: 1 | -1): void {
    if (this.holds.has(id) || !this.groups.has(group)) return;
    this.holds.set(id, { source, group, direction, dead: !this.live });
    if (!this.live) this.tell();
  }

  /** It is no longer held down. */
  letGo(id: string): void {
    if (!this.holds.delete(id)) return;
    this.ramp(0);
    this.merge();
    this.tell();
  }

  /** Ids of what is held but has no effect. */
  deadHolds(): string[] {
    return [...this.holds].filter(([, hold]) => hold.dead).map(([id]) => id);
  }

  /** Make everything neutral at once, or what one source says. */
  release(source?: string): void {
    let changed = false;
    for (const [from, values] of this.values) {
      if (source !== undefined && from !== source) continue;
      for (const group of [...values.keys()]) this.block(from, group);
      changed = true;
    }
    for (const hold of this.holds.values()) {
      if (hold.dead || (source !== undefined && hold.source !== source)) continue;
      hold.dead = true;
      changed = true;
    }
    if (!changed) return;
    this.ramp(0);
    this.merge();
    this.tell();
  }

  /** Forget a source that has gone, such as a gamepad that was pulled out. */
  drop(source: string): void {
    for (const [id, hold] of this.holds) if (hold.source === source) this.holds.delete(id);
    this.values.delete(source);
    this.blocked.delete(source);
    this.ramp(0);
    this.merge();
    this.tell();
  }

  /** Take the groups and the mapping of a machine; everything becomes neutral. */
  configure(machine: MachineInfo | null): void {
    this.release();
    this.groups = new Set(machine?.groups.map((group) => group.name));
    this.machine = machine;
    this.mapping = this.mapped();
    this.keyboard.page = 0;
    this.gamepads.begin(0);
    for (const [id, hold] of this.holds) if (!this.groups.has(hold.group)) this.holds.delete(id);
    for (const [source, groups] of this.blocked) {
      for (const group of groups) if (!this.groups.has(group)) this.takeBlock(source, group);
    }
    this.merge();
    this.tell();
  }

  /** Take the profile of this machine anew; everything becomes neutral. */
  remap(): void {
    this.release();
    this.mapping = this.mapped();
    this.gamepads.begin(this.gamepads.page);
    this.tell();
  }

  private mapped(): Mapping {
    const { machine } = this;
    return applied(mappingFor(machine), this.profiles.of(machine?.machine_class ?? ""));
  }

  /** Once a picture, with the time [ms]: reads gamepads, moves what ramps. */
  poll(now: number): void {
    const dt = Math.min(LONGEST_TURN, Math.max(0, (now - this.last) / 1000));
    this.last = now;
    this.keyboard.poll(now);
    this.gamepads.poll();
    this.ramp(dt);
    this.merge();
  }

  private put(source: string, group: string, value: number): boolean {
    const wanted = Number.isFinite(value) ? Math.max(-1, Math.min(1, value)) : 0;
    if (wanted === 0) {
      const had = this.take(this.values, source, group);
      const was = this.takeBlock(source, group);
      if (was && !had) this.tell();
      return had;
    }
    if (!this.groups.has(group)) return false;
    if (!this.live || this.blocked.get(source)?.has(group)) {
      this.block(source, group);
      return false;
    }
    const values = this.values.get(source) ?? new Map<string, number>();
    this.values.set(source, values.set(group, wanted));
    return true;
  }

  /** Without effect until it is neutral. */
  block(source: string, group: string): void {
    this.take(this.values, source, group);
    const groups = this.blocked.get(source) ?? new Set<string>();
    if (groups.has(group)) return;
    this.blocked.set(source, groups.add(group));
    this.tell();
  }

  private take(from: Map<string, Map<string, number>>, source: string, group: string): boolean {
    const values = from.get(source);
    if (!values?.delete(group)) return false;
    if (values.size === 0) from.delete(source);
    return true;
  }

  private takeBlock(source: string, group: string): boolean {
    const groups = this.blocked.get(source);
    if (!groups?.delete(group)) return false;
    if (groups.size === 0) this.blocked.delete(source);
    return true;
  }

  /** Let what is held deflect further for `dt` seconds; what is held no longer is neutral. */
  private ramp(dt: number): void {
    const wanted = new Map<string, { source: string; group: string; direction: number }>();
    for (const { source, group, direction, dead } of this.holds.values()) {
      const key = `${source} ${group}`;
      const sum = (wanted.get(key)?.direction ?? 0) + (dead ? 0 : direction);
      wanted.set(key, { source, group, direction: Math.sign(sum) });
    }
    for (const [key, { source, group }] of this.ramps) {
      if (wanted.has(key)) continue;
      this.ramps.delete(key);
      this.put(source, group, 0);
    }
    for (const [key, { source, group, direction }] of wanted) {
      const value = ramped(this.ramps.get(key)?.value ?? 0, direction, dt);
      this.ramps.set(key, { source, group, value });
      this.put(source, group, value);
    }
  }

  private merge(): void {
    const merged: Record<string, number> = Object.create(null);
    for (const values of this.values.values()) {
      for (const [group, value] of values) {
        if (Math.abs(value) > Math.abs(merged[group] ?? 0)) merged[group] = value;
      }
    }
    const names = Object.keys(merged);
    const same =
      names.length === Object.keys(this.merged).length &&
      names.every((name) => merged[name] === this.merged[name]);
    if (same) return;
    this.merged = merged;
    this.onChange?.();
    this.tell();
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}
