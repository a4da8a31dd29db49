"""Who stands in a scene: kinds of machines with their units, and what frames tell of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path

import numpy as np

from ..errors import CommandError, UnknownElementError
from ..machine import LoadOptions, Machine
from ..mechanism import Floats, Ints, Placing
from ..protocol import POSE, Units
from ..sim import GROUND, UPRIGHT, Obstacle, Setting
from ..spatial import quaternions_from_matrices
from ..staging import Staged, load_scene

FIRST_GUEST = "roadheader"  # where nobody says which machine
IN_TURN = 4  # units that a frame tells although they stand still


@dataclass(frozen=True, slots=True)
class SceneChoice:
    """What a physics process drives: enough to begin it anew.

    Attributes:
        scene: a name of the catalogue, or a path.
        guest: the machine at the guest's place, a name or a path; empty if there is none.
        driven: the stand that is driven; the scene's own choice if empty.
        machine: name or path of the machine that is driven.
        started: the scene that the server was started with; this one if empty.
    """

    scene: str = "tunnel"
    guest: str = ""
    driven: str = ""
    machine: str = ""
    started: str = ""


@dataclass(slots=True)
class Kind:
    """Machines of one kind.

    Attributes:
        name: of the stand.
        source: name or path of the machine.
        machine: what each of them is.
        bases: X_world_base of each, (n, 4, 4), in the machine's own up axis.
        units: their names.
        first: number of the first of them among all units of the scene.
        joints: positions of the joints of each while they are not driven, (n, nq).
        poses: of all links, as frames have them, (n, n_links, POSE).
    """

    name: str
    source: str
    machine: Machine
    bases: Floats
    units: tuple[str, ...]
    first: int
    joints: Floats
    poses: Floats

    @property
    def alone(self) -> bool:
        """One unit at the world's origin: nothing needs to be moved there."""
        return len(self.units) == 1 and np.array_equal(self.bases[0], np.eye(4))

    def numbers(self, names: Sequence[str] | None) -> list[int]:
        """Positions of units by name; of all for None."""
        if names is None:
            return list(range(len(self.units)))
        if not names:
            raise CommandError("units: found none, expected at least one")
        known = {name: n for n, name in enumerate(self.units)}
        for name in names:
            if name not in known:
                raise UnknownElementError(f"unit of {self.name!r}", name, self.units)
        return [known[name] for name in names]


class Cast:
    """All machines of a scene.

    Attributes:
        staged: the scene.
        guest: name or path of the machine at the guest's place; empty if there is none.
        kinds: of machines.
        driven: position in `kinds` of the one that is driven.
    """

    def __init__(self, choice: SceneChoice, reading: LoadOptions | None = None) -> None:
        """Load the scene and its machines, which are read with these options.

        Raises:
            MachineFileError: a file that cannot be used.
            UnknownSceneError, UnknownMachineError: none of that name.
            CommandError: a scene without room for a guest.
        """
        self._reading = reading or LoadOptions()
        self.staged: Staged = load_scene(choice.scene, self._reading)
        self.source = choice.scene
        self.kinds: list[Kind] = []
        scene = self.staged.scene
        for stand in scene.machines:
            machine = self.staged.machine(stand)
            self._add(stand.name, self.staged.source(stand), machine, stand.poses, stand.units)
        self.guest = choice.guest
        if not self.kinds and not self.guest:
            self.guest = FIRST_GUEST
        if self.guest:
            self._add_guest(self.guest)
        named = choice.driven or ("" if choice.guest or scene.driven is None else scene.driven.name)
        self.driven = self.position(named) if named else len(self.kinds) - 1
        self._turn = 0

    def _add_guest(self, source: str) -> None:
        place = self.staged.scene.guest
        if place is None:
            raise CommandError(
                f"the scene {self.staged.name!r} has no room for another machine: choose another "
                "scene"
            )
        machine, taken = self._reading.load(source), {kind.name for kind in self.kinds}
        others = (f"{machine.name} {n}" for n in count(2))
        name = next(name for name in chain([machine.name], others) if name not in taken)
        self._add(name, source, machine, place.pose[None], ("1",))

    def _add(
        self, name: str, source: str, machine: Machine, X_WB: Floats, units: tuple[str, ...]
    ) -> None:
        if machine.robot.up_axis == "y":
            X_WB = np.linalg.inv(UPRIGHT) @ X_WB @ UPRIGHT
        joints = np.repeat(machine.home.q[None], len(units), axis=0)
        poses = frame_poses(Placing(machine.mechanism).poses(joints, X_WB))
        first = sum(len(kind.units) for kind in self.kinds)
        self.kinds.append(Kind(name, source, machine, X_WB, units, first, joints, poses))

    @property
    def now(self) -> Kind:
        """The kind that is driven."""
        return self.kinds[self.driven]

    @property
    def count(self) -> int:
        """How many units there are."""
        return sum(len(kind.units) for kind in self.kinds)

    @property
    def choice(self) -> SceneChoice:
        """How to come back here."""
        return SceneChoice(self.source, self.guest, self.now.name, self.now.source)

    def position(self, stand: str) -> int:
        """Position of a kind by name."""
        names = [kind.name for kind in self.kinds]
        if stand not in names:
            raise UnknownElementError("machine of this scene", stand, names)
        return names.index(stand)

    def stand(self, position: int, joints: Floats) -> None:
        """Let the units of a kind stand with these joint positions, (n, nq)."""
        kind = self.kinds[position]
        if joints.shape != kind.joints.shape:
            return
        kind.joints = joints
        kind.poses = frame_poses(Placing(kind.machine.mechanism).poses(joints, kind.bases))

    def setting(self) -> Setting:
        """What is around the machines that are driven."""
        now, obstacles = self.now, []
        for kind in self.kinds:
            if kind is not now:
                for n, unit in enumerate(kind.units):
                    name = kind.name if len(kind.units) == 1 else f"{kind.name} {unit}"
                    joints, base = kind.joints[n], kind.bases[n]
                    obstacles.append(Obstacle(name, kind.machine, joints, base, kind.first + n))
        return Setting(self.staged, now.machine, now.name, now.units, now.first, tuple(obstacles))

    def members(self) -> tuple[str, ...]:
        """Names of all that contacts are told of, as `Setting` numbers them."""
        links = [link.name for link in self.now.machine.links]
        units = [
            kind.name if len(kind.units) == 1 else f"{kind.name} {unit}"
            for kind in self.kinds
            for unit in kind.units
        ]
        return (GROUND, *self.setting().things(), *links, *units)

    def place_unit(self, number: int, q: Floats, base: Floats) -> None:
        """A unit of the scene stands elsewhere: with these joints (nq,), at X_world_base (4, 4)."""
        for kind in self.kinds:
            n = number - kind.first
            if 0 <= n < len(kind.units):
                kind.joints[n], kind.bases[n] = q, base
                poses = Placing(kind.machine.mechanism).poses(q[None], base[None])
                kind.poses[n] = frame_poses(poses)[0]

    def crowd(
        self, moved: Ints, poses: Floats, others: Sequence[tuple[int, Floats]] = ()
    ) -> tuple[Units, ...]:
        """What a frame tells: units of the driven kind that moved, and a few others in turn.

        Args:
            moved: positions of units of the driven kind.
            poses: X_world_link of each, (n, n_links, 4, 4).
            others: numbers of other units that move, and X_world_link of each, (n_links, 4, 4).
        """
        if self.count == 1:
            return ()
        kind, found = self.now, []
        for number, X_WL in others:
            theirs = next(each for each in self.kinds if number < each.first + len(each.units))
            theirs.poses[number - theirs.first] = frame_poses(X_WL)
            found.append(Units(np.array([number]), theirs.poses[number - theirs.first][None]))
        if len(moved):
            kind.poses[moved] = frame_poses(poses)
            found.append(Units(kind.first + moved, kind.poses[moved]))
        for _ in range(IN_TURN):
            self._turn = (self._turn + 1) % self.count
            for other in self.kinds:
                n = self._turn - other.first
                if 0 <= n < len(other.units):
                    found.append(Units(np.array([self._turn]), other.poses[n : n + 1]))
        return tuple(found)


def frame_poses(X: Floats) -> Floats:
    """Poses (..., 4, 4) as frames have them, (..., POSE): place and unit quaternion."""
    found = np.empty((*X.shape[:-2], POSE))
    found[..., :3] = X[..., :3, 3]
    found[..., 3:] = quaternions_from_matrices(X[..., :3, :3])
    return found


def file_stem(source: str) -> str:
    """How a machine's name or path is told to people: without its folders."""
    return Path(source).stem
