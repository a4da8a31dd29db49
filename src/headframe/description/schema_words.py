"""What the JSON Schema of machine files says about each field, for the editors of people.

By class of the model; the empty name is the class itself. Fields that only some files have (other
words for the same, and those of the authors' dialects) are in `MORE_WORDS`.
"""

from __future__ import annotations

_TRANSLATION = "Place of its origin: x, y, z [m]; 0, 0, 0 if absent."
_ORIENTATION = (
    "Roll, pitch and yaw about the fixed axes x, y and z [rad]: R = Rz(yaw) Ry(pitch) Rx(roll); "
    "0, 0, 0 if absent."
)

WORDS: dict[str, dict[str, str]] = {
    "Robot": {
        "": "A machine: links, joints and actuators. Metres, kilograms, seconds, newtons, radians.",
        "mrdf": 'Version of the format, "1". A file without this key is read as the authors of the '
        "format write it: y up, shapes from their origin along x, colours 0 to 255.",
        "name": "Name of the machine.",
        "class": "Kind of machine, such as roadheader, support or loader.",
        "end_effector": "Name of the link that work is done with.",
        "up_axis": "Which of the file's axes points up; z if absent in a file with the key mrdf, "
        "else y.",
        "geometry_file": "Path of a .3dt file in this file's folder or below: what is seen of the "
        "links that it covers, instead of their visuals.",
        "base": "Whether the root link stands fast in a world (fixed, if absent) or is free to "
        "move there; a simulation of the machine alone holds it.",
        "home": "The home pose, by joint values or by actuator lengths; found if absent.",
        "links": "The rigid bodies.",
        "joints": "What connects links. Two joints between the same two links in opposite "
        "directions are one pivot that closes a loop.",
        "actuators": "The hydraulic cylinders.",
        "springs": "Springs with dampers between points of two links.",
        "motors": "Motors, each driving a joint.",
        "rotary_actuators": "Hydraulic slew drives, racks that turn the pinion of a joint.",
        "repeaters": "Joints that follow other joints.",
        "materials": "Materials of surfaces that touch, beside those that Headframe knows: steel, "
        "rubber, wood, concrete, rock, ground. One of these names takes their place here.",
        "no_contact": "Pairs of names of links that pass through each other. Links that a joint or "
        "a cylinder connects do so in any case, and those that touch each other at home.",
        "provenance": "Where figures of this file come from.",
    },
    "Link": {
        "": "A rigid body.",
        "name": "Name of the link; no other link has it.",
        "translation": "Place of the link [m]: the root's in the world, any other's in the moving "
        "frame of the joint that carries it; 0, 0, 0 if absent.",
        "orientation": _ORIENTATION,
        "visual": "What is seen: a shape or a list of shapes.",
        "collision": "What is touched: a shape or a list of shapes.",
        "inertial": "Mass and inertia; a link without them is massless.",
    },
    "Inertial": {
        "": "Mass, centre of mass and inertia of a link.",
        "mass": "Mass [kg], more than 0.",
        "com": "Centre of mass in the link's axes: x, y, z [m].",
        "inertia": "Inertia about the centre of mass in the link's axes [kg m^2]: a symmetric 3x3 "
        "matrix, row by row.",
    },
    "Limit": {
        "": "Lower and upper end of a range.",
        "lower": "Lower end: [m] for lengths and slides, [rad] for angles.",
        "upper": "Upper end: [m] for lengths and slides, [rad] for angles.",
    },
    "Visual": {
        "": "A shape on a link, centred on its origin; round ones lie along z.",
        "name": "Name of the shape; it need not have one.",
        "translation": _TRANSLATION,
        "orientation": _ORIENTATION,
        "geometry": "Kind and measures of the shape [m].",
        "material": "How it looks.",
    },
    "CollisionShape": {
        "": "A shape on a link that others touch, centred on its origin; round ones lie along z.",
        "name": "Name of the shape; it need not have one.",
        "translation": _TRANSLATION,
        "orientation": _ORIENTATION,
        "geometry": "Kind and measures of the shape [m].",
        "material": "How it looks.",
        "contact": "Name of the material of its surface; steel if absent.",
    },
    "ContactMaterial": {
        "": "A material where it touches another. It has either young or stiffness.",
        "name": "Name of the material; no other material of this file has it.",
        "young": "Young's modulus [Pa].",
        "poisson": "Poisson's ratio [1], above -1 and at most 0.5; 0.3 if absent.",
        "stiffness": "In place of young: force on its surface [N] at a depth of 1 m, if it grew "
        "with depth^exponent up to there [N/m^exponent].",
        "exponent": "Power of the depth that the force grows with [1]; 1.5, as of round bodies, "
        "if absent. With young it is always 1.5.",
        "restitution": "Ratio of the speeds after and before an impact, 0 to 1.",
        "friction": "Dry and viscous friction.",
        "bristle": "What holds a contact that sticks; stiff, as that of steel, if absent.",
        "law": "Of the normal force: Hunt and Crossley's, with which bodies part with the "
        "restitution, if absent; that of Lankarani and Nikravesh, or as it is usually printed, "
        "which part with more; Kelvin and Voigt's, a spring with a damper; or by the volume that "
        "two bodies have in common, which also resists rolling and spinning.",
        "damping": "Of the law kelvin-voigt, which must have it [N s/m].",
        "foundation": "Of the law volumetric, which must have it, in place of young: modulus of an "
        "elastic skin by its thickness [N/m^3].",
    },
    "Friction": {
        "": "Coefficients of friction.",
        "static": "Before it slides: largest friction by normal force [1], at least the dynamic.",
        "dynamic": "While it slides: friction by normal force [1].",
        "viscous": "Viscous friction while it slides [N s/m]; 0 if absent.",
        "law": "How bristles slip: those that would need more than the limit are drawn back to it "
        "(return-map, if absent); or sticking and sliding are blended about a speed, with a "
        "stiction point that is moved on (stiction-point).",
        "transition": "Of the law stiction-point: that speed [m/s]; 0.001 if absent.",
        "strain": "Of the law stiction-point: how far bristles at their limit are bent, by what "
        "bends them to it [1]; 1 if absent.",
    },
    "Bristle": {
        "": "What holds a contact that sticks: a spring with a damper along the surface.",
        "stiffness": "Stiffness of the spring [N/m].",
        "damping": "Damping [N s/m]; 0 if absent.",
    },
    "Material": {
        "": "How a shape looks.",
        "color": "Red, green, blue and optionally opacity, each 0 to 1.",
    },
    "Box": {
        "": "A box, centred on its origin.",
        "type": "Kind of shape.",
        "x": "Edge along x [m].",
        "y": "Edge along y [m].",
        "z": "Edge along z [m].",
    },
    "Cylinder": {
        "": "A cylinder or truncated cone along z, centred on its origin.",
        "type": "Kind of shape.",
        "r1": "Radius at -h/2 [m].",
        "r2": "Radius at +h/2 [m]; as r1 if absent.",
        "h": "Height along z [m].",
    },
    "Capsule": {
        "": "A cylinder between two half-spheres along z, centred on its origin.",
        "type": "Kind of shape.",
        "r": "Radius [m].",
        "h": "Height along z without the half-spheres [m].",
    },
    "Sphere": {
        "": "A sphere about its origin.",
        "type": "Kind of shape.",
        "r": "Radius [m].",
    },
    "Cone": {
        "": "A cone along z, centred on its origin, with its apex at +h/2.",
        "type": "Kind of shape.",
        "r": "Radius at -h/2 [m].",
        "h": "Height along z [m].",
    },
    "Torus": {
        "": "A round bar that is bent about z to a ring or to an arc of one, whose ends are then "
        "half-spheres; its middle line lies in the plane z = 0.",
        "type": "Kind of shape.",
        "R": "Radius of the middle line [m].",
        "r": "Radius of the bar [m], less than R.",
        "arc": "How far round it goes [rad], half of it to either side of the x axis; a whole ring "
        "if absent.",
    },
    "ChainLink": {
        "": "A link of a chain: a round bar that is bent to two bows with straight parts along x "
        "between them; its middle line lies in the plane z = 0.",
        "type": "Kind of shape.",
        "R": "Radius of the bows' middle line [m].",
        "r": "Radius of the bar [m], less than R.",
        "length": "Length of the straight parts [m].",
    },
    "Hull": {
        "": "The convex hull of points.",
        "type": "Kind of shape.",
        "points": "At least four points, not all in one plane: x, y, z [m] each.",
    },
    "Mesh": {
        "": "A mesh from a file.",
        "type": "Kind of shape.",
        "path": "Path of an .stl, .dae, .obj, .ply, .off, .glb or .gltf file in this file's folder "
        "or below, with '/'.",
        "scale": "Factors along x, y and z; negative where it is mirrored.",
    },
    "Joint": {
        "": "Connects a parent link to a child link: first the origin, then the motion, then the "
        "child's own pose.",
        "name": "Name of the joint; no other joint has it.",
        "parent": "Name of the link that it hangs on.",
        "child": "Name of the link that it carries.",
        "type": "How it moves: revolute and continuous turn about the axis, prismatic slides along "
        "it, helical does both as a thread does, universal turns about axis and axis2, spherical "
        "turns about any, free moves in all six ways, fixed in none.",
        "origin_translation": "Place of the joint in its parent link: x, y, z [m].",
        "origin_orientation": "Roll, pitch and yaw of the joint in its parent link [rad].",
        "axis": "Unit vector in the joint's frame; revolute, continuous, prismatic, helical and "
        "universal joints need it.",
        "axis2": "Second axis of a universal joint: a unit vector, square to the first.",
        "pitch": "How far a helical joint moves along its axis in one whole turn [m]; negative "
        "for a left-handed thread.",
        "limit": "Range of the position: [rad] if the joint turns, [m] if it slides.",
        "damping": "Viscous damping: [N m s/rad] if it turns, [N s/m] if it slides.",
        "friction": "Dry friction: [N m] if it turns, [N] if it slides.",
        "armature": "Inertia of the drive's rotor, seen at the joint: [kg m^2] if it turns, [kg] "
        "if it slides.",
    },
    "Actuator": {
        "": "A hydraulic cylinder: a tube mounted on one link, a rod mounted on another. Its "
        "length is the distance between the two mount points.",
        "name": "Name of the actuator; no other actuator has it.",
        "tube": "Name of a link that carries the tube's visible part and mass; made if absent.",
        "rod": "Name of a link that carries the rod's visible part and mass; made if absent.",
        "tube_parent": "Name of the link that the tube is mounted on.",
        "rod_parent": "Name of the link that the rod is mounted on.",
        "tube_offset": "The tube's mount point in its parent's axes: x, y, z [m].",
        "rod_offset": "The rod's mount point in its parent's axes: x, y, z [m].",
        "tube_axis": "The tube's mounting pin: a unit vector in its parent's axes, where known.",
        "rod_axis": "The rod's mounting pin: a unit vector in its parent's axes, where known.",
        "bound": "Shortest and longest length between the mount points [m].",
        "redundants": "Names of the other actuators that move the same thing; each names the "
        "others.",
        "group": "Name of its redundant group, for people.",
        "speed": "Largest speed [m/s].",
        "acceleration": "Largest acceleration [m/s^2].",
        "force": "Largest force [N].",
        "bore": "Inner diameter of the tube [m].",
        "rod_diameter": "Diameter of the rod [m], less than the bore.",
    },
    "Spring": {
        "": "A spring with a damper between a point of each of two links.",
        "name": "Name of the spring; no other spring has it.",
        "link_a": "Name of the first link.",
        "point_a": "Where it is fastened, in the first link's axes: x, y, z [m].",
        "link_b": "Name of the second link.",
        "point_b": "Where it is fastened, in the second link's axes: x, y, z [m].",
        "stiffness": "Stiffness [N/m].",
        "rest_length": "Length without force [m].",
        "damping": "Damping along its line [N s/m].",
    },
    "Motor": {
        "": "Drives a joint.",
        "name": "Name of the motor; no other motor has it.",
        "joint": "Name of the joint that it drives.",
        "torque": "Torque from the start [N m]; a force [N] where the joint slides.",
        "max_torque": "Largest torque [N m]; a force [N] where the joint slides.",
        "max_speed": "Largest speed [rad/s]; [m/s] where the joint slides.",
        "servo": "Whether it can be told where to go, so that planning counts on it; false for one "
        "that spins.",
    },
    "RotaryActuator": {
        "": "A hydraulic slew drive: pistons push racks, which turn the pinion of a revolute joint "
        "with a limit. It is told where to go as a cylinder is.",
        "name": "Name of the rotary actuator; no other drive of a joint has it.",
        "joint": "Name of the joint that it drives.",
        "max_torque": "Largest torque [N m].",
        "max_speed": "Largest speed [rad/s].",
        "max_acceleration": "Largest acceleration [rad/s^2].",
    },
    "Repeater": {
        "": "A joint that follows another: q[joint] = ratio q[follows] + offset.",
        "name": "Name of the repeater; no other repeater has it.",
        "joint": "Name of the joint that follows.",
        "follows": "Name of the joint that it follows.",
        "ratio": "How much it moves for each unit of the other; without unit between joints of one "
        "kind, else [rad/m] or [m/rad].",
        "offset": "Its position where the other is at 0 [rad or m].",
    },
    "Provenance": {
        "": "Where figures come from.",
        "of": "A path in this file, or the name of a group of figures.",
        "kind": "How the figures were found.",
        "source": "Where they were found, in words.",
    },
    "Home": {
        "": "The home pose, by joints or by actuators; what is not named is found.",
        "joints": "Positions by name of joint: [rad] or [m]; two angles for a universal joint, a "
        "quaternion w, x, y, z for a spherical one, with a translation after it for a free one.",
        "actuators": "Lengths by name of actuator [m].",
    },
}

MORE_WORDS: dict[str, str] = {
    "$schema": "Path or address of the schema, by which an editor finds it; Headframe ignores it.",
    "radius": "Another word for the radius [m].",
    "r": "Another word for r1 [m].",
    "length": "Another word for h [m].",
    "height": "Another word for h [m].",
    "url": "Another word for path.",
    "filename": "Another word for path.",
    "limit": "Another word for bound [m].",
    "tube_visual": "What is seen of the tube, if no link is named as tube.",
    "rod_visual": "What is seen of the rod, if no link is named as rod.",
    "type": 'What it is: always "actuator".',
    "origin_translation": _TRANSLATION,
    "origin_orientation": _ORIENTATION,
    "color": "Red, green and blue, each 0 to 255, and optionally opacity, 0 to 1 or 255.",
    "opacity": "Opacity, 0 to 1 or 255, where the colour has three numbers.",
    "placeholder": "Ignored: in a file without the key mrdf the limits of joints are placeholders.",
}
