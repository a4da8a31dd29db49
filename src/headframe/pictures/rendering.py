"""A small software renderer for machines: triangles in, a clean technical illustration out.

No graphics card, no window system: it runs wherever Python runs and gives the same picture
everywhere. Key light with soft shadows, fill light, ambient light with occlusion, outlines where
parts meet, a faint metre grid on the ground, and supersampling.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..description import (
    CREASE,
    INVISIBLE,
    Material,
    Robot,
    bodies_by_link,
    corner_normals,
    most_triangles,
    pieces_of,
    shapes_of,
)
from . import rasterizing, shading

if TYPE_CHECKING:
    from ..mechanism import State

Floats = NDArray[np.float64]
INK = np.array([0.10, 0.12, 0.15])
AMBIENT, KEY, FILL, GLOSS = 0.62, 0.72, 0.16, 0.16
SHADOW_PIXELS = 1400
SAMPLES = 16
# z up, y to the left: identity; y up (authors' files): x stays, y becomes z, z becomes -y
Z_UP_FROM_Y_UP = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])


@dataclass(frozen=True)
class RenderedScene:
    """All triangles of an assembled machine, z up, ready to be drawn from anywhere.

    Attributes:
        vertices: [m], (n, 3).
        part: which part (visual) a vertex belongs to, (n,).
        triangles: positions of vertices, (m, 3).
        normals: unit normals of the triangles' corners, (m, 3, 3).
        identity: smooth patch, part and owner (position in `owners`) of a triangle, (m, 3).
        colors: linear colour of a triangle, (m, 3).
        owners: names of the links.
    """

    vertices: Floats
    part: NDArray[np.int32]
    triangles: NDArray[np.int32]
    normals: Floats
    identity: NDArray[np.int32]
    colors: Floats
    owners: tuple[str, ...]

    @property
    def bounds(self) -> tuple[Floats, Floats]:
        """Lower and upper corner of the box around everything [m]."""
        return self.vertices.min(axis=0), self.vertices.max(axis=0)

    @property
    def size(self) -> float:
        """Diagonal of that box [m]."""
        lower, upper = self.bounds
        return float(np.linalg.norm(upper - lower))


@dataclass(frozen=True)
class Camera:
    """A view: where pixels look.

    Attributes:
        R_VW: rows are the view's right, up and backward directions in the world, (3, 3).
        eye: the point of the world at the view's origin [m], (3,).
        scale: pixels/m (orthographic) or focal length in pixels (perspective).
        center: column and row of the view's axis [px].
        perspective: whether far things are smaller.
        width, height: of the image [px].
    """

    R_VW: Floats
    eye: Floats
    scale: float
    center: tuple[float, float]
    perspective: bool
    width: int
    height: int

    def view(self, points: Floats) -> Floats:
        """World points [m], (n, 3), in view axes."""
        return (points - self.eye) @ self.R_VW.T

    def project(self, points: Floats) -> Floats:
        """Column, row [px] and distance along the view [m] of world points, (n, 3)."""
        x, y, z = self.view(points).T
        w = -z if self.perspective else np.ones_like(z)
        column = self.center[0] + self.scale * x / w
        row = self.center[1] - self.scale * y / w
        return np.column_stack([column, row, -z])

    def enlarged(self, factor: int) -> Camera:
        """The same view with `factor` times as many pixels each way."""
        center = (self.center[0] * factor, self.center[1] * factor)
        return Camera(
            self.R_VW,
            self.eye,
            self.scale * factor,
            center,
            self.perspective,
            self.width * factor,
            self.height * factor,
        )

    @property
    def packed(self) -> Floats:
        """As the kernels take it, (4,)."""
        return np.array([self.scale, *self.center, float(self.perspective)])


@dataclass(frozen=True)
class Picture:
    """A rendered view.

    Attributes:
        image: sRGB, (height, width, 3).
        owner: position in `Scene.owners` of what is seen at a pixel, or -1, (height, width).
        camera: the view.
    """

    image: NDArray[np.uint8]
    owner: NDArray[np.int32]
    camera: Camera


# ------------------------------------------------------------------ scene


def make_scene(
    robot: Robot, state: State, folder: str | Path | None = None
) -> RenderedScene | None:
    """Gather the triangles of all that is seen in the pose of `state`; None if there are none.

    Links that the robot's 3DT file covers show its bodies, the others their visuals.
    """
    gathered = _Gathered(robot)
    covered = bodies_by_link(robot, folder)
    shapes: dict[Any, list[tuple[_Shape, Material]]] = {}
    most = most_triangles(robot)
    for owner, link in enumerate(robot.links):
        X_WL = state.pose(link.name)
        for body in covered.get(link.name, ()):
            if body.color[3] >= INVISIBLE:
                crease = math.radians(body.crease)
                shape = _shape(body.vertices, body.triangles, crease, by_area=True)
                gathered.add(shape, X_WL, body.material, owner)
        for i, visual in enumerate(() if link.name in covered else shapes_of(robot, link)):
            if visual.material.color[3] < INVISIBLE:
                continue
            key = visual.geometry, visual.material, "material" in visual.model_fields_set
            if key not in shapes:
                place = f"links[{owner}].visual[{i}]"
                shapes[key] = [
                    (_shape(vertices, faces), material)
                    for vertices, faces, material in pieces_of(visual, folder, place, most)
                ]
            for shape, material in shapes[key]:
                gathered.add(shape, X_WL @ visual.pose, material, owner)
    return gathered.scene()


_Shape = tuple[Floats, Any, Floats, Any]  # vertices, faces, corner normals, smooth patches


def _shape(vertices: Floats, faces: Any, crease: float = CREASE, by_area: bool = False) -> _Shape:
    normals = corner_normals(vertices, faces, crease, by_area)
    return vertices, faces, normals, smooth_patches(vertices, faces, crease)


class _Gathered:
    """The triangles of a scene, part after part."""

    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        self.R_up = np.eye(3) if robot.up_axis == "z" else Z_UP_FROM_Y_UP
        self.vertices: list[Floats] = []
        self.triangles: list[Any] = []
        self.normals: list[Floats] = []
        self.colors: list[Floats] = []
        self.identity: list[Any] = []
        self.part: list[Any] = []
        self.points = self.patches = 0

    def add(self, shape: _Shape, X_WV: Floats, material: Material, owner: int) -> None:
        """Add a shape in its place."""
        corners, faces, normals, patch = shape
        parts = len(self.part)
        R = self.R_up @ X_WV[:3, :3]
        self.vertices.append(corners @ R.T + self.R_up @ X_WV[:3, 3])
        self.part.append(np.full(len(corners), parts))
        self.triangles.append(faces + self.points)
        self.normals.append(normals @ R.T)
        self.colors.append(np.broadcast_to(material.linear[:3], faces.shape))
        both = np.full(len(faces), parts), np.full(len(faces), owner)
        self.identity.append(np.column_stack([patch + self.patches, *both]))
        self.points += len(corners)
        self.patches += int(np.max(patch)) + 1

    def scene(self) -> RenderedScene | None:
        """All of it; None if there is nothing."""
        if not self.vertices:
            return None
        return RenderedScene(
            _joined(self.vertices),
            _joined(self.part, np.int32),
            _joined(self.triangles, np.int32),
            _joined(self.normals),
            _joined(self.identity, np.int32),
            _joined(self.colors),
            tuple(link.name for link in self.robot.links),
        )


def _joined(pieces: list[NDArray[Any]], kind: Any = np.float64) -> NDArray[Any]:
    """The pieces one after another, row by row in memory, which is what the kernels compile for."""
    return np.ascontiguousarray(np.concatenate(pieces), dtype=kind)


def smooth_patches(
    vertices: Floats, faces: NDArray[np.int64], crease: float = CREASE
) -> NDArray[np.int32]:
    """Number of the patch of every face, (m,): faces that meet in no sharper edge than `crease`."""
    corners = vertices[faces]
    cross = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    unit = cross / np.maximum(np.linalg.norm(cross, axis=1, keepdims=True), 1e-300)
    # edges as pairs of places, not of vertices: mesh files often repeat vertices
    rank = np.lexsort(vertices.T)
    new = np.any(vertices[rank][1:] != vertices[rank][:-1], axis=1)
    place_of = np.empty(len(vertices), dtype=np.int64)
    place_of[rank] = np.concatenate([[0], np.cumsum(new)])
    place = place_of[faces]
    edges = np.sort(np.concatenate([place[:, [0, 1]], place[:, [1, 2]], place[:, [2, 0]]]), axis=1)
    face = np.tile(np.arange(len(faces)), 3)
    order = np.lexsort(edges.T)
    edges, face = edges[order], face[order]
    same = np.flatnonzero((edges[1:] == edges[:-1]).all(axis=1))
    left, right = face[same], face[same + 1]
    smooth = np.einsum("ij,ij->i", unit[left], unit[right]) > math.cos(crease)
    patch = np.zeros(len(faces), dtype=np.int32)
    rasterizing.join_faces(left[smooth], right[smooth], patch)
    return patch


def view_axes(towards_viewer: Sequence[float], up: Sequence[float]) -> Floats:
    """R_VW, the rows right, up, backward, of a view from a direction, (3, 3)."""
    back = np.asarray(towards_viewer, dtype=float)
    back = back / np.linalg.norm(back)
    right = np.cross(up, back)
    right = right / np.linalg.norm(right)
    return np.stack([right, np.cross(back, right), back])


def orthographic(
    scene: RenderedScene,
    towards_viewer: Sequence[float],
    up: Sequence[float],
    width: int,
    height: int,
    pixels_per_metre: float | None = None,
    margin: float = 0.04,
) -> Camera:
    """A view without perspective, the machine in the middle, as large as fits or as told."""
    R = view_axes(towards_viewer, up)
    seen = scene.vertices @ R.T
    lower, upper = seen.min(axis=0), seen.max(axis=0)
    if pixels_per_metre is None:
        room = np.array([width, height]) * (1.0 - 2.0 * margin)
        pixels_per_metre = float(np.min(room / np.maximum(upper - lower, 1e-6)[:2]))
    middle = (lower + upper) / 2.0
    middle[2] = upper[2] + scene.size
    return Camera(R, R.T @ middle, pixels_per_metre, (width / 2, height / 2), False, width, height)


def perspective(
    scene: RenderedScene,
    towards_viewer: Sequence[float],
    width: int,
    height: int,
    field_of_view: float = math.radians(24.0),
    margin: tuple[float, float] = (0.04, 0.04),
) -> Camera:
    """A view with perspective from a direction, the machine as large as fits.

    `margin` is left free at the sides and at top and bottom, as parts of width and height.
    """
    R = view_axes(towards_viewer, (0.0, 0.0, 1.0))
    lower, upper = scene.bounds
    focal = 0.5 * width / math.tan(field_of_view / 2)
    room = np.array([width * (1 - 2 * margin[0]), height * (1 - 2 * margin[1])])
    eye = (lower + upper) / 2.0 + R[2] * 3.0 * scene.size
    # move sideways until the outline is centred, and near until it fills the room
    for _ in range(60):
        seen = (scene.vertices - eye) @ R.T
        slope = seen[:, :2] / -seen[:, 2:]
        low, high = slope.min(axis=0), slope.max(axis=0)
        distance = float(np.mean(-seen[:, 2]))
        ratio = float(np.max(focal * (high - low) / room))
        if abs(ratio - 1.0) < 2e-3:
            break
        closest = float(np.min(-seen[:, 2]))
        step = min(distance * (1.0 - ratio), closest - 0.15 * scene.size)
        shift = (low + high) / 2.0 * distance
        eye = eye + R[0] * shift[0] + R[1] * shift[1] - R[2] * step
    seen = (scene.vertices - eye) @ R.T
    slope = seen[:, :2] / -seen[:, 2:]
    middle = focal * (slope.min(axis=0) + slope.max(axis=0)) / 2.0
    center = (width / 2 - float(middle[0]), height / 2 + float(middle[1]))
    return Camera(R, eye, focal, center, True, width, height)


# ------------------------------------------------------------------ render


def render(
    scene: RenderedScene, camera: Camera, factor: int = 2, ground: bool = True, weight: float = 1.0
) -> Picture:
    """Draw a scene.

    Args:
        scene: what is seen.
        camera: from where.
        factor: supersampling: that many pixels each way are averaged.
        ground: whether there is a ground that takes shadows, at the machine's lowest point.
        weight: of the lines, 0 to 1; less makes small pictures clearer.
    """
    fine = camera.enlarged(factor)
    shape = (fine.height, fine.width)
    packed = fine.packed
    points = _screen_points(scene, fine)
    corner_normals_V = np.ascontiguousarray(scene.normals @ fine.R_VW.T)
    key = np.full(shape, -np.inf)
    triangle = np.full(shape, rasterizing.NOTHING, dtype=np.int32)
    rasterizing.fill_triangles(points, scene.triangles, key, triangle)
    plane, ground_packed = _ground(scene, fine)
    if ground:
        rasterizing.lay_ground(packed, plane, key, triangle)
    normal = np.zeros((*shape, 3), dtype=np.float32)
    rasterizing.interpolate_normals(
        points, scene.triangles, corner_normals_V, triangle, plane[:3], normal
    )
    radius = 0.06 * scene.size
    raw = np.zeros((shape[0] // 2, shape[1] // 2), dtype=np.float32)
    occlusion = np.zeros_like(raw)
    distance = _distance(key, fine.perspective)
    shading.find_occlusion(packed, _spiral(), radius, distance, normal, raw)
    shading.blur_occlusion(radius / 2, distance, raw, occlusion)
    lights, X_light_view, offset, shadow_key, nearest = _light(scene, fine)
    color = np.zeros((*shape, 3), dtype=np.float32)
    shading.shade(
        scene.colors,
        packed,
        lights,
        X_light_view,
        offset,
        shadow_key,
        nearest,
        ground_packed,
        key,
        triangle,
        normal,
        occlusion,
        color,
    )
    line = np.zeros(shape, dtype=np.float32)
    shading.find_lines(
        scene.identity, packed, 0.004 * scene.size, weight, key, triangle, normal, line
    )
    image = np.zeros((camera.height, camera.width, 3), dtype=np.uint8)
    shading.develop(factor, INK, _srgb_curve(), color, line, image)
    seen = triangle[factor // 2 :: factor, factor // 2 :: factor]
    owner = np.where(seen >= 0, scene.identity[np.maximum(seen, 0), 2], -1).astype(np.int32)
    return Picture(image, owner, camera)


def _screen_points(scene: RenderedScene, camera: Camera) -> Floats:
    """Column, row and key of every vertex, (n, 3).

    Parts listed later are a hair nearer, so that of two faces in one plane the later one is
    seen, whole, instead of a random mixture.
    """
    points = camera.project(scene.vertices)
    distance = points[:, 2] - scene.part * (5e-7 * scene.size)
    points[:, 2] = 1.0 / distance if camera.perspective else -distance
    return points


def _ground(scene: RenderedScene, camera: Camera) -> tuple[Floats, Floats]:
    """The plane [n, d] in view axes, and the ground as `shade` takes it."""
    lower, upper = scene.bounds
    middle = np.array(
        [(lower[0] + upper[0]) / 2, (lower[1] + upper[1]) / 2, lower[2] - 5e-4 * scene.size]
    )
    # the grid's lines lie at whole metres of the world (or tenths, or tens)
    spacing = 10.0 ** math.floor(math.log10(scene.size / 2.5))
    whole = np.array([*(np.round(middle[:2] / spacing) * spacing), middle[2]])
    up = camera.R_VW @ (0.0, 0.0, 1.0)
    origin = camera.view(whole[None])[0]
    plane = np.array([*up, float(up @ origin)])
    packed = np.array([*origin, 0.55 * scene.size, spacing, *camera.R_VW[:, 0], *camera.R_VW[:, 1]])
    return plane, packed


def _light(scene: RenderedScene, camera: Camera) -> tuple[Floats, Floats, float, Floats, Floats]:
    """Lights in view axes; the light's image of the scene and the way into it."""
    up = np.array([0.0, 0.0, 1.0])
    right, screen_up, back = camera.R_VW
    # from behind the viewer's left shoulder; steeper for a view from above
    if abs(back[2]) < 0.9:
        forward, slant, gloss = back, 0.55, GLOSS
    else:
        forward, slant, gloss = screen_up, 0.18, 0.0  # level faces would all shine
    key_W = up + slant * forward - 0.9 * slant * right
    key_W /= np.linalg.norm(key_W)
    fill_W = 0.25 * up + 0.6 * forward + 0.8 * right
    fill_W /= np.linalg.norm(fill_W)
    lights = np.stack([up, key_W, fill_W]) @ camera.R_VW.T
    lights = np.vstack([lights, [AMBIENT, KEY, FILL], [gloss, 0.0, 0.0]])

    sun = orthographic(scene, tuple(key_W), (1.0, 0.1, 0.0), SHADOW_PIXELS, SHADOW_PIXELS)
    points = _screen_points(scene, sun)
    shadow_key = np.full((sun.height, sun.width), -np.inf)
    unused = np.full((sun.height, sun.width), rasterizing.NOTHING, dtype=np.int32)
    rasterizing.fill_triangles(points, scene.triangles, shadow_key, unused)
    blocks = SHADOW_PIXELS // rasterizing.BLOCK
    nearest = shadow_key.reshape(blocks, rasterizing.BLOCK, blocks, rasterizing.BLOCK).max(
        axis=(1, 3)
    )
    # view axes -> world -> the sun's axes -> column, row (pixel corners: minus a half), key
    R = sun.R_VW @ camera.R_VW.T
    t = sun.R_VW @ (camera.eye - sun.eye)
    texel = 1.0 / sun.scale
    X = np.array(
        [
            [*(sun.scale * R[0]), sun.scale * t[0] + sun.center[0] - 0.5],
            [*(-sun.scale * R[1]), -sun.scale * t[1] + sun.center[1] - 0.5],
            [*R[2], t[2] + 1.5 * texel],
        ]
    )
    return lights, X, 3.0 * texel, shadow_key, nearest


def _distance(key: Floats, perspective: bool) -> Floats:
    """Distance along the view [m] at every second pixel, (h // 2, w // 2); inf at nothing."""
    half = key[: key.shape[0] // 2 * 2 : 2, : key.shape[1] // 2 * 2 : 2]
    if not perspective:
        return -half
    return np.where(half > 0.0, 1.0 / np.where(half > 0.0, half, 1.0), np.inf)


def _srgb_curve(steps: int = 4096) -> Floats:
    """Give the sRGB of linear values 0 to 1, evenly spaced (IEC 61966-2-1)."""
    linear = np.linspace(0.0, 1.0, steps)
    curve = 1.055 * linear ** (1 / 2.4) - 0.055
    return np.where(linear <= 0.0031308, 12.92 * linear, curve)


def _spiral() -> Floats:
    """Offsets that cover the unit disc evenly, denser in the middle, (SAMPLES, 2)."""
    k = np.arange(SAMPLES)
    radius = (k + 0.5) / SAMPLES
    angle = k * math.pi * (3.0 - math.sqrt(5.0))
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])
