"""What a person writes on the pages: one commit each in their name, guarded, merged, undone, and never twice."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from mdmem.page.guards import MOST_BYTES
from tests.conftest import PERSON, Git
from tests.page.conftest import Site, send, serving

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
    "/do/restore": {"names": TEA},
    "/do/undo": {"last": "1"},
    f"/memory/{TEA}": {"name": "team_meets_on_tuesday", "why": "x"},
    "/review": {"do": "accept", "proposal": "x"},
    "/undo": {"session": "conv-1"},
}


@pytest.fixture
def vault(changed: Path) -> Path:
    return changed


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
    assert send(own, "/new", do="save", body=" ").status == 400
    twin = "Green tea from Uji, see [[team_meets_on_tuesday]] and [[nowhere_to_be_found]]."
    same = send(own, "/new", do="save", body=twin)
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


def test_the_question_of_a_write_is_answered_once_and_that_can_be_taken_back(
    own: Site, vault: Path, git: Git
) -> None:
    older = vault / "allmemories/user_lives_in_berlin.md"
    older.write_text("---\ncreated: 2025-01-01T00:00:00Z\n---\n\nUser lives in Berlin.\n")
    written = send(own, "/new", do="save", body="User moved to Munich last month.").location
    page = own.get(written).text
    assert "Does it" in page
    assert "It replaces that" in page
    assert "Does it" not in own.get(written.partition("?")[0]).text, "only after the write"
    question = page.partition('data-key="b"')[0].rpartition("<form ")[2]
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
    assert send(own, route, raw=b"a=&" * 2000).status == 400, "each field takes a hundred times its bytes"
    endless = (b"\xff\xfe%00" * 1000, b"name=" + b"%F0" * 50_000, b"&" * 100_000)
    for body in (*endless, b"set.x.y=1&names=..%2f..%2fetc"):
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
    return json.loads(site.get(f"/api{path}").text)


def test_a_file_that_no_form_holds_is_left_to_an_editor(own: Site, vault: Path) -> None:
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


# -- what the pages change besides


def test_a_session_is_undone_and_what_is_deleted_comes_back(own: Site, vault: Path, git: Git) -> None:
    tea = vault / "allmemories/user_prefers_green_tea.md"
    head = git(vault, "rev-parse", "HEAD")
    done = send(own, "/undo", session="conv-1", head=head, reason="Not so.")
    assert (done.status, done.location) == (303, "/timeline")
    assert "from Uji" not in tea.read_text()
    assert git(vault, "log", "-1", "--format=%an %s") == f"{PERSON[0]} undo: user_prefers_green_tea"
    assert "Not so." in git(vault, "log", "-1", "--format=%B")
    late = send(own, "/undo", session="conv-1", head=head)
    assert late.status == 409, "the vault is another one than was shown"

    git(vault, "rm", "-q", "allmemories/team_meets_on_tuesday.md")
    git(vault, "commit", "-qm", "gone")
    assert "The team meets on Tuesday" in own.get("/trash").text
    done = send(own, "/do/restore", names="team_meets_on_tuesday")
    assert done.location.startswith("/memory/allmemories/team_meets_on_tuesday.md?done=")
    assert (vault / "allmemories/team_meets_on_tuesday.md").exists()


def test_hand_made_notes_are_adopted_by_a_form(own: Site, vault: Path) -> None:
    note = vault / "allmemories/harbour_opens_at_nine.md"
    note.write_text("The harbour opens at nine.\n")
    done = send(own, "/do/adopt", everything="true")
    assert done.status == 303
    assert done.location.startswith("/memories?done=")
    assert "\nid: " in note.read_text()


def test_a_conflict_is_settled_for_a_side(own: Site, vault: Path, git: Git) -> None:
    note = vault / "allmemories/team_meets_on_tuesday.md"
    note.write_text(note.read_text() + "\n<<<<<<< ours\nIn the kitchen.\n=======\nIn the hall.\n>>>>>>> theirs\n")
    git(vault, "commit", "-qam", "a merge")
    page = own.get("/review").text
    assert "In the kitchen." in page
    assert "In the hall." in page
    [one] = json.loads(own.get("/api/review").text)["conflicts"]
    form = {"merge": one["id"], "mark": one["mark"]}
    assert send(own, "/review", do="both", **form).status == 400
    assert send(own, "/review", do="theirs", merge=one["id"], mark="x").status == 409
    done = send(own, "/review", do="theirs", **form)
    assert done.status == 303
    assert note.read_text().endswith("In the hall.\n")
    assert "conflict" not in own.get("/review").text.partition("<main")[2]


def test_what_was_seen_is_not_told_again_even_where_nothing_may_be_changed(
    reading: Site, vault: Path, git: Git
) -> None:
    def told() -> list[str]:
        value = json.loads(reading.get("/api/today").text)
        cards = [item for card in value["sessions"] for item in card["items"]]
        return sorted({item["title"] for item in [*cards, *value["by_hand"]]})

    first = git(vault, "rev-parse", "HEAD")
    assert len(told()) > 3, "the first visit begins with all of a short history"
    (vault / "allmemories/team_meets_on_tuesday.md").write_text("# The team meets on Tuesday\n\nAt ten.\n")
    git(vault, "commit", "-qam", "later")
    assert send(reading, "/", head=first).location == "/"
    assert told() == ["The team meets on Tuesday"], "what came after the page was shown is still new"
    assert "Written since you last looked" in reading.get("/").text
    send(reading, "/", head=git(vault, "rev-parse", "HEAD"))
    assert told() == []
    send(reading, "/", head=first)
    assert told() == [], "an old tab takes nothing back"
    assert send(reading, "/", head="0" * 40).status == 400
    assert git(vault, "status", "--porcelain") == ""


def test_a_cursor_whose_commit_is_gone_is_told_of(reading: Site, vault: Path, git: Git) -> None:
    send(reading, "/", head="HEAD")
    git(vault, "commit", "-q", "--amend", "-m", "rewritten")
    assert "Not exact: history was rewritten" in reading.get("/").text


def test_pages_that_were_shown_before_show_what_changed_since(own: Site, vault: Path, git: Git) -> None:
    """What is kept between requests is forgotten with the next change, by whomever, committed or not."""
    tea = f"/memory/{TEA}"
    pages = ("/", "/memories", "/trash", "/health", tea)
    for page in pages:
        assert own.get(page).status == 200
    (vault / "allmemories/user_drinks_coffee.md").write_text("---\ntitle: User drinks coffee\n---\n\nAt noon.\n")
    assert "User drinks coffee" in own.get("/").text
    assert "User drinks coffee" in own.get("/memories").text
    assert "5 memories" in own.get("/health").text
    git(vault, "rm", "-q", "allmemories/team_meets_on_tuesday.md")
    assert "The team meets on Tuesday" in own.get("/trash").text
    (vault / TEA).write_text((vault / TEA).read_text() + "\nAnd black tea.\n")
    git(vault, "commit", "-qam", "black tea, too")
    assert "black tea, too" in own.get(tea).text


def test_a_vault_whose_folder_is_gone_is_told_of_until_it_is_back(reading: Site, vault: Path) -> None:
    assert reading.get("/").status == 200
    away = vault.rename(vault.with_name("away"))
    for address in ("/", "/timeline", "/api/today"):
        answer = reading.get(address)
        assert answer.status == 404
        assert "there is no such folder" in answer.text
        assert "Traceback" not in answer.text
    assert not vault.exists(), "no page makes an empty vault in its place"
    away.rename(vault)
    assert reading.get("/").status == 200


def test_a_vault_whose_git_folder_is_gone_is_told_what_to_do(own: Site, vault: Path) -> None:
    """Asked for before, so that the server knows the repository."""
    assert own.get("/").status == 200
    away = (vault / ".git").rename(vault / "away")
    for address in ("/", "/timeline", "/api/today"):
        answer = own.get(address)
        assert answer.status == 404
        assert ".git folder back" in answer.text or "mdmem init" in answer.text
    away.rename(vault / ".git")
    assert own.get("/").status == 200
