"""How bodies and statics look."""

from pathlib import Path

from headframe.description import CollisionShape
from headframe.staging import load_scene, things_as_links

STORE = Path(__file__).parents[2] / "docs" / "examples" / "store.json"


def test_each_kind_is_a_link_with_the_colour_of_its_material():
    scene = load_scene(STORE).scene
    robot = things_as_links(scene)
    names = [link.name for link in robot.links]
    assert names == [thing.name for thing in (*scene.bodies, *scene.statics)]
    colors = {link.name: link.visuals[0].material.color for link in robot.links}
    assert colors["tyre"][0] < 0.2 < colors["crate"][0]
    assert colors["pipe"] != colors["stone"]
    plain = load_scene("yard").scene
    assert things_as_links(plain) is None


def test_a_colour_of_its_own_is_kept():
    scene = load_scene(STORE).scene
    crate = scene.bodies[0]
    red = {"color": (1.0, 0.0, 0.0, 1.0)}
    painted = CollisionShape.make(geometry=crate.shapes[0].geometry, material=red)
    changed = scene.model_copy(
        update={"bodies": (crate.model_copy(update={"shapes": (painted,)}),), "statics": ()}
    )
    (link,) = things_as_links(changed).links
    assert link.visuals[0].material.color == (1.0, 0.0, 0.0, 1.0)
