"""Sentences that do not say what their speaker believes: suppositions, and reports of what others say."""

from __future__ import annotations

import re
from functools import lru_cache

_BLANKS = re.compile(r"\s+")
# In lower case, with straight quotes.
SUPPOSED = re.compile(
    r"(?:^|\b)(?:if the\b|if (?:i|we|you|it|they|he|she)\b|what if|imagine|suppose|let'?s say|hypothetically"
    r"|pretend"
    r"|in theory|would have|would be|i wish|as if|role-?play|in the (?:story|novel|movie|film|game) )"
)
REPORTED = re.compile(
    r"\b(?:(?:used to|would|always) say|says? my|as \w+ (?:says|said|would))\b|\b(?:he|she|they"
    r"|the (?:docs?|article|test|book|manual|author|readme|error|post|page|recipe|blog)|my (?:boss|friend"
    r"|mom|dad|mother|father|wife|husband|sister|brother|colleague|teacher|coach|neighbou?r)) (?:says?"
    r"|said|claims?|told|thinks?|writes|wrote|prefers|likes|loves|hates)\b"
)


@lru_cache(maxsize=64)  # several rules read the same sentence one after another
def normal(text: str) -> str:
    """The text in the form that the rules match: lower case, straight quotes, single spaces."""
    return _BLANKS.sub(" ", text.replace("’", "'").replace("‘", "'").replace("´", "'")).lower()


def is_supposed(sentence: str) -> bool:
    """Whether a sentence only supposes something: "If I moved to Rome ..."."""
    return bool(SUPPOSED.search(normal(sentence)))


def is_reported(sentence: str) -> bool:
    """Whether a sentence reports what somebody else says or thinks: "My boss says I am slow"."""
    return bool(REPORTED.search(normal(sentence)))
