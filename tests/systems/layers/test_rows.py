"""Dialogs and their facts are found, cited, filtered and shown as memories are, and no sentence is shown twice."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mdmem.note.facts import Fact, fact_id
from mdmem.recall import ask
from mdmem.recall.ask import Answer, Query
from mdmem.store.index.port import ALL_KINDS, ENTRY, FACT
from mdmem.store.operation import Caller
from mdmem.store.progress import silent
from mdmem.store.vault.vault import Vault
from mdmem.systems.layers import documents
from mdmem.systems.layers.documents import EntryMeta, EntrySummary
from tests.conftest import NOW, Ran

LISBON = Fact("Ana", "lives in", "Lisbon", "identity", "current", 0.9, sentence="I live in Lisbon now.", line=3)
TEA = Fact("Ana", "likes", "green tea", "preference", "current", 0.8, sentence="I like green tea.", line=5)
CHAT = """User: Hello there.

Ana: I live in Lisbon now.

Ana: I like green tea.
"""
Entry = Callable[..., str]


def put(
    vault: Vault, topic: str, raw: str, *facts: Fact, time: str = "2026-02-08T14:05:00Z", form: str = "markdown"
) -> str:
    """Write an entry as `ingest` does, with these facts; its folder."""
    data = raw.encode()
    id = documents.entry_id(data, time)
    folder = f"topics/{topic}/{id}"
    meta = EntryMeta(id, time, topic, "chat.md", form, documents.sha256(data), len(data), "ana", "conv-7")
    with vault.change(Caller(NOW, "ana", "conv-7").does("create")) as tx:
        tx.write(f"{folder}/raw.md", data)
        tx.write(f"{folder}/meta.json", documents.render(meta))
        summary = EntrySummary(id, time, raw.split("\n", 1)[0], tuple(facts))
        tx.write(f"{folder}/summary.json", documents.render(summary))
    return folder


def asked(vault: Vault, words: str, **options: object) -> list[Answer]:
    return ask.ask(vault, Query((words,), **options), NOW)  # type: ignore[arg-type]


def kinds_of(answers: list[Answer]) -> list[str]:
    return [answer.hit.record.kind for answer in answers]


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory, empty_vault: Path) -> Path:
    """A vault with one dialog and its two facts, for tests that only read."""
    root = Path(shutil.copytree(empty_vault, tmp_path_factory.mktemp("told") / "vault"))
    with Vault(str(root)) as vault:
        put(vault, "people", CHAT, LISBON, TEA)
    return root


@pytest.fixture
def reader(told: Path) -> Iterator[Vault]:
    with Vault(str(told)) as vault:
        yield vault


def test_a_fact_is_cited_by_the_line_of_the_dialog_and_stands_for_it(reader: Vault) -> None:
    hit, *others = asked(reader, "where does Ana live")
    record = hit.hit.record
    folder = record.path.partition("/raw.md")[0]
    assert (record.kind, record.id, record.type, record.topic) == ("fact", fact_id(LISBON), "identity", "people")
    assert (record.session, record.created) == ("conv-7", "2026-02-08T14:05:00Z")
    assert (record.file, hit.hit.line, hit.commit) == (f"{folder}/raw.md", 3, reader.repo.head()[0])
    assert hit.sources == ()  # the dialog says so in the very line that the fact cites
    assert [other.hit.record.id for other in others] == [fact_id(TEA)]


def test_a_dialog_is_found_by_what_no_fact_says(reader: Vault) -> None:
    [answer] = asked(reader, "hello")
    assert (answer.hit.record.kind, answer.hit.line) == ("entry", 1)
    [quiet] = asked(reader, "Lisbon", kinds=(ENTRY,))
    assert quiet.hit.line == 3


@pytest.mark.parametrize(
    ("words", "kinds"),
    [
        ("lisbon kind:fact", ["fact"]),
        ("lisbon kind:entry", ["entry"]),
        ("lisbon kind:memory", []),
        ("ana type:preference", ["fact"]),
        ("lisbon topic:people session:conv-7", ["fact"]),
        ("lisbon topic:travel", []),
        ("lisbon created:2026-02-08", ["fact"]),
        ("ana confidence:>0.85 kind:fact", ["fact"]),
        ("tea subject:ana relation:likes", ["fact"]),
    ],
)
def test_filters_see_what_is_known_of_facts_and_dialogs(reader: Vault, words: str, kinds: list[str]) -> None:
    assert kinds_of(asked(reader, words)) == kinds


def test_memories_are_told_apart_from_the_rest(reader: Vault) -> None:
    """What walks the memories sees none of the dialog, nor does a question for memories."""
    assert reader.index.count() == 0
    assert list(reader.index.records()) == []
    assert asked(reader, "lisbon", kinds=("memory",)) == []
    assert reader.index.count(ALL_KINDS) == 3
    assert reader.index.uncommitted() == set()


def test_the_command_line_shows_and_filters_them(told: Path, mdmem: Callable[..., Ran]) -> None:
    [found] = json.loads(mdmem("recall", "lisbon", "--kind", "fact", "--json", "--vault", told).out)
    assert (found["kind"], found["line"], found["trusted"]) == ("fact", 3, False)
    shown = mdmem("show", found["id"], "--vault", told).out
    assert "Ana lives in Lisbon" in shown
    assert f"raw.md:3@{found['commit'][:8]}" in shown
    [listed] = json.loads(mdmem("list", "--kind", "entry", "--json", "--vault", told).out)
    assert mdmem("show", f"people/{listed['id']}", "--vault", told).out == CHAT
    assert mdmem("list", "--vault", told).out == ""
    why = mdmem("recall", "lisbon", "--why", found["id"], "--vault", told).out
    assert "rank 1" in why


def test_a_dialog_at_every_depth_and_within_a_budget(reader: Vault) -> None:
    texts = {
        depth: asked(reader, "hello", depth=depth)[0].text
        for depth in ("summary", "outcome", "reasoning", "full", "complete")
    }
    assert texts["summary"] == "User: Hello there."
    assert "Lisbon" in texts["full"]
    assert texts["complete"] == CHAT.strip()
    [brief] = asked(reader, "hello", budget=40)
    assert brief.tokens <= 40
    [fact] = asked(reader, "lisbon", depth="complete")
    assert fact.text == "Ana lives in Lisbon\n\nI live in Lisbon now."


def test_of_a_chat_in_json_what_was_said_is_searched_and_its_line_is_cited(vault: Vault) -> None:
    turns = [{"role": "user", "content": "I moved\nto Porto"}, {"role": "assistant", "content": "Enjoy it!"}]
    put(vault, "people", json.dumps({"messages": turns}, indent=1), form="jsonl")
    [answer] = asked(vault, "porto", depth="full")
    assert answer.text.endswith("user: I moved\nto Porto\nassistant: Enjoy it!")
    place = vault.root + "/" + answer.hit.record.file
    assert "Porto" in Path(place).read_text().split("\n")[answer.hit.line - 1]
    assert asked(vault, "role") == asked(vault, "messages") == []


def test_a_memory_stands_for_the_fact_and_the_dialog_that_say_the_same(
    vault: Vault, remember: Callable[..., str]
) -> None:
    put(vault, "people", CHAT, LISBON)
    path = remember("Ana lives in Lisbon.")
    [answer] = asked(vault, "where does Ana live")
    assert answer.hit.record.path == path
    [source] = answer.sources
    assert source.startswith("topics/people/")
    [fact] = asked(vault, "Lisbon", kinds=(FACT,))
    assert source.endswith(f"/raw.md:3@{fact.commit[:8]}")


def test_a_fact_told_twice_is_one_hit_of_the_newest(vault: Vault) -> None:
    put(vault, "people", CHAT, LISBON)
    newer = put(vault, "people", f"Later.\n{CHAT}", LISBON._replace(line=4), time="2026-02-20T08:00:00Z")
    answers = asked(vault, "where does Ana live")
    assert kinds_of(answers) == ["fact"]
    assert len({answers[0].hit.record.file, *(source.partition(":")[0] for source in answers[0].sources)}) == 2
    shown = asked(vault, "Lisbon", kinds=(FACT,))
    assert len(shown) == 1
    assert newer


def test_a_score_of_0_retracts_a_fact_and_a_later_line_brings_it_back(
    vault: Vault, write: Callable[..., Path]
) -> None:
    put(vault, "people", CHAT, LISBON, TEA)
    write("topics/people/curation.md", f"- {fact_id(LISBON)}: 0\n")
    vault.index.freshen()
    statuses = {record.id: record.status for record in vault.index.records((FACT,))}
    assert statuses == {fact_id(LISBON): "retracted", fact_id(TEA): "active"}
    assert kinds_of(asked(vault, "score:0")) == ["fact"]
    write("topics/people/curation.md", f"- {fact_id(LISBON)}: 0\n- {fact_id(LISBON)}: 9\n")
    vault.index.freshen()
    [record] = vault.index.with_id(fact_id(LISBON), (FACT,))
    assert (record.status, record.meta["score"]) == ("active", 9)


@pytest.mark.parametrize("part", ["meta.json", "summary.json"])
def test_a_damaged_part_costs_only_what_it_says(vault: Vault, write: Callable[..., Path], part: str) -> None:
    folder = put(vault, "people", CHAT, LISBON)
    write(f"{folder}/{part}", "{torn")
    vault.index.freshen()
    assert kinds_of(asked(vault, "hello")) == ["entry"]
    assert vault.index.count((FACT,)) == (1 if part == "meta.json" else 0)
    [entry] = vault.index.records((ENTRY,))
    assert entry.created == "2026-02-08T14:05:00Z"


def test_rows_follow_deletion_return_and_the_past(vault: Vault, git: Callable[..., str], root: Path) -> None:
    folder = put(vault, "people", CHAT, LISBON)
    then = vault.repo.head()[0]
    git(root, "rm", "-q", "-r", folder)
    vault.index.freshen()
    assert vault.index.count(ALL_KINDS) == 0
    git(root, "commit", "-qm", "forget it")
    vault.index.freshen()
    assert asked(vault, "lisbon") == []
    assert kinds_of(asked(vault, "lisbon", as_of=then)) == ["fact"]
    git(root, "revert", "--no-edit", "HEAD")
    vault.index.freshen()
    assert vault.index.count(ALL_KINDS) == 2
    before = vault.index.records_at([record.path for record in vault.index.records(ALL_KINDS)])
    vault.rebuild(silent)
    assert list(vault.index.records(ALL_KINDS)) == before


def test_a_vault_without_dialogs_loads_nothing_of_them(root: Path, write: Callable[..., Path]) -> None:
    write("allmemories/about_the_boat.md", "The boat leaks.")
    run = "import sys; from mdmem.__main__ import main; main(['recall', 'boat'])"
    code = f"{run}; print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    loaded = done.stderr.split()
    assert "mdmem.store.index.rows" in loaded
    assert not [
        name for name in loaded if "layers" in name or name in ("mdmem.recall.sameness", "mdmem.note.facts")
    ]


PORTO = Fact("Ana", "lives in", "Porto", "identity", "current", 0.9, sentence="I live in Porto now.", line=1)


def test_the_gardener_retires_the_older_of_two_facts_that_exclude_each_other(
    vault: Vault, root: Path, mdmem: Callable[..., Ran]
) -> None:
    coffee = TEA._replace(object="coffee", sentence="I like coffee, too.", line=2)
    was = LISBON._replace(object="Faro", time_span="past", sentence="I lived in Faro.", line=3)
    put(vault, "people", CHAT, LISBON, TEA)
    put(
        vault,
        "people",
        "I live in Porto now.\nI like coffee, too.\nI lived in Faro.\n",
        PORTO,
        coffee,
        was,
        time="2026-02-20T08:00:00Z",
    )
    raw = {path: path.read_bytes() for path in root.glob("topics/*/*/*")}
    plan = json.loads(mdmem("garden", "--only", "facts", "--json", "--vault", root).out)
    [proposal] = plan["proposals"]
    assert proposal["title"] == "retire the fact that Ana lives in Lisbon: later it was Ana lives in Porto"
    assert [why["line"] for why in proposal["evidence"]] == [3, 1]
    assert mdmem("garden", "--topic", "travel", "--only", "facts", "--vault", root).out == "nothing to do\n"
    mdmem("garden", "apply", proposal["id"], "--vault", root)
    line = f"- {fact_id(LISBON)}: 0 (gardener, 2026-03-01T12:00:00Z) newer: Ana lives in Porto (2026-02-20)"
    assert line in (root / "topics/people/curation.md").read_text().split("\n")
    assert {path: path.read_bytes() for path in root.glob("topics/*/*/*")} == raw
    with Vault(str(root)) as after:
        statuses = {record.id: record.status for record in after.index.records((FACT,))}
    assert [id for id, status in statuses.items() if status == "retracted"] == [fact_id(LISBON)]
    assert mdmem("garden", "--only", "facts", "--vault", root).out == "nothing to do\n"
    mdmem("undo", "--last", 1, "--vault", root)
    assert "lives in Lisbon" in mdmem("garden", "--only", "facts", "--vault", root).out


def test_a_fact_is_kept_as_a_memory_that_names_its_sources(
    vault: Vault, root: Path, mdmem: Callable[..., Ran]
) -> None:
    put(vault, "people", CHAT, LISBON)
    put(vault, "people", "I live in Lisbon now.\n", LISBON._replace(line=1), time="2026-02-20T08:00:00Z")
    (kept,) = json.loads(mdmem("facts", "keep", fact_id(LISBON)[:6], "--vault", root, "--json").out)
    assert kept["path"].endswith("/ana_lives_lisbon.md")
    note = vault.get(kept["path"])
    assert note.body.strip() == "Ana lives in Lisbon.\n\n> I live in Lisbon now."
    assert (note.text("source"), note.text("topic"), note.type, note.number("confidence")) == (
        *("derived", "people", "fact"),
        0.9,
    )
    sources = note.meta["provenance"]
    assert [source["kind"] for source in sources] == ["entry", "entry"]
    for source, line in zip(sources, (1, 3), strict=True):
        path, _, place = source["ref"].partition(":")
        number, _, commit = place.partition("@")
        assert int(number) == line
        data = vault.repo.read(commit, path)
        assert data is not None
        assert source["hash"] == f"sha256:{documents.sha256(data)}"
        assert data.decode().split("\n")[line - 1].endswith("I live in Lisbon now.")
    with Vault(str(root)) as after:
        first = asked(after, "where does Ana live")[0]
        assert first.hit.record.name == "ana_lives_lisbon"
        assert len(first.sources) == 2
    again = mdmem("facts", "keep", fact_id(LISBON), "--vault", root, code=5)
    assert "ana_lives_lisbon says the same" in again.err
    assert "no fact 00" in mdmem("facts", "keep", "00", "--vault", root, code=3).err


def test_a_transcript_that_was_captured_and_ingested_tells_nothing_twice(
    root: Path, tmp_path: Path, mdmem: Callable[..., Ran]
) -> None:
    chat = tmp_path / "chat.md"
    chat.write_text("User: I prefer tabs over spaces.\n\nAssistant: Noted.\n\nUser: I live in Porto.\n")
    mdmem("capture", chat, "--rules-only", "--write", "--vault", root)
    mdmem("ingest", chat, "--topic", "office", "--vault", root)
    for words in ("tabs or spaces", "where does the user live"):
        found = json.loads(mdmem("recall", words, "--json", "--vault", root).out)
        assert {hit["kind"] for hit in found} == {"memory"}
        assert len({hit["snippet"].replace("*", "") for hit in found}) == len(found)
        assert all(hit["sources"][0].startswith("topics/office/") for hit in found)


def test_forgetting_a_dialog_takes_its_facts_along_and_undoing_brings_them_back(
    root: Path, tmp_path: Path, mdmem: Callable[..., Ran]
) -> None:
    def rows() -> int:
        with Vault(str(root)) as vault:
            return vault.index.count((ENTRY, FACT))

    def page() -> str:
        place = root / "topics/office/topic_memory.md"
        return place.read_text() if place.exists() else ""

    chat = tmp_path / "chat.md"
    chat.write_text("User: I live in Porto.\n")
    mdmem("ingest", chat, "--topic", "office", "--session", "conv-9", "--vault", root)
    there = rows()
    assert there >= 2
    assert "Porto" in page()
    [entry] = json.loads(mdmem("list", "--kind", "entry", "--json", "--vault", root).out)
    mdmem("forget", f"office/{entry['id']}", "--vault", root)
    assert (rows(), "Porto" in page()) == (0, False)
    mdmem("undo", "--last", 1, "--vault", root)
    assert (rows(), "Porto" in page()) == (there, True)
    mdmem("undo", "--session", "conv-9", "--vault", root)
    assert (rows(), "Porto" in page()) == (0, False)


def test_a_fact_of_a_note_is_retired_by_the_scores_of_its_topic_as_they_were_then(
    vault: Vault, write: Callable[..., Path], git: Callable[..., str], root: Path
) -> None:
    told = "- Ana · lives in · Lisbon (identity, current, 0.9)"
    note = f"---\ntopic: Close friends\n---\nAbout Ana.\n\n## Facts\n\n{told}\n"
    write("allmemories/about_my_friend_ana.md", note)
    git(root, "add", ".")
    git(root, "commit", "-qm", "a note")
    before = vault.repo.head()[0]
    write("topics/close_friends/curation.md", f"- {fact_id(LISBON)}: 0\n")
    vault.index.freshen()
    [record] = vault.index.records((FACT,))
    assert (record.topic, record.status, record.file_line(1)) == ("close_friends", "retracted", 8)
    [then] = asked(vault, "Lisbon", kinds=(FACT,), as_of=before)
    assert (then.hit.record.status, then.hit.line, then.commit) == ("active", 8, before)
    assert kinds_of(asked(vault, "Lisbon")) == ["memory"]


def test_a_fact_that_stands_twice_in_one_summary_is_one_row(vault: Vault) -> None:
    put(vault, "people", CHAT, LISBON, LISBON._replace(subject="ANA", line=5))
    assert [record.file_line(1) for record in vault.index.records((FACT,))] == [3]
