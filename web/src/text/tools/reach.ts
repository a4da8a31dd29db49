/** Words of the tool that brings a link to a place. */

import { translated } from "../translated";

export const words = translated(
  {
    hint: "Drag the handle in the picture, or type a place. The machine follows as near as it can.",
    hintNoPicture: "Type a place. The machine follows as near as it can.",
    link: "Link",
    handle: "The handle",
    move: "Move",
    turn: "Turn",
    oriented: "Keep the axes",
    roll: "Roll",
    pitch: "Pitch",
    yaw: "Yaw",
    go: "Go there",
    noSeat: "Only who has the seat moves the machine.",
    there: "The link is there.",
    left: (millimetres: string, degrees: string) =>
      degrees === "0.0"
        ? `Out of reach: ${millimetres} mm are left.`
        : `Out of reach: ${millimetres} mm and ${degrees}° are left.`,
    giveUp: "Give up",
    limits: "At the end of their stroke",
    none: "none",
    iterations: "Steps of the solver",
  },
  {
    hint: "Ziehen Sie den Griff im Bild, oder geben Sie einen Ort ein. Die Maschine folgt, so nah sie kann.",
    hintNoPicture: "Geben Sie einen Ort ein. Die Maschine folgt, so nah sie kann.",
    link: "Glied",
    handle: "Der Griff",
    move: "Schieben",
    turn: "Drehen",
    oriented: "Achsen halten",
    roll: "Rollen",
    pitch: "Nicken",
    yaw: "Gieren",
    go: "Dorthin",
    noSeat: "Nur wer auf dem Fahrersitz ist, bewegt die Maschine.",
    there: "Das Glied ist dort.",
    left: (millimetres: string, degrees: string) =>
      degrees === "0.0"
        ? `Außer Reichweite: ${millimetres} mm fehlen.`
        : `Außer Reichweite: ${millimetres} mm und ${degrees}° fehlen.`,
    giveUp: "Aufgeben",
    limits: "Am Ende ihres Hubs",
    none: "keine",
    iterations: "Schritte des Lösers",
  },
);
