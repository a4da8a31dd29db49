// Made by `python -m headframe.protocol` from src/headframe/protocol; do not edit.

export const VERSION = 2;
export const LARGEST_MESSAGE = 65536;

export const FRAME_MAGIC = 0x4d524648;
export const HEADER = 60;

export const POSE = 7;
export const MOTOR = 2;
export const ENERGIES = 4;

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
} as const;

export const FLAGS = {
  PAUSED: 1,
  EMERGENCY: 2,
  DEAD: 4,
  DYNAMICS: 8,
  TROUBLE: 16,
} as const;

/** The first message of a client: which version of the protocol it speaks. */
export interface Hello {
  version: number;
  type: "hello";
}

/** Where the operator's hands are, twenty times a second: also the heartbeat. */
export interface Levers {
  levers: Record<string, number>;
  age: number;
  present: boolean;
  sent: number;
  type: "levers";
}

/** Answered by `Pong`; `sent` is the client's own clock [ms]. */
export interface Ping {
  sent: number;
  type: "ping";
}

/** Bring a group to a length [m] at its own speed. */
export interface GoTo {
  group: string;
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

/** Take the operator's seat from whoever has it. */
export interface TakeSeat {
  type: "take_seat";
}

/** Let simulated time stand still, or go on. */
export interface Pause {
  on: boolean;
  type: "pause";
}

/** Make so many substeps while paused, in one go: nothing is heard meanwhile. */
export interface Step {
  count: number;
  type: "step";
}

/** Simulated seconds a second. */
export interface TimeScale {
  scale: number;
  type: "time_scale";
}

/** Go back to a moment of the ring, in simulated seconds, and pause there. */
export interface Rewind {
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
  gravity: number | null;
  type: "set_physics";
}

/** Bring a link to a place, or as near as its cylinders allow; answered by `Reached`. */
export interface Reach {
  link: string;
  position: [number, number, number];
  quaternion: [number, number, number, number] | null;
  number: number;
  type: "reach";
}

/** Drive another machine of the catalogue. */
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
export interface Cylinder {
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

/** A motor: its joint, the link that it turns, largest speed [rad/s] and torque [N m]. */
export interface Motor {
  name: string;
  joint: string;
  link: string;
  speed: number;
  torque: number;
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
  cylinders: Cylinder[];
  groups: Group[];
  motors: Motor[];
  joints: JointInfo[];
}

/** A machine of the catalogue, to choose. */
export interface Choice {
  name: string;
  machine_class: string;
}

/** What there is to be seen; frames of another `number` do not belong to it. */
export interface Scene {
  number: number;
  machine: MachineInfo;
  geometry: string;
  environment: string;
  catalogue: Choice[];
  formulations: string[];
  integrators: string[];
  type: "scene";
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
  oldest: number;
  newest: number;
  forgotten: boolean;
  overruns: number;
  trouble: string;
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

/** How a study is: a computation of the workbench that takes its time. */
export interface StudyTold {
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
export interface Recording {
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

export type Up =
  | Hello
  | Levers
  | Ping
  | GoTo
  | LetFloat
  | SpinMotor
  | EmergencyStop
  | Release
  | TakeSeat
  | Pause
  | Step
  | TimeScale
  | Rewind
  | Restart
  | SetPhysics
  | Reach
  | ChooseMachine;

export type Down =
  | Welcome
  | Scene
  | Status
  | Pong
  | Refused
  | Reached
  | StudyTold
  | Notice
  | Recording
  | Loading;
