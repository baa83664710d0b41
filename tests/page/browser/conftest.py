"""The showcase, to look at with a browser."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.page import showcase
from tests.page.conftest import Site, serving


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory, empty_vault: Path) -> Path:
    """The vault of the showcase; journeys change it, each another part of it."""
    home = tmp_path_factory.mktemp("shop")
    root = Path(shutil.copytree(empty_vault, home / "shop"))
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("MDMEM_NOW", "2026-03-01T12:00:00Z")
        showcase.build(root, home)
        showcase.add_hostile(root)
    return root


@pytest.fixture(scope="session")
def shop_site(shop: Path) -> Iterator[Site]:
    """Its pages with `--write`."""
    yield from serving(shop, may_write=True)
