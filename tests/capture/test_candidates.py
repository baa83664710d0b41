"""`[MEMORY_CANDIDATES]` blocks: what models write is read, what is written is read back exactly."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem.capture import candidates
from mdmem.capture.candidates import Candidate

PROTOCOL = """\
[MEMORY_CANDIDATES]
1. user_prefers_structured_output.md — category: past — tags: [formatting, preferences]
---
Bullets and tables over long paragraphs.
2. next_task_expand_slider_system.md — category: future — tags: []
---
Expand it.

In two steps.
"""

# Lines that mean something somewhere: in a block, in Markdown, to the escape.
TRICKY = st.sampled_from(
    [
        *("---", "----", "\\---", "", "   ", "```", "```python", "~~~", "\\", "\\\\---", "  ---"),
        *("[MEMORY_CANDIDATES]", "\\[MEMORY_CANDIDATES]", "**[memory candidates]**", "[/MEMORY_CANDIDATES]"),
        *(
            "2. other_note_name.md",
            "2. other_note_name.md — category: past — tags: [a]",
            "- notes.md",
            "tags: [a]",
        ),
        *("\\2. other_note_name.md — category: past", "1. Fix it — category: past", "category: future"),
    ]
)
LINES = TRICKY | st.text(st.characters(exclude_characters="\n\r", codec="utf-8"), max_size=30)
BODIES = st.lists(LINES, min_size=1, max_size=8).map(
    lambda lines: "\n".join(candidates._trimmed(lines)) or "a text"
)
WORDS = st.text(st.characters(codec="ascii", categories=["Ll"]), min_size=2, max_size=8)
NAMES = st.lists(WORDS, min_size=3, max_size=10).map("_".join)
TAGS = st.text(st.characters(codec="utf-8"), max_size=12).map(lambda tag: tag.strip().lstrip("#").strip())
ITEMS = st.builds(
    Candidate,
    NAMES,
    st.sampled_from(["past", "present", "future"]),
    st.lists(
        TAGS.filter(lambda tag: tag and tag[0] != "#")
        | st.sampled_from(["a, b", "x] — category: past", '"', "...", "tags: [c]"]),
        unique=True,
    ).map(tuple),
    BODIES,
    st.just(0),
)


@given(st.lists(ITEMS, min_size=1, max_size=4))
def test_what_is_rendered_reads_back_exactly(items: list[Candidate]) -> None:
    parsed = candidates.parse(candidates.render(items), "paste")
    assert parsed.problems == ()
    assert [item._replace(line=0) for item in parsed.candidates] == items


@given(st.lists(LINES | st.just("[MEMORY_CANDIDATES]"), max_size=20), st.sampled_from(["\n", "\r\n"]))
def test_any_text_is_read_and_its_lines_are_told_right(lines: list[str], eol: str) -> None:
    parsed = candidates.parse(eol.join(lines), "paste")
    renamed = {problem.line for problem in parsed.problems if problem.severity == "warning"}
    for item in parsed.candidates:
        assert item.name in lines[item.line - 1] or item.line in renamed
    assert all(0 <= problem.line <= len(lines) + 1 and problem.fix for problem in parsed.problems)


def test_the_form_is_that_of_the_source_document() -> None:
    parsed = candidates.parse(PROTOCOL, "paste")
    assert parsed.candidates == (
        Candidate(
            "user_prefers_structured_output",
            "past",
            ("formatting", "preferences"),
            "Bullets and tables over long paragraphs.",
            2,
        ),
        Candidate("next_task_expand_slider_system", "future", (), "Expand it.\n\nIn two steps.", 5),
    )
    assert candidates.render(parsed.candidates) == PROTOCOL


@pytest.mark.parametrize(
    "head",
    [
        "1. one_good_name.md — category: past — tags: [a, b]",
        "1) one_good_name.md - category: past - tags: [a, b]",
        "one_good_name.md – category: past – tags: a, b",
        "- **one_good_name.md** — category: past — tags: ['a', \"b\"]",
        "* `one_good_name.md` | Category: Past | Tags: [#a, #b]",
        "### 1. one_good_name.md category: past tags: #a #b",
        "1. one_good_name — category: [past] — tags: [a, b]",
        "1. one_good_name.md — tags: [a, b] — category: past",
        "**1.** one_good_name.md (category: past, tags: [a, b])",
        "1. one_good_name.md — **category:** past — **tags:** [a,b,...]",
        "1. [[one_good_name.md]] — tags: [a, b]",
    ],
)
@pytest.mark.parametrize(
    "form", ["{}\n---\ntext", "{}\ntext\n---", "\n{}\n\n---\n\ntext\n\n", "   {}\n   ---\n   text"]
)
def test_items_are_read_however_models_write_them(head: str, form: str) -> None:
    text = "Sure!\n\n[MEMORY_CANDIDATES]\n" + form.format(head)
    for paste in (
        text,
        text.replace("\n", "\r\n"),
        text.replace("[MEMORY_CANDIDATES]", "**[MEMORY_CANDIDATES]**"),
    ):
        parsed = candidates.parse(paste, "paste")
        assert parsed.problems == ()
        assert [item._replace(line=0) for item in parsed.candidates] == [
            Candidate("one_good_name", "past", ("a", "b"), "text")
        ]


def test_a_fence_ends_a_block_and_code_within_stays_whole() -> None:
    text = (
        "Here:\n```text\n[MEMORY_CANDIDATES]\n1. how_to_run_it.md — category: past — tags: []\n---\nRun:\n"
        "```sh\nmake\n```\nor\n```\ncmake\n```\n```\nThat is all.\n\n"
        "[MEMORY_CANDIDATES]\n1. how_to_stop_it.md — category: past — tags: []\n---\nStop.\n"
        "[/MEMORY_CANDIDATES]\nBye.\n"
    )
    run, stop = candidates.parse(text, "paste").candidates
    assert run.body == "Run:\n```sh\nmake\n```\nor\n```\ncmake\n```"
    assert (stop.body, stop.line) == ("Stop.", 18)


def test_two_fenced_blocks_in_one_paste() -> None:
    block = "```\n[MEMORY_CANDIDATES]\n1. {}_good_name.md — category: past — tags: [a]\n---\n{}\n```\n"
    parsed = candidates.parse(f"One:\n\n{block.format('one', 1)}\nTwo:\n\n{block.format('two', 2)}\nBye", "paste")
    assert [(item.name, item.body) for item in parsed.candidates] == [
        ("one_good_name", "1"),
        ("two_good_name", "2"),
    ]


@pytest.mark.parametrize(
    ("item", "message", "fix"),
    [
        (
            "2. one_other_name.md — category: later — tags: []\n---\nx",
            "'later' is not a category",
            "past, present, future",
        ),
        ("2. one_other_name.md — category: past — tags: []\n---\n\n", "has no content", "under its line"),
    ],
)
def test_a_bad_item_is_reported_with_its_line_and_the_good_ones_stay(item: str, message: str, fix: str) -> None:
    good = "{}. good_name_{}.md — category: past — tags: []\n---\nGood.\n"
    text = f"[MEMORY_CANDIDATES]\n{good.format(1, 'one')}{item}\n{good.format(3, 'three')}"
    parsed = candidates.parse(text, "paste.md")
    assert [found.name for found in parsed.candidates] == ["good_name_one", "good_name_three"]
    (problem,) = parsed.problems
    assert (problem.path, problem.line) == ("paste.md", 5)
    assert message in problem.message
    assert fix in problem.fix


@pytest.mark.parametrize(("text", "line"), [("just a text", 0), ("\n[MEMORY_CANDIDATES]\nnothing here\n", 2)])
def test_a_paste_without_items_says_so(text: str, line: int) -> None:
    (problem,) = candidates.parse(text, "paste").problems
    assert problem.line == line


@pytest.mark.parametrize(
    ("written", "name", "message"),
    [
        ("My Own Notes.md", "my_own_notes", "capital letters"),
        ("memory1.md", "memory1_user_likes", "has 1 of at least 3 words"),
        ("../../etc/passwd_a_b.md", "etc_passwd_a_b", "characters that some systems"),
    ],
)
def test_a_name_against_the_protocol_is_repaired_and_told(written: str, name: str, message: str) -> None:
    """As `mdmem import legacy` does; nobody has to paste again for a capital letter."""
    text = f"[MEMORY_CANDIDATES]\n1. {written} — category: past — tags: []\n---\nUser likes tea.\n"
    parsed = candidates.parse(text, "paste.md")
    assert [item.name for item in parsed.candidates] == [name]
    (problem,) = parsed.problems
    assert (problem.severity, problem.line) == ("warning", 2)
    assert message in problem.message
    assert f"{name}.md" in problem.fix
