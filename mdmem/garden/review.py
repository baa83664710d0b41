"""A review of the plan: one proposal after another; each decision is saved at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from mdmem.errors import NoteError, UsageError
from mdmem.garden import decisions, lessons
from mdmem.garden import plan as garden
from mdmem.garden.decisions import ACCEPTED, REJECTED, ReviewDecision
from mdmem.garden.gardeners.proposal import FileEdit, Findings, Proposal
from mdmem.garden.lessons import Lesson
from mdmem.garden.plan import Wish
from mdmem.text import moments
from mdmem.vault.vault import Vault


class Review:
    """The proposals that a person is asked about: those of the plan on which they have not decided yet.

    A proposal that another one blocks comes up when that one is rejected. `said` counts the answers of this
    review.
    """

    def __init__(self, vault: Vault, found: Findings, least: float, wish: Wish, now: datetime) -> None:
        self.vault = vault
        self.said: Counter[str] = Counter()
        self._found, self._least, self._wish, self._now = found, least, wish, now
        self._decided = dict(garden.standing(found, decisions.load(vault)))
        self._later: set[str] = set()
        self._rejected: set[str] = set()

    @property
    def open(self) -> list[Proposal]:
        """The proposals still to ask about, in order."""
        plan = garden.choose(self._found, self._least, self._wish, self._decided)
        return [one for one in plan.proposals if one.id not in self._decided and one.id not in self._later]

    @property
    def possible(self) -> list[Proposal]:
        """The pairs that a model may read, also those that come up only if it says so."""
        return garden.possible(self._found, self._decided)

    def hear(self, found: Findings) -> None:
        """Take in the findings with what a model said of them."""
        self._found = found

    @property
    def accepted(self) -> int:
        """How many proposals of the plan wait to be applied."""
        known = {one.id for one in self._found.proposals}
        return sum(one.verdict == ACCEPTED and id in known for id, one in self._decided.items())

    def accept(self, one: Proposal, edited: Mapping[str, bytes] | None = None) -> None:
        """Remember to apply a proposal, with the `edited` bytes for these of its files. Raises BusyError."""
        bases = {path: one.bases[path] for path in edited or {}}
        self._decide(one, ReviewDecision(ACCEPTED, one.title, edited or {}, moments.render(self._now), bases))

    def reject(self, one: Proposal, reason: str = "") -> None:
        """Remember not to propose this again while its notes stay as they are. Raises BusyError."""
        when = moments.render(self._now)
        rejection = ReviewDecision(
            REJECTED, one.title, when=when, reason=reason, gardener=one.gardener, traits=one.traits
        )
        self._decide(one, rejection)
        self._rejected.add(one.id)

    def lessons(self) -> Iterator[Sequence[Lesson]]:
        """The lessons from the rejections of this review, together with earlier ones."""
        return lessons.lessons(self._decided, self._rejected, self.vault.config.garden.never)

    def put_off(self, one: Proposal) -> None:
        """Leave a proposal for another review."""
        self._later.add(one.id)
        self.said["later"] += 1

    def _decide(self, one: Proposal, decision: ReviewDecision) -> None:
        decisions.record(self.vault, one.id, decision)
        self._decided[one.id] = decision
        self.said[decision.verdict] += 1


def check_words(vault: Vault, edit: FileEdit, words: bytes) -> None:
    """Check that a person's version of a proposed file can be written. Raises NoteError, UsageError."""
    if not words.strip():
        raise UsageError("the text is empty", "n rejects the proposal")
    note = vault.parse(words, edit.path)
    if note.problems:
        raise NoteError(note.problems[0])
    if vault.parse(edit.after or b"", edit.path).id != note.id:
        raise UsageError("the id of a memory never changes", "leave that line as it was")
