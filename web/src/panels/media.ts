/** Which windows get which layout; the same words in every part's styles. */

import { unsafeCSS } from "lit";

/** A telephone or a small tablet upright: picture above, levers below, the stop at the foot. */
export const UPRIGHT = "(max-width: 900px) and (max-aspect-ratio: 5/4)";
/** A telephone lying: picture left, levers right. */
export const LYING = "(max-height: 520px) and (min-aspect-ratio: 5/4)";
/** A panel in the hand. */
export const HAND = `${UPRIGHT}, ${LYING}`;
/** Too narrow for all that the bar has: what does not fit is in a menu. */
export const NARROW = `(max-width: 1180px), ${LYING}`;
/** Fingers need more room than a mouse. */
export const FINGERS = `${HAND}, (pointer: coarse)`;

/** The same for styles. */
export const media = {
  upright: unsafeCSS(UPRIGHT),
  lying: unsafeCSS(LYING),
  hand: unsafeCSS(HAND),
  fingers: unsafeCSS(FINGERS),
};

/** Tell now and with each change whether windows of this kind are meant; gives back what ends it. */
export function whether(kind: string, tell: (fits: boolean) => void): () => void {
  const list = window.matchMedia(kind);
  const told = (): void => tell(list.matches);
  list.addEventListener("change", told);
  told();
  return () => list.removeEventListener("change", told);
}
