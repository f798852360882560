"""Corpora and licenses."""

from __future__ import annotations

import pathlib
import pickle
from collections.abc import Callable
from typing import Any

import familiar
import pyarrow
import pytest

from samples import TOTAL

Command = Callable[..., list[dict[str, Any]]]


@pytest.fixture
def corpus(tree: pathlib.Path) -> familiar.Corpus:
    corpus = familiar.Corpus(tree.parent / "corpus")
    done = corpus.add(tree)
    assert [row["blobs"] for row in done["added"]] == [3]
    return corpus


def test_find_has_the_rows_of_the_command_line(
    corpus: familiar.Corpus, tree: pathlib.Path, command: Command
) -> None:
    cases: list[tuple[dict[str, Any], list[object]]] = [
        ({}, []),
        ({"licenses": True}, ["--licenses"]),
        ({"min_lines": 1}, ["--min-lines", 1]),
    ]
    for options, words in cases:
        expected = command("find", tree, "--in", corpus.path, *words)
        result = corpus.find(tree, **options)
        assert result.to_dicts() == expected
        assert pyarrow.table(result).num_rows == len(expected) == 3
    one = corpus.find(tree / "two.py")
    assert one.to_dicts() == command("find", tree / "two.py", "--in", corpus.path)
    assert pyarrow.table(one).to_pylist()[0]["blobs"][0]["coverage"] == 1.0


def test_find_takes_code(corpus: familiar.Corpus) -> None:
    found = corpus.find(code=TOTAL, lang="python").to_dicts()
    assert found[0]["query"]["path"] == "-"
    assert found[0]["blobs"][0]["occurrences"][0]["path"] == "one.py"
    with pytest.raises(familiar.UsageError):
        corpus.find()


def test_clones_of_a_corpus(corpus: familiar.Corpus, command: Command) -> None:
    expected = command("clones", "--in", corpus.path, "--min-tokens", 30)
    assert corpus.clones(min_tokens=30).to_dicts() == expected
    assert len(expected) == 1
    assert len(corpus.clones(corpus, min_tokens=30)) > 0


def test_a_corpus_is_pickled(corpus: familiar.Corpus) -> None:
    again = pickle.loads(pickle.dumps(corpus))
    assert again == corpus and hash(again) == hash(corpus) and repr(again).startswith("familiar.Corpus(")


def test_what_is_missing_is_told(tmp_path: pathlib.Path) -> None:
    with pytest.raises(familiar.FamiliarError, match="nowhere"):
        familiar.Corpus(tmp_path / "corpus").add(tmp_path / "nowhere")
    (tmp_path / "broken").mkdir()
    with pytest.raises(familiar.CorpusError):
        familiar.Corpus(tmp_path / "broken").clones()


def test_licenses_have_the_rows_of_the_command_line(tree: pathlib.Path, command: Command) -> None:
    result = familiar.licenses(tree)
    assert result.to_dicts() == command("license", tree)
    assert pyarrow.table(result).column("expression").to_pylist().count("MIT") == 1
    with_text = familiar.licenses(tree, license_text=True)
    assert with_text.to_dicts() == command("license", tree, "--license-text")
    assert pyarrow.table(with_text).num_rows == len(with_text) == 3
    assert with_text.about["packages"] == []
