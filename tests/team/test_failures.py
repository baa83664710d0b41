"""A publication that fails leaves what was there, and one that comes later catches up."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from mdmem.errors import StoppedError
from mdmem.store.progress import silent
from mdmem.store.vault.vault import Vault
from mdmem.team.publish import PublishRequest, publish
from mdmem.team.server import Server, TeamError
from tests.team.test_publish import paths, write

pytestmark = pytest.mark.postgres

Run = Callable[..., Any]


class Dying(Server):
    """A connection that the server ends just before the statement of a number."""

    admin: Server
    last = sys.maxsize
    count = 0

    def _next(self) -> None:
        self.count += 1
        if self.count == self.last:
            self.admin.run("SELECT pg_terminate_backend(%s, 5000)", [self._connection.info.backend_pid])

    def run(self, *args: Any) -> Any:
        self._next()
        return super().run(*args)

    def copy(self, *args: Any) -> None:
        self._next()
        super().copy(*args)


@pytest.fixture
def vaulted(root: Path, git: Run) -> Iterator[Vault]:
    """A vault with a few notes, committed."""
    for name in ("tea", "coffee", "milk"):
        write(root, name, f"{name} is good, see [[tea]].")
    git(root, "add", "-A")
    git(root, "commit", "--quiet", "-m", "notes")
    with Vault.open(str(root)) as vault:
        yield vault


def die_at_each(team: Server, vault: Vault, request: PublishRequest, contents: Run, every: int = 1) -> int:
    """Publish, ended before each `every`th statement: nothing is changed by that. How many there are."""
    before = contents()
    at = 0
    while True:
        at += every
        with Dying.open() as server:
            assert isinstance(server, Dying)
            server.admin, server.last = team, at
            try:
                publish(vault, server, request, silent)
            except TeamError:
                assert contents() == before, f"statement {at} left something"
            else:
                return server.count


def test_a_publisher_that_dies_at_any_statement(vaulted: Vault, contents: Run, team: Server, git: Run) -> None:
    root = Path(vaulted.root)
    assert die_at_each(team, vaulted, PublishRequest(), contents, every=3) > 20
    write(root, "tea", "Black tea.")
    (root / "allmemories/milk.md").unlink()
    git(root, "add", "-A")
    git(root, "commit", "--quiet", "-m", "changes")
    vaulted.look_again()
    assert die_at_each(team, vaulted, PublishRequest(), contents) > 15
    after = contents()
    assert [row for row in after["notes"] if "milk" in row] == []
    publish(vaulted, team, PublishRequest(refill=True), silent)
    assert contents() == after


def test_a_process_that_is_killed(
    vaulted: Vault, contents: Run, team: Server, database: str, as_role: Run
) -> None:
    """By the kernel, after it has written all rows and before it can say which commit they are from."""
    publish(vaulted, team, PublishRequest(), silent)
    before = contents()
    other = as_role("postgres")
    with other.transaction():
        other.execute("SELECT head FROM mdmem.vaults FOR UPDATE")
        line = [sys.executable, "-m", "mdmem", "publish", "--refill", "--vault", vaulted.root]
        with subprocess.Popen(line, stderr=subprocess.PIPE) as process:
            waiting = "SELECT 1 FROM pg_locks WHERE NOT granted"
            while not team.run(waiting):
                assert process.poll() is None
                time.sleep(0.02)
            assert contents() == before  # others read on meanwhile
            process.send_signal(signal.SIGKILL)
    assert contents() == before
    assert publish(vaulted, team, PublishRequest(refill=True), silent).written == 3
    assert contents() == before


def test_two_publishers_at_once(
    vaulted: Vault, contents: Run, team: Server, git: Run, tmp_path: Path, as_role: Run
) -> None:
    """Clones at different commits: whichever comes first, in the end it is the later commit."""
    behind = Path(shutil.copytree(vaulted.root, tmp_path / "behind"))
    write(Path(vaulted.root), "water", "Water.")
    git(vaulted.root, "add", "-A")
    git(vaulted.root, "commit", "--quiet", "-m", "water")
    said: list[object] = []

    def run(folder: str) -> None:
        with Vault.open(folder) as vault, Server.open() as server:
            try:
                said.append(publish(vault, server, PublishRequest(), silent).how)
            except StoppedError as error:
                said.append(error)

    holder = as_role("postgres")
    with holder.transaction():
        holder.execute("INSERT INTO mdmem.publishers VALUES ('test', '')")
        threads = [threading.Thread(target=run, args=(folder,)) for folder in (str(behind), vaulted.root)]
        for thread in threads:
            thread.start()
        while len(team.run("SELECT 1 FROM pg_locks WHERE NOT granted AND locktype = 'transactionid'")) < 2:
            time.sleep(0.02)
    for thread in threads:
        thread.join()
    assert len(said) == 2
    git(behind, "fetch", "--quiet", vaulted.root)
    found = contents()
    with Vault.open(vaulted.root) as vault:
        if found["vaults"][0][3] != vault.repo.head_commit():  # the clone that is behind knew no better
            assert publish(vault, team, PublishRequest(), silent).how in ("changes", "filled")
        found = contents()
        publish(vault, team, PublishRequest(refill=True), silent)
        assert contents() == found
    assert len(paths(team)) == 4
    with Vault.open(str(behind)) as vault, pytest.raises(StoppedError, match="ahead of this clone"):
        publish(vault, team, PublishRequest(), silent)


def test_a_shallow_clone_is_refused(vaulted: Vault, team: Server, git: Run, tmp_path: Path) -> None:
    """When its notes were made is not in it."""
    git(tmp_path, "clone", "--quiet", "--depth", "1", f"file://{vaulted.root}", "shallow")
    with (
        Vault.open(str(tmp_path / "shallow")) as vault,
        pytest.raises(StoppedError, match="a part of its history") as caught,
    ):
        publish(vault, team, PublishRequest(), silent)
    assert caught.value.hint == "git fetch --unshallow"


def test_texts_that_a_database_does_not_like(vaulted: Vault, team: Server, git: Run) -> None:
    root = Path(vaulted.root)
    write(root, "binary", "Before\0after: mdmem itself takes no such file for a memory.")
    write(root, "zero", "Written as \\u0000.", 'note: "nul\\0here"\nratio: .nan\n')
    write(root, "umlaut_ümläut_𝕏", "Grüße, 机器学习, 👩‍👩‍👧, e\u0301, \u202eabc, \ufffe.", 'mood: "🙂"\n')
    write(root, "long", "x" * 3000 + " tail " + "y" * 600 + " end", f"tags: [{'z' * 3000}]\n")
    write(root, "large", " ".join(f"w{number % 20_000:x}" for number in range(210_000))[:1_200_000])
    endless = [
        f"{chr(97 + at)}{random.Random(at).randbytes(3000).hex()}" for at in range(4)
    ]  # nothing shortens it
    write(root, "endless", f"See [[{endless[0]}]].", f"session: {endless[1]}\nscope: {endless[2]}\n")
    (root / "allmemories/nameless.md").write_text(f"---\nid: {endless[3]}\n---\n\nIts id is long.\n")
    deep = root / "allmemories" / "/".join(f"{at}{endless[0][:200]}" for at in range(6))
    deep.mkdir(parents=True)
    (deep / "deep.md").write_text("Its path is long.\n")
    (root / "allmemories" / os.fsdecode(b"caf\xe9.md")).write_text("A name that is not UTF-8.\n")
    git(root, "add", "-A")
    git(root, "commit", "--quiet", "-m", "odd")
    vaulted.look_again()
    done = publish(vaulted, team, PublishRequest(), silent)
    bodies = dict(team.run("SELECT name, body FROM mdmem.notes"))
    assert bodies["zero"].strip() == "Written as \\u0000."
    assert bodies["umlaut_ümläut_𝕏"].strip() == "Grüße, 机器学习, 👩‍👩‍👧, e\u0301, \u202eabc, \ufffe."
    told = team.run("SELECT properties FROM mdmem.memories WHERE name = 'zero'")[0][0]
    assert (told["note"], told["ratio"]) == ("nul\ufffdhere", ".nan")
    assert "caf" not in "".join(bodies)
    assert done.notes == len(bodies)
    large = team.run("SELECT length FROM mdmem.words WHERE path LIKE '%%large.md'")[0][0]
    assert large > 150_000
    (frequency,) = team.run("SELECT count(*) FROM mdmem.frequencies WHERE stem LIKE 'xxx%%' OR stem = 'tail'")[0]
    assert frequency == 1  # a word longer than any that is asked for is not among them
    assert not bodies.keys() & {"binary", "deep"}
    kept = team.run("SELECT max(length(id)), max(length(session)), max(length(scope)) FROM mdmem.notes")[0]
    assert kept == (364, 364, 364)
