"""The chunk store: what the document and the public package promise, on notes and commits."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from mdmem.errors import MdmemError, UsageError
from mdmem.store.vault.vault import Vault
from mdmem.systems.compat.chunks import Chunk, ChunkLinks, ChunkStore, RecallOperation, init_storage
from tests.conftest import NOW

Create = Callable[..., Chunk]


def test_the_example_of_the_document(store: ChunkStore) -> None:
    chunk = store.create_chunk(
        content="User prefers Python over JavaScript",
        chunk_type="preference",
        conversation_id="conv-123",
        tokens=12,
        tags=["coding", "preferences"],
        confidence=0.95,
    )
    same = store.get_chunk(chunk.id)
    assert same
    assert (same.content, same.type, same.tokens) == ("User prefers Python over JavaScript", "preference", 12)
    assert (same.metadata.source, same.metadata.access_count) == ("interaction", 1)
    updated = store.update_chunk(chunk.id, confidence=0.98)
    assert updated
    assert updated.metadata.confidence == 0.98
    assert store.list_chunks(conversation_id="conv-123", tags=["coding"]) == [chunk.id]
    assert store.delete_chunk(chunk.id)
    assert store.list_chunks() == []
    assert not store.delete_chunk(chunk.id, permanent=True)


def test_a_chunk_is_a_note_and_a_commit(create: Create, root: Path, git: Callable[..., str]) -> None:
    made = create("User prefers tables.", tags=["formatting"])
    text = (root / "allmemories/user_prefers_tables.md").read_text()
    assert text.endswith("\n---\n\nUser prefers tables.\n")
    assert "title:" not in text
    assert "chunk_id" not in text  # it follows from the id of the note
    assert f"created: {made.metadata.created}\n" in text
    log = git(root, "log", "-1", "--format=%an|%s|%(trailers:key=Memory-Session,valueonly)").strip()
    assert log == "claude-code|create: user_prefers_tables|conv-1"
    assert git(root, "status", "--porcelain") == ""


def test_ids_are_generated_as_the_schema_says(create: Create) -> None:
    import re

    assert re.fullmatch(r"chunk-2026-03-01-[0-9a-f]{8}", create().id)
    assert len({create("the same text").id for _ in range(3)}) == 3


def test_the_store_accepts_what_it_does_not_read(store: ChunkStore) -> None:
    """Validation is in RememberOperation: bad type, tokens, confidence and empty content are all accepted."""
    made = store.create_chunk("", "no such type", "", 99999, None, 7.0)
    assert store.peek(made.id) is None
    assert (made.content, made.type, made.tokens, made.metadata.confidence) == ("", "no such type", 99999, 7.0)


TEXTS = (
    *("", " ", "\n\nab\n", "a\r\nb", "a\rb", "\0", "a\0b", "\ufeffx", "---\na: 1\n---\nb", "---", "    code"),
    *("<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n", "# Title\n\n**Created:** 2026", "🎉", "\x07\x1b[31m", "a\u2028b"),
    *("[[x]]", "..", "/etc/passwd", "x" * 5000, "con", "\t", "é" * 300),
)


def test_any_text_is_kept(store: ChunkStore, create: Create) -> None:
    made = {content: create(content, f"conv-{at}") for at, content in enumerate(TEXTS)}  # no links
    first = create("first", "conv-first")
    for content in TEXTS:
        assert made[content].content == content
        assert store.update_chunk(first.id, content=content).content == content
    with ChunkStore(store.base_path) as other:
        assert [other.peek(one.id) for one in made.values()] == list(made.values())


def test_what_no_file_can_hold_is_refused(create: Create, store: ChunkStore) -> None:
    with pytest.raises(UsageError, match="not UTF-8"):
        create("half a sign: \ud83d")
    with pytest.raises(UsageError, match="no note can hold"):
        create(confidence=float("nan"))
    assert store.list_chunks() == []


BAD: tuple[dict[str, Any], ...] = (
    *({"confidence": value} for value in (float("nan"), float("inf"), "0.5", True, None, [1], 10**400)),
    *({"content": value} for value in (None, 7, "\ud83d")),
    *({"tags": value} for value in ([None], 7, ["\ud83d"])),
    *({"links": value} for value in ("x", {"supports": "x"}, {"supports": [1]}, ChunkLinks(supports=[None]))),  # type: ignore[list-item]
)


def test_what_no_note_can_hold_leaves_nothing_half_made(create: Create, store: ChunkStore, root: Path) -> None:
    """Neither a chunk without its links in a batch that goes on, nor a confidence that is read as the default."""
    made = create(confidence=0.2)
    (place,) = (root / "allmemories").iterdir()
    before = place.read_bytes()
    for bad in BAD:
        with store.batch():
            with pytest.raises(UsageError):
                create(**bad)
            with pytest.raises(UsageError):
                store.update_chunk(made.id, **{"content": "Other words.", "type": "fact", **bad})
        assert store.list_chunks() == [made.id], bad
        assert place.read_bytes() == before, bad


def test_any_tags_are_kept(create: Create, store: ChunkStore) -> None:
    tags = ["#x", " y", "x", "x", "a, b", "", "[[z]]"]
    made = create(tags=tags)
    assert store.peek(made.id) == made
    assert made.tags == tags
    updated = store.update_chunk(made.id, tags=["plain"])
    assert updated
    assert updated.tags == ["plain"]


# -- reading -------------------------------------------------------------------------------------------------


def test_only_retrievals_are_uses(create: Create, store: ChunkStore, root: Path, git: Callable[..., str]) -> None:
    """Not updates, links, lists and other chunks; and no use touches git."""
    made, other = create(), create()
    head = git(root, "rev-parse", "HEAD")
    store.list_chunks()
    store.peek(made.id)
    assert [store.get_chunk(made.id).metadata.access_count for _ in range(3)] == [1, 2, 3]
    assert git(root, "rev-parse", "HEAD") == head
    assert git(root, "status", "--porcelain") == ""
    updated = store.update_chunk(made.id, links=ChunkLinks(supports=[other.id]))
    assert updated
    assert updated.metadata.access_count == 3
    assert updated.metadata.last_accessed
    assert store.peek(other.id).metadata.access_count == 0


def test_ids_that_name_nothing(store: ChunkStore) -> None:
    odd: tuple[Any, ...] = ("", "..", ".", "../x", "a/b", "chunk-2026-01-01-zzzzzzzz", "x" * 999, None, 3, "a\0")
    for id in odd:
        assert store.get_chunk(id) is None
        assert store.update_chunk(id, confidence=1) is None
        assert store.delete_chunk(id) is False
        assert store.restore_chunk(id) is None


def test_a_damaged_note_is_none_and_a_log_line(
    create: Create, store: ChunkStore, root: Path, caplog: pytest.LogCaptureFixture
) -> None:
    made, other = create("Damaged soon."), create("Sound as ever.")
    place = next((root / "allmemories").glob("damaged*"))
    place.write_bytes(b"\0\xff")
    assert store.get_chunk(made.id) is None
    assert made.id in caplog.text or place.name in caplog.text
    assert store.get_chunk(other.id)
    assert store.list_chunks() == [other.id]


@pytest.mark.parametrize("again", [False, True])
def test_a_note_with_a_broken_header_is_no_other_chunk(
    create: Create, store: ChunkStore, root: Path, caplog: pytest.LogCaptureFixture, again: bool
) -> None:
    made, other = create("Damaged soon."), create("Sound as ever.")
    place = next((root / "allmemories").glob("damaged*"))
    place.write_text(place.read_text().replace("category: past", "category: past: oops"))
    with ChunkStore(root) as opened:
        seen = opened if again else store
        assert seen.get_chunk(made.id) is None
        assert place.name in caplog.text
        assert seen.list_chunks() == [other.id]
        assert seen.get_stats()["total_chunks"] == 1
        assert seen.delete_chunk(made.id) is False
        assert RecallOperation(seen).recall("damaged soon").source_chunks in ([], [other.id])
        place.write_text(place.read_text().replace("past: oops", "past"))
        assert seen.get_chunk(made.id)


def test_values_that_the_schema_does_not_have_are_kept_and_logged(
    store: ChunkStore, caplog: pytest.LogCaptureFixture
) -> None:
    made = store.create_chunk("Odd.", "banana", "conv-1", -1, None, 7.0)
    for wrong in ("type is 'banana'", "confidence is 7.0", "tokens are -1"):
        assert f"{made.id}: " in caplog.text
        assert wrong in caplog.text
    caplog.clear()
    assert store.get_chunk(made.id) is None
    assert "type is 'banana'" in caplog.text
    assert (store.list_chunks(), store.tag_index, store.get_stats()["total_chunks"]) == ([], {}, 0)
    assert RecallOperation(store).recall("odd").source_chunks == []
    assert store.update_chunk(made.id, type="note", confidence=1)
    assert store.get_chunk(made.id).type == "note"


def test_a_type_with_sections_and_an_episode_keep_what_they_say(
    store: ChunkStore, remember: Callable[..., str], root: Path, caplog: pytest.LogCaptureFixture
) -> None:
    sections = "## Intent\n\n- goal: Tea\n\n## Outcome\n\n- success: true\n"
    for type, text, said in (
        ("work", sections, "would lose sections that a work has"),
        ("episodic", "It rained.", "written once"),
    ):
        path = root / remember(text, f"memory_of_type_{type}", type=type)
        before = path.read_bytes()
        (id,) = [id for id in store.list_chunks() if store.peek(id).content.strip() == text.strip()]
        assert store.update_chunk(id, content="Just text.") is None
        assert said in caplog.text
        assert path.read_bytes() == before
    for change in ({"type": "decision"}, {"confidence": 0.1}):
        assert store.update_chunk(id, **change) is None
    assert path.read_bytes() == before
    assert store.update_chunk(id, tags=["rain"]).tags == ["rain"]


def test_one_tag_no_type_and_times_to_the_second(create: Create, store: ChunkStore) -> None:
    made = create("We decided on tables.", tags="abc", chunk_type=None)
    assert (made.tags, made.type) == (["abc"], "decision")
    assert store.list_chunks(tags="abc") == [made.id]  # type: ignore[arg-type]
    assert store.update_chunk(made.id, type=None, tags="def").tags == ["def"]
    assert store.peek(made.id).type == "decision"
    with store.batch():
        assert store.get_chunk(made.id).metadata.access_count == 1
    assert store.get_chunk(made.id).metadata.last_accessed == store.peek(made.id).metadata.last_accessed


@pytest.mark.parametrize("inner", ["brain", "brain/memory", "brain/memory/allmemories"])
def test_a_vault_is_one_from_its_root_and_from_within(
    tmp_path: Path, mdmem: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, inner: str
) -> None:
    mdmem("init", tmp_path / "p", "--memories", "brain/memory/allmemories", "--no-examples", "--no-hooks")
    (tmp_path / "p/brain/memory/allmemories/by_hand_of_ada.md").write_text("Written by hand.\n")
    outside = mdmem("--vault", tmp_path / "p", "list", "--json").out
    monkeypatch.chdir(tmp_path / "p" / inner)
    assert mdmem("list", "--json").out == outside
    if inner == "brain/memory":
        assert mdmem("--vault", ".", "list", "--json").out == outside
    assert not list((tmp_path / "p/brain").rglob(".mdmem"))


def test_a_note_that_became_a_link_is_none(
    create: Create, store: ChunkStore, root: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    made = create("Linked soon.")
    (place,) = (root / "allmemories").iterdir()
    (tmp_path / "elsewhere.md").write_bytes(place.read_bytes())
    place.unlink()
    place.symlink_to(tmp_path / "elsewhere.md")
    assert store.get_chunk(made.id) is None
    assert "symbolic link" in caplog.text
    assert store.update_chunk(made.id, confidence=0.1) is None
    assert store.delete_chunk(made.id) is False
    assert store.list_chunks() == []


def test_a_note_edited_by_hand_is_what_counts(create: Create, store: ChunkStore, root: Path) -> None:
    made = create("User prefers tables.")
    place = root / "allmemories/user_prefers_tables.md"
    place.write_text(place.read_text().replace("prefers tables.", "prefers lists."))
    assert store.get_chunk(made.id).content == "User prefers lists."
    (root / "allmemories/written_by_hand.md").write_text("Written in an editor.\n")
    assert len(store.list_chunks()) == 2


def test_stores_see_each_other(root: Path, store: ChunkStore, create: Create) -> None:
    with ChunkStore(root) as other:
        made = create("Said by the first.")
        assert other.get_chunk(made.id).content == "Said by the first."
        theirs = other.create_chunk("Said by the other.", "note", "conv-1", 4)
        assert store.list_chunks() == [made.id, theirs.id]
        other.delete_chunk(made.id)
        assert store.get_chunk(made.id) is None
        other.update_chunk(theirs.id, content="Said again.")
        assert store.get_chunk(theirs.id).content == "Said again."


def test_threads_may_share_a_store(store: ChunkStore, create: Create) -> None:
    threads = [threading.Thread(target=create, args=(f"Thread number {n} writes.",)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(store.list_chunks()) == 8


def test_lists_are_filtered(create: Create, store: ChunkStore) -> None:
    one = create("One.", "conv-1", tags=["a", "b"])
    two = create("Two.", "conv-2", tags=["a"])
    assert store.list_chunks() == [one.id, two.id]
    assert store.list_chunks(conversation_id="conv-2") == [two.id]
    assert store.list_chunks(tags=["a", "b"]) == [one.id]
    naive = datetime.fromisoformat(two.metadata.created).replace(tzinfo=None)
    assert store.list_chunks(created_after=naive) == [two.id]
    assert store.list_chunks(created_before=naive - timedelta(microseconds=1)) == [one.id]
    assert store.list_chunks(created_after=NOW - timedelta(days=1), created_before=NOW.astimezone(UTC)) != [two.id]


def test_indexes_are_views(create: Create, store: ChunkStore) -> None:
    one, two = create("One.", tags=["a"]), create("Two.", tags=["a"])
    assert store.metadata_index.get_all_keys() == [one.id, two.id]
    assert store.metadata_index.get(one.id) == {
        "type": "preference",
        "conversation_id": "conv-1",
        "created": one.metadata.created,
        "confidence": 0.7,
    }
    assert store.tag_index.get_list("a") == [one.id, two.id]
    assert store.tag_index.get_list("none") == []
    assert store.link_graph[two.id]["follows"] == [one.id]
    store.update_chunk(one.id, type="fact", confidence=0.1)
    assert store.metadata_index[one.id]["type"] == "fact"
    store.delete_chunk(two.id)
    assert store.tag_index.get_list("a") == [one.id]


def test_stats(create: Create, store: ChunkStore) -> None:
    create()
    store.delete_chunk(create().id)
    assert store.get_stats() == {
        "total_chunks": 1,
        "archived_chunks": 1,
        "by_type": {"preference": 1},
        "storage_path": str(store.base_path),
    }


# -- changing ------------------------------------------------------------------------------------------------


def test_an_update_changes_only_what_it_names(create: Create, store: ChunkStore, root: Path) -> None:
    made = create("User prefers tables.", tags=["a"])
    place = root / "allmemories/user_prefers_tables.md"
    place.write_text(place.read_text().replace("category: past", "category: past # as ever\nmood: fine"))
    updated = store.update_chunk(made.id, type="fact", tags=["b"], confidence=0.2, tokens=77, nonsense=1)
    assert updated
    assert (updated.type, updated.tags, updated.metadata.confidence) == ("fact", ["b"], 0.2)
    assert updated.tokens != 77  # tokens count only together with content
    assert "category: past # as ever\nmood: fine\n" in place.read_text()
    again = store.update_chunk(made.id, content="User prefers lists.", tokens=77)
    assert again
    assert (again.content, again.tokens, again.metadata.created) == (
        "User prefers lists.",
        77,
        made.metadata.created,
    )
    assert "title:" not in place.read_text()


def test_an_update_of_nothing_is_no_commit(
    create: Create, store: ChunkStore, root: Path, git: Callable[..., str]
) -> None:
    made = create()
    head = git(root, "rev-parse", "HEAD")
    assert store.update_chunk(made.id, nonsense=1) == made
    assert store.update_chunk(made.id, type="preference") == made
    assert git(root, "rev-parse", "HEAD") == head


def test_manual_links_are_properties(create: Create, store: ChunkStore, root: Path) -> None:
    one, two, three = create("First one said."), create("Second one said."), create("Third one said.", "conv-2")
    links = store.get_chunk(two.id).links
    assert (links.context_of, links.follows) == ([one.id], [one.id])
    links.supports.append(three.id)
    links.contradicts.append("chunk-2026-01-01-x9y8z7w6")
    updated = store.update_chunk(two.id, links=links)
    assert updated
    assert updated.links == links
    text = (root / "allmemories/second_one_said.md").read_text()
    assert '  - "[[third_one_said]]"' in text
    assert "first_one_said" not in text  # what is computed is not written
    less = store.update_chunk(two.id, links={"supports": [], "contradicts": []})
    assert less
    assert (less.links.supports, less.links.contradicts, less.links.context_of) == ([], [], [one.id])
    assert "third_one_said" not in (root / "allmemories/second_one_said.md").read_text()


def test_links_given_at_creation(create: Create, store: ChunkStore) -> None:
    one = create("First one said.", "conv-1")
    two = create("Second one said.", "conv-2", links=ChunkLinks(supports=[one.id], follows=[one.id]))
    assert (two.links.supports, two.links.follows, two.links.context_of) == ([one.id], [one.id], [])


def test_links_to_what_is_no_chunk_are_written_once(
    create: Create, store: ChunkStore, root: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Nobody sees them, so nobody would notice that each update adds them again."""
    made = create("First one said.")
    for confidence in (0.1, 0.2, 0.3):
        links = {"supports": ["conv-1", "a]]b", "x\ny", "../z"]}
        assert store.update_chunk(made.id, links=links, confidence=confidence).links.supports == []
    text = (root / "allmemories/first_one_said.md").read_text()
    assert text.count("conv-1]]") == 1
    assert "]]b" not in text
    assert "a]]b" in caplog.text


def test_links_to_what_is_no_chunk_stay(create: Create, store: ChunkStore, root: Path) -> None:
    made, other = create("First one said."), create("Other one said.", "conv-2")
    place = root / "allmemories/first_one_said.md"
    place.write_text(
        place.read_text().replace("category: past", 'category: past\nsupports: ["[[not_yet_written]]"]')
    )
    store.update_chunk(made.id, links=ChunkLinks(supports=[other.id]))
    assert "[[not_yet_written]]" in place.read_text()
    assert "[[other_one_said]]" in place.read_text()


def test_parts_of_a_long_memory(store: ChunkStore, remember: Callable[..., str], root: Path) -> None:
    paragraphs = [f"Paragraph {n} is a usual one. " + "word " * 400 for n in range(4)]
    path = remember("\n\n".join(paragraphs), name="a_long_memory", type="fact")
    ids = store.list_chunks()
    assert len(ids) > 1
    assert all(store.get_chunk(id) for id in ids)
    changed = store.update_chunk(ids[1], content="Something else entirely.", confidence=0.1)
    body = (root / path).read_text()
    assert "Something else entirely." in body
    assert "Paragraph 0" in body
    assert "confidence: 0.1" in body
    assert changed is None or changed.content
    assert store.delete_chunk(store.list_chunks()[-1])
    assert not (root / path).exists()


# -- deleting ------------------------------------------------------------------------------------------------


def test_a_deletion_can_be_recovered(
    create: Create, store: ChunkStore, root: Path, git: Callable[..., str]
) -> None:
    made = create("Deleted by accident.", tags=["a"])
    assert store.delete_chunk(made.id)
    assert "Memory-Action: delete" in git(root, "log", "-1", "--format=%b")
    back = store.restore_chunk(made.id)
    assert back == made
    assert store.list_chunks() == [made.id]
    assert store.restore_chunk(made.id) is None  # it is there


def test_a_permanent_deletion_is_final_for_programs(
    create: Create, store: ChunkStore, root: Path, mdmem: Callable[..., Any]
) -> None:
    made = create("Deleted for good.")
    assert store.delete_chunk(made.id, permanent=True)
    assert store.restore_chunk(made.id) is None
    assert store.get_stats()["archived_chunks"] == 0
    assert "Deleted for good" in mdmem("trash", "--json", "--vault", root).out  # git still knows it


def test_deletion_policy_never_refuses(
    create: Create, store: ChunkStore, root: Path, caplog: pytest.LogCaptureFixture
) -> None:
    made = create("Never delete me.")
    place = root / "allmemories/never_delete_me.md"
    place.write_text(place.read_text().replace("category: past", "category: past\ndeletion_policy: never"))
    assert not store.delete_chunk(made.id)
    assert not store.delete_chunk(made.id, permanent=True)
    assert "deletion_policy" in caplog.text
    assert store.get_chunk(made.id)


def test_a_restored_name_that_is_in_use_again(create: Create, store: ChunkStore) -> None:
    made = create("The very same text.")
    store.delete_chunk(made.id)
    create("The very same text.")
    assert store.restore_chunk(made.id) is None


def test_the_mirror_follows_where_it_is_wanted(root: Path, clock: Callable[[], datetime]) -> None:
    (root / "mdmem.toml").write_text('id = "test"\n[mirror]\nenabled = true\n')
    with ChunkStore(root, clock=clock) as store:
        kept, gone, lost = (store.create_chunk(f"Number {n}.", "note", "conv-1", 3).id for n in range(3))
        store.delete_chunk(gone)
        store.delete_chunk(lost, permanent=True)
        places = [path.name for path in store.chunks_path.glob("*/*.json")]
        assert places == [f"{kept}.json"]
        assert [path.name for path in store.archive_path.glob("*.json")] == [f"{gone}.json"]
        assert (store.index_path / "link_graph.json").exists()
        assert Chunk.from_json(next(store.chunks_path.glob("*/*.json")).read_text()) == store.peek(kept)
        assert store.restore_chunk(gone)
        assert list(store.archive_path.glob("*.json")) == []


# -- batches -------------------------------------------------------------------------------------------------


def test_a_batch_is_one_commit(create: Create, store: ChunkStore, root: Path, git: Callable[..., str]) -> None:
    before = int(git(root, "rev-list", "--count", "HEAD"))
    with store.batch():
        made = [create(f"Number {n} of them.") for n in range(5)]
        assert store.get_chunk(made[0].id)
        assert store.get_chunk(made[1].id).links.follows == [made[0].id]
        store.update_chunk(made[2].id, confidence=0.1)
        store.delete_chunk(made[3].id)
        assert store.get_chunk(made[3].id) is None
    assert int(git(root, "rev-list", "--count", "HEAD")) == before + 1
    assert store.list_chunks() == [one.id for one in made if one is not made[3]]


def test_a_batch_may_restore(create: Create, store: ChunkStore, root: Path, git: Callable[..., str]) -> None:
    made, other = create("Deleted by accident."), create("Deleted as well.")
    store.delete_chunk(made.id)
    before = int(git(root, "rev-list", "--count", "HEAD"))
    with store.batch():
        assert store.restore_chunk(made.id).content == made.content
        assert store.delete_chunk(other.id)
        assert not store.delete_chunk(other.id)
    assert int(git(root, "rev-list", "--count", "HEAD")) == before + 1
    assert store.list_chunks() == [made.id]


def test_a_batch_that_fails_wrote_nothing(create: Create, store: ChunkStore, root: Path) -> None:
    kept = create("Kept as it is.")

    def fail() -> None:
        with store.batch():
            create("Never written.")
            raise RuntimeError("stop")

    with pytest.raises(RuntimeError):
        fail()
    assert store.list_chunks() == [kept.id]
    assert [path.stem for path in (root / "allmemories").iterdir()] == ["kept_as_it_is"]


def test_a_write_reads_no_other_note(create: Create, store: ChunkStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many chunks there are: neither a write nor a read looks at all of them."""
    made = create()

    def refuse(*_: object) -> None:
        raise AssertionError("all notes were looked at")

    monkeypatch.setattr(type(store.vault.index), "marks", refuse)
    again = create()
    assert store.get_chunk(made.id)
    store.update_chunk(again.id, content="Other words.")
    store.delete_chunk(made.id)
    assert store.get_chunk(again.id)


# -- opening -------------------------------------------------------------------------------------------------


def test_a_plain_folder_becomes_a_vault(tmp_path: Path) -> None:
    with init_storage(str(tmp_path / "brain/memory")) as store:
        made = store.create_chunk("A first memory.", "fact", "conv-1", 3)
    with Vault.open(str(tmp_path / "brain/memory")) as vault:
        assert vault.index.count() == 1
    with ChunkStore(tmp_path / "brain/memory") as again:
        assert again.list_chunks() == [made.id]
        assert again.base_path == tmp_path / "brain/memory"


def test_a_store_within_the_folder_of_another_is_refused(tmp_path: Path) -> None:
    """Each would take the memories of the inner one for its own."""
    with ChunkStore(tmp_path / "outer"), pytest.raises(MdmemError, match="lies in the vault"):
        ChunkStore(tmp_path / "outer/inner")


@pytest.mark.parametrize("inner", ["allmemories", "allmemories/2026/02"])
def test_a_folder_of_memories_is_their_vault(create: Create, root: Path, inner: str) -> None:
    """Else a vault within it would have its own AGENTS.md taken for a memory of the outer one."""
    made = create()
    (root / inner).mkdir(parents=True, exist_ok=True)
    with ChunkStore(root / inner) as store:
        assert store.vault.root == str(root)
        assert store.list_chunks() == [made.id]


@pytest.mark.parametrize("inner", ["", "within/it"])
def test_what_cannot_be_a_vault_is_told(tmp_path: Path, inner: str) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(MdmemError, match="cannot be made a vault"):
        ChunkStore(tmp_path / "file" / inner)
    assert [place.name for place in tmp_path.iterdir()] == ["file"]


def test_an_old_tree_opened_in_place(
    tmp_path: Path, mdmem: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`memories = "brain/memory/allmemories"`: the folder that programs name is within the vault."""
    mdmem("init", tmp_path, "--memories", "brain/memory/allmemories", "--no-examples")
    monkeypatch.chdir(tmp_path)
    with ChunkStore() as store:
        assert store.vault.root == str(tmp_path)
        store.create_chunk("A first memory.", "fact", "conv-1", 3)
    assert len(list((tmp_path / "brain/memory/allmemories").iterdir())) == 1


def test_every_operation_is_logged(create: Create, store: ChunkStore, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "mdmem.chunks")
    id = create().id
    store.get_chunk(id)
    store.list_chunks()
    store.update_chunk(id, confidence=1)
    store.delete_chunk(id)
    store.restore_chunk(id)
    said = [record.getMessage().split()[0] for record in caplog.records]
    assert [
        word for word in said if word in ("created", "retrieved", "listed", "updated", "deleted", "restored")
    ] == [*("created", "retrieved", "listed", "updated", "deleted", "restored")]
