"""Evaluations, attacks, new programs, and the step of scikit-learn."""

from __future__ import annotations

import json
import pathlib
import pickle
import signal
import subprocess
import sys
import textwrap
import time
from typing import Any

import familiar
import numpy
import pandas
import polars
import pyarrow
import pytest

from samples import OTHER, RENAMED, TOTAL
from test_represent import said

PAIRS = [
    {"code1": TOTAL, "code2": RENAMED, "lang1": "python", "lang2": "python", "label": 1, "type": 2},
    {"code1": TOTAL, "code2": OTHER, "lang1": "python", "lang2": "python", "label": 0, "type": 4},
]
SUM = "def f(items):\n    total = 0\n    for item in items:\n        total += item\n    return total\n"
COUNT = "def g(text):\n    found = 0\n    for letter in text:\n        if letter == 'a':\n            found += 1\n    return found\n"
PROGRAMS = [
    {"id": name, "problem_id": name, "lang": "python", "code": code} for name, code in (("sum", SUM), ("count", COUNT))
]


def write(folder: pathlib.Path, rows: list[dict[str, Any]]) -> pathlib.Path:
    file = folder / "rows.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return file


def rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: rounded(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [rounded(inner) for inner in value]
    return round(value, 9) if isinstance(value, float) else value


def overlap(pairs: list[dict[str, str]]) -> list[float]:
    """The Jaccard index of words: a detector that a change of names fools."""
    words = [(set(pair["code1"].split()), set(pair["code2"].split())) for pair in pairs]
    return [len(left & right) / len(left | right) for left, right in words]


def test_pairs_are_those_of_the_command_line(tmp_path: pathlib.Path) -> None:
    file = write(tmp_path, PAIRS)
    expected = json.loads(said("evaluate", "pairs", file, "--measure=token-overlap", "--format=json"))
    assert expected["recall"] is not None
    tables = (pyarrow.table({key: [row[key] for row in PAIRS] for key in PAIRS[0]}), polars.DataFrame(PAIRS))
    for data in (file, str(file), PAIRS, *tables, pandas.DataFrame(PAIRS)):
        assert familiar.evaluate.pairs(data, measure="token-overlap") == expected
    binary = tables[0].set_column(0, "code1", tables[0].column("code1").cast(pyarrow.binary()))
    assert familiar.evaluate.pairs(binary, measure="token-overlap") == expected


def test_rows_with_missing_values_and_numbers_of_numpy_count() -> None:
    expected = familiar.evaluate.pairs(PAIRS, measure="token-overlap")
    changes: tuple[dict[str, Any], ...] = (
        {"score": float("nan")},
        {"conflict": numpy.float32("nan"), "group": None},
        {"score": pandas.NA, "seen": numpy.int64(3), "ids": numpy.array([1, 2])},
    )
    for changed in changes:
        rows = [{**row, "label": numpy.int64(str(row["label"])), **changed} for row in PAIRS]
        assert familiar.evaluate.pairs(rows, measure="token-overlap") == expected
    with pytest.raises(familiar.InputError, match="row 0 cannot be written as JSON"):
        familiar.evaluate.pairs([{**PAIRS[0], "scores": [float("inf")]}])


def test_pairs_of_fragments() -> None:
    fragments = [{"id": number, "lang": "python", "code": code} for number, code in enumerate((TOTAL, RENAMED, OTHER))]
    rows = [{"id1": 0, "id2": 1, "label": 1}, {"id1": 0, "id2": 2, "label": 0}]
    result = familiar.evaluate.pairs(rows, fragments=polars.DataFrame(fragments), measure="aligned")
    assert (result["recall"], result["false_positive_rate"]) == (1.0, 0.0)


def test_retrieval_is_that_of_the_command_line(tmp_path: pathlib.Path) -> None:
    rows = [{"problem_id": n // 2, "lang": "python", "code": code} for n, code in enumerate((TOTAL, RENAMED, OTHER, SUM))]
    file = write(tmp_path, rows)
    for encoder in ("builtin", "static"):
        expected = json.loads(said("evaluate", "retrieval", file, "--encoder", encoder, "--format=json"))
        assert familiar.evaluate.retrieval(rows, encoder=encoder) == expected


def test_data_that_cannot_be_used(tmp_path: pathlib.Path) -> None:
    with pytest.raises(familiar.InputError, match="nowhere"):
        familiar.evaluate.pairs("nowhere.jsonl")
    with pytest.raises(familiar.InputError, match="row 1 is no dictionary: it is str"):
        familiar.evaluate.pairs([PAIRS[0], "text"])
    with pytest.raises(familiar.InputError, match="row 0 cannot be written as JSON"):
        familiar.evaluate.pairs([{"code1": object()}])
    with pytest.raises(familiar.InputError, match="this is int"):
        familiar.evaluate.pairs(3)
    with pytest.raises(familiar.InputError, match="contains no usable pair"):
        familiar.evaluate.pairs([])
    with pytest.raises(familiar.UsageError, match="--similarity 2 is out of range"):
        familiar.evaluate.pairs(PAIRS, similarity=2)
    with pytest.raises(familiar.InputError, match="contains no query that can be answered"):
        familiar.evaluate.retrieval(PROGRAMS)


def test_a_function_is_attacked_as_a_command_is(tmp_path: pathlib.Path) -> None:
    program = tmp_path / "detector.py"
    program.write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    words = [(set(p['code1'].split()), set(p['code2'].split())) for p in json.loads(line)['pairs']]\n"
        "    print(json.dumps({'scores': [len(a & b) / len(a | b) for a, b in words]}), flush=True)\n"
    )
    options: dict[str, Any] = {"set": "orig-4", "steps": 2, "beam": 2}
    by_command = familiar.attack(PROGRAMS, detector=f"command:{sys.executable} {program}", **options)
    by_function = familiar.attack(PROGRAMS, detector=overlap, **options)
    assert by_function.pop("detector") == "function:overlap"
    del by_command["detector"]
    # The command is sent numbers as text.
    for result in (by_function, by_command):
        for key in ("pairs", "by_step", "by_transformation", "worst_case_distance"):
            result[key] = rounded(result[key])
    assert by_function == by_command and by_function["programs"] == 2
    assert by_function["worst_case_distance"]["mean"] > 0.2
    file = write(tmp_path, PROGRAMS)
    words = ["--detector=token-overlap", "--set=orig-4", "--steps=2", "--beam=2", "--format=json"]
    assert familiar.attack(file, detector="token-overlap", **options) == json.loads(said("attack", file, *words))


def test_numbers_of_numpy_are_scores() -> None:
    def scores(pairs: list[dict[str, str]]) -> Any:
        return numpy.array(overlap(pairs), dtype=numpy.float32)

    assert familiar.attack(PROGRAMS, detector=scores, set="orig-4", steps=1)["programs"] == 2


def test_what_a_function_raises_is_raised() -> None:
    def broken(pairs: list[dict[str, str]]) -> list[float]:
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        familiar.attack(PROGRAMS, detector=broken, set="orig-4", steps=1)
    with pytest.raises(ZeroDivisionError, match="mine"):
        familiar.evaluate.robustness(PROGRAMS, detector=broken, set="orig-4", steps=1)
    with pytest.raises(familiar.FamiliarError, match="0 scores for [0-9]+ pairs"):
        familiar.attack(PROGRAMS[:1], detector=lambda pairs: [], set="orig-4", steps=1)
    with pytest.raises(familiar.FamiliarError, match="2 is not a number from 0 to 1"):
        familiar.attack(PROGRAMS, detector=lambda pairs: [2.0] * len(pairs), set="orig-4", steps=1)
    with pytest.raises(familiar.FamiliarError, match="bultin is neither a measure .*did you mean builtin"):
        familiar.attack(PROGRAMS, detector="bultin")


def test_robustness_of_functions_and_names(tmp_path: pathlib.Path) -> None:
    options: dict[str, Any] = {"set": ["orig-4", "classics"], "steps": 1, "beam": 1}
    result = familiar.evaluate.robustness(PROGRAMS, detector=[overlap, "token-overlap"], **options)
    assert [row["detector"] for row in result["results"]] == ["function:overlap"] * 2 + ["token-overlap"] * 2
    words = ["--detector=token-overlap", "--set=orig-4", "--set=classics", "--steps=1", "--beam=1", "--format=json"]
    expected = json.loads(said("evaluate", "robustness", write(tmp_path, PROGRAMS), *words))
    assert result["results"][2:] == expected["results"]


def test_ctrl_c_ends_an_attack_on_a_function() -> None:
    program = """
        import time, familiar
        def slow(pairs):
            print("asked", flush=True)
            time.sleep(0.1)
            return [0.5] * len(pairs)
        rows = [{"id": n, "lang": "python", "code": f"def f(x):\\n    y = x + {n}\\n    return y\\n"} for n in range(100)]
        try:
            familiar.attack(rows, detector=slow, set="all")
        except KeyboardInterrupt:
            print("stopped", flush=True)
    """
    words = [sys.executable, "-c", textwrap.dedent(program)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "asked\n"
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        assert process.stdout.read().splitlines()[-1] == "stopped"
    assert process.returncode == 0


@pytest.mark.skipif(not pathlib.Path("/proc/self/task").exists(), reason="threads are listed by Linux alone")
@pytest.mark.parametrize("call", ["pairs(rows, draw=40000, encoder='builtin')", "retrieval(rows, encoder='builtin')"])
def test_ctrl_c_ends_an_evaluation_and_its_threads(call: str) -> None:
    program = f"""
        import pathlib, time, familiar
        body = "".join(f"    x{{n}} = f(x, {{n}})\\n" for n in range(60))
        rows = [{{"problem_id": n // 4, "lang": "python", "code": f"def f(x):\\n    y = {{n}}\\n{{body}}"}} for n in range(20000)]
        print("begin", flush=True)
        try:
            familiar.evaluate.{call}
        except KeyboardInterrupt:
            print("stopped", flush=True)
        def works():
            try:
                tasks = pathlib.Path("/proc/self/task").iterdir()
                return "familiar" in [task.joinpath("comm").read_text().strip() for task in tasks]
            except OSError:
                return True  # a thread has just ended
        while works():
            time.sleep(0.05)
        print("ended", flush=True)
    """
    words = [sys.executable, "-c", textwrap.dedent(program)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begin\n"
        time.sleep(2.0)
        assert process.poll() is None, "the work is too short for this test"
        process.send_signal(signal.SIGINT)
        assert process.stdout.read() == "stopped\nended\n"
    assert process.returncode == 0


def test_new_programs_are_those_of_the_command_line(tmp_path: pathlib.Path) -> None:
    rows = [{key: row[key] for key in ("id", "lang", "code")} for row in PROGRAMS]
    file = write(tmp_path, rows)
    lines = said("transform", file, "--set", "orig-4", "--format", "ndjson").splitlines()
    expected = [json.loads(line) for line in lines]
    result = familiar.transform(file, set="orig-4")
    assert result.to_dicts() == expected != []
    frame = polars.DataFrame(rows)
    by_column = familiar.transform(frame, column="code", id_column="id", language_column="lang", set="orig-4")
    assert by_column.to_dicts() == expected
    table = pyarrow.table(result)
    assert table.column("code").to_pylist() == [row["code"] for row in expected]
    assert table.column("steps").to_pylist() == [row["steps"] for row in expected]
    nothing = familiar.transform(["x"], language="python", with_="for-while")
    assert len(nothing) == 0 and [skip["path"] for skip in nothing.skipped] == ["0"]
    with pytest.raises(familiar.FamiliarError, match="name transformations with --with or --set"):
        familiar.transform(file)


def test_an_encoder_is_a_step_of_scikit_learn() -> None:
    encoder = familiar.Encoder("python", encoder="static")
    assert numpy.array_equal(encoder.transform([TOTAL]), familiar.embed([TOTAL], "python", encoder="static"))
    assert pickle.loads(pickle.dumps(encoder)).get_params() == encoder.get_params()
    assert encoder.set_params(threads=1).threads == 1
    with pytest.raises(familiar.UsageError, match="Encoder has no parameter speed; it has language, encoder, threads"):
        encoder.set_params(speed=1)
    sklearn = pytest.importorskip("sklearn")
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    copy = sklearn.base.clone(encoder)
    assert copy is not encoder and copy.get_params() == encoder.get_params()
    model = make_pipeline(copy, LogisticRegression()).fit([TOTAL, OTHER], ["sum", "square"])
    assert model.predict([RENAMED]).tolist() == ["sum"]
