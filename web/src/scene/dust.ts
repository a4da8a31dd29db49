/** Motes in the air, dust of cutting, and the darker border of the picture. */

import {
  AdditiveBlending,
  BufferAttribute,
  BufferGeometry,
  CustomBlending,
  Mesh,
  PlaneGeometry,
  Points,
  ShaderMaterial,
  SrcColorFactor,
  Vector3,
  ZeroFactor,
} from "three";
import type { Box3, Texture } from "three";

import { random } from "./noise";

/** Motes that drift slowly inside `box`. */
export class Dust {
  readonly points: Points;
  private readonly time = { value: 0 };
  private readonly scale = { value: 500 };

  constructor(box: Box3, count: number, spot: Texture) {
    const next = random(7);
    const places = new Float32Array(3 * count);
    const seeds = new Float32Array(count);
    for (let i = 0; i < count; i++) {
      places[3 * i] = box.min.x + (box.max.x - box.min.x) * next();
      places[3 * i + 1] = box.min.y + (box.max.y - box.min.y) * next();
      places[3 * i + 2] = box.min.z + (box.max.z - box.min.z) * next();
      seeds[i] = next();
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(places, 3));
    geometry.setAttribute("seed", new BufferAttribute(seeds, 1));
    const material = new ShaderMaterial({
      uniforms: { time: this.time, scale: this.scale, spot: { value: spot } },
      vertexShader: /* glsl */ `
        attribute float seed;
        uniform float time;
        uniform float scale;
        varying float vShine;
        void main() {
          float t = 0.12 * time + 40.0 * seed;
          vec3 p = position + 0.35 * vec3(sin(t + 9.0 * seed), cos(0.8 * t), sin(0.6 * t + 3.0));
          vec4 view = modelViewMatrix * vec4(p, 1.0);
          float away = max(0.05, -view.z);
          gl_Position = projectionMatrix * view;
          gl_PointSize = clamp((0.006 + 0.014 * seed * seed) * scale / away, 1.0, 14.0);
          vShine = 0.22 * smoothstep(0.6, 2.0, away) * exp(-0.02 * away * away) * (0.3 + seed);
        }`,
      fragmentShader: /* glsl */ `
        uniform sampler2D spot;
        varying float vShine;
        void main() {
          float shine = vShine * texture2D(spot, gl_PointCoord).a;
          gl_FragColor = vec4(vec3(1.0, 0.87, 0.68) * shine, 1.0);
        }`,
      blending: AdditiveBlending,
      transparent: true,
      depthWrite: false,
      toneMapped: false,
    });
    this.points = new Points(geometry, material);
    this.points.frustumCulled = false;
  }

  /** Time [s] and height of the picture [pixels]. */
  move(time: number, pixels: number): void {
    this.time.value = time;
    this.scale.value = pixels;
  }
}

/** Dust that rises where a drum cuts; moves with the simulation's time. */
export class Spray {
  readonly points: Points;
  /** How much there is, from 0 to 1. */
  strength = 0;
  private readonly time = { value: 0 };
  private readonly scale = { value: 500 };
  private readonly amount = { value: 0 };
  private readonly center = { value: new Vector3() };

  constructor(count: number, spot: Texture) {
    const next = random(19);
    const ways = new Float32Array(3 * count);
    const seeds = new Float32Array(count);
    for (let i = 0; i < count; i++) {
      ways[3 * i] = 2 * next() - 1;
      ways[3 * i + 1] = 2 * next() - 1;
      ways[3 * i + 2] = 2 * next() - 1;
      seeds[i] = next();
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(ways, 3));
    geometry.setAttribute("seed", new BufferAttribute(seeds, 1));
    const material = new ShaderMaterial({
      uniforms: {
        time: this.time,
        scale: this.scale,
        amount: this.amount,
        center: this.center,
        spot: { value: spot },
      },
      vertexShader: /* glsl */ `
        attribute float seed;
        uniform float time;
        uniform float scale;
        uniform vec3 center;
        varying float vLife;
        void main() {
          vLife = fract(seed + time * (0.16 + 0.2 * fract(7.3 * seed)));
          vec3 way = normalize(position) * (0.45 + 1.5 * vLife);
          vec3 p = center + way * vec3(0.7, 1.1, 0.6) + vec3(-0.7, 0.0, 0.35) * vLife;
          vec4 view = viewMatrix * vec4(p, 1.0);
          float away = max(0.4, -view.z);
          gl_Position = projectionMatrix * view;
          gl_PointSize = min(300.0, (0.35 + 1.0 * vLife) * scale / away);
        }`,
      fragmentShader: /* glsl */ `
        uniform sampler2D spot;
        uniform float amount;
        varying float vLife;
        void main() {
          float thick = texture2D(spot, gl_PointCoord).a * vLife * (1.0 - vLife) * amount;
          gl_FragColor = vec4(0.54, 0.475, 0.39, min(0.85, 2.6 * thick));
        }`,
      transparent: true,
      depthWrite: false,
      toneMapped: false,
    });
    this.points = new Points(geometry, material);
    this.points.frustumCulled = false;
    this.points.visible = false;
  }

  /** Place (world), time [s] of the simulation, and height of the picture [pixels]. */
  move(place: Vector3, time: number, pixels: number): void {
    this.points.visible = this.strength > 0.01;
    this.amount.value = this.strength;
    this.center.value.copy(place);
    this.time.value = time % 1000;
    this.scale.value = pixels;
  }
}

/** A sheet over the whole picture that darkens its corners. */
export function vignette(): Mesh {
  const material = new ShaderMaterial({
    vertexShader: /* glsl */ `
      varying vec2 vAt;
      void main() {
        vAt = position.xy;
        gl_Position = vec4(position.xy, 0.0, 1.0);
      }`,
    fragmentShader: /* glsl */ `
      varying vec2 vAt;
      void main() {
        float r = dot(vAt, vAt);
        gl_FragColor = vec4(vec3(1.0 - 0.3 * smoothstep(0.45, 2.0, r)), 1.0);
      }`,
    blending: CustomBlending,
    blendSrc: ZeroFactor,
    blendDst: SrcColorFactor,
    transparent: true,
    depthTest: false,
    depthWrite: false,
    toneMapped: false,
  });
  const mesh = new Mesh(new PlaneGeometry(2, 2), material);
  mesh.frustumCulled = false;
  mesh.renderOrder = 1000;
  return mesh;
}
