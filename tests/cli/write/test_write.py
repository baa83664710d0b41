"""Writing as a person does it, with everything that people type: what is refused, kept, and left alone."""

from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path
from types import FrameType

import pytest

from tests.conftest import Editor, Git, Run, Stdin, Write

ID = "0192f3c4-7d1e-7c3a-9d53-0c7a6f3e2b11"
TWO_FACTS = "The staging server runs on port 8081. Anna leads the mobile team."


def notes(here: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (here / "allmemories").glob("*.md")}


def unsaved(here: Path) -> list[str]:
    return sorted(path.name for path in (here / ".mdmem/unsaved").glob("*"))


# -- remember


@pytest.mark.parametrize("text", ["- bullet one\n- two", "---\ntitle: Whole note here\n---\nx", "-- said she"])
def test_a_text_that_begins_with_a_dash_is_told_how_to_pass(mdmem: Run, text: str) -> None:
    assert "put -- before" in mdmem("remember", text, code=2).err
    mdmem("remember", "--", text)
    assert "title" in mdmem("remember", "text", "--titel", "x", code=2).err


@pytest.mark.parametrize("lead", ["\n\n", " \r\n", "\ufeff", "\ufeff\n"])
def test_what_stands_above_a_whole_note_does_not_hide_its_header(here: Path, command: Run, lead: str) -> None:
    note = f"{lead}---\ntitle: Whole note here\n---\n\n    code first\n"
    done = command("remember", "-", "--json", cwd=here, input=note)
    assert json.loads(done.stdout)["title"] == "Whole note here"
    assert b"---\n\n    code first\n" in notes(here)["whole_note_here.md"]


@pytest.mark.parametrize(
    ("header", "code", "message"),
    [
        ("created: soon", 2, "not a date"),
        ("type: fakt", 2, "none of its values"),
        ("confidence: 7", 2, "out of range"),
        ("confidence: .nan", 2, "not a number"),
        ("id: 12", 2, "not a UUID"),
        (f"id: {ID}", 5, "has that id already"),
        ("supersedes: [[some_note]]", 2, "not a link"),
        ("title: [", 1, "cannot be read"),
    ],
)
def test_a_header_that_is_handed_in_is_checked(
    here: Path, mdmem: Run, header: str, code: int, message: str
) -> None:
    mdmem("remember", "--", f"---\nid: {ID}\n---\nThe first of them.")
    before = notes(here)
    assert message in mdmem("remember", "--", f"---\n{header}\n---\nQuite another text.", code=code).err
    assert notes(here) == before


@pytest.mark.parametrize(
    "options",
    [
        ["--confidence", "nan"],
        ["--salience", "inf"],
        ["--title", "caf\udce9"],
        ["--split", "--name", "two_facts_in_one"],
        ["--split", "--title", "Two facts"],
    ],
)
def test_options_that_no_note_should_have_are_refused(here: Path, mdmem: Run, options: list[str]) -> None:
    refused = mdmem("remember", TWO_FACTS, *options, code=2).err
    assert notes(here) == {}
    assert "leave out --name" in refused or "--split" not in options


def test_properties_that_say_nothing_or_the_same_again_are_left_out(here: Path, mdmem: Run) -> None:
    mdmem("remember", "--", "---\ntitle: Some title here\ncreated: \"\"\ntags:\ntopic: ''\n---\nx")
    text = notes(here)["some_title_here.md"].decode()
    assert "created: 2026-03-01T12:00:00Z\n" in text
    assert "tags" not in text
    assert "topic" not in text
    mdmem("remember", "some words here", "-t", "a", "-t", "#a", "-t", "#", "-t", "b, a")
    assert b"tags:\n  - a\n  - b\n---" in notes(here)["some_words_here.md"]


@pytest.mark.parametrize(
    ("data", "code", "message"),
    [(b"a\0b", 1, "NUL"), (b"x" * (10 * 2**20 + 1), 1, "MB"), (b"caf\xe9", 2, "not UTF-8")],
)
def test_what_is_no_text_is_refused(
    here: Path, mdmem: Run, stdin: Stdin, data: bytes, code: int, message: str
) -> None:
    stdin(data)
    assert message in mdmem("remember", code=code).err
    assert notes(here) == {}


# -- twins


def test_without_a_terminal_nothing_is_written_twice(here: Path, mdmem: Run) -> None:
    mdmem("remember", "Lunch is at noon.")
    before = notes(here)
    (name,) = (file.removesuffix(".md") for file in before)
    refused = mdmem("remember", "Lunch is at noon!", code=5)
    assert f"{name} says the same; nothing was written" in refused.err
    assert "--twins ignore" in refused.err
    assert notes(here) == before
    mdmem("remember", "Lunch is at noon!", "--twins", "ignore")
    assert len(notes(here)) == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The budget of the project for the whole year of the move to the new house is 4600 euros.", "may change"),
        (
            "The move of the project to the new house, for the whole year of the budget, is 4500 euros.",
            "% the same",
        ),
    ],
    ids=["another number", "another order"],
)
def test_what_only_looks_alike_is_written_and_said(here: Path, mdmem: Run, text: str, said: str) -> None:
    mdmem("remember", "The budget of the project for the whole year of the move to the new house is 4500 euros.")
    assert said in mdmem("remember", text).err
    assert len(notes(here)) == 2


def test_a_memory_may_supersede_its_twin_and_repeat_a_retired_one(here: Path, mdmem: Run) -> None:
    mdmem("remember", "Lunch is at noon.", "--name", "lunch_is_at_noon")
    mdmem("remember", "Lunch is at noon.", "--name", "lunch_stays_at_noon", "--supersedes", "lunch_is_at_noon")
    mdmem("forget", "lunch_stays_at_noon")
    mdmem("remember", "Lunch is at noon.", "--name", "lunch_is_again_noon")
    assert len(notes(here)) == 2


# -- several facts, and names


def test_a_text_of_several_facts_is_stored_as_given_with_a_hint(here: Path, mdmem: Run) -> None:
    assert "this says 2 things; --split" in mdmem("remember", TWO_FACTS).err
    assert len(notes(here)) == 1
    assert "--split" not in mdmem("remember", "Lunch is at noon. It lasts an hour.").err


def test_split_makes_a_memory_of_each_fact_in_one_commit(here: Path, ask: Run, git: Git) -> None:
    before = git(here, "rev-list", "--count", "HEAD")
    told = ask("remember", TWO_FACTS, "--split", "--tag", "team")
    titles = [memory["title"] for memory in told["memories"]]
    assert titles == ["The staging server runs on port 8081", "Anna leads the mobile team"]
    assert {memory["commit"] for memory in told["memories"]} == {git(here, "rev-parse", "HEAD")}
    assert int(git(here, "rev-list", "--count", "HEAD")) == int(before) + 1
    assert len(notes(here)) == 2
    assert all(b"  - team" in text for text in notes(here).values())


@pytest.mark.parametrize(("answer", "count"), [("y", 2), ("n", 1)])
def test_at_a_terminal_it_asks_whether_to_split(
    here: Path, mdmem: Run, monkeypatch: pytest.MonkeyPatch, answer: str, count: int
) -> None:
    monkeypatch.setattr("mdmem.cli.terminal.is_interactive", lambda: True)
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{answer}\n"))
    assert "Make a memory of each?" in mdmem("remember", TWO_FACTS).err
    assert len(notes(here)) == count


def test_a_long_name_is_taken_with_a_warning(here: Path, mdmem: Run) -> None:
    name = "the_name_of_this_note_has_nine_whole_words"
    assert "is long: 9 words" in mdmem("remember", "Lunch is at noon.", "--name", name).err
    assert f"{name}.md" in notes(here)
    assert "is long" not in mdmem("remember", "Tea is at five.", "--name", "tea_is_at_five").err


def test_in_an_adopted_vault_names_are_as_its_owner_gives_them(here: Path, mdmem: Run) -> None:
    assert "capital letters" in mdmem("remember", "Tea is green.", "--name", "Über Tee", code=2).err
    (here / "mdmem.toml").write_text('id = "test"\n[garden]\nscope = "own"\n')
    assert "the name" not in mdmem("remember", "Tea is green.", "--name", "Über Tee").err
    assert "Über Tee.md" in notes(here)
    assert "break links" in mdmem("remember", "Tea is black.", "--name", "Tee [1]", code=2).err


# -- an editor


@pytest.mark.parametrize("arguments", [["edit", "lunch_is_at_noon"], ["remember", "--edit"]])
def test_an_editor_without_a_terminal_is_refused_at_once(
    here: Path, mdmem: Run, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    mdmem("remember", "Lunch is at noon.", "--name", "lunch_is_at_noon")
    monkeypatch.setenv("EDITOR", "touch was-started")
    assert "there is no terminal for an editor" in mdmem(*arguments, code=2).err
    assert not (here / "was-started").exists()
    assert not (here / ".mdmem/unsaved").exists()
    assert "no_such_memory" in mdmem("edit", "no_such_memory", code=3).err, "that comes first"


def test_what_was_typed_survives_every_failure(here: Path, mdmem: Run, editor: Editor) -> None:
    """Each failure keeps its text in a file of its own, and says where."""
    mdmem("remember", "The server is called Lovelace.")
    for name, script, options, code in (
        ("new", 'echo "Broken: [" | sed "s/^/---\\n/" > "$1"', [], 1),
        ("new-2", 'echo "some words" > "$1"', ["--type", "fact", "--name", "stuff"], 2),
        ("new-3", 'printf "caf\\351" > "$1"', [], 1),
        ("new-4", 'echo "The server is called Lovelace." > "$1"', ["--twins", "refuse"], 5),
        ("new-5", 'echo "half done" > "$1"; exit 1', [], 1),
    ):
        editor(script)
        failed = mdmem("remember", "--edit", *options, code=code)
        assert f"your text is in {here}/.mdmem/unsaved/{name}.md" in failed.err
    assert len(unsaved(here)) == 5
    assert (here / ".mdmem/unsaved/new-4.md").read_text() == "The server is called Lovelace.\n"
    assert len(notes(here)) == 1


def test_a_declined_question_keeps_the_text(
    here: Path, mdmem: Run, editor: Editor, monkeypatch: pytest.MonkeyPatch
) -> None:
    mdmem("remember", "The server is called Lovelace.")
    editor('echo "The server is called Lovelace." > "$1"')
    with Path(os.devnull).open() as nobody:
        monkeypatch.setattr("sys.stdin", nobody)
        failed = mdmem("remember", "--edit", "--twins", "ask", code=130)
    assert "your text is in" in failed.err
    assert unsaved(here) == ["new.md"]


def test_nothing_stays_behind_of_what_was_saved_or_not_typed(here: Path, mdmem: Run, editor: Editor) -> None:
    editor(":")
    mdmem("remember", "--edit", "some words", code=130)
    editor("exit 1")
    mdmem("remember", "--edit", code=1)
    editor('touch "$1"')
    mdmem("remember", "--edit", "--title", 'A "title": with # signs', "some words")
    assert unsaved(here) == []
    assert b'title: "A \\"title\\": with # signs"\n' in next(iter(notes(here).values()))


@pytest.mark.parametrize("script", [': > "$1"', 'sed -i "/^id:/d" "$1"'], ids=["emptied", "without id"])
def test_an_edit_that_loses_the_memory_is_refused(here: Path, mdmem: Run, editor: Editor, script: str) -> None:
    mdmem("remember", "some words", "--name", "some_note_here")
    before = notes(here)
    editor(script)
    assert "your text is in" in mdmem("edit", "some_note_here", code=2).err
    assert notes(here) == before


# -- update


LISTS = '---\ntags: "#a, b"\nlabels: [x, "#y"]\nsupersedes: ["[[one|One]]", "[[two]]"] # why\n---\nx\n'
TAGGED = '---\ntags: "#a, b"\n---\nx\n'


@pytest.mark.parametrize(
    ("before", "options", "after"),
    [
        (
            LISTS,
            "--add tags=c --add tags=#b,d --remove tags=a --remove supersedes=one --add labels=z",
            '---\ntags:\n  - b\n  - c\n  - d\nlabels: [x, "#y", z]\nsupersedes: ["[[two]]"] # why\n---\nx\n',
        ),
        (TAGGED, "--add tags=a --remove tags=z --remove labels=z", TAGGED),
        (TAGGED, "--remove tags=a --remove tags=b", "---\n---\nx\n"),
        ("just text\n", "--unset topic", "just text\n"),
        ("---\na: 1\n---\n\njust text\n", "--append BLANK", "---\na: 1\n---\n\njust text\n"),
        ("---\na: 1\n---\n\njust text\n", "--body BLANK", "---\na: 1\n---\n"),
    ],
    ids=["lists", "nothing to change", "last items", "unset of nothing", "append of nothing", "body of nothing"],
)
def test_an_update_changes_what_it_means_and_no_other_byte(
    mdmem: Run, write: Write, before: str, options: str, after: str
) -> None:
    path = write("allmemories/some_note_here.md", before)
    done = mdmem("update", "some_note_here", *(" \n" if word == "BLANK" else word for word in options.split()))
    assert path.read_text() == after
    assert ("nothing to change" in done.out) == (before == after)


def test_an_item_of_a_list_may_hold_a_comma(mdmem: Run, write: Write) -> None:
    """Not one of tags, which are words."""
    path = write("allmemories/some_note_here.md", "---\nlabels: [x]\n---\nx\n")
    mdmem("update", "some_note_here", "--add", "labels=a, b")
    assert path.read_text() == '---\nlabels: [x, "a, b"]\n---\nx\n'


@pytest.mark.parametrize("pair", ["title=x", f"id={ID}", "confidence=0.5", "type=fact", "deep=x"])
def test_what_is_no_list_takes_no_items(mdmem: Run, write: Write, pair: str) -> None:
    text = "---\ntitle: T\ndeep:\n  a: 1\n---\nx\n"
    path = write("allmemories/some_note_here.md", text)
    for option in ("--add", "--remove"):
        assert mdmem("update", "some_note_here", option, pair, code=2).err.count("\n") == 2
    assert path.read_text() == text


def test_texts_from_standard_input_take_on_the_line_ends(mdmem: Run, write: Write, stdin: Stdin) -> None:
    path = write("allmemories/some_note_here.md", b"---\r\na: 1\r\n---\r\n\r\nold\r\n")
    for option, expected in (("--body", b"one\r\ntwo\r\n"), ("--append", b"one\r\ntwo\r\n\r\none\r\ntwo\r\n")):
        stdin("\ufeffone\ntwo\n")
        mdmem("update", "some_note_here", option, "-")
        assert path.read_bytes() == b"---\r\na: 1\r\n---\r\n\r\n" + expected
    mdmem("update", "some_note_here", "--body", "-", "--append", "-", code=2)


@pytest.mark.parametrize(
    "body",
    ["---\nid: forged\n---\nx", "# T\n**Created:** 2020-01-01\nx", "caf\udce9"],
    ids=["yaml", "bold", "bytes"],
)
def test_a_text_cannot_forge_properties(mdmem: Run, write: Write, body: str) -> None:
    path = write("allmemories/some_note_here.md", "just text\n")
    failed = mdmem("update", "some_note_here", "--body", body, code=2)
    assert "text" in failed.err
    assert path.read_text() == "just text\n"


# -- files that are no notes


@pytest.mark.parametrize(
    ("data", "message"),
    [("text".encode("utf-16"), "UTF-16"), (b"caf\xe9", "not UTF-8"), (b"a\0b", "NUL")],
    ids=["utf16", "latin1", "binary"],
)
def test_a_file_that_is_no_text_is_named_for_what_it_is(
    mdmem: Run, ask: Run, write: Write, editor: Editor, data: bytes, message: str
) -> None:
    editor("exit 1")
    path = write("allmemories/some_note_here.md", data)
    for command in ("show", "adopt", "edit", "forget", "update --set a=1"):
        failed = mdmem(*command.split(), "some_note_here", code=1).err
        assert message in failed
        assert "UTF-8" in failed or "binary" in failed
    reported = ask("adopt", "--all")["problems"]
    assert [problem["path"] for problem in reported] == ["allmemories/some_note_here.md"]
    assert path.read_bytes() == data


def test_a_note_that_cannot_be_adopted_fails_the_command(here: Path, mdmem: Run, write: Write) -> None:
    """The others are adopted; a header below blank lines gets no second one above it."""
    broken = write("allmemories/broken_note_here.md", "---\na: [\n---\nx")
    below = write("allmemories/below_blank_lines.md", "\n---\ntitle: Mine\n---\nx")
    write("allmemories/plain_note_here.md", "x")
    refused = mdmem("adopt", "broken_note_here", "below_blank_lines", "plain_note_here", code=1).err
    assert "cannot be read" in refused
    assert "first line" in refused
    assert broken.read_text() == "---\na: [\n---\nx"
    assert below.read_text() == "\n---\ntitle: Mine\n---\nx"
    assert notes(here)["plain_note_here.md"].startswith(b"---\nid: ")


def test_a_header_is_parsed_once_before_and_once_after_a_change(root: Path, write: Write, mdmem: Run) -> None:
    """A header of a megabyte takes a second to parse: every step of a change parsed it again."""
    write("allmemories/list_of_settings.md", "---\nthe first: {a: 1}\n---\nThe boat is red.\n")
    parsed = 0

    def seen(frame: FrameType, event: str, argument: object) -> None:
        nonlocal parsed
        parsed += event == "call" and frame.f_code.co_name == "get_single_data"

    sys.setprofile(seen)
    try:
        mdmem("update", "list_of_settings", "--set", "status=active")
    finally:
        sys.setprofile(None)
    assert parsed == 2


# -- nothing to write, and an edit beside that of others


def test_with_nothing_to_remember_the_ways_to_give_a_text_are_told(here: Path, mdmem: Run) -> None:
    told = mdmem("remember", " ", code=2).err
    assert "pipe a text in" in told
    assert "--edit" in told


def test_an_edit_is_merged_by_property_and_section_with_what_was_written_meanwhile(
    here: Path, mdmem: Run, editor: Editor
) -> None:
    """Neighbouring lines that different people changed are no conflict, as in a merge of branches."""
    mdmem("remember", "Lunch is at noon.", "--name", "lunch_is_at_noon", "--set", "confidence=0.5")
    path = here / "allmemories/lunch_is_at_noon.md"
    path.write_text(path.read_text().replace("confidence: 0.5\n", "confidence: 0.5\nimportance: 0.5\n"))
    editor(
        f"sed -i 's/^confidence: 0.5/confidence: 0.9/' {path}; sed -i 's/^importance: 0.5/importance: 0.7/' \"$1\""
    )
    mdmem("edit", "lunch_is_at_noon")
    text = path.read_text()
    assert "confidence: 0.9\nimportance: 0.7\n" in text
    editor(f"sed -i 's/noon\\./one./' {path}; sed -i 's/noon\\./two./' \"$1\"")
    assert "was changed meanwhile in the same place" in mdmem("edit", "lunch_is_at_noon", code=5).err
    assert path.read_text() == text.replace("noon.", "one.")
