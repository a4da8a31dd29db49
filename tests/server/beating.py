"""A client that holds a lever until it is stopped: python beating.py ADDRESS TOKEN GROUP."""

import json
import sys
import threading
import time

from websockets.sync.client import connect

address, token, group = sys.argv[1:]
with connect(address, additional_headers={"Authorization": f"Bearer {token}"}) as socket:

    def read():
        for _ in socket:
            pass

    threading.Thread(target=read, daemon=True).start()
    socket.send(json.dumps({"type": "take_seat"}))
    started = time.monotonic()
    while True:
        levers = {} if time.monotonic() - started < 0.5 else {group: 1.0}
        beat = {"type": "levers", "levers": levers, "age": 0.0, "present": True, "sent": 0.0}
        socket.send(json.dumps(beat))
        time.sleep(0.05)
