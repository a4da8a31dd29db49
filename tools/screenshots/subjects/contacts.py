"""The playground: a box in the gripper's fingers, a stack that falls, and what touches."""

from __future__ import annotations

from ..camera import Camera
from ..studio import Studio

BOX, TOP = 0, 5  # the box and the topmost of the stack among the things of the scene


def take_playground(studio: Studio) -> None:
    """The arm with the box has just driven into the stack."""
    camera = grasped(studio)
    spin(camera, "turn_motor", 0.6, f"{height(TOP)} < 1.0")
    camera.pause()
    camera.page.wait_for_timeout(1000)  # bodies that lie still are told of in turn
    camera.stand(-0.02, 0.42, 7.0, (0.9, 0.3, 0.3))
    camera.take("workbench/scenes_playground")


def take_contacts(studio: Studio) -> None:
    """The box between the fingers: points, forces, and the shapes that are touched."""
    camera = grasped(studio)
    camera.pause()
    camera.page.wait_for_timeout(1000)
    camera.click("tool-contacts")
    camera.find("contacts-marks").check()
    camera.find("contacts-shapes").check()
    camera.until("view.shapesShown > 0 && view.contactsShown > 0")
    camera.stand(-0.25, 0.3, 2.7, (0.4, 0.12, 0.6))
    camera.page.wait_for_timeout(300)
    camera.take("workbench/contacts")
    camera.find("contacts-marks").uncheck()
    camera.find("contacts-shapes").uncheck()


def grasped(studio: Studio) -> Camera:
    """The fingers hold the box, lifted from its table."""
    camera = studio.open("--scene", "playground")
    camera.send(type="set_physics", dynamics=True)
    camera.until("facts.status.dynamics && store.frame.contacts.length > 0")
    camera.wait(1.0)
    camera.insist(
        lambda: camera.send(type="spin_motor", motor="finger_1_motor", speed=-0.3),
        "facts.status.motors.finger_1_motor",
    )
    camera.wait(0.8)
    spin(camera, "shoulder_motor", -0.2, f"{height(BOX)} > 0.66")
    camera.wait(0.5)
    return camera


def spin(camera: Camera, motor: str, speed: float, until: str) -> None:
    """Let a motor turn until an expression is true, and stop it."""
    camera.insist(lambda: camera.send(type="spin_motor", motor=motor, speed=speed), until)
    camera.send(type="spin_motor", motor=motor, speed=0.0)
    camera.until(f"!facts.status.motors.{motor}")


def height(thing: int) -> str:
    """Expression: how high a thing is drawn [m]."""
    return f"view.thingMatrix({thing})[14]"


PICTURES = {"scenes_playground": take_playground, "contacts": take_contacts}
