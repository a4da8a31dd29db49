/** Drawn signs: for buttons, and for machines whose picture does not load. */

import { svg, type SVGTemplateResult } from "lit";
import { own } from "../state/own";

export const pauseIcon = svg`<path d="M6 4h4v16H6zM14 4h4v16h-4z"/>`;
export const playIcon = svg`<path d="M7 4l13 8-13 8z"/>`;
export const stepIcon = svg`<path d="M5 4l10 8-10 8zM16 4h4v16h-4z"/>`;
export const restartIcon = svg`<path d="M12 5V1L6 6l6 5V7.5a5.5 5.5 0 1 1-5.5 5.5H4a8 8 0 1 0 8-8z"/>`;
export const stopIcon = svg`<path d="M5 5h14v14H5z"/>`;
export const forwardIcon = svg`<path d="M12 4a8 8 0 0 1 7.7 5.8L22 9l-2 6-5-4 2.2-.6A5.5 5.5 0 1 0 17 15l2.2 1.2A8 8 0 1 1 12 4z"/>`;
export const reverseIcon = svg`<path d="M12 4a8 8 0 0 0-7.7 5.8L2 9l2 6 5-4-2.2-.6A5.5 5.5 0 1 1 7 15l-2.2 1.2A8 8 0 1 0 12 4z"/>`;
/** For what slides. */
export const outIcon = svg`<path d="M3 10h10V5l9 7-9 7v-5H3z"/>`;
export const backIcon = svg`<path d="M21 10H11V5l-9 7 9 7v-5h10z"/>`;
export const upIcon = svg`<path d="M12 5l9 13H3z"/>`;
export const downIcon = svg`<path d="M12 19L3 6h18z"/>`;
export const menuIcon = svg`<path d="M3 5h18v3H3zM3 10.5h18v3H3zM3 16h18v3H3z"/>`;
export const moreIcon = svg`<path d="M5 8h14l-7 9z"/>`;
export const lessIcon = svg`<path d="M5 16h14l-7-9z"/>`;
export const plusIcon = svg`<path d="M10.5 4h3v6.5H20v3h-6.5V20h-3v-6.5H4v-3h6.5z"/>`;
export const minusIcon = svg`<path d="M4 10.5h16v3H4z"/>`;
export const invertIcon = svg`<path d="M8 3l5 6H9.5v12h-3V9H3zM16 21l-5-6h3.500V3h3v12H21z"/>`;
export const previousIcon = svg`<path d="M16 4v16L7 12z"/>`;
export const nextIcon = svg`<path d="M8 4v16l9-8z"/>`;
export const closeIcon = svg`<path d="M5 7l2-2 5 5 5-5 2 2-5 5 5 5-2 2-5-5-5 5-2-2 5-5z"/>`;

const MACHINES: Readonly<Record<string, SVGTemplateResult>> = {
  roadheader: svg`<path d="M14 62h58l6 8-6 8H20l-8-8zM22 40h34v20H22zM30 28h14v12H30z"/>
    <path d="M54 48l44-18 4 8-44 20z"/><circle cx="108" cy="31" r="11" class="ring"/>`,
  loader: svg`<path d="M10 44h40v18H10zM54 38h14l10 14v10H54zM16 30h22v14H16z"/>
    <path d="M74 54l24-14 4 6-24 16zM98 34l16 22-18 4z"/>
    <circle cx="26" cy="68" r="10" class="ring"/><circle cx="66" cy="68" r="10" class="ring"/>`,
  jumbo: svg`<path d="M8 46h44v18H8zM14 30h24v16H14z"/><path d="M50 50l26-20 4 5-26 21z"/>
    <path d="M62 22h54v6H62z"/><circle cx="20" cy="70" r="9" class="ring"/>
    <circle cx="44" cy="70" r="9" class="ring"/>`,
  shearer: svg`<path d="M34 46h52v20H34z"/><path d="M36 52L16 38l4-6 20 14zM84 52l20-14-4-6-20 14z"/>
    <circle cx="16" cy="34" r="13" class="ring"/><circle cx="104" cy="34" r="13" class="ring"/>
    <path d="M4 72h112v4H4z"/>`,
  support: svg`<path d="M18 20h92v8H18zM20 74h76v8H20z"/><path d="M50 72l6-44h9l-6 44zM72 72l8-44h9l-8 44z"/>
    <path d="M24 74L18 44l14-18 6 4-11 16 5 26z"/>`,
  door: svg`<path d="M22 14h76v6H28v62h-6zM92 20h6v62h-6z"/><path d="M34 24l24 8v50l-24-6z"/>
    <path d="M86 24l-24 8v50l24-6z"/>`,
};
const OTHER = svg`<circle cx="24" cy="66" r="8" class="ring"/><circle cx="56" cy="28" r="8" class="ring"/>
  <circle cx="98" cy="50" r="8" class="ring"/><path d="M28 58l20-25 5 4-20 25zM63 30l28 14-3 6-28-14z"/>`;

/** A sign for a class of machines. */
export function machineSign(kind: string): SVGTemplateResult {
  return own(MACHINES, kind) ?? OTHER;
}
