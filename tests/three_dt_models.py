"""Small 3DT texts and models that the tests share."""

import numpy as np

from headframe.description.three_dt import Body, Component, Model

CRANE = """3DT 1
# a crane of two bodies
robot "crane"
  attribute "maker" "nobody"
  component "Main Body"
    body "tetrahedron" link "base"
      color 0.9 0.5 0.1
      attribute "material" "steel"   # of what it is made
      vertices 4
        0 0 0
        1 0 0
        0 1 0
        0 0 1
      faces 4
        0 2 1
        0 1 3
        1 2 3
        2 0 3
    end
  end
  component "Boom"
    body "plate" link "boom"
      color 0.1 0.2 0.3 0.5
      crease 80
      vertices 4
0 0 0
2 0 0
2 1 0
0 1 0
      faces 1
0 1 2 3
    end
  end
end
"""


def cube(name="cube", link="base", size=1.0, **fields):
    """A cube of six squares that look outwards, its lowest corner at the origin."""
    vertices = size * np.array([[i & 1, i >> 1 & 1, i >> 2] for i in range(8)], dtype=float)
    faces = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    return Body.make(name, link, vertices, faces, **fields)


def two_cubes():
    """Two components of a cube each, with all that a body can have."""
    red = cube("red", "base", 0.1, color=(1, 0, 0, 1), attributes={"material": "steel", "no": "7"})
    glass = cube("a/b % glass", "boom", 0.3, color=(0.2, 0.4, 0.6, 0.5), crease=75.0)
    return Model("two cubes", (Component("Base plate", (red,)), Component("Bo/om", (glass,))))
