"""What a person writes on the pages: one commit each in their name, guarded, merged, undone, and never twice."""

from __future__ import annotations

import http.client
import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from mdmem.page.guards import MOST_BYTES
from tests.conftest import PERSON
from tests.page.conftest import Site, serving

Git = Callable[..., str]
TEA = "allmemories/user_prefers_green_tea.md"
TASK = "allmemories/next_order_more_tea.md"
EVIL = (
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Origin": "http://127.0.0.1:1"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
)
HOSTILE = "<script>pwn()</script> <img src=x onerror=pwn()> [a](javascript:pwn()) ![b](https://evil.example/x.png)"
# each route that writes, with a form that would
ROUTES = {
    "/new": {"body": "Anything new.", "do": "save"},
    f"/edit/{TEA}": {"base": "x", "body": "Other words.", "do": "save"},
    "/paste": {"text": "User: I prefer tabs over spaces.\nAssistant: Fine."},
    "/do/remember": {"text": "Anything new."},
    "/do/update": {"name": TEA, "set.pinned": "true"},
    "/do/done": {"names": TASK},
    "/do/adopt": {"everything": "true"},
    "/do/rename": {"name": TEA, "new_name": "user_likes_green_tea"},
    "/do/forget": {"names": TEA},
    "/do/restore": {"name": TEA},
    "/do/undo": {"last": "1"},
    f"/memory/{TEA}": {"name": "team_meets_on_tuesday", "why": "x"},
    "/review": {"do": "accept", "proposal": "x"},
    "/undo": {"session": "conv-1"},
}


class Sent:
    """An answer to a form."""

    def __init__(self, answer: http.client.HTTPResponse) -> None:
        self.status = answer.status
        self.location = answer.headers.get("location", "")
        self.text = answer.read().decode()


def send(site: Site, to: str, headers: dict[str, str] | None = None, raw: bytes = b"", **fields: str) -> Sent:
    """Send a form as a page of the site does; `__` in a field's name is a dot."""
    site.get("/assets/page.css")
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=60)
    sent = {
        "Cookie": site.cookie,
        "Origin": f"http://{site.host}",
        "Content-Type": "application/x-www-form-urlencoded",
        **(headers or {}),
    }
    form = raw or urlencode({name.replace("__", "."): value for name, value in fields.items()}).encode()
    connection.request("POST", to, form, {name: value for name, value in sent.items() if value})
    answer = Sent(connection.getresponse())
    connection.close()
    return answer


@pytest.fixture
def vault(looked_at: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(looked_at, tmp_path / "vault"))


@pytest.fixture
def own(vault: Path) -> Iterator[Site]:
    yield from serving(vault, may_write=True)


def field(page: str, name: str) -> str:
    """What a hidden text area or field of a page holds."""
    found = re.search(rf'name="{name}"[^>]*>\n(.*?)</textarea>', page, re.S) or re.search(
        rf'name="{name}" value="(.*?)"', page
    )
    assert found, name
    return found[1].replace("&#34;", '"').replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def notes(vault: Path) -> dict[str, str]:
    return {str(place.relative_to(vault)): place.read_text() for place in vault.glob("allmemories/**/*.md")}


def test_a_new_memory_is_a_commit_of_the_person_with_its_reason(own: Site, vault: Path, git: Git) -> None:
    done = send(
        own,
        "/new",
        do="save",
        body="Deploys run at noon.\r\n\r\nThen all are there.",
        set__type="decision",
        set__tags="deploy, ci",
        set__due="",
        other="url",
        other_value="https://example.org",
        reason="Agreed on Monday",
    )
    assert done.status == 303, done.text
    path = done.location.partition("?")[0].removeprefix("/memory/")
    text = (vault / path).read_text()
    assert "type: decision\ntags:\n  - deploy\n  - ci\nurl: https://example.org\n" in text
    assert text.endswith("\nDeploys run at noon.\n\nThen all are there.\n")
    assert "due" not in text
    body = git(vault, "log", "-1", "--format=%an %B")
    assert body.startswith(f"{PERSON[0]} create:")
    assert "Agreed on Monday" in body
    shown = own.get(done.location).text
    assert "Remembered" in shown
    assert 'action="/do/undo"' in shown


def test_what_cannot_be_saved_is_shown_again_as_it_was_typed(own: Site, vault: Path) -> None:
    before = notes(vault)
    wrong = send(own, "/new", do="save", body="Tea at <five>.", set__confidence="7", reason="so")
    assert wrong.status == 400
    assert 'role="alert"' in wrong.text
    assert "Tea at &lt;five&gt;.</textarea>" in wrong.text
    assert 'name="set.confidence" type="text" value="7"' in wrong.text
    assert 'name="reason" type="text" value="so"' in wrong.text
    empty = send(own, "/new", do="save", body=" ")
    assert empty.status == 400
    same = send(
        own,
        "/new",
        do="save",
        body="Green tea from Uji, see [[team_meets_on_tuesday]] and [[nowhere_to_be_found]].",
    )
    assert same.status == 409
    assert "anyway" in same.text, "it can be saved all the same"
    assert notes(vault) == before


def test_an_edit_changes_only_its_lines_and_merges_what_others_changed(own: Site, vault: Path, git: Git) -> None:
    page = own.get(f"/edit/{TEA}").text
    base = field(page, "base")
    assert base == (vault / TEA).read_text()
    assert 'name="set.tags" type="text" value="drinks"' in page
    (vault / TEA).write_text(base.replace("tags: [drinks]", "tags: [drinks, hot]"))  # in an editor, meanwhile
    shown = {"set__title": "User prefers green tea", "set__type": "preference", "set__tags": "drinks"}
    done = send(own, f"/edit/{TEA}", do="save", base=base, body="Green tea from Kyoto.", **shown)
    assert done.status == 303, done.text
    text = (vault / TEA).read_text()
    assert "tags: [drinks, hot]" in text, "a field that was not touched keeps what others wrote"
    assert text.endswith("\nGreen tea from Kyoto.\n")
    assert git(vault, "log", "-1", "--format=%an %s").startswith(f"{PERSON[0]} revise:")


def test_an_edit_of_the_same_line_is_shown_and_never_overwrites(own: Site, vault: Path, git: Git) -> None:
    base = field(own.get(f"/edit/{TEA}").text, "base")
    theirs = base.replace("Green tea from Uji", "Green tea from Nara")
    (vault / TEA).write_text(theirs)
    head = git(vault, "rev-parse", "HEAD")
    kept = send(own, f"/edit/{TEA}", do="save", base=base, body="Green tea from Kyoto.")
    assert kept.status == 409
    assert "Changed since you opened it" in kept.text
    assert "Green tea from Nara" in kept.text
    assert "Green tea from Kyoto.</textarea>" in kept.text
    assert (vault / TEA).read_text() == theirs
    assert git(vault, "rev-parse", "HEAD") == head
    stale = send(own, "/do/update", name=TEA, set__pinned="true", expect="0" * 12)
    assert stale.status == 409
    assert (vault / TEA).read_text() == theirs


def test_an_edit_keeps_line_ends_and_an_empty_field_takes_a_property_out(own: Site, vault: Path, git: Git) -> None:
    (vault / TEA).write_bytes((vault / TEA).read_bytes().replace(b"\n", b"\r\n"))
    git(vault, "commit", "-qam", "as on Windows")
    base = field(own.get(f"/edit/{TEA}").text, "base")
    done = send(own, f"/edit/{TEA}", do="save", base=base, body="One.\r\n\r\nTwo.", set__type="")
    assert done.status == 303, done.text
    data = (vault / TEA).read_bytes()
    assert data.count(b"\n") == data.count(b"\r\n")
    assert b"One.\r\n\r\nTwo.\r\n" in data
    assert b"type:" not in data
    again = send(own, f"/edit/{TEA}", do="save", base=data.decode(), body="One.\r\n\r\nTwo.")
    assert again.status == 303
    assert (vault / TEA).read_bytes() == data, "nothing was changed, so nothing is committed"


def test_a_preview_is_harmless_and_saves_nothing(own: Site, vault: Path, git: Git) -> None:
    head, before = git(vault, "rev-parse", "HEAD"), notes(vault)
    for to, more in (("/new", {}), (f"/edit/{TEA}", {"base": (vault / TEA).read_text()})):
        body = f"**Strong** [[team_meets_on_tuesday]] {HOSTILE}"
        shown = send(own, to, do="preview", body=body, **more)
        assert shown.status == 200
        preview = shown.text.partition('id="preview"')[2].partition("</section>")[0]
        assert "<strong>Strong</strong>" in preview
        assert 'href="/memory/allmemories/team_meets_on_tuesday.md"' in preview, "as it will be"
        assert "<script" not in preview
        assert "<img" not in preview
        assert "javascript:" not in re.sub(r">[^<]*<", "><", preview)
    assert (git(vault, "rev-parse", "HEAD"), notes(vault)) == (head, before)


def test_buttons_rename_pin_tag_finish_forget_and_each_can_be_undone(own: Site, vault: Path, git: Git) -> None:
    def undo(location: str) -> None:
        commit = location.rpartition("done=")[2]
        assert commit == git(vault, "rev-parse", "HEAD")
        back = send(own, "/do/undo", commits=commit, page="memories")
        assert (back.status, back.location.partition("?")[0]) == (303, "/memories"), back.text

    before = notes(vault)
    page = own.get(f"/memory/{TEA}").text
    blob = field(page, "expect")
    pinned = send(own, "/do/update", name=TEA, set__pinned="true", expect=blob)
    assert "pinned: true" in (vault / TEA).read_text()
    assert ">Unpin" in own.get(pinned.location).text
    undo(pinned.location)
    tagged = send(own, "/do/update", name=TEA, add__tags="hot, daily")
    assert "tags: [drinks, hot, daily]" in (vault / TEA).read_text().replace("\n  - ", ", ").replace(
        "tags:, ", "tags: ["
    ).replace("daily\n", "daily]\n")
    undo(tagged.location)
    renamed = send(own, "/do/rename", name="team_meets_on_tuesday", new_name="team_meets_each_tuesday")
    assert renamed.location.startswith("/memory/allmemories/team_meets_each_tuesday.md?done=")
    assert "[[team_meets_each_tuesday]]" in (vault / TEA).read_text(), "links follow"
    undo(renamed.location)
    finished = send(own, "/do/done", names=TASK)
    assert "category: past" in (vault / TASK).read_text()
    undo(finished.location)
    gone = send(own, "/do/forget", names=TEA, reason="Coffee now.")
    assert not (vault / TEA).exists()
    assert "Coffee now." in git(vault, "log", "-1", "--format=%B")
    assert "Forgot" in own.get(gone.location).text
    undo(gone.location)
    assert notes(vault) == before


def test_the_older_note_is_picked_and_leads_to_the_newer(own: Site, vault: Path) -> None:
    page = own.get(f"/replace/{TEA}?q=team").text
    assert "The team meets on Tuesday" in page
    done = send(own, "/do/update", name=TEA, add__supersedes="allmemories/team_meets_on_tuesday.md")
    assert done.status == 303, done.text
    assert '"[[team_meets_on_tuesday]]"' in (vault / TEA).read_text()
    assert "status: deprecated" in (vault / "allmemories/team_meets_on_tuesday.md").read_text()
    assert "The team meets on Tuesday" not in own.get(f"/replace/{TEA}?q=team").text.partition("<ul")[2]


def test_the_question_of_a_write_stands_beside_the_new_memory(own: Site, vault: Path) -> None:
    older = vault / "allmemories/user_lives_in_berlin.md"
    older.write_text("---\ncreated: 2025-01-01T00:00:00Z\n---\n\nUser lives in Berlin.\n")
    done = send(own, "/new", do="save", body="User moved to Munich last month.")
    page = own.get(done.location).text
    assert "Does it" in page
    assert "It replaces that" in page
    assert "Does it" not in own.get(done.location.partition("?")[0]).text, "it is asked once"


def test_that_both_memories_hold_is_kept_and_can_be_taken_back(own: Site, vault: Path, git: Git) -> None:
    (vault / "allmemories/user_lives_in_berlin.md").write_text(
        "---\ncreated: 2025-01-01T00:00:00Z\n---\n\nUser lives in Berlin.\n"
    )
    written = send(own, "/new", do="save", body="User moved to Munich last month.").location
    question = own.get(written).text.partition('data-key="b"')[0].rpartition("<form ")[2]
    path = question.partition('action="')[2].partition('"')[0]
    form = {name: field(question, name) for name in ("name", "why", "done", "once")}
    stale = send(own, path, **{**form, "why": "User lives in Rome."})
    assert stale.status == 409
    assert not (vault / "judgements.jsonl").exists()

    kept = send(own, path, **form)
    assert (kept.status, kept.location) == (303, written), kept.text
    [line] = (vault / "judgements.jsonl").read_text().splitlines()
    said = json.loads(line)
    names = [Path(note["path"]).stem for note in said["notes"]]
    assert (said["verdict"], said["about"], said["by"]) == ("both hold", "pair", "")
    assert names == ["user_lives_in_berlin", Path(path).stem]
    assert git(vault, "log", "-1", "--format=%an", "--", "judgements.jsonl") == PERSON[0]
    assert "Does it" not in own.get(written).text, "it is asked once"

    assert "both hold" in own.get("/review").text
    assert send(own, "/review", do="undo", proposal=said["proposal"]).status == 303
    assert "Does it" in own.get(written).text


def test_a_chat_is_pasted_and_waits(own: Site, vault: Path, git: Git) -> None:
    head = git(vault, "rev-parse", "HEAD")
    done = send(own, "/paste", text="User: I prefer tabs over spaces in Go files.\nAssistant: Noted.")
    assert (done.status, done.location.partition("?")[0]) == (303, "/review"), done.text
    assert "tabs over spaces" in own.get(done.location).text
    assert git(vault, "rev-parse", "HEAD") == head
    wrong = send(own, "/paste", text="nothing that anybody says")
    assert wrong.status in (303, 400)


def test_a_form_that_is_sent_twice_is_done_once(own: Site, vault: Path, git: Git) -> None:
    count = git(vault, "rev-list", "--count", "HEAD")
    form = {"do": "save", "body": "Kettles are descaled monthly.", "once": "a-mark"}
    first, second = send(own, "/new", **form), send(own, "/new", **form)
    assert (first.status, first.location) == (second.status, second.location)
    assert int(git(vault, "rev-list", "--count", "HEAD")) == int(count) + 1
    undo = {"commits": first.location.rpartition("done=")[2], "once": "another", "page": "memories"}
    assert send(own, "/do/undo", **undo).location == send(own, "/do/undo", **undo).location
    assert int(git(vault, "rev-list", "--count", "HEAD")) == int(count) + 2


@pytest.mark.parametrize("route", ROUTES)
def test_no_other_site_writes_and_no_body_breaks_a_route(route: str, own: Site, vault: Path, git: Git) -> None:
    head, before, form = git(vault, "rev-parse", "HEAD"), notes(vault), ROUTES[route]
    for headers in EVIL:
        assert send(own, route, headers, **form).status == 403, headers
    assert send(own, route, {"Cookie": ""}, **form).status == 401
    assert send(own, route, {"Origin": "", "Sec-Fetch-Site": "cross-site"}, **form).status == 403
    assert send(own, route, raw=b"a=" + b"x" * MOST_BYTES).status == 413
    if not route.startswith("/api/"):
        assert send(own, route, raw=b"a=&" * 2000).status == 400, "each field takes a hundred times its bytes"
    for body in (
        b"\xff\xfe%00" * 1000,
        b"name=" + b"%F0" * 50_000,
        b"&" * 100_000,
        b"set.x.y=1&names=..%2f..%2fetc",
    ):
        assert send(own, route, raw=body).status in (303, 400, 404, 409), body[:20]
    assert (git(vault, "rev-parse", "HEAD"), notes(vault)) == (head, before)


def test_a_form_leads_to_no_other_place(own: Site, vault: Path) -> None:
    for page in ("//evil.example", "https://evil.example/", "nothing", "../x"):
        assert send(own, "/do/update", name=TEA, set__pinned="true", page=page).status == 400
    done = send(own, "/do/update", name=TASK, set__pinned="true", page="memory", key="//evil.example/x")
    assert done.location.startswith("/memory/")


def test_without_write_the_buttons_say_how_and_nothing_is_taken(vault: Path, git: Git) -> None:
    head = git(vault, "rev-parse", "HEAD")
    for site in serving(vault):
        for path in (f"/memory/{TEA}", "/new", f"/edit/{TEA}", "/paste", f"/replace/{TEA}?q=team"):
            page = site.get(path).text
            assert "mdmem" in page
            assert 'method="post"' not in page, path
        assert "mdmem page --write" in site.get(f"/memory/{TEA}").text
        for route, form in ROUTES.items():
            assert send(site, route, **form).status == 405, route
    assert git(vault, "rev-parse", "HEAD") == head


def told(site: Site, path: str) -> Any:
    import json

    return json.loads(site.get(f"/api{path}").text)


def test_a_file_that_no_form_holds_is_left_to_an_editor(own: Site, vault: Path, git: Git) -> None:
    (vault / TEA).write_bytes((vault / TEA).read_bytes() + b"\x07 bell\r\nmixed\n")
    assert told(own, f"/edit/{TEA}")["base"] == ""
    assert "<form method" not in own.get(f"/edit/{TEA}").text.partition("<main")[2]


def test_an_error_page_leads_on(own: Site) -> None:
    lost = own.get("/memory/team_meets_on_friday", Referer=f"http://{own.host}/timeline?page=1")
    assert lost.status == 404
    main = lost.text.partition("<main")[2]
    assert 'value="Team meets on friday"' in main
    assert 'href="/timeline">Back' in main
    assert 'href="/trash"' in main
    assert "mdmem " not in main.partition("</main>")[0], "it does not speak of a terminal"
    for elsewhere in ("https://evil.example/x", f"http://{own.host}//evil.example", "javascript:alert(1)"):
        assert "evil" not in own.get("/memory/nobody", Referer=elsewhere).text
        assert "javascript:" not in own.get("/memory/nobody", Referer=elsewhere).text
    late = send(own, "/do/update", name=TEA, set__pinned="true", expect="0" * 12)
    assert "changed since" in late.text


def test_the_doctor_looks_again_by_a_click(own: Site, vault: Path, git: Git) -> None:
    head = git(vault, "rev-parse", "HEAD")
    assert "The doctor last looked" not in own.get("/health").text
    assert send(own, "/health").location == "/health"
    assert "The doctor last looked" in own.get("/health").text
    assert git(vault, "rev-parse", "HEAD") == head


def test_there_are_tabs_only_for_what_the_vault_has(own: Site, vault: Path) -> None:
    nav = own.get("/").text.partition("<nav")[2].partition("</nav>")[0]
    assert ">Memories<" in nav
    assert ">Topics<" not in nav
    assert ">Work<" not in nav
    head = "---\ntopic: people\n---\n\n## Facts\n\n- Ana · lives in · Lisbon (identity, current, 0.9)\n"
    (vault / "allmemories/facts_about_ana.md").write_text(head)
    assert ">Topics<" in own.get("/").text.partition("<nav")[2].partition("</nav>")[0]
