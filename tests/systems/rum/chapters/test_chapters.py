"""Chapters and wisdom say by rule what works taught, and keep what a person wrote."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mdmem.acts.checks import doctor, taking
from mdmem.garden.judging import Said
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault
from tests.conftest import NOW
from tests.recall.models.test_wording import Server
from tests.recall.models.test_wording import server as server  # noqa: PLC0414 - a fixture
from tests.systems.rum.works import LEAST

Run = Callable[..., Any]

AUTH = [f"mem_0192f3c4-7d1e-7c3a-9d53-0c7a6f3e2b1{digit}" for digit in "123"]
CACHE = [f"mem_0192f3c4-7d1e-7c3a-9d53-0c7a6f3e2b2{digit}" for digit in "123"]


def work(id: str, number: int, tag: str, **outcome: Any) -> dict[str, Any]:
    intent = {"goal": f"Fix {tag} problem {number}", "task_type": "bug_fix"}
    ended = {"success": True, "summary": f"{tag} {number} is fixed", **outcome}
    return {
        **LEAST,
        **{"id": id, "project_id": "shop", "agent_id": "claude-code", "created_at": 1705432800 + 100 * number},
        **{"tags": [tag], "intent": intent, "outcome": ended, "importance": 0.2},
    }


WORKS = [
    work(AUTH[0], 1, "auth", learnings=["Always check the clock", "Tokens expire"]),
    work(AUTH[1], 2, "auth", learnings=["tokens expire"], success=False, failure_category="race_condition"),
    work(AUTH[2], 3, "auth"),
    work(CACHE[0], 4, "cache", success=False, failure_category="race_condition"),
    work(CACHE[1], 5, "cache", learnings=["Tokens expire"]),
    work(CACHE[2], 6, "cache", learnings=["Keys hold the tenant"]),
]


@pytest.fixture
def works(root: Path, tmp_path: Path, mdmem: Run) -> Callable[..., Any]:
    """A vault with six works; runs `mdmem ... --json` in it."""
    (tmp_path / "works.json").write_text(json.dumps(WORKS))
    mdmem("import", "rum", tmp_path / "works.json", "--vault", root)

    def run(*args: str) -> Any:
        return json.loads(mdmem(*args, "--vault", root, "--json").out)

    return run


def test_works_with_a_tag_in_common_make_a_chapter(works: Callable[..., Any], root: Path, git: Run) -> None:
    commits = int(git(root, "rev-list", "--count", "HEAD"))
    done = works("work", "chapters", "--auto")
    assert [page["title"] for page in done["pages"]] == ["Works on auth", "Works on cache"]
    assert int(git(root, "rev-list", "--count", "HEAD")) == commits + 1

    auth, cache = (page["chapter"] for page in works("list", "--as", "chapter"))
    assert auth["memories"] == AUTH
    assert auth["learnings"] == ["Always check the clock", "Tokens expire"]
    assert auth["tags"] == ["auth"]
    assert (auth["start_ts"], auth["end_ts"], auth["origin"]) == (1705432900, 1705433100, "auto")
    assert auth["summary"].startswith("3 works, 1 failed. Goals: Fix auth problem 1; Fix auth problem 2;")
    assert cache["memories"] == CACHE
    assert works("work", "chapters", "--auto")["commit"] == ""


def test_an_imported_chapter_that_was_detected_is_not_made_again(
    works: Callable[..., Any], root: Path, tmp_path: Path, mdmem: Run
) -> None:
    """A chapter as mdmem titles it, one as RUM's implementation does, and one that a person made."""
    made = works("work", "chapters", "--auto")["pages"]
    document = json.loads(mdmem("export", "rum", "-", "--vault", root).out)
    for page in made:
        mdmem("forget", Path(page["path"]).stem, "--yes", "--vault", root)
    (cache,) = [each for each in document["chapters"] if each["title"] == "Works on cache"]
    cache["title"] = "Topic: cache"
    own = {**cache, "id": "chapter_0192f3c4-7d1e-7c3a-9d53-0c7a6f3e2c99", "title": "Works on cache"}
    own |= {"origin": "manual", "summary": "Mine"}
    document["chapters"].append(own)
    (tmp_path / "back.json").write_text(json.dumps(document))
    mdmem("import", "rum", tmp_path / "back.json", "--vault", root)
    again = json.loads(mdmem("export", "rum", "-", "--vault", root).out)["chapters"]
    assert sorted(each["summary"] for each in again) == sorted(each["summary"] for each in document["chapters"])
    before = {path: path.read_bytes() for path in root.rglob("*.md")}

    assert works("work", "chapters", "--auto")["commit"] == "", "nothing is new"
    tags = enumerate(("auth", "cache"))
    more = [work(f"{AUTH[0][:-2]}3{n}", 10 + n, tag, learnings=["One more"]) for n, tag in tags]
    (tmp_path / "more.json").write_text(json.dumps(more))
    mdmem("import", "rum", tmp_path / "more.json", "--vault", root)
    grown = {page["title"]: page for page in works("work", "chapters", "--auto")["pages"]}
    assert {(page["action"], title) for title, page in grown.items()} == {
        ("refresh", "Works on auth"),
        ("refresh", "Topic: cache"),
    }
    told = works("show", "--as", "chapter", Path(grown["Works on auth"]["path"]).stem)["chapter"]
    assert told["memories"] == [*AUTH, more[0]["id"]]
    assert told["learnings"][-1] == "One more"
    works("work", "chapters", "--refresh")
    (mine,) = [path for path, data in before.items() if b"\nMine\n" in data]
    assert mine.read_bytes() == before[mine]


def test_a_chapter_and_wisdom_are_as_sensitive_as_their_works(
    works: Callable[..., Any], root: Path, mdmem: Run
) -> None:
    mdmem("update", "fix_auth_problem_1", "--set", "sensitivity=medium", "--set", "scope=ops", "--vault", root)
    first, _ = works("work", "chapters", "--auto")["pages"]
    secret = root / "allmemories/fix_auth_problem_2.md"
    assert "sensitivity: medium\n" in (root / first["path"]).read_text()
    mdmem("update", secret.stem, "--set", "sensitivity=high", "--vault", root)
    works("work", "chapters", "--refresh")
    assert "sensitivity: high\n" in (root / first["path"]).read_text()
    assert "scope: ops\n" in (root / first["path"]).read_text()
    works("work", "chapters", "--auto")
    (wisdom,) = works("work", "wisdom")["pages"]
    assert "sensitivity: high\n" in (root / wisdom["path"]).read_text()


def test_each_line_names_the_works_that_it_rests_on(works: Callable[..., Any], root: Path) -> None:
    (page, _) = works("work", "chapters", "--auto")["pages"]
    text = (root / page["path"]).read_text()
    (line,) = [line for line in text.splitlines() if line.startswith("- Tokens expire")]
    assert line == "- Tokens expire ([[fix_auth_problem_1]], [[fix_auth_problem_2]])"


def test_refresh_keeps_what_a_person_wrote_byte_for_byte(works: Callable[..., Any], root: Path, git: Run) -> None:
    (page, _) = works("work", "chapters", "--auto")["pages"]
    path = root / page["path"]
    header, begin, made = path.read_bytes().partition(b"<!-- mdmem:begin -->")
    above, below = b"My own view:   \n\n* it *was* the clock\n\n", b"\n\n## Learnings\n\n+ mine\n"
    path.write_bytes(header + above + begin + made.rstrip(b"\n") + below)
    learned = root / "allmemories/fix_auth_problem_1.md"
    learned.write_text(learned.read_text().replace("Always check the clock", "Never trust the clock"))
    git(root, "add", ".")
    git(root, "commit", "-qm", "by hand")

    with Vault.open(str(root)) as vault:
        stale = [problem.path for problem in doctor.examine(vault) if problem.code == "chapter-stale"]
    assert stale == [page["path"]]
    (done,) = works("work", "chapters", "--refresh")["pages"]
    assert done["path"] == page["path"]
    after = path.read_bytes()
    assert above + begin in after
    assert after.endswith(b"<!-- mdmem:end -->" + below)
    assert b"Never trust the clock" in after
    assert works("work", "chapters", "--refresh")["commit"] == ""


def test_a_chapter_without_markers_is_a_persons(
    works: Callable[..., Any], root: Path, git: Run, mdmem: Run
) -> None:
    (page, _) = works("work", "chapters", "--auto")["pages"]
    path = root / page["path"]
    path.write_text(path.read_text().replace("<!-- mdmem:end -->", "").replace("3 works", "My works"))
    git(root, "commit", "-qam", "by hand")
    assert works("work", "chapters", "--refresh")["commit"] == ""
    name = path.stem
    assert (
        "no part that is made by rule" in mdmem("work", "chapters", "--refresh", name, "--vault", root, code=2).err
    )


def test_chosen_works_make_a_chapter_in_their_order(works: Callable[..., Any], root: Path, mdmem: Run) -> None:
    (page,) = works("work", "chapters", CACHE[2], AUTH[0], "--title", "What came first")["pages"]
    told = works("show", "--as", "chapter", Path(page["path"]).stem)["chapter"]
    assert (told["memories"], told["origin"], told["title"]) == ([CACHE[2], AUTH[0]], "manual", "What came first")
    missing = mdmem("work", "chapters", "no_such_work_here", "--vault", root, code=3)
    assert "no_such_work_here" in missing.err


def test_wisdom_tells_what_chapters_share(works: Callable[..., Any], root: Path) -> None:
    assert works("work", "wisdom")["pages"] == []
    works("work", "chapters", "--auto")
    (page,) = works("work", "wisdom")["pages"]
    text = (root / page["path"]).read_text()
    assert "- Always check the clock ([[fix_auth_problem_1]])" in text.split("## Best practices")[1]
    pattern = "race condition: 2 works of 2 chapters failed so ([[fix_auth_problem_2]], [[fix_cache_problem_4]])"
    assert f"- '{pattern}'" in text or f'- "{pattern}"' in text or f"- {pattern}" in text
    shared = "- Tokens expire ([[fix_auth_problem_1]], [[fix_auth_problem_2]], [[fix_cache_problem_5]])"
    assert shared in text
    assert works("work", "wisdom")["commit"] == ""


def test_wisdom_is_made_of_what_its_chapters_become(works: Callable[..., Any], root: Path, git: Run) -> None:
    works("work", "chapters", "--auto")
    (wisdom,) = works("work", "wisdom")["pages"]
    learned = root / "allmemories/fix_auth_problem_1.md"
    learned.write_text(learned.read_text().replace("Always check the clock", "Never trust the clock"))
    git(root, "commit", "-qam", "by hand")
    assert len(works("work", "chapters", "--refresh")["pages"]) == 2
    assert "Never trust the clock" in (root / wisdom["path"]).read_text()
    assert works("work", "chapters", "--refresh")["commit"] == ""


def test_wisdom_is_shown_like_a_chapter_and_a_work_is_neither(
    works: Callable[..., Any], root: Path, mdmem: Run
) -> None:
    works("work", "chapters", "--auto")
    (page,) = works("work", "wisdom")["pages"]
    told = works("show", "--as", "chapter", Path(page["path"]).stem)["wisdom"]
    assert len(told["chapters"]) == 2
    assert (
        "fix_auth_problem_1 is not of type chapter or wisdom"
        in mdmem("work", "chapters", "--refresh", "fix_auth_problem_1", "--vault", root, code=2).err
    )


def test_old_works_of_little_importance_are_folded_into_their_chapter(
    works: Callable[..., Any], root: Path
) -> None:
    works("work", "chapters", *AUTH)
    for kept in (("2024-01-16",), ("2024-01-17", "--below", "0.2")):  # new ones, important ones
        assert works("work", "archive", "--before", *kept)["archived"] == []
    done = works("work", "archive", "--before", "2024-01-17")
    assert len(done["archived"]) == len(WORKS)
    assert [page["title"] for page in done["pages"]] == ["Old works of shop before 2024-01-17"]
    assert works("recall", "--as", "work", "--tag", "auth") == []
    assert len(works("recall", "--as", "work", "--tag", "auth", "--archived")) == len(AUTH)
    assert works("work", "archive", "--before", "2024-01-17")["commit"] == ""


def test_what_is_archived_answers_only_if_asked_for(works: Callable[..., Any], root: Path, mdmem: Run) -> None:
    mdmem("remember", "Cache problems are told to the team", "--type", "note", "--vault", root)
    works("work", "archive", "--before", "2024-01-17")

    def found(*args: str) -> set[str]:
        told = json.loads(mdmem(*args, "--json", "--vault", root).out)
        return {one["type"] for one in told}

    assert found("recall", "cache", "problem", "--limit", "2") == {"chapter", "note"}
    assert found("recall", "--limit", "2") == {"chapter", "note"}
    assert found("list") == {"chapter", "note"}
    assert found("list", "--where", "!archived") == {"chapter", "note"}
    assert found("recall", "cache", "problem", "--archived") == {"chapter", "note", "work"}
    assert found("recall", "cache", "problem", "archived:true") == {"work"}
    assert found("list", "--archived") == {"chapter", "note", "work"}
    assert found("list", "--where", "archived=true") == {"work"}
    pack = json.loads(mdmem("session", "start", "--context", "cache problem", "--json", "--vault", root).out)
    assert {memory["type"] for memory in pack["memories"]} == {"chapter", "note"}


def test_the_gardener_proposes_what_is_out_of_date(
    works: Callable[..., Any], root: Path, git: Run, mdmem: Run
) -> None:
    def proposed() -> list[dict[str, Any]]:
        told = json.loads(mdmem("garden", "--only", "refresh", "--json", "--vault", root).out)
        return list(told["proposals"])

    works("work", "chapters", "--auto")
    works("work", "wisdom")
    assert proposed() == []
    learned = root / "allmemories/fix_auth_problem_1.md"
    learned.write_text(learned.read_text().replace("Always check the clock", "Never trust the clock"))
    git(root, "commit", "-qam", "by hand")
    (chapter,) = proposed()
    assert chapter["title"].startswith("make works_on_auth again")
    assert "Always check the clock" in chapter["evidence"][0]["text"]
    tree = git(root, "rev-parse", "HEAD^{tree}")

    mdmem("garden", "apply", "--only", "refresh", "--vault", root)
    assert "Never trust the clock" in (root / "allmemories/works_on_auth.md").read_text()
    assert proposed() == []
    assert works("work", "chapters", "--refresh")["commit"] == "", (
        "wisdom, which was made of the chapter, came with it"
    )
    mdmem("undo", "--last", "2", "--vault", root)
    assert git(root, "rev-parse", "HEAD^{tree}") == tree
    assert [one["id"] for one in proposed()] == [chapter["id"]]
    with Vault.open(str(root)) as vault:
        taking.judge(vault, [Said(chapter["id"], "no")], Caller(NOW))
    assert proposed() == []


def test_a_model_words_the_lines_and_each_keeps_its_works(
    works: Callable[..., Any], root: Path, git: Run, server: Server, mdmem: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    (made,) = works("work", "chapters", *AUTH)["pages"]
    page = root / made["path"]
    assert "MDMEM_LLM" in mdmem("work", "chapters", "--refresh", "--llm", "--vault", root, code=2).err
    monkeypatch.setenv("MDMEM_LLM", "local")
    server.answer = json.dumps(
        [
            {"number": 1, "text": "99 works were done.", "rests_on": []},
            {"number": 2, "text": "The clock comes first.", "rests_on": [AUTH[0]]},
            {"number": 3, "text": "Nothing lasts.", "rests_on": [AUTH[0]]},
        ]
    )
    told = mdmem("work", "chapters", "--refresh", "--llm", "--vault", root).err
    assert "adds the number 99" in told
    assert "does not rest on the same works" in told
    text = page.read_text()
    assert "- The clock comes first. ([[fix_auth_problem_1]])" in text
    assert "- Tokens expire ([[fix_auth_problem_1]], [[fix_auth_problem_2]])" in text
    assert "worded_by: local" in text
    assert "Always check the clock" in server.asked[0]["messages"][-1]["content"]

    assert works("work", "chapters", "--refresh", "--llm")["commit"] == "", (
        "words that hold are not asked for again"
    )
    assert works("work", "chapters", "--refresh")["commit"] == ""
    learned = root / "allmemories/fix_auth_problem_1.md"
    learned.write_text(learned.read_text().replace("Always check the clock", "Never trust the clock"))
    git(root, "commit", "-qam", "by hand")
    works("work", "chapters", "--refresh")
    assert "Never trust the clock" in page.read_text()
    assert "worded_by" not in page.read_text()
    mdmem("update", page.stem, "--set", "sensitivity=high", "--vault", root)
    assert "too sensitive" in mdmem("work", "chapters", "--refresh", "--llm", "--vault", root).err
    assert len(server.asked) == 1


def test_a_model_words_new_wisdom(
    works: Callable[..., Any], root: Path, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    works("work", "chapters", "--auto")
    monkeypatch.setenv("MDMEM_LLM", "local")
    server.answer = json.dumps([{"number": 2, "text": "The clock comes first.", "rests_on": [AUTH[0]]}])
    (page,) = works("work", "wisdom", "--llm")["pages"]
    text = (root / page["path"]).read_text()
    assert "- The clock comes first. ([[fix_auth_problem_1]])" in text
    assert "worded_by: local" in text
    assert works("work", "wisdom")["commit"] == "", "the words hold as long as rules would make the same"
