"""Who acts, and in which conversation, told by the environment: agents leave marks in that of their commands.

Where a mark is known from: [R] a real run of the client, [S] its source. A mark that an editor also sets in the
terminal of a person (CURSOR_TRACE_ID, TERM_PROGRAM, GEMINI_CLI_IDE_*) or that a person sets (CODEX_HOME) is not
in the table: it says where a command runs, and not who runs it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

ACTOR, SESSION = "MDMEM_ACTOR", "MDMEM_SESSION"  # what a person sets; they win over any mark
_GENERIC = "AI_AGENT"  # https://github.com/vercel/vercel/tree/main/packages/detect-agent: "name", "name@version"
_NAME = re.compile(r"[a-z][\w.-]*", re.I)
_OFF = ("", "0", "false")


class AgentMarks(NamedTuple):
    """An agent, the variables any of which tells of it, and the one that holds the id of its conversation."""

    name: str
    marks: tuple[str, ...]
    session: str = ""


AGENTS = (
    # [R] hooks and Bash tool of 2.1.330: CLAUDE_CODE_ENTRYPOINT, CLAUDE_CODE_SESSION_ID, CLAUDECODE=1
    AgentMarks("claude-code", ("CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT"), "CLAUDE_CODE_SESSION_ID"),
    # [S] codex-rs: protocol/src/shell_environment.rs, core/src/unified_exec, core/src/sandboxing
    AgentMarks("codex", ("CODEX_CI", "CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED"), "CODEX_THREAD_ID"),
    # [S] as in gemini-cli, of which it is a fork; so it goes first
    AgentMarks("qwen-code", ("QWEN_CODE",)),
    # [S] packages/core/src/services/shellExecutionService.ts; [R] the id, in hooks of 0.61
    AgentMarks("gemini-cli", ("GEMINI_CLI",), "GEMINI_SESSION_ID"),
    AgentMarks("opencode", ("OPENCODE",)),  # [S] packages/opencode/src/index.ts
    AgentMarks("cursor", ("CURSOR_AGENT",)),  # [S] set for the shell of the agent, not for a person's
    AgentMarks("copilot", ("COPILOT_CLI",)),  # [R] 1.0.102
    AgentMarks("pi", ("PI_CODING_AGENT",)),  # [S] packages/coding-agent/src/cli.ts
    AgentMarks("cline", ("CLINE_ACTIVE",)),  # [S] VscodeTerminalRegistry.ts
    AgentMarks("crush", ("CRUSH",)),  # [S] internal/shell/shell.go
    AgentMarks("aider", ("OR_APP_NAME=Aider",)),  # [S] aider/llm.py; it sets no other
)


def actor_of(environment: Mapping[str, str]) -> str:
    """The agent that runs this command: `MDMEM_ACTOR`, else by the marks of AGENTS; "" for a person."""
    if actor := environment.get(ACTOR):
        return actor
    if agent := _marked(environment):
        return agent.name
    name = _NAME.match(environment.get(_GENERIC, ""))
    return name[0].lower() if name and name[0].lower() != "true" else ""


def session_of(environment: Mapping[str, str]) -> str:
    """The id of the conversation: `MDMEM_SESSION`, else as the agent tells it; "" if it is not told."""
    if session := environment.get(SESSION):
        return session
    agent = _marked(environment)
    return environment.get(agent.session, "") if agent else ""


def _marked(environment: Mapping[str, str]) -> AgentMarks | None:
    return next((agent for agent in AGENTS if _has_mark(environment, agent)), None)


def _has_mark(environment: Mapping[str, str], agent: AgentMarks) -> bool:
    for mark in filter(None, (*agent.marks, agent.session)):
        variable, _, wanted = mark.partition("=")
        value = environment.get(variable, "")
        if value == wanted if wanted else value.lower() not in _OFF:
            return True
    return False
