"""What a person is shown of proposals, and in which order: first what they would care about most.

What gardeners never propose in a vault is the `garden.never` of mdmem.toml, such as `twins: tag diary`. What a
person rejected twice for the same reason is offered as such a rule.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from posixpath import dirname
from typing import Any, NamedTuple

from mdmem.garden.gardeners.note import Note
from mdmem.garden.gardeners.proposal import Proposal, Withheld
from mdmem.garden.verdicts import Judgement
from mdmem.note import tsv
from mdmem.store import config
from mdmem.store.config import editing
from mdmem.store.config.never import NeverRule, never_rule
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault

_CONFLICTS = ("conflicts", "facts")  # gardeners that find contradictions


def described(proposals: Iterable[Proposal], notes: Mapping[str, Note], memories: str) -> Iterator[Proposal]:
    """The proposals, each with how much a person would care, and the traits of its notes (by path)."""
    for one in proposals:
        told = about(one, notes)
        is_active, is_pinned = all(note.is_active for note in told), any(note.is_pinned for note in told)
        care = not is_active, not is_pinned, -max((note.used for note in told), default=0)
        yield one._replace(care=care, traits=traits(told, memories))


def about(one: Proposal, notes: Mapping[str, Note]) -> list[Note]:
    """The notes (by path) that a proposal is about: those it names, else those of its evidence or its edits."""
    paths = notes.keys() & (one.about or {why.path for why in one.evidence}) or notes.keys() & {*one.paths}
    return [notes[path] for path in sorted(paths)]


def order(one: Proposal) -> tuple[Any, ...]:
    """A sort key for the order in which a person should see proposals.

    Conflicts come first, then proposals about active memories only, about a pinned one, about one that was used
    more often, and then the surer ones.
    """
    return one.gardener not in _CONFLICTS, *one.care, -one.confidence, one.gardener, one.title, one.id


# -- garden.never --------------------------------------------------------------------------------------------

_PLAIN = ("type ", "type note", "type fact", "folder ")  # traits of most notes, which say nothing about a note


def sentence(rule: NeverRule) -> str:
    """A rule in words, such as `never merge notes tagged diary`."""
    words = dict(tsv.rows(__file__, "never.tsv", 2))
    return f"never {words[rule.gardener]} {words[rule.trait].format(rule.value)}"


def traits(about: Sequence[Note], memories: str) -> tuple[str, ...]:
    """What all notes of a proposal have in common, the narrowest first, each as a rule would name it.

    `memories` is the folder of all memories, which says nothing about a note.
    """
    names = [f"notes {', '.join(sorted(note.name for note in about))}"] if len(about) == 2 else []
    first, *others = map(_traits_of, about) if about else [[]]
    shared = (one for one in first if all(one in other for other in others))
    return (*names, *(one for one in shared if one not in (*_PLAIN, f"folder {memories}")))


def _traits_of(note: Note) -> list[str]:
    tags = [f"tag {tag}" for tag in note.tags]
    return [*tags, f"type {note.text('type')}", f"folder {dirname(note.path)}"]


def parted(
    proposals: Iterable[Proposal], notes: Mapping[str, Note], rules: Iterable[str]
) -> tuple[tuple[Proposal, ...], tuple[Withheld, ...]]:
    """The proposals that the rules allow, and those that one forbids, each with the first such rule."""
    parsed = [(text, rule) for text in rules if (rule := never_rule(text))]
    allowed, withheld = [], []
    for one in proposals:
        own = (
            text for text, rule in parsed if rule.gardener == one.gardener and _concerns(rule, about(one, notes))
        )
        if text := next(own, ""):
            withheld.append(Withheld(text, one))
        else:
            allowed.append(one)
    return tuple(allowed), tuple(withheld)


def _concerns(rule: NeverRule, about: Sequence[Note]) -> bool:
    """Whether a rule applies to one of these notes; one that names notes applies only if all of them are here."""
    if rule.trait == "notes":
        named = {name.strip() for name in rule.value.split(",")}
        return named <= {note.name for note in about}
    wanted = f"{rule.trait} {rule.value.rstrip('/')}".casefold()
    has = {trait.casefold() for note in about for trait in _traits_of(note)}
    return wanted in has or (rule.trait == "folder" and any(one.startswith(f"{wanted}/") for one in has))


# -- lessons -------------------------------------------------------------------------------------------------

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
