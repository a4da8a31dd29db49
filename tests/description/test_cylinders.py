"""Cylinders that the file gives no shape are drawn all the same."""

import pytest

from build import actuator, joint, machine
from headframe.description.cylinders import shapes_of


def lift(**fields):
    return machine(
        [joint("hinge", "base", "arm")],
        [actuator("cyl", ("base", (1, 0, -1)), ("arm", (1, 0, 0)), (0.8, 1.3), **fields)],
    ).robot


@pytest.mark.parametrize("fields", [{}, {"bore": 0.2, "rod_diameter": 0.1}])
def test_tube_and_rod_overlap_at_every_length(fields):
    robot = lift(**fields)
    (tube,), (rod,) = (shapes_of(robot, robot.link(f"cyl_{part}")) for part in ("tube", "rod"))
    assert tube.geometry.h < 0.8
    assert rod.geometry.h <= 0.8
    assert tube.geometry.h + rod.geometry.h > 1.3
    assert rod.geometry.r1 < tube.geometry.r1
    assert tube.translation[0] == pytest.approx(tube.geometry.h / 2)


def test_given_shapes_are_kept_and_other_links_get_none():
    ball = {"geometry": {"type": "sphere", "r": 0.1}}
    robot = lift(tube_visual=ball)
    assert shapes_of(robot, robot.link("cyl_tube"))[0].geometry.type == "sphere"
    assert shapes_of(robot, robot.link("base")) == ()


def test_tube_and_rod_are_as_thick_as_the_file_says():
    """The tube's wall is a tenth of the bore; without a rod's diameter it is 0.6 of the bore."""
    for fields, radii in (
        ({"bore": 0.2, "rod_diameter": 0.14}, (0.12, 0.07)),
        ({"bore": 0.2}, (0.12, 0.06)),
    ):
        robot = lift(**fields)
        shapes = [shapes_of(robot, robot.link(f"cyl_{part}"))[0] for part in ("tube", "rod")]
        assert [shape.geometry.r1 for shape in shapes] == pytest.approx(radii)
        assert all(shape.geometry.r1 == shape.geometry.r2 for shape in shapes)
