"""Linear equations in blocks, in an order of minimum degree."""

import numpy as np
import pytest

from headframe.dynamics.touching import blocks
from headframe.dynamics.touching.records import COLUMN, NODE
from headframe.jit import as_records, new_records


def laid_out(widths, ties, waits=()):
    """Nodes of a graph in the order in which they are eliminated."""
    nodes = new_records(len(widths), NODE)
    at = 0
    for n, width in enumerate(widths):
        nodes[n].width, nodes[n].at, nodes[n].waits = width, at, n in waits
        at += width
    tied = np.zeros((len(widths), blocks.words_for(len(widths))), np.int64)
    for a, b in ties:
        blocks.tie(tied, a, b)
    columns, order = new_records(len(widths) ** 2, COLUMN), np.zeros(len(widths), np.int64)
    filled = blocks.order_nodes(nodes, tied, 0, columns, order)
    assert filled >= len(ties)
    assert sorted(order) == list(range(len(widths)))
    panels = np.full(sum(widths) ** 2, np.nan)
    assert blocks.lay_panels(nodes, columns, panels.size)
    return nodes, order, columns, panels


def filled_in(nodes, columns, panels, A):
    """Blocks of a matrix, put into the panels."""
    blocks.clear_panels(nodes, panels)
    for one in nodes:
        own = slice(one.at, one.at + one.width)
        blocks.own_block(panels, one)[:] = A[own, own]
        for column in columns[one.columns : one.columns + one["count"]]:
            other = nodes[column.node]
            at, there = (
                slice(other.at, other.at + other.width),
                slice(column.at, column.at + other.width),
            )
            blocks.upper_panel(panels, one)[:, there] = A[own, at]
            blocks.lower_panel(panels, one)[:, there] = A[at, own].T


def random_graph(rng, count, ties):
    widths = rng.choice([6, 6, 6, 1, 3, 19], count).tolist()
    found = {tuple(sorted(rng.choice(count, 2, replace=False).tolist())) for _ in range(ties)}
    A = np.eye(sum(widths))
    ends = np.cumsum([0, *widths])
    for a, b in found:
        for i, j in ((a, b), (b, a)):
            block = (slice(ends[i], ends[i + 1]), slice(ends[j], ends[j + 1]))
            A[block] = 0.02 * rng.normal(size=A[block].shape)
    return widths, sorted(found), A


@pytest.mark.parametrize(("count", "ties"), [(1, 0), (2, 1), (7, 9), (60, 90), (120, 200)])
def test_any_graph_is_solved_as_numpy_does(count, ties):
    rng = np.random.default_rng(count)
    widths, found, A = random_graph(rng, count, ties)
    nodes, order, columns, panels = laid_out(widths, found)
    filled_in(nodes, columns, panels, A)
    b = rng.normal(size=len(A))
    x = b.copy()
    assert blocks.factor_blocks(nodes, order, columns, panels)
    blocks.solve_blocks(nodes, order, columns, panels, x)
    np.testing.assert_allclose(A @ x, b, atol=1e-12)


def test_a_chain_is_not_filled():
    widths = [6] * 50
    nodes, *_ = laid_out(widths, [(n, n + 1) for n in range(49)])
    assert nodes["count"].sum() == 49


def test_what_waits_comes_after_all_that_it_is_tied_to():
    _, order, *_ = laid_out([6, 6, 3, 6], [(0, 2), (1, 2), (2, 3)], waits=[2])
    assert order[-1] == 2


def test_a_matrix_without_an_inverse_is_told():
    nodes, order, columns, panels = laid_out([2, 2], [(0, 1)])
    filled_in(nodes, columns, panels, np.ones((4, 4)))
    assert not blocks.factor_blocks(nodes, order, columns, panels)


def test_what_finds_no_room_is_told():
    nodes = as_records([np.zeros((), NODE)] * 3, NODE)
    for n, one in enumerate(nodes):
        one.width, one.at = 6, 6 * n
    ties = np.zeros((3, 1), np.int64)
    for a, b in ((0, 1), (1, 2), (0, 2)):
        blocks.tie(ties, a, b)
    order = np.zeros(3, np.int64)
    assert blocks.order_nodes(nodes, ties.copy(), 0, new_records(2, COLUMN), order) == -1
    columns = new_records(3, COLUMN)
    assert blocks.order_nodes(nodes, ties, 0, columns, order) == 3
    assert not blocks.lay_panels(nodes, columns, 3 * 36 + 2 * 3 * 36 - 1)
    assert blocks.lay_panels(nodes, columns, 3 * 36 + 2 * 3 * 36)
