/** The picture: machines in their surroundings, drawn on a canvas. */

import {
  ACESFilmicToneMapping,
  Color,
  FogExp2,
  Matrix4,
  PCFShadowMap,
  PMREMGenerator,
  Scene as Graph,
  Vector3,
  WebGLRenderer,
} from "three";
import type { Camera, MeshStandardMaterial, Object3D, Texture, WebGLRenderTarget } from "three";

import { eachUnit, type Frame } from "../protocol/frame";
import type { SceneInfo, StandInfo } from "../protocol/generated";
import { Cameras, type CameraName } from "./cameras";
import { ContactMarks } from "./contacts";
import { Crowd } from "./crowd";
import { Cutting, cuttingMotor } from "./cutting";
import { disposeTree, releaseTree } from "./dispose";
import { vignette } from "./dust";
import { Outermost } from "./framing";
import { headLamps } from "./lamps";
import { Lights } from "./lights";
import { Lying } from "./lying";
import { fetchModel, Machine } from "./machine";
import { lampRow, machinePaint, wear } from "./materials";
import { Mirrors } from "./mirrors";
import { Noise } from "./noise";
import { addShown } from "./outline";
import { Overlay } from "./overlay";
import { LEVELS, QualityChoice, type Quality } from "./quality";
import { findSeat, headLampPlaces, type Seat, type Shape } from "./seat";
import { surroundingsOf, TUNNEL_AIR, type Made, type Surroundings } from "./surroundings";
import {
  muckHeights,
  rockHeights,
  surfaceTextures,
  surroundingsTexture,
  type RockTextures,
} from "./textures";
import { Things } from "./things";
import { TouchedShapes } from "./touched";
import type { Room } from "./tunnel/section";

export type { CameraName } from "./cameras";
export type { Quality } from "./quality";

/** The browser cannot draw with WebGL 2. */
export class NoWebGL extends Error {}

export interface Stats {
  calls: number;
  triangles: number;
  /** Time that JavaScript took for the last show and render [ms]. */
  script: number;
  fps: number;
}

/** Part of a far thing's light that still comes through the haze where it is left out. */
const UNSEEN = 0.01;
const TEST_SIZE = { width: 640, height: 360 };
const EMPTY_ROOM = { half: 3, wall: 2, rise: 3, length: 50 };
const SEED = 11;

export class View {
  /** The browser took the drawing context away, or gave it back. */
  onLost: (() => void) | null = null;
  onRestored: (() => void) | null = null;

  /** What tools add to the picture. */
  readonly overlay: Overlay;

  private readonly test: boolean;
  private readonly calm: boolean;
  private readonly renderer: WebGLRenderer;
  private readonly graph = new Graph();
  private readonly fog = new FogExp2(TUNNEL_AIR.haze, TUNNEL_AIR.density);
  private readonly background = new Color(TUNNEL_AIR.haze);
  private readonly lights = new Lights();
  private readonly cameras: Cameras;
  private readonly corners = vignette();
  private readonly lamps = lampRow();
  private readonly wear = wear();
  private readonly end = new AbortController();
  private choice: QualityChoice | null;
  private level: Quality;
  private readonly rock: RockTextures;
  private readonly muck: RockTextures;
  private reflections: WebGLRenderTarget | null = null;
  private paint: MeshStandardMaterial | null = null;
  private machine: Machine | null = null;
  private crowds: Crowd[] = [];
  private things: Things | null = null;
  private readonly lying = new Lying();
  private readonly contacts = new ContactMarks();
  /** The contacts of the frame that is shown. */
  touches: Float32Array = new Float32Array();
  private replayed = false;
  private touched: TouchedShapes | null = null;
  private touchedAddress = "";
  private wantsShapes = false;
  private obeying: ReadonlySet<number> = new Set();
  private unit = -1;
  private build: ((shape: Shape, made: Made) => Surroundings) | null = null;
  private around: Surroundings | null = null;
  private mirrors: Mirrors | null = null;
  private cutting: Cutting | null = null;
  private lost = false;
  private loads = 0;
  private number = -1;
  private size = { width: 0, height: 0, pixelRatio: 1 };
  private last = 0;
  private showTime = 0;
  private renderTime = 0;
  private frameTime = 0;
  private readonly eye = new Vector3();

  /** Draw on `canvas`. Raises `NoWebGL` if the browser cannot. */
  constructor(
    canvas: HTMLCanvasElement,
    options: { test?: boolean; reducedMotion?: boolean } = {},
  ) {
    this.test = options.test ?? false;
    this.calm = options.reducedMotion ?? false;
    this.renderer = makeRenderer(canvas, !this.test);
    this.renderer.info.autoReset = false;
    this.renderer.localClippingEnabled = true; // for slices that tools show
    this.renderer.toneMapping = ACESFilmicToneMapping;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.graph.background = this.background;
    this.graph.fog = this.fog;
    this.graph.matrixWorldAutoUpdate = false; // once a picture, in render
    this.graph.add(this.lights.group, this.corners, this.contacts.root);
    this.choice = this.test ? null : new QualityChoice();
    this.level = this.test ? "low" : this.choice!.quality;
    const noise = new Noise(SEED);
    this.rock = surfaceTextures(rockHeights(noise, LEVELS[this.level].texture), 3.4);
    this.muck = surfaceTextures(muckHeights(noise, LEVELS[this.level].texture), 2.2);
    this.cameras = new Cameras(canvas, EMPTY_ROOM, !this.calm && !this.test);
    this.overlay = new Overlay(canvas, this.cameras.update(0));
    this.cameras.listens = () => !this.overlay.busy;
    this.graph.add(this.overlay.group);
    const heard = { signal: this.end.signal };
    canvas.addEventListener("webglcontextlost", this.contextLost, heard);
    canvas.addEventListener("webglcontextrestored", this.contextRestored, heard);
    this.apply();
    this.resize(canvas.clientWidth || TEST_SIZE.width, canvas.clientHeight || TEST_SIZE.height, 1);
  }

  /**
   * Fetch a scene's machine and put it in the place of what was there.
   *
   * `progress` gets the part that is done, in [0, 1]. The surroundings are built with the first
   * frame, which tells how the machine stands. Raises an error in words that a person can read; then
   * what was there stays. Of two loads at a time the later one counts.
   */
  async load(scene: SceneInfo, progress: (part: number) => void = () => {}): Promise<void> {
    const load = ++this.loads;
    const build = await surroundingsOf(scene);
    const model = await fetchModel(scene.geometry, (part) => progress(0.6 * part));
    const others = await fetchCrowds(scene, (part) => progress(0.6 + 0.3 * part));
    const { thing_shapes: address, things = [] } = scene;
    const about = address ? await fetchModel(address, (part) => progress(0.9 + 0.05 * part)) : null;
    const fetched = [model, ...others.flatMap(({ models }) => models), ...(about ? [about] : [])];
    if (load !== this.loads) {
      for (const each of fetched) disposeTree(each);
      return;
    }
    const paint = machinePaint(this.lamps, this.wear, this.rock.shade, {
      roughness: 0.46,
      metalness: 0.05,
    });
    let machine: Machine;
    try {
      machine = new Machine(scene.machine, model, paint);
    } catch (error) {
      paint.dispose();
      for (const each of fetched) disposeTree(each);
      throw error;
    }
    this.clear();
    this.machine = machine;
    this.build = build;
    this.unit = -1;
    this.crowds = others.map(
      ({ stand, models }) => new Crowd(stand, models[0]!, models[1] ?? null, paint),
    );
    for (const crowd of this.crowds) this.graph.add(crowd.root);
    this.things = about && new Things(things, about, paint);
    if (this.things) this.graph.add(this.things.root);
    this.touchedAddress = scene.touched;
    this.number = scene.number;
    this.paint = paint;
    this.graph.add(machine.root);
    this.overlay.follow(machine);
    machine.root.visible = false;
    this.apply();
    if (this.wantsShapes) void this.showShapes(true);
    progress(1);
  }

  /**
   * Let the machine stand as the frame says; false for a frame of another scene.
   *
   * Of loose bodies a live frame tells only those that moved, which `note` has taken; a recorded one
   * tells all of them.
   */
  show(frame: Frame, recorded = false): boolean {
    const start = performance.now();
    const { machine } = this;
    if (!machine || frame.scene !== this.number || !machine.show(frame.poses)) return false;
    const lie = recorded ? frame.bodies : this.lying.told(this.replayed);
    this.things?.show(lie);
    this.replayed = recorded;
    this.touches = frame.contacts;
    if (this.contacts.root.visible) this.contacts.show(frame.contacts, this.overlay.scale);
    this.touched?.follow();
    if (!this.around) this.settle(machine);
    else if (this.unit !== frame.unit) this.turnTo(machine);
    this.unit = frame.unit;
    this.cutting?.show(frame);
    this.showTime = performance.now() - start;
    return true;
  }

  /** Take the other units of a frame; each counts, since units that stand are told of in turn. */
  note(frame: Frame): void {
    if (frame.scene !== this.number) return;
    this.lying.note(frame.bodies);
    if (this.crowds.length === 0) return;
    eachUnit(frame.crowd, (unit, poses) => {
      this.crowds.some((crowd) => crowd.show(unit, poses));
    });
  }

  /** Units that obey, by their numbers in the scene: they are lit. */
  mark(units: Iterable<number>): void {
    this.obeying = new Set(units);
  }

  /** Number of the unit at a place of the window [px]; null if there is none. */
  unitAt(x: number, y: number): number | null {
    const ray = this.overlay.rayAt(x, y);
    const own = this.machine ? ray.intersectObjects(this.machine.links, true)[0] : undefined;
    let found = own && this.unit >= 0 ? { unit: this.unit, away: own.distance } : null;
    for (const crowd of this.crowds) {
      const hit = crowd.pick(ray);
      if (hit && (!found || hit.away < found.away)) found = hit;
    }
    return found?.unit ?? null;
  }

  /** Pose of a link of any unit as it is drawn, in the simulation's axes; null if it is not. */
  unitMatrix(unit: number, link: string): number[] | null {
    if (unit === this.unit) return this.worldMatrix(link);
    for (const crowd of this.crowds) {
      const found = crowd.worldMatrix(unit, link);
      if (found) return found;
    }
    return null;
  }

  /** Pose of a body or static of the scene as it is drawn; null if it is not. */
  thingMatrix(thing: number): number[] | null {
    return this.things?.matrixOf(thing) ?? null;
  }

  /** Whether marks show what touches, and with what force. */
  get showsContacts(): boolean {
    return this.contacts.root.visible;
  }

  showContacts(on: boolean): void {
    this.contacts.root.visible = on;
    if (on) this.contacts.show(this.touches, this.overlay.scale);
  }

  /** How many contacts are marked in the picture. */
  get contactsShown(): number {
    return this.contacts.root.visible ? this.contacts.shown : 0;
  }

  /** Whether the edges of the shapes that are touched are drawn. */
  get showsShapes(): boolean {
    return this.wantsShapes;
  }

  /** How many shapes that are touched are drawn. */
  get shapesShown(): number {
    return this.touched?.count ?? 0;
  }

  /** Draw edges of the shapes that are touched, or not; raises an error if they do not come. */
  async showShapes(on: boolean): Promise<void> {
    this.wantsShapes = on;
    if (!on) {
      this.touched?.dispose();
      this.touched = null;
      return;
    }
    const { touchedAddress: address, number } = this;
    if (this.touched || !address) return;
    const model = await fetchModel(address, () => {});
    if (this.wantsShapes && !this.touched && this.machine && number === this.number)
      this.touched = new TouchedShapes(model, this.machine, this.things, this.graph);
    disposeTree(model);
  }

  /** Draw one picture; `now` is the time of the browser's animation frame [ms]. */
  render(now: number): void {
    if (this.lost) return;
    const start = performance.now();
    const elapsed = this.last === 0 ? 0 : now - this.last;
    this.last = now;
    this.measure(elapsed);
    this.renderer.info.reset();
    this.graph.updateMatrixWorld();
    const camera = this.cameras.update(this.test ? 0 : elapsed);
    this.overlay.draw(camera);
    const { name, moved: shift } = this.cameras;
    this.lights.follow(shift);
    this.around?.showOverhead(name !== "top");
    const { exposure, above, density } = this.around?.air ?? TUNNEL_AIR;
    this.renderer.toneMappingExposure = name === "top" ? above : exposure;
    this.around?.move(this.test || this.calm ? 0 : now / 1000, this.pixels());
    const sight = Math.sqrt(-Math.log(UNSEEN)) / density;
    for (const crowd of this.crowds) {
      crowd.mark(this.obeying, this.unit);
      crowd.draw(camera, sight);
    }
    this.cutting?.move(this.pixels());
    this.corners.visible = true;
    this.renderer.shadowMap.needsUpdate = true;
    this.drawMirrors(camera);
    this.renderer.render(this.graph, camera);
    this.renderTime = performance.now() - start;
  }

  resize(width: number, height: number, pixelRatio: number): void {
    this.size = this.test ? { ...TEST_SIZE, pixelRatio: 1 } : { width, height, pixelRatio };
    const { pixelRatio: most, scale } = LEVELS[this.level];
    const ratio = this.test ? 1 : Math.min(this.size.pixelRatio, most) * scale;
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(this.size.width, this.size.height, false);
    this.cameras.resize(this.size.width, this.size.height);
  }

  get camera(): CameraName {
    return this.cameras.name;
  }

  setCamera(name: CameraName): void {
    this.cameras.name = name;
    if (this.mirrors) this.mirrors.group.visible = name === "seat";
  }

  /** Look at everything that is shown: all machines, and what tools have added. */
  showAll(): void {
    if (!this.machine || !this.around) return;
    this.graph.updateMatrixWorld();
    const outermost = new Outermost();
    for (const point of this.machine.shape().outline) outermost.add(point);
    for (const crowd of this.crowds) crowd.addTo(outermost);
    if (this.things) addShown(this.things.root, outermost);
    addShown(this.overlay.group, outermost);
    this.cameras.showAll(outermost.points);
    this.setCamera(this.camera);
  }

  get quality(): Quality {
    return this.level;
  }

  /** What was chosen: a level, or that it follows the measured frame time. */
  get chosen(): Quality | "auto" {
    return this.choice ? "auto" : this.level;
  }

  /** The page was out of sight: the time since the last picture says nothing. */
  rest(): void {
    this.last = 0;
  }

  /** Choose how rich the picture is; "auto" follows the measured frame time. */
  setQuality(quality: Quality | "auto"): void {
    if (this.test) return;
    this.choice = quality === "auto" ? new QualityChoice(this.level) : null;
    if (quality !== "auto") this.useLevel(quality);
  }

  stats(): Stats {
    const { calls, triangles } = this.renderer.info.render;
    const fps = this.frameTime > 0 ? 1000 / this.frameTime : 0;
    return { calls, triangles, script: this.showTime + this.renderTime, fps };
  }

  /** What the graphics card holds; grows without bound if something is not freed. */
  memory(): { geometries: number; textures: number } {
    const { geometries, textures } = this.renderer.info.memory;
    return { geometries, textures };
  }

  /** The roadway's profile, and the middle of the face's foot in the world; null without one. */
  get roadway(): { room: Room; origin: Vector3 } | null {
    const { roadway, origin } = this.around ?? {};
    return roadway && origin ? { room: roadway, origin } : null;
  }

  /** Pose of a link in the simulation's own axes: 16 numbers, column by column. */
  worldMatrix(link: string): number[] | null {
    return this.machine?.worldMatrix(link) ?? null;
  }

  dispose(): void {
    this.loads++;
    this.end.abort();
    this.clear();
    this.cameras.dispose();
    this.lights.dispose();
    disposeTree(this.corners);
    this.contacts.dispose();
    for (const texture of this.surfaces()) texture.dispose();
    this.reflections?.dispose();
    this.renderer.dispose();
  }

  /** Build the surroundings for the machine as it stands in the first frame. */
  private settle(machine: Machine): void {
    machine.root.visible = true;
    const shape = machine.shape();
    this.wear.floor.value = shape.whole.min.z;
    const around = this.build!(shape, {
      lamps: this.lamps,
      rock: this.rock,
      muck: this.muck,
      reflections: this.reflections?.texture ?? null,
    });
    this.around = around;
    this.graph.add(around.group);
    this.overlay.surroundings = around;
    this.fog.color.set(around.air.haze);
    this.fog.density = around.air.density;
    this.background.set(around.air.haze);
    this.lights.shine(around.air);
    const toBody = new Matrix4().copy(machine.body.matrixWorld).invert();
    const seat = moved(findSeat(shape), toBody);
    this.cameras.settle(shape, machine.body, seat, around);
    if (seat.cab) {
      this.mirrors = new Mirrors(seat, LEVELS[this.level].mirror);
      machine.body.add(this.mirrors.group);
    }
    this.addHeadLamps(machine, shape, toBody, around.spot);
    this.addDust(machine, shape, around);
    this.setCamera(this.camera);
    this.apply();
  }

  /** Another unit is driven: cameras and lights go to it. */
  private turnTo(machine: Machine): void {
    const shape = machine.shape();
    const places = headLampPlaces(shape);
    const nose = places.length === 0 ? null : new Vector3();
    for (const place of places) nose!.addScaledVector(place, 1 / places.length);
    this.cameras.turnTo(shape.whole);
    this.lights.settle(shape.whole, nose);
  }

  private addHeadLamps(machine: Machine, shape: Shape, toBody: Matrix4, spot: Texture): void {
    const places = headLampPlaces(shape);
    const nose = places.length === 0 ? null : new Vector3();
    for (const place of places) nose!.addScaledVector(place, 1 / places.length);
    this.lights.settle(shape.whole, nose);
    if (!nose) return;
    const along = new Vector3(1, 0, -0.1).transformDirection(toBody);
    for (const place of places) place.applyMatrix4(toBody);
    machine.body.add(...headLamps(places, along, spot));
  }

  private addDust(machine: Machine, shape: Shape, around: Surroundings): void {
    const { whole } = shape;
    const { info, links } = machine;
    const motor = cuttingMotor(info, links, 0.5 * (whole.min.x + whole.max.x));
    const found = info.motors[motor];
    if (!found) return;
    const link = links[info.links.indexOf(found.link)]!;
    this.cutting = new Cutting(motor, found.speed, link, this.test, around.spot);
    this.graph.add(this.cutting.spray.points);
  }

  /** Free the machine and what is around it. */
  private clear(): void {
    this.overlay.follow(null);
    this.overlay.surroundings = null;
    this.touched?.dispose();
    this.touched = null;
    this.lying.clear();
    this.replayed = false;
    this.touches = new Float32Array();
    this.contacts.show(this.touches, 1);
    this.mirrors?.dispose();
    if (this.cutting) disposeTree(this.cutting.spray.points);
    this.cutting = null;
    this.around?.dispose();
    for (const crowd of this.crowds) crowd.dispose();
    this.crowds = [];
    if (this.things) disposeTree(this.things.root);
    this.things = null;
    if (this.machine) disposeTree(this.machine.root);
    this.paint?.dispose();
    this.cameras.leave();
    this.mirrors = this.around = this.machine = this.paint = null;
  }

  private drawMirrors(camera: Camera): void {
    if (!this.mirrors || this.cameras.name !== "seat") return;
    this.corners.visible = false;
    this.around?.showSmall(false);
    this.eye.setFromMatrixPosition(camera.matrixWorld);
    const { density, mirrored } = this.around?.air ?? TUNNEL_AIR;
    this.fog.density = mirrored;
    this.mirrors.draw(this.renderer, this.graph, this.eye);
    this.fog.density = density;
    this.around?.showSmall(true);
    this.corners.visible = true;
  }

  private measure(elapsed: number): void {
    if (elapsed <= 0) return;
    this.frameTime += (this.frameTime === 0 ? 1 : 0.08) * (elapsed - this.frameTime);
    if (this.choice?.sample(elapsed)) this.useLevel(this.choice.quality);
  }

  private useLevel(level: Quality): void {
    if (level === this.level) return;
    this.level = level;
    this.apply();
    this.resize(this.size.width, this.size.height, this.size.pixelRatio);
  }

  /** Bring everything to the present level. */
  private apply(): void {
    const level = LEVELS[this.level];
    this.renderer.shadowMap.enabled = level.shadow > 0;
    this.renderer.shadowMap.autoUpdate = false;
    this.lights.setShadow(level.shadow);
    this.around?.showExtras(level.extras);
    for (const texture of this.surfaces()) {
      if (texture.anisotropy === level.anisotropy) continue;
      texture.anisotropy = level.anisotropy;
      texture.needsUpdate = true;
    }
    if (level.reflections && !this.reflections) this.reflections = this.makeReflections();
    const map = level.reflections ? this.reflections!.texture : null;
    this.wear.metal.value = map ? 1 : 0.35;
    if (this.paint && this.paint.envMap !== map) {
      this.paint.envMap = map;
      this.paint.needsUpdate = true;
    }
    this.around?.reflect(map);
  }

  private makeReflections(): WebGLRenderTarget {
    const generator = new PMREMGenerator(this.renderer);
    const picture = surroundingsTexture();
    const target = generator.fromEquirectangular(picture);
    picture.dispose();
    generator.dispose();
    return target;
  }

  private surfaces(): Texture[] {
    return [this.rock.shade, this.rock.normals, this.muck.shade, this.muck.normals];
  }

  private pixels(): number {
    return this.size.height * this.renderer.getPixelRatio();
  }

  private readonly contextLost = (event: Event): void => {
    event.preventDefault();
    this.lost = true;
    this.release();
    this.onLost?.();
  };

  /** Give back what the lost context held, so that the next one takes everything anew. */
  private release(): void {
    releaseTree(this.graph);
    for (const texture of this.surfaces()) texture.dispose();
    this.around?.releaseTextures();
    this.mirrors?.release();
    this.lights.release();
    this.reflections?.dispose();
    this.reflections = null;
    if (this.paint) this.paint.envMap = null;
    this.around?.reflect(null);
  }

  private readonly contextRestored = (): void => {
    this.lost = false;
    this.apply();
    this.onRestored?.();
  };
}

/** Models of all stands that have more than the driven machine: for many, and for the nearest. */
async function fetchCrowds(
  scene: SceneInfo,
  progress: (part: number) => void,
): Promise<{ stand: StandInfo; models: Object3D[] }[]> {
  const stands = scene.stands.filter(
    ({ units }, position) => position !== scene.driven || units.length > 1,
  );
  const found: { stand: StandInfo; models: Object3D[] }[] = [];
  for (const stand of stands) {
    const addresses = [...new Set([stand.geometry, stand.near])];
    const models: Object3D[] = [];
    for (const address of addresses) {
      models.push(
        await fetchModel(address, (part) =>
          progress((found.length + (models.length + part) / addresses.length) / stands.length),
        ),
      );
    }
    found.push({ stand, models });
  }
  return found;
}

function makeRenderer(canvas: HTMLCanvasElement, antialias: boolean): WebGLRenderer {
  try {
    return new WebGLRenderer({ canvas, antialias, powerPreference: "high-performance" });
  } catch {
    throw new NoWebGL("The browser offers no WebGL 2.");
  }
}

/** A seat in other axes. */
function moved(seat: Seat, matrix: Matrix4): Seat {
  return {
    eye: seat.eye.applyMatrix4(matrix),
    aim: seat.aim.applyMatrix4(matrix),
    ahead: seat.ahead.transformDirection(matrix),
    left: seat.left.transformDirection(matrix),
    up: seat.up.transformDirection(matrix),
    cab: seat.cab,
    back: seat.back,
  };
}
