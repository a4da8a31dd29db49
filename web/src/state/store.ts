/** What the page knows: one place, told to everybody who listens. */

import type { Frame } from "../protocol/frame";
import type {
  Down,
  Loading,
  Preparing,
  RecordingStatus,
  SceneInfo,
  Status,
  Up,
  Welcome,
} from "../protocol/generated";

/**
 * How the page and the server stand.
 *
 * "address" asks for the operator's address: there is no session, or the server was started anew.
 * "version" means that the server speaks another version: reload. "gone" comes after many tries.
 */
export type Connection = "connecting" | "open" | "reconnecting" | "gone" | "address" | "version";

export interface Toast {
  id: number;
  kind: "notice" | "error";
  text: string;
}

export interface Facts {
  connection: Connection;
  welcome: Welcome | null;
  scene: SceneInfo | null;
  status: Status | null;
  loading: Loading | null;
  /** What the server still compiles in the background; null when all is ready. */
  preparing: Preparing | null;
  /** The recording that is being made, or the last that ended. */
  recording: RecordingStatus | null;
  /** Name of the recording that is looked at; empty while the picture is live. */
  replay: string;
  /** Round trip of a message [ms]; 0 before the first. */
  latency: number;
  toasts: Toast[];
}

type Listener = () => void;
type Message<Type extends Down["type"]> = Extract<Down, { type: Type }>;

/** Holds the facts; frames, which come sixty times a second, are told apart from them. */
export class Store {
  facts: Facts = {
    connection: "connecting",
    welcome: null,
    scene: null,
    status: null,
    loading: null,
    preparing: null,
    recording: null,
    replay: "",
    latency: 0,
    toasts: [],
  };
  /** The newest frame of the present scene. */
  frame: Frame | null = null;
  /** A moment of a recording, shown in the place of what happens now. */
  replayed: Frame | null = null;
  /** Sends a message to the server; the network sets it. */
  send: (message: Up) => void = () => {};

  private listeners = new Set<Listener>();
  private watchers = new Set<(frame: Frame) => void>();
  private hearers = new Map<Down["type"], Set<(message: never) => void>>();
  private nextToast = 1;
  private smoothed = 0;

  /** Call `listener` after each change of the facts; gives back what ends it. */
  subscribe(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Call `watcher` with each frame of the present scene; gives back what ends it. */
  watch(watcher: (frame: Frame) => void): () => void {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  }

  /** Call `hearer` with each message of a type; gives back what ends it. */
  on<Type extends Down["type"]>(type: Type, hearer: (message: Message<Type>) => void): () => void {
    const hearers = this.hearers.get(type) ?? new Set();
    this.hearers.set(type, hearers.add(hearer));
    return () => hearers.delete(hearer);
  }

  /** A message has come. */
  hear(message: Down): void {
    for (const hearer of this.hearers.get(message.type) ?? []) hearer(message as never);
  }

  set(change: Partial<Facts>): void {
    this.facts = { ...this.facts, ...change };
    for (const listener of this.listeners) listener();
  }

  /** Take a frame, unless it belongs to another scene. */
  take(frame: Frame): boolean {
    if (this.facts.scene?.number !== frame.scene) return false;
    this.frame = frame;
    for (const watcher of this.watchers) watcher(frame);
    return true;
  }

  /** Take a round trip [ms]; the mean of the last ones is told once in a while. */
  noteLatency(milliseconds: number): void {
    this.smoothed = this.smoothed === 0 ? milliseconds : 0.9 * this.smoothed + 0.1 * milliseconds;
    if (Math.abs(this.smoothed - this.facts.latency) > 0.2 * this.facts.latency + 0.1)
      this.set({ latency: this.smoothed });
  }

  toast(kind: Toast["kind"], text: string): void {
    const last = this.facts.toasts.at(-1);
    if (last?.text === text) return;
    const toasts = [...this.facts.toasts, { id: this.nextToast++, kind, text }].slice(-4);
    this.set({ toasts });
  }

  dismiss(id: number): void {
    this.set({ toasts: this.facts.toasts.filter((toast) => toast.id !== id) });
  }

  /** What the picture shows: the recording that is looked at, or the newest frame. */
  get seen(): Frame | null {
    return this.replayed ?? this.frame;
  }

  /** This page may move the machine. */
  get hasSeat(): boolean {
    const { welcome, status, connection } = this.facts;
    return connection === "open" && welcome !== null && status?.seat === welcome.client;
  }
}
