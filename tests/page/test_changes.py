"""What the pages change with `--write` is the same as on the command line: one commit, by the person."""

from __future__ import annotations

import http.client
import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest

from tests.conftest import PERSON
from tests.page.conftest import Site, serving

Git = Callable[..., str]
TEA = "allmemories/user_prefers_green_tea.md"


@pytest.fixture
def changed(looked_at: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(looked_at, tmp_path / "vault"))


@pytest.fixture
def reading_site(changed: Path) -> Iterator[Site]:
    yield from serving(changed)


@pytest.fixture
def own_site(changed: Path) -> Iterator[Site]:
    yield from serving(changed, may_write=True)


def send(site: Site, to: str, **fields: str) -> http.client.HTTPResponse:
    """Send a form as the browser does that opened the pages."""
    site.get("/assets/page.css")
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=30)
    headers = {
        "Cookie": site.cookie,
        "Origin": f"http://{site.host}",
        "Sec-Fetch-Site": "same-origin",
        "Content-Type": "application/x-www-form-urlencoded",
    }
    connection.request("POST", to, urlencode(fields), headers)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer


def test_a_session_is_undone_and_what_is_deleted_comes_back(own_site: Site, changed: Path, git: Git) -> None:
    tea = changed / "allmemories/user_prefers_green_tea.md"
    head = git(changed, "rev-parse", "HEAD")
    done = send(own_site, "/undo", session="conv-1", head=head, reason="Not so.")
    assert (done.status, done.headers["location"]) == (303, "/timeline")
    assert "from Uji" not in tea.read_text()
    assert git(changed, "log", "-1", "--format=%an %s") == f"{PERSON[0]} undo: user_prefers_green_tea"
    assert "Not so." in git(changed, "log", "-1", "--format=%B")
    late = send(own_site, "/undo", session="conv-1", head=head)
    assert late.status == 409, "the vault is another one than was shown"

    git(changed, "rm", "-q", "allmemories/team_meets_on_tuesday.md")
    git(changed, "commit", "-qm", "gone")
    assert "The team meets on Tuesday" in own_site.get("/trash").text
    done = send(own_site, "/do/restore", name="team_meets_on_tuesday")
    assert done.headers["location"].startswith("/memory/allmemories/team_meets_on_tuesday.md?done=")
    assert (changed / "allmemories/team_meets_on_tuesday.md").exists()


def test_hand_made_notes_are_adopted_by_a_form(own_site: Site, changed: Path) -> None:
    note = changed / "allmemories/harbour_opens_at_nine.md"
    note.write_text("The harbour opens at nine.\n")
    done = send(own_site, "/do/adopt", everything="true")
    assert done.status == 303
    assert done.headers["location"].startswith("/memories?done=")
    assert "\nid: " in note.read_text()


def test_a_conflict_is_settled_for_a_side(own_site: Site, changed: Path, git: Git) -> None:
    note = changed / "allmemories/team_meets_on_tuesday.md"
    note.write_text(note.read_text() + "\n<<<<<<< ours\nIn the kitchen.\n=======\nIn the hall.\n>>>>>>> theirs\n")
    git(changed, "commit", "-qam", "a merge")
    page = own_site.get("/review").text
    assert "In the kitchen." in page
    assert "In the hall." in page
    [one] = json.loads(own_site.get("/api/review").text)["conflicts"]
    form = {"merge": one["id"], "mark": one["mark"]}
    assert send(own_site, "/review", do="both", **form).status == 400
    assert send(own_site, "/review", do="theirs", merge=one["id"], mark="x").status == 409
    done = send(own_site, "/review", do="theirs", **form)
    assert done.status == 303
    assert note.read_text().endswith("In the hall.\n")
    assert "conflict" not in own_site.get("/review").text.partition("<main")[2]


def test_what_was_seen_is_not_told_again_even_where_nothing_may_be_changed(
    reading_site: Site, changed: Path, git: Git
) -> None:
    def told() -> list[str]:
        value = json.loads(reading_site.get("/api/today").text)
        cards = [item for card in value["sessions"] for item in card["items"]]
        return sorted({item["title"] for item in [*cards, *value["by_hand"]]})

    first = git(changed, "rev-parse", "HEAD")
    assert len(told()) > 3, "the first visit begins with all of a short history"
    (changed / "allmemories/team_meets_on_tuesday.md").write_text("# The team meets on Tuesday\n\nAt ten.\n")
    git(changed, "commit", "-qam", "later")
    assert send(reading_site, "/", head=first).headers["location"] == "/"
    assert told() == ["The team meets on Tuesday"], "what came after the page was shown is still new"
    assert "Written since you last looked" in reading_site.get("/").text
    send(reading_site, "/", head=git(changed, "rev-parse", "HEAD"))
    assert told() == []
    send(reading_site, "/", head=first)
    assert told() == [], "an old tab takes nothing back"
    assert send(reading_site, "/", head="0" * 40).status == 400
    assert git(changed, "status", "--porcelain") == ""


def test_a_cursor_whose_commit_is_gone_is_told_of(reading_site: Site, changed: Path, git: Git) -> None:
    send(reading_site, "/", head="HEAD")
    git(changed, "commit", "-q", "--amend", "-m", "rewritten")
    assert "Not exact: history was rewritten" in reading_site.get("/").text


def test_pages_that_were_shown_before_show_what_changed_since(own_site: Site, changed: Path, git: Git) -> None:
    """What is kept between requests is forgotten with the next change, by whomever, committed or not."""
    tea = f"/memory/{TEA}"
    pages = ("/", "/memories", "/trash", "/health", tea)
    for page in pages:
        assert own_site.get(page).status == 200
    (changed / "allmemories/user_drinks_coffee.md").write_text("---\ntitle: User drinks coffee\n---\n\nAt noon.\n")
    assert "User drinks coffee" in own_site.get("/").text
    assert "User drinks coffee" in own_site.get("/memories").text
    assert "5 memories" in own_site.get("/health").text
    git(changed, "rm", "-q", "allmemories/team_meets_on_tuesday.md")
    assert "The team meets on Tuesday" in own_site.get("/trash").text
    (changed / TEA).write_text((changed / TEA).read_text() + "\nAnd black tea.\n")
    git(changed, "commit", "-qam", "black tea, too")
    assert "black tea, too" in own_site.get(tea).text


def test_a_vault_whose_folder_is_gone_is_told_of_until_it_is_back(reading_site: Site, changed: Path) -> None:
    assert reading_site.get("/").status == 200
    away = changed.rename(changed.with_name("away"))
    for address in ("/", "/timeline", "/api/today"):
        answer = reading_site.get(address)
        assert answer.status == 404
        assert "there is no such folder" in answer.text
        assert "Traceback" not in answer.text
    assert not changed.exists(), "no page makes an empty vault in its place"
    away.rename(changed)
    assert reading_site.get("/").status == 200


def test_a_vault_whose_git_folder_is_gone_is_told_what_to_do(own_site: Site, changed: Path) -> None:
    """Asked for before, so that the server knows the repository."""
    assert own_site.get("/").status == 200
    away = (changed / ".git").rename(changed / "away")
    for address in ("/", "/timeline", "/api/today"):
        answer = own_site.get(address)
        assert answer.status == 404
        assert ".git folder back" in answer.text or "mdmem init" in answer.text
    away.rename(changed / ".git")
    assert own_site.get("/").status == 200
