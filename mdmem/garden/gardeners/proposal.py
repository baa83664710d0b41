"""Proposals as values: edits of whole files, the reasons, how sure they are, and what would be lost."""

import hashlib
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from mdmem.errors import MdmemError, NoteError, Problem
from mdmem.garden.verdicts import PAIRED, Judgement
from mdmem.store.config import GardenSection
from mdmem.store.registry import StaleNote

_DEFAULTS = GardenSection()
LIKELY = 0.5  # confidence from which a person is shown twins and conflicts
POSSIBLE = 0.05  # confidence from which a model is asked about them; one in five below LIKELY is right


class FileEdit(NamedTuple):
    """A file's bytes before and after; None where there is no such file."""

    path: str
    before: bytes | None
    after: bytes | None

    @property
    def base(self) -> str:
        """The hash of the bytes that the file must have; "" for a file that must not be there."""
        return "" if self.before is None else digest(self.before)

    @property
    def diff(self) -> str:
        """The edit as a unified diff."""
        import difflib

        before, after = (
            (data or b"").decode("utf-8", "replace").splitlines(keepends=True)
            for data in (self.before, self.after)
        )
        old = "/dev/null" if self.before is None else f"a/{self.path}"
        new = "/dev/null" if self.after is None else f"b/{self.path}"
        lines = difflib.unified_diff(before, after, old, new)
        return "".join(
            line if line.endswith("\n") else line + "\n\\ No newline at end of file\n" for line in lines
        )


class StatedFact(NamedTuple):
    """A fact that holds now, as it is stated on a line (1-based) of a file.

    `path` is its key in the index, `created` (RFC 3339) when it was stated, `confidence` is 0-1.
    """

    path: str
    id: str
    topic: str
    subject: str
    relation: str
    object: str
    file: str
    line: int
    sentence: str
    created: str
    confidence: float

    @property
    def statement(self) -> str:
        """The fact in words."""
        return f"{self.subject} {self.relation} {self.object}"


class MeantPair(NamedTuple):
    """Two notes, by their paths, that are near in meaning; `near` is their cosine.

    `rank` is 0 if each is the other's nearest. Otherwise it is how many notes are nearer to one of the two than
    the other one is, for whichever of them that is more.
    """

    first: str
    second: str
    near: float
    rank: int = 0


class Evidence(NamedTuple):
    """A line (1-based, 0 for the whole file) that speaks for a proposal; `score` is 0-1."""

    path: str
    line: int
    text: str
    score: float = 1.0


class Figure(NamedTuple):
    """A figure of two notes, its value, and how much it speaks for what they may be (log-odds)."""

    name: str
    value: float
    weight: float


class JudgedPair(NamedTuple):
    """Two notes, by their paths, and how sure it is (0-1) that they say the same (`twin`) or exclude each other.

    `old` and `new` are the sentences that share most; `why` are the heaviest figures.
    """

    older: str
    newer: str
    twin: float
    conflict: float
    old: Evidence
    new: Evidence
    why: tuple[Figure, ...] = ()


class GardenSettings(NamedTuple):
    """The settings of the gardeners; the first six are `[garden]` in mdmem.toml.

    `authorise_delete` lets a superseded note be deleted, `keep_both` ("", "contest" or "fork") keeps both sides of
    a conflict. `elsewhere` are the paths of files other than memories, which links may lead to. `leaned_on` are
    the folded names that notes outside the scope have or link to: no file with such a name may be removed.
    `boilerplate` are the lines of the vault's templates: a note with no other lines says nothing. `facts` are
    those stated in notes and dialogs; `retire(fact, why, when)` is the edit by which one no longer holds. `stale`
    are the generated notes that are out of date. `home` is the folder of all memories. `meant` are notes that a
    sentence model finds near, `judged` those that may be twins or in conflict. `least` is the confidence from
    which two notes are proposed as twins or a conflict.
    `asked` is whether a person named the gardeners: then what a name says by itself is certain; `own_names`
    whether notes are named as their owner likes; `explained` whether they want to know which figures are heaviest.
    `judgements` are kept verdicts, `ruled` those on two notes that hold now, by their paths.
    """

    min_confidence: float = _DEFAULTS.min_confidence
    consolidate_above: int = _DEFAULTS.consolidate_above
    oversize_tokens: int = _DEFAULTS.oversize_tokens
    scope: str = _DEFAULTS.scope
    agents: str = _DEFAULTS.agents
    never: tuple[str, ...] = _DEFAULTS.never
    authorise_delete: bool = False
    keep_both: str = ""
    own_names: bool = False
    elsewhere: frozenset[str] = frozenset()
    leaned_on: frozenset[str] = frozenset()
    boilerplate: frozenset[str] = frozenset()
    facts: tuple[StatedFact, ...] = ()
    retire: Callable[[StatedFact, str, str], FileEdit] | None = None
    stale: tuple[StaleNote, ...] = ()
    home: str = ""
    meant: tuple[MeantPair, ...] = ()
    judged: tuple[JudgedPair, ...] = ()
    least: float = LIKELY
    asked: bool = False
    explained: bool = False
    judgements: tuple[Judgement, ...] = ()
    ruled: Mapping[frozenset[str], Judgement] = MappingProxyType({})


class Proposal(NamedTuple):
    """One change that a person may accept. Apply it only if every file still has the bytes `before`.

    `id` stays the same as long as the notes it is about do, so that a decision can be remembered. `action` is that
    of the commit. `confidence` is 0-1. `lost` says what no file holds afterwards; "" is nothing. `merged` is the
    path of the file that takes in the text of others, if one does. `rests_on` are files that it does not change
    but that have to stay, because what it writes leads to them. `about` are the paths of the notes it is about, if
    it says so. `care` decides how early a person is shown it: whether not all of these are active, whether none is
    pinned, and minus how often the most used one was used. `traits` say what its notes have in common, as rules of
    `garden.never` do. What is `certain` is carried out unasked, anything else once somebody accepted it. `figures`
    are the heaviest that the scorer saw, if they were asked for. `said` is what somebody who can read says of it.
    """

    id: str
    gardener: str
    action: str
    title: str
    confidence: float
    evidence: tuple[Evidence, ...] = ()
    edits: tuple[FileEdit, ...] = ()
    lost: str = ""
    merged: str = ""
    rests_on: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    care: tuple[bool, bool, int] = (False, True, 0)
    traits: tuple[str, ...] = ()
    certain: bool = False
    said: Judgement | None = None
    figures: tuple[Figure, ...] = ()

    @property
    def judged(self) -> str:
        """What somebody said of it, in a line; "" if nobody did."""
        return self.said.told if self.said else ""

    @property
    def backed(self) -> bool:
        """Whether somebody wants it done."""
        return self.said is not None and self.said.changes

    @property
    def accepted(self) -> bool:
        """Whether a person wants it done."""
        return self.backed and not (self.said and self.said.by)

    @property
    def removed(self) -> frozenset[str]:
        """The paths of the files that it removes or moves elsewhere."""
        return frozenset(edit.path for edit in self.edits if edit.after is None)

    @property
    def paths(self) -> tuple[str, ...]:
        """The paths of the files that it touches."""
        return tuple(edit.path for edit in self.edits)

    @property
    def concerns(self) -> frozenset[str]:
        """The paths of all files that it touches, rests on, is about or speaks of."""
        return frozenset((*self.paths, *self.rests_on, *self.about, *(why.path for why in self.evidence)))

    @property
    def pair(self) -> tuple[str, ...]:
        """The paths of the notes that it compares, the older one first."""
        return self.about[::-1] if self.gardener == "conflicts" else self.about

    @property
    def asks(self) -> tuple[str, frozenset[str]]:
        """What somebody who can read is asked: about which question, and about which notes, by their paths."""
        is_pair = self.gardener in PAIRED and len(self.about) == 2
        return ("pair" if is_pair else self.id), frozenset(self.about or self.paths)

    @property
    def diff(self) -> str:
        """The edits as a unified diff."""
        return "".join(edit.diff for edit in self.edits)


class Withheld(NamedTuple):
    """A proposal that a rule of `garden.never` forbids."""

    rule: str
    proposal: Proposal


class Findings(NamedTuple):
    """What a gardener found: proposals, problems that only a person can fix, and what a setting forbids.

    `denied` are the verdicts that hold by which nothing is to be done.
    """

    proposals: tuple[Proposal, ...] = ()
    problems: tuple[Problem, ...] = ()
    withheld: tuple[Withheld, ...] = ()
    denied: tuple[Judgement, ...] = ()


Found = Proposal | Problem | None  # of a gardener


def findings(found: Iterable[Found]) -> Findings:
    """The proposals and the problems of a gardener."""
    every = list(found)
    proposals = tuple(one for one in every if isinstance(one, Proposal))
    return Findings(proposals, tuple(one for one in every if isinstance(one, Problem)))


def attempt(rule: str, path: str, make: Callable[..., Proposal | None], *args: Any) -> Found:
    """A proposal, or the problem with a file that keeps it from being made."""
    try:
        return make(*args)
    except NoteError as error:
        return error.problem
    except MdmemError as error:
        return Problem(rule, path, 0, error.message, error.hint, "warning")


def digest(data: bytes) -> str:
    """A hash of a file's bytes."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()
