"""All pictures of the page on kinematics."""

from pathlib import Path

import matplotlib

from . import inverse, linkage, sheets, style
from .support import Support

FOLDER = Path(__file__).parent


def draw_kinematics(folder: Path, newest: float) -> None:
    """Draw those that are missing, or older than `newest` or the code that draws them."""
    newest = max(newest, *(path.stat().st_mtime for path in FOLDER.glob("*.py")))
    pictures = {
        "linkage": lambda path: linkage.draw_linkage(support, path),
        "incidence": linkage.draw_incidence,
        "four_bar": lambda path: linkage.draw_four_bar(support, path),
        "closed_forms": linkage.draw_closed_forms,
        "sheet": lambda path: sheets.draw_sheet(support, path),
        "fold": lambda path: sheets.draw_fold(support, path),
        "sequence": lambda path: sheets.draw_sequence(support, path),
        "inverse": lambda path: inverse.draw_inverse(support, path),
    }
    paths = {name: folder / f"kinematics_{name}.png" for name in pictures}
    old = [n for n, p in paths.items() if not p.exists() or p.stat().st_mtime < newest]
    if not old:
        return
    support = Support()
    with matplotlib.rc_context(style.TEXT):
        for name in old:
            pictures[name](paths[name])
