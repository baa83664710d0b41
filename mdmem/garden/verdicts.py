"""Verdicts of those who can read: what they say of notes, and the file that keeps those that changed none.

`judgements.jsonl` is tracked and append-only, and merged by union. A verdict holds while its notes keep their
bytes: then it is not asked again. The words of a verdict on two notes are the same everywhere. What a person
decided by former versions, in `.mdmem/garden.json`, counts as verdicts, and goes into the file with the next one.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from mdmem.errors import UsageError
from mdmem.store import layout
from mdmem.store.git.folder import is_blob
from mdmem.store.local import files
from mdmem.store.operation import Caller
from mdmem.store.vault.transaction import Transaction
from mdmem.store.vault.vault import Vault

if TYPE_CHECKING:
    from mdmem.garden.gardeners.proposal import Proposal

FILE, _ATTRIBUTES, _UNION = layout.JUDGEMENTS, ".gitattributes", f"{layout.JUDGEMENTS} merge=union"
SAME, FIRST, SECOND, BOTH, UNSURE = OF_PAIRS = (
    "same",
    "first replaces second",
    "second replaces first",
    "both hold",
    "cannot tell",
)
YES, NO, AGAIN = "yes", "no", "again"  # the last takes a verdict back: it is asked again
OF_OTHERS = (YES, NO, UNSURE)
_SHORT = {"first": FIRST, "second": SECOND, "both": BOTH, "unsure": UNSURE}
PAIRED = frozenset(("twins", "conflicts"))  # gardeners that ask of two notes how they stand to each other
_LONGEST = 500  # characters of a reason
_ALWAYS = ("when", "by", "session", "why", "notes")  # what each line says, if only ""
_ID = 12  # hexadecimal digits
_FORMER = "garden.json"


class Judgement(NamedTuple):
    """A verdict on the notes at `paths` (of two: the first, the second), given while they had these `blobs`.

    `by` is an agent, a model or "" for the person at the keyboard; `about` is "pair" if two notes were compared,
    or else the id of a proposal. `text` is the wording that it wants for the note that takes in others, `drops`
    are the statements that it leaves out. The `proposal` was one of `gardener`, about notes with these `traits`.
    """

    verdict: str
    about: str
    paths: tuple[str, ...]
    blobs: tuple[str, ...]
    by: str = ""
    session: str = ""
    when: str = ""
    why: str = ""
    text: str = ""
    drops: tuple[str, ...] = ()
    proposal: str = ""
    gardener: str = ""
    traits: tuple[str, ...] = ()

    @property
    def asks(self) -> tuple[str, frozenset[str]]:
        """What it answers; see `Proposal.asks`."""
        return self.about, frozenset(self.paths)

    @property
    def changes(self) -> bool:
        """Whether the verdict asks for a change of the notes."""
        return self.verdict in (SAME, FIRST, SECOND, YES)

    @property
    def denies(self) -> bool:
        """Whether the verdict says that nothing is to be done."""
        return self.verdict in (BOTH, NO)

    @property
    def told(self) -> str:
        """The verdict in a line: who says what, and why."""
        return f"{self.by or 'you'}: {self.verdict}" + (f" ({self.why})" if self.why else "")


def checked(verdict: str, about: str) -> str:
    """A verdict as it is kept. Raises UsageError if nobody can mean it of what it is `about`."""
    known = OF_PAIRS if about == "pair" else OF_OTHERS
    plain = " ".join(verdict.lower().replace("_", " ").split())
    plain = _SHORT.get(plain, plain)
    if plain not in known:
        raise UsageError(f"{verdict!r} cannot be a verdict here", f"say one of: {', '.join(known)}")
    return plain


def of_proposal(vault: Vault, one: Proposal, verdict: str) -> Judgement:
    """A verdict on a proposal, with the blobs that its notes have now. Raises UsageError like `checked`."""
    about, _ = one.asks
    paths = one.pair if about == "pair" else tuple(sorted(one.about or one.paths))
    said = Judgement(checked(verdict, about), about, paths, _blobs_at(vault, paths), proposal=one.id)
    return said._replace(gardener=one.gardener, traits=one.traits) if said.denies else said


def of_pair(vault: Vault, older: str, newer: str, verdict: str) -> Judgement:
    """A verdict on the notes at two paths, of which nobody proposed anything; its id takes it back."""
    paths = older, newer
    blobs = _blobs_at(vault, paths)
    id = vault.repo.blob_id("\n".join((*paths, *blobs)).encode())
    return Judgement(verdict, "pair", paths, blobs, proposal=id[:_ID])


def _blobs_at(vault: Vault, paths: Iterable[str]) -> tuple[str, ...]:
    found = (files.read_or_none(vault.root, path) for path in paths)
    return tuple("" if data is None else vault.repo.blob_id(data) for data in found)


def load(vault: Vault) -> tuple[Judgement, ...]:
    """All verdicts that are kept, the latest last; lines that are none are left out."""
    data = files.read_or_none(vault.root, FILE) or b""
    lines = data.decode("utf-8", "replace").split("\n")
    return (*_former(vault), *(found for line in lines if line.strip() and (found := _parsed(line))))


def _parsed(line: str) -> Judgement | None:
    try:
        told = json.loads(line)
        notes = [(str(one["path"]), str(one["blob"])) for one in told["notes"]]
        paths, blobs = zip(*notes, strict=True) if notes else ((), ())
        said = {key: str(told.get(key, "")) for key in _TEXTS}
        lists = {key: tuple(map(str, told.get(key, ()))) for key in ("drops", "traits")}
        return Judgement(str(told["verdict"]), str(told["about"]), paths, blobs, **said, **lists)  # type: ignore[arg-type]
    except (ValueError, TypeError, KeyError, RecursionError):
        return None


_TEXTS = "by session when why text proposal gardener".split()


def _former(vault: Vault) -> Iterator[Judgement]:
    """What a person decided in reviews by former versions; a text of theirs is asked for again."""
    try:
        with open(os.path.join(vault.state, _FORMER), "rb") as file:
            found = json.load(file)["decisions"]
        for id, one in found.items():
            if not one.get("edited"):
                verdict = YES if one["verdict"] == "accepted" else NO
                when, why, gardener = (str(one.get(key, "")) for key in ("when", "reason", "gardener"))
                said = Judgement(verdict, str(id), (), (), when=when, why=why, proposal=str(id), gardener=gardener)
                yield said._replace(traits=tuple(map(str, one.get("traits", ()))))
    except FileNotFoundError:
        return
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        vault.tell(
            f"{layout.STATE}/{_FORMER}, decisions of a former version, cannot be read and is ignored ({error})"
        )


def standing(
    kept: Iterable[Judgement], read: Callable[[str], bytes | None]
) -> dict[tuple[str, frozenset[str]], Judgement]:
    """(what it is about, paths) -> the latest verdict whose notes still have the bytes that `read` gives."""

    @cache
    def is_as_it_was(path: str, was: str) -> bool:
        return is_blob(was, read(path))

    return {one.asks: one for one in kept if all(map(is_as_it_was, one.paths, one.blobs))}


def on_pairs(standing: Iterable[Judgement]) -> dict[frozenset[str], Judgement]:
    """The paths of two notes -> the verdict on them, of those that are standing."""
    return {one.asks[1]: one for one in standing if one.about == "pair" and one.verdict != AGAIN}


def append(tx: Transaction, judged: Sequence[Judgement]) -> None:
    """Stage some verdicts as further lines of the file, and that git merges it by union."""
    lines = "".join(json.dumps(_plain(one), ensure_ascii=False) + "\n" for one in judged)
    tx.write(FILE, (tx.read(FILE) or b"") + lines.encode())
    attributes = (tx.read(_ATTRIBUTES) or b"").decode("utf-8", "surrogateescape")
    if _UNION not in attributes.splitlines():
        ending = "" if not attributes or attributes.endswith("\n") else "\n"
        tx.write(_ATTRIBUTES, f"{attributes}{ending}{_UNION}\n".encode("utf-8", "surrogateescape"))


def keep(vault: Vault, judged: Sequence[Judgement], caller: Caller) -> None:
    """Add verdicts to the file in one commit, after those that a former version kept elsewhere.

    Their words were searched for secrets; the hashes beside the names of notes only look like some.
    """
    if not judged:
        return
    reason = "\n".join(f"{one.verdict}: {', '.join(one.paths)}" for one in judged)
    with vault.change(caller.does("revise", reason)._replace(names=("judgements",), allow_secret=True)) as tx:
        append(tx, [*_former(vault), *judged])
    with suppress(FileNotFoundError):
        os.replace(os.path.join(vault.state, _FORMER), os.path.join(vault.state, f"{_FORMER}.old"))


def _plain(one: Judgement) -> dict[str, Any]:
    """A verdict as the object of a line; what it does not tell is left out."""
    told = one._asdict()
    notes = zip(told.pop("paths"), told.pop("blobs"), strict=True)
    told |= {"why": one.why[:_LONGEST], "notes": [{"path": path, "blob": was} for path, was in notes]}
    return {key: value for key, value in told.items() if value or key in _ALWAYS}
