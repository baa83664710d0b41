"""The pages of topics follow their sources: made of them alone, rebuilt where they changed, in nobody's way."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mdmem.errors import ConflictError
from mdmem.note.facts import Fact, fact_id
from mdmem.store.local import files
from mdmem.store.operation import Caller
from mdmem.store.vault import derived
from mdmem.store.vault.vault import Vault
from mdmem.systems.layers import curation, documents, tree
from mdmem.systems.layers.curation import Verdict
from mdmem.systems.layers.documents import EntryMeta, EntrySummary, entry_id, sha256

LIVES = Fact("Ana", "lives in", "Lisbon", "identity", confidence=0.9, sentence="I live in Lisbon.", line=1)
PAGES = {f"{name}.{end}" for name in ("topic_memory", "GLOBAL_MEMORY") for end in ("md", "json")}


def entry(
    topic: str, day: int, *facts: Fact, summary: str = "", **open_things: tuple[str, ...]
) -> dict[str, bytes]:
    """The files of an entry of that day of 2026."""
    text = f"{topic} {day} {summary}".encode()
    time = f"2026-{day // 28 + 1:02d}-{day % 28 + 1:02d}T10:00:00Z"
    id = entry_id(text, time)
    meta = EntryMeta(id, time, topic, "chat.md", "text", sha256(text), len(text))
    dated = tuple(fact._replace(entry_id=id, entry_ts=time) for fact in facts)
    told = EntrySummary(id, time, summary or f"Talk {day} about {topic}.", dated, **open_things)
    folder = f"topics/{topic}/{id}"
    return {
        f"{folder}/raw.md": text,
        f"{folder}/meta.json": documents.render(meta),
        f"{folder}/summary.json": documents.render(told),
    }


def add(vault: Vault, *entries: dict[str, bytes]) -> None:
    """Write entries in one change; the pages follow."""
    with vault.change(Caller(None).does("create")) as tx:  # type: ignore[arg-type]
        for parts in entries:
            for path, data in parts.items():
                tx.write(path, data)


def score(vault: Vault, topic: str, fact: Fact, value: int) -> None:
    path = f"topics/{topic}/curation.md"
    with vault.change(Caller(None).does("revise")) as tx:  # type: ignore[arg-type]
        line = curation.render(Verdict(fact_id(fact), value)).encode()
        tx.write(path, (tx.read(path) or curation.HEAD.encode()) + line)


def pages(root: Path) -> dict[str, bytes]:
    """Every page by its path."""
    found = (path for path in root.rglob("*") if path.name in PAGES)
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in found}


def lower(root: Path) -> dict[str, str]:
    """The hash of every file that the pages are made of, and of all others that git knows."""
    others = (path for path in root.rglob("*") if path.is_file() and path.name not in PAGES)
    return {
        str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in others if ".mdmem" not in path.parts
    }


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths of the files of the vault that were read since."""
    found: list[str] = []
    original = files.read

    def counted(root: str, path: str) -> bytes:
        found.append(path)
        return original(root, path)

    monkeypatch.setattr(files, "read", counted)
    return found


@pytest.fixture
def filled(vault: Vault) -> Vault:
    """A vault with three topics."""
    add(
        vault,
        entry("home", 1, LIVES, summary="Ana lives in Lisbon.", next_actions=("Call the landlord",)),
        entry("home", 9, summary="The lease ends in June.", open_questions=("Who pays the deposit?",)),
        entry("work", 5, Fact("Ana", "must", "file reports by Friday", "constraint", confidence=0.9)),
        entry("bikes", 3, Fact("Ana", "likes", "steel frames", "preference", confidence=0.75)),
    )
    return vault


def test_a_write_makes_the_pages_of_its_topic_and_the_global_one(filled: Vault, root: Path) -> None:
    made = pages(root)
    assert set(made) == {
        *("GLOBAL_MEMORY.md", "GLOBAL_MEMORY.json"),
        *(f"topics/{topic}/topic_memory.{end}" for topic in ("home", "work", "bikes") for end in ("md", "json")),
    }
    home = json.loads(made["topics/home/topic_memory.json"])
    assert home["schema"] == "topic_memory.v1"
    assert home["state"]["next_actions"] == ["Call the landlord"]
    assert home["state"]["open_questions"] == ["Who pays the deposit?"]
    assert "Lisbon" in made["GLOBAL_MEMORY.md"].decode()


def test_git_ignores_the_pages_and_nothing_else(
    filled: Vault, root: Path, git: Callable[..., str], write: Callable[[str, str], Path]
) -> None:
    write("topics/home/mine.md", "My own.\n")
    assert git(root, "status", "--porcelain", "--untracked-files=all") == "?? topics/home/mine.md"


def test_pages_that_were_deleted_come_back_byte_for_byte(filled: Vault, root: Path) -> None:
    made = pages(root)
    for path in made:
        (root / path).unlink()
    for place in (root / ".mdmem").glob("pages.sqlite*"):
        place.unlink()
    tree.update(filled, touched=None)
    assert pages(root) == made


def test_no_rebuild_touches_what_the_pages_are_made_of(filled: Vault, root: Path) -> None:
    before = lower(root)
    tree.update(filled, full=True)
    tree.update_global(filled)
    (root / "topics/home/topic_memory.json").unlink()
    tree.update(filled)
    assert lower(root) == before


def test_pages_are_the_same_on_another_day_in_another_order_of_files_and_another_locale(
    filled: Vault, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = pages(root)
    monkeypatch.setenv("MDMEM_NOW", "2031-12-24T23:59:00Z")
    monkeypatch.setenv("LC_ALL", "tr_TR.UTF-8")
    monkeypatch.setenv("TZ", "Asia/Kathmandu")
    original = os.scandir
    monkeypatch.setattr(os, "scandir", lambda place: _Reversed(original(place)))
    tree.update(filled, full=True)
    assert pages(root) == made


class _Reversed(list[os.DirEntry[str]]):
    """The entries of a folder from the last to the first, as another file system may give them."""

    def __init__(self, entries: Iterator[os.DirEntry[str]]) -> None:
        super().__init__(list(entries)[::-1])

    def __enter__(self) -> _Reversed:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing is open."""

    def close(self) -> None:
        """Nothing is open."""


def test_a_new_entry_reads_its_own_topic_only(filled: Vault, reads: list[str]) -> None:
    new = entry("home", 20, summary="The landlord was called.")
    add(filled, new)
    read = {path for path in reads if path.startswith(("topics/", "GLOBAL"))}
    assert {path.split("/")[1] for path in read} == {"home"}
    assert sum(path.endswith("summary.json") and path not in new for path in reads) == 2


def test_a_global_rebuild_reads_one_file_a_topic(filled: Vault, reads: list[str], root: Path) -> None:
    made = pages(root)
    tree.update_global(filled)
    read = [path for path in reads if path.startswith("topics/")]
    assert sorted(read) == [f"topics/{topic}/topic_memory.json" for topic in ("bikes", "home", "work")]
    assert pages(root) == made


def test_the_incremental_pages_are_those_of_a_full_rebuild(filled: Vault, root: Path) -> None:
    add(filled, entry("work", 40, LIVES, summary="A long day."))
    score(filled, "home", LIVES, 2)
    shutil.rmtree(next((root / "topics/bikes").glob("2026*")))
    tree.update(filled)
    made = pages(root)
    assert "topics/bikes/topic_memory.md" not in made
    tree.update(filled, full=True)
    assert pages(root) == made


def test_a_score_by_hand_counts_at_the_next_build(filled: Vault, root: Path) -> None:
    assert "Lisbon" in (root / "GLOBAL_MEMORY.md").read_text().partition("## Active")[0]
    (root / "topics/home/curation.md").write_text(curation.HEAD + f"- {fact_id(LIVES)}: 1\n")
    tree.update(filled)
    assert "Lisbon" not in (root / "GLOBAL_MEMORY.md").read_text().partition("## Active")[0]
    home = json.loads((root / "topics/home/topic_memory.json").read_text())
    assert [fact["user_fact_score"] for fact in home["facts"]] == [1]


def test_facts_of_notes_count_for_the_topic_they_name(
    filled: Vault, remember: Callable[..., str], root: Path
) -> None:
    text = "The flat.\n\n## Facts\n\n- Ana · rents · a flat in Alfama (identity, current, 1.0)"
    path = remember(text, "ana_rents_a_flat", topic="Home")
    facts = json.loads((root / "topics/home/topic_memory.json").read_text())["facts"]
    assert {fact["source"] for fact in facts if "Alfama" in fact["object"]} == {path}
    with filled.change(Caller(None).does("delete")) as tx:  # type: ignore[arg-type]
        tx.delete(path)
    assert "Alfama" not in (root / "topics/home/topic_memory.json").read_text()


def test_a_damaged_entry_is_named_and_the_rest_goes_on(filled: Vault, root: Path) -> None:
    damaged = sorted((root / "topics/home").glob("*/summary.json"))[0]
    damaged.write_text('{"schema": "entry_summary.v1", "facts": [')
    report = tree.update(filled, full=True)
    assert [problem.path for problem in report.problems] == [damaged.relative_to(root).as_posix()]
    assert "The lease ends in June." in (root / "topics/home/topic_memory.md").read_text()


def test_a_persons_file_in_the_way_is_left_alone(filled: Vault, root: Path) -> None:
    page = root / "topics/garden/topic_memory.md"
    page.parent.mkdir()
    page.write_text("My own page.\n")
    with pytest.raises(ConflictError, match=r"topics/garden/topic_memory.md is in the way"):
        tree.update(add_without_following(filled, entry("garden", 3)))
    assert page.read_text() == "My own page.\n"


def add_without_following(vault: Vault, parts: dict[str, bytes]) -> Vault:
    for path, data in parts.items():
        place = Path(vault.root, path)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    return vault


def test_an_older_topic_memory_is_read_and_a_rebuild_upgrades_it(filled: Vault, root: Path) -> None:
    page, before = root / "topics/home/topic_memory.json", pages(root)
    sources = lower(root)
    document = json.loads(page.read_text())
    state = document.pop("state")
    for key in ("latest", "since", "entries", "made_by"):
        del document[key]
    for fact in document["facts"]:
        for key in ("first_entry_id", "first_entry_ts", "mentions", "source"):
            del fact[key]
    page.write_text(json.dumps({**document, **state, "schema": "topic_memory.v0"}))
    tree.update_global(filled)
    assert "Lisbon" in (root / "GLOBAL_MEMORY.md").read_text()
    tree.update(filled)
    assert (pages(root), lower(root)) == (before, sources)


def test_a_newer_topic_memory_is_refused_with_what_reads_it(filled: Vault, root: Path) -> None:
    page = root / "topics/home/topic_memory.json"
    page.write_text(page.read_text().replace("topic_memory.v1", "topic_memory.v7"))
    (problem,) = tree.update_global(filled).problems
    assert (problem.path, problem.severity) == ("topics/home/topic_memory.json", "error")
    assert "topic_memory.v7" in problem.message
    assert "topic_memory.v7" in problem.fix


def test_a_torn_topic_memory_is_told_and_the_others_are_on_the_global_page(filled: Vault, root: Path) -> None:
    other = root / "topics/other"
    other.mkdir()
    text = (root / "topics/home/topic_memory.json").read_text()
    (other / "topic_memory.json").write_text(text[:30])
    report = tree.update_global(filled)
    assert "home" in [one.topic for one in report.topics]
    assert [(one.path, one.fix) for one in report.problems] == [
        ("topics/other/topic_memory.json", "mdmem rebuild topics")
    ]


def test_the_doctor_names_pages_that_are_not_what_their_sources_give(filled: Vault, root: Path) -> None:
    (root / "topics/home/topic_memory.md").write_text("# Home\n")
    (root / "GLOBAL_MEMORY.json").unlink()
    assert derived.stale(filled, tree.TopicPages(filled.config)) == [
        "GLOBAL_MEMORY.json",
        "topics/home/topic_memory.md",
    ]


def test_the_brief_is_the_global_page_within_its_budget(filled: Vault, root: Path) -> None:
    brief = tree.TopicPages(filled.config).brief(filled, 60)
    assert "Ana lives in Lisbon" in brief
    assert len(brief) <= 60 * 4
    (root / "GLOBAL_MEMORY.md").unlink()
    assert tree.TopicPages(filled.config).brief(filled, 60) == brief
