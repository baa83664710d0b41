"""What can be offered while a line is typed: names of memories, of what is in the trash, of sessions and the like.

A keypress cannot wait long: the index is used as it is, and little else is read.
"""

from collections.abc import Callable, Iterable, Mapping

from mdmem import acts
from mdmem.acts.face import Face
from mdmem.errors import MdmemError
from mdmem.store.index.freshness import Index
from mdmem.store.local import place
from mdmem.store.vault.vault import Vault

_NOTES_READ = 500  # at most, if there is no index yet
_COMMITS_READ = 1000  # the latest ones, for the ids of sessions


def offered(face: Face, kind: str, typed: str) -> list[str]:
    """What begins with what is typed, of what is known of a kind and may be shown; nothing after an error."""
    try:
        if kind == "listed_vault":
            known: Iterable[str] = [vault.name for vault in place.listed()]
        else:
            with Vault.open(face.vault) as vault:
                known = list(_KNOWN[kind](vault))
    except MdmemError:
        return []
    return [text for text in dict.fromkeys(known) if text.startswith(typed)]


def _index_as_it_is(vault: Vault) -> Index:
    index = vault.open_index()
    if not index.count():
        index.catch_up(_NOTES_READ)
    return index


def _names(vault: Vault) -> Iterable[str]:
    return vault.seen(_index_as_it_is(vault)).names()


def _types(vault: Vault) -> Iterable[str]:
    return sorted({note.type for note in vault.seen(_index_as_it_is(vault)).records()} - {""})


def _deleted(vault: Vault) -> Iterable[str]:
    """What is in the trash, the latest deletion first."""
    return [item.name for item in acts.trash(vault).items]


def _sessions(vault: Vault) -> Iterable[str]:
    """The sessions that wrote lately, the latest first."""
    from mdmem.history.shown import PastSight
    from mdmem.store.git import log

    sight = PastSight(vault)
    read = log.messages if sight.is_full else log.commits  # the changes tell which commits are hidden
    commits = sight.commits(read(vault.repo, f"--max-count={_COMMITS_READ}"))
    return [commit.operation.session for commit in commits if commit.operation.session]


_KNOWN: Mapping[str, Callable[[Vault], Iterable[str]]] = {
    "name": _names,
    "type": _types,
    "deleted": _deleted,
    "session": _sessions,
}
