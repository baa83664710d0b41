"""Every command as a person uses it, on a real vault: what it prints, what it commits, how it fails."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Git = Callable[..., str]
Run = Callable[..., Any]


@pytest.fixture
def here(root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The vault, as the current folder."""
    monkeypatch.chdir(root)
    return root


def paths(root: Path) -> list[str]:
    return sorted(path.relative_to(root).as_posix() for path in (root / "allmemories").rglob("*.md"))


def save(mdmem: Run, text: str, *options: str) -> dict[str, Any]:
    return json.loads(mdmem("remember", text, "--json", "--twins", "ignore", *options).out)


# -- remember


def test_remember_writes_a_note_as_obsidian_would(here: Path, mdmem: Run, git: Git) -> None:
    done = mdmem(
        *("remember", "Tables over prose.", "--title", "User prefers: tables", "--type", "preference"),
        *("-t", "style", "-t", "#reports", "--confidence", "0.9", "--set", "mine=1.10", "--session", "s1"),
        *("--actor", "claude-code", "-m", "said so twice"),
    )
    assert done.out.startswith("remembered allmemories/user_prefers_tables.md  (")
    text = (here / "allmemories/user_prefers_tables.md").read_text()
    identity = text.split("id: ")[1].split("\n")[0]
    assert text == (
        f'---\nid: {identity}\ntitle: "User prefers: tables"\ncreated: 2026-03-01T12:00:00Z\ncategory: past\n'
        "type: preference\ntags:\n  - style\n  - reports\nconfidence: 0.9\nsession: s1\n"
        'actor: claude-code\nmine: "1.10"\naliases:\n  - "User prefers: tables"\n'
        "---\n\nTables over prose.\n"
    )
    assert identity[14] == "7"
    message = git(here, "log", "-1", "--format=%an%n%B")
    assert message.startswith(
        "claude-code\ncreate: user_prefers_tables\n\nsaid so twice\n\nMemory-Action: create\n"
    )


def test_remember_reads_standard_input(here: Path, command: Run) -> None:
    done = command("remember", "--json", cwd=here, input="# Deploys are slow on Friday\n\nBecause of the queue.\n")
    found = json.loads(done.stdout)
    assert found["name"] == "deploys_slow_friday"
    assert found["title"] == "Deploys are slow on Friday"


def test_remember_takes_a_whole_note(here: Path, mdmem: Run) -> None:
    note = "---\ntitle: Given title here\ntags: [a]\nconfidence: 0.5\n---\n\nThe body.\n"
    found = json.loads(mdmem("remember", "--json", "--confidence", "0.8", "--", note).out)
    text = (here / found["path"]).read_text()
    assert found["name"] == "given_title_here"
    assert "confidence: 0.8\n" in text
    assert text.count("---") == 2
    mdmem("remember", "--", "---\ntitle: [\n---\nx", code=1)


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["", "--twins", "ignore"], 2, "nothing to remember"),
        (["x", "--name", "stuff"], 2, "1 of at least 3 words"),
        (["x", "--name", "../../etc/passwd_a_b"], 2, "name"),
        (["x", "--type", "fakt"], 2, "fakt"),
        (["x", "--confidence", "2"], 2, "range"),
        (["x", "--set", "confidence=high"], 2, "not a number"),
        (["x", "--set", "novalue"], 2, "key=value"),
        (["x", "--name", "taken_note_name"], 5, "there is a memory called"),
    ],
)
def test_remember_refuses_and_writes_nothing(
    here: Path, mdmem: Run, git: Git, arguments: list[str], code: int, message: str
) -> None:
    save(mdmem, "first", "--name", "taken_note_name")
    before = git(here, "rev-parse", "HEAD")
    failed = mdmem("remember", *arguments, code=code)
    assert message in failed.err
    assert failed.out == ""
    assert git(here, "rev-parse", "HEAD") == before
    assert git(here, "status", "--porcelain") == ""


def test_a_memory_of_the_same_title_is_not_said_to_be_the_same(here: Path, mdmem: Run) -> None:
    save(mdmem, "Run pytest.", "--title", "Testing", "--name", "testing_with_pytest_here")
    said = mdmem("remember", "The suite runs on two machines before each release.", "--title", "Testing").err
    assert "100 % the same title: testing_with_pytest_here" in said


def test_near_twins_are_shown_before_writing(here: Path, mdmem: Run) -> None:
    save(mdmem, "The user prefers tables over long paragraphs in every report.", "--name", "user_prefers_tables")
    said = mdmem("remember", "The user prefers tables over long paragraphs in each report.")
    assert "user_prefers_tables" in said.err
    assert "% the same" in said.err
    stopped = mdmem(
        "remember", "User prefers tables over long paragraphs in every report.", "--twins", "refuse", code=5
    )
    assert "nothing was written" in stopped.err
    assert "% the same" not in mdmem("remember", "The server restarts at night because of the backup.").err
    assert len(paths(here)) == 3


def test_remember_in_an_editor_starts_from_the_template(
    here: Path, mdmem: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    editor = tmp_path / "editor"
    editor.write_text(
        '#!/bin/sh\nsed -i "s/^title:.*/title: Cache is written through/; s/^What was.*/We chose it./" "$1"\n'
    )
    editor.chmod(0o755)
    monkeypatch.setenv("MDMEM_EDITOR", str(editor))
    mdmem("remember", "--edit", "--type", "decision", "-t", "cache")
    text = (here / "allmemories/cache_written_through.md").read_text()
    assert "type: decision\n" in text
    assert "tags:\n  - cache\n" in text
    assert "We chose it." in text
    assert "## Reasoning" in text


# -- finding


def test_recall_and_list_as_json(here: Path, mdmem: Run) -> None:
    save(
        mdmem,
        "Intro line.\n\nThe deploy server is called Lovelace.",
        "--name",
        "deploy_server_is_lovelace",
        "-t",
        "ops",
    )
    save(mdmem, "Something else entirely.", "--name", "other_note_here", "--type", "fact")
    (hit,) = json.loads(mdmem("recall", "lovelace", "server", "--json", "-n", "1").out)
    assert hit["name"] == "deploy_server_is_lovelace"
    assert hit["path"] == "allmemories/deploy_server_is_lovelace.md"
    assert hit["tags"] == ["ops"]
    assert hit["status"] == "active"
    assert hit["created"] == "2026-03-01T12:00:00Z"
    assert hit["score"] > 0
    assert hit["snippet"] == "The deploy **server** is called **Lovelace**."
    lines = (here / hit["path"]).read_text().splitlines()
    assert lines[hit["line"] - 1] == "The deploy server is called Lovelace."
    listed = json.loads(mdmem("list", "--json").out)
    assert [item["name"] for item in listed] == ["deploy_server_is_lovelace", "other_note_here"]
    assert {"name", "path", "title", "type", "status", "tags", "created"} <= listed[0].keys()
    assert json.loads(mdmem("recall", "nonexistentword", "--json").out) == []
    assert mdmem("recall", "lovelace", "--paths-only").out == "allmemories/deploy_server_is_lovelace.md\n"


def test_deprecated_memories_sink(here: Path, mdmem: Run) -> None:
    save(mdmem, "The deploy server is Babbage.", "--name", "deploy_server_is_babbage", "--status", "deprecated")
    save(
        mdmem,
        "The deploy server is Lovelace now, and that after a long debate.",
        "--name",
        "deploy_server_is_lovelace",
    )
    names = [item["name"] for item in json.loads(mdmem("recall", "deploy", "server", "--json").out)]
    assert names == ["deploy_server_is_lovelace", "deploy_server_is_babbage"]


@pytest.mark.parametrize(
    "query", ['"', "a AND", "NEAR(", "*", "name:x", "^a", "-", "(", "\0", "🎉", "x" * 10000, "col:*"]
)
def test_no_query_fails(here: Path, mdmem: Run, query: str) -> None:
    save(mdmem, "text", "--name", "some_note_here")
    json.loads(mdmem("recall", "--json", "--", query).out)


def test_a_long_list_as_json_is_told_note_by_note(here: Path, mdmem: Run) -> None:
    """So many notes are not held at once; the text is nevertheless one JSON array, as that of a few notes is."""
    for number in range(2_001):
        (here / f"allmemories/a_note_of_number_{number:04}.md").write_text(f"---\nid: n{number}\n---\n\nNo.\n")
    told = mdmem("list", "--json").out
    listed = json.loads(told)
    assert [note["name"] for note in listed] == [f"a_note_of_number_{number:04}" for number in range(2_001)]
    assert told == json.dumps(listed, indent=2, ensure_ascii=False) + "\n"


def test_what_finds_nothing_says_so_beside_the_result(here: Path, mdmem: Run) -> None:
    for line, told in (
        ("list", "no memories"),
        ("list --count tags", "no memory has tags"),
        ("log", "nothing was written"),
        ("log --since 1h", "nothing was written"),
        ("recall tea", "nothing found"),
        ("trash", "the trash is empty"),
    ):
        done = mdmem(*line.split())
        assert done.out == ""
        assert told in done.err
        assert mdmem(*line.split(), "--json").err == ""


def test_list_filters_and_sorts(here: Path, mdmem: Run) -> None:
    save(mdmem, "a", "--name", "first_note_here", "--confidence", "0.9", "-t", "x", "--created", "2026-01-05")
    save(mdmem, "b", "--name", "second_note_here", "--confidence", "0.4", "-t", "x", "-t", "y", "--topic", "cache")
    save(mdmem, "c", "--name", "third_note_here", "--type", "fact", "--status", "contested")

    def names(*options: str) -> list[str]:
        return [item["name"].split("_")[0] for item in json.loads(mdmem("list", "--json", *options).out)]

    assert names("-t", "x") == ["first", "second"]
    assert names("-t", "x", "-t", "y") == ["second"]
    assert names("--where", "confidence>0.5") == ["first"]
    assert names("--where", "!confidence") == ["third"]
    assert names("--where", "topic=cache") == ["second"]
    assert names("--topic", "cache") == ["second"]
    assert names("--type", "fact") == ["third"]
    assert names("--status", "contested") == ["third"]
    assert names("--where", "created<2026-02") == ["first"]
    assert names("--sort", "created", "-r", "-n", "2") == ["third", "second"]
    assert "is not a filter" in mdmem("list", "--where", "(", code=2).err


def test_counting_an_unknown_property_names_the_nearest(here: Path, mdmem: Run) -> None:
    save(mdmem, "Tables over prose.", "--type", "preference")
    assert mdmem("list", "--count", "type").out == "1  preference\n"
    assert "nearest: type" in mdmem("list", "--count", "typ", code=2).err


def test_show_finds_by_every_kind_of_name(here: Path, mdmem: Run) -> None:
    made = save(mdmem, "The body.", "--name", "user_prefers_tables")
    save(mdmem, "x", "--name", "user_prefers_dark_mode")
    text = (here / made["path"]).read_text()
    for name in (
        *("user_prefers_tables", "user_prefers_tables.md", "allmemories/user_prefers_tables.md", made["id"]),
        *(
            "[[user_prefers_tables]]",
            "USER_PREFERS_TABLES",
            "tables",
            "user_prefer_tables",
            str(here / made["path"]),
        ),
    ):
        assert mdmem("show", name).out == text, name
    ambiguous = mdmem("show", "user_prefers", code=2)
    assert "user_prefers_dark_mode" in ambiguous.err
    assert "user_prefers_tables" in ambiguous.err
    missing = mdmem("show", "nothing_like_it", code=3)
    assert "there is no memory" in missing.err
    found = json.loads(mdmem("show", "tables", "--json").out)
    assert found["body"].strip() == "The body."
    assert found["title"] == "The body"


def test_status(here: Path, mdmem: Run) -> None:
    save(mdmem, "x", "--name", "some_note_here", "--type", "fact")
    (here / "allmemories/by_hand_note.md").write_text("---\na: [\n---\n")
    state = json.loads(mdmem("status", "--json").out)
    assert state["memories"] == 2
    assert state["uncommitted"] == ["allmemories/by_hand_note.md"]
    assert state["problems"] == 1
    assert state["hooks"] == []
    assert "not committed  allmemories/by_hand_note.md" in mdmem("status").out


# -- changing


def test_update_changes_only_its_lines(here: Path, mdmem: Run, git: Git) -> None:
    path = here / "allmemories/by_hand_note.md"
    before = b"---\r\n# mine\r\ntitle: 'T' # keep\r\ntags: [a,  b]\r\n---\r\nbody with no newline"
    path.write_bytes(before)
    git(here, "add", "-A")
    git(here, "commit", "-q", "-m", "x")
    mdmem("update", "by_hand_note", "--set", "confidence=0.9", "--add", "tags=c", "--remove", "tags=a")
    assert path.read_bytes() == before.replace(b"[a,  b]", b"[b, c]").replace(
        b"]\r\n---", b"]\r\nconfidence: 0.9\r\n---"
    )
    mdmem("update", "by_hand_note", "--unset", "confidence", "--set", "tags=[a, b]")
    assert path.read_bytes() == before.replace(b"[a,  b]", b"[a, b]")
    assert "nothing to change" in mdmem("update", "by_hand_note", "--unset", "confidence").out
    mdmem("update", "by_hand_note", "--replace", "with no", "without\na", "--expect", "HEAD")
    assert path.read_bytes() == before.replace(b"[a,  b]", b"[a, b]").replace(b"with no", b"without\r\na")
    mdmem("update", "by_hand_note", "--replace", "without\na", "with no")
    assert (
        "was changed since HEAD~1"
        in mdmem("update", "by_hand_note", "--append", "More.", "--expect", "HEAD~1", code=5).err
    )
    assert "'o' stands 2 times" in mdmem("update", "by_hand_note", "--replace", "o", "a", code=2).err
    mdmem("update", "by_hand_note", "--append", "More.")
    assert path.read_bytes().endswith(b"body with no newline\r\n\r\nMore.\r\n")
    mdmem("update", "by_hand_note", code=2)
    mdmem("update", "by_hand_note", "--set", "status=gone", code=2)
    save(mdmem, "x", "--name", "with_an_id")
    other = "0192f3c4-7d1e-7c3a-9d53-0c7a6f3e2b11"
    assert "id of a memory never changes" in mdmem("update", "with_an_id", "--set", f"id={other}", code=2).err


def test_edit_commits_what_was_saved(
    here: Path, mdmem: Run, git: Git, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    save(mdmem, "old words", "--name", "some_note_here")
    editor = tmp_path / "editor"
    monkeypatch.setenv("MDMEM_EDITOR", str(editor))

    def edits(script: str) -> None:
        editor.write_text(f"#!/bin/sh\n{script}\n")
        editor.chmod(0o755)

    edits('sed -i s/old/new/ "$1"')
    mdmem("edit", "some_note_here", "-m", "better words")
    assert "new words" in (here / "allmemories/some_note_here.md").read_text()
    assert "better words" in git(here, "log", "-1", "--format=%B")
    edits(":")
    mdmem("edit", "some_note_here", code=130)
    edits('sed -i "s/^category:.*/title: [/" "$1"')
    failed = mdmem("edit", "some_note_here", code=1)
    assert "your text is in" in failed.err
    assert "title: [\n" in (here / ".mdmem/unsaved/some_note_here.md").read_text()
    assert "title: [\n" not in (here / "allmemories/some_note_here.md").read_text()


def test_adopt(here: Path, mdmem: Run, git: Git) -> None:
    plain, legacy = here / "allmemories/Plain Note.md", here / "allmemories/legacy_note_here.md"
    plain.write_bytes(b"# My plan\r\n\r\nText \xc3\xa9")
    legacy.write_text("# Old one\n\n**Created:** 2026-02-08 14:05\n**Tags:** [a]\n\n---\n\nBody\n")
    broken = here / "allmemories/broken_note_here.md"
    broken.write_text("---\na: [\n---\nx")
    git(here, "add", "-A")
    git(here, "commit", "-q", "-m", "x")
    done = json.loads(mdmem("adopt", "--all", "--json").out)
    assert sorted(done["paths"]) == ["allmemories/Plain Note.md", "allmemories/legacy_note_here.md"]
    assert [problem["path"] for problem in done["problems"]] == ["allmemories/broken_note_here.md"]
    assert plain.read_bytes().endswith(b"\r\n---\r\n\r\n# My plan\r\n\r\nText \xc3\xa9")
    assert b"title:" not in plain.read_bytes()  # the heading says it
    assert "created: 2026-02-08T14:05:00Z\n" in legacy.read_text()
    assert git(here, "log", "-1", "--format=%s").startswith("revise: ")
    assert json.loads(mdmem("adopt", "--all", "--json").out)["paths"] == []
    mdmem("adopt", code=2)


def test_adopt_writes_no_title_that_the_text_says(here: Path, mdmem: Run, git: Git) -> None:
    """Such titles doctor would have dropped again."""
    said, unsaid = here / "allmemories/Budget.md", here / "allmemories/Plans.md"
    said.write_text("# Budget\nWe plan by quarters.\n")
    unsaid.write_text("We plan by quarters.\n")
    git(here, "add", "-A")
    git(here, "commit", "-q", "-m", "x")
    mdmem("adopt", "--all")
    assert "title:" not in said.read_text()
    assert "title: Plans\n" in unsaid.read_text()
    assert "titles stored" not in mdmem("doctor").out


def test_a_link_is_no_memory_that_git_lacks(here: Path, mdmem: Run) -> None:
    save(mdmem, "alpha", "--name", "some_note_here")
    (here / "allmemories/another_note_here.md").symlink_to("some_note_here.md")
    told = mdmem("doctor").out
    assert "is a symbolic link" in told
    assert "git add" not in told
    assert json.loads(mdmem("status", "--json").out)["uncommitted"] == []


def test_rename_takes_the_links_along(here: Path, mdmem: Run, git: Git) -> None:
    save(mdmem, "x", "--name", "project_uses_python")
    linking = here / "allmemories/by_hand_note.md"
    linking.write_bytes(
        b'---\r\nsupersedes: ["[[project_uses_python]]"] # why\r\n---\r\n'
        b"see [[project_uses_python#a|it]], [md](project_uses_python.md) and `[[project_uses_python]]`\r\n"
    )
    git(here, "add", "-A")
    git(here, "commit", "-q", "-m", "x")
    done = json.loads(mdmem("rename", "project_uses_python", "project_uses_rust", "--json").out)
    assert done["relinked"] == ["allmemories/by_hand_note.md"]
    assert linking.read_bytes() == (
        b'---\r\nsupersedes: ["[[project_uses_rust]]"] # why\r\n---\r\n'
        b"see [[project_uses_rust#a|it]], [md](project_uses_rust.md) and `[[project_uses_python]]`\r\n"
    )
    assert git(here, "show", "--name-status", "--format=", "-M", "HEAD").split()[0] == "M"
    mdmem("rename", "project_uses_rust", "stuff", code=2)
    save(mdmem, "y", "--name", "other_note_here")
    mdmem("rename", "project_uses_rust", "other_note_here", code=5)
    actions = [item["actions"] for item in json.loads(mdmem("log", "project_uses_rust", "--json").out)]
    assert actions == [["rename"], ["create"]]
    assert ", 1 note relinked  (" in mdmem("rename", "project_uses_rust", "project_uses_go").out
    assert "relinked" not in mdmem("rename", "other_note_here", "third_note_here").out


def test_a_rename_without_a_new_name_says_what_to_type(here: Path, mdmem: Run) -> None:
    assert "mdmem rename some_old_name NEW_NAME" in mdmem("rename", "some_old_name", code=2).err
    for arguments in (["--rename"], ["--rename", "new_name"]):
        assert "mdmem rename NAME NEW_NAME" in mdmem("remember", *arguments, code=2).err


def test_forget_trash_restore(here: Path, mdmem: Run, git: Git) -> None:
    made = save(mdmem, "precious", "--name", "some_note_here")
    text = (here / made["path"]).read_text()
    mdmem("forget", "some_note_here", "-m", "outdated")
    assert paths(here) == []
    (item,) = json.loads(mdmem("trash", "--json").out)
    assert (item["name"], item["id"], item["reason"]) == ("some_note_here", made["id"], "outdated")
    assert json.loads(mdmem("recall", "precious", "--json").out) == []
    mdmem("show", "some_note_here", code=3)
    assert mdmem("show", "some_note_here@HEAD~1").out == text
    assert [i["actions"] for i in json.loads(mdmem("log", "some_note_here", "--json").out)] == [
        ["delete"],
        ["create"],
    ]
    mdmem("restore", made["id"])
    assert (here / made["path"]).read_text() == text
    assert json.loads(mdmem("trash", "--json").out) == []
    assert json.loads(mdmem("recall", "precious", "--json").out)[0]["id"] == made["id"]
    assert "the trash holds no" in mdmem("restore", "some_note_here", code=3).err


def test_restore_never_overwrites(here: Path, mdmem: Run) -> None:
    made = save(mdmem, "first", "--name", "some_note_here")
    mdmem("forget", "some_note_here")
    save(mdmem, "second", "--name", "some_note_here")
    mdmem("restore", made["id"], code=5)
    assert "second" in (here / made["path"]).read_text()


def test_an_old_version_comes_back(here: Path, mdmem: Run) -> None:
    save(mdmem, "first", "--name", "some_note_here")
    mdmem("update", "some_note_here", "--body", "second")
    mdmem("restore", "some_note_here@HEAD~1")
    assert "first" in mdmem("show", "some_note_here").out
    assert "is already in that state" in mdmem("restore", "some_note_here@HEAD").out
    assert [i["actions"][0] for i in json.loads(mdmem("log", "some_note", "--json").out)] == [
        "restore",
        "revise",
        "create",
    ]


def test_forget_many_stops_and_never_is_never(here: Path, mdmem: Run) -> None:
    names = [save(mdmem, f"note {n}", "--name", f"note_number_{n}")["name"] for n in range(12)]
    stopped = mdmem("forget", *names, code=4)
    assert "--yes" in stopped.err
    assert len(paths(here)) == 12
    save(mdmem, "keep", "--name", "keep_this_note", "--set", "deletion_policy=never")
    mdmem("forget", "keep_this_note", "--yes", code=4)
    mdmem("forget", *names, "--yes")
    assert paths(here) == ["allmemories/keep_this_note.md"]


# -- history


def test_log_reads_hand_made_commits(here: Path, mdmem: Run, git: Git) -> None:
    save(mdmem, "x", "--name", "some_note_here", "--actor", "bot", "--session", "s1", "-m", "why")
    path = here / "allmemories/some_note_here.md"
    path.write_text(path.read_text() + "By hand.\n")
    git(here, "commit", "-qam", "vault backup")
    git(here, "mv", "allmemories/some_note_here.md", "allmemories/moved_note_here.md")
    git(here, "commit", "-qm", "moved")
    git(here, "rm", "-q", "allmemories/moved_note_here.md")
    git(here, "commit", "-qm", "gone")
    entries = json.loads(mdmem("log", "--json").out)
    assert [(entry["actions"], entry["by_hand"], entry["actor"]) for entry in entries] == [
        (["delete"], True, "Ada Lovelace"),
        (["rename"], True, "Ada Lovelace"),
        (["revise"], True, "Ada Lovelace"),
        (["create"], False, "bot"),
    ]
    assert entries[-1]["reason"] == "why"
    assert [entry["session"] for entry in json.loads(mdmem("log", "--session", "s1", "--json").out)] == ["s1"]
    assert len(json.loads(mdmem("log", "--actor", "ada@example.org", "--json").out)) == 3
    assert len(json.loads(mdmem("log", "-n", "2", "--json").out)) == 2
    assert json.loads(mdmem("log", "--since", "2027-01-01", "--json").out) == []
    mdmem("log", "--since", "whenever", code=2)


def test_history_follows_a_note_that_is_moved_and_rewritten_at_once(here: Path, mdmem: Run, git: Git) -> None:
    made = save(mdmem, "short", "--name", "some_note_here")
    path = here / made["path"]
    text = path.read_text()
    path.unlink()
    (here / "allmemories/new_note_name.md").write_text(
        text.replace("short", "long and different " * 30).replace("past", "future")
    )
    git(here, "add", "-A")
    git(here, "commit", "-qm", "moved and rewritten")
    assert len(json.loads(mdmem("log", "new_note_name", "--json").out)) == 2
    assert json.loads(mdmem("trash", "--json").out) == []
    assert "short" in mdmem("show", "new_note_name@HEAD~1").out


def test_diff(here: Path, mdmem: Run, git: Git) -> None:
    save(mdmem, "first", "--name", "some_note_here")
    assert mdmem("diff").out == ""
    path = here / "allmemories/some_note_here.md"
    path.write_text(path.read_text() + "By hand.\n")
    assert "+By hand." in mdmem("diff").out
    assert "+By hand." in mdmem("diff", "some_note").out
    mdmem("update", "some_note_here", "--body", "second")
    text = mdmem("diff", "some_note_here@HEAD~2").out
    assert "-first" in text
    assert "+second" in text
    assert "some_note_here" in json.loads(mdmem("diff", "--from", "HEAD~1", "--to", "HEAD", "--json").out)["diff"]
    mdmem("diff", "--from", "nonsense", code=2)
    mdmem("diff", "--from", "--output=x", code=2)


def test_diff_understands_revisions(here: Path, mdmem: Run, git: Git) -> None:
    mdmem("remember", "Tables over prose.", "--name", "user_prefers_tables")
    mdmem("remember", "The fox host has 64 GB.", "--name", "fox_host_memory")
    first = git(here, "rev-parse", "HEAD~1")
    assert "+The fox host" in mdmem("diff", "HEAD~1").out
    assert "+Tables" not in mdmem("diff", first[:10]).out
    between = mdmem("diff", "HEAD~2..HEAD~1").out
    assert "+Tables" in between
    assert "+The fox" not in between
    git(here, "branch", "fox_host_memory", "HEAD~2")
    assert mdmem("diff", "fox_host_memory").err == "no difference\n", "a memory comes before a branch"
    mdmem("diff", "HEAD~1..nosuch", code=3)


def test_versions_by_date(here: Path, mdmem: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MDMEM_NOW", "2026-03-05T10:00:00Z")
    save(mdmem, "first", "--name", "some_note_here")
    monkeypatch.setenv("MDMEM_NOW", "2026-03-09T10:00:00Z")
    mdmem("update", "some_note_here", "--body", "second")
    assert "first" in mdmem("show", "some_note_here@2026-03-05").out
    assert "second" in mdmem("show", "some_note_here@2026-03-09").out
    mdmem("show", "some_note_here@2026-03-09T09:00Z")
    mdmem("show", "some_note_here@1999-01-01", code=2)


# -- undo


def test_undo_a_session_is_one_commit_and_touches_nothing_else(here: Path, mdmem: Run, git: Git) -> None:
    save(mdmem, "right", "--name", "right_note_here")
    mdmem("update", "right_note_here", "--body", "wrong", "--session", "bad")
    for number in range(3):
        save(mdmem, f"wrong {number}", "--name", f"wrong_note_{number}", "--session", "bad", "--actor", "bot")
    save(mdmem, "later", "--name", "later_note_here", "--session", "good")
    mdmem("rename", "right_note_here", "renamed_note_here", "--session", "bad")
    count = int(git(here, "rev-list", "--count", "HEAD"))
    dry = mdmem("undo", "--session", "bad", "--dry-run")
    assert "would take back 5 commits" in dry.out
    assert int(git(here, "rev-list", "--count", "HEAD")) == count
    done = json.loads(mdmem("undo", "--session", "bad", "--json", "-m", "nonsense").out)
    assert len(done["undone"]) == 5
    assert done["subjects"][:2] == ["rename: renamed_note_here", "create: wrong_note_2"]
    assert int(git(here, "rev-list", "--count", "HEAD")) == count + 1
    assert paths(here) == ["allmemories/later_note_here.md", "allmemories/right_note_here.md"]
    assert "right" in mdmem("show", "right_note_here").out
    assert git(here, "log", "-1", "--format=%B").count("Memory-Undoes: ") == 5
    assert "nothing to undo" in mdmem("undo", "--session", "bad", code=3).err
    redone = mdmem("undo", "--commit", "HEAD")
    assert "took back 1 commit" in redone.out
    assert len(paths(here)) == 5


def test_undo_names_the_commits_that_it_took_back(here: Path, mdmem: Run, git: Git) -> None:
    """Of many, the newest ten. One made by hand has the subject that its author gave it."""
    for number in range(11):
        save(mdmem, f"wrong {number}", "--name", f"wrong_note_{number}", "--session", "bad")
    (here / "allmemories/wrong_note_3.md").write_text("By hand.\n")
    git(here, "commit", "--quiet", "--all", "-m", "only a word\n\nand why")
    by_hand = git(here, "rev-parse", "HEAD")[:8]
    out = mdmem("undo", "--last", "12", "--yes").out.splitlines()
    assert out[0].startswith("took back 12 commits, 11 files changed  (")
    assert out[1] == f"  {by_hand} only a word"
    assert out[2].endswith(" create: wrong_note_10")
    assert (len(out), out[-1]) == (12, "  and 2 more")


def test_undo_last_goes_further_back_each_time(here: Path, mdmem: Run) -> None:
    for number in range(3):
        save(mdmem, f"note {number}", "--name", f"note_number_{number}")
    mdmem("undo", "--last", "1")
    mdmem("undo", "--last", "1")
    assert paths(here) == ["allmemories/note_number_0.md"]
    mdmem("undo", "--last", "5")
    assert paths(here) == []


def test_undo_by_actor_and_since(here: Path, mdmem: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    save(mdmem, "old", "--name", "old_bot_note", "--actor", "bot")
    monkeypatch.setenv("MDMEM_NOW", "2026-03-01T15:00:00Z")
    save(mdmem, "new", "--name", "new_bot_note", "--actor", "bot")
    save(mdmem, "mine", "--name", "new_own_note")
    mdmem("undo", "--actor", "BOT", "--since", "2h")
    assert paths(here) == ["allmemories/new_own_note.md", "allmemories/old_bot_note.md"]


def test_edits_made_since_elsewhere_in_the_note_survive_an_undo(here: Path, mdmem: Run, git: Git) -> None:
    save(mdmem, "\n\n".join(f"Paragraph {n}." for n in range(8)), "--name", "some_note_here")
    path = here / "allmemories/some_note_here.md"
    mdmem("update", "some_note_here", "--append", "Wrong addition.", "--session", "bad")
    path.write_text(path.read_text().replace("Paragraph 0.", "Paragraph zero, by hand."))
    mdmem("undo", "--session", "bad")
    text = path.read_text()
    assert "Paragraph zero, by hand." in text
    assert "Wrong addition" not in text
    assert git(here, "status", "--porcelain") == ""


def test_conflicting_edits_are_shown_and_never_overwritten(here: Path, mdmem: Run, git: Git) -> None:
    save(mdmem, "First.", "--name", "some_note_here")
    mdmem("update", "some_note_here", "--body", "Wrong.", "--session", "bad")
    save(mdmem, "Also wrong.", "--name", "other_wrong_note", "--session", "bad")
    save(mdmem, "Wrong, then loved.", "--name", "third_wrong_note", "--session", "bad")
    path, third = here / "allmemories/some_note_here.md", here / "allmemories/third_wrong_note.md"
    path.write_text(path.read_text().replace("Wrong.", "Mended by hand."))
    third.write_text(third.read_text() + "By hand.\n")
    git(here, "commit", "-qam", "mended")
    before = git(here, "rev-parse", "HEAD")
    failed = mdmem("undo", "--session", "bad", code=5)
    assert "some_note_here.md: was edited since" in failed.err
    assert "Mended by hand." in failed.err
    assert "third_wrong_note.md: was edited after it was made" in failed.err
    assert git(here, "rev-parse", "HEAD") == before
    shown = json.loads(mdmem("undo", "--session", "bad", "--json", code=5).out)
    assert len(shown["conflicts"]) == 2
    mdmem("undo", "--session", "bad", "--skip-conflicts")
    assert "Mended by hand." in path.read_text()
    assert "By hand." in third.read_text()
    assert not (here / "allmemories/other_wrong_note.md").exists()


def test_undo_of_a_big_import_asks(here: Path, mdmem: Run, root: Path) -> None:
    for number in range(12):
        save(mdmem, f"note {number}", "--name", f"note_number_{number}", "--session", "import")
    mdmem("undo", "--session", "import", code=4)
    assert len(paths(here)) == 12
    mdmem("undo", "--session", "import", "--yes")
    assert paths(here) == []


# -- upkeep


def test_layout_and_back(here: Path, mdmem: Run, git: Git) -> None:
    save(
        mdmem,
        "see [[second_note_here]] and [md](second_note_here.md)",
        "--name",
        "first_note_here",
        "--created",
        "2026-01-05",
    )
    save(mdmem, "[x](first_note_here.md)", "--name", "second_note_here", "--created", "2026-02-05")
    (here / "allmemories/mine").mkdir()
    (here / "allmemories/mine/own_folder_note.md").write_text("[[first_note_here]] [a](../first_note_here.md)")
    git(here, "add", "-A")
    git(here, "commit", "-qm", "x")
    before = {path: (here / path).read_text() for path in paths(here)}
    toml = (here / "mdmem.toml").read_text()
    mdmem("layout", "month")
    assert paths(here) == [
        "allmemories/2026/01/first_note_here.md",
        "allmemories/2026/02/second_note_here.md",
        "allmemories/mine/own_folder_note.md",
    ]
    assert "see [[second_note_here]] and [md](../02/second_note_here.md)" in (here / paths(here)[0]).read_text()
    assert (here / paths(here)[2]).read_text() == "[[first_note_here]] [a](../2026/01/first_note_here.md)"
    assert git(here, "log", "-1", "--format=%s").startswith("rename: ")
    assert save(mdmem, "new", "--name", "third_note_here")["path"] == "allmemories/2026/03/third_note_here.md"
    mdmem("forget", "third_note_here")
    mdmem("layout", "flat")
    assert {path: (here / path).read_text() for path in paths(here)} == before
    assert (here / "mdmem.toml").read_text() == toml
    assert "moved 0 memories" in mdmem("layout", "flat").out


def test_doctor_names_everything_with_a_fix(here: Path, mdmem: Run, git: Git) -> None:
    assert mdmem("doctor").out == "no problems\n"
    made = save(mdmem, "see [[project_usesrust]]", "--name", "some_note_here")
    save(mdmem, "x", "--name", "project_uses_rust")
    copy = here / "allmemories/sub/some_note_here.md"
    copy.parent.mkdir()
    copy.write_text((here / made["path"]).read_text())
    (here / "allmemories/Broken Note.md").write_text("---\na: [\n---\n")
    (here / "allmemories/Bad Name.md").write_text("---\nid: 0192f3c4-7d1e-7c3a-9d53-0c7a6f3e2b11\n---\nx")
    (here / "allmemories/odd_type_note.md").write_text("---\ntype: fakt\n---\n")
    (here / "allmemories/binary_note_here.md").write_bytes(b"\0")
    (here / "mdmem.toml").write_text('memmories = "x"\n')
    problems = json.loads(mdmem("doctor", "--json", code=1).out)
    codes = {problem["code"] for problem in problems}
    assert codes >= {
        *("id-twice", "name-twice", "frontmatter-broken", "property", "note-binary", "config-unknown"),
        *("name", "link-dangling", "uncommitted"),
    }
    assert all(problem["fix"] for problem in problems)
    (dangling,) = [p for p in problems if p["code"] == "link-dangling" and p["path"] == made["path"]]
    assert "[[project_uses_rust]]" in dangling["fix"]
    lines = (here / made["path"]).read_text().splitlines()
    assert "project_usesrust" in lines[dangling["line"] - 1]
    mdmem("doctor", "--fix", "--deep", code=1)
    assert git(here, "status", "--porcelain").count("\n") == 5


@pytest.mark.parametrize(
    ("name", "text", "message", "shown", "end"),
    [
        ("Name {}", "---\nid: m-{}\n---\nx", "the name has", 5, "... and 4 more warnings of the kind name"),
        (
            *("broken_note_{}", "---\na: [\n---\n", "the frontmatter cannot be read", 20),
            "... and 3 more errors of the kind frontmatter-broken",
        ),
    ],
)
def test_doctor_prints_the_first_of_many_problems_of_a_kind(
    here: Path, mdmem: Run, name: str, text: str, message: str, shown: int, end: str
) -> None:
    many = shown + int(end.split()[2])
    for number in range(many):
        (here / f"allmemories/{name.format(number)}.md").write_text(text.format(number))
    code = int("errors" in end)
    told = mdmem("doctor", code=code).out
    assert told.count(message) == shown
    assert f"{end}: mdmem doctor --all" in told
    assert f"{many} errors, " in told or not code
    assert mdmem("doctor", "--all", code=code).out.count(message) == many


def test_doctor_sees_a_drifted_index_and_mends_it(here: Path, mdmem: Run) -> None:
    import sqlite3

    save(mdmem, "x", "--name", "some_note_here")
    db = sqlite3.connect(here / ".mdmem/index.sqlite")
    db.execute("UPDATE notes SET title='drifted'")
    db.commit()
    db.close()
    assert "index-drift" in mdmem("doctor", "--json", code=1).out
    mdmem("doctor", "--fix")


def test_rebuild(here: Path, mdmem: Run) -> None:
    save(mdmem, "x", "--name", "some_note_here")
    assert mdmem("rebuild").out == "indexed 1 memory\n"
    assert json.loads(mdmem("rebuild", "--json").out) == {"memories": 1}


# -- the whole


def test_errors_go_to_stderr_with_what_to_do(tmp_path: Path, mdmem: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    failed = mdmem("recall", "x", code=3)
    assert failed.out == ""
    assert failed.err.startswith("mdmem: there is no vault here\n")
    assert "mdmem init" in failed.err
    near = mdmem("recal", code=2)
    assert "did you mean recall?" in near.err


def test_unexpected_errors_are_one_sentence(here: Path, mdmem: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from mdmem.recall import order

    def explode(*args: object) -> None:
        raise RuntimeError("boom")

    monkeypatch.setattr(order, "recall", explode)
    failed = mdmem("recall", "x", code=70)
    assert "unexpected error: RuntimeError: boom" in failed.err
    assert "MDMEM_DEBUG=1" in failed.err
    monkeypatch.setenv("MDMEM_DEBUG", "1")
    with pytest.raises(RuntimeError):
        mdmem("recall", "x")


def test_the_vault_can_be_named_in_every_way(
    root: Path, tmp_path: Path, mdmem: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert mdmem("--vault", root, "list", "--json").out == "[]\n"
    assert mdmem("list", "--json", "--vault", root).out == "[]\n"
    monkeypatch.setenv("MDMEM_VAULT", str(root))
    assert mdmem("list", "--json").out == "[]\n"
    assert "not a vault" in mdmem("list", "--vault", tmp_path, code=3).err


@pytest.mark.parametrize(
    "line",
    [
        ("list", "--vault", ""),
        ("--vault", "", "list"),
        ("init", ""),
        ("undo", "--session", "", "--since", "1h"),
        ("forget", "--tag", "", "--yes"),
        ("forget", "", "--yes"),
        ("remember", "A note.", "--actor", ""),
    ],
)
def test_an_empty_value_does_not_mean_any(here: Path, mdmem: Run, git: Git, line: tuple[str, ...]) -> None:
    save(mdmem, "alpha", "--name", "some_note_here", "--session", "s1")
    before = git(here, "rev-parse", "HEAD")
    assert " is empty\n" in mdmem(*line, code=2).err
    assert git(here, "rev-parse", "HEAD") == before
    mdmem("session", "note", "--present", "", "--session", "s1")  # there it clears a gauge


def test_a_stream_that_is_closed_is_no_error(here: Path, mdmem: Run) -> None:
    """As a service or a job of cron may start a command."""
    import subprocess
    import sys

    def run(line: str) -> subprocess.CompletedProcess[str]:
        words = ["sh", "-c", f"{sys.executable} -m mdmem {line}"]
        return subprocess.run(words, cwd=here, capture_output=True, text=True)

    save(mdmem, "alpha", "--name", "some_note_here")
    for line, code in (("list >&-", 0), ("remember <&-", 2), ("show nosuch 2>&-", 3), ("doctor <&- >&- 2>&-", 0)):
        done = run(line)
        assert (done.returncode, "unexpected error" in done.stderr) == (code, False), line
    assert run("list >/dev/full").stderr.startswith("mdmem: No space left on device\n")


def test_colours_only_on_a_terminal(here: Path, mdmem: Run) -> None:
    save(mdmem, "alpha", "--name", "some_note_here", "-t", "x")
    assert "\x1b" not in mdmem("list").out + mdmem("recall", "alpha").out + mdmem("log").out


def test_a_closed_pipe_is_no_error(here: Path, mdmem: Run) -> None:
    import subprocess
    import sys

    for number in range(30):
        save(mdmem, f"note {number}", "--name", f"note_number_{number}")
    line = f"{sys.executable} -m mdmem log -n 30 | head -1"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", line], cwd=here, capture_output=True, text=True)
    assert done.stderr == ""
    assert done.returncode == 0


# -- found by reading again


def test_every_property_has_an_option(here: Path, mdmem: Run) -> None:
    save(mdmem, "x", "--name", "other_note_here")
    made = save(
        *(mdmem, "Body.", "--name", "full_note_here", "--topic", "t", "--project", "p", "--status", "contested"),
        *("--importance", "0.5", "--salience", "2", "--pinned", "--sensitivity", "high", "--scope", "user"),
        *("--source", "derived", "--origin", "web", "--decay", "{curve: linear, half_life_seconds: 60}"),
        *(
            "--deletion-policy",
            "never",
            "--provenance",
            "[{kind: event, ref: x}]",
            "--supports",
            "other_note_here",
        ),
        *("--supersedes", "other_note_here", "--last-reinforced-at", "2026-01-02"),
    )
    shown = json.loads(mdmem("show", made["name"], "--json").out)["properties"]
    assert shown["decay"] == {"curve": "linear", "half_life_seconds": 60}
    assert shown["provenance"] == [{"kind": "event", "ref": "x"}]
    assert shown["supports"] == ["[[other_note_here]]"]
    assert shown["pinned"] is True
    assert [
        problem for problem in json.loads(mdmem("doctor", "--json").out) if problem["path"] == made["path"]
    ] == []


def test_edit_keeps_line_ends_and_merges_what_others_saved(
    here: Path, mdmem: Run, git: Git, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = here / "allmemories/some_note_here.md"
    before = b"---\r\ntitle: T\r\n---\r\n" + b"".join(b"line %d\r\n" % number for number in range(9)) + b"no end"
    path.write_bytes(before)
    git(here, "add", "-A")
    git(here, "commit", "-qm", "x")
    editor = tmp_path / "editor"
    monkeypatch.setenv("MDMEM_EDITOR", str(editor))

    def edits(script: str) -> None:
        editor.write_text(f"#!/bin/sh\n{script}\n")
        editor.chmod(0o755)

    edits(f"sed -i 's/line 1/edited 1/' \"$1\"; sed -i 's/line 8/meanwhile 8/' '{path}'")
    mdmem("edit", "some_note_here")
    assert path.read_bytes() == before.replace(b"line 1", b"edited 1").replace(b"line 8", b"meanwhile 8")
    edits(f"sed -i 's/line 2/mine 2/' \"$1\"; sed -i 's/line 2/theirs 2/' '{path}'")
    failed = mdmem("edit", "some_note_here", code=5)
    assert b"theirs 2" in path.read_bytes()
    assert "your text is in" in failed.err


def test_moving_many_notes_without_ids_is_no_loss(here: Path, mdmem: Run, git: Git) -> None:
    for number in range(15):
        (here / f"allmemories/note_number_{number}.md").write_text(f"text {number}")
    git(here, "add", "-A")
    git(here, "commit", "-qm", "x")
    mdmem("layout", "month")
    assert len(paths(here)) == 15
    mdmem("adopt", "--all")


def test_writing_in_the_middle_of_someones_merge(here: Path, mdmem: Run, git: Git) -> None:
    (here / "code.txt").write_text("base")
    git(here, "add", "-A")
    git(here, "commit", "-qm", "base")
    git(here, "checkout", "-qb", "side")
    (here / "code.txt").write_text("side")
    git(here, "commit", "-qam", "side")
    git(here, "checkout", "-q", "main")
    (here / "code.txt").write_text("main")
    git(here, "commit", "-qam", "main")
    git(here, "merge", "side", code=1)
    save(mdmem, "in the middle", "--name", "some_note_here")
    assert git(here, "show", "--name-only", "--format=", "HEAD") == "allmemories/some_note_here.md"
    assert git(here, "status", "--porcelain") == "UU code.txt"
    (here / "code.txt").write_text("both")
    git(here, "add", "code.txt")
    git(here, "commit", "-qm", "merged")
    assert len(git(here, "log", "-1", "--format=%P").split()) == 2
    assert paths(here) == ["allmemories/some_note_here.md"]


def test_a_vault_on_a_read_only_disk_can_be_read(
    here: Path, mdmem: Run, without_rights: Callable[[Callable[[], str]], str]
) -> None:
    save(mdmem, "Lovelace wrote notes.", "--name", "ada_wrote_notes")

    def freeze(mode_folder: int, mode_file: int) -> None:
        for folder in [here, *here.rglob("*")]:
            if not folder.is_symlink():
                folder.chmod(mode_folder if folder.is_dir() else mode_file)

    def look() -> str:
        import io
        from contextlib import redirect_stderr, redirect_stdout

        from mdmem.__main__ import main

        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            codes = [
                main(["recall", "lovelace", "--paths-only"]),
                main(["remember", "x y z", "--twins", "ignore"]),
            ]
        return f"{codes} {out.getvalue()}|{err.getvalue()}"

    for lost in (False, True):
        if lost:
            (here / ".mdmem/index.sqlite").unlink()
        freeze(0o555, 0o444)
        said = without_rights(look)
        freeze(0o755, 0o644)
        assert said.startswith("[0, 1] allmemories/ada_wrote_notes.md\n"), said
        assert "[MEMORY_CANDIDATES]" in said.partition("System Notes")[2], said  # to be saved by hand
        assert "cannot be written" in said
        assert "Traceback" not in said


@pytest.mark.parametrize(
    "line",
    [
        ["remember", "text", "--actor", "caf\udce9"],
        ["remember", "text", "--session", "caf\udce9"],
        ["remember", "text", "-m", "caf\udce9"],
        ["show", "caf\udce9"],
        ["show", "some_note_here@caf\udce9"],
        ["forget", "caf\udce9"],
        ["log", "--actor", "caf\udce9"],
        ["undo", "--commit", "caf\udce9"],
    ],
    ids=lambda line: " ".join(line).encode("ascii", "replace").decode(),
)
def test_arguments_in_no_encoding_are_wrong_usage(here: Path, mdmem: Run, line: list[str]) -> None:
    save(mdmem, "text", "--name", "some_note_here")
    assert "UTF-8" in mdmem(*line, code=2).err
    assert paths(here) == ["allmemories/some_note_here.md"]


def test_an_actor_from_the_environment_in_no_encoding(
    here: Path, mdmem: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MDMEM_ACTOR", "caf\udce9")
    mdmem("remember", "text", "--name", "some_note_here", code=2)
    assert paths(here) == []
