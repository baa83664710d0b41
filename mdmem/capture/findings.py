"""What a chat holds that should be remembered: each sentence that a trigger fires on, as a finding.

Nothing is said twice: what recall put into the chat is known by its citations and left to `recalled`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mdmem.capture import triggers
from mdmem.capture.transcripts import Conversation, Turn
from mdmem.language import sentence as statement
from mdmem.note import blocks, naming
from mdmem.text.sentences import split

MAX_BLOCK = 4_000  # characters that one request to save may take along
_LOOK_BACK = 6  # turns in which the statement is looked for that a correction is about

_BULLET = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)])\s+")
_LOG = re.compile(
    r"\s*(?:at \S+\(|File \"|Traceback|\$ |>>> |\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?(?:INFO|DEBUG|WARN|ERROR)\b)"
)
_POINTING = re.compile(
    r"^(?:\W*(?:no|nope|wait|actually|sorry|oh|well|ok|and|but|so|yes|yeah)\b\W*)*"
    r"(?:it|that|this|those|these|they|he|she|there|which|the (?:other|first|second|latter|former) one)\b",
    re.I,
)
_CITED = re.compile(
    r"\.md:\d+(?:@[0-9a-f]{7,}| \(not committed\))|🧠 Past"
    r"|^\s*(?:\d+[→\t|: ]+)?id: [\"']?[0-9a-f]{8}-[0-9a-f]{4}-",
    re.M,
)


class Finding(NamedTuple):
    """A sentence worth a memory, with `trigger`, `why` and `confidence` (0-1).

    `quote` is what was said, `line` where it stands in the transcript; `context` is the sentence that it refers
    to, "" where it stands for itself; `mended` that one with the value that the quote corrects; `before` the one
    said before in the same turn. `title` and `body` are the
    memory's; `when` is RFC 3339 or "".
    """

    trigger: str
    confidence: float
    why: str
    quote: str
    line: int
    speaker: str
    title: str
    body: str
    context: str = ""
    when: str = ""
    before: str = ""
    mended: str = ""


class _Sentence(NamedTuple):
    text: str
    line: int
    at: int  # its place among the sentences of the turn


class _Words(NamedTuple):
    """What a memory will say: the text that its title is made of, its body, and as in a Finding the others."""

    titled: str
    body: str
    context: str = ""
    mended: str = ""


def find(conversation: Conversation, min_confidence: float = triggers.MIN_CONFIDENCE) -> list[Finding]:
    """All findings of a conversation, in its order; of one turn the surest for each trigger.

    In a turn in which the user asks not to keep it there are none.
    """
    found: list[Finding] = []
    before: list[list[_Sentence]] = []
    for turn in conversation.turns:
        if turn.speaker in ("user", "assistant") and not _CITED.search(turn.text):
            sentences = list(_sentences(turn))
            if not any(triggers.refuses(sentence.text) for sentence in sentences):
                new = _of_turn(turn, sentences, before, min_confidence)
                found += new
                sentences = [_restated(sentence, new) for sentence in sentences]
            if any(statement.plain(sentence.text) for sentence in sentences):
                before = [*before, sentences][-_LOOK_BACK:]
    return found


def _restated(sentence: _Sentence, found: Sequence[Finding]) -> _Sentence:
    """A sentence, as the statement it makes where it corrects another one: what comes next may correct that."""
    mended = next((one.mended for one in found if one.mended and one.quote == sentence.text), "")
    return sentence._replace(text=mended) if mended else sentence


def recalled(conversation: Conversation) -> list[str]:
    """The texts that recall or a session's pack put into the chat: turns with citations or headers of notes."""
    return [turn.text for turn in conversation.turns if _CITED.search(turn.text)]


def _of_turn(
    turn: Turn, sentences: Sequence[_Sentence], before: Sequence[Sequence[_Sentence]], least: float
) -> list[Finding]:
    best: dict[str, tuple[triggers.Match, _Sentence]] = {}
    for sentence in sentences:
        match = triggers.best(sentence.text, turn.speaker)
        if match and match.confidence >= least:
            known = best.get(match.trigger)
            if known is None or match.confidence > known[0].confidence:
                best[match.trigger] = match, sentence
    ordered = sorted(best.values(), key=lambda pair: pair[1].at)
    return [_finding(turn, sentences, before, match, sentence) for match, sentence in ordered]


def _finding(
    turn: Turn,
    sentences: Sequence[_Sentence],
    before: Sequence[Sequence[_Sentence]],
    match: triggers.Match,
    said: _Sentence,
) -> Finding:
    """The memory that a sentence becomes: itself, without the request around it, and what it refers to."""
    if match.trigger == "save":
        words = _saved(turn, said, sentences, before)
    else:
        words = _stated(said, sentences, before, is_correction=match.trigger == "correction")
    return Finding(
        trigger=match.trigger,
        confidence=match.confidence,
        why=match.why,
        quote=said.text,
        line=said.line,
        speaker=turn.speaker,
        title=statement.title(words.titled, turn.speaker, turn.name),
        body=words.body,
        context=words.context,
        when=turn.when,
        before=sentences[said.at - 1].text if said.at else "",
        mended=words.mended,
    )


def _saved(
    turn: Turn, said: _Sentence, sentences: Sequence[_Sentence], before: Sequence[Sequence[_Sentence]]
) -> _Words:
    """What a request to save is for: what it announces, else what it points to, else what it says itself."""
    announced = _block(turn, said, sentences)
    if announced:
        return _Words(announced, announced)
    text = statement.without_request(said.text)
    if _points(text):
        text = _referent(text, sentences[: said.at], before, 3) or text
    text = statement.plain(text) or text
    return _Words(text, text)


def _stated(
    said: _Sentence,
    sentences: Sequence[_Sentence],
    before: Sequence[Sequence[_Sentence]],
    is_correction: bool,
) -> _Words:
    """A sentence with the one that it refers to; a correction becomes the statement with the right value."""
    text = _right(said, sentences)
    context = _referent(text, sentences[: said.at], before, 1) if _points(text) else ""
    if not context:
        text = statement.plain(text) or text
    corrected = statement.mended(statement.told(context), text) if is_correction else ""
    if corrected:
        return _Words(corrected, f"{corrected}\n\n> {text}", context, corrected)
    if context:
        return _Words(f"{text} {context}", f"{text}\n\n> {context}", context)
    return _Words(text, text)


def _right(said: _Sentence, sentences: Sequence[_Sentence]) -> str:
    """A sentence, and the next one where it says no more than that something is wrong."""
    following = sentences[said.at + 1].text if said.at + 1 < len(sentences) else ""
    bare = not statement.plain(said.text) and following and not following.endswith("?")
    return f"{said.text} {following}" if bare else said.text


def _points(text: str) -> bool:
    """Whether a sentence needs another one to be understood."""
    return len(naming.telling(text)) < 3 or bool(_POINTING.match(text))


def _referent(text: str, own: Sequence[_Sentence], before: Sequence[Sequence[_Sentence]], many: int) -> str:
    """What a sentence is about: up to `many` sentences before it, or the one of the turn before most like it.

    If that one only repeats a value, it is the earlier statement that gave the value. Where a sentence names the
    wrong value, it is the statement with that value.
    """
    earlier = [sentence.text for sentence in own if len(sentence.text.split()) > 3]
    if earlier:
        return " ".join(earlier[-many:])
    if not before:
        return ""
    words = naming.telling(text)

    def likeness(sentence: _Sentence) -> tuple[float, int]:
        alike = bool(statement.mended(sentence.text, text))
        return len(words & naming.telling(sentence.text)) + 1.5 * alike, sentence.at

    wrong = [one.text for turn in reversed(before) for one in turn if _names_wrong(one.text, text)]
    if wrong:
        return max(wrong, key=lambda text: len(words & naming.telling(text)))
    told = [sentence for sentence in before[-1] if not sentence.text.rstrip().endswith("?")] or list(before[-1])
    nearest = max(told, key=likeness).text
    values = {word for word in naming.telling(nearest) if any(char.isdigit() for char in word)}
    givers = [one.text for turn in before[:-1] for one in turn if values and values <= naming.telling(one.text)]
    return max([nearest, *givers], key=lambda text: len(naming.telling(text)))


def _names_wrong(statement_of: str, text: str) -> bool:
    """Whether a correction names the value of a statement beside the right one: "5433, not 5432"."""
    numbers = {word for word in naming.words_of(statement_of) if any(char.isdigit() for char in word)}
    return bool(numbers & set(naming.words_of(text)) and statement.mended(statement_of, text))


def _block(turn: Turn, said: _Sentence, sentences: Sequence[_Sentence]) -> str:
    """What a request announces: all under one with a colon, the statements after a mere "Can you save this?"."""
    if said.text.endswith("?") and statement.without_request(said.text) == said.text and not said.at:
        told = [one.text for one in sentences[1:4] if not one.text.endswith("?")]
        return " ".join(told)
    if not said.text.endswith(":"):
        return ""
    lines = turn.text.split("\n")[said.line - turn.line + 1 :]
    return "\n".join(lines).strip()[:MAX_BLOCK].rstrip()


def _sentences(turn: Turn) -> Iterator[_Sentence]:
    """The sentences of a turn without code, logs and quoted lines."""
    at = 0
    for line in blocks.lines(turn.text):
        if line.kind in blocks.UNREAD or _is_pasted(line.text):
            continue
        for text in split(_BULLET.sub("", line.text, count=1).strip()):
            yield _Sentence(text, turn.line + line.number - 1, at)
            at += 1


def _is_pasted(line: str) -> bool:
    """Whether a line is from a log or a quote; in a chat, code is often indented without a blank line above."""
    return line.startswith(("    ", "\t", ">")) or bool(_LOG.match(line))
