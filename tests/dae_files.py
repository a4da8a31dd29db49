"""COLLADA files for tests, written by hand: a surface or several, in nodes of one's own."""

HEAD = '<?xml version="1.0"?>\n<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema">'


def words(numbers):
    return " ".join(f"{number:.9g}" for number in numbers)


def source(vertices):
    flat = [value for vertex in vertices for value in vertex]
    return (
        f'<source id="s"><float_array id="a" count="{len(flat)}">{words(flat)}</float_array>'
        f'<technique_common><accessor source="#a" count="{len(vertices)}" stride="3"/>'
        '</technique_common></source><vertices id="v"><input semantic="POSITION" source="#s"/>'
        "</vertices>"
    )


def triangles(faces, material="paint", tag="triangles"):
    flat = [int(value) for face in faces for value in face]
    return (
        f'<{tag} count="{len(faces)}" material="{material}">'
        f'<input semantic="VERTEX" source="#v" offset="0"/><p>{words(flat)}</p></{tag}>'
    )


def effects(colors):
    """Materials by name, each with its diffuse colour."""
    text = "".join(
        f'<effect id="{name}-fx"><profile_COMMON><technique sid="common"><phong><diffuse>'
        f"<color>{words(color)}</color></diffuse></phong></technique></profile_COMMON></effect>"
        for name, color in colors.items()
    )
    named = "".join(
        f'<material id="{name}"><instance_effect url="#{name}-fx"/></material>' for name in colors
    )
    effects = f"<library_effects>{text}</library_effects>"
    return f"{effects}<library_materials>{named}</library_materials>"


def dae(mesh, node=None, colors=None, asset="", extra=""):
    """A file with one geometry `g`; `node` is what stands in its scene."""
    colors = {"paint": (1.0, 0.5, 0.0, 1.0)} if colors is None else colors
    node = '<node><instance_geometry url="#g"/></node>' if node is None else node
    return (
        f"{HEAD}<asset>{asset}</asset>{effects(colors)}"
        f'<library_geometries><geometry id="g"><mesh>{mesh}</mesh></geometry></library_geometries>'
        f'{extra}<library_visual_scenes><visual_scene id="scene">{node}</visual_scene>'
        '</library_visual_scenes><scene><instance_visual_scene url="#scene"/></scene></COLLADA>'
    )


def dae_of(vertices, faces, **options):
    """A file with one surface."""
    return dae(source(vertices) + triangles(faces), **options)
