"""Looks of hydraulic cylinders: barrel, cap, gland, ports, pipes, hoses, rod, eyes."""

from __future__ import annotations

import kit as k
import numpy as np
import solids as s

from headframe.description import Actuator, Cylinder, Link, Robot, Sphere, Visual


def rams(looks: s.Looks, robot: Robot, barrels: str, rods: str) -> None:
    """Add all cylinders of a robot that the kit has made, to a component for either half."""
    looks.component(barrels)
    for actuator in robot.actuators:
        barrel(looks, actuator, robot.link(actuator.tube))
    looks.component(rods)
    for actuator in robot.actuators:
        piston_rod(looks, actuator, robot.link(actuator.rod))


def barrel(looks: s.Looks, actuator: Actuator, link: Link) -> None:
    """Add the half that has the ports."""
    shape = _named(link, "barrel")
    color = shape.material.color
    start, length = _ends(shape)
    outer, bore, name = 2 * _radius(shape), actuator.bore or 0.1, actuator.name
    r = outer / 2
    tube = s.lathe([(start, r), (length - 0.30 * bore, r)], k.ORIGIN, k.X, 28)
    looks.add(f"{name} barrel", link.name, color, tube, bore=f"{bore:g} m")
    cap = s.lathe(
        [(0.0, 0.9 * r), (0.05 * bore, 1.06 * r), (0.25 * bore, 1.06 * r)],
        (start, 0, 0),
        k.X,
        28,
    )
    gland = s.lathe(
        [(0.0, 1.12 * r), (0.28 * bore, 1.12 * r), (0.34 * bore, 0.80 * r)],
        (length - 0.34 * bore, 0, 0),
        k.X,
        28,
    )
    looks.add(f"{name} cap and gland", link.name, k.DARK_GREY, cap, gland)
    bolts = s.flange((length - 0.06 * bore, 0, 0), k.X, 0.92 * r, 5, 0.06 * bore)
    looks.add(f"{name} gland bolts", link.name, k.LIGHT_GREY, bolts)
    pipes(looks, actuator, link, (start, length, r))
    end(looks, f"{name} foot", link, actuator, start, color)


def pipes(looks: s.Looks, actuator: Actuator, link: Link, ends: tuple[float, float, float]) -> None:
    """Add port blocks, the pipe along the barrel, its clamps, and hoses to the machine."""
    start, length, r = ends
    bore, name = actuator.bore or 0.1, actuator.name
    thin = max(0.010, 0.055 * bore)
    back, front = start + 0.45 * bore, length - 0.18 * bore
    blocks = [
        s.block((0.24 * bore, 0.22 * bore, 0.26 * bore), (x, 1.06 * r, 0)) for x in (back, front)
    ]
    height = 1.16 * r + 0.12 * bore
    clamps = [
        s.block((0.10 * bore, 0.30 * bore, 0.24 * bore), (x, 1.05 * r, 0))
        for x in np.linspace(back, front, 4)[1:-1]
    ]
    looks.add(f"{name} ports", link.name, k.DARK_GREY, *blocks, *clamps)
    pipe = s.tube(
        [
            (front, 1.12 * r, 0),
            (front - 0.1 * bore, height, 0),
            (front - 0.4 * bore, height, 0),
            (back + 0.9 * bore, height, 0),
            (back + 0.5 * bore, height, 0.2 * bore),
        ],
        thin,
        8,
        3,
    )
    looks.add(f"{name} pipe", link.name, k.STEEL_GREY, pipe)
    ways = [
        [
            (back, 1.16 * r, -0.05 * bore),
            (back - 0.05 * bore, height + 0.25 * bore, -0.1 * bore),
            (back - 0.6 * bore, height + 0.15 * bore, -0.2 * bore),
            (start - 0.8 * bore, 0.85 * r, -0.3 * bore),
        ],
        [
            (back + 0.5 * bore, height, 0.2 * bore),
            (back + 0.2 * bore, height + 0.2 * bore, 0.25 * bore),
            (back - 0.5 * bore, height + 0.12 * bore, 0.25 * bore),
            (start - 0.8 * bore, 0.85 * r, 0.3 * bore),
        ],
    ]
    looks.add(
        f"{name} hoses",
        link.name,
        k.RUBBER,
        *(s.hose(way, 1.3 * thin, 8, 4) for way in ways),
        material="rubber",
    )


def piston_rod(looks: s.Looks, actuator: Actuator, link: Link) -> None:
    """Add the half that slides."""
    shape = _named(link, "rod")
    start, length = _ends(shape)
    r, name = _radius(shape), actuator.name
    rod = s.lathe([(start, r), (length - 0.1 * r, r), (length, 0.9 * r)], k.ORIGIN, k.X, 24)
    looks.add(f"{name} rod", link.name, k.CHROME, rod, material="chromed steel")
    collar = s.lathe(
        [(0.0, 1.25 * r), (0.35 * r, 1.25 * r), (0.6 * r, 1.02 * r)],
        (start + 0.1 * r, 0, 0),
        k.X,
        20,
    )
    looks.add(f"{name} collar", link.name, k.DARK_GREY, collar)
    end(looks, f"{name} head", link, actuator, start, k.DARK_GREY)


def end(
    looks: s.Looks, name: str, link: Link, actuator: Actuator, start: float, color: k.Color
) -> None:
    """Add the ball or the pinned eye at the link's origin."""
    ball = next((v for v in link.visuals if v.name == "ball"), None)
    if ball is not None and isinstance(ball.geometry, Sphere):
        looks.add(
            f"{name} ball", link.name, k.DARK_GREY, s.ball(k.ORIGIN, ball.geometry.r, 20, top=k.X)
        )
        return
    eye, bolt = _named(link, "eye"), _named(link, "pin")
    radius, width = _radius(eye), _height(eye)
    bore = actuator.bore or 0.1
    outline = s.rounds((0, 0, radius), (start + 0.1 * bore, 0, 0.75 * radius), steps=12)
    looks.add(f"{name} eye", link.name, color, s.prism(outline, width))
    r = _radius(bolt)
    bush = s.pin(k.ORIGIN, min(1.3 * r, 0.8 * radius), 1.06 * width, 14, axis=k.Z)
    looks.add(f"{name} bush", link.name, k.BRASS, bush)
    looks.add(
        f"{name} pin", link.name, k.DARK_GREY, s.pin(k.ORIGIN, r, _height(bolt), 16, axis=k.Z)
    )


def _named(link: Link, name: str) -> Visual:
    return next(visual for visual in link.visuals if visual.name == name)


def _radius(visual: Visual) -> float:
    assert isinstance(visual.geometry, Cylinder)
    return visual.geometry.r1


def _height(visual: Visual) -> float:
    assert isinstance(visual.geometry, Cylinder)
    return visual.geometry.h


def _ends(visual: Visual) -> tuple[float, float]:
    """Give where a round shape along x begins and ends [m]."""
    x, half = visual.translation[0], _height(visual) / 2
    return x - half, x + half
