"""Short questions as people type them, in four languages, over the `dev` notes of the second labelled set.

    python -m tests.recall_set

prints hit@1 and hit@5 by language and half; tests/data/README.md says how the questions were written.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import product
from typing import Any

from mdmem.recall import evaluate
from mdmem.recall.evaluate import EvalCase, Result
from mdmem.recall.gather import RecallContext
from mdmem.store.index.catalogue import SqliteCatalogue
from tests import garden_set

Asked = Mapping[str, Any]
LANGUAGES, PARTS = ("en", "de", "fr", "es"), ("dev", "held")


def questions() -> list[Asked]:
    """Each with its language, part, subject, and the names of the notes that answer it."""
    lines = (garden_set.DATA / "recall_questions.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


@contextmanager
def filled() -> Iterator[SqliteCatalogue]:
    """A catalogue of the notes that are asked for."""
    catalogue = SqliteCatalogue.in_memory()
    for note in garden_set.notes("judgement"):
        if note.part == "dev":
            catalogue.insert(note.memory, "", "")
    yield catalogue
    catalogue.close()


def results(catalogue: SqliteCatalogue, asked: Iterable[Asked]) -> list[Result]:
    """What came of each question; any note of its gold answers it."""
    cases = [EvalCase(at, each["question"], tuple(each["gold"])) for at, each in enumerate(asked, 1)]
    return list(evaluate.evaluate(catalogue, cases, RecallContext(garden_set.TODAY)))


def main() -> None:
    with filled() as catalogue:
        for lang, part in product(LANGUAGES, PARTS):
            asked = [each for each in questions() if (each["lang"], each["part"]) == (lang, part)]
            means = evaluate.means(results(catalogue, asked))
            print(f"{lang} {part:5} {len(asked):3}  hit@1 {means['hit@1']:.3f}  hit@5 {means['hit@5']:.3f}")


if __name__ == "__main__":
    main()
