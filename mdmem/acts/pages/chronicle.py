"""What many pages need: the commits of a vault, read once for each state of it; titles; changes to files."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from mdmem.acts.pages import worddiff
from mdmem.acts.style import Json
from mdmem.acts.telling import encode
from mdmem.history import past, trail
from mdmem.history.shown import PastSight
from mdmem.note.memory import name_words, stem
from mdmem.store.git.log import Commit
from mdmem.store.layout import entry_name
from mdmem.store.vault.vault import Vault

_T = TypeVar("_T")
CHANGES = 60  # of a commit that are told
_LATEST = 100  # commits, which may be what was just done


def some(vault: Vault, oids: Sequence[str]) -> Sequence[Commit]:
    """The commits with these ids that changed memories or raw entries; see `past.events`."""
    told = trail.told(vault, trail.commits(vault, oids)) if oids else ()
    return list(sight(vault).commits(told))


def sight(vault: Vault) -> PastSight:
    """What of the past the reader may see, worked out once for each state of the vault."""
    return kept(vault, "page.sight", lambda: PastSight(vault))


def histories(vault: Vault) -> dict[str, list[Commit]]:
    """path -> the commits of that memory, newest first, each with only its own change. For pages of all memories.

    One walk over the history finds them all. A memory that was deleted and came back has a history from its return
    on.
    """
    paths_now = {record.path: record.path for record in vault.index.records()}  # by the path at that time
    found: dict[str, list[Commit]] = {}
    for commit in past.events(vault):
        for change in commit.changes:
            path = paths_now.get(change.path)
            if path is None or change.letter == "D":
                continue
            found.setdefault(path, []).append(commit._replace(changes=(change,)))
            del paths_now[change.path]
            if change.letter != "A":
                paths_now[change.old_path] = path
    return found


def kept(vault: Vault, name: str, read: Callable[[], _T]) -> _T:
    """What was read under this name for the current state of the vault; read now if it was not."""
    vault.whole_index.told(among=())  # takes in new commits: what is kept before that is lost
    states = vault.index.kept(name)
    head = vault.whole_index.head
    if head not in states:
        states[head] = read()
    found: _T = states[head]
    return found


def told(vault: Vault, commits: Sequence[Commit]) -> list[Json]:
    """Commits as JSON, with the number of their changes (`total`) and the first of them.

    Each change has the `title` of its memory, and `there` if the memory still exists.
    """
    found = [
        {**encode(commit._replace(changes=commit.changes[:CHANGES])), "total": len(commit.changes)}
        for commit in commits
    ]
    changes = [change for value in found for change in value["changes"]]
    titled = titles(vault, (change["path"] for change in changes))
    for change in changes:
        change["title"], change["there"] = titled[change["path"]]
    return found


def done(vault: Vault, commits: str) -> Json | None:
    """Some of the latest commits (ids with commas between) as one, with the titles of what they changed.

    None if there is any other among them.
    """
    oids = commits.split(",")
    if not commits or not set(oids) <= set(vault.whole_index.told(most=_LATEST)):
        return None
    found = told(vault, some(vault, oids))
    changes = [change for one in found for change in one["changes"]]
    return {**found[0], "commits": oids, "changes": changes} if found else None


def titles(vault: Vault, paths: Iterable[str]) -> dict[str, tuple[str, bool]]:
    """path -> (title of the memory, or words made from the file's name if there is none; whether there is one)."""
    paths = sorted(set(paths))
    known = {record.path: record.title for record in vault.index.records_at(paths)}
    return {path: (known.get(path) or entry_name(path) or name_words(stem(path)), path in known) for path in paths}


def changed(vault: Vault, path: str, titled: tuple[str, bool], *sides: bytes | None, most: int) -> Json:
    """The change to a file from one side to the other, None where it does not exist, as the reader may see it.

    `kind` is new, deleted or changed. `diff` is empty for sides of more than `most` characters together.
    """
    before, after = (vault.redacted(side or b"").decode("utf-8-sig", "replace") for side in sides)
    parts = worddiff.compare(before, after) if len(before) + len(after) <= most else []
    return {
        "path": path,
        "title": titled[0],
        "there": titled[1],
        "kind": "new" if sides[0] is None else "deleted" if sides[1] is None else "changed",
        "diff": encode(parts),
    }
