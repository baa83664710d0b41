"""The write path: one commit of exactly its own files, in any repository; nothing lost on failure."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from mdmem.errors import BusyError, ConflictError, MdmemError, NotFoundError, StoppedError, UsageError
from mdmem.note.memory import render
from mdmem.store.git import commits
from mdmem.store.local import lock
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault
from tests.conftest import Commit, Git

NOTE = render({"id": "0192f3c4-7d1e-7c3a-9d53-0c7a6f3e2b11", "title": "T"}, "Body.")
PATH = "allmemories/user_prefers_tables.md"
Intrude = Callable[[str, Callable[[], object]], None]


def put(vault: Vault, caller: Caller, path: str = PATH, data: bytes = NOTE, action: str = "create") -> str:
    with vault.change(caller.does(action, "Because.")) as tx:
        tx.write(path, data)
    return tx.commit


def test_one_write_is_one_commit_with_trailers(vault: Vault, caller: Caller, root: Path, git: Git) -> None:
    oid = put(vault, caller)
    assert git(root, "rev-parse", "HEAD") == oid
    assert git(root, "rev-list", "--count", "HEAD") == "2"
    assert git(root, "log", "-1", "--format=%B") == (
        "create: user_prefers_tables\n\nBecause.\n\nMemory-Action: create\n"
        "Memory-Id: 0192f3c4-7d1e-7c3a-9d53-0c7a6f3e2b11\nMemory-Actor: claude-code\nMemory-Session: conv-1"
    )
    assert git(root, "log", "-1", "--format=%an|%ae|%cn|%ce|%aI") == (
        "claude-code|claude-code@agents.mdmem.invalid|Ada Lovelace|ada@example.org|2026-03-01T12:00:00+00:00"
    )
    assert git(root, "show", f"HEAD:{PATH}").encode() + b"\n" == NOTE
    assert git(root, "status", "--porcelain") == ""


def test_a_person_is_author_and_actor(vault: Vault, caller: Caller, root: Path, git: Git) -> None:
    put(vault, caller._replace(actor="", session=""))
    assert git(root, "log", "-1", "--format=%an <%ae>") == "Ada Lovelace <ada@example.org>"
    assert "Memory-Actor: Ada Lovelace" in git(root, "log", "-1", "--format=%B")


def test_no_hook_runs_and_nothing_else_staged_rides_along(
    vault: Vault, caller: Caller, root: Path, git: Git
) -> None:
    for name in ("pre-commit", "commit-msg", "post-commit", "prepare-commit-msg", "reference-transaction"):
        hook = root / ".git" / "hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(f"#!/bin/sh\ntouch '{root}/{name}-ran'\nexit 1\n")
        hook.chmod(0o755)
    (root / "staged.txt").write_text("mine")
    (root / "dirty.txt").write_text("untracked")
    git(root, "add", "staged.txt")
    put(vault, caller)
    assert not list(root.glob("*-ran"))
    assert git(root, "show", "--name-only", "--format=", "HEAD") == PATH
    assert git(root, "status", "--porcelain") == "A  staged.txt\n?? dirty.txt"


def test_an_intent_to_add_survives(vault: Vault, caller: Caller, root: Path, git: Git) -> None:
    (root / "later.txt").write_text("x")
    git(root, "add", "-N", "later.txt")
    put(vault, caller)
    assert git(root, "show", "--name-only", "--format=", "HEAD") == PATH
    assert git(root, "status", "--porcelain") == " A later.txt"


def test_a_repository_with_no_commit(tmp_path: Path, caller: Caller, git: Git) -> None:
    folder = tmp_path / "v"
    (folder / "allmemories").mkdir(parents=True)
    git(folder, "init", "--quiet")
    (folder / "other.txt").write_text("x")
    git(folder, "add", "other.txt")
    with Vault(str(folder)) as vault:
        assert vault.index.count() == 0
        put(vault, caller)
        assert [record.path for record in vault.index.records()] == [PATH]
    assert git(folder, "log", "--format=%s") == "create: user_prefers_tables"
    assert git(folder, "status", "--porcelain") == "A  other.txt"


def test_a_detached_head(vault: Vault, caller: Caller, root: Path, git: Git) -> None:
    git(root, "checkout", "--quiet", "--detach")
    oid = put(vault, caller)
    assert git(root, "rev-parse", "HEAD") == oid
    assert git(root, "rev-parse", "main") != oid


def test_a_linked_worktree(root: Path, caller: Caller, git: Git, tmp_path: Path) -> None:
    git(root, "worktree", "add", "--quiet", "-b", "side", tmp_path / "side")
    (tmp_path / "side" / "allmemories").mkdir()
    with Vault(str(tmp_path / "side")) as vault:
        oid = put(vault, caller)
    assert git(root, "rev-parse", "side") == oid
    assert git(root, "status", "--porcelain") == ""
    assert git(tmp_path / "side", "status", "--porcelain") == ""


def test_a_vault_in_a_folder_of_a_larger_repository(
    tmp_path: Path, caller: Caller, git: Git, commit: Commit
) -> None:
    top, folder = tmp_path / "code", tmp_path / "code" / "docs" / "my notes ü"
    (folder / "allmemories").mkdir(parents=True)
    git(top, "init", "--quiet")
    (top / "main.py").write_text("x")
    commit("code", folder=top)
    (top / "main.py").write_text("y")
    with Vault(str(folder)) as vault:
        put(vault, caller)
        put(vault, caller, "allmemories/é à b.md", b"text")
        assert [record.path for record in vault.index.records()] == [PATH, "allmemories/é à b.md"]
        assert vault.repo.read("HEAD", PATH) == NOTE
    assert git(top, "status", "--porcelain") == " M main.py"


def test_a_submodule(root: Path, tmp_path: Path, caller: Caller, git: Git) -> None:
    outer = tmp_path / "outer"
    outer.mkdir()
    git(outer, "init", "--quiet")
    git(outer, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(root), "memory")
    (outer / "memory" / "allmemories").mkdir()
    with Vault(str(outer / "memory")) as vault:
        oid = put(vault, caller)
    assert git(outer / "memory", "rev-parse", "HEAD") == oid


@pytest.mark.parametrize(
    "name", ["with space.md", "ünïcode_名前.md", "-dash.md", "a'b\"c.md", ":(glob)*.md", "🎉.md"]
)
def test_odd_names(vault: Vault, caller: Caller, root: Path, git: Git, name: str) -> None:
    path = f"allmemories/{name}"
    put(vault, caller, path, b"odd body")
    assert git(root, "-c", "core.quotePath=false", "ls-files", "-z", "allmemories") == path + "\0"
    assert [record.path for record in vault.index.records()] == [path]
    with vault.change(caller.does("delete")) as tx:
        tx.delete(path)
    assert git(root, "status", "--porcelain") == ""
    assert vault.index.count() == 0


def test_no_identity_gets_a_stand_in_said_once(
    root: Path, caller: Caller, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    said: list[str] = []
    for number in range(2):
        with Vault(str(root), said.append) as vault:
            put(vault, caller._replace(actor=""), f"allmemories/note_number_{number}.md", b"x")
    assert git(root, "log", "-1", "--format=%an <%ae> %cn") == "mdmem <mdmem@localhost> mdmem"
    assert len([line for line in said if "user.name" in line]) == 1


def test_a_filter_that_converts_line_ends(root: Path, caller: Caller, git: Git) -> None:
    git(root, "config", "core.autocrlf", "true")
    with Vault(str(root)) as vault:
        put(vault, caller, PATH, NOTE.replace(b"\n", b"\r\n"))
        assert git(root, "status", "--porcelain") == ""
        assert vault.index.freshen() == 0


def test_the_same_bytes_again_make_no_commit(vault: Vault, caller: Caller) -> None:
    assert put(vault, caller)
    assert put(vault, caller) == ""


def test_an_exception_in_the_block_changes_nothing(vault: Vault, caller: Caller, root: Path, git: Git) -> None:
    def fail() -> None:
        with vault.change(caller.does("create")) as tx:
            tx.write(PATH, NOTE)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert not (root / PATH).exists()
    assert git(root, "rev-list", "--count", "HEAD") == "1"


def test_a_failing_commit_puts_every_byte_back(
    vault: Vault, caller: Caller, root: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(vault, caller)
    dirty, new = root / "allmemories/dirty.md", root / "allmemories/other_new_note.md"
    dirty.write_bytes(b"by hand\r\n")
    locked = root / ".git/refs/heads/main.lock"  # git will refuse to move the branch
    locked.write_text("")
    monkeypatch.setattr(commits, "PATIENCE", 0.1)

    def change() -> None:
        with vault.change(caller.does("revise")) as tx:
            tx.write(PATH, b"new")
            tx.write("allmemories/other_new_note.md", b"new")
            tx.delete("allmemories/dirty.md")

    with pytest.raises(BusyError, match="lock"):
        change()
    locked.unlink()
    assert ((root / PATH).read_bytes(), dirty.read_bytes(), new.exists()) == (NOTE, b"by hand\r\n", False)
    assert git(root, "rev-list", "--count", "HEAD") == "2"
    assert not vault.unfinished()


def test_gits_own_lock_is_waited_for(vault: Vault, caller: Caller, root: Path) -> None:
    held = root / ".git" / "index.lock"
    held.write_text("")
    threading.Timer(0.3, held.unlink).start()
    assert put(vault, caller)


def test_while_head_moves_the_git_of_a_person_is_told_of_our_lock_and_nothing_is_lost(
    vault: Vault, caller: Caller, root: Path, git: Git, intrude: Intrude
) -> None:
    """At each earlier step their `git commit` is made, and built upon: tests/store/git/test_commits.py."""

    def commit(code: int) -> None:
        git(root, "add", "by_hand.txt", code=code)
        git(root, "commit", "--quiet", "-m", "meanwhile", code=code)

    (root / "by_hand.txt").write_text("x")
    intrude("_move_head", partial(commit, 128))
    put(vault, caller)
    commit(0)
    for oid, path in (("HEAD", "by_hand.txt"), ("HEAD~1", PATH)):
        assert git(root, "show", "--name-only", "--format=", oid) == path
    assert git(root, "status", "--porcelain") == ""


def test_a_memory_committed_meanwhile_is_found(
    vault: Vault, caller: Caller, root: Path, git: Git, intrude: Intrude
) -> None:
    """Ours is built upon a commit that the index has not seen: it must not believe that it has."""

    def commit() -> None:
        (root / "allmemories/made_by_hand_meanwhile.md").write_text("Meanwhile.\n")
        git(root, "add", "allmemories")
        git(root, "commit", "--quiet", "-m", "meanwhile", "--", "allmemories/made_by_hand_meanwhile.md")

    assert vault.index.count() == 0
    intrude("_commit_object", commit)
    put(vault, caller)
    with Vault(str(root)) as again:
        assert again.index.names() == ["made_by_hand_meanwhile", "user_prefers_tables"]


def test_a_commit_by_plumbing_alone_is_built_upon(
    vault: Vault, caller: Caller, root: Path, git: Git, intrude: Intrude
) -> None:
    """Only the branch moves, git's index does not: another worktree or a tool did that."""
    theirs = git(root, "commit-tree", "-p", "HEAD", "-m", "theirs", "HEAD^{tree}")
    intrude("_move_head", partial(git, root, "update-ref", "HEAD", theirs))
    put(vault, caller)
    assert git(root, "log", "--format=%s").splitlines() == ["create: user_prefers_tables", "theirs", "a vault"]


@pytest.mark.parametrize("links", [True, False], ids=["links", "no links"])
def test_head_and_index_move_together(
    vault: Vault, caller: Caller, root: Path, git: Git, monkeypatch: pytest.MonkeyPatch, links: bool
) -> None:
    """Until HEAD has moved, git's index does not hold our file: no `git commit` can swallow it."""
    seen: list[str] = []
    real = commits._move_head

    def look(*args: object) -> object:
        seen.append(git(root, "ls-files", "allmemories"))
        return real(*args)

    def no_links(*args: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(commits, "_move_head", look)
    if not links:
        monkeypatch.setattr(os, "link", no_links)
    put(vault, caller)
    assert seen == [""]
    assert git(root, "status", "--porcelain") == ""
    assert {path.name for path in (root / ".git").iterdir() if "index" in path.name} == {"index"}


def test_a_racily_clean_file_of_a_person_stays_dirty(vault: Vault, caller: Caller, root: Path, git: Git) -> None:
    """git looks twice at files as young as its index; our copy of the index must not make them look older."""
    place = root / "by_hand.txt"
    once = (1_700_000_000, 1_700_000_000)
    place.write_text("one")
    os.utime(place, once)
    git(root, "add", "by_hand.txt")
    git(root, "commit", "--quiet", "-m", "x")
    place.write_text("two")
    os.utime(place, once)
    git(root, "config", "core.trustctime", "false")
    os.utime(root / ".git" / "index", once)
    assert git(root, "status", "--porcelain", GIT_OPTIONAL_LOCKS="0") == " M by_hand.txt"
    put(vault, caller)
    assert git(root, "status", "--porcelain") == " M by_hand.txt"


def test_many_paths_in_one_change(
    vault: Vault, caller: Caller, root: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More than a command line can hold: written, edited by hand, and written again."""
    monkeypatch.setattr(os, "fsync", lambda handle: None)  # thousands of them take minutes on some disks
    deep = "/".join(["long_name_" * 23] * 5)
    paths = [f"allmemories/{deep}/note_number_{number}.md" for number in range(1_800)]
    assert sum(map(len, paths)) > os.sysconf("SC_ARG_MAX")
    with vault.change(caller.does("import")) as tx:
        for path in paths:
            tx.write(path, b"text")
    (root / paths[7]).write_text("by hand")
    with vault.change(caller.does("revise")) as tx:
        for path in paths:
            tx.write(path, b"again")
    assert git(root, "log", "-3", "--format=%s").splitlines()[1].startswith("edit by hand: note_number_7")
    assert git(root, "status", "--porcelain") == ""


def test_hand_edits_are_committed_first_in_the_persons_name(
    vault: Vault, caller: Caller, root: Path, git: Git
) -> None:
    put(vault, caller)
    (root / PATH).write_bytes(NOTE + b"By hand.\n")
    put(vault, caller, PATH, NOTE + b"By hand.\nAnd by agent.\n", "revise")
    assert git(root, "log", "--format=%an: %s", "-2").splitlines() == [
        "claude-code: revise: user_prefers_tables",
        "Ada Lovelace: edit by hand: user_prefers_tables",
    ]
    assert git(root, "blame", "-s", "--root", PATH).count("By hand.") == 1


def test_half_staged_and_conflicted_files_are_refused(vault: Vault, caller: Caller, root: Path, git: Git) -> None:
    put(vault, caller)
    (root / PATH).write_bytes(NOTE + b"staged\n")
    git(root, "add", PATH)
    (root / PATH).write_bytes(NOTE + b"saved\n")
    with pytest.raises(ConflictError, match="staged in one version"):
        put(vault, caller, PATH, b"new", "revise")
    assert (root / PATH).read_bytes() == NOTE + b"saved\n"
    assert git(root, "show", f":{PATH}").endswith("staged")


# -- paths


@pytest.mark.parametrize(
    "path",
    [
        *("../out.md", "/etc/x.md", "allmemories/../../x.md", "a/.git/x.md", ".GIT/config", "", "a\0b.md"),
        *("a//b.md",),
        *(".mdmem/lock", ".MDMEM/index.sqlite", "allmemories/.mdmem/x.md", ".git./config", ".mdmem /x"),
    ],
)
def test_no_path_leaves_the_vault(vault: Vault, caller: Caller, path: str) -> None:
    with pytest.raises(UsageError), vault.change(caller.does("create")) as tx:
        tx.write(path, b"x")
    with pytest.raises(UsageError):
        vault.read(path)


def test_symbolic_links_are_not_followed(vault: Vault, caller: Caller, root: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("secret words")
    (root / "allmemories" / "link.md").symlink_to(outside / "secret.md")
    (root / "allmemories" / "folder").symlink_to(outside)
    for path in ("allmemories/link.md", "allmemories/folder/secret.md", "allmemories/folder/new.md"):
        with pytest.raises(UsageError, match="symbolic link"), vault.change(caller.does("create")) as tx:
            tx.write(path, b"x")
    assert (outside / "secret.md").read_text() == "secret words"
    assert vault.index.search('"secret"', 5) == []
    assert [problem.code for problem in vault.index.problems()] == ["path-link"]


def test_a_state_folder_that_is_a_link_is_refused(root: Path, tmp_path: Path, caller: Caller) -> None:
    (tmp_path / "elsewhere").mkdir()
    (root / ".mdmem").symlink_to(tmp_path / "elsewhere")
    with Vault(str(root)) as vault, pytest.raises(MdmemError, match="symbolic link"):
        put(vault, caller)
    assert list((tmp_path / "elsewhere").iterdir()) == []


# -- the circuit breaker


def many(vault: Vault, caller: Caller, count: int) -> list[str]:
    paths = [f"allmemories/note_number_{number}.md" for number in range(count)]
    with vault.change(caller.does("import")) as tx:
        for path in paths:
            tx.write(path, b"text")
    return paths


@pytest.mark.parametrize(
    ("total", "lost", "stops"), [(40, 10, False), (40, 11, True), (60, 12, False), (60, 13, True)]
)
@pytest.mark.parametrize("empty", [False, True], ids=["delete", "empty"])
def test_the_breaker_stops_mass_deletion(
    vault: Vault, caller: Caller, root: Path, git: Git, total: int, lost: int, stops: bool, empty: bool
) -> None:
    paths = many(vault, caller, total)

    def lose(allow: bool) -> None:
        with vault.change(caller.does("delete"), allow_loss=allow) as tx:
            for path in paths[:lost]:
                tx.write(path, b"\n") if empty else tx.delete(path)

    if stops:
        with pytest.raises(StoppedError, match=f"{lost} of {total}") as caught:
            lose(False)
        assert "--yes" in caught.value.hint
        assert git(root, "status", "--porcelain") == ""
        assert (root / paths[0]).read_text() == "text"
    lose(stops)
    assert git(root, "rev-list", "--count", "HEAD") == "3"


def test_moving_everything_is_no_loss(vault: Vault, caller: Caller) -> None:
    notes = {f"allmemories/note_number_{n}.md": render({"id": f"id-{n}"}, "text") for n in range(20)}
    with vault.change(caller.does("import")) as tx:
        for path, data in notes.items():
            tx.write(path, data)
    with vault.change(caller.does("rename")) as tx:
        for path in notes:
            tx.move(path, path.replace("note", "moved"))
    assert vault.index.count() == 20


# -- locking and finding


def test_another_writer_is_waited_for_and_that_is_said(
    root: Path, caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr(lock, "NOTICE", 0.1)
    with Vault(str(root)) as first, Vault(str(root), said.append) as second:
        taken, release = threading.Event(), threading.Event()

        def hold() -> None:
            with first.locked():
                taken.set()
                release.wait(5)

        holder = threading.Thread(target=hold)
        holder.start()
        taken.wait(5)
        threading.Timer(0.5, release.set).start()
        put(second, caller)
        holder.join()
    assert [line for line in said if "waiting" in line]


def test_there_is_one_writer_even_where_what_is_derived_is_deleted_meanwhile(root: Path) -> None:
    """Two at once would prepare git's next index in one file: a commit of one could lack all other files."""
    with Vault(str(root)) as first, Vault(str(root)) as second, first.locked():
        shutil.rmtree(root / ".mdmem")
        with pytest.raises(BusyError), second.locked(patience=0):
            pass


def test_waiting_has_an_end(root: Path, tmp_path: Path) -> None:
    place = str(tmp_path / "lock")
    with lock.held(place, lambda line: None):
        errors: list[BusyError] = []

        def try_it() -> None:
            try:
                with lock.held(place, lambda line: None, patience=0.1):
                    pass
            except BusyError as error:
                errors.append(error)

        other = threading.Thread(target=try_it)
        other.start()
        other.join()
    assert len(errors) == 1


def test_where_a_vault_is_found(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, git: Git) -> None:
    inner = root / "allmemories" / "deep"
    inner.mkdir()
    monkeypatch.chdir(inner)
    with Vault.open() as found:
        assert found.root == str(root)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(NotFoundError, match="no vault here") as caught:
        Vault.open()
    assert "mdmem init" in caught.value.hint
    monkeypatch.setenv("MDMEM_VAULT", str(root))
    with Vault.open() as found:
        assert found.root == str(root)
    with pytest.raises(NotFoundError, match="not a vault"):
        Vault.open(str(tmp_path))
    monkeypatch.delenv("MDMEM_VAULT")
    data = Path(os.environ["XDG_DATA_HOME"]) / "mdmem" / "vault"
    (data / "allmemories").mkdir(parents=True)
    git(data, "init", "--quiet")
    with Vault.open() as found:
        assert found.root == str(data)


def test_git_variables_of_a_hook_do_not_lead_astray(
    root: Path, caller: Caller, tmp_path: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "--quiet")
    for key, value in {"GIT_DIR": ".git", "GIT_INDEX_FILE": ".git/index", "GIT_WORK_TREE": "."}.items():
        monkeypatch.setenv(key, str(other / value))
    with Vault(str(root)) as vault:
        put(vault, caller)
        assert vault.repo.read("HEAD", PATH) == NOTE
        assert vault.index.count() == 1
    assert os.environ["GIT_DIR"] == str(other / ".git")
    for key in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"):
        monkeypatch.delenv(key)
    assert git(root, "rev-list", "--count", "HEAD") == "2"
