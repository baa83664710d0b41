"""What a small commit adds, written without git: its trees as object files, and the index after it.

git reads and writes all entries of its index several times for a commit, and compresses the whole tree of a folder
again. Here that is done once, and only where all is plain: git's index is of the usual kind and stages nothing
else, files stay in folders that are there, no setting asks for another way. git itself still stores the files, and
so says whether a filter applies to them, and moves HEAD. Elsewhere it is asked for all of it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from stat import S_IMODE, S_ISREG

from mdmem import digests
from mdmem.git.command import GitError
from mdmem.git.direct import loose
from mdmem.git.direct.survey import (
    IndexEntry,
    IndexPart,
    IndexSurvey,
    NotedFolder,
    PathSpot,
    new_entry,
    rewritten,
    survey,
)
from mdmem.git.folder import Identity
from mdmem.git.indexfile import IndexFile
from mdmem.git.repo import Repo, TreeFile
from mdmem.values import NamedTuple, datetime

_FOLDER, _FILE, _PROGRAM, _RUNS = 0o40000, 0o100644, 0o100755, 0o100
_MOST_DOUBTFUL = 20  # entries that are looked at; there are many just after a checkout
_LONGEST_LOOK = 1 << 20  # bytes
_OWN_WAYS = {  # settings that say how objects and the index are to be written
    *("core.sharedrepository", "core.compression", "core.loosecompression", "core.fsync", "core.fsyncmethod"),
    *("core.fsyncobjectfiles", "core.ignorestat", "core.splitindex", "core.untrackedcache", "core.fsmonitor"),
}
_GITS_OWN = (b".git", b"git~")  # names that begin so may be another spelling of .git, which git never takes
_LEFT_OUT = " .,:;<>\"\\'"  # at the ends of a name
Changes = tuple[tuple[str, TreeFile], ...]


class _FileEdit(NamedTuple):
    """A file that is changed: what the index says of it before and after, as (mode, blob), and its new entry."""

    path: str
    spot: PathSpot
    mode: int
    blob: bytes
    entry: bytes

    @property
    def letter(self) -> str:
        """git's letter for the change, "" for none."""
        if self.spot.entry is None:
            return "A"
        return "D" if not self.entry else "M" if self.spot.entry.blob != self.blob else ""

    @property
    def file(self) -> TreeFile:
        """It, or what was there before it was deleted."""
        return TreeFile(self.path, f"{self.mode:06o}", self.blob.hex())

    @property
    def more(self) -> int:
        """How many entries it adds to the index."""
        return {"A": 1, "D": -1}.get(self.letter, 0)


class _RecordEdit(NamedTuple):
    """A record of a tree, and what comes in its place."""

    old: bytes
    new: bytes


def prepare(repo: Repo, index: IndexFile, contents: Mapping[str, bytes | None]) -> tuple[str, Changes] | None:
    """Write the next index, and the trees of HEAD with these contents, which the files hold.

    `index` stages what HEAD holds, no more. Returns the tree ("" if nothing changes) and what differs from HEAD's,
    as in Step; None where git has to do it.
    """
    if os.name == "nt" or repo.has_replacements() or _OWN_WAYS & {key for key, _ in repo.known_under("core")}:
        return None
    found = survey(index, [repo.full(path) for path in contents])
    if found is None or len(found.doubtful) > _MOST_DOUBTFUL:
        return None
    try:
        edits = _edits(repo, found, contents)
        if edits is None or not _write_trees(repo, found.top, edits) or not _are_certain(repo, found, edits):
            return None
        _write_index(repo, found, edits)
    except (GitError, OSError, KeyError):  # git says what is wrong; KeyError: a new folder
        return None
    changed = tuple((edit.letter, edit.file) for edit in edits if edit.letter)
    return (found.top.tree.hex() if changed else ""), changed


def _edits(repo: Repo, found: IndexSurvey, contents: Mapping[str, bytes | None]) -> list[_FileEdit] | None:
    """The changed files in their order; None if there is something about one of them that git is to look at."""
    blobs = _stored(repo, contents)
    paths = {repo.full(path): path for path in contents}
    if blobs is None or sum(spot.entry is None for spot in found.spots) > 1:
        return None
    edits = []
    for spot in found.spots:
        path = paths[spot.path]
        edit = _edit_of(path, spot, *blobs[path]) if path in blobs else _deletion(path, spot)
        if edit is None:
            return None
        edits.append(edit)
    return edits


def _edit_of(path: str, spot: PathSpot, status: os.stat_result, blob: bytes) -> _FileEdit | None:
    mode = _PROGRAM if status.st_mode & _RUNS else _FILE
    known = spot.entry
    if mode != (known.mode if known else _FILE) or (known and not known.is_plain):
        return None
    return _FileEdit(path, spot, mode, blob, new_entry(spot.path, status, mode, blob))


def _deletion(path: str, spot: PathSpot) -> _FileEdit | None:
    return _FileEdit(path, spot, spot.entry.mode, spot.entry.blob, b"") if spot.entry else None


def _stored(repo: Repo, contents: Mapping[str, bytes | None]) -> dict[str, tuple[os.stat_result, bytes]] | None:
    """path -> what was seen of a file and the blob that git made of it; None if one is not what it should be."""
    top = os.path.realpath(repo.top)
    places = {path: os.path.join(top, os.fsdecode(repo.full(path))) for path in contents}
    written = {path: data for path, data in contents.items() if data is not None}
    are_there = all(os.path.lexists(places[path]) == (path in written) for path in contents)
    if not are_there or any(map(_is_behind_link, places.values())):
        return None
    seen = {path: os.lstat(places[path]) for path in written}
    if not all(_is_simple(repo.full(path), written[path], seen[path]) for path in written):
        return None
    names = b"".join(repo.full(path) + b"\n" for path in written)
    blobs = repo.run("hash-object", "-w", "--stdin-paths", stdin=names).decode().split() if written else []
    for (path, data), blob in zip(written.items(), blobs, strict=True):
        is_as_saved = blob == digests.blob_ids(data, len(blob))[0]  # which no filter has changed, either
        if not is_as_saved or _stamp(os.lstat(places[path])) != _stamp(seen[path]):
            return None
    return {path: (seen[path], bytes.fromhex(blob)) for path, blob in zip(written, blobs, strict=True)}


def _is_behind_link(place: str) -> bool:
    """Whether a place is reached through a symbolic link, which git does not follow."""
    return os.path.realpath(place) != place


def _is_simple(path: bytes, data: bytes, status: os.stat_result) -> bool:
    """Whether git takes a file of that name, in a list of lines, too, and would change no line end of it."""
    if any(part.lower().startswith(_GITS_OWN) for part in path.split(b"/")):
        return False
    return S_ISREG(status.st_mode) and b"\n" not in path and not path.startswith(b'"') and b"\r" not in data


def _stamp(status: os.stat_result) -> tuple[int, ...]:
    return status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_mode


def keep_commit(
    repo: Repo, trees: tuple[str, str], people: Sequence[Identity], when: datetime, message: str
) -> str:
    """Keep a commit that `prepare` has made the tree of; its id, "" where git has to do it.

    `trees` are its tree and its parent, `people` its author and committer.
    """
    tree, parent = trees
    seconds = int(when.timestamp())
    if "\0" in message or seconds < 0 or not all(_is_kept_whole(part) for who in people for part in who[:2]):
        return ""
    author, committer = (f"{who.name} <{who.email}> {seconds} +0000" for who in people)
    text = f"tree {tree}\nparent {parent}\nauthor {author}\ncommitter {committer}\n\n{message}"
    try:
        return loose.write_commit(os.path.join(repo.common_dir(), "objects"), text.encode())
    except (OSError, UnicodeEncodeError):  # git says what is wrong
        return ""


def _is_kept_whole(name: str) -> bool:
    """Whether git leaves nothing out of a name or an address in a commit."""
    return bool(name) and name.isprintable() and name == name.strip(_LEFT_OUT) and not {"<", ">"} & set(name)


# -- trees -----------------------------------------------------------------------------------------------------


def _write_trees(repo: Repo, top: NotedFolder, edits: Sequence[_FileEdit]) -> bool:
    """Keep the trees of the folders with changed files, up to the top; `top` has their ids and counts then.

    False if one cannot be read, or is not plain enough. Raises KeyError for a folder that is not there.
    """
    objects = os.path.join(repo.common_dir(), "objects")
    by_folder: dict[tuple[bytes, ...], list[_RecordEdit]] = {}
    for edit in sorted(edits, key=lambda edit: edit.letter != "A"):  # the neighbours of a new one are as they were
        *names, name = edit.spot.path.split(b"/")
        replacement = _in_tree(edit, name)
        if replacement is None or name in top.chain(names)[-1].folders:
            return False
        for folder in top.chain(names):
            folder.count += edit.more
        if edit.letter:
            by_folder.setdefault(tuple(names), []).append(replacement)
    while by_folder:
        place = max(by_folder, key=len)
        folder = top.chain(place)[-1]
        tree = _with(objects, folder.tree, by_folder.pop(place))
        if tree is None:
            return False
        if place:
            old, new = (_record(_FOLDER, place[-1], each) for each in (folder.tree, tree))
            by_folder.setdefault(place[:-1], []).append(_RecordEdit(old, new))
        folder.tree = tree
    return True


def _with(objects: str, tree: bytes, replacements: Sequence[_RecordEdit]) -> bytes | None:
    """The id of a tree with other records, which is kept; None if it is not there, or nothing is left of it."""
    old = loose.read_tree(objects, tree.hex())
    if old is None:
        return None
    data = old.data
    before = behind = len(data)
    for replacement in replacements:
        at = data.find(replacement.old)
        if at < 0 or data.find(replacement.old, at + 1) >= 0:  # a name may look like a record
            return None
        data = data[:at] + replacement.new + data[at + len(replacement.old) :]
        before, behind = min(before, at), min(behind, len(data) - at - len(replacement.new))
    return bytes.fromhex(loose.write_tree(objects, old, data, before, behind)) if data else None


def _in_tree(edit: _FileEdit, name: bytes) -> _RecordEdit | None:
    """What a change of a file is in the tree of its folder; None for a new one without a file beside it."""
    spot, new = edit.spot, _record(edit.mode, name, edit.blob)
    if spot.entry:
        return _RecordEdit(_record(spot.entry.mode, name, spot.entry.blob), new if edit.entry else b"")
    folder = spot.path[: -len(name)]
    if beside := _record_in(folder, spot.behind):
        return _RecordEdit(beside, new + beside)
    beside = _record_in(folder, spot.before)
    return _RecordEdit(beside, beside + new) if beside else None


def _record_in(folder: bytes, entry: IndexEntry | None) -> bytes:
    """The record of a file in the tree of its folder, b"" if it is not in that one."""
    name = entry.path[len(folder) :] if entry and entry.path.startswith(folder) else b"/"
    return _record(entry.mode, name, entry.blob) if entry and b"/" not in name else b""


def _record(mode: int, name: bytes, oid: bytes) -> bytes:
    return b"%o %s\0" % (mode, name) + oid


# -- the index -------------------------------------------------------------------------------------------------


def _write_index(repo: Repo, found: IndexSurvey, edits: Sequence[_FileEdit]) -> None:
    """Write the next index, with the permissions of git's. Raises OSError."""
    parts = [IndexPart(edit.spot.at, edit.spot.at, edit.entry) for edit in edits if not edit.spot.entry]
    parts += [
        IndexPart(edit.spot.entry.start, edit.spot.entry.end, edit.entry) for edit in edits if edit.spot.entry
    ]
    data = rewritten(found, parts, sum(edit.more for edit in edits))
    with open(repo.next_index(), "wb") as file:
        file.write(data)
    os.chmod(repo.next_index(), S_IMODE(os.stat(repo.git_path("index")).st_mode))


def _are_certain(repo: Repo, found: IndexSurvey, edits: Sequence[_FileEdit]) -> bool:
    """Whether the files that may have changed right after git looked at them have not.

    git tells these by the time at which the index was written, which will be another one.
    """
    top = os.fsencode(repo.top)
    changed = {edit.spot.path for edit in edits}
    others = (entry for entry in found.doubtful if entry.path not in changed)
    return all(_holds(os.path.join(top, entry.path), entry.blob) for entry in others)


def _holds(place: bytes, blob: bytes) -> bool:
    """Whether a file is a blob, as it is."""
    try:
        if not S_ISREG((status := os.lstat(place)).st_mode) or status.st_size > _LONGEST_LOOK:
            return False
        with open(place, "rb") as file:
            return blob.hex() == digests.blob_ids(file.read(), len(blob) * 2)[0]
    except OSError:
        return False
