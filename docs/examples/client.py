"""Drive a machine without Headframe: python client.py "http://localhost:8710/#operator=TOKEN"."""

import json
import struct
import sys
import time
from contextlib import suppress
from urllib.parse import urlsplit

from websockets.sync.client import connect

HEADER = struct.Struct("<IHHIIdddffIHHHHIHHI")
MAGIC, VERSION, BEAT = 0x4D524648, 3, 0.05
said = {}  # the newest message of each type
frame = {"time": 0.0, "lengths": ()}  # what we need of the newest frame


def say(kind, **fields):
    """Send a message."""
    socket.send(json.dumps({"type": kind, **fields}))


def take(data):
    """Keep what the server sends: a message, or a frame."""
    if isinstance(data, str):
        message = json.loads(data)
        return said.update({message["type"]: message})
    head = HEADER.unpack_from(data)
    if head[:2] != (MAGIC, VERSION):
        sys.exit("this is no frame that I know")
    lengths = struct.unpack_from(f"<{head[12]}f", data, HEADER.size + 4 * 7 * head[11])
    frame.update(time=head[5], lengths=lengths)


def hold(levers, until):
    """Hold levers, which also is the heartbeat, until something is so."""
    while not until():
        now = time.monotonic()
        say("levers", levers=levers, age=0.0, present=True, sent=1000 * now)
        while (left := now + BEAT - time.monotonic()) > 0:
            with suppress(TimeoutError):
                take(socket.recv(timeout=left))


address = urlsplit(sys.argv[1])
headers = {"Authorization": f"Bearer {address.fragment.partition('=')[2]}"}
with connect(f"ws://{address.netloc}/ws", additional_headers=headers, compression=None) as socket:
    say("hello", version=VERSION)
    say("take_seat")
    hold({}, lambda: frame["lengths"] and "status" in said and not said["status"]["presence"])
    group = said["scene"]["machine"]["groups"][0]
    first, start, begun = group["cylinders"][0], frame["lengths"], frame["time"]
    way = 0.5 if start[first] < (group["lower"] + group["upper"]) / 2 else -0.5
    hold({group["name"]: way}, lambda: frame["time"] > begun + 1.0)
    print(f"{group['name']}: {start[first]:.4f} m to {frame['lengths'][first]:.4f} m")
    say("emergency_stop")
    hold({}, lambda: said["status"]["emergency"])
    say("release")
    hold({}, lambda: not said["status"]["emergency"])
    print("stopped and released")
