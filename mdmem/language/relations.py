"""Relations of a subject to an object, as sentences say them; the words are data."""

from __future__ import annotations

from mdmem.note import tsv

_ROWS = [(kind, name, words.split(", ")) for kind, name, words in tsv.rows(__file__, "relations.tsv", 3)]
# A relation that has one object at a time, as written ("lives in") -> its name.
SINGLE = {form: name for kind, name, forms in _ROWS if kind == "single" for form in forms}
ATTRIBUTES = frozenset(word for kind, _, words in _ROWS if kind == "attribute" for word in words)
# Words that begin a relation, or may.
FINITE = frozenset(word for kind, _, words in _ROWS if kind == "verb" for word in words)
