"""What the kernels of contact work on, as records.

W is the world, S the frame of a shape, B that of the body that carries it. A body is whatever moves
as one piece: a link of a machine, a loose body; all that stands still is body -1.
"""

from __future__ import annotations

from enum import IntEnum

from ..jit import SPAN, TABLE, layout


class ShapeKind(IntEnum):
    """Kinds of shapes. Each is centred on its origin; round ones lie along z."""

    SPHERE = 0  # sizes: radius
    BOX = 1  # half edges
    CAPSULE = 2  # radius, half height without its ends
    CYLINDER = 3  # radius below, radius above, half height
    CONE = 4  # radius at -z, half height; its tip is at +z
    TORUS = 5  # radius of its middle circle, which is in the plane z = 0; of its tube; half arc
    #            [rad] about the x axis: pi for a whole one, else with half-spheres at its ends
    CHAIN_LINK = 6  # radius of its bows' middle line, of its wire, half length of its straight
    #                 parts, which go along x at y = +-radius
    HULL = 7  # convex, of points
    MESH = 8  # closed, of triangles
    PLANE = 9  # the half space z < 0
    TRIANGLE = 10  # of a mesh, whose corners are the rows of X_BS; the kernels make it themselves


# a shape on a body
SHAPE = layout(
    kind="i8",  # ShapeKind
    body="i8",  # that carries it; -1: it stands still
    material="i8",
    solid="i8",  # of a hull or mesh: where it begins in the buffer of all of them; else -1
    X_BS=("f8", (3, 4)),
    sizes=("f8", (3,)),  # [m, rad], as its kind says
    radius="f8",  # of the sphere about its origin that holds it [m]; infinite for a plane
)

# where a shape stands
POSE = layout(X_WS=("f8", (3, 4)))

# a place where two shapes touch, or are near to each other
TOUCH = layout(
    a="i8",  # shapes, a < b
    b="i8",
    feature="i8",  # which of several places of the pair: the same as long as the same parts touch
    point=("f8", (3,)),  # W: halfway between the two surfaces, along the normal
    normal=("f8", (3,)),  # W: unit vector from b to a, along which a is pushed
    depth="f8",  # indentation [m]; negative: how far they are apart
    curvature="f8",  # 1/R_a + 1/R_b there, as of spheres [1/m]; 0 between flat faces
)

# a hull or mesh in the buffer of all of them, where its shape's `solid` says; spans of that buffer
SOLID = layout(
    points=TABLE,  # S (number of points, 3)
    faces=SPAN,  # SOLID_FACE: plane ones, which may have many corners
    corners=SPAN,  # points of all faces, one face behind the other, counter-clockwise from outside
    beside=SPAN,  # for every point and one more: where its neighbours begin
    neighbours=SPAN,  # points that an edge joins to it
    around=SPAN,  # for every point and one more: where its faces begin
    faces_around=SPAN,  # faces that have it as a corner
    triangles=SPAN,  # TRIANGLE
    nodes=SPAN,  # NODE: boxes around triangles, the first one around all of them
    order=SPAN,  # numbers of triangles, as the nodes hold them
    normals=TABLE,  # S (number of points, 3): outward unit vectors of points, by angles
    middle=("f8", (3,)),  # S: of the box along its axes that holds it [m]
    half=("f8", (3,)),  # half edges of that [m]
)

# a triangle of a mesh, with its three half-edges: k goes from corner k to the next one
TRIANGLE = layout(
    corners=("i8", (3,)),  # points, counter-clockwise as seen from outside
    beside=("i8", (3,)),  # triangles on the other side of the half-edges
    twins=("i8", (3,)),  # which of their half-edges that is
    normal=("f8", (3,)),  # S: outward unit vector; 0 if the triangle is a line
)

# a box around some triangles
NODE = layout(
    low=("f8", (3,)),  # S: along the axes of the mesh [m]
    high=("f8", (3,)),
    X_SO=("f8", (3, 4)),  # a box along the axes in which the triangles' corners vary
    half=("f8", (3,)),  # half edges of that [m]
    children=("i8", (2,)),  # nodes; -1 if it has none
    first=SPAN,  # of a node without children: its triangles, within the order
)

# a plane face of a hull
SOLID_FACE = layout(
    corners=SPAN,  # within the solid's corners
    normal=("f8", (3,)),  # S: outward unit vector
    offset="f8",  # of its plane along that [m]
)

# a sphere around a shape, or around two other spheres
SPHERE_NODE = layout(
    children=("i8", (2,)),  # nodes, which come behind it; -1 if it holds a shape
    leaf="i8",  # the shape; -1 if it holds two spheres
    centre=("f8", (3,)),  # W [m]
    radius="f8",  # [m]
)

# a cell of an octree
CELL = layout(
    low=("f8", (3,)),  # W [m]
    high=("f8", (3,)),
    children=("i8", (8,)),  # cells; -1 if it is not divided
    members=SPAN,  # what it holds, within the list of all members
)

# a plane that divides space, with the facets that lie in it
HALF_SPACES = layout(
    normal=("f8", (3,)),  # W: unit vector to its front
    offset="f8",  # along that [m]
    front="i8",  # nodes; -1 where there is nothing more
    back="i8",
    members=SPAN,  # triangles of which a part lies in the plane, within the list of all
)

# the box along the world's axes that holds a shape and the margin about it
BOUNDS = layout(
    low=("f8", (3,)),  # [m]
    high=("f8", (3,)),
)

MOST_CORNERS = 32  # of a face that is clipped; of one with more every other is left out

# the part of a shape that faces another: a point, a line or a plane polygon
FACE = layout(
    count="i8",  # corners
    normal=("f8", (3,)),  # W: outward unit vector of a polygon
    corners=("f8", (MOST_CORNERS, 3)),  # W [m], counter-clockwise as seen from outside
    names=("i8", (MOST_CORNERS,)),  # of the corners, whatever face they belong to
)

# up to four points of the difference of two shapes, of which the nearest to the origin is known
SIMPLEX = layout(
    count="i8",  # points
    w=("f8", (4, 3)),  # W: a point of a less one of b [m]
    of_a=("f8", (4, 3)),  # W: that point of a, from its origin [m]
    weights=("f8", (4,)),  # of the points in the nearest one; their sum is 1
    nearest=("f8", (3,)),  # W: from b to a, the shortest way between the two found so far [m]
    before=("f8", (3,)),  # W: the direction of the last step, along which the way was [m]
    start_a="i8",  # the point of a hull where the search for the next furthest one begins
    start_b="i8",
)

MOST_POINTS = 128  # of a polytope that grows to the surface of the difference of two shapes
MOST_FACES = 2 * MOST_POINTS

# a triangle of that polytope
GROWN_FACE = layout(
    p=("i8", (3,)),  # its corners, counter-clockwise from outside
    normal=("f8", (3,)),  # W: outward unit vector
    height="f8",  # of its plane above the origin [m]; infinite if the triangle is gone
    tried="i8",  # 1 if a way out was mended from here
)

# the polytope
GROWN = layout(
    points="i8",
    faces="i8",
    edges="i8",
    w=("f8", (MOST_POINTS, 3)),  # as of a simplex
    of_a=("f8", (MOST_POINTS, 3)),
    face=(GROWN_FACE, (MOST_FACES,)),
    edge=("i8", (MOST_FACES, 2)),  # around what a new point sees
)

MOST_SEGMENTS = 2048  # of the lines in which two meshes cut each other
MOST_REGIONS = 32
TABLE_SIZE = 8192  # a power of two, more than twice the ends of all segments

# a line in which a triangle of a mesh a cuts one of a mesh b, in the axes of b
SEGMENT = layout(
    ends=("f8", (2, 3)),  # along n_a x n_b: inside b is to the left, seen from a [m]
    triangles=("i8", (2,)),  # of a and of b
    of_edge=("i8", (2,)),  # whose edge goes through the other there: 0 a, 1 b
    edge=("i8", (2,)),  # which half-edge of its triangle that is
    leaves=("f8", (2,)),  # 1 if that half-edge goes out of the other mesh there, -1 if into it
    keys=("i8", (2,)),  # of the ends; segments that go on from each other have the same
    region="i8",
)

# where two meshes cut each other, in the axes of b
REGION = layout(
    area=("f8", (3,)),  # the sum of all p x q / 2 about a point [m^2]: size and direction
    origin=("f8", (3,)),  # that point [m]
    first=("f8", (3,)),  # moment of the area in its plane, from that point [m^3]
    centroid=("f8", (3,)),  # [m]
    normal=("f8", (3,)),  # from b to a
    of_a="f8",  # how far a goes beyond the plane of the contour [m]
    of_b="f8",
    segments="i8",
)

# what two meshes have in common, of density 1, in the axes of b and about its origin
MOMENTS = layout(
    volume="f8",  # [m^3]
    first=("f8", (3,)),  # [m^4]
    second=("f8", (3, 3)),  # integral of p p^T [m^5]
)

# scratch memory of two meshes
MESH_WORK = layout(
    count="i8",  # segments
    segment=(SEGMENT, (MOST_SEGMENTS,)),
    regions="i8",
    region=(REGION, (MOST_REGIONS,)),
    keys=("i8", (TABLE_SIZE,)),  # of ends that were seen, each where its key leads to
    owners=("i8", (TABLE_SIZE,)),  # segments that have them; -1 where there is none
    X_BA=("f8", (3, 4)),
    node_a=("f8", (3, 4)),  # poses of two boxes that are compared
    node_b=("f8", (3, 4)),
)

# scratch memory of near detection
NEAR_WORK = layout(
    a=FACE,
    b=FACE,
    flat_a=("f8", (2 * MOST_CORNERS, 2)),  # corners in the plane across the normal [m]
    flat_b=("f8", (2 * MOST_CORNERS, 2)),
    spare=("f8", (2 * MOST_CORNERS, 2)),
    follows=("i8", (2 * MOST_CORNERS,)),  # edge that follows a corner: of a, behind them of b
    spare_follows=("i8", (2 * MOST_CORNERS,)),
    simplex=SIMPLEX,
    grown=GROWN,
    meshes=MESH_WORK,
    triangle=SHAPE,  # the one of a mesh that is looked at
    stack=("i8", (256, 2)),  # nodes of two trees that are still to be looked at
    least=("f8", (8,)),  # places of a ring's middle line that are nearest [m]
    heights=("f8", (8,)),  # of these, above the other shape [m]
)


class FrictionKind(IntEnum):
    """Laws of friction."""

    RETURN_MAP = 0  # bristles are drawn back to their limit
    STICTION_POINT = 1  # sticking and sliding are blended about a speed


# two materials that touch
PAIR = layout(
    modulus="f8",  # E*: 1/E* = (1 - nu_a^2)/E_a + (1 - nu_b^2)/E_b [Pa]; not used with a stiffness
    stiffness="f8",  # of the pair, whatever its shapes [N/m^exponent]; 0: Hertz's, by the modulus
    foundation="f8",  # of the volumetric law, modulus of a skin by its thickness [N/m^3]; else 0
    exponent="f8",  # e of k depth^e
    dissipation="f8",  # d of 1 + d (rate / speed at first touch)
    restitution="f8",  # that impulses give; forces have it by their dissipation
    damping="f8",  # of Kelvin and Voigt's law [N s/m]; 0 for the others
    friction="i8",  # FrictionKind
    static="f8",  # coefficients of friction
    dynamic="f8",
    viscous="f8",  # [N s/m]
    bristle_stiffness="f8",  # [N/m]
    bristle_damping="f8",  # [N s/m]
    transition="f8",  # of a stiction point: speed about which sticking passes into sliding [m/s]
    strain="f8",  # of a stiction point: bend of bristles at their limit, by what bends them to it
)

# what a contact remembers from step to step
MEMORY = layout(
    bristle=("f8", (3,)),  # W: how far the bristles are bent, as the way of a against b [m]
    speed="f8",  # the fastest approach since they touch [m/s]
    slides="i8",  # 1 if it slid in the last step, else 0
    touches="i8",  # 1 if it touched in the last step, else 0
)

# force of b on a along the axes of a contact (normal, two tangents), and how it changes with the
# velocity of a against b there
PUSH = layout(
    force=("f8", (3,)),  # [N]
    slope=("f8", (3, 3)),  # d force / d velocity [N s/m]
    slides="i8",  # 1 if friction is at its limit, else 0
)

FEET = 4  # on which a place with the volumetric law stands in a step of three rows a contact

# what two shapes have in common where a step begins, as the volumetric law takes it
COMMON = layout(
    stiffness="f8",  # K c: volume c depth^exponent times the stiffness of the foundation
    exponent="f8",
    rolling=("f8", (2, 2)),  # K times the inertia of density 1 about the tangents [N m^2]
    gyration="f8",  # its radius about the normal [m]
)

# force and torque of b on a along and about the axes of a contact, and how they change with the
# velocities of a against b there
WIDE_PUSH = layout(
    force=("f8", (6,)),  # [N], [N m]
    slope=("f8", (6, 6)),
    slides="i8",  # 1 if friction is at its limit, else 0
)
