// Drive a machine without Headframe: node client.mjs "http://localhost:8710/#operator=TOKEN"
// Node 22 or newer; Node 20: node --experimental-websocket client.mjs ...

const [MAGIC, VERSION, HEADER, BEAT] = [0x4d524648, 3, 72, 50];
const address = new URL(process.argv[2]);
const token = address.hash.split("=")[1];

// A token opens a session, whose cookie opens the socket; a page's browser does that by itself.
const opened = await fetch(new URL("/session", address), {
  method: "POST",
  body: JSON.stringify({ token }),
});
if (!opened.ok) throw new Error((await opened.json()).error);
const cookie = opened.headers.getSetCookie()[0].split(";")[0];
const socket = new WebSocket(`ws://${address.host}/ws`, { headers: { cookie } });
socket.binaryType = "arraybuffer";

const said = {}; // the newest message of each type
let time = 0;
let lengths = [];
socket.onmessage = ({ data }) => {
  if (typeof data === "string") {
    const message = JSON.parse(data);
    said[message.type] = message;
    return;
  }
  const view = new DataView(data);
  if (view.getUint32(0, true) !== MAGIC || view.getUint16(4, true) !== VERSION)
    throw new Error("this is no frame that I know");
  time = view.getFloat64(16, true);
  const [links, cylinders] = [view.getUint16(52, true), view.getUint16(54, true)];
  lengths = Array.from({ length: cylinders }, (_, i) =>
    view.getFloat32(HEADER + 4 * (7 * links + i), true),
  );
};
const say = (type, fields = {}) => socket.send(JSON.stringify({ type, ...fields }));

/** Hold levers, which also is the heartbeat, until something is so. */
async function hold(levers, until) {
  while (!until()) {
    say("levers", { levers, age: 0, present: true, sent: performance.now() });
    await new Promise((resume) => setTimeout(resume, BEAT));
  }
}

await new Promise((open) => (socket.onopen = open));
say("hello", { version: VERSION });
say("take_seat");
await hold({}, () => lengths.length && said.status?.presence === "");
const group = said.scene.machine.groups[0];
const [first, start, begun] = [group.cylinders[0], lengths, time];
const way = start[first] < (group.lower + group.upper) / 2 ? 0.5 : -0.5;
await hold({ [group.name]: way }, () => time > begun + 1);
console.log(`${group.name}: ${start[first].toFixed(4)} m to ${lengths[first].toFixed(4)} m`);
say("emergency_stop");
await hold({}, () => said.status.emergency);
say("release");
await hold({}, () => !said.status.emergency);
console.log("stopped and released");
socket.close();
