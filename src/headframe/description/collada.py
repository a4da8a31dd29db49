"""Reading COLLADA (.dae) for what a viewer of machines needs: triangles, places, plain colours.

A reader of our own, since a general one opens images and external files and trusts the counts
that a file claims. It knows triangles, polylists, polygons, strips and fans; the transforms of
nodes, nodes that are used several times, and skinned shapes in their rest pose; the diffuse
colour of a material. Curves, lights, cameras, animations and images are left out.

Lengths are multiplied by the file's `unit`. Its `up_axis` is not heeded: viewers of ROS do the
same, and the files of its packages are written for them.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator, Sequence
from typing import Any
from xml.etree.ElementTree import Element

import numpy as np

from .mesh_files import MESH_ELEMENTS, Color, Floats, Integers, MeshFile, joined
from .safe_xml import parse_xml

DEEPEST = 256
MOST_ELEMENTS = 1_000_000
MOST_NODES = 20_000  # uses of nodes, each as often as it is seen
Surface = tuple[Floats, Integers, str]  # vertices, faces, symbol of the material


def read_collada(data: bytes) -> MeshFile:
    """The whole scene of a COLLADA file, in metres.

    Raises:
        ValueError: it is none, or one that is not safe to read.
    """
    root, problems = parse_xml(data, DEEPEST, MOST_ELEMENTS)
    if root is None:
        raise ValueError(str(problems[0]))
    if root.tag.rpartition("}")[2] != "COLLADA":
        raise ValueError(f"its outermost element is <{root.tag[:80]}>, not <COLLADA>")
    return _Reader(root).scene()


class _Reader:
    """Walks through a file; what is named by an id is looked up once."""

    def __init__(self, root: Element) -> None:
        self.root = root
        self.by_id = {key: e for e in root.iter() if (key := e.get("id"))}
        self.surfaces: dict[str, list[Surface]] = {}
        self.parts: list[tuple[Floats, Integers, Color | None]] = []
        self.faces = self.nodes = 0

    def scene(self) -> MeshFile:
        """All that is seen, in the file's axes."""
        unit = self.root.find("asset/unit")
        meter = 1.0 if unit is None else float(unit.get("meter", "1"))
        if not math.isfinite(meter) or meter <= 0.0:
            raise ValueError(f"its unit is {meter:g} m, expected more than 0")
        X = np.diag([meter, meter, meter, 1.0])
        scene = self._scene()
        if scene is None:
            for geometry in self.root.iterfind("library_geometries/geometry"):
                self._add(geometry, X, {})
        else:
            for node in scene.iterfind("node"):
                self._walk(node, X, 0)
        return joined(self.parts)

    def _scene(self) -> Element | None:
        """The visual scene that is shown."""
        chosen = self.root.find("scene/instance_visual_scene")
        found = None if chosen is None else self._of(chosen.get("url", ""))
        return self.root.find("library_visual_scenes/visual_scene") if found is None else found

    def _of(self, url: str) -> Element | None:
        return self.by_id.get(url.removeprefix("#"))

    def _walk(self, node: Element, X_outer: Floats, depth: int) -> None:
        """Add what a node shows, and all below it."""
        self.nodes += 1
        if depth > DEEPEST or self.nodes > MOST_NODES:
            raise ValueError("its nodes are nested too deeply, or used too often")
        X = X_outer @ _transform(node)
        for child in node:
            tag = child.tag
            if tag == "node":
                self._walk(child, X, depth + 1)
            elif tag == "instance_node":
                target = self._of(child.get("url", ""))
                if target is not None and target.tag == "node":
                    self._walk(target, X, depth + 1)
            elif tag in ("instance_geometry", "instance_controller"):
                target = self._of(child.get("url", ""))
                if target is not None and tag == "instance_controller":
                    skin = next(target.iter("skin"), None)
                    target = None if skin is None else self._of(skin.get("source", ""))
                if target is not None and target.tag == "geometry":
                    bound = {
                        e.get("symbol", ""): e.get("target", "")
                        for e in child.iter("instance_material")
                    }
                    self._add(target, X, bound)

    def _add(self, geometry: Element, X: Floats, bound: dict[str, str]) -> None:
        key = geometry.get("id") or str(id(geometry))
        if key not in self.surfaces:
            self.surfaces[key] = list(_surfaces(geometry, self.by_id))
        mirrored = np.linalg.det(X[:3, :3]) < 0.0
        for vertices, faces, symbol in self.surfaces[key]:
            self.faces += len(faces)
            if self.faces > MESH_ELEMENTS:
                raise ValueError(f"it shows more than {MESH_ELEMENTS} triangles")
            with np.errstate(over="ignore", invalid="ignore"):
                placed = vertices @ X[:3, :3].T + X[:3, 3]
            color = self._color(bound.get(symbol, symbol))
            self.parts.append((placed, faces[:, ::-1] if mirrored else faces, color))

    def _color(self, target: str) -> Color | None:
        """Diffuse colour of a material, by its id; None where it has none that is plain."""
        material = self._of(target)
        instance = None if material is None else material.find("instance_effect")
        effect = None if instance is None else self._of(instance.get("url", ""))
        if effect is None:
            return None
        for word in ("diffuse", "emission"):
            for place in effect.iter(word):
                color = place.find("color")
                if color is None or not color.text:
                    continue
                values = _numbers(color.text)
                if len(values) >= 3 and np.isfinite(values).all():
                    red, green, blue = np.clip(values[:3], 0.0, 1.0).tolist()
                    if word == "diffuse" or red + green + blue > 0.0:
                        return red, green, blue, 1.0
        return None


# --------------------------------------------------------------- transforms


def _transform(node: Element) -> Floats:
    """X_outer_inner of a node, (4, 4): its transforms, one after the other."""
    X = np.eye(4)
    for child in node:
        if child.tag not in ("matrix", "translate", "rotate", "scale"):
            continue
        values = _numbers(child.text or "")
        step = np.eye(4)
        if child.tag == "matrix" and len(values) == 16:
            step = values.reshape(4, 4)
        elif child.tag == "translate" and len(values) == 3:
            step[:3, 3] = values
        elif child.tag == "scale" and len(values) == 3:
            step[:3, :3] = np.diag(values)
        elif child.tag == "rotate" and len(values) == 4:
            step[:3, :3] = _turn(values[:3], math.radians(values[3]))
        else:
            raise ValueError(f"its <{child.tag}> has {len(values)} numbers")
        X = X @ step
    return X


def _turn(axis: Floats, angle: float) -> Floats:
    """Rotation about an axis by an angle [rad], (3, 3)."""
    size = float(np.linalg.norm(axis))
    if size == 0.0 or not math.isfinite(angle):
        return np.eye(3)
    x, y, z = axis / size
    K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    R: Floats = np.eye(3) + math.sin(angle) * K + (1.0 - math.cos(angle)) * (K @ K)
    return R


# ------------------------------------------------------------------ surfaces


def _surfaces(geometry: Element, by_id: dict[str, Element]) -> Iterator[Surface]:
    """The surfaces of a geometry, one for each of its primitives."""
    mesh = geometry.find("mesh")
    if mesh is None:
        return
    for primitive in mesh:
        triangles = _triangles(primitive)
        if triangles is None or not len(triangles):
            continue
        vertices = _positions(primitive, by_id)
        if triangles.min() < 0 or triangles.max() >= len(vertices):
            raise ValueError("it has faces with vertices that are not there")
        used, places = np.unique(triangles, return_inverse=True)
        yield vertices[used], places.reshape(-1, 3), primitive.get("material", "")


def _positions(primitive: Element, by_id: dict[str, Element]) -> Floats:
    """The vertices that a primitive's numbers stand for, (n, 3)."""
    vertex = _input(primitive, "VERTEX")
    vertices = None if vertex is None else by_id.get(vertex.get("source", "").removeprefix("#"))
    position = None if vertices is None else _input(vertices, "POSITION")
    source = None if position is None else by_id.get(position.get("source", "").removeprefix("#"))
    array = None if source is None else source.find("float_array")
    if source is None or array is None:
        raise ValueError("it has faces without vertices")
    numbers = _numbers(array.text or "")
    accessor = source.find("technique_common/accessor")
    stride = 3 if accessor is None else int(accessor.get("stride", "1"))
    start = 0 if accessor is None else int(accessor.get("offset", "0"))
    if not 3 <= stride <= 16 or not 0 <= start <= len(numbers):
        raise ValueError("its vertices do not have three coordinates")
    numbers = numbers[start:]
    rows = numbers[: len(numbers) // stride * stride].reshape(-1, stride)
    vertices_of: Floats = rows[:, :3].copy()
    return vertices_of


def _input(element: Element, semantic: str) -> Element | None:
    return next((e for e in element.iterfind("input") if e.get("semantic") == semantic), None)


def _triangles(primitive: Element) -> Integers | None:
    """Positions of vertices, (m, 3); None for what is no surface."""
    if primitive.tag not in ("triangles", "polylist", "polygons", "tristrips", "trifans"):
        return None
    vertex = _input(primitive, "VERTEX")
    if vertex is None:
        raise ValueError(f"its <{primitive.tag}> have no vertices")
    offsets = [int(e.get("offset", "0")) for e in primitive.iterfind("input")]
    width, offset = max(offsets) + 1, int(vertex.get("offset", "0"))
    if not 0 < width <= 64 or min(offsets) < 0:
        raise ValueError("its faces have inputs that are none")
    lists = [_numbers(p.text or "", np.int64) for p in primitive.iter("p")]
    corners = [numbers[: len(numbers) // width * width][offset::width] for numbers in lists]
    if primitive.tag == "triangles":
        return _rows([c[: len(c) // 3 * 3].reshape(-1, 3) for c in corners])
    if primitive.tag == "polylist":
        counts = _numbers(getattr(primitive.find("vcount"), "text", None) or "", np.int64)
        return _fans(np.concatenate(corners) if corners else np.zeros(0, np.int64), counts)
    if primitive.tag == "tristrips":
        return _rows([_strip(c) for c in corners])
    counts = np.array([len(c) for c in corners], dtype=np.int64)
    return _fans(np.concatenate(corners) if corners else np.zeros(0, np.int64), counts)


def _rows(parts: Sequence[Any]) -> Integers:
    if not parts:
        return np.zeros((0, 3), dtype=np.int64)
    return np.concatenate(parts).astype(np.int64)


def _strip(corners: Integers) -> Integers:
    """Triangles of a strip; every other one is turned round."""
    count = max(len(corners) - 2, 0)
    rows = np.stack([corners[i : i + count] for i in range(3)], axis=1)
    rows[1::2] = rows[1::2, ::-1]
    return rows


def _fans(corners: Integers, counts: Integers) -> Integers:
    """Triangles of polygons one after the other, each as a fan around its first corner."""
    if (counts < 0).any() or counts.sum() > len(corners):
        raise ValueError("its polygons claim more corners than there are")
    starts = np.cumsum(counts) - counts
    fans = np.maximum(counts - 2, 0)
    first = np.repeat(starts, fans)
    step = np.arange(len(first)) - np.repeat(np.cumsum(fans) - fans, fans)
    places = np.stack([first, first + step + 1, first + step + 2], axis=1)
    rows: Integers = corners[places.astype(np.int64)]
    return rows


def _numbers(text: str, kind: Any = np.float64) -> Any:
    """Numbers parted by blanks, (n,)."""
    if not text.strip():
        return np.zeros(0, dtype=kind)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # what is no number is told so
        try:
            return np.fromstring(text, dtype=kind, sep=" ")
        except (DeprecationWarning, ValueError):
            raise ValueError(f"found {text.strip()[:40]!r}, expected numbers") from None
