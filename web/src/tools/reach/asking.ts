/** Questions to the server, one at a time: while one is answered, only the newest waits. */

import type { Reach, Reached } from "../../protocol/generated";

export type Question = Omit<Reach, "type" | "number">;

export class Asking {
  private number = 0;
  private waiting: Question | null = null;
  private asked: Question | null = null;

  constructor(
    private readonly send: (message: Reach) => void,
    private readonly answered: (question: Question, answer: Reached) => void,
  ) {}

  ask(question: Question): void {
    if (this.asked) this.waiting = question;
    else this.put(question);
  }

  /** An answer; of another question than the last one it changes nothing. */
  take(answer: Reached): void {
    const { asked } = this;
    if (!asked || answer.number !== this.number) return;
    this.next();
    this.answered(asked, answer);
  }

  /** The question was refused, or nobody answers any more: the one that waits may go. */
  next(): void {
    const { waiting } = this;
    this.asked = this.waiting = null;
    if (waiting) this.put(waiting);
  }

  private put(question: Question): void {
    this.asked = question;
    this.number += 1;
    this.send({ type: "reach", number: this.number, ...question });
  }
}
