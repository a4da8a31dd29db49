"""Mechanisms to measure and check dynamics with: arms, random trees, and small classics.

Each function returns a machine that went through the reader like any file; nothing here has a
file of its own. z is up unless told, lengths in metres, masses in kilograms.

The problems A01, A02 and A04 are those of the IFToMM library of computational benchmark problems
(M. Gonzalez, D. Dopico, U. Lugris, J. Cuadrado: A benchmarking system for MBS simulation software,
Multibody System Dynamics 16, 2006).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..description import Reading, read_bytes, robot_from
from ..machine import Machine

Floats = NDArray[np.float64]
Entry = dict[str, Any]
Vector = Sequence[float]

X, Y, Z = [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]
TREE_SIZES = (7, 15, 30, 60)  # joints of the random trees that are compared with other engines


def machine_of(content: Entry | str) -> Machine:
    """The machine of an MRDF object, or of MRDF or URDF text."""
    text = content if isinstance(content, str) else json.dumps(content)
    reading = read_bytes(text.encode())
    # without notes: readers of URDF want limits of effort and speed, which a machine does not keep
    return Machine(robot_from(Reading(reading.robot, reading.problems), "a benchmark"))


# ------------------------------------------------------------------------------------- trees


def seven_joint_arm() -> Machine:
    """An arm of seven hinges with sizes and masses of a light industrial one, 18 kg, 1.3 m.

    Its axes alternate between along and across the links, as those of arms of its kind do. At
    home it reaches out, bent at shoulder, elbow and wrist.
    """
    # axis, height of the joint over the one before, mass, width and length of the link behind it
    joints: list[tuple[Vector, float, float, float, float]] = [
        (Z, 0.16, 3.9, 0.14, 0.20), (Y, 0.20, 4.3, 0.14, 0.20), (Z, 0.20, 3.2, 0.13, 0.22),
        ([0.0, -1.0, 0.0], 0.22, 2.7, 0.12, 0.18), (Z, 0.18, 1.7, 0.11, 0.22),
        (Y, 0.22, 1.8, 0.11, 0.08), (Z, 0.08, 0.4, 0.08, 0.05),
    ]  # fmt: skip
    links: list[Entry] = [{"name": "link_0", "visual": [_bar([0, 0, 0], [0, 0, 0.16], 0.08)]}]
    chain: list[Entry] = []
    for n, (axis, height, mass, width, length) in enumerate(joints, start=1):
        # a round bar along z whose middle lies a little aside, as motors make it
        across = mass * (3 * (width / 2) ** 2 + length**2) / 12
        aside = 0.02 if n % 2 else -0.02
        links.append(
            {
                "name": f"link_{n}",
                "visual": [_bar([0, 0, 0], [0, 0, length], width / 2)],
                "inertial": {
                    "mass": mass,
                    "com": [0.0, aside, length / 2],
                    "inertia": _diagonal(across, across, mass * (width / 2) ** 2 / 2),
                },
            }
        )
        chain.append(_joint(f"joint_{n}", f"link_{n - 1}", f"link_{n}", axis, [0.0, 0.0, height]))
    home = dict(zip((j["name"] for j in chain), [0.3, 0.5, -0.2, -1.0, 0.4, 0.6, 0.0], strict=True))
    return machine_of(_file("seven_joint_arm", links, chain, home))


def random_tree(joints: int, seed: int = 0) -> Machine:
    """A tree of so many hinges and slides: the machine of `random_tree_urdf`."""
    return machine_of(random_tree_urdf(joints, seed))


@cache
def random_tree_urdf(joints: int, seed: int = 0) -> str:
    """URDF of a random tree: a slide for every four joints, branches now and then.

    Axes, frames and inertias are random; every body is a cloud of point masses, so that its
    inertia is one that a body can have. Figures have all their digits: whoever reads the text
    has the same tree.
    """
    random = np.random.default_rng([seed, joints])
    parts = ['<robot name="random_tree">', '<link name="link_0"/>']
    for n in range(1, joints + 1):
        parent = int(random.integers(max(0, n - 4), n))
        kind = "prismatic" if random.random() < 0.25 else "revolute"
        axis = random.normal(size=3)
        parts += [
            f'<link name="link_{n}">{_cloud(random)}</link>',
            f'<joint name="joint_{n:03d}" type="{kind}">',
            f'<parent link="link_{parent}"/><child link="link_{n}"/>',
            f'<origin xyz="{_text(random.uniform(-0.4, 0.4, 3))}" '
            f'rpy="{_text(random.uniform(-1.5, 1.5, 3))}"/>',
            f'<axis xyz="{_text(axis / np.linalg.norm(axis))}"/>',
            '<limit lower="-10" upper="10" effort="1000" velocity="100"/></joint>',
        ]
    return "\n".join([*parts, "</robot>"])


def _cloud(random: np.random.Generator) -> str:
    """The URDF inertial of twelve random point masses."""
    masses, points = random.uniform(0.1, 0.6, 12), random.uniform(-0.2, 0.2, (12, 3))
    com = masses @ points / masses.sum()
    apart = points - com
    J = np.einsum("i,ij,ij->", masses, apart, apart) * np.eye(3)
    J -= np.einsum("i,ij,ik->jk", masses, apart, apart)
    names = {"ixx": (0, 0), "iyy": (1, 1), "izz": (2, 2), "ixy": (0, 1), "ixz": (0, 2),
             "iyz": (1, 2)}  # fmt: skip
    moments = " ".join(f'{name}="{float(J[at])!r}"' for name, at in names.items())
    return (
        f'<inertial><origin xyz="{_text(com)}" rpy="0 0 0"/>'
        f'<mass value="{float(masses.sum())!r}"/><inertia {moments}/></inertial>'
    )


def _text(values: Floats) -> str:
    return " ".join(repr(float(value)) for value in values)


def simple_pendulum() -> Machine:
    """A01: a point of 1 kg on a massless bar of 1 m, let go horizontally, to the left.

    The hinge is about y; at angle 0 the mass hangs at -x.
    """
    point = {"mass": 1.0, "com": [-1.0, 0.0, 0.0], "inertia": _diagonal(0.0, 0.0, 0.0)}
    seen = [_bar([0, 0, 0], [-1, 0, 0], 0.01), _ball([-1, 0, 0], 0.06)]
    links = [_ground(), {"name": "bar", "inertial": point, "visual": seen}]
    return machine_of(_file("simple_pendulum", links, [_joint("hinge", "ground", "bar", Y)]))


def double_pendulum(
    lengths: Vector = (1.0, 1.0), masses: Vector = (1.0, 1.0), start: Vector = (1.5, 0.5)
) -> Machine:
    """Two uniform rods under each other, on hinges about y; at angle 0 both hang down.

    Args:
        lengths: of the rods [m].
        masses: of the rods [kg].
        start: angle of the first rod from the vertical, and of the second from the first [rad].
    """
    down = (0.0, 0.0, -1.0)
    links = [
        _ground(),
        _rod("upper", lengths[0], masses[0], down),
        _rod("lower", lengths[1], masses[1], down),
    ]
    joints = [
        _joint("shoulder", "ground", "upper", Y),
        _joint("elbow", "upper", "lower", Y, [0.0, 0.0, -lengths[0]]),
    ]
    home = {"shoulder": start[0], "elbow": start[1]}
    return machine_of(_file("double_pendulum", links, joints, home))


def spinning_top(
    mass: float = 0.5, height: float = 0.06, axial: float = 4e-4, transverse: float = 5e-4
) -> Machine:
    """A symmetric top on a ball joint; its axis is the body's z and stands upright at home.

    Args:
        mass: [kg].
        height: of the centre of mass over the tip, along the axis [m].
        axial: moment of inertia about the axis [kg m^2].
        transverse: moment of inertia across it, about the centre of mass [kg m^2].
    """
    inertial = {
        "mass": mass,
        "com": [0.0, 0.0, height],
        "inertia": _diagonal(transverse, transverse, axial),
    }
    disc = {
        "translation": [0.0, 0.0, height],
        "geometry": {"type": "cylinder", "r1": 0.05, "r2": 0.05, "h": 0.02},
    }
    seen = [_bar([0, 0, 0], [0, 0, 2 * height], 0.004), disc]
    links = [_ground(), {"name": "top", "inertial": inertial, "visual": seen}]
    joints = [_joint("tip", "ground", "top", kind="spherical")]
    return machine_of(_file("spinning_top", links, joints, {"tip": [1.0, 0.0, 0.0, 0.0]}))


def free_body(moments: Vector = (1.0, 2.0, 3.0), mass: float = 1.0) -> Machine:
    """A body that nothing holds, with principal moments along its axes [kg m^2]."""
    inertial = {"mass": mass, "com": [0.0, 0.0, 0.0], "inertia": _diagonal(*moments)}
    links = [_ground(), {"name": "body", "inertial": inertial, "visual": [_ball([0, 0, 0], 0.2)]}]
    return machine_of(_file("free_body", links, [_joint("float", "ground", "body", kind="free")]))


# --------------------------------------------------------------------------------- closed loops


def slider_crank(
    crank: float = 0.2, rod: float = 0.6, masses: Vector = (1.0, 1.5, 2.0), start: float = 0.5
) -> Machine:
    """Crank about y, connecting rod, and a slider on the x axis through the crank's hinge.

    Args:
        crank: its length [m].
        rod: length of the connecting rod [m].
        masses: of crank, rod (both uniform) and slider [kg].
        start: angle of the crank [rad]; at 0 it points at the slider, and positive is downwards.
    """
    swing = float(np.arcsin(-crank * np.sin(start) / rod))  # the rod's angle with the x axis
    slider = {
        "name": "slider",
        "inertial": {"mass": masses[2], "inertia": _diagonal(1e-3, 1e-3, 1e-3)},
        "visual": [{"geometry": {"type": "box", "x": 0.12, "y": 0.08, "z": 0.08}}],
    }
    links = [_ground(), _rod("crank", crank, masses[0]), _rod("rod", rod, masses[1]), slider]
    joints = [
        _joint("main", "ground", "crank", Y),
        _joint("pin", "crank", "rod", Y, [crank, 0.0, 0.0]),
        _joint("slide", "ground", "slider", X, kind="prismatic"),
        *_closure("gudgeon", "rod", "slider", Y, [rod, 0.0, 0.0], [0.0, 0.0, 0.0]),
    ]
    reach = float(crank * np.cos(start) + rod * np.cos(swing))
    home = {"main": start, "pin": swing - start, "slide": reach}
    return machine_of(_file("slider_crank", links, joints, home))


def four_bar(
    lengths: Vector = (1.0, 0.4, 1.1, 0.8), masses: Vector = (0.4, 1.1, 0.8), start: float = -1.2
) -> Machine:
    """A planar four-bar of uniform rods in the x-z plane, hinges about y.

    Args:
        lengths: of ground, crank, coupler and rocker [m].
        masses: of crank, coupler and rocker [kg].
        start: angle of the crank [rad]; at 0 it points along the ground at the rocker's hinge,
            and positive is downwards.
    """
    ground, crank, coupler, rocker = lengths
    # in the plane of x and downwards; the coupler's end is above the line to the rocker's hinge
    knee = crank * np.exp(1j * start)
    way = ground - knee
    cosine = (coupler**2 + abs(way) ** 2 - rocker**2) / (2 * coupler * abs(way))
    first = float(np.angle(way) - np.arccos(cosine))
    second = float(np.angle(ground - knee - coupler * np.exp(1j * first)))
    links = [_ground(), *map(_rod, ("crank", "coupler", "rocker"), lengths[1:], masses)]
    joints = [
        _joint("main", "ground", "crank", Y),
        _joint("knee", "crank", "coupler", Y, [crank, 0.0, 0.0]),
        _joint("head", "coupler", "rocker", Y, [coupler, 0.0, 0.0]),
        *_closure("foot", "rocker", "ground", Y, [rocker, 0.0, 0.0], [ground, 0.0, 0.0]),
    ]
    home = {"main": start, "knee": first - start, "head": second - first}
    return machine_of(_file("four_bar", links, joints, home))


def n_four_bars(n: int = 2) -> Machine:
    """A02: n squares side by side, n + 1 upright rods and n level ones, each of 1 m and 1 kg.

    It has one freedom. When all rods lie in one line, it has for a moment n + 1. The uprights
    turn about y and lie along z at angle 0; the level rods hang on the heads of the uprights.
    """
    links, joints, closures = [_ground(n)], [], []
    for i in range(n + 1):
        links.append(_rod(f"upright_{i}", 1.0, 1.0, (0.0, 0.0, 1.0)))
        joints.append(_joint(f"foot_{i}", "ground", f"upright_{i}", Y, [float(i), 0.0, 0.0]))
    for i in range(n):
        level, after = f"level_{i}", f"upright_{i + 1}"
        links.append(_rod(level, 1.0, 1.0))
        joints.append(_joint(f"head_{i}", f"upright_{i}", level, Y, [0.0, 0.0, 1.0]))
        closures += _closure(f"corner_{i}", level, after, Y, [1.0, 0.0, 0.0], [0.0, 0.0, 1.0])
    home = {joint["name"]: 0.0 for joint in joints}
    return machine_of(_file(f"four_bars_{n}", links, joints + closures, home))


def n_four_bars_velocity(n: int = 2) -> Floats:
    """Velocities of A02 at its start: the heads move at 1 m/s along x, (2 n + 1,)."""
    return np.concatenate([np.ones(n + 1), -np.ones(n)])


def bricard() -> Machine:
    """A04: Bricard's linkage, five rods of 1 m and 1 kg and six hinges along edges of a cube.

    The sixth edge is the ground, from (0, 0, 1) to (0, 0, 0); y is up. Every hinge is square to
    both rods that it joins. Counted by Gruebler's formula it has no freedom; it has one.
    """
    corners = np.array(
        [[0, 0, 0], [1, 0, 0], [1, -1, 0], [1, -1, 1], [0, -1, 1], [0, 0, 1]], dtype=float
    )
    ways = np.roll(corners, -1, axis=0) - corners  # of five rods, and of the ground back
    axes = np.cross(np.roll(ways, 1, axis=0), ways)  # of the hinge at each corner
    links: list[Entry] = [{"name": "ground", "visual": [_bar(corners[5], corners[0], 0.02)]}]
    joints: list[Entry] = []
    for n in range(5):
        # all frames are parallel to the ground's at angle 0
        links.append(_rod(f"rod_{n + 1}", 1.0, 1.0, ways[n]))
        parent, at = (f"rod_{n}", ways[n - 1]) if n else ("ground", corners[0])
        joints.append(_joint(f"hinge_{n + 1}", parent, f"rod_{n + 1}", axes[n], at))
    joints += _closure("hinge_6", "rod_5", "ground", axes[5], ways[4], corners[5])
    home = {f"hinge_{n}": 0.0 for n in range(1, 6)}
    return machine_of({**_file("bricard", links, joints, home), "up_axis": "y"})


# ------------------------------------------------------------------------------------- elements


def _file(
    name: str, links: list[Entry], joints: list[Entry], home: dict[str, Any] | None = None
) -> Entry:
    content = {"mrdf": "1", "name": name, "links": links, "joints": joints}
    return content if home is None else {**content, "home": {"joints": home}}


def _joint(
    name: str,
    parent: str,
    child: str,
    axis: Vector | Floats | None = None,
    at: Vector | Floats = (0.0, 0.0, 0.0),
    kind: str = "revolute",
) -> Entry:
    entry: Entry = {"name": name, "parent": parent, "child": child, "type": kind}
    if axis is not None:
        entry["axis"] = _numbers(axis)
    return {**entry, "origin_translation": _numbers(at)}


def _closure(
    name: str,
    a: str,
    b: str,
    axis: Vector | Floats,
    on_a: Vector | Floats,
    on_b: Vector | Floats,
) -> list[Entry]:
    """The two joints of one pivot; link axes are parallel where all angles are 0."""
    return [_joint(name, a, b, axis, on_a), _joint(f"{name}_back", b, a, axis, on_b)]


def _rod(name: str, length: float, mass: float, along: Vector | Floats = (1, 0, 0)) -> Entry:
    """A thin uniform rod from the link's origin in a direction."""
    way = np.asarray(along, dtype=float)
    J = mass * length**2 / 12 * (np.eye(3) - np.outer(way, way))
    return {
        "name": name,
        "visual": [_bar([0, 0, 0], length * way, 0.02 * length)],
        "inertial": {
            "mass": mass, "com": _numbers(length / 2 * way), "inertia": [_numbers(row) for row in J]
        },
    }  # fmt: skip


def _ground(length: float = 0.0) -> Entry:
    seen = [_ball([0, 0, 0], 0.03), *([_bar([0, 0, 0], [length, 0, 0], 0.02)] if length else [])]
    return {"name": "ground", "visual": seen}


def _bar(start: Vector | Floats, end: Vector | Floats, radius: float) -> Entry:
    """A round bar to be seen between two points that differ along one axis."""
    a, b = np.asarray(start, dtype=float), np.asarray(end, dtype=float)
    turns = ([0.0, np.pi / 2, 0.0], [np.pi / 2, 0.0, 0.0], [0.0, 0.0, 0.0])  # z along x, y, z
    return {
        "translation": _numbers((a + b) / 2),
        "orientation": turns[int(np.argmax(np.abs(b - a)))],
        "geometry": {"type": "capsule", "r": radius, "h": float(np.linalg.norm(b - a))},
        "material": {"color": [0.16, 0.33, 0.58]},
    }


def _ball(at: Vector, radius: float) -> Entry:
    shape = {"type": "sphere", "r": radius}
    return {"translation": _numbers(at), "geometry": shape, "material": {"color": [0.3, 0.3, 0.3]}}


def _diagonal(xx: float, yy: float, zz: float) -> list[list[float]]:
    return [[xx, 0.0, 0.0], [0.0, yy, 0.0], [0.0, 0.0, zz]]


def _numbers(values: Vector | Floats) -> list[float]:
    return [float(value) + 0.0 for value in values]
