"""Text for people and prompts: plain unless asked otherwise, and a note's words never steer who shows them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from mdmem.acts.text.notes import answer_lines, grouped_problems, record_json, record_line, record_table
from mdmem.acts.text.past import diff_text
from mdmem.errors import Problem
from mdmem.recall import ask
from mdmem.store.index.port import IndexedNote
from mdmem.store.vault.vault import Vault
from tests.conftest import NOW, Run


def tagged(text: str, look: str) -> str:
    return f"<{look}>{text}</{look}>"


@pytest.fixture
def vault(root: Path, mdmem: Run) -> Vault:
    mdmem("remember", "The deploy waits for the lock.", "--title", "Deploy waits", "-t", "ops", "--vault", root)
    with Vault.open(str(root)) as vault:
        return vault


def test_words_that_matched_are_marked_where_nothing_can_be_bold(vault: Vault) -> None:
    with vault:
        (answer,) = ask.ask(vault, ask.Query(texts=("lock",)), NOW)
    assert "The deploy waits for the **lock**." in answer_lines(1, answer)
    assert "The deploy waits for the <bold>lock</bold>." in answer_lines(1, answer, style=tagged)


def test_a_hit_of_several_vaults_says_which(vault: Vault) -> None:
    """Wherever it is cited or listed; a hit of the only vault says nothing of it."""
    with vault:
        (answer,) = ask.ask(vault, ask.Query(texts=("lock",)), NOW)
    record = answer.hit.record
    of_work = record._replace(vault="work")
    cited = answer._replace(hit=answer.hit._replace(record=of_work))
    assert f"   work:{record.path}:" in answer_lines(1, cited)
    assert f"   {record.path}:" in answer_lines(1, answer)
    assert next(record_table([of_work])).startswith(f"work:{record.name}  ")
    assert record_json(of_work, NOW) == {"vault": "work", **record_json(record, NOW)}
    assert "vault" not in record_json(record, NOW)


def test_a_style_is_asked_for_what_stands_out(vault: Vault) -> None:
    with vault:
        (record,) = vault.index.records()
    assert record_line(record) == "deploy_waits_lock  past  2026-03-01  #ops"
    assert record_line(record, tagged) == "<bold>deploy_waits_lock</bold>  past  2026-03-01  <cyan>#ops</cyan>"
    steering = record._replace(tags=("a\x1b[2Jb",), status="con\x07tested")
    assert "\x1b" not in record_line(steering)
    assert "\x07" not in record_line(steering)


def test_worth_that_a_person_wrote_wrongly_is_none_in_json(vault: Vault) -> None:
    with vault:
        (record,) = vault.index.records()
    bare = record_json(record, NOW)
    assert (bare["confidence"], bare["salience"], bare["sensitivity"]) == (None, None, "low")
    odd = record_json(record._replace(meta={"confidence": "high", "importance": ".nan", "scope": ["x"]}), NOW)
    assert (odd["confidence"], odd["importance"], odd["scope"]) == (None, None, "")


def test_of_each_kind_of_problem_the_first_few_are_shown() -> None:
    problems = [Problem("name", f"n{number}.md", 0, "is odd", "rename it", "warning") for number in range(5)]
    problems.append(Problem("link", "x.md", 3, "leads nowhere", "write it", "error"))
    lines = list(grouped_problems(problems, {"error": 9, "warning": 2}, "see all"))
    assert [line.split("\n")[0] for line in lines] == [
        "warning  n0.md: is odd",
        "warning  n1.md: is odd",
        "error  x.md:3: leads nowhere",
        "... and 3 more warnings of the kind name: see all",
    ]


def test_a_diff_is_coloured_by_line() -> None:
    lines = diff_text("--- a/x\n@@ -1 +1 @@\n-old\n+new\n same", tagged).split("\n")
    assert lines == [
        "<bold>--- a/x</bold>",
        "<cyan>@@ -1 +1 @@</cyan>",
        "<red>-old</red>",
        "<green>+new</green>",
        " same",
    ]


def test_a_table_has_all_of_long_names_and_titles(vault: Vault) -> None:
    with vault:
        (record,) = vault.index.records()
    long = record._replace(path="allmemories/" + "a_long_name_" * 8 + "x.md", title="A title that goes on " * 5)
    assert long.name in "".join(record_table([record, long]))
    assert long.title.strip() in "".join(record_table([record, long]))


def test_the_first_line_of_a_long_list_does_not_wait_for_the_last(vault: Vault) -> None:
    """It was as wide as the widest name of all, so that every record was read before anything was told."""
    with vault:
        (record,) = vault.index.records()
    read: list[str] = []

    class Records(list[IndexedNote]):
        def __iter__(self) -> Iterator[IndexedNote]:
            for each in super().__iter__():
                read.append(each.path)
                yield each

    lines = record_table(
        Records([record] * 2000 + [record._replace(path="allmemories/the_widest_name_of_all.md")])
    )
    next(lines)
    assert len(read) < 1000
    assert [line.split()[0] for line in lines][-2:] == [record.name, "the_widest_name_of_all"]
