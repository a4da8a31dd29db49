/** A recording in the picture, with another one as a ghost beside it. */

import type { Frame } from "../../protocol/frame";
import { WIDTH } from "../../protocol/generated";
import type { Ghost } from "../../scene/ghost";
import type { Bench } from "../tool";
import * as api from "./api";
import { Film } from "./film";
import { Player } from "./player";
import { standingHere } from "./standing";

const GHOST = "#4aa3ff";
const SAME = 5e-4; // [m, 1] up to which a number of a pose counts as the same

/** Open a recording; raises an error in the server's words. */
export async function openFilm(name: string): Promise<Film> {
  const facts = await api.look(name);
  const fetch = (first: number, count: number): Promise<ArrayBuffer> =>
    api.frames(name, first, count);
  return new Film(facts, facts.fits ? await api.times(name) : new Float64Array(), fetch);
}

/**
 * Shows a film in the place of the live picture until it is closed.
 *
 * While this page has the seat, the live machine is kept paused: it must not move unseen.
 */
export class Screening {
  readonly player: Player;
  /** The film that is compared; `setOther` sets it. */
  other: Film | null = null;
  /** The moments that are shown now. */
  shown: Frame | null = null;
  beside: Frame | null = null;

  private ghost: Ghost | null = null;
  private request = 0;
  private last = 0;
  private exact = -1;
  private pausing = 0;

  constructor(
    readonly film: Film,
    private readonly bench: Bench,
    private readonly scene: number,
  ) {
    this.player = new Player(film.times);
    bench.store.set({ replay: film.facts.name });
    this.request = requestAnimationFrame(this.turn);
  }

  /** Compare with another film of the same machine, or with none. */
  setOther(film: Film | null): void {
    this.other = film;
    this.beside = null;
    this.ghost?.dispose();
    this.ghost = film ? (this.bench.view?.overlay.ghost(GHOST) ?? null) : null;
    if (this.ghost) this.ghost.visible = false;
  }

  /** The tick that is shown. */
  get index(): number {
    return this.film.index(this.player.time);
  }

  step(ticks: number): void {
    this.player.step(this.index, ticks);
  }

  /** Back to what happens now. */
  close(): void {
    cancelAnimationFrame(this.request);
    this.setOther(null);
    const { store } = this.bench;
    store.replayed = null;
    if (store.facts.replay !== "") store.set({ replay: "" });
  }

  private readonly turn = (now: number): void => {
    this.request = requestAnimationFrame(this.turn);
    const elapsed = this.last === 0 ? 0 : (now - this.last) / 1000;
    this.last = now;
    const waits = this.player.playing && this.shown === null;
    if (!waits) this.player.advance(elapsed);
    this.keepPaused(now);
    this.showNow();
    this.showBeside();
  };

  /** Nothing may move that nobody sees. */
  private keepPaused(now: number): void {
    const { store } = this.bench;
    const { status } = store.facts;
    if (!store.hasSeat || !status || status.paused || !status.alive || now < this.pausing) return;
    this.pausing = now + 500;
    store.send({ type: "pause", on: true });
  }

  private showNow(): void {
    const { player, film } = this;
    const { index } = this;
    if (!player.playing && index === this.exact && this.shown) return;
    const frame = player.playing ? film.between(player.time) : film.frame(index);
    if (!frame) return; // what was shown stays until it has come
    this.exact = player.playing ? -1 : index;
    const poses = this.here(frame.poses);
    this.shown = { ...frame, scene: this.scene, unit: this.unit, poses };
    if (!film.facts.bodies) this.shown.bodies = new Float32Array();
    if (poses !== frame.poses && apart(poses, frame.poses, this.root))
      this.shown.contacts = new Float32Array(); // they were elsewhere
    this.bench.store.replayed = this.shown;
  }

  /** Number of the unit that is driven. */
  private get unit(): number {
    return this.bench.store.frame?.unit ?? 0;
  }

  /** Position of the link that the machine stands on. */
  private get root(): number {
    const machine = this.bench.store.facts.scene?.machine;
    return machine ? machine.links.indexOf(machine.root) : 0;
  }

  /** Recorded poses where the machine stands that is driven; among its own bodies as they were. */
  private here(poses: Float32Array): Float32Array {
    const { frame, facts } = this.bench.store;
    if (!frame || !facts.scene || this.film.facts.bodies) return poses;
    return standingHere(poses, frame.poses, this.root);
  }

  private showBeside(): void {
    const { other, player, ghost } = this;
    if (!other) return;
    const frame = player.playing
      ? other.between(player.time)
      : other.frame(other.index(player.time));
    if (!frame) return;
    this.beside = frame;
    if (!ghost) return;
    const poses = this.here(frame.poses);
    ghost.visible = ghost.show(poses);
    const { shown } = this; // a ghost of what stands the same would only veil it
    ghost.group.children.forEach((link, i) => {
      link.visible = !shown || apart(shown.poses, poses, i);
    });
  }
}

/** Whether a link stands elsewhere in two frames. */
export function apart(here: Float32Array, there: Float32Array, link: number): boolean {
  for (let k = WIDTH.poses * link; k < WIDTH.poses * (link + 1); k++)
    if (Math.abs(here[k]! - there[k]!) > SAME) return true;
  return false;
}

/** Differences of lengths [m], cylinder by cylinder: this minus the other. */
export function differences(here: Frame, there: Frame): number[] {
  return Array.from(here.lengths, (length, i) => length - (there.lengths[i] ?? NaN));
}
