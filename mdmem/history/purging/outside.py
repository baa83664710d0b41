"""Files outside git's history that hold purged content: in the vault, in mdmem's own folder, in transcripts."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from mdmem.store import layout, registry
from mdmem.store.git.repo import Repo
from mdmem.store.local import state
from mdmem.store.vault.vault import Vault

_AT_ONCE = 16_000_000  # bytes of a file to search at a time
_OVERLAP = 10_000  # how many of them to search again with the next ones
GIT_MEMOS = ("COMMIT_EDITMSG", "MERGE_MSG", "SQUASH_MSG", "ORIG_HEAD", "FETCH_HEAD", "AUTO_MERGE", "gc.log")
# Where programs keep chats and command histories, relative to a person's home.
TRANSCRIPTS = (
    *(".claude/projects", ".codex/sessions", ".copilot/session-state", ".gemini/tmp", ".qwen/projects"),
    *(".local/share/opencode", ".pi/agent/sessions"),
    *(".claude/history.jsonl", ".codex/history.jsonl", ".bash_history", ".zsh_history", ".python_history"),
)


class OutsideFile(NamedTuple):
    """A file that holds purged content; `path` is relative to the vault if it lies there.

    `kind` is "local" (git's and mdmem's own, which a purge cleans), "file" or "transcript".
    """

    path: str
    kind: str


def found(vault: Vault, needles: Sequence[bytes], home: str) -> list[OutsideFile]:
    """The files outside git's history that match one of the patterns; transcripts are looked for under `home`."""
    wanted = re.compile(b"|".join(needles)) if needles else None
    if wanted is None:
        return []
    hits = [OutsideFile(path, "local") for path in local_files(vault) if holds(path, wanted)]
    loose = [path for path in _loose_files(vault.repo) if holds(path, wanted)]
    hits += [OutsideFile(path, "local" if _is_remade(vault, path) else "file") for path in loose]
    hits += [OutsideFile(path, "transcript") for path in _transcripts(home) if holds(path, wanted)]
    return [hit._replace(path=hit.path.removeprefix(vault.root + os.sep)) for hit in hits]


def local_files(vault: Vault) -> Iterator[str]:
    """The files in mdmem's own folder, except those of a purge in progress."""
    for path in _files([vault.state]):
        if not path.startswith(os.path.join(vault.state, state.PURGE) + os.sep):
            yield path


def _loose_files(repo: Repo) -> Iterator[str]:
    """The files in the working tree that git does not track, and those in git's folder that are not objects."""
    tracked = {os.path.join(repo.top, os.fsdecode(path)) for path in repo.run("ls-files", "-z").split(b"\0")}
    skipped = {os.path.join(repo.common_dir(), "objects"), os.path.join(repo.top, repo.prefix, layout.STATE)}
    yield from (path for path in _files([repo.top], skipped) if path not in tracked)
    if not repo.common_dir().startswith(repo.top + os.sep):
        yield from _files([repo.common_dir()], skipped)


def _is_remade(vault: Vault, path: str) -> bool:
    """Whether a purge deletes a file that git or mdmem makes again: git's notes, what is derived."""
    inner = os.path.relpath(path, vault.root).replace(os.sep, "/")
    if is_of_git(vault.repo, path):
        return True
    return any(tree.owns(inner) and tree.wrote(vault, inner) for tree in registry.all_trees(vault))


def is_of_git(repo: Repo, path: str) -> bool:
    """Whether a file is one of git's records of what it did last, which it makes again."""
    inner = os.path.relpath(path, repo.common_dir()).replace(os.sep, "/")
    return inner in GIT_MEMOS or inner.startswith("logs/") or inner in ("index", "packed-refs")


def _transcripts(home: str) -> Iterator[str]:
    yield from _files([os.path.join(home, place) for place in TRANSCRIPTS])


def _files(places: Iterable[str], skipped: Iterable[str] = ()) -> Iterator[str]:
    """The regular files at and under some paths; symbolic links are not followed."""
    skipped = {os.path.normpath(place) for place in skipped}
    for place in places:
        if os.path.isfile(place):
            yield place
        for folder, folders, names in os.walk(place):
            folders[:] = sorted(name for name in folders if os.path.join(folder, name) not in skipped)
            inside = (os.path.join(folder, name) for name in sorted(names))
            yield from (path for path in inside if os.path.isfile(path) and not os.path.islink(path))


def holds(path: str, wanted: re.Pattern[bytes]) -> bool:
    """Whether a file matches a pattern; one that cannot be read counts as if it did."""
    try:
        with open(path, "rb") as file:
            rest = b""
            while chunk := file.read(_AT_ONCE):
                if wanted.search(rest + chunk):
                    return True
                rest = chunk[-_OVERLAP:]
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return False
