"""What people come for, from the first page to the end: by mouse, by keyboard alone, and without JavaScript."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mdmem.acts.pages.planning import PlanKeeper
from tests.conftest import Git, Run
from tests.page.conftest import Site, opened, serving
from tests.page.showcase import CENTRE, FOLDER, SESSION, UNDONE

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings("ignore")]
WITHOUT_SCRIPTS = {"java_script_enabled": False}


def start(page: Any, site: Site) -> None:
    page.goto(f"http://{site.host}/")


FOCUSED = """(() => {
    const here = document.activeElement;
    return here.matches("a, button") ? here.textContent : here.id;
})()"""


def tab_to(page: Any, words: str) -> None:
    """Press Tab until what has the focus says some words."""
    for _ in range(120):
        page.keyboard.press("Tab")
        if words in page.evaluate(FOCUSED):
            return
    raise AssertionError(f"no {words} is reached by Tab")


def follow(page: Any, how: str, place: str, words: str) -> None:
    """Follow the link with these words that is at a place (CSS), by mouse or by Tab and Enter."""
    if how == "keyboard":
        tab_to(page, words)
        page.keyboard.press("Enter")
    else:
        page.click(f"{place} >> a:has-text('{words}') >> nth=0")


HOWS = pytest.mark.parametrize("how", ["mouse", "keyboard", "without scripts"])


@HOWS
def test_look_at_a_trace_from_a_failure_to_what_came_of_it(browser: Any, shop_site: Site, how: str) -> None:
    with opened(browser, shop_site, **(WITHOUT_SCRIPTS if how == "without scripts" else {})) as page:
        start(page, shop_site)
        follow(page, how, "nav", "Work")
        page.wait_for_url("**/work")
        assert "src/auth.ts" in page.inner_text("table")
        follow(page, how, "[aria-labelledby=works]", "Clear the timer on logout")
        page.wait_for_url("**/trace/**clear_timer_on_logout.md")
        assert page.locator("svg .node").count() == 4
        assert page.get_attribute("nav a:text-is('Work')", "aria-current") == "true"
        follow(page, how, "svg", "Keep people logged in")
        page.wait_for_url("**/trace/**keep_people_logged_in.md")
        assert "Stop the random logouts" in page.inner_text("#list section >> nth=1")
        follow(page, how, ".lead", "Read the work")
        page.wait_for_url("**/memory/**")
        assert page.inner_text("h1") == "Keep people logged in"
        assert "Security refused tokens of a day" in page.inner_text(".text")


@HOWS
def test_follow_the_graph_from_a_topic_to_a_memory(browser: Any, shop_site: Site, how: str) -> None:
    with opened(browser, shop_site, **(WITHOUT_SCRIPTS if how == "without scripts" else {})) as page:
        start(page, shop_site)
        follow(page, how, "nav", "Graph")
        page.wait_for_url("**/graph")
        follow(page, how, ".groups", "Shop")
        page.wait_for_url("**/group?by=topic&of=shop")
        assert page.locator("svg .span").count() == page.locator("#list [data-item]").count(), (
            "the table says the same"
        )
        wide = page.locator("svg.spans").bounding_box()["width"]
        if how == "keyboard":
            page.keyboard.press("+")
        else:
            page.click("text=Larger")
        page.wait_for_url("**zoom=150**")
        assert page.locator("svg.spans").bounding_box()["width"] > wide
        follow(page, how, "svg", "The shop keeps carts")
        page.wait_for_url(f"**/around/**{CENTRE}.md")
        far = page.locator("svg .node").count()
        assert far == 1 + page.locator("#list [data-item]").count(), "the list says the same"
        follow(page, how, ".chips", "1 link away")
        page.wait_for_url("**reach=1")
        assert page.locator("svg .node").count() < far
        follow(page, how, ".chips", "2 links away")
        page.wait_for_url("**reach=2")
        follow(page, how, "svg", "Redis was flushed")
        page.wait_for_url("**/around/**redis_was_flushed_last_december.md")
        follow(page, how, ".lead", "Read it")
        page.wait_for_url("**/memory/**")
        assert page.inner_text("h1") == "Redis was flushed last December"


def test_a_drawing_grows_by_the_wheel_and_moves_by_dragging(browser: Any, shop_site: Site) -> None:
    with opened(browser, shop_site) as page:
        page.goto(f"http://{shop_site.host}/around/allmemories/{CENTRE}.md")
        drawing = page.locator("svg.graph")
        whole = drawing.get_attribute("viewBox")
        node = drawing.locator("a.node").nth(1)
        wide = node.bounding_box()["width"]
        node.hover()
        page.mouse.wheel(0, -300)
        page.wait_for_function(
            "whole => document.querySelector('svg.graph').getAttribute('viewBox') != whole", arg=whole
        )
        assert node.bounding_box()["width"] > wide
        there, address = node.bounding_box(), page.url
        node.hover()
        page.mouse.down()
        page.mouse.move(there["x"] + there["width"] / 2 + 90, there["y"] + there["height"] / 2 + 70, steps=4)
        page.mouse.up()
        assert node.bounding_box()["x"] > there["x"] + 20
        assert page.url == address, "dragging a memory does not open it"
        drawing.dispatch_event("dblclick")
        assert drawing.get_attribute("viewBox") == whole
        node.click()
        page.wait_for_url(lambda url: url != address)


def test_a_page_says_that_the_gardeners_are_done_and_never_reloads_by_itself(browser: Any, shop: Path) -> None:
    """As in a large vault: the page opens at once. Who reads it, or has begun to type, decides when it changes."""
    (shop / ".mdmem/garden-plan.json").unlink(missing_ok=True)
    for site in serving(shop, plans=PlanKeeper(at_once=0)):
        with opened(browser, site) as page:
            page.goto(f"http://{site.host}/review?later={','.join(captured(site))}")
            assert "The gardeners" in page.inner_text(".notice")
            page.evaluate("window.isTheSame = true")
            page.fill("#ask", "half a wor")
            page.wait_for_selector(".notice[role=status] >> text=looked at everything again")
            assert page.evaluate("window.isTheSame")
            assert page.input_value("#ask") == "half a wor"
            page.click("text=Look again")
            page.wait_for_selector("#proposals")
            assert page.locator(".notice[data-watch]").count() == 0


def captured(site: Site) -> list[str]:
    """The ids of what was captured."""
    return [one["id"] for one in json.loads(site.get("/api/review").text)["captured"]]


@pytest.mark.parametrize("options", [{}, WITHOUT_SCRIPTS], ids=["mouse", "without scripts"])
def test_find_a_memory_and_see_how_it_came_about(browser: Any, shop_site: Site, options: dict[str, Any]) -> None:
    with opened(browser, shop_site, **options) as page:
        start(page, shop_site)
        page.fill("#ask", "where do carts live")
        page.press("#ask", "Enter")
        page.click(".answers >> text=The shop keeps carts in Redis")
        assert page.inner_text("h1") == "The shop keeps carts in Redis"
        assert "a week was too short before holidays" in page.inner_text(".history")
        assert "fourteen" in page.inner_text(".history")
        page.click("text=see it as of then >> nth=-1")
        assert "for seven days" in page.inner_text(".text")
        page.click("text=See it as it is now")
        assert "for fourteen days" in page.inner_text(".text")


def test_the_same_by_keyboard_alone(browser: Any, shop_site: Site) -> None:
    with opened(browser, shop_site) as page:
        start(page, shop_site)
        page.keyboard.press("/")
        page.keyboard.type("where do carts live")
        page.keyboard.press("Enter")
        page.wait_for_url("**/search**")
        page.keyboard.press("j")
        page.keyboard.press("Enter")
        page.wait_for_url(f"**/{CENTRE}.md")
        tab_to(page, "see it as of then")
        page.keyboard.press("Enter")
        page.wait_for_url("**as_of=**")
        assert "As it was" in page.inner_text(".notice")


def test_the_slider_tells_which_version_it_would_show(browser: Any, shop_site: Site) -> None:
    with opened(browser, shop_site) as page:
        page.goto(f"http://{shop_site.host}/memory/{CENTRE}")
        page.focus("#version")
        page.keyboard.press("Home")
        assert page.inner_text("#told-version") == "1"
        page.keyboard.press("Enter")
        page.wait_for_url("**version=1")
        assert "for seven days" in page.inner_text(".text")


def test_see_what_a_session_did_today_and_undo_it_after_its_diff(
    browser: Any, shop: Path, tmp_path: Path, git: Git
) -> None:
    own = tmp_path / "own"
    git(tmp_path, "clone", "-q", str(shop), str(own))
    for site in serving(own, may_write=True):
        with opened(browser, site, **WITHOUT_SCRIPTS) as page:
            start(page, site)
            assert "Reports are due on Sunday night" in page.inner_text("#content")
            page.click("nav >> text=Timeline")
            page.click(f"text={UNDONE}")
            page.click("text=See what undoing it would change")
            assert "Staging is called localhost" in page.inner_text("#content")
            assert "deleted" in page.inner_text(".rows")
            page.fill("#reason", "It was never so")
            page.click("button:text-is('Undo')")
            page.wait_for_url("**/timeline")
            assert "It was never so" in page.inner_text(".history >> nth=0")
        assert not (own / FOLDER / "reports_are_due_on_sunday.md").exists()
        assert (own / FOLDER / f"{CENTRE}.md").exists()


@pytest.mark.parametrize("how", ["keyboard", "mouse, without scripts"])
def test_review_accept_reject_later_and_undo(browser: Any, shop: Path, tmp_path: Path, how: str, git: Any) -> None:
    own = tmp_path / "own"
    git(tmp_path, "clone", "-q", str(shop), str(own))
    keys = how == "keyboard"
    options = {} if keys else WITHOUT_SCRIPTS

    def titles(page: Any) -> list[str]:
        found: list[str] = page.locator("[aria-labelledby=proposals] h3").all_inner_texts()
        return found

    for site in serving(own, may_write=True):
        with opened(browser, site, **options) as page:
            page.goto(f"http://{site.host}/review")
            first, second = titles(page)
            page.click(".card >> nth=0 >> text=Later")
            assert titles(page) == [second]
            page.goto(f"http://{site.host}/review")
            if keys:
                page.keyboard.press("j")
                page.keyboard.press("r")
            else:
                page.fill(".card >> nth=0 >> [name=reason]", "both are true")
                page.click(".card >> nth=0 >> button:has-text('Reject')")
            page.wait_for_load_state()
            page.wait_for_selector("text=Take back")
            assert titles(page) == [second]
            if keys:
                page.keyboard.press("a")
                page.keyboard.press("a")
            else:
                page.click(".card >> button:has-text('Accept')")
            page.wait_for_selector(".notice.done")
            page.wait_for_load_state()  # keys are heard once the script of the new page runs
            assert titles(page) == []
            assert git(own, "log", "-1", "--format=%an") != "claude-code"
            if keys:
                page.keyboard.press("u")
            else:
                page.click("button:text-is('Undo')")
            page.wait_for_selector("text=Taken back")
            page.goto(f"http://{site.host}/review")
            assert titles(page) == [second]
            assert first not in titles(page)


def test_what_was_captured_is_kept_in_other_words(browser: Any, shop: Path, shop_site: Site) -> None:
    with opened(browser, shop_site) as page:
        page.goto(f"http://{shop_site.host}/review")
        page.click("article:has-text('kestrel') >> text=Edit")
        text = page.input_value("textarea")
        page.fill("textarea", text.replace("The staging database is called kestrel.", "Staging uses kestrel."))
        page.click("text=Save and accept")
        page.wait_for_selector(".notice.done")
        page.click(".notice.done a >> nth=0")
        assert page.inner_text("h1") == "Staging uses kestrel"
    assert any("Staging uses kestrel." in place.read_text() for place in (shop / FOLDER).rglob("*.md"))


def test_search_is_narrowed_by_filters_and_by_a_day(browser: Any, shop_site: Site) -> None:
    with opened(browser, shop_site, **WITHOUT_SCRIPTS) as page:
        page.goto(f"http://{shop_site.host}/search?q=carts")
        answers = page.locator(".answers > li")
        before = answers.count()
        page.click(".chip:has-text('type: decision')")
        assert 0 < answers.count() < before
        page.click(".chip.on")
        assert answers.count() == before
        page.click("summary >> nth=0")
        assert page.is_visible(".reasons >> nth=0")
        page.fill("#as_of", "2026-02-27T00:00:00Z")
        page.press("#as_of", "Enter")
        assert "for fourteen days" not in page.inner_text(".answers")


def test_typing_searches_and_names_are_copied(browser: Any, shop_site: Site) -> None:
    permitted = {"permissions": ["clipboard-read", "clipboard-write"]}
    with opened(browser, shop_site, **permitted) as page:
        page.goto(f"http://{shop_site.host}/memories")
        page.keyboard.press("/")
        page.keyboard.type("redis flushed")
        page.wait_for_selector("#list .answers")
        assert "Redis was flushed last December" in page.inner_text("#list [data-item] >> nth=0")
        page.fill("#q", "")
        page.wait_for_selector("#list .day")
        page.goto(f"http://{shop_site.host}/memory/{CENTRE}")
        page.click("button[aria-label^='Copy']")
        assert page.evaluate("navigator.clipboard.readText()") == f"{FOLDER}/{CENTRE}.md"


def test_the_export_opens_from_its_folder(browser: Any, shop: Path, tmp_path: Path, mdmem: Run) -> None:
    mdmem("page", "--vault", shop, "--out", tmp_path / "pages")
    with opened(browser, **WITHOUT_SCRIPTS) as page:
        page.goto((tmp_path / "pages/index.html").as_uri())
        page.click("nav >> text=Memories")
        page.click("text=Deploys are frozen in December")
        page.click(".text a.note")
        assert page.inner_text("h1") == "Redis was flushed last December"
        page.click("nav >> text=Timeline")
        page.click(f"text={SESSION} >> nth=0")
        assert "What was tried about the logouts" in page.inner_text("#content")
        assert page.locator("form").count() == 0


def test_a_page_of_another_site_gets_nothing(browser: Any, shop_site: Site, tmp_path: Path) -> None:
    """What a page elsewhere can try from inside the same browser: reading, framing, sending a form."""
    target = f"http://{shop_site.host}"
    tries = f"""<!doctype html><title>x</title><iframe src="{target}/"></iframe>
      <form method="post" action="{target}/undo"><button>Win</button></form>"""
    (tmp_path / "lure.html").write_text(tries)
    shop_site.get("/assets/page.css")
    context = browser.new_context()
    name, _, value = shop_site.cookie.partition("=")
    context.add_cookies([{"name": name, "value": value, "url": target, "sameSite": "Strict"}])
    page = context.new_page()
    page.goto((tmp_path / "lure.html").as_uri())
    read = (
        f"fetch({json.dumps(target)} + '/api/today', {{credentials: 'include'}}).then((r) => r.text(), () => 'no')"
    )
    assert page.evaluate(read) == "no"
    assert "Today" not in page.frames[1].content()
    with page.expect_response(f"{target}/undo") as refused:
        page.click("text=Win")
    assert refused.value.status == 403
    context.close()


@pytest.mark.parametrize("how", ["mouse", "keyboard", "without scripts"])
def test_write_edit_and_take_back_a_memory(browser: Any, shop: Path, tmp_path: Path, git: Git, how: str) -> None:
    own = tmp_path / "own"
    git(tmp_path, "clone", "-q", str(shop), str(own))
    keys = how == "keyboard"
    for site in serving(own, may_write=True):
        with opened(browser, site, **(WITHOUT_SCRIPTS if how == "without scripts" else {})) as page:
            start(page, site)
            if keys:
                page.keyboard.press("n")
            else:
                page.click("text=New >> nth=0")
            page.wait_for_url("**/new")
            page.wait_for_load_state()
            page.fill("#body", "Parcels are **insured** up to 500 euros.")
            if how == "without scripts":
                page.click("button:text-is('Preview')")
            page.wait_for_selector("#preview strong:text-is('insured')")
            page.fill("#set-tags", "parcels")
            page.fill("#reason", "From the contract")
            if keys:
                page.keyboard.press("Control+Enter")
            else:
                page.click("button:text-is('Save')")
            page.wait_for_url("**/memory/**")
            page.wait_for_load_state()
            assert page.inner_text("h1") == "Parcels are insured up to 500 euros"
            assert "From the contract" in git(own, "log", "-1", "--format=%B")
            if keys:
                page.keyboard.press("e")
            else:
                page.click("text=Edit >> nth=0")
            page.wait_for_url("**/edit/**")
            page.wait_for_load_state()
            page.fill("#body", "Parcels are insured up to 800 euros.")
            if keys:
                page.keyboard.press("Control+Enter")
            else:
                page.click("button:text-is('Save')")
            page.wait_for_selector("h1:has-text('800 euros')")
            page.wait_for_load_state()
            if keys:
                page.keyboard.press("u")
            else:
                page.click("button:text-is('Undo')")
            page.wait_for_selector("h1:has-text('500 euros')")
            assert "Taken back" in page.inner_text(".notice.done")
        assert git(own, "status", "--porcelain") == ""


@pytest.mark.parametrize("options", [{}, WITHOUT_SCRIPTS], ids=["mouse", "without scripts"])
def test_an_edit_meets_another_and_a_memory_is_forgotten_and_comes_back(
    browser: Any, shop: Path, tmp_path: Path, git: Git, options: dict[str, Any]
) -> None:
    own = tmp_path / "own"
    git(tmp_path, "clone", "-q", str(shop), str(own))
    note = own / FOLDER / "ben_lives_in_lisbon.md"
    for site in serving(own, may_write=True):
        with opened(browser, site, expected="409", **options) as page:
            page.goto(f"http://{site.host}/edit/ben_lives_in_lisbon")
            note.write_text(note.read_text().replace("lives in Lisbon.", "lives in Faro."))
            page.fill("#body", "Ben lives in Braga.")
            with page.expect_response(lambda answer: answer.status == 409, timeout=20_000):
                page.click("button:text-is('Save')")
            page.wait_for_selector("text=Changed since you opened it")
            assert "Ben lives in Faro." in page.inner_text("#meanwhile >> xpath=..")
            assert page.input_value("#body") == "Ben lives in Braga."
            assert "Faro" in note.read_text()
            page.click("text=begin again with what it says now")
            page.fill("#body", "Ben lives in Braga.")
            page.click("button:text-is('Save')")
            page.wait_for_url("**/memory/**")
            assert "Ben lives in Braga." in note.read_text()
            page.click("summary:has-text('More')")
            page.fill("#why-forget", "Ben left")
            page.click("button:text-is('Forget')")
            page.wait_for_url("**/memories?done=**")
            assert not note.exists()
            page.click("button:text-is('Undo')")
            page.wait_for_selector("text=Taken back")
            assert note.exists()


@pytest.mark.parametrize("options", [{}, WITHOUT_SCRIPTS], ids=["mouse", "without scripts"])
def test_memories_are_narrowed_by_chips_and_sorted(browser: Any, shop_site: Site, options: dict[str, Any]) -> None:
    with opened(browser, shop_site, **options) as page:
        page.goto(f"http://{shop_site.host}/memories")
        rows = page.locator("#list [data-item]")
        before = rows.count()
        page.click(".chip:has-text('decision')")
        page.wait_for_url("**type=decision")
        page.click(".chip:has-text('cart')")
        page.wait_for_url("**tag=cart**")
        assert [rows.nth(at).inner_text().partition("\n")[0] for at in range(rows.count())] == [
            "The shop keeps carts in Redis"
        ]
        page.click(".chip.on >> nth=0")
        page.click(".chip.on >> nth=0")
        page.click("a:text-is('title')")
        page.wait_for_url("**sort=title")
        assert rows.count() == before
        titles = [rows.nth(at).inner_text().partition("\n")[0].casefold() for at in range(rows.count())]
        assert titles == sorted(titles)
