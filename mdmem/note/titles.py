"""The title that is shown for a note: a given one, else what its text says first.

A title that is made of the text is never stored, so that it changes with the text. `Memory.title` is the way in.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from mdmem.note import blocks, naming, patterns, sentences

if TYPE_CHECKING:
    from mdmem.note.memory import Memory

MOST_CHARS = 80
_MOST_READ = 4000  # characters of a text in which its first sentence is searched for
_MOST_READ_OF_HEADINGS = 50_000  # and those in which its heading is
_CUT = " …"
# The fields of a structured text that say what it is about, or else (after |) in another text of the type.
_FIELDS = {
    **{"work": "goal", "semantic": "subject predicate object", "competence": "skill_name"},
    **{"working": "context_summary|thread_id", "plan_graph": "intent|plan_id"},
    **dict.fromkeys(("episodic", "chapter", "wisdom"), "summary"),
}
_MARKER = patterns.late(
    r"\A(?:#{1,6}\s+|>\s*|[-*+]\s+(?:\[.\]\s+)?|\d{1,3}[.)]\s+)+"
)  # the markup of a heading, quote or item
_FENCES = ("```", "~~~", "<<<<<<< ", ">>>>>>> ")  # and the marks of a conflict, of which the first side is told
_NOTICE = patterns.late(r"[\s>]*(?:\[!\w+\]|[*_]*DEPRECATED:)")  # what is said of a note, not by it
_EMPHASIS = patterns.late(r"(?<![\w*])(\*{1,3})(?=[^\s*])([^*]+)(?<=[^\s*])\1(?![\w*])", needs="*")
_IMAGE = patterns.late(r"!\[[^\[\]]*\](?:\([^()\s]*\)|\[[^\[\]]*\])", needs="![")
_LINK = patterns.late(r"(?<!\[)\[([^\[\]]*)\]\([^()\s]*\)", needs="](")
_WIKILINK = patterns.late(r"\[\[(?:[^\[\]|]*\|)?([^\[\]|]+)\]\]", needs="[[")
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
_AHEAD = patterns.late(r"\A(?:the|next task:|plan|work on)\s+", re.I)
_FULL_STOPS = ".。।"
_WIDE_STOPS = ("。", "！", "？")  # in scripts without spaces between words


def derived(note: Memory) -> str:
    """The title of a note that was given none: its heading, else its first sentence; else "".

    A file name without `_` is how a person names a note: unless mdmem wrote that note, it comes before the
    sentence. In a text that cannot be read as a note, no line is taken for a sentence.
    """
    by_person = "" if note.has_id else named(note.name)
    return (
        _in_fields(note.body, note.type)
        or note.heading
        or by_person
        or ("" if note.problems else title_of(note.body))
    )


def named(name: str) -> str:
    """The title that a person gave by naming a file; "" for a name in the form that mdmem gives files."""
    return "" if "_" in name else name[:1].upper() + name[1:]


def among_aliases(title: str, former: str, aliases: Sequence[str], name: str) -> list[str]:
    """The aliases of a note with its given title instead of the `former` one, unless its file has that name.

    So Obsidian's switcher finds it.
    """
    kept = [alias for alias in aliases if not former or alias != former]
    is_known = not title or title.casefold() in (other.casefold() for other in (name, *kept))
    return kept if is_known else [*kept, title]


def is_copy(note: Memory) -> bool:
    """Whether a note's title is the one that mdmem makes of its text, or that an earlier version made of it.

    Those left out the ellipsis, or cut later, and put a word before it: "The", "Next task:", "Plan", "Work on".
    """
    title = note.text("title")
    given, made = (naming.words_of(_AHEAD.sub("", text)) for text in (title, of_text(note.body, note.type)))
    return bool(made) and made == (given[: len(made)] if title.endswith("…") else given)


def of_text(body: str, type: str = "") -> str:
    """The title that is made of the text of a note of a type; "" if the text has no words."""
    return _in_fields(body, type) or heading_of(body) or title_of(body)


def heading_of(body: str, underlined: bool = True) -> str:
    """The heading that titles a text, see `Memory.heading`; "" if there is none."""
    return _LINK.sub(r"\1", _IMAGE.sub("", _heading_of(body, underlined))).strip()


def _heading_of(body: str, underlined: bool) -> str:
    begin = body[:_MOST_READ_OF_HEADINGS]
    if len(begin) < len(body):  # no heading is cut
        begin = begin.rpartition("\n")[0] or begin
    headings = (found for found in blocks.headings(begin) if underlined or found.line == found.end)
    first = next(headings, None)
    if first is None or first.level == 1:  # whatever follows
        return first.text if first else ""
    below = list(headings)
    top = 1 + len(body) - len(body.lstrip("\n"))
    if first.line == top and all(found.level > first.level for found in below):
        return first.text
    return next((found.text for found in below if found.level == 1), "")


def _in_fields(body: str, type: str) -> str:
    """What the telling fields of a structured text say; "" for a text without them."""
    for group in _FIELDS.get(type, "").split("|"):
        pattern = r"(?im)^(?:\s*(?:- )+{0}:[ \t]+|#+ {1}\s*\n\s*)(?P<said>[^\s\[{{#-].*)"
        found = (re.search(pattern.format(name, name.replace("_", " ")), body) for name in group.split())
        if said := " ".join(match["said"].strip('" ') for match in found if match):
            return title_of(said.replace("_", " "))
    return ""


def title_of(text: str) -> str:
    """The first sentence as written; of a long one its first clause, or as many words as fit, and `…`."""
    line = _first_line(text[:_MOST_READ])
    sentence = sentences.first(line)
    if len(sentence.split()) == 1 and not sentence.endswith(_WIDE_STOPS) and len(line) <= MOST_CHARS:
        sentence = line  # a single word does not say enough: "Wow! The port is 80."
    sentence = sentence.rstrip(_FULL_STOPS)
    if len(sentence) <= MOST_CHARS:
        return sentence
    fitting = sentence[: MOST_CHARS + 1].rpartition(" ")[0] or sentence[:MOST_CHARS]
    return (_clause(sentence) or _LOOSE_END.sub("", fitting).rstrip(" ,;:–—-(")) + _CUT


def _first_line(text: str) -> str:
    """The first line with a word, without the markup of a heading or an item, and without links and emphasis.

    A line that announces another, or that the next one goes on with, is read together with it.
    """
    rows = text.splitlines()
    lines = (row.strip() for row in rows if not row.strip().startswith(_FENCES) and not _NOTICE.match(row))
    worded = [line for line in lines if re.search(r"\w", line)]
    first = next((at for at, line in enumerate(worded) if not line.startswith("##")), 0)
    said = ""
    for line in worded[first:]:
        if said and not (said.endswith((":", ",")) or line[:1].islower()):
            break
        said = f"{said} {line if line[:1].isalpha() else _MARKER.sub('', line)}".strip()
        if len(said) > MOST_CHARS or said.endswith(tuple(_FULL_STOPS)):
            break
    plain = _WIKILINK.sub(lambda link: link[1].replace("_", " "), said)
    return _EMPHASIS.sub(r"\2", plain.replace("`", "")).strip()


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
