"""Candidates in and out, by the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Git, Run, Stdin

PASTE = """\
🧠 Past: tea

## System Notes

```
[MEMORY_CANDIDATES]
1. user_likes_green_tea.md — category: past — tags: [tea, "#taste"]
---
User likes green tea, without sugar.
2. tea_is_drunk_daily.md — category: someday — tags: []
---
Bad category.
3. next_task_buy_a_teapot.md — category: future — tags: [tea]
---
Buy a teapot.
```
Anything else?
"""


@pytest.fixture
def paste(tmp_path: Path) -> Path:
    path = tmp_path / "answer.md"
    path.write_text(PASTE)
    return path


def test_good_items_go_in_with_one_commit_and_bad_ones_are_told(
    paste: Path, root: Path, mdmem: Run, ask: Run, git: Git
) -> None:
    commits = int(git(root, "rev-list", "--count", "HEAD"))
    ran = mdmem("candidates", "import", paste, "--session", "s1", "--actor", "gpt", code=1)
    assert f"{paste}:10: " in ran.err
    assert int(git(root, "rev-list", "--count", "HEAD")) == commits + 1
    message = git(root, "log", "-1", "--format=%an%n%B")
    assert message.startswith("gpt\ncreate: user_likes_green_tea, next_task_buy_a_teapot\n")
    assert "Memory-Session: s1" in message
    assert message.count("Memory-Id: ") == 2
    note = (root / "allmemories/user_likes_green_tea.md").read_text()
    assert "\ncategory: past\ntags:\n  - tea\n  - taste\n" in note
    assert note.endswith("\n\nUser likes green tea, without sugar.\n")
    assert "category: future" in (root / "allmemories/next_task_buy_a_teapot.md").read_text()
    mdmem("undo", "--session", "s1", "--yes")
    assert ask("list") == []


def test_of_two_candidates_that_say_the_same_one_goes_in(mdmem: Run, stdin: Stdin) -> None:
    stdin(
        "[MEMORY_CANDIDATES]\n"
        "1. user_likes_green_tea.md — category: past — tags: []\n---\nUser likes green tea without sugar.\n"
        "2. green_tea_is_liked.md — category: past — tags: []\n---\nUser likes green tea, without sugar\n"
    )
    ran = mdmem("candidates", "import", "-", code=1)
    assert "green_tea_is_liked says the same as line 2" in ran.err
    assert ran.out.count("remembered") == 1


def test_near_twins_are_left_out_and_told(paste: Path, root: Path, mdmem: Run, ask: Run) -> None:
    mdmem("remember", "User likes green tea without sugar", "--name", "tea_without_any_sugar")
    done = ask("candidates", "import", paste, code=1)
    assert [item["name"] for item in done["memories"]] == ["next_task_buy_a_teapot"]
    (twin,) = done["twins"]
    assert (twin["name"], twin["line"], twin["twin"]) == ("user_likes_green_tea", 7, "tea_without_any_sugar")
    assert [(item["path"], item["line"]) for item in done["problems"]] == [(str(paste), 10)]
    again = mdmem("candidates", "import", paste, "--twins", "ignore", code=1)
    assert again.out.startswith("remembered allmemories/user_likes_green_tea.md")
    assert "there is a memory called next_task_buy_a_teapot" in again.err


def test_a_dry_run_says_and_writes_nothing(paste: Path, root: Path, mdmem: Run, git: Run) -> None:
    head = git(root, "rev-parse", "HEAD")
    out = mdmem("candidates", "import", paste, "--dry-run", code=1).out
    assert out == "would remember user_likes_green_tea\nwould remember next_task_buy_a_teapot\n"
    assert git(root, "rev-parse", "HEAD") == head


@pytest.mark.parametrize(
    ("second", "message"),
    [
        ("one_good_name.md\n---\nquite another thing", "line 2 has the name"),
        ("two_good_name.md\n---\n---\ntitle: a: b\n---\nx", "cannot be read"),
        ("two_good_name.md\n---\nnull \0 byte", "NUL"),
    ],
)
def test_what_cannot_be_written_costs_only_itself(second: str, message: str, ask: Run, stdin: Stdin) -> None:
    stdin(f"[MEMORY_CANDIDATES]\n1. one_good_name.md\n---\na first text\n2. {second}\n")
    done = ask("candidates", "import", "-", code=1)
    assert [item["path"] for item in done["memories"]] == ["allmemories/one_good_name.md"]
    (problem,) = done["problems"]
    assert (problem["path"], problem["line"]) == ("standard input", 5)
    assert message in problem["message"]
    assert problem["fix"]


def test_memories_go_from_vault_to_vault_as_a_block(paste: Path, tmp_path: Path, mdmem: Run, ask: Run) -> None:
    mdmem("candidates", "import", paste, "--session", "s1", code=1)
    mdmem("remember", "Not from there.", "--name", "another_session_wrote_this")
    block = mdmem("candidates", "render", "--session", "s1").out
    assert block == (
        "[MEMORY_CANDIDATES]\n"
        "1. next_task_buy_a_teapot.md — category: future — tags: [tea]\n---\nBuy a teapot.\n"
        "2. user_likes_green_tea.md — category: past — tags: [tea, taste]\n---\n"
        "User likes green tea, without sugar.\n"
    )
    assert mdmem("candidates", "render", "--since", "1d", "--tag", "tea").out == block
    named = ask("candidates", "render", "user_likes_green_tea", "next_task_buy_a_teapot")
    assert [item["name"] for item in named] == ["user_likes_green_tea", "next_task_buy_a_teapot"]
    text = "User likes green tea, without sugar."
    assert (named[0]["category"], named[0]["tags"], named[0]["body"]) == ("past", ["tea", "taste"], text)
    (tmp_path / "block").write_text(block)
    mdmem("init", tmp_path / "other", "--no-examples")
    mdmem("candidates", "import", tmp_path / "block", "--vault", tmp_path / "other")
    assert mdmem("candidates", "render", "--tag", "tea", "--vault", tmp_path / "other").out == block
    mdmem("candidates", "render", code=2)
    mdmem("candidates", "render", "--session", "none", code=3)


def test_a_paste_that_is_no_file_or_holds_nothing(tmp_path: Path, mdmem: Run, stdin: Stdin) -> None:
    mdmem("candidates", "import", tmp_path / "none.md", code=3)
    stdin("")
    assert "no [MEMORY_CANDIDATES] block" in mdmem("candidates", "import", "-", code=1).err


TEA = "tea_is_at_four.md\n---\nTea is at four.\n"


@pytest.mark.parametrize(
    "candidates",
    [
        [
            "login_of_ada_shop.md\n---\npassword: hunter2x9\n",
            "staging_host_is_walrus.md — tags: [a, password=hunter2x9]\n---\nStaging is called walrus.\n",
        ],
        ["db_is_on_the_nas.md\n---\nThe db password is\n\nhunter2x9\n"],
        ["db_is_on_the_nas.md\n---\nThe db password is\n", "word_for_the_nas.md\n---\nhunter2x9\n"],
    ],
    ids=["in a text and a tag", "over two paragraphs", "announced by the candidate before"],
)
def test_a_candidate_with_a_secret_is_reported_and_not_written(
    candidates: list[str], root: Path, mdmem: Run, git: Git, stdin: Stdin
) -> None:
    stdin("[MEMORY_CANDIDATES]\n" + "".join(f"{at}. {one}" for at, one in enumerate([*candidates, TEA], 1)))
    ran = mdmem("candidates", "import", "-", code=1)
    assert ran.err.count("holds a secret, ") == len(candidates)
    assert "holds a secret, Password" in ran.err
    assert [path.name for path in (root / "allmemories").iterdir()] == ["tea_is_at_four.md"]
    assert "hunter2x9" not in git(root, "log", "-p", "--all")
