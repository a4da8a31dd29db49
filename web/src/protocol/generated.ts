// Made by `python -m headframe.protocol` from src/headframe/protocol; do not edit.

export const VERSION = 3;
export const LARGEST_MESSAGE = 65536;

export const FRAME_MAGIC = 0x4d524648;
/** Bytes of a frame's header. */
export const HEADER = 72;
/** Bytes of a number of the sections. */
export const ELEMENT_BYTES = 4;

export const FLAGS = {
  PAUSED: 1,
  EMERGENCY: 2,
  DEAD: 4,
  DYNAMICS: 8,
  TROUBLE: 16,
} as const;

/** Where the fields of a frame's header begin [bytes]. */
export const AT = {
  magic: 0,
  version: 4,
  flags: 6,
  number: 8,
  scene: 12,
  time: 16,
  oldest: 24,
  newest: 32,
  stepTime: 40,
  tickTime: 44,
  overruns: 48,
  links: 52,
  cylinders: 54,
  motors: 56,
  joints: 58,
  unit: 60,
  bodies: 64,
  contacts: 66,
  crowd: 68,
} as const;

/** A frame's header. */
export interface FrameHeader {
  /** the letters "HFRM"; as a number 0x4D524648 */
  magic: number;
  /** of the protocol */
  version: number;
  /** sum of 1 paused, 2 emergency, 4 dead, 8 dynamics, 16 trouble */
  flags: number;
  /** counts frames */
  number: number;
  /** number of the scene that it belongs to, as in the message `scene` */
  scene: number;
  /** simulated [s] */
  time: number;
  /** earliest moment that can be gone back to [s] */
  oldest: number;
  /** latest moment that can be come back to [s] */
  newest: number;
  /** computing time of a substep [s] */
  stepTime: number;
  /** computing time of the whole tick [s] */
  tickTime: number;
  /** ticks whose debt was dropped */
  overruns: number;
  /** how many links the poses are of */
  links: number;
  /** how many cylinders */
  cylinders: number;
  /** how many motors */
  motors: number;
  /** how many joints with one freedom */
  joints: number;
  /** number of the unit that all is about; 0 where there is one */
  unit: number;
  /** how many loose bodies are told of */
  bodies: number;
  /** how many contacts are told, at most 64 */
  contacts: number;
  /** how many float32 the last section has */
  crowd: number;
}

/** The header at the beginning of a frame. */
export function readHeader(view: DataView): FrameHeader {
  return {
    magic: view.getUint32(0, true),
    version: view.getUint16(4, true),
    flags: view.getUint16(6, true),
    number: view.getUint32(8, true),
    scene: view.getUint32(12, true),
    time: view.getFloat64(16, true),
    oldest: view.getFloat64(24, true),
    newest: view.getFloat64(32, true),
    stepTime: view.getFloat32(40, true),
    tickTime: view.getFloat32(44, true),
    overruns: view.getUint32(48, true),
    links: view.getUint16(52, true),
    cylinders: view.getUint16(54, true),
    motors: view.getUint16(56, true),
    joints: view.getUint16(58, true),
    unit: view.getUint32(60, true),
    bodies: view.getUint16(64, true),
    contacts: view.getUint16(66, true),
    crowd: view.getUint32(68, true),
  };
}

/** The tables after the header, in their order; `rows` names the header's field that
 * counts them, and is empty where there is one row. */
export const SECTIONS = [
  { id: 0, name: "poses", rows: "links", element: "float32", width: 7 },
  { id: 1, name: "lengths", rows: "cylinders", element: "float32", width: 1 },
  { id: 2, name: "speeds", rows: "cylinders", element: "float32", width: 1 },
  { id: 3, name: "forces", rows: "cylinders", element: "float32", width: 1 },
  { id: 4, name: "motors", rows: "motors", element: "float32", width: 2 },
  { id: 5, name: "joints", rows: "joints", element: "float32", width: 1 },
  { id: 6, name: "energy", rows: "", element: "float32", width: 4 },
  { id: 7, name: "bodies", rows: "bodies", element: "float32", width: 8 },
  { id: 8, name: "contacts", rows: "contacts", element: "float32", width: 12 },
  { id: 9, name: "crowd", rows: "crowd", element: "float32", width: 1 },
] as const;

/** How many numbers a row of a section has. */
export const WIDTH = {
  poses: 7,
  lengths: 1,
  speeds: 1,
  forces: 1,
  motors: 2,
  joints: 1,
  energy: 4,
  bodies: 8,
  contacts: 12,
  crowd: 1,
} as const;

/** Where in a row of a section a number stands. */
export const COLUMN = {
  poses: { x: 0, y: 1, z: 2, qw: 3, qx: 4, qy: 5, qz: 6 },
  lengths: { length: 0 },
  speeds: { speed: 0 },
  forces: { force: 0 },
  motors: { speed: 0, torque: 1 },
  joints: { position: 0 },
  energy: { kinetic: 0, potential: 1, drives: 2, unaccounted: 3 },
  bodies: { number: 0, x: 1, y: 2, z: 3, qw: 4, qx: 5, qy: 6, qz: 7 },
  contacts: { x: 0, y: 1, z: 2, nx: 3, ny: 4, nz: 5, fx: 6, fy: 7, fz: 8, sticking: 9, a: 10, b: 11 },
  crowd: { number: 0 },
} as const;

/** The sections as views. */
export interface FrameSections {
  /** in the world: position x, y, z [m], then the unit quaternion w, x, y, z; in the order of `scene.machine.links` */
  poses: Float32Array;
  /** [m], in the order of `scene.machine.cylinders` */
  lengths: Float32Array;
  /** [m/s] */
  speeds: Float32Array;
  /** [N], each cylinder's share of its group */
  forces: Float32Array;
  /** speed [rad/s] and torque [N m] of each, in the order of `scene.machine.motors` */
  motors: Float32Array;
  /** position [rad or m], in the order of `scene.machine.joints` */
  joints: Float32Array;
  /** kinetic, potential with springs, work of the drives, unaccounted [J] */
  energy: Float32Array;
  /** loose bodies that moved, and a few others in turn: position in `scene.things`, then where it is in the world, as in `poses` */
  bodies: Float32Array;
  /** what touches, the strongest first: point [m], unit normal from b to a, force of b on a [N], all in the world; 1 where friction holds it and 0 where it slides; positions of both in `scene.members` */
  contacts: Float32Array;
  /** other units of the scene, in batches */
  crowd: Float32Array;
}

/** How many numbers each section has. */
export function sectionSizes(head: FrameHeader): number[] {
  return [
    7 * head.links,
    head.cylinders,
    head.cylinders,
    head.cylinders,
    2 * head.motors,
    head.joints,
    4,
    8 * head.bodies,
    12 * head.contacts,
    head.crowd,
  ];
}

/** The sections of a frame, as views into its bytes. */
export function cutSections(data: ArrayBuffer, sizes: number[]): FrameSections {
  let at = HEADER;
  const take = (section: number): Float32Array => {
    const part = new Float32Array(data, at, sizes[section]);
    at += part.byteLength;
    return part;
  };
  return {
    poses: take(0),
    lengths: take(1),
    speeds: take(2),
    forces: take(3),
    motors: take(4),
    joints: take(5),
    energy: take(6),
    bodies: take(7),
    contacts: take(8),
    crowd: take(9),
  };
}

/** Numbers before those of a batch of the crowd. */
export const BATCH_COLUMNS = { units: 0, links: 1 } as const;
export const BATCH = 2;

/** The first message of a client: which version of the protocol it speaks. */
export interface Hello {
  /** 0 to 9007199254740992 */
  version: number;
  type: "hello";
}

/** Answered by `Pong`; `sent` is the client's own clock [ms]. */
export interface Ping {
  /** -1e15 to 1e15 */
  sent: number;
  type: "ping";
}

/** Take the operator's seat from whoever has it. */
export interface TakeSeat {
  type: "take_seat";
}

/** Follow a path that a study planned: to where it starts, then along it. */
export interface Play {
  /** 1 to 9007199254740992 */
  number: number;
  /** 0.01 to 1 */
  speed: number;
  /** 0 to 1e9 */
  start: number;
  type: "play";
}

/** Where the operator's hands are, twenty times a second: also the heartbeat. */
export interface Levers {
  /** -1 to 1 */
  levers: Record<string, number>;
  /** 0 to 1e9 */
  age: number;
  present: boolean;
  /** -1e15 to 1e15 */
  sent: number;
  type: "levers";
}

/** Bring a group to a length [m], or a servo to a position [rad, m], at its own speed. */
export interface GoTo {
  group: string;
  /** -1e6 to 1e6 */
  length: number;
  type: "go_to";
}

/** Open a group's valves, so that it moves freely, or close them; in dynamic mode. */
export interface LetFloat {
  group: string;
  on: boolean;
  type: "let_float";
}

/** Let a motor turn at a fraction of its largest speed; 0 stops it. */
export interface SpinMotor {
  motor: string;
  /** -1 to 1 */
  speed: number;
  type: "spin_motor";
}

/** Stop everything for everyone; also viewers may. */
export interface EmergencyStop {
  type: "emergency_stop";
}

/** Release the emergency stop: only the operator, with all levers neutral. */
export interface Release {
  type: "release";
}

/** Let simulated time stand still, or go on. */
export interface Pause {
  on: boolean;
  type: "pause";
}

/** Make so many substeps while paused, in one go: nothing is heard meanwhile. */
export interface Step {
  /** 1 to 1000 */
  count: number;
  type: "step";
}

/** Simulated seconds a second. */
export interface TimeScale {
  /** 0.1 to 4 */
  scale: number;
  type: "time_scale";
}

/** Go back to a moment of the ring, in simulated seconds, and pause there. */
export interface Rewind {
  /** 0 to 1e9 */
  time: number;
  type: "rewind";
}

/** Begin anew: the machine at home, or the physics process after it died. */
export interface Restart {
  type: "restart";
}

/** How the machine moves: the choices that are not None change. */
export interface SetPhysics {
  dynamics: boolean | null;
  formulation: string | null;
  integrator: string | null;
  /** 0 to 100 */
  gravity: number | null;
  type: "set_physics";
}

/** Bring a link to a place, or as near as its cylinders allow; answered by `Reached`. */
export interface Reach {
  link: string;
  /** -1e6 to 1e6 */
  position: [number, number, number];
  /** -2 to 2 */
  quaternion: [number, number, number, number] | null;
  /** 0 to 9007199254740992 */
  number: number;
  type: "reach";
}

/** How the solver stands, for whoever asks; answered by `Inspected`. */
export interface Inspect {
  /** 0 to 9007199254740992 */
  number: number;
  type: "inspect";
}

/** Follow the path no longer. */
export interface StopPlaying {
  type: "stop_playing";
}

/** Drive some units of a stand; all others hold. Levers have to be neutral. */
export interface Select {
  stand: string;
  units: string[] | null;
  type: "select";
}

/** Go to another scene of the catalogue, with a machine of it as the guest if one is given. */
export interface ChooseScene {
  name: string;
  machine: string | null;
  type: "choose_scene";
}

/** Drive another machine of the catalogue, in a scene that has room for a guest. */
export interface ChooseMachine {
  name: string;
  type: "choose_machine";
}

/** The server's first message. */
export interface Welcome {
  version: number;
  build: string;
  client: number;
  role: "operator" | "viewer";
  type: "welcome";
}

/** A cylinder: its links, which slide in each other, and its bounds [m]. */
export interface CylinderInfo {
  name: string;
  tube: string;
  rod: string;
  lower: number;
  upper: number;
}

/** A redundant group of cylinders: one lever. */
export interface Group {
  name: string;
  cylinders: number[];
  lower: number;
  upper: number;
  speed: number;
  force: number;
}

/** A drive of a joint: the link that it turns, largest speed [rad/s] and torque [N m]. */
export interface MotorInfo {
  name: string;
  joint: string;
  link: string;
  speed: number;
  torque: number;
  servo: boolean;
  carrier: string;
  cuts: boolean;
  kind: string;
}

/** A joint with one freedom: whether it turns [rad] or slides [m], and its limits if it has any. */
export interface JointInfo {
  name: string;
  turns: boolean;
  lower: number | null;
  upper: number | null;
}

/** What a page needs of a machine; names are shown as text. */
export interface MachineInfo {
  name: string;
  machine_class: string;
  up_axis: "z" | "y";
  links: string[];
  end_effector: string;
  cylinders: CylinderInfo[];
  groups: Group[];
  motors: MotorInfo[];
  joints: JointInfo[];
  root: string;
}

/** Machines of one kind in the scene. */
export interface StandInfo {
  name: string;
  machine: MachineInfo;
  geometry: string;
  near: string;
  units: string[];
  first: number;
}

/** A machine of the catalogue, to choose. */
export interface Choice {
  name: string;
  machine_class: string;
}

/** A format in which `machine/export?form=NAME` gives the machine as a file. */
export interface ExportChoice {
  name: string;
  title: string;
  text: string;
  lacks: string;
}

/** A body that lies about in the scene, or something that stands fast. */
export interface ThingInfo {
  name: string;
  shape: number;
  fixed: boolean;
  position: [number, number, number];
  quaternion: [number, number, number, number];
}

/** What there is to be seen; frames of another `number` do not belong to it. */
export interface SceneInfo {
  number: number;
  machine: MachineInfo;
  geometry: string;
  name: string;
  scenes: string[];
  environment: string;
  surroundings: Record<string, number>;
  stands: StandInfo[];
  driven: number;
  guest: boolean;
  catalogue: Choice[];
  formulations: string[];
  integrators: string[];
  formats: ExportChoice[];
  things: ThingInfo[];
  thing_shapes: string;
  members: string[];
  touched: string;
  type: "scene";
}

/** A path that the machine follows. */
export interface Played {
  number: number;
  speed: number;
  start: number;
  begun: number | null;
}

/** What changes now and then; the whole of it whenever a part of it has changed. */
export interface Status {
  paused: boolean;
  scale: number;
  dynamics: boolean;
  formulation: string;
  reason: string;
  integrator: string;
  gravity: number;
  step: number;
  emergency: boolean;
  presence: "" | "no_operator" | "silent" | "stalled" | "hidden" | "closed" | "centre";
  floating: string[];
  targets: Record<string, number>;
  motors: Record<string, number>;
  playing: Played | null;
  oldest: number;
  newest: number;
  forgotten: boolean;
  overruns: number;
  trouble: string;
  selected: string[];
  alive: boolean;
  seat: number;
  operators: number;
  viewers: number;
  type: "status";
}

/** Answer to `Ping` and `Levers`. */
export interface Pong {
  sent: number;
  type: "pong";
}

/** Answer to a message that changed nothing: which type, and why. */
export interface Refused {
  about: string;
  text: string;
  type: "refused";
}

/** A message that was not followed, since a later one took its place while it waited. */
export interface Dropped {
  about: string;
  type: "dropped";
}

/** Answer to `Reach`: where the link can be. */
export interface Reached {
  link: string;
  number: number;
  position: [number, number, number];
  quaternion: [number, number, number, number];
  distance: number;
  angle: number;
  reachable: boolean;
  iterations: number;
  limits: string[];
  type: "reached";
}

/** Groups that are solved together: how, and in how many steps. */
export interface SolvedBlock {
  groups: string[];
  method: "closed form" | "newton" | "general";
  iterations: number;
}

/** Which of several solutions a part of the machine has taken; see `kinematics.inspection`. */
export interface TakenBranch {
  kind: "hinge" | "slide" | "four-bar" | "block";
  name: string;
  side: "positive" | "negative" | "open" | "crossed";
  as_home: boolean;
}

/** The nearest dead centre: of which group, how much stroke is left to it [m], which way. */
export interface NearDeadCentre {
  group: string;
  left: number;
  towards: "shorter" | "longer";
  inside: boolean;
  exact: boolean;
}

/** Answer to `Inspect`: how the solver stands. */
export interface Inspected {
  number: number;
  time: number;
  gap: number;
  angle: number;
  length_error: number | null;
  iterations: number;
  blocks: SolvedBlock[];
  branches: TakenBranch[];
  dead_centre: NearDeadCentre | null;
  conditioning: number;
  lever: number | null;
  weakest: string;
  problem: string;
  type: "inspected";
}

/** How a study is: a computation of the workbench that takes its time. */
export interface StudyStatus {
  number: number;
  kind: string;
  state: "waiting" | "running" | "done" | "failed" | "cancelled";
  part: number;
  text: string;
  facts: Record<string, unknown>;
  files: string[];
  type: "study";
}

/** Something that a person should know: the page has the words for each code. */
export interface Notice {
  code: "seat_lost" | "seat_taken" | "reload";
  type: "notice";
}

/** Whether what happens is being recorded: told to everybody when that begins and ends. */
export interface RecordingStatus {
  on: boolean;
  name: string;
  seconds: number;
  text: string;
  type: "recording";
}

/** What the physics process is busy with, and how far it is; part 1 when it is done. */
export interface Loading {
  text: string;
  part: number;
  type: "loading";
}

/** What is compiled in the background after the first start; told while that goes on. */
export interface Preparing {
  part: "" | "driving" | "dynamics" | "reaching" | "contact" | "impulses" | "augmented" | "pictures" | "comparison" | "bench";
  seconds: number | null;
  waiting: string[];
  type: "preparing";
}

/** A node: a link, or several that count as one. */
export interface GraphNode {
  number: string;
  name: string;
  links: string[];
  x: number;
  y: number;
  name_x: number;
  name_y: number;
  main: boolean;
  marked: boolean;
  faint: boolean;
}

/** An edge: a joint, or a redundant group of cylinders. */
export interface GraphEdge {
  source: number;
  target: number;
  kind: "revolute" | "prismatic" | "fixed" | "other" | "generalized" | "held" | "actuator" | "locked";
  label: string;
  label_x: number;
  label_y: number;
  label_angle: number;
  joint: string;
  group: number;
  both: boolean;
  faint: boolean;
  line: [number, number, number, number, number, number];
}

/** A ground under nodes, given by index around it; `name` stands at `x` and `y`. */
export interface GraphHull {
  nodes: number[];
  name: string;
  x: number;
  y: number;
  faint: boolean;
}

/** A graph with everything placed. */
export interface GraphSheet {
  nodes: GraphNode[];
  edges: GraphEdge[];
  hulls: GraphHull[];
  box: [number, number, number, number];
  radius: number;
  thick: number;
  fonts: [number, number, number, number];
}

/** Where a joint is: a place and a unit axis in the axes of a link [m]; no axis is (0, 0, 0). */
export interface Pin {
  joint: string;
  kind: "revolute" | "prismatic" | "fixed" | "other" | "generalized" | "held" | "actuator" | "locked";
  link: string;
  place: [number, number, number];
  axis: [number, number, number];
}

/** A symbol of an equation and the joint whose motion from home it is. */
export interface Unknown {
  symbol: string;
  joint: string;
}

/** A number of an equation: symbol, value, and unit ("" for none). */
export interface Figure {
  symbol: string;
  value: number;
  unit: string;
}

/** How lengths set a group's motion. */
export interface EquationSheet {
  lines: string[];
  unknowns: Unknown[];
  figures: Figure[];
  solver: "closed form" | "newton" | "general";
}

/** Indices of what lights up in a graph. */
export interface LitPart {
  nodes: number[];
  edges: number[];
}

/** What a redundant group moves when all others are locked. */
export interface ItepSheet {
  group: string;
  members: string[];
  type: "A" | "B" | "C" | "D" | "?";
  reason: string;
  driving: string;
  locked_by: string;
  path: string[];
  links: Record<string, "ground" | "moves" | "actuator" | "locked">;
  pins: Pin[];
  equation: EquationSheet;
  raw: LitPart;
  contracted: LitPart;
  graph: GraphSheet;
}

/** A machine's graph at three stages. */
export interface TopologySheet {
  scene: number;
  colors: Record<string, string>;
  badges: Record<string, string>;
  counts: Record<string, number>;
  leftover: string[];
  four_bars: string[][];
  raw: GraphSheet;
  contracted: GraphSheet;
  iteps: ItepSheet[];
}

/** A link as its file has it. */
export interface LinkFacts {
  name: string;
  mass: number | null;
  centre: [number, number, number];
  inertia: [number, number, number, number, number, number];
  moments: [number, number, number];
  cylinder: number;
}

/** A joint as its file has it. */
export interface JointFacts {
  name: string;
  parent: string;
  child: string;
  kind: string;
  slides: boolean;
  place: [number, number, number];
  axis: [number, number, number] | null;
  lower: number | null;
  upper: number | null;
  damping: number;
  friction: number;
  armature: number;
  closes: boolean;
  motor: string;
  index: number;
}

/** A cylinder as its file has it; diameters [m], None where they are not given. */
export interface CylinderFacts {
  name: string;
  group: string;
  tube_parent: string;
  rod_parent: string;
  lower: number;
  upper: number;
  speed: number | null;
  acceleration: number | null;
  force: number | null;
  bore: number | null;
  rod_diameter: number | null;
}

/** Where figures come from. */
export interface Source {
  of: string;
  kind: string;
  source: string;
  topics: ("mass" | "joint" | "cylinder" | "motor" | "shape")[];
  parts: string[];
}

/** Facts about a machine's parts, of one scene; `mass` is of the whole machine [kg]. */
export interface FactsSheet {
  scene: number;
  mass: number;
  links: LinkFacts[];
  joints: JointFacts[];
  cylinders: CylinderFacts[];
  sources: Source[];
}

export type Up =
  | Hello
  | Ping
  | TakeSeat
  | Play
  | Levers
  | GoTo
  | LetFloat
  | SpinMotor
  | EmergencyStop
  | Release
  | Pause
  | Step
  | TimeScale
  | Rewind
  | Restart
  | SetPhysics
  | Reach
  | Inspect
  | StopPlaying
  | Select
  | ChooseScene
  | ChooseMachine;

export type Down =
  | Welcome
  | SceneInfo
  | Status
  | Pong
  | Refused
  | Dropped
  | Reached
  | Inspected
  | StudyStatus
  | Notice
  | RecordingStatus
  | Loading
  | Preparing;
