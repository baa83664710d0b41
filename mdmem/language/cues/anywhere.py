"""Cues that work in any language: punctuation, laughter, numbers and units; see `english`. Data."""

from __future__ import annotations

PARTS: dict[str, str] = {}

CUES = {
    "asks": (r"\?[\s)\"'!?]*$|^¿", "Is it open on Sundays?"),
    "exclaims": (r"!", "What a game!"),
    "quotes": (r'["“„«][^"”“»]{6,}["”“»]', 'The sign said "we never close".'),
    "plays": (
        r"(?:\b(?:lo+l\w*|lmao|(?:ha){2,}\w*|hehe\w*|(?:ja){2,}\w*|jk|kidding|joking|pretend)\b|😂|🤣|😅|🙄|😇|🙈|😩|😭"
        r"|😤)",
        "lol I should open a zoo",
    ),
    "number": (r"\d", "The tank holds 300."),
    "measured": (
        r"\d ?(?:%|€|\$|£|km|kg|g|l|ml|cm|mm|m|h|min|s|ms|gb|mb|tb|k|w|fps|deg|grad|hours?|minutes?"
        r"|days?|weeks?|months?|years?|euros?|tage?|wochen?|jahren?|días?|años?|jours?|ans?)\b",
        "The tank holds 300 l.",
    ),
}
