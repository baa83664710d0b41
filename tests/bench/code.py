"""Memories about code against brute force: every verdict on a history, compared with a walk through its commits.

    python -m tests.bench.code             # a history of 200 commits that is made for it
    python -m tests.bench.code REPO 200    # the last 200 commits of a repository

For each file of the oldest commit a memory names the file, for each second one also three of its lines. The
verdicts are those of recall; the walk takes the commits one after the other, the oldest first, and compares texts.
"""

from __future__ import annotations

import itertools
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from mdmem.note.codenames import CodeItem, Lines
from mdmem.recall.marks import Standpoint
from mdmem.store.git.codebase import Codebase
from mdmem.store.vault.vault import Vault

_EMPTY = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
SEED, COMMITS, FILES = 7, 200, 40


class Truth(NamedTuple):
    """What the walk found: a verdict, and the places to which a file or its lines may have moved."""

    state: str
    places: frozenset[str] = frozenset()


def git(repo: Path, *args: str, stdin: bytes | None = None) -> bytes:
    return subprocess.run(["git", *args], cwd=repo, check=True, capture_output=True, input=stdin).stdout


# -- a history ---------------------------------------------------------------------------------------------


def build(repo: Path, commits: int = COMMITS, seed: int = SEED) -> None:
    """A repository whose files are added, edited, renamed, renamed and edited, deleted and brought back."""
    repo.mkdir(parents=True)
    git(repo, "init", "--quiet", "--initial-branch=main")
    dice = random.Random(seed)
    files = {_name(dice): _text(dice, 30) for _ in range(FILES)}
    stream = [_commit(0, [_put(path, text) for path, text in files.items()])]
    for number in range(1, commits):
        stream.append(_commit(number, [part for _ in range(dice.randint(1, 3)) for part in _step(dice, files)]))
    git(repo, "fast-import", "--quiet", stdin=b"".join(stream))
    git(repo, "reset", "--hard", "--quiet")


def _name(dice: random.Random) -> str:
    folder = dice.choice(["src", "src/über uns", "docs", "lib/core", "ténis"])
    return f"{folder}/{dice.choice(['auth', 'mail box', 'größe', 'store'])}_{dice.randrange(10**6)}.py"


def _text(dice: random.Random, lines: int) -> list[str]:
    return [f"{dice.choice(['def', 'return', 'value', '    x'])} {dice.randrange(10**9)}" for _ in range(lines)]


def _step(dice: random.Random, files: dict[str, list[str]]) -> Iterator[bytes]:
    path = dice.choice(sorted(files))
    what = dice.choice(["edit"] * 6 + ["insert"] * 3 + ["rename", "rename and edit", "delete", "add", "stub"])
    text = list(files[path])
    if what in ("edit", "rename and edit"):
        text[dice.randrange(len(text))] = f"changed {dice.randrange(10**9)}"
    if what == "insert":
        text[:0] = _text(dice, 2)
    to = path
    if what.startswith("rename") or what == "delete":
        del files[path]
        yield b"D %s\n" % _quoted(path)
        to = _name(dice)
    if what == "add":
        to, text = _name(dice), _text(dice, 30)
    if what == "stub":  # a file of the same name takes its place
        yield from _put_at(files, _name(dice), text)
        text = ["from elsewhere import *"]
    if what != "delete":
        yield from _put_at(files, to, text)


def _put_at(files: dict[str, list[str]], path: str, text: list[str]) -> Iterator[bytes]:
    files[path] = text
    yield _put(path, text)


def _quoted(path: str) -> bytes:
    return b'"%s"' % path.encode()


def _put(path: str, text: Sequence[str]) -> bytes:
    data = "".join(f"{line}\n" for line in text).encode()
    return b"M 100644 inline %s\ndata %d\n%s\n" % (_quoted(path), len(data), data)


def _commit(number: int, changes: Sequence[bytes]) -> bytes:
    head = f"commit refs/heads/main\ncommitter A <a@example.org> {1_700_000_000 + number} +0000\ndata 1\nx\n"
    return head.encode() + b"".join(changes) + b"\n"


# -- the walk ----------------------------------------------------------------------------------------------


def tree(repo: Path, commit: str) -> dict[str, str]:
    """path -> blob."""
    entries = git(repo, "ls-tree", "-r", "-z", "--full-tree", commit).split(b"\0")[:-1]
    pairs = (entry.partition(b"\t")[::2] for entry in entries if entry.startswith(b"100"))
    return {os.fsdecode(path): meta.split()[2].decode() for meta, path in pairs}


def walk(repo: Path, commits: Sequence[str], items: Sequence[CodeItem]) -> dict[CodeItem, Truth]:
    """The truth about each item at the last commit; the items are those of the first."""
    at = {item.path: item.path for item in items}  # path of an item -> where that file is now, "" if deleted
    last = {item.path: item.object for item in items}
    for before, after in itertools.pairwise(commits):
        words = os.fsdecode(
            git(repo, "diff-tree", "-r", "-z", "-M50%", "-l0", "--raw", "--no-abbrev", before, after)
        ).split("\0")
        moves, left = _changes(words)
        for path, now in at.items():
            if now in moves:
                at[path] = moves[now]
            elif now in left:
                last[path], at[path] = left[now], ""
    files = tree(repo, commits[-1])
    return {item: _truth(repo, item, files, at[item.path], last[item.path]) for item in items}


def _changes(words: Sequence[str]) -> tuple[dict[str, str], dict[str, str]]:
    """(old path -> new path of renames, path -> blob of deletions)."""
    moves, left = {}, {}
    parts = iter(words[:-1])
    for meta in parts:
        path = next(parts)
        letter = meta.split()[4][0]
        if letter == "R":
            moves[path] = next(parts)
        elif letter == "D":
            left[path] = meta.split()[2]
    return moves, left


def _truth(repo: Path, item: CodeItem, files: Mapping[str, str], now: str, last: str) -> Truth:
    if item.path in files:
        if files[item.path] == item.object:
            return Truth("")
        places = {item.path}
    elif now in files:
        places = {now}
    else:
        places = {path for path, blob in files.items() if blob in (item.object, last) and blob != _EMPTY}
    if not places:
        return Truth("gone")
    if not item.lines.first:
        return Truth("changed since") if item.path in places else Truth("moved to", frozenset(places))
    return _truth_of_lines(repo, item, {path: files[path] for path in places})


def _truth_of_lines(repo: Path, item: CodeItem, places: Mapping[str, str]) -> Truth:
    old = git(repo, "cat-file", "blob", item.object).decode("utf-8", "replace").split("\n")
    wanted = "\n".join(old[item.lines.first - 1 : item.lines.last])
    found = set()
    for path, blob in places.items():
        text = "\n" + git(repo, "cat-file", "blob", blob).decode("utf-8", "replace")
        starts = [at for at in range(len(text)) if text.startswith(f"\n{wanted}\n", at)]
        numbers = [text.count("\n", 0, at) + 1 for at in starts]
        if item.lines.first in numbers:
            numbers = [item.lines.first]
        size = item.lines.last - item.lines.first
        found.add(f"{path}:{numbers[0]}-{numbers[0] + size}" if len(numbers) == 1 else path)
    if found == {item.place}:
        return Truth("")
    return Truth("changed since") if found == {item.path} else Truth("moved to", frozenset(found))


# -- both --------------------------------------------------------------------------------------------------


def items_at(repo: Path, commit: str) -> list[CodeItem]:
    """What the memories name: each file of a commit, and three lines in the middle of each second one."""
    found = []
    for number, (path, blob) in enumerate(sorted(tree(repo, commit).items())):
        found.append(CodeItem(path, Lines(), blob))
        text = git(repo, "cat-file", "blob", blob).split(b"\n") if number % 2 else []
        middle = len(text) // 2
        if len(text) > 8 and b"".join(text[middle - 1 : middle + 2]).strip():
            found.append(CodeItem(path, Lines(middle, middle + 2), blob))
    return found


def compare(vault: Vault, repo: Path, commits: int = COMMITS) -> tuple[Counter[str], list[str]]:
    """(how often each verdict was right, what was wrong) for the last commits of a repository."""
    every = git(repo, "rev-list", "--first-parent", "--reverse", "HEAD").decode().split()[-commits - 1 :]
    items = items_at(repo, every[0])
    truth = walk(repo, every, items)
    standpoint = Standpoint(vault, str(repo))
    standpoint.base = Codebase(str(repo))
    started = time.process_time(), time.perf_counter()
    verdicts = standpoint.judged(items)
    took = time.process_time() - started[0], time.perf_counter() - started[1]
    right: Counter[str] = Counter()
    wrong = []
    for item, (state, places) in truth.items():
        mark = verdicts.get(item)
        said = (mark.state, mark.to) if mark else ("", "")
        if said[0] == state and (not places or said[1] in places):
            right[state or "as it was"] += 1
        else:
            wrong.append(f"{item}: said {' '.join(said)}, is {state} {sorted(places)}")
    print(f"{len(items)} items: {took[0] * 1000:.0f} ms of CPU here, {took[1] * 1000:.0f} ms in all with git")
    return right, wrong


def symbols(repo: Path, most: int = 200) -> tuple[int, list[str]]:
    """(how many names stand in just one line of HEAD's files, which of them git does not find as a walk does)."""
    texts = {path: git(repo, "cat-file", "blob", blob) for path, blob in tree(repo, "HEAD").items()}
    lines = [
        (path, number, set(re.findall(rb"[A-Za-z_]\w{2,}", line, re.ASCII)))
        for path, text in texts.items()
        if b"\0" not in text[:8000]
        for number, line in enumerate(text.split(b"\n"), 1)
    ]
    places: dict[str, list[tuple[str, int]]] = {}
    for path, number, words in lines:
        for word in words:
            places.setdefault(word.decode(), []).append((path, number))
    asked = random.Random(SEED).sample(sorted(places), min(most, len(places)))
    found = Codebase(str(repo)).named_once(asked)
    truth = {word: places[word][0] for word in asked if len(places[word]) == 1}
    return len(truth), [word for word in asked if found.get(word) != truth.get(word)]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "vault"
        (place / "allmemories").mkdir(parents=True)
        git(place, "init", "--quiet")
        repo, commits = Path(folder) / "code", COMMITS
        if len(sys.argv) > 1:
            repo, commits = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else COMMITS
        else:
            build(repo)
        with Vault.open(str(place)) as vault:
            right, wrong = compare(vault, repo, commits)
        once, other = symbols(repo)
    print(*(f"{count:6} {state}" for state, count in sorted(right.items())), sep="\n")
    print(f"{len(wrong):6} wrong", *wrong, sep="\n")
    print(f"{once:6} of 200 names are symbols", f"{len(other):6} wrong", *other, sep="\n")


if __name__ == "__main__":
    main()
