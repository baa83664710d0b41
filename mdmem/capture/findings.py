"""What a chat contains that should be remembered, as quotations: who said it, and what it answers.

A turn is chosen by `worth`, and in it the sentence that holds most; an explicit request to remember is always
obeyed. Nothing is found twice: what recall put into the chat is recognised by its citations and left to
`recalled`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mdmem.capture import candidates, triggers, utterances, worth
from mdmem.capture.turns import Conversation, Turn
from mdmem.capture.utterances import Sentence
from mdmem.note import naming
from mdmem.note.memory import ATTRIBUTION

MAX_BLOCK = 4_000  # characters that one request to save may cover
ASSISTANT = "the assistant"
_USERS = frozenset(("user", "human", "me", "you", "i", ""))
_MANY = 3  # statements that one request to save "this" may cover
_FAR = 100  # sentences of a turn that a later one may refer to
_LOOK_BACK = 6  # turns that are searched for the statement that a correction is about
_TOGETHER = 8  # sentences of a turn that are judged together; a longer turn is judged by sentence
_ALSO = 0.7  # 0-1, from which a turn's further sentences are kept, too
_SHORT = 12  # words; a longer answer says itself what it is about
_BARE = 3  # words; so few need the sentence before them
_BETWEEN_PEOPLE = 0.82  # 0-1, from which something is kept of what people tell each other, since that is so much
_ASKED = 2  # earlier turns whose last sentence may ask for a secret
_WHY = {
    "save": "asks to remember",
    "correction": "corrects what was said",
    "preference": "states a preference",
    "learning": "says what was the cause",
    "fact": "says who they are",
    "decision": "was decided",
    "task": "was left open",
    "milestone": "was done",
}
_OF_ASSISTANT = ("learning", "milestone")  # triggers that an assistant's own words can have


class Finding(NamedTuple):
    """A sentence worth a memory, with `trigger`, `why` and `confidence` (0-1).

    `quote` is the sentence, `line` its line in the transcript. `spoken` is what is quoted of the turn, `body` the
    memory's text: that, its speaker, and what it answers. `context` is the sentence that it corrects, answers or
    refers to, "" if it needs none; `before` is the end of the turns before and the sentence before it in its own
    turn. `when` is RFC 3339 or ""; `turn` is the turn's number, 1-based.
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
    spoken: str = ""
    turn: int = 0


class _Chosen(NamedTuple):
    """A sentence that is worth a memory: the trigger, how sure that is (0-1), and why."""

    said: Sentence
    trigger: str
    confidence: float
    why: str
    text: str = ""  # what is quoted if not the sentence: what a request asks to save, or several sentences


def find(
    conversation: Conversation, min_confidence: float = triggers.MIN_CONFIDENCE, outcome: bool = False
) -> list[Finding]:
    """All findings of a conversation, in its order; with its `outcome`, what was decided, done last and left open.

    A turn in which the user asks not to keep it has no findings.
    """
    found: list[Finding] = []
    before: list[list[Sentence]] = []
    asked: list[str] = []  # the last sentences of the turns before
    least = max(min_confidence, _BETWEEN_PEOPLE if is_between_people(conversation) else 0)
    for number, turn in enumerate(conversation.turns, 1):
        if turn.speaker not in ("user", "assistant") or utterances.is_recalled(turn.text):
            continue
        said = [*utterances.sentences(turn._replace(text=candidates.outside(turn.text)))]
        if not any(triggers.says(sentence.text, "refusal") for sentence in said):
            picked = chosen(turn, said, place_after(turn.speaker, before), least)
            for one in _with_outcome(turn, said, picked) if outcome else picked:
                new = _finding(turn, said, before, one)
                if new:
                    found.append(new._replace(turn=number, before="\n".join([*asked, new.before])))
        if said:
            before = [*before, said[-_FAR:]][-_LOOK_BACK:]
        asked = [*asked, *(" ".join(sentence.text.split()) for sentence in said[-1:])][-_ASKED:]
    done = [one for one in found if one.why == _WHY["milestone"]]
    return [one for one in found if one not in done[:-1]]


def is_between_people(conversation: Conversation) -> bool:
    """Whether several people talk to each other, and no assistant."""
    return len(conversation.turns) > 1 and all(turn.speaker != "assistant" for turn in conversation.turns)


def recalled(conversation: Conversation) -> list[str]:
    """The texts that recall or a session's pack put into the chat: turns with citations or headers of notes."""
    return [turn.text for turn in conversation.turns if utterances.is_recalled(turn.text)]


def place_after(speaker: str, before: Sequence[Sequence[Sentence]]) -> worth.Place:
    """The place of a turn: what its speaker may answer."""
    last = before[-1][-1] if before else None
    return worth.Place(speaker, last.text, last.speaker) if last else worth.Place(speaker)


# -- which sentences ---------------------------------------------------------------------------------------


def chosen(turn: Turn, said: Sequence[Sentence], place: worth.Place, least: float) -> list[_Chosen]:
    """The sentences of a turn that are worth a memory, in their order."""
    allowed = _OF_ASSISTANT if turn.speaker == "assistant" else triggers.TRIGGERS
    forms = {at: one for at, one in _explicit(said) if one.trigger in allowed and one.confidence >= least}
    judged = [*_judged([one for one in said if not one.quoted and one.at not in forms], place, least)]
    if any(one.trigger == "save" and not one.text for one in forms.values()):  # it saves what the turn says
        judged = []
    return sorted([*forms.values(), *judged], key=lambda one: one.said.at)


def _with_outcome(turn: Turn, said: Sequence[Sentence], picked: Sequence[_Chosen]) -> list[_Chosen]:
    """What was chosen of a turn, and what else of it was decided, left open or, by an assistant, done."""
    taken = {one.said.at for one in picked}
    kinds = [kind for kind in triggers.OUTCOMES if kind != "milestone" or turn.speaker == "assistant"]
    told = [
        _Chosen(one, kind, triggers.OUTCOMES[kind], _WHY[kind])
        for one in said
        if not (one.quoted or one.at in taken or worth.is_question(one.text))
        for kind in [kind for kind in kinds if triggers.says(one.text, kind)][:1]
    ]
    return sorted([*picked, *told], key=lambda one: one.said.at)


def _explicit(said: Sequence[Sentence]) -> Iterator[tuple[int, _Chosen]]:
    """(position, sentence) of those with an explicit form; only a request may be quoted, or a question."""
    for one in said:
        form = triggers.explicit(one.text)
        if form and (form.trigger == "save" or not (one.quoted or worth.is_question(one.text))):
            rest = form.rest if form.trigger == "save" else ""
            yield one.at, _Chosen(one, form.trigger, triggers.SURE[form.trigger], _WHY[form.trigger], rest)


def _judged(said: Sequence[Sentence], place: worth.Place, least: float) -> Iterator[_Chosen]:
    """The sentences of a turn that the weights choose.

    Of a turn that is worth it as a whole that is the best one, however little it is worth alone.
    """
    each = [worth.judge([one.text], place) for one in said]
    best, together = -1, ""
    if 0 < len(said) <= _TOGETHER:
        whole = worth.judge([one.text for one in said], place) if len(said) > 1 else each[0]
        if whole.share < least:
            return
        best = max(range(len(said)), key=lambda at: each[at].share)
        if each[best].share < least:  # no sentence says it alone
            states = [one for one in said if not worth.is_question(one.text)]
            told = [one.text for one in states if one.at >= said[best].at] or [one.text for one in states]
            together = triggers.without_opener(" ".join(told[:_MANY]))
        each[best] = whole
    for at, one in enumerate(said):
        if at == best or each[at].share >= max(least, _ALSO):
            kind = _kind(each[at].kind, place.speaker)
            text = together if at == best else ""
            yield _Chosen(one, kind, round(each[at].share, 2), "reads like one", text)


def _kind(kind: str, speaker: str) -> str:
    return kind if speaker == "user" or kind in _OF_ASSISTANT else _OF_ASSISTANT[0]


# -- the memory --------------------------------------------------------------------------------------------


def _finding(
    turn: Turn, said: Sequence[Sentence], before: Sequence[Sequence[Sentence]], one: _Chosen
) -> Finding | None:
    """The memory of a sentence; None for a request to save, or a correction of, something that was not said."""
    about: Sentence | None = None
    if one.trigger == "save" and one.why == _WHY["save"]:
        spoken, by = _saved(turn, one, said, before)
    else:
        spoken, by = one.text or _quotation(one.said, said), one.said
        about = _about(one, before)
    if not spoken or (one.trigger == "correction" and about is None and worth.points(spoken)):
        return None
    return Finding(
        trigger=one.trigger,
        confidence=one.confidence,
        why=one.why,
        quote=one.said.text,
        line=one.said.line,
        speaker=turn.speaker,
        body=_body(spoken, by, about, turn.when),
        context=about.text if about else "",
        when=turn.when,
        before=said[one.said.at - 1].text if one.said.at else "",
        spoken=spoken,
    )


def _quotation(one: Sentence, said: Sequence[Sentence]) -> str:
    """A sentence; with the reason that follows, and with the one before it, if it cannot be understood alone.

    That is so if it is short, begins with "it", or is itself a reason.
    """
    text = triggers.without_opener(one.text)
    following = said[one.at + 1].text if one.at + 1 < len(said) else ""
    after = f" {following}" if triggers.says(following, "reason") and not said[one.at + 1].quoted else ""
    previous = said[one.at - 1] if one.at else None
    needs_more = _needs_more(text) or triggers.says(text, "reason")
    if previous is None or previous.quoted or worth.is_question(previous.text) or not needs_more:
        return text + after
    return f"{triggers.without_opener(previous.text)} {one.text}{after}"


def _needs_more(text: str) -> bool:
    return len(text.split()) <= _BARE or worth.points(text)


def _about(one: _Chosen, before: Sequence[Sequence[Sentence]]) -> Sentence | None:
    """What a sentence answers, corrects or refers to, said before its turn; None if it is understood alone."""
    if not before:
        return None
    last = before[-1][-1]
    if one.trigger == "correction":
        return _corrected(one.said, before)
    if one.said.at or (last.speaker, last.name) == (one.said.speaker, one.said.name):
        return None
    answers = worth.is_question(last.text) and len(one.said.text.split()) <= _SHORT
    return last if answers or _needs_more(one.said.text) else None


def _corrected(said: Sentence, before: Sequence[Sequence[Sentence]]) -> Sentence | None:
    """The earlier statement that shares the most content words with a correction, else the last that has any."""
    words = naming.telling(said.text)
    told = [one for turn in before for one in turn if not worth.is_question(one.text)]
    whole = [one for one in told if not worth.points(one.text) and len(naming.telling(one.text)) > 1] or told
    if not whole:
        return before[-1][-1]
    best = max(range(len(whole)), key=lambda at: (len(words & naming.telling(whole[at].text)), at))
    form = triggers.explicit(whole[best].text)
    return whole[best]._replace(text=form.rest) if form and form.rest else whole[best]


def _saved(
    turn: Turn, one: _Chosen, said: Sequence[Sentence], before: Sequence[Sequence[Sentence]]
) -> tuple[str, Sentence]:
    """What a request asks to save, and who said it: what it announces, or says itself, or else refers to."""
    announced = _announced(turn, one.said)
    if announced or one.text:
        return announced or one.text, one.said
    near = (other for other in said[max(0, one.said.at - _FAR) : one.said.at + _FAR] if other.at != one.said.at)
    own = [other for other in near if not worth.is_question(other.text) and naming.telling(other.text)]
    above = [other for other in own if other.at < one.said.at][-_MANY:]
    meant = above or own[:_MANY] or _last_statement(before)
    return " ".join(triggers.without_opener(other.text) for other in meant), meant[0] if meant else one.said


def _last_statement(before: Sequence[Sequence[Sentence]]) -> list[Sentence]:
    """The sentence of the turns before that is worth most, of the last turn that states something."""
    for turn in reversed(before):
        told = [one for one in turn if not worth.is_question(one.text) and len(naming.telling(one.text)) > 1]
        if told:
            return [max(told, key=lambda one: worth.judge([one.text], worth.Place(one.speaker)).share)]
    return []


def _announced(turn: Turn, said: Sentence) -> str:
    """Everything below a request that ends with a colon."""
    if not said.text.endswith(":"):
        return ""
    begin = said.line - turn.line + 1
    return "\n".join(turn.text.split("\n")[begin : begin + MAX_BLOCK]).strip()[:MAX_BLOCK].rstrip()


def _body(spoken: str, by: Sentence, about: Sentence | None, when: str) -> str:
    """A quotation with its speaker, the day, and what it answers."""
    day = f", {when[:10]}" if when else ""
    answered = f"\n\n> {_capital(speaker_name(about.speaker, about.name))}: {about.text}" if about else ""
    return f"{_capital(spoken)}{ATTRIBUTION}{speaker_name(by.speaker, by.name)}{day}{answered}"


def _capital(text: str) -> str:
    first = text.split(" ", 1)[0].strip(",'’.")
    return text[:1].upper() + text[1:] if first.isalpha() else text


def speaker_name(speaker: str, name: str) -> str:
    """The speaker as a later reader knows them: by name, as "the user" or as "the assistant"."""
    if speaker == "assistant":
        return ASSISTANT
    return name if name.lower() not in _USERS else "the user"
