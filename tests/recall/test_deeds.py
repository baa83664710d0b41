"""A question about who wrote what when is answered by who wrote and when, not by its words."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from mdmem.note.dates import Period
from mdmem.recall import question
from mdmem.recall.question import Deed

TODAY = date(2026, 3, 1)
YESTERDAY = Period(date(2026, 2, 28), date(2026, 2, 28))


@pytest.mark.parametrize(
    ("text", "deed"),
    [
        ("What did codex write yesterday?", Deed("codex", YESTERDAY, "")),
        ("what has claude-code changed", Deed("claude-code", None, "")),
        ("what did codex write about ports yesterday", Deed("codex", YESTERDAY, "ports")),
        ("what did we do yesterday", Deed("", YESTERDAY, "")),
        ("which memories were written yesterday", Deed("", YESTERDAY, "")),
        ("what did we learn about ports", None),
        ("what does codex write to", None),
        ("who wrote the parser", None),
    ],
)
def test_who_and_when_are_read(text: str, deed: Deed | None) -> None:
    assert question.deed(text, TODAY) == deed


def test_only_who_writes_here_is_taken_for_a_writer(
    tmp_path: Path, mdmem: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Mara is whom a memory is about: the words of a question about her count."""
    place = ("--vault", tmp_path / "vault")
    mdmem("init", tmp_path / "vault")
    monkeypatch.setenv("MDMEM_NOW", "2026-02-28T09:00:00Z")
    mdmem("remember", "Ports of otter start at 8000.", "--actor", "codex", *place)
    mdmem("remember", "Mara did write the tea menu.", "--actor", "pi", *place)
    monkeypatch.setenv("MDMEM_NOW", "2026-03-01T12:00:00Z")
    mdmem("remember", "Logs are kept for ninety days.", "--actor", "codex", *place)

    def found(*words: str) -> list[str]:
        return [Path(line).stem for line in str(mdmem("recall", *words, "--paths-only", *place).out).split()]

    assert found("what did Codex write yesterday?") == ["ports_otter_start_8000"]
    assert found("what did codex write about logs") == ["logs_kept_ninety_days"]
    assert "mara_did_write_tea_menu" in found("what did Mara write")
    assert sorted(found("what did we do yesterday")) == ["mara_did_write_tea_menu", "ports_otter_start_8000"]
    log = str(mdmem("log", "what", "did", "codex", "write", "yesterday", *place).out)
    assert "ports_otter_start_8000" in log
    assert "logs_kept" not in log
    assert "tea_menu" not in log
