"""Titles and names that were made of a text which has changed since; both are found by history.

Earlier versions of mdmem stored the title that they made of a text. Such a title is dropped when the text changes,
or by `mdmem doctor --fix`. One that a person or an agent gave stays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from mdmem.errors import NoteError
from mdmem.git import log
from mdmem.note import fields, naming, titles
from mdmem.note.memory import Memory
from mdmem.values import NamedTuple

_LEAST = 5  # letters by which two forms of a word are the same word


class Origin(NamedTuple):
    """A note as it was in the commit that gave it what it is called, and whether that commit was mdmem's."""

    note: Memory
    by_mdmem: bool


def with_title(then: Memory, note: Memory) -> bool:
    return then.text("title") == note.text("title")


def with_name(then: Memory, note: Memory) -> bool:
    return then.name == note.name


def origins(vault: Any, notes: Iterable[Memory], alike: Callable[[Memory, Memory], bool]) -> dict[str, Origin]:
    """path -> the oldest committed version back to which a note is `alike`: `with_title` or `with_name`.

    Of many notes, those of one version are taken as they are in the folder: their blobs are not read.
    """
    known = [(note, vault.whole_index.versions(note.path)) for note in notes]
    written = [(note, [one for one in versions if one.blob]) for note, versions in known]
    read = (versions for _, versions in written if len(versions) > 1 or len(known) == 1)
    wanted = list({one.blob for versions in read for one in versions})
    blobs = dict(zip(wanted, vault.repo.blobs(wanted), strict=True))
    found = {}
    for note, versions in written:
        for version in versions:
            then = _parsed(vault, blobs[version.blob], version.path) if version.blob in blobs else note
            if then is None or (then.has_id and note.has_id and then.id != note.id) or not alike(then, note):
                break
            found[note.path] = (then, version.commit)
    operations = log.operations(vault.repo, {commit for _, commit in found.values()}) if found else {}
    return {path: Origin(then, bool(operations[commit].action)) for path, (then, commit) in found.items()}


def _parsed(vault: Any, data: bytes, path: str) -> Memory | None:
    try:
        note: Memory = vault.parse(data, path)
    except NoteError:
        return None
    return note


def copied(found: Mapping[str, Origin]) -> list[str]:
    """The paths of the notes that store a title which mdmem made of their text; `found` are origins by title."""
    return [path for path, then in found.items() if then.by_mdmem and titles.is_copy(then.note)]


def dropped(vault: Any, before: Memory, after: Memory, data: bytes) -> bytes:
    """The bytes of a changed note, without a title that mdmem made of the text as it was."""
    is_kept = before.text("title") == after.text("title") and before.form == after.form == "frontmatter"
    says_more = before.body != after.body and titles.derived(before) != titles.derived(after)
    if not (is_kept and says_more and before.text("title")) or after.problems:
        return data
    is_stale = copied(origins(vault, [before], with_title))
    return fields.set_fields(data, {"title": None}, after.path) if is_stale else data


def lost(called: str, then: str, now: str) -> list[str]:
    """The content words in what a note is called that its text had `then` and has no longer `now`.

    [] unless they are most of its content words, or one is a number: a title or name is no summary that a person
    has to keep in step word by word. Words are compared by their first letters, so that `prefers` is still there
    in "preferred".
    """
    wanted, had, has = (_stems(text) for text in (called, then, now))
    gone = [word for stem, word in wanted.items() if stem in had and stem not in has]
    return gone if 2 * len(gone) > len(wanted) or any(word.isdigit() for word in gone) else []


def _stems(text: str) -> dict[str, str]:
    telling = naming.telling(text)
    return {word[:_LEAST]: word for word in naming.words_of(text) if word in telling}
