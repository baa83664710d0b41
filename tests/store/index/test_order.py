"""The rows of a history depend on its commits, not on the order in which an index came to know them."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

import pytest

from mdmem.store.index import versions
from mdmem.store.index.catalogue import SqliteCatalogue
from mdmem.store.index.freshness import Index
from mdmem.store.vault.vault import Vault
from tests.conftest import Git

NAMES = [f"allmemories/note_number_{number}_here.md" for number in range(4)]
MADE = 1_700_000_000  # Unix seconds
ROWS = (
    "SELECT * FROM versions ORDER BY path, place",
    "SELECT oid, made, seconds, place FROM commits ORDER BY place",
    "SELECT text, oid FROM marks JOIN commits USING(number) ORDER BY 1, 2",
    "SELECT path, created, updated, title FROM notes ORDER BY path",
)


def lived(seed: int, machines: int = 3, commits: int = 40) -> str:
    """A history for `git fast-import`: machines whose clocks are wrong write the same four notes, and merge.

    The branch `main` ends with a merge of all; `arriving/N` are its commits in the order in which one machine,
    which merges now and then, comes to have them.
    """
    chance, lines, mark = random.Random(seed), list[str](), 0
    files: list[dict[str, str]] = [{} for _ in range(machines)]
    tips = [0] * machines

    def commit(machine: int, changes: dict[str, str | None], *parents: int) -> None:
        nonlocal mark
        mark += 1
        when = MADE + chance.randint(0, commits // 4)
        lines.append(f"commit refs/heads/{'main' if machine == 0 else f'side{machine}'}\nmark :{mark}\n")
        lines.append(f"committer M{machine} <m{machine}@example.org> {when} +0000\ndata 4\nsaid\n")
        lines.extend(f"{'merge' if at else 'from'} :{parent}\n" for at, parent in enumerate(parents) if parent)
        for path, text in changes.items():
            lines.append(f"D {path}\n" if text is None else f"M 100644 inline {path}\ndata {len(text)}\n{text}\n")
        tips[machine] = mark

    def write(machine: int) -> None:
        own, path = files[machine], chance.choice(NAMES)
        changes: dict[str, str | None] = {path: f"# Text {mark}\n\nOf {path} {chance.random()}\n"}
        if path in own and (turn := chance.random()) < 0.4:
            changes = {path: None}
            free = [name for name in NAMES if name not in own]
            if turn < 0.3 and free:
                changes[chance.choice(free)] = own[path]
        for at, text in changes.items():
            own.pop(at, None)
            own |= {} if text is None else {at: text}
        commit(machine, changes, tips[machine])

    def merge(into: int, other: int) -> None:
        whole = {path: files[chance.choice((into, other))].get(path) for path in NAMES}
        files[into] = {path: text for path, text in whole.items() if text is not None}
        commit(into, whole, tips[into], tips[other])

    commit(0, {"mdmem.toml": ""})
    tips = [mark] * machines
    for number in range(commits):
        write(chance.randrange(machines))
        if chance.random() < 0.2:
            merge(*chance.sample(range(machines), 2))
        lines.append(f"reset refs/arriving/{number:03}\nfrom :{tips[0]}\n\n")
    for other in range(1, machines):
        merge(0, other)
    return "".join(lines)


def told(index: Index) -> list[object]:
    """All that the index says of the past."""
    rows = [index._db.execute(sql) for sql in ROWS]
    past = [SqliteCatalogue.versions(index, path) for path in NAMES]
    return [*rows, past, index.told(), index.committers(), index._db.execute(versions.GONE)]


@pytest.mark.parametrize("seed", range(6))
def test_an_index_that_grew_says_what_a_fresh_one_does(
    vault: Vault, root: Path, git: Git, tmp_path: Path, seed: int
) -> None:
    """What a merge brings may be older than what is known: it takes its place among that."""
    subprocess.run(["git", "fast-import", "--quiet", "--force"], cwd=root, input=lived(seed).encode(), check=True)
    arriving = git(root, "for-each-ref", "--format=%(objectname)", "refs/arriving").split()
    index = vault.open_index()
    for commit in [*dict.fromkeys(arriving), "main"]:
        git(root, "reset", "--quiet", "--hard", commit)
        index.freshen(allow_loss=True)
    grown = told(index)
    index.rebuild(True, lambda done, total: None)
    for was, now in zip(grown, told(index), strict=True):
        assert was == now
