"""Words that people type for a command: synonyms run it, other words get a hint at what to use instead."""

from __future__ import annotations

from mdmem.note import tsv

_WORDS: dict[str, dict[str, str]] = {}  # kind -> word -> what is meant
for _kind, _word, _meant in tsv.rows(__file__, "words.tsv", 3):
    _WORDS.setdefault(_kind, {})[_word] = _meant
ALIASES, FORMER, HINTS = _WORDS["alias"], _WORDS["former"], _WORDS["hint"]


def as_now(former: str, rest: list[str]) -> list[str]:
    """The words of a command line that began with a former name, as they are now."""
    now = FORMER[former]
    for word in rest:
        meant = _WORDS["option"].get(f"{former} {word}")
        if meant is not None:
            is_option = meant.startswith("-")
            now = now if is_option or not meant else meant
            rest = [(meant if is_option else "") if other == word else other for other in rest]
    return [part for word in now.split() for part in (filter(None, rest) if word == "..." else [word])]


# never suggested for a typo
_HARMFUL = frozenset({"forget", "undo", "garden", "judge", "restore", "layout", "purge"})


def suggestion(word: str, commands: list[str]) -> str:
    """A hint for somebody who typed `word`, which is not a command."""
    if word in HINTS:
        return f"try: {HINTS[word]}"
    from difflib import get_close_matches

    guesses = [
        name for name in (*commands, *ALIASES) if name not in _HARMFUL and ALIASES.get(name) not in _HARMFUL
    ]
    near = get_close_matches(word, guesses, 1)
    return f"did you mean {near[0]}?" if near else "mdmem --help lists them"


def hint_within(name: str, word: str) -> str:
    """What to do instead of a word or an option after the name of a command, "" for no hint."""
    return _WORDS["within"].get(f"{name} {word}", "")


def suggestion_within(group: str, word: str, commands: list[str]) -> str:
    """A hint for somebody who typed `word` after the name of a group that has no such command."""
    if hint := hint_within(group, word):
        return f"try: {hint}"
    return f"its commands: {', '.join(commands)}"
