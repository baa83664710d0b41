"""The title of a text: its first heading or sentence as written, or a readable part of it."""

from __future__ import annotations

import re

from mdmem.note import naming
from mdmem.text import patterns, sentences

MOST_CHARS = 80
_MOST_READ = 2_000  # characters of a line that can matter for its title
_MARKER = patterns.late(
    r"\A(?:#{1,6}\s+|>\s*|[-*+]\s+(?:\[.\]\s+)?|\d{1,3}[.)]\s+)+"
)  # the markup of a heading, quote or item
_FENCES = ("```", "~~~")
_EMPHASIS = patterns.late(r"(?<![\w*])(\*{1,3})(?=[^\s*])([^*]+)(?<=[^\s*])\1(?![\w*])", needs="*")
_WIKILINK = patterns.late(r"\[\[(?:[^\]|]*\|)?([^\]|]+)\]\]", needs="[[")
# Where a clause ends: before a word that begins another one.
_SUBORDINATE = (
    "because|so|but|which|who|since|while|if|i\\.e\\.|e\\.g\\.|weil|damit|aber|sodass|denn|z\\. ?B\\.|parce que"
    "|donc|mais|porque|así que|pero|perché|però|потому что|но"
)
_CLAUSE_END = patterns.late(
    rf"\s*[;:–—(](?:\s|(?<=\())|,\s+(?:{_SUBORDINATE})\b"
    r"|\s+(?:because|since|so that|weil|damit|parce que|porque|although|obwohl)\s"
    r"|,?\s+(?:and|und)\s+(?:the|it|he|she|they|we|i|die|der|das|er|sie|es|wir|ich)\s",
    re.I,
)
_COMMA = patterns.late(r",\s")
_BEGINS_WITH_LESS = patterns.late(  # words that begin a phrase before the main clause
    r"(?:when|if|while|as|since|because|after|before|once|until|although|in|on|at|for|with|wenn|falls|weil|als|bei"
    r"|nach|vor|seit|obwohl|cuando|si|quand|lorsque|se|quando)\b",
    re.I,
)
_LOOSE_END = patterns.late(
    r"(?:\s+(?:a|an|the|of|to|in|on|at|for|with|and|or|is|are|was|that|by|from|der|die|das|und|mit|zu))+$", re.I
)
_FULL_STOPS = ".。।"
_WIDE_STOPS = ("。", "！", "？")  # in scripts without spaces between words


def title_of(text: str) -> str:
    """The first heading or sentence as written; if that is too long, its first clause, or as many words as fit."""
    sentence = _first_of_some_length(_first_line(text)).rstrip(_FULL_STOPS)
    if len(sentence) <= MOST_CHARS:
        return sentence
    clause = _clause(sentence)
    if clause:
        return clause
    fitting = sentence[: MOST_CHARS + 1].rpartition(" ")[0] or sentence[:MOST_CHARS]
    return _LOOSE_END.sub("", fitting).rstrip(" ,;:–—-(")


def _first_line(text: str) -> str:
    """The first line with a word, without the markup of a heading or an item, and without links and emphasis."""
    lines = (line.strip() for line in text.splitlines() if not line.strip().startswith(_FENCES))
    first = next((line for line in lines if re.search(r"\w", line)), "")[:_MOST_READ]
    said = first if first[:1].isalpha() else _MARKER.sub("", first)
    plain = _WIKILINK.sub(lambda link: link[1].replace("_", " "), said)
    return _EMPHASIS.sub(r"\2", plain).strip()


def _first_of_some_length(line: str) -> str:
    """The first sentence of a line. If it is a single word, the whole line is used: "Wow! The port is 80."."""
    first = sentences.first(line)
    is_short = len(first.split()) == 1 and not first.endswith(_WIDE_STOPS)
    return line if is_short and len(line) <= MOST_CHARS else first


def _clause(sentence: str) -> str:
    """A long sentence up to the end of its first clause, else to the last comma that fits; "" if neither works."""
    ends = [found.start() for found in _CLAUSE_END.finditer(sentence, 0, MOST_CHARS + 1)]
    commas = [found.start() for found in _COMMA.finditer(sentence, 0, MOST_CHARS + 1)]
    if _BEGINS_WITH_LESS.match(sentence):
        commas = []
    for end in (*ends, *reversed(commas)):
        clause = sentence[:end].rstrip(" ,")
        if len(clause.split()) >= naming.MIN_WORDS:
            return clause
    return ""
