"""`python -m headframe` is the command `headframe`."""

from .cli.main import run

if __name__ == "__main__":
    run()
