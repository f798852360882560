"""Code that is copied, and the command line beside which results are held."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
from collections.abc import Callable
from typing import Any

import pytest
from clusters import spark
from samples import OTHER, RENAMED, TOTAL

__all__ = ["spark"]


@pytest.fixture
def tree(tmp_path: pathlib.Path) -> pathlib.Path:
    """A folder with three files, two of which are clones."""
    folder = tmp_path / "tree"
    folder.mkdir()
    (folder / "one.py").write_text("# SPDX-License-Identifier: MIT\n" + TOTAL)
    (folder / "two.py").write_text(RENAMED)
    (folder / "three.py").write_text(OTHER)
    return folder


@pytest.fixture
def command() -> Callable[..., list[dict[str, Any]]]:
    """Runs the command line and gives its rows."""
    program = os.environ.get("FAMILIAR") or shutil.which("familiar")
    if program is None:
        pytest.skip("the command `familiar` is not there; FAMILIAR names it")

    def run(*words: object) -> list[dict[str, Any]]:
        whole = [program, *map(str, words), "--format", "ndjson"]
        done = subprocess.run(whole, check=True, capture_output=True, text=True)
        return [json.loads(line) for line in done.stdout.splitlines()]

    return run
