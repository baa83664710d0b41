"""Weighs captured proposals against the vault: what is new, what corrects a memory, what is known already."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from mdmem.capture import triggers, worth
from mdmem.capture.proposals import WRITTEN, CaptureDecision, CaptureProposal
from mdmem.errors import MdmemError
from mdmem.language import roots
from mdmem.note import naming
from mdmem.note.calendar import MONTH_NAMES, TIMES, WEEKDAY_NAMES
from mdmem.recall import order
from mdmem.store.index.port import IndexedNote
from mdmem.store.progress import silent
from mdmem.store.vault.vault import Vault
from mdmem.write import guard, remember, secrets
from mdmem.write.remember import Draft, Twin
from mdmem.write.secretrules import OwnRules

_ECHO = 85  # rapidfuzz's partial ratio from which a sentence counts as put there by recall (0-100)
_SHARED = 0.3  # of its word pairs that must be in that text; comparing all texts by letters is slow
_CANDIDATES = 20  # memories that are searched for one that a correction contradicts
_ABOUT = 0.5  # 0-1, of the content words of the shorter of two texts that they share if they are about one thing
_VALUES = (  # kinds of values: two texts about one thing contradict each other by another value of a kind
    re.compile(rf"\b(?:{'|'.join(WEEKDAY_NAMES)})s?\b", re.I),
    re.compile(rf"\b(?:{'|'.join(name for name in MONTH_NAMES if name != 'may')})\b", re.I),
    re.compile(r"(?<![\w.-])\d+(?:[.,:/-]\d+)*(?![\w-])"),
)
_CHANGE = ("now", "wrong", "once")  # kinds of words (see `worth`) that tell of something new
_NEARBY = 50  # later proposals that are searched for one that says the same
_TAKES_BACK = re.compile(
    r"\b(?:wrong|incorrect|mistaken|not (?:right|true|correct|so)"
    r"|(?:scratch|strike|forget|disregard) (?:that|it|what)|falsch|stimmt nicht)\b",
    re.I,
)


class _Echo(NamedTuple):
    """A text that recall put into the chat, normalised for comparison, and its pairs of words."""

    text: str
    pairs: frozenset[tuple[str, str]]


def weigh(
    vault: Vault,
    proposals: Sequence[CaptureProposal],
    shown: Collection[str] = (),
    progress: Callable[[int, int], None] = silent,
    allow_secret: bool = False,
) -> tuple[CaptureDecision, ...]:
    """What is to become of each proposal. `shown` are texts that recall or a session put into the chat.

    `progress` gets (done, total). A proposal with a secret is not to be written, unless `allow_secret`.
    """
    checks = CHECKS[1:] if allow_secret else CHECKS
    echoes = [_echo(text) for text in shown]
    decisions: list[CaptureDecision] = []
    for done, proposal in enumerate(proposals):
        progress(done, len(proposals))
        decisions.append(_decided(_Case(vault, proposal, echoes), checks))
    return tuple(_without_repeats(decisions))


def texts_of(vault: Vault, ids: Collection[str]) -> Iterator[str]:
    """The titles and texts of memories, such as those that a session was shown."""
    for id in ids:
        for record in vault.index.with_id(id):
            yield f"{record.title}\n{vault.index.body(record.path)}"


def _decided(case: _Case, checks: Sequence[_Check]) -> CaptureDecision:
    """The decision of the first check that comes to one; a proposal that no check objects to is new.

    What was said before the proposal is dropped after the checks: it may hold a secret.
    """
    decisions = (check(case) for check in checks)
    new = CaptureDecision(case.proposal, "new", case.proposal.why)
    decision = next((decision for decision in decisions if decision is not None), new)
    return decision._replace(proposal=decision.proposal._replace(before=""))


class _Case:
    """A proposal with what it is weighed against. The vault is searched once, when a check first needs it."""

    def __init__(self, vault: Vault, proposal: CaptureProposal, echoes: Sequence[_Echo]) -> None:
        self.vault = vault
        self.proposal = proposal
        self.draft = proposal.draft
        self.echoes = echoes

    @cached_property
    def twins(self) -> list[Twin]:
        """The memories of nearly the same words, the speaker's or those to be written; turned round, too."""
        best: dict[str, Twin] = {}
        titled = {**self.draft.properties, "title": self.draft.title}
        for text in {self.draft.text, self.proposal.spoken} - {""}:
            for twin in remember.near(self.vault, Draft(text, titled)):
                known = best.get(twin.record.path)
                best[twin.record.path] = max(twin, known or twin, key=lambda one: one.score)
        return sorted(best.values(), key=lambda one: (-one.score, one.record.path))

    @cached_property
    def in_force(self) -> list[Twin]:
        return [twin for twin in self.twins if _is_in_force(twin.record)]

    @cached_property
    def turned(self) -> IndexedNote | None:
        """The memory in force that makes the same comparison the other way round."""
        return next((twin.record for twin in self.in_force if twin.is_turned), None)


def _secret(case: _Case) -> CaptureDecision | None:
    proposal = case.proposal
    own = guard.own_rules(case.vault)
    parts = (case.draft.words, proposal.quote, proposal.spoken, proposal.context)
    said = "\n".join(part for at, part in enumerate(parts) if not any(part in other for other in parts[:at]))
    leaks = secrets.kinds(said, own) or _secrets_after_context(proposal, own)
    return hidden(proposal, leaks) if leaks else None


def _recalled(case: _Case) -> CaptureDecision | None:
    if not _is_echo(case.proposal, case.echoes):
        return None
    return CaptureDecision(case.proposal, "recalled", "recall put this into the chat")


def _already_said(case: _Case) -> CaptureDecision | None:
    """The decision that a memory says a proposal already.

    The memory is in force, or was captured from the same line of the chat and replaced since.
    """
    for twin in case.twins if case.turned is None else ():
        in_force = twin in case.in_force
        counts = in_force or bool(_refs(case.draft.properties) & _refs(twin.record.meta))
        if counts and _says_nothing_new(case.vault, case.proposal, twin):
            since = "" if in_force else ", and replaced since:"
            reason = f"{twin.likeness}{since}"
            return CaptureDecision(case.proposal, "twin", reason, twin.record)
    return None


def _unfit(case: _Case) -> CaptureDecision | None:
    try:
        remember.require_fit(case.draft, remember.name_rule(case.vault))
        remember.require_free(case.vault, case.draft)
    except MdmemError as error:
        return CaptureDecision(case.proposal, "problem", error.message)
    return None


def _replaces(case: _Case) -> CaptureDecision | None:
    """The decision that a proposal replaces a memory: it reverses a comparison, or corrects the memory."""
    record, said = case.turned, case.proposal
    if record is None and said.trigger == "correction":
        record = case.in_force[0].record if case.in_force else _about(case.vault, said)
    if record is None and (said.trigger == "correction" or not worth.kinds_of(said.spoken).isdisjoint(_CHANGE)):
        record = _contradicted(case.vault, said.spoken)
    return CaptureDecision(case.proposal, "update", f"replaces {record.name}", record) if record else None


_Check = Callable[[_Case], CaptureDecision | None]
# In this order: a proposal with a secret is not examined further, unless a person insists.
CHECKS: tuple[_Check, ...] = (_secret, _recalled, _already_said, _unfit, _replaces)


def _about(vault: Vault, proposal: CaptureProposal) -> IndexedNote | None:
    """The memory in force that says what a correction corrects, or that corrected it before and quotes it."""
    if not _takes_back(proposal):
        return None
    context = triggers.without_opener(proposal.context)
    twins = [twin.record for twin in remember.near_twins(vault, Draft(context, {}))]
    quoting = (
        record
        for record in order.candidates(vault.index, " ".join(naming.words_of(context)), _CANDIDATES)
        if remember.normal(context) in remember.normal(vault.index.body(record.path))
    )
    return next((record for record in (*twins, *quoting) if _is_in_force(record)), None)


def _takes_back(correction: CaptureProposal) -> bool:
    """Whether a correction is surely about its context: it says so, is about "it", or both speak of one thing.

    Otherwise the sentence before it may be about something else, and is not corrected: "it is at ten" is not
    about a sentence without a number or time.
    """
    context = correction.context
    if not context:
        return False
    shared = naming.telling(correction.spoken) & naming.telling(context)
    said = correction.quote
    points = worth.points(said) and (_gives_value(context) or not _gives_value(said))
    return bool(shared or points or _TAKES_BACK.search(said))


def _gives_value(text: str) -> bool:
    """Whether a text has a number, in digits or in words, or a time."""
    words = {*naming.words_of(text.lower())} - {"one"}
    return any(kind.search(text) for kind in _VALUES) or any(
        word in TIMES or roots.root(word).isdigit() for word in words
    )


def _contradicted(vault: Vault, text: str) -> IndexedNote | None:
    """The memory in force that is about the same as a correction, and gives another value of one kind."""
    for record in order.candidates(vault.index, " ".join(naming.words_of(text)), _CANDIDATES):
        if _is_in_force(record) and _differ(text, f"{record.title}\n{vault.index.body(record.path)}"):
            return record
    return None


def _differ(one: str, other: str) -> bool:
    """Whether two texts are about one thing, and give different values of a kind for it."""
    values = [({*kind.findall(one.lower())}, {*kind.findall(other.lower())}) for kind in _VALUES]
    if not any(left - right and right for left, right in values):
        return False
    words, known = (naming.telling(text) - {value for pair in values for value in pair[at]}
                    for at, text in enumerate((one, other)))  # fmt: skip
    return len(words & known) >= max(1, math.ceil(_ABOUT * min(len(words), len(known))))


def _is_in_force(record: IndexedNote) -> bool:
    """Whether a memory still holds. Repeating what was deprecated says something new."""
    return record.status not in ("deprecated", "retracted")


def _refs(properties: Mapping[str, object]) -> set[str]:
    given = properties.get("provenance")
    return {str(item.get("ref")) for item in given if isinstance(item, dict)} if isinstance(given, list) else set()


def hidden(proposal: CaptureProposal, kinds: str) -> CaptureDecision:
    """The decision on a proposal that holds secrets of these kinds, without the words of the proposal."""
    bare = proposal._replace(quote="", context="", before="", spoken="", draft=Draft("", {}))
    return CaptureDecision(bare, "secret", f"holds a secret, {kinds}: not saved")


def _secrets_after_context(proposal: CaptureProposal, own: OwnRules) -> str:
    """The kinds of secrets that only the sentence before reveals, such as one that ends in "password:"."""
    leaks = [
        leak
        for before in proposal.before.split("\n")
        if before.strip()
        for leak in secrets.found(f"{before}\n{proposal.draft.text}", own)
    ]
    return ", ".join(dict.fromkeys(leak.kind for leak in leaks if leak.line > 1))


def _echo(text: str) -> _Echo:
    said = remember.normal(text)
    return _Echo(said, _pairs(said))


def _pairs(said: str) -> frozenset[tuple[str, str]]:
    words = said.split()
    return frozenset(pairwise(words))


def _is_echo(proposal: CaptureProposal, echoes: Sequence[_Echo]) -> bool:
    from rapidfuzz import fuzz

    said = remember.normal(proposal.quote)
    pairs = _pairs(said)
    return len(said.split()) > 3 and any(
        len(said) <= len(echo.text)
        and len(pairs & echo.pairs) >= _SHARED * len(pairs)
        and fuzz.partial_ratio(said, echo.text) >= _ECHO
        for echo in echoes
    )


def _says_nothing_new(vault: Vault, proposal: CaptureProposal, twin: Twin) -> bool:
    """Whether the twin of a proposal has all its content words and numbers."""
    known = naming.telling(f"{twin.record.title} {vault.index.body(twin.record.path)}")
    return naming.telling(proposal.spoken or proposal.draft.text) <= known


def _without_repeats(decisions: Sequence[CaptureDecision]) -> list[CaptureDecision]:
    """The decisions. Of proposals that say the same, only the last is kept, as the latest word counts."""
    kept: list[CaptureDecision] = []
    seen: list[CaptureDecision] = []
    for decision in reversed(decisions):
        near = seen[-_NEARBY:]
        later = next((one for one in near if _same(one.proposal, decision.proposal)), None)
        repeats = later and decision.verdict in WRITTEN
        reason = f"said again in line {later.proposal.line}" if later else ""
        kept.append(decision._replace(verdict="repeated", reason=reason) if repeats else decision)
        if decision.verdict in (*WRITTEN, "twin"):
            seen.append(decision)
    return kept[::-1]


def _same(later: CaptureProposal, earlier: CaptureProposal) -> bool:
    if later.trigger == "correction" and _takes_back(later):
        said = earlier.quote, triggers.without_opener(earlier.quote), earlier.spoken
        if earlier.trigger == "correction" and earlier.context == later.context and worth.points(earlier.quote):
            return True
        if remember.normal(triggers.without_opener(later.context)) in map(remember.normal, said):
            return True
    new, old = (one.spoken or one.draft.text for one in (later, earlier))
    return remember.likeness(new, old) >= remember.TWIN and naming.telling(old) <= naming.telling(new)
