"""The machine in a cell, from the kernel's side."""

import builtins

import numpy as np
import pytest

import headframe as hf


def placed(view):
    return np.frombuffer(view.poses, "<f4").reshape(-1, 7)


def test_view_stands_at_home_and_follows_its_lengths():
    machine = hf.load("lhd")
    view = machine.show()
    names = [link.name for link in machine.links]
    np.testing.assert_allclose(
        placed(view)[:, :3], [machine.home.pose(n)[:3, 3] for n in names], atol=1e-6
    )
    group = next(iter(view.lengths))
    longer = {**view.lengths, group: view.lengths[group] + 0.05}
    view.lengths = longer
    wanted = machine.fk(longer)
    np.testing.assert_allclose(
        placed(view)[:, :3], [wanted.pose(n)[:3, 3] for n in names], atol=1e-6
    )
    assert view.problem == ""
    np.testing.assert_allclose(view.state.lengths, wanted.lengths, atol=1e-12)


def test_lengths_that_cannot_be_are_told_and_nothing_moves():
    view = hf.load("door").show()
    before = view.poses
    group = next(iter(view.lengths))
    view.lengths = {group: 99.0}
    assert "99" in view.problem
    assert view.poses == before


def test_view_starts_where_it_is_told():
    machine = hf.load("door")
    state = machine.fk({machine.robot.group_names[0]: machine.actuators[0].bounds.lower + 0.1})
    view = machine.show(state)
    np.testing.assert_allclose(view.state.q, state.q)
    with pytest.raises(hf.StateError):
        machine.show(hf.load("lhd").home)


def test_missing_widgets_are_told(monkeypatch):
    real = builtins.__import__

    def without(name, *args, **options):
        if name == "anywidget":
            raise ImportError(name)
        return real(name, *args, **options)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(hf.MissingExtraError, match="notebook"):
        hf.load("door").show()
