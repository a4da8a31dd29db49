/** Clicks on the picture: a press and a release at the same place, so that looking around is none. */

const STILL = 4; // [px] by which a hand may tremble

export class Clicks {
  private from: { id: number; x: number; y: number } | null = null;
  private readonly end = new AbortController();

  constructor(
    target: EventTarget,
    private readonly clicked: (event: PointerEvent) => void,
  ) {
    const heard = { signal: this.end.signal };
    target.addEventListener("pointerdown", (event) => this.down(event as PointerEvent), heard);
    target.addEventListener("pointermove", (event) => this.move(event as PointerEvent), heard);
    target.addEventListener("pointerup", (event) => this.up(event as PointerEvent), heard);
    target.addEventListener("pointercancel", () => (this.from = null), heard);
  }

  dispose(): void {
    this.end.abort();
  }

  private down({ pointerId, clientX, clientY, button }: PointerEvent): void {
    // a second finger, or another button, is no click
    this.from = this.from || button !== 0 ? null : { id: pointerId, x: clientX, y: clientY };
  }

  private move({ clientX, clientY }: PointerEvent): void {
    const { from } = this;
    if (from && Math.hypot(clientX - from.x, clientY - from.y) > STILL) this.from = null;
  }

  private up(event: PointerEvent): void {
    const { from } = this;
    this.from = null;
    if (from?.id === event.pointerId) this.clicked(event);
  }
}
