"""Processes that are killed, and several that work on one corpus."""

from __future__ import annotations

import multiprocessing
import pathlib
import signal
import subprocess
import sys
import textwrap
import time

import familiar
import pytest

from samples import TOTAL
from test_work import large_tree


def small_corpus(folder: pathlib.Path) -> tuple[familiar.Corpus, pathlib.Path]:
    """A corpus of one file, and that file."""
    small = folder / "small"
    small.mkdir()
    (small / "a.py").write_text(TOTAL)
    corpus = familiar.Corpus(folder / "corpus")
    corpus.add(small)
    return corpus, small / "a.py"


ADD = """
    import sys, familiar
    def tell(stage, done, total):
        print(stage, flush=True)
    try:
        familiar.Corpus(sys.argv[1]).add(sys.argv[2], progress=tell)
    except KeyboardInterrupt:
        print("stopped", flush=True)
"""


def adding(corpus: familiar.Corpus, source: pathlib.Path) -> subprocess.Popen[str]:
    """Another process that adds, and has begun."""
    words = [sys.executable, "-c", textwrap.dedent(ADD), corpus.path, str(source)]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline() != ""
    return process


@pytest.mark.parametrize("with_signal", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_a_process_that_is_killed_while_it_adds_leaves_the_corpus_as_it_was(
    tmp_path: pathlib.Path, with_signal: signal.Signals
) -> None:
    corpus, file = small_corpus(tmp_path)
    (tmp_path / "large").mkdir()
    large = large_tree(tmp_path / "large")
    before = (tmp_path / "corpus" / "manifest.json").read_bytes()
    with adding(corpus, large) as process:
        # At once, since an optimized build is soon done.
        process.send_signal(with_signal)
        process.communicate()
    assert (tmp_path / "corpus" / "manifest.json").read_bytes() == before
    assert len(corpus.find(file)) == 1
    # The next writer finds it free, and clears up.
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "b.py").write_text(TOTAL.replace("total", "sum_up"))
    assert corpus.add(tmp_path / "more")["added"][0]["blobs"] == 1
    found = corpus.find(file).to_dicts()[0]
    assert len(found["blobs"]) == 2


def test_of_two_processes_that_write_one_corpus_the_second_is_told_so(tmp_path: pathlib.Path) -> None:
    corpus, file = small_corpus(tmp_path)
    (tmp_path / "large").mkdir()
    large = large_tree(tmp_path / "large")
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "b.py").write_text(TOTAL.replace("total", "sum_up"))
    with adding(corpus, large) as process:
        # It writes once it has read something.
        deadline = time.monotonic() + 60
        while process.poll() is None and time.monotonic() < deadline:
            try:
                corpus.add(tmp_path / "more")
            except familiar.FamiliarError as error:
                assert "another process" in str(error)
                break
        else:
            pytest.fail("the first writer was never in the way")
        # Who reads is not held up.
        assert len(corpus.find(file)) == 1
        process.kill()
        process.communicate()
    corpus.add(tmp_path / "more")
    assert len(corpus.find(file).to_dicts()[0]["blobs"]) == 2


def _found(corpus: familiar.Corpus) -> int:
    return len(corpus.find(code=TOTAL, lang="python").to_dicts()[0]["blobs"])


def test_several_processes_read_one_corpus(tmp_path: pathlib.Path) -> None:
    corpus, _ = small_corpus(tmp_path)
    assert _found(corpus) == 1
    with multiprocessing.get_context("fork").Pool(3) as pool:
        assert pool.map_async(_found, [corpus] * 6).get(timeout=60) == [1] * 6
