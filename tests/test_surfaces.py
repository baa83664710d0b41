"""The same act does the same by whichever surface: the files, the JSON mirror and the uses that are counted."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import mdmem as package
from mdmem.acts import signature
from mdmem.cli import making
from mdmem.errors import MdmemError
from mdmem.store import registry
from mdmem.store.config import CONFIG_SPEC, VaultConfig
from mdmem.store.local import usage
from mdmem.store.operation import Caller
from mdmem.store.progress import silent
from mdmem.store.vault.vault import Vault
from mdmem.systems.compat.chunks import Chunk, ChunkStore
from mdmem.systems.rlm import mirror
from mdmem.write import remember as intake
from tests.conftest import NOW, Git, Run

WHO = Caller(NOW, "agent", "conv-1")

TEA = "likes_green_tea"
NOTES = {
    TEA: (1, "Likes green tea", "Tea is green here."),
    "user_prefers_short_tables": (2, "Prefers short tables", "User prefers short tables over prose."),
    "user_wants_short_tables": (3, "Wants short tables", "User prefers short tables over prose!"),
}


def note(number: int, title: str, text: str) -> str:
    head = f"id: 00000000-0000-7000-8000-{number:012}\ntitle: {title}\ncreated: 2026-01-0{number}T00:00:00Z"
    return f"---\n{head}\ncategory: past\ntype: fact\nsession: conv-1\n---\n\n{text}\n"


@pytest.fixture
def folder(root: Path, git: Git) -> Path:
    """A vault with a mirror that is up to date."""
    (root / "mdmem.toml").write_text('id = "test"\n[mirror]\nenabled = true\n')
    for name, words in NOTES.items():
        (root / f"allmemories/{name}.md").write_text(note(*words))
    git(root, "add", ".")
    git(root, "commit", "--quiet", "-m", "notes")
    with Vault.open(str(root)) as vault:
        mirror.update(vault)
    return root


# -- the store of chunks does what the commands do (tests/acts/test_faces.py has the acts by every face)

TYPED = {
    "remember": ("remember", "Coffee is black."),
    "update": ("update", TEA, "--set", "confidence=0.9"),
    "forget": ("forget", TEA),
    "restore": ("restore", TEA),
    "recall": ("recall", "green", "--limit", "1"),
}


def by_chunk_store(act: str, folder: Path) -> None:
    with ChunkStore(folder, actor="agent", clock=lambda: NOW) as store:
        (tea,) = [id for id in store.list_chunks() if _content(store, id) == "Tea is green here."]
        if act == "remember":
            store.create_chunk("Coffee is black.", "note", "conv-1", 5)
        elif act == "update":
            store.update_chunk(tea, confidence=0.9)
        elif act == "forget":
            store.delete_chunk(tea)
        elif act == "restore":
            store.delete_chunk(tea)
            store.restore_chunk(tea)
        else:
            store.get_chunk(tea)


def _content(store: ChunkStore, id: str) -> str:
    chunk = store.peek(id)
    assert chunk
    return chunk.content


# -- what came of it


class State(NamedTuple):
    """What an act left: the notes, the text of each chunk of the mirror, and the uses by name."""

    notes: dict[str, str]
    living: list[str]
    archived: list[str]
    uses: dict[str, int]


def state_of(folder: Path, act: str = "") -> State:
    with Vault.open(str(folder)) as vault:
        if act == "recall":
            mirror.update(vault)  # a use alone is no write; the next one has it
        assert mirror.stale(vault) == []
        names = {record.id: record.name for record in vault.index.records()}
        uses = {names[id]: use.times for id, use in usage.counts(str(folder)).items()}
    notes = {place.name: place.read_text() for place in (folder / "allmemories").iterdir()}
    return State(
        {name: re.sub(r"(?m)^id: .*", "id: any", text) for name, text in notes.items()},
        contents(folder, "chunks/*/*.json"),
        contents(folder, "archive/*.json"),
        uses,
    )


def contents(folder: Path, places: str) -> list[str]:
    return sorted(Chunk.from_json(place.read_text()).content for place in folder.glob(places))


def body(text: str) -> str:
    return text.split("\n---\n", 1)[1].strip()


@pytest.mark.parametrize("act", TYPED)
def test_the_store_of_chunks_does_the_same(act: str, folder: Path, tmp_path: Path, mdmem: Run) -> None:
    other = Path(shutil.copytree(folder, tmp_path / "chunks"))
    signed = () if act == "recall" else ("--actor", "agent", "--session", "conv-1")
    if act == "restore":
        mdmem(*TYPED["forget"], *signed, "--vault", folder)
    mdmem(*TYPED[act], *signed, "--vault", folder)
    by_chunk_store(act, other)
    done, stored = state_of(folder, act), state_of(other, act)
    assert stored._replace(notes={}) == done._replace(notes={})
    assert {name: body(text) for name, text in stored.notes.items()} == {
        name: body(text) for name, text in done.notes.items()
    }


# -- the registries

followed: list[registry.Paths | None] = []


def recorder(vault: Vault, paths: registry.Paths | None, patience: float) -> None:
    """A follower that keeps what it is told."""
    del vault, patience
    followed.append(paths)


def failing(vault: Vault, paths: registry.Paths | None, patience: float) -> None:
    """A follower that cannot."""
    raise MdmemError("no room left")


@pytest.fixture
def recorded(monkeypatch: pytest.MonkeyPatch) -> list[registry.Paths | None]:
    monkeypatch.setitem(package.REGISTRIES, "followers", (("the recorder", "tests.test_surfaces:recorder", ""),))
    from tests import test_surfaces

    test_surfaces.followed.clear()  # pytest may hold this module under another name
    return test_surfaces.followed


def test_many_changes_of_one_command_are_followed_once_with_all_paths(
    folder: Path, recorded: list[registry.Paths | None], mdmem: Run, git: Git
) -> None:
    commits = int(git(folder, "rev-list", "--count", "HEAD"))
    mdmem("garden", "apply", "--vault", folder)
    made = int(git(folder, "rev-list", "--count", "HEAD")) - commits
    touched = git(folder, "diff", "--name-only", f"HEAD~{made}", "HEAD").splitlines()
    assert recorded == [frozenset(touched)]


def test_changes_within_a_block_are_followed_at_its_end_also_after_an_error(
    vault: Vault, recorded: list[registry.Paths | None]
) -> None:
    def write_and_fail() -> None:
        with vault.following():
            for text in ("Coffee is black.", "Milk is white."):
                intake.remember(vault, intake.draft_from(text, {}), WHO)
            assert recorded == []
            raise MdmemError("in between")

    with pytest.raises(MdmemError, match="in between"):
        write_and_fail()
    assert recorded == [{"allmemories/coffee_is_black.md", "allmemories/milk_is_white.md"}]
    intake.remember(vault, intake.draft_from("Water is clear.", {}), WHO)
    assert len(recorded) == 2


def test_a_change_that_changes_nothing_is_not_followed(
    vault: Vault, recorded: list[registry.Paths | None]
) -> None:
    with vault.change(WHO.does("revise")):
        pass
    assert recorded == []


def test_a_follower_that_fails_does_not_fail_the_write(
    vault: Vault, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = (("the page", "tests.test_surfaces:failing", ""), ("the recorder", "tests.test_surfaces:recorder", ""))
    monkeypatch.setitem(package.REGISTRIES, "followers", lines)
    done = intake.remember(vault, intake.draft_from("Coffee is black.", {}), WHO)
    assert vault.repo.head()[0] == done.commit
    assert said == ["saved; the page did not follow: no room left"]


@pytest.mark.parametrize("kind", package.REGISTRIES)
def test_every_line_of_the_table_names_what_there_is(kind: str) -> None:
    settings = {setting.key for setting in CONFIG_SPEC}
    for entry in registry.entries(kind):
        assert entry.load() is not None
        is_local = entry.setting.startswith(".mdmem/")  # a file of this machine
        assert is_local or entry.setting.removesuffix("/") in {"", "loaded", *settings}
        if entry.setting != "loaded":  # depends on what this process has loaded
            assert entry.is_wanted(VaultConfig()) is not bool(entry.setting)
    assert len(set(registry.names(kind))) == len(registry.entries(kind))


@pytest.mark.parametrize("name", registry.names("importers"))
def test_importers_have_a_plan_and_write_it(name: str, vault: Vault, tmp_path: Path) -> None:
    importer = registry.importer(name)
    (tmp_path / "nothing.json").write_text("[]")
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty/memory.jsonl").write_text("")
    source = tmp_path / ("nothing.json" if importer.TAKES == "file" else "empty")
    planned = importer.plan(vault, str(source), silent)
    assert importer.write(vault, planned, WHO) == ""


class _PlannedNote(NamedTuple):
    facts: dict[str, str]


class _PlannedNotes(NamedTuple):
    items: tuple[_PlannedNote, ...]
    known: dict[str, str]
    problems: tuple[()] = ()


class DeckImporter:
    """A source of memories that another package could bring along: each line of deck.txt."""

    NOUN = "card"
    HELP = "Import a deck of cards."
    TAKES = "folder"

    @staticmethod
    def plan(vault: Vault, given: str, progress: Callable[[int, int], None], allow_secret: bool = False) -> object:
        lines = (Path(given) / "deck.txt").read_text().splitlines()
        return _PlannedNotes(tuple(_PlannedNote({"source": line, "path": ""}) for line in lines), {})

    @staticmethod
    def write(vault: Vault, planned: _PlannedNotes, caller: Caller, reason: str = "") -> str:
        drafts = [intake.draft_from(item.facts["source"], {}) for item in planned.items]
        return intake.remember_all(vault, drafts, caller, reason)[0].commit


@pytest.fixture
def signatures_read_anew() -> Iterator[None]:
    """What a process reads of its acts once is read again: the table of importers is another one meanwhile."""
    for read_once in (signature.hints, signature.parameters, making.made):
        read_once.cache_clear()
    yield
    for read_once in (signature.hints, signature.parameters, making.made):
        read_once.cache_clear()


@pytest.mark.usefixtures("signatures_read_anew")
def test_an_importer_of_the_table_is_a_command(
    root: Path, mdmem: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = (*package.REGISTRIES["importers"], ("deck", "tests.test_surfaces:DeckImporter", ""))
    monkeypatch.setitem(package.REGISTRIES, "importers", lines)
    (tmp_path / "deck.txt").write_text("The harbor opens at six.\nAda leads the web team.\n")
    monkeypatch.chdir(root)
    assert "deck Import a deck of cards." in " ".join(mdmem("import", "--help").out.split())
    own_help = mdmem("import", "deck", "--help").out
    assert "Import a deck of cards." in own_help
    assert "server-memory" not in own_help, "of the others nothing is said"
    assert mdmem("import", "deck", str(tmp_path), "--dry-run").out == "would import 2 cards\n"
    assert "imported 2 cards" in mdmem("import", "deck", str(tmp_path)).out
    assert len(list((root / "allmemories").glob("*.md"))) == 2
