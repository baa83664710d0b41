"""The words by which texts say that one thing has taken the place of another, by what they do in a sentence. Data.

Each kind has its words a language, separated by "/". A phrase is read whole, and the longest first; a word may do
several things. All are in lower case, with straight quotes. `x?` is a letter that may be absent, `[oa]` one of
some, `(?:se|la)` one of some endings.
"""

from __future__ import annotations

from collections.abc import Mapping

from mdmem.language.replacement.deeds import DEEDS
from mdmem.language.replacement.particles import PARTICLES
from mdmem.language.replacement.states import STATES

WORDS: Mapping[str, Mapping[str, str]] = {**STATES, **DEEDS, **PARTICLES}
PAST = {"en": ("ed",), "de": (), "es": ("ó", "aron", "ieron", "imos"), "fr": ()}  # endings of an EVENT
