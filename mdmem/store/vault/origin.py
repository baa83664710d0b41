"""What history tells of where notes, titles and names come from: mdmem or a person, and from which text.

Earlier versions of mdmem stored the title that they made of a text. Such a title is dropped when the text changes,
or by `mdmem doctor --fix`. One that a person or an agent gave stays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from mdmem.errors import NoteError
from mdmem.note import fields, naming, titles
from mdmem.note.memory import Memory
from mdmem.store.git import log
from mdmem.store.index.port import Version

Origins = Mapping[str, tuple[Memory, str]]

_LEAST = 5  # letters by which two forms of a word are the same word
_CREATING = frozenset({"create", "import", "merge", "fork"})  # actions that create notes
_RETURNING = frozenset({"rename", "restore", "undo"})  # they bring back or move a note of any author


def created_by_mdmem(vault: Any, paths: Iterable[str]) -> frozenset[str]:
    """Those of the notes at `paths` that mdmem created.

    A note that a person ever committed as a new file, or that is not committed at all, is the person's.
    """
    arrivals = {path: list(_arrivals(vault.index.versions(path))) for path in paths}
    commits = {commit for arrived in arrivals.values() for commit in arrived}
    told = log.named(vault.repo, commits)
    actions = {path: {told[commit].operation.action for commit in arrived} for path, arrived in arrivals.items()}
    ours = _CREATING | _RETURNING
    return frozenset(path for path, by in actions.items() if not by.isdisjoint(_CREATING) and by <= ours)


def _arrivals(versions: Sequence[Version]) -> Iterator[str]:
    """The commits that created a file where there was none; `versions` are latest first."""
    for at, version in enumerate(versions):
        before = versions[at + 1] if at + 1 < len(versions) else None
        if version.blob and (before is None or not before.blob):
            yield version.commit


def origins(vault: Any, notes: Iterable[Memory], of: Callable[[Memory], str]) -> Origins:
    """path -> (note, commit) of the oldest committed version back to which a note has kept what `of` gives.

    Of many notes, those of one version are taken as they are in the folder: their blobs are not read.
    """
    notes = list(notes)
    versions = [[one for one in vault.whole_index.versions(note.path) if one.blob] for note in notes]
    wanted = [one.blob for known in versions if len(known) > 1 or len(notes) == 1 for one in known]
    blobs = dict(zip(wanted, vault.repo.blobs(wanted), strict=True))
    found = {}
    for note, known in zip(notes, versions, strict=True):
        for version in known:
            try:
                then = vault.parse(blobs[version.blob], version.path) if version.blob in blobs else note
            except NoteError:
                break
            if of(then) != of(note) or (then.has_id and note.has_id and then.id != note.id):
                break
            found[note.path] = then, version.commit
    return found


def copied(vault: Any, notes: Iterable[Memory]) -> tuple[list[str], Origins]:
    """The paths of the notes that store a title which mdmem made of their text; and the origins of all titles."""
    titled = (note for note in notes if note.form == "frontmatter" and note.text("title"))
    found = origins(vault, titled, lambda note: note.text("title"))
    made = {path: commit for path, (then, commit) in found.items() if titles.is_copy(then)}
    by = log.named(vault.repo, made.values())
    return [path for path, commit in made.items() if by[commit].operation.action], found


def dropped(
    vault: Any, touched: Iterable[Any], changed: Mapping[str, bytes | None]
) -> Iterator[tuple[str, bytes]]:
    """(path, bytes) of changed notes that begin otherwise now, without the title that repeats how they began."""
    for before, after in touched:
        data = after and changed.get(after.path)
        if not data or not before or after.problems or before.text("title") != after.text("title"):
            continue
        if titles.derived(before) != titles.derived(after) and copied(vault, [before])[0]:
            yield after.path, fields.set_fields(data, {"title": None}, after.path)


def lost(called: str, then: str, now: str) -> list[str]:
    """The content words in what a note is called that its text had `then` and has no longer `now`.

    [] unless they are most of its content words, or one is a number: a title or name is not a summary to be
    kept in step word by word. Words are compared by their first letters, so that `prefers` is still there
    in "preferred".
    """
    if then == now:
        return []
    wanted, had, has = ({word[:_LEAST]: word for word in naming.telling(text)} for text in (called, then, now))
    gone = sorted(word for stem, word in wanted.items() if stem in had and stem not in has)
    return gone if 2 * len(gone) > len(wanted) or any(word.isdigit() for word in gone) else []
