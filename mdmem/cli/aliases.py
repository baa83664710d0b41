"""Words that people type for a command: synonyms run it, other words get a hint at what to use instead."""

from __future__ import annotations

# word -> the command it runs; only unambiguous ones
ALIASES = {
    **dict.fromkeys(("add", "new", "save", "note"), "remember"),
    **dict.fromkeys(("search", "find", "query", "ask"), "recall"),
    **dict.fromkeys(("rm", "delete", "remove", "del"), "forget"),
    **dict.fromkeys(("cat", "get", "read", "view"), "show"),
    **{"ls": "list", "mv": "rename", "history": "log", "man": "guide", "manual": "guide", "index": "rebuild"},
    **{"links": "lineage", "backlinks": "lineage", "today": "status", "open": "edit --open"},
}

# a former name -> what it is called now; "..." is where the words go that follow it
FORMER = {
    "record lineage": "lineage ...",
    "record revise": "update ...",
    "record unpin": "record pin --off ...",
    "record show": "show --as record ...",
    "record list": "list --as record ...",
    "record retrieve": "recall --as record ...",
    "record check": "doctor --as record ...",
    "record verify": "doctor --as record --sources ...",
    "work show": "show --as work ...",
    "work list": "list --as work ...",
    "work recall": "recall --as work ...",
    "work chapters list": "list --as chapter ...",
    "work chapters show": "show --as chapter ...",
    "work chapters auto": "work chapters --auto ...",
    "work chapters create": "work chapters ...",
    "work chapters refresh": "work chapters --refresh ...",
    "work trace": "lineage --predicate caused_by ...",
    "inbox": "waiting --kind captured ...",
    "inbox review": "judge --kind captured ...",
    "inbox keep": "judge --user --kind captured ... keep",
    "inbox reject": "judge --user --kind captured ... reject",
    "garden review": "judge --kind proposal ...",
    "facts review": "judge --kind fact ...",
    "facts score": "judge --kind fact ...",
    "facts keep": "judge --kind fact ... keep",
    "conflicts": "waiting --kind merge ...",
    "embed": "rebuild vectors ...",
    "team status": "team ...",
    "team revoke": "team grant --off ...",
}
# a former name with an option -> the same, or what that option is called now
_WITH_OPTION = {
    "inbox reject --take-back": "judge --kind captured ... again",
    "garden review --forget": "judge --kind proposal ... again",
    "garden review --reset": "judge --kind proposal --all ... again",
    "garden review --only": "--kind",
    "garden review --apply": "",
    "conflicts --ours": "judge --kind merge ... ours",
    "conflicts --theirs": "judge --kind merge ... theirs",
    "conflicts --edit": "judge --kind merge ... edit",
    "facts score --note": "--reason",
}

# word -> what to do instead
HINTS = {
    "tags": "mdmem list --count tags",
    "types": "mdmem list --count type",
    "news": "mdmem session start tells what is new, mdmem log what was done",
    **dict.fromkeys(("push", "pull"), "mdmem sync does both"),
    "dump": "the notes are files, copy them; as JSON: mdmem mirror, mdmem list --json",
    **dict.fromkeys(("commit", "stage"), "mdmem commits what it writes; for your own edits: git commit"),
    **dict.fromkeys(("revert", "rollback"), "mdmem undo takes back commits, mdmem restore brings back a memory"),
    **dict.fromkeys(("config", "settings"), "settings are in mdmem.toml; mdmem guide settings"),
    **dict.fromkeys(("todos", "tasks", "plans"), "mdmem list --category future"),
}

# the same for a word after the name of a group
HINTS_WITHIN = {
    "garden plan": "mdmem garden makes the plan",
    "vaults list": "mdmem vaults lists them",
}


def as_now(former: str, rest: list[str]) -> list[str]:
    """The words of a command line that began with a former name, as they are now."""
    now = FORMER[former]
    for word in rest:
        meant = _WITH_OPTION.get(f"{former} {word}")
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
        return f"Try: {HINTS[word]}"
    from difflib import get_close_matches

    guesses = [
        name for name in (*commands, *ALIASES) if name not in _HARMFUL and ALIASES.get(name) not in _HARMFUL
    ]
    near = get_close_matches(word, guesses, 1)
    return f"Did you mean {near[0]}?" if near else "mdmem --help lists them."


def suggestion_within(group: str, word: str, commands: list[str]) -> str:
    """A hint for somebody who typed `word` after the name of a group that has no such command."""
    if hint := HINTS_WITHIN.get(f"{group} {word}"):
        return f"Try: {hint}"
    return f"Its commands: {', '.join(commands)}."
