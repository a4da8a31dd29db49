"""`Machine`, what a user holds: description, graph, mechanism and solvers behind one object."""

from __future__ import annotations

import os
import shutil
import tempfile
import warnings
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from . import checks
from .description import (
    REPAIRS,
    Actuator,
    Joint,
    Link,
    Mesh,
    Reading,
    Robot,
    companions,
    error_of,
    is_archive,
    mrdf_text,
    on_free_base,
    output_path,
    pack,
    read_file,
    read_for,
    repaired,
    robot_from,
    unpack,
    unreadable,
    unwritable,
    write_file,
)
from .errors import (
    ExportError,
    HeadframeWarning,
    MachineFileError,
    MeshError,
    NotReadableError,
    Problem,
    StateError,
    UnknownMachineError,
    listed,
    suggest,
)
from .topology import Topology, analyse, counted

if TYPE_CHECKING:
    from .contact import Collision
    from .kinematics import FKBatch, IKBatch, IKResult, Kinematics, Stroke
    from .mechanism import Floats, Mechanism, State

COUNTED = ("links", "joints")
FILE_SUFFIXES = (".json", ".mrdf", ".urdf", ".xml", ".mjcf", ".xacro", ".sdf", ".zip")


class Machine:
    """A machine: what it is (`robot`), how it hangs together, and how it moves.

    Everything beyond the description is worked out when it is first asked for, and kept; the
    rooms that compute are imported then too, since the compiler takes a while to load.
    """

    def __init__(
        self, robot: Robot, folder: Path | None = None, counts: Mapping[str, int] | None = None
    ) -> None:
        """Hold a robot.

        Args:
            robot: what it is.
            folder: where meshes are looked for.
            counts: "links" and "joints" of the URDF or MJCF file that it comes from, for people.

        Raises:
            StateError: something else was given.
        """
        self.robot = checks.instance("robot", robot, Robot, "a Robot")
        self.folder = None if folder is None else checks.path("folder", folder)
        self._counts: dict[str, int] = {}
        for kind, count in checks.mapping("counts", counts, "numbers").items():
            if kind not in COUNTED:
                checks.refuse("counts", kind, f"one of {', '.join(COUNTED)}")
            self._counts[kind] = checks.whole(f"counts of {kind}", count, least=0)

    @property
    def name(self) -> str:
        """The machine's name."""
        return self.robot.name

    @property
    def links(self) -> tuple[Link, ...]:
        """All links, tubes and rods among them."""
        return self.robot.links

    @property
    def joints(self) -> tuple[Joint, ...]:
        """All joints, both halves of every pivot that closes a loop among them."""
        return self.robot.joints

    @property
    def actuators(self) -> tuple[Actuator, ...]:
        """All hydraulic cylinders."""
        return self.robot.actuators

    @cached_property
    def topology(self) -> Topology:
        """Spanning tree, loops, four-bars, and what each group of cylinders moves."""
        return analyse(self.robot)

    @property
    def counts(self) -> dict[str, int]:
        """Links, joints and actuators, counted as in Table 1 of the MineRobot paper.

        Of a machine from a URDF or MJCF file: the links (bodies) and joints that the file has.
        """
        return {**self.topology.counts, **self._counts}

    @cached_property
    def mechanism(self) -> Mechanism:
        """The machine as flat arrays, for the solvers."""
        from .mechanism import compile_mechanism

        return compile_mechanism(self.topology)

    @cached_property
    def home(self) -> State:
        """The assembled home pose, with loops closed and cylinders inside their bounds."""
        from .mechanism import assemble

        return assemble(self.mechanism)

    @cached_property
    def collision(self) -> Collision:
        """What of it is touched: shapes of its links, and pairs that pass through each other.

        Links to which the file gives no shapes have few that hold what is seen of them.

        Raises:
            MachineFileError: a mesh or 3DT file that cannot be used.
        """
        from .contact import collision_of

        poses = {link.name: self.home.pose(link.name) for link in self.links}
        return collision_of(self.robot, self.folder, poses)

    @cached_property
    def kinematics(self) -> Kinematics:
        """The machine made ready for solving: order of solving, home geometry, branch."""
        from .kinematics import make_kinematics

        return make_kinematics(self.mechanism, self.home)

    def fk(
        self,
        lengths: ArrayLike | Mapping[str, float],
        start: State | None = None,
        method: str = "exact",
    ) -> State:
        """Forward kinematics: the state in which cylinders and servos are as given.

        Args:
            lengths: [m], in the order of `actuators`, or one for each redundant group, or by
                actuator or group name; then positions [rad, m] of the servos, in the order of
                `robot.servos`, or by the name of a servo or its joint. What is not named stays as
                at the start.
            start: where to start from; home if None.
            method: "exact", "continuation" or "paper".

        Raises:
            StateError: lengths of another number, or not finite.
            UnknownElementError: no actuator, group or servo of that name.
            LengthError: a length or a position outside its bounds; PartnerError if a partner
                disagrees.
            SingularityError: the machine cannot get there on its branch.
        """
        return self._forward(self.kinematics, lengths, start, method)

    @cached_property
    def _forward(self) -> Callable[..., State]:
        from .kinematics import fk

        return fk

    def ik(
        self,
        link: str,
        target: ArrayLike,
        start: State | None = None,
        weights: ArrayLike | None = None,
        mask: ArrayLike | None = None,
        method: str = "newton",
    ) -> IKResult:
        """Inverse kinematics: the state in which a link is at a pose, or as near as can be.

        Args:
            link: name of a main link.
            target: X_world_link, (4, 4).
            start: where to start from; home if None. Drives that do not move the link stay.
            weights: of the six components of `headframe.pose_error`, (6,); ones if None.
            mask: which of them count, (6,); all if None.
            method: "newton", or a method that it is compared with: "golden", "brent",
                "newton1d", "secant" (each also with "-nested" behind it), "bfgs", "cg",
                "gradient", "cma" or "one-plus-one".

        Raises:
            UnknownElementError: no main link of that name.
            StateError: a target that is no pose, weights that are none, or a link that no
                cylinder and no servo moves.
        """
        return self._inverse(self.kinematics, link, target, start, weights, mask, method)

    @cached_property
    def _inverse(self) -> Callable[..., IKResult]:
        from .kinematics import ik

        return ik

    def fk_batch(
        self,
        lengths: ArrayLike,
        links: Sequence[str] = (),
        start: State | None = None,
        base: ArrayLike | None = None,
    ) -> FKBatch:
        """Forward kinematics of every row of `lengths`, of all drives or of the inputs alone.

        Args:
            lengths: as in `fk`, a row for each problem.
            links: main links whose poses are wanted.
            start: as in `fk`, for all rows.
            base: X_world_base of every row, (n, 4, 4), or of all, (4, 4): a longwall of n
                supports is one call.
        """
        from .kinematics import fk_batch

        return fk_batch(self.kinematics, lengths, links, start, base)

    def ik_batch(
        self,
        link: str,
        targets: ArrayLike,
        start: State | None = None,
        weights: ArrayLike | None = None,
        mask: ArrayLike | None = None,
        chained: bool = True,
        links: Sequence[str] = (),
        base: ArrayLike | None = None,
    ) -> IKBatch:
        """Inverse kinematics of every target, (n, 4, 4), as in `ik`.

        `chained`: each starts where the one before ended, as on a path; else all from `start`.
        `links` and `base` are those of `fk_batch`.
        """
        from .kinematics import ik_batch

        return ik_batch(self.kinematics, link, targets, start, weights, mask, chained, links, base)

    def jacobian(self, link: str, state: State | None = None) -> Floats:
        """Twist of a link per metre of each redundant group's first member, (6, n_inputs).

        Behind these come the columns of the servos, per radian, or per metre of a slide. Angular
        first, at the link's origin, in world axes; at home if no state is given.
        """
        from .kinematics import checked_start, jacobian

        return jacobian(checked_start(self.kinematics, state, "state"), link)

    def statics(
        self,
        state: State | None = None,
        wrenches: Mapping[str, ArrayLike] | None = None,
        gravity: float = 9.81,
    ) -> Floats:
        """Forces of all drives that hold the machine still, (n_drives,); positive pushes.

        Those of the actuators [N], then torques [N m] of the servos, or forces [N] of slides.

        Args:
            state: the configuration; home if None.
            wrenches: on links by name, (6,): torque [N m] and force [N] at the link's origin, in
                world axes.
            gravity: [m/s^2].
        """
        from .kinematics import checked_start, statics

        return statics(checked_start(self.kinematics, state, "state"), wrenches, gravity)

    def stroke(self, state: State, actuator: str) -> Stroke:
        """How short and how long an actuator can become from here, the others locked, and why.

        A redundant group's name stands for its first member.
        """
        from .kinematics import stroke

        return stroke(self.kinematics, state, actuator)

    @cached_property
    def freed(self) -> Machine:
        """The same machine on a free joint instead of on the ground, to stand in a world.

        The joint comes first, so that positions and velocities begin with those of the base.
        """
        root = self.robot.links[self.topology.root].name
        return Machine(on_free_base(self.robot, root), self.folder, self._counts)

    def repaired(self, repair: str | None = "nearest") -> Machine:
        """The machine with inertias that dynamics can use; itself if nothing is to be changed.

        Args:
            repair: None for no change, or "nearest": an inertia that no body has becomes the
                nearest that one has, and a link that moves without inertia is lent a little. Each
                change is a `HeadframeWarning`.

        Raises:
            StateError: `repair` is neither.
        """
        idle: list[str] = []
        if repair is not None:
            repair = checks.choice("repair", repair, REPAIRS)
            from .mechanism import idle_links, tree_of

            idle = idle_links(tree_of(self.mechanism))
        robot, notes = repaired(self.robot, repair, idle)
        if robot is self.robot:
            return self
        for note in notes:
            warnings.warn(f"{self.name}: {note}", HeadframeWarning, stacklevel=3)
        return Machine(robot, self.folder, self._counts)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write canonical MRDF; meshes and the 3DT file go along if the folder is another one.

        With the suffix .zip it is an archive with all of them, which `load` takes. The file appears
        whole or not at all.
        """
        target = output_path(checks.path("path", path))
        if is_archive(target):
            write_file(target, self._packed(target.stem))
            return Path(path)
        for name, file in self.files():
            self._copy(name, file, target.parent)
        write_file(target, mrdf_text(self.robot))
        return Path(path)

    def _packed(self, stem: str) -> bytes:
        """An archive with the machine file `stem`.json and all that it names."""
        files = {f"{stem}.json": mrdf_text(self.robot).encode()}
        for name, file in self.files():
            if file is None:
                continue
            try:
                files[name] = file.read_bytes()
            except OSError as error:
                raise ExportError(
                    f"{name}: cannot be packed: {(error.strerror or str(error)).lower()}"
                ) from None
        return pack(files)

    def export(self, path: str | os.PathLike[str], form: str) -> list[str]:
        """Write the machine in a format of `headframe.export.FORMATS`.

        These are "mrdf", "zip" (MRDF with all its files), and, assembled, "mjcf", "urdf" and
        "gltf", or its looks alone as "3dt".

        Returns notes on what the format cannot say of this machine.
        """
        from .export import format_named, format_names

        target = checks.path("path", path)
        return format_named(checks.choice("form", form, format_names())).write(self, target)

    def draw(
        self, path: str | os.PathLike[str], names: bool = True, collision: bool = False
    ) -> Path:
        """Draw the assembled machine from the side, from above and in perspective.

        Args:
            path: the file to write: .png, .svg or .pdf.
            names: whether links and actuators are named.
            collision: whether the shapes that are touched are shown in place of what is seen:
                those of the file blue, made ones orange.
        """
        from .pictures import checked_path, draw_machine

        target = checked_path(checks.path("path", path))
        names = checks.flag("names", names)
        robot = self.collision.dressed if checks.flag("collision", collision) else self.robot
        return draw_machine(robot, self.home, target, self.folder, names=names)

    def show(self, state: State | None = None) -> Any:
        """Show the machine in a notebook, to turn it and to move it by its cylinders.

        Args:
            state: where it stands at first; home if None.

        Raises:
            MissingExtraError: anywidget is not installed (``pip install headframe[notebook]``).
        """
        from .notebook import show

        return show(self.kinematics, self.folder, state)

    def draw_topology(self, path: str | os.PathLike[str], stage: str = "raw") -> Path:
        """Draw the graph of links, joints and actuators: "raw", "contracted" or "itep".

        The raw graph is the machine as it stands; contracted, it has generalized joints instead
        of four-bars; "itep" draws for each redundant group what it moves with all others locked.
        """
        from .pictures import draw_topology

        return draw_topology(self.robot, checks.path("path", path), stage)

    def files(self) -> Iterator[tuple[str, Path | None]]:
        """The files that the machine refers to: name beside the machine file, and where it is.

        What a mesh needs beside it, such as an OBJ file's materials, comes with it. Without a
        folder nobody knows where they are.
        """
        seen: set[str] = set()
        if self.robot.geometry_file is not None:
            yield self._file(self.robot.geometry_file)
        for link in self.robot.links:
            for shape in (*link.visuals, *link.collision):
                mesh = shape.geometry
                if not isinstance(mesh, Mesh) or mesh.path in seen:
                    continue
                seen.add(mesh.path)
                name, file = self._file(mesh.path, mesh.file)
                yield name, file
                root = mesh.root or self.folder
                for other in () if file is None or root is None else companions(file, root):
                    together = (Path(name).parent / other).as_posix()
                    if file is not None and together not in seen:
                        seen.add(together)
                        yield together, file.parent / other

    def _file(self, name: str, file: Path | None = None) -> tuple[str, Path | None]:
        return name, file or (None if self.folder is None else self.folder / name)

    def _copy(self, name: str, file: Path | None, folder: Path) -> None:
        target = folder / name
        if file is None or file.resolve() == target.resolve():
            return
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, target)
        except OSError as error:
            raise unwritable(folder / name, error) from None

    def __repr__(self) -> str:
        return f"Machine({self.name}: {counted(self.counts)})"


def machines() -> list[str]:
    """Names of the machines of the catalogue."""
    return sorted(path.stem for path in _catalogue().glob("*.json"))


def load(
    name_or_path: str | os.PathLike[str],
    packages: Mapping[str, str | os.PathLike[str]] | None = None,
    strict: bool = False,
    repair: str | None = None,
) -> Machine:
    """Load a machine of the catalogue by name, or an MRDF, URDF, MJCF or zip file by path.

    A zip archive holds a machine file with its 3DT file and meshes. It is unpacked into a folder of
    its own, which is removed when nobody holds the `Machine` any more.

    Args:
        name_or_path: a name of the catalogue, or the path of a file.
        packages: folders by name, where a URDF file says ``package://NAME/...``. They come before
            those that are found around the file and in the environment.
        strict: whether a URDF or MJCF file with missing meshes, or with what is otherwise forgiven
            with a note, is refused.
        repair: None, or "nearest": inertias that no body has become the nearest that one has, and
            what moves without inertia is lent a little; each change is warned of.

    Raises:
        UnknownMachineError: neither a name of the catalogue nor a file.
        MachineFileError: a file with something wrong in it; of the subclass of the first problem.
    """
    path, source = find(name_or_path), os.fspath(name_or_path)
    known, strict = _folders(packages), checks.flag("strict", strict)
    if repair is not None:
        repair = checks.choice("repair", repair, REPAIRS)
    if not is_archive(path):
        reading = read_file(path, known, strict)
        robot = robot_from(reading, source)
        return Machine(robot, path.parent, reading.counts).repaired(repair)
    folder = Path(tempfile.mkdtemp(prefix="headframe-"))
    try:
        file = unpacked(path, folder, source)
        inside = file.relative_to(folder).as_posix()
        reading = read_file(file, strict=strict)
        robot = robot_from(reading, f"{source}/{inside}")
        machine = Machine(robot, file.parent, reading.counts).repaired(repair)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    weakref.finalize(machine, shutil.rmtree, folder, ignore_errors=True)
    return machine


@dataclass(frozen=True, slots=True)
class LoadOptions:
    """How files are read, to be handed to whoever loads machines later, in other processes too.

    Attributes:
        packages: names and folders, as in `load`.
        repair: as in `load`.
    """

    packages: tuple[tuple[str, Path], ...] = ()
    repair: str | None = None

    def load(self, name_or_path: str | os.PathLike[str]) -> Machine:
        """What `load` gives with these options."""
        return load(name_or_path, dict(self.packages), repair=self.repair)


def unpacked(archive: Path, folder: Path, source: str = "") -> Path:
    """The machine file of an archive, which is unpacked into an empty folder.

    Raises:
        MachineFileError: the archive is damaged or not safe, or holds no machine; `source` is its
            name for messages.
    """
    file = unpack(archive, folder)
    if isinstance(file, list):
        raise error_of(file, source)
    return file


@contextmanager
def opened(name_or_path: str | os.PathLike[str]) -> Iterator[Path]:
    """The machine file of a name or path; one in an archive is there as long as this lasts.

    Raises:
        UnknownMachineError: neither a name of the catalogue nor a file.
        MachineFileError: an archive that is damaged or not safe, or holds no machine.
    """
    path = find(name_or_path)
    if not is_archive(path):
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="headframe-", ignore_cleanup_errors=True) as folder:
        yield unpacked(path, Path(folder), os.fspath(name_or_path))


def examine(
    name_or_path: str | os.PathLike[str],
    packages: Mapping[str, str | os.PathLike[str]] | None = None,
    strict: bool = False,
) -> Reading:
    """Read a machine file and list everything that is wrong with it, raising nothing.

    The 3DT file and the meshes that it names are read too. Arguments are those of `load`.
    """
    try:
        with opened(name_or_path) as path:
            known, strict = _folders(packages), checks.flag("strict", strict)
            return _examined(path, known, strict)
    except UnknownMachineError as error:
        return Reading(None, [Problem(NotReadableError, "", str(error))])
    except MachineFileError as error:
        return Reading(None, list(error.problems))


def _folders(packages: object) -> dict[str, Path]:
    """Folders of packages by name."""
    given = checks.mapping("packages", packages, "folders")
    folders = {str(name): checks.path(f"package {name}", path) for name, path in given.items()}
    for name, folder in folders.items():
        if not folder.is_dir():
            raise StateError(f"package {name}: found {os.fspath(folder)!r}, expected a folder")
    return folders


def _examined(path: Path, packages: Mapping[str, Path], strict: bool) -> Reading:
    reading = read_file(path, packages, strict)
    if reading.robot is not None and reading.meshes:
        if reasons := unreadable(reading.robot):
            names = listed([name.rpartition("/")[2] for name in reasons], 6)
            told = f"{reading.meshes}; {len(reasons)} cannot be read (boxes instead): {names}"
            if strict:
                problems = [Problem(MeshError, "", reason) for reason in reasons.values()]
                return Reading(None, problems, reading.notes, told)
            notes = [*reading.notes, *reasons.values()]
            return Reading(reading.robot, [], notes, told, reading.counts)
        return reading
    if reading.robot is not None and reading.robot.geometry_file is not None:
        problems = read_for(reading.robot, path.parent).problems
        return Reading(None if problems else reading.robot, problems, reading.notes)
    return reading


def find(name_or_path: str | os.PathLike[str]) -> Path:
    """The file of a catalogue machine or of a path."""
    checks.path("name_or_path", name_or_path)
    text = os.fspath(name_or_path)
    if text in machines():
        return _catalogue() / f"{text}.json"
    path = Path(text)
    if text and _exists(path):
        return path
    looks_like_file = path.suffix.lower() in FILE_SUFFIXES or "/" in text
    what = "there is no such file" if looks_like_file else "neither a catalogue machine nor a file"
    hint = "" if looks_like_file else f"; {suggest(text, machines())}"
    raise UnknownMachineError(f"{text}: {what}{hint}")


def _exists(path: Path) -> bool:
    """Whether there is such a file; a name that no file system takes is none."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def _catalogue() -> Path:
    return Path(str(resources.files("headframe"))) / "machines"
