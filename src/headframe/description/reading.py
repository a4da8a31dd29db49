"""From a file to a robot, or to the list of everything that is wrong with the file.

Elements are checked one by one, so that one bad link does not hide a bad joint; what elements
say about each other is checked by `validation` on all that are sound in themselves.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

from pydantic import ValidationError

from ..errors import (
    HeadframeWarning,
    MachineFileError,
    MissingFieldError,
    NotFiniteError,
    NotJsonError,
    Problem,
    TooManyElementsError,
    UnknownFieldError,
    ValueRangeError,
    WrongTypeError,
    suggest,
)
from .bodies import check_geometry
from .contact_material import Bristle, ContactMaterial, Friction
from .dialects import Normalised, canonical_shapes, normalise
from .drives import JOINT_DRIVES, Actuator
from .files import decoded, read_limited
from .geometry import (
    Box,
    Capsule,
    ChainLink,
    CollisionShape,
    Cone,
    Cylinder,
    Element,
    Hull,
    Limit,
    Material,
    Mesh,
    Sphere,
    Torus,
    Visual,
)
from .jsonc import Findings, Path, parse, path_text, shown
from .model import (
    Home,
    Inertial,
    Joint,
    Link,
    Provenance,
    Repeater,
    Robot,
    Spring,
)
from .packages import Library
from .validation import Parts, validate

if TYPE_CHECKING:
    from .urdf_shapes import MeshUse

SCENE_KEY = "headframe_scene"  # of scene files, which are no machines
MOST_ELEMENTS = 100_000
MOST_COMMAS = 30 * MOST_ELEMENTS  # more than so many elements need
MOST_FAULTS = 100  # of one element that are told apart
TELLING = {
    "redundants",
    "group",
    "young",
    "stiffness",
    "damping",
    "foundation",
    "mass",
    "density",
}  # whose lack says something

LISTS: dict[str, type[Element]] = {
    "links": Link,
    "joints": Joint,
    "actuators": Actuator,
    "springs": Spring,
    **{listed: kind.element for listed, kind in JOINT_DRIVES.items()},
    "repeaters": Repeater,
    "materials": ContactMaterial,
    "provenance": Provenance,
}
INSIDE: dict[str, type[Element]] = {
    "visual": Visual,
    "collision": CollisionShape,
    "inertial": Inertial,
    "limit": Limit,
    "bound": Limit,
    "material": Material,
    "friction": Friction,
    "bristle": Bristle,
    "home": Home,
}
SHAPES: dict[str, type[Element]] = {
    "box": Box,
    "cylinder": Cylinder,
    "capsule": Capsule,
    "sphere": Sphere,
    "cone": Cone,
    "torus": Torus,
    "chain_link": ChainLink,
    "hull": Hull,
    "mesh": Mesh,
}
# What the authors' dialects call some fields, for messages
AUTHORS_FIELDS: dict[type[Element], tuple[str, ...]] = {
    Link: ("origin_translation", "origin_orientation"),
    Visual: ("origin_translation", "origin_orientation"),
    CollisionShape: ("origin_translation", "origin_orientation"),
    Actuator: ("type", "limit", "tube_visual", "rod_visual"),
}
E = TypeVar("E", bound=Element)


@dataclass
class Reading:
    """What came of reading a file: a robot, or problems; and notes in either case.

    `meshes` tells in a line how many meshes a URDF or MJCF file names, and which are missing;
    `counts` how many links and joints such a file has itself. Both are empty for MRDF.
    """

    robot: Robot | None
    problems: list[Problem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    meshes: str = ""
    counts: dict[str, int] = field(default_factory=dict)


def read_file(
    path: FilePath, packages: Mapping[str, str | FilePath] | None = None, strict: bool = False
) -> Reading:
    """Read a machine file: MRDF of any dialect, URDF or MJCF.

    Args:
        path: the file.
        packages: folders by name, for `package://NAME/...` in URDF.
        strict: whether a URDF file with missing meshes, or values that are otherwise forgiven
            with a note, is refused.
    """
    data = read_limited(path)
    if isinstance(data, Problem):
        return Reading(None, [data])
    urdf = path.suffix.lower() in (".urdf", ".xml", ".mjcf", ".xacro", ".sdf")
    return read_bytes(data, path.parent, urdf, packages, strict, path)


def read_bytes(
    data: bytes,
    folder: FilePath | None = None,
    urdf: bool = False,
    packages: Mapping[str, str | FilePath] | None = None,
    strict: bool = False,
    file: FilePath | None = None,
) -> Reading:
    """Read the contents of a machine `file`, XML if it looks so; meshes are in `folder`."""
    if urdf or data[:1000].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        library = None if folder is None else Library(folder, packages, file=file)
        return _read_xml(data, library, strict)
    if data[:1000].lstrip().startswith(b"3DT "):
        hint = "a machine names its model as geometry_file"
        message = "found a 3DT model, expected a machine"
        return Reading(None, [Problem(NotJsonError, "", message, hint, 1)])
    text = decoded(data, NotJsonError, "JSON")
    if isinstance(text, Problem):
        return Reading(None, [text])
    return read_text(text, folder)


def _read_xml(data: bytes, library: Library | None, strict: bool) -> Reading:
    """Read URDF or MJCF; meshes know their files, which may lie outside of the file's folder."""
    from .mjcf import parse_mjcf
    from .safe_xml import outermost
    from .urdf import parse_urdf

    mjcf = outermost(data) == "mujoco"
    parsed = (parse_mjcf if mjcf else parse_urdf)(data, library, strict)
    if (machine := parsed.machine) is None:
        return Reading(None, parsed.problems, parsed.notes)
    robot, found = _read_canonical(Normalised(machine), None, forgiving=not strict)
    problems, notes = found.placed(place=lambda path: _xml_place(path, machine, mjcf))
    problems, notes = parsed.problems + problems, parsed.notes + notes
    if robot is None or problems:
        return Reading(None, problems, notes)
    meshes = parsed.meshes
    located = _with_files(robot, meshes, strict) if meshes.files else robot
    return Reading(located, [], notes, meshes.summary(), parsed.counts)


def _xml_place(path: Path, machine: dict[str, Any], mjcf: bool) -> str:
    """A path into what was made of XML, as its author knows it: by the element's name."""
    if len(path) < 2 or path[0] not in LISTS or not isinstance(path[1], int):
        return path_text(path)
    name = machine[path[0]][path[1]].get("name")
    if name is None:
        return path_text(path)
    tag = "body" if mjcf and path[0] == "links" else str(path[0]).removesuffix("s")
    inside = path_text(path[2:])
    return f"{tag} {shown(name)}" + (f"/{inside}" if inside else "")


def _with_files(robot: Robot, meshes: MeshUse, strict: bool) -> Robot:
    """The robot with meshes that know their files."""

    def located(shape: Visual) -> Visual:
        mesh = shape.geometry
        if not isinstance(mesh, Mesh) or mesh.path not in meshes.files:
            return shape
        found, sides = meshes.files[mesh.path], meshes.boxes.get(mesh.path, (0.1, 0.1, 0.1))
        box = None if strict else Box.make(type="box", **dict(zip("xyz", sides, strict=True)))
        return shape.model_copy(update={"geometry": mesh.located(found.file, found.root, box)})

    links = tuple(
        link.model_copy(
            update={
                "visuals": tuple(map(located, link.visuals)),
                "collision": tuple(map(located, link.collision)),
            }
        )
        for link in robot.links
    )
    return robot.model_copy(update={"links": links})


def read_text(text: str, folder: FilePath | None = None) -> Reading:
    """Read MRDF text of any dialect."""
    robot, found = _read(text, folder)
    return Reading(robot, *found.placed(text))


def _read(text: str, folder: FilePath | None) -> tuple[Robot | None, Findings]:
    if text.count(",") > MOST_COMMAS:  # before it fills the memory
        found = Findings()
        message = f"found millions of values, expected at most {MOST_ELEMENTS:,} elements"
        found.complain(TooManyElementsError, (), message)
        return None, found
    raw, found = parse(text)
    if not found.problems and not isinstance(raw, dict):
        found.complain(WrongTypeError, (), f"found {shown(raw)}, expected an object")
    if not isinstance(raw, dict):
        return None, found
    if SCENE_KEY in raw:
        hint = "start it with: headframe run --scene FILE"
        found.complain(WrongTypeError, (SCENE_KEY,), "found a scene, expected a machine", hint)
        return None, found
    if (count := _count(raw)) > MOST_ELEMENTS:
        message = f"found {count:,} elements, expected at most {MOST_ELEMENTS:,}"
        found.complain(TooManyElementsError, (), message)
        return None, found
    robot, more = _read_canonical(normalise(raw), folder)
    found.take(more, lambda path: path)
    return None if found.problems else robot, found


def robot_from(reading: Reading, source: str) -> Robot:
    """The robot of a reading; warns of its notes, raises its problems."""
    if reading.robot is None:
        raise error_of(reading.problems, source)
    for note in reading.notes:
        warnings.warn(f"{source}: {note}", HeadframeWarning, stacklevel=3)
    return reading.robot


def error_of(problems: list[Problem], source: str) -> MachineFileError:
    """The exception for a file's problems: of the first one's class, holding them all."""
    return problems[0].kind(problems, source)


def _count(raw: dict[str, Any]) -> int:
    """Number of elements: entries of all lists, shapes of links, partners, values of home."""

    def length(item: Any, key: str) -> int:
        value = item.get(key) if isinstance(item, dict) else None
        return len(value) if isinstance(value, list | dict) else 0

    count = sum(length(raw, key) for key in (*LISTS, "no_contact"))
    for key, inner in (("links", ("visual", "collision")), ("actuators", ("redundants",))):
        items = raw.get(key)
        for item in items if isinstance(items, list) else ():
            count += sum(length(item, name) for name in inner)
    return count + sum(length(raw.get("home"), key) for key in ("joints", "actuators"))


def _read_canonical(
    file: Normalised, folder: FilePath | None, forgiving: bool = False
) -> tuple[Robot | None, Findings]:
    """Check a file in canonical form and build the robot, if nothing is wrong.

    `forgiving`: inertias that no body has are notes, until dynamics needs them.
    """
    checked = Findings()
    parts: dict[str, list[tuple[int, Any]]] = {key: [] for key in LISTS}
    for key, model in LISTS.items():
        items = file.data.get(key, [])
        if not isinstance(items, list):
            checked.complain(WrongTypeError, (key,), f"found {shown(items)}, expected a list")
            continue
        for i, item in enumerate(items):
            element = read_element(model, item, (key, i), checked, file.authors)
            if element is not None:
                parts[key].append((i, element))
    if "links" not in file.data:
        checked.complain(MissingFieldError, ("links",), "the field 'links' is missing")
    heading = {key: value for key, value in file.data.items() if key not in LISTS}
    head = read_element(Robot, {**heading, "links": ()}, (), checked, file.authors)
    more = {} if head is None else {"home": head.home, "geometry_file": head.geometry_file}
    drives = {"joint_drives": {listed: parts[listed] for listed in JOINT_DRIVES}}
    others = {key: found for key, found in parts.items() if key not in JOINT_DRIVES}
    whole = {"home": None, **others, **drives, **more, "raw": file.data, "invented": file.invented}
    outcome = validate(Parts(**cast("Any", whole)), folder, forgiving)
    known = {path[:end] for path, _ in checked.problems for end in range(3, len(path) + 1)}
    outcome.problems = [found for found in outcome.problems if found[0] not in known]

    found = file.found
    for j, joint in sorted(file.absorbed.items()):
        read_element(Joint, joint, ("joints", j), found, file.authors)
    found.take(checked, file.origin)
    found.take(outcome, file.origin)
    if found.problems or head is None:
        return None, found
    changed = {key: tuple(element for _, element in outcome.parts[key]) for key in LISTS}
    return head.model_copy(update=changed), found


# -- one element -----------------------------------------------------------------------


def read_element(
    model: type[E], item: Any, path: Path, found: Findings, authors: bool = False
) -> E | None:
    """An element made from `item`; `authors` if fields of the authors' dialects are offered.

    If something is wrong with it, this is noted, and the element is made of what is sound, so
    that the rest can be checked too; None if that is not enough.
    """
    try:
        return model.model_validate(item)
    except ValidationError as error:
        faults = _faults(error, model, authors)
    for fault in faults:
        found.complain(fault.kind, path + fault.where, fault.message, fault.hint)
    bad = {fault.where[0] for fault in faults if fault.where}
    if not isinstance(item, dict) or bad & TELLING:
        return None
    try:
        return model.model_validate({key: item[key] for key in item if key not in bad})
    except ValidationError:
        return None


def read_shapes(
    value: Any, path: Path, folder: FilePath | None, found: Findings
) -> tuple[CollisionShape, ...]:
    """Shapes to touch, made from a list or from one without its list; what is wrong is noted."""
    result, checked = Normalised({}), Findings()
    items = canonical_shapes(result, value, path)
    shapes = []
    if not isinstance(items, list):
        checked.complain(WrongTypeError, path, f"found {shown(items)}, expected a list of shapes")
        items = []
    for k, item in enumerate(items):
        shape = read_element(CollisionShape, item, (*path, k), checked)
        if shape is not None:
            check_geometry(shape.geometry, (*path, k, "geometry"), folder, checked)
            shapes.append(shape)
    found.take(result.found, lambda place: place)
    found.take(checked, result.origin)
    return tuple(shapes)


class _Fault(NamedTuple):
    kind: type[MachineFileError]
    where: Path
    message: str
    hint: str = ""


def _faults(error: ValidationError, model: type[Element], authors: bool) -> list[_Fault]:
    """Pydantic's complaints in our words, one for each place."""
    by_place: dict[Path, _Fault] = {}
    for complaint in error.errors(include_url=False)[:MOST_FAULTS]:
        location, found = complaint["loc"], complaint["input"]
        if location[:2] == ("home", "joints") and len(location) > 3:
            # a number or a list: keep what is said about the one that was meant
            tag = str(location[3])
            if isinstance(found, list) if tag == "float" else tag != "[key]" and len(location) == 4:
                continue
            location = location[:3] + location[4:]
        context = complaint.get("ctx") or {}
        if complaint["type"] == "too_short" and len(found) >= context.get("min_length", math.inf):
            continue  # it counts sound ones only, and the others are told of already
        where, owner = _place(location, model)
        fault = _fault(complaint["type"], where, found, owner, context, authors)
        by_place[fault.where] = fault
    if (more := error.error_count() - MOST_FAULTS) > 0:
        by_place[()] = _Fault(WrongTypeError, (), f"found {more} more such problems in it")
    return list(by_place.values())


def _place(location: Path, model: type[Element]) -> tuple[Path, type[Element]]:
    """Path of a complaint without pydantic's own words in it, and the element it lies in."""
    where: list[str | int] = []
    owner = model
    for depth, key in enumerate(location):
        if depth and location[depth - 1] == "geometry" and key in SHAPES:
            owner = SHAPES[str(key)]
            continue
        if key in INSIDE and depth < len(location) - 1:
            owner = INSIDE[str(key)]
        if key != "[key]":
            where.append(key)
    return tuple(where), owner


def _fault(
    code: str,
    where: Path,
    found: Any,
    owner: type[Element],
    context: dict[str, Any],
    authors: bool,
) -> _Fault:
    name = str(where[-1]) if where else ""
    if code == "missing" and where and isinstance(where[-1], int):
        code, where, name = "too_short", where[:-1], str(where[-2])
    if code in ("missing", "union_tag_not_found"):
        return _missing(code, where, owner, authors)
    if code == "extra_forbidden":
        fields = [info.alias or key for key, info in owner.model_fields.items()]
        fields += AUTHORS_FIELDS.get(owner, ()) if authors else ()
        return _Fault(
            UnknownFieldError, where, f"unknown field {shown(name)}", suggest(name, fields)
        )
    if code == "finite_number" or (code == "float_type" and _is_huge(found)):
        return _Fault(NotFiniteError, where, f"found {shown(found)}, expected a finite number")
    if code in ("literal_error", "union_tag_invalid"):
        if code == "union_tag_invalid":
            found, where = found["type"], (*where, "type")
        listed = str(context.get("expected") or context.get("expected_tags"))
        choices = [word.strip(" '") for word in listed.replace(" or ", ", ").split(",")]
        message = f"found {shown(found)}, expected {'' if len(choices) == 1 else 'one of '}{listed}"
        if not isinstance(found, str):
            return _Fault(WrongTypeError, where, message, "it must be a word in quotes")
        near = suggest(found, choices)
        return _Fault(ValueRangeError, where, message, near if near.startswith("did") else "")
    if code == "not_equal":
        return _Fault(ValueRangeError, where, f"found {shown(found)}, expected a number but 0")
    if code in ("greater_than", "greater_than_equal", "less_than_equal"):
        words = {"greater_than": "more than", "greater_than_equal": "at least"}
        limit = f"{words.get(code, 'at most')} {next(iter(context.values())):g}"
        return _Fault(ValueRangeError, where, f"found {shown(found)}, expected {limit}")
    if code in ("string_too_short", "string_too_long", "string_unicode"):
        text = "valid Unicode" if code == "string_unicode" else "1 to 256 characters"
        return _Fault(ValueRangeError, where, f"found {shown(found)}, expected {text}")
    expected = {
        "float_type": "a number",
        "int_type": "a whole number",
        "string_type": "a string",
        "tuple_type": "a list",
        "too_short": _at_least(where, context),
        "too_long": f"{context.get('max_length')} values",
    }.get(code, "an object")
    return _Fault(WrongTypeError, where, f"found {shown(found)}, expected {expected}")


def _at_least(where: Path, context: dict[str, Any]) -> str:
    """How many values are expected where there are too few."""
    if where[-1:] == ("points",) and "min_length" in context:
        return f"{context['min_length']} points or more"
    if where[:1] == ("no_contact",):
        return "2 names of links"
    return "3 or 4 values" if where[-1:] == ("color",) else "3 values"


def _missing(code: str, where: Path, owner: type[Element], authors: bool) -> _Fault:
    name = "type" if code == "union_tag_not_found" else str(where[-1])
    message, hint = f"the field {name!r} is missing", ""
    if code == "union_tag_not_found":
        hint = f"it is one of {', '.join(SHAPES)}"
    elif owner is Actuator and name == "bound" and authors:
        message = "the field 'bound' (or 'limit') is missing"
    elif owner is Actuator and name in ("tube_offset", "rod_offset"):
        hint = f"give it, or mount the {name[:-7]} by a joint that leads to it"
    return _Fault(MissingFieldError, where, message, hint)


def _is_huge(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) > 1e308
