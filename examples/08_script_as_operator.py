"""Start the simulator and drive its machine by a script, over the socket that the page uses.

Whoever opens the address that is printed sees it move. Writes operator.csv: time and lengths.
"""

import argparse
import json
import struct
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

from websockets.sync.client import connect

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--folder", type=Path, default=Path(), help="where the table goes")
file = parser.parse_args().folder / "operator.csv"
HEADER = struct.Struct("<IHHIIdddffIHHHHIHHI")  # of a frame; the page "Protocol" has its fields
said, rows = {}, []  # the newest message of each type; time [s] and lengths [m] of every frame


def take(data):
    """Keep what the server sends: a message as JSON, or a frame of numbers."""
    if isinstance(data, str):
        message = json.loads(data)
        said[message["type"]] = message
    else:
        head = HEADER.unpack_from(data)
        poses, cylinders = head[11:13]  # a pose has seven numbers of four bytes
        lengths = struct.unpack_from(f"<{cylinders}f", data, HEADER.size + 28 * poses)
        rows.append((head[5], *lengths))


def hold(levers, until):
    """Hold levers until something is so; an operator who says nothing is taken for asleep."""
    while not until():
        beat = time.monotonic() + 0.05
        say("levers", levers=levers, age=0.0, present=True, sent=1000 * time.monotonic())
        while (left := beat - time.monotonic()) > 0:
            with suppress(TimeoutError):
                take(socket.recv(timeout=left))


def say(kind, **fields):
    """Send a message."""
    socket.send(json.dumps({"type": kind, **fields}))


command = [sys.executable, "-m", "headframe", "run", "lhd", "--port", "0", "--no-browser"]
server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
try:
    address = urlsplit(server.stdout.readline().strip())  # the operator's, with its token
    print("for viewers:", server.stdout.readline().strip())
    token = {"Authorization": f"Bearer {address.fragment.partition('=')[2]}"}
    with connect(f"ws://{address.netloc}/ws", additional_headers=token) as socket:
        say("hello", version=3)
        say("take_seat")
        hold({}, lambda: rows and "status" in said and not said["status"]["presence"])
        names = [cylinder["name"] for cylinder in said["scene"]["machine"]["cylinders"]]
        for group, lever in (("lift", 1.0), ("slide", -1.0), ("lift", -0.5)):
            begun, column = rows[-1], 1 + names.index(group)
            hold({group: lever}, lambda since=begun[0]: rows[-1][0] > since + 0.5)
            print(f"{group}: {begun[column]:.3f} m to {rows[-1][column]:.3f} m by lever {lever:+}")
finally:
    server.terminate()
    server.communicate(timeout=20)
table = [",".join(["time", *names]), *(",".join(f"{x:.5f}" for x in row) for row in rows)]
file.write_text("\n".join(table) + "\n")
print(f"wrote {file}: {len(rows)} frames")
