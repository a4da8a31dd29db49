"""`World`: machines and loose bodies that stand, touch, push and fall."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..checks import choice, flag, instance, number, numbers, refuse, whole
from ..contact import inertial_of
from ..description import CollisionShape, ContactMaterial
from ..dynamics import WorldEngine, WorldParts
from ..dynamics.kernels import CARRIER, JOINED, LOOSE
from ..errors import DynamicsError, StateError, UnknownElementError
from ..jit import Record, Records, as_records, new_records
from ..machine import Machine
from ..mechanism import GRAVITY, Floats, checked_vector
from ..spatial import checked_pose, compose, invert
from ..staging import Staged, load_scene
from .readings import Energy
from .simulation import AT_ONCE, MOST_STEPS, checked_step
from .world_engines import world_formulation
from .world_joints import JOINT_PLACES, WorldJoint
from .world_members import (
    Surface,
    WorldBody,
    WorldContact,
    WorldMachine,
    WorldMember,
    WorldObstacle,
    WorldStatic,
    WorldSweeps,
    poses_of,
)
from .world_shapes import (
    GroundPlane,
    ShapesLike,
    ShapeTable,
    material_from,
    reaches,
    read_shapes,
)

UP = np.array([0.0, 0.0, 1.0])
BASES = ("fixed", "free")
LEAST_MASS = 1e-9  # [kg]
HALVINGS = 5  # of a step whose contacts do not settle
DEEPEST = 0.1  # of the smaller shape's size: how deep in something else a member may begin


@dataclass(frozen=True, eq=False)
class SavedWorld:
    """A world's state, to go back to."""

    members: tuple[str, ...]
    state: Floats
    machines: dict[str, Any]


class World:
    """Machines, loose bodies and things that stand still, under gravity.

    What is near to something else moves by an implicit step, or by impulses if the formulation says
    so, all else by its own integrator. Two worlds of the same inputs have bit-identical states, on
    one machine and build.

    Attributes:
        step_size: [s].
        gravity: (3,) [m/s^2], world axes.
    """

    def __init__(
        self,
        scene: str | os.PathLike[str] | Staged | None = None,
        step: float = 1e-3,
        gravity: float | ArrayLike = GRAVITY,
        sleeping: bool = True,
        formulation: str = "auto",
        **options: Any,
    ) -> None:
        """Begin with nothing, or with what a scene has.

        Args:
            scene: a name, a file, or what `load_scene` gives: its machines, bodies and statics, on
                a ground, the plane z = 0.
            step: [s].
            gravity: downwards [m/s^2], or a vector in world axes, (3,).
            sleeping: whether loose bodies that lie still sleep, until something comes near; with
                impulses they never do.
            formulation: "auto" for implicit steps with elastic contacts; "simgc" or "simmc" for
                rigid contacts and sequential impulses, by which all members move then.
            **options: of these: `tolerance` [N s, N m s], `iterations`, `beta`.

        Raises:
            StateError: an argument that is none of these.
            UnknownSceneError: no scene of that name.
            MachineFileError: a scene or machine file with something wrong in it.
        """
        self.step_size = checked_step(step)
        self.gravity: Floats = (
            -number("gravity", gravity) * UP
            if isinstance(gravity, int | float)
            else checked_vector(gravity, 3, "gravity")
        )
        self._sleeping = flag("sleeping", sleeping)
        self._formulation = world_formulation(formulation)
        self._options = self._formulation.checked(options)
        self._machines: dict[str, WorldMachine] = {}
        self._bodies: dict[str, WorldBody] = {}
        self._standing: dict[str, WorldStatic | WorldObstacle] = {}
        self._joints: dict[str, WorldJoint] = {}
        self._fresh: dict[str, Record] = {}  # LOOSE of the bodies with which an engine begins
        self._new: set[str] = set()  # members that have come since the last step
        self._stale = False  # whether the engine is one of other members
        self._balance = self._start = 0.0  # of the ledger [J]
        self._owners: list[tuple[str, int]] = []  # of every shape: name, and which of its shapes
        self._places: list[tuple[str, int]] = []  # the same of every place of a joint
        self._engine = self._new_engine()
        if scene is not None:
            self._add_scene(scene if isinstance(scene, Staged) else load_scene(scene))

    # ------------------------------------------------------------------ members

    def add(
        self, machine: Machine, name: str | None = None, at: ArrayLike | None = None,
        base: str | None = None, formulation: str = "auto", **options: Any,
    ) -> WorldMachine:  # fmt: skip
        """Put a machine into the world.

        Args:
            machine: such as `headframe.load` gives.
            name: in the world; the machine's own if None.
            at: X_world_base, (4, 4); at the origin if None.
            base: "free" to stand and move on what is there, "fixed" to stay; what the file says
                if None.
            formulation: "auto", "embedded" or "constrained"; in a world of impulses the world's.
            **options: of `Simulation`: integrator, start, velocity, coordinates, repair.

        Returns:
            All that a `Simulation` has, but for its time.
        """
        instance("machine", machine, Machine, "a Machine, such as load(...) gives")
        own = self._new_name(machine.name if name is None else name)
        X_WB = np.eye(4) if at is None else checked_pose(at, "at")
        kind = machine.robot.base if base is None else choice("base", base, BASES)
        formulation = self._formulation.of_machine(formulation)
        moved = machine.freed if kind == "free" else machine
        one = WorldMachine(
            self, own, moved, X_WB, formulation=formulation, step=self.step_size,
            gravity=self.gravity, **{**self._options, **options},
        )  # fmt: skip
        self._about_to_change()
        self._machines[own] = one
        self._new.add(own)
        return one

    def add_body(
        self, name: str, shapes: ShapesLike, mass: float, at: ArrayLike | None = None,
        material: str | ContactMaterial = "steel", velocity: ArrayLike | None = None,
        folder: str | os.PathLike[str] | None = None,
    ) -> WorldBody:  # fmt: skip
        """Put a loose body into the world.

        Args:
            name: in the world.
            shapes: one or several, as in machine files: {"type": "box", "x": 1, "y": 1, "z": 1};
                its mass is spread evenly over them.
            mass: [kg].
            at: X_world_body, (4, 4), or a place, (3,); at the origin if None.
            material: of shapes that name none.
            velocity: angular, then that of its origin, world axes, (6,); at rest if None.
            folder: where its mesh files are.
        """
        own = self._new_name(name)
        surfaces = self._surfaces(own, shapes, material)
        size = number(f"{own}: mass", mass, least=LEAST_MASS, unit="kg")
        solid = [shape for shape, _ in surfaces if isinstance(shape, CollisionShape)]
        where = _folder(folder)
        body = WorldBody(
            self, own, surfaces, inertial_of(solid, size, folder=where, place=own), where
        )
        moves = np.zeros(6) if velocity is None else checked_vector(velocity, 6, "velocity")
        return self._take(body, _placed(at), moves)

    def _take(self, body: WorldBody, X_WL: Floats, velocity: Floats) -> WorldBody:
        """Take a body into the world."""
        record = new_records(1, LOOSE)
        body.put(record[0], X_WL, velocity)
        self._about_to_change()
        self._bodies[body.name], self._fresh[body.name] = body, record[0]
        self._new.add(body.name)
        return body

    def add_static(
        self, name: str, shapes: ShapesLike, at: ArrayLike | None = None,
        material: str | ContactMaterial = "ground",
        folder: str | os.PathLike[str] | None = None,
    ) -> None:  # fmt: skip
        """Put something into the world that stands still: shapes as for `add_body`, or a plane.

        {"type": "plane"} is all below its z = 0. `folder` is where mesh files are.
        """
        own = self._new_name(name)
        surfaces = self._surfaces(own, shapes, material, plane=True)
        self._stand(WorldStatic(own, surfaces, _placed(at), _folder(folder)))

    def _stand(self, static: WorldStatic | WorldObstacle) -> None:
        """Take something that stands still into the world."""
        self._about_to_change()
        self._standing[static.name] = static
        self._new.add(static.name)

    def add_obstacle(
        self, name: str, machine: Machine, poses: Floats, leave_out: Collection[str] = ()
    ) -> None:
        """Put a machine into the world that stands still, and is in the way of others.

        Args:
            name: in the world; its links are "name/link".
            machine: such as `headframe.load` gives.
            poses: X_world_link of its links, in the order of the file, (n_links, 4, 4).
            leave_out: names of links that nothing touches.
        """
        own = self._new_name(name)
        self._stand(WorldObstacle(own, machine, poses, frozenset(leave_out)))

    def _surfaces(
        self, name: str, shapes: ShapesLike, material: object, plane: bool = False
    ) -> tuple[Surface, ...]:
        """Shapes with their materials."""
        given = material_from(f"{name}: material", material)
        found = read_shapes(name, shapes, plane)
        return tuple(
            (shape, given if shape.contact is None else material_from(name, shape.contact))
            for shape in found
        )

    def _add_scene(self, staged: Staged) -> None:
        """Machines, bodies and statics of a scene, on its ground."""
        self.add_static("ground", GroundPlane(type="plane"))
        for stand in staged.scene.machines:
            for unit, X_WB in zip(stand.units, stand.poses, strict=True):
                name = stand.name if stand.count == 1 else f"{stand.name} {unit}"
                self.add(staged.machine(stand), name, X_WB)
        self.add_things(staged)

    def add_things(self, staged: Staged, poses: Floats | None = None) -> None:
        """Put the bodies and statics of a scene into the world.

        Args:
            staged: what `load_scene` gives.
            poses: X_world_body of all bodies, (n, 4, 4); where the scene has them if None.
        """
        scene, own = staged.scene, staged.scene.materials
        placed = iter([X_WL for row in scene.bodies for X_WL in row.poses])
        if poses is not None:
            placed = iter(checked_pose(poses, "poses"))
        for row in scene.bodies:
            surfaces = tuple(
                (shape, material_from(row.name, shape.contact, own)) for shape in row.surfaces
            )
            inertial = row.inertial(staged.folder)
            for unit in row.units:
                body = WorldBody(self, self._new_name(unit), surfaces, inertial, staged.folder)
                self._take(body, next(placed), np.zeros(6))
        for static in scene.statics:
            surfaces = tuple(
                (shape, material_from(static.name, shape.contact, own)) for shape in static.surfaces
            )
            name = self._new_name(static.name)
            self._stand(WorldStatic(name, surfaces, static.at.pose, staged.folder))

    def join(
        self, a: str, b: str, type: str = "fixed", at: ArrayLike | None = None,
        name: str | None = None,
    ) -> WorldJoint:  # fmt: skip
        """Hold two members together where they are now; they do not collide from then on.

        Args:
            a: name of a body, a static or a link ("machine/link").
            b: the same of another one; one of both must be able to move.
            type: "fixed", "revolute" or "prismatic" (about or along z of `at`), "cylindrical" (both
                of it), or "spherical".
            at: X_world_joint, (4, 4), or a place, (3,); the origin of `a` if None.
            name: of the joint, for `remove`.
        """
        if not self._formulation.joins:
            raise StateError(f"a world of {self._formulation.name!r} cannot join its members")
        kind = choice("type", type, tuple(JOINT_PLACES))
        own = self._new_name(f"{a}-{b}" if name is None else name, of="/")
        X_WA, X_WB = self.pose_of(a), self.pose_of(b)
        if a == b:
            raise StateError(f"b: found {b!r}, which is a, too; expected another member")
        if not self._moves(a) and not self._moves(b):
            raise StateError(f"found {a!r} and {b!r}, which both stand still: nothing to join")
        X_WJ = X_WA if at is None else _placed(at)
        joint = WorldJoint(self, own, kind, a, b, invert(X_WA) @ X_WJ, invert(X_WB) @ X_WJ)
        self._about_to_change()
        self._joints[own] = joint
        for body in {a, b} & set(self._bodies):
            self._fresh[body].asleep = self._fresh[body].still = 0
        return joint

    def pose_of(self, name: str) -> Floats:
        """X_world_member of a body, a static, or a link of a machine ("machine/link"), (4, 4)."""
        member, _, link = name.partition("/") if isinstance(name, str) else (name, "", "")
        one = self.part(member)
        if isinstance(one, WorldMachine):
            if not link:
                refuse("name", name, "that of a body, a static, or a link such as 'machine/link'")
            pose: Floats = one.state.pose(link)
            return pose
        if link or isinstance(one, WorldJoint):
            refuse("name", name, "that of a body, a static, or a link such as 'machine/link'")
        return one.pose if isinstance(one, WorldBody) else one.X_WL.copy()

    def _moves(self, name: str) -> bool:
        """Whether something is not fixed in the world."""
        member, _, link = name.partition("/")
        machine = self._machines.get(member)
        return member in self._bodies or (machine is not None and machine.carrier_of(link)[0] >= 0)

    def remove(self, name: str) -> None:
        """Take something out of the world, and the joints that hold it; nothing else changes."""
        self.part(name)
        beside = {each for contact in self.contacts_of(name) for each in (contact.a, contact.b)}
        self._about_to_change()
        for joint in list(self._joints.values()):
            ends = {joint.a.partition("/")[0], joint.b.partition("/")[0]}
            if name == joint.name or name in ends:
                beside |= ends
                del self._joints[joint.name]
        for other in beside & set(self._bodies):
            self._fresh[other].asleep = self._fresh[other].still = 0
        for members in (self._machines, self._bodies, self._standing, self._fresh):
            members.pop(name, None)

    def part(self, name: str) -> WorldMember | WorldJoint:
        """A member by its name."""
        for member in self._members() if isinstance(name, str) else ():
            if member.name == name:
                return member
        raise UnknownElementError("member of the world", name, self.names)

    @property
    def names(self) -> list[str]:
        """Of all members: bodies, machines, what stands still, and joints."""
        return [member.name for member in self._members()]

    def _members(self) -> Iterator[WorldMember | WorldJoint]:
        yield from self._bodies.values()
        yield from self._machines.values()
        yield from self._standing.values()
        yield from self._joints.values()

    def _new_name(self, name: str, of: str = "") -> str:
        """A name that the world does not have yet; only that of a joint may have `of` in it."""
        if not isinstance(name, str) or not name or "/" in name.replace(of or "\n", ""):
            refuse("name", name, "a text without '/'")
        if name in self.names:
            raise StateError(f"name: found {name!r}, which the world has already")
        return name

    # --------------------------------------------------------------------- time

    @property
    def time(self) -> float:
        """Since the start [s]."""
        return int(self._now().moment.steps) * self.step_size

    def run(self, seconds: float) -> None:
        """Go on for so many seconds, as whole steps: the nearest number of them."""
        length = number("seconds", seconds, least=0.0, unit="s")
        steps = round(min(length / self.step_size, 1e18))
        if steps >= MOST_STEPS:
            refuse("seconds", seconds, f"less than {MOST_STEPS:.0e} steps")
        self.step(steps)

    def step(self, n: int = 1) -> None:
        """Make n steps.

        Raises:
            DynamicsError: a step that cannot be made, with the name of what stops it; the state is
                the one before it.
        """
        left = whole("n", n, least=0, most=MOST_STEPS)
        while left > 0:
            now = min(left, AT_ONCE)
            self._make(now)
            left -= now

    def _make(self, steps: int) -> None:
        engine = self._now()
        self._check_starts()
        end = int(engine.moment.steps) + steps
        while engine.moment.steps < end:
            before = self.save()
            try:
                status = engine.go(end - int(engine.moment.steps))
            except KeyboardInterrupt:
                self.restore(before)
                raise
            if not status:
                return
            made, told, of_contact = (
                int(engine.moment.steps),
                self._told(status),
                engine.moment.failed < 0,
            )
            self.restore(before)
            engine.go(made - int(engine.moment.steps))
            if not (of_contact and self._step_in_parts()):
                raise DynamicsError(f"{told} (at {self.time:.6g} s)", None, self.time)

    def _step_in_parts(self) -> bool:
        """Make a step whose contacts do not settle in parts; False if that cannot be done."""
        before = self.save()
        for halvings in range(1, HALVINGS + 1):
            if not self._now().step_in_parts(2**halvings):
                return True
            self.restore(before)
        return False

    def _check_starts(self) -> None:
        """What has come since the last step must not begin deep in something else."""
        if not self._new:
            return
        for one, other, depth, size in self.deep_pairs():
            if {one.split("/")[0], other.split("/")[0]} & self._new:
                raise StateError(
                    f"{one!r} begins {depth:.3g} m deep in {other!r}, expected at most a tenth of "
                    f"{size:.3g} m: move one of them away"
                )
        self._new.clear()

    def deep_pairs(self) -> list[tuple[str, str, float, float]]:
        """What is deeper in something else than it may begin: both names, depth and size [m]."""
        return [
            (self._owners[a][0], self._owners[b][0], depth, size)
            for a, b, depth, size in self._now().deep_pairs(DEEPEST)
        ]

    def _told(self, status: int) -> str:
        """What a status says."""
        engine = self._now()
        if engine.moment.failed < 0:
            a, b = (self._owners[n][0] for n in engine.failed_pair(status))
            return (
                f"the contact of {a!r} and {b!r} does not settle, in {2**HALVINGS} parts of a step "
                "either: try a smaller step, or softer materials"
            )
        name = [*self._bodies, *self._machines][int(engine.moment.failed)]
        if name in self._bodies:
            return f"{name!r}: its place or velocity is not finite any more"
        return f"{name!r}: {self._machines[name].engine.failure(status)[1]}"

    # -------------------------------------------------------------------- state

    def save(self) -> SavedWorld:
        """The state of all members, to go back to."""
        machines = {name: machine.save() for name, machine in self._machines.items()}
        return SavedWorld(tuple(self.names), self._now().state.copy(), machines)

    def restore(self, saved: object) -> None:
        """Back to a saved state; from there on all goes the same way, bit for bit."""
        before = instance("saved", saved, SavedWorld, "what `save` gave")
        if before.members != tuple(self.names):
            raise StateError("saved: found a world of other members")
        self._now().set_state(before.state)
        for name, machine in self._machines.items():
            machine.restore(before.machines[name])

    @property
    def contacts(self) -> list[WorldContact]:
        """What touches, as the last step left it."""
        return [
            WorldContact(
                self._owners[each.touch.a][0], self._owners[each.touch.b][0],
                np.array(each.touch.point), np.array(each.touch.normal), float(each.touch.depth),
                np.array(each.force), not each.slides,
            )
            for each in self._now().contacts
        ]  # fmt: skip

    @property
    def sweeps(self) -> WorldSweeps:
        """How the sweeps of a world of impulses went since the start."""
        moment = self._now().moment
        mean = float(moment.iterated) / max(int(moment.steps), 1)
        return WorldSweeps(mean, int(moment.unsettled), float(moment.worst))

    @property
    def contact_records(self) -> Records:
        """CONTACT of what touches, as `contacts`; its shapes a and b are places in `owners`."""
        return self._now().contacts

    @property
    def owners(self) -> list[str]:
        """The name of what each shape belongs to; of a link of a machine "machine/link"."""
        self._now()
        return [name for name, _ in self._owners]

    def body_poses(self) -> Floats:
        """X_world_body of all loose bodies, in the order in which they came, (n, 4, 4)."""
        X_BL = [invert(body.X_LB) for body in self._bodies.values()]
        X_WL: Floats = poses_of(self._now().loose) @ np.array(X_BL).reshape(-1, 4, 4)
        return X_WL

    def contacts_of(self, name: str) -> list[WorldContact]:
        """What touches a member."""
        self.part(name)
        found = self.contacts
        return [each for each in found if name in (each.a.split("/")[0], each.b.split("/")[0])]

    def energy(self) -> Energy:
        """Energies of all that moves, and the ledger since the start.

        What contacts store counts as that of springs, and what they take, not positive, as theirs.
        """
        engine = self._now()
        own = [machine.energy() for machine in self._machines.values()]
        kinetic, potential = engine.loose_energies()
        done, stored = engine.moment.work, float(engine.contacts["energy"].sum())
        return Energy(
            kinetic + sum(each.kinetic for each in own),
            potential + sum(each.potential for each in own),
            stored + sum(each.springs for each in own),
            sum(each.drives for each in own),
            sum(each.dampers for each in own),
            float(done.pulls) + sum(each.pulls for each in own),
            sum(each.stops for each in own),
            float(done.joints) + sum(each.joints for each in own),
            stored + float(done.contacts),
            float(done.numerical) + sum(each.numerical for each in own),
            self._start,
        )

    def loose_record(self, name: str) -> Record:
        """LOOSE of a body."""
        return self._now().loose[list(self._bodies).index(name)]

    def joined_records(self, name: str) -> Records:
        """JOINED_STATE of the places of a joint."""
        self._now()
        return self._engine.joined[[n for n, (own, _) in enumerate(self._places) if own == name]]

    # ------------------------------------------------------------------ helpers

    def _about_to_change(self) -> None:
        """Members come or go: where the others are, and what the ledger cannot explain, is kept."""
        if self._stale:
            return
        self._balance = self.energy().balance
        self._fresh = {
            name: record.copy()
            for name, record in zip(self._bodies, self._engine.loose, strict=True)
        }
        self._stale = True

    def _now(self) -> WorldEngine:
        """The engine of the members that there are."""
        if self._stale:
            self._engine, self._stale = self._new_engine(self._engine), False
            self._start += self.energy().balance - self._balance
        return self._engine

    def _new_engine(self, before: WorldEngine | None = None) -> WorldEngine:
        """An engine of the members that there are, which goes on where the one before stood."""
        table, carriers = ShapeTable(), [(mover, -1) for mover in range(len(self._bodies))]
        apart: set[tuple[int, int]] = set()
        for place, body in enumerate(self._bodies.values()):
            body.add_shapes(table, place)
        for mover, machine in enumerate(self._machines.values(), len(self._bodies)):
            apart |= machine.add_shapes(table, mover, carriers)
        joined_statics = {each for joint in self._joints.values() for each in (joint.a, joint.b)}
        bodies = {name: n for n, name in enumerate(self._bodies)}
        for n, standing in enumerate(self._standing.values()):
            if standing.name in joined_statics:  # so that it can be told what it does not touch
                bodies[standing.name] = len(carriers)
                carriers.append((-1, -1 - len(self._bodies) - len(self._machines) - n))
            standing.add_shapes(table, bodies.get(standing.name, -1))
        joined, places = self._joined(bodies, carriers)
        apart |= {
            (min(each.body_a, each.body_b), max(each.body_a, each.body_b))
            for each in joined if min(each.body_a, each.body_b) >= 0
        }  # fmt: skip
        shapes, solids = table.packed()
        loose = as_records([self._fresh[name] for name in self._bodies], LOOSE)
        for body, reach in zip(loose, reaches(shapes, len(loose)), strict=True):
            body.reach = reach
        engine = self._formulation.make(
            WorldParts(
                loose, tuple((machine.engine, machine.X_WO) for machine in self._machines.values()),
                np.array(carriers, CARRIER).view(np.recarray), shapes, solids, table.pairs(),
                len(table.materials), tuple(sorted(apart)), joined,
            ),
            self.step_size, self.gravity, self._sleeping, self._options,
        )  # fmt: skip
        if before is not None:
            place_of = {owner: n for n, owner in enumerate(table.owners)}
            joint_of = {place: n for n, place in enumerate(places)}
            engine.go_on_from(
                before, [place_of.get(owner, -1) for owner in self._owners],
                [joint_of.get(place, -1) for place in self._places],
            )  # fmt: skip
        self._owners, self._places = table.owners, places
        return engine

    def _joined(
        self, bodies: dict[str, int], carriers: list[tuple[int, int]]
    ) -> tuple[Records, list[tuple[str, int]]]:
        """JOINED of all places of joints, and for each its joint and which of its places it is."""
        found, places = [new_records(0, JOINED)], []
        for which, joint in enumerate(self._joints.values()):
            ends = tuple(self._carrier(name, bodies, carriers) for name in (joint.a, joint.b))
            own = joint.records(which, ends)
            found.append(own)
            places += [(joint.name, n) for n in range(len(own))]
        return np.concatenate(found).view(np.recarray), places

    def _carrier(
        self, name: str, bodies: dict[str, int], carriers: list[tuple[int, int]]
    ) -> tuple[int, Floats]:
        """The body that carries a member, and where that is on it."""
        member, _, link = name.partition("/")
        if member in self._bodies:
            return bodies[member], invert(self._bodies[member].X_LB)
        if member in self._standing:
            return bodies[member], self._standing[member].X_WL
        machine, mover = self._machines[member], list(self._machines).index(member)
        freedom, X = machine.carrier_of(link)
        carrier = (len(self._bodies) + mover, freedom)
        if freedom < 0:
            carrier = (-1, -1 - len(self._bodies) - mover)
        if carrier not in carriers:
            carriers.append(carrier)
        return carriers.index(carrier), X


def _folder(given: str | os.PathLike[str] | None) -> Path | None:
    """A folder of mesh files."""
    if given is not None and not isinstance(given, str | os.PathLike):
        refuse("folder", given, "a folder")
    return None if given is None else Path(given)


def _placed(at: ArrayLike | None) -> Floats:
    """A pose (4, 4), or a place (3,)."""
    if at is None:
        return np.eye(4)
    if numbers("at", at, "a pose, (4, 4), or a place, (3,)").shape == (3,):
        return compose(np.eye(3), checked_vector(at, 3, "at"))
    return checked_pose(at, "at")
