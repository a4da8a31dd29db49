"""COLLADA: what it means, and files that nobody should trust."""

import numpy as np
import pytest

from dae_files import dae, source, triangles
from headframe.description.collada import read_collada

SQUARE = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
HALVES = [(0, 1, 2), (0, 2, 3)]
UP = [0.0, 0.0, 1.0]


def read(text):
    return read_collada(text.encode())


def area(mesh):
    """Vector area of a surface, (3,): its direction tells which way faces look."""
    a, b, c = (mesh.vertices[mesh.faces[:, k]] for k in range(3))
    return np.cross(b - a, c - a).sum(axis=0) / 2


INPUT = '<input semantic="VERTEX" source="#v" offset="1"/><input semantic="NORMAL" offset="0"/>'


@pytest.mark.parametrize(
    "primitive",
    [
        triangles(HALVES),
        f'<triangles count="2">{INPUT}<p>9 0 9 1 9 2 9 0 9 2 9 3</p></triangles>',
        f'<polylist count="1">{INPUT}<vcount>4</vcount><p>0 0 0 1 0 2 0 3</p></polylist>',
        f'<polylist count="2">{INPUT}<vcount>3 3</vcount><p>0 0 0 1 0 2 0 0 0 2 0 3</p></polylist>',
        f'<polygons count="1">{INPUT}<p>0 0 0 1 0 2 0 3</p></polygons>',
        f'<tristrips count="1">{INPUT}<p>0 0 0 1 0 3 0 2</p></tristrips>',
        f'<trifans count="1">{INPUT}<p>0 0 0 1 0 2 0 3</p></trifans>',
    ],
)
def test_every_kind_of_surface_is_the_same_square(primitive):
    mesh = read(dae(source(SQUARE) + primitive))
    assert len(mesh.faces) == 2
    assert area(mesh) == pytest.approx(UP)


def test_lines_are_left_out():
    lines = '<lines count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1</p></lines>'
    assert len(read(dae(source(SQUARE) + lines + triangles(HALVES))).faces) == 2


def test_the_unit_counts_and_the_up_axis_does_not():
    """As viewers of ROS have it, for which the files of its packages are written."""
    asset = '<unit meter="0.01"/><up_axis>Y_UP</up_axis>'
    mesh = read(dae(source(SQUARE) + triangles(HALVES), asset=asset))
    assert mesh.vertices.max(axis=0) == pytest.approx([0.01, 0.01, 0.0])


def test_transforms_follow_one_another():
    inner = '<node><scale>2 2 2</scale><instance_geometry url="#g"/></node>'
    outer = f"<node><translate>1 2 3</translate><rotate>0 0 1 90</rotate>{inner}</node>"
    mesh = read(dae(source(SQUARE) + triangles(HALVES), node=outer))
    assert mesh.vertices.min(axis=0) == pytest.approx([-1.0, 2.0, 3.0])
    assert mesh.vertices.max(axis=0) == pytest.approx([1.0, 4.0, 3.0])
    matrix = "<matrix>1 0 0 5 0 1 0 0 0 0 1 0 0 0 0 1</matrix>"
    node = f'<node>{matrix}<instance_geometry url="#g"/></node>'
    mesh = read(dae(source(SQUARE) + triangles(HALVES), node=node))
    assert mesh.vertices.min(axis=0) == pytest.approx([5.0, 0.0, 0.0])


def test_a_mirrored_surface_looks_outwards_still():
    node = '<node><scale>-1 1 1</scale><instance_geometry url="#g"/></node>'
    mesh = read(dae(source(SQUARE) + triangles(HALVES), node=node))
    assert area(mesh) == pytest.approx(UP)


def test_nodes_of_the_library_are_used_again_and_again():
    library = '<library_nodes><node id="n"><instance_geometry url="#g"/></node></library_nodes>'
    node = "".join(
        f'<node><translate>{x} 0 0</translate><instance_node url="#n"/></node>' for x in range(3)
    )
    mesh = read(dae(source(SQUARE) + triangles(HALVES), node=node, extra=library))
    assert len(mesh.faces) == 6
    assert mesh.vertices.max(axis=0) == pytest.approx([3.0, 1.0, 0.0])


def test_skinned_shapes_are_shown_at_rest():
    skin = (
        '<library_controllers><controller id="c"><skin source="#g"/></controller>'
        "</library_controllers>"
    )
    node = '<node><instance_controller url="#c"/></node>'
    assert len(read(dae(source(SQUARE) + triangles(HALVES), node=node, extra=skin)).faces) == 2


def test_colours_are_those_of_the_materials_that_are_bound():
    bound = (
        '<node><instance_geometry url="#g"><bind_material><technique_common>'
        '<instance_material symbol="first" target="#red"/>'
        '<instance_material symbol="second" target="#blue"/>'
        "</technique_common></bind_material></instance_geometry></node>"
    )
    surfaces = source(SQUARE) + triangles(HALVES[:1], "first") + triangles(HALVES[1:], "second")
    colors = {"red": (1, 0, 0, 1), "blue": (0, 0, 1, 1)}
    mesh = read(dae(surfaces, node=bound, colors=colors))
    assert mesh.colors == ((1.0, 0.0, 0.0, 1.0), (0.0, 0.0, 1.0, 1.0))
    assert mesh.paint.tolist() == [0, 1]
    plain = read(dae(surfaces, colors=colors))
    assert plain.colors == ()


BOMB = (
    '<!DOCTYPE COLLADA [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><COLLADA>&b;</COLLADA>'
)
OUTSIDE = '<!DOCTYPE COLLADA [<!ENTITY a SYSTEM "file:///etc/passwd">]><COLLADA>&a;</COLLADA>'
TWICE = "".join(
    f'<node id="n{i}"><instance_node url="#n{i + 1}"/><instance_node url="#n{i + 1}"/></node>'
    for i in range(40)
)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        (BOMB, "not read"),
        (OUTSIDE, "not read"),
        ("<COLLADA>" + "<node>" * 300 + "</node>" * 300 + "</COLLADA>", "nested"),
        ("<svg/>", "<svg>"),
        ("nothing", "XML"),
        (dae(source(SQUARE) + triangles([(0, 1, 9)])), "not there"),
        (dae(source(SQUARE) + triangles([(0, 1, -1)])), "not there"),
        (dae(triangles(HALVES)), "without vertices"),
        (dae(source(SQUARE).replace('stride="3"', 'stride="1"') + triangles(HALVES)), "three"),
        (dae(source(SQUARE).replace(">0 0 0 ", ">0 0 x ") + triangles(HALVES)), "numbers"),
        (dae(source(SQUARE) + triangles(HALVES), asset='<unit meter="0"/>'), "unit"),
        (dae(source(SQUARE) + f"<polylist>{INPUT}<vcount>99</vcount><p>0</p></polylist>"), "claim"),
        (
            dae(source(SQUARE) + triangles(HALVES), '<node><instance_node url="#loop"/></node>',
                extra='<library_nodes><node id="loop"><instance_node url="#loop"/></node>'
                "</library_nodes>"),
            "too deeply",
        ),
        (
            dae(source(SQUARE) + triangles(HALVES), node='<node><instance_node url="#n0"/></node>',
                extra=f"<library_nodes>{TWICE}</library_nodes>"),
            "too often",
        ),
    ],
)  # fmt: skip
def test_files_that_are_not_read(text, word):
    with pytest.raises(ValueError, match=word):
        read(text)
