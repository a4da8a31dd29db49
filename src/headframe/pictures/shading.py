"""Light what is seen: hidden places, shadows, outlines; see `rasterizing` for the buffers."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ..jit import kernel
from .rasterizing import BLOCK, GROUND, NOTHING

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Bytes = NDArray[np.uint8]


@kernel
def distance_of(
    key: float,
    perspective: float,
) -> float:
    """Distance along the view [m] of a key."""
    return 1.0 / key if perspective > 0.5 else -key


@kernel
def find_occlusion(
    camera_in: Floats,
    spiral_in: Floats,
    radius: float,
    distance_in: Floats,
    normal_in: Singles,
    occlusion_out: Singles,
) -> int:
    """How much of the sky near surfaces hide, 0 to 1, at every second pixel; count them.

    For samples Q around P on the screen: mean of max(0, n.d) (1 - |PQ|^2 / radius^2), with d the
    direction of PQ (McGuire et al., "The Alchemy screen-space ambient obscurance algorithm",
    2011, without its estimator's constants).

    spiral_in: (k, 2) offsets in the unit disc. radius [m]. distance_in: (h // 2, w // 2)
    distance along the view at every second pixel [m], inf where nothing is. normal_in: (h, w, 3).
    """
    height, width = distance_in.shape
    scale, centre_col, centre_row, perspective = camera_in
    samples = spiral_in.shape[0]
    step = 2.0 / scale
    centre_col, centre_row = 0.5 * centre_col, 0.5 * centre_row
    inverse_square = 1.0 / (radius * radius)
    count = 0
    for row in range(height):
        for col in range(width):
            occlusion_out[row, col] = 0.0
            w = distance_in[row, col]
            if w == np.inf:
                continue
            count += 1
            size = step * w if perspective > 0.5 else step  # of a pixel [m], here
            px, py = (col + 0.25 - centre_col) * size, (centre_row - row - 0.25) * size
            reach = min(radius / size, 0.25 * width)
            # turn the spiral by a 4 x 4 pattern, which blur_occlusion averages away
            turn = 2.0 * math.pi * ((row % 4) * 4 + col % 4) / 16.0
            cosine, sine = reach * math.cos(turn), reach * math.sin(turn)
            nx = normal_in[2 * row, 2 * col, 0]
            ny = normal_in[2 * row, 2 * col, 1]
            nz = normal_in[2 * row, 2 * col, 2]
            total = 0.0
            for k in range(samples):
                q_col = col + int(cosine * spiral_in[k, 0] - sine * spiral_in[k, 1])
                q_row = row + int(sine * spiral_in[k, 0] + cosine * spiral_in[k, 1])
                if q_col < 0 or q_row < 0 or q_col >= width or q_row >= height:
                    continue
                q_w = distance_in[q_row, q_col]
                dz = w - q_w
                if abs(dz) > radius:
                    continue
                q_size = step * q_w if perspective > 0.5 else step
                dx = (q_col + 0.25 - centre_col) * q_size - px
                dy = (centre_row - q_row - 0.25) * q_size - py
                out = nx * dx + ny * dy + nz * dz
                square = dx * dx + dy * dy + dz * dz
                fall_off = 1.0 - square * inverse_square
                if out > 0.0 and fall_off > 0.0:
                    total += max(0.0, out / math.sqrt(square) - 0.05) * fall_off
            occlusion_out[row, col] = min(1.0, 2.0 * total / samples)
    return count


@kernel
def blur_occlusion(
    tolerance: float,
    distance_in: Floats,
    occlusion_in: Singles,
    occlusion_out: Singles,
) -> int:
    """Mean over 4 x 4 pixels whose distance is within `tolerance` [m]; return 0."""
    height, width = occlusion_in.shape
    for row in range(height):
        for col in range(width):
            occlusion_out[row, col] = 0.0
            here = distance_in[row, col]
            if here == np.inf:
                continue
            total, count = 0.0, 0
            for i in range(max(0, row - 2), min(height, row + 2)):
                for j in range(max(0, col - 2), min(width, col + 2)):
                    if abs(distance_in[i, j] - here) < tolerance:
                        total += occlusion_in[i, j]
                        count += 1
            occlusion_out[row, col] = total / count
    return 0


@kernel
def lit_fraction(
    shadow_key_in: Floats,
    nearest_in: Floats,
    col: float,
    row: float,
    key: float,
) -> float:
    """Part of the 5 x 5 places around (col, row) of the light's image not nearer than `key`.

    nearest_in: largest key in every block of BLOCK x BLOCK places, to know quickly that nothing
    is in the way.
    """
    height, width = shadow_key_in.shape
    first_col, first_row = math.floor(col) - 2, math.floor(row) - 2
    if first_col < 0 or first_row < 0 or first_col + 5 >= width or first_row + 5 >= height:
        return 1.0
    top, left = first_row // BLOCK, first_col // BLOCK
    bottom, right = (first_row + 5) // BLOCK, (first_col + 5) // BLOCK
    if (
        max(nearest_in[top, left], nearest_in[bottom, left]) <= key
        and max(nearest_in[top, right], nearest_in[bottom, right]) <= key
    ):
        return 1.0
    # the window slides smoothly: its first and last row and column count in part
    fx, fy = col - math.floor(col), row - math.floor(row)
    lit = 0.0
    for i in range(6):
        weight_row = (1.0 - fy) if i == 0 else (fy if i == 5 else 1.0)
        for j in range(6):
            if shadow_key_in[first_row + i, first_col + j] <= key:
                weight_col = (1.0 - fx) if j == 0 else (fx if j == 5 else 1.0)
                lit += weight_row * weight_col
    return lit / 25.0


@kernel
def shade(
    # the scene
    colors_in: Floats,
    camera_in: Floats,
    lights_in: Floats,
    X_light_view_in: Floats,
    shadow_offset: float,
    shadow_key_in: Floats,
    nearest_in: Floats,
    ground_in: Floats,
    # buffers
    key_in: Floats,
    triangle_in: Ints,
    normal_in: Singles,
    occlusion_in: Singles,
    color_out: Singles,
) -> int:
    """Colour of every pixel, linear; returns how many are not background.

    colors_in: (m, 3) a triangle's own colour, linear.
    lights_in: (5, 3) up, direction of the key and of the fill light (unit, view axes), strength
    of [ambient, key, fill], of [highlights, 0, 0].
    X_light_view_in: (3, 4) from view axes to column, row and key of the light's image; surfaces
    are looked up `shadow_offset` [m] out along their normals, so that they do not shade
    themselves. shadow_key_in, nearest_in: the light's image, see `lit_fraction`.
    ground_in: (11,) [centre (3), radius, grid spacing, two unit axes of the grid (3, 3)], in
    view axes.
    """
    height, width = key_in.shape
    scale, centre_col, centre_row, perspective = camera_in
    ambient, key_power, fill_power = lights_in[3, 0], lights_in[3, 1], lights_in[3, 2]
    radius, spacing = ground_in[3], ground_in[4]
    half_height, half_width = occlusion_in.shape
    count = 0
    for row in range(height):
        for col in range(width):
            t = triangle_in[row, col]
            if t == NOTHING:
                for k in range(3):
                    color_out[row, col, k] = 1.0
                continue
            count += 1
            w = distance_of(key_in[row, col], perspective)
            pixels = scale / w if perspective > 0.5 else scale
            px = (col + 0.5 - centre_col) / pixels
            py = (centre_row - row - 0.5) / pixels
            pz = -w
            nx, ny, nz = normal_in[row, col, 0], normal_in[row, col, 1], normal_in[row, col, 2]
            half_row, half_col = min(row // 2, half_height - 1), min(col // 2, half_width - 1)
            open_sky = 1.0 - occlusion_in[half_row, half_col]
            key_cos = nx * lights_in[1, 0] + ny * lights_in[1, 1] + nz * lights_in[1, 2]
            lit = 0.0
            if key_cos > 0.0:
                X = X_light_view_in
                sx, sy = px + shadow_offset * nx, py + shadow_offset * ny
                sz = pz + shadow_offset * nz
                light_col = X[0, 0] * sx + X[0, 1] * sy + X[0, 2] * sz + X[0, 3]
                light_row = X[1, 0] * sx + X[1, 1] * sy + X[1, 2] * sz + X[1, 3]
                light_key = X[2, 0] * sx + X[2, 1] * sy + X[2, 2] * sz + X[2, 3]
                lit = lit_fraction(shadow_key_in, nearest_in, light_col, light_row, light_key)
            if t == GROUND:
                dx, dy, dz = px - ground_in[0], py - ground_in[1], pz - ground_in[2]
                far = math.sqrt(dx * dx + dy * dy + dz * dz) / radius
                fade = min(1.0, max(0.0, (1.35 - far) / 0.75))
                fade = fade * fade * (3.0 - 2.0 * fade)
                gx = (dx * ground_in[5] + dy * ground_in[6] + dz * ground_in[7]) / spacing
                gy = (dx * ground_in[8] + dy * ground_in[9] + dz * ground_in[10]) / spacing
                # a line is about one pixel wide: compare the distance to it with a pixel's size
                stretch = 0.35 + 0.65 * abs(nz)
                line_x = abs(gx - math.floor(gx + 0.5)) * spacing * pixels * stretch
                line_y = abs(gy - math.floor(gy + 0.5)) * spacing * pixels * stretch
                line = max(0.0, 1.0 - min(line_x, line_y) / 1.2)
                white = (1.0 - 0.34 * (1.0 - lit)) * (0.35 + 0.65 * open_sky)
                value = 1.0 - fade * (1.0 - white * (1.0 - 0.22 * line))
                for k in range(3):
                    color_out[row, col, k] = value
                continue
            up_cos = nx * lights_in[0, 0] + ny * lights_in[0, 1] + nz * lights_in[0, 2]
            fill_cos = nx * lights_in[2, 0] + ny * lights_in[2, 1] + nz * lights_in[2, 2]
            light = ambient * (0.75 + 0.25 * up_cos) * (0.15 + 0.85 * open_sky)
            light += key_power * max(0.0, key_cos) * lit * (0.5 + 0.5 * open_sky)
            light += fill_power * max(0.0, fill_cos) * open_sky
            # highlight: half vector between the key light and the viewer
            vx, vy, vz = 0.0, 0.0, 1.0
            if perspective > 0.5:
                length = math.sqrt(px * px + py * py + pz * pz)
                vx, vy, vz = -px / length, -py / length, -pz / length
            hx, hy, hz = vx + lights_in[1, 0], vy + lights_in[1, 1], vz + lights_in[1, 2]
            length = math.sqrt(hx * hx + hy * hy + hz * hz)
            gloss = max(0.0, (nx * hx + ny * hy + nz * hz) / max(length, 1e-9))
            gloss = lights_in[4, 0] * gloss**28 * lit
            for k in range(3):
                value = colors_in[t, k] * light + gloss
                if value > 0.7:  # a soft shoulder instead of burnt-out highlights
                    value = 0.7 + 0.3 * math.tanh((value - 0.7) / 0.3)
                color_out[row, col, k] = value
    return count


@kernel
def find_lines(
    identity_in: Ints,
    camera_in: Floats,
    tolerance: float,
    weight: float,
    key_in: Floats,
    triangle_in: Ints,
    normal_in: Singles,
    line_out: Singles,
) -> int:
    """Outlines and edges: how dark a line runs through every pixel, 0 to 1; count them.

    A line is where neighbouring pixels belong to different smooth patches, parts or owners, or
    where the surface jumps by more than `tolerance` [m] out of the planes of both. A
    `weight` below 1 makes all lines paler.

    identity_in: (m, 3) patch, part and owner of a triangle. line_out must be zero.
    """
    height, width = key_in.shape
    scale, centre_col, centre_row, perspective = camera_in
    count = 0
    for row in range(height):
        for col in range(width):
            a = triangle_in[row, col]
            for side in range(2):
                row_b, col_b = row + side, col + 1 - side
                if row_b >= height or col_b >= width:
                    continue
                b = triangle_in[row_b, col_b]
                if a == b or (a < 0 and b < 0):
                    continue
                if a < 0 or b < 0:  # outline against ground or background
                    line_out[row, col] = weight
                    line_out[row_b, col_b] = weight
                    count += 1
                    continue
                w_a = distance_of(key_in[row, col], perspective)
                w_b = distance_of(key_in[row_b, col_b], perspective)
                scale_a = scale / w_a if perspective > 0.5 else scale
                scale_b = scale / w_b if perspective > 0.5 else scale
                dx = (col_b + 0.5 - centre_col) / scale_b - (col + 0.5 - centre_col) / scale_a
                dy = (centre_row - row_b - 0.5) / scale_b - (centre_row - row - 0.5) / scale_a
                dz = w_a - w_b
                out_a = abs(
                    normal_in[row, col, 0] * dx
                    + normal_in[row, col, 1] * dy
                    + normal_in[row, col, 2] * dz
                )
                out_b = abs(
                    normal_in[row_b, col_b, 0] * dx
                    + normal_in[row_b, col_b, 1] * dy
                    + normal_in[row_b, col_b, 2] * dz
                )
                jump = min(out_a, out_b) > tolerance
                strength = 0.0
                if identity_in[a, 2] != identity_in[b, 2]:
                    strength = 0.95 if jump else 0.8
                elif jump:
                    strength = 0.8
                elif identity_in[a, 1] != identity_in[b, 1]:
                    strength = 0.5
                elif identity_in[a, 0] != identity_in[b, 0]:
                    strength = 0.42
                if strength == 0.0:
                    continue
                strength *= weight
                count += 1
                if jump:  # the line belongs to what is in front
                    if w_a < w_b:
                        line_out[row, col] = max(line_out[row, col], strength)
                        if col >= 1 - side and row >= side:
                            before = line_out[row - side, col - 1 + side]
                            line_out[row - side, col - 1 + side] = max(before, 0.5 * strength)
                    else:
                        line_out[row_b, col_b] = max(line_out[row_b, col_b], strength)
                        if row_b + side < height and col_b + 1 - side < width:
                            after = line_out[row_b + side, col_b + 1 - side]
                            line_out[row_b + side, col_b + 1 - side] = max(after, 0.5 * strength)
                else:
                    line_out[row, col] = max(line_out[row, col], strength)
                    line_out[row_b, col_b] = max(line_out[row_b, col_b], strength)
    return count


@kernel
def develop(
    factor: int,
    ink_in: Floats,
    curve_in: Floats,
    color_in: Singles,
    line_in: Singles,
    image_out: Bytes,
) -> int:
    """Colours and lines to 8-bit sRGB, averaged over `factor` x `factor` pixels; return 0.

    ink_in: (3,) the lines' colour, sRGB 0 to 1. curve_in: (k,) sRGB of linear 0 to 1, evenly
    spaced. image_out: (h // factor, w // factor, 3) uint8.
    """
    last = curve_in.shape[0] - 1
    for row in range(image_out.shape[0]):
        for col in range(image_out.shape[1]):
            for k in range(3):
                total = 0.0
                for i in range(factor * row, factor * (row + 1)):
                    for j in range(factor * col, factor * (col + 1)):
                        linear = min(1.0, max(0.0, color_in[i, j, k]))
                        value = curve_in[int(linear * last + 0.5)]
                        total += value + line_in[i, j] * (ink_in[k] - value)
                image_out[row, col, k] = int(255.0 * total / (factor * factor) + 0.5)
    return 0


def warm_up() -> None:
    """Call what `rendering` calls, with the types it uses, on an image of a few pixels."""
    size = 8
    key = np.full((size, size), -np.inf)
    triangle = np.full((size, size), NOTHING, dtype=np.int32)
    normal = np.zeros((size, size, 3), dtype=np.float32)
    camera = np.array([1.0, 4.0, 4.0, 0.0])
    raw = np.zeros((size // 2, size // 2), dtype=np.float32)
    occlusion = np.zeros_like(raw)
    distance = np.ones((size // 2, size // 2))
    find_occlusion(camera, np.array([[0.5, 0.5]]), 1.0, distance, normal, raw)
    blur_occlusion(0.1, distance, raw, occlusion)
    color = np.zeros((size, size, 3), dtype=np.float32)
    lights = np.array(
        [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.5, 0.7, 0.2], [0.1, 0, 0]]
    )
    ground = np.array([0.0, 0.0, -2.0, 4.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0])
    shade(
        np.ones((1, 3)), camera, lights, np.eye(3, 4), 0.01, key, key[::8, ::8].copy(), ground,
        key, triangle, normal, occlusion, color,
    )  # fmt: skip
    line = np.zeros((size, size), dtype=np.float32)
    identity = np.zeros((1, 3), dtype=np.int32)
    find_lines(identity, camera, 0.1, 1.0, key, triangle, normal, line)
    image = np.zeros((size // 2, size // 2, 3), dtype=np.uint8)
    develop(2, np.zeros(3), np.linspace(0.0, 1.0, 16), color, line, image)
