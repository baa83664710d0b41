"""Dates as people say them: in questions, in options, in filters."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from mdmem.errors import UsageError
from mdmem.note import dates, moments
from tests.conftest import Ran

SUNDAY = date(2026, 3, 1)
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("yesterday", "2026-02-28", "2026-02-28"),
        ("Today", "2026-03-01", "2026-03-01"),
        ("last week", "2026-02-16", "2026-02-22"),
        ("this week", "2026-02-23", "2026-03-01"),
        ("next week", "2026-03-02", "2026-03-08"),
        ("last weekend", "2026-02-21", "2026-02-22"),
        ("last month", "2026-02-01", "2026-02-28"),
        ("this year", "2026-01-01", "2026-12-31"),
        ("last Monday", "2026-02-23", "2026-02-23"),
        ("last Sunday", "2026-02-22", "2026-02-22"),
        ("next Sunday", "2026-03-08", "2026-03-08"),
        ("monday", "2026-02-23", "2026-02-23"),
        ("on Sunday", "2026-03-01", "2026-03-01"),
        ("on Tuesday", "2026-02-24", "2026-02-24"),
        ("3 days ago", "2026-02-26", "2026-02-26"),
        ("2 months ago", "2026-01-01", "2026-01-31"),
        ("12 November", "2025-11-12", "2025-11-12"),
        ("1 March", "2026-03-01", "2026-03-01"),
        ("November 2025", "2025-11-01", "2025-11-30"),
        ("last March", "2025-03-01", "2025-03-31"),
    ],
)
def test_a_period_in_words(text: str, first: str, last: str) -> None:
    found = dates.period(text, SUNDAY)
    assert found is not None
    assert (found.first.isoformat(), found.last.isoformat()) == (first, last)


@pytest.mark.parametrize("text", ["", "HEAD~3", "june", "the last mile", "9999999 days ago", "31 February", "may"])
def test_what_is_no_period(text: str) -> None:
    assert dates.period(text, SUNDAY) is None


def test_the_words_of_a_period_are_no_search_words() -> None:
    assert (
        dates.unspoken("what did we decide last week about weeks").split()
        == "what did we decide about weeks".split()
    )
    assert dates.unspoken("what is on Tuesday").split() == ["what", "is", "Tuesday"]


def test_since_and_as_of_take_the_same_words() -> None:
    assert moments.since("yesterday", NOON) == datetime(2026, 2, 28, tzinfo=UTC)
    assert moments.since("last monday", NOON) == datetime(2026, 2, 23, tzinfo=UTC)
    assert moments.dated("last week", NOON) == "2026-02-22"
    assert moments.dated("main", NOON) == "main"
    with pytest.raises(UsageError, match="not a date"):
        moments.since("whenever", NOON)


# -- on the command line


@pytest.fixture
def diary(root: Path, monkeypatch: pytest.MonkeyPatch, git: Callable[..., str]) -> Path:
    """Notes of some days, committed on them; today is Sunday, 2026-03-01."""
    monkeypatch.chdir(root)
    for name, day, text in (
        (
            "login_tokens_last_short",
            "2026-02-01",
            "Login tokens last 15 minutes; the weekly status report says so.",
        ),
        ("we_decided_on_postgres", "2026-02-18", "We decided to use PostgreSQL."),
        ("cake_was_eaten", "2026-02-28", "There was cake."),
        ("we_had_an_outage", "2026-02-28", "Outage on 2025-11-12: the disk was full."),
    ):
        (root / f"allmemories/{name}.md").write_text(f"---\ncreated: {day}T10:00:00Z\n---\n{text}\n")
        git(root, "add", "-A")
        moment = f"{day}T10:00:00Z"
        git(root, "commit", "-qm", name, GIT_AUTHOR_DATE=moment, GIT_COMMITTER_DATE=moment)
    (root / "allmemories/deploy_in_november.md").write_text(
        "---\ncreated: 2025-11-12T10:00:00Z\n---\nWhat happened: a deploy in November.\n"
    )
    return root


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("what did we decide last week", "we_decided_on_postgres"),
        ("what was decided the week before, I mean last week", "we_decided_on_postgres"),
        ("yesterday", "cake_was_eaten"),
        ("what cake did we have yesterday", "cake_was_eaten"),
        ("what happened on 12 November", "we_had_an_outage"),
    ],
)
def test_questions_understand_when(mdmem: Callable[..., Ran], diary: Path, question: str, first: str) -> None:
    assert mdmem("recall", question, "--paths-only").out.split()[0] == f"allmemories/{first}.md"


def test_options_understand_when(mdmem: Callable[..., Ran], diary: Path) -> None:
    def paths(*args: str) -> list[str]:
        return [Path(line).stem for line in mdmem(*args, "--paths-only").out.split()]

    assert "cake" not in mdmem("log", "--since", "today").out
    assert "cake" in mdmem("log", "--since", "yesterday").out
    assert "postgres" not in mdmem("log", "--since", "yesterday").out
    assert paths("recall", "cake", "--as-of", "last monday") == []
    assert "We decided" in mdmem("show", "we_decided_on_postgres@last week").out
    assert paths("list", "--where", "created=yesterday") == ["cake_was_eaten", "we_had_an_outage"]
    assert paths("recall", "created:yesterday") == ["cake_was_eaten", "we_had_an_outage"]
    assert paths("list", "--where", "created=last week") == ["we_decided_on_postgres"]
    assert paths("list", "--where", "created>=last week") == [
        *("cake_was_eaten", "we_decided_on_postgres", "we_had_an_outage")
    ]


# -- filters with a value that nobody can mean


@pytest.mark.parametrize(
    ("args", "nearest"),
    [
        (("recall", "type:decison"), "decision"),
        (("list", "--type", "fct"), "fact"),
        (("list", "--status", "depricated"), "deprecated"),
        (("list", "--status", "foo"), "active"),
        (("list", "--where", "tyep=fact"), "type"),
        (("list", "--where", "confidence>abc"), "number"),
        (("list", "--where", "created>whenever"), "yesterday"),
        (("list", "--where", "pinned=perhaps"), "true"),
        (("recall", "cake", "--where", "craeted=2026"), "created"),
        (("session", "start", "--type", "decison"), "decision"),
        (("candidates", "render", "--type", "decison"), "decision"),
    ],
)
def test_a_filter_that_nobody_can_mean_is_refused_with_the_nearest(
    mdmem: Callable[..., Ran], diary: Path, args: tuple[str, ...], nearest: str
) -> None:
    assert nearest in mdmem(*args, code=2).err


def test_what_a_person_wrote_is_a_value_too(mdmem: Callable[..., Ran], diary: Path) -> None:
    (diary / "allmemories/a_recipe_of_mine.md").write_text(
        "---\ntype: recipe\ncategories: ['[[Albums]]']\n---\nBread.\n"
    )
    (diary / "allmemories/a_plain_fact.md").write_text("---\ntype: fact\n---\nSalt.\n")
    (diary / "allmemories/a_decision_too.md").write_text("---\ntype: decision\n---\nPepper.\n")
    assert mdmem("list", "--type", "recipe", "--paths-only").out == "allmemories/a_recipe_of_mine.md\n"
    assert mdmem("recall", "categories:Albums", "--paths-only").out == "allmemories/a_recipe_of_mine.md\n"
    both = mdmem("list", "--type", "recipe", "--type", "fact", "--paths-only").out.split()
    assert both == ["allmemories/a_plain_fact.md", "allmemories/a_recipe_of_mine.md"]
    assert mdmem("list", "--where", "!unheard_of", "--paths-only").out
