/** Words of the tool that drives a machine of a file, and gives the present one as a file. */

import { translated } from "../translated";

export const words = translated(
  {
    drop: "Drop a machine here",
    dropDetail: "MRDF, URDF, or a zip archive with the machine file, its 3DT file and its meshes",
    dropSeat: "Only the operator in the seat can drive another machine.",
    drive: "Drive your own",
    driveHint:
      "Drop a file anywhere on the page, or choose one: MRDF, URDF, or a zip archive with the machine file, its 3DT file and its meshes.",
    choose: "Choose a file …",
    several: (count: number) =>
      `${count} files were given, expected one. Put a machine and its parts into a zip archive.`,
    otherKind: (suffixes: string) => `This is no machine file: expected one of ${suffixes}.`,
    tooLarge: (mebibytes: number) => `The file is larger than ${mebibytes} MiB.`,
    lost: "The server did not answer. Try again.",
    sending: (name: string) => `Sending ${name} …`,
    checking: (name: string) => `Reading and checking ${name} …`,
    driven: (name: string) => `${name} is driven now.`,
    refused: (name: string, count: number) =>
      count === 1 ? `${name} has a problem.` : `${name} has ${count} problems.`,
    kept: (machine: string) => `Nothing has changed: ${machine} goes on.`,
    more: (count: number) => `… and ${count} more.`,
    wholeFile: "file",
    line: (line: number, column: number | null) =>
      column === null ? `line ${line}` : `line ${line}, column ${column}`,
    takeHome: (machine: string) => `Take ${machine} home`,
    /** By a format's name; the server's own words where there are none. */
    formHints: {} as Readonly<Record<string, string>>,
    making: "The file is being made …",
    made: (name: string) => `${name} was made.`,
    failed: "The file could not be made:",
    notes: "Worth knowing:",
  },
  {
    drop: "Maschine hier ablegen",
    dropDetail: "MRDF, URDF oder ein ZIP-Archiv mit Maschinendatei, 3DT-Datei und Netzen",
    dropSeat: "Nur wer auf dem Fahrersitz ist, kann eine andere Maschine fahren.",
    drive: "Eigene Maschine fahren",
    driveHint:
      "Legen Sie eine Datei irgendwo auf der Seite ab, oder wählen Sie eine: MRDF, URDF oder ein ZIP-Archiv mit Maschinendatei, 3DT-Datei und Netzen.",
    choose: "Datei wählen …",
    several: (count: number) =>
      `${count} Dateien wurden gegeben, erwartet wird eine. Packen Sie eine Maschine und ihre Teile in ein ZIP-Archiv.`,
    otherKind: (suffixes: string) =>
      `Das ist keine Maschinendatei: erwartet wird eine von ${suffixes}.`,
    tooLarge: (mebibytes: number) => `Die Datei ist größer als ${mebibytes} MiB.`,
    lost: "Der Server hat nicht geantwortet. Versuchen Sie es noch einmal.",
    sending: (name: string) => `${name} wird gesendet …`,
    checking: (name: string) => `${name} wird gelesen und geprüft …`,
    driven: (name: string) => `${name} wird jetzt gefahren.`,
    refused: (name: string, count: number) =>
      count === 1 ? `${name} hat einen Fehler.` : `${name} hat ${count} Fehler.`,
    kept: (machine: string) => `Nichts hat sich geändert: ${machine} fährt weiter.`,
    more: (count: number) => `… und ${count} weitere.`,
    wholeFile: "Datei",
    line: (line: number, column: number | null) =>
      column === null ? `Zeile ${line}` : `Zeile ${line}, Spalte ${column}`,
    takeHome: (machine: string) => `${machine} mitnehmen`,
    formHints: {
      zip: "alles, kann hier wieder abgelegt werden",
      mrdf: "nur die Maschinendatei",
      mjcf: "für MuJoCo, mit den Schleifen",
      urdf: "der Baum der Glieder; Schleifen sind aufgeschnitten",
      gltf: "nur das Aussehen, in Grundstellung",
      "3dt": "nur das Aussehen, Teil für Teil",
    },
    making: "Die Datei wird gemacht …",
    made: (name: string) => `${name} ist fertig.`,
    failed: "Die Datei konnte nicht gemacht werden:",
    notes: "Gut zu wissen:",
  },
);
