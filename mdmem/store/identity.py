"""Who acts, and in which conversation: agents set environment variables for the commands that they run.

The source of each mark is [R] a real run of the client, or [S] its source code. A mark that an editor also sets
in a person's terminal (CURSOR_TRACE_ID, TERM_PROGRAM, GEMINI_CLI_IDE_*) or that a person sets (CODEX_HOME) is
not in the table: it says where a command runs, not who runs it.
"""

from collections.abc import Mapping
from typing import NamedTuple

from mdmem.note import tsv

ACTOR, SESSION = "MDMEM_ACTOR", "MDMEM_SESSION"  # set by a person; they take precedence over any mark
_GENERIC = "AI_AGENT"  # https://github.com/vercel/vercel/tree/main/packages/detect-agent: "name", "name@version"
_NAME = r"(?i)[a-z][\w.-]*"
_OFF = ("", "0", "false")


class AgentMarks(NamedTuple):
    """An agent, the variables that each identify it, and the variable with the id of its conversation.

    `client` is the beginning of the name that its MCP client gives, if that is not the agent's own name.
    """

    name: str
    marks: tuple[str, ...]
    session: str
    client: str


AGENTS = tuple(
    AgentMarks(name, tuple(marks.split()), session, client)
    for name, marks, session, client in tsv.rows(__file__, "agents.tsv", 4)
)


def actor_of(environment: Mapping[str, str], told: str = "") -> str:
    """The acting agent: `MDMEM_ACTOR`, else as `told`, else by the marks of AGENTS; "" for a person."""
    if actor := environment.get(ACTOR) or told:
        return actor
    if agent := _marked(environment):
        return agent.name
    said = environment.get(_GENERIC)
    if not said:
        return ""
    import re

    name = re.match(_NAME, said)
    return name[0].lower() if name and name[0].lower() != "true" else ""


def actor_of_client(name: str) -> str:
    """The agent whose MCP client gives this name; for an unknown client its name, in one word."""
    known = (agent.name for agent in AGENTS if agent.client and name.startswith(agent.client))
    return next(known, "-".join(name.lower().split()))


def session_of(environment: Mapping[str, str], actor: str = "", told: str = "") -> str:
    """The id of the conversation: `MDMEM_SESSION`, else as `told`, else by the agent's variable; "" for none.

    The agent is the one that runs this command, or the one named `actor`: an agent started by another one
    inherits the marks of both.
    """
    if session := environment.get(SESSION) or told:
        return session
    agent = next((agent for agent in AGENTS if agent.name == actor), None) if actor else _marked(environment)
    return environment.get(agent.session, "") if agent else ""


def parent_of(environment: Mapping[str, str]) -> tuple[str, str]:
    """(session, actor) of the agent that a subagent works for; each "" if it is not set."""
    return environment.get("MDMEM_PARENT_SESSION", ""), environment.get("MDMEM_PARENT_ACTOR", "")


def _marked(environment: Mapping[str, str]) -> AgentMarks | None:
    return next((agent for agent in AGENTS if _has_mark(environment, agent)), None)


def _has_mark(environment: Mapping[str, str], agent: AgentMarks) -> bool:
    for mark in filter(None, (*agent.marks, agent.session)):
        variable, _, wanted = mark.partition("=")
        value = environment.get(variable, "")
        if value == wanted if wanted else value.lower() not in _OFF:
            return True
    return False
