/** All plots that are shown, as one picture. */

export interface Part {
  title: string;
  legend: readonly { name: string; colour: string }[];
  canvas: HTMLCanvasElement;
}

const MARGIN = 12;
const LINE = 18;
const GROUND = "#15191c";
const INK = "#e8edf0";
const DIM = "#a3afb6";

/** A PNG with a title, and each plot under its own title and legend. */
export function pictureOf(heading: string, parts: readonly Part[]): Promise<Blob | null> {
  const scale = Math.max(1, devicePixelRatio);
  const width = Math.max(320, ...parts.map(({ canvas }) => canvas.width / scale)) + 2 * MARGIN;
  const sheet = document.createElement("canvas");
  const pen = sheet.getContext("2d");
  if (!pen) return Promise.resolve(null);
  pen.font = font(12);
  const rows = parts.map(({ legend }) => laidOut(pen, legend, width - 2 * MARGIN));
  const height = parts.reduce(
    (sum, { canvas }, i) => sum + LINE * (1.5 + rows[i]!.length) + canvas.height / scale + MARGIN,
    2 * MARGIN + LINE,
  );
  sheet.width = Math.round(width * scale);
  sheet.height = Math.round(height * scale);
  pen.scale(scale, scale);
  pen.fillStyle = GROUND;
  pen.fillRect(0, 0, width, height);
  pen.textBaseline = "middle";
  let y = MARGIN + LINE / 2;
  const write = (words: string, x: number, colour: string, size: number): void => {
    pen.font = font(size);
    pen.fillStyle = colour;
    pen.fillText(words, x, y);
  };
  write(heading, MARGIN, INK, 14);
  y += LINE + MARGIN / 2;
  parts.forEach(({ title, canvas }, i) => {
    write(title, MARGIN, DIM, 12);
    y += LINE;
    for (const row of rows[i]!) {
      for (const { name, colour, x } of row) {
        pen.fillStyle = colour;
        pen.fillRect(MARGIN + x, y - 1.5, 12, 3);
        write(name, MARGIN + x + 16, INK, 12);
      }
      y += LINE;
    }
    y -= LINE / 2;
    pen.drawImage(canvas, MARGIN, y, canvas.width / scale, canvas.height / scale);
    y += canvas.height / scale + LINE / 2 + MARGIN;
  });
  return new Promise((done) => sheet.toBlob(done, "image/png"));
}

const font = (size: number): string => `${size}px system-ui, sans-serif`;

/** Entries of a legend in rows that fit into a width. */
function laidOut(
  pen: CanvasRenderingContext2D,
  legend: Part["legend"],
  width: number,
): { name: string; colour: string; x: number }[][] {
  const rows: { name: string; colour: string; x: number }[][] = [[]];
  let x = 0;
  for (const { name, colour } of legend) {
    const wide = 16 + pen.measureText(name).width + 14;
    if (x > 0 && x + wide > width) {
      rows.push([]);
      x = 0;
    }
    rows.at(-1)!.push({ name, colour, x });
    x += wide;
  }
  return rows;
}
