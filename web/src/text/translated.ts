/** Words of a part that is loaded by itself, in the reader's language. */

import { language } from ".";

/** The words in the page's language; both have the same keys, or the compiler complains. */
export function translated<Words>(en: Words, de: NoInfer<Words>): Words {
  return language === "de" ? de : en;
}
