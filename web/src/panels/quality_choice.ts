/** The quality that a person chose, kept by the browser. */

import { text } from "../text";

export const QUALITIES = ["auto", "low", "medium", "high"] as const;
type Choice = (typeof QUALITIES)[number];

const KEY = "headframe.quality";

/** What was chosen the last time; null if nothing was, or if the browser keeps nothing. */
export function rememberedQuality(): Choice | null {
  try {
    const kept = localStorage.getItem(KEY);
    return QUALITIES.find((name) => name === kept) ?? null;
  } catch {
    return null;
  }
}

export function rememberQuality(choice: string): void {
  try {
    localStorage.setItem(KEY, choice);
  } catch {
    // a browser that keeps nothing asks again the next time
  }
}

/** The level that a picture has now, in words. */
export function qualityWords(view: { readonly quality: string } | null): string {
  const level = QUALITIES.find((name) => name === view?.quality && name !== "auto");
  return level ? text.qualities[level] : "";
}
