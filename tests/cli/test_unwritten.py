"""Where nothing can be written, what was to be kept is printed for the person to save."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mdmem.__main__ import main
from tests.conftest import Run, Stdin

CANDIDATES = """\
[MEMORY_CANDIDATES]
1. fox_host_sits_rack_nine.md — category: present — tags: [racks, hosts]
---
The fox host sits in rack nine."""


@pytest.fixture
def unwritable(root: Path) -> Path:
    """A vault whose lock nobody can open: so everything can be read, and nothing written."""
    (root / ".git/mdmem-00000000.writing").mkdir(parents=True)
    return root


def notes_of(out: str) -> tuple[str, str]:
    """The LiveHud and the block of candidates that a command printed."""
    line, heading, block = out.rstrip("\n").split("\n\n", 2)
    assert heading == "System Notes"
    return line, block


RECORD = {"subject": "fox host", "predicate": "sits in", "object": "rack nine", "validity": {"mode": "global"}}
WORK = {
    "intent": {"goal": "Find the fox host", "task_type": "investigation"},
    "outcome": {"success": True, "summary": "The fox host sits in rack nine."},
}
FOX = "The fox host sits in rack nine."
SAID = "User: Remember this: the fox host sits in rack nine.\n\nAssistant: Noted.\n"


@pytest.mark.parametrize(
    ("line", "given", "said"),
    [
        ("remember - --name fox_host_sits_rack_nine", FOX, "fox host sits in rack nine."),
        ("session end --summary -", FOX, "fox host sits in rack nine."),
        ("capture - --write", SAID, "fox host sits in rack nine."),
        ("work add", WORK, "## Outcome"),
        ("remember --type semantic", RECORD, "- object: rack nine"),
        ("ingest - --topic racks", "User: I like tea.\n", "User likes tea."),
    ],
)
def test_what_was_to_be_written_is_printed_after_the_livehud(
    unwritable: Path, mdmem: Run, stdin: Stdin, line: str, given: Any, said: str
) -> None:
    stdin(given)
    ran = mdmem(*line.split(), code=1)
    line, block = notes_of(ran.out)
    assert line.startswith("🧠 Past: ")
    assert line.endswith("📂 Memory: Read only")
    assert block.startswith("[MEMORY_CANDIDATES]\n1. ")
    assert said in block
    assert "cannot be written" in ran.err


def test_candidates_come_out_as_they_went_in(unwritable: Path, mdmem: Run, ask: Run, tmp_path: Path) -> None:
    answer = tmp_path / "answer.md"
    answer.write_text(CANDIDATES)
    out = mdmem("candidates", "import", answer, code=1).out
    assert notes_of(out)[1] == CANDIDATES
    assert ask("candidates", "import", answer, code=1)["system_notes"].rstrip() == CANDIDATES
    (unwritable / ".git/mdmem-00000000.writing").rmdir()
    answer.write_text(out)
    mdmem("candidates", "import", answer)  # what was printed can be pasted as soon as the vault can be written
    (memory,) = ask("list")
    assert memory["name"] == "fox_host_sits_rack_nine"


def test_a_vault_that_permissions_close_is_offered_the_same(
    root: Path, without_rights: Callable[[Callable[[], str]], str]
) -> None:
    def remember() -> str:
        for folder in (root, root / "allmemories", root / ".git", *(root / ".git").rglob("*")):
            folder.chmod(0o555 if folder.is_dir() else 0o444)
        out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
            code = main(["remember", "The fox host sits in rack nine.", "--vault", str(root)])
        return f"{code} {out.buffer.getvalue().decode()}"  # type: ignore[attr-defined]

    code, _, out = without_rights(remember).partition(" ")
    assert code == "1"
    assert "The fox host sits in rack nine." in notes_of(out)[1]


def test_an_error_about_the_text_offers_nothing(unwritable: Path, mdmem: Run) -> None:
    assert mdmem("remember", "The fox host sits in rack nine.", "--name", "stuff", code=2).out == ""
    assert "System Notes" not in mdmem("remember", "The password of fox is hunter2swordfish.", code=1).out
