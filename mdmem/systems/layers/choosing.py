"""Chooses the topic of a dialog: an existing one that shares its words, or a new one named after the dialog."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from mdmem.errors import UsageError
from mdmem.language.roots import root
from mdmem.language.words import synonyms
from mdmem.note import naming, segment, stopwords

Words = Mapping[str, float]

_MOST_TEXT = 40_000  # characters of a dialog that are looked at
_NAME_WEIGHT = 6.0  # of a word in a topic's name; one said once in its texts weighs 1
_SYNONYM_WEIGHT = 1.5
_ENOUGH = 0.1  # cosine similarity from which a dialog joins an existing topic
_CERTAIN = 0.35  # similarity above which the sureness grows no further
_NEW_SURENESS = (0.3, 0.6)  # of a new topic: at least; if a title or a frequent word names it
_NO_WORDS = "notes"  # the topic of a dialog without descriptive words
_OFTEN = 3  # occurrences from which a word says what a dialog is about


class TopicChoice(NamedTuple):
    """The topic chosen for a dialog, the confidence in it (`sureness`, 0-1), and whether the topic is new."""

    topic: str
    sureness: float
    is_new: bool


def words_of(text: str) -> Counter[str]:
    """How often each descriptive word occurs in a text, counted by its root."""
    counted: Counter[str] = Counter()
    for word, count in Counter(segment.terms(text[:_MOST_TEXT])).items():
        if len(word) > 1 and word not in stopwords.DIALOG and not word.isdigit():
            counted[root(word)] += count
    return counted


def profile(topic: str, said: Mapping[str, int]) -> Words:
    """The weighted words that identify a topic: those of its name and their synonyms, and those `said` in it."""
    known: dict[str, float] = {word: math.sqrt(count) for word, count in said.items()}
    for word in segment.words(topic.replace("_", " ")):
        for other in synonyms(word):
            known[root(other)] = known.get(root(other), 0.0) + _SYNONYM_WEIGHT
        known[root(word)] = known.get(root(word), 0.0) + _NAME_WEIGHT
    return known


def choose(title: str, text: str, profiles: Mapping[str, Words]) -> TopicChoice:
    """Choose a dialog's topic among those in `profiles` (topic -> weighted words), or propose a new one."""
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
    """The cosine similarity of two sets of weighted words (0-1).

    `having` maps a word to the number of topics that have it: the more have it, the less it counts.
    """
    shared = said.keys() & known.keys()
    product = sum(said[word] * known[word] / having[word] for word in sorted(shared))
    return product / (_length(said) * _length(known)) if shared else 0.0


def _length(weights: Words) -> float:
    return math.sqrt(sum(weight * weight for weight in weights.values()))


def _proposal(title: str, text: str) -> tuple[str, float]:
    """A topic named after the title, or else after the two most frequent words of the text; and its sureness."""
    low, high = _NEW_SURENESS
    titled = [word for word in naming.words_of(title) if word not in stopwords.DIALOG]
    if titled:
        return _joined(titled[:3]), high
    counts = Counter(
        word
        for word in naming.words_of(text[:_MOST_TEXT])
        if len(word) > 2 and word not in stopwords.DIALOG and not word.isdigit()
    )
    frequent = counts.most_common(2)  # of equally frequent words those said first
    if not frequent:
        return _NO_WORDS, low
    (_, most), (_, second) = frequent[0], frequent[-1]
    named = [word for word, count in frequent if count == most or 2 * second > most]
    return _joined(named), high if most >= _OFTEN else low


def _joined(words: list[str]) -> str:
    """Words joined into the name of a topic, as many as fit."""
    kept = words[0][: naming.LONG_CHARS]
    for word in words[1:]:
        if len(f"{kept}_{word}") <= naming.LONG_CHARS:
            kept = f"{kept}_{word}"
    try:
        return naming.topic(kept)
    except UsageError:  # a word that cannot name a folder on every system
        return _NO_WORDS
