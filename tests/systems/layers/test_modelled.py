"""A language model draws the facts: the real `llm` package against a real server that speaks OpenAI's API."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mdmem.recall.models.language import LanguageModel
from mdmem.systems.layers import dialog, documents, extract
from mdmem.systems.layers.documents import EntryMeta, EntrySummary
from mdmem.systems.layers.given import drawing
from tests.recall.models.test_wording import Server
from tests.recall.models.test_wording import server as server  # noqa: PLC0414 - a fixture

CHAT = "User: I live in Lisbon.\nAssistant: Nice.\nUser: I never eat peanuts,\nsorry.\n"
FACT = {
    **{"subject": "user", "relation": "avoids", "object": "peanuts", "type": "constraint"},
    **{"time_span": "long_term", "confidence": 0.95, "sentence": "I never eat peanuts,\n sorry."},
}
GOOD = {"summary": "User lives in Lisbon.", "facts": [FACT], "open_questions": ["Where?"], "next_actions": []}


@pytest.fixture
def told() -> list[str]:
    return []


@pytest.fixture
def draw(server: Server, told: list[str]) -> Callable[..., EntrySummary]:
    """The summary of CHAT by the model behind the server, which gives this answer."""
    by_model = drawing(LanguageModel("local", patience=5), "local", told.append)

    def run(answer: object, text: str = CHAT) -> EntrySummary:
        server.answer = answer if isinstance(answer, str) else json.dumps(answer)
        return by_model(*_read(text))

    return run


def _read(text: str) -> tuple[dialog.Dialog, EntryMeta]:
    read = dialog.read(text.encode(), "c.txt")
    meta = EntryMeta("20260208T140500Z-00000000", "2026-02-08T14:05:00Z", "t", "c.txt", read.format, "", 1)
    return read, meta


def _is_by_rule(summary: EntrySummary) -> bool:
    return summary == extract.summary_of(*_read(CHAT)) and summary.made_by == "rules"


def test_a_good_answer_is_the_summary(server: Server, draw: Callable[..., EntrySummary], told: list[str]) -> None:
    summary = draw(f"```json\n{json.dumps(GOOD)}\n```")
    assert (summary.made_by, summary.summary, summary.open_questions) == (
        "local",
        "User lives in Lisbon.",
        ("Where?",),
    )
    (fact,) = summary.facts
    assert (fact.object, fact.sentence, fact.line) == ("peanuts", "I never eat peanuts, sorry.", 3)
    assert (fact.entry_id, fact.entry_ts) == (summary.entry_id, summary.entry_ts)
    assert documents.read(EntrySummary, documents.render(summary), "p") == summary
    assert told == []
    assert '"text": "I live in Lisbon."' in server.asked[0]["messages"][-1]["content"]


@pytest.mark.parametrize(
    "answer",
    [
        *("I will not.", "{", "[1]", '{"summary": "x"}', json.dumps(GOOD)[:-30]),
        {**GOOD, "summary": 3},
        {**GOOD, "facts": [{**FACT, "type": "opinion"}]},
        {**GOOD, "facts": [{**FACT, "subject": " "}]},
        {**GOOD, "facts": "none"},
        {**GOOD, "next_actions": [None]},
    ],
)
def test_an_answer_that_does_not_fit_is_asked_for_again_then_the_rules_draw(
    server: Server, draw: Callable[..., EntrySummary], told: list[str], answer: Any
) -> None:
    assert _is_by_rule(draw(answer))
    assert len(server.asked) == 2
    assert "Your last answer did not fit" in server.asked[1]["messages"][-1]["content"]
    assert len(told) == 1
    assert told[0].startswith("c.txt: the rules draw the facts: ")
    assert draw(GOOD).made_by == "local"  # the next dialog is asked about again


def test_facts_that_nobody_said_or_not_in_form_are_left_out(draw: Callable[..., EntrySummary]) -> None:
    invented = {**FACT, "object": "nuts", "sentence": "I love nuts."}
    wrong = [invented, {**FACT, "sentence": ""}, {**FACT, "type": "mood"}, {**FACT, "confidence": 7}]
    summary = draw({**GOOD, "facts": [*wrong[:2], FACT, *wrong[2:]]})
    assert ([fact.object for fact in summary.facts], summary.made_by) == (["peanuts"], "local")
    assert draw({**GOOD, "facts": wrong[:2]}).made_by == "local"


def test_a_server_that_fails_is_asked_once(
    server: Server, draw: Callable[..., EntrySummary], told: list[str]
) -> None:
    server.status = 500
    assert _is_by_rule(draw(GOOD))
    assert _is_by_rule(draw(GOOD))
    assert len(server.asked) == 1
    assert "the rules draw this and the rest: the model 'local' did not answer" in told[0]


def test_a_server_that_is_too_slow_is_not_waited_for(server: Server, told: list[str]) -> None:
    server.gate.clear()
    by_model = drawing(LanguageModel("local", patience=0.2), "local", told.append)
    assert _is_by_rule(by_model(*_read(CHAT)))
    assert "nothing came in 0.2 s" in told[0]
    server.gate.set()


def test_a_long_dialog_takes_several_prompts(server: Server, draw: Callable[..., EntrySummary]) -> None:
    long = "".join(f"User: {'x' * 9000} {number}\nAssistant: Ok.\n" for number in range(4))
    summary = draw(GOOD, long)
    assert len(server.asked) == 2
    assert summary.open_questions == ("Where?",)
    assert summary.facts == ()


@pytest.fixture
def cli(server: Server, root: Path, mdmem: Callable[..., Any], tmp_path: Path) -> Callable[..., Any]:
    server.answer = json.dumps(GOOD)
    chat = tmp_path / "chat.txt"
    chat.write_text(CHAT)
    return lambda *args: mdmem("ingest", chat, "--topic", "t", "--vault", root, *args)


def _made_by(root: Path) -> str:
    (path,) = root.glob("topics/t/*/summary.json")
    return str(json.loads(path.read_text())["made_by"])


@pytest.mark.parametrize(
    ("setting", "variable", "option", "made_by", "says"),
    [
        ("model", "local", "", "local", ""),
        ("model", "local", "--rules-only", "rules", ""),
        ("rules", "local", "", "rules", ""),
        ("model", "", "", "rules", "MDMEM_LLM names no model"),
        ("model", "nope", "", "rules", "knows no model 'nope'"),
    ],
)
def test_a_model_is_asked_where_the_setting_wants_it_and_the_person_names_it(
    server: Server,
    cli: Callable[..., Any],
    root: Path,
    monkeypatch: pytest.MonkeyPatch,
    setting: str,
    variable: str,
    option: str,
    made_by: str,
    says: str,
) -> None:
    """A vault that arrives by clone cannot choose where the dialogs of its reader are sent."""
    monkeypatch.setenv("MDMEM_LLM", variable)
    (root / "mdmem.toml").write_text(f'[ingest]\nfacts = "{setting}"\n')
    done = cli(*filter(None, [option]))
    assert _made_by(root) == made_by
    assert says in done.err
    assert bool(server.asked) == (made_by == "local")


def test_a_dialog_with_a_secret_goes_to_no_model(
    server: Server, mdmem: Callable[..., Any], root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MDMEM_LLM", "local")
    (root / "mdmem.toml").write_text('[ingest]\nfacts = "model"\n')
    chat = tmp_path / "chat.txt"
    chat.write_text("User: my password is hunter2swordfish\nAssistant: Ok.\n")
    mdmem("ingest", chat, "--topic", "t", "--allow-secret", "--vault", root)
    assert _made_by(root) == "rules"
    assert server.asked == []
