"""Every page in a real browser: axe finds nothing, it fits, prints and keeps still, and nothing of a note runs."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mdmem.page import frame
from mdmem.page.frame import PageFrame
from mdmem.page.links import ServedLinks
from mdmem.page.site import BY_NAME, PAGES
from tests.page.conftest import Site, opened
from tests.page.showcase import CENTRE, HOSTILE, SESSION, UNDONE

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings("ignore")]
KEYS = {"session": SESSION, "topic": "people", "trace": "clear_timer_on_logout"}  # of what is not any memory
ASKED = {"/search": "?q=carts+type:decision", "/group": "?by=topic&of=shop", "/undo": f"?session={UNDONE}"}


def paths() -> list[str]:
    """The address of every kind of page, and of a memory that is named like the end of a script."""
    once = [page.path for page in PAGES if not page.key]
    keyed = [f"/{page.name}/{KEYS.get(page.name, CENTRE)}" for page in PAGES if page.key]
    more = [f"/memory/{CENTRE}?authors=1", f"/memory/{HOSTILE}", f"/around/{HOSTILE}"]
    return [*(path + ASKED.get(path, "") for path in once), *keyed, *more]


AXE = """(options) => axe.run(document, {resultTypes: ["violations"], ...options}).then((found) =>
    found.violations.map((rule) => [rule.id, ...rule.nodes.map((node) => node.target + " " + node.failureSummary)])
)"""
# In dark only colours are other ones.
LINKS = ServedLinks()
SCHEMES: dict[Any, dict[str, Any]] = {"light": {}, "dark": {"runOnly": ["color-contrast", "link-in-text-block"]}}


RARE = {
    "planning": {"since": "2026-03-01T12:00:00Z", "done": 100, "total": 2000},
    "planned": "2026-02-28T12:00:00Z",
    "lessons": [{"rule": "r", "reason": "is a log", "times": 2, "sentence": "never merge notes tagged log"}],
    "learned": "never merge notes tagged diary",
}


def rare(site: Site) -> dict[str, str]:
    """address -> HTML of what is seldom there: gardeners at work with rules to learn, their trouble, an error."""
    value = json.loads(site.get("/api/review").text)
    around = PageFrame("shop", LINKS, PAGES, BY_NAME["review"], may_write=True)

    def made(**other: Any) -> str:
        return frame.html("review", {**value, **other}, around).decode()

    planning = made(**RARE)
    assert "Is it a rule?" in planning
    assert "have read" in planning
    return {
        "/review?made=planning": planning,
        "/review?made=trouble": made(trouble="the disk is full"),
        "/nothing": site.get("/nothing").text,
    }


def test_axe_finds_nothing(browser: Any, shop_site: Site) -> None:
    """In light and dark. Review has proposals, one of them in the form that rewords it; what is rare is made."""
    axe = pytest.importorskip("axe_playwright_python.base", reason="axe is not installed: make browser")
    one = json.loads(shop_site.get("/api/review").text)["proposals"][0]["id"]
    with opened(browser, shop_site, reduced_motion="reduce") as page:  # no colour on its way to another one
        made = {f"http://{shop_site.host}{path}": text for path, text in rare(shop_site).items()}
        shown = set()

        def show(route: Any) -> None:
            shown.add(route.request.url)
            route.fulfill(body=made[route.request.url], content_type="text/html")

        page.route(lambda address: address in made, show)
        for address in [*(f"http://{shop_site.host}{path}" for path in [*paths(), f"/review?edit={one}"]), *made]:
            page.goto(address)
            page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
            page.evaluate(axe.AXE_SCRIPT)
            for scheme, options in SCHEMES.items():
                page.emulate_media(color_scheme=scheme)
                assert page.evaluate(AXE, options) == [], f"{address} in {scheme}"
            page.emulate_media(color_scheme="light")
        assert shown == made.keys()


def test_pages_fit_a_narrow_screen_and_paper_and_keep_still(browser: Any, shop_site: Site) -> None:
    narrow = {"viewport": {"width": 320, "height": 640}}
    moving = "[...document.querySelectorAll('*')].map((each) => getComputedStyle(each)).filter((style) => "
    moving += "parseFloat(style.transitionDuration) || style.animationName != 'none').length"
    with opened(browser, shop_site, reduced_motion="reduce", **narrow) as page:
        for path in paths():
            page.goto(f"http://{shop_site.host}{path}")
            assert page.evaluate("document.documentElement.scrollWidth") <= 320, path
            assert page.evaluate(moving) == 0, path
            page.emulate_media(media="print")
            assert page.is_visible("h1"), path
            assert not page.is_visible("nav[aria-label=Pages]"), path
            assert page.locator("button:visible").count() == 0, path
            page.emulate_media(media="screen")


def test_a_german_browser_shows_german_dates(browser: Any, shop_site: Site) -> None:
    with opened(browser, shop_site, locale="de-DE", **{"java_script_enabled": False}) as page:
        page.goto(f"http://{shop_site.host}/timeline")
        assert page.inner_text(".day h2 >> nth=0") == "Sonntag, 1. März 2026"


def test_a_note_named_like_the_end_of_a_script_is_a_note(browser: Any, shop_site: Site) -> None:
    with opened(browser, shop_site) as page:
        page.goto(f"http://{shop_site.host}/memories")
        page.click("#list >> text=<script>")
        assert page.inner_text("h1") == "<script>alert(1)</script>"
        assert page.locator(".text img").count() == 0
