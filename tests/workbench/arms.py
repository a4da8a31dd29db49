"""Machines whose reach is known in closed form."""

import numpy as np

from build import actuator, joint, machine


def gantry(axes, strokes):
    """Slides on top of each other, each with a cylinder along its axis; the last link is s<n>."""
    links = ["base", *(f"s{k + 1}" for k in range(len(strokes)))]
    axes = np.eye(3)[list(axes)]
    return machine(
        [
            joint(f"j{k}", links[k], links[k + 1], "prismatic", axis=axes[k].tolist())
            for k in range(len(strokes))
        ],
        [
            actuator(f"c{k}", (links[k], -axes[k]), (links[k + 1], (0, 0, 0)), (1.0, 1.0 + stroke))
            for k, stroke in enumerate(strokes)
        ],
    )


def stretching_arm(angle=0.5, high=1.0, wide=0.7):
    """An arm along x that turns up and down by an angle, on a mast that slides along z and y.

    Its tip, the point (1, 0, 0) of the arm, is farthest out where the arm is level: there no
    cylinder is at an end of its stroke.
    """

    def length(turn):
        return float(np.hypot(0.5 * np.cos(turn) - 0.5, 1.0 + 0.5 * np.sin(turn)))

    return machine(
        [
            joint("lift", "base", "mast", "prismatic", axis=[0, 0, 1]),
            joint("shift", "mast", "carriage", "prismatic", axis=[0, 1, 0]),
            joint("turn", "carriage", "arm", "revolute", axis=[0, -1, 0]),
        ],
        [
            actuator("lifting", ("base", (0, 0, -1)), ("mast", (0, 0, 0)), (1.0, 1.0 + high)),
            actuator("shifting", ("mast", (0, -1, 0)), ("carriage", (0, 0, 0)), (1.0, 1.0 + wide)),
            actuator("turning", ("carriage", (0.5, 0, -1)), ("arm", (0.5, 0, 0)),
                     (length(-angle), length(angle))),
        ],
    )  # fmt: skip
