/** Signs of the tools, 24 by 24. */

import { svg } from "lit";

export const reach = svg`<path d="M11 2h2v7h-2zM11 15h2v7h-2zM2 11h7v2H2zM15 11h7v2h-7zM12 10a2 2 0 1 0 0 4 2 2 0 0 0 0-4z"/>`;
