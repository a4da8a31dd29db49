"""`python -m headframe.jit`: compile every kernel."""

from .warming import warm_up

if __name__ == "__main__":  # the processes that compile import this file, too
    warm_up()
