"""Removes the names of hidden memories from texts: links to them, and the names themselves.

Whole links go, including the text shown for them, which could give the memory away. A name of one or two words
is only removed from links, since elsewhere it may be ordinary words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet
from typing import Any

from mdmem.note import patterns

REDACTED = "redacted"
_WORDS_OF_A_NAME = 3  # a name of so many words is recognised in a text even outside links
_JOINED = patterns.late(r"[A-Za-z0-9]+(?:_+[A-Za-z0-9]+)+")  # where a name of ASCII words may occur
_ASCII_NAME = patterns.late(r"[a-z0-9]+(?:_[a-z0-9]+)*")
_WIKILINK = patterns.late(r"\[\[(?P<target>[^\[\]|#\n]*)(?:#[^\[\]|\n]*)?(?:\\?\|[^\[\]\n]*)?\]\]")
_MARKDOWN_LINK = patterns.late(r"\[[^\[\]\n]*\](?:\([ \t]*<?|:[ \t]+<?)(?P<target>[^()\s<>#?]+)[^()\n]*\)?")


def redactor(names: Iterable[str], fold: Callable[[str], str]) -> Callable[[str], str]:
    """A function that removes the names of hidden memories from a text: links to them, and the names themselves.

    `fold` folds the target of a link so that it compares with `names`, which are folded. Line breaks are kept.
    """
    hidden = frozenset(names)
    long = {name for name in hidden if name.count("_") + 1 >= _WORDS_OF_A_NAME}
    ascii_names = {name for name in long if _ASCII_NAME.fullmatch(name)}
    others = sorted(long - ascii_names, key=len, reverse=True)
    written = re.compile("|".join(map(re.escape, others)), re.IGNORECASE) if others else None

    def without_link(match: re.Match[str]) -> str:
        if fold(match["target"].strip().removesuffix(".md")) not in hidden:
            return match[0]
        return f"[[{REDACTED}]]" if match[0].startswith("[[") else f"[{REDACTED}]"

    def redact(text: str) -> str:
        if "[" in text:
            text = _MARKDOWN_LINK.sub(without_link, _WIKILINK.sub(without_link, text))
        if ascii_names and "_" in text:
            text = _JOINED.sub(lambda match: _without_names(match[0], ascii_names), text)
        return written.sub(REDACTED, text) if written else text

    return redact if hidden else _as_it_is


def redacted_value(value: Any, redact: Callable[[str], str]) -> Any:
    """A property with every string in it redacted."""
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, dict):
        return {key: redacted_value(item, redact) for key, item in value.items()}
    return [redacted_value(item, redact) for item in value] if isinstance(value, list) else value


def _without_names(joined: str, names: AbstractSet[str]) -> str:
    """Words joined by `_` with those of `names` among them redacted, the longest first."""
    words = joined.split("_")
    for length in range(len(words), _WORDS_OF_A_NAME - 1, -1):
        for start in range(len(words) - length + 1):
            if "_".join(words[start : start + length]).lower() in names:
                before, after = words[:start], words[start + length :]
                return _without_names("_".join([*before, REDACTED, *after]), names)
    return joined


def _as_it_is(text: str) -> str:
    return text
