"""The rules of `secrets.forms` and `secrets.words`. A clone may bring them: no form may take long."""

from __future__ import annotations

import re
from collections.abc import Callable

_MOST = 20  # rules of each kind
_ATOM = r"(?:\\[dwDW.+*?$^|(){}/\[\]-]|\[\^?(?:\\[dwDW\]-]|[^\[\]\\\n])+\]|[^\\\[\](){}|*+?^$\s])"
_FORM = re.compile(rf"[\w][\w -]{{0,40}}: (?P<source>(?:{_ATOM}(?:\{{\d{{1,2}}(?:,\d{{1,2}})?\}}|[*+?])?)+)")
_VARIABLE = re.compile(r"\\.|\[\^?(?:\\.|[^\]\\])+\]|(?P<repeats>[*+?]|\{\d+,\d+\})")
_WORD = re.compile(r"[^\W\d_][^\W\d_]*(?:[ -][^\W\d_]+){0,4}")


def fault_of_forms(forms: list[object]) -> str:
    """What is wrong with the first form that is too complex or no regular expression; "" if all are right."""
    rule = (
        "'Door token: DT-[A-Z0-9]{12}': a name, a colon, and a regular expression for a word without"
        " spaces, groups or |, in which at most two things repeat a varying number of times"
    )
    return _fault(forms, _is_form, rule)


def fault_of_words(words: list[object]) -> str:
    """What is wrong with the first word that cannot be a name for a secret; "" if all can."""
    return _fault(words, lambda word: 2 < len(word) < 60 and _WORD.fullmatch(word), "'magic word': letters only")


def _fault(rules: list[object], is_right: Callable[[str], object], example: str) -> str:
    for rule in rules[:_MOST]:
        if not (isinstance(rule, str) and is_right(rule)):
            return f"has {rule!r}, but must be like {example}"
    return f"has {len(rules)} rules, but must have at most {_MOST}" if len(rules) > _MOST else ""


def _is_form(form: str) -> bool:
    match = _FORM.fullmatch(form) if len(form) < 200 else None
    if not match:
        return False
    try:
        matches_nothing = bool(re.compile(match["source"]).search(""))
    except re.error:
        return False
    repeats = [part for part in _VARIABLE.finditer(match["source"]) if part["repeats"]]
    return not matches_nothing and len(repeats) < 3
