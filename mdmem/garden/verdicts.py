"""Verdicts of those who can read: what they say of notes, and the file that keeps those that changed none.

`judgements.jsonl` is tracked and append-only, and merged by union. A verdict holds while its notes keep their
bytes: then it is not asked again. The words of a verdict on two notes are the same everywhere.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from mdmem.errors import UsageError
from mdmem.local import files
from mdmem.vault.transaction import Transaction
from mdmem.vault.vault import Vault

if TYPE_CHECKING:
    from mdmem.garden.gardeners.proposal import Proposal

FILE, _ATTRIBUTES, _UNION = "judgements.jsonl", ".gitattributes", "judgements.jsonl merge=union"
SAME, FIRST, SECOND, BOTH, UNSURE = OF_PAIRS = (
    *("same", "first replaces second", "second replaces first", "both hold", "cannot tell"),
)
YES, NO = "yes", "no"
OF_OTHERS = (YES, NO, UNSURE)
PAIRED = ("twins", "conflicts")  # gardeners that ask of two notes how they stand to each other
_LONGEST = 500  # characters of a reason


class HasData(Protocol):
    """A note, as far as verdicts look at it."""

    @property
    def data(self) -> bytes: ...


class Judgement(NamedTuple):
    """A verdict on the notes at `paths` (of two: the first, the second), given while they had these `blobs`.

    `by` is an agent, a model or "" for the person at the keyboard; `about` is "pair" if two notes were compared,
    or else the id of a proposal.
    """

    verdict: str
    about: str
    paths: tuple[str, ...]
    blobs: tuple[str, ...]
    by: str = ""
    session: str = ""
    when: str = ""
    why: str = ""

    @property
    def changes(self) -> bool:
        """Whether the verdict asks for a change of the notes."""
        return self.verdict in (SAME, FIRST, SECOND, YES)

    @property
    def told(self) -> str:
        """The verdict in a line: who says what, and why."""
        return f"{self.by or 'you'}: {self.verdict}" + (f" ({self.why})" if self.why else "")


def checked(verdict: str, about: str) -> str:
    """A verdict as it is kept. Raises UsageError if nobody can mean it of what it is `about`."""
    known = OF_PAIRS if about == "pair" else OF_OTHERS
    plain = " ".join(verdict.lower().replace("_", " ").split())
    if plain not in known:
        raise UsageError(f"{verdict!r} cannot be a verdict here", f"say one of: {', '.join(known)}")
    return plain


def of_proposal(vault: Vault, one: Proposal, verdict: str) -> Judgement:
    """A verdict on a proposal, with the blobs that its notes have now. Raises UsageError like `checked`."""
    about, _ = one.asks
    paths = one.pair if about == "pair" else tuple(sorted(one.about or one.paths))
    blobs = tuple(blob(vault.read(path)) for path in paths)
    return Judgement(checked(verdict, about), about, paths, blobs)


def blob(data: bytes) -> str:
    """The name that git gives a file's bytes."""
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def load(vault: Vault) -> tuple[Judgement, ...]:
    """All verdicts that are kept, the latest last; lines that are none are left out."""
    data = files.read_or_none(vault.root, FILE) or b""
    lines = data.decode("utf-8", "replace").split("\n")
    return tuple(found for line in lines if line.strip() and (found := _parsed(line)))


def _parsed(line: str) -> Judgement | None:
    try:
        told = json.loads(line)
        notes = [(str(one["path"]), str(one["blob"])) for one in told["notes"]]
        paths, blobs = zip(*notes, strict=True)
        said = {key: str(told.get(key, "")) for key in ("by", "session", "when", "why")}
        return Judgement(str(told["verdict"]), str(told["about"]), paths, blobs, **said)
    except (ValueError, TypeError, KeyError, RecursionError):
        return None


def standing(
    kept: Iterable[Judgement], notes: Mapping[str, HasData]
) -> dict[tuple[str, frozenset[str]], Judgement]:
    """(what it is about, paths) -> the latest verdict whose notes, by path, have not changed since."""
    known: dict[str, str] = {}

    def is_as_it_was(path: str, was: str) -> bool:
        if path not in known:
            known[path] = blob(notes[path].data) if path in notes else ""
        return known[path] == was

    return {(one.about, frozenset(one.paths)): one for one in kept if all(map(is_as_it_was, one.paths, one.blobs))}


def append(tx: Transaction, judged: Sequence[Judgement]) -> None:
    """Stage some verdicts as further lines of the file, and that git merges it by union."""
    lines = "".join(json.dumps(_plain(one), ensure_ascii=False) + "\n" for one in judged)
    tx.write(FILE, (tx.read(FILE) or b"") + lines.encode())
    attributes = (tx.read(_ATTRIBUTES) or b"").decode("utf-8", "surrogateescape")
    if _UNION not in attributes.splitlines():
        ending = "" if not attributes or attributes.endswith("\n") else "\n"
        tx.write(_ATTRIBUTES, f"{attributes}{ending}{_UNION}\n".encode("utf-8", "surrogateescape"))


def _plain(one: Judgement) -> dict[str, Any]:
    notes = [{"path": path, "blob": was} for path, was in zip(one.paths, one.blobs, strict=True)]
    told = {"when": one.when, "by": one.by, "session": one.session, "about": one.about, "verdict": one.verdict}
    return {**told, "why": one.why[:_LONGEST], "notes": notes}
