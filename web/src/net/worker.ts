/** The network, in a thread of its own: one socket, and the heartbeat. */

import { VERSION, type Down, type Up } from "../protocol/generated";
import { BEAT, Heartbeat } from "./heartbeat";
import type { FromWorker, ToWorker } from "./messages";

const PING = 1000; // [ms]
const here = self as unknown as DedicatedWorkerGlobalScope;
const heartbeat = new Heartbeat(performance.now());
let socket: WebSocket | null = null;
let holding = false;
let next = ""; // address to connect to when the present socket has closed

function tell(message: FromWorker, moved: Transferable[] = []): void {
  here.postMessage(message, moved);
}

function send(message: Up): void {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

/** Pass a message on; answers to the heartbeat tell how long the way is. */
function take(message: Down): void {
  if (message.type === "pong")
    tell({ kind: "latency", milliseconds: performance.now() - message.sent });
  else tell({ kind: "message", message });
}

/** Connect; a socket that is open is closed first, so that there is one at a time. */
function open(address: string): void {
  if (socket === null) {
    connect(address);
    return;
  }
  next = address;
  socket.close();
}

function connect(address: string): void {
  const made = new WebSocket(address);
  made.binaryType = "arraybuffer";
  socket = made;
  made.onopen = () => {
    send({ type: "hello", version: VERSION });
    tell({ kind: "opened" });
  };
  made.onmessage = ({ data }) => {
    if (typeof data === "string") take(JSON.parse(data) as Down);
    else tell({ kind: "frame", data }, [data]);
  };
  made.onclose = ({ code }) => {
    socket = null;
    holding = false;
    if (next === "") return tell({ kind: "closed", code });
    connect(next);
    next = "";
  };
}

here.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  switch (data.kind) {
    case "open":
      open(data.address);
      break;
    case "send":
      send(data.message);
      break;
    case "turn":
      heartbeat.turn(performance.now(), data.levers, data.present);
      break;
    case "hold":
      holding = data.on;
  }
};

setInterval(() => {
  if (holding) send(heartbeat.beat(performance.now()));
}, BEAT);

setInterval(() => {
  if (!holding) send({ type: "ping", sent: performance.now() });
}, PING);
