"""A little German as English words: enough for plain statements about people and their things. Data."""

from __future__ import annotations

from mdmem.text.calendar import WEEKDAY_NAMES

# Verbs, by which a sentence is known to be German.
VERBS = {
    **dict.fromkeys("wohnt lebt wohne lebe".split(), "lives"),
    **dict.fromkeys("arbeitet arbeite".split(), "works"),
    **dict.fromkeys("heißt heisst".split(), "is called"),
    **dict.fromkeys("mag mögen liebt".split(), "likes"),
    **dict.fromkeys("benutzt benutzen nutzt nutzen verwendet verwenden".split(), "uses"),
    **dict.fromkeys("bevorzugt bevorzugen".split(), "prefers"),
    **dict.fromkeys("trinkt trinke".split(), "drinks"),
    **dict.fromkeys("isst esse".split(), "eats"),
    **dict.fromkeys("läuft laufen".split(), "runs"),
    **{"ist": "is", "sind": "are", "bin": "is", "kostet": "costs", "spricht": "speaks", "hat": "has"},
    **{"spielt": "plays", "fährt": "drives", "hört": "listens", "beginnt": "begins", "endet": "ends"},
}
# Every word -> the English one, "" for one to leave out.
WORDS = {
    **VERBS,
    **dict.fromkeys("der die das den dem des ein eine einen einem einer eines".split(), "the"),
    **dict.fromkeys("nicht kein keine keinen keiner keinem nie niemals".split(), "not"),
    **dict.fromkeys("mehr jetzt nun inzwischen derzeit aktuell auch".split(), ""),
    **dict.fromkeys("bei um am beim".split(), "at"),
    **{"im": "in", "auf": "on", "mit": "with", "für": "for", "von": "of", "als": "as", "und": "and", "oder": "or"},
    **{"ich": "i", "mein": "my", "meine": "my", "wir": "we", "er": "he", "sie": "she", "es": "it"},
    **{"wenn": "if", "falls": "if", "früher": "formerly", "war": "was", "waren": "were", "hatte": "had"},
    **{"bis": "until", "manchmal": "sometimes", "vielleicht": "maybe", "seit": "since"},
    **dict(
        zip(
            "montag dienstag mittwoch donnerstag freitag samstag sonntag".split(),
            WEEKDAY_NAMES,
            strict=True,
        )
    ),
}
