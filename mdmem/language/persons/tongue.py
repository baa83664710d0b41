"""Which of four languages a sentence is in, by its function words."""

from __future__ import annotations

import re
from functools import lru_cache

_WORD = re.compile(r"[^\W\d_]+")
_SMALL = {
    "en": """the a an is are was of to and in it we i my our you he she they not no on at for with from that this
        so""",
    "de": """der die das den dem des ein eine einen ist sind war und oder nicht kein keine wir ich mein mir mich
        uns er sie es auf mit für von im am bei zu da wird hat habe haben bin nur auch seit bis nie bitte immer
        du dein wo wie welche welchen welcher""",
    "es": """el la los las un una es son está y o no de del que en con por para se lo yo mi mis me nos su sus al ya
        nunca siempre desde muy más pero porque soy somos tengo tiene tenemos estoy hay
        dónde cuál tu""",
    "fr": """le la les un une des du de est sont et ou ne pas que qui en avec pour dans on je mon ma mes nous notre
        nos il elle ils au aux ce ça sur plus jamais toujours depuis chez suis sommes avons où vous
        votre quel quelle""",
}
_WORDS = {language: frozenset(words.split()) for language, words in _SMALL.items()}
_MARKS = {
    "de": re.compile(r"[äöß]", re.I),
    "es": re.compile(r"[ñ¿¡]"),
    "fr": re.compile(r"[êèçœùî]|\b[jdlnscm]['’]", re.I),
}


def of(text: str, otherwise: str = "en") -> str:
    """The language of a text: "en", "de", "es" or "fr"; `otherwise` if nothing tells, or if it is as likely."""
    counts = _counts(text)
    return max(counts, key=lambda language: (counts[language], language == otherwise))


def likely(text: str) -> tuple[str, ...]:
    """The languages that a text may be in: those with at least half as many function words as the likeliest."""
    counts = _counts(text)
    least = max(counts.values()) / 2
    return tuple(language for language, count in counts.items() if count >= least)


@lru_cache(maxsize=64)  # several callers ask about the same sentence
def _counts(text: str) -> dict[str, int]:
    words = [word.lower() for word in _WORD.findall(text)]
    counts = {language: sum(word in small for word in words) for language, small in _WORDS.items()}
    for language, mark in _MARKS.items():
        counts[language] += bool(mark.search(text))
    return counts
