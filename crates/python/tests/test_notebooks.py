"""The notebooks of the documentation: every cell runs, and says what it said when the notebook was stored.

``FAMILIAR_UPDATE_NOTEBOOKS=1`` stores what the cells say now.
"""

from __future__ import annotations

import os
import pathlib
from typing import Any

import nbclient
import nbformat
import pytest

from samples import REPOSITORY

FOLDER = REPOSITORY / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))

#: A notebook is read in a browser and kept in git, so what it says is short.
MOST_BYTES = 40_000


def said(notebook: Any) -> list[list[str]]:
    """What each cell says as text."""
    return [[_text(output) for output in cell.get("outputs", [])] for cell in notebook.cells]


def _text(output: Any) -> str:
    return str(output["text"] if output["output_type"] == "stream" else output["data"].get("text/plain", ""))


def test_there_are_notebooks() -> None:
    page = (FOLDER / "index.md").read_text()
    assert len(NOTEBOOKS) == 5 and all(f"({path.name})" in page or f"/{path.name})" in page for path in NOTEBOOKS)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_says_what_it_said(path: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAMILIAR_HOME", str(tmp_path / "home"))
    stored = nbformat.read(path, as_version=4)
    assert all(cell.source.strip() for cell in stored.cells)
    now = nbformat.read(path, as_version=4)
    resources = {"metadata": {"path": str(tmp_path)}}
    nbclient.NotebookClient(now, timeout=300, kernel_name="python3", resources=resources).execute()
    if os.environ.get("FAMILIAR_UPDATE_NOTEBOOKS"):
        for cell in now.cells:
            cell.metadata = {}
        now.metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
        nbformat.write(now, path)
        stored = now
    assert said(now) == said(stored)
    assert path.stat().st_size < MOST_BYTES
