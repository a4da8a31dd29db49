"""Sphinx: everything comes from this repository and the installed package; no network."""

import inspect
import sys
import warnings
from importlib.metadata import version as installed_version
from pathlib import Path

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml

import headframe
from headframe.machine import find

sys.path.insert(0, str(Path(__file__).parent))  # for the pictures

from _pictures.components import draw_components
from _pictures.contact import draw_contact
from _pictures.dynamics import draw_dynamics
from _pictures.examples import run_examples
from _pictures.house import draw_house
from _pictures.kinematics import draw_kinematics

project = "Headframe"
author = "The Headframe authors"
copyright = "The Headframe authors"
version = release = installed_version("headframe")

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_design"]
exclude_patterns = ["_generated"]  # included by pages, no pages themselves
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3

html_theme = "furo"
html_math_renderer = "mathml"  # browsers show it by themselves, without a network
html_title = "Headframe"
html_static_path = ["_static"]

autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
napoleon_google_docstring = True
napoleon_numpy_docstring = False
napoleon_use_ivar = True  # "Attributes:" beside documented members would describe them twice


def directive(name: str) -> tuple[str, str]:
    """The section of the API page that a public name belongs to, and its autodoc directive."""
    thing = getattr(headframe, name)
    if inspect.isclass(thing) and issubclass(thing, BaseException):
        options = ["   :show-inheritance:"]
        return "Errors", "\n".join([f".. autoexception:: headframe.{name}", *options])
    if inspect.isclass(thing):
        options = ["   :members:", "   :exclude-members: model_config"]
        return "Classes", "\n".join([f".. autoclass:: headframe.{name}", *options])
    if callable(thing):
        return "Functions", f".. autofunction:: headframe.{name}"
    return "Data", f".. autodata:: headframe.{name}\n   :no-value:"


def write_public_api(path: Path) -> None:
    """Write the list of everything in `headframe.__all__`, so that the page cannot lag behind."""
    sections: dict[str, list[str]] = {"Functions": [], "Classes": [], "Errors": []}
    for name in headframe.__all__:
        if not name.startswith("_"):
            section, text = directive(name)
            sections.setdefault(section, []).append(text)
    pages = [
        f"## {section}\n\n```{{eval-rst}}\n" + "\n\n".join(texts) + "\n```\n"
        for section, texts in sections.items()
        if texts
    ]
    text = "\n".join(pages) or "Nothing is public yet.\n"
    path.parent.mkdir(exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


write_public_api(Path(__file__).parent / "_generated" / "public_api.md")


SHAPES_SHOWN = ("sshs",)  # machines of which a page shows what is touched


def draw_pictures(folder: Path) -> None:
    """Draw machines of the catalogue, the example and explanations, where missing or old."""
    folder.mkdir(parents=True, exist_ok=True)
    code = max(path.stat().st_mtime for path in Path(headframe.__file__).parent.rglob("*.py"))
    example = Path(__file__).parent / "examples" / "lift.json"
    picker = example.parent / "picker_description" / "urdf" / "picker.urdf"
    grabber = example.parent / "grabber_mjcf" / "grabber.xml"
    sources = {"lift": example, "picker": picker, "grabber": grabber}
    sources |= {name: find(name) for name in headframe.machines()}
    for name, source in sources.items():
        picture, graph = folder / f"{name}.png", folder / f"{name}_topology.png"
        looks = source.with_suffix(".3dt")
        newest = max(code, *(path.stat().st_mtime for path in (source, looks) if path.exists()))
        if not graph.exists() or graph.stat().st_mtime < newest:
            with warnings.catch_warnings():  # notes on what a foreign format has and ours has not
                warnings.simplefilter("ignore", headframe.HeadframeWarning)
                machine = headframe.load(source)
            machine.draw(picture)
            if name in SHAPES_SHOWN:
                machine.draw(folder / f"{name}_shapes.png", collision=True)
            machine.draw_topology(graph)
            if name == "tcchs":
                for stage in ("contracted", "itep"):
                    machine.draw_topology(folder / f"{name}_{stage}.png", stage)
    draw_servos(folder / "picker_motion.png", picker, code)
    draw_kinematics(folder, code)
    draw_contact(folder, code)
    draw_dynamics(folder, code)
    draw_components(folder, max(code, find("roadheader").with_suffix(".3dt").stat().st_mtime))
    run_examples(folder / "examples", code)
    draw_house(folder / "house.png")


def draw_servos(picture: Path, picker: Path, code: float) -> None:
    """Draw the planned motion of a robot from URDF, where missing or old."""
    if picture.exists() and picture.stat().st_mtime > max(code, picker.stat().st_mtime):
        return
    machine = headframe.load(picker)
    begin = machine.fk({"shoulder": 0.6, "elbow": 0.3, "slew": -0.5}).pose("left_finger")[:3, 3]
    via = [begin, {"shoulder": 1.1, "elbow": 0.4, "slew": 0.9}]
    headframe.trajectory(machine, "left_finger", via).plot(picture, machine.folder)


draw_pictures(Path(__file__).parent / "_generated" / "pictures")


def write_inline_formula(translator, node):
    translator.body.append(tex2mathml(node.astext()))
    raise nodes.SkipNode


def write_formula(translator, node):
    translator.body.append(f'<div class="math">{tex2mathml(node.astext(), as_block=True)}</div>')
    raise nodes.SkipNode


def setup(app):
    renderers = (write_inline_formula, None), (write_formula, None)
    app.add_html_math_renderer("mathml", *renderers)
