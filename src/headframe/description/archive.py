"""Machines as zip archives: a machine file with its 3DT file and its meshes.

An archive is hostile until proved otherwise. Before a byte of it is unpacked, its list of files is
read and every entry is looked at: names that lead out of the folder, links, encrypted files, too
many files, too large ones, and archives that would swell to many times their size are refused, each
with its place. Sizes in an archive's list may be lies, so what is unpacked is counted again.
"""

from __future__ import annotations

import io
import stat
import struct
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from ..errors import (
    ArchiveError,
    DuplicateNameError,
    FileTooLargeError,
    MachineFileError,
    NotReadableError,
    Problem,
    TooManyElementsError,
    listed,
)
from .files import LARGEST_FILE, read_limited
from .packages import MANIFESTS, close_folder

ARCHIVE_SUFFIX = ".zip"
MACHINES = (".json", ".mrdf", ".urdf", ".mjcf")  # suffixes of machine files in an archive
MAYBE = (".xml",)  # of files that are machines (MJCF) if there is none of the others
MOST_FILES = 1000
MOST_UNPACKED = 4 * LARGEST_FILE  # bytes of all files together
MOST_RATIO = 100  # times that an archive may swell; text of machines swells about tenfold
SMALL = 2**20  # bytes below which any ratio is harmless
LONGEST_NAME = 200  # bytes of a file's or folder's name
DEEPEST = 16  # folders in each other
LARGEST_LIST = MOST_FILES * 512  # bytes of an archive's list of files
MOST_TOLD = 100  # problems of one archive

_END = struct.Struct("<4s4H2LH")  # the record at an archive's end
_END_SIGN, _ZIP64_SIGN, _ZIP64_SIZE = b"PK\x05\x06", b"PK\x06\x07", 20
_LONGEST_COMMENT = 2**16
_ENCRYPTED = 0x1
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_FORBIDDEN = set('<>:"|?*')
_DEVICES = {
    "con",
    "prn",
    "aux",
    "nul",
    *(f"{port}{i}" for port in ("com", "lpt") for i in range(10)),
}
_LITTER = {".ds_store", "thumbs.db", "desktop.ini"}  # what file managers leave behind
_BROKEN = (
    zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, NotImplementedError,
    ValueError, LookupError, struct.error,
)  # fmt: skip


def is_archive(path: str | Path) -> bool:
    """Whether a file's name is that of an archive."""
    return Path(path).suffix.lower() == ARCHIVE_SUFFIX


def unpack(archive: str | Path, folder: str | Path) -> Path | list[Problem]:
    """Unpack an archive into a folder that is empty.

    The folder is closed: the machine file sees only what came with it.

    Returns:
        The machine file in it, or everything that is wrong with the archive; then nothing that is
        left in the folder is of use.
    """
    data = read_limited(archive)
    if isinstance(data, Problem):
        return [data]
    problems = _problems_of_list(data)
    if problems:
        return problems
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as file:
            files, problems = _files(file.infolist(), len(data))
            machine = machine_file(list(files), Path(archive).stem)
            if isinstance(machine, Problem):
                problems.append(machine)
            if problems or isinstance(machine, Problem):
                return problems[:MOST_TOLD]
            for name, entry in files.items():
                if problem := _unpack_one(file, entry, name, Path(folder)):
                    return [problem]
            close_folder(Path(folder))
    except _BROKEN as error:
        return [_broken("", error)]
    return Path(folder) / machine


def pack(files: Mapping[str, bytes]) -> bytes:
    """An archive with these files, by name; the same files give the same bytes."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name)  # of 1980: an archive tells not when it was made
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (stat.S_IFREG | 0o644) << 16
            archive.writestr(entry, content)
    return packed.getvalue()


def machine_file(names: list[str], archive: str) -> str | Problem:
    """Which of an archive's files is the machine.

    The only one, else the only one at the top, else the one that is called like the archive. XML
    files count where there are no others, since MJCF is called so; manifests of packages do not.

    Args:
        names: of all files, with their folders.
        archive: the archive's name without its suffix.
    """
    found = [name for name in names if PurePosixPath(name).suffix.lower() in MACHINES]
    found = found or [
        name
        for name in names
        if PurePosixPath(name).suffix.lower() in MAYBE and PurePosixPath(name).name not in MANIFESTS
    ]
    if not found:
        message = f"holds no machine file, expected one of {', '.join(MACHINES + MAYBE)}"
        return Problem(ArchiveError, "", message)
    top = min(name.count("/") for name in found)
    highest = [name for name in found if name.count("/") == top]
    alike = [name for name in highest if PurePosixPath(name).stem.lower() == archive.lower()]
    for choice in (found, highest, alike):
        if len(choice) == 1:
            return choice[0]
    message = f"found {len(found)} machine files: {listed(found)}; expected one"
    hint = "put one at the top, or call it like the archive"
    return Problem(ArchiveError, "", message, hint)


def _problems_of_list(data: bytes) -> list[Problem]:
    """What is wrong with the record of an archive's list, before the list is read into memory."""
    tail = data[-(_END.size + _LONGEST_COMMENT) :]
    at = tail.rfind(_END_SIGN)
    if at < 0 or len(tail) - at < _END.size:
        hint = "it does not begin like one either" if data[:2] != b"PK" else "it seems cut off"
        return [Problem(ArchiveError, "", "not a zip archive: it has no end record", hint)]
    _, disk, first, _, count, size, _, _ = _END.unpack_from(tail, at)
    start = max(at - _ZIP64_SIZE, 0)
    if disk or first:
        return [Problem(ArchiveError, "", "a part of an archive, expected a whole one")]
    if count == 0xFFFF or _ZIP64_SIGN in tail[start:at]:
        return [Problem(ArchiveError, "", "a zip64 archive, expected a plain zip archive")]
    if count > MOST_FILES or size > LARGEST_LIST:
        found = f"found {count:,} files in a list of {size:,} bytes"
        message = f"{found}, expected at most {MOST_FILES:,} files"
        return [Problem(TooManyElementsError, "", message)]
    return []


def _files(
    entries: list[zipfile.ZipInfo], size: int
) -> tuple[dict[str, zipfile.ZipInfo], list[Problem]]:
    """Entries to unpack by their names, and everything that is wrong with any; `size` [bytes]."""
    files: dict[str, zipfile.ZipInfo] = {}
    problems: list[Problem] = []
    seen: dict[str, str] = {}
    for entry in entries:
        given = entry.orig_filename
        name = given.replace("\\", "/")
        kind, why, hint = _refusal(entry, name)
        if why:
            problems.append(Problem(kind, _place(given), why, hint))
        elif not name.endswith("/") and not _is_litter(name):
            other = seen.setdefault(name.lower(), name)
            if name in files or other != name:
                why = f"there is also {_place(other)}: file names must differ by more than capitals"
                problems.append(Problem(DuplicateNameError, _place(given), why))
            files[name] = entry
    for name in files:
        for folder in list(PurePosixPath(name).parents)[:-1]:
            if str(folder).lower() in seen:
                why = f"lies in {_place(str(folder))}, which is a file"
                problems.append(Problem(ArchiveError, _place(name), why))
    return files, problems + _sizes(files, size)


def _sizes(files: dict[str, zipfile.ZipInfo], size: int) -> list[Problem]:
    """What is wrong with the sizes of the files, in an archive of `size` bytes."""
    problems = []
    for name, entry in files.items():
        if entry.file_size > LARGEST_FILE:
            problems.append(_too_large(_place(name), entry.file_size, LARGEST_FILE))
    total = sum(entry.file_size for entry in files.values())
    if total > MOST_UNPACKED:
        problems.append(_too_large("", total, MOST_UNPACKED, " unpacked"))
    if total > max(SMALL, MOST_RATIO * size):
        found = f"found {total:,} bytes packed into {size:,}"
        message = f"{found}, expected at most {MOST_RATIO} times as many"
        problems.append(Problem(FileTooLargeError, "", message))
    return problems


def _refusal(entry: zipfile.ZipInfo, name: str) -> tuple[type[MachineFileError], str, str]:
    """Why an entry is not unpacked, and a hint; empty if it is."""
    parts = name.removesuffix("/").split("/")
    kind: type[MachineFileError] = ArchiveError
    mode = stat.S_IFMT(entry.external_attr >> 16)
    if name.startswith("/") or (len(name) > 1 and name[1] == ":"):
        return kind, "an absolute path, expected one inside the archive", ""
    if ".." in parts:
        return kind, "leads out of the archive with '..'", ""
    if any(part in ("", ".") for part in parts):
        return kind, "has an empty name or '.' in its path", ""
    if len(parts) > DEEPEST:
        return kind, f"{len(parts) - 1} folders in each other, expected at most {DEEPEST - 1}", ""
    for part in parts:
        if len(part.encode("utf-8", "replace")) > LONGEST_NAME:
            return kind, f"a name of more than {LONGEST_NAME} bytes", ""
        if not part.isprintable() or _FORBIDDEN & set(part):
            return kind, "a name with signs that files cannot have everywhere", ""
        if part[-1] in ". " or part.split(".")[0].lower() in _DEVICES:
            return kind, "a name that files cannot have on every system", ""
    if mode == stat.S_IFLNK:
        return kind, "a link, expected plain files", "put the file itself there"
    if mode not in (0, stat.S_IFREG, stat.S_IFDIR):
        return kind, "neither a file nor a folder", ""
    if entry.flag_bits & _ENCRYPTED:
        return kind, "encrypted, expected files without a password", ""
    if entry.compress_type not in _METHODS:
        return kind, "packed by another method than zip's usual one", "use 'deflate'"
    return kind, "", ""


def _unpack_one(
    file: zipfile.ZipFile, entry: zipfile.ZipInfo, name: str, folder: Path
) -> Problem | None:
    """Write one file; what went wrong, if anything did."""
    path, size = folder / name, 0
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with file.open(entry) as source, path.open("xb") as target:
            while part := source.read(SMALL):
                size += len(part)
                if size > entry.file_size:  # the archive's list lies
                    return _too_large(_place(name), size, entry.file_size)
                target.write(part)
    except _BROKEN as error:
        return _broken(_place(name), error)
    if size != entry.file_size:
        message = f"found {size:,} bytes, expected {entry.file_size:,} as the archive's list has it"
        return Problem(ArchiveError, _place(name), message)
    return None


def _too_large(place: str, size: int, largest: int, what: str = "") -> Problem:
    message = f"found {size:,} bytes{what}, expected at most {largest:,}"
    return Problem(FileTooLargeError, place, message)


def _broken(place: str, error: Exception) -> Problem:
    if isinstance(error, OSError) and error.strerror and not isinstance(error, zipfile.BadZipFile):
        message = f"cannot be unpacked: {error.strerror.lower()}"
        return Problem(NotReadableError, place, message)
    return Problem(ArchiveError, place, "damaged: it cannot be unpacked")


def _is_litter(name: str) -> bool:
    """Whether a file is one that a file manager adds by itself."""
    path = PurePosixPath(name)
    return path.parts[0] == "__MACOSX" or path.name.startswith("._") or path.name.lower() in _LITTER


def _place(name: str) -> str:
    """A name as text of one line, cut to a readable length."""
    shown = name[:80] if name.isprintable() else repr(name[:80])[1:-1]
    return shown + ("..." if len(name) > 80 else "")
