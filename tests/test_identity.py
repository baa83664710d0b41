"""Who acts, as the environment tells it."""

from __future__ import annotations

import pytest

from mdmem.store.identity import actor_of, session_of

# What these clients were seen to set for a command that they run, or set in their source.
SEEN = [
    (
        {"CLAUDECODE": "1", "CLAUDE_CODE_ENTRYPOINT": "cli", "CLAUDE_CODE_SESSION_ID": "cc-1"},
        "claude-code",
        "cc-1",
    ),
    ({"CODEX_CI": "1", "CODEX_THREAD_ID": "t-1", "CODEX_HOME": "codex-settings"}, "codex", "t-1"),
    ({"CODEX_SANDBOX_NETWORK_DISABLED": "1"}, "codex", ""),
    ({"GEMINI_CLI": "1"}, "gemini-cli", ""),
    ({"GEMINI_CLI": "1", "GEMINI_SESSION_ID": "g-1"}, "gemini-cli", "g-1"),
    ({"QWEN_CODE": "1", "GEMINI_CLI": "1"}, "qwen-code", ""),
    ({"OPENCODE": "1", "AGENT": "1"}, "opencode", ""),
    ({"CURSOR_AGENT": "1", "CURSOR_TRACE_ID": "x"}, "cursor", ""),
    ({"COPILOT_CLI": "1"}, "copilot", ""),
    ({"PI_CODING_AGENT": "true", "AI_AGENT": "pi"}, "pi", ""),
    ({"OR_APP_NAME": "Aider", "OR_SITE_URL": "https://aider.chat"}, "aider", ""),
    ({"AI_AGENT": "Devin@1.2"}, "devin", ""),
]


@pytest.mark.parametrize(("environment", "actor", "session"), SEEN)
def test_an_agent_is_known_by_the_marks_it_leaves(environment: dict[str, str], actor: str, session: str) -> None:
    assert (actor_of(environment), session_of(environment)) == (actor, session)


@pytest.mark.parametrize(
    "environment",
    [
        {"SHELL": "bash"},
        {"CURSOR_TRACE_ID": "x", "TERM_PROGRAM": "vscode"},  # a terminal of an editor, with a person at it
        {"GEMINI_CLI_IDE_SERVER_PORT": "4711", "CODEX_HOME": "codex-settings"},
        {"OR_APP_NAME": "Shop"},
        {"CLAUDECODE": "0", "GEMINI_CLI": "", "AI_AGENT": "1"},
    ],
)
def test_a_person_has_no_marks(environment: dict[str, str]) -> None:
    assert (actor_of(environment), session_of(environment)) == ("", "")


def test_what_a_person_sets_wins() -> None:
    environment = {
        "MDMEM_ACTOR": "planner",
        "MDMEM_SESSION": "s-1",
        "CLAUDECODE": "1",
        "CLAUDE_CODE_SESSION_ID": "c",
    }
    assert (actor_of(environment), session_of(environment)) == ("planner", "s-1")
    assert session_of({**environment, "MDMEM_SESSION": ""}) == "c"
