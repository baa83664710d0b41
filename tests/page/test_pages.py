"""What the pages say: of a vault, of a memory, and of notes that would rather do something."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from mdmem import acts
from mdmem.acts.pages import worddiff
from mdmem.acts.pages.request import PageRequest
from mdmem.errors import NotFoundError, UsageError
from mdmem.page import filters, frame, markdown, openapi
from mdmem.page.frame import PageFrame
from mdmem.page.links import ACTS, PLANNING, FileLinks, PageLinks, ServedLinks, file_of
from mdmem.page.site import BY_NAME, PAGES
from mdmem.store.vault.vault import Vault
from tests.conftest import NOW, Git, Run
from tests.page.conftest import SCRIPT, Site

TEA = "allmemories/user_prefers_green_tea.md"
HOSTILE = "allmemories/</script>.md"


class Parsed(HTMLParser):
    """The tags of a page, with their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def named(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


def shown(vault: Vault, page: str, key: str = "", **given: str) -> str:
    """The HTML of a page."""
    return laid_out(page, BY_NAME[page].read(vault, PageRequest(NOW, key, given)))


def laid_out(page: str, value: Mapping[str, Any], links: PageLinks | None = None) -> str:
    """The HTML of a page with this value."""
    return frame.html(page, value, PageFrame("vault", links or ServedLinks(), ())).decode()


def every_page(vault: Vault) -> list[tuple[str, str]]:
    return [(page.name, key) for page in PAGES for key in page.kept(vault)]


def test_today_tells_what_is_going_on(seen: Vault) -> None:
    text = shown(seen, "today")
    assert "4 memories" in text
    assert "Order more tea" in text
    assert text.index("Next tasks") < text.index("Order more tea", text.index("Next tasks"))
    assert "Written in the last week" in text
    assert "conv-1" in text, "a session is a card"


def test_a_memory_has_its_text_links_and_history(seen: Vault) -> None:
    text = shown(seen, "memory", TEA)
    assert (
        '<a href="/memory/allmemories/team_meets_on_tuesday.md" class="note">The team meets on Tuesday</a>' in text
    )
    assert "the meeting</a>" in text, "a property links, too"
    assert "not there" in text
    assert re.search(r"<ins>.*?from Uji", text), "what the second version added"
    assert "They said so." in text
    linked = shown(seen, "memory", "team_meets_on_tuesday")
    assert 'Linked from <span class="count">1</span>' in linked


def test_a_memory_as_of_a_commit_and_any_day(seen: Vault) -> None:
    value = BY_NAME["memory"].read(seen, PageRequest(NOW, TEA))
    first = value["history"][-1]["commit"]
    assert "from Uji" in value["memory"]["body"]
    assert "from Uji" not in shown(seen, "memory", TEA, as_of=first).partition("History")[0]
    text = shown(seen, "memory", TEA, as_of="2026-02-27")
    assert 'min="2026-02-27" value="2026-02-27"' in text
    assert 'id="told-version">2</output> of 2' in text, "the last commit of that day"
    assert 'As it was on <time datetime="2026-02-27"' in text
    with pytest.raises(UsageError, match="no commit as early"):
        shown(seen, "memory", TEA, as_of="2026-02-26")


def test_a_version_by_its_number_and_what_recall_says(seen: Vault) -> None:
    first = shown(seen, "memory", TEA, version="1")
    assert "See it as it is now" in first
    assert 'id="told-version">1</output> of 2' in first
    now = shown(seen, "memory", TEA, ask="green tea")
    assert "Rank <strong>1</strong>" in now
    assert "It does not come up" in shown(seen, "memory", TEA, ask="-tea")
    for wrong in ("0", "3", "x", "1" * 5000):
        with pytest.raises(UsageError):
            shown(seen, "memory", TEA, version=wrong)


def test_the_timeline_and_a_session(seen: Vault) -> None:
    text = shown(seen, "timeline")
    assert text.count('<time datetime="2026-02-27"') == 1, "one day"
    assert "They said so." in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text
    session = shown(seen, "session", "conv-1")
    assert "mdmem undo --session conv-1" in session
    assert "User prefers green tea" in session
    assert "Order more tea" not in session
    undo = shown(seen, "undo", session="conv-1")
    assert re.search(r"<del>.*?from Uji", undo), "what it would change"
    assert "<form method" not in undo, "nothing can be changed without --write"
    odd = {"id": "two words; rm -rf ~", "session": None, "commits": [], "total": 1}
    assert "mdmem undo --session &#39;two words; rm -rf ~&#39;</code>" in laid_out("session", odd)
    with pytest.raises(NotFoundError):
        shown(seen, "session", "conv-0")
    with pytest.raises(NotFoundError):
        BY_NAME["timeline"].read(seen, PageRequest(NOW, given={"page": "2"}))


def test_a_subject_by_hand_that_only_says_what_was_done_is_not_said_again() -> None:
    by_hand = {"by_hand": True, "actions": ["revise"], "reason": "revise: green_tea\n\nAsked again."}
    assert filters.reason(by_hand) == "Asked again."
    assert filters.reason({**by_hand, "reason": "Asked: it is Uji"}) == "Asked: it is Uji"
    assert filters.reason({**by_hand, "by_hand": False}).startswith("revise: green_tea"), "their own words"


def test_long_lists_come_in_parts_that_link_to_each_other() -> None:
    value = {"page": 2, "pages": 3, "commits": []}
    around = re.compile('rel="(prev|next)" href="(.*?)"')
    served = laid_out("timeline", value)
    assert around.findall(served) == [("prev", "/timeline"), ("next", "/timeline?page=3")]
    assert "Page 2 of 3" in served
    kept = FileLinks("timeline-2.html", frozenset(["timeline", "today"]))
    files = [("prev", "timeline.html"), ("next", "timeline-3.html")]
    assert around.findall(laid_out("timeline", value, kept)) == files
    assert around.findall(laid_out("timeline", {**value, "page": 1})) == [("next", "/timeline?page=2")]
    assert around.findall(laid_out("timeline", {**value, "page": 3})) == [("prev", "/timeline?page=2")]
    request = PageRequest(NOW, given={"page": "2"})
    assert request.part([1, 2, 3], 2) == ([3], {"page": 2, "pages": 2, "total": 3})


@pytest.mark.parametrize("page", [page.name for page in PAGES if page.name != "search"])
def test_the_navigation_says_where_a_page_belongs(page: str) -> None:
    around = PageFrame("vault", ServedLinks(), PAGES, BY_NAME[page])
    parsed = Parsed(
        frame.html("trouble", {"error": "x", "hint": "", "status": 404, "asked": "", "back": ""}, around).decode()
    )
    [current] = [link for link in parsed.named("a") if "aria-current" in link]
    expected = (f"/{page}", "page") if BY_NAME[page].label else (f"/{BY_NAME[page].under}", "true")
    assert (current["href"], current["aria-current"]) == (expected[0].replace("/today", "/"), expected[1])


def test_a_search_has_reasons_and_filters_as_chips(seen: Vault) -> None:
    text = shown(seen, "search", q="green tea type:preference")
    assert "Why it is here" in text
    assert 'href="/search?q=green+tea"><span class="unseen">Take away the filter </span>type:preference' in text
    assert "of low trust" not in text
    offered = shown(seen, "search", q="tea")
    assert "q=tea+type%3Apreference" in offered or "type: preference" not in offered
    before = shown(seen, "search", q="green tea", as_of="HEAD~1")
    assert "from Uji" not in before
    assert "as_of=HEAD~1" in before


def test_what_matched_is_marked_in_a_snippet(seen: Vault) -> None:
    assert "<mark>Green" in shown(seen, "search", q="green")
    assert filters.marked("a **b** c **d") == [("a ", False), ("b", True), (" c **d", False)]
    assert filters.marked("**b**") == [("b", True)]


def test_who_wrote_each_line(seen: Vault) -> None:
    assert 'class="blame"' not in shown(seen, "memory", TEA)
    margin = shown(seen, "memory", TEA, authors="1")
    assert 'class="blame"' in margin
    assert "See the text" in margin
    table = margin.partition('class="blame"')[2].partition("</table>")[0]
    assert table.count("conv-1") == 2, "one piece, with a link to its session"
    long = {"text": "x" * (markdown.LONGEST + 1), "commit": "1"}
    pieces = filters.authored([long, {"text": "y", "commit": "2"}])
    assert [(len(piece["text"]), piece["is_cut"]) for piece in pieces] == [(markdown.LONGEST, True)]


def test_health_counts_by_month(seen: Vault) -> None:
    value = BY_NAME["health"].read(seen, PageRequest(NOW))
    assert (value["memories"], value["writes"]) == ([("2026-02", 4)], [("2026-02", 2)])
    assert "<svg" in shown(seen, "health")


def test_what_the_doctor_found_is_told_with_its_time(looked_at: Path, tmp_path: Path, mdmem: Run) -> None:
    root = Path(shutil.copytree(looked_at, tmp_path / "vault"))
    mdmem("doctor", "--vault", root, "--json")
    with Vault.open(str(root)) as vault:
        assert vault.clearance.is_full
        health = shown(vault, "health")
        assert "The doctor last looked on" in health
        assert "1 March 2026, 12:00" in health
        assert re.search(r'href="/health"><strong>\d+</strong> problem', shown(vault, "today"))
    (root / ".mdmem/doctor.json").write_text("{")
    with Vault.open(str(root)) as vault:
        assert "The doctor last looked" not in shown(vault, "health")


def test_hostile_notes_stay_text(seen: Vault) -> None:
    """Nothing of a note becomes a tag, an attribute, a script, or a request to another machine."""
    for page, key in every_page(seen):
        parsed = Parsed(shown(seen, page, key))
        assert [script.get("src") for script in parsed.named("script")] == ["/assets/page.js"]
        assert {image["src"] for image in parsed.named("img")} == {"/assets/icon.svg"}
        assert not [tag for tag, _ in parsed.tags if tag in ("iframe", "object", "embed", "base", "b", "style")]
        for _, attributes in parsed.tags:
            assert not [name for name in attributes if name.startswith("on") or name == "style"]
            address = (attributes.get("href") or attributes.get("src") or "").lower()
            assert not address.startswith(("javascript:", "data:", "vbscript:", "file:", "//"))
    assert BY_NAME["memory"].read(seen, PageRequest(NOW, HOSTILE))["memory"]["title"] == SCRIPT, "as JSON has it"
    text = shown(seen, "memory", HOSTILE)
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text
    assert '<a href="https://evil.example/pixel.png" rel="noreferrer noopener">[picture: seen]</a>' in text


def test_pages_are_laid_out_for_everyone(seen: Vault) -> None:
    for page, key in every_page(seen):
        parsed = Parsed(shown(seen, page, key))
        names = [tag for tag, _ in parsed.tags]
        assert (names.count("h1"), names.count("main"), names.count("header") >= 1) == (1, 1, True), page
        assert parsed.named("html") == [{"lang": "en"}]
        assert parsed.named("a")[0] == {"class": "skip", "href": "#content"}
        ids = [attributes["id"] for _, attributes in parsed.tags if "id" in attributes]
        assert len(ids) == len(set(ids)), page
        headings = [int(name[1]) for name in names if re.fullmatch("h[1-6]", name)]
        assert all(below - above <= 1 for above, below in pairwise(headings)), page
        assert names.count("table") == names.count("caption") or page == "memory", "tables of notes have none"


def test_served_pages_and_their_values(site: Site) -> None:
    today = site.get("/")
    assert (today.status, today.headers["content-type"]) == (200, "text/html; charset=utf-8")
    for path in (f"/memory/{TEA}", "/memory/user_prefers_green_tea", "/memory/allmemories/%3C/script%3E.md"):
        assert site.get(path).status == 200, path
        assert json.loads(site.get(f"/api{path}").text)["memory"]["path"]
    missing = site.get("/api/memory/user_prefers_black_tea")
    assert missing.status == 404
    assert json.loads(missing.text)["error"] == "there is no memory 'user_prefers_black_tea'"
    assert "There is no memory" in site.get("/memory/user_prefers_black_tea").text
    assert site.get(f"/memory/{TEA}?as_of=nonsense").status == 400
    assert site.get("/nope").status == 404


def test_german_browsers_read_german_dates(site: Site) -> None:
    assert "27. Februar 2026, 10:00 Uhr" in site.get(f"/memory/{TEA}", Accept_Language="de-AT,en;q=0.5").text
    assert "27 February 2026, 10:00<" in site.get(f"/memory/{TEA}", Accept_Language="fr, en;q=0.9, de;q=0.1").text
    assert filters.language_of("de;q=0, *;q=x") == "en"
    sunday = datetime(2026, 3, 1, tzinfo=UTC)
    assert filters.weekday(sunday, "de") == "Sonntag, 1. März 2026"


def test_the_document_of_the_api_tells_every_endpoint(site: Site) -> None:
    document = json.loads(site.get("/api/openapi.json").text)
    told = {path.replace("{key}", "{key:path}") for path in document["paths"]}
    of_acts = {f"{ACTS}/{name}" for name in (*acts.READING, *acts.WRITING)}
    assert told == {*(page.api_path for page in PAGES), PLANNING, *of_acts}
    assert document == openapi.document(PAGES)
    for page in PAGES:
        parameters = document["paths"][page.api_path.replace(":path", "")]["get"]["parameters"]
        assert {each["name"] for each in parameters} == {*page.takes, *(["key"] if page.key else [])}
        assert page.path.startswith("/")
        assert ("{key" in page.path) is bool(page.key)


@pytest.mark.parametrize(
    ("before", "after", "parts"),
    [
        ("a b c\n", "a x c\n", ["same:a ", "removed:b", "added:x", "same: c\n"]),
        ("one\n", "one\ntwo\n", ["same:one\n", "added:two\n"]),
        ("one\n", "one\n", ["gap:"]),
    ],
)
def test_words_that_changed(before: str, after: str, parts: list[str]) -> None:
    assert [f"{part.kind}:{part.text}" for part in worddiff.compare(before, after)] == parts


@pytest.mark.parametrize(
    ("before", "after"), [("a b " * 500, "b a c " * 330), ("a\nb\n" * 1200, "b\na\nc\n" * 800)]
)
def test_a_long_text_that_repeats_itself_counts_as_rewritten(before: str, after: str) -> None:
    """Each frequent line or word was tried with each other one: half a minute for 5,000 characters."""
    assert worddiff.compare(before, after) == [("removed", before), ("added", after)]


def test_a_paragraph_of_thousands_of_brackets_is_not_laid_out_and_those_beside_it_are() -> None:
    """Each bracket was followed to the end of the text: half a minute for 100,000 of them."""
    made = markdown.html(f"*one*\n\n*two* {'[' * 3000}\n\n[[three]]", lambda target: (f"/{target}", ""))
    assert made.count("<em>") == 1
    assert f"*two* {'[' * 3000}</p>" in made
    assert '<a href="/three"' in made


def test_a_text_of_very_many_lines_or_characters_is_not_laid_out() -> None:
    """Each line may be a block: fifty thousand headings took 50 MB, and the server kept most of it."""
    text = "#\n" * 20_000
    assert markdown.html(text, lambda target: ("", "")) == f"<pre>{text}</pre>"
    assert "<h2>One</h2>" in markdown.html("# One\n" * 1000, lambda target: ("", ""))
    cut = markdown.html("<b>" + "x" * markdown.LONGEST, lambda target: ("", ""))
    assert cut.startswith("<pre>&lt;b&gt;x")
    assert "The text is cut here; the rest is in the file." in cut


def test_what_is_the_same_is_left_out_between_changes() -> None:
    same = "word " * 200
    parts = worddiff.compare(f"a\n{same}\nb\n", f"x\n{same}\ny\n")
    assert "gap" in [part.kind for part in parts]
    assert sum(len(part.text) for part in parts) < 400


def test_links_within_links_and_endless_brackets_are_text() -> None:
    text = markdown.html(
        "[out [[a]] in](b.md) " + "[" * 3000 + " ![p](x) [![q](https://e.org/q)](b.md)",
        lambda target: (f"/{target}", ""),
    )
    assert text.count("<a ") == text.count("</a>")
    assert not re.search(r"<a [^>]*>[^<]*<a ", text)


@pytest.mark.parametrize(
    ("written", "levels"),
    [
        ("##", "2"),
        ("# ## #", "232"),
        ("### #", "22"),
        ("## ##### ####", "233"),
        ("# ## ### #### ##### ######", "234566"),
    ],
)
def test_headings_of_a_note_leave_no_level_out(written: str, levels: str) -> None:
    text = markdown.html("\n\n".join(f"{marks} Part" for marks in written.split()), lambda target: ("", ""))
    assert re.findall(r"<h(\d)>Part</h\1>", text) == list(levels)


def test_a_link_without_words_says_the_title_of_its_note() -> None:
    text = markdown.html(
        "[[a_b]], [[a_b|as given]], [in](a_b.md), [[c_d]]", lambda to: {"a_b": ("/a", "A <b>")}.get(to, ("", ""))
    )
    assert "C d" in text
    assert re.findall(r"<a[^>]*>(.*?)</a>", text) == ["A &lt;b&gt;", "as given", "in"]


def test_files_of_pages_never_clash_by_case() -> None:
    files = [file_of("memory", key) for key in ("a/B.md", "a/b.md", "a/%42.md")]
    assert len({file.lower() for file in files}) == len(files)
    assert FileLinks("memory/a/b.html", frozenset(["today"])).to("today") == "../../index.html"
    assert FileLinks("index.html", frozenset(["today"])).to("memory", "x") == ""
    assert file_of("session", "../../x").startswith("session/%2e%2e/%2e%2e/")


def test_what_the_command_cannot_do_is_told(seen: Vault, mdmem: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    page = ("page", "--vault", seen.root)
    assert "leave out" in mdmem(*page, "--out", "x", "--write", code=2).err
    monkeypatch.setitem(sys.modules, "jinja2", None)
    assert "pip install 'mdmem[web]'" in mdmem(*page, code=1).err


def test_health_draws_tests_of_recall_and_what_the_gardeners_did(
    looked_at: Path, tmp_path: Path, mdmem: Run, git: Git
) -> None:
    root = Path(shutil.copytree(looked_at, tmp_path / "vault"))
    (tmp_path / "cases.jsonl").write_text('{"question": "green tea", "gold": ["user_prefers_green_tea"]}\n')
    mdmem("eval", tmp_path / "cases.jsonl", "--vault", root)
    for turn in range(2):
        (root / TEA).write_text(f"Turn {turn}.\n")
        trailers = "Memory-Action: deprecate\nMemory-Gardener: twins\nMemory-Run: garden-1"
        git(root, "commit", "-qam", "deprecate: tea", "-m", trailers)
    done = git(root, "rev-parse", "HEAD")
    (root / TEA).write_text("As before.\n")
    git(root, "commit", "-qam", "undo: tea", "-m", f"Memory-Action: undo\nMemory-Undoes: {done}")
    problem = {"code": "x", "path": 7, "line": 1, "message": 2, "fix": ""}
    many = [{**problem, "path": TEA, "fix": "", "message": f"problem {number}"} for number in range(30)]
    (root / ".mdmem/doctor.json").write_text(json.dumps({"when": "2026-03-01T12:00:00Z", "problems": many}))
    with Vault.open(str(root)) as vault:
        assert "<strong>30</strong> problems" in shown(vault, "today")
        assert "30 problems" in shown(vault, "health")
    (root / ".mdmem/doctor.json").write_text(json.dumps({"when": "2026-03-01T12:00:00Z", "problems": [problem]}))
    with Vault.open(str(root)) as vault:
        text = shown(vault, "health")
        kept = BY_NAME["health"].read(vault, PageRequest(NOW, is_kept=True))
    assert "Tests of recall, hit@5 by run" in text
    assert "1 (1 of 1 questions passed)" in text
    assert re.search(r'twins</th><td class="number">2</td><td class="number">1', text)
    assert "The doctor last looked" not in text, "a damaged file counts as none"
    assert kept["tests"] == [], "what only this machine knows is not exported"


def test_no_template_passes_text_on_unescaped() -> None:
    """Only `markdown.html` makes HTML of a note; a template that trusted a value would let a note write tags."""
    templates = sorted((Path(frame.__file__).parent / "templates").glob("*.html"))
    assert len(templates) > len(PAGES)
    assert [path.name for path in templates if re.search(r"\|\s*safe\b|autoescape|Markup", path.read_text())] == []
    hostile = f'" onclick="{SCRIPT}'
    told = laid_out(
        "trouble", {"error": SCRIPT, "hint": hostile, "status": 404, "asked": hostile, "back": hostile}
    )
    assert told.count("<script") == 1, "the page's own"


def test_what_templates_ask_of_a_value() -> None:
    commits = [{"when": f"2026-03-0{day}T0{day}:00:00Z"} for day in (2, 2, 1, 2)]
    assert [len(day) for day in filters.alike(commits, "when", 10)] == [2, 1, 1], "only neighbours are one day"
    assert filters.strongest({"words": 2.0, "links": -4.0, "none": 0.0}) == [
        ("links", -4.0, 100),
        ("words", 2.0, 50),
    ]
    assert filters.in_two("Stop the random logouts of people who stay", 25) == [
        "Stop the random logouts",
        "of people who stay",
    ]
    assert filters.in_two("x" * 30, 25) == ["x" * 24 + "…"]
    assert filters.shortened("abc", 3) == "abc"
