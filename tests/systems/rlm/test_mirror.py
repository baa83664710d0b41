"""The JSON mirror says what the notes say, the same bytes whatever the way to it, and touches nothing else."""

from __future__ import annotations

import json
import os
import random
import shutil
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from mdmem.acts.checks import doctor
from mdmem.errors import BusyError, ConflictError, UsageError
from mdmem.note import tokens
from mdmem.store.local import lock, usage
from mdmem.store.vault.vault import Vault
from mdmem.systems.rlm import mirror
from mdmem.systems.rlm.mirror import MirrorManifest
from mdmem.systems.rlm.schema import Chunk
from tests.conftest import NOW

Write = Callable[[str, str | bytes], Path]


def note(body: str, created: str = "2026-02-10T10:00:00Z", **meta: str) -> str:
    lines = "".join(f"{key}: {value}\n" for key, value in {"created": created, **meta}.items())
    return f"---\n{lines}---\n\n{body}\n"


def mirror_of(root: Path, **options: bool) -> mirror.Report:
    with Vault.open(str(root)) as vault:
        return mirror.update(vault, **options)


def tree(root: Path) -> dict[str, bytes]:
    """Every file of the mirror."""
    folders = [root / name for name in mirror.FOLDERS]
    return {
        place.relative_to(root).as_posix(): place.read_bytes()
        for folder in folders
        for place in folder.rglob("*.json")
    }


def chunks(root: Path) -> dict[str, Chunk]:
    """The chunks by their content."""
    found = (Chunk.from_json(text.decode()) for path, text in tree(root).items() if path.startswith("chunks/"))
    return {one.content: one for one in found}


def index(root: Path, name: str) -> dict[str, object]:
    found = json.loads((root / "index" / f"{name}.json").read_text("utf-8"))
    assert list(found) == ["entries", "lists", "updated"]
    return found  # type: ignore[no-any-return]


@pytest.fixture
def filled(root: Path, write: Write, git: Callable[..., str]) -> Path:
    """A vault of four memories, one of them long, committed."""
    write(
        "allmemories/likes_green_tea.md", note("Tea.", session="conv-1", tags="[tea, drinks]", type="preference")
    )
    write("allmemories/bought_tea_pot.md", note("A pot.", "2026-02-10T10:04:00Z", session="conv-1"))
    write("allmemories/drinks_no_coffee.md", note("No.", tags="[drinks]", contradicts='"[[likes_green_tea]]"'))
    write("allmemories/long_tea_story.md", note("\n\n".join("word " * 300 for _ in range(4)), "2026-01-02"))
    git(root, "add", "-A")
    git(root, "commit", "-qm", "notes")
    return root


def test_chunks_are_the_memories(filled: Path) -> None:
    assert mirror_of(filled) == mirror.Report(7, 0, 10, 0)
    found = chunks(filled)
    tea, pot, no = found["Tea."], found["A pot."], found["No."]
    assert (tea.type, tea.tags, tea.metadata.conversation_id) == ("preference", ["tea", "drinks"], "conv-1")
    assert tea.metadata.created == "2026-02-10T10:00:00Z"
    assert (tea.links.context_of, tea.links.follows, tea.links.related_to) == ([pot.id], [], [no.id])
    assert (pot.links.context_of, pot.links.follows) == ([tea.id], [tea.id])
    assert no.links.contradicts == [tea.id]
    assert (filled / f"chunks/2026-02/{tea.id}.json").read_text("utf-8") == tea.to_json() + "\n"
    assert len(list((filled / "chunks/2026-01").iterdir())) == 4


def test_the_indexes_agree_with_the_chunks(filled: Path) -> None:
    mirror_of(filled)
    found = {one.id: one for one in chunks(filled).values()}
    stored = {place.stem for place in (filled / "chunks").rglob("*.json")}
    entries = index(filled, "metadata_index")["entries"]
    assert isinstance(entries, dict)
    assert entries.keys() == stored
    for id, one in found.items():
        assert entries[id] == {
            "type": one.type,
            "conversation_id": one.metadata.conversation_id,
            "created": one.metadata.created,
            "confidence": one.metadata.confidence,
        }
    drinks = [found_id for found_id, one in found.items() if "drinks" in one.tags]
    lists = index(filled, "tag_index")["lists"]
    assert isinstance(lists, dict)
    assert sorted(lists["drinks"]) == sorted(drinks)
    graph = index(filled, "link_graph")["entries"]
    assert isinstance(graph, dict)
    assert graph.keys() == stored
    assert all(graph[id] == one.links.to_dict() for id, one in found.items())
    assert index(filled, "link_graph")["updated"] == "2026-02-10T10:04:00Z"


def test_git_does_not_see_the_mirror_and_no_memory_is_made_of_it(
    filled: Path, git: Callable[..., str], write: Write
) -> None:
    write("mdmem.toml", 'id = "test"\nmemories = "."\n')
    git(filled, "commit", "-qam", "the whole folder")
    mirror_of(filled)
    assert git(filled, "status", "--porcelain") == ""
    with Vault.open(str(filled)) as vault:
        assert vault.index.count() == 4


@pytest.mark.parametrize(
    "lost", [["chunks", "index", "archive"], [".mdmem"], ["chunks", "index", "archive", ".mdmem"]]
)
def test_what_was_deleted_comes_back_byte_for_byte(filled: Path, lost: tuple[str, ...]) -> None:
    (filled / "allmemories/likes_green_tea.md").unlink()
    mirror_of(filled)
    before = tree(filled)
    assert any(path.startswith("archive/") for path in before)
    for name in lost:
        shutil.rmtree(filled / name)
    mirror_of(filled)
    assert tree(filled) == before
    mirror_of(filled, full=True)
    assert tree(filled) == before


def test_a_change_rewrites_only_what_depends_on_it(filled: Path, write: Write) -> None:
    mirror_of(filled)
    before = {path: (filled / path).stat().st_ino for path in tree(filled)}
    write("allmemories/bought_tea_pot.md", note("Two pots.", "2026-02-10T10:04:00Z", session="conv-1"))
    assert mirror_of(filled).written == 1
    after = {path: (filled / path).stat().st_ino for path in tree(filled)}
    assert [path for path in after if after[path] != before[path]] == [
        path for path in after if "Two pots." in tree(filled)[path].decode()
    ]
    assert mirror_of(filled) == mirror.Report(7, 0, 0, 0)


def test_the_link_graph_is_left_alone_while_no_link_is_another(filled: Path, write: Write) -> None:
    """It is by far the largest file; a tag that nobody else has, and how sure a note is, link nothing."""
    mirror_of(filled)
    meta = {"session": "conv-1", "tags": "[pots]"}
    write("allmemories/bought_tea_pot.md", note("A pot.", "2026-02-10T10:04:00Z", confidence="0.25", **meta))
    assert mirror_of(filled).written == 3
    write("allmemories/bought_tea_pot.md", note("A pot.", "2026-02-10T10:03:00Z", **meta))
    mirror_of(filled)
    assert index(filled, "link_graph")["updated"] == "2026-02-10T10:03:00Z"
    written = tree(filled)
    mirror_of(filled, full=True)
    assert tree(filled) == written


def test_neighbours_follow_a_change(filled: Path, write: Write) -> None:
    mirror_of(filled)
    write("allmemories/bought_tea_pot.md", note("A pot.", "2026-02-10T10:04:00Z", tags="[drinks]"))
    mirror_of(filled)
    found = chunks(filled)
    assert found["Tea."].links.context_of == []
    assert set(found["Tea."].links.related_to) == {found["A pot."].id, found["No."].id}


def test_a_rename_keeps_the_chunk_and_links_follow(filled: Path) -> None:
    mirror_of(filled)
    data = (filled / "allmemories/drinks_no_coffee.md").read_text()
    (filled / "allmemories/drinks_no_coffee.md").write_text(data.replace("likes_green_tea", "loves_green_tea"))
    mirror_of(filled)
    assert chunks(filled)["No."].links.contradicts == []
    (filled / "allmemories/likes_green_tea.md").rename(filled / "allmemories/loves_green_tea.md")
    mirror_of(filled)
    assert chunks(filled)["No."].links.contradicts == [chunks(filled)["Tea."].id]


def test_deleted_memories_are_archived_and_come_back(vault: Vault, remember: Callable[..., str]) -> None:
    path = remember("Tea is green here.", tags=["tea"], session="conv-1")
    mirror.update(vault)
    (kept,) = chunks(Path(vault.root)).values()
    (Path(vault.root) / path).unlink()
    vault.close()
    assert mirror_of(Path(vault.root)) == mirror.Report(0, 1, 4, 1)
    archived = Path(vault.root) / f"archive/{kept.id}.json"
    assert Chunk.from_json(archived.read_text("utf-8")) == kept
    assert not (Path(vault.root) / "chunks/2026-03").exists()
    with Vault.open(vault.root) as again:
        again.repo.run("checkout", "--", path)
    assert mirror_of(Path(vault.root)).archived == 0
    assert not archived.exists()


def archived(root: Path) -> list[Chunk]:
    return [Chunk.from_json(text.decode()) for path, text in tree(root).items() if path.startswith("archive/")]


def test_a_deleted_copy_keeps_to_itself(filled: Path, write: Write, git: Callable[..., str]) -> None:
    """Copies have the id of their original: none of their chunks may stand for another's, nor count its uses."""
    for name, words in {"first_copy_here": 900, "second_copy_here": 2100, "third_copy_here": 1}.items():
        write(f"allmemories/{name}.md", note(f"{name} " * words, id="same"))
    git(filled, "add", "-A")
    git(filled, "commit", "-qm", "copies")
    for name in ("first_copy_here", "second_copy_here"):
        git(filled, "rm", "-q", f"allmemories/{name}.md")
        git(filled, "commit", "-qm", "gone")
    mirror_of(filled)
    found = archived(filled)
    living = {one.id for one in chunks(filled).values()}
    assert not living & {one.id for one in found}
    for name, words in {"first_copy_here": 900, "second_copy_here": 2100}.items():
        assert sum(one.content.count(name) for one in found) == words
    usage.add(str(filled), ["same"], NOW)
    mirror_of(filled)
    assert {one.metadata.access_count for one in archived(filled)} == {0}
    with Vault.open(str(filled)) as vault:
        assert mirror.stale(vault) == []


def test_a_chunk_keeps_its_id_when_it_is_archived(filled: Path, git: Callable[..., str]) -> None:
    """Also where its day is that of its first commit, and the name is given to a memory of another past."""
    folder = filled / "allmemories"

    def commit(day: int) -> None:
        date = f"2026-02-{day:02}T10:00:00Z"
        git(filled, "add", "-A")
        git(filled, "commit", "-qm", "step", GIT_COMMITTER_DATE=date, GIT_AUTHOR_DATE=date)

    (folder / "bought_tea_pot.md").write_text("---\nid: pot\n---\nA pot, mentioned first.\n")
    commit(1)
    (folder / "white_tea_pot.md").write_text("---\nid: white\n---\nIt is white.\n")
    commit(2)
    (folder / "white_tea_pot.md").rename(folder / "whiter_tea_pot.md")
    commit(3)
    mirror_of(filled)
    white = chunks(filled)["It is white."]
    assert white.metadata.created == "2026-02-02T10:00:00Z"
    (folder / "whiter_tea_pot.md").unlink()
    commit(4)
    mirror_of(filled)
    assert archived(filled) == [white]
    (folder / "bought_tea_pot.md").rename(folder / "whiter_tea_pot.md")
    commit(5)
    mirror_of(filled, full=True)
    assert [one for one in archived(filled) if one.content == "It is white."] == [white]


def test_the_archive_follows_what_is_deleted_and_not_committed(filled: Path, git: Callable[..., str]) -> None:
    """The same file is gone before and after, but what it said last is another text."""
    place = filled / "allmemories/bought_tea_pot.md"
    place.write_text(note("Two pots.", "2026-02-10T10:04:00Z"))
    git(filled, "commit", "-qam", "edit")
    place.unlink()
    mirror_of(filled)
    assert [one.content for one in archived(filled)] == ["Two pots."]
    git(filled, "reset", "-q", "--soft", "HEAD~1")
    mirror_of(filled)
    assert [one.content for one in archived(filled)] == ["A pot."]


def test_the_archive_follows_what_is_deleted_and_brought_back(
    filled: Path, write: Write, git: Callable[..., str]
) -> None:
    git(filled, "rm", "-q", "allmemories/drinks_no_coffee.md")
    git(filled, "commit", "-qm", "gone")
    mirror_of(filled)
    assert archived(filled)[0].links.contradicts == [chunks(filled)["Tea."].id]
    write("allmemories/one_more_note.md", note("More."))
    write("allmemories/bought_tea_pot.md", note("Two pots.", "2026-02-10T10:04:00Z"))
    git(filled, "add", "-A")
    git(filled, "commit", "-qm", "more")
    mirror_of(filled)
    (filled / "allmemories/likes_green_tea.md").rename(filled / "allmemories/loves_green_tea.md")
    git(filled, "add", "-A")
    git(filled, "commit", "-qm", "moved")
    mirror_of(filled)
    assert archived(filled)[0].links.contradicts == []
    git(filled, "checkout", "-q", "HEAD~3", "--", "allmemories/drinks_no_coffee.md")
    mirror_of(filled)
    assert archived(filled) == []
    with Vault.open(str(filled)) as vault:
        assert mirror.stale(vault) == []


def test_a_note_whose_header_cannot_be_read_is_no_chunk_until_it_can(filled: Path, write: Write) -> None:
    mirror_of(filled)
    before = tree(filled)
    broken = write("allmemories/broken_from_the_start.md", "---\nid: a: b\n---\n\nBroken.\n")
    assert mirror_of(filled).chunks == 7
    place = filled / "allmemories/bought_tea_pot.md"
    sound = place.read_text()
    place.write_text(sound.replace("session: ", "session: a: "))
    assert mirror_of(filled).chunks == 6
    place.write_text(sound)
    broken.unlink()
    mirror_of(filled)
    assert tree(filled) == before


def test_uses_come_from_the_usage_file(filled: Path) -> None:
    """To the microsecond: a use in the same millisecond as what came before it is not before that."""
    mirror_of(filled)
    with Vault.open(str(filled)) as vault:
        record = vault.index.record("allmemories/likes_green_tea.md")
        assert record is not None
        usage.add(vault.root, [record.id], NOW)
        usage.add(vault.root, [record.id], NOW + timedelta(seconds=1, microseconds=7250))
        assert mirror.update(vault).written == 1
    metadata = chunks(filled)["Tea."].metadata
    assert (metadata.access_count, metadata.last_accessed) == (2, "2026-03-01T12:00:01.007250Z")
    with Vault.open(str(filled)) as vault:
        assert mirror.stale(vault) == []


def test_ids_that_collide_are_told_apart(filled: Path, write: Write) -> None:
    """A copied note has the id of its original."""
    write("allmemories/one_more_copy.md", note("One.", chunk_id="chunk-2026-02-08-x9y8z7w6", id="b"))
    write("allmemories/two_more_copies.md", note("Two.", chunk_id="chunk-2026-02-08-X9Y8Z7W6", id="a"))
    mirror_of(filled)
    assert chunks(filled)["Two."].id == "chunk-2026-02-08-X9Y8Z7W6"
    assert chunks(filled)["One."].id.startswith("chunk-2026-02-10-")
    (filled / "allmemories/two_more_copies.md").unlink()
    mirror_of(filled)
    assert chunks(filled)["One."].id == "chunk-2026-02-08-x9y8z7w6"


def test_random_changes_come_to_what_a_rebuild_gives(filled: Path, write: Write, git: Callable[..., str]) -> None:
    rng = random.Random(7)
    folder = filled / "allmemories"
    for step in range(14):
        names = sorted(place.stem for place in folder.iterdir())
        name = rng.choice([*names, f"new_note_number_{step}"])
        if name in names and rng.random() < 0.3:
            (folder / f"{name}.md").unlink()
        else:
            meta = {
                "tags": f"[{', '.join(rng.sample('abc', rng.randint(1, 3)))}]",
                "session": rng.choice(["", "c1", "c2"]),
                "supports": f'"[[{rng.choice([*names, "none"])}]]"',
                "chunk_id": rng.choice(["", "chunk-1", "chunk-2"]),
            }
            created = f"2026-02-{rng.randint(1, 3):02}T10:0{rng.randint(0, 9)}:00Z"
            write(f"allmemories/{name}.md", note("word " * rng.choice([1, 900]), created, **meta))
        if rng.random() < 0.3:
            git(filled, "add", "-A")
            git(filled, "commit", "--allow-empty", "-qm", "step")
        mirror_of(filled)
        with Vault.open(str(filled)) as vault:
            assert mirror.stale(vault) == [], step
    before = tree(filled)
    mirror_of(filled, full=True)
    assert tree(filled) == before


def test_check_says_what_is_stale_and_changes_nothing(filled: Path, write: Write) -> None:
    mirror_of(filled)
    write("allmemories/bought_tea_pot.md", note("Two pots.", "2026-02-10T10:04:00Z", session="conv-1"))
    (filled / "index/tag_index.json").unlink()
    before = tree(filled)
    with Vault.open(str(filled)) as vault:
        found = mirror.stale(vault)
    assert len(found) == 2
    assert "index/tag_index.json" in found
    assert tree(filled) == before


def test_what_was_edited_in_the_mirror_is_rendered_again(filled: Path) -> None:
    mirror_of(filled)
    before = tree(filled)
    place = next((filled / "chunks/2026-02").iterdir())
    place.write_text("{}")
    assert mirror_of(filled).written == 1
    assert tree(filled) == before


@pytest.mark.parametrize(
    "name", ["chunks/mine.md", "index/notes.txt", "archive/2025/old.json", "chunks/.gitignore"]
)
def test_a_folder_of_a_person_is_left_alone(filled: Path, write: Write, name: str) -> None:
    place = write(name, "mine")
    with pytest.raises(ConflictError, match="in use"):
        mirror_of(filled)
    assert place.read_text() == "mine"
    write("mdmem.toml", 'id = "test"\n[mirror]\nfolder = "brain/json"\n')
    assert mirror_of(filled).chunks == 7
    assert (filled / "brain/json/index/link_graph.json").exists()
    assert place.read_text() == "mine"


def test_a_file_of_a_person_in_the_mirror_stays(filled: Path, write: Write) -> None:
    mirror_of(filled)
    mine = write("chunks/2026-02/mine.json", '{"id": "mine"}')
    (filled / "allmemories/likes_green_tea.md").unlink()
    mirror_of(filled, full=True)
    assert mine.exists()
    shutil.rmtree(filled / ".mdmem")
    mirror_of(filled)
    assert mine.exists()


def test_a_chunk_that_a_person_made_their_own_is_not_deleted(filled: Path) -> None:
    mirror_of(filled)
    place = filled / f"chunks/2026-02/{chunks(filled)['Tea.'].id}.json"
    place.write_text("mine")
    (filled / "allmemories/likes_green_tea.md").unlink()
    assert mirror_of(filled).removed == 0
    assert place.read_text() == "mine"


def test_another_folder_takes_the_mirror_along(filled: Path, write: Write) -> None:
    mirror_of(filled)
    before = tree(filled)
    write("mdmem.toml", 'id = "test"\n[mirror]\nfolder = "brain/json"\n')
    mirror_of(filled)
    assert tree(filled) == {}
    assert tree(filled / "brain/json") == before


def test_a_file_of_a_person_where_a_chunk_is_to_be_is_refused(filled: Path, write: Write) -> None:
    mirror_of(filled)
    place = write("chunks/2026-02/chunk-2026-02-08-abc123.json", "mine")
    write("allmemories/one_more_note.md", note("One.", chunk_id="chunk-2026-02-08-abc123"))
    with pytest.raises(ConflictError, match="in the way"):
        mirror_of(filled)
    assert place.read_text() == "mine"


@pytest.mark.parametrize("inner", ["chunks", "chunks/2026-02"])
def test_nothing_is_written_through_a_link(filled: Path, tmp_path: Path, inner: str) -> None:
    mirror_of(filled)
    outside = tmp_path / "outside"
    outside.mkdir()
    shutil.rmtree(filled / inner)
    (filled / inner).symlink_to(outside)
    with pytest.raises(UsageError, match="symbolic link"):
        mirror_of(filled, full=True)
    assert list(outside.iterdir()) == []


def test_a_link_in_place_of_a_file_is_replaced(filled: Path, tmp_path: Path) -> None:
    mirror_of(filled)
    (tmp_path / "mine.json").write_text("mine")
    (filled / "index/tag_index.json").unlink()
    (filled / "index/tag_index.json").symlink_to(tmp_path / "mine.json")
    mirror_of(filled)
    assert not (filled / "index/tag_index.json").is_symlink()
    assert (tmp_path / "mine.json").read_text() == "mine"


def test_one_mirror_at_a_time(filled: Path) -> None:
    mirror_of(filled)
    with lock.held(str(filled / ".mdmem/mirror.lock")), Vault.open(str(filled)) as vault, pytest.raises(BusyError):
        mirror.update(vault, patience=0)


def test_a_mirror_that_died_half_way_is_completed(filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Power goes after the third rename: what is there is sound, and the next run does the rest."""
    renamed = 0
    replace = os.replace

    def dying(source: str, target: str) -> None:
        nonlocal renamed
        renamed += 1
        if renamed > 3:
            raise KeyboardInterrupt
        replace(source, target)

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", dying)
        with pytest.raises(KeyboardInterrupt):
            mirror_of(filled)
    assert len(tree(filled)) == 3
    assert all(Chunk.from_json(data.decode()) for data in tree(filled).values())
    mirror_of(filled)
    with Vault.open(str(filled)) as vault:
        assert mirror.stale(vault) == []


def test_a_mirror_that_fails_leaves_nothing_aside(filled: Path) -> None:
    """A disk that is full must not stay full because of it."""
    mirror_of(filled)
    shutil.rmtree(filled / "chunks/2026-01")
    (filled / "chunks/2026-01").write_text("mine")
    with pytest.raises(OSError, match="2026-01"):
        mirror_of(filled)
    assert list((filled / ".mdmem/mirror").iterdir()) == []


def test_a_damaged_manifest_is_made_anew(filled: Path) -> None:
    mirror_of(filled)
    (filled / ".mdmem/mirror.sqlite").write_bytes(b"no database" * 1000)
    assert mirror_of(filled).chunks == 7


def test_the_tokenizer_is_a_setting(filled: Path, write: Write) -> None:
    mirror_of(filled)
    write("mdmem.toml", 'id = "test"\n[mirror]\ntokenizer = "cl100k"\n')
    mirror_of(filled)
    assert chunks(filled)["Tea."].tokens == tokens.counter("cl100k")("Tea.") != tokens.estimate("Tea.")


def test_the_manifest_tells_which_memories_the_mirror_was_made_of(
    filled: Path, write: Write, git: Callable[..., str]
) -> None:
    def sources() -> str:
        mirror_of(filled)
        with closing(MirrorManifest(str(filled / ".mdmem/mirror.sqlite"))) as manifest:
            return manifest.state("sources")

    assert sources() == git(filled, "rev-parse", "HEAD:allmemories")
    write("allmemories/bought_tea_pot.md", note("Two pots.", "2026-02-10T10:04:00Z"))
    assert sources() == ""


def test_the_doctor_names_a_mirror_that_is_stale(filled: Path, write: Write) -> None:
    write("mdmem.toml", 'id = "test"\n[mirror]\nenabled = true\n')
    mirror_of(filled)
    (filled / "index/tag_index.json").unlink()
    with Vault.open(str(filled)) as vault:
        (problem,) = [one for one in doctor.examine(vault) if one.code == "derived-stale"]
    assert "out of date (1): index/tag_index.json" in problem.message
    assert problem.fix == "mdmem mirror"
    mirror_of(filled)
    with Vault.open(str(filled)) as vault:
        assert not [one for one in doctor.examine(vault) if one.code == "derived-stale"]


def test_the_mirror_owns_the_json_of_its_folders(filled: Path) -> None:
    with Vault.open(str(filled)) as vault:
        tree_ = mirror.JsonMirror(vault.config)
        assert all(tree_.owns(path) for path, _ in tree_.files(vault))
    assert not tree_.owns("allmemories/likes_green_tea.md")
    assert not tree_.owns("chunks/mine.md")
