/** What is around the machines: an interface, so that scenes of all kinds are drawn alike. */

import type { Group, Object3D, Texture, Vector3 } from "three";

import type { SceneInfo } from "../protocol/generated";
import type { LampRow } from "./materials";
import type { Shape } from "./seat";
import type { RockTextures } from "./textures";
import type { Room } from "./tunnel/section";

/** What surroundings are made with; textures and the row of lamps are the caller's. */
export interface Made {
  lamps: LampRow;
  rock: RockTextures;
  muck: RockTextures;
  reflections: Texture | null;
}

/** Air and light of a place. */
export interface Air {
  /** Colour of what is far away, and how fast it takes over [1/m]. */
  haze: number;
  density: number;
  /** The same in mirrors, which show what is far behind. */
  mirrored: number;
  /** Exposure of the picture, and of one from above. */
  exposure: number;
  above: number;
  /** Light from all around. */
  sky: { above: number; below: number; strength: number };
  /** Strength of the lamp above the machine, or of the sun. */
  sun: number;
  /** Part of their strength that the machine's own lamps have. */
  lamps: number;
}

/** Where cameras stand at first: angles [rad], metres from the machine's middle. */
export interface Outlook {
  azimuth: number;
  elevation: number;
  /** Null: so far that the whole machine is in the picture. */
  distance: number | null;
  chaseEye: [number, number, number];
  chaseAim: [number, number, number];
}

/** Everything around the machines. */
export interface Surroundings {
  readonly group: Group;
  /** What can be pointed at. */
  readonly walls: readonly Object3D[];
  /** Where cameras may be; a flat roof has no rise. */
  readonly room: Room;
  /** The profile of a roadway that is driven here; null where none is. */
  readonly roadway: Room | null;
  /** Place of the room's own axes in the upright world: in a tunnel the middle of the face's foot. */
  readonly origin: Vector3;
  /** A round spot that fades, for whatever glows. */
  readonly spot: Texture;
  readonly air: Air;
  /** Null where the cameras find their places by the machine alone. */
  readonly outlook: Outlook | null;
  /** Before each picture: time [s] and the picture's height [pixels]. */
  move(time: number, pixels: number): void;
  /** Leave out what hangs above, for a view from above. */
  showOverhead(on: boolean): void;
  /** Leave out small things, in the small pictures of mirrors. */
  showSmall(on: boolean): void;
  showExtras(on: boolean): void;
  /** What wet ground reflects; null for nothing. */
  reflect(map: Texture | null): void;
  /** Free the graphics card's copies of its own textures; drawing takes them anew. */
  releaseTextures(): void;
  dispose(): void;
}

export const TUNNEL_AIR: Air = {
  haze: 0x161410,
  density: 0.035,
  mirrored: 0.02,
  exposure: 1.2,
  above: 1.5,
  sky: { above: 0xffe2c0, below: 0x3a3530, strength: 0.42 },
  sun: 1.7,
  lamps: 1,
};

/** The surroundings of a scene, around a driven machine of this shape; builders come when needed. */
export async function surroundingsOf(
  scene: SceneInfo,
): Promise<(shape: Shape, made: Made) => Surroundings> {
  const { surroundings: measures } = scene;
  switch (scene.environment) {
    case "longwall": {
      const { Longwall } = await import("./longwall/build");
      const row = scene.stands.reduce((most, { units }) => Math.max(most, units.length), 1);
      return (shape, made) => new Longwall(shape, made, measures, row);
    }
    case "yard": {
      const { Yard } = await import("./yard/build");
      return (shape, made) => new Yard(shape, made, measures);
    }
    default: {
      const { Tunnel } = await import("./tunnel/build");
      return (shape, made) => new Tunnel(shape, made);
    }
  }
}
