"""Works with their traces, and facts with their scores, as pages show and change them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mdmem.acts.pages import search, topics, works
from mdmem.acts.pages.request import PageRequest
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault
from mdmem.systems.rum import adding, shelf
from tests.conftest import NOW, PERSON, Git, Run, Write
from tests.page.conftest import SCRIPT, Site, send, serving
from tests.page.test_pages import laid_out, shown
from tests.page.test_review import message

FACTS = f"""---
title: What Ana told
type: fact
topic: travel_plans
created: 2026-02-10T00:00:00Z
---

## Facts

- Ana · lives in · Lisbon (identity, current, 0.9) "I moved {SCRIPT}"
- Ana · is allergic to · peanuts (constraint, long_term, 1.0, score 10)
"""


@pytest.fixture
def told(root: Path, write: Write, git: Git) -> Path:
    """A vault with a topic of two facts, and one of none."""
    write("allmemories/what_ana_told_us.md", FACTS)
    git(root, "add", ".")
    git(root, "commit", "--quiet", "-m", "facts")
    return root


@pytest.fixture
def own_site(root: Path) -> Iterator[Site]:
    yield from serving(root, may_write=True)


def facts(site: Site) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(site.get("/api/topic/travel_plans").text)["facts"]
    return found


def test_a_score_is_the_commit_of_the_command(
    told: Path, own_site: Site, git: Git, mdmem: Run, tmp_path: Path
) -> None:
    twin = Path(shutil.copytree(told, tmp_path / "by_command"))
    page = own_site.get("/topic/travel_plans").text
    assert SCRIPT not in page
    assert "score 10 of 10" in page
    lisbon = next(fact for fact in facts(own_site) if fact["object"] == "Lisbon")
    done = send(own_site, "/topic/travel_plans", fact=lisbon["id"], was="", score="3", page="1")
    assert (done.status, done.location) == (303, "/topic/travel_plans")
    mdmem("facts", "score", lisbon["id"], "3", "--actor", PERSON[0], "--vault", twin)
    assert message(git, told) == message(git, twin)
    late = send(own_site, "/topic/travel_plans", fact=lisbon["id"], was="", score="9")
    assert late.status == 409, "it has another score than was shown"
    assert {fact["object"]: fact["user_fact_score"] for fact in facts(own_site)}["Lisbon"] == 3


@pytest.mark.parametrize("score", ["", "11", "-1", "5.5", "ten", "٣"])
def test_what_is_not_a_score_changes_nothing(told: Path, own_site: Site, git: Git, score: str) -> None:
    head = git(told, "rev-parse", "HEAD")
    assert send(own_site, "/topic/travel_plans", fact=facts(own_site)[0]["id"], score=score).status == 400
    assert git(told, "rev-parse", "HEAD") == head


def test_a_fact_that_is_gone_is_not_scored(told: Path, own_site: Site, git: Git) -> None:
    lisbon = next(fact for fact in facts(own_site) if fact["object"] == "Lisbon")
    note = told / "allmemories/what_ana_told_us.md"
    note.write_text(FACTS.replace("Lisbon", "Porto"))
    assert send(own_site, "/topic/travel_plans", fact=lisbon["id"], was="", score="3").status == 409
    assert "Porto" in note.read_text()


def test_each_fact_names_the_commit_that_wrote_its_line(told: Path, own_site: Site, git: Git) -> None:
    first = git(told, "rev-parse", "--short=8", "HEAD")
    note = told / "allmemories/what_ana_told_us.md"
    note.write_text(FACTS.replace("peanuts", "walnuts"))
    git(told, "commit", "-qam", "walnuts")
    second = git(told, "rev-parse", "--short=8", "HEAD")
    written = {fact["object"]: fact["citation"].partition("@")[2] for fact in facts(own_site)}
    assert written == {"Lisbon": first, "walnuts": second}


def test_topics_lead_to_their_facts(told: Path) -> None:
    with Vault.open(str(told)) as vault:
        assert topics.names(vault) == ["travel_plans"]
        assert 'href="/topic/travel_plans"' in shown(vault, "topics")
        assert "2 facts" in shown(vault, "topic", "travel_plans")


@pytest.fixture
def tried(root: Path) -> Iterator[Vault]:
    """A vault with three works, each caused by the one before, of which the first failed."""
    with Vault.open(str(root)) as vault:
        ended = {"longer_tokens_were_refused": False, "tokens_are_refreshed": True, "timer_was_cleared": True}
        names: list[str] = []
        for name, success in ended.items():
            work = {
                "intent": {"goal": f"{name} {SCRIPT}", "task_type": "bug_fix"},
                "actions": [
                    {"type": "file_edit", "details": {"file_path": "src/auth.ts"}, "result": {"success": success}}
                ],
                "outcome": {"success": success, "summary": "So it was"},
            }
            adding.add(vault, adding.parsed(json.dumps(work)), Caller(NOW, "claude-code"), name=name)
            names.append(name)
        for later, earlier in zip(names[1:], names, strict=False):
            shelf.link(vault, later, "caused_by", earlier, Caller(NOW))
        yield vault


def test_a_trace_is_drawn_and_listed(tried: Vault) -> None:
    value = works.read_trace(tried, PageRequest(NOW, "tokens_are_refreshed"))
    assert {work["name"]: work["place"] for work in value["works"]} == {
        "tokens_are_refreshed": 0,
        "longer_tokens_were_refused": -1,
        "timer_was_cleared": 1,
    }
    page = shown(tried, "trace", "tokens_are_refreshed")
    assert page == shown(tried, "trace", "tokens_are_refreshed")
    assert page.count("<rect") == 3
    assert page.count('class="typed"') == len(value["edges"]) == 2
    assert SCRIPT not in page
    assert 'What caused it <span class="count">1</span>' in page


def test_the_excerpt_of_a_work_is_what_came_of_it(tried: Vault) -> None:
    found = search.read_all(tried, PageRequest(NOW))["memories"]
    assert {one["excerpt"] for one in found if one["type"] == "work"} == {"So it was"}


def test_the_works_of_a_file_are_those_of_that_file_in_every_part() -> None:
    part = {"works": [], "file": "src/auth.ts", "files": [], "total": 60, "page": 1, "pages": 2}
    assert 'rel="next" href="/work?file=src%2Fauth.ts&amp;page=2"' in laid_out("work", part)


def test_failures_are_told_by_file(tried: Vault) -> None:
    value = works.read(tried, PageRequest(NOW))
    assert value["files"] == [{"file": "src/auth.ts", "works": 3, "failed": 1}]
    assert value["total"] == 3
    assert works.read(tried, PageRequest(NOW, given={"file": "src/other.ts"}))["total"] == 0
    page = shown(tried, "work")
    assert "✕</span> failed" in page
    assert "/work?file=src%2Fauth.ts" in page
