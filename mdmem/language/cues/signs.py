"""Which cues speak for a sentence being worth a memory, which against it, and of which kind it is then. Data.

Other cues, such as "self", tell what a sentence is about; how much they speak for it only the data say.
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
# The trigger of a sentence for which such a cue speaks most; "fact" for others.
KINDS = {
    **dict.fromkeys(("limit", "prefers", "instructs"), "preference"),
    **dict.fromkeys(("cause", "lesson"), "learning"),
    **{"achieved": "milestone", "changed": "correction"},
}
