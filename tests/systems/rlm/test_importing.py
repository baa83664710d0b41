"""Chunk trees taken in: nothing that can be read is lost, nothing that cannot stops the rest, twice is once."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable
from datetime import UTC, timedelta
from pathlib import Path
from typing import Any

import pytest

from mdmem.store.operation import Caller
from mdmem.store.progress import silent
from mdmem.store.vault import starter
from mdmem.store.vault.vault import Vault
from mdmem.systems.compat.chunks import Chunk, ChunkLinks, ChunkMetadata, ChunkStore
from mdmem.systems.rlm import importing, mirror
from tests.conftest import NOW

DOCUMENT = {
    "id": "chunk-2026-02-10-a1b2c3d4",
    "content": "User decided to use RLM architecture instead of RAG...",
    "tokens": 145,
    "type": "decision",
    "metadata": {
        "created": "2026-02-10T21:37:00Z",
        "conversation_id": "conv-abc123",
        "source": "interaction",
        "confidence": 0.95,
        "access_count": 3,
        "last_accessed": "2026-02-10T22:15:00Z",
    },
    "links": {
        "context_of": ["conv-abc123"],
        "follows": ["chunk-2026-02-10-x9y8z7w6"],
        "related_to": ["chunk-2026-02-09-p4q5r6s7"],
        "supports": [],
        "contradicts": [],
    },
    "tags": ["architecture", "rlm", "decision"],
}


def chunk(id: str = "chunk-2026-02-10-abc123", content: str = "Tables, please.", **more: Any) -> dict[str, Any]:
    metadata = {"created": "2026-02-10T10:00:00Z", "conversation_id": "conv-1", **more.pop("metadata", {})}
    required = {"id": id, "content": content, "tokens": 4, "type": "preference", "links": {}}
    return {**required, "metadata": metadata, **more}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return tmp_path / "brain/memory"


@pytest.fixture
def put(tree: Path) -> Callable[..., None]:
    """Write a file of the tree: a chunk, or any text or bytes."""

    def write(data: Any, name: str = "", folder: str = "chunks/2026-02") -> None:
        name = name or f"{data['id']}.json"
        place = tree / folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(data, bytes):
            place.write_bytes(data)
        else:
            place.write_text(data if isinstance(data, str) else json.dumps(data, indent=2))

    return write


def take_in(vault: Vault, tree: Path) -> importing.ChunkIntake:
    planned = importing.plan(vault, str(tree), silent)
    importing.write(vault, planned, Caller(NOW))
    return planned


def chunks(root: Path | str) -> dict[str, Chunk]:
    with ChunkStore(root) as store:
        store.list_chunks()
        nodes = store._view.nodes()  # also of the chunks that the store does not read
        return {node.id: store._chunk(store._find(node.id)) for node in nodes}  # type: ignore[misc]


def test_the_example_of_the_document(vault: Vault, tree: Path, put: Callable[..., None]) -> None:
    """Odd ids included. A conversation is no chunk: what it stood for is computed."""
    put(DOCUMENT)
    put(chunk("chunk-2026-02-10-x9y8z7w6", "Said before.", metadata={"conversation_id": "conv-abc123"}))
    assert take_in(vault, tree).problems == ()
    found = chunks(vault.root)[DOCUMENT["id"]]
    expected = json.loads(json.dumps(DOCUMENT))
    expected["links"]["context_of"] = ["chunk-2026-02-10-x9y8z7w6"]
    assert found.to_dict() == expected


def test_what_goes_in_comes_out(vault: Vault, tree: Path, put: Callable[..., None]) -> None:
    given = chunk(content=" odd\r\n", tokens=99999, type="odd", tags=["#a", "a"], links={"supports": ["chunk-x"]})
    given["metadata"] |= {"source": "magic", "confidence": 7.5, "created": "2026-02-10T10:00:00.123456Z"}
    given["metadata"] |= {"access_count": 41, "last_accessed": "2026-02-11T00:00:00Z"}
    put(given)
    take_in(vault, tree)
    assert chunks(vault.root)[given["id"]].to_dict() == Chunk.from_dict(given).to_dict()


def test_values_that_the_schema_does_not_have_are_taken_in_told_and_not_read(
    vault: Vault, tree: Path, put: Callable[..., None]
) -> None:
    odd = chunk(type="banana", metadata={"confidence": 7.0})
    del odd["links"]
    put(odd)
    told = [(one.severity, one.message) for one in take_in(vault, tree).problems]
    assert {severity for severity, _ in told} == {"warning"}
    for wrong in ("no links", "type is 'banana'", "metadata.confidence is 7.0"):
        assert any(wrong in message for _, message in told)
    with ChunkStore(vault.root) as store:
        assert store.list_chunks() == []
        assert store.get_chunk(odd["id"]) is None
        assert store.update_chunk(odd["id"], type="fact", confidence=0.7)
        assert store.get_chunk(odd["id"]).type == "fact"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("created", "expected"),
    [
        ("2026-02-10T10:00:00", "2026-02-10T10:00:00Z"),
        ("2026-02-10T10:00:00.5", "2026-02-10T10:00:00.500000Z"),
        ("2026-02-10T10:00:00+02:00", "2026-02-10T08:00:00Z"),
        ("2026-02-10 10:00", "2026-02-10T10:00:00Z"),
        (1770717600, "2026-02-10T10:00:00Z"),
        (1770717600500, "2026-02-10T10:00:00.500000Z"),
        (20260210, "1970-08-23T11:50:10Z"),
    ],
)
def test_dates_without_a_zone_are_utc(
    vault: Vault, tree: Path, put: Callable[..., None], created: str | int, expected: str
) -> None:
    """And numbers Unix time, in milliseconds from 1e11 on."""
    put(chunk(metadata={"created": created}))
    take_in(vault, tree)
    (found,) = chunks(vault.root).values()
    assert found.metadata.created == expected


def test_the_archive_is_in_the_trash(
    vault: Vault, tree: Path, put: Callable[..., None], git: Callable[..., str]
) -> None:
    put(chunk(content="Living still."))
    put(
        chunk("chunk-2026-02-10-gone00", "Deleted long ago.", links={"supports": ["chunk-2026-02-10-abc123"]}),
        folder="archive",
    )
    before = int(git(vault.root, "rev-list", "--count", "HEAD"))
    take_in(vault, tree)
    assert int(git(vault.root, "rev-list", "--count", "HEAD")) == before + 2
    assert list(chunks(vault.root)) == ["chunk-2026-02-10-abc123"]
    with ChunkStore(vault.root) as store:
        assert store.get_stats()["archived_chunks"] == 1
        back = store.restore_chunk("chunk-2026-02-10-gone00")
        assert back
        assert (back.content, back.links.supports) == ("Deleted long ago.", ["chunk-2026-02-10-abc123"])


def test_links_to_the_archive_stay(vault: Vault, tree: Path, put: Callable[..., None]) -> None:
    gone = chunk("chunk-2026-02-10-gone00", "Deleted long ago.", metadata={"conversation_id": "conv-2"})
    put(chunk(links={"contradicts": [gone["id"]]}))
    put(gone, folder="archive")
    take_in(vault, tree)
    assert chunks(vault.root)["chunk-2026-02-10-abc123"].links.contradicts == [gone["id"]]


def test_twice_is_once(vault: Vault, tree: Path, put: Callable[..., None], git: Callable[..., str]) -> None:
    put(DOCUMENT)
    put(chunk())
    put(chunk("chunk-2026-02-10-gone00", "Deleted long ago."), folder="archive")
    take_in(vault, tree)
    with ChunkStore(vault.root) as store:
        store.get_chunk(DOCUMENT["id"])  # one more use, which a second import must not take back
    head = git(vault.root, "rev-parse", "HEAD")
    again = take_in(vault, tree)
    assert (len(again.items), len(again.known), again.problems) == (0, 3, ())
    assert git(vault.root, "rev-parse", "HEAD") == head
    assert chunks(vault.root)[DOCUMENT["id"]].metadata.access_count == 4


@pytest.mark.parametrize("permanent", [False, True])
@pytest.mark.parametrize("folder", ["chunks/2026-02", "archive"])
def test_what_was_deleted_since_stays_deleted(
    vault: Vault, tree: Path, put: Callable[..., None], permanent: bool, folder: str
) -> None:
    put(chunk(), folder=folder)
    take_in(vault, tree)
    with ChunkStore(vault.root) as store:
        store.restore_chunk("chunk-2026-02-10-abc123")
        store.delete_chunk("chunk-2026-02-10-abc123", permanent)
    again = take_in(vault, tree)
    assert again.items == ()
    assert ["deleted in the vault" in problem.message for problem in again.problems] == [True] * (
        folder != "archive"
    )
    assert {problem.severity for problem in again.problems} <= {"warning"}
    assert chunks(vault.root) == {}


def test_what_was_restored_since_stays(vault: Vault, tree: Path, put: Callable[..., None]) -> None:
    put(chunk(), folder="archive")
    put("{}", "broken.json")
    take_in(vault, tree)
    with ChunkStore(vault.root) as store:
        assert store.restore_chunk("chunk-2026-02-10-abc123")
    problem, _ = take_in(vault, tree).problems
    assert (problem.severity, "is active in the vault" in problem.message) == ("warning", True)
    assert len(chunks(vault.root)) == 1


def test_what_was_archived_since_lives_on(
    vault: Vault, tree: Path, put: Callable[..., None], git: Callable[..., str]
) -> None:
    """A person may have come to need it, or have edited it just now: nothing is deleted without a word."""
    put(chunk())
    take_in(vault, tree)
    head = git(vault.root, "rev-parse", "HEAD")
    (tree / "archive").mkdir()
    (tree / "chunks/2026-02/chunk-2026-02-10-abc123.json").rename(tree / "archive/chunk-2026-02-10-abc123.json")
    (problem,) = take_in(vault, tree).problems
    assert (problem.severity, "is active in the vault" in problem.message) == ("warning", True)
    assert git(vault.root, "rev-parse", "HEAD") == head
    assert len(chunks(vault.root)) == 1


@pytest.mark.parametrize("is_edited", [False, True])
def test_an_import_that_broke_off_is_finished_but_spares_what_was_edited(
    vault: Vault, tree: Path, put: Callable[..., None], is_edited: bool
) -> None:
    """Between its two commits: what is archived there would live on here."""
    put(chunk(), folder="archive")
    planned = importing.plan(vault, str(tree), silent)
    with vault.change(Caller(NOW).does("import", "", *planned.trailers)) as tx:
        for item in planned.items:
            tx.write(item.path, item.data)
    place = Path(vault.root, planned.items[0].path)
    if is_edited:
        place.write_text(place.read_text().replace("category: past", "category: past\nmood: mine"))
    assert len(chunks(vault.root)) == 1
    take_in(vault, tree)
    assert place.exists() is is_edited
    assert ("mood: mine" in place.read_text()) if is_edited else chunks(vault.root) == {}


def test_the_same_id_twice(vault: Vault, tree: Path, put: Callable[..., None]) -> None:
    put(chunk())
    put(chunk(), "copy.json")
    put(chunk(content="Lists, please."), "other.json")
    put(chunk("CHUNK-2026-02-10-ABC123", "In capitals."), "third.json")
    planned = take_in(vault, tree)
    assert [problem.path.rpartition("/")[2] for problem in planned.problems] == ["other.json", "third.json"]
    assert {problem.severity for problem in planned.problems} == {"error"}
    assert len(chunks(vault.root)) == 1


def test_the_same_id_with_another_text_in_the_vault(vault: Vault, tree: Path, put: Callable[..., None]) -> None:
    put(chunk())
    take_in(vault, tree)
    put(chunk(content="Lists, please."))
    (problem,) = take_in(vault, tree).problems
    assert "another text" in problem.message
    assert [one.content for one in chunks(vault.root).values()] == ["Tables, please."]


def test_stale_and_broken_indexes_do_no_harm(vault: Vault, tree: Path, put: Callable[..., None]) -> None:
    put(chunk())
    put("{broken", "metadata_index.json", folder="index")
    put({"entries": {"chunk-of-nothing": {}}}, "tag_index.json", folder="index")
    assert take_in(vault, tree).problems == ()
    assert len(chunks(vault.root)) == 1


BROKEN: dict[str, Any] = {
    "truncated": json.dumps(chunk())[:60],
    "null": "null",
    "list": "[]",
    "number": "7",
    "empty": "",
    "nothing": "{}",
    "no content": {key: value for key, value in chunk().items() if key != "content"},
    "no metadata": {key: value for key, value in chunk().items() if key != "metadata"},
    "no created": chunk() | {"metadata": {}},
    "tokens as text": chunk(tokens="4"),
    "content as number": chunk() | {"content": 7},
    "tags as text": chunk(tags="a"),
    "links as list": chunk(links=[]) | {"links": ["x"]},
    "a date of no calendar": chunk(metadata={"created": "2026-02-30"}),
    "a date beyond all": chunk(metadata={"created": "0001-01-01T00:00:00+23:00"}),
    "an id that leads out": chunk("../../etc/passwd"),
    "an id of dots": chunk(".."),
    "an empty id": chunk(""),
    "a long id": chunk("x" * 500),
    "no number": json.dumps(chunk()).replace('"tokens": 4', '"tokens": NaN'),
    "no finite confidence": chunk(metadata={"confidence": float("nan")}),
    "half a sign": chunk(content="\ud83d"),
    "a negative count": chunk(metadata={"access_count": -1}),
    "a count beyond all": chunk(metadata={"access_count": 10**30}),
    "a confidence beyond all": chunk(metadata={"confidence": 10**400}),
    "tokens beyond all": chunk(tokens=10**400),
    "another encoding": json.dumps(chunk(content="é"), ensure_ascii=False).encode("latin-1"),
    "utf-16": json.dumps(chunk()).encode("utf-16"),
    "binary": bytes(range(256)),
    "too deep": "[" * 100_000,
}


def test_unknown_keys_are_named(vault: Vault, tree: Path, put: Callable[..., None]) -> None:
    put(chunk(links={"likes": ["chunk-x"]}, metadata={"author": "me"}) | {"mood": "fine"})
    (problem,) = take_in(vault, tree).problems
    assert (problem.severity, "links.likes, metadata.author, mood" in problem.message) == ("warning", True)
    assert len(chunks(vault.root)) == 1


def test_links_to_what_can_be_no_id_are_named(vault: Vault, tree: Path, put: Callable[..., None]) -> None:
    put(chunk(links={"supports": ["a]]b", "chunk-2026-02-10-other0"], "context_of": ["conv-1"]}))
    (problem,) = take_in(vault, tree).problems
    assert (problem.severity, "'a]]b'" in problem.message) == ("warning", True)
    (found,) = chunks(vault.root).values()
    assert (found.links.supports, found.links.context_of) == (["chunk-2026-02-10-other0"], [])


def test_links_are_not_followed(vault: Vault, tree: Path, put: Callable[..., None], tmp_path: Path) -> None:
    put(chunk())
    (tmp_path / "secret.json").write_text(json.dumps(chunk("chunk-2026-02-10-secret", "Not of this tree.")))
    (tree / "chunks/2026-02/link.json").symlink_to(tmp_path / "secret.json")
    os.mkfifo(tree / "chunks/2026-02/pipe.json")
    (tree / "chunks/elsewhere").symlink_to(tmp_path)
    link, pipe, folder = take_in(vault, tree).problems
    assert (link.path.endswith("link.json"), pipe.path.endswith("pipe.json")) == (True, True)
    assert folder.path.endswith("chunks/elsewhere")
    assert list(chunks(vault.root)) == ["chunk-2026-02-10-abc123"]


# -- a whole store -------------------------------------------------------------------------------------------


def generated(number: int, seed: int = 1) -> list[Chunk]:
    """Chunks as programs make them: conversations, tags, manual links, uses, odd texts, several at an instant."""
    pick = random.Random(seed)
    found: list[Chunk] = []
    for at in range(number):
        created = NOW - timedelta(days=20) + timedelta(seconds=at // 3 * 40, microseconds=pick.choice([0, 0, 123]))
        stamp = created.astimezone(UTC).replace(tzinfo=None).isoformat() + "Z"
        text = f"Number {at} is about thing {at % 7}." + pick.choice(["", "\n\n- a list\n", " é🎉", "\r\n", "  "])
        metadata = ChunkMetadata(
            stamp, pick.choice(["", *(f"conv-{at // 300 if number > 500 else at // 25}",) * 3])
        )
        metadata.source = pick.choice(["interaction", "import", "derived", "magic"])
        metadata.confidence = pick.choice([0.7, 0.0, 1.0, 0.95])
        if pick.random() < 0.2:
            metadata.access_count, metadata.last_accessed = pick.randrange(1, 50), "2026-02-20T10:00:00Z"
        id = f"chunk-{stamp[:10]}-{at:08x}" if at % 5 else f"chunk-{stamp[:10]}-x{at}yzw"
        links = ChunkLinks(supports=[pick.choice(found).id]) if found and pick.random() < 0.2 else ChunkLinks()
        kind = pick.choice(["fact", "preference", "pattern", "note", "decision", "odd"])
        tags = pick.sample([f"tag-{n}" for n in range(8)], pick.randrange(3))
        found.append(Chunk(id, text, pick.choice([8, 12, 4000]), kind, metadata, links, tags))
    return found


def new_vault(folder: Path) -> Path:
    starter.make(str(folder), Caller(NOW), examples=False)
    return folder


def exported(vault: Vault) -> dict[str, bytes]:
    mirror.update(vault)
    places = [*Path(vault.root).glob("chunks/*/*.json"), *Path(vault.root).glob("archive/*.json")]
    return {str(place.relative_to(vault.root)): place.read_bytes() for place in places}


@pytest.mark.parametrize(("number", "seed"), [(250, 1), (60, 2)])
def test_export_then_import_is_the_identity(
    tmp_path: Path, put: Callable[..., None], tree: Path, number: int, seed: int
) -> None:
    """Every byte of every chunk and of the archive. In the large store no tag and no conversation is linked as a
    whole, so that what is written and what is computed could differ.
    """
    for at, one in enumerate(generated(number, seed)):
        put(one.to_json(), f"{one.id}.json", "archive" if at % 20 == 0 else "chunks/2026-02")
    with Vault(str(new_vault(tmp_path / "one"))) as first, Vault(str(new_vault(tmp_path / "two"))) as second:
        planned = take_in(first, tree)
        assert (len(planned.items), {one.code for one in planned.problems}) == (number, {"chunk"})
        export = exported(first)
        assert len(export) == number
        take_in(second, Path(first.root))
        assert exported(second) == export


def test_export_then_import_of_notes(
    vault: Vault, tmp_path: Path, remember: Callable[..., str], git: Callable[..., str]
) -> None:
    """All made in the same second, some of several chunks, some with links of their own, some by hand."""
    for at in range(12):
        more = {"supports": ["[[memory_number_0]]"]} if at % 4 == 1 else {}
        text = f"Paragraph {at} is a usual one. " + "word " * (1500 if at % 3 == 0 else 5)
        remember(text, f"memory_number_{at}", session="conv-1" if at % 2 else "", tags=["a", f"t{at % 3}"], **more)
    place = Path(vault.root, "allmemories/written_by_hand.md")
    place.write_text("Written in an editor, like [[memory_number_1]].\n")
    git(vault.root, "add", place)
    git(vault.root, "commit", "-qm", "by hand")
    with Vault(vault.root) as first, Vault(str(new_vault(tmp_path / "two"))) as second:
        export = exported(first)
        assert len(export) > 13
        assert take_in(second, Path(first.root)).problems == ()
        assert exported(second) == export


def test_a_program_finds_the_chunks_that_lie_where_its_store_is(tree: Path, put: Callable[..., None]) -> None:
    """And the JSON there is kept up to date, but for a file that is not a chunk of this store."""
    put(chunk("chunk-2026-02-10-abcd1234", "First."))
    put(chunk("chunk-2026-02-10-abcd1235", "Deleted."), folder="archive")
    put('{"entries": {}, "lists": {}, "updated": null}', "metadata_index.json", "index")
    with ChunkStore(tree, "agent") as store:
        assert store.list_chunks() == ["chunk-2026-02-10-abcd1234"]
        assert store.get_chunk("chunk-2026-02-10-abcd1234").content == "First."
        made = store.create_chunk("Second.", "fact", "conv-1", 2)
        store.update_chunk("chunk-2026-02-10-abcd1234", content="First, corrected.")
    on_disk = {place.stem: json.loads(place.read_text())["content"] for place in tree.glob("chunks/*/*.json")}
    assert on_disk == {"chunk-2026-02-10-abcd1234": "First, corrected.", made.id: "Second."}
    assert [place.stem for place in tree.glob("archive/*.json")] == ["chunk-2026-02-10-abcd1235"]
    assert made.id in json.loads((tree / "index/metadata_index.json").read_text())["entries"]


def test_a_file_that_was_not_imported_is_not_replaced(
    tree: Path, put: Callable[..., None], caplog: pytest.LogCaptureFixture
) -> None:
    put(chunk("chunk-2026-02-10-abcd1234", "First."))
    put("{broken", "chunk-2026-02-10-abcd1236.json")
    with ChunkStore(tree, "agent") as store:
        assert store.list_chunks() == ["chunk-2026-02-10-abcd1234"]
        store.create_chunk("Second.", "fact", "conv-1", 2)
    assert "abcd1236.json" in caplog.text
    assert (tree / "chunks/2026-02/chunk-2026-02-10-abcd1236.json").read_text() == "{broken"


def test_what_a_program_wrote_survives(tmp_path: Path, put: Callable[..., None], tree: Path) -> None:
    """All fields of all chunks but the links, which have become complete; none of those given is lost."""
    given = {one.id: one for one in generated(150)}
    for one in given.values():
        put(one.to_json(), f"{one.id}.json")
    with Vault(str(new_vault(tmp_path / "one"))) as vault:
        take_in(vault, tree)
    found = chunks(tmp_path / "one")
    assert found.keys() == given.keys()
    for id, one in found.items():
        assert given[id].links.supports == one.links.supports
        one.links = given[id].links
        assert one == given[id]


def test_broken_files_are_named_and_the_rest_taken_in(vault: Vault, tree: Path, put: Callable[..., None]) -> None:
    sound = generated(120)
    for one in sound:
        put(one.to_json(), f"{one.id}.json")
    for at in range(200):
        put(list(BROKEN.values())[at % len(BROKEN)], f"broken-{at}.json")
    planned = take_in(vault, tree)
    errors = {problem.path: problem for problem in planned.problems if problem.severity == "error"}
    assert errors.keys() == {str(tree / f"chunks/2026-02/broken-{at}.json") for at in range(200)}
    assert [one.path for one in planned.problems if one.path in errors] == sorted(errors)
    assert all(problem.message and problem.fix for problem in errors.values())
    assert chunks(vault.root).keys() == {one.id for one in sound}


# -- the command ---------------------------------------------------------------------------------------------


def test_the_command(root: Path, tree: Path, put: Callable[..., None], mdmem: Callable[..., Any]) -> None:
    put(chunk())
    put(chunk("chunk-2026-02-10-gone00", "Deleted long ago."), folder="archive")
    assert (
        mdmem("import", "rlm", tree, "--dry-run", "--vault", root).out
        == "would import 2 chunks, 1 of them archived\n"
    )
    assert mdmem("import", "rlm", tree.parent.parent, "--vault", root).out.startswith(
        "imported 2 chunks, 1 of them archived  ("
    )
    put("null", "broken.json")
    told = json.loads(mdmem("import", "rlm", tree, "--json", "--vault", root, code=1).out)
    assert (told["chunks"], len(told["known"]), len(told["problems"]), told["commit"]) == ([], 2, 1, "")
    assert "deleted_long_ago" in mdmem("trash", "--json", "--vault", root).out


def test_a_person_restores_from_the_archive(
    root: Path, tree: Path, put: Callable[..., None], mdmem: Callable[..., Any]
) -> None:
    put(chunk(content="Deleted long ago."), folder="archive")
    (tree / "chunks").mkdir()
    mdmem("import", "rlm", tree, "--vault", root)
    mdmem("restore", "deleted_long_ago", "--vault", root)
    assert list(chunks(root)) == ["chunk-2026-02-10-abc123"]


def test_a_folder_without_chunks_is_told(vault: Vault, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    folder = str(tmp_path / "elsewhere")
    planned = importing.plan(vault, folder, silent)
    told = [(problem.path.rstrip("/"), problem.message) for problem in planned.problems]
    assert told == [(folder, "holds no folder chunks")]
