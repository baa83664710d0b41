"""Recall on conversations in short notes (LoCoMo) and on chats in long ones (BEAM), and what each signal earns.

    python -m tests.bench.recall_sets SET ... [--ablate] [--weight NAME=VALUE ...]

Each SET is a folder that `../shared/eval/make_vault.py` made (`vault` and `queries.jsonl`), or one of many such
folders, as `../shared/eval/beam.py` makes. Prints for each how many questions have one of the right notes among
the first five (hit@5), what share of the right notes is among the first ten (recall@10), and, of the questions
about a contradiction or an update, for how many both sides are there. With --ablate the same with each signal
switched off in turn, so that one that does not gain on two unlike sets can go.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from mdmem.index.catalogue import SqliteCatalogue
from mdmem.note import memory
from mdmem.recall import order, score
from mdmem.recall.gather import RecallContext

_NOW = datetime(2026, 1, 1, tzinfo=UTC)
_MOST = 20


class Asked(NamedTuple):
    """A question and the names of the notes that answer it, in groups of which each is one side."""

    question: str
    groups: Sequence[frozenset[str]]

    @property
    def gold(self) -> frozenset[str]:
        """All right notes."""
        return frozenset().union(*self.groups)


class Scores(NamedTuple):
    """Shares of 0-1; `both` is None if no question has two sides."""

    hit5: float
    recall10: float
    both: float | None

    def __str__(self) -> str:
        both = f" {self.both:.3f}" if self.both is not None else ""
        return f"{self.hit5:.3f} {self.recall10:.3f}{both}"


class Vault(NamedTuple):
    """An index in memory, and what is asked of it."""

    catalogue: SqliteCatalogue
    asked: Sequence[Asked]


def opened(folder: Path) -> Vault:
    """The vault of one folder."""
    catalogue = SqliteCatalogue.in_memory()
    for path in sorted((folder / "vault").glob("*.md")):
        catalogue.insert(memory.parse(path.read_bytes(), f"allmemories/{path.name}"), "", "")
    rows = map(json.loads, (folder / "queries.jsonl").read_text(encoding="utf-8").splitlines())
    asked = [
        Asked(row["question"], [frozenset(some) for some in row.get("groups", [row["gold"]])]) for row in rows
    ]
    return Vault(catalogue, asked)


def _asked(row: dict[str, Any]) -> Asked:
    return Asked(row["question"], [frozenset(side) for side in row.get("groups", [row["gold"]])])


def vaults(folder: Path) -> Iterator[Vault]:
    """The vault of a folder, or those of the folders in it."""
    if (folder / "queries.jsonl").exists():
        yield opened(folder)
    else:
        yield from (opened(one) for one in sorted(folder.iterdir()) if (one / "queries.jsonl").exists())


def scores(opened_vaults: Sequence[Vault]) -> Scores:
    """The scores of all questions of some vaults."""
    hits, recalls, both = [], [], []
    for vault in opened_vaults:
        for asked in vault.asked:
            found = order.recall(vault.catalogue, [asked.question], RecallContext(_NOW), _MOST)
            ranked = [hit.record.path.rpartition("/")[2] for hit in found]
            hits.append(not asked.gold.isdisjoint(ranked[:5]))
            recalls.append(len(asked.gold.intersection(ranked[:10])) / len(asked.gold))
            if len(asked.groups) > 1:
                both.append(all(not side.isdisjoint(ranked[:10]) for side in asked.groups))
    return Scores(_mean(hits), _mean(recalls), _mean(both) if both else None)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def main() -> None:
    """Print the scores of each set, with --ablate also those without each signal."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="+", type=Path)
    parser.add_argument("--ablate", action="store_true")
    parser.add_argument("--weight", action="append", default=[], metavar="NAME=VALUE")
    given = parser.parse_args()
    for changed in given.weight:
        name, _, value = changed.partition("=")
        score.WEIGHTS[name] = float(value)
    sets = {folder.name: list(vaults(folder)) for folder in given.sets}
    print("".ljust(12), " | ".join(sets))
    print("as it is".ljust(12), " | ".join(str(scores(one)) for one in sets.values()), flush=True)
    for name, weight in list(score.WEIGHTS.items()) if given.ablate else ():
        score.WEIGHTS[name] = 0.0
        print(f"no {name}".ljust(12), " | ".join(str(scores(one)) for one in sets.values()), flush=True)
        score.WEIGHTS[name] = weight


if __name__ == "__main__":
    main()
