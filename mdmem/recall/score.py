"""How well a note answers a question: pure scorers, and the weights with which they are combined.

`read` finds in a note's text what the question asks for, `signals` turns that and the notes around it into
numbers, weighted by WEIGHTS, which add up to its score. Nothing here depends on the order or number of candidates.

The lexical core is BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009),
of the whole note and, the more the longer it is, of its best passage; both pay in full for their length. As in
its variant for fields, BM25F, counts in text, title, links and neighbouring notes are weighted and added up before
they saturate.
Neighbours in a dialog count a little, since what is said in a conversation often depends on what was said before.
The weights hold on two unlike sets: short turns of dialogs (LoCoMo) and long ones (BEAM);
`tests/bench/recall_sets.py` measures both.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from datetime import datetime
from math import log
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from mdmem.note import dates, segment
from mdmem.recall.question import Question

if TYPE_CHECKING:
    from mdmem.recall.reading import ReadNote

# The weight of each signal. Round on purpose: the structure matters, not the third digit.
WEIGHTS: dict[str, float] = {
    "called": 20.0,  # the question is the note's name, title or alias, and nothing else
    "words": 1.0,  # words of the question in the note: sum of their rarity, saturating
    "nearby": 1.0,  # the same words in the two notes before and after it in its session
    "session": 0.1,  # how much better the best note of its session is
    "similar": 0.8,  # words for the same thing, where the word itself is missing
    "phrases": 8.0,  # what the question puts in quotes, word for word
    "subject": 1.2,  # a tag, topic or type that the question names
    "date": 10.0,  # how near the note is in time to a date in the question (0-1, DAY_NAMED)
    "when": 2.5,  # the question asks when, and the note names a time
    "answer": 0.25,  # the note follows a question of its session that has those words
    "importance": 2.0,  # its importance, from -0.5 to 0.5
    "salience": 1.0,  # its effective salience, from -0.5 to 0.5
    "pinned": 1.0,  # 1 if it is pinned
    "used": 0.2,  # log of how often it was opened, edited, cited or kept; being shown in an answer does not count
    "recent": 0.2,  # 1 for a note written now, half of it for one a year old: decides ties
    "length": 0.25,  # log of how long it is, below 0, at most half of "words": long notes have any words
    "meaning": 25.0,  # cosine to the note and to the nearest of its session; with a model
}
# What remains of the score of facts and entries: a fact is a sentence out of its context, and a dialog has the
# words of any question somewhere.
KIND_SHARES: dict[str, float] = {"fact": 0.9, "entry": 0.6}
# A memory with none of these has nothing to do with the question.
EVIDENCE = frozenset({"called", "words", "nearby", "similar", "phrases", "subject", "answer", "date", "meaning"})
NEARBY = 0.3  # what a word in a neighbouring note counts, beside 1 for one in the note itself
TITLE = 0.5  # what a word in the title adds to the same word in the text: titles repeat the text
LINKED = 0.3  # what a word in the name of a linked note counts: that note tells of it, not this one
DAY_NAMED = 1.4  # for a note whose text names the day asked for; one created on that day gets 1
REACH = 2  # neighbours on each side
SUBJECT_IDF, SUBJECT_MOST = 2.5, 8.0  # beside a matching word, a label counts its rarity times this, at most that
_LONG = 700  # words: of a text of that length its best passage tells as much as the whole, of a longer one more
_BY_CHANCE = 0.35  # how much longer a passage counts as there are more: the best of many is good by chance
_K1 = 1.2  # BM25: how soon repetitions of a word stop counting
FAIRLY_RARE = 2.0  # what each word of a question tells beside its rarity: a word that no note has is rare anyway
FAINT = 0.3  # what remains of the rarity of a word of the question that answers seldom have
ORDINARY_LENGTH = 60  # words: a longer text pays for its length, a shorter one gains,
_LEAST_LENGTH = 20  # as long as it has so many
Times = Mapping[int, float]  # concept -> how often, weighted


class QueryWord(NamedTuple):
    """One word of the question with its rarity (idf) in the vault; of a faint one, a share of that.

    `told` is how much of the question is told with the word.
    """

    word: str
    idf: float
    told: float


class WordMatch(NamedTuple):
    """What a token of a note means to the question: which concept, and how surely (0-1).

    `idf` is that of a word that is only similar to the concept's word; 0 for the word itself.
    """

    concept: int
    weight: float
    idf: float = 0.0


class Words(dict[str, tuple[int, int, int, list[tuple[int, int]]]]):
    """The words of a note: of its title and name, of the passages of its text, and of its wikilinks' targets.

    word -> how often it occurs in text, title and links, and (passage, times) where it does, once more for the
    `headings` of that passage; counted when it is first asked for. `bag` has the words of its text, each once,
    `length` is how many that text has. `asks` is whether it begins with a question.
    """

    def __init__(
        self,
        title: Sequence[str],
        passages: Sequence[Sequence[str]],
        links: Sequence[str] = (),
        asks: bool = False,
        headings: Sequence[Set[str]] = (),
    ) -> None:
        super().__init__()
        self.headings = headings or [frozenset[str]()] * len(passages)
        self.title, self.passages, self.links, self.asks = title, passages, links, asks
        self.bag = frozenset[str]().union(*passages)
        self.length = sum(map(len, passages))

    def __missing__(self, word: str) -> tuple[int, int, int, list[tuple[int, int]]]:
        times = [passage.count(word) for passage in self.passages]
        stressed = [count + (word in under) for count, under in zip(times, self.headings, strict=True)]
        said = [(at, count) for at, count in enumerate(stressed) if count]
        counts = self[word] = sum(times), self.title.count(word), self.links.count(word), said
        return counts


class PassageMatches(NamedTuple):
    """What the question finds in a passage: concept -> how often, weighted, in it, the title and links together.

    `length` is in words; one passage of many counts as longer than it is. `at` is its place among the passages of
    the note, -1 for the whole.
    """

    times: Times
    length: float
    at: int = -1


class TextMatches(NamedTuple):
    """What the question finds in one note: concept -> how often, weighted; in its passages; and if it `asks`.

    `whole` is the note as one passage; `passages` are those with a word of the question, or `whole` alone.
    """

    body: Times
    title: Times
    links: Times
    similar: Times
    asks: bool
    whole: PassageMatches
    passages: Sequence[PassageMatches]


_NO_PASSAGE = PassageMatches({}, 0)
NOTHING = TextMatches({}, {}, {}, {}, False, _NO_PASSAGE, (_NO_PASSAGE,))


class InSession(NamedTuple):
    """What is found in a note, in the texts around it in its dialog, and in the note just before it.

    `length` is that of the texts around it, in words.
    """

    own: TextMatches
    around: Sequence[Times] = ()
    before: TextMatches = NOTHING
    length: int = 0


def idf(frequency: int, total: int) -> float:
    """The rarity of a word that `frequency` of `total` notes have; never negative.

    It is the weight of Robertson and Sparck Jones, log((N - n + 0.5) / (n + 0.5)), with 1 added within the
    logarithm, as in Lucene, so that a word of more than half of the notes still counts.
    """
    return log(1 + (total - frequency + 0.5) / (frequency + 0.5))


def asks(text: str) -> bool:
    """Whether a text begins with a line that is a question."""
    return text.strip().split("\n", 1)[0].rstrip().endswith("?")


def read(note: Words, senses: Mapping[str, WordMatch], found: Iterable[str]) -> TextMatches:
    """What the question finds in a note; `found` are those of its words that match a concept."""
    body: defaultdict[int, float] = defaultdict(float)
    title: defaultdict[int, float] = defaultdict(float)
    links: defaultdict[int, float] = defaultdict(float)
    similar: dict[int, float] = {}
    said: defaultdict[int, defaultdict[int, float]] = defaultdict(lambda: defaultdict(float))  # by passage
    for word in sorted(found):
        concept, weight, idf_of_similar = senses[word]
        in_text, in_title, in_links, in_passages = note[word]
        if idf_of_similar:
            if in_text:
                similar[concept] = max(similar.get(concept, 0.0), idf_of_similar)
            continue
        if in_text:
            body[concept] += weight * in_text
        if in_title:
            title[concept] += weight * in_title
        if in_links:
            links[concept] += weight * in_links
        for at, count in in_passages if len(note.passages) > 1 else ():
            said[at][concept] += weight * count
    whole = PassageMatches(_times(body, title, links), note.length)
    longer = 1 + _BY_CHANCE * log(len(note.passages))
    passages = [
        PassageMatches(_times(times, title, links), longer * len(note.passages[at]), at)
        for at, times in sorted(said.items())
    ]
    return TextMatches(body, title, links, similar, note.asks, whole, passages or [whole])


def coverage(question: Sequence[QueryWord], own: TextMatches, others: Collection[int] = ()) -> float:
    """How much of the question the best passage of a note has with its title, links and labels (0-1).

    `others` are the concepts of its labels.
    """
    beside = {*own.similar, *others}
    shares = (sum(question[at].told for at in beside.union(passage.times)) for passage in own.passages)
    return max(shares) / (sum(word.told for word in question) or 1.0)


def _times(body: Times, title: Times, links: Times) -> Times:
    """How often a note has each concept; its title and links count less than its text."""
    if not title and not links:
        return body
    times = {at: said + TITLE * title.get(at, 0.0) for at, said in body.items()}
    for at, headed in title.items():
        if at not in body:
            times[at] = min(headed, 1.0)
    for at, linked in links.items():
        times[at] = times.get(at, 0.0) + LINKED * linked
    return times


def signals(
    question: Question,
    rarities: Sequence[float],
    said: InSession,
    note: ReadNote,
    now: datetime,
    apart: Mapping[str, float] = MappingProxyType({}),
) -> dict[str, float]:
    """Every signal of a note that is not 0, weighted; they add up to its score. `rarities` are the concepts'.

    `apart` are the values of signals apart from words, or nothing: `subject`, the rarity (idf) of its rarest label
    that the question names; `salience`, `used`, `meaning` and `called`.
    """
    own, around, before, length = said
    alone, _ = by_passage(rarities, own, min(NEARBY * length, ORDINARY_LENGTH))
    nearby = _nearby(rarities, own.whole, around, length) if around else 0.0
    values = {"words": alone, "nearby": nearby, "recent": _recency(note.created, now)}
    values["length"] = -min(note.size, alone / 2)
    values |= note.constant
    if own.similar:
        values["similar"] = _similar(rarities, own)
    if before.asks:
        values["answer"] = by_passage(rarities, before)[0]
    values |= apart
    if apart and (alone or nearby):
        values["subject"] = min(SUBJECT_IDF * apart["subject"], SUBJECT_MOST)
    if question.phrases:
        values["phrases"] = phrases(question.phrases, note.text.titles, note.text.body)
    if question.windows or question.periods:
        values["date"] = _date(question, note)
    if question.asks_when:
        values["when"] = note.names_a_time
    return {name: WEIGHTS[name] * value for name, value in values.items() if value}


def _similar(rarities: Sequence[float], own: TextMatches) -> float:
    """The rarity of the concepts for which a note only has a word of similar meaning."""
    missing = (at for at in own.similar if at not in own.body and at not in own.title)
    return sum(min(rarities[at], own.similar[at]) for at in missing)


def phrases(asked: Sequence[str], *texts: str) -> int:
    """How many of the phrases occur in one of the texts; case and white space do not matter."""
    said = [" ".join(text.casefold().split()) for text in texts]
    return sum(any(_stands(" ".join(phrase.casefold().split()), text) for text in said) for phrase in asked)


def _stands(phrase: str, text: str) -> bool:
    """Whether a phrase occurs in a text, neither beginning nor ending within a word there."""
    before = r"(?<!\w)" if _is_spaced(phrase[:1]) else ""
    after = r"(?!\w)" if _is_spaced(phrase[-1:]) else ""
    return phrase in text and re.search(before + re.escape(phrase) + after, text) is not None


def _is_spaced(character: str) -> bool:
    return character.isalnum() and not segment.is_unspaced(character)


def by_passage(rarities: Sequence[float], own: TextMatches, more: float = 0.0) -> tuple[float, PassageMatches]:
    """(BM25 of a note by its best passage and as a whole; that passage).

    `more` are words that are read beside its own.
    """
    whole = _lexical(rarities, own.whole, more)
    if own.passages[0] is own.whole:
        return whole, own.whole
    scores = [_lexical(rarities, passage, more) for passage in own.passages]
    scored = max(scores)
    share = 1 / (1 + (_LONG / own.whole.length) ** 2)
    return share * scored + (1 - share) * whole, own.passages[scores.index(scored)]


def _lexical(rarities: Sequence[float], found: PassageMatches, more: float) -> float:
    """The BM25 score of a text with these words, which pays in full for its length (b = 1)."""
    saturation = _saturation(found.length + more)
    score = 0.0
    for at in sorted(found.times):  # so that notes with the same words get the same score to the last digit
        count = found.times[at]
        score += rarities[at] * count * (_K1 + 1) / (count + saturation)
    return score


def _nearby(rarities: Sequence[float], own: PassageMatches, around: Sequence[Times], length: int) -> float:
    """What the concepts in the notes around a note, `length` words, add to its BM25 score.

    As in BM25F it is the less, the longer all of them are; short ones count as of ordinary length.
    """
    saturation = _saturation(max(own.length + NEARBY * length, ORDINARY_LENGTH))
    said = defaultdict[int, float](float)
    for near in around:
        for at, times in near.items():
            said[at] += times
    gain = 0.0
    for at, times in said.items():
        alone = own.times.get(at, 0.0)
        together = alone + NEARBY * times
        gain += rarities[at] * (_K1 + 1) * (together / (together + saturation) - alone / (alone + saturation))
    return gain


def _saturation(length: float) -> float:
    """How many repetitions of a word in a text of this length, in words, count for half (BM25 with b = 1)."""
    return _K1 * max(length, _LEAST_LENGTH) / ORDINARY_LENGTH


def _date(question: Question, note: ReadNote) -> float:
    """How near a note is to the dates of a question: by the days it names, else by when it was created."""
    if dates.names_one_of(note.days, question.windows, question.periods):
        return DAY_NAMED
    if note.created is None:
        return 0.0
    by_window = [dates.closeness(note.created, window) for window in question.windows]
    by_period = [dates.within(note.created, period) for period in question.periods]
    return max(by_window + by_period)


def around_half(value: float | None) -> float:
    """-0.5 for 0, 0.5 for 1 and above, 0 if not known."""
    return min(max(value, 0.0), 1.0) - 0.5 if value is not None else 0.0


def _recency(created: datetime | None, now: datetime) -> float:
    if created is None:
        return 0.0
    days = (now - created).total_seconds() / 86400
    return float(2.0 ** (-days / 365)) if days > 0 else 1.0
