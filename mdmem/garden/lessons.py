"""Lessons from rejections: what a person rejected twice for the same reason is offered as a setting."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from mdmem.garden.gardeners.care import sentence
from mdmem.garden.verdicts import Judgement
from mdmem.store import config
from mdmem.store.config import editing
from mdmem.store.config.never import never_rule
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault

TIMES = 2  # so many rejections for one reason teach something
REASONS = {  # by the letter that is typed for it in a review
    "d": "they are different things",
    "l": "each entry of a log stands alone",
    "k": "it should stay as it is",
    "t": "it is still true",
}


class Lesson(NamedTuple):
    """A rule for `garden.never`, the reason that was given, and how often."""

    rule: str
    reason: str
    times: int

    @property
    def sentence(self) -> str:
        """The rule in words, such as `never merge notes tagged diary`."""
        rule = never_rule(self.rule)
        assert rule is not None
        return sentence(rule)


def reason_in(typed: str) -> str:
    """The reason that a person gave: one of REASONS by its letter, or their own words on one line."""
    words = " ".join(typed.split())
    return REASONS.get(words.lower(), words)


def lessons(kept: Iterable[Judgement], now: Collection[str], never: Collection[str]) -> Iterator[Sequence[Lesson]]:
    """For each gardener and reason that taught something: rules to choose from, the narrowest first.

    Only traits of proposals rejected just `now` (their ids) teach anything. A group one of whose rules is in
    `never` already is skipped.
    """
    groups: dict[tuple[str, str], list[Judgement]] = defaultdict(list)
    for one in {one.proposal: one for one in kept if not one.by}.values():
        if one.denies and one.why and one.gardener:
            groups[one.gardener, one.why.casefold()].append(one)
    for (gardener, _), rejections in sorted(groups.items()):
        found = list(_shared(gardener, rejections, now))
        if found and not any(lesson.rule in never for lesson in found):
            yield found


def _shared(gardener: str, rejections: Sequence[Judgement], now: Collection[str]) -> Iterator[Lesson]:
    """The traits that rejections for one reason have in common, as lessons."""
    fresh = [one for one in rejections if one.proposal in now]
    for trait in dict.fromkeys(trait for one in fresh for trait in one.traits):
        times = sum(trait in one.traits for one in rejections)
        if times >= TIMES and never_rule(f"{gardener}: {trait}"):
            yield Lesson(f"{gardener}: {trait}", fresh[-1].why, times)


def learn(vault: Vault, lesson: Lesson, caller: Caller) -> str:
    """Write a lesson into mdmem.toml; the commit's id. Raises UsageError if a person must edit that file."""
    reason = f"Rejected {lesson.times} times, as {lesson.reason}: {lesson.sentence}."
    operation = caller.does("revise", reason)._replace(names=("garden.never",))
    with vault.change(operation) as tx:
        data = editing.with_never(tx.read(config.FILE) or b"", lesson.rule)
        tx.write(config.FILE, data)
    vault.config = config.read(data)[0]
    return tx.commit
