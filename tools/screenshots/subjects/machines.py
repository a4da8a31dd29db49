"""Every machine, large and small; the roadheader from all cameras; help and chooser."""

from __future__ import annotations

import io
from functools import partial

from PIL import Image
from playwright.sync_api import FloatRect, ViewportSize

import headframe as hf

from ..camera import TELLS_OF_THE_COMPUTER, Camera, length_of
from ..files import ROOT, keep
from ..studio import SIZE, Studio

SMALL_FOLDER = ROOT / "web" / "public" / "machines"
SMALL = (400, 250)  # pixels of a small picture
LARGE = ("door", "jumbo", "lhd", "roadheader", "shearer", "sshs", "sths", "tcchs")
PHONE = ViewportSize(width=390, height=844)
OVER_THE_PICTURE = ".top, .toasts"


def take_machine(name: str, studio: Studio) -> None:
    """A machine from the camera that turns about it, for the page's chooser and for us."""
    camera = studio.open()
    camera.choose(name)
    take_small(camera, name)
    if name in LARGE:
        camera.take(f"page/{name}")


def take_small(camera: Camera, name: str) -> None:
    """A small picture of the machine alone."""
    spare = round(canvas(camera)["height"] - canvas(camera)["width"] * SMALL[1] / SMALL[0])
    camera.page.set_viewport_size(ViewportSize(width=SIZE["width"], height=SIZE["height"] - spare))
    camera.show(OVER_THE_PICTURE, False)
    camera.settle()
    taken = Image.open(io.BytesIO(camera.shoot(canvas(camera))))
    camera.show(OVER_THE_PICTURE, True)
    camera.page.set_viewport_size(SIZE)
    wide = min(taken.width, taken.height * SMALL[0] / SMALL[1])
    high = wide * SMALL[1] / SMALL[0]
    left, top = (taken.width - wide) / 2, (taken.height - high) / 2
    box = (left, top, left + wide, top + high)
    keep(taken.resize(SMALL, Image.Resampling.LANCZOS, box), SMALL_FOLDER / f"{name}.jpg")


def canvas(camera: Camera) -> FloatRect:
    """Where the picture is on the page [pixels]."""
    found = camera.page.locator("canvas").bounding_box()
    assert found is not None
    return found


def take_view(view: str, studio: Studio) -> None:
    """The roadheader from another camera."""
    camera = studio.open()
    camera.choose("roadheader")
    camera.look(view)
    camera.take(f"page/roadheader_{view}")


def take_sheet(name: str, studio: Studio) -> None:
    """What opens over the page."""
    camera = studio.open()
    camera.choose("roadheader")
    camera.click(name)
    camera.take(f"page/{name}")


def take_dynamic(studio: Studio) -> None:
    """The boom has sunk under its own weight."""
    camera = studio.open()
    camera.choose("roadheader")
    camera.send(type="restart")
    camera.send(type="set_physics", dynamics=True)
    camera.until("facts.status.dynamics && !facts.loading")
    camera.send(type="pause", on=False)
    camera.insist(
        lambda: camera.send(type="let_float", group="boom", on=True),
        "facts.status.floating.length",
    )
    camera.until(f"{length_of('boom')} < 1.5 && Math.abs(store.frame.speeds[2]) < 0.01")
    camera.pause()
    camera.take("page/roadheader_dynamic")


def take_phone(studio: Studio) -> None:
    """The page in the hand, on a telephone upright."""
    camera = studio.open()
    camera.choose("roadheader")
    camera.page.set_viewport_size(PHONE)
    camera.show(TELLS_OF_THE_COMPUTER, False)  # they are others in this layout
    camera.take("page/phone", mouse=(195, 1))


PICTURES = {
    **{name: partial(take_machine, name) for name in hf.machines()},
    **{f"roadheader_{view}": partial(take_view, view) for view in ("chase", "seat", "top")},
    "roadheader_dynamic": take_dynamic,
    "phone": take_phone,
    **{name: partial(take_sheet, name) for name in ("help", "chooser")},
}
