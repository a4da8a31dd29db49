"""Fill triangles, lay the ground, interpolate normals: which triangle is seen in each pixel.

An image is a set of buffers over pixels (row, column), row 0 at the top:

- `key`: nearness, larger is nearer and linear over a triangle on the screen: minus the distance
  along the view for orthographic cameras, one over it for perspective ones; -inf where nothing is.
- `triangle`: which triangle is seen; GROUND or NOTHING where there is none.
- `normal`: unit normal in view axes (x right, y up, z towards the viewer).

A camera is packed as [scale, centre column, centre row, perspective (0 or 1)]; a point (x, y, z)
in view axes falls on column = centre + scale x / w, row = centre - scale y / w with w = 1
(orthographic, scale in pixels/m) or w = -z (perspective, scale in pixels).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ..jit import kernel

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Bytes = NDArray[np.uint8]

NOTHING = -1
GROUND = -2
BLOCK = 8


@kernel
def fill_triangles(
    points_in: Floats,
    triangles_in: Ints,
    key_out: Floats,
    triangle_out: Ints,
) -> int:
    """Draw triangles into `key_out` and `triangle_out`; return how many pixels were set.

    points_in: (n, 3) column [px], row [px], key. triangles_in: (m, 3).
    """
    height, width = key_out.shape
    written = 0
    for t in range(triangles_in.shape[0]):
        a, b, c = triangles_in[t, 0], triangles_in[t, 1], triangles_in[t, 2]
        ax, ay, ak = points_in[a, 0], points_in[a, 1], points_in[a, 2]
        bx, by, bk = points_in[b, 0], points_in[b, 1], points_in[b, 2]
        cx, cy, ck = points_in[c, 0], points_in[c, 1], points_in[c, 2]
        area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
        if not abs(area) > 1e-12:
            continue
        # barycentric weights as linear functions of the pixel: u for b, v for c
        u_x, u_y = (cy - ay) / area, -(cx - ax) / area
        v_x, v_y = -(by - ay) / area, (bx - ax) / area
        first_row = max(0, math.floor(min(ay, by, cy) - 0.5))
        last_row = min(height - 1, math.ceil(max(ay, by, cy) - 0.5))
        first_col = max(0, math.floor(min(ax, bx, cx) - 0.5))
        last_col = min(width - 1, math.ceil(max(ax, bx, cx) - 0.5))
        for row in range(first_row, last_row + 1):
            dy = row + 0.5 - ay
            for col in range(first_col, last_col + 1):
                dx = col + 0.5 - ax
                u = u_x * dx + u_y * dy
                v = v_x * dx + v_y * dy
                if u < -1e-9 or v < -1e-9 or u + v > 1.0 + 1e-9:
                    continue
                key = ak + u * (bk - ak) + v * (ck - ak)
                if key > key_out[row, col]:
                    key_out[row, col] = key
                    triangle_out[row, col] = t
                    written += 1
    return written


@kernel
def lay_ground(
    camera_in: Floats,
    plane_in: Floats,
    key_out: Floats,
    triangle_out: Ints,
) -> int:
    """Fill empty pixels with the plane n.p = d, plane_in = [n, d] in view axes; count them."""
    height, width = key_out.shape
    scale, centre_col, centre_row = camera_in[0], camera_in[1], camera_in[2]
    nx, ny, nz, d = plane_in[0], plane_in[1], plane_in[2], plane_in[3]
    count = 0
    for row in range(height):
        y = (centre_row - row - 0.5) / scale
        for col in range(width):
            if triangle_out[row, col] != NOTHING:
                continue
            x = (col + 0.5 - centre_col) / scale
            if camera_in[3] > 0.5:  # p = w (x, y, -1)
                slope = nx * x + ny * y - nz
                if slope * d > 1e-9 * d * d:
                    key_out[row, col] = slope / d
                    triangle_out[row, col] = GROUND
                    count += 1
            elif abs(nz) > 1e-6:
                key_out[row, col] = (d - nx * x - ny * y) / nz
                triangle_out[row, col] = GROUND
                count += 1
    return count


@kernel
def interpolate_normals(
    points_in: Floats,
    triangles_in: Ints,
    corner_normals_in: Floats,
    triangle_in: Ints,
    ground_in: Floats,
    normal_out: Singles,
) -> int:
    """Normals of all pixels, turned towards the viewer; return how many have one.

    corner_normals_in: (m, 3, 3) in view axes. ground_in: (3,) the ground's normal.
    """
    height, width = triangle_in.shape
    count = 0
    for row in range(height):
        for col in range(width):
            t = triangle_in[row, col]
            if t == NOTHING:
                continue
            count += 1
            if t == GROUND:
                for k in range(3):
                    normal_out[row, col, k] = ground_in[k]
                continue
            a, b, c = triangles_in[t, 0], triangles_in[t, 1], triangles_in[t, 2]
            ax, ay = points_in[a, 0], points_in[a, 1]
            ux, uy = points_in[b, 0] - ax, points_in[b, 1] - ay
            vx, vy = points_in[c, 0] - ax, points_in[c, 1] - ay
            dx, dy = col + 0.5 - ax, row + 0.5 - ay
            area = ux * vy - uy * vx
            u = (dx * vy - dy * vx) / area
            v = (ux * dy - uy * dx) / area
            sign = -1.0 if area > 0.0 else 1.0  # rows grow downwards: front faces are negative
            x, y, z = 0.0, 0.0, 0.0
            for k in range(3):
                weight = 1.0 - u - v if k == 0 else (u if k == 1 else v)
                x += weight * corner_normals_in[t, k, 0]
                y += weight * corner_normals_in[t, k, 1]
                z += weight * corner_normals_in[t, k, 2]
            length = math.sqrt(x * x + y * y + z * z)
            if length > 1e-12:
                sign /= length
            normal_out[row, col, 0] = sign * x
            normal_out[row, col, 1] = sign * y
            normal_out[row, col, 2] = sign * z
    return count


@kernel
def join_faces(
    left_in: Longs,
    right_in: Longs,
    patch_out: Ints,
) -> int:
    """Number groups of faces that pairs (left, right) connect; return how many there are.

    Union-find: every face points to another one of its group, the first one to itself.
    """
    for face in range(patch_out.shape[0]):
        patch_out[face] = face
    for pair in range(left_in.shape[0]):
        a, b = left_in[pair], right_in[pair]
        while patch_out[a] != a:
            patch_out[a] = patch_out[patch_out[a]]
            a = patch_out[a]
        while patch_out[b] != b:
            patch_out[b] = patch_out[patch_out[b]]
            b = patch_out[b]
        patch_out[max(a, b)] = min(a, b)
    count = 0
    for face in range(patch_out.shape[0]):
        if patch_out[face] == face:
            patch_out[face] = -1 - count  # negative: final
            count += 1
        else:  # its pointer leads to a smaller face, which is final
            patch_out[face] = patch_out[patch_out[face]]
    for face in range(patch_out.shape[0]):
        patch_out[face] = -1 - patch_out[face]
    return count


@kernel
def depth_inside(
    owner_in: Ints,
    depth_out: Floats,
) -> int:
    """Distance [px] from every pixel to the edge of its owner's region; return 0.

    Two passes with steps 1 and sqrt(2) (a chamfer distance, up to 8 % longer than Euclid's).
    """
    height, width = owner_in.shape
    diagonal = math.sqrt(2.0)
    for turn in range(2):
        sign = 1 if turn == 0 else -1
        for i in range(height):
            row = i if turn == 0 else height - 1 - i
            for j in range(width):
                col = j if turn == 0 else width - 1 - j
                best = 1e9 if turn == 0 else depth_out[row, col]
                for k in range(4):  # the four neighbours that this pass has already seen
                    r = row - sign if k < 3 else row
                    c = col + (k - 1) * sign if k < 3 else col - sign
                    inside = 0 <= r < height and 0 <= c < width
                    if inside and owner_in[r, c] == owner_in[row, col]:
                        step = 1.0 if k == 1 or k == 3 else diagonal
                        best = min(best, depth_out[r, c] + step)
                    else:
                        best = min(best, 1.0)
                depth_out[row, col] = best
    return 0


def warm_up() -> None:
    """Call what others call, with the types they use, on an image of a few pixels.

    All arrays are writable and contiguous, row by row.
    """
    size = 8
    points = np.array([[1.0, 1.0, -1.0], [1.0, 7.0, -1.0], [7.0, 1.0, -1.0]])
    triangles = np.array([[0, 1, 2]], dtype=np.int32)
    key = np.full((size, size), -np.inf)
    triangle = np.full((size, size), NOTHING, dtype=np.int32)
    normal = np.zeros((size, size, 3), dtype=np.float32)
    camera = np.array([1.0, 4.0, 4.0, 0.0])
    fill_triangles(points, triangles, key, triangle)
    lay_ground(camera, np.array([0.0, 0.0, 1.0, -2.0]), key, triangle)
    facing = np.tile([0.0, 0.0, 1.0], (1, 3, 1))
    interpolate_normals(points, triangles, facing, triangle, np.array([0.0, 0.0, 1.0]), normal)
    join_faces(
        np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int32)
    )
    depth_inside(triangle, np.zeros((size, size)))
