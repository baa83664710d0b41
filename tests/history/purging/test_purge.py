"""A purge takes a text or a memory out of all of history and leaves all else as it was, or changes nothing."""

from __future__ import annotations

import io
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from mdmem.errors import ConflictError, MdmemError, StoppedError
from mdmem.history.purging import erasing, target
from mdmem.history.purging import purge as purging
from mdmem.history.purging.purge import Purged, Rewriting, purge, verify
from mdmem.history.purging.survey import survey
from mdmem.store.operation import Caller
from mdmem.store.progress import silent
from mdmem.store.vault.vault import Vault
from tests.conftest import NOW, Git, Run
from tests.history.purging.conftest import ILLNESS, ILLNESS_ID, SECRET, TEA

WHO = Caller(NOW, "claude-code", "conv-1")


def purged(root: Path, name: str = "") -> Purged:
    """Purge the secret, or a memory by name."""
    with Vault.open(str(root)) as vault:
        what = target.of_memories(vault, [name], NOW) if name else target.of_text(SECRET)
        found = survey(vault, what, NOW, os.environ["HOME"], False, silent)
        return purge(vault, found, found.rewritten, WHO, f"A leak of {SECRET}.")


def everything(root: Path) -> bytes:
    """All that is in the folder, git's packed objects opened."""
    listed = ["git", "cat-file", "--batch-all-objects", "--batch"]
    parts = [subprocess.run(listed, cwd=root, capture_output=True, check=True).stdout]
    for path in sorted(path for path in root.rglob("*") if path.is_file() and "objects" not in path.parts):
        parts += [os.fsencode(path.relative_to(root)), path.read_bytes()]
    return b"\0".join(parts)


def who_and_when(root: Path, git: Git) -> list[str]:
    return git(root, "log", "--format=%an %ae %at %cn %ct").splitlines()


def held_by(root: Path, words: str) -> list[bytes]:
    return re.findall(rb".{0,30}(?:%s).{0,30}" % words.encode(), everything(root))


SECRETS = r"sk.{1,6}SECRET.{1,6}4711|sk_secret_4711"


def test_a_text_is_gone_from_all_there_is_and_the_rest_stays(leaky: Path, git: Git, mdmem: Run) -> None:
    mdmem("recall", "key", "--vault", leaky)
    before = who_and_when(leaky, git)
    assert held_by(leaky, SECRETS)
    done = purged(leaky)
    assert held_by(leaky, SECRETS) == []
    assert (done.objects, [Path(hit.path).name for hit in done.left]) == (0, ["chat.jsonl"])
    assert who_and_when(leaky, git)[1:] == before
    assert git(leaky, "log", "-1", "--format=%an|%s|%b").startswith(
        "claude-code|purge: 1 text|A leak of (purged).\n"
    )
    assert (leaky / f"allmemories/{TEA}.md").read_text().endswith(f"Tea. See [[{ILLNESS}]].\n")
    assert git(leaky, "show", f"HEAD~5:allmemories/{TEA}.md").endswith("The key is (purged).")
    assert (
        leaky / "allmemories/escaped_forms.md"
    ).read_text() == '{"key": "(purged)", "url": "https://x/?k=(purged)"}\n'
    assert git(leaky, "status", "--porcelain") == ""
    assert git(leaky, "fsck", "--strict") == ""
    assert TEA in mdmem("recall", "tea", "--vault", leaky).out
    assert "purge" in mdmem("log", "--actor", "claude-code", "--vault", leaky).out


def test_what_named_commits_names_the_new_ones(leaky: Path, git: Git) -> None:
    """Trailers, git's notes, tags, branches and where agents were last."""
    purged(leaky)
    undoes = re.findall(r"Memory-Undoes: (\w+)", git(leaky, "log", "--format=%B"))
    assert [git(leaky, "log", "-1", "--format=%s", id) for id in undoes] == [f"revise: {TEA}"]
    told = git(leaky, "log", "--format=%s|%N", "-1", "--notes", "main~5").strip()
    about = git(leaky, "rev-parse", "main~5")
    assert told == f"revise: {TEA}|about {about}"
    for ref, place in (("old", "main~4"), ("side", "main~4"), ("refs/mdmem/seen/claude", "main~3")):
        assert git(leaky, "rev-parse", ref) == git(leaky, "rev-parse", place)
    assert git(leaky, "rev-list", "--count", "main") == git(leaky, "rev-list", "--count", "HEAD")


def test_a_text_goes_from_notes_of_git_and_from_what_is_said_of_them(leaky: Path, git: Git) -> None:
    """git-filter-repo takes the commits of notes for its own matter: it maps none, and changes no message."""
    git(leaky, "notes", "add", "-m", f"It was {SECRET}.", "HEAD")
    git(leaky, "notes", "add", "-m", "about tea", "HEAD~1")
    tree = git(leaky, "rev-parse", "refs/notes/commits^{tree}")
    said = git(leaky, "commit-tree", "-p", "refs/notes/commits", "-m", f"Told {SECRET}", tree)
    git(leaky, "update-ref", "refs/notes/commits", said)
    git(leaky, "notes", "--ref=reviews", "add", "-m", "fine", "HEAD~1")
    purged(leaky)
    assert held_by(leaky, SECRETS) == []
    assert git(leaky, "notes", "show", "HEAD~1") == "It was (purged)."
    assert git(leaky, "notes", "show", "HEAD~2") == "about tea"
    assert git(leaky, "notes", "--ref=reviews", "show", "HEAD~2") == "fine"
    assert git(leaky, "for-each-ref", "refs/mdmem-notes") == ""


def test_of_a_memory_who_and_when_is_left(leaky: Path, git: Git) -> None:
    before = who_and_when(leaky, git)
    untouched = git(leaky, "rev-parse", "HEAD:allmemories/escaped_forms.md", f"HEAD~4:allmemories/{TEA}.md")
    purged(leaky, ILLNESS)
    assert held_by(leaky, "gout|[Ss]ecret illness|" + ILLNESS) == []
    assert who_and_when(leaky, git)[1:] == before
    new = f"purged_memory_{ILLNESS_ID.replace('-', '')[-8:]}"
    subjects = git(leaky, "log", "--format=%s", "--", f"allmemories/{new}.md").splitlines()
    assert subjects == ["purge: 1 memory", f"create: {new}"]
    assert git(leaky, "log", "--format=%s %b", "--grep", "agent-4").split() == [
        *(
            "revise:",
            new,
            "Memory-Action:",
            "revise",
            "Memory-Id:",
            ILLNESS_ID,
            "Memory-Actor:",
            "agent-4",
            "Memory-Undoes:",
        ),
        git(leaky, "rev-parse", "HEAD~5"),
    ]
    stone = git(leaky, "show", f"HEAD~1:allmemories/{new}.md")
    assert stone == f"---\nid: {ILLNESS_ID}\ntitle: Purged memory\npurged: 2026-03-01\n---"
    assert not (leaky / f"allmemories/{new}.md").exists()
    assert f"See [[{new}]]." in (leaky / f"allmemories/{TEA}.md").read_text()
    now = git(leaky, "rev-parse", "HEAD:allmemories/escaped_forms.md", f"HEAD~5:allmemories/{TEA}.md")
    assert now == untouched


def test_a_memory_that_was_renamed_moved_and_deleted_is_gone(leaky: Path, git: Git, mdmem: Run) -> None:
    mdmem("rename", ILLNESS, "user_has_left_gout", "--vault", leaky)
    mdmem("layout", "month", "--vault", leaky)
    mdmem("forget", "user_has_left_gout", "--reason", "Gout is private.", "--vault", leaky)
    count = len(who_and_when(leaky, git))
    purged(leaky, "user_has_left_gout")
    assert held_by(leaky, "[Gg]out|[Ss]ecret illness|" + ILLNESS) == []
    assert len(who_and_when(leaky, git)) == count + 1


def test_a_name_that_another_memory_has_now_stays(leaky: Path, git: Git, mdmem: Run) -> None:
    mdmem("forget", ILLNESS, "--vault", leaky)
    mdmem("remember", "Nothing to do with health at all.", "--name", ILLNESS, "--vault", leaky)
    with Vault.open(str(leaky)) as vault:
        what = target.of_memories(vault, [ILLNESS_ID], NOW)
        assert (what.paths, what.kept_paths) == ({}, (f"allmemories/{ILLNESS}.md",))
    purged(leaky, ILLNESS_ID)
    assert held_by(leaky, "gout") == []
    assert "Nothing to do with health" in (leaky / f"allmemories/{ILLNESS}.md").read_text()


def test_another_number_of_commits_than_agreed_to_changes_nothing(leaky: Path) -> None:
    before = everything(leaky)
    with Vault.open(str(leaky)) as vault:
        found = survey(vault, target.of_text(SECRET), NOW, "", False, silent)
        with pytest.raises(StoppedError, match="5 commits would be rewritten, not 4"):
            purge(vault, found, 4, WHO)
    assert not (leaky / ".mdmem/purge").exists()
    assert before.count(b"SECRET") == everything(leaky).count(b"SECRET")


@pytest.mark.parametrize("meanwhile", ["edited", "committed", "branched"])
def test_what_happens_meanwhile_is_never_lost(
    leaky: Path, git: Git, meanwhile: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def act() -> None:
        if meanwhile == "branched":
            git(leaky, "branch", "other")
            return
        (leaky / f"allmemories/{TEA}.md").write_text("By hand.\n")
        if meanwhile == "committed":
            git(leaky, "commit", "-qam", "meanwhile")

    at("recorded", act, monkeypatch)
    with pytest.raises(ConflictError, match="meanwhile"):
        purged(leaky)
    if meanwhile != "branched":
        assert (leaky / f"allmemories/{TEA}.md").read_text() == "By hand.\n"
    assert not (leaky / ".mdmem/purge").exists()
    assert "purging" not in git(leaky, "for-each-ref")


STEPS = {  # of a purge: a function, and whether the step is before it, else after it
    "begun": (erasing, "begin", False),
    "rewritten": (Rewriting, "make", False),
    "verified": (purging, "verify", False),
    "recorded": (Rewriting, "record", False),
    "fetched": (erasing, "announce", True),
    "announced": (erasing, "complete", True),
    "swapped": (erasing, "_swap_refs", False),
    "checked out": (erasing, "erase_old", True),
    "erased": (erasing, "erase_old", False),
    "cleaned": (erasing, "clean_local", False),
}


def at(step: str, act: Callable[[], None], patch: pytest.MonkeyPatch) -> None:
    """Have something happen at a step of the next purge."""
    owner, name, is_before = STEPS[step]
    real = getattr(owner, name)

    def doing(*args: object) -> object:
        if is_before:
            act()
        done = real(*args)
        if not is_before:
            act()
        return done

    patch.setattr(owner, name, doing)


def killed_at(step: str, root: Path) -> None:
    """Purge in a process that is killed at a step."""
    child = os.fork()
    if child == 0:
        at(step, lambda: os.kill(os.getpid(), signal.SIGKILL), pytest.MonkeyPatch())
        purged(root)
        os._exit(0)
    assert os.WIFSIGNALED(os.waitpid(child, 0)[1])


@pytest.mark.parametrize("step", STEPS)
def test_killed_at_any_step_it_is_the_old_state_or_the_new_one(
    leaky: Path, git: Git, mdmem: Run, step: str
) -> None:
    old_head = git(leaky, "rev-parse", "HEAD")
    killed_at(step, leaky)
    assert "a purge that was interrupted" in mdmem("doctor", "--vault", leaky).err
    assert not (leaky / ".mdmem/purge").exists()
    assert "purging" not in git(leaky, "for-each-ref")
    assert git(leaky, "status", "--porcelain") == ""
    assert git(leaky, "fsck", "--strict", "--no-dangling") == ""
    if [*STEPS].index(step) < [*STEPS].index("announced"):
        assert git(leaky, "rev-parse", "HEAD") == old_head
        assert held_by(leaky, SECRETS)
    else:
        assert held_by(leaky, SECRETS) == []
        assert git(leaky, "log", "-1", "--format=%s") == "purge: 1 text"


@pytest.mark.parametrize("at_end", [True, False])
def test_killed_with_only_its_folder_left_or_made_it_claims_neither(
    leaky: Path, git: Git, mdmem: Run, at_end: bool
) -> None:
    """The folder is empty then, whether all is purged or nothing."""
    child = os.fork()
    if child == 0:
        name = "rmdir" if at_end else "makedirs"
        real = getattr(os, name)

        def acting(path: object, *args: object, **options: object) -> None:
            is_of_purge = path == str(leaky / ".mdmem/purge")
            if is_of_purge and at_end:
                os.kill(os.getpid(), signal.SIGKILL)
            real(path, *args, **options)
            if is_of_purge:
                os.kill(os.getpid(), signal.SIGKILL)

        pytest.MonkeyPatch().setattr(os, name, acting)
        purged(leaky)
        os._exit(0)
    assert os.WIFSIGNALED(os.waitpid(child, 0)[1])
    assert os.listdir(leaky / ".mdmem/purge") == []
    assert (held_by(leaky, SECRETS) == []) == at_end
    said = mdmem("doctor", "--vault", leaky).err
    assert "a purge that was interrupted had not begun, or it was complete" in said
    assert "nothing was purged" not in said
    assert not (leaky / ".mdmem/purge").exists()
    assert ("A leak of (purged)" in mdmem("log", "--vault", leaky).out) == at_end


LOCKS = {
    "fetched": "refs/mdmem/purging/heads/main.lock",
    "announced": "refs/heads/side.lock",
    "swapped": "packed-refs.lock",
    "checked out": "gc.pid",
}


@pytest.mark.parametrize(("step", "lock"), LOCKS.items())
def test_what_its_git_had_locked_when_the_power_failed_is_free_again(
    leaky: Path, mdmem: Run, step: str, lock: str
) -> None:
    """Else no later command could complete the purge: git believes that another git is at work."""
    killed_at(step, leaky)
    left = leaky / ".git" / lock
    left.parent.mkdir(parents=True, exist_ok=True)
    left.write_text(f"{os.getpid()} {socket.gethostname()}")  # by chance, another process has the number now
    assert "a purge that was interrupted" in mdmem("doctor", "--vault", leaky).err
    assert not left.exists()
    assert not (leaky / ".mdmem/purge").exists()


def test_a_history_that_is_not_as_it_should_be_is_refused(leaky: Path, git: Git, tmp_path: Path) -> None:
    """What git-filter-repo made is compared commit by commit; here it is changed behind its back."""
    (tmp_path / "work").mkdir()
    with Vault.open(str(leaky)) as vault:
        rewriting = Rewriting(vault.repo, str(tmp_path / "work"), target.of_text(SECRET))
        rewriting.make()
        verify(rewriting, silent)
        good, clone = dict(rewriting.renewed), rewriting.clone.top
        rewriting.renewed.popitem()
        with pytest.raises(MdmemError, match=r"has no successor|has other parents"):
            verify(rewriting, silent)
        rewriting.renewed = good
        git(clone, "update-ref", "refs/heads/side", git(leaky, "rev-parse", "side"))
        with pytest.raises(MdmemError, match=r"took the place of|is not where"):
            verify(rewriting, silent)


@pytest.mark.parametrize("is_kept", [True, False])
def test_local_files_are_cleaned_and_derived_ones_made_again(
    leaky: Path, git: Git, mdmem: Run, is_kept: bool
) -> None:
    if is_kept:
        (leaky / "mdmem.toml").write_text('id = "test"\n[mirror]\nenabled = true\n')
        git(leaky, "commit", "-qam", "with a mirror")
    mdmem("mirror", "--vault", leaky)
    mdmem("session", "start", "--session", "s1", "--vault", leaky)
    mdmem("session", "note", "--present", f"rotating {SECRET}", "--session", "s1", "--vault", leaky)
    (leaky / "export.json").write_text(SECRET)
    assert len(held_by(leaky, SECRETS)) > 10
    done = purged(leaky)
    assert [hit.path for hit in done.left if hit.kind == "file"] == ["export.json"]
    (leaky / "export.json").unlink()
    assert held_by(leaky, SECRETS) == []
    session = next((leaky / ".mdmem/sessions").glob("s1.json")).read_text()
    assert "rotating (purged)" in session
    if is_kept:
        mdmem("mirror", "--check", "--vault", leaky)


def test_the_command_asks_for_the_number_and_tells_what_is_left(leaky: Path, mdmem: Run, git: Git) -> None:
    ran = mdmem("purge", ILLNESS, "--yes", "--vault", leaky, code=4)
    assert "--commits 6" in ran.err
    mdmem("purge", ILLNESS, "--yes", "--commits", "5", "--vault", leaky, code=4)
    out = mdmem("purge", ILLNESS, "--yes", "--commits", "6", "--vault", leaky).out
    assert out.startswith("purged; 6 commits got another id")
    assert ".claude/projects/shop/chat.jsonl" in out
    assert "Not reached" in out


def test_what_only_an_untracked_file_holds_makes_no_commit(
    leaky: Path, mdmem: Run, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would be empty. The file of a session is cleaned all the same; the untracked one is the person's."""
    (leaky / "allmemories/loose_note_here.md").write_text("The gate code is zebra-9921.\n")
    mdmem("session", "start", "--session", "s1", "--vault", leaky)
    mdmem("session", "note", "--present", "opening with zebra-9921", "--session", "s1", "--vault", leaky)
    refs = git(leaky, "for-each-ref")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"zebra-9921")))
    out = mdmem("purge", "--text", "--yes", "--commits", "0", "--vault", leaky).out
    assert out.startswith("nothing in git's history held it, so no commit was made\n")
    assert "loose_note_here.md  (yours to delete)" in out
    assert git(leaky, "for-each-ref") == refs
    assert "opening with (purged)" in (leaky / ".mdmem/sessions/s1.json").read_text()


def test_a_purge_is_not_undone(leaky: Path, git: Git, mdmem: Run) -> None:
    old = git(leaky, "rev-parse", "HEAD~2")
    purged(leaky, ILLNESS)
    mdmem("remember", "Something new is written later.", "--session", "s2", "--vault", leaky)
    assert mdmem("trash", "--vault", leaky).out == ""
    for command in (("restore", ILLNESS_ID), ("show", f"{ILLNESS_ID}@HEAD~3")):
        assert "was purged on 2026-03-01" in mdmem(*command, "--vault", leaky, code=3).err
    assert "from before a purge" in mdmem("show", f"{TEA}@{old}", "--vault", leaky, code=2).err
    mdmem("undo", "--last", "2", "--yes", "--vault", leaky)
    assert not list((leaky / "allmemories").glob("purged*"))
    told = mdmem("log", "--vault", leaky).out
    assert "purge" in told
    assert "agent-4" in mdmem("log", ILLNESS_ID, "--vault", leaky).out
    assert "gout" not in mdmem("recall", "gout", "--as-of", "HEAD~3", "--vault", leaky).out


def test_what_is_written_after_the_question_need_not_be_agreed_to_again(leaky: Path, mdmem: Run) -> None:
    hint = mdmem("purge", ILLNESS, "--vault", leaky, code=4).err
    (agreed,) = re.findall(r"--commits (\d+@[0-9a-f]{8})", hint)
    mdmem("remember", "The harbour is closed on Mondays.", "--vault", leaky)
    mdmem("purge", ILLNESS, "--yes", "--commits", agreed.partition("@")[0], "--vault", leaky, code=4)
    assert "purged" in mdmem("purge", ILLNESS, "--yes", "--commits", agreed, "--vault", leaky).out
    assert "harbour" in mdmem("recall", "harbour", "--vault", leaky).out


@pytest.mark.parametrize(("wrong", "code"), [("many", 2), ("6@nowhere", 2), ("7@HEAD", 4)])
def test_what_agrees_to_nothing_changes_nothing(leaky: Path, mdmem: Run, git: Git, wrong: str, code: int) -> None:
    refs = git(leaky, "for-each-ref")
    mdmem("purge", ILLNESS, "--yes", "--commits", wrong, "--vault", leaky, code=code)
    assert git(leaky, "for-each-ref") == refs


@pytest.mark.parametrize("is_kept", ["true", "false"])
def test_what_a_purge_makes_again_is_not_the_persons_to_delete(
    leaky: Path, mdmem: Run, git: Git, is_kept: str
) -> None:
    """Nor is a mirror that was written once: its files are deleted."""
    with (leaky / "mdmem.toml").open("a") as settings:
        settings.write(f"\n[mirror]\nenabled = {is_kept}\n")
    git(leaky, "commit", "--quiet", "--all", "-m", "a mirror")
    mdmem("mirror", "--vault", leaky)
    assert any(ILLNESS in path.read_text() for path in leaky.glob("chunks/*/*.json"))
    told = mdmem("purge", ILLNESS, "--vault", leaky, code=4).out
    assert "(yours to delete)" not in told
    (agreed,) = re.findall(r"get another id: (\d+)", told)
    mdmem("purge", ILLNESS, "--yes", "--commits", agreed, "--vault", leaky)
    assert not [path for path in leaky.glob("chunks/**/*.json") if ILLNESS in path.read_text()]
