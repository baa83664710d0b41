"""Memory tests: do the questions of a file find the memories that answer them, and not those that must not?

One JSON object a line: {"question": ..., "gold": ["name.md", ...], "absent": [...], "k": 5}. `gold` are the
memories that answer it, `absent` those that must not be among the first `k`. Other keys are ignored.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import log2
from typing import Any, NamedTuple

from mdmem.errors import UsageError
from mdmem.note import memory
from mdmem.recall import order
from mdmem.recall.gather import RecallContext
from mdmem.store.index.port import Catalogue, IndexedNote
from mdmem.store.progress import Progress, silent

HITS, RECALLS, DEPTH = (1, 5, 10, 20), (5, 10, 20), 20
_K = 5


class EvalCase(NamedTuple):
    """One question of a file; `line` is the number of its line there (1-based)."""

    line: int
    question: str
    gold: tuple[str, ...]
    absent: tuple[str, ...] = ()
    k: int = _K


class Result(NamedTuple):
    """The result of a case: the `rank` of the first gold memory (0: not found), and the unwanted ones found.

    `ranked` are the names of all hits, best first; `unknown` are the gold names that no memory has.
    """

    case: EvalCase
    ranked: tuple[str, ...]
    rank: int
    unwanted: tuple[str, ...]
    unknown: tuple[str, ...]
    scores: Mapping[str, float]

    @property
    def found(self) -> tuple[str, ...]:
        """The names of the first k."""
        return self.ranked[: self.case.k]

    @property
    def passed(self) -> bool:
        """Whether a gold memory is among the first k, and no unwanted one."""
        return (not self.case.gold or 0 < self.rank <= self.case.k) and not self.unwanted


def read(lines: Iterable[str], source: str) -> list[EvalCase]:
    """The cases of a file. Raises UsageError, naming file and line, for a line that is not a case."""
    cases = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            cases.append(_case(line, f"{source}:{number}", number))
    if not cases:
        raise UsageError(
            f"{source} holds no questions", 'write lines like {"question": "...", "gold": ["name.md"]}'
        )
    return cases


def evaluate(
    catalogue: Catalogue,
    cases: Sequence[EvalCase],
    around: RecallContext,
    progress: Progress = silent,
) -> Iterator[Result]:
    """Ask every question. How often memories were opened is ignored, so that two runs agree."""
    around = around._replace(opened={})
    for done, case in enumerate(cases, 1):
        hits = order.recall(catalogue, [case.question], around, max(DEPTH, case.k))
        yield _result(catalogue, case, [hit.record for hit in hits])
        progress(done, len(cases))


def means(results: Sequence[Result]) -> dict[str, float]:
    """hit@1/5/10/20, recall@5/10/20, MRR and nDCG@10 (binary gains), over the cases that have gold."""
    scored = [result.scores for result in results if result.case.gold]
    return {name: sum(row[name] for row in scored) / len(scored) for name in scored[0]} if scored else {}


def _case(line: str, place: str, number: int) -> EvalCase:
    try:
        line.encode()
        found = json.loads(line)
        json.dumps(found, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise UsageError(f"{place}: not UTF-8, or half of a surrogate pair", "save the file as UTF-8") from None
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{place}: not JSON: {error}", "one object a line") from None
    if not isinstance(found, dict) or not isinstance(found.get("question"), str):
        raise UsageError(f'{place}: there is no "question"', 'write {"question": "...", "gold": ["name.md"]}')
    gold, absent = _names(found, "gold", place), _names(found, "absent", place)
    if not gold and not absent:
        raise UsageError(f'{place}: neither "gold" nor "absent" names a memory', 'add "gold": ["name.md"]')
    k = found.get("k", _K)
    if isinstance(k, bool) or not isinstance(k, int) or k < 1:
        raise UsageError(f'{place}: "k" must be a whole number of at least 1', "leave it out for 5")
    return EvalCase(number, found["question"], gold, absent, k)


def _names(found: dict[str, Any], key: str, place: str) -> tuple[str, ...]:
    names = found.get(key, [])
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise UsageError(f'{place}: "{key}" must be a list of names', f'write "{key}": ["name.md"]')
    return tuple(dict.fromkeys(names))


def _result(catalogue: Catalogue, case: EvalCase, records: Sequence[IndexedNote]) -> Result:
    ranks = {record.path: rank for rank, record in enumerate(records, 1)}
    meant = {name: _paths(catalogue, name) for name in (*case.gold, *case.absent)}
    best = {
        name: min((ranks[path] for path in paths if path in ranks), default=0) for name, paths in meant.items()
    }
    places = sorted(best[name] for name in case.gold if best[name])
    return Result(
        case=case,
        ranked=tuple(record.name for record in records),
        rank=places[0] if places else 0,
        unwanted=tuple(name for name in case.absent if 0 < best[name] <= case.k),
        unknown=tuple(name for name in case.gold if not meant[name]),
        scores=scores(places, len(case.gold)),
    )


def _paths(catalogue: Catalogue, name: str) -> set[str]:
    """The paths of the memories that a name or a path means."""
    record = catalogue.record(name)
    named = [] if "/" in name else catalogue.named(memory.stem(name))
    return {each.path for each in (*([record] if record else []), *named)}


def scores(places: Sequence[int], gold: int) -> dict[str, float]:
    """The metrics of one answer: `places` are the sorted ranks of the gold memories found, of `gold` in all."""
    ideal = sum(1 / log2(rank + 1) for rank in range(1, min(10, gold) + 1))
    gain = sum(1 / log2(rank + 1) for rank in places if rank <= 10)
    first = places[0] if places else 0
    return {
        **{f"hit@{k}": float(0 < first <= k) for k in HITS},
        **{f"recall@{k}": sum(rank <= k for rank in places) / gold if gold else 0.0 for k in RECALLS},
        "MRR": 1 / first if first else 0.0,
        "nDCG@10": gain / ideal if ideal else 0.0,
    }
