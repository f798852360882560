"""Tokens, trees, graphs, vectors and near-duplicates."""

from __future__ import annotations

import csv
import json
import os
import pathlib
import pickle
import shutil
import subprocess
from collections.abc import Callable
from typing import Any

import familiar
import numpy
import pandas
import pyarrow
import pytest

from samples import OTHER, RENAMED, TOTAL

Command = Callable[..., list[dict[str, Any]]]
BINARY = b"\x7fELF\x02\x01\x01\x00\x00\x00" * 50
C = "#define SQUARE(x) ((x) * (x)) // a square\nint f(int a) {\n  if (a > 1) { return SQUARE(a); }\n  return 0;\n}\n"


def said(*words: object) -> str:
    """What the command line writes."""
    program = os.environ.get("FAMILIAR") or shutil.which("familiar")
    if program is None:
        pytest.skip("the command `familiar` is not there; FAMILIAR names it")
    return subprocess.run([program, *map(str, words)], check=True, capture_output=True, text=True).stdout


def test_tokens_are_those_of_the_command_line(tmp_path: pathlib.Path, command: Command) -> None:
    file = tmp_path / "a.c"
    file.write_text(C)
    expected = [json.loads(line) for line in said("tokens", file, "--format", "jsonl").splitlines()]
    result = familiar.tokens(C, "c")
    assert result.to_dicts() == expected != []
    table = pyarrow.table(result)
    assert table.column("token").to_pylist() == [row["token"] for row in expected]
    assert table.column("directive").to_pylist() == [row.get("directive") for row in expected]
    [row] = command("tokens", file, "--with", "comments,newlines")
    assert familiar.tokens(C.encode(), "c", with_=["comments", "newlines"]).to_dicts() == row["tokens"]


def test_trees_and_graphs_are_those_of_the_command_line(tmp_path: pathlib.Path, command: Command) -> None:
    (tmp_path / "a.c").write_text(C)

    def without_file(made: dict[str, Any]) -> dict[str, Any]:
        made["graph"] = {key: value for key, value in made["graph"].items() if key != "src-file"}
        return {"graph": made["graph"]}

    [tree] = command("tree", tmp_path)
    assert without_file(familiar.tree(C, "c")) == without_file(tree)
    for kind in ("cfg", "sdg"):
        [graph] = command("graph", tmp_path, "--kind", kind)
        assert without_file(familiar.graph(C, "c", kind=kind)) == without_file(graph)


def test_what_is_no_program_is_told() -> None:
    with pytest.raises(familiar.UsageError, match="there is no language klingon"):
        familiar.tokens(C, "klingon")
    with pytest.raises(familiar.InputError, match="line 1: the grammar of python does not allow"):
        familiar.tree("def (:", "python", without_errors=True)
    with pytest.raises(familiar.InputError):
        familiar.graph("SELECT 1", "sql")
    with pytest.raises(familiar.UsageError, match="--kind"):
        familiar.graph(C, "c", kind="abc")
    with pytest.raises(familiar.InputError):
        familiar.tokens(BINARY, "c")


def test_vectors_are_those_of_the_command_line(tmp_path: pathlib.Path) -> None:
    texts = [TOTAL, RENAMED, OTHER]
    rows = tmp_path / "rows.jsonl"
    rows.write_text("".join(json.dumps({"id": text[5:9], "code": text, "lang": "python"}) + "\n" for text in texts))
    said("embed", rows, "--output", tmp_path / "vectors.npy")
    vectors = familiar.embed(texts, "python")
    assert vectors.dtype == numpy.float32 and vectors.flags.writeable
    assert numpy.array_equal(vectors, numpy.load(tmp_path / "vectors.npy"))
    assert numpy.array_equal(familiar.embed(iter(texts), ["python"] * 3), vectors)
    assert numpy.allclose(numpy.linalg.norm(vectors, axis=1), 1)
    empty = familiar.embed([], "python")
    assert empty.shape[0] == 0 and empty.ndim == 2


def test_no_texts_have_as_many_dimensions_as_others() -> None:
    one = familiar.embed(["x = 1"], "python", encoder="static")
    languages: tuple[str | list[str], ...] = ("python", [])
    for language in languages:
        none = familiar.embed([], language, encoder="static")
        assert none.shape == (0, one.shape[1])
        assert numpy.vstack([none, one]).shape == one.shape


def test_what_has_no_vector_is_told() -> None:
    with pytest.raises(familiar.UsageError, match="there are 1 languages for 2 texts"):
        familiar.embed([TOTAL, OTHER], ["python"])
    with pytest.raises(familiar.UsageError, match="there is no encoder bultin.*did you mean builtin"):
        familiar.embed([TOTAL], "python", encoder="bultin")
    for texts in (TOTAL, TOTAL.encode(), pandas.DataFrame({"code": [TOTAL]}), pyarrow.table({"code": [TOTAL]})):
        with pytest.raises(familiar.UsageError, match="texts are a list, or one column of a table"):
            familiar.embed(texts, "python")  # type: ignore[arg-type]
    assert numpy.array_equal(familiar.embed(pandas.Series([TOTAL]), "py3"), familiar.embed([TOTAL], "python"))
    with pytest.raises(familiar.FamiliarError, match="text 1: "):
        familiar.embed([TOTAL, BINARY], "python")


def test_duplicates_are_those_of_the_command_line(tmp_path: pathlib.Path) -> None:
    rows = tmp_path / "rows.jsonl"
    codes = [C, C.replace("// a square", "// another"), C.replace("a > 1", "a > 2"), "int x;"]
    table = pyarrow.table({"id": ["d", "c", "b", "a"], "code": codes, "lang": ["c"] * 4})
    rows.write_text("".join(json.dumps(row) + "\n" for row in table.to_pylist()))
    options: dict[str, Any] = {"set_jaccard": 0.5, "multiset_jaccard": 0.5}
    text = said("codenet", "duplicates", rows, "--set-jaccard=0.5", "--multiset-jaccard=0.5", "--format=csv")
    expected = list(csv.DictReader(text.splitlines()))
    assert len(expected) == 3
    columns: dict[str, Any] = {"column": "code", "id_column": "id"}
    for result in (
        familiar.duplicates(rows, **options),
        familiar.duplicates(table, language_column="lang", **columns, **options),
        familiar.duplicates(table, language="c", **columns, **options),
    ):
        assert [{key: str(value) for key, value in row.items()} for row in pyarrow.table(result).to_pylist()] == [
            {key: str(float(value)) if "jaccard" in key else value for key, value in row.items()} for row in expected
        ]
    near = familiar.duplicates(rows, **options)
    assert near.summary == {"samples": 4, "clusters": 1, "kept": 2}
    kept = said("codenet", "duplicates", rows, "--set-jaccard=0.5", "--multiset-jaccard=0.5", "--format=kept")
    assert near.kept == [json.loads(line)["id"] for line in kept.splitlines()] == ["d", "a"]
    assert near.clusters == [["d", "c", "b"]]
    with pytest.raises(familiar.InputError, match="`kept` has the ids"):
        _ = near.keep
    assert len(familiar.duplicates(codes, language="c", **options)) == 3
    with_null = pyarrow.table({"code": [None, *codes]})
    masked = pickle.loads(pickle.dumps(familiar.duplicates(with_null, column="code", language="c", **options)))
    assert masked.keep == [True, True, False, False, True]
    assert with_null.filter(pyarrow.array(masked.keep)).column("code").to_pylist() == [None, codes[0], codes[3]]
    with pytest.raises(familiar.UsageError, match="--set-jaccard 2: give a number above 0"):
        familiar.duplicates(codes, language="c", set_jaccard=2)


def test_a_column_of_code_needs_a_language(tmp_path: pathlib.Path) -> None:
    with pytest.raises(familiar.UsageError, match="give language="):
        familiar.duplicates(pandas.Series([C, C]))
    rows = tmp_path / "rows.jsonl"
    rows.write_text(json.dumps({"id": "a", "lang": "c", "code": C}) + "\n")
    assert familiar.duplicates(pandas.Series([str(rows)])).to_dicts() == []
