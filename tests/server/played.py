"""The server's application in this process, with a physics process that is only played."""

from __future__ import annotations

import tempfile
from contextlib import asynccontextmanager
from multiprocessing import Pipe
from threading import Thread

from headframe.protocol import up
from headframe.server.access import Access
from headframe.server.app import make_app
from headframe.server.exporting import ExportedFile
from headframe.server.faults import Chosen, Fault
from headframe.server.messages import DriveFile, Order
from headframe.server.routes import export, session
from headframe.server.settings import ServerSettings
from headframe.server.worker import Worker
from headframe.sim.pacer import TICK
from headframe.sim.session import Physics

NO_MACHINE = Fault("found nothing, expected a machine", "links[0]", "", 3, None)


def said_by_physics(machine="door", ticks=3):
    """What a physics process says of a machine: its scene, sheets and first frames."""
    ours, theirs = Pipe()
    said = []

    def listen():
        while (one := ours.recv()) is not None:
            said.append(one)

    thread = Thread(target=listen, daemon=True)
    thread.start()
    worker = Worker(theirs, machine, "tunnel", Physics())
    worker.load(worker.name, worker.first)
    for tick in range(1, ticks + 1):
        worker.follow(Order(1, 50.0 + tick * TICK, up.Levers({}, 0.0, True, 0.0)))
        worker.tick(50.0 + tick * TICK)
    theirs.send(None)
    thread.join(20.0)
    return said


class PlayedPhysics:
    """Takes every order, and answers to every second file that it cannot be read."""

    alive, pressed = True, 0

    def __init__(self, hub):
        self.hub, self.files = hub, 0

    def press(self):
        self.pressed += 1

    def order(self, order):
        if isinstance(order.message, DriveFile):
            self.files += 1
            problems = (NO_MACHINE,) if self.files % 2 else ()
            self.hub._handle(Chosen(order.message.key, problems, ("a note",)))
        return True


def played_app(folder, said, monkeypatch):
    """An application that drives a machine, and its tokens; nothing in it takes time."""
    monkeypatch.setattr(session, "WRONG_PAUSE", 0.0)
    monkeypatch.setattr(tempfile, "tempdir", str(folder))  # where the server keeps its files

    async def made(_machine, form, _reading):
        if form.name == "urdf":
            return ExportedFile(trouble="it cannot be")
        return ExportedFile(f"door{form.suffixes[0]}", b"{}", form.media_type)

    monkeypatch.setattr(export, "export_in_process", made)
    access = Access(8710)
    app = make_app(ServerSettings(recordings=folder / "recordings"), access)
    hub = app.state.hub
    hub.physics = PlayedPhysics(hub)
    hub.studies._send = lambda task: None

    @asynccontextmanager
    async def no_life(_app):
        yield

    app.router.lifespan_context = no_life
    for one in said:
        hub._handle(one)
    return app, access
