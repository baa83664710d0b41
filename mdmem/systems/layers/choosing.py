"""Which topic a dialog belongs to: one that there is, by the words they share, or a new one, by its own words."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping

from mdmem.errors import UsageError
from mdmem.language.roots import root
from mdmem.language.words import synonyms
from mdmem.note import naming
from mdmem.text import segment, stopwords
from mdmem.values import NamedTuple

Words = Mapping[str, float]

_MOST_TEXT = 40_000  # characters of a dialog that are looked at
_NAME_WEIGHT = 6.0  # how much a word of a topic's name counts beside one of its texts
_SYNONYM_WEIGHT = 1.5
_ENOUGH = 0.1  # likeness (cosine) from which a dialog belongs to a topic that there is
_CERTAIN = 0.35  # likeness from which nothing more is gained
_NEW_SURENESS = (0.3, 0.6)  # of the name of a new topic: from few words of its own, from many
_NO_WORDS = "notes"  # the topic of a dialog in whose words there is none
_OFTEN = 3  # times from which a word is what a dialog is about


class TopicChoice(NamedTuple):
    """The topic of a dialog, how sure that is (0-1), and whether it would be a new one."""

    topic: str
    sureness: float
    is_new: bool


def words_of(text: str) -> Counter[str]:
    """How often each descriptive word stands in a text, by its root."""
    counted: Counter[str] = Counter()
    for word, count in Counter(segment.terms(text[:_MOST_TEXT])).items():
        if len(word) > 1 and word not in stopwords.DIALOG and not word.isdigit():
            counted[root(word)] += count
    return counted


def profile(topic: str, said: Mapping[str, int]) -> Words:
    """What a topic is known by: the words of its name, words for the same, and those that are `said` in it."""
    known: dict[str, float] = {word: math.sqrt(count) for word, count in said.items()}
    for word in segment.words(topic.replace("_", " ")):
        for other in synonyms(word):
            known[root(other)] = known.get(root(other), 0.0) + _SYNONYM_WEIGHT
        known[root(word)] = known.get(root(word), 0.0) + _NAME_WEIGHT
    return known


def choose(title: str, text: str, profiles: Mapping[str, Words]) -> TopicChoice:
    """The topic of a dialog among those that are known by their `profiles`, or a new one."""
    said = {word: math.sqrt(count) for word, count in words_of(f"{title}\n{text}").items()}
    having = Counter(word for known in profiles.values() for word in said.keys() & known.keys())
    ranked = sorted(((_likeness(said, known, having), topic) for topic, known in profiles.items()), reverse=True)
    if not ranked or ranked[0][0] < _ENOUGH:
        proposed, sureness = _proposal(title, text)
        return TopicChoice(proposed, sureness, is_new=proposed not in profiles)
    likeness, topic = ranked[0]
    second = ranked[1][0] if len(ranked) > 1 else 0.0
    lead = (likeness - second) / likeness
    sureness = 0.5 + 0.25 * min(1.0, likeness / _CERTAIN) + 0.25 * lead
    return TopicChoice(topic, round(min(sureness, 0.99), 2), is_new=False)


def _likeness(said: Words, known: Words, having: Mapping[str, int]) -> float:
    """The cosine of two sets of weighted words (0-1); a word that several topics are `having` counts less."""
    shared = said.keys() & known.keys()
    product = sum(said[word] * known[word] / having[word] for word in sorted(shared))
    return product / (_length(said) * _length(known)) if shared else 0.0


def _length(weights: Words) -> float:
    return math.sqrt(sum(weight * weight for weight in weights.values()))


def _proposal(title: str, text: str) -> tuple[str, float]:
    """A topic named after a title, else after the two words that a text says most often; and how sure that is."""
    low, high = _NEW_SURENESS
    titled = [word for word in naming.words_of(title) if word not in stopwords.DIALOG]
    if titled:
        return _joined(titled[:3]), high
    counts = Counter(
        word
        for word in naming.words_of(text[:_MOST_TEXT])
        if len(word) > 2 and word not in stopwords.DIALOG and not word.isdigit()
    )
    frequent = counts.most_common(2)  # the first one said of those said as often
    if not frequent:
        return _NO_WORDS, low
    (_, most), (_, second) = frequent[0], frequent[-1]
    named = [word for word, count in frequent if count == most or 2 * second > most]
    return _joined(named), high if most >= _OFTEN else low


def _joined(words: list[str]) -> str:
    """Words as the name of a topic, as many as fit."""
    kept = words[0][: naming.LONG_CHARS]
    for word in words[1:]:
        if len(f"{kept}_{word}") <= naming.LONG_CHARS:
            kept = f"{kept}_{word}"
    try:
        return naming.topic(kept)
    except UsageError:  # a word that no system takes for the name of a folder
        return _NO_WORDS
