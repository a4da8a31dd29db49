"""Take pictures of the page for the documentation and for its chooser.

    python tools/screenshots                      all
    python tools/screenshots --only lhd reach     some
    python tools/screenshots --list               their names

Servers and a browser are started as they are needed. Without a graphics card a picture takes
seconds.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # where this package and `browser` are

from screenshots.program import main

if __name__ == "__main__":
    sys.exit(main())
