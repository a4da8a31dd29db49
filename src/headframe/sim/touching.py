"""`Touching`: a machine in a world, with all that is around it, as a session drives it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..actuation import Command, locked
from ..checks import instance
from ..description import triangles_of
from ..jit import Records
from ..machine import Machine
from ..mechanism import Floats, Ints, State
from ..protocol import STRONGEST
from ..spatial import invert
from .forced import ForceReadings, told_energies
from .formulations import FORMULATIONS
from .nearness import LinkBoxes, Nearness, lowest
from .ring import size_of
from .setting import GROUND, Obstacle, Setting
from .simulation import Simulation
from .world import SavedWorld, World
from .world_members import WorldMachine

PLANE = {"type": "plane"}
FREE = 7  # positions of a free joint


def why_not(machine: Machine, formulation: str) -> str:
    """Why a machine cannot be in a world by a formulation; empty if it can."""
    if formulation in FORMULATIONS and not FORMULATIONS[formulation].touches:
        return f"{formulation} knows no contacts"
    if machine.robot.up_axis != "z":
        return "its file has y up"
    return ""


@dataclass(frozen=True, slots=True, eq=False)
class SavedTouching:
    """State of a `Touching`, to go back to, and its bytes."""

    world: SavedWorld
    own_bytes: int


class Touching(ForceReadings):
    """A machine under forces that stands among things and other machines; see `Mover`.

    Machines whose file says "free" stand on the ground and can be pushed. All others stay where
    they are, in the way: those that are not driven do not move at all. Energies are those of the
    world: of all that moves.

    Of other machines count those that are no farther away than the box about this one is wide, from
    corner to corner; where there are loose bodies, all do, since a body may go anywhere. What of
    them begins deep in something else is passed through. The ground is the plane z = 0, or lies
    lower where this machine does so at home and is not free.

    Attributes:
        machine: what is driven.
        world: where it is.
        others: numbers in the scene of machines that are not driven and may move, in their order.
    """

    def __init__(
        self, setting: Setting, formulation: str, integrator: str | None, step: float,
        gravity: float, start: State, velocity: Floats | None, bodies: Floats,
    ) -> None:  # fmt: skip
        """Put a machine among what is around it.

        Args:
            setting: what is driven, and what is around it.
            formulation: "auto", "embedded" or "constrained".
            integrator: None takes the formulation's own.
            step: [s].
            gravity: downwards [m/s^2].
            start: where it starts, and stands.
            velocity: of the tree with which it starts, (nv,); at rest if None.
            bodies: X_world_body of all loose bodies, (n, 4, 4), which are at rest.

        Raises:
            StateError: something of the scene begins deep in something else.
        """
        self.machine, self._setting = setting.machine, setting
        machine = self.machine
        self.is_free = machine.robot.base == "free"
        self._ground = 0.0 if self.is_free else _ground_below(machine, start.base)
        self._boxes: dict[int, LinkBoxes] = {}  # by the identity of a machine
        self._units: dict[str, int] = {}  # numbers of the other units in the scene, by name
        self.world = world = World(step=step, gravity=gravity)
        world.add_static(GROUND, PLANE, at=(0.0, 0.0, self._ground))
        world.add_things(setting.staged, bodies)
        self._driven = self._add(setting.name, machine, start, formulation, integrator, velocity)
        near = self._near(start, bodies)
        free = [each for each in near if each.is_free]
        self.others = np.array([each.number for each in free], dtype=np.int64)
        self._others = [(each.machine, self._add_other(each)) for each in free]
        boxes = self._add_obstacles([each for each in near if not each.is_free])
        self.formulation, self.integrator = self._driven.formulation, self._driven.integrator
        self.reason = self._driven.reason
        self._members = self._numbers()
        alone = not (len(bodies) or free or self.is_free)
        self._nearness = self._make_nearness(boxes) if alone else None
        self._is_clear = False  # whether it was so in the last steps

    # --------------------------------------------------------------- members

    def _boxes_of(self, machine: Machine) -> LinkBoxes:
        """Boxes about a machine's links, made once."""
        if id(machine) not in self._boxes:
            self._boxes[id(machine)] = LinkBoxes(machine)
        return self._boxes[id(machine)]

    def _near(self, start: State, bodies: Floats) -> list[Obstacle]:
        """Machines that count."""
        if len(bodies):
            return list(self._setting.obstacles)
        poses = np.array([start.pose(link.name) for link in self.machine.links])
        own = self._boxes_of(self.machine).at(poses)
        if not len(own):
            return []
        low, high = own[:, 0].min(axis=0), own[:, 1].max(axis=0)
        reach = float(np.linalg.norm(high - low))
        found = []
        for each in self._setting.obstacles:
            theirs = self._boxes_of(each.machine).at(each.poses())
            if (
                len(theirs)
                and (
                    (theirs[:, 0].min(axis=0) < high + reach)
                    & (low - reach < theirs[:, 1].max(axis=0))
                ).all()
            ):
                found.append(each)
        return found

    def _add(
        self, name: str, machine: Machine, start: State, formulation: str,
        integrator: str | None, velocity: Floats | None,
    ) -> WorldMachine:  # fmt: skip
        """A machine that moves."""
        placed = start
        if machine.robot.base == "free":
            q = np.append(machine.freed.home.q[:FREE], start.q)
            placed = State(machine.freed.mechanism, q)
        return self.world.add(
            machine, self._unused(name), start.base, formulation=formulation,
            integrator=integrator, start=placed, velocity=velocity,
        )  # fmt: skip

    def _add_other(self, other: Obstacle) -> WorldMachine:
        """A machine that is not driven, but stands free."""
        machine = other.machine
        start = State(machine.mechanism, other.q, other.base)
        added = self._add(other.name, machine, start, "auto", None, None)
        motors = [motor.name for motor in machine.robot.joint_drives]
        added.command(dict.fromkeys((*machine.robot.group_names, *motors), locked()))
        self._units[added.name] = other.number
        return added

    def _add_obstacles(self, obstacles: list[Obstacle]) -> Floats:
        """Machines that stand still; upright boxes of all that does, (n, 2, 3)."""
        poses, names = [each.poses() for each in obstacles], []
        leave_out: dict[str, set[str]] = {}
        for each, X_WL in zip(obstacles, poses, strict=True):
            names.append(name := self._unused(each.name))
            leave_out[name], self._units[name] = set(), each.number
            self.world.add_obstacle(name, each.machine, X_WL, leave_out[name])
        while changed := self._buried(leave_out):
            for name, each, X_WL in zip(names, obstacles, poses, strict=True):
                if name in changed:
                    self.world.remove(name)
                    self.world.add_obstacle(name, each.machine, X_WL, leave_out[name])
        boxes = [
            self._boxes_of(each.machine).at(X) for each, X in zip(obstacles, poses, strict=True)
        ]
        return np.concatenate([np.zeros((0, 2, 3)), *boxes, *self._static_boxes()])

    def _buried(self, leave_out: dict[str, set[str]]) -> set[str]:
        """Leave out links of obstacles that begin deep in something; names of these obstacles."""
        changed = set()
        for one, other, _, _ in self.world.deep_pairs():
            for owner in (one, other):
                name, _, link = owner.partition("/")
                if name in leave_out:
                    leave_out[name].add(link)
                    changed.add(name)
        return changed

    def _static_boxes(self) -> list[Floats]:
        """Upright boxes of what stands fast in the scene."""
        staged, found = self._setting.staged, []
        for static in staged.scene.statics:
            for shape in static.shapes:
                X_WS = static.at.pose @ shape.pose
                points = triangles_of(shape.geometry, staged.folder)[0] @ X_WS[:3, :3].T
                points += X_WS[:3, 3]
                found.append(np.array([[points.min(axis=0), points.max(axis=0)]]))
        return found

    def _unused(self, name: str) -> str:
        """A name that the world does not have yet; machines may be called as things are."""
        name = name.replace("/", " ")
        return self._unused(name + "'") if name in self.world.names else name

    def _numbers(self) -> Ints:
        """Of every shape of the world the number of its owner among the scene's members."""
        setting, links = self._setting, self.machine.robot.link_index
        things = {name: n for n, name in enumerate((GROUND, *setting.things()))}
        numbers = []
        for owner in self.world.owners:
            name, _, link = owner.partition("/")
            if not link:
                numbers.append(things[name])
            elif name == self._driven.name:
                numbers.append(setting.first_link + links[link])
            else:
                numbers.append(setting.first_unit + self._units[name])
        return np.array(numbers, dtype=np.int64)

    def _make_nearness(self, boxes: Floats) -> Nearness:
        freedoms = self._driven.model.near.freedom_of_link
        names = [link.name for link in self.machine.links]
        moves = [n for n, name in enumerate(names) if freedoms[name] >= 0]
        return Nearness(self.machine, moves, boxes, self._ground)

    # ------------------------------------------------------------------ state

    @property
    def moved(self) -> Simulation:
        """The machine in motion."""
        return self._driven

    @property
    def touching(self) -> Touching:
        """Itself."""
        return self

    @property
    def state(self) -> State:
        """Poses, lengths and joints of what is driven."""
        return _standing(self.machine, self._driven) if self.is_free else self._driven.state

    def save(self) -> SavedTouching:
        """Everything that the motion goes on from, bodies and what contacts remember included."""
        saved = self.world.save()
        own = size_of(saved) + sum(size_of(each) for each in saved.machines.values())
        return SavedTouching(saved, own)

    def restore(self, saved: object) -> None:
        """Back to what `save` gave."""
        self._is_clear = False
        self.world.restore(instance("saved", saved, SavedTouching, "what `save` gave").world)

    # ----------------------------------------------------------------- motion

    def command(self, commands: Mapping[str, Command]) -> None:
        """Tell cylinders and motors what to do from now on; what is refused changes nothing."""
        self._driven.command(commands)

    def step(self, n: int = 1) -> None:
        """Make n substeps.

        A machine that is clear of everything makes them by itself, which a world would do just so.
        """
        if self._nearness is None or len(self.world.contact_records):
            self.world.step(n)
            return
        before = self.poses()
        if self._is_clear or self._nearness.is_clear(before, before):
            saved = self._driven.save()
            Simulation.step(self._driven, n)
            self._is_clear = self._nearness.is_clear(before, self.poses())
            if self._is_clear:
                return
            self._driven.restore(saved)
        self.world.step(n)

    # --------------------------------------------------------------- readings

    def poses(self) -> Floats:
        """X_world_link of all links in the order of the file, (n_links, 4, 4)."""
        poses = self._driven.poses()
        return poses[1:] if self.is_free else poses  # without the ground that it stood on

    def body_poses(self) -> Floats:
        """X_world_body of all loose bodies, (n, 4, 4)."""
        return self.world.body_poses()

    def other_poses(self) -> list[Floats]:
        """X_world_link of the links of each of `others`, (n_links, 4, 4)."""
        return [free.poses()[1:] for _, free in self._others]

    def other_states(self) -> dict[int, tuple[Floats, Floats]]:
        """Joint positions (nq,) and X_world_base (4, 4) of the `others`, by number."""
        states = (_standing(machine, free) for machine, free in self._others)
        found = ((state.q, state.base) for state in states)
        return dict(zip(self.others.tolist(), found, strict=True))

    def contacts(self) -> Floats:
        """The strongest contacts, the strongest first, (n, CONTACTS.width).

        As frames have them; a and b are numbers of the scene's members.
        """
        found: Records = self.world.contact_records
        forces = np.array(found["force"]).reshape(-1, 3)
        sizes = np.linalg.norm(forces, axis=1)
        chosen = np.argsort(-sizes, kind="stable")[:STRONGEST]
        chosen = chosen[sizes[chosen] > 0.0]
        some, touch = found[chosen], found[chosen]["touch"]
        members = self._members[np.column_stack([touch["a"], touch["b"]]).astype(np.int64)]
        told = (touch["point"], touch["normal"], some["force"], some["slides"] == 0, members)
        return np.column_stack([np.asarray(part, dtype=np.float64) for part in told])

    def energies(self) -> Floats:
        """Kinetic, potential, what drives did, and the balance of the world [J], (4,)."""
        return told_energies(self.world.energy())


def _ground_below(machine: Machine, base: Floats) -> float:
    """Height of the ground: 0, or where a machine stands lower at X_world_base."""
    home = machine.home.moved(base)
    poses = np.array([home.pose(link.name) for link in machine.links])
    return min(0.0, lowest(machine, poses))


def _standing(machine: Machine, free: WorldMachine) -> State:
    """How a machine that is free in a world stands, as one that is not."""
    mechanism, root = machine.mechanism, machine.links[machine.topology.root].name
    q = free.q[FREE : FREE + mechanism.q_zero.size].copy()
    return State.solved(mechanism, q, free.pose(root) @ invert(machine.home.pose(root)))
