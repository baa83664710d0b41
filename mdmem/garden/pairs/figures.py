"""Named figures on two notes, of which the scorer makes how likely it is that they say the same or clash.

Figures of the older note end in "old", those of the newer one in "new". None needs grammar: words that both
have or only one has, values that differ, denials, words of change, spans that were exchanged, time, tags, kinds.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import pairwise, product
from typing import NamedTuple

from mdmem.garden.gardeners.note import Note
from mdmem.garden.gardeners.proposal import Evidence
from mdmem.garden.pairs import words
from mdmem.garden.pairs.near import Figures, Weights
from mdmem.garden.pairs.words import DENIALS, NUMBER, STOP, VALUES, Sentence
from mdmem.language.roots import folded
from mdmem.note import tsv

_DAY = 86_400  # seconds
_LARGE = 400  # pairs of sentences beyond which only the first sentences of two texts are compared


class Told(NamedTuple):
    """A note as figures see it: what it says, its sentences, its roots (tags and title included)."""

    note: Note
    text: str
    sentences: Sequence[Sentence]
    roots: frozenset[str]


def told(note: Note, roots: frozenset[str]) -> Told:
    """Read a note for comparison."""
    return Told(note, *words.said(note), roots)


def first_look(older: Note, newer: Note) -> Figures:
    """The figures that need no reading, beside those of how near two notes are."""
    apart = max((newer.moment - older.moment).total_seconds() / _DAY, 0.0)
    tags_old, tags_new = set(older.tags), set(newer.tags)
    return {
        "days apart": apart,
        "future new": newer.text("category") == "future",
        "tags shared": len(tags_old & tags_new) / (len(tags_old | tags_new) or 1),
        "tags apart": bool(tags_old and tags_new) and tags_old.isdisjoint(tags_new),
        "same type": older.type == newer.type,
    }


def second_look(old: Told, new: Told, weights: Weights) -> Figures:
    """The figures that need the texts."""
    return {
        **_shares(old, new, weights),
        **_values(old, new),
        **_spelling(old, new),
        **_said(old, new),
        **_best_sentences(old, new, weights),
    }


def _shares(old: Told, new: Told, weights: Weights) -> Figures:
    """How much of each note is in the other."""
    shared = old.roots & new.roots
    weight = weights.total(shared)
    own = weight / (weights.total(old.roots) or 1.0), weight / (weights.total(new.roots) or 1.0)
    return {
        "share of old": own[0],
        "share of new": own[1],
        "share of shorter": max(own),
        "share of longer": min(own),
        "words shared": len(shared),
        "words of these two": weights.own(shared),
        "rarest shared": max(map(weights.of, shared), default=0.0),
        "lengths": math.log((len(new.text) + 1) / (len(old.text) + 1)),
    }


def _by_kind(told: Told) -> Mapping[str, set[str]]:
    found: dict[str, set[str]] = {kind: set() for kind in (*VALUES, words.WORD)}
    for line in told.sentences:
        for word in line:
            if word.kind != STOP:
                found[word.kind].add(word.root)
    return found


def _values(old: Told, new: Told) -> Figures:
    """The numbers, days and names that both have, or only one has."""
    has_old, has_new = _by_kind(old), _by_kind(new)
    figures: Figures = {}
    for kind in VALUES:
        alone_old, alone_new = has_old[kind] - new.roots, has_new[kind] - old.roots
        figures[f"{kind}s shared"] = len(has_old[kind] & has_new[kind])
        figures[f"{kind}s of old alone"] = len(alone_old)
        figures[f"{kind}s of new alone"] = len(alone_new)
        figures[f"{kind} exchanged"] = bool(alone_old and alone_new)
    numbers = (has_old[NUMBER] - has_new[NUMBER], has_new[NUMBER] - has_old[NUMBER])
    return figures | {"ratio of numbers": _ratio(*numbers)}


def _ratio(one: Iterable[str], two: Iterable[str]) -> float:
    """The smaller of two numbers as a share of the larger; the largest such share, 0 without numbers."""
    pairs = product(filter(None, map(_amount, one)), filter(None, map(_amount, two)))
    return max((min(pair) / max(pair) for pair in pairs), default=0.0)


def _amount(root: str) -> float:
    digits = "".join(sign for sign in root if sign.isdigit() or sign == ".")
    try:
        return float(digits)
    except ValueError:
        return 0.0


def _spelling(old: Told, new: Told) -> Figures:
    """How alike the texts are as strings, as far as notes are compared."""
    from rapidfuzz import fuzz

    one, two = (told.text[: words.LONGEST].lower() for told in (old, new))
    return {
        "alike": fuzz.ratio(one, two) / 100,
        "alike in part": fuzz.partial_ratio(one, two) / 100,
        "alike as sets": fuzz.token_set_ratio(one, two) / 100,
    }


def _said(old: Told, new: Told) -> Figures:
    """Denials, and what the words of one alone speak for."""
    lines = {"old": cues(old.text), "new": cues(new.text)}
    figures: Figures = {f"denials {which}": sum(word in DENIALS for word in own) for which, own in lines.items()}
    figures["denied by one"] = bool(figures["denials old"]) != bool(figures["denials new"])
    return {**figures, **told_by_words(lines["old"] - lines["new"], lines["new"] - lines["old"])}


def told_by_words(alone_old: Iterable[str], alone_new: Iterable[str]) -> Figures:
    """What the cues that only one of two notes has speak for, in log-odds."""
    table = _cues()
    alone = (*(f"-{cue}" for cue in alone_old), *(f"+{cue}" for cue in alone_new))
    known = [table[cue] for cue in sorted(alone) if cue in table]
    return {"words for a change": sum(row[0] for row in known), "words for the same": sum(row[1] for row in known)}


@cache
def _cues() -> dict[str, tuple[float, float]]:
    """+ a word of the newer note alone, or - one of the older alone -> log-odds of a change, and of the same."""
    return {cue: (float(change), float(same)) for cue, change, same in tsv.rows(__file__, "cues.tsv", 3)}


def cues(text: str) -> frozenset[str]:
    """The words and pairs of words of a text, stop words included: of these, some tell of a change."""
    plain = [folded(word) for word in words.TOKEN.findall(text)]
    return frozenset(plain) | {f"{one}_{two}" for one, two in pairwise(plain)}


def _best_sentences(old: Told, new: Told, weights: Weights) -> Figures:
    """The two sentences that share most, and how they differ: in a span of one place, or in more."""
    one, two, share = _best(old.sentences, new.sentences, weights)
    left, right = ([word.root for word in sentence] for sentence in (one, two))
    roots_one, roots_two = _telling(one), _telling(two)
    return {
        "share of best": share,
        "best within": weights.total(roots_one & roots_two)
        / (min(weights.total(roots_one), weights.total(roots_two)) or 1.0),
        **_spans(one, two),
        "words of best shared": len(set(left) & set(right)),
        "begins alike": bool(left and right) and left[0] == right[0],
        "ends alike": bool(left and right) and left[-1] == right[-1],
        "first of old in new": next(words.telling(old.sentences), "") in new.roots,
        "first of new in old": next(words.telling(new.sentences), "") in old.roots,
        "best denied by one": bool(DENIALS.intersection(left)) != bool(DENIALS.intersection(right)),
        "sentences of old": len(old.sentences),
        "sentences of new": len(new.sentences),
    }


def _spans(one: Sentence, two: Sentence) -> Figures:
    """How two sentences differ between the words that both have: in spans exchanged, or in spans added."""
    exchanged = values = longest = added_old = added_new = 0
    for a, b, c, d in _gaps([word.root for word in one], [word.root for word in two]):
        told_old = [word for word in one[a:b] if word.kind != STOP]
        told_new = [word for word in two[c:d] if word.kind != STOP]
        if told_old and told_new:
            exchanged += 1
            values += any(x.kind == y.kind and x.kind in VALUES for x, y in product(told_old, told_new))
            longest = max(longest, len(told_old), len(told_new))
        else:
            added_old += len(told_old)
            added_new += len(told_new)
    return {
        "spans exchanged": exchanged,
        "values exchanged": values,
        "longest exchanged": longest,
        "added in old": added_old,
        "added in new": added_new,
    }


def _telling(sentence: Sentence) -> frozenset[str]:
    return frozenset(words.telling((sentence,)))


def _best(old: Sequence[Sentence], new: Sequence[Sentence], weights: Weights) -> tuple[Sentence, Sentence, float]:
    """The sentences of two texts that share most, and the share (0-1) of their weight."""
    best: tuple[float, Sentence, Sentence] = (0.0, old[0] if old else (), new[0] if new else ())
    if len(old) * len(new) > _LARGE:
        old, new = old[:20], new[:20]
    sets_new = [(_telling(line), line) for line in new]
    for line in old:
        mine = _telling(line)
        total = weights.total(mine)
        for other, other_line in sets_new:
            both = mine & other
            if both:
                weight = weights.total(both)
                share = weight / (total + weights.total(other) - weight)
                if share > best[0]:
                    best = share, line, other_line
    return best[1], best[2], best[0]


def _gaps(left: Sequence[str], right: Sequence[str]) -> Iterable[tuple[int, int, int, int]]:
    """The stretches of two lists between the items that both have in order: (start, end) of each."""
    from rapidfuzz.distance import LCSseq

    a = c = 0
    for block in LCSseq.opcodes(left, right):
        if block.tag == "equal":
            if (a, c) != (block.src_start, block.dest_start):
                yield a, block.src_start, c, block.dest_start
            a, c = block.src_end, block.dest_end
    if a < len(left) or c < len(right):
        yield a, len(left), c, len(right)


def telling(old: Told, new: Told, weights: Weights) -> tuple[Evidence, Evidence]:
    """The sentences of both that share most, as evidence."""
    one, two, _ = _best(old.sentences, new.sentences, weights)
    return _evidence(old, one), _evidence(new, two)


def _evidence(told: Told, sentence: Sentence) -> Evidence:
    line = words.line_of(told.note.body, sentence)
    return Evidence(
        told.note.path, told.note.body_line + line, told.note.body.split("\n")[line] or told.note.title
    )
