"""A manipulator that grasps something, lifts it, carries it, puts it down and lets it go.

The third scene of the SIMGC paper's table 1 (its figures 6 and 7): one motor closes both fingers,
the second by a repeater, and friction alone holds what is between them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...actuation import Command, locked, speed, torque
from ...machine import load
from ...mechanism import Floats
from ...sim import World

HEIGHT = 0.06  # [m] of the box; both things reach half of it below their origins
BOX: dict[str, Any] = {"type": "box", "x": 0.05, "y": 0.1, "z": HEIGHT}
STONE: dict[str, Any] = {
    "type": "hull",
    "points": [
        [0.026, 0.030, -0.030], [-0.020, 0.034, -0.030], [-0.036, -0.004, -0.030],
        [-0.016, -0.036, -0.030], [0.030, -0.026, -0.030], [0.024, 0.050, -0.018],
        [-0.022, 0.050, -0.016], [-0.018, 0.050, 0.022], [0.020, 0.050, 0.018],
        [0.022, -0.050, -0.014], [-0.024, -0.050, -0.018], [-0.020, -0.050, 0.019],
        [0.017, -0.050, 0.023], [0.046, 0.006, -0.002], [-0.045, -0.008, 0.004],
        [0.018, 0.020, 0.038], [-0.016, 0.012, 0.041], [-0.004, -0.024, 0.036],
    ],
}  # fmt: skip
THINGS = {"box": BOX, "stone": STONE}
MASS = 0.5  # [kg]
THICK = 0.1  # [m] tables
TABLE = {"type": "box", "x": 0.4, "y": 0.4, "z": THICK}
SECOND = 1e-3  # [m] how much lower the second table is
RISES, TURNS = 0.3, 0.6  # speeds of shoulder and turret [rad/s]

# what the motors do, and until when [s]
PHASES: dict[str, tuple[float, dict[str, Command]]] = {
    "close": (0.5, {"finger_1_motor": torque(-5.0)}),
    "lift": (1.1, {"shoulder_motor": speed(-RISES)}),
    "carry": (2.3, {"shoulder_motor": locked(), "turn_motor": speed(TURNS)}),
    "put down": (2.9, {"turn_motor": locked(), "shoulder_motor": speed(RISES)}),
    "wait": (3.3, {"shoulder_motor": locked()}),
    "let go": (4.0, {"finger_1_motor": torque(1.0)}),
}
SECONDS = PHASES["let go"][0]


class Grasp:
    """The scene in motion.

    Attributes:
        world: with the gripper, what it grasps, and two tables.
        gripper, thing: members of it.
    """

    def __init__(
        self,
        formulation: str = "auto",
        thing: str = "box",
        step: float = 1e-3,
        machine: dict[str, Any] | None = None,
        **options: Any,
    ) -> None:
        """The open gripper about a thing that lies on a table.

        Args:
            formulation: of the world.
            thing: "box" or "stone".
            step: [s].
            machine: options of the gripper.
            **options: of the world.
        """
        gripper = load("gripper")
        self.world = World(step=step, formulation=formulation, **options)
        self.gripper = self.world.add(gripper, "gripper", **(machine or {}))
        self.gripper.command({motor.name: locked() for motor in gripper.robot.motors})
        (pad,) = gripper.collision.shapes[gripper.robot.link_index["left_finger"]]
        place = (gripper.home.pose("left_finger") @ pad.pose)[:3, 3] * [1.0, 0.0, 1.0]
        self.thing = self.world.add_body(thing, THINGS[thing], MASS, place, "rubber")
        below = 0.5 * (HEIGHT + THICK)
        self.world.add_static("table", TABLE, place - [0.0, 0.0, below])
        self.world.add_static("second table", TABLE, self.carried(place - [0, 0, below + SECOND]))
        self._begun = -1

    def carried(self, place: Floats) -> Floats:
        """Where a place is carried to."""
        begin, end = PHASES["lift"][0], PHASES["carry"][0]
        angle = TURNS * (end - begin)
        c, s = np.cos(angle), np.sin(angle)
        found: Floats = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]) @ place
        return found

    def step(self) -> None:
        """Make a step, with the commands of its phase."""
        now, phases = self.world.time + 1e-9, list(PHASES.values())
        phase = next((n for n, (end, _) in enumerate(phases) if now < end), len(phases) - 1)
        if phase != self._begun:
            self.gripper.command(phases[phase][1])
            self._begun = phase
        self.world.step(1)

    def run(self, phase: str) -> None:
        """Go on until a phase is over."""
        while self.world.time + 0.5 * self.world.step_size < PHASES[phase][0]:
            self.step()

    @property
    def touching(self) -> set[str]:
        """Names of what touches the thing."""
        pairs = [{contact.a, contact.b} for contact in self.world.contacts]
        name = self.thing.name
        return {other for pair in pairs if name in pair for other in pair - {name}}
