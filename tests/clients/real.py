"""Sessions of real LLM clients, each in a home of its own, with a model on the loopback address.

    python -m tests.clients.real CLIENT ...

runs sessions of the clients named, or of all that are found, and prints what was seen, a row each.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from mdmem.clients import programs
from mdmem.clients.table import CLIENTS
from tests.stub_model import StubModel, Turn

HERE = dict(os.environ)  # read before a test empties it
MDMEM = str(Path(sys.executable).with_name("mdmem"))
PROMPT = "When does the web team meet? And remember this: the lease of the office ends on 30 June."
ASKED, LEARNED, LEASE = (
    "meets on Tuesday at ten",
    "The web team moved its meeting to Thursday.",
    "lease of the office",
)
HIDDEN = "The web team meets the auditors in secret."  # of high sensitivity: no agent is to see it
PACKED, TOUCHED = "Deploys run on Fridays only", "Memories that may bear on this prompt"
REMEMBER: Mapping[str, Any] = {"items": [{"text": LEARNED, "type": "fact"}]}
OTHERS = (  # newer than what the prompt asks for, and unlike each other: the pack has no place for more
    "Invoices go to Grace before noon.",
    "Backups run on the small server.",
    "Python code is formatted with ruff.",
    "The printer needs yellow ink.",
    "Customers in Norway pay in kroner.",
    "Passwords live in the shared safe.",
    "Releases are tagged by hand.",
    "Coffee beans come from Peru.",
    "Logs are kept for ninety days.",
    "Photos must be smaller than one megabyte.",
    "Guests use the side entrance.",
)
_PATIENCE = 110.0  # seconds for a session


class Session(NamedTuple):
    """What was seen of a session: `sent` is what the model got, `commits` are those of the client."""

    client: str
    version: str
    code: int
    output: str
    sent: str
    commits: list[dict[str, Any]]
    inbox: list[dict[str, Any]]
    undone: str
    home: Path
    vault: Path


class Start(NamedTuple):
    """How a client is started: its arguments, its environment."""

    arguments: tuple[str, ...]
    environment: Mapping[str, str]


def put(path: Path, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value, indent=1))


def claude(home: Path, project: Path, url: str) -> Start:
    tools = "mcp__plugin_mdmem_mdmem__recall,mcp__plugin_mdmem_mdmem__remember"
    arguments = ("-p", PROMPT, "--allowedTools", tools)
    quiet = {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1"}
    return Start(arguments, {"ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": "stub", **quiet})


def codex(home: Path, project: Path, url: str) -> Start:
    put(
        home / ".codex/config.toml",
        'model = "stub"\nmodel_provider = "stub"\napproval_policy = "never"\nsandbox_mode = "danger-full-access"\n'
        f'[model_providers.stub]\nname = "stub"\nbase_url = "{url}/v1"\nwire_api = "responses"\n'
        'env_key = "STUB_KEY"\nrequest_max_retries = 0\nstream_max_retries = 0\n',
    )
    return Start(
        ("exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust", PROMPT), {"STUB_KEY": "stub"}
    )


def copilot(home: Path, project: Path, url: str) -> Start:
    quiet = {"COPILOT_OFFLINE": "true", "COPILOT_AUTO_UPDATE": "false", "COPILOT_ALLOW_ALL": "true"}
    model = {"COPILOT_MODEL": "stub", "COPILOT_PROVIDER_BASE_URL": f"{url}/v1", "COPILOT_PROVIDER_API_KEY": "stub"}
    return Start(("--allow-all-tools", "--trust-folder", "-p", PROMPT), {**quiet, **model})


def gemini(home: Path, project: Path, url: str) -> Start:
    put(
        home / ".gemini/settings.json",
        {
            "security": {"auth": {"selectedType": "gemini-api-key"}},
            "general": {"enableAutoUpdate": False},
            "privacy": {"usageStatisticsEnabled": False},
        },
    )
    arguments = ("--yolo", "--skip-trust", "-m", "gemini-2.5-pro", "-p", PROMPT)
    return Start(arguments, {"GEMINI_API_KEY": "stub", "GOOGLE_GEMINI_BASE_URL": url})


def qwen(home: Path, project: Path, url: str) -> Start:
    settings = {"security": {"auth": {"selectedType": "openai"}}, "privacy": {"usageStatisticsEnabled": False}}
    put(home / ".qwen/settings.json", settings)
    model = {"OPENAI_API_KEY": "stub", "OPENAI_BASE_URL": f"{url}/v1", "OPENAI_MODEL": "stub"}
    return Start(("--yolo", "-p", PROMPT), model)


def opencode(home: Path, project: Path, url: str) -> Start:
    models = {"stub": {"name": "Stub", "limit": {"context": 100000, "output": 4000}}}
    options = {"baseURL": f"{url}/v1", "apiKey": "stub"}
    put(
        project / "opencode.json",
        {
            **{"autoupdate": False, "share": "disabled", "model": "stub/stub", "small_model": "stub/stub"},
            "provider": {"stub": {"npm": "@ai-sdk/openai-compatible", "options": options, "models": models}},
            "permission": {"*": "allow"},
        },
    )
    quiet = {"OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DISABLE_MODELS_FETCH": "1"}
    return Start(("run", PROMPT), quiet)


def pi(home: Path, project: Path, url: str) -> Start:
    provider = {"baseUrl": f"{url}/v1", "api": "openai-completions", "apiKey": "stub", "models": [{"id": "stub"}]}
    put(home / ".pi/agent/models.json", {"providers": {"stub": provider}})
    return Start(("--provider", "stub", "--model", "stub", "-p", PROMPT), {"PI_OFFLINE": "1"})


STARTS: dict[str, Callable[[Path, Path, str], Start]] = {
    **{"claude-code": claude, "codex": codex, "copilot": copilot, "gemini": gemini},
    **{"qwen": qwen, "opencode": opencode, "pi": pi},
}


def script(client: str) -> list[Turn]:
    """Look it up, remember something, say so.

    Claude Code and Codex begin without waiting for a server: their model waits for the tools first.
    """
    wait = {
        "claude-code": [Turn(tool="ToolSearch", arguments={"query": "mdmem recall remember", "max_results": 5})],
        "codex": [Turn(tool="exec_command", arguments={"cmd": "sleep 5"})],
    }
    return [
        *wait.get(client, ()),
        Turn(tool="recall", arguments={"query": "when does the web team meet"}),
        Turn(tool="remember", arguments=REMEMBER),
        Turn("They meet on Thursday from now on."),
    ]


def found(client: str) -> str:
    """The place of a client's program: in MDMEM_CLIENTS_DIR, on PATH, or beside Python; "" if it is not here."""
    path = os.pathsep.join((HERE.get("PATH", ""), os.path.dirname(sys.executable)))
    return programs.find(CLIENTS[client].program, {**HERE, "PATH": path})


def hold(client: str, folder: Path) -> Session:
    """Make a vault, connect a client to it, hold a session, and undo it."""
    home, project, vault = (folder / name for name in ("home", "project", "vault"))
    project.mkdir(parents=True)
    put(home / ".gitconfig", "[user]\n\tname = Ada Lovelace\n\temail = ada@example.org\n")
    program = found(client)
    environment = clean(home, program)

    def mdmem(*words: str) -> str:
        line = [MDMEM, *words]
        done = subprocess.run(
            line, cwd=project, env=environment, capture_output=True, text=True, timeout=_PATIENCE
        )
        assert done.returncode == 0, f"{line}: {done.stdout}{done.stderr}"
        return done.stdout

    subprocess.run(["git", "init", "--quiet", project], check=True, env=environment)
    fill(vault, mdmem)
    with StubModel(script(client)) as model:
        start = STARTS[client](home, project, model.url)
        mdmem("connect", client, "--vault", str(vault))
        environment = {**environment, **start.environment}
        code, output = run([program, *start.arguments], project, environment)
    environment = clean(home, program)
    commits = [
        commit for commit in json.loads(mdmem("log", "--json", "--vault", str(vault))) if is_of_session(commit)
    ]
    inbox = json.loads(mdmem("inbox", "--json", "--vault", str(vault)))
    session = commits[0]["session"] if commits else ""
    undone = mdmem("undo", "--session", session, "--vault", str(vault)) if session else ""
    version = programs.version(program, environment)
    return Session(client, version, code, output, model.sent, commits, inbox, undone, home, vault)


def run(line: list[str], folder: Path, environment: Mapping[str, str]) -> tuple[int, str]:
    """Exit code and output of a client; what it started is ended with it."""
    process = subprocess.Popen(
        line,
        cwd=folder,
        env=dict(environment),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        output, _ = process.communicate(timeout=_PATIENCE)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, 9)
    return process.returncode, output


def fill(vault: Path, mdmem: Callable[..., str]) -> None:
    """A vault in which the pack of a session has no place for all: only the prompt finds the meeting."""
    mdmem("init", str(vault), "--no-examples")
    notes = {"meeting_of_web_team_is_tuesday": (1, "The web team meets on Tuesday at ten.")}
    for month, text in enumerate(OTHERS, 2):
        notes["_".join(text.lower().strip(".").split())] = (month, text)
    for name, (month, text) in notes.items():
        head = f"title: {name}\ncreated: 2025-{month:02}-01T00:00:00Z\ncategory: past\ntype: fact"
        put(vault / f"allmemories/{name}.md", f"---\n{head}\n---\n\n{text}\n")
    options = ("--vault", str(vault))
    mdmem("adopt", "--all", *options)
    mdmem("remember", HIDDEN, "--set", "sensitivity=high", "--set", "pinned=true", *options)
    mdmem("remember", "Deploys run on Fridays only.", "--type", "decision", "--set", "pinned=true", *options)


def clean(home: Path, program: str) -> dict[str, str]:
    """An environment with nothing of the developer's, and with a node that starts the program."""
    node = programs.find("node", HERE)
    folders = (os.path.dirname(program), os.path.dirname(node), "/usr/local/bin", "/usr/bin", "/bin")
    path = os.pathsep.join(filter(None, folders))
    return {"HOME": str(home), "PATH": path, "LANG": "C.UTF-8", "TERM": "dumb"}


def is_of_session(commit: Mapping[str, Any]) -> bool:
    return commit["actor"] not in ("", "Ada Lovelace")


def row(session: Session) -> str:
    """What was seen, a cell each."""
    commit = session.commits[0] if session.commits else {"actor": "-", "session": "-"}
    cells = (
        session.client,
        session.version,
        f"exit {session.code}",
        f"hidden {HIDDEN not in session.sent}",
        f"tools {ASKED in session.sent and bool(session.commits)}",
        f"pack {PACKED in session.sent}",
        f"prompt {TOUCHED in session.sent}",
        f"captured {any(LEASE in json.dumps(each) for each in session.inbox)}",
        f"{commit['actor']} {commit['session']}",
        session.undone.strip() or "no undo",
    )
    return " | ".join(cells)


def main() -> None:
    for client in sys.argv[1:] or STARTS:
        if not found(client):
            print(f"{client} | not here")
            continue
        with tempfile.TemporaryDirectory(prefix=f"session-{client}-") as folder:
            session = hold(client, Path(folder))
            print(row(session), flush=True)
            if session.code:
                print(session.output[-2000:])


if __name__ == "__main__":
    main()
