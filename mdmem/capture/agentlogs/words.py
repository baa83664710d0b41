"""What a person said in a user's turn: the programs of agents add text of their own to it."""

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
)  # what stands within these is the user's own


def users_words(text: str) -> str:
    """The text of a user's turn without what the agent's program added to it."""
    if "<" in text:
        for tag in _MACHINE_TAGS:
            text = _without(text, f"<{tag}>", f"</{tag}>")
        for tag in _USER_TAGS:
            text = text.replace(f"<{tag}>", "").replace(f"</{tag}>", "")
    text = text.strip()
    return "" if text.startswith("[Request interrupted by user") else text


def _without(text: str, opening: str, closing: str) -> str:
    """The text without each part from `opening` to the next `closing`. A lone opening is ordinary text."""
    kept, at = [], 0
    while (start := text.find(opening, at)) >= 0 and (end := text.find(closing, start)) >= 0:
        kept.append(text[at:start])
        at = end + len(closing)
    return "".join([*kept, text[at:]])
