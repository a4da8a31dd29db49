"""Which files a machine file may open: those of its own folder, and those of packages.

A machine file from a stranger names files: `package://NAME/meshes/a.dae`, `../meshes/a.dae`,
`file:///etc/passwd`. A `Library` says which file such a reference stands for, and refuses every
other. ROS keeps `urdf/` and `meshes/` side by side in a folder with a `package.xml`, and packages
side by side in a workspace; so the package called NAME is looked for, in this order:

1. among the packages that were given by name (`--package NAME=DIR`, `packages={...}`),
2. in the file's folder and the four above it: that folder if it is called NAME or its
   `package.xml` says so, else a folder in it of which that is true,
3. in the folders of `ROS_PACKAGE_PATH`, and in `share/` of those of `AMENT_PREFIX_PATH`,
4. where no such package is found: in the package that the file itself lies in, and in its folder.

The way up ends before a home folder and before the file system's root: neither is ever searched.
Links are resolved before anything is compared. A library that is closed, as for a file that came
through the page, in an archive or in a recording, sees one folder and nothing else: no way out of
it, no environment, no packages given by name.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path, PurePosixPath, PureWindowsPath

from ..errors import MeshError, Problem

LEVELS = 4  # folders above the file's own that are searched
MOST_SIBLINGS = 1000  # folders whose package.xml is read at one level
LARGEST_MANIFEST = 2**20  # bytes of a package.xml
MANIFESTS = ("package.xml", "manifest.xml")  # of catkin and ament; of the older rosbuild
CLOSED = ".headframe-closed"  # a folder with this file is all that files in it may see
# Folders of URDF files in a package, as is customary: their parent is the package
URDF_FOLDERS = ("urdf", "urdfs", "robots", "robot", "xacro", "models", "model")
SCHEMES = ("package", "model")

_FIND = re.compile(r"(?:file://)?\$\(find(?:-pkg-share)?\s+([^)\s]+)\)/?(.*)", re.DOTALL)


@dataclass(frozen=True)
class Found:
    """A file that may be opened.

    Attributes:
        path: how a machine file beside its own copies of all files would name it, with '/'.
        file: the file itself, links resolved.
        root: the folder that it may read from, links resolved.
        note: what a person should know of how it was found; empty where that is plain.
    """

    path: str
    file: Path
    root: Path
    note: str = ""


@dataclass(frozen=True)
class Missing:
    """Why there is no file.

    Attributes:
        reason: in words, for one file.
        package: name of the package that was not found; empty if that is not the reason.
    """

    reason: str
    package: str = ""


class Library:
    """Finds the files that a machine file refers to, and only those it may see."""

    def __init__(
        self,
        folder: str | Path,
        packages: Mapping[str, str | Path] | None = None,
        environment: Mapping[str, str] | None = None,
        file: str | Path | None = None,
    ) -> None:
        """Look around a machine file.

        Args:
            folder: the machine file's folder.
            packages: folders of packages by name; they come before all others.
            environment: variables to look at; those of this process if None.
            file: the machine file itself; None if it is not a file, or not known.
        """
        self.folder = Path(folder).resolve()
        self.file = None if file is None else Path(file).resolve()
        self.closed = closed_folder(self.folder)
        variables = os.environ if environment is None else environment
        self._variables: Mapping[str, str] = {} if self.closed else variables
        given = {} if self.closed else packages or {}
        self._given = {name: Path(path).resolve() for name, path in given.items()}
        self._candidates: dict[str, tuple[Path, ...]] = {}
        self._names: dict[Path, str] = {}
        self._taken: dict[str, Path] = {}  # file of every path that was handed out

    # ------------------------------------------------------------ references

    def find(self, reference: str, suffixes: Sequence[str]) -> Found | Missing:
        """The file that a reference stands for.

        Args:
            reference: as the machine file has it: an address or a path.
            suffixes: of the files that may be opened, in small letters.
        """
        text = reference.strip()
        if not text or "\0" in text or len(text) > 4096:
            return Missing("the name is empty or none that a file can have")
        try:
            return self._find(text, tuple(suffixes))
        except (OSError, ValueError, RuntimeError) as error:  # RuntimeError: links in a circle
            reason = (getattr(error, "strerror", None) or str(error)).lower()
            return Missing(f"it cannot be looked for: {reason}")

    def _find(self, text: str, suffixes: tuple[str, ...]) -> Found | Missing:
        if match := _FIND.fullmatch(text):
            return self._in_package(match[1], match[2], suffixes)
        scheme, mark, rest = text.partition("://")
        if mark and scheme.lower() in SCHEMES:
            name, _, inside = rest.replace("\\", "/").lstrip("/").partition("/")
            return self._in_package(name, inside, suffixes)
        if mark and scheme.lower() != "file":
            return Missing(f"addresses with {scheme[:20]}:// are not opened")
        path = (rest if mark else text).replace("\\", "/")
        if mark and path.startswith("localhost/"):
            path = path[len("localhost") :]
        if PureWindowsPath(path).drive or path.startswith(("/", "~")):
            return self._absolute(path, suffixes)
        own = self.package
        root = self.folder if own is None else own
        return self._checked(self.folder / path, root, _package_name(root), suffixes)

    def _in_package(self, name: str, inside: str, suffixes: tuple[str, ...]) -> Found | Missing:
        parts = PurePosixPath(inside).parts
        if not _is_plain(name) or not parts:
            return Missing("it names no file in a package")
        if inside.startswith("/") or ".." in parts:
            return Missing("its path leads out of the package")
        first: Missing | None = None
        for folder in self.packages(name):
            found = self._checked(folder / inside, folder, name, suffixes)
            if isinstance(found, Found):
                return found
            first = first or found
        if first is not None:
            return first
        for folder in dict.fromkeys(f for f in (self.package, self.folder) if f is not None):
            found = self._checked(folder / inside, folder, name, suffixes)
            if isinstance(found, Found):
                where = "folder" if folder == self.folder else "package"
                note = f"package {name!r} is taken to be the file's own {where}"
                return Found(found.path, found.file, found.root, note)
        hint = "" if self.closed else f" (--package {name}=DIR tells where it is)"
        return Missing(f"package {name!r} is not found{hint}", name)

    def _absolute(self, path: str, suffixes: tuple[str, ...]) -> Found | Missing:
        """An absolute path is opened only if it leads into a folder that is allowed anyway."""
        file = Path(path).resolve()
        allowed = {**{f.name: f for f in (self.folder, self.package) if f}, **self._given}
        for name, folder in allowed.items():
            if file.is_relative_to(folder):
                return self._checked(file, folder, name, suffixes)
        return Missing("it is an absolute path, outside of the folders that the file may see")

    def _checked(
        self, path: Path, root: Path, package: str, suffixes: tuple[str, ...]
    ) -> Found | Missing:
        """A file if it is there, of a known kind, and inside of `root` with links resolved."""
        if path.suffix.lower() not in suffixes:
            return Missing(f"{path.suffix or 'no suffix'!s} is not one of {', '.join(suffixes)}")
        file = path.resolve()
        if file.suffix.lower() not in suffixes:
            return Missing(f"it is a link to a file that is not one of {', '.join(suffixes)}")
        if not file.is_relative_to(root):
            return Missing("it leads out of the folders that the file may see")
        if self.closed and not file.is_relative_to(self.closed):
            return Missing("it leads out of the folder that the file came in")
        if not file.is_file():
            return Missing("there is no such file")
        return Found(self._portable(file, root, package), file, root)

    def _portable(self, file: Path, root: Path, package: str) -> str:
        """The path of a file beside copies of all: its own folder's files keep their paths."""
        inside = file.is_relative_to(self.folder)
        path = file.relative_to(self.folder if inside else root).as_posix()
        path = path if inside else f"{package}/{path}"
        stem, number = path, 2
        while self._taken.setdefault(path, file) != file:
            path, number = f"{number}/{stem}", number + 1
        return path

    # -------------------------------------------------------------- packages

    @property
    def package(self) -> Path | None:
        """Folder of the package that the machine file lies in: the nearest with a manifest.

        Without one, the folder above a folder called urdf, robots or the like, as is customary.
        """
        for folder in self._way_up():
            if any((folder / manifest).is_file() for manifest in MANIFESTS):
                return folder
        way = list(self._way_up())
        for folder, parent in pairwise(way):
            if folder.name.lower() in URDF_FOLDERS:
                return parent
        return None

    def packages(self, name: str) -> tuple[Path, ...]:
        """Folders that may be the package of a name, the likeliest first."""
        if name not in self._candidates:
            found = dict.fromkeys(self._search(name)) if _is_plain(name) else {}
            self._candidates[name] = tuple(found)
        return self._candidates[name]

    def _search(self, name: str) -> Iterator[Path]:
        if name in self._given:
            yield self._given[name]
            return
        for folder in self._way_up():
            if _package_name(folder) == name or folder.name == name:
                yield folder
            yield from self._children(folder, name)
        for place in _listed(self._variables.get("ROS_PACKAGE_PATH", "")):
            folder = place.resolve()
            if _may_search(folder):
                if folder.name == name or _package_name(folder) == name:
                    yield folder
                yield from self._children(folder, name)
        for place in _listed(self._variables.get("AMENT_PREFIX_PATH", "")):
            folder = (place / "share" / name).resolve()
            if folder.is_dir() and _may_search(folder):
                yield folder

    def _children(self, folder: Path, name: str) -> Iterator[Path]:
        """Folders in a folder that are called like the package, or whose manifest says so."""
        own = (folder / name).resolve()
        if own.is_dir() and self._may_enter(own):
            yield own
        try:
            with os.scandir(folder) as entries:
                for entry, _ in zip(entries, range(MOST_SIBLINGS), strict=False):
                    if entry.is_dir() and entry.name != name and not entry.name.startswith("."):
                        child = Path(entry.path).resolve()
                        if self._manifest_name(child) == name and self._may_enter(child):
                            yield child
        except OSError:
            return

    def _manifest_name(self, folder: Path) -> str:
        if folder not in self._names:
            self._names[folder] = _package_name(folder) if _has_manifest(folder) else ""
        return self._names[folder]

    def _may_enter(self, folder: Path) -> bool:
        """Whether a folder, reached by a link perhaps, may be a package."""
        return folder.is_relative_to(self.closed) if self.closed else _may_search(folder)

    def _way_up(self) -> Iterator[Path]:
        """The file's folder and those above it that may be searched, the nearest first."""
        for level, folder in enumerate((self.folder, *self.folder.parents)):
            if level > LEVELS or not (self.closed or _may_search(folder)):
                return
            yield folder
            if folder == self.closed:
                return


def given_packages(pairs: Sequence[str]) -> dict[str, Path]:
    """Folders by name of texts such as ``arm_description=/opt/arm``.

    Raises:
        MeshError: a text that is none, or a folder that is not there.
    """
    found: dict[str, Path] = {}
    for pair in pairs:
        name, mark, folder = pair.partition("=")
        if not mark or not _is_plain(name) or not folder:
            message = f"found {pair[:100]!r}, expected NAME=DIR"
            raise MeshError([Problem(MeshError, "--package", message)])
        if not Path(folder).is_dir():
            message = f"found {folder[:200]!r} for {name!r}, expected a folder"
            raise MeshError([Problem(MeshError, "--package", message)])
        found[name] = Path(folder)
    return found


def close_folder(folder: Path) -> None:
    """Mark a folder that is there: files in it see nothing outside of it from now on."""
    (folder / CLOSED).touch()


def closed_folder(folder: Path) -> Path | None:
    """The outermost closed folder that a folder lies in, links resolved; None if it is open."""
    found = None
    for place in (folder, *folder.parents):
        try:
            if (place / CLOSED).is_file():
                found = place
        except OSError:
            continue
    return found


def _listed(variable: str) -> list[Path]:
    """Absolute folders of a variable such as PATH."""
    return [Path(part) for part in variable.split(os.pathsep) if part and Path(part).is_absolute()]


def _may_search(folder: Path) -> bool:
    """Whether a folder may be searched: no file system's root, no home, nothing above a home."""
    if folder == folder.parent:
        return False
    try:
        home = Path.home().resolve()
    except RuntimeError:  # nobody's home is known
        home = folder.parent
    homes = Path(folder.anchor) / "home", Path(folder.anchor) / "Users"
    if folder in homes or folder.parent in homes or folder == Path(folder.anchor) / "root":
        return False
    return not home.is_relative_to(folder)


def _is_plain(name: str) -> bool:
    """Whether a package's name is the name of one folder."""
    return (
        bool(name)
        and name not in (".", "..")
        and not set(name) & set('/\\:\0"')
        and len(name) < 200
    )


def _has_manifest(folder: Path) -> bool:
    return any((folder / manifest).is_file() for manifest in MANIFESTS)


def _package_name(folder: Path) -> str:
    """Name of the package in a folder: that of its package.xml, else the folder's."""
    try:
        file = folder / MANIFESTS[0]
        if file.is_file() and file.stat().st_size <= LARGEST_MANIFEST:
            from .safe_xml import parse_forgiving  # loads an XML parser

            manifest, _, _ = parse_forgiving(file.read_bytes())
            name = "" if manifest is None else (manifest.findtext("name") or "").strip()
            if _is_plain(name):
                return name
    except OSError:
        pass
    return folder.name
