"""The command that the package brings."""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys
import sysconfig

import familiar
import pytest


def run(*words: object) -> subprocess.CompletedProcess[str]:
    program = pathlib.Path(sysconfig.get_path("scripts"), "familiar")
    if not program.exists():
        pytest.skip(f"{program} is not there")
    return subprocess.run([program, *map(str, words)], capture_output=True, text=True, check=False)


def test_it_is_the_command(tree: pathlib.Path) -> None:
    assert run("--version").stdout == f"familiar {familiar.__version__}\n"
    rows = run("clones", tree, "--min-tokens", 30, "--format", "ndjson")
    assert [json.loads(line) for line in rows.stdout.splitlines()] == familiar.clones(tree, min_tokens=30).to_dicts()
    assert (rows.returncode, rows.stderr) == (0, "")


def test_it_has_the_exit_codes(tree: pathlib.Path) -> None:
    assert run("clones", tree, "--min-tokens", 30, "--fail-over", 0).returncode == 1
    missing = run("clones", tree / "nowhere")
    assert missing.returncode == 2 and missing.stderr.startswith("familiar: ")
    wrong = run("clones", "--no-such-flag")
    assert wrong.returncode == 2 and "unexpected argument" in wrong.stderr


def test_it_writes_files_as_a_whole(tree: pathlib.Path, tmp_path: pathlib.Path) -> None:
    done = run("clones", tree, "--format", "html", "--output", tmp_path / "report")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "report" / "index.html").exists()


def test_it_starts_where_the_module_is_run(tree: pathlib.Path) -> None:
    words = [sys.executable, "-c", "import sys; from familiar._command import main; sys.exit(main())", "--help"]
    assert subprocess.run(words, capture_output=True, text=True, check=True).stdout.startswith("Have I seen")
