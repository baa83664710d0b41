"""The words with which texts say that one thing has replaced another, by their function in a sentence. Data.

Each kind lists its words by language, separated by "/". A phrase is read as a whole, the longest first; a word may
be of several kinds. All are in lower case, with straight quotes. `x?` is a letter that may be absent, `[oa]` one
of several letters, `(?:se|la)` one of several endings.
"""

from __future__ import annotations

from collections.abc import Mapping

from mdmem.language.replacement.deeds import DEEDS
from mdmem.language.replacement.particles import PARTICLES
from mdmem.language.replacement.states import STATES

WORDS: Mapping[str, Mapping[str, str]] = {**STATES, **DEEDS, **PARTICLES}
PAST = {"en": ("ed",), "de": (), "es": ("ó", "aron", "ieron", "imos"), "fr": ()}  # endings of an EVENT
