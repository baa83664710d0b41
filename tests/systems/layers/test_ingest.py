"""Dialogs become entries: byte for byte, once, in one commit; what cannot be taken in is named and left out."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from mdmem.errors import MdmemError, NoteError, StoppedError, UsageError
from mdmem.store.git import log
from mdmem.store.git.command import Git
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault
from mdmem.systems.layers import dialog, documents, entries, ingest
from mdmem.systems.layers.dialog import DialogSource
from mdmem.systems.layers.ingest import IngestReport, IngestRequest

CHAT = "User: I booked flights to Lisbon.\nAssistant: Have fun!\n"
LEAK = "User: my password is hunter2swordfish\n"
TIME = "2026-02-08T14:05:00Z"


def chat_json(text: str = "I live in Berlin.", when: str = TIME) -> bytes:
    turns = [{"role": "user", "content": text, "timestamp": when}, {"role": "assistant", "content": "Noted."}]
    return json.dumps({"id": "conv-7", "messages": turns}, indent=1).encode()


@pytest.fixture
def take(vault: Vault, caller: Caller) -> Callable[..., IngestReport]:
    """Ingest dialogs, given by their names and bytes."""

    def run(topic: str = "travel", redact: bool = False, who: Caller = caller, **dialogs: bytes) -> IngestReport:
        sources = [
            DialogSource(name.replace("_", "."), lambda data=data: data)  # type: ignore[misc]
            for name, data in dialogs.items()
        ]
        return ingest.ingest(vault, sources, IngestRequest(topic, "", redact), who)

    return run


Take = Callable[..., IngestReport]


def test_an_entry_has_its_three_parts_in_one_commit(take: Take, vault: Vault) -> None:
    done = take(a_json=chat_json())
    place = done.items[0].place
    assert place.folder == f"topics/travel/20260208T140500Z-{documents.sha256(chat_json())[:8]}"
    assert entries.raw(vault, place) == chat_json()
    meta = entries.read(vault, place)[0]
    assert (meta.source, meta.actor, meta.session, meta.format) == ("a.json", "claude-code", "conv-1", "jsonl")
    assert (meta.time, meta.sha256, meta.size) == (TIME, documents.sha256(chat_json()), len(chat_json()))
    commits = list(log.commits(vault.repo))
    assert len(commits) == 2
    assert commits[0].operation.action == "create"
    assert {change.path for change in commits[0].changes} == {
        "topics/.gitattributes",
        *(place.path(part) for part in ("raw.md", "meta.json", "summary.json")),
    }
    assert list(entries.problems(vault)) == []


@pytest.mark.parametrize(
    ("name", "data", "kind"),
    [
        ("a_md", CHAT.encode(), "text"),
        ("a_md", b"\xef\xbb\xbf# Plan\r\n\r\nNo newline at the end", "markdown"),
        ("a_txt", "Grüße aus Köln".encode(), "text"),
        ("a_jsonl", b'{"role": "user", "content": "hi"}\n{"role": "user", "con', "jsonl"),
    ],
)
def test_every_byte_is_kept(take: Take, vault: Vault, name: str, data: bytes, kind: str) -> None:
    place = take(**{name: data}).items[0].place
    assert (vault.repo.read("HEAD", place.path("raw.md")), entries.raw(vault, place)) == (data, data)
    assert entries.read(vault, place)[0].format == kind


def test_the_same_bytes_again_add_nothing(take: Take, vault: Vault) -> None:
    first = take(a_md=CHAT.encode()).items[0]
    head = vault.repo.head()
    again = take("another topic", b_md=CHAT.encode())
    assert (again.items[0].known, again.items[0].place, again.commit) == (True, first.place, "")
    twins = take(c_md=b"User: a\nAssistant: b\n", d_md=b"User: a\nAssistant: b\n")
    assert [item.known for item in twins.items] == [False, True]
    assert vault.repo.head() != head


def test_an_ingest_cut_short_leaves_nothing_and_can_be_run_again(
    take: Take, vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed between the files and the commit: the next opening takes all of it back."""
    from mdmem.store.git import commits

    def die(*_: object) -> None:
        raise KeyboardInterrupt

    before = vault.file_paths()
    with monkeypatch.context() as patched:
        patched.setattr(commits, "commit", die)
        with pytest.raises(KeyboardInterrupt):
            take(a_md=CHAT.encode(), b_md=b"User: two\nAssistant: ok\n")
    assert vault.file_paths() == before
    done = take(a_md=CHAT.encode(), b_md=b"User: two\nAssistant: ok\n")
    assert [item.known for item in done.items] == [False, False]


def test_a_secret_is_named_by_its_line_and_nothing_is_written(take: Take, vault: Vault) -> None:
    with pytest.raises(StoppedError, match=r"^a.md:2: seems to hold a secret \(.*\)$"):
        take(a_md=b"Assistant: yes?\n" + LEAK.encode())
    with pytest.raises(StoppedError, match=r"^a.json:\d+: seems to hold a secret"):
        take(a_json=chat_json("line one\nmy password is hunter2swordfish\nline three"))
    assert not (Path(vault.root) / "topics").exists()


@pytest.mark.parametrize("name", ["a_md", "a_json"])
def test_a_secret_is_replaced_on_request(take: Take, vault: Vault, name: str) -> None:
    said = f"Hello.\n{LEAK}"
    data = said.encode() if name == "a_md" else chat_json(said)
    done = take(redact=True, **{name: data})
    text = entries.raw(vault, done.items[0].place)
    assert b"hunter2swordfish" not in text
    assert b"[redacted]" in text
    told = entries.read(vault, done.items[0].place)[0].redactions
    assert told == done.items[0].redactions
    assert [item.line for item in told] == ([2] if name == "a_md" else [6])
    assert take(redact=True, **{name: data}).items[0].known


def test_with_the_word_of_the_person_a_secret_is_kept(take: Take, vault: Vault, caller: Caller) -> None:
    done = take(a_md=LEAK.encode(), who=caller._replace(allow_secret=True))
    assert entries.raw(vault, done.items[0].place) == LEAK.encode()


@pytest.mark.parametrize(
    ("data", "message", "error"),
    [
        (b"", "is empty", UsageError),
        (b" \n\n", "is empty", UsageError),
        (b"a\nb \xff\n", "a.json:2: byte 0xff is not UTF-8", NoteError),
        (b"\xff\xfea\0", "UTF-16", NoteError),
        (b"a\0b", "NUL", NoteError),
        (b'{"role": "user", ', "broken in line 1", UsageError),
        (b'{"a": 1}', "holds no messages", UsageError),
        (b"x" * (64 * 1024 * 1024 + 1), "over 64 MB", UsageError),
    ],
    ids=range(8),
)
def test_what_is_no_dialog_is_refused(take: Take, data: bytes, message: str, error: type[MdmemError]) -> None:
    with pytest.raises(error, match=message):
        take(a_json=data)


@pytest.mark.parametrize("topic", ["", "../x", "a/b", "...", "/etc", ".git", "a\\b", "con", "?!", "x" * 41])
def test_what_is_no_topic_is_refused(take: Take, topic: str) -> None:
    with pytest.raises(UsageError, match="topic"):
        take(topic, a_md=CHAT.encode())


def test_a_topic_is_a_slug(take: Take, vault: Vault, root: Path) -> None:
    assert take("Travel Plans!", a_md=CHAT.encode()).items[0].place.topic == "travel_plans"
    (root / "topics/By Hand").mkdir()
    assert take("By Hand", b_md=b"User: x\nAssistant: y\n").items[0].place.topic == "By Hand"
    assert entries.topics(vault) == ["By Hand", "travel_plans"]


def test_a_folder_is_one_commit_and_bad_files_are_left_out(vault: Vault, caller: Caller, tmp_path: Path) -> None:
    folder = tmp_path / "chats"
    (folder / "sub").mkdir(parents=True)
    (folder / "a.md").write_text(CHAT)
    (folder / "sub/b.json").write_bytes(chat_json())
    (folder / "bad.json").write_text("{")
    (folder / "leak.txt").write_text(LEAK)
    (folder / "empty.txt").write_text("")
    (folder / "image.png").write_bytes(b"\x89PNG")
    (folder / ".hidden.md").write_text(CHAT + "hidden")
    (folder / "link.md").symlink_to(folder / "a.md")
    (folder / "linked").symlink_to(folder / "sub")
    os.mkfifo(folder / "pipe.md")  # reading it would never end
    sources, problems = dialog.sources_in(vault, str(folder))
    seen: list[tuple[int, int]] = []
    wanted = IngestRequest("travel")
    done = ingest.ingest(vault, sources, wanted, caller, "", lambda *at: seen.append(at))
    assert [item.source for item in done.items] == ["a.md", "sub/b.json"]
    assert [problem.path for problem in problems] == ["link.md", "pipe.md"]
    assert [problem.path for problem in done.problems] == ["bad.json", "empty.txt", "leak.txt"]
    assert seen[-1] == (5, 5)
    assert len(list(log.commits(vault.repo))) == 2
    again = ingest.ingest(vault, sources, wanted, caller)
    assert (again.commit, [item.known for item in again.items]) == ("", [True, True])


def test_the_vault_itself_is_not_ingested(vault: Vault) -> None:
    for folder in (vault.root, str(Path(vault.root).parent)):
        with pytest.raises(UsageError, match="contains this vault"):
            dialog.sources_in(vault, folder)


def test_a_link_in_place_of_the_topics_leads_nowhere(take: Take, root: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (root / "topics").symlink_to(outside)
    with pytest.raises(UsageError, match="symbolic link"):
        take(a_md=CHAT.encode())
    assert list(outside.iterdir()) == []


def test_damaged_entries_are_named_and_the_others_are_read(take: Take, vault: Vault, root: Path) -> None:
    good, torn, nan, newer, gone, twin, changed = (
        take("a", x_md=f"User: number {number}\nAssistant: ok\n".encode()).items[0].place for number in range(7)
    )
    summary = root / torn.path("summary.json")
    summary.write_bytes(summary.read_bytes()[:40])
    summary = root / nan.path("summary.json")
    summary.write_text(summary.read_text().replace('"facts": []', '"facts": [{"confidence": NaN}]'))
    meta = root / newer.path("meta.json")
    meta.write_text(meta.read_text().replace("entry_meta.v1", "entry_meta.v9"))
    (root / gone.path("raw.md")).unlink()
    (root / "topics/b").mkdir()
    (root / twin.folder).rename(root / "topics/b" / twin.entry_id)
    (root / "topics/a" / twin.entry_id).symlink_to(root / "topics/b" / twin.entry_id)
    (root / changed.path("raw.md")).write_text("rewritten")
    found = {problem.path: problem for problem in entries.problems(vault)}
    assert set(found) == {
        torn.path("summary.json"),
        nan.path("summary.json"),
        newer.path("meta.json"),
        gone.path("raw.md"),
        changed.path("raw.md"),
    }
    assert "is missing" in found[gone.path("raw.md")].message
    assert entries.read(vault, good)[0].topic == "a"


def test_a_file_name_cannot_speak_to_the_terminal(root: Path, tmp_path: Path, mdmem: Callable[..., Any]) -> None:
    (tmp_path / "a\x1b[31m\nb.md").write_text(CHAT)
    shown = mdmem("ingest", tmp_path / "a\x1b[31m\nb.md", "--topic", "travel", "--vault", root).out
    assert "\x1b" not in shown
    assert len(shown.splitlines()) == 2


def test_a_secret_is_cut_out_of_the_words_around_it(take: Take, vault: Vault) -> None:
    data = b"User: my PIN is 4711. Order 47110 has arrived.\nAssistant: ok\n"
    text = entries.raw(vault, take(redact=True, a_md=data).items[0].place).decode()
    assert "4711." not in text
    assert "Order 47110" in text


def test_a_person_s_own_folder_of_topics_makes_no_list_of_writes(root: Path, mdmem: Callable[..., Any]) -> None:
    (root / "topics/garden").mkdir(parents=True)
    (root / "topics/garden/roses.md").write_text("Roses.\n")
    mdmem("remember", "User likes roses.", "--vault", root)
    assert not (root / "index").exists()


def test_one_more_dialog_costs_few_commands_however_many_there_are(
    take: Take, vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process of git costs more than all else about a dialog."""
    take(**{f"n{number}_md": f"User: number {number}\n".encode() for number in range(20)})
    started: list[str] = []

    def counted(real: Callable[..., Any]) -> Callable[..., Any]:
        def start(self: Git, args: Sequence[str], *rest: Any, **options: Any) -> Any:
            started.append(args[2] if args[0] == "-c" else args[0])
            return real(self, args, *rest, **options)

        return start

    for door in ("_start", "_open"):
        monkeypatch.setattr(Git, door, counted(getattr(Git, door)))
    take(more_md=b"User: one more\n")
    assert started == ["update-index", "write-tree", "commit-tree", "update-ref", "cat-file", "rev-list", "log"]
