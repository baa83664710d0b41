"""Chooses among alternatives, and tells the confidence in the choice.

The score of an alternative is the mean of its confidence, its success rate (0.5 if unknown) and its recency,
2^(-age / 30 days). The confidence in the choice is (best - second) / best, or the score itself if there is just
one alternative. If it is below CERTAIN, more should be found out first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from mdmem.note.memory import as_number

CERTAIN = 0.7
_UNKNOWN_RATE = 0.5
_MONTH = 30 * 86400.0  # seconds


class Alternative(NamedTuple):
    """One of several records to choose from: confidence and success rate are 0-1, the age is in seconds."""

    path: str
    confidence: float
    success_rate: float | None
    age: float

    @property
    def score(self) -> float:
        """The mean described above, 0-1."""
        rate = _UNKNOWN_RATE if self.success_rate is None else self.success_rate
        return float((self.confidence + rate + 2.0 ** (-self.age / _MONTH)) / 3)


class Choice(NamedTuple):
    """The alternatives, best first, the confidence in the first one (0-1), and whether it is below CERTAIN."""

    ranked: tuple[Alternative, ...]
    confidence: float
    needs_more: bool


def choose(alternatives: Iterable[Alternative]) -> Choice:
    """Choose among alternatives; equal scores are ordered by path. Without alternatives the confidence is 0."""
    ranked = tuple(sorted(alternatives, key=lambda one: (-one.score, one.path)))
    confidence = _confidence([one.score for one in ranked])
    return Choice(ranked, confidence, confidence < CERTAIN)


def _confidence(scores: list[float]) -> float:
    if not scores or not scores[0]:
        return 0.0
    return scores[0] if len(scores) == 1 else (scores[0] - scores[1]) / scores[0]


def success_rate(payload: Mapping[str, Any]) -> float | None:
    """The success rate (0-1) that a payload states, None if it states none."""
    performance, metrics = (_mapping(payload.get(name)) for name in ("performance", "metrics"))
    rate = as_number(performance.get("success_rate"))
    if rate is not None:
        return rate
    wins, losses = (as_number(performance.get(name)) or 0.0 for name in ("success_count", "failure_count"))
    if wins + losses > 0:
        return wins / (wins + losses)
    failures = as_number(metrics.get("failure_rate"))
    return None if failures is None else 1.0 - failures


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
