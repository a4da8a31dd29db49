"""The picture of a run: what is shown of it, with which units, and that it stays legible."""

from dataclasses import replace

import numpy as np
import pytest

from headframe.errors import ExportError
from headframe.pictures import run as pictures
from headframe.pictures.canvas import MINUS
from headframe.pictures.run import DrawnRun, check_picture, draw_run, make_figure, thinned

N = 401


def made(**fields) -> DrawnRun:
    """A boom that extends, a leg that falls onto its stop, a plate that holds, a jack that idles
    and a motor that turns."""
    t = np.linspace(0.0, 4.0, N)
    zero = np.zeros(N)
    leg = np.maximum(0.5 - 0.1 * t**2, 0.3)
    resting = leg <= 0.3
    drives = 1e3 * t
    stops = np.where(resting, -40.0, 0.0)
    kinetic = 5.0 * np.sin(t) ** 2
    run = DrawnRun(
        title="digger: simulated 4 s",
        facts="embedded",
        problem="",
        time=t,
        names=("boom", "leg", "plate", "jack", "drum"),
        notes=("speed 0.05 m/s", "floating", "locked", "locked", "torque 300 N m"),
        units=("m", "m", "m", "m", "rad"),
        positions=np.stack([1.8 + 0.05 * t, leg, zero + 0.7, zero + 0.9, 3.0 * t], axis=1),
        rates=np.stack([zero + 0.05, np.where(resting, 0.0, -0.2 * t), zero, zero, zero + 3.0], 1),
        forces=np.stack([zero + 4e5, np.where(resting, 900.0, 0), zero - 2e4, zero, zero + 300], 1),
        stops=np.stack([zero, -1.0 * resting, zero, zero, zero], axis=1).astype(np.int8),
        bounds=np.array([[1.2, 2.4], [0.3, 0.6], [0.5, 1.0], [0.5, 1.0], [-np.inf, np.inf]]),
        energies={
            "kinetic": kinetic,
            "potential": 7e4 + drives + stops - kinetic + 2e-7 * t,
            "springs": zero,
        },
        works={"drives": drives, "dampers": zero, "pulls": zero, "stops": stops, "joints": zero},
        balance=2e-7 * t,
        turnover=4040.0,
    )
    return replace(run, **fields)


@pytest.fixture(scope="module")
def figure():
    return make_figure(made())


def panels(figure) -> dict[str, list]:
    """Axes by the names of their scales."""
    found: dict[str, list] = {}
    for axes in figure.axes:
        found.setdefault(axes.get_ylabel(), []).append(axes)
    return found


def curves(axes) -> dict[str, np.ndarray]:
    """Values of the lines with a name."""
    lines = {line.get_label(): line.get_ydata() for line in axes.get_lines()}
    return {name: values for name, values in lines.items() if not name.startswith("_")}


def test_what_moves_and_what_holds():
    run = made()
    assert [run.names[n] for n in run.moving] == ["boom", "leg", "drum"]
    assert [run.names[n] for n in run.held] == ["plate"]  # the jack carries nothing


def test_every_panel_has_its_unit(figure):
    found = panels(figure)
    assert {label: len(axes) for label, axes in found.items()} == {
        "length [m]": 2,
        "speed [m/s]": 2,
        "force [kN]": 2,  # the boom's and those that hold
        "force [N]": 1,  # the leg's
        "angle [rad]": 1,
        "speed [rad/s]": 1,
        "torque [N m]": 1,
        "energy [kJ]": 1,
        "balance [nJ]": 1,
    }


def test_curves_are_in_the_unit_that_is_written(figure):
    run, found = made(), panels(figure)
    boom, held = found["force [kN]"]
    assert np.allclose(boom.get_lines()[-1].get_ydata(), 400.0)
    assert np.allclose(curves(held)["plate (locked)"], -20.0)
    energy = curves(found["energy [kJ]"][0])
    assert set(energy) == {
        "stored, all", "stored, kinetic", "stored, potential", "done by drives", "taken by stops",
    }  # fmt: skip
    assert energy["done by drives"][-1] == pytest.approx(4.0)
    assert energy["stored, all"][0] == pytest.approx(0.0)
    done = energy["done by drives"] + energy["taken by stops"]
    assert np.allclose(energy["stored, all"], done, atol=1e-9)
    (balance,) = curves(found["balance [nJ]"][0]).items()
    assert balance[1][-1] == pytest.approx(1e9 * run.balance[-1])
    assert "8e-07 J,\n2.0e-10 of 4.04 kJ" in balance[0].replace(MINUS, "-")


def test_every_curve_is_inside_its_panel(figure):
    for axes in figure.axes:
        low, high = axes.get_ylim()
        for line in axes.get_lines():
            values = np.asarray(line.get_ydata(), dtype=float)
            if len(values) > 2:
                assert low < values.min()
                assert values.max() < high


def test_legends_are_outside_and_on_the_page(figure):
    figure.canvas.draw()
    boxes = [
        (axes.get_window_extent(), axes.get_legend().get_window_extent())
        for axes in figure.axes
        if axes.get_legend() is not None
    ]
    assert len(boxes) == 3
    for panel, legend in boxes:
        assert legend.x0 >= panel.x1
        assert legend.x1 <= figure.bbox.x1
        assert legend.y0 >= figure.bbox.y0


def test_time_at_a_stop_is_shaded(figure):
    """From the moment the leg lies on its stop, at sqrt(2) s, in its three panels only."""
    shades = [
        patch.get_window_extent().transformed(axes.transData.inverted())
        for axes in figure.axes
        for patch in axes.patches
    ]
    assert len(shades) == 3
    for shade in shades:
        assert shade.x0 == pytest.approx(np.sqrt(2.0), abs=0.011)
        assert shade.x1 == pytest.approx(4.0)


def test_bounds_are_drawn_where_they_are_near(figure):
    boom, leg = panels(figure)["length [m]"]
    levels = [
        [line.get_ydata()[0] for line in axes.get_lines() if line.get_linestyle() == "--"]
        for axes in (boom, leg)
    ]
    assert levels == [[], [0.3]]


def test_a_length_that_hardly_changes_is_not_blown_up():
    run = made()
    positions = run.positions.copy()
    positions[:, 0] = 1.8 + 2e-6 * np.sin(run.time)
    low, high = panels(make_figure(made(positions=positions)))["length [m]"][0].get_ylim()
    assert high - low >= 0.002


def test_what_stopped_the_run_is_written(figure):
    def texts(figure):
        return " ".join(text.get_text() for text in figure.texts)

    assert "stopped" not in texts(figure)
    assert "stopped: 'boom' is at a dead centre" in texts(
        make_figure(made(problem="'boom' is at a dead centre (at 4 s)"))
    )


def test_drives_that_nothing_pushes_have_no_forces():
    """Joints of a chain: angle and speed only."""
    found = panels(make_figure(made(forces=np.zeros((N, 5)))))
    assert not any(label.startswith(("force", "torque")) for label in found)


def test_many_drives_are_cut_short_and_it_says_so():
    run = made()
    many = 14
    columns = [0] * many
    figure = make_figure(
        made(
            names=[f"boom_{n}" for n in range(many)],
            notes=[""] * many,
            units=["m"] * many,
            **{
                name: getattr(run, name)[:, columns]
                for name in ("positions", "rates", "forces", "stops")
            },
            bounds=run.bounds[columns],
        )
    )
    assert len(panels(figure)["length [m]"]) == pictures.MOST
    assert any("4 more drives are not shown" in text.get_text() for text in figure.texts)


@pytest.mark.parametrize("suffix", ["png", "svg"])
def test_it_is_written(tmp_path, suffix):
    path = tmp_path / f"run.{suffix}"
    assert draw_run(made(), path) == path
    assert path.read_bytes()[:5] in (b"\x89PNG\r", b"<?xml")


def test_one_moment_and_numbers_that_are_none_are_drawn(tmp_path):
    """As when the first step cannot be made."""
    run = made()
    fields = {
        name: getattr(run, name)[:1] for name in ("time", "positions", "rates", "stops", "balance")
    }
    nothing = {name: np.zeros(1) for name in ("kinetic", "potential", "springs")}
    works = {name: np.full(1, np.nan) for name in run.works}
    forces = np.full((1, 5), np.nan)
    draw_run(made(**fields, forces=forces, energies=nothing, works=works), tmp_path / "run.png")
    forces = np.where(run.time[:, None] < 2.0, run.forces, np.nan)
    draw_run(made(forces=forces, balance=np.full(N, np.nan)), tmp_path / "run.png")


def test_names_are_taken_literally(tmp_path):
    run = made(names=("$\\frac$", "a_b^c", "x" * 200, "", "ä\n"), title="$1")
    draw_run(run, tmp_path / "run.png")


def test_thinning_keeps_extremes_and_ends():
    t = np.arange(100_001) / 1000.0
    values = np.sin(t)
    values[77_777], values[33_333] = 9.0, -9.0
    x, y = thinned(t, values, 1000)
    assert len(x) <= 1002
    assert (x[0], x[-1]) == (t[0], t[-1])
    assert (np.diff(x) > 0).all()
    assert (y.min(), y.max()) == (-9.0, 9.0)
    assert set(x[np.abs(y) == 9.0]) == {33.333, 77.777}
    assert thinned(t[:1000], values[:1000], 1000)[0].size == 1000


def test_a_place_that_cannot_be_written_is_refused_first(tmp_path):
    with pytest.raises(ExportError, match=r"\.png"):
        check_picture(tmp_path / "run.doc")
    with pytest.raises(ExportError, match="no folder"):
        check_picture(tmp_path / "no" / "run.png")
    assert check_picture(tmp_path / "run.png") == tmp_path / "run.png"


@pytest.mark.parametrize("scale", [-7.3e94, -4e-4, -3.7e-5])
def test_numbers_of_any_size_fit_beside_their_scale(scale):
    """Those of a run that blew up, and those of what hardly moves."""
    run = made()
    figure = make_figure(made(rates=scale * run.rates, balance=1e80 * run.balance))
    figure.canvas.draw()
    for axes in figure.axes:
        name = axes.yaxis.label.get_window_extent()
        for text in axes.get_yticklabels():
            low, high = axes.get_ylim()
            if low <= text.get_position()[1] <= high:
                assert text.get_window_extent().x0 >= name.x1 - 1.0
