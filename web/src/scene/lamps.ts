/** Roof lamps and beams: what glows. The light that surfaces get is in `materials` and `lights`. */

import {
  AdditiveBlending,
  BoxGeometry,
  Color,
  CylinderGeometry,
  DoubleSide,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  PlaneGeometry,
  ShaderMaterial,
  Vector3,
} from "three";
import type { BufferGeometry, Texture } from "three";

import { Parts, type Paint } from "./geometry";
import type { LampRow } from "./materials";
import { height, roofAt, type Room } from "./tunnel/section";

const SPACING = 6;
const WARM = new Color(1, 0.78, 0.5);
const HOUSING: Paint = [0.1, 0.1, 0.1];

/** Places of the lamps in the room's own axes [m]: the foremost, and how many there are. */
export interface Lamps {
  first: number;
  spacing: number;
  count: number;
  y: number;
  z: number;
}

export function lampPlaces(room: Room): Lamps {
  const first = -4.4;
  const y = -0.16 * room.half;
  return {
    first,
    spacing: SPACING,
    count: Math.floor((room.length - 14) / SPACING),
    y,
    z: roofAt(room, y) - 0.42,
  };
}

/** Tell the materials where the lamps are; `origin` is the room's place in the world. */
export function lightRow(row: LampRow, lamps: Lamps, origin: Vector3, strength: number): void {
  const back = lamps.first - (lamps.count - 1) * lamps.spacing;
  row.turn.value = 0;
  row.place.value.set(back + origin.x, lamps.spacing, lamps.y + origin.y, lamps.z + origin.z - 0.1);
  row.strength.value.set(lamps.count, strength);
}

/** Housings and their brackets under the roof. */
export function addHousings(parts: Parts, room: Room, lamps: Lamps): void {
  for (let i = 0; i < lamps.count; i++) {
    const x = lamps.first - i * lamps.spacing;
    const at = (dz: number): Matrix4 => new Matrix4().makeTranslation(x, lamps.y, lamps.z + dz);
    parts.add(new BoxGeometry(0.78, 0.17, 0.05), HOUSING, at(0.075));
    for (const end of [-0.36, 0.36]) {
      const cap = new Matrix4().makeTranslation(x + end, lamps.y, lamps.z);
      parts.add(new BoxGeometry(0.05, 0.13, 0.13), HOUSING, cap);
      const rod = new Matrix4().makeTranslation(x + end, lamps.y, lamps.z + 0.32);
      parts.add(new BoxGeometry(0.012, 0.012, 0.5), HOUSING, rod);
    }
  }
  parts.add(
    new BoxGeometry(room.length - 6, 0.02, 0.02),
    HOUSING,
    new Matrix4().makeTranslation(
      -3 - 0.5 * (room.length - 6),
      lamps.y,
      roofAt(room, lamps.y) - 0.14,
    ),
  );
}

/** The glowing glasses. */
export function glasses(lamps: Lamps): InstancedMesh {
  const material = new MeshBasicMaterial({ color: new Color(9, 6.6, 3.9), fog: false });
  return row(new CylinderGeometry(0.05, 0.05, 0.68, 10).rotateZ(Math.PI / 2), material, lamps, 0);
}

/** Shafts of light in the dusty air below the lamps. */
export function shafts(room: Room, lamps: Lamps): InstancedMesh {
  const tall = Math.min(lamps.z, height(room)) - 0.1;
  const cone = new CylinderGeometry(0.2, 1.7, tall, 28, 1, true);
  cone.rotateX(Math.PI / 2);
  cone.translate(0, 0, -0.5 * tall);
  return row(cone, beamMaterial(0.085), lamps, 0);
}

/** Round glows that always face the eye; `sizes` in metres. */
export function halos(lamps: Lamps, spot: Texture): InstancedMesh {
  return row(new PlaneGeometry(4.2, 4.2), haloMaterial(spot, WARM, 0.55), lamps, -0.05);
}

function row(
  geometry: BufferGeometry,
  material: MeshBasicMaterial | ShaderMaterial,
  lamps: Lamps,
  dz: number,
): InstancedMesh {
  const mesh = new InstancedMesh(geometry, material, lamps.count);
  const matrix = new Matrix4();
  for (let i = 0; i < lamps.count; i++) {
    matrix.makeTranslation(lamps.first - i * lamps.spacing, lamps.y, lamps.z + dz);
    mesh.setMatrixAt(i, matrix);
  }
  return mesh;
}

/** Lamps on the machine: places and direction in the parent's axes; each stands 0.1 m above a roof. */
export function headLamps(places: Vector3[], along: Vector3, spot: Texture): Mesh[] {
  const cone = (): CylinderGeometry => {
    const geometry = new CylinderGeometry(0.06, 1.5, 6, 24, 1, true);
    geometry.rotateX(Math.PI / 2);
    geometry.translate(0, 0, -3);
    return geometry;
  };
  const count = places.length;
  const beams = new InstancedMesh(cone(), beamMaterial(0.1), count);
  const glows = new InstancedMesh(
    new PlaneGeometry(0.9, 0.9),
    haloMaterial(spot, new Color(1, 0.95, 0.85), 0.75),
    count,
  );
  const bodies = new InstancedMesh(
    headLampBody(),
    new MeshStandardMaterial({ vertexColors: true, roughness: 0.5 }),
    count,
  );
  const lens = new CylinderGeometry(0.07, 0.07, 0.02, 28);
  lens.rotateX(Math.PI / 2);
  const lenses = new InstancedMesh(
    lens,
    new MeshBasicMaterial({ color: new Color(7, 6.6, 5.8) }),
    count,
  );
  const turn = new Matrix4().lookAt(along, new Vector3(), new Vector3(0, 0, 1));
  const down = new Matrix4().makeRotationX(Math.PI).premultiply(turn);
  places.forEach((place, i) => {
    beams.setMatrixAt(i, down.clone().setPosition(place));
    lenses.setMatrixAt(i, down.clone().setPosition(place));
    bodies.setMatrixAt(i, down.clone().setPosition(place));
    glows.setMatrixAt(i, new Matrix4().makeTranslation(place.x, place.y, place.z));
  });
  return [beams, glows, lenses, bodies];
}

/** Housing behind a lens at the origin that shines along -z, and its foot along +y. */
function headLampBody(): BufferGeometry {
  const parts = new Parts();
  const turned = new Matrix4().makeRotationX(Math.PI / 2);
  const shell = turned.clone().setPosition(0, 0, 0.069);
  parts.add(new CylinderGeometry(0.05, 0.084, 0.13, 28), HOUSING, shell);
  parts.add(new CylinderGeometry(0.03, 0.05, 0.025, 28), HOUSING, turned.setPosition(0, 0, 0.146));
  parts.add(new BoxGeometry(0.05, 0.06, 0.05), HOUSING, new Matrix4().setPosition(0, 0.09, 0.07));
  return parts.build();
}

/** Light scattered in a cone: brightest at its narrow end, soft at its outline. */
function beamMaterial(strength: number): ShaderMaterial {
  return new ShaderMaterial({
    uniforms: { strength: { value: strength }, tint: { value: WARM } },
    vertexShader: /* glsl */ `
      varying vec2 vUv;
      varying vec3 vNormalView;
      varying vec3 vToEye;
      void main() {
        vUv = uv;
        vec4 p = modelViewMatrix * instanceMatrix * vec4(position, 1.0);
        vNormalView = normalMatrix * mat3(instanceMatrix) * normal;
        vToEye = -p.xyz;
        gl_Position = projectionMatrix * p;
      }`,
    fragmentShader: /* glsl */ `
      uniform float strength;
      uniform vec3 tint;
      varying vec2 vUv;
      varying vec3 vNormalView;
      varying vec3 vToEye;
      void main() {
        float across = abs(dot(normalize(vNormalView), normalize(vToEye)));
        float far = exp(-0.0016 * dot(vToEye, vToEye));
        float near = smoothstep(0.3, 2.5, length(vToEye));
        float shine = strength * pow(vUv.y, 1.6) * across * across * far * near;
        gl_FragColor = vec4(tint * shine, 1.0);
      }`,
    blending: AdditiveBlending,
    transparent: true,
    depthWrite: false,
    side: DoubleSide,
    toneMapped: false,
  });
}

function haloMaterial(spot: Texture, tint: Color, strength: number): ShaderMaterial {
  const material = new ShaderMaterial({
    uniforms: { spot: { value: spot }, tint: { value: tint }, strength: { value: strength } },
    vertexShader: /* glsl */ `
      varying vec2 vUv;
      varying float vAway;
      void main() {
        vUv = uv;
        vec4 p = modelViewMatrix * instanceMatrix * vec4(0.0, 0.0, 0.0, 1.0);
        vAway = length(p.xyz);
        p.xy += position.xy;
        gl_Position = projectionMatrix * p;
      }`,
    fragmentShader: /* glsl */ `
      uniform sampler2D spot;
      uniform vec3 tint;
      uniform float strength;
      varying vec2 vUv;
      varying float vAway;
      void main() {
        float shine = texture2D(spot, vUv).a * strength * exp(-0.0009 * vAway * vAway);
        gl_FragColor = vec4(tint * shine, 1.0);
      }`,
    blending: AdditiveBlending,
    transparent: true,
    depthWrite: false,
    toneMapped: false,
  });
  return material;
}
