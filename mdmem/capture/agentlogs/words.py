"""What of a user's line a person said: programs of agents put words of the machine into the user's mouth."""

from __future__ import annotations

_MACHINE_TAGS = (
    *("system-reminder", "command-name", "command-message", "local-command-stdout", "local-command-stderr"),
    *("local-command-caveat", "bash-input", "bash-stdout", "bash-stderr", "task-notification"),
    *("user-prompt-submit-hook", "ide_opened_file", "ide_selection", "ide_diagnostics"),
    *("environment_context", "user_instructions", "INSTRUCTIONS", "turn_aborted", "permissions instructions"),
    *("skill", "collaboration_mode"),
    *("session_context", "hook_context", "state_snapshot"),
    *("current_datetime", "reminder", "open_and_recently_viewed_files", "user_info", "attached_files"),
)
_USER_TAGS = (
    "command-args",
    "user-memory-input",
    "user_query",
)  # within the machine's words, these are the user's own


def users_words(text: str) -> str:
    """What of a user's line the user said: without what an agent's program wrote into it."""
    if "<" in text:
        for tag in _MACHINE_TAGS:
            text = _without(text, f"<{tag}>", f"</{tag}>")
        for tag in _USER_TAGS:
            text = text.replace(f"<{tag}>", "").replace(f"</{tag}>", "")
    text = text.strip()
    return "" if text.startswith("[Request interrupted by user") else text


def _without(text: str, opening: str, closing: str) -> str:
    """The text without each part from `opening` to the next `closing`; an opening alone is a word like others."""
    kept, at = [], 0
    while (start := text.find(opening, at)) >= 0 and (end := text.find(closing, start)) >= 0:
        kept.append(text[at:start])
        at = end + len(closing)
    return "".join([*kept, text[at:]])
