"""Audits, and the vectors of corpora."""

from __future__ import annotations

import json
import os
import pathlib
import pickle
import shutil
import subprocess

import duckdb
import familiar
import numpy
import polars
import pyarrow
import pytest

from samples import RENAMED, TOTAL


@pytest.fixture
def world(tmp_path: pathlib.Path) -> familiar.Corpus:
    """A corpus of one project under the GPL, with vectors."""
    project = tmp_path / "project"
    project.mkdir()
    # Long enough for a vector.
    (project / "shop.py").write_text("# SPDX-License-Identifier: GPL-3.0-only\n" + TOTAL + RENAMED)
    corpus = familiar.Corpus(tmp_path / "world")
    corpus.add(project, vectors=True)
    return corpus


def test_rows_are_those_of_the_command_line(world: familiar.Corpus, tree: pathlib.Path) -> None:
    words = [tree, "--against", world.path, "--min-tokens", 30]
    # It exits with 1, since a finding is denied.
    done = subprocess.run([_program(), "audit", *map(str, words), "--format=json"], capture_output=True, check=False)
    whole = json.loads(done.stdout)
    result = world.audit(tree, min_tokens=30)
    assert [row["fingerprint"] for row in result] == [pair["fingerprint"] for pair in whole["pairs"]] != []
    assert result.findings == whole["findings"] and result.table == whole["table"]
    assert result.summary == whole["summary"] and result.denied == whole["summary"]["audit"]["denied"]
    table = pyarrow.table(result)
    assert table.num_rows == len(result)
    assert {row["license"] for row in table.column("right").to_pylist()} == {"GPL-3.0-only"}
    verdict = polars.DataFrame(result).select(polars.col("verdict").struct.field("status"))
    assert verdict["status"].to_list() == [row["verdict"]["status"] for row in result]


def _program() -> str:
    program = os.environ.get("FAMILIAR") or shutil.which("familiar")
    if program is None:
        pytest.skip("the command `familiar` is not there; FAMILIAR names it")
    return program


def test_a_text_is_audited(world: familiar.Corpus) -> None:
    result = familiar.audit(code=TOTAL, lang="python", against=world, min_tokens=30)
    assert [finding["status"] for finding in result.findings] == ["conflict"] and result.denied == 1
    shown = result._repr_html_()
    assert "shop.py" in shown and "1 finding, 1 denied" in shown
    again = pickle.loads(pickle.dumps(result))
    assert again.findings == result.findings and again.to_dicts() == result.to_dicts()
    assert len(familiar.audit(code="x = 1", lang="python", against=[world])) == 0


def test_what_is_missing_is_told(world: familiar.Corpus, tree: pathlib.Path) -> None:
    with pytest.raises(familiar.UsageError, match="give paths to audit, or code="):
        familiar.audit(against=world)
    with pytest.raises(familiar.UsageError, match="give paths to audit, or code="):
        familiar.audit(tree, against=world, code=TOTAL)
    with pytest.raises(familiar.FamiliarError, match="nowhere"):
        familiar.audit(tree, against="./nowhere")
    with pytest.raises(familiar.FamiliarError, match="--against"):
        familiar.audit(tree, against=[])


def test_vectors_of_a_corpus(world: familiar.Corpus) -> None:
    vectors = world.vectors()
    functions, dimensions = vectors.shape
    assert functions == len(vectors) == 2 and repr(vectors).startswith("<familiar.Vectors: 2 functions, ")
    array = vectors.to_numpy()
    assert array.shape == (functions, dimensions) and array.dtype == numpy.float32
    assert numpy.array_equal(numpy.asarray(vectors), array)
    table = pyarrow.table(vectors)
    assert table.schema.field("vector").type == pyarrow.list_(pyarrow.field("item", pyarrow.float32(), False), dimensions)
    assert table.column("path").to_pylist() == ["shop.py"] * 2
    assert table.column("start_line").to_pylist() == [3, 12]
    assert numpy.array_equal(numpy.array(table.column("vector").to_pylist(), dtype=numpy.float32), array)
    relation = duckdb.sql("SELECT count(*) FROM vectors")
    assert relation is not None and relation.fetchall() == [(2,)]
    # They are rounded where they are stored.
    made = familiar.embed([TOTAL.strip()], "python")
    assert float(array[0] @ made[0]) > 0.99


def test_vectors_that_are_missing(tree: pathlib.Path) -> None:
    corpus = familiar.Corpus(tree.parent / "without")
    corpus.add(tree)
    with pytest.raises(familiar.CorpusError, match="has no vectors; `familiar corpus add CORPUS --vectors` makes them"):
        corpus.vectors()
