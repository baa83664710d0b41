"""The page of proposals: what it shows, and that an answer is the commit that the command makes."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mdmem.acts.checks import queue, taking
from mdmem.acts.checks.queue import Wanted
from mdmem.capture.inbox import filling
from mdmem.garden.judging import Said
from mdmem.page.site import BY_NAME
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault
from tests.capture.inbox.test_filling import chat
from tests.conftest import NOW, PERSON, Git, Run, Write
from tests.page.conftest import SCRIPT, Sent, Site, opened, send, serving
from tests.page.test_guards import EVIL

MUNICH = "allmemories/user_lives_in_munich.md"


@pytest.fixture
def captured(root: Path, tmp_path: Path) -> Path:
    """A vault with three proposals in its inbox."""
    (tmp_path / "log.jsonl").write_text("\n".join(chat()))
    with Vault(str(root)) as vault:
        filling.fill(vault, str(tmp_path / "log.jsonl"), Caller(NOW, "claude-code"), 5)
    return root


@pytest.fixture
def own_site(root: Path) -> Iterator[Site]:
    yield from serving(root, may_write=True)


def waiting(site: Site, kind: str = "proposals") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(site.get("/api/review").text)[kind]
    return found


def answered(site: Site, one: dict[str, Any], do: str, kind: str = "proposal", **more: str) -> Sent:
    """Send the form of what waits."""
    return send(site, "/review", do=do, mark=one["mark"], **{kind: one["id"]}, **more)


def form_of(site: Site, one: dict[str, Any]) -> dict[str, str]:
    """The only file of what waits, in the form that rewords it: its path and text."""
    form: dict[str, str] = json.loads(site.get(f"/api/review?edit={one['id']}").text)["editing"]["files"][0]
    return form


def message(git: Git, root: Path) -> str:
    """The last commit without what differs by moment: its author, subject, reason and trailers."""
    text = git(root, "log", "-1", "--format=%an <%ae>%n%B")
    return re.sub(r"garden-\S+", "RUN", text)


def test_a_proposal_says_why_how_sure_and_what_would_be_lost(proposed: Path, own_site: Site) -> None:
    """Memories are named by their titles."""
    conflict, twins = waiting(own_site)
    newer, older = "“User lives in Munich”", "“User lives in Berlin”"
    assert conflict["title"] == f"trust {newer}, which contradicts the older {older}"
    assert "‘User lives in Berlin’" in conflict["evidence"][-1]["text"], "a link in the words of a note"
    assert conflict["gardener"] == "conflicts"
    assert conflict["evidence"][0]["path"] == "allmemories/user_lives_in_berlin.md"
    assert "green_tea_is_preferred" in twins["lost"]
    assert {part["kind"] for part in twins["files"][0]["diff"]} >= {"removed"}
    page = own_site.get("/review").text
    assert "95 % sure" in page
    assert "Would be lost:</strong> the name green_tea_is_preferred" in page
    assert SCRIPT not in page
    assert "&lt;script&gt;" in page


def test_accepting_makes_the_commit_of_the_command(
    proposed: Path, own_site: Site, git: Git, mdmem: Run, tmp_path: Path
) -> None:
    twin = Path(shutil.copytree(proposed, tmp_path / "by_command"))
    one = waiting(own_site)[0]
    done = answered(own_site, one, "accept", reason="So it is.")
    head = git(proposed, "rev-parse", "HEAD")
    assert (done.status, done.location) == (303, f"/review?done={head}")
    mdmem("garden", "apply", one["id"], "--actor", PERSON[0], "-m", "So it is.", "--vault", twin)
    by_page, by_command = message(git, proposed), message(git, twin)
    assert f"Memory-Proposal: {one['id']}" in by_page
    assert by_page == by_command
    assert git(proposed, "rev-parse", "HEAD^{tree}") == git(twin, "rev-parse", "HEAD^{tree}")
    page = own_site.get(f"/review?done={head}").text
    assert f'name="commits" value="{head}"' in page, "it can be taken back"
    assert one["id"] not in [each["id"] for each in waiting(own_site)]


def test_a_proposal_that_was_reworded_is_written_so(proposed: Path, own_site: Site, git: Git) -> None:
    """One with no text left is refused, as is an answer that there is not; it waits."""
    conflict = waiting(own_site)[0]
    head = git(proposed, "rev-parse", "HEAD")
    path, text = form_of(own_site, conflict).values()
    assert answered(own_site, conflict, "accept", **{f"file:{path}": " "}).status == 400
    assert answered(own_site, conflict, "burn").status == 400
    assert git(proposed, "rev-parse", "HEAD") == head
    assert waiting(own_site)[0] == conflict
    reworded = text.replace("Berlin.", "Berlin no more.").replace("\n", "\r\n")
    answered(own_site, conflict, "accept", **{f"file:{path}": reworded})
    written = (proposed / path).read_bytes()
    assert b"Berlin no more." in written
    assert b"\r" not in written


def test_rejecting_is_remembered_with_its_reason_and_can_be_taken_back(
    proposed: Path, own_site: Site, mdmem: Run
) -> None:
    one, why = waiting(own_site)[0], "they are different things"
    assert answered(own_site, one, "reject", reason=why).status == 303
    assert one["id"] not in mdmem("garden", "--vault", proposed).out
    [rejected] = waiting(own_site, "rejected")
    assert (rejected["id"], rejected["reason"]) == (one["id"], why)
    assert rejected["title"] == "“User lives in Berlin”, “User lives in Munich”: both hold", "no names of files"
    assert "Take back" in own_site.get("/review").text
    send(own_site, "/review", proposal=one["id"], do="undo")
    assert waiting(own_site)[0]["id"] == one["id"]


def test_what_was_rejected_twice_for_one_reason_can_become_a_rule(
    root: Path, write: Write, own_site: Site, git: Git
) -> None:
    """Offered after the second rejection, written by a click, and obeyed at once; another rule is refused."""
    green, bicycle = "Ana drank green tea in the garden.", "Ben mended the old bicycle."
    entries = (("tea", green), ("green", green), ("bike", bicycle), ("old", bicycle))
    for number, (name, text) in enumerate(entries, 1):
        id = f"00000000-0000-7000-8000-00000000000{number}"
        head = f"id: {id}\ntags: [diary]\ncreated: 2026-01-0{number}T00:00:00Z"
        write(f"allmemories/entry_about_{name}_things.md", f"---\n{head}\n---\n\n{text}\n")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "-m", "a diary")
    twins = [one for one in waiting(own_site) if one["gardener"] == "twins"]
    assert len(twins) == 2
    for one in twins:
        to = answered(own_site, one, "reject", reason="each day stands alone").location
    rules = [lesson["rule"] for lesson in json.loads(own_site.get(f"/api{to}").text)["lessons"]]
    assert "twins: tag diary" in rules
    assert "never merge notes tagged diary" in own_site.get(to).text
    assert send(own_site, "/review", do="learn", rule="twins: tag tea").status == 400
    done = send(own_site, "/review", do="learn", rule="twins: tag diary")
    assert "the gardeners never merge notes tagged diary" in own_site.get(done.location).text
    assert '"twins: tag diary"' in (root / "mdmem.toml").read_text()
    assert not [one for one in waiting(own_site) if one["gardener"] == "twins"]


def test_later_leaves_it_for_another_time(proposed: Path, own_site: Site) -> None:
    first, second = waiting(own_site)
    answer = json.loads(own_site.get(f"/api/review?later={first['id']}").text)
    assert [one["id"] for one in answer["proposals"]] == [second["id"]]
    page = own_site.get(f"/review?later={first['id']}").text
    assert f"later={first['id']}%2C{second['id']}" in page, "the next one is put off besides"
    assert answered(own_site, second, "reject", later=first["id"]).location == f"/review?later={first['id']}"


@pytest.mark.parametrize("do", ["accept", "reject"])
def test_a_note_that_changed_since_it_was_shown_is_left_alone(
    proposed: Path, own_site: Site, git: Git, do: str
) -> None:
    one = waiting(own_site)[0]
    note = proposed / MUNICH
    note.write_text(note.read_text() + "\nSince May.\n")
    assert answered(own_site, one, do).status == 409
    assert note.read_text().endswith("Since May.\n")
    assert git(proposed, "status", "--porcelain").strip() == f"M {MUNICH}"
    assert waiting(own_site, "rejected") == []


def test_what_was_captured_is_kept_rejected_and_reworded(captured: Path, own_site: Site) -> None:
    tabs, heron, freeze = waiting(own_site, "captured")
    assert '<a href="/review"><strong>3</strong> captured' in own_site.get("/").text
    answered(own_site, tabs, "accept", "captured")
    answered(own_site, heron, "reject", "captured")
    text = form_of(own_site, freeze)["text"].replace("December", "January")
    answered(own_site, freeze, "accept", "captured", **{"file:text": text})
    assert waiting(own_site, "captured") == []
    texts = [path.read_text() for path in captured.glob("allmemories/*.md")]
    assert sum("January" in text for text in texts) == 1
    assert not [text for text in texts if "heron" in text]
    [rejected] = waiting(own_site, "rejected")
    send(own_site, "/review", captured=rejected["id"], do="undo")
    assert [item["id"] for item in waiting(own_site, "captured")] == [heron["id"]]
    assert answered(own_site, tabs, "accept", "captured").status == 404


def test_keeping_makes_the_commit_of_the_command(
    captured: Path, own_site: Site, git: Git, mdmem: Run, tmp_path: Path
) -> None:
    twin = Path(shutil.copytree(captured, tmp_path / "by_command"))
    one = waiting(own_site, "captured")[0]
    answered(own_site, one, "accept", "captured", reason="True.")
    mdmem("judge", one["id"], "keep", "-m", "True.", "--vault", twin)
    by_page, by_command = (re.sub("Memory-Id: .*", "", message(git, place)) for place in (captured, twin))
    assert "Memory-Actor: claude-code" in by_page
    assert by_page == by_command


ATTACKS = (
    (401, {"Cookie": ""}),
    (403, {"Origin": EVIL}),
    (403, {"Sec_Fetch_Site": "cross-site"}),
    (403, {"Sec_Fetch_Site": "same-site"}),  # another port
)


@pytest.mark.parametrize("page", [name for name, page in BY_NAME.items() if page.act and not page.acts_locally])
def test_nobody_else_answers(page: str, site: Site, writing_site: Site) -> None:
    """Each form is refused to other sites, and to everybody where pages are read-only."""
    for place in (site, writing_site):
        place.get("/assets/page.css")
    for status, headers in ATTACKS:
        sent = {"Cookie": writing_site.cookie, "Origin": f"http://{writing_site.host}", **headers}
        assert writing_site.ask(f"/{page}", "POST", **sent).status == status
    assert site.ask(f"/{page}", "POST", Cookie=site.cookie, Origin=f"http://{site.host}").status == 405


def test_the_files_of_an_export_have_no_forms(proposed: Path, mdmem: Run, tmp_path: Path) -> None:
    mdmem("page", "--vault", proposed, "--out", tmp_path / "pages")
    text = (tmp_path / "pages/review.html").read_text()
    assert "95 % sure" in text
    assert "<form" not in text
    assert "captured from" not in text


@pytest.mark.browser
def test_keys_alone_answer_one_proposal_after_another(
    proposed: Path, own_site: Site, browser: Any, git: Git, mdmem: Run
) -> None:
    """j chooses, r rejects, u takes back, a accepts; the first press of a letter only chooses."""
    head = git(proposed, "rev-parse", "HEAD")
    with opened(browser, own_site) as page:
        page.goto(f"http://{own_site.host}/review")
        page.keyboard.press("a")
        assert page.locator(".here").count() == 1
        assert git(proposed, "rev-parse", "HEAD") == head
        page.keyboard.press("j")
        page.keyboard.press("r")
        page.wait_for_selector("text=Take back")
        page.wait_for_load_state()  # keys are heard once the script of the new page runs
        assert "1 proposal rejected" in mdmem("garden", "--vault", proposed).out
        page.keyboard.press("u")
        page.wait_for_selector("text=Take back", state="detached")
        page.wait_for_load_state()
        page.keyboard.press("k")
        page.keyboard.press("k")
        page.keyboard.press("a")
        page.wait_for_selector(".notice.done")
        page.wait_for_load_state()
        assert git(proposed, "rev-list", "--count", f"{head}..HEAD", "--", "allmemories") == "1"
        page.keyboard.press("u")
        page.wait_for_selector("text=Taken back")
        assert git(proposed, "rev-parse", f"{head}:allmemories") == git(proposed, "rev-parse", "HEAD:allmemories")


def test_what_an_agent_agrees_to_is_accepted_at_once_and_taken_back_at_once(
    captured: Path, own_site: Site, git: Git
) -> None:
    with Vault(str(captured)) as vault:
        one, other, *_ = queue.waiting(vault, Caller(NOW), Wanted((queue.CAPTURED,))).items
        said = [Said(one.id, "keep", "They said so"), Said(other.id, "reject", "A whim")]
        taking.judge(vault, said, Caller(NOW, "codex", "conv-9"), queue.CAPTURED)
    before, head = waiting(own_site, "captured"), git(captured, "rev-parse", "HEAD")
    page = own_site.get("/review").text
    assert "codex agrees to 2 of these" in page or "Accept the 2 that codex agrees to" in page
    [group] = waiting(own_site, "agreed")
    assert [each["id"] for each in group["items"]] == [one.id, other.id], "all of it is behind the button"
    form = {"do": "agree", "by": "codex"}
    assert send(own_site, "/review", mark="0", **form).status == 409
    assert git(captured, "rev-parse", "HEAD") == head
    done = send(own_site, "/review", mark=group["mark"], **form)
    assert done.status == 303, done.text
    left = [each["id"] for each in waiting(own_site, "captured")]
    assert left == [each["id"] for each in before if each["id"] not in (one.id, other.id)]
    assert git(captured, "rev-list", "--count", f"{head}..HEAD") == "1"
    commit = done.location.rpartition("done=")[2]
    assert send(own_site, "/do/undo", commits=commit, page="review").status == 303
    assert git(captured, "rev-parse", f"{head}^{{tree}}") == git(captured, "rev-parse", "HEAD^{tree}")


def test_facts_without_a_score_wait_and_get_one(root: Path, own_site: Site) -> None:
    note = (
        "---\ntitle: About Ana\ntopic: people\n---\n\n## Facts\n\n"
        "- Ana · lives in · Lisbon (identity, current, 0.9)\n"
    )
    (root / "allmemories/facts_about_ana.md").write_text(note)
    [fact] = waiting(own_site, "facts")
    assert fact["title"] == "Ana lives in Lisbon"
    assert (fact["where"], fact["there"]) == ("About Ana", True), "a title, not the name of a file"
    done = send(own_site, "/review", fact=fact["id"], do="8")
    assert done.status == 303
    assert waiting(own_site, "facts") == []
    assert "score 8" in own_site.get("/topic/people").text
