/** Give a person a file to keep. */

/** Let the browser save something under a name. */
export function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000); // a slow disk may still read it
}

/** A part of a file's name, without what file systems stumble over. */
export function fileStem(name: string): string {
  return name.replace(/[^\p{L}\p{N}_.-]+/gu, "_").slice(0, 80) || "headframe";
}
