"""A machine in JupyterLab."""

from __future__ import annotations

import importlib.util
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import ViewportSize

from ..camera import PATIENCE
from ..files import DOCS, keep
from ..studio import Studio

SIZE = ViewportSize(width=1280, height=1180)
DRAWN = 20_000  # until the machine has come and is drawn [ms]
CELLS = (
    'import headframe as hf\n\nm = hf.load("lhd")\nm.show()',
    "m.topology",
)


def take_notebook(studio: Studio) -> None:
    """The loader in a cell, and its graph in the next; left out where there is no JupyterLab."""
    if importlib.util.find_spec("jupyterlab") is None:
        print("notebook: left out, since JupyterLab is not installed (pip install jupyterlab)")
        return
    with jupyter() as address:
        page = studio.visit(address, SIZE)
        page.wait_for_function("globalThis.jupyterapp?.shell.currentWidget?.context?.isReady")
        page.wait_for_function(
            "jupyterapp.shell.currentWidget.sessionContext?.session?.kernel?.status === 'idle'"
        )
        page.get_by_role("button", name="No", exact=True).click()  # whether it may fetch news
        page.evaluate("jupyterapp.shell.collapseLeft()")
        page.evaluate("jupyterapp.commands.execute('notebook:run-all-cells')")
        page.locator(".jp-OutputArea canvas").wait_for()
        page.locator(".jp-OutputArea img, .jp-OutputArea svg").last.wait_for()
        page.wait_for_timeout(DRAWN)
        keep(page.screenshot(timeout=1000 * PATIENCE), DOCS / "workbench" / "notebook.jpg")
        studio.leave()


@contextmanager
def jupyter() -> Iterator[str]:
    """Address of a notebook in a JupyterLab of its own."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        write_notebook(Path(folder) / "machine.ipynb")
        settings = (
            f"--ServerApp.port={port}",
            f"--ServerApp.root_dir={folder}",
            "--ServerApp.open_browser=False",
            "--IdentityProvider.token=",
            "--LabApp.expose_app_in_browser=True",
            "--allow-root",
        )
        command = [sys.executable, "-m", "jupyterlab", *settings]
        mine = {**os.environ, "JUPYTER_CONFIG_DIR": str(Path(folder) / ".settings")}
        with subprocess.Popen(command, stderr=subprocess.DEVNULL, env=mine) as process:
            try:
                base = f"http://127.0.0.1:{port}"
                wait_for(f"{base}/api")
                yield f"{base}/lab/tree/machine.ipynb?reset"
            finally:
                process.terminate()
                try:
                    process.wait(20.0)
                except subprocess.TimeoutExpired:
                    process.kill()


def write_notebook(path: Path) -> None:
    """A notebook that has not run yet."""
    cells = [
        {
            "cell_type": "code",
            "id": f"cell{n}",
            "source": source,
            "metadata": {},
            "outputs": [],
            "execution_count": None,
        }
        for n, source in enumerate(CELLS)
    ]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    notebook = {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    path.write_text(json.dumps(notebook), encoding="utf-8")


def wait_for(address: str) -> None:
    """Wait until a server answers."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            urllib.request.urlopen(address).close()
            return
        except urllib.error.URLError:
            if time.monotonic() > end:
                raise
            time.sleep(0.2)


PICTURES = {"notebook": take_notebook}
