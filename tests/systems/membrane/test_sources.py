"""The sources of a record are looked at again: which are intact, changed, moved or gone."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

from mdmem.store.vault.vault import Vault
from mdmem.systems.membrane import sources
from mdmem.systems.membrane.sources import SourceCheck
from tests.conftest import Ran

Git = Callable[..., str]
TEXT = "first line\nsecond line\n"
LOG = "logs/run.log"


def digest(text: str) -> str:
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


@pytest.fixture
def head(root: Path, git: Git) -> str:
    """A commit with a file that records name."""
    (root / "logs").mkdir()
    (root / LOG).write_text(TEXT)
    git(root, "add", ".")
    git(root, "commit", "-qm", "a log")
    return git(root, "rev-parse", "HEAD")


@pytest.fixture
def check(vault: Vault, remember: Callable[..., str]) -> Callable[..., SourceCheck]:
    """What becomes of one source."""

    def look(ref: str, hashed: str = "", transcripts: str = "") -> SourceCheck:
        source = {"kind": "artifact", "ref": ref, **({"hash": hashed} if hashed else {})}
        name = f"record_number_{vault.index.count()}"
        remember(f"{name} says so.", name, provenance=[source])
        (found,) = sources.verify(vault, vault.index.named(name), transcripts)
        assert (found.record, found.ref) == (name, ref)
        return found

    return look


Check = Callable[..., SourceCheck]


def test_files(check: Check, head: str, root: Path) -> None:
    for hashed in (digest(TEXT), digest(TEXT).removeprefix("sha256:"), hashlib.md5(TEXT.encode()).hexdigest()):
        assert check(LOG, hashed).state == "intact"  # a bare hash is known by its length
    assert check(f"{LOG}:2", digest(TEXT)).state == "intact"
    assert check(f"{LOG}:2", digest("second line")).state == "intact"
    assert check(LOG).state == "unhashed"
    (root / LOG).write_text("other")
    assert check(LOG, digest(TEXT)).state == "changed"
    (root / LOG).rename(root / "logs/old.log")
    (root / "logs/old.log").write_text(TEXT)
    assert check(LOG, digest(TEXT))[2:] == ("moved", "logs/old.log")
    (root / "logs/old.log").unlink()
    assert check(LOG, digest(TEXT)).state == "vanished"


def test_what_a_commit_holds_stays(check: Check, head: str, root: Path, git: Git) -> None:
    (root / LOG).unlink()
    blob = git(root, "rev-parse", f"{head}:{LOG}")
    assert check(f"{LOG}@{head[:8]}", digest(TEXT)).state == "intact"
    assert check(f"{LOG}:2@{head}", digest("second line")).state == "intact"
    assert check(f"{LOG}:2@{head}", digest("third line")).state == "changed"
    assert check(blob, blob).state == "intact"
    assert check(head).state == "unhashed"
    assert check(f"logs/never.log@{head}").state == "vanished"
    assert check(f"{LOG}@{'0' * 40}").state == "vanished"
    assert check("0" * 40).state == "vanished"


def test_a_record_is_a_source(check: Check, vault: Vault) -> None:
    check(LOG)
    assert check(vault.index.named("record_number_0")[0].id).state == "unhashed"


def test_what_belongs_to_another_system_is_not_judged(check: Check, tmp_path: Path) -> None:
    for ref in ("session-001/msg-1", "../secret.txt", "/etc/passwd", "chat.md: turn 3 of Tea", "never/was.log"):
        assert check(ref, digest("x")).state == "opaque"


def test_transcripts_lie_elsewhere(check: Check, tmp_path: Path) -> None:
    (tmp_path / "chats").mkdir()
    (tmp_path / "chats/chat.md").write_text(TEXT)
    assert check("chat.md:2", digest(TEXT)).state == "opaque"
    assert check("chat.md:2", digest(TEXT), str(tmp_path / "chats")).state == "intact"


def test_the_exit_code_tells(check: Check, head: str, root: Path, mdmem: Callable[..., Ran]) -> None:
    check(LOG, digest(TEXT))
    assert "1 source checked, 0 no longer" in mdmem("doctor", "--as", "record", "--sources", "--vault", root).out
    (root / LOG).write_text("other")
    assert (
        "changed  record_number_0: logs/run.log"
        in mdmem("doctor", "--as", "record", "--sources", "--vault", root, code=1).out
    )
