"""What a chat contains that should be remembered: each sentence on which a trigger fires, as a finding.

Nothing is found twice: what recall put into the chat is recognised by its citations and left to `recalled`.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from mdmem.capture import correction, referents, reported, triggers, utterances
from mdmem.capture.referents import Sentence
from mdmem.capture.transcripts import Conversation, Turn
from mdmem.language import sentence as statement
from mdmem.language.persons import tongue
from mdmem.language.speech import answers, declared
from mdmem.language.speech.declared import SentencePlace
from mdmem.text import dates
from mdmem.text.calendar import WEEKDAY_NAMES

MAX_BLOCK = 4_000  # characters that one request to save may cover
_MANY = 3  # statements that one request to save "this" may cover
_FAR = 100  # sentences before another one that it may refer to
_LOOK_BACK = 6  # turns that are searched for the statement that a correction is about
_EACH_COUNTS = ("save", "fact")  # every match counts; of other triggers, only the surest in a turn
_MANY_TURNS, _TURN_CHARS = 20, 200  # turns, and characters of each, that determine the language
_NEARBY_TURNS = 4  # turns, of all speakers, that are searched for whom "she" means
_WEEKDAY = re.compile(rf"\b(?:{'|'.join(WEEKDAY_NAMES)})\b", re.I)
_ASKED = 2  # earlier turns whose last sentence may ask for a secret


class Finding(NamedTuple):
    """A sentence worth a memory, with `trigger`, `why` and `confidence` (0-1).

    `quote` is what was said, `line` its line in the transcript. `context` is the sentence that it refers to, "" if
    it needs none; `corrected` is the context with the value that the quote corrects; `before` is the end of the
    turns before and the sentence before it in its own turn. `body` is the memory's text; `spoken` is the statement
    as its speaker made it, with "I" and "you"; `when` is RFC 3339 or ""; `turn` is the turn's number, 1-based.
    """

    trigger: str
    confidence: float
    why: str
    quote: str
    line: int
    speaker: str
    body: str
    context: str = ""
    when: str = ""
    before: str = ""
    corrected: str = ""
    spoken: str = ""
    turn: int = 0


class _Words(NamedTuple):
    """The words of a memory to be: its body, and further fields as in Finding."""

    body: str
    spoken: str
    context: str = ""
    corrected: str = ""


def find(conversation: Conversation, min_confidence: float = triggers.MIN_CONFIDENCE) -> list[Finding]:
    """All findings of a conversation, in its order. Of one turn, there is only the surest for each trigger.

    Requests to save and facts are all kept. A turn in which the user asks not to keep it has no findings.
    """
    found: list[Finding] = []
    before: list[list[Sentence]] = []
    asked: list[str] = []  # the last sentences of the turns before
    between_people = (
        all(turn.speaker != "assistant" for turn in conversation.turns) and len(conversation.turns) > 1
    )
    language = _language(conversation)
    for number, turn in enumerate(conversation.turns, 1):
        if turn.speaker in ("user", "assistant") and not utterances.is_recalled(turn.text):
            sentences = [
                one._replace(language=tongue.of(one.text, language)) for one in utterances.sentences(turn)
            ]
            if not any(triggers.refuses(sentence.text) for sentence in sentences):
                place = place_of(turn.speaker, sentences, before)._replace(between_people=between_people)
                new = _of_turn(turn, sentences, before, place, min_confidence)
                found += [
                    finding._replace(turn=number, before="\n".join([*asked, finding.before])) for finding in new
                ]
                # what a turn corrects is kept as corrected, since the next turn may correct that again
                corrected = {one.quote: one.corrected for one in reversed(new) if one.corrected}
                sentences = [one._replace(text=corrected.get(one.text, one.text)) for one in sentences]
            before = remembered(before, sentences)
            asked = [*asked, *(" ".join(sentence.text.split()) for sentence in sentences[-1:])][-_ASKED:]
    return found


def remembered(before: Sequence[list[Sentence]], turn: list[Sentence]) -> list[list[Sentence]]:
    """The turns that the next turn may refer back to: the last ones, without turns of mere courtesies."""
    says_something = any(statement.plain(sentence.text) for sentence in turn)
    return [*before, turn[-_FAR:]][-_LOOK_BACK:] if says_something else list(before)


def _language(conversation: Conversation) -> str:
    """The language of a conversation, from the beginning of its users' first turns."""
    said = " ".join(turn.text[:_TURN_CHARS] for turn in conversation.turns[:_MANY_TURNS] if turn.speaker == "user")
    return tongue.of(said)


def recalled(conversation: Conversation) -> list[str]:
    """The texts that recall or a session's pack put into the chat: turns with citations or headers of notes."""
    return [turn.text for turn in conversation.turns if utterances.is_recalled(turn.text)]


def _of_turn(
    turn: Turn,
    sentences: Sequence[Sentence],
    before: Sequence[Sequence[Sentence]],
    place: SentencePlace,
    least: float,
) -> list[Finding]:
    best: dict[tuple[str, int], tuple[triggers.Match, Sentence]] = {}
    for sentence in _answering(sentences, before):
        match = triggers.best(sentence.stated or sentence.text, turn.speaker, _place_in(sentence, place))
        if match and match.confidence >= least and (match.trigger == "save" or not sentence.quoted):
            slot = match.trigger, sentence.at if match.trigger in _EACH_COUNTS else 0
            known = best.get(slot)
            if known is None or match.confidence > known[0].confidence:
                best[slot] = match, sentence
    ordered = sorted(best.values(), key=lambda pair: pair[1].at)
    made = (_finding(turn, sentences, before, match, sentence) for match, sentence in ordered)
    whole = list(_without_parts([finding for finding in made if finding]))
    return list(_without_saved_facts(whole))


def place_of(speaker: str, sentences: Sequence[Sentence], before: Sequence[Sequence[Sentence]]) -> SentencePlace:
    """How the sentences of a turn relate to the turns before it and to each other."""
    question = asked_of(speaker, before)
    return SentencePlace(
        answers=question is not None,
        to_offer=question is not None and declared.offers(question.text),
        opens=not before,
        in_request=speaker == "user" and any(declared.requests(sentence.text) for sentence in sentences),
        sentences=len(sentences),
    )


def asked_of(speaker: str, before: Sequence[Sequence[Sentence]]) -> Sentence | None:
    """The question at the end of the turn before, if another speaker asks it."""
    last = before[-1][-1] if before else None
    return last if last and last.speaker != speaker and last.text.rstrip().endswith("?") else None


def _answering(sentences: Sequence[Sentence], before: Sequence[Sequence[Sentence]]) -> list[Sentence]:
    """The sentences of a turn; if the first is a short answer, it also has what it states with its question."""
    question = asked_of(sentences[0].speaker, before) if sentences else None
    if question is None:
        return list(sentences)
    first = sentences[0]
    statement_made = answers.stated(question.text, first.text, question.language)
    if not statement_made:
        return list(sentences)
    return [first._replace(stated=statement_made, language=question.language), *sentences[1:]]


def _place_in(sentence: Sentence, place: SentencePlace) -> SentencePlace:
    """The place of a sentence. A short answer is judged by what it states with its question."""
    return place._replace(settles=answers.settles(sentence.stated)) if sentence.stated else place


def _without_parts(found: Sequence[Finding]) -> Iterator[Finding]:
    """The findings of a turn, without those with which a longer one begins.

    The longer one gets the highest confidence among them.
    """
    said = [finding.spoken.rstrip(" .") for finding in found]
    sureness: dict[str, float] = {}
    for text, finding in zip(said, found, strict=True):
        sureness[text] = max(finding.confidence, sureness.get(text, 0.0))
    lengths = sorted({len(text) for text in said})
    parts = {text: _beginnings(text, lengths) & sureness.keys() for text in sureness}
    begun = set().union(*parts.values())
    for text, finding in zip(said, found, strict=True):
        if text not in begun:
            yield finding._replace(confidence=max([finding.confidence, *(sureness[one] for one in parts[text])]))


def _beginnings(text: str, lengths: Sequence[int]) -> set[str]:
    """The beginnings of a text that have one of some lengths, and are followed by a full stop in it."""
    return {text[:length] for length in lengths[: bisect_left(lengths, len(text))] if text[length] == "."}


def _without_saved_facts(found: Sequence[Finding]) -> Iterator[Finding]:
    """The findings of a turn, without facts that a request in it saves anyway."""
    saved = [finding.spoken for finding in found if finding.trigger == "save"]
    for finding in found:
        if finding.trigger != "fact" or not any(finding.spoken.rstrip(".") in text for text in saved):
            yield finding


def _finding(
    turn: Turn,
    sentences: Sequence[Sentence],
    before: Sequence[Sequence[Sentence]],
    match: triggers.Match,
    said: Sentence,
) -> Finding | None:
    """The memory for a sentence: its statement, without the request around it, and with what it refers to.

    None for a request to save something that was not said, and for a statement that cannot be understood later.
    """
    if match.trigger == "save":
        words = _saved(turn, said, sentences, before)
    else:
        text = said.stated or said.text
        stated = said._replace(text=_without_question(text) if match.trigger == "fact" else text)
        words = _stated(stated, sentences, before, is_correction=match.trigger == "correction")
    if words is None:
        return None
    words = _with_days(words, turn, said.language)
    return Finding(
        trigger=match.trigger,
        confidence=match.confidence,
        why=match.why,
        quote=said.text,
        line=said.line,
        speaker=turn.speaker,
        body=words.body,
        context=words.context,
        when=turn.when,
        before=sentences[said.at - 1].text if said.at else "",
        corrected=words.corrected,
        spoken=words.spoken,
    )


def _with_days(words: _Words, turn: Turn, language: str) -> _Words:
    """English words in which days relative to when they were said ("yesterday") have become dates.

    Texts that quote, and texts with a weekday, which may lie ahead, stay as they are.
    """
    told, mark, context = words.body.partition("\n\n> ")
    if language != "en" or not turn.when or '"' in told or _WEEKDAY.search(told):
        return words
    day = date.fromisoformat(turn.when[:10])
    return words._replace(body=f"{dates.resolved(told, day)}{mark}{context}")


def _saved(
    turn: Turn, said: Sentence, sentences: Sequence[Sentence], before: Sequence[Sequence[Sentence]]
) -> _Words | None:
    """What a request asks to save: what it announces, or says itself, or else the statement it refers to."""
    announced = _announced(turn, said)
    if announced:
        return _Words(announced, announced)
    text = statement.without_request(said.text)
    if referents.is_bare_request(text):
        near = sentences[max(0, said.at - _FAR) : said.at + _FAR]
        return _referred(referents.meant_by_request(said, near, before, _MANY))
    text = statement.plain(text) or text
    about = referents.pointed_at(text, _own_before(said, sentences), before) if referents.points(text) else None
    return _with_context(text, said, about, _said_before(said, sentences, before))


def _referred(meant: Sequence[Sentence]) -> _Words | None:
    """The statements that a bare request refers to, as a memory of what their speaker said."""
    if not meant:
        return None
    text = " ".join(statement.plain(statement.without_request(one.text)) or one.text for one in meant)
    first = meant[0]
    return _Words(reported.told(text, first.speaker, first.name, first.language), text)


def _stated(
    said: Sentence,
    sentences: Sequence[Sentence],
    before: Sequence[Sequence[Sentence]],
    is_correction: bool,
) -> _Words | None:
    """A sentence with the one that it refers to; a correction becomes the statement with the right value.

    None for a statement about "it", "her" or "them" if nobody can tell later who or what that is, and for a word
    or two if it is unclear what they correct.
    """
    text = _with_next_if_bare(said, sentences)
    earlier = _said_before(said, sentences, before)
    about = _meant(text, said, sentences, before, is_correction)
    if about and is_correction:
        return _correction(text, said, about, earlier)
    if is_correction and before and referents.is_mere_value(text):
        return None
    whole = statement.told(text) or text
    if about is None and not said.stated:
        about = referents.question_behind(text, said, before)
    if about is None:
        whole = referents.completed(whole, said, sentences)
    words = _with_context(whole, said, about, earlier)
    if (is_correction and about) or not referents.is_open(words.spoken):
        return words
    question = asked_of(said.speaker, before) if said.at == 0 else None
    return _with_context(whole, said, question, []) if question else None


def _meant(
    text: str,
    said: Sentence,
    sentences: Sequence[Sentence],
    before: Sequence[Sequence[Sentence]],
    is_correction: bool,
) -> Sentence | None:
    """The sentence that a statement refers to or corrects; None if there is none."""
    own = _own_before(said, sentences)
    if is_correction and referents.is_fragment(text):
        return referents.put_right(text, said, own, before)
    if referents.points(text):
        return referents.pointed_at(text, own, before)
    return referents.with_wrong_value(text, before) if is_correction else None


def _correction(text: str, said: Sentence, about: Sentence, earlier: Sequence[Sentence]) -> _Words:
    """A correction as the corrected statement; if it does not give the right value, as it was said."""
    is_question = about.text.rstrip().endswith("?")
    corrected = correction.corrected(statement.told(about.text), text, about.speaker == said.speaker)
    if is_question or not corrected:
        return _with_context(text, said, about, earlier)  # in full, since its "no" is part of what it says
    body = f"{reported.told(corrected, said.speaker, said.name, said.language)}\n\n{_quoted(text, said)}"
    return _Words(body, corrected, about.text, corrected)


def _said_before(
    said: Sentence, sentences: Sequence[Sentence], before: Sequence[Sequence[Sentence]]
) -> list[Sentence]:
    """What the same speaker said before a sentence: in the last few turns, and in this one."""
    earlier = (one for turn in before[-_NEARBY_TURNS:] for one in turn if one.speaker == said.speaker)
    return [*earlier, *_own_before(said, sentences)][-_FAR:]


def _own_before(said: Sentence, sentences: Sequence[Sentence]) -> Sequence[Sentence]:
    """The sentences before one in its turn that it may refer to."""
    return sentences[max(0, said.at - _FAR) : said.at]


def _without_question(text: str) -> str:
    """The statement before the question in a sentence: "my name is Ada, what is yours?"."""
    return triggers.THEN_ASKS.split(text, maxsplit=1)[0] if text.rstrip().endswith("?") else text


def _with_context(text: str, said: Sentence, about: Sentence | None, earlier: Sequence[Sentence]) -> _Words:
    """A statement as its speaker made it, with the sentence that it is about quoted below.

    `earlier` sentences may tell who "she" is; then no quotation is needed.
    """
    named = referents.resolved(text, [*earlier, about] if about else earlier)
    if named != text:
        text, about = named, None
    body = reported.told(text, said.speaker, said.name, said.language)
    if about is None:
        return _Words(body, text)
    return _Words(f"{body}\n\n{_quoted(about.text, about)}", text, about.text)


def _quoted(text: str, by: Sentence) -> str:
    """A line that quotes a speaker by name."""
    who = reported.speaker_name(by.speaker, by.name)
    return f"> {who[:1].upper()}{who[1:]}: {text}"


def _with_next_if_bare(said: Sentence, sentences: Sequence[Sentence]) -> str:
    """A sentence, with the next one if it only says that something is wrong."""
    following = sentences[said.at + 1].text if said.at + 1 < len(sentences) else ""
    bare = not statement.plain(said.text) and following and not following.endswith("?")
    return f"{said.text} {following}" if bare else said.text


def _announced(turn: Turn, said: Sentence) -> str:
    """Everything below a request that ends with a colon."""
    if not said.text.endswith(":"):
        return ""
    begin = said.line - turn.line + 1
    return "\n".join(_lines(turn.text)[begin : begin + MAX_BLOCK]).strip()[:MAX_BLOCK].rstrip()


@lru_cache(1)
def _lines(text: str) -> list[str]:
    return text.split("\n")
