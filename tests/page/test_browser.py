"""The pages in a real browser: axe finds nothing, nothing of a note runs, files open from a folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Ran
from tests.page.conftest import Site

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings("ignore")]
TEA = "/memory/allmemories/user_prefers_green_tea.md"
HOSTILE = "/memory/allmemories/%3C/script%3E.md"
PATHS = (
    *(
        "/",
        TEA,
        HOSTILE,
        "/review",
        "/graph",
        "/topics",
        "/work",
        TEA.replace("memory", "around", 1),
        "/timeline",
        "/memories",
        "/search?q=green+tea+type:preference",
        "/blame/user_prefers_green_tea",
    ),
    *("/session/conv-1", "/undo?session=conv-1", "/trash", "/conflicts", "/health"),
)


@contextmanager
def opened(browser: Any, site: Site | None = None, **options: Any) -> Iterator[Any]:
    """A page of a browser that nothing may go wrong in; it is one that opened the site."""
    context = browser.new_context(**options)
    if site:
        site.get("/")
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


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(browser: Any, site: Site, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed: make browser")
    with opened(browser, site, color_scheme=scheme) as page:
        for path in PATHS:
            page.goto(f"http://{site.host}{path}")
            page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
            found = axe.Axe().run(page)
            assert found.violations_count == 0, f"{path}: {found.generate_report()}"


def test_pages_fit_a_narrow_screen(browser: Any, site: Site) -> None:
    with opened(browser, site, viewport={"width": 320, "height": 640}) as page:
        for path in PATHS:
            page.goto(f"http://{site.host}{path}")
            assert page.evaluate("document.documentElement.scrollWidth") <= 320, path


def test_keys_lead_from_item_to_item(browser: Any, site: Site) -> None:
    with opened(browser, site) as page:
        page.goto(f"http://{site.host}/")
        page.keyboard.press("j")
        page.keyboard.press("j")
        page.keyboard.press("k")
        here = page.locator(".here")
        assert here.count() == 1
        page.keyboard.press("Enter")
        page.wait_for_url("**/memory/**")
        assert page.locator("h1").count() == 1


def test_links_work_without_scripts(browser: Any, site: Site) -> None:
    with opened(browser, site, java_script_enabled=False) as page:
        page.goto(f"http://{site.host}{TEA}")
        page.click(".text a.note")
        assert page.inner_text("h1") == "The team meets on Tuesday"


def test_an_export_opens_from_its_folder(
    browser: Any, looked_at: Path, tmp_path: Path, mdmem: Callable[..., Ran]
) -> None:
    mdmem("page", "--vault", looked_at, "--out", tmp_path / "pages")
    with opened(browser) as page:
        page.goto((tmp_path / "pages/index.html").as_uri())
        assert page.evaluate("getComputedStyle(document.querySelector('.top')).borderBottomStyle") == "solid"
        page.click("text=User prefers green tea")
        page.click(".text a.note")
        assert page.inner_text("h1") == "The team meets on Tuesday"
        page.goto(page.url.replace("team_meets_on_tuesday", "%253c/script%253e"))
        assert page.inner_text("h1") == "<script>alert(1)</script>"
