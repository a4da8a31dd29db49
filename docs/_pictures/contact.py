"""All pictures of the page on contact."""

from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from scipy.spatial import ConvexHull

import headframe as hf
from headframe.bench.dynamics.grasping import HEIGHT, PHASES, SECONDS, STONE, THICK, Grasp
from headframe.contact import exact_dissipation, fill_pair, kelvin_voigt_damping, pair_of
from headframe.contact.force import SLOWEST, one_push
from headframe.contact.kernels import MEMORY, PAIR, PUSH
from headframe.description import Bristle, ContactMaterial, Friction
from headframe.jit import new_records

from . import style

FOLDER = Path(__file__).parent
BALL = {"type": "sphere", "r": 0.1}
COLORS = {0.3: "#77818c", 0.6: "#e69f00", 0.9: "#0072b2"}
GRASPS = {  # name, colour and width of the line
    "auto": ("implicit step", "#aeb6bf", 4.0),
    "simmc": ("SIMMC", "#e69f00", 2.2),
    "simgc": ("SIMGC", "#0072b2", 0.9),
}
TOGETHER = 10  # steps of which the picture shows the mean
ARM = ("turret", "upper_arm", "forearm", "wrist", "palm")


def draw_contact(folder: Path, newest: float) -> None:
    """Draw the pictures that are missing, or older than `newest` or the code that draws them."""
    newest = max(newest, *(path.stat().st_mtime for path in FOLDER.glob("*.py")))
    drawings = {
        "contact_laws.png": draw_laws,
        "contact_loops.png": draw_loops,
        "contact_springs.png": draw_springs,
        "contact_grasp.png": draw_grasp,
    }
    with matplotlib.rc_context(style.TEXT):
        for name, draw in drawings.items():
            path = folder / name
            if not path.exists() or path.stat().st_mtime < newest:
                draw(path)


def stuff(restitution: float = 0.5, friction: float = 0.5) -> ContactMaterial:
    """A material such as hard rubber."""
    return ContactMaterial(
        name="stuff", young=1e8, poisson=0.0, restitution=restitution,
        friction=Friction(static=friction, dynamic=friction),
        bristle=Bristle(stiffness=1e7, damping=1e4),
    )  # fmt: skip


def grounded(material: ContactMaterial, step: float, slope: float = 0.0) -> hf.World:
    """A plane ground on a slope [rad]."""
    world = hf.World(step=step, gravity=9.81 * np.array([np.sin(slope), 0.0, -np.cos(slope)]))
    world.add_static("ground", {"type": "plane"}, material=material)
    return world


def draw_laws(path: Path) -> None:
    """Bounces, a ball that begins to roll, and blocks on slopes."""
    made = style.figure(2.5)
    panels = [made.add_axes((0.07 + 0.322 * n, 0.19, 0.25, 0.64)) for n in range(3)]
    for axes in panels:
        style.bare(axes)
        axes.set_xlabel("time [s]")
    draw_bounces(panels[0])
    draw_rolling(panels[1])
    draw_slopes(panels[2])
    style.save(made, path)


def draw_bounces(axes: Any) -> None:
    """Heights of a ball, by its restitution."""
    for restitution, color in COLORS.items():
        material = stuff(restitution)
        world = grounded(material, 2e-5)
        ball = world.add_body("ball", BALL, 1.0, at=[0, 0, 0.6], material=material)
        rows = []
        for _ in range(300):
            world.step(250)
            rows.append((world.time, ball.pose[2, 3] - 0.1))
        time, height = np.transpose(rows)
        axes.plot(time, height, color=color, lw=1.4, label=f"{restitution:g}")
    axes.legend(frameon=False, title="restitution")
    axes.set_title("height of a ball [m]")


def draw_rolling(axes: Any) -> None:
    """A ball that slides first: speed of its centre and of its rim."""
    material = stuff(friction=0.2)
    world = grounded(material, 5e-4)
    ball = world.add_body("ball", BALL, 1.0, at=[0, 0, 0.1], material=material,
                          velocity=[0, 0, 0, 2.0, 0, 0])  # fmt: skip
    rows = []
    for _ in range(120):
        world.step(10)
        rows.append((world.time, ball.velocity[3], 0.1 * ball.velocity[1]))
    time, centre, rim = np.transpose(rows)
    axes.plot(time, centre, color=COLORS[0.9], lw=1.6, label="centre")
    axes.plot(time, rim, color=COLORS[0.6], lw=1.6, label="rim")
    axes.axhline(2.0 * 5 / 7, color=COLORS[0.3], lw=0.8, ls=":")
    axes.legend(frameon=False)
    axes.set_title("it slides, then rolls [m/s]")


def draw_slopes(axes: Any) -> None:
    """A block on slopes below and above its angle of friction, 26.6 degrees."""
    cube = {"type": "box", "x": 0.2, "y": 0.2, "z": 0.2}
    for degrees, color in zip((25, 30, 35), COLORS.values(), strict=True):
        world = grounded(stuff(friction=0.5), 1e-3, np.radians(degrees))
        block = world.add_body("block", cube, 20.0, at=[0, 0, 0.1], material=stuff(friction=0.5))
        rows = []
        for _ in range(100):
            world.step(10)
            rows.append((world.time, block.velocity[3]))
        time, speed = np.transpose(rows)
        axes.plot(time, speed, color=color, lw=1.6, label=f"{degrees}°")
    axes.legend(frameon=False, title="slope")
    axes.set_title("speed of a block [m/s]")


# ------------------------------------------------------------------------------------ loops

DRY = {"static": 0.5, "dynamic": 0.5}
LAWS = {  # name: colour, what else a material has of it
    "hunt-crossley": ("#0072b2", {"stiffness": 2e6}),
    "lankarani": ("#009e73", {"stiffness": 2e6}),
    "printed": ("#e69f00", {"stiffness": 2e6}),
    "kelvin-voigt": (
        "#77818c",
        {
            "stiffness": 1e5,
            "exponent": 1.0,
            "damping": 2 * kelvin_voigt_damping(0.5, 5e4, 1.0),
        },
    ),
    "volumetric": ("#c2255c", {"foundation": 8e7}),
}


def draw_loops(path: Path) -> None:
    """Force over depth of a ball that bounces, by law; friction over speed, by law."""
    made = style.figure(3.0)
    loops, friction = made.add_axes((0.07, 0.16, 0.52, 0.7)), made.add_axes((0.68, 0.16, 0.3, 0.7))
    for axes in (loops, friction):
        style.bare(axes)
    for law, (color, fields) in LAWS.items():
        depths, forces, share = bounce(ContactMaterial(
            name=law, law=law, restitution=0.5, friction=Friction(**DRY), **fields
        ))  # fmt: skip
        loops.plot(1e3 * depths, forces, color=color, lw=1.5, label=f"{law}: {share:.2f}")
    loops.set_xlabel("depth [mm]")
    loops.set_title("force on a ball of 1 kg that meets the ground at 1 m/s [N]")
    loops.set_ylim(-10.0, 400.0)
    loops.legend(title="law, and what is left of the speed where half is asked for", ncols=2,
                 loc="upper left", title_fontsize=8)  # fmt: skip
    draw_friction(friction)
    style.save(made, path)


def bounce(material: ContactMaterial) -> tuple[Any, Any, float]:
    """Depths and forces of a ball that meets the ground at 1 m/s; what it leaves with."""
    world = hf.World(step=1e-5, gravity=0.0)
    world.add_static("ground", {"type": "plane"}, material=material)
    ball = world.add_body("ball", BALL, 1.0, at=[0, 0, 0.1], material=material,
                          velocity=[0, 0, 0, 0, 0, -1.0])  # fmt: skip
    rows = [(0.0, 0.0)]
    while ball.velocity[5] < 0.0 or world.contacts:
        world.step(5)
        push = sum(abs(contact.force[2]) for contact in world.contacts)
        rows.append((0.1 - ball.pose[2, 3], push))
        if push == 0.0:
            break
    depths, forces = np.transpose(rows)
    return depths, forces, float(ball.velocity[5])


def draw_friction(axes: Any) -> None:
    """Friction by normal force over the speed, of bristles that are bent nearly to their limit."""
    for law, color in (("return-map", LAWS["hunt-crossley"][0]), ("stiction-point", style.WRONG)):
        point = {"law": law, "transition": 0.01} if law == "stiction-point" else {}
        stuff = ContactMaterial(
            name=law, stiffness=1e6, restitution=0.5,
            friction=Friction(static=0.5, dynamic=0.3, **point),
            bristle=Bristle(stiffness=2e5, damping=0.0),
        )  # fmt: skip
        pair, memory = new_records(1, PAIR)[0], new_records(1, MEMORY)[0]
        fill_pair(pair_of(stuff, stuff), pair)
        shares = []
        speeds = np.linspace(0.0, 0.04, 400)
        for speed in speeds:
            push = new_records(1, PUSH)[0]
            u, bent = np.array([0.0, speed, 0.0]), np.array([5e-5, 0.0])
            one_push(pair, pair.stiffness, 1e-3, 1e-3, bent, memory, u, push)
            shares.append(-push.force[1] / push.force[0])
        axes.plot(1e3 * speeds, shares, color=color, lw=1.6, label=law)
    axes.set_xlabel("speed where a step ends [mm/s]")
    axes.set_ylim(0.0, 0.6)
    axes.set_title("friction by normal force")
    axes.legend()


# ---------------------------------------------------------------------------------- springs


def draw_springs(path: Path) -> None:
    """A block on a spring with dry friction, stick and slip, a ball that rolls and spins."""
    made = style.figure(2.5)
    panels = [made.add_axes((0.07 + 0.322 * n, 0.19, 0.25, 0.64)) for n in range(3)]
    for axes in panels:
        style.bare(axes)
        axes.set_xlabel("time [s]")
    draw_half_swings(panels[0])
    draw_stick_slip(panels[1])
    draw_foundation(panels[2])
    style.save(made, path)


def pulled(friction: Friction, step: float, gravity: float, spring: Any, anchor: Any, start: float,
           seconds: float) -> Any:  # fmt: skip
    """Times, places of a block of 1 kg on a spring, and friction on it."""
    material = ContactMaterial(
        name="stuff", stiffness=4e5, restitution=0.1, friction=friction,
        bristle=Bristle(stiffness=1e6, damping=1e3),
    )  # fmt: skip
    world = hf.World(step=step, gravity=gravity)
    world.add_static("ground", {"type": "plane"}, material=material)
    shape = {"type": "box", "x": 0.4, "y": 0.2, "z": 0.1}
    block = world.add_body("block", shape, 1.0, at=[start, 0, 0.05], material=material)
    world.run(0.2)
    rows = []
    for n in range(round(seconds / step)):
        t, x = n * step, block.pose[0, 3]
        block.apply([0, 0, 0, -spring(t) * (x - anchor(t)), 0, 0])
        world.step()
        if n % 10 == 0:
            held = sum(contact.force[0] for contact in world.contacts)
            rows.append((t + step, block.pose[0, 3], held))
    return np.transpose(rows)


def draw_half_swings(axes: Any) -> None:
    """Place over time, and the closed form of the ends of its half-swings."""
    friction = Friction(static=0.02, dynamic=0.02)
    time, place, _ = pulled(
        friction, 1e-3, 9.81, lambda t: 1.0 if t < 10.0 - 1e-9 else 10.0, lambda _: 0.0, 1.0, 13.0
    )
    axes.plot(time, place, color=COLORS[0.9], lw=1.4)
    x, t, ends = 1.0, 0.0, []
    for begin, spring in ((0.0, 1.0), (10.0, 10.0)):
        t, limit = begin, 0.02 * 9.81 / spring
        while abs(x) > limit and t < 13.0:
            ends.append((t, x))
            x, t = 2 * np.copysign(limit, x) - x, t + np.pi / np.sqrt(spring)
        ends.append((t, x))
    shown = np.array([end for end in ends if end[0] <= 13.0])
    axes.plot(*shown.T, "o", ms=3.5, color=COLORS[0.6], label="closed form")
    axes.legend()
    axes.set_title("dry friction on a spring [m]")


def draw_stick_slip(axes: Any) -> None:
    """Stretch of the spring of a block on a belt, by friction with a static coefficient."""
    friction = Friction(static=0.15, dynamic=0.1, viscous=0.1 / 4)
    time, place, held = pulled(friction, 1e-3, 10.0, lambda _: 2.0, lambda t: -0.05 * t, 0.0, 45.0)
    axes.plot(time, place + 0.05 * time, color=COLORS[0.9], lw=1.4, label="stretch [m]")
    axes.plot(time, held, color=COLORS[0.6], lw=1.0, label="friction [N]")
    axes.legend(loc="lower right")
    axes.set_ylim(-0.6, 1.6)
    axes.set_title("stick and slip on a belt")


def draw_foundation(axes: Any) -> None:
    """A ball that rolls and one that spins, by the volumetric law, with their closed forms."""
    dry, depth = Friction(static=0.4, dynamic=0.4), np.sqrt(9.81 / (np.pi * 0.1 * 2e7))
    material = ContactMaterial(
        name="skin", law="volumetric", foundation=4e7, restitution=0.5, friction=dry
    )
    rate = 9.81 * exact_dissipation(0.5) / SLOWEST * depth / (3 * 1.4 * 0.1)
    stops = 0.4 * 0.01 * 20.0 / (0.4 * 9.81 * np.sqrt(2 * 0.1 * depth / 3))
    for name, start, color in (("rolls", 0.5, COLORS[0.9]), ("spins", 20.0, COLORS[0.6])):
        world = grounded(material, 5e-4)
        spin = [0, start, 0, 0.1 * start, 0, 0] if name == "rolls" else [0, 0, start, 0, 0, 0]
        ball = world.add_body("ball", BALL, 1.0, at=[0, 0, 0.1 - depth], material=material,
                              velocity=spin)  # fmt: skip
        rows = [(0.0, 1.0)]
        for _ in range(125):
            world.step(40)
            rows.append((world.time, np.abs(ball.velocity[:3]).max() / start))
        time, share = np.transpose(rows)
        axes.plot(time, share, color=color, lw=1.6, label=name)
    time = np.linspace(0.0, 2.5, 200)
    axes.plot(time, np.exp(-rate * time), color=style.INK, lw=0.8, ls=":")
    axes.plot(time, np.maximum(1.0 - time / stops, 0.0), color=style.INK, lw=0.8, ls=":")
    axes.legend()
    axes.set_title("turning, by its start")


# ------------------------------------------------------------------------------------- the grasp


def draw_grasp(path: Path) -> None:
    """A stone in the gripper: from the side, its height, and the sweeps of impulses."""
    made = style.figure(2.9)
    side = made.add_axes((0.02, 0.1, 0.26, 0.75))
    height, sweeps = (made.add_axes((0.345 + 0.375 * n, 0.17, 0.27, 0.68)) for n in range(2))
    draw_side(side)
    for formulation, (name, color, width) in GRASPS.items():
        scene = Grasp(formulation, "stone")
        rows, last = [], 0.0
        while scene.world.time < SECONDS - 1e-9:
            for _ in range(TOGETHER):
                scene.step()
            swept = scene.world.sweeps.mean * scene.world.time / scene.world.step_size
            rows.append((scene.world.time, scene.thing.pose[2, 3], (swept - last) / TOGETHER))
            last = swept
        time, z, swept = np.transpose(rows)
        height.plot(time, z - z[0], color=color, lw=width, label=name)
        if formulation != "auto":
            sweeps.plot(time, np.maximum(swept, 1.0), color=color, lw=0.9, label=name)
    for axes in (height, sweeps):
        style.bare(axes)
        axes.set_xlabel("time [s]")
        for end, _ in PHASES.values():
            axes.axvline(end, color=style.RULE, lw=0.8, zorder=0)
    height.set_title("height of the stone [m]")
    height.set_ylim(-0.07, 0.15)
    height.set_yticks([0.0, 0.05, 0.1, 0.15])
    sweeps.set_yscale("log")
    sweeps.set_ylim(0.8, 2000.0)
    sweeps.set_title("sweeps a step of 1 ms")
    sweeps.legend(*height.get_legend_handles_labels(), loc="upper right")
    label_phases(height)
    style.save(made, path)


def label_phases(axes: Any) -> None:
    """Names of the phases beside the lines that end them."""
    begin = 0.0
    for name, (end, _) in PHASES.items():
        axes.text(
            0.5 * (begin + end), 0.02, name, transform=axes.get_xaxis_transform(), rotation=90,
            ha="center", va="bottom", fontsize=7, color=style.QUIET,
        )  # fmt: skip
        begin = end


def draw_side(axes: Any) -> None:
    """The manipulator when its fingers have closed, and when it has lifted the stone."""
    style.sketch(axes)
    scene = Grasp("simgc", "stone", 5e-3)
    x, _, z = scene.thing.pose[:3, 3]
    axes.fill_between(
        [x - 0.2, x + 0.2], z - 0.5 * HEIGHT, z - 0.5 * HEIGHT - THICK, color=style.RULE, lw=0
    )
    axes.fill_between([-0.2, 0.2], 0.0, 0.2, color=style.FAINT, lw=0)
    for phase, color in (("close", style.FAINT), ("lift", style.INK)):
        scene.run(phase)
        gripper = scene.gripper
        points = [gripper.pose(link)[:3, 3] for link in ARM]
        tip = gripper.pose("left_finger") @ [0, -0.033, 0.17, 1.0]
        line = np.array([[0.0, 0.0, 0.2], *points, gripper.pose("left_finger")[:3, 3], tip[:3]])
        axes.plot(line[:, 0], line[:, 2], color=color, lw=3.0, zorder=3)
        for point in points[1:-1]:
            style.pin(axes, complex(point[0], point[2]), color)
        stone = (scene.thing.pose @ np.c_[STONE["points"], np.ones(len(STONE["points"]))].T)[[0, 2]]
        outline = stone.T[ConvexHull(stone.T).vertices]
        fill = "#d3a26b" if phase == "lift" else "#eddcc4"
        axes.fill(*outline.T, facecolor=fill, edgecolor=color, lw=0.8, zorder=4)
    axes.set_title("closed, and lifted")
