"""Which commit last touched a line: `path:line@commit` without a `git blame` for each hit.

The index knows every committed version of a file. A note with one version needs no call of git at all; the
versions of the others are read in one batch. A line belongs to the oldest version of the latest unbroken run of
versions that have it, also under names the file had before. A line that an undo or a restore brought back
belongs to the commit that wrote it before that. A line that moved within its file does not count as touched,
unlike in `git blame`. Only what the versions do not settle is blamed: a line that is there twice, that came back
or came by a merge, or a commit that is not part of HEAD's history.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from functools import cache
from itertools import dropwhile
from typing import NamedTuple

from mdmem.store.git.command import AwayError
from mdmem.store.index.port import Version, latest_life
from mdmem.store.vault.vault import Vault

BRINGS_BACK = ("undo", "restore")  # actions that write no line of their own
_SHORT = 8  # digits of a commit's id
_MOST = 100  # versions of a file that are looked at, the latest first

Lines = Mapping[str, Mapping[str, int]]  # blob -> line without the space around it -> how often the blob has it


class CitedLine(NamedTuple):
    """A line of a file: its path, its number (1-based) and its text."""

    path: str
    line: int
    text: str


def place(path: str, line: int, commit: str) -> str:
    """`path:line@commit`; `commit` is "" for what is not committed."""
    where = f"{path}:{line}"
    return f"{where}@{commit[:_SHORT]}" if commit else f"{where} (not committed)"


def commits(vault: Vault, places: Sequence[CitedLine], at: str = "") -> list[str]:
    """The commit that last touched each place; "" for what is not committed.

    With the commit `at`, the files are taken as they were then.
    """
    changed = set() if at else vault.index.differing()
    versions = _versions(vault, [place.path for place in places], at)
    clear = {path for path, known in versions.items() if len(known) == 1 and path not in changed}
    try:
        lines = _lines(vault, [one for path, known in versions.items() if path not in clear for one in known])
    except AwayError:
        return _last(versions, places, changed)
    brings_back = _restoring(vault)
    cited = []
    for place in places:
        text, known = place.text.strip(), versions[place.path]
        if place.path in clear:
            cited.append(known[0].commit)
            continue
        commit = _touched(text, latest_life(known), lines)
        if commit is None:
            from mdmem.store.git import log

            is_new = place.path in changed and not (known and lines[known[0].blob].get(text))
            commit = "" if is_new else log.touched(vault.repo, place.path, place.line, at)
        cited.append(_first_writer(text, commit, known, lines, brings_back))
    return cited


def _last(versions: Mapping[str, Sequence[Version]], places: Sequence[CitedLine], changed: Set[str]) -> list[str]:
    """The last commit of each file, where a partial clone cannot tell more; "" if it is not committed as it is."""
    known = {path: its[0].commit for path, its in versions.items() if its and path not in changed}
    return [known.get(place.path, "") for place in places]


def first_writers(vault: Vault, path: str, written: Iterable[tuple[str, str]]) -> list[str]:
    """For each (line, commit that brought it) of a file, the commit that first wrote that line."""
    known, brings_back = vault.index.versions(path)[:_MOST], _restoring(vault)
    lines = _lines(vault, known)
    return [_first_writer(text.strip(), commit, known, lines, brings_back) for text, commit in written]


def _restoring(vault: Vault) -> Callable[[str], bool]:
    """A function that says whether a commit is an undo or a restore; asks git about each once."""

    @cache
    def brings_back(oid: str) -> bool:
        from mdmem.store.git import log

        return log.named(vault.repo, [oid])[oid].operation.action in BRINGS_BACK

    return brings_back


def _first_writer(
    text: str, commit: str, known: Sequence[Version], lines: Lines, brings_back: Callable[[str], bool]
) -> str:
    """The commit that first wrote a line: `commit`, or an older one if `commit` only brought the line back."""
    older = list(dropwhile(lambda version: version.commit != commit, known))[1:]
    have = [bool(lines[version.blob].get(text)) for version in older]
    if True not in have or not brings_back(commit):
        return commit
    start = have.index(True)
    end = have.index(False, start) if False in have[start:] else len(have)
    return _first_writer(text, older[end - 1].commit, known, lines, brings_back)


def _lines(vault: Vault, versions: Iterable[Version]) -> Lines:
    wanted = sorted({version.blob for version in versions} - {""})
    texts = zip(wanted, vault.repo.blobs(wanted), strict=True)
    return {"": {}} | {
        blob: Counter(map(str.strip, data.decode("utf-8-sig", "replace").split("\n"))) for blob, data in texts
    }


def _versions(vault: Vault, paths: Sequence[str], at: str) -> dict[str, list[Version]]:
    """path -> its versions, the latest first, including those before a deletion.

    With the commit `at`, they begin with the version that it has; none if that is not part of HEAD's history.
    """
    if not at:
        return {path: vault.index.versions(path)[:_MOST] for path in paths}
    until, blobs = vault.repo.time_of(at), vault.repo.blob_ids(at, paths)
    found = {}
    for path in paths:
        blob = blobs.get(path)
        then = [version for version in vault.index.versions(path) if version.when <= until]
        latest = next((at for at, version in enumerate(then) if version.blob == blob), len(then))
        found[path] = then[latest : latest + _MOST]
    return found


def _touched(text: str, versions: Sequence[Version], lines: Lines) -> str | None:
    """The commit that brought a line, as the versions of its file tell; None if they do not settle it."""
    have = [bool(lines[version.blob].get(text)) for version in versions]
    run = have.index(False) if False in have else len(have)
    if not run or run == _MOST or any(have[run:]) or lines[versions[0].blob][text] > 1:
        return None
    return versions[run - 1].commit
