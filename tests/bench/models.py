"""What each sentence model that is installed costs, and which notes it finds near: on the labelled notes of dev.

    python -m tests.bench.models [minilm multilingual]

Processor time; the ranks are those of one note of a pair among the nearest of the other one, the better way round.
How well they recall is told by `python -m tests.bench.proof --model`.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from mdmem.recall import meaning
from mdmem.recall.models import sentence
from mdmem.recall.models.sentence import MODELS, Embedder, SentenceModel
from tests import garden_set
from tests.garden_set import Note

KINDS = ("twins", "conflicts", "lookalikes")
LANGUAGES = ("", "en", "de", "fr", "es")  # "" for all
AMONG = (1, 4, 10)


def resident() -> float:
    """Megabytes of memory that this process has."""
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


def measured(model: SentenceModel) -> Embedder:
    """The model, loaded; prints what that costs."""
    memory, start = resident(), time.process_time()
    loaded = model.load()
    loaded.embed(["What is the first question?"])
    took = time.process_time() - start
    print(f"{model.setting}: {took:.2f} s and {resident() - memory:.0f} MB to load and ask once")
    return loaded


def ranks(loaded: Embedder, notes: Sequence[Note]) -> Mapping[tuple[str, str], int]:
    """How many notes are nearer than another one, for each two."""
    import numpy as np

    start = time.process_time()
    matrix = loaded.embed([meaning.passages_of(note.memory)[0] for note in notes])
    print(f"  {(time.process_time() - start) * 1000 / len(notes):.1f} ms a note")
    likeness = matrix @ matrix.T
    np.fill_diagonal(likeness, -1)
    places = np.argsort(np.argsort(-likeness, axis=1, kind="stable"), axis=1, kind="stable")
    names = [note.name for note in notes]
    return {(one, two): int(places[at, to]) for at, one in enumerate(names) for to, two in enumerate(names)}


def rows(known: Mapping[tuple[str, str], int], notes: Sequence[Note]) -> Iterator[str]:
    """A line for each kind of pairs and each language of the first note."""
    labels = garden_set.labels("judgement")
    language = {note.name: note.lang for note in notes}
    for kind in KINDS:
        pairs = [sorted(garden_set.pair(label)) for label in labels[kind] if label["part"] == "dev"]
        for lang in LANGUAGES:
            near = [min(known[a, b], known[b, a]) for a, b in pairs if lang in ("", language[a])]
            shares = "  ".join(f"{sum(rank < most for rank in near) / len(near):.2f}" for most in AMONG)
            yield f"  {kind:11} {lang or 'all':4} {len(near):4}  {shares}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", help="settings; all that are installed if none is named")
    given = parser.parse_args()
    wanted = [sentence.chosen(name) for name in given.models] or [model for model in MODELS if model.is_installed]
    notes = [note for note in garden_set.notes("judgement") if note.part == "dev"]
    for model in filter(None, wanted):
        known = ranks(measured(model), notes)
        print(f"  pairs, and the share among the {', '.join(map(str, AMONG))} nearest:")
        print(*rows(known, notes), sep="\n")


if __name__ == "__main__":
    main()
