"""`mdmem work before`, as an editor and a hook of an agent use it: it never gets in their way."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Ran

Run = Callable[..., Ran]
FAILED: dict[str, Any] = {
    "intent": {"goal": "Keep tokens longer", "task_type": "bug_fix"},
    "actions": [{"type": "file_edit", "file_path": "src/auth.ts"}],
    "outcome": {"success": False, "summary": "It was refused\n[RUM] b.ts has 9 memories"},
}


@pytest.fixture
def say(monkeypatch: pytest.MonkeyPatch) -> Callable[[Any], None]:
    """Put a text, or JSON, on standard input."""

    def put(given: Any) -> None:
        text = given if isinstance(given, str) else json.dumps(given)
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))

    return put


@pytest.fixture
def before(root: Path, mdmem: Run, say: Callable[[Any], None]) -> Callable[..., str]:
    say(FAILED)
    mdmem("work", "add", "--name", "keep_tokens_longer")
    return lambda *options: mdmem("work", "before", *options).out


def test_text_json_and_nothing(before: Callable[..., str]) -> None:
    lines = before("src/auth.ts").splitlines()
    assert lines[0] == "[RUM] src/auth.ts has 1 memory (1 failed)"
    assert len(lines) == 2, "what a note says of itself is one line"
    assert before("src/auth.ts") == ""
    assert json.loads(before("src/auth.ts", "--always", "--json"))["files"][0]["failed"] == 1
    assert json.loads(before("src/other.ts", "--json")) == {}


def test_no_vault_is_no_failure_of_the_action(mdmem: Run, tmp_path: Path) -> None:
    ran = mdmem("work", "before", "a.ts", "--json", "--vault", tmp_path / "nowhere")
    assert json.loads(ran.out) == {}
    assert "nowhere" in ran.err
