"""A headless chromium, one for each module, and the showcase to look at with it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.page import showcase
from tests.page.conftest import Site, serving


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A headless chromium; the test is skipped where that or playwright is not installed."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: make browser")
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if not program:
        pytest.skip("there is no chromium: make browser")
    with sync_api.sync_playwright() as started:
        launched = started.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        yield launched
        launched.close()


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory, empty_vault: Path) -> Path:
    """The vault of the showcase; journeys change it, each another part of it."""
    home = tmp_path_factory.mktemp("shop")
    root = Path(shutil.copytree(empty_vault, home / "shop"))
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("MDMEM_NOW", "2026-03-01T12:00:00Z")
        showcase.build(root, home)
        showcase.add_hostile(root)
    return root


@pytest.fixture(scope="module")
def shop_site(shop: Path) -> Iterator[Site]:
    """Its pages with `--write`."""
    yield from serving(shop, may_write=True)


@contextmanager
def opened(browser: Any, site: Site | None = None, **options: Any) -> Iterator[Any]:
    """A page of a browser that nothing may go wrong in; it is one that opened the site."""
    context = browser.new_context(**options)
    context.set_default_timeout(8_000)  # milliseconds
    if site:
        site.get("/assets/page.css")
        name, _, value = site.cookie.partition("=")
        context.add_cookies([{"name": name, "value": value, "url": f"http://{site.host}"}])
    page = context.new_page()
    wrong: list[str] = []
    page.on(
        "console", lambda message: wrong.append(message.text) if message.type in ("error", "warning") else None
    )
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("dialog", lambda dialog: wrong.append(dialog.message))
    page.on("request", lambda asked: wrong.append(asked.url) if "evil" in asked.url else None)
    yield page
    context.close()
    assert wrong == []
