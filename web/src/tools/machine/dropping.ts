/** Files that are dragged over the page, and dropped anywhere on it. */

/** Whether something that is dragged has files in it. */
const hasFiles = (event: DragEvent): boolean =>
  event.dataTransfer?.types.includes("Files") ?? false;

/**
 * Watch a window for files.
 *
 * `over` is told whether files are held over the page, `dropped` what was dropped. Without this a
 * browser would leave the page for the file. Gives back what ends it.
 */
export function watchDrops(
  target: Window,
  over: (on: boolean) => void,
  dropped: (files: File[]) => void,
): () => void {
  let depth = 0; // elements that were entered and not left yet
  const enter = (event: DragEvent): void => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    depth += 1;
    if (depth === 1) over(true);
  };
  const hold = (event: DragEvent): void => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = "copy";
  };
  const leave = (event: DragEvent): void => {
    if (!hasFiles(event) || depth === 0) return;
    depth -= 1;
    if (depth === 0) over(false);
  };
  const drop = (event: DragEvent): void => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    depth = 0;
    over(false);
    dropped([...(event.dataTransfer?.files ?? [])]);
  };
  target.addEventListener("dragenter", enter);
  target.addEventListener("dragover", hold);
  target.addEventListener("dragleave", leave);
  target.addEventListener("drop", drop);
  return () => {
    target.removeEventListener("dragenter", enter);
    target.removeEventListener("dragover", hold);
    target.removeEventListener("dragleave", leave);
    target.removeEventListener("drop", drop);
  };
}
