"""Which cues speak for or against a sentence being worth a memory, and the kind of memory they indicate. Data.

Other cues, such as "self", say what a sentence is about; only the data say how much they speak for it.
"""

from __future__ import annotations

FOR = frozenset(
    (
        *("announces", "recurs", "always", "since", "from now", "dated", "timed", "all or none", "rule", "role"),
        *("states", "has", "located", "limit", "prefers", "decided", "cause", "lesson", "achieved", "happened"),
        *("plans", "changed", "instructs", "names who does", "kin", "number", "measured", "names"),
    )
)
AGAINST = frozenset(
    (
        *("asks", "asks what", "asks for", "supposes", "doubts", "moment", "reported", "feels", "story", "thanks"),
        *("points", "at hand", "goes on", "plays", "quotes", "exclaims"),
    )
)
# Cue -> the trigger of a sentence for which it speaks most; "fact" for all other cues.
KINDS = {
    **dict.fromkeys(("limit", "prefers", "instructs"), "preference"),
    **dict.fromkeys(("cause", "lesson"), "learning"),
    **{"achieved": "milestone", "changed": "correction"},
}
