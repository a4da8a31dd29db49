/** Clicks on the picture, told from drags that turn the camera. */

const FARTHEST = 5; // [px] that a hand may tremble
const LONGEST = 500; // [ms]

/** Call `clicked` when the picture's canvas below `host` is clicked; gives back what ends it. */
export function clicks(host: HTMLElement, clicked: (event: PointerEvent) => void): () => void {
  let at: { x: number; y: number; time: number } | null = null;
  const down = (event: PointerEvent): void => {
    const canvas = event.target instanceof HTMLCanvasElement && event.button === 0;
    at = canvas ? { x: event.clientX, y: event.clientY, time: event.timeStamp } : null;
  };
  const up = (event: PointerEvent): void => {
    if (!at || !(event.target instanceof HTMLCanvasElement)) return;
    const far = Math.hypot(event.clientX - at.x, event.clientY - at.y);
    if (far <= FARTHEST && event.timeStamp - at.time <= LONGEST) clicked(event);
    at = null;
  };
  host.addEventListener("pointerdown", down);
  host.addEventListener("pointerup", up);
  return () => {
    host.removeEventListener("pointerdown", down);
    host.removeEventListener("pointerup", up);
  };
}
