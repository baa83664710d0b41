"""Clones of one bare repository, each a vault of its own."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import pytest

from mdmem.history.syncing import sync as syncing
from mdmem.history.syncing.sync import SyncReport, SyncRequest
from mdmem.store.operation import Caller
from mdmem.store.vault import lookup
from mdmem.store.vault.vault import Vault
from mdmem.write import edit
from mdmem.write import remember as intake
from tests.conftest import NOW, Git


class Clone(NamedTuple):
    """A vault and what a session does in it."""

    vault: Vault
    root: Path
    told: list[str]

    def remember(self, text: str, name: str, **properties: object) -> str:
        draft = intake.Draft(text, properties, name)  # type: ignore[arg-type]
        return intake.remember(self.vault, draft, Caller(NOW, "agent")).path

    def update(self, name: str, **properties: object) -> None:
        edit.update_all(self.vault, [lookup.find(self.vault, name)], edit.Edit(properties), Caller(NOW, "agent"))  # type: ignore[arg-type]

    def sync(self, **wanted: object) -> SyncReport:
        return syncing.sync(self.vault, SyncRequest(**wanted), Caller(NOW))  # type: ignore[arg-type]

    def note(self, name: str) -> Path:
        return self.root / "allmemories" / f"{name}.md"


@pytest.fixture
def hub(tmp_path: Path, empty_vault: Path, git: Git) -> Path:
    """A bare repository with an empty vault in it."""
    place = tmp_path / "hub.git"
    git(tmp_path, "clone", "--quiet", "--bare", str(empty_vault), str(place))
    return place


@pytest.fixture
def clone(tmp_path: Path, hub: Path, git: Git) -> Iterator[Callable[..., Clone]]:
    """Make a clone of the hub, or of another place."""
    with ExitStack() as opened:

        def make(name: str, *options: str, source: str = "") -> Clone:
            root = tmp_path / name
            git(tmp_path, "clone", "--quiet", *options, source or str(hub), str(root))
            shutil.rmtree(root / ".git/hooks", ignore_errors=True)
            told: list[str] = []
            return Clone(opened.enter_context(Vault(str(root), told.append)), root, told)

        yield make


@pytest.fixture
def here(clone: Callable[..., Clone]) -> Clone:
    return clone("here")


@pytest.fixture
def there(clone: Callable[..., Clone]) -> Clone:
    return clone("there")
