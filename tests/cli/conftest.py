"""What the tests of commands share: the vault is the current folder, and answers are read as JSON."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Run


@pytest.fixture(autouse=True)
def here(root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The vault, as the current folder."""
    monkeypatch.chdir(root)
    return root


@pytest.fixture
def ask(mdmem: Run) -> Run:
    """What a command prints as JSON."""

    def run(*arguments: object, code: int = 0) -> Any:
        return json.loads(mdmem(*arguments, "--json", code=code).out)

    return run


@pytest.fixture
def save(ask: Run) -> Run:
    """Remember a text, whatever it resembles; what the command says of it as JSON."""
    return lambda text, *options: ask("remember", text, "--twins", "ignore", *options)


@pytest.fixture
def stdin(monkeypatch: pytest.MonkeyPatch) -> Callable[[Any], None]:
    """Put bytes, a text, or a value as JSON on standard input."""

    def put(given: Any) -> None:
        text = given if isinstance(given, str | bytes) else json.dumps(given)
        data = text.encode() if isinstance(text, str) else text
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), "utf-8"))

    return put


@pytest.fixture
def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Make the editor a shell script, which is given the file."""
    place = tmp_path / "editor"
    monkeypatch.setenv("MDMEM_EDITOR", str(place))

    def does(script: str) -> None:
        place.write_text(f"#!/bin/sh\n{script}\n")
        place.chmod(0o755)

    return does
