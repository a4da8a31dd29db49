"""The server's middle: clients on one side, the physics process on the other.

Everything here runs in the event loop's thread, so that nothing needs a lock; what the physics
process says is handed over by its threads.
"""

from __future__ import annotations

import asyncio
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ..errors import ProtocolError
from ..jit import Background
from ..protocol import VERSION, read, unhandled, up
from ..protocol.down import (
    Dropped,
    Loading,
    Notice,
    Pong,
    Preparing,
    Refused,
    SceneInfo,
    SessionStatus,
    Status,
    StudyStatus,
    Welcome,
)
from ..sim import CLOSED, NOBODY
from ..workbench import COURSE_FILE, Standing
from .access import OPERATOR
from .allowance import Budget
from .cast import SceneChoice
from .client import TOO_SLOW, Client
from .faults import Chosen, Fault
from .messages import (
    Checkpoint,
    ClientReply,
    DriveFile,
    FrameReport,
    Leave,
    Order,
    OrderMessage,
    OrderReplaced,
    PhysicsEnded,
    PhysicsFailed,
    PlayFile,
    Report,
    SceneReport,
    SheetsReport,
    StopReleased,
)
from .physics import PhysicsProcess
from .preparing import DRIVING, DYNAMICS_NEED, STUDIES_NEED, Compiling, HeldMessage, Waiting, needed
from .seat import Seat, Sitter
from .settings import ServerSettings
from .shapes import shape_name
from .studies import Studies

MOST_CLIENTS = 64  # of each role
VIEWERS_A_SECOND, VIEWERS_AT_ONCE = 200.0, 100.0  # messages of all viewers together
CHECKED_EVERY = 0.5  # [s]
BUSY = 5e-3  # what physics said was waiting so long: this thread has too much to do [s]
MOST_SKIPPED = 5  # frames that viewers do without one after the other
ENDED = "physics ended"
COMPILING = "compiling what driving needs, which is kept for the next time"


class Hub:
    """Passes on what clients may say, and tells all of them what happens.

    Attributes:
        clients: by number.
        emergency: the emergency stop is latched.
        scene: what there is to be seen; `shapes` are its machines', as binary glTF, by name, and
            `sheets` what pages fetch of the one that is driven, as JSON.
        choice: what is driven, so that it can be begun anew.
        trouble: why physics ended; empty while it runs.
        studies: computations beside physics.
        compiling: kernels that were never used before, in the background.
        viewers: what all viewers together may say; operators' messages do not wait for it.
        listeners: hear everything that physics says, after the hub.
        greetings: what arriving clients are told besides.
    """

    def __init__(self, settings: ServerSettings, build: str, folder: Path) -> None:
        """Hold everything; `start` starts the physics process. Files live in `folder`."""
        self.build = build
        self.viewers = Budget(VIEWERS_A_SECOND, VIEWERS_AT_ONCE)
        self.clients: dict[int, Client] = {}
        self.seat = Seat()
        self.emergency = False
        self.scene: SceneInfo | None = None
        self._standing = b""  # packed
        self.shapes: dict[str, bytes] = {}
        self.sheets: dict[str, bytes] = {}
        self.trouble = ""
        self.frames = 0
        self._late, self._skipped = 0.0, 0
        self.listeners: list[Callable[[Report], None]] = []
        self.greetings: list[Callable[[], Any]] = []
        self._session_status: SessionStatus | None = None
        self._loading: Loading | None = Loading("starting physics", 0.0)
        self.choice: SceneChoice | None = None
        self._checkpoint: Checkpoint | None = None
        self._neutral = True
        self._released = 0  # how often the emergency stop had been pressed when it was released
        self._next = 0
        self._files: dict[str, asyncio.Future[Chosen]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self.compiling: Compiling = Background(self._hand_over_compiled)
        self._waiting = Waiting(self.compiling)
        self._prepared: Preparing | None = None  # what pages were told of that
        self._formulation = ""  # the last that was chosen
        self._begun = self.compiling.is_ready(DRIVING)  # else physics starts later
        choice = SceneChoice(settings.scene, settings.machine)
        self._dynamics = settings.dynamics
        dynamics = settings.dynamics and not self._waiting.lacks(DYNAMICS_NEED)
        self.physics = PhysicsProcess(choice, dynamics, self._hand_over, settings.reading)
        self._watching: asyncio.Task[None] | None = None
        self.studies = Studies(
            folder, self._tell_study, settings.reading,
            lambda: not self._waiting.lacks(STUDIES_NEED),
        )  # fmt: skip

    # ------------------------------------------------------------------ life

    async def start(self) -> None:
        """Start the physics process, or first of all what compiles for it."""
        self._loop = asyncio.get_running_loop()
        self._start_compiling()
        if self._begun:
            self._start_physics()
        self._watching = asyncio.create_task(self._watch())

    async def stop(self) -> None:
        """End the physics process and close all clients."""
        if self._watching is not None:
            self._watching.cancel()
        for client in list(self.clients.values()):
            client.close()
        ends = self.compiling.stop, self.physics.stop, self.studies.stop
        await asyncio.gather(*map(asyncio.to_thread, ends))

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(CHECKED_EVERY)
            try:
                self._tell_prepared()
                await asyncio.to_thread(self.physics.check)
            except Exception:  # no thread to be had, or a defect: the next look may do better
                traceback.print_exc(file=sys.stderr)

    # --------------------------------------------------------------- clients

    def arrive(self, client: Client) -> None:
        """Greet a client and show it everything."""
        self.clients[client.number] = client
        client.tell(Welcome(VERSION, self.build, client.number, client.role))  # type: ignore[arg-type]
        if client.role == OPERATOR:
            self.seat.arrive(self._sitter(client), time.monotonic())
        if self._loading is not None:
            client.tell(self._loading)
        if self.scene is not None:
            client.tell(self.scene)
        if self._prepared is not None:
            client.tell(self._prepared)
        for greeting in self.greetings:
            client.tell(greeting())
        self.tell_all()

    def has_room(self, role: str) -> bool:
        """Whether one more client of a role finds a place.

        An operator always does: of those who are there, the one who came first goes, but never
        the one in the seat.
        """
        alike = [client for client in self.clients.values() if client.role == role]
        if len(alike) < MOST_CLIENTS:
            return True
        if role != OPERATOR:
            return False
        first = next(client for client in alike if client.number != self.seat.client)
        self.clients.pop(first.number)
        first.close(TOO_SLOW)
        return True

    def leave(self, client: Client) -> None:
        """Forget a client; if it had the seat, levers are dead at once."""
        self.clients.pop(client.number, None)
        if self.seat.leave(client.number, time.monotonic()):
            self._empty_seat(CLOSED)
        self.tell_all()

    def number(self) -> int:
        """A number for the next client."""
        self._next += 1
        return self._next

    def hear(self, client: Client, text: str) -> None:
        """Do what a client's message says, or answer why not."""
        try:
            message = read(text)
        except ProtocolError as error:
            client.tell(Refused("message", str(error)))
            return
        if reason := self._refuses(client, message):
            client.tell(Refused(message.type, reason))
            return
        match message:
            case up.Hello():
                if message.version != VERSION:
                    client.tell(Notice("reload"))
            case up.Ping():
                client.tell(Pong(message.sent))
            case up.TakeSeat():
                self._take_seat(client)
            case up.EmergencyStop():
                self._press(client)
            case up.Release():
                self._release(client, message)
            case up.Levers():
                client.tell(Pong(message.sent))
                self._neutral = not any(message.levers.values())
                self._order(client, message)
            case up.Play():
                self._play(client, message)
            case up.Restart() | up.Rewind() if self._begun and not self.physics.alive:
                self._revive(self._checkpoint if isinstance(message, up.Rewind) else None)
            case _:
                self._order(client, message)

    def _refuses(self, client: Client, message: up.Up) -> str:
        """Why a client may not say that; empty if it may."""
        if isinstance(message, up.FOR_ALL):
            return ""
        if client.role != OPERATOR:
            return "viewers only watch, and may press the emergency stop"
        if isinstance(message, up.FOR_OPERATORS):
            return ""
        if self.seat.client != client.number:
            return "somebody else has the seat" if self.seat.client >= 0 else "take the seat first"
        return ""

    def _press(self, client: Client) -> None:
        """Latch the emergency stop: it goes past all orders that wait, and everybody is told."""
        if self.emergency:
            return
        self.emergency = True
        self.physics.press()
        self._send(client.number, up.EmergencyStop())  # wakes a process that waits for orders
        self.tell_all()

    def _send(self, client: int, message: OrderMessage) -> bool:
        """Pass an order on; False where physics does not take it."""
        return self.physics.order(Order(client, time.monotonic(), message, self.physics.pressed))

    def _order(self, client: Client, message: OrderMessage) -> None:
        if isinstance(message, up.SetPhysics):
            self._formulation = message.formulation or self._formulation
            if message.dynamics is False:
                self._waiting.forget(message.type)
        parts = needed(message, self._session_status, self._formulation)
        if self._waiting.lacks(parts):
            self._hold(client, message, parts)
        elif not self._send(client.number, message) and not isinstance(message, up.Levers):
            client.tell(Refused(message.type, self._why_not()))

    def _hold(self, client: Client, message: Any, parts: tuple[str, ...]) -> None:
        """Keep a message until what it needs is compiled, and tell everybody."""
        pressed = self.physics.pressed

        def do(message: Any) -> None:
            if client.number not in self.clients:
                return
            if reason := self._refuses(client, message):
                client.tell(Refused(message.type, reason))
            elif not self.physics.order(Order(client.number, time.monotonic(), message, pressed)):
                client.tell(Refused(message.type, self._why_not()))

        self._waiting.hold(
            HeldMessage(parts, message, do, lambda: client.tell(Dropped(message.type)))
        )
        self._tell_prepared()

    def _why_not(self) -> str:
        """Why physics does not take an order."""
        if self.physics.alive:
            return "too many orders wait: send fewer at once"
        if not self._begun:
            return "the machine is not there yet"
        return "the physics process does not answer"

    def _play(self, client: Client, message: up.Play) -> None:
        """Hand physics the course of a study: never numbers of the client."""
        study = self.studies.statuses.get(message.number)
        file = self.studies.place(message.number) / COURSE_FILE
        if study is None or study.state != "done" or not file.is_file():
            expected = "expected one that has planned a path"
            client.tell(Refused(message.type, f"study: found {message.number}, {expected}"))
            return
        self._order(client, PlayFile(message.number, str(file), message.speed, message.start))

    def _sitter(self, client: Client) -> Sitter:
        return Sitter(client.number, client.visitor.session)

    def _take_seat(self, client: Client) -> None:
        before = self.seat.take(self._sitter(client))
        if before != client.number:
            self._empty_seat(NOBODY)
            if before in self.clients:
                self.clients[before].tell(Notice("seat_lost"))
            client.tell(Notice("seat_taken"))
        self.tell_all()

    def _empty_seat(self, reason: str) -> None:
        self._neutral = True
        self._send(-1, Leave(reason))

    def _release(self, client: Client, message: up.Release) -> None:
        if not self._neutral:
            client.tell(Refused(message.type, "all levers must be neutral"))
            return
        self._order(client, message)  # physics answers when it is released

    def _revive(self, checkpoint: Checkpoint | None) -> None:
        """A new physics process after the old one ended."""
        self.trouble, self._session_status = "", None
        self._loading = Loading("starting physics", 0.0)
        self._answer_files("the physics process was started again")
        self._start_physics(checkpoint)
        self.tell_all()

    def _start_physics(self, checkpoint: Checkpoint | None = None) -> None:
        """Start the process; an emergency stop that is latched holds before it hears any lever."""
        last = 0 if self.scene is None else self.scene.number
        try:
            self.physics.start(self.choice, checkpoint, last, self._released)
        except OSError as error:
            self._end(f"the physics process cannot be started: {(error.strerror or '').lower()}")

    def _answer_files(self, text: str) -> None:
        """Tell those who wait for a machine that nothing comes of it."""
        for key, answer in self._files.items():
            if not answer.done():
                answer.set_result(Chosen(key, (Fault(text),)))

    async def drive_file(self, key: str, path: str) -> Chosen:
        """Drive a machine from a file; gives back what came of it."""
        answer: asyncio.Future[Chosen] = asyncio.get_running_loop().create_future()
        self._files[key] = answer
        try:
            if not self._send(-1, DriveFile(key, path)):
                return Chosen(key, (Fault(self._why_not()),))
            return await answer  # `_end` answers, too
        finally:
            del self._files[key]

    def _tell_study(self, status: StudyStatus) -> None:
        """Called in the studies' thread."""
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(self.broadcast, status)

    # ------------------------------------------------------------- compiling

    def _start_compiling(self) -> None:
        """Compile what was never compiled; where that cannot be, kernels compile when used."""
        if self.compiling.part:
            print(f"{COMPILING}; the rest follows", file=sys.stderr, flush=True)
        if self._dynamics and self._waiting.lacks(DYNAMICS_NEED):
            start = up.SetPhysics(dynamics=True)
            self._waiting.hold(HeldMessage(DYNAMICS_NEED, start, self._send_own, lambda: None))
        try:
            self.compiling.start()
        except OSError as error:
            print(f"compiling cannot be started: {error}", file=sys.stderr, flush=True)
            self.compiling.stop()

    def _send_own(self, message: Any) -> None:
        self._send(-1, message)

    def _hand_over_compiled(self) -> None:
        """Called in threads after each kernel."""
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(self._begin)

    def _begin(self) -> None:
        """Start physics and do what waited, as far as everything for it is compiled."""
        if not self._waiting.lacks((DRIVING,)) and not self._begun:
            self._begun = True
            self._loading = Loading("starting physics", 0.0)
            self.broadcast(self._loading)
            self._start_physics()
        self._waiting.proceed()
        self.studies.proceed()
        if not self.compiling.part:
            self._tell_prepared()

    def _tell_prepared(self) -> None:
        """Tell what is compiled now, if that has changed."""
        if not self.compiling.part and self._prepared is None:
            return
        told = self._waiting.told(*(("study",) if self.studies.waits else ()))
        if told == self._prepared:
            return
        self._prepared = told if told.part else None
        self.broadcast(told)
        if not self._begun:
            about = "" if told.seconds is None else f": about {told.seconds:.0f} s"
            self._loading = Loading(COMPILING + about, -1.0)
            self.broadcast(self._loading)

    # --------------------------------------------------------------- physics

    def _hand_over(self, said: Report) -> None:
        """Called in the physics process's threads."""
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(self._listen, said, time.monotonic())

    def _listen(self, said: Report, at: float) -> None:
        self._late = time.monotonic() - at
        self._handle(said)
        for listener in self.listeners:
            listener(said)

    def _handle(self, said: Report) -> None:
        match said:
            case FrameReport(frame, standing):
                self.frames += 1
                self._standing = standing
                self._offer(frame)
            case SessionStatus():
                self._session_status = said
                self.tell_all()
            case StopReleased(pressed):
                self._released = pressed
                self.emergency = pressed < self.physics.pressed
                self.tell_all()
            case OrderReplaced(order):
                self._drop(order)
            case Checkpoint():
                self._checkpoint = said
            case ClientReply(number, message):
                if number in self.clients:
                    self.clients[number].tell(message)
            case Loading():
                self._loading = said if said.part < 1.0 else None
                self.broadcast(said)
            case SheetsReport(sheets):
                self.sheets = sheets
            case SceneReport():
                self._show(said)
            case Chosen():
                if said.key in self._files and not self._files[said.key].done():
                    self._files[said.key].set_result(said)
            case PhysicsFailed(text):
                self._end(text)
            case PhysicsEnded(text):
                if not self.trouble:  # else the reason was told before
                    self._end(text)
            case _:
                unhandled(said, "server")

    def _offer(self, frame: bytes) -> None:
        """Give everybody a frame; viewers do without some while this thread has too much to do."""
        self._skipped = (
            0 if self._late < BUSY or self._skipped >= MOST_SKIPPED else self._skipped + 1
        )
        for client in self.clients.values():
            if client.role == OPERATOR or not self._skipped:
                client.offer(frame)

    @property
    def machine(self) -> str:
        """Name or path of the machine that is driven; empty before there is one."""
        return "" if self.choice is None else self.choice.machine

    @property
    def shape(self) -> bytes:
        """Shapes of the machine that is driven, as binary glTF; empty before there is one."""
        return b"" if self.scene is None else self.shapes[shape_name(self.scene.geometry)]

    def _show(self, said: SceneReport) -> None:
        self.scene, self.shapes, self.choice = said.scene, said.shapes, said.choice
        self._standing = b""
        self._checkpoint = None  # another machine's
        self.broadcast(said.scene)

    def _end(self, text: str) -> None:
        self.trouble = text
        print(f"physics: {text}", file=sys.stderr, flush=True)
        if self._loading is not None:
            self._loading = None
            self.broadcast(Loading("", 1.0))
        self._answer_files(text)
        self.tell_all()

    def _drop(self, order: Order) -> None:
        """Answer an order whose place another one took."""
        match order.message:
            case up.Levers():
                pass  # answered when they came
            case DriveFile(key=key):
                if key in self._files and not self._files[key].done():
                    fault = Fault("another machine was chosen meanwhile")
                    self._files[key].set_result(Chosen(key, (fault,)))
            case message if order.client in self.clients:
                self.clients[order.client].tell(Dropped(message.type))

    def health(self) -> dict[str, Any]:
        """How the server is, for whoever asks; `status` is "ok", or says what is not."""
        if self.trouble or (self._begun and not self.physics.alive):
            status = ENDED
        elif self._loading is not None or self._session_status is None:
            status = "loading"
        else:
            status = "stopped" if self._session_status.trouble else "ok"
        return {
            "status": status,
            "version": VERSION,
            "clients": len(self.clients),
            "frames": self.frames,
            "overruns": 0 if self._session_status is None else self._session_status.overruns,
            "ring_bytes": 0 if self._checkpoint is None else self._checkpoint.ring,
        }

    # --------------------------------------------------------------- telling

    def broadcast(self, message: Any) -> None:
        """Tell everybody something."""
        for client in self.clients.values():
            client.tell(message)

    def tell_all(self) -> None:
        """Send everybody the status."""
        status = self.status()
        if status is not None:
            for client in self.clients.values():
                client.tell_status(status)

    @property
    def standing(self) -> Standing | None:
        """How the driven unit stands in this scene's newest frame, exactly; None before."""
        return Standing.unpacked(self._standing) if self._standing else None

    @property
    def session_status(self) -> SessionStatus | None:
        """What physics knows of the session."""
        return self._session_status

    def status(self) -> Status | None:
        """All that changes now and then; None before physics has said anything."""
        if self._session_status is None and not self.trouble:
            return None
        session = asdict(self._session_status or NO_SESSION)
        roles = [client.role for client in self.clients.values()]
        return Status(
            **{
                **session,
                "trouble": self.trouble or session["trouble"],
                "emergency": self.emergency or session["emergency"],
            },
            alive=not self.trouble,
            seat=self.seat.client,
            operators=roles.count(OPERATOR),
            viewers=len(roles) - roles.count(OPERATOR),
        )


NO_SESSION = SessionStatus(
    paused=True, scale=1.0, dynamics=False, formulation="", reason="", integrator="", gravity=0.0,
    step=0.0, emergency=False, presence="no_operator", floating=(), targets={}, motors={},
    playing=None, oldest=0.0, newest=0.0, forgotten=False, overruns=0, trouble="", selected=(),
)  # fmt: skip
