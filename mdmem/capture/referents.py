"""What a sentence of a chat refers to: the statement that "save that" means, or that a correction corrects."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from mdmem.capture import correction
from mdmem.language import sentence as statement
from mdmem.language.ellipsis import is_elliptical
from mdmem.language.statement import reader
from mdmem.note import naming
from mdmem.text import stopwords
from mdmem.text.calendar import MONTH_NAMES, WEEKDAY_NAMES

_POINTS_BACK = re.compile(
    r"^(?:\W*(?:no|nope|wait|actually|sorry|oh|well|ok|and|but|so|yes|yeah)\b\W*)*"
    r"(?:(?:it|that|this|those|these|they|he|she|which|er|ella|él|elle|il(?! (?:y|faut|pleut|fait)))\b"
    r"|(?:era|fue) es[oa]\b|c'était ça\b|das war(?:s| es| der grund)\b"
    r"|the (?:other|first|second|latter|former) one\b"
    r"|i (?:meant|said|mean)\b)",
    re.I,
)
# Words, pronouns among them, that tell whether a person is a man or a woman.
_MALE = frozenset(
    "he him his mr brother father dad son husband uncle nephew boyfriend grandpa grandfather grandson él hermano "
    "padre papá hijo marido esposo tío sobrino novio abuelo il frère père papa fils mari oncle neveu".split()
)
_FEMALE = frozenset(
    "she her hers mrs ms sister mother mum mom daughter wife aunt niece girlfriend grandma grandmother "
    "granddaughter ella elle hermana madre mamá hija mujer esposa tía sobrina novia abuela sœur mère maman fille "
    "femme tante nièce".split()
)
_PEOPLE = _MALE | _FEMALE
_PERSON = re.compile(r"^(?:he|she|ella|él|elle|il)\b(?!'(?!s\b))", re.I)
_SUBJECT_PRONOUN = re.compile(r"^(?:he|she|it|they|ella|él|elle|il)\b(?!'(?!s\b))", re.I)
_OPEN = re.compile(
    r"^(?:he|she|it|they|er|ella|él|elle|elles|ils|il(?! (?:y|faut|pleut|fait|est (?:important|interdit))))\b"
    r"|^(?:that|this|these|those|das|eso|esto|ça|cela)(?:'s|'re)?"
    r" (?:is|are|was|were|has|have|had|will|can|works?|means?|ist|war|es|est|era)\b"
    r"|^(?:that|this)'s\b",
    re.I,
)
_OPEN_WITHIN = re.compile(  # "Then it is out of the question", "Which is why it broke"
    r"^(?:(?:ahh?|oh|well|so|and|but) )?(?:(?:then|so|hence|therefore|still|also|otherwise|now),? "
    r"(?:it|they|he|she|that|this)\b(?! (?:takes|rains|is (?:late|cold|raining)))"
    r"|which (?:is|was|means|explains|would|makes)\b|(?:\w+ ){1,2}it is$)",
    re.I,
)
_ANNOUNCES = re.compile(r"^it(?:'s| is| was| takes?| has| would| will)?\b[^.,;]* (?:to|that|when|if|for)\b", re.I)
_WEATHER = re.compile(r"^it(?:'s| is| was)? (?:rain|snow|pour|freez|hail|monday|late|early|cold|hot|dark)", re.I)
_THING = re.compile(
    r"^(?P<thing>(?:the|my|our) (?:[\w'-]+ ){0,3}?[\w'-]+)"
    r" (?P<verb>is|are|was|were|has|have|had|will|can|does|do"
    r"|never|always|only|lives?|runs?|needs?|takes?|makes?)\b",
    re.I,
)
_OBJECT = re.compile(
    r"\b(?:the|my|our) (?:[\w-]+ )??[\w-]+(?= (?:on|in|at|for|with|again|to|from|every|and|today|tonight"
    r"|tomorrow|next|this|until|by|about|over)\b|[.,;!?]|$)",
    re.I,
)
_OF_SPEAKER = re.compile(r"\b(?:i|we)\b", re.I)
_GROUPS = frozenset("band choir team family group kids children people committee council crew staff class".split())
_OF_MANY = frozenset("are were have do live run need take make".split())
_NAME = re.compile(r"(?:(?<=^)|(?<=[\w,;] )|(?<=\. ))[A-ZÀ-Ý][a-zà-ÿ]{2,}(?='s\b| |[?.,!]|$)")
_GREETINGS = (
    "thank thanks sorry please splendid done fixed noted welcome hello good dear bonjour bonsoir merci hola "
    "gracias buenos buenas hallo guten danke liebe"
).split()
_NO_NAMES = frozenset((*WEEKDAY_NAMES, *MONTH_NAMES, "the", "and", "but", "yes", "then", "later", *_GREETINGS))
_ENDS_IN_PRONOUN = re.compile(r"\b(?:it|that|this|them|those|these)\W*$", re.I)
_FEW_WORDS = 5  # at most, in a sentence that ends in "it" and does not say what that is
_FRAGMENT = 3  # words of an answer that is not a sentence: "Tuesday.", "no, on Tuesday"
_SUBJECT = re.compile(r"^(?:i|we|my|our|the|a|an|always|never|use|no)\b", re.I)
_OWN_SUBJECT = re.compile(
    r"^(?:i(?:'\w+)?|we(?:'\w+)?|my|our|the|an?|there|ich|wir|mein\w*|unser\w*|der|die|das|ein\w*|yo|mi|mis|el|los|un"
    r"|una|je|j'|nous|on|mon|ma|mes|nos|notre|le|une)(?:\b|(?<='))",
    re.I,
)
_LONG_ANSWER = 14  # words; a longer answer says itself what it is about
_COURTESY = re.compile(
    r"\b(?:hope (?:that|this|it)|let me know|happy to|glad|feel free|you're welcome|anything else|good (?:morning"
    r"|evening|luck)|want me to|shall i|i(?:'ll| will| can) (?:remember|note|save|keep))\b",
    re.I,
)
# The words of a request to save. A sentence without any other content word refers to another sentence.
_REQUEST_WORDS = frozenset(
    """save saved store stored remember remembered memorize memorise memorized note notes noted keep keeps kept
    keeper file record log jot write put add hang hold pin bookmark stash stick drop park tuck tag down away mind
    memory memories vault wiki list runbook long term long-term future reference later next time again please pls
    can could would will should do don dont not forget lose let make sure one worth safe somewhere persist commit
    too now ok okay thanks thank hey everything all what i just said remind need want must dare back point fact
    useful important merk merke dir das speicher speichere notier notiere bitte guarda guárdalo guardalo apunta
    apúntalo anota anótalo recuerda eso esto esta retiens enregistre souviens toi cela ça garde""".split()
)


class Sentence(NamedTuple):
    """A sentence of a turn: its speaker, its line in the transcript, and its position in the turn (`at`, from 0).

    `language` is "en", "de", "es" or "fr". `stated` is what a short answer states together with its question;
    `quoted` means that its words are somebody else's, or part of a text to work on.
    """

    text: str
    line: int
    at: int
    speaker: str = "user"
    name: str = ""
    language: str = "en"
    stated: str = ""
    quoted: bool = False


def is_bare_request(text: str) -> bool:
    """Whether a text asks to save something without saying what: "can you save that to memory?"."""
    return set(naming.words_of(text)) - stopwords.NAME <= _REQUEST_WORDS


def points(text: str) -> bool:
    """Whether a sentence refers to something by a pronoun only."""
    if _POINTS_BACK.match(text):
        return True
    return len(text.split()) <= _FEW_WORDS and bool(_ENDS_IN_PRONOUN.search(text))


def resolved(text: str, about: Sequence[Sentence]) -> str:
    """A sentence whose pronoun at the beginning is replaced by what it means: what the sentences before name last.

    The sentence as it is if it begins otherwise, or if the pronoun could mean more than one thing.
    """
    pronoun = _SUBJECT_PRONOUN.match(text)
    if not pronoun or _ANNOUNCES.match(text) or _WEATHER.match(text):
        return text
    for sentence in reversed(about):
        meant = _named(sentence, text) if _PERSON.match(text) else set()
        meant = meant or _things(sentence.text, pronoun[0].lower())
        if len(meant) == 1:
            named = _SUBJECT_PRONOUN.sub(meant.pop(), text)
            return named[:1].upper() + named[1:]
        if meant or not _PEOPLE.isdisjoint(naming.words_of(sentence.text)):
            break
    return text


def _named(sentence: Sentence, text: str) -> set[str]:
    """The people named in a sentence whom the pronoun at the beginning of `text` may mean."""
    if sentence.language == "de":  # there every noun has a capital letter
        return set()
    names = {name for name in _NAME.findall(sentence.text) if _may_be_name(name)}
    return set() if _is_of_other_gender(text, sentence.text) else names


def _may_be_name(word: str) -> bool:
    return bool(naming.telling(word)) and word.lower() not in _NO_NAMES


def _things(said: str, pronoun: str) -> set[str]:
    """What a sentence is about, if the pronoun may mean it: "the neighbours" for they, "our aunt" for she."""
    subject = _THING.match(statement.plain(said) or said)
    if not subject:
        return _objects(said, pronoun)
    words = set(naming.words_of(subject["thing"]))
    is_many = subject["verb"].lower() in _OF_MANY
    is_he, is_she = not words.isdisjoint(_MALE), not words.isdisjoint(_FEMALE)
    fits = {
        "they": is_many,
        "he": is_he and not is_many,
        "she": is_she and not is_many,
        "it": not (is_many or is_he or is_she),
    }
    return {subject["thing"]} if fits.get(pronoun, False) else set()


def _objects(said: str, pronoun: str) -> set[str]:
    """The thing after the verb of a sentence, if "it" or "they" may mean it: "I feed the band"."""
    things = {thing[0] for thing in _OBJECT.finditer(said)}
    if pronoun not in ("it", "they") or len(things) != 1 or not _OF_SPEAKER.search(said):
        return set()
    noun = next(iter(things)).rsplit(" ", 1)[-1].lower()
    is_many = noun in _GROUPS or (noun.endswith("s") and not noun.endswith("ss"))
    return things if is_many == (pronoun == "they") and noun not in _PEOPLE else set()


def completed(text: str, said: Sentence, own: Sequence[Sentence]) -> str:
    """A sentence that lacks its subject, with the sentence before it in its turn: "Fox last night. Took Maud."

    The sentence as it is if it has a subject, or if the one before it is not a statement.
    """
    before = own[said.at - 1] if 0 < said.at <= len(own) else None
    if before is None or not is_elliptical(text, said.language) or not _is_statement(before):
        return text
    head = statement.plain(before.text).rstrip(" ,;:")
    return f"{head}{'' if head.endswith(('.', '!', '…')) else '.'} {text[:1].upper()}{text[1:]}"


def is_open(text: str) -> bool:
    """Whether the subject of a statement is a mere pronoun, so that nobody can tell later what it is about.

    "It" is harmless if what it announces follows: "It takes an hour to warm up".
    """
    plain = statement.plain(text) or text
    opening = _OPEN.match(plain) or _OPEN_WITHIN.match(plain.rstrip(" .!"))
    return bool(opening) and not _ANNOUNCES.match(plain)


def _is_of_other_gender(text: str, about: str) -> bool:
    """Whether a sentence begins with a pronoun that the person named cannot have: a brother is not "she"."""
    pronoun = _PERSON.match(text)
    if not pronoun:
        return False
    said = set(naming.words_of(about))
    is_she = pronoun[0].lower() in _FEMALE
    own, other = (_FEMALE, _MALE) if is_she else (_MALE, _FEMALE)
    return not said.isdisjoint(other) and said.isdisjoint(own)


def question_behind(text: str, said: Sentence, before: Sequence[Sequence[Sentence]]) -> Sentence | None:
    """The question that a short answer needs to be understood: "Four of the six are alive."; else None."""
    question = before[-1][-1] if before and said.at == 0 else None
    if question is None or question.speaker == said.speaker or not question.text.rstrip().endswith("?"):
        return None
    plain = statement.plain(text)
    return None if _OWN_SUBJECT.match(plain) or len(plain.split()) > _LONG_ANSWER else question


def is_fragment(text: str) -> bool:
    """Whether an answer is not a full sentence: "no, on Tuesday"."""
    plain = statement.plain(text)
    return len(plain.split()) <= _FRAGMENT and not _SUBJECT.match(plain)


def is_mere_value(text: str) -> bool:
    """Whether an answer is only a value: "28 now."."""
    return is_fragment(text) and len(statement.plain(text).split()) < _FRAGMENT


def meant_by_request(
    said: Sentence, own: Sequence[Sentence], before: Sequence[Sequence[Sentence]], many: int
) -> list[Sentence]:
    """What a bare request means: what its turn says before it, or else after it, or else the last statement."""
    own_before = [one for one in own if one.at < said.at and _is_statement(one)]
    if own_before:
        return own_before[-many:]
    own_behind = [one for one in own if one.at > said.at and _is_statement(one)]
    if own_behind:
        return own_behind[:many]
    for turn in reversed(before):
        statements = [one for one in turn if _is_statement(one)]
        if statements:
            return statements[-1:]
    return []


def _is_statement(sentence: Sentence) -> bool:
    """Whether a sentence says something to keep: it is not a question, a courtesy or a bare request."""
    if sentence.text.rstrip().endswith("?") or _COURTESY.search(sentence.text):
        return False
    return len(statement.plain(sentence.text).split()) > 1 and not is_bare_request(sentence.text)


def put_right(
    text: str, said: Sentence, own: Sequence[Sentence], before: Sequence[Sequence[Sentence]]
) -> Sentence | None:
    """The statement that a correction of a few words is about: one like it, or else the question that it answers.

    None if it shares no word and no kind of value with anything that it could be about: "no, two".
    """
    about = pointed_at(text, own, before)
    if about is not None and (about in own or _likeness(about.text, text) > 0):
        return about
    question = question_behind(text, said, before)
    return question or (about if points(text) else None)


def pointed_at(text: str, own: Sequence[Sentence], before: Sequence[Sequence[Sentence]]) -> Sentence | None:
    """The statement that a sentence refers to if it cannot be understood alone; None if there is none.

    That is the last one of more than three words before it in its turn; else the one in the turns before with the
    wrong value ("not UTF-8"); else the one of the last turn most like it, or, if that only repeats a value, the
    earlier one that gave the value.
    """
    earlier = [one for one in own if len(one.text.split()) > 3]
    if earlier:
        return earlier[-1]
    if not before:
        return None
    refused = naming.telling(reader.rejected(text)[1])
    with_refused = [one for turn in before for one in turn if refused and refused <= naming.telling(one.text)]
    if with_refused:
        return with_refused[-1]
    named_wrong = [one for turn in reversed(before) for one in turn if _names_wrong(one.text, text)]
    if named_wrong:
        return max(named_wrong, key=lambda one: _shared(one.text, text))
    return _most_alike(text, before)


def _most_alike(text: str, before: Sequence[Sequence[Sentence]]) -> Sentence:
    """The statement of the last turn most like a correction, or the one that gave the value it repeats."""

    def likeness(one: Sentence) -> tuple[float, int]:
        return _likeness(one.text, text), one.at

    told = [one for one in before[-1] if not one.text.rstrip().endswith("?")] or list(before[-1])
    nearest = max(told, key=likeness)
    values = {word for word in naming.telling(nearest.text) if any(char.isdigit() for char in word)}
    earlier = (one for turn in before[:-1] for one in turn)
    givers = [one for one in earlier if values and values <= naming.telling(one.text)]
    return max([nearest, *givers], key=lambda one: len(naming.telling(one.text)))


def _likeness(wrong: str, right: str) -> float:
    """The number of content words that a correction shares with a statement, plus 1.5 for another value."""
    return _shared(wrong, right) + 1.5 * bool(correction.corrected(wrong, right))


def with_wrong_value(text: str, before: Sequence[Sequence[Sentence]]) -> Sentence | None:
    """The last earlier statement that shares a content word and a kind of value with a correction."""
    for turn in reversed(before):
        for one in reversed(turn):
            if _shared(one.text, text) and correction.corrected(one.text, text):
                return one
    return None


def _shared(one: str, other: str) -> int:
    return len(naming.telling(one) & naming.telling(other))


def _names_wrong(wrong: str, text: str) -> bool:
    """Whether a correction names both the wrong value of a statement and the right one: "5433, not 5432"."""
    numbers = {word for word in naming.words_of(wrong) if any(char.isdigit() for char in word)}
    return bool(numbers & set(naming.words_of(text)) and correction.corrected(wrong, text))
