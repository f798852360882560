#!/usr/bin/env python3
"""Holds `familiar codenet duplicates --format kept` beside datatrove, which cleans training sets by MinHash: the time of each, how
many rows stay, how many near-duplicates are left among them, and how many rows went although none of their near-duplicates stays.

    python3 benches/kept_rows.py --familiar target/release/familiar --data rows.jsonl [--set-jaccard 0.8] [--runs 3]

DATA is JSON lines with id, lang and code. All take the tokens that `familiar tokens` writes. Two rows are near-duplicates if the
Jaccard index of their sets of tokens reaches the threshold. The answer is computed by comparing all sets with all, which uses no
code of Familiar. datatrove gets a file with the tokens and runs its four steps (signatures, buckets, clusters, filter) with its
own 14 buckets of 8 hashes, as one task; nothing is normalized. It compares single tokens, which are the same sets, and its own five
in a row, which are not. Familiar reads the file and lexes the code, and that counts.

Each method runs in a process of its own, in turns. The figures are medians; CPU is user and system time. Needs numpy, scipy and
datatrove (0.10.1 needs xxhash below 4). Prints a Markdown table.
"""

import argparse
import json
import statistics
import subprocess
import tempfile
from pathlib import Path

from near_duplicates import Pairs, exhaustive, measured, token_lists

SEPARATOR = "\x1f"


def ids_of(rows: str) -> set[str]:
    # Code may hold what Python takes for the end of a line.
    return {json.loads(row)["id"] for row in rows.split("\n") if row}


def by_command(data: Path, threshold: float, program: Path) -> set[str]:
    words = [program, "codenet", "duplicates", data, f"--set-jaccard={threshold}", "--multiset-jaccard=0", "--format=kept"]
    done = subprocess.run(words, check=True, capture_output=True, text=True)
    return ids_of(done.stdout)


def by_datatrove(rows: Path, in_a_row: int) -> set[str]:
    from datatrove.executor import LocalPipelineExecutor
    from datatrove.pipeline.dedup import MinhashDedupBuckets, MinhashDedupCluster, MinhashDedupFilter, MinhashDedupSignature
    from datatrove.pipeline.dedup.minhash import MinhashConfig
    from datatrove.pipeline.readers import JsonlReader
    from datatrove.pipeline.writers import JsonlWriter
    from datatrove.utils.text import TextNormConfig
    from datatrove.utils.word_tokenizers import WordTokenizer

    class Tokens(WordTokenizer):
        def word_tokenize(self, text: str) -> list[str]:
            return text.split(SEPARATOR)

        def sent_tokenize(self, text: str) -> list[str]:
            return [text]

        def span_tokenize(self, text: str) -> list[tuple[int, int]]:
            return [(0, len(text))]

    as_it_is = TextNormConfig(
        lowercase=False, norm_whitespace=False, remove_punctuation=False, norm_unicode_diacritics=False,
        norm_numbers=False, norm_weekdays=False, norm_monthnames=False,
    )
    config = MinhashConfig(n_grams=in_a_row, norm_config=as_it_is)
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)

        def step(number: int, pipeline: list, tasks: int = 1) -> None:
            LocalPipelineExecutor(pipeline, tasks=tasks, workers=1, logging_dir=str(work / f"log{number}")).run()

        def reader() -> JsonlReader:
            return JsonlReader(str(rows.parent), glob_pattern=rows.name)

        at = lambda folder: str(work / folder)
        step(1, [reader(), MinhashDedupSignature(at("signatures"), config, Tokens())])
        step(2, [MinhashDedupBuckets(at("signatures"), at("buckets"), config=config)], config.num_buckets)
        step(3, [MinhashDedupCluster(at("buckets"), at("removed"), config)])
        step(4, [reader(), MinhashDedupFilter(at("removed")), JsonlWriter(at("kept"), "${rank}.jsonl", compression=None)])
        return ids_of("".join(file.read_text() for file in Path(at("kept")).glob("*.jsonl")))


def judged(kept: set[str], ids: list[str], pairs: Pairs) -> tuple[int, int, int]:
    """Rows that stay, near-duplicates among them, and rows that went without one that stays."""
    stays = [name in kept for name in ids]
    left = sum(stays[one] and stays[other] for one, other in pairs)
    has = {row for pair in pairs for row, partner in (pair, pair[::-1]) if stays[partner]}
    lost = sum(not stays[row] and row not in has for row in range(len(ids)))
    return sum(stays), left, lost


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--familiar", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--set-jaccard", type=float, default=0.8)
    parser.add_argument("--runs", type=int, default=3)
    given = parser.parse_args()
    ids = [json.loads(line)["id"] for line in given.data.open()]
    tokens = token_lists(given.familiar, given.data)
    pairs = exhaustive([sorted(set(row)) for row in tokens], given.set_jaccard)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "tokens.jsonl"
        rows = ({"id": name, "text": SEPARATOR.join(row)} for name, row in zip(ids, tokens, strict=True))
        file.write_text("".join(json.dumps(row) + "\n" for row in rows))
        methods = {
            "`familiar codenet duplicates`": (by_command, given.data, given.set_jaccard, given.familiar),
            "datatrove, tokens": (by_datatrove, file, 1),
            "datatrove, five tokens in a row": (by_datatrove, file, 5),
        }
        runs = [{name: measured(work, *rest) for name, (work, *rest) in methods.items()} for _ in range(given.runs)]
    print(f"{len(ids)} rows, {len(pairs)} pairs at or above {given.set_jaccard}\n")
    print("| method | seconds | CPU seconds | rows that stay | near-duplicates left | rows lost |")
    print("|---|--:|--:|--:|--:|--:|")
    for name in methods:
        seconds, cpu = (statistics.median(run[name][at] for run in runs) for at in (1, 2))
        stay, left, lost = judged(runs[0][name][0], ids, pairs)
        print(f"| {name} | {seconds:.2f} | {cpu:.2f} | {stay} | {left} | {lost} |")


if __name__ == "__main__":
    main()
