"""Figures printed in the MineRobot paper, to stand beside measured ones.

Times in milliseconds, of C++ with Eigen on an AMD Ryzen 7 5800H. Where the print cannot be right,
the figure is as printed and what fits is told beside it.
"""

from __future__ import annotations

ROBOTS = {
    "tcchs": "TCCHS",
    "sths": "STHS",
    "sshs": "SSHS",
    "roadheader": "RH",
    "lhd": "LHD",
    "door": "VD",
    "jumbo": "DJ",
    "shearer": "SH",
}
ORDER = list(ROBOTS)

# Table 1: links, joints, actuators
STRUCTURE = {
    "TCCHS": (11, 34, 11),
    "STHS": (8, 16, 4),
    "SSHS": (8, 22, 7),
    "RH": (7, 25, 9),
    "LHD": (5, 9, 2),
    "VD": (4, 6, 1),
    "DJ": (6, 12, 3),
    "SH": (4, 20, 8),
}
# Joints between main links, closures once, plus two mounts an actuator: the count that gives the
# printed number for the other five machines.
STRUCTURE_NOTES = {
    "STHS": "printed 16; counted as for the others it has 17 joints",
    "RH": "printed 25; counted as for the others it has 24 joints",
    "SH": "printed 20; counted as for the others it has 19 joints",
}

# Table 2: active actuators of types A to D, time
FK = {
    "TCCHS": ((2, 4, 1, 4), 1.0557),
    "STHS": ((0, 0, 3, 1), 0.5623),
    "SSHS": ((2, 3, 0, 4), 0.8693),
    "RH": ((1, 8, 0, 0), 0.0091),
    "LHD": ((1, 0, 1, 0), 0.1762),
    "VD": ((0, 0, 1, 0), 0.1764),
    "DJ": ((1, 1, 1, 0), 0.1691),
    "SH": ((0, 8, 0, 0), 0.0072),
}
FK_NOTES = {"SSHS": "printed 2, 3, 0, 4, which are 9 actuators; Table 1 has 7: 1, 2, 0, 4 fits"}

# Eq. (24): coefficients of types A to D, R squared, root mean squared error
REGRESSION = (0.0025, 0.0022, 0.1850, 0.2396)
REGRESSION_R2 = 0.9936
REGRESSION_RMSE = 0.02948

# Table 3: iterations and time
IK = {
    "golden": {
        "TCCHS": (11, 78.63), "STHS": (14, 96.27), "SSHS": (10, 73.91), "RH": (1, 0.21),
        "LHD": (1, 4.21), "VD": (1, 4.06), "DJ": (1, 4.45), "SH": (1, 0.15),
    },
    "bfgs": {
        "TCCHS": (40, 263.04), "STHS": (19, 137.34), "SSHS": (18, 123.18), "RH": (6, 0.48),
        "LHD": (7, 26.02), "VD": (9, 35.31), "DJ": (6, 28.18), "SH": (7, 0.63),
    },
    "cg": {
        "TCCHS": (33, 174.76), "STHS": (29, 122.03), "SSHS": (28, 144.18), "RH": (6, 0.34),
        "LHD": (8, 21.33), "VD": (7, 19.20), "DJ": (7, 20.41), "SH": (6, 0.47),
    },
    "cma": {
        "TCCHS": (34, 143.56), "STHS": (58, 253.07), "SSHS": (27, 129.31), "RH": (34, 1.39),
        "LHD": (37, 127.45), "VD": (29, 113.21), "DJ": (45, 192.34), "SH": (23, 4.28),
    },
    "one-plus-one": {
        "TCCHS": (200, 278.81), "STHS": (200, 283.70), "SSHS": (200, 302.13), "RH": (200, 9.35),
        "LHD": (200, 177.08), "VD": (200, 153.83), "DJ": (200, 147.61), "SH": (200, 12.15),
    },
}  # fmt: skip

# Table 6: time and success of FK, then of IK
RUNTIME = {
    "MineRobot": {
        "TCCHS": (1.06, 1.0, 78.63, 1.0), "STHS": (0.56, 1.0, 96.27, 1.0),
        "SSHS": (0.87, 1.0, 73.91, 1.0), "RH": (0.01, 1.0, 0.21, 1.0),
        "LHD": (0.18, 1.0, 4.21, 1.0), "VD": (0.18, 1.0, 4.06, 1.0),
        "DJ": (0.17, 1.0, 4.45, 1.0), "SH": (0.01, 1.0, 0.15, 1.0),
    },
    "Drake": {
        "TCCHS": (25.35, 1.0, 252.62, 0.86), "STHS": (11.84, 1.0, 141.30, 0.92),
        "SSHS": (18.72, 1.0, 128.45, 0.90), "RH": (0.26, 1.0, 0.92, 1.0),
        "LHD": (1.94, 1.0, 31.85, 0.98), "VD": (1.73, 1.0, 39.60, 0.97),
        "DJ": (1.88, 1.0, 33.12, 0.98), "SH": (0.22, 1.0, 0.96, 1.0),
    },
    "MuJoCo": {
        "TCCHS": (6.23, 1.0, 189.40, 0.82), "STHS": (3.15, 1.0, 151.72, 0.89),
        "SSHS": (4.78, 1.0, 137.55, 0.87), "RH": (0.07, 1.0, 0.78, 1.0),
        "LHD": (0.62, 1.0, 26.44, 0.97), "VD": (0.58, 1.0, 32.18, 0.96),
        "DJ": (0.61, 1.0, 27.06, 0.97), "SH": (0.06, 1.0, 0.84, 1.0),
    },
}  # fmt: skip

# Table B.7: success, median and 95th percentile of the objective [1e-6], median iterations, time
ROBUSTNESS = {
    "golden": {
        "TCCHS": (1.0, 0.25, 0.60, 10, 71.48), "STHS": (1.0, 0.28, 0.65, 12, 82.52),
        "SSHS": (1.0, 0.24, 0.58, 9, 66.52), "RH": (1.0, 0.05, 0.12, 1, 0.20),
        "LHD": (1.0, 0.08, 0.18, 1, 4.12), "VD": (1.0, 0.06, 0.15, 1, 3.95),
        "DJ": (1.0, 0.07, 0.16, 1, 4.38), "SH": (1.0, 0.04, 0.10, 1, 0.14),
    },
    "bfgs": {
        "TCCHS": (1.0, 0.22, 0.55, 35, 230.16), "STHS": (1.0, 0.24, 0.58, 16, 115.65),
        "SSHS": (1.0, 0.23, 0.56, 15, 102.65), "RH": (1.0, 0.06, 0.15, 5, 0.40),
        "LHD": (1.0, 0.10, 0.25, 6, 22.30), "VD": (1.0, 0.09, 0.22, 8, 31.39),
        "DJ": (1.0, 0.08, 0.20, 5, 23.48), "SH": (1.0, 0.05, 0.14, 6, 0.54),
    },
    "cg": {
        "TCCHS": (1.0, 0.23, 0.57, 29, 153.58), "STHS": (1.0, 0.25, 0.60, 25, 105.20),
        "SSHS": (1.0, 0.24, 0.58, 24, 123.58), "RH": (1.0, 0.06, 0.14, 5, 0.28),
        "LHD": (1.0, 0.11, 0.27, 7, 18.66), "VD": (1.0, 0.09, 0.24, 6, 16.46),
        "DJ": (1.0, 0.08, 0.22, 6, 17.50), "SH": (1.0, 0.05, 0.15, 5, 0.39),
    },
}  # fmt: skip
ROBUSTNESS_NOTES = {
    "SSHS": "the median times of golden section differ between Tables B.7 and B.8",
    "DJ": "the median times of golden section differ between Tables B.7 and B.8",
}

# Table B.8: average and median iterations, average and median time
SEARCHES = {
    "golden": {
        "TCCHS": (11.43, 11, 78.63, 71.48), "STHS": (14.28, 14, 96.27, 82.52),
        "SSHS": (10.31, 10, 73.91, 67.26), "RH": (1.02, 1, 0.21, 0.20),
        "LHD": (1.08, 1, 4.21, 4.12), "VD": (1.06, 1, 4.06, 3.95),
        "DJ": (1.07, 1, 4.45, 4.30), "SH": (1.02, 1, 0.15, 0.14),
    },
    "brent": {
        "TCCHS": (11.21, 11, 74.25, 68.94), "STHS": (14.05, 14, 91.40, 78.36),
        "SSHS": (10.14, 10, 69.47, 63.22), "RH": (1.01, 1, 0.18, 0.17),
        "LHD": (1.05, 1, 3.98, 3.91), "VD": (1.03, 1, 3.82, 3.73),
        "DJ": (1.04, 1, 4.18, 4.05), "SH": (1.01, 1, 0.13, 0.12),
    },
    "newton1d": {
        "TCCHS": (11.35, 11, 84.90, 77.35), "STHS": (14.17, 14, 103.15, 88.70),
        "SSHS": (10.22, 10, 79.82, 72.64), "RH": (1.03, 1, 0.24, 0.22),
        "LHD": (1.12, 1, 4.86, 4.73), "VD": (1.09, 1, 4.40, 4.27),
        "DJ": (1.11, 1, 4.81, 4.67), "SH": (1.04, 1, 0.17, 0.16),
    },
    "secant": {
        "TCCHS": (11.52, 11, 82.10, 75.62), "STHS": (14.33, 14, 100.82, 86.94),
        "SSHS": (10.45, 10, 77.61, 70.63), "RH": (1.04, 1, 0.23, 0.21),
        "LHD": (1.14, 1, 4.62, 4.49), "VD": (1.11, 1, 4.26, 4.13),
        "DJ": (1.13, 1, 4.67, 4.53), "SH": (1.03, 1, 0.16, 0.15),
    },
}  # fmt: skip


def robot(machine: str) -> str:
    """The paper's short name of a machine of the catalogue; empty if it has none."""
    return ROBOTS.get(machine, "")
