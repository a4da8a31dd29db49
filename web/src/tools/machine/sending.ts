/** A machine file on its way to the server: one at a time, whether the tool is open or not. */

import { words } from "../../text/tools/machine";
import { fault, isTaken, LARGEST, readAnswer, SUFFIXES, type Answer } from "./answer";

/** How a file is sent; a test puts its own here. */
export type Carry = (file: File, told: (part: number) => void) => Promise<[number, string]>;

/** Where a file is. */
export type Progress =
  | { kind: "none" }
  | { kind: "sending"; name: string; part: number }
  | { kind: "checking"; name: string }
  | ({ kind: "answered"; name: string; kept: string } & Answer);

export class Sending {
  now: Progress = { kind: "none" };

  private listeners = new Set<() => void>();

  constructor(private readonly carry: Carry = carried) {}

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  get busy(): boolean {
    return this.now.kind === "sending" || this.now.kind === "checking";
  }

  /** Send the one file that was dropped or chosen; `present` is the machine that is driven. */
  async send(files: readonly File[], present: string): Promise<void> {
    const [file] = files;
    if (this.busy || !file) return;
    const refused = (why: string): void =>
      this.become({
        kind: "answered",
        name: file.name,
        kept: present,
        driven: false,
        faults: [fault(why)],
        notes: [],
      });
    if (files.length > 1) return refused(words.several(files.length));
    if (!isTaken(file.name)) return refused(words.otherKind(SUFFIXES.join(", ")));
    if (file.size > LARGEST) return refused(words.tooLarge(LARGEST / 2 ** 20));
    this.become({ kind: "sending", name: file.name, part: 0 });
    try {
      const [status, body] = await this.carry(file, (part) =>
        this.become(
          part < 1
            ? { kind: "sending", name: file.name, part }
            : { kind: "checking", name: file.name },
        ),
      );
      const answer = readAnswer(status, body);
      this.become({ kind: "answered", name: file.name, kept: present, ...answer });
    } catch {
      refused(words.lost);
    }
  }

  private become(now: Progress): void {
    this.now = now;
    for (const listener of this.listeners) listener();
  }
}

/** By XMLHttpRequest, which tells how much has gone. */
function carried(file: File, told: (part: number) => void): Promise<[number, string]> {
  return new Promise((done, failed) => {
    const request = new XMLHttpRequest();
    request.open("POST", `machine?name=${encodeURIComponent(file.name)}`);
    request.upload.onprogress = ({ loaded, total }) => told(total > 0 ? loaded / total : 0);
    request.upload.onload = () => told(1);
    request.onload = () => done([request.status, request.responseText]);
    request.onerror = request.onabort = () => failed(new Error("lost"));
    request.send(file);
  });
}

/** The page's only one: files may come from anywhere on it. */
export const sending = new Sending();
