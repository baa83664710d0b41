"""Which topic a dialog belongs to: one that there is, by the words they share, or a new one, by its own words."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from mdmem.language.roots import root
from mdmem.language.words import synonyms
from mdmem.note import naming
from mdmem.text import segment, stopwords

Words = Mapping[str, float]

_MOST_TEXT = 40_000  # characters of a dialog that are looked at
_NAME_WEIGHT = 6.0  # how much a word of a topic's name counts beside one of its texts
_SYNONYM_WEIGHT = 1.5
_ENOUGH = 0.1  # likeness (cosine) from which a dialog belongs to a topic that there is
_CERTAIN = 0.35  # likeness from which nothing more is gained
_NEW_SURENESS = (0.3, 0.6)  # of the name of a new topic: from few words of its own, from many
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


def profile(topic: str, texts: Iterable[str]) -> Words:
    """What a topic is known by: the words of its name, words for the same, and those of its `texts`."""
    weights: Counter[str] = Counter()
    for text in texts:
        weights.update(words_of(text))
    known: dict[str, float] = {word: math.sqrt(count) for word, count in weights.items()}
    for word in segment.words(topic.replace("_", " ")):
        for other in synonyms(word):
            known[root(other)] = known.get(root(other), 0.0) + _SYNONYM_WEIGHT
        known[root(word)] = known.get(root(word), 0.0) + _NAME_WEIGHT
    return known


def choose(title: str, text: str, profiles: Mapping[str, Words]) -> TopicChoice:
    """The topic of a dialog among those that are known by their `profiles`, or a new one."""
    said = {word: math.sqrt(count) for word, count in words_of(f"{title}\n{text}").items()}
    ranked = sorted(((_likeness(said, known, profiles), topic) for topic, known in profiles.items()), reverse=True)
    if not ranked or ranked[0][0] < _ENOUGH:
        return _new(title, text)
    likeness, topic = ranked[0]
    second = ranked[1][0] if len(ranked) > 1 else 0.0
    lead = (likeness - second) / likeness
    sureness = 0.5 + 0.25 * min(1.0, likeness / _CERTAIN) + 0.25 * lead
    return TopicChoice(topic, round(min(sureness, 0.99), 2), is_new=False)


def _likeness(said: Words, known: Words, profiles: Mapping[str, Words]) -> float:
    """The cosine of two sets of weighted words; one that many topics share counts less (0-1)."""
    shared = said.keys() & known.keys()
    if not shared:
        return 0.0
    product = sum(said[word] * known[word] * _rarity(word, profiles) for word in shared)
    return product / (_length(said) * _length(known))


def _rarity(word: str, profiles: Mapping[str, Words]) -> float:
    having = sum(word in known for known in profiles.values())
    return 1.0 / having


def _length(weights: Words) -> float:
    return math.sqrt(sum(weight * weight for weight in weights.values()))


def _new(title: str, text: str) -> TopicChoice:
    """A topic named after the title of a dialog, else after the two words that it says most often."""
    low, high = _NEW_SURENESS
    titled = [word for word in naming.words_of(title) if word not in stopwords.DIALOG]
    if titled:
        return TopicChoice(_joined(titled[:3]), high, is_new=True)
    counts = Counter(
        word for word in naming.words_of(text[:_MOST_TEXT]) if word not in stopwords.DIALOG and not word.isdigit()
    )
    telling = [(word, count) for word, count in counts.items() if len(word) > 2]
    telling.sort(key=lambda pair: -pair[1])  # the first one said of those said as often
    if not telling:
        return TopicChoice("notes", low, is_new=True)
    named = [telling[0][0]] + [word for word, count in telling[1:2] if 2 * count > telling[0][1]]
    return TopicChoice(_joined(named), high if telling[0][1] >= _OFTEN else low, is_new=True)


def _joined(words: list[str]) -> str:
    """Words as the name of a topic, as many as fit."""
    kept = words[:1]
    for word in words[1:]:
        if len("_".join([*kept, word])) <= naming.LONG_CHARS:
            kept.append(word)
    return naming.topic(" ".join(kept)[: naming.LONG_CHARS])
