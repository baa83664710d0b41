"""Sentences that do not say what their speaker believes: suppositions, and reports of what others say."""

from __future__ import annotations

import re
from functools import lru_cache

_BLANKS = re.compile(r"\s+")
# In lower case, with straight quotes.
_SUPPOSES_OR_REPORTS = re.compile(
    r"\b(?:if the\b|if (?:i|we|you|it|they|he|she)\b|what if|imagine|suppose|let'?s say|hypothetically"
    r"|pretend|in theory|would have|would be|i wish|as if|role-?play|in the (?:story|novel|movie|film|game) )"
    r"|\b(?:(?:used to|would|always) say|says? my|as \w+ (?:says|said|would))\b|\b(?:he|she|they"
    r"|the (?:docs?|article|test|book|manual|author|readme|error|post|page|recipe|blog)|my (?:boss|friend"
    r"|mom|dad|mother|father|wife|husband|sister|brother|colleague|teacher|coach|neighbou?r)) (?:says?"
    r"|said|claims?|told|thinks?|writes|wrote|prefers|likes|loves|hates)\b"
)


@lru_cache(maxsize=64)  # several rules read the same sentence one after another
def normal(text: str) -> str:
    """The text in the form that the rules match: lower case, straight quotes, single spaces."""
    return _BLANKS.sub(" ", text.replace("’", "'").replace("‘", "'").replace("´", "'")).lower()


def is_meant(sentence: str) -> bool:
    """Whether a sentence says what its speaker believes: not "If I moved to Rome ...", nor "My boss says ..."."""
    return not _SUPPOSES_OR_REPORTS.search(normal(sentence))
