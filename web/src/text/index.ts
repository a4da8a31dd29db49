/** The words of the page in the reader's language. */

import { de } from "./de";
import { en, type Text } from "./en";

export type { Text } from "./en";

export const LANGUAGES: Readonly<Record<string, Text>> = { en, de };

/** The language of `?lang=`, else the first of the browser's that there is, else English. */
export function chooseLanguage(search: string, wanted: readonly string[]): string {
  const asked = new URLSearchParams(search).get("lang");
  const short = [asked ?? "", ...wanted].map((tag) => tag.toLowerCase().split("-")[0] ?? "");
  return short.find((tag) => Object.hasOwn(LANGUAGES, tag)) ?? "en";
}

/** The language of this page. */
export const language =
  typeof location === "undefined"
    ? "en"
    : chooseLanguage(location.search, navigator.languages ?? [navigator.language]);

export const text: Text = LANGUAGES[language] ?? en;
