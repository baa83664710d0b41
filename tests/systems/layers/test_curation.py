"""The scores that people give facts: one line each, written by mdmem or by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem.systems.layers import curation
from mdmem.systems.layers.curation import Verdict

ID = "04bfc468b131e204"
names = st.text(st.characters(categories=("L", "N", "P", "Zs")), max_size=12).map(
    lambda text: " ".join(text.translate({40: None, 41: None}).split())
)
notes = st.text(max_size=30).map(lambda text: " ".join("".join(c for c in text if c.isprintable()).split()))
verdicts = st.builds(
    Verdict,
    fact_id=st.text("0123456789abcdef", min_size=16, max_size=16),
    score=st.integers(0, 10),
    who=names,
    when=st.sampled_from(["2026-02-08T14:05:00Z"]),
    note=notes,
    line=st.just(0),
)


@given(st.lists(verdicts, max_size=5))
def test_what_is_written_reads_back(given_verdicts: list[Verdict]) -> None:
    text = curation.HEAD + "\n" + "".join(curation.render(verdict) for verdict in given_verdicts)
    found, problems = curation.read(text.encode(), "topics/t/curation.md")
    assert not problems
    assert [verdict._replace(line=0) for verdict in found] == given_verdicts


def test_the_last_line_about_a_fact_holds() -> None:
    text = f"{curation.HEAD}\n- {ID}: 9 (ana, 2026-02-08T14:05:00Z) always\n\nA remark.\n* {ID} 2\n"
    found, problems = curation.read(text.encode(), "p")
    assert not problems
    assert curation.latest(found) == {ID: Verdict(ID, 2, line=9)}


@pytest.mark.parametrize(
    "line", [f"- {ID}: 11", f"- {ID}: -1", f"- {ID}: eight", "- 04bf: 8", f"- {ID}", f"- {ID}8"]
)
def test_a_wrong_line_is_reported_by_its_number_and_changes_nothing(line: str) -> None:
    found, problems = curation.read(f"- {ID}: 9\n{line}\n".encode(), "topics/t/curation.md")
    assert curation.latest(found)[ID].score == 9
    assert [(problem.path, problem.line) for problem in problems] == [("topics/t/curation.md", 2)]


@pytest.mark.parametrize("note", ["(see, above) it", "(no time)", "(a, b)"])
def test_a_remark_in_parentheses_stays_a_remark(note: str) -> None:
    assert curation.read(f"- {ID}: 9 {note}\n".encode(), "p")[0] == [Verdict(ID, 9, note=note, line=1)]


def test_what_a_verdict_says_stays_on_its_line() -> None:
    text = curation.render(Verdict(ID, 9, "a)\nna", "2026-02-08T14:05:00Z", f"x\n- {ID}: 0"))
    found, _ = curation.read(text.encode(), "p")
    assert [(verdict.score, verdict.who) for verdict in found] == [(9, "a na")]
