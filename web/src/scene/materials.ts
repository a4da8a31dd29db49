/** Materials: standard ones, which also see the row of roof lamps, dust and wetness. */

import { Color, MeshStandardMaterial, Vector2, Vector4 } from "three";
import type {
  MeshStandardMaterialParameters,
  Texture,
  WebGLProgramParametersWithUniforms,
} from "three";

/** The row of equal lamps under the roof, as shaders see it; shared by all materials. */
export interface LampRow {
  /** x of the first lamp [m], distance between lamps [m], y, z; world. */
  place: { value: Vector4 };
  /** Number of lamps; irradiance at one metre. */
  strength: { value: Vector2 };
  tint: { value: Color };
  /** 1 where the row goes along y: then places are y, distance, x, z. */
  turn: { value: number };
}

export function lampRow(): LampRow {
  return {
    place: { value: new Vector4(0, 6, 0, 4) },
    strength: { value: new Vector2(0, 0) },
    tint: { value: new Color(1, 0.8, 0.55) },
    turn: { value: 0 },
  };
}

const LAMPS_VERTEX = /* glsl */ `
uniform vec4 lampPlace;
uniform vec2 lampStrength;
uniform float lampTurn;
varying vec3 vLamp;
varying vec3 vPlace;
vec3 lampsAt(vec3 place) {
  vec3 p = lampTurn > 0.5 ? place.yxz : place;
  vec3 sum = vec3(0.0);
  float nearest = floor((p.x - lampPlace.x) / lampPlace.y + 0.5);
  for (int i = -1; i <= 1; i++) {
    float n = nearest + float(i);
    if (n < 0.0 || n > lampStrength.x - 1.0) continue;
    vec3 d = vec3(lampPlace.x + n * lampPlace.y, lampPlace.zw) - p;
    float r2 = dot(d, d) + 0.9;
    sum += d * inversesqrt(r2) / r2;
  }
  return (lampTurn > 0.5 ? sum.yxz : sum) * lampStrength.y;
}
`;

const LAMPS_PLACE = /* glsl */ `
vec4 lampPoint = vec4(transformed, 1.0);
#ifdef USE_INSTANCING
  lampPoint = instanceMatrix * lampPoint;
#endif
lampPoint = modelMatrix * lampPoint;
vPlace = lampPoint.xyz;
vLamp = mat3(viewMatrix) * lampsAt(lampPoint.xyz);
`;

const LAMPS_LIGHT = /* glsl */ `
irradiance += lampTint * (max(dot(normal, vLamp), 0.0) + 0.12 * length(vLamp));
`;

/** Let a material see the lamps, after `more` has made its own changes to the shader. */
function seeLamps(
  material: MeshStandardMaterial,
  lamps: LampRow,
  key: string,
  more?: (shader: WebGLProgramParametersWithUniforms) => void,
): void {
  material.onBeforeCompile = (shader) => {
    shader.uniforms.lampPlace = lamps.place;
    shader.uniforms.lampStrength = lamps.strength;
    shader.uniforms.lampTint = lamps.tint;
    shader.uniforms.lampTurn = lamps.turn;
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", `#include <common>\n${LAMPS_VERTEX}`)
      .replace("#include <project_vertex>", `#include <project_vertex>\n${LAMPS_PLACE}`);
    shader.fragmentShader = shader.fragmentShader
      .replace(
        "#include <common>",
        "#include <common>\nuniform vec3 lampTint;\nvarying vec3 vLamp;\nvarying vec3 vPlace;",
      )
      .replace(
        "#include <lights_fragment_maps>",
        `#include <lights_fragment_maps>\n${LAMPS_LIGHT}`,
      );
    more?.(shader);
  };
  material.customProgramCacheKey = () => `lamps ${key}`;
}

/** A painted material in the light of the lamps. */
export function painted(
  lamps: LampRow,
  options: MeshStandardMaterialParameters,
): MeshStandardMaterial {
  const material = new MeshStandardMaterial({ vertexColors: true, ...options });
  seeLamps(material, lamps, "painted");
  return material;
}

/** Ground that is smooth and dark where its vertices are wet. */
export function wettable(
  lamps: LampRow,
  options: MeshStandardMaterialParameters,
): MeshStandardMaterial {
  const material = new MeshStandardMaterial({ vertexColors: true, ...options });
  seeLamps(material, lamps, "wettable", (shader) => {
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\nattribute float wet;\nvarying float vWet;")
      .replace("#include <begin_vertex>", "#include <begin_vertex>\nvWet = wet;");
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", "#include <common>\nvarying float vWet;")
      .replace(
        "#include <roughnessmap_fragment>",
        `#include <roughnessmap_fragment>
        float pool = smoothstep(0.3, 0.75, vWet + 0.5 * (0.45 - texture2D(map, vMapUv).a));
        diffuseColor.rgb *= mix(1.0, 0.5, pool) * mix(1.0, 0.75, smoothstep(0.0, 0.5, vWet));
        roughnessFactor = mix(roughnessFactor, 0.05, pool * pool * pool);`,
      )
      .replace(
        "#include <normal_fragment_maps>",
        `vec3 flatNormal = normal;
        #include <normal_fragment_maps>
        normal = normalize(mix(normal, flatNormal, smoothstep(0.0, 0.6, pool)));`,
      );
  });
  return material;
}

/** How the machine's paint is worn: shared, so that it can change without a new program. */
export interface Wear {
  /** Height of the floor [m], metal in [0, 1] (0: none reflects), dust in [0, 1]. */
  floor: { value: number };
  metal: { value: number };
  dust: { value: number };
}

export function wear(): Wear {
  return { floor: { value: 0 }, metal: { value: 1 }, dust: { value: 1 } };
}

/**
 * The machine's paint. Grey that is bright is bare metal; dust lies on what looks up and mud on
 * what is low; `grime` is a repeating texture that breaks both up.
 */
export function machinePaint(
  lamps: LampRow,
  state: Wear,
  grime: Texture,
  options: MeshStandardMaterialParameters,
): MeshStandardMaterial {
  const material = new MeshStandardMaterial({ vertexColors: true, ...options });
  seeLamps(material, lamps, "machine", (shader) => {
    shader.uniforms.grime = { value: grime };
    shader.uniforms.wearFloor = state.floor;
    shader.uniforms.wearMetal = state.metal;
    shader.uniforms.wearDust = state.dust;
    shader.vertexShader = shader.vertexShader
      .replace(
        "#include <common>",
        "#include <common>\nvarying vec3 vOwn;\nvarying vec3 vOwnNormal;",
      )
      .replace(
        "#include <begin_vertex>",
        "#include <begin_vertex>\nvOwn = transformed;\nvOwnNormal = objectNormal;",
      );
    shader.fragmentShader = shader.fragmentShader
      .replace(
        "#include <common>",
        `#include <common>
        varying vec3 vOwn;
        varying vec3 vOwnNormal;
        uniform sampler2D grime;
        uniform float wearFloor;
        uniform float wearMetal;
        uniform float wearDust;`,
      )
      .replace("#include <metalnessmap_fragment>", MACHINE_WEAR)
      .replace("#include <emissivemap_fragment>", MACHINE_DUST);
  });
  return material;
}

const MACHINE_WEAR = /* glsl */ `
float metalnessFactor = metalness;
vec3 weights = pow(abs(vOwnNormal), vec3(4.0));
weights /= weights.x + weights.y + weights.z;
float fine = texture2D(grime, vOwn.yz * 1.1).a * weights.x
  + texture2D(grime, vOwn.zx * 1.1).a * weights.y + texture2D(grime, vOwn.xy * 1.1).a * weights.z;
float coarse = texture2D(grime, vOwn.yz * 0.23 + 0.37).a * weights.x
  + texture2D(grime, vOwn.zx * 0.23 + 0.37).a * weights.y
  + texture2D(grime, vOwn.xy * 0.23 + 0.37).a * weights.z;
float brightest = max(max(diffuseColor.r, diffuseColor.g), diffuseColor.b);
float darkest = min(min(diffuseColor.r, diffuseColor.g), diffuseColor.b);
float grey = 1.0 - smoothstep(0.1, 0.3, (brightest - darkest) / max(brightest, 0.01));
float bare = grey * smoothstep(0.08, 0.3, brightest) * wearMetal;
metalnessFactor = mix(metalnessFactor, 0.75, bare);
roughnessFactor = mix(roughnessFactor, mix(0.42, 0.24, smoothstep(0.4, 0.8, brightest)), bare);
roughnessFactor = clamp(roughnessFactor + 0.35 * (fine - 0.5), 0.12, 1.0);
`;

const MACHINE_DUST = /* glsl */ `
#include <emissivemap_fragment>
vec3 up = (viewMatrix * vec4(0.0, 0.0, 1.0, 0.0)).xyz;
float above = vPlace.z - wearFloor;
float lying = smoothstep(0.55, 0.95, dot(normal, up));
float patchy = smoothstep(0.38, 0.72, 0.55 * coarse + 0.45 * fine);
float mud = (1.0 - smoothstep(0.1, 1.3, above)) * mix(0.35, 1.0, patchy);
float cover = wearDust * clamp(0.3 * lying * (0.4 + 0.6 * patchy) + 0.62 * mud + 0.1 * patchy, 0.0, 0.9);
diffuseColor.rgb = mix(diffuseColor.rgb, vec3(0.17, 0.145, 0.115) * (0.65 + 0.7 * fine), cover);
metalnessFactor *= 1.0 - cover;
roughnessFactor = mix(roughnessFactor, 0.95, cover);
float shade = mix(0.45, 1.0, smoothstep(0.0, 0.9, above)) * mix(0.6, 1.0, smoothstep(-0.9, 0.2, dot(normal, up)));
diffuseColor.rgb *= shade;
`;
