"""Every command as a person uses it, on a real vault: what it prints, what it commits, how it fails."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from mdmem.__main__ import main
from tests.conftest import Editor, Git, Run


def paths(root: Path) -> list[str]:
    return sorted(path.relative_to(root).as_posix() for path in (root / "allmemories").rglob("*.md"))


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
    here: Path, mdmem: Run, git: Git, arguments: list[str], code: int, message: str, save: Run
) -> None:
    save("first", "--name", "taken_note_name")
    before = git(here, "rev-parse", "HEAD")
    failed = mdmem("remember", *arguments, code=code)
    assert message in failed.err
    assert failed.out == ""
    assert git(here, "rev-parse", "HEAD") == before
    assert git(here, "status", "--porcelain") == ""


def test_a_memory_of_the_same_title_is_not_said_to_be_the_same(mdmem: Run, save: Run) -> None:
    save("Run pytest.", "--title", "Testing", "--name", "testing_with_pytest_here")
    said = mdmem("remember", "The suite runs on two machines before each release.", "--title", "Testing").err
    assert "100 % the same title: testing_with_pytest_here" in said


def test_near_twins_are_shown_before_writing(here: Path, mdmem: Run, save: Run) -> None:
    save("The user prefers tables over long paragraphs in every report.", "--name", "user_prefers_tables")
    said = mdmem("remember", "The user prefers tables over long paragraphs in each report.")
    assert "user_prefers_tables" in said.err
    assert "% the same" in said.err
    stopped = mdmem(
        "remember", "User prefers tables over long paragraphs in every report.", "--twins", "refuse", code=5
    )
    assert "nothing was written" in stopped.err
    assert "% the same" not in mdmem("remember", "The server restarts at night because of the backup.").err
    assert len(paths(here)) == 3


def test_remember_in_an_editor_starts_from_the_template(here: Path, mdmem: Run, editor: Editor) -> None:
    editor('sed -i "s/^title:.*/title: Cache is written through/; s/^What was.*/We chose it./" "$1"')
    mdmem("remember", "--edit", "--type", "decision", "-t", "cache")
    text = (here / "allmemories/cache_written_through.md").read_text()
    assert "type: decision\n" in text
    assert "tags:\n  - cache\n" in text
    assert "We chose it." in text
    assert "## Reasoning" in text


# -- finding


def test_recall_and_list_as_json(here: Path, mdmem: Run, ask: Run, save: Run) -> None:
    save(
        "Intro line.\n\nThe deploy server is called Lovelace.", "--name", "deploy_server_is_lovelace", "-t", "ops"
    )
    save("Something else entirely.", "--name", "other_note_here", "--type", "fact")
    (hit,) = ask("recall", "lovelace", "server", "-n", "1")
    assert {
        "name": "deploy_server_is_lovelace",
        "path": "allmemories/deploy_server_is_lovelace.md",
        "title": "Intro line",
        "tags": ["ops"],
        "status": "active",
        "created": "2026-03-01T12:00:00Z",
        "snippet": "The deploy **server** is called **Lovelace**.",
    }.items() <= hit.items()
    assert hit["score"] > 0
    assert {"type", "commit"} <= hit.keys()
    lines = (here / hit["path"]).read_text().splitlines()
    assert lines[hit["line"] - 1] == "The deploy server is called Lovelace."
    listed = ask("list")
    assert [item["name"] for item in listed] == ["deploy_server_is_lovelace", "other_note_here"]
    assert {"name", "path", "title", "type", "status", "tags", "created"} <= listed[0].keys()
    assert ask("recall", "nonexistentword") == []
    assert mdmem("recall", "lovelace", "--paths-only").out == "allmemories/deploy_server_is_lovelace.md\n"


@pytest.mark.parametrize(
    "query", ['"', "a AND", "NEAR(", "*", "name:x", "^a", "-", "(", "\0", "🎉", "x" * 10000, "col:*"]
)
def test_no_query_fails(mdmem: Run, query: str, save: Run) -> None:
    save("text", "--name", "some_note_here")
    json.loads(mdmem("recall", "--json", "--", query).out)


def test_a_long_list_as_json_is_told_note_by_note(here: Path, mdmem: Run) -> None:
    """So many notes are not held at once; the text is nevertheless one JSON array, as that of a few notes is."""
    for number in range(2_001):
        (here / f"allmemories/a_note_of_number_{number:04}.md").write_text(f"---\nid: n{number}\n---\n\nNo.\n")
    told = mdmem("list", "--json").out
    listed = json.loads(told)
    assert [note["name"] for note in listed] == [f"a_note_of_number_{number:04}" for number in range(2_001)]
    assert told == json.dumps(listed, indent=2, ensure_ascii=False) + "\n"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("list", "no memories"),
        ("list --count tags", "no memory has tags"),
        ("log", "nothing was written"),
        ("log --since 1h", "nothing was written"),
        ("recall tea", "nothing found"),
        ("trash", "the trash is empty"),
    ],
)
def test_what_finds_nothing_says_so_beside_the_result(mdmem: Run, line: str, told: str) -> None:
    done = mdmem(*line.split())
    assert done.out == ""
    assert told in done.err
    assert mdmem(*line.split(), "--json").err == ""


@pytest.mark.parametrize(
    ("options", "names"),
    [
        ("-t x", ["first", "second"]),
        ("-t x -t y", ["second"]),
        ("--where confidence>0.5", ["first"]),
        ("--where !confidence", ["third"]),
        ("--where topic=cache", ["second"]),
        ("--topic cache", ["second"]),
        ("--type fact", ["third"]),
        ("--status contested", ["third"]),
        ("--where created<2026-02", ["first"]),
        ("--sort created -r -n 2", ["third", "second"]),
    ],
)
def test_list_filters_and_sorts(ask: Run, save: Run, options: str, names: list[str]) -> None:
    save("a", "--name", "first_note_here", "--confidence", "0.9", "-t", "x", "--created", "2026-01-05")
    save("b", "--name", "second_note_here", "--confidence", "0.4", "-t", "x", "-t", "y", "--topic", "cache")
    save("c", "--name", "third_note_here", "--type", "fact", "--status", "contested")
    assert [item["name"].split("_")[0] for item in ask("list", *options.split())] == names


def test_a_filter_or_a_property_that_there_is_not_is_refused(mdmem: Run, save: Run) -> None:
    save("Tables over prose.", "--type", "preference")
    assert mdmem("list", "--count", "type").out == "1  preference\n"
    assert "nearest: type" in mdmem("list", "--count", "typ", code=2).err
    assert "is not a filter" in mdmem("list", "--where", "(", code=2).err


def test_show_finds_by_every_kind_of_name(here: Path, mdmem: Run, ask: Run, save: Run) -> None:
    made = save("The body.", "--name", "user_prefers_tables")
    save("x", "--name", "user_prefers_dark_mode")
    text = (here / made["path"]).read_text()
    by_name = ("user_prefers_tables", "user_prefers_tables.md", "[[user_prefers_tables]]", "USER_PREFERS_TABLES")
    by_place = (made["path"], str(here / made["path"]))
    for name in (*by_name, *by_place, made["id"], "tables", "user_prefer_tables"):
        assert mdmem("show", name).out == text, name
    near = mdmem("show", "user_prefer_tables").err
    assert "there is no memory 'user_prefer_tables'; this is user_prefers_tables" in near
    ambiguous = mdmem("show", "user_prefers", code=2)
    assert "user_prefers_dark_mode" in ambiguous.err
    assert "user_prefers_tables" in ambiguous.err
    assert "there is no memory" in mdmem("show", "nothing_like_it", code=3).err
    found = ask("show", "tables")
    assert (found["title"], found["body"].strip()) == ("The body", "The body.")


def test_status(here: Path, mdmem: Run, ask: Run, save: Run) -> None:
    save("x", "--name", "some_note_here", "--type", "fact")
    (here / "allmemories/by_hand_note.md").write_text("---\na: [\n---\n")
    state = ask("status")
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
    surer = before.replace(b"]\r\n---", b"]\r\nconfidence: 0.9\r\n---")
    assert path.read_bytes() == surer.replace(b"[a,  b]", b"[b, c]")
    mdmem("update", "by_hand_note", "--unset", "confidence", "--set", "tags=[a, b]")
    tagged = before.replace(b"[a,  b]", b"[a, b]")
    assert path.read_bytes() == tagged
    assert "nothing to change" in mdmem("update", "by_hand_note", "--unset", "confidence").out
    mdmem("update", "by_hand_note", "--replace", "with no", "without\na", "--expect", "HEAD")
    assert path.read_bytes() == tagged.replace(b"with no", b"without\r\na")
    mdmem("update", "by_hand_note", "--replace", "without\na", "with no")
    mdmem("update", "by_hand_note", "--append", "More.")
    assert path.read_bytes() == tagged + b"\r\n\r\nMore.\r\n"


@pytest.mark.parametrize(
    ("options", "code", "told"),
    [
        ([], 2, "nothing to change"),
        (["--set", "status=gone"], 2, "gone"),
        (["--set", "id=0192f3c4-7d1e-7c3a-9d53-0c7a6f3e2b11"], 2, "id of a memory never changes"),
        (["--replace", "o", "a"], 2, "'o' stands 2 times"),
        (["--append", "More.", "--expect", "HEAD~1"], 5, "was changed since HEAD~1"),
    ],
)
def test_an_update_that_cannot_be_meant_is_refused(
    here: Path, mdmem: Run, save: Run, options: list[str], code: int, told: str
) -> None:
    path = here / save("foot", "--name", "some_note_here")["path"]
    before = path.read_bytes()
    assert told in mdmem("update", "some_note_here", *options, code=code).err
    assert path.read_bytes() == before


def test_edit_commits_what_was_saved(here: Path, mdmem: Run, git: Git, editor: Editor, save: Run) -> None:
    save("old words", "--name", "some_note_here")
    editor('sed -i s/old/new/ "$1"')
    mdmem("edit", "some_note_here", "-m", "better words")
    assert "new words" in (here / "allmemories/some_note_here.md").read_text()
    assert "better words" in git(here, "log", "-1", "--format=%B")
    editor(":")
    mdmem("edit", "some_note_here", code=130)
    editor('sed -i "s/^category:.*/title: [/" "$1"')
    failed = mdmem("edit", "some_note_here", code=1)
    assert "your text is in" in failed.err
    assert "title: [\n" in (here / ".mdmem/unsaved/some_note_here.md").read_text()
    assert "title: [\n" not in (here / "allmemories/some_note_here.md").read_text()


def test_edit_keeps_line_ends_and_merges_what_others_saved(
    here: Path, mdmem: Run, git: Git, editor: Editor
) -> None:
    path = here / "allmemories/some_note_here.md"
    before = b"---\r\ntitle: T\r\n---\r\n" + b"".join(b"line %d\r\n" % number for number in range(9)) + b"no end"
    path.write_bytes(before)
    git(here, "add", "-A")
    git(here, "commit", "-qm", "x")
    editor(f"sed -i 's/line 1/edited 1/' \"$1\"; sed -i 's/line 8/meanwhile 8/' '{path}'")
    mdmem("edit", "some_note_here")
    assert path.read_bytes() == before.replace(b"line 1", b"edited 1").replace(b"line 8", b"meanwhile 8")
    editor(f"sed -i 's/line 2/mine 2/' \"$1\"; sed -i 's/line 2/theirs 2/' '{path}'")
    assert "your text is in" in mdmem("edit", "some_note_here", code=5).err
    assert b"theirs 2" in path.read_bytes()


def test_adopt(here: Path, mdmem: Run, ask: Run, git: Git) -> None:
    """A title that the text says is not written beside it: doctor would have dropped it again."""
    plain, legacy = here / "allmemories/Plain Note.md", here / "allmemories/legacy_note_here.md"
    untitled, broken = here / "allmemories/Plans.md", here / "allmemories/broken_note_here.md"
    plain.write_bytes(b"# My plan\r\n\r\nText \xc3\xa9")
    legacy.write_text("# Old one\n\n**Created:** 2026-02-08 14:05\n**Tags:** [a]\n\n---\n\nBody\n")
    untitled.write_text("We plan by quarters.\n")
    broken.write_text("---\na: [\n---\nx")
    git(here, "add", "-A")
    git(here, "commit", "-q", "-m", "x")
    done = ask("adopt", "--all")
    assert sorted(done["paths"]) == [f"allmemories/{name}" for name in (plain.name, untitled.name, legacy.name)]
    assert [problem["path"] for problem in done["problems"]] == ["allmemories/broken_note_here.md"]
    assert plain.read_bytes().endswith(b"\r\n---\r\n\r\n# My plan\r\n\r\nText \xc3\xa9")
    assert b"title:" not in plain.read_bytes()
    assert "title: Plans\n" in untitled.read_text()
    assert "titles stored" not in mdmem("doctor", code=1).out
    assert "created: 2026-02-08T14:05:00Z\n" in legacy.read_text()
    assert git(here, "log", "-1", "--format=%s").startswith("revise: ")
    assert ask("adopt", "--all")["paths"] == []
    mdmem("adopt", code=2)


def test_a_link_is_no_memory_that_git_lacks(here: Path, mdmem: Run, ask: Run, save: Run) -> None:
    save("alpha", "--name", "some_note_here")
    (here / "allmemories/another_note_here.md").symlink_to("some_note_here.md")
    told = mdmem("doctor").out
    assert "is a symbolic link" in told
    assert "git add" not in told
    assert ask("status")["uncommitted"] == []


def test_rename_takes_the_links_along(here: Path, mdmem: Run, ask: Run, git: Git, save: Run) -> None:
    save("x", "--name", "project_uses_python")
    linking = here / "allmemories/by_hand_note.md"
    linking.write_bytes(
        b'---\r\nsupersedes: ["[[project_uses_python]]"] # why\r\n---\r\n'
        b"see [[project_uses_python#a|it]], [md](project_uses_python.md) and `[[project_uses_python]]`\r\n"
    )
    git(here, "add", "-A")
    git(here, "commit", "-q", "-m", "x")
    done = ask("rename", "project_uses_python", "project_uses_rust")
    assert done["relinked"] == ["allmemories/by_hand_note.md"]
    assert linking.read_bytes() == (
        b'---\r\nsupersedes: ["[[project_uses_rust]]"] # why\r\n---\r\n'
        b"see [[project_uses_rust#a|it]], [md](project_uses_rust.md) and `[[project_uses_python]]`\r\n"
    )
    assert git(here, "show", "--name-status", "--format=", "-M", "HEAD").split()[0] == "M"
    mdmem("rename", "project_uses_rust", "stuff", code=2)
    save("y", "--name", "other_note_here")
    mdmem("rename", "project_uses_rust", "other_note_here", code=5)
    actions = [item["actions"] for item in ask("log", "project_uses_rust")]
    assert actions == [["rename"], ["create"]]
    assert ", 1 note relinked  (" in mdmem("rename", "project_uses_rust", "project_uses_go").out
    assert "relinked" not in mdmem("rename", "other_note_here", "third_note_here").out


def test_a_rename_without_a_new_name_says_what_to_type(mdmem: Run) -> None:
    assert "mdmem rename some_old_name NEW_NAME" in mdmem("rename", "some_old_name", code=2).err
    for arguments in (["--rename"], ["--rename", "new_name"]):
        assert "mdmem rename NAME NEW_NAME" in mdmem("remember", *arguments, code=2).err


def test_forget_trash_restore(here: Path, mdmem: Run, ask: Run, save: Run) -> None:
    made = save("precious", "--name", "some_note_here")
    text = (here / made["path"]).read_text()
    mdmem("forget", "some_note_here", "-m", "outdated")
    assert paths(here) == []
    (item,) = ask("trash")
    assert (item["name"], item["id"], item["reason"]) == ("some_note_here", made["id"], "outdated")
    assert ask("recall", "precious") == []
    mdmem("show", "some_note_here", code=3)
    assert mdmem("show", "some_note_here@HEAD~1").out == text
    assert [commit["actions"] for commit in ask("log", "some_note_here")] == [["delete"], ["create"]]
    save("another", "--name", "some_note_here")
    mdmem("restore", made["id"], code=5)
    assert "another" in (here / made["path"]).read_text(), "a restore never overwrites"
    mdmem("forget", "some_note_here")
    mdmem("restore", made["id"])
    assert (here / made["path"]).read_text() == text
    assert ask("recall", "precious")[0]["id"] == made["id"]
    assert "the trash holds no" in mdmem("restore", "precious_note_here", code=3).err


def test_restore_takes_several_and_tells_of_those_that_it_cannot_bring_back(
    here: Path, mdmem: Run, ask: Run, save: Run
) -> None:
    """It took one name, though forget takes many."""
    made = [save(f"the {name}", "--name", f"the_{name}_note")["path"] for name in ("first", "second")]
    save("stays", "--name", "note_that_stays")
    mdmem("forget", "the_first_note", "the_second_note", "-y")
    told = mdmem("restore", "the_first_note", "no_such_note", "the_second_note", code=1)
    assert "the trash holds no 'no_such_note'" in told.err
    assert told.out.count("restored") == 2
    assert set(made) < set(paths(here))
    mdmem("forget", "the_first_note", "the_second_note", "-y")
    assert [one["path"] for one in ask("restore", "the_second_note", "the_first_note")["restored"]] == made[::-1]


@pytest.mark.parametrize(("command", "code"), [("show", 3), ("log", 3), ("diff", 3)])
def test_a_near_miss_of_a_forgotten_name_is_offered_from_the_trash(
    mdmem: Run, save: Run, command: str, code: int
) -> None:
    """Only living names were offered, or none."""
    save("precious", "--name", "deploys_run_on_mondays")
    mdmem("forget", "deploys_run_on_mondays")
    assert "in the trash: deploys_run_on_mondays" in mdmem(command, "deploy_runs_on_mondays", code=code).err


def test_show_refuses_the_names_of_several(mdmem: Run, save: Run) -> None:
    """They were taken for one name, and the memory with the nearest name was shown."""
    save("one", "--name", "deploy_day_of_api_server")
    save("two", "--name", "api_server_day")
    assert "these are 2 memories" in mdmem("show", "deploy_day_of_api_server", "api_server_day", code=2).err
    assert "one" in mdmem("show", "deploy", "day").out


def test_an_old_version_comes_back(mdmem: Run, ask: Run, save: Run) -> None:
    save("first", "--name", "some_note_here")
    mdmem("update", "some_note_here", "--body", "second")
    mdmem("restore", "some_note_here@HEAD~1")
    assert "first" in mdmem("show", "some_note_here").out
    assert "is already in that state" in mdmem("restore", "some_note_here@HEAD").out
    assert [commit["actions"][0] for commit in ask("log", "some_note")] == ["restore", "revise", "create"]


def test_what_takes_many_away_asks_and_never_is_never(here: Path, mdmem: Run, save: Run) -> None:
    """A forget of many, and the undo of a big import."""
    names = [save(f"note {n}", "--name", f"note_number_{n}", "--session", "import")["name"] for n in range(12)]
    save("keep", "--name", "keep_this_note", "--set", "deletion_policy=never")
    for line in (["forget", *names], ["undo", "--session", "import"]):
        assert "--yes" in mdmem(*line, code=4).err
        assert len(paths(here)) == 13
    mdmem("forget", "keep_this_note", "--yes", code=4)
    mdmem("forget", *names, "--yes")
    assert paths(here) == ["allmemories/keep_this_note.md"]
    mdmem("undo", "--last", "1", "--yes")
    mdmem("undo", "--session", "import", "--yes")
    assert paths(here) == ["allmemories/keep_this_note.md"]


# -- history


def test_log_reads_hand_made_commits(here: Path, mdmem: Run, ask: Run, git: Git, save: Run) -> None:
    save("x", "--name", "some_note_here", "--actor", "bot", "--session", "s1", "-m", "why")
    path = here / "allmemories/some_note_here.md"
    path.write_text(path.read_text() + "By hand.\n")
    git(here, "commit", "-qam", "vault backup")
    git(here, "mv", "allmemories/some_note_here.md", "allmemories/moved_note_here.md")
    git(here, "commit", "-qm", "moved")
    git(here, "rm", "-q", "allmemories/moved_note_here.md")
    git(here, "commit", "-qm", "gone")
    entries = ask("log")
    assert [(entry["actions"], entry["by_hand"], entry["actor"]) for entry in entries] == [
        (["delete"], True, "Ada Lovelace"),
        (["rename"], True, "Ada Lovelace"),
        (["revise"], True, "Ada Lovelace"),
        (["create"], False, "bot"),
    ]
    assert entries[-1]["reason"] == "why"
    assert [entry["session"] for entry in ask("log", "--session", "s1")] == ["s1"]
    assert len(ask("log", "--actor", "ada@example.org")) == 3
    assert len(ask("log", "-n", "2")) == 2
    assert ask("log", "--since", "2027-01-01") == []
    mdmem("log", "--since", "whenever", code=2)


def test_history_follows_a_note_that_is_moved_and_rewritten_at_once(
    here: Path, mdmem: Run, ask: Run, git: Git, save: Run
) -> None:
    made = save("short", "--name", "some_note_here")
    path = here / made["path"]
    text = path.read_text()
    path.unlink()
    (here / "allmemories/new_note_name.md").write_text(
        text.replace("short", "long and different " * 30).replace("past", "future")
    )
    git(here, "add", "-A")
    git(here, "commit", "-qm", "moved and rewritten")
    assert len(ask("log", "new_note_name")) == 2
    assert ask("trash") == []
    assert "short" in mdmem("show", "new_note_name@HEAD~1").out


def test_diff(here: Path, mdmem: Run, ask: Run, git: Git, save: Run) -> None:
    save("first", "--name", "some_note_here")
    save("The fox host has 64 GB.", "--name", "fox_host_memory")
    first = git(here, "rev-parse", "HEAD~1")
    assert mdmem("diff").out == ""
    assert "+The fox host" in mdmem("diff", "HEAD~1").out
    assert "+first" not in mdmem("diff", first[:10]).out
    between = mdmem("diff", "HEAD~2..HEAD~1").out
    assert "+first" in between
    assert "+The fox" not in between
    git(here, "branch", "fox_host_memory", "HEAD~2")
    assert mdmem("diff", "fox_host_memory").err == "no difference\n", "a memory comes before a branch"
    path = here / "allmemories/some_note_here.md"
    path.write_text(path.read_text() + "By hand.\n")
    assert "+By hand." in mdmem("diff").out
    assert "+By hand." in mdmem("diff", "some_note").out
    mdmem("update", "some_note_here", "--body", "second")
    text = mdmem("diff", "some_note_here@HEAD~2").out
    assert "-first" in text
    assert "+second" in text
    assert "some_note_here" in ask("diff", "--from", "HEAD~1", "--to", "HEAD")["diff"]
    mdmem("diff", "--from", "nonsense", code=2)
    mdmem("diff", "--from", "--output=x", code=2)
    mdmem("diff", "HEAD~1..nosuch", code=3)


def test_versions_by_date(mdmem: Run, monkeypatch: pytest.MonkeyPatch, save: Run) -> None:
    monkeypatch.setenv("MDMEM_NOW", "2026-03-05T10:00:00Z")
    save("first", "--name", "some_note_here")
    monkeypatch.setenv("MDMEM_NOW", "2026-03-09T10:00:00Z")
    mdmem("update", "some_note_here", "--body", "second")
    assert "first" in mdmem("show", "some_note_here@2026-03-05").out
    assert "second" in mdmem("show", "some_note_here@2026-03-09").out
    mdmem("show", "some_note_here@2026-03-09T09:00Z")
    mdmem("show", "some_note_here@1999-01-01", code=2)


# -- undo


def test_a_dry_undo_exits_with_1_where_the_real_one_would_stop(mdmem: Run, save: Run) -> None:
    """It exited with 0, though a dry sync with conflicts exits with 1."""
    save("first", "--name", "some_note_here", "--session", "bad")
    save("other", "--name", "other_note_here", "--session", "bad")
    mdmem("update", "some_note_here", "--body", "second")
    mdmem("undo", "--session", "bad", "--dry-run", code=1)
    mdmem("undo", "--session", "bad", code=5)
    mdmem("undo", "--session", "bad", "--dry-run", "--skip-conflicts")


def test_undo_a_session_is_one_commit_and_touches_nothing_else(
    here: Path, mdmem: Run, ask: Run, git: Git, save: Run
) -> None:
    save("right", "--name", "right_note_here")
    mdmem("update", "right_note_here", "--body", "wrong", "--session", "bad")
    for number in range(3):
        save(f"wrong {number}", "--name", f"wrong_note_{number}", "--session", "bad", "--actor", "bot")
    save("later", "--name", "later_note_here", "--session", "good")
    mdmem("rename", "right_note_here", "renamed_note_here", "--session", "bad")
    count = int(git(here, "rev-list", "--count", "HEAD"))
    dry = mdmem("undo", "--session", "bad", "--dry-run")
    assert "would take back 5 commits" in dry.out
    assert int(git(here, "rev-list", "--count", "HEAD")) == count
    done = ask("undo", "--session", "bad", "-m", "nonsense")
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


def test_undo_names_the_commits_that_it_took_back(here: Path, mdmem: Run, git: Git, save: Run) -> None:
    """Of many, the newest ten. One made by hand has the subject that its author gave it."""
    for number in range(11):
        save(f"wrong {number}", "--name", f"wrong_note_{number}", "--session", "bad")
    (here / "allmemories/wrong_note_3.md").write_text("By hand.\n")
    git(here, "commit", "--quiet", "--all", "-m", "only a word\n\nand why")
    by_hand = git(here, "rev-parse", "HEAD")[:8]
    out = mdmem("undo", "--last", "12", "--yes").out.splitlines()
    assert out[0].startswith("took back 12 commits, 11 files changed  (")
    assert out[1] == f"  {by_hand} only a word"
    assert out[2].endswith(" create: wrong_note_10")
    assert (len(out), out[-1]) == (12, "  and 2 more")


def test_undo_of_the_last_writes_and_of_an_actor_since(
    here: Path, mdmem: Run, save: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last goes further back each time."""
    for number in range(3):
        save(f"note {number}", "--name", f"note_number_{number}")
    mdmem("undo", "--last", "1")
    mdmem("undo", "--last", "1")
    assert paths(here) == ["allmemories/note_number_0.md"]
    mdmem("undo", "--last", "5")
    assert paths(here) == []
    save("old", "--name", "old_bot_note", "--actor", "bot")
    monkeypatch.setenv("MDMEM_NOW", "2026-03-01T15:00:00Z")
    save("new", "--name", "new_bot_note", "--actor", "bot")
    save("mine", "--name", "new_own_note")
    mdmem("undo", "--actor", "BOT", "--since", "2h")
    assert paths(here) == ["allmemories/new_own_note.md", "allmemories/old_bot_note.md"]


def test_conflicting_edits_are_shown_and_never_overwritten(
    here: Path, mdmem: Run, ask: Run, git: Git, save: Run
) -> None:
    save("\n\n".join(f"Paragraph {n}." for n in range(8)), "--name", "long_note_here")
    long = here / "allmemories/long_note_here.md"
    mdmem("update", "long_note_here", "--append", "Wrong addition.", "--session", "apart")
    long.write_text(long.read_text().replace("Paragraph 0.", "Paragraph zero, by hand."))
    mdmem("undo", "--session", "apart")
    assert "Paragraph zero, by hand." in long.read_text(), "an edit elsewhere in the note survives"
    assert "Wrong addition" not in long.read_text()
    assert git(here, "status", "--porcelain") == ""

    save("First.", "--name", "some_note_here")
    mdmem("update", "some_note_here", "--body", "Wrong.", "--session", "bad")
    save("Also wrong.", "--name", "other_wrong_note", "--session", "bad")
    save("Wrong, then loved.", "--name", "third_wrong_note", "--session", "bad")
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
    assert len(ask("undo", "--session", "bad", code=5)["conflicts"]) == 2
    mdmem("undo", "--session", "bad", "--skip-conflicts")
    assert "Mended by hand." in path.read_text()
    assert "By hand." in third.read_text()
    assert not (here / "allmemories/other_wrong_note.md").exists()


# -- upkeep


def test_layout_and_back(here: Path, mdmem: Run, git: Git, save: Run) -> None:
    save("[[second_note_here]] [md](second_note_here.md)", "--name", "first_note_here", "--created", "2026-01-05")
    save("[x](first_note_here.md)", "--name", "second_note_here", "--created", "2026-02-05")
    (here / "allmemories/mine").mkdir()
    (here / "allmemories/mine/own_folder_note.md").write_text("[[first_note_here]] [a](../first_note_here.md)")
    for number in range(15):
        (here / f"allmemories/note_number_{number}.md").write_text(f"text {number}")
    git(here, "add", "-A")
    git(here, "commit", "-qm", "x")
    before = {path: (here / path).read_text() for path in paths(here)}
    toml = (here / "mdmem.toml").read_text()
    mdmem("layout", "month")
    moved = [path for path in paths(here) if "note_number" not in path]
    assert moved == [
        "allmemories/2026/01/first_note_here.md",
        "allmemories/2026/02/second_note_here.md",
        "allmemories/mine/own_folder_note.md",
    ]
    assert len(paths(here)) == len(before), "that many notes without ids moved is no loss"
    assert "[[second_note_here]] [md](../02/second_note_here.md)" in (here / moved[0]).read_text()
    assert (here / moved[2]).read_text() == "[[first_note_here]] [a](../2026/01/first_note_here.md)"
    assert git(here, "log", "-1", "--format=%s").startswith("rename: ")
    assert save("new", "--name", "third_note_here")["path"] == "allmemories/2026/03/third_note_here.md"
    mdmem("forget", "third_note_here")
    mdmem("layout", "flat")
    assert {path: (here / path).read_text() for path in paths(here)} == before
    assert (here / "mdmem.toml").read_text() == toml
    assert "moved 0 memories" in mdmem("layout", "flat").out
    mdmem("adopt", "--all")


def test_doctor_names_everything_with_a_fix(here: Path, mdmem: Run, ask: Run, git: Git, save: Run) -> None:
    assert mdmem("doctor").out == "no problems\n"
    made = save("see [[project_usesrust]]", "--name", "some_note_here")
    save("x", "--name", "project_uses_rust")
    copy = here / "allmemories/sub/some_note_here.md"
    copy.parent.mkdir()
    copy.write_text((here / made["path"]).read_text())
    (here / "allmemories/Broken Note.md").write_text("---\na: [\n---\n")
    (here / "allmemories/Bad Name.md").write_text("---\nid: 0192f3c4-7d1e-7c3a-9d53-0c7a6f3e2b11\n---\nx")
    (here / "allmemories/odd_type_note.md").write_text("---\ntype: fakt\n---\n")
    (here / "allmemories/binary_note_here.md").write_bytes(b"\0")
    (here / "mdmem.toml").write_text('memmories = "x"\n')
    problems = ask("doctor", code=1)
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


# -- the whole


def test_errors_go_to_stderr_with_what_to_do(tmp_path: Path, mdmem: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    failed = mdmem("recall", "x", code=3)
    assert failed.out == ""
    assert failed.err.startswith("mdmem: there is no vault here\n")
    assert "mdmem init" in failed.err
    near = mdmem("recal", code=2)
    assert "did you mean recall?" in near.err


def test_unexpected_errors_are_one_sentence(mdmem: Run, monkeypatch: pytest.MonkeyPatch) -> None:
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
def test_an_empty_value_does_not_mean_any(
    here: Path, mdmem: Run, git: Git, line: tuple[str, ...], save: Run
) -> None:
    save("alpha", "--name", "some_note_here", "--session", "s1")
    before = git(here, "rev-parse", "HEAD")
    assert " is empty\n" in mdmem(*line, code=2).err
    assert git(here, "rev-parse", "HEAD") == before
    mdmem("session", "note", "--present", "", "--session", "s1")  # there it clears a gauge


def run_by_shell(line: str, here: Path) -> subprocess.CompletedProcess[str]:
    """What comes of a line, in which MDMEM is the command, as a pipe of bash."""
    line = line.replace("MDMEM", f"{sys.executable} -m mdmem")
    return subprocess.run(["bash", "-o", "pipefail", "-c", line], cwd=here, capture_output=True, text=True)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("MDMEM list >&-", 0),
        ("MDMEM remember <&-", 2),
        ("MDMEM show nosuch 2>&-", 3),
        ("MDMEM doctor <&- >&- 2>&-", 0),
        ("MDMEM log -n 30 | head -1", 0),
    ],
)
def test_a_stream_that_is_closed_is_no_error(here: Path, save: Run, line: str, code: int) -> None:
    """As a service, a job of cron, or a reader that has read enough leaves it."""
    for number in range(30 if "head" in line else 1):
        save(f"note {number}", "--name", f"note_number_{number}")
    done = run_by_shell(line, here)
    assert (done.returncode, "unexpected error" in done.stderr) == (code, False)
    assert done.stderr == "" or code


def test_a_full_disk_is_told(here: Path, save: Run) -> None:
    save("alpha", "--name", "some_note_here")
    assert run_by_shell("MDMEM list >/dev/full", here).stderr.startswith("mdmem: No space left on device\n")


def test_colours_only_on_a_terminal(mdmem: Run, save: Run) -> None:
    save("alpha", "--name", "some_note_here", "-t", "x")
    assert "\x1b" not in mdmem("list").out + mdmem("recall", "alpha").out + mdmem("log").out


# -- found by reading again


def test_every_property_has_an_option(ask: Run, save: Run) -> None:
    save("x", "--name", "other_note_here")
    made = save(
        *("Body.", "--name", "full_note_here", "--topic", "t", "--project", "p", "--status", "contested"),
        *("--importance", "0.5", "--salience", "2", "--pinned", "--sensitivity", "high", "--scope", "user"),
        *("--source", "derived", "--origin", "web", "--decay", "{curve: linear, half_life_seconds: 60}"),
        *("--deletion-policy", "never", "--provenance", "[{kind: event, ref: x}]"),
        *("--supports", "other_note_here", "--supersedes", "other_note_here"),
        *("--last-reinforced-at", "2026-01-02"),
    )
    shown = ask("show", made["name"])["properties"]
    assert shown["decay"] == {"curve": "linear", "half_life_seconds": 60}
    assert shown["provenance"] == [{"kind": "event", "ref": "x"}]
    assert shown["supports"] == ["[[other_note_here]]"]
    assert shown["pinned"] is True
    assert made["path"] not in [problem["path"] for problem in ask("doctor")]


def test_writing_in_the_middle_of_someones_merge(here: Path, git: Git, save: Run) -> None:
    def committed(text: str) -> None:
        (here / "code.txt").write_text(text)
        git(here, "add", "code.txt")
        git(here, "commit", "-qm", text)

    committed("base")
    git(here, "checkout", "-qb", "side")
    committed("side")
    git(here, "checkout", "-q", "main")
    committed("main")
    git(here, "merge", "side", code=1)
    save("in the middle", "--name", "some_note_here")
    assert git(here, "show", "--name-only", "--format=", "HEAD") == "allmemories/some_note_here.md"
    assert git(here, "status", "--porcelain") == "UU code.txt"
    committed("both")
    assert len(git(here, "log", "-1", "--format=%P").split()) == 2
    assert paths(here) == ["allmemories/some_note_here.md"]


def test_a_vault_on_a_read_only_disk_can_be_read(
    here: Path, save: Run, without_rights: Callable[[Callable[[], str]], str]
) -> None:
    save("Lovelace wrote notes.", "--name", "ada_wrote_notes")

    def freeze(mode_folder: int, mode_file: int) -> None:
        for folder in [here, *here.rglob("*")]:
            if not folder.is_symlink():
                folder.chmod(mode_folder if folder.is_dir() else mode_file)

    def look() -> str:
        lines = (["recall", "lovelace", "--paths-only"], ["remember", "x y z", "--twins", "ignore"])
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            codes = [main(line) for line in lines]
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
        ["MDMEM_ACTOR", "caf\udce9"],
    ],
    ids=lambda line: " ".join(line).encode("ascii", "replace").decode(),
)
def test_arguments_in_no_encoding_are_wrong_usage(
    here: Path, mdmem: Run, save: Run, monkeypatch: pytest.MonkeyPatch, line: list[str]
) -> None:
    save("text", "--name", "some_note_here")
    if line[0] == "MDMEM_ACTOR":
        monkeypatch.setenv(*line)
        line = ["remember", "Other words."]
    assert "UTF-8" in mdmem(*line, code=2).err
    assert paths(here) == ["allmemories/some_note_here.md"]
