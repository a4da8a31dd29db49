"""Machine files that came through the page or in a recording see only what came with them."""

import asyncio

from headframe.description.packages import closed_folder
from headframe.recordings.package import DESCRIPTION, Package, unpack
from headframe.server.routes.machine import _save


class Sent:
    """A request with a body of two parts."""

    async def stream(self):
        yield b"<robot "
        yield b"name='arm'/>"


def test_a_file_of_the_page_lies_in_a_closed_folder(tmp_path):
    path = tmp_path / "token" / "arm.urdf"
    assert asyncio.run(_save(Sent(), path)) is None  # nothing to complain about
    assert path.read_bytes() == b"<robot name='arm'/>"
    assert closed_folder(path.parent.resolve()) == path.parent.resolve()
    assert closed_folder((path.parent / "unpacked").resolve()) == path.parent.resolve()


def test_a_machine_of_a_recording_lies_in_a_closed_folder(tmp_path):
    unpack(Package({DESCRIPTION: b"{}", "meshes/a.stl": b""}), tmp_path)
    assert closed_folder((tmp_path / "meshes").resolve()) == tmp_path.resolve()
