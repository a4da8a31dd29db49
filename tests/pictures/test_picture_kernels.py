"""The renderer's kernels, compiled and as plain Python."""

import numpy as np
import pytest

from headframe.pictures import rasterizing, shading

SIZE = 12
ORTHOGRAPHIC = np.array([2.0, SIZE / 2, SIZE / 2, 0.0])  # 2 pixels a metre
PERSPECTIVE = np.array([20.0, SIZE / 2, SIZE / 2, 1.0])


@pytest.fixture(params=["compiled", "python"])
def run(request):
    """Call a kernel by name, the one way or the other."""

    def call(name, *arguments):
        kernel = getattr(shading if hasattr(shading, name) else rasterizing, name)
        return (kernel if request.param == "compiled" else kernel.py_func)(*arguments)

    return call


def buffers():
    key = np.full((SIZE, SIZE), -np.inf)
    return key, np.full((SIZE, SIZE), rasterizing.NOTHING, dtype=np.int32)


def rectangle(left, top, right, bottom, key):
    """Four points on the screen, and two triangles."""
    points = [(left, top, key), (left, bottom, key), (right, bottom, key), (right, top, key)]
    return np.array(points, dtype=float), np.array([[0, 1, 2], [0, 2, 3]], dtype=np.int32)


def test_every_kernel_compiles():
    rasterizing.warm_up()
    shading.warm_up()


def test_a_rectangle_fills_its_pixels_and_no_others(run):
    key, triangle = buffers()
    points, triangles = rectangle(2, 3, 7, 9, -1.0)
    run("fill_triangles", points, triangles, key, triangle)
    seen = np.zeros((SIZE, SIZE), dtype=bool)
    seen[3:9, 2:7] = True
    np.testing.assert_array_equal(triangle >= 0, seen)
    np.testing.assert_allclose(key[seen], -1.0)


def test_the_nearer_surface_is_seen_whatever_the_order(run):
    near, _ = rectangle(2, 2, 8, 8, -1.0)
    far, _ = rectangle(4, 4, 10, 10, -2.0)
    points = np.vstack([near, far])
    first, second = [[0, 1, 2], [0, 2, 3]], [[4, 5, 6], [4, 6, 7]]
    for order in (first + second, second + first):
        key, triangle = buffers()
        run("fill_triangles", points, np.array(order, dtype=np.int32), key, triangle)
        assert key[5, 5] == -1.0
        assert key[9, 9] == -2.0
        assert np.isinf(key[0, 0])


def test_triangles_partly_or_wholly_outside_the_image(run):
    key, triangle = buffers()
    points = np.array(
        [
            (-50, -50, -1),
            (100, -50, -1),
            (-50, 100, -1),
            (500, 500, -1),
            (600, 500, -1),
            (500, 600, -1),
        ],
        dtype=float,
    )
    count = run("fill_triangles", points, np.array([[0, 1, 2], [3, 4, 5]], np.int32), key, triangle)
    assert count == SIZE * SIZE
    assert (triangle == 0).all()


def test_needles_and_points_that_are_not_numbers_draw_nothing(run):
    key, triangle = buffers()
    points = np.array([(1, 1, -1), (5, 5, -1), (9, 9, -1), (np.nan, 1, -1)], dtype=float)
    assert (
        run("fill_triangles", points, np.array([[0, 1, 2], [0, 1, 3]], np.int32), key, triangle)
        == 0
    )


@pytest.mark.parametrize("camera", [ORTHOGRAPHIC, PERSPECTIVE])
def test_the_ground_lies_where_it_should(run, camera):
    key, triangle = buffers()
    # a wall in front of the viewer at a distance of 4 m: z = -4
    count = run("lay_ground", camera, np.array([0.0, 0.0, 1.0, -4.0]), key, triangle)
    assert count == SIZE * SIZE
    distance = 1 / key if camera[3] else -key
    np.testing.assert_allclose(distance, 4.0)


def test_level_ground_ends_at_the_horizon(run):
    key, triangle = buffers()
    run("lay_ground", PERSPECTIVE, np.array([0.0, 1.0, 0.0, -2.0]), key, triangle)
    assert (triangle[: SIZE // 2] == rasterizing.NOTHING).all()
    assert (triangle[SIZE // 2 :] == rasterizing.GROUND).all()
    assert (np.diff(key[SIZE // 2 :, 0]) > 0).all()  # lower on the screen is nearer


def test_normals_look_at_the_viewer_from_either_side(run):
    points, triangles = rectangle(0, 0, SIZE, SIZE, -1.0)
    for order, out in ((triangles, 1.0), (triangles[:, ::-1].copy(), -1.0)):
        key, triangle = buffers()
        run("fill_triangles", points, order, key, triangle)
        normal = np.zeros((SIZE, SIZE, 3), dtype=np.float32)
        corners = np.tile([0.0, 0.0, out], (2, 3, 1))
        run("interpolate_normals", points, order, corners, triangle, np.zeros(3), normal)
        np.testing.assert_allclose(normal, np.broadcast_to([0, 0, 1], normal.shape))


def test_a_corner_is_darker_than_an_open_plain(run):
    half = 24
    distance = np.full((half, half), 5.0)
    distance[:, half // 2 :] = 4.6  # a step towards the viewer
    normal = np.zeros((2 * half, 2 * half, 3), dtype=np.float32)
    normal[..., 2] = 1.0
    spiral = np.array([[0.4, 0.0], [-0.4, 0.0], [0.0, 0.4], [0.0, -0.4], [0.9, 0.0], [-0.9, 0.0]])
    camera = np.array([6.0, half, half, 0.0])  # 6 pixels a metre
    raw = np.zeros((half, half), dtype=np.float32)
    run("find_occlusion", camera, spiral, 2.0, distance, normal, raw)
    smooth = np.zeros_like(raw)
    run("blur_occlusion", 0.1, distance, raw, smooth)
    assert smooth[:, half // 2 - 1].max() > 0.05  # at the foot of the step
    assert smooth[:, half // 2 :].max() == 0.0  # on top of it
    distance[:] = np.inf
    assert run("find_occlusion", camera, spiral, 2.0, distance, normal, raw) == 0
    run("blur_occlusion", 0.1, distance, raw, smooth)
    assert (smooth == 0).all()


def test_a_shadow_has_a_soft_edge(run):
    shadow = np.full((32, 32), -np.inf)
    shadow[:, 16:] = -1.0
    nearest = shadow.reshape(4, 8, 4, 8).max(axis=(1, 3))
    lit = [run("lit_fraction", shadow, nearest, float(col), 15.0, -2.0) for col in range(8, 24)]
    assert lit[0] == 1.0
    assert lit[-1] == 0.0
    assert (np.diff(lit) <= 0).all()
    assert any(0 < value < 1 for value in lit)
    assert run("lit_fraction", shadow, nearest, 20.0, 15.0, -0.5) == 1.0  # in front of it
    assert run("lit_fraction", shadow, nearest, -5.0, 15.0, -9.0) == 1.0  # outside the image


def shaded(run, normal_z, occlusion=0.0, triangle_number=0):
    key = np.full((SIZE, SIZE), -5.0)
    triangle = np.full((SIZE, SIZE), triangle_number, dtype=np.int32)
    normal = np.zeros((SIZE, SIZE, 3), dtype=np.float32)
    normal[..., 2] = normal_z
    normal[..., 1] = np.sqrt(1 - normal_z**2)
    hidden = np.full((SIZE // 2, SIZE // 2), occlusion, dtype=np.float32)
    lights = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0], [0.5, 0.6, 0.1], [0.1, 0, 0]], dtype=float)
    ground = np.array([0.0, 0, -5, 100, 1, 1, 0, 0, 0, 1, 0])
    shadow = np.full((16, 16), -np.inf)
    color = np.zeros((SIZE, SIZE, 3), dtype=np.float32)
    run(
        "shade", np.full((1, 3), 0.5), ORTHOGRAPHIC, lights, np.zeros((3, 4)), 0.0, shadow,
        shadow[::8, ::8].copy(), ground, key, triangle, normal, hidden, color,
    )  # fmt: skip
    return float(color[SIZE // 2 + 1, SIZE // 2 + 1, 0])


def test_surfaces_towards_the_light_are_brighter_and_hidden_ones_darker(run):
    assert shaded(run, 1.0) > shaded(run, 0.3)
    assert shaded(run, 1.0) > shaded(run, 1.0, occlusion=0.8)
    assert 0.0 < shaded(run, 1.0) <= 1.0


def test_background_is_white_and_open_ground_nearly_so(run):
    assert shaded(run, 1.0, triangle_number=rasterizing.NOTHING) == 1.0
    assert 0.7 < shaded(run, 1.0, triangle_number=rasterizing.GROUND) <= 1.0


def test_lines_run_where_parts_meet_and_not_within_a_patch(run):
    triangle = np.zeros((SIZE, SIZE), dtype=np.int32)
    triangle[:, 3:] = 1  # same patch
    triangle[:, 6:] = 2  # another patch
    triangle[:, 9:] = rasterizing.NOTHING
    identity = np.array([[0, 0, 0], [0, 0, 0], [1, 0, 0]], dtype=np.int32)
    key = np.full((SIZE, SIZE), -5.0)
    normal = np.zeros((SIZE, SIZE, 3), dtype=np.float32)
    normal[..., 2] = 1.0
    line = np.zeros((SIZE, SIZE), dtype=np.float32)
    run("find_lines", identity, ORTHOGRAPHIC, 0.1, 1.0, key, triangle, normal, line)
    assert (line[:, 1:5] == 0).all()
    assert (line[:, 5:7] > 0).all()
    assert (line[:, 8:10] == 1).all()


def test_a_jump_within_a_patch_is_a_line_on_its_near_side(run):
    triangle = np.zeros((SIZE, SIZE), dtype=np.int32)
    triangle[:, 6:] = 1
    identity = np.zeros((2, 3), dtype=np.int32)
    normal = np.zeros((SIZE, SIZE, 3), dtype=np.float32)
    normal[..., 2] = 1.0
    for near_left in (True, False):
        key = np.full((SIZE, SIZE), -5.0)
        key[:, : 6 if near_left else SIZE] = -3.0
        if not near_left:
            key[:, :6], key[:, 6:] = -5.0, -3.0
        line = np.zeros((SIZE, SIZE), dtype=np.float32)
        run("find_lines", identity, ORTHOGRAPHIC, 0.1, 1.0, key, triangle, normal, line)
        assert (line[:, 5] > 0.5).all() == near_left
        assert (line[:, 6] > 0.5).all() != near_left


def test_developing_averages_and_draws_lines_in_ink(run):
    color = np.ones((4, 4, 3), dtype=np.float32)
    line = np.zeros((4, 4), dtype=np.float32)
    line[:2, :2] = 1.0
    color[2:, 2:] = [[[0.0, 0.0, 0.0]]]
    image = np.zeros((2, 2, 3), dtype=np.uint8)
    run("develop", 2, np.array([0.0, 0.0, 1.0]), np.linspace(0, 1, 64), color, line, image)
    assert image.tolist() == [[[0, 0, 255], [255] * 3], [[255] * 3, [0] * 3]]


def test_faces_join_into_numbered_groups(run):
    patch = np.zeros(7, dtype=np.int32)
    left, right = np.array([5, 1, 6, 4]), np.array([6, 2, 1, 4])
    assert run("join_faces", left, right, patch) == 4
    assert patch.tolist() == [0, 1, 1, 2, 3, 1, 1]


def test_depth_inside_grows_from_every_edge(run):
    owner = np.full((SIZE, SIZE), -1, dtype=np.int32)
    owner[2:9, 2:9] = 4
    depth = np.zeros((SIZE, SIZE))
    run("depth_inside", owner, depth)
    assert np.unravel_index(np.argmax(np.where(owner == 4, depth, 0)), depth.shape) == (5, 5)
    assert depth[5, 5] == pytest.approx(4.0)
    assert depth[2, 2] == depth[0, 0] == 1.0
