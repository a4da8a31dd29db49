"""What pairs of materials do, and the figures of those that ship."""

import itertools
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headframe import UnknownElementError
from headframe.contact import (
    MATERIALS,
    NORMAL_LAWS,
    exact_dissipation,
    material_named,
    pair_of,
    pair_records,
)
from headframe.description import SHIPPED_MATERIALS, Bristle, ContactMaterial, Findings, Friction
from headframe.description.contact_material import check_material


def elastic(young, poisson=None, static=0.5, dynamic=0.4, **more):
    given = {"restitution": 0.5, "friction": Friction(static=static, dynamic=dynamic), **more}
    return ContactMaterial(name="m", young=young, poisson=poisson, **given)


def spring(stiffness, exponent=1.5, **more):
    friction = Friction(static=0.5, dynamic=0.4)
    given = {"restitution": 0.5, "friction": friction, **more}
    return ContactMaterial(name="m", stiffness=stiffness, exponent=exponent, **given)


def test_the_modulus_of_two_equal_elastic_bodies_is_half_of_the_plane_strain_modulus():
    pair = pair_of(elastic(200e9, 0.3), elastic(200e9, 0.3))
    assert pair.modulus == pytest.approx(200e9 / (2 * (1 - 0.09)))
    assert (pair.stiffness, pair.exponent) == (None, 1.5)
    assert pair_of(elastic(200e9), elastic(200e9)) == pair  # 0.3 where it is not given


def test_against_something_much_harder_the_softer_alone_counts():
    pair = pair_of(elastic(5e6, 0.49), elastic(1e15, 0.3))
    assert pair.modulus == pytest.approx(5e6 / (1 - 0.49**2), rel=1e-6)


@pytest.mark.parametrize("n", [1.0, 1.5, 2.2])
def test_springs_in_series_share_the_depth_at_the_same_force(n):
    a, b = spring(3e6, n), spring(7e5, n)
    force = 1234.5
    depth = (force / 3e6) ** (1 / n) + (force / 7e5) ** (1 / n)
    pair = pair_of(a, b)
    assert pair.stiffness * depth**n == pytest.approx(force, rel=1e-12)
    assert (pair.modulus, pair.exponent) == (None, n)


def test_of_springs_with_different_exponents_the_softer_gives_way():
    soft, hard = spring(1e5, 1.0), spring(1e9, 1.5)  # at 1 mm: 100 N and 31.6 kN
    for pair in (pair_of(soft, hard), pair_of(hard, soft)):
        assert (pair.stiffness, pair.exponent) == (1e5, 1.0)


def test_a_stiffness_stands_above_a_modulus():
    pair = pair_of(spring(5e7), elastic(5e7))
    assert (pair.modulus, pair.stiffness, pair.exponent) == (None, 5e7, 1.5)


def test_friction_restitution_and_bristles():
    grease = Friction(static=0.1, dynamic=0.05, viscous=3.0)
    one = spring(1.0, friction=grease, restitution=0.2, bristle=Bristle(stiffness=3e6, damping=20))
    other = spring(1.0, restitution=0.7, bristle=Bristle(stiffness=6e6, damping=0))
    pair = pair_of(one, other)
    assert pair.static == pytest.approx(math.sqrt(0.1 * 0.5))
    assert pair.dynamic == pytest.approx(math.sqrt(0.05 * 0.4))
    assert (pair.viscous, pair.restitution, pair.bristle_damping) == (3.0, 0.2, 0.0)
    assert pair.bristle_stiffness == pytest.approx(2e6)
    ice = spring(1.0, friction=Friction(static=0.0, dynamic=0.0))
    assert pair_of(ice, other).static == 0.0


FIGURES = st.floats(1e-6, 1e12)
FRICTIONS = st.tuples(st.floats(0, 1), st.floats(1, 10))


@st.composite
def materials(draw):
    dynamic, static = draw(FRICTIONS)
    point = {"law": "stiction-point", "transition": draw(st.none() | st.floats(1e-6, 1.0))}
    given = {**{"static": static, "dynamic": dynamic}, **(point if draw(st.booleans()) else {})}
    law = draw(st.sampled_from(NORMAL_LAWS))
    more = {
        "restitution": draw(st.floats(0, 1)),
        "friction": Friction(**given),
        "law": law,
        "damping": draw(FIGURES) if law == "kelvin-voigt" else None,
    }
    if law == "volumetric":
        return ContactMaterial(name="m", foundation=draw(FIGURES), **more)
    if draw(st.booleans()):
        return elastic(draw(FIGURES), draw(st.floats(-0.9, 0.5)), **more)
    return spring(draw(FIGURES), draw(st.sampled_from([1.0, 1.5])), **more)


@given(materials(), materials())
def test_the_order_does_not_matter_and_figures_stay_in_their_ranges(a, b):
    pair, back = pair_of(a, b), pair_of(b, a)
    for key, value in vars(pair).items():
        is_number = isinstance(value, float)
        assert getattr(back, key) == (pytest.approx(value, rel=1e-12) if is_number else value)
    (elastic_figure,) = (x for x in (pair.modulus, pair.stiffness, pair.foundation) if x)
    assert elastic_figure > 0.0
    assert (pair.foundation is None) == (pair.law != "volumetric")
    assert 0.0 <= pair.restitution <= 1.0
    assert pair.static >= pair.dynamic >= 0.0
    assert pair.bristle_stiffness > 0.0
    assert pair.dissipation >= 0.0
    assert (pair.damping > 0.0) == (pair.law == "kelvin-voigt")


def test_who_wants_another_law_has_it():
    usual, plain = spring(1e6), elastic(1e9)
    for n, law in enumerate(NORMAL_LAWS):
        given = {"law": law, "damping": 30.0 if law == "kelvin-voigt" else None}
        given |= {"foundation": 1e9} if law == "volumetric" else {}
        assert pair_of(spring(1e6, **given), plain).law == law
        for earlier in NORMAL_LAWS[:n]:
            assert pair_of(spring(1e6, **given), spring(1e6, law=earlier)).law == law
    assert (pair_of(usual, plain).law, pair_of(usual, plain).friction_law) == (
        "hunt-crossley",
        "return-map",
    )


def test_laws_have_their_dissipation():
    def pair(law):
        return pair_of(spring(1e6, law=law), elastic(1e9, restitution=0.9))

    assert pair("hunt-crossley").dissipation == exact_dissipation(0.5)
    assert (pair("printed").dissipation, pair("lankarani").dissipation) == (0.75, 0.5625)


def test_dampers_are_in_series_and_stiction_points_take_the_faster_transition():
    def pad(damping, **friction):
        own = Friction(static=0.5, dynamic=0.4, **friction)
        return spring(1e6, law="kelvin-voigt", damping=damping, friction=own)

    point = {"law": "stiction-point"}
    pair = pair_of(pad(30.0, **point, transition=0.02), pad(60.0, **point, strain=0.8))
    assert (pair.damping, pair.transition, pair.strain) == (pytest.approx(20.0), 0.02, 0.8)
    assert pair_of(pad(30.0, **point), elastic(1e9)).transition == 1e-3
    assert pair_of(pad(30.0), elastic(1e9)).damping == 30.0


def test_kernels_have_what_a_pair_does():
    pad = spring(1e6, law="kelvin-voigt", damping=30.0)
    found = pair_records([pad, elastic(1e9, restitution=0.7)])
    assert found.damping.tolist() == [15.0, 30.0, 30.0, 0.0]
    assert found.dissipation.tolist() == [0.0, 0.0, 0.0, exact_dissipation(0.7)]
    assert found.restitution.tolist() == [0.5, 0.5, 0.5, 0.7]
    assert found.stiffness[3] == 0.0 < found.modulus[3]


def test_those_that_ship_are_sound_and_tell_where_their_figures_come_from():
    assert tuple(MATERIALS) == SHIPPED_MATERIALS
    for name, shipped in MATERIALS.items():
        found = Findings()
        check_material(shipped.material, (), found)
        assert found.problems == []
        assert material_named(name) is shipped.material
        told = {entry.of: entry for entry in shipped.provenance}
        assert set(told) == {"young, poisson", "restitution", "friction", "bristle"}
        assert all((e.kind == "estimated") == ("guess" in e.source) for e in told.values())


def test_pairs_of_those_that_ship_are_what_handbooks_have():
    def pair(a, b):
        return pair_of(material_named(a), material_named(b))

    assert pair("steel", "steel").modulus == pytest.approx(113e9, rel=0.01)
    assert pair("rubber", "concrete").static == pytest.approx(0.9, abs=0.01)
    assert 0.5 < pair("steel", "wood").static < 0.7
    assert pair("steel", "ground").restitution == 0.1
    for a, b in itertools.combinations(MATERIALS, 2):
        assert 0.4 < pair(a, b).dynamic <= pair(a, b).static < 1.0


def test_materials_by_name():
    own = elastic(1e9)
    assert material_named("m", [own]) is own
    steel = own.model_copy(update={"name": "steel"})
    assert material_named("steel", [steel]) is steel  # a file's own takes the place
    with pytest.raises(UnknownElementError, match="did you mean 'rubber'"):
        material_named("ruber")


def test_the_page_about_machine_files_has_their_figures():
    page = (Path(__file__).parents[2] / "docs" / "mrdf.md").read_text(encoding="utf-8")
    for name, shipped in MATERIALS.items():
        one = shipped.material
        cells = [
            f"`{name}`",
            f"{one.young / 1e9:g}",
            f"{one.poisson:g}",
            f"{one.restitution:g}",
            f"{one.friction.static:g}, {one.friction.dynamic:g}",
            f"{one.bristle.stiffness / 1e6:g}, {one.bristle.damping / 1e3:g}",
        ]
        assert f"| {' | '.join(cells)} |" in page
