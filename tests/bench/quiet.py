"""Progress for tests."""


class Quiet:
    """Tells nothing but keeps the lines."""

    def __init__(self):
        self.lines = []

    def begin(self, what, steps):
        pass

    def step(self, what):
        pass

    def say(self, line):
        self.lines.append(line)
