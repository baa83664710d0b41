"""Chats that were copied as text: who speaks, where a turn begins, and what is no dialogue."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem.capture import dialogue


def turns(text: str) -> list[tuple[str, str, int]]:
    """(speaker, text, line) of each turn, [] for what is no dialogue."""
    read = dialogue.read(text)
    return [(turn.speaker, turn.text, turn.line) for turn in read[1][0].turns] if read else []


@pytest.mark.parametrize(
    ("form", "style"),
    [
        ("## User\nhi\n\n## Assistant\nhello", "markdown"),
        ("**User:** hi\n\n\n**Assistant:** hello", "markdown"),
        ("User: hi\n\n\nAssistant: hello", "text"),
        ("> **User:** hi\n>\n>\n> **Assistant:** hello", "markdown"),
        ("[10:15] Ada: hi\n\n\n[10:16] Bob: hello", "text"),
    ],
)
def test_each_style_of_labels(form: str, style: str) -> None:
    read = dialogue.read(form)
    assert read is not None
    assert read[0] == style
    assert [turn.text for turn in read[1][0].turns] == ["hi", "hello"]


def test_a_turn_has_the_line_where_its_text_begins() -> None:
    assert turns("# My chat\n\n## User\n\nhi\nthere\n\n## Assistant\nhello\n") == [
        ("user", "hi\nthere", 5),
        ("assistant", "hello", 9),
    ]


def test_the_heading_above_the_first_turn_is_the_title() -> None:
    read = dialogue.read("# My chat\n\n## User\nhi\n## Assistant\nhello\n")
    assert read is not None
    assert read[1][0].title == "My chat"


@pytest.mark.parametrize("fence", ["```", "~~~~", "> ```", "   ```"])
def test_labels_in_code_are_not_speakers(fence: str) -> None:
    text = f"User: look\n{fence}\nAssistant: no\n{fence}\nAssistant: yes"
    assert [said for _, said, _ in turns(text)] == [f"look\n{fence}\nAssistant: no\n{fence}", "yes"]


def test_a_shorter_fence_does_not_end_code() -> None:
    text = "User: look\n````\n```\nAssistant: no\n````\nAssistant: yes"
    assert [line for _, _, line in turns(text)] == [1, 6]


def test_a_fence_that_is_never_closed_hides_no_speaker() -> None:
    """A chat that was copied in the middle of code goes on below it."""
    text = "User: look\n```py\nx = 1\nAssistant: yes\n```sh\nUser: thanks"
    assert [speaker for speaker, _, _ in turns(text)] == ["user", "assistant", "user"]


@pytest.mark.parametrize(
    ("text", "speakers"),
    [
        ("User: hi\nAssistant: hello", 2),  # several speak, one begins, they have roles
        ("me: hi\nbot: hello", 2),
        ("you: hi\nclaude: hello", 2),
        ("user: ada\nmodel: gpt", 0),  # settings
        ("Exported today\nUser: hi\nAssistant: hello", 2),  # several speak, and have roles
        ("Ada: hi\nBob: hello\nAda: fine\nBob: good", 4),  # several speak, and one begins
        ("User: hi\nthat is all", 1),  # one begins, and has a role
        ("Exported today\nUser: hi", 0),  # only a role
        ("Exported today\nAda: hi\nBob: hello\nAda: fine\nBob: good", 0),  # only several
        ("Warning: low disk\nNote: check df", 0),
        ("", 0),
    ],
)
def test_two_of_three_things_must_speak_for_a_dialogue(text: str, speakers: int) -> None:
    assert len(turns(text)) == speakers


@given(
    st.lists(
        st.sampled_from(["User: a", "Assistant: b", "## User", "**AI:** c", "```", "~~~ x", "> ```", "text", ""]),
        max_size=12,
    )
)
def test_every_turn_is_in_the_text_at_its_line(lines: list[str]) -> None:
    for _, said, line in turns("\n".join(lines)):
        assert said.split("\n")[0] in lines[line - 1]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("# Moving\n\nAna: I moved to Porto.\nBen: Great!\nAna: Yes.\n", ["Ana", "Ben", "Ana"]),
        ("Ana: I moved to Porto.\nBen: Did you?\n", ["Ana", "Ben"]),
        (
            "Ana: I'm in.\nBen: Me too.\nCleo: I can't.\nDan: Why?\nAna: OK.\n",
            ["Ana", "Ben", "Cleo", "Dan", "Ana"],
        ),
        ("Server: web1\nRegion: eu, which I prefer\nDisk: large\n", []),
        ("Goal: I want to learn Rust\nReason: my boss asked\n", []),
        ("**Ana:** I moved.\n\n**Ben:** Did you?\n\n**Ana:** Yes.\n", ["Ana", "Ben", "Ana"]),
        (
            "## Ana\n\nI moved.\n\nIt is nice.\n\n## Ben\nWhere?\n\n## Ana\nPorto.\n\n## Ben\nI see.\n",
            ["Ana", "Ben"] * 2,
        ),
        ("# My day\n\n## Morning\n\nI ran.\n\n## Evening\n\nI read.\n", []),
        ("A few notes.\n\nAna: I moved.\nBen: Did you?\n", []),
    ],
)
def test_names_are_speakers_where_all_is_said_by_one_of_them(text: str, names: list[str]) -> None:
    read = dialogue.read(text)
    assert ([turn.name for turn in read[1][0].turns] if read else []) == names
