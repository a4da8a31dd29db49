/** Between the network worker and the store: connects, listens, and tries again. */

import { decodeFrame } from "../protocol/frame";
import { VERSION, type Down } from "../protocol/generated";
import type { Store } from "../state/store";
import { text } from "../text";
import type { FromWorker, ToWorker } from "./messages";
import { enter } from "./session";

const WAITS = [200, 500, 1000, 2000, 2000, 3000]; // before each try [ms]
const GONE_AFTER = 5; // tries without an answer until the server counts as gone
const RETRY = 3000; // [ms]

export class Connection {
  private worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  private tries = 0;
  private build: string | null = null;
  private holding = false;

  constructor(private readonly store: Store) {
    this.worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.hear(data);
    store.send = (message) => this.post({ kind: "send", message });
    store.subscribe(() => this.hold());
  }

  /** Open a session and the socket. */
  async start(password?: string): Promise<void> {
    const entry = await enter(password);
    if (entry === "in") this.post({ kind: "open", address: socketAddress() });
    else if (entry === "gone") this.retry();
    else if (entry === "password") this.askPassword();
    else this.store.set({ connection: "address" });
  }

  /** A click on another printed address, while this page is open. */
  async reenter(): Promise<void> {
    this.tries = 0;
    await this.start();
  }

  /** The main thread's turn: where the hands are. */
  turn(levers: Record<string, number>, present: boolean): void {
    this.post({ kind: "turn", levers, present });
  }

  private askPassword(): void {
    const password = window.prompt(text.password);
    if (password === null) this.store.set({ connection: "address" });
    else void this.start(password);
  }

  private post(message: ToWorker): void {
    this.worker.postMessage(message);
  }

  private hold(): void {
    const holds = this.store.hasSeat;
    if (holds === this.holding) return;
    this.holding = holds;
    this.post({ kind: "hold", on: holds });
  }

  private hear(said: FromWorker): void {
    switch (said.kind) {
      case "opened":
        this.tries = 0;
        break;
      case "closed":
        if (this.store.facts.connection === "version") this.store.set({ welcome: null });
        else this.retry();
        break;
      case "message":
        this.take(said.message);
        break;
      case "latency":
        this.store.noteLatency(said.milliseconds);
        break;
      case "frame": {
        const frame = decodeFrame(said.data);
        if (typeof frame === "string") this.store.set({ connection: "version" });
        else this.store.take(frame);
      }
    }
  }

  private take(message: Down): void {
    const { store } = this;
    switch (message.type) {
      case "welcome":
        if (message.version !== VERSION || (this.build !== null && this.build !== message.build)) {
          store.set({ connection: "version" });
          return;
        }
        this.build = message.build;
        // what was going on is told anew, if it still is
        store.set({ connection: "open", welcome: message, loading: null, preparing: null });
        break;
      case "scene":
        store.frame = null;
        store.set({ scene: message });
        break;
      case "status":
        store.set({ status: message });
        break;
      case "loading":
        store.set({ loading: message.part < 1 ? message : null });
        break;
      case "preparing":
        store.set({ preparing: message.part === "" ? null : message });
        break;
      case "recording":
        store.set({ recording: message });
        break;
      case "refused":
        store.toast("error", message.text);
        break;
      case "notice":
        if (message.code === "reload") store.set({ connection: "version" });
        else store.toast("notice", text.notices[message.code]);
    }
    store.hear(message);
  }

  /** Try again, later and later; ask the server whether it still knows this session. */
  private retry(): void {
    const gone = this.tries >= GONE_AFTER;
    const connection = gone ? "gone" : "reconnecting";
    this.store.set({ connection, welcome: null, loading: null, preparing: null });
    const wait = WAITS[this.tries] ?? RETRY;
    this.tries += 1;
    setTimeout(() => void this.start(), wait);
  }
}

function socketAddress(): string {
  const address = new URL("ws", location.href);
  address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  address.hash = "";
  address.search = "";
  return address.href;
}
