"""Each rule for statements does what the two sentences in its docstring say."""

from __future__ import annotations

import re

import pytest

from mdmem.language.statement import contrasts, grammar, rules
from mdmem.language.statement.grammar import Claim
from mdmem.language.statement.rules import Rule
from mdmem.language.sureness import Key


def claim(sentence: str) -> Claim:
    written = grammar.tokens(sentence)
    found = grammar.parse(written, [token.lower() for token in written])
    assert found is not None, sentence
    return found


def examples(function: object) -> tuple[str, str]:
    """The two sentences of a rule's docstring that contradict each other."""
    first, second = re.findall(r"[A-Z][^.]+\.", function.__doc__ or "")
    return first, second


def clashing(first: list[Key], second: list[Key]) -> set[tuple[str, ...]]:
    """What both speak about and say another value of."""
    values = {key.about: key.value for key in first}
    return {key.about for key in second if values.get(key.about, key.value) != key.value}


@pytest.mark.parametrize("rule", rules.RULES, ids=lambda rule: rule.keys.__name__)
def test_the_example_of_a_rule_is_a_contradiction_by_that_rule(rule: Rule) -> None:
    first, second = (list(rule.keys(claim(sentence))) for sentence in examples(rule.keys))
    assert clashing(first, second)


@pytest.mark.parametrize("name", ["_by_number", "_by_opposite"], ids=lambda name: str(name).removeprefix("_"))
def test_the_example_of_a_contrast_is_a_contradiction_by_that_rule(name: str) -> None:
    rule = getattr(contrasts, name)
    keys = []
    for sentence in examples(rule):
        words = [token.lower() for token in grammar.tokens(sentence)]
        telling = [word for word in words if word not in contrasts.stopwords.COMPARISON]
        keys.append(list(rule(words, telling)))
    assert clashing(*keys)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The user drinks coffee in the office.", "The user drinks tea in the office."),
        ("The cat is called Miso.", "The dog is called Rex."),
        ("The user does not hate jazz.", "The user likes jazz."),
        ("Phase 2 starts in May 2024.", "Phase 3 starts in May 2024."),
        ("The team has a meeting on 3 May.", "The team has a meeting on 4 May."),
        ("The user speaks German.", "The user speaks French."),
        ("The user lives in Berlin and Munich.", "The user lives in Hamburg and Bremen."),
    ],
)
def test_what_may_hold_together_is_no_contradiction(one: str, other: str) -> None:
    assert not clashing(list(rules.keys(claim(one))), list(rules.keys(claim(other))))


@pytest.mark.parametrize(
    ("sentence", "subject", "relation", "rest"),
    [
        ("The API runs on port 80.", ("api",), "run on", ("port", "80")),
        ("I no longer use vim", ("user",), "use", ("vim",)),
        ("We don't deploy to Azure", ("team",), "deploy to", ("azure",)),
        ("Use tabs", ("you",), "use", ("tabs",)),
        ("Maria's employer is ACME", ("maria", "employer"), "is", ("acme",)),
        ("He does not smoke cigars", ("he",), "smoke", ("cigars",)),
        ("The bot replies in German", ("bot",), "answer", ("in", "german")),
    ],
)
def test_a_sentence_is_divided_by_its_verb(
    sentence: str, subject: tuple[str, ...], relation: str, rest: tuple[str, ...]
) -> None:
    found = claim(sentence)
    assert (found.subject, found.relation, found.rest) == (subject, relation, rest)


@pytest.mark.parametrize("sentence", ["The red house", "The house is", "Runs"])
def test_a_sentence_without_a_known_verb_or_an_end_is_no_claim(sentence: str) -> None:
    written = grammar.tokens(sentence)
    assert grammar.parse(written, [token.lower() for token in written]) is None


def test_an_attribute_is_named_with_its_thing() -> None:
    assert grammar.attribute(("ports", "of", "billing", "api")) == (("port",), ("api", "billing"))
    assert grammar.attribute(("address", "of", "ana")) == (("address",), ("ana",))
    assert grammar.attribute(("house",)) is None
