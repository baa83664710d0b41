"""Sessions of real LLM clients, each in a home of its own, with a model on the loopback address.

    python -m tests.connect.real [--only SITUATION,...] [CLIENT ...]

holds sessions of the clients named, or of all that are found, in every situation, and prints what was seen.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from mdmem.connect import programs
from mdmem.connect.plan import CLIENTS
from tests.stub_model import StubModel, Turn

HERE = dict(os.environ)  # read before a test empties it
MDMEM = Path(sys.executable).with_name("mdmem")
PROMPT = "When does the web team meet? And remember this: the lease of the office ends on 30 June."
UNRELATED = "Print the first ten squares in Fortran."
ASKED, LEARNED, LEASE = (
    "meets on Tuesday at ten",
    "The web team moved its meeting to Thursday.",
    "lease of the office",
)
HIDDEN = "The web team meets the auditors in secret."  # of high sensitivity: no agent is to see it
DEPLOYS = PACKED = "Deploys run on Fridays only."
TOUCHED = "Memories that may bear on this prompt"
LAST = "They meet on Thursday from now on."
OURS = "Otters build the shed"  # in the vault of the project
PREFERRED = "User prefers harbor photographs over drawings in all reports."
GONE = "is gone or does not start"
OTHERS = (  # newer than what the prompt asks for, and unlike each other
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
_PATIENCE = 400.0  # seconds for a session; OpenCode installs a package in its first one
_OF_SESSIONS = (
    *(
        "sessions",
        "session-",
        "/projects/",
        "/logs",
        "log/",
        "cache",
        "/tmp/",
        "history",
        ".db",
        "state",
        "/todos",
    ),
    *("/debug", "npm", "backups", ".claude.json", "telemetry", "sqlite", "trusted_hooks", "snapshot"),
)


class Start(NamedTuple):
    """How a client is started: its arguments before the prompt, its environment."""

    arguments: tuple[str, ...]
    environment: Mapping[str, str]


class Session(NamedTuple):
    """What was seen of a session: `sent` is what the model got, `output` what the person saw."""

    code: int
    output: str
    sent: str
    requests: tuple[str, ...]

    @property
    def packs(self) -> int:
        """How often the last request that has any holds a pack of a start."""
        return max((request.count("Vault /") for request in self.requests), default=0)


def put(path: Path, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value, indent=1))


def commented(value: Any) -> str:
    """Settings as a person may have them: a comment, tabs, and lines that end as on Windows."""
    return ("// mine\n" + json.dumps(value, indent="\t") + "\n").replace("\n", "\r\n")


# -- how each client is pointed at the model; what it finds in its home and in the project is the person's own


def claude(home: Path, project: Path, url: str) -> Start:
    put(
        home / ".claude/settings.json",
        json.dumps({"includeCoAuthoredBy": False}, indent="\t").replace("\n", "\r\n"),
    )
    tools = ",".join(f"{server}__{tool}" for server in ("mcp__plugin_mdmem_mdmem", "mcp__mdmem") for tool in TOOLS)
    quiet = {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1"}
    return Start(
        ("--allowedTools", f"{tools},Bash(sleep *),Write", "-p"),
        {"ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": "stub", **quiet},
    )


def codex(home: Path, project: Path, url: str) -> Start:
    put(
        home / ".codex/config.toml",
        'model = "stub"\nmodel_provider = "stub"\napproval_policy = "never"\nsandbox_mode = "danger-full-access"\n'
        f'[model_providers.stub] # mine\nname = "stub"\nbase_url = "{url}/v1"\nwire_api = "responses"\n'
        'env_key = "STUB_KEY"\nrequest_max_retries = 0\nstream_max_retries = 0\n'
        f'[projects."{project}"]\ntrust_level = "trusted"\n',
    )
    return Start(("exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust"), {"STUB_KEY": "stub"})


def copilot(home: Path, project: Path, url: str) -> Start:
    put(home / ".copilot/settings.json", commented({"theme": "dark"}))
    quiet = {"COPILOT_OFFLINE": "true", "COPILOT_AUTO_UPDATE": "false", "COPILOT_ALLOW_ALL": "true"}
    model = {"COPILOT_MODEL": "stub", "COPILOT_PROVIDER_BASE_URL": f"{url}/v1", "COPILOT_PROVIDER_API_KEY": "stub"}
    return Start(("--allow-all-tools", "--trust-folder", "-p"), {**quiet, **model})


def gemini(home: Path, project: Path, url: str) -> Start:
    settings = {
        "security": {"auth": {"selectedType": "gemini-api-key"}},
        "general": {"enableAutoUpdate": False},
        "privacy": {"usageStatisticsEnabled": False},
    }
    put(home / ".gemini/settings.json", commented(settings))
    put(home / ".gemini/trustedFolders.json", {str(project): "TRUST_FOLDER"})
    arguments = ("--yolo", "--skip-trust", "-m", "gemini-2.5-pro", "-p")
    return Start(arguments, {"GEMINI_API_KEY": "stub", "GOOGLE_GEMINI_BASE_URL": url})


def qwen(home: Path, project: Path, url: str) -> Start:
    settings = {"security": {"auth": {"selectedType": "openai"}}, "privacy": {"usageStatisticsEnabled": False}}
    put(home / ".qwen/settings.json", commented(settings))
    model = {"OPENAI_API_KEY": "stub", "OPENAI_BASE_URL": f"{url}/v1", "OPENAI_MODEL": "stub"}
    return Start(("--yolo", "-p"), model)


def opencode(home: Path, project: Path, url: str) -> Start:
    models = {"stub": {"name": "Stub", "limit": {"context": 100000, "output": 4000}}}
    options = {"baseURL": f"{url}/v1", "apiKey": "stub"}
    settings = {
        **{"autoupdate": False, "share": "disabled", "model": "stub/stub", "small_model": "stub/stub"},
        "provider": {"stub": {"npm": "@ai-sdk/openai-compatible", "options": options, "models": models}},
        "permission": {"*": "allow"},
    }
    put(home / ".config/opencode/opencode.json", commented(settings))
    quiet = {"OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DISABLE_MODELS_FETCH": "1"}
    return Start(("run",), quiet)


def pi(home: Path, project: Path, url: str) -> Start:
    provider = {"baseUrl": f"{url}/v1", "api": "openai-completions", "apiKey": "stub", "models": [{"id": "stub"}]}
    put(home / ".pi/agent/models.json", {"providers": {"stub": provider}})
    return Start(("--provider", "stub", "--model", "stub", "-p"), {"PI_OFFLINE": "1"})


TOOLS = ("recall", "read", "brief", "remember", "revise", "forget", "restore", "garden", "judge")
STARTS: dict[str, Callable[[Path, Path, str], Start]] = {
    **{"claude-code": claude, "codex": codex, "copilot": copilot, "gemini": gemini},
    **{"qwen": qwen, "opencode": opencode, "pi": pi},
}


def found(client: str) -> str:
    """The place of a client's program: in MDMEM_CLIENTS_DIR, on PATH, or beside Python; "" if it is not here."""
    path = os.pathsep.join((HERE.get("PATH", ""), os.path.dirname(sys.executable)))
    return programs.find(CLIENTS[client].program, {**HERE, "PATH": path})


# -- a home with a client, and sessions in it


class World:
    """A home with a client and a copy of the program mdmem, a project to work in, and vaults."""

    def __init__(self, client: str, folder: Path, model: StubModel) -> None:
        self.client, self.folder, self.model = client, folder, model
        self.home, self.project = folder / "home", folder / "project"
        self.mdmem_program = folder / "bin/mdmem"
        self.client_program = str(folder / "bin" / CLIENTS[client].program)
        self.project.mkdir(parents=True)
        self.mdmem_program.parent.mkdir()
        os.symlink(
            found(client), self.client_program
        )  # alone, so that no command asks the others for their version
        shutil.copy2(MDMEM, self.mdmem_program)
        put(self.home / ".gitconfig", "[user]\n\tname = Ada Lovelace\n\temail = ada@example.org\n")
        self.environment = clean(self.home, self.client_program)
        subprocess.run(["git", "init", "--quiet", self.project], check=True, env=self.environment)
        self.start = STARTS[client](self.home, self.project, model.url)

    def mdmem(self, *words: str | Path, code: int = 0) -> str:
        """What a command of mdmem prints."""
        line = [str(word) for word in (self.mdmem_program, *words)]
        done = subprocess.run(
            line, cwd=self.project, env=self.environment, capture_output=True, text=True, timeout=_PATIENCE
        )
        assert done.returncode == code, f"{line}: {done.stdout}{done.stderr}"
        return done.stdout

    def listed(self) -> dict[str, Any]:
        """What `connect --list` says of the client."""
        states = json.loads(self.mdmem("connect", "--list", "--json"))
        found: dict[str, Any] = next(state for state in states if state["name"] == self.client)
        return found

    @property
    def started(self) -> dict[str, str]:
        """The environment of the client."""
        return {**self.environment, **self.start.environment}

    def session(self, *turns: Turn, prompt: str = PROMPT, folder: Path | None = None) -> Session:
        """Hold a session in a folder, by default in the project, in which the model plays these turns."""
        model = self.model
        model.requests, model.turns = (
            [],
            [*waiting(self.client), *turns, Turn("They meet on Thursday from now on.")],
        )
        line = [self.client_program, *self.start.arguments, prompt]
        code, output = run(line, folder or self.project, self.started)
        return Session(code, output, model.sent, tuple(json.dumps(body) for body in model.requests))

    def commits(self, vault: Path) -> list[dict[str, Any]]:
        """The commits of the client."""
        every = json.loads(self.mdmem("log", "--json", "--vault", vault))
        return [commit for commit in every if commit["actor"] not in ("", "Ada Lovelace")]

    def waits(self, vault: Path, text: str = LEASE) -> int:
        """How many captured memories of a vault say a text."""
        return sum(
            text in item["text"]
            for item in json.loads(self.mdmem("waiting", "--kind", "captured", "--json", "--vault", vault))
        )

    def files(self) -> dict[str, str]:
        """The files of home and project, but those of git, with a digest each."""
        every = (path for base in (self.home, self.project) for path in base.rglob("*"))
        inner = ".git/objects", ".git/logs"
        return {
            str(path.relative_to(self.folder)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in every
            if path.is_file() and not any(part in str(path) for part in inner)
        }

    def traces(self) -> list[str]:
        """The files of settings that name mdmem; what a client keeps of its sessions is its own."""
        return [
            path
            for path in self.files()
            if not is_of_sessions(path) and b"mdmem" in (self.folder / path).read_bytes()
        ]


def is_of_sessions(path: str) -> bool:
    """Whether a file of a client is about sessions that it held: transcripts, logs, caches."""
    return any(part in path.lower() for part in _OF_SESSIONS)


def waiting(client: str) -> list[Turn]:
    """Claude Code and Codex begin without waiting for a server: their model waits for the tools first."""
    wait = {
        "claude-code": [
            Turn(tool="Bash", arguments={"command": "sleep 10"}),
            Turn(tool="ToolSearch", arguments={"query": "mdmem recall remember", "max_results": 9}),
        ],
        "codex": [Turn(tool="exec_command", arguments={"cmd": "sleep 10"})],
    }
    return wait.get(client, [])


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


def clean(home: Path, program: str) -> dict[str, str]:
    """An environment with nothing of the developer's, and with a node that starts the program."""
    node = programs.find("node", HERE)
    folders = (os.path.dirname(program), os.path.dirname(node), "/usr/local/bin", "/usr/bin", "/bin")
    path = os.pathsep.join(filter(None, folders))
    return {"HOME": str(home), "PATH": path, "LANG": "C.UTF-8", "TERM": "dumb"}


def fill(world: World) -> Path:
    """The vault of the person. The pack has no place for all of it: only the prompt finds the meeting."""
    vault = world.folder / "vault"
    world.mdmem("init", vault, "--no-examples")
    texts = {"meeting_of_web_team_is_tuesday": "The web team meets on Tuesday at ten."}
    texts |= {"_".join(text.lower().strip(".").split()): text for text in (*OTHERS, DEPLOYS, HIDDEN)}
    more = {DEPLOYS: "\npinned: true", HIDDEN: "\npinned: true\nsensitivity: high"}
    for number, (name, text) in enumerate(texts.items()):
        when = f"2025-{1 + number // 2:02}-{1 + number % 2:02}T00:00:00Z"
        head = f"title: {name}\ncreated: {when}\ncategory: past\ntype: fact{more.get(text, '')}"
        put(vault / f"allmemories/{name}.md", f"---\n{head}\n---\n\n{text}\n")
    world.mdmem("adopt", "--all", "--vault", vault)
    return vault


def fill_project(world: World) -> Path:
    """The vault of the project, of one memory."""
    vault = world.folder / "ours"
    world.mdmem("init", vault, "--no-examples")
    world.mdmem("remember", f"{OURS}.", "--set", "pinned=true", "--vault", vault)
    return vault


# -- the situations: each connects the client, holds sessions and says what was seen

Seen = dict[str, Any]
_LOOK = Turn(tool="recall", arguments={"query": "when does the web team meet"})
_ITEMS = {"items": [{"text": LEARNED, "type": "fact"}]}
_DAY = (
    _LOOK,
    Turn(tool="remember", arguments=_ITEMS),
    Turn(tool="remember", arguments=_ITEMS),
    Turn(tool="read", arguments={"names": ["meeting of web team is tuesday"]}),
    Turn(tool="revise", arguments={"name": "guests_use_the_side_entrance", "old": "side", "new": "main"}),
    Turn(tool="forget", arguments={"names": ["the_printer_needs_yellow_ink"], "reason": "It was sold."}),
    Turn(tool="read", arguments={"names": ["the_printer_needs_yellow_ink"]}),
    Turn(tool="restore", arguments={"names": ["the_printer_needs_yellow_ink"]}),
)


def notes(vault: Path) -> dict[str, bytes]:
    """The memories of a vault, byte for byte."""
    return {path.name: path.read_bytes() for path in (vault / "allmemories").rglob("*.md")}


def seen_in(session: Session) -> Seen:
    """What every session shows."""
    return {
        "exit": session.code,
        "answered": LAST in session.output,
        "hidden": HIDDEN not in session.sent,
        "pack": PACKED in session.sent,
        "prompt": TOUCHED in session.sent or ASKED in session.sent,  # a pack that has told it already will do
        "recall": ASKED in session.sent,
    }


def one(world: World, *, project: bool = False) -> Seen:
    """One connection: a day of an agent, its undo, an unrelated prompt, and what is left in the end."""
    vault, options = fill(world), ["--project"] * project
    before = world.files()
    world.mdmem("connect", world.client, "--vault", vault, *options)
    status = subprocess.run(
        ["git", "status", "--porcelain", "-uall"], cwd=world.project, capture_output=True, text=True, check=True
    )
    world.mdmem("disconnect", world.client, *options)
    seen: Seen = {"clean git": not status.stdout, "back at once": world.files() == before}
    world.mdmem("connect", world.client, "--vault", vault, *options)
    kept = notes(vault)
    session = world.session(*_DAY)
    said = session.sent
    seen |= seen_in(session) | {
        "already said": "already said by" in said,
        "read by words": "### meeting_of_web_team_is_tuesday" in said,
        "revised": "- revised" in said or "revised allmemories" in said,
        "forgot": "forgot allmemories" in said,
        "read what is gone": "it was forgotten" in said,
        "restored": "restored allmemories" in said,
        "captured": world.waits(vault),
    }
    commits = world.commits(vault)
    seen["actors"] = sorted({commit["actor"] for commit in commits})
    sessions = {commit["session"] for commit in commits}
    told = told_sessions(world.home)  # Gemini CLI names files by the first letters of an id
    seen["own session"] = len(sessions) == 1 and all(each.partition("-")[0] in told for each in sessions)
    for each in sessions:
        world.mdmem("undo", "--session", each, "--vault", vault)
    seen["undo"] = notes(vault) == kept
    unrelated = world.session(prompt=UNRELATED)
    seen["silent"] = TOUCHED not in unrelated.sent and unrelated.code == 0
    listed = world.listed()
    seen["list"] = {key: listed[key] for key in ("problems", "untried")} | {"tools": len(listed["tools"])}
    world.mdmem("disconnect", world.client, *options)
    after = world.files()
    seen["changed"] = [
        path for path, known in before.items() if after.get(path) != known and not is_of_sessions(path)
    ]
    seen["left"] = [path for path in after if path.startswith("project/") and path not in before][:9]
    seen["traces"] = world.traces()
    return seen


def alone(world: World) -> Seen:
    """One connection, of the project."""
    return one(world, project=True)


def two(world: World) -> Seen:
    """A connection for the user, and one in the project with a vault of its own."""
    theirs, ours = fill(world), fill_project(world)
    world.mdmem("connect", world.client, "--vault", theirs)
    said = world.mdmem("connect", world.client, "--project", "--vault", ours)
    session = world.session(_LOOK, Turn(tool="remember", arguments=_ITEMS))
    seen = {"told": "the vault is" in said} | seen_in(session)
    seen |= {
        "ours in pack": OURS in session.sent,
        "named": f"Vault {ours}" in session.sent,
        "named to server": f"The vault is {ours}" in session.sent,
        "packs": session.packs,
        "written to": [path.name for path in (theirs, ours) if world.commits(path)],
        "captured": {path.name: world.waits(path) for path in (theirs, ours)},
    }
    listed = world.listed()
    seen["list"] = {key: listed[key] for key in ("vault", "project_vault", "problems", "untried")}
    elsewhere = world.folder / "elsewhere"
    elsewhere.mkdir()
    other = world.session(_LOOK, folder=elsewhere)
    seen["elsewhere"] = {
        **{"exit": other.code, "theirs": PACKED in other.sent, "ours": OURS in other.sent},
        "named": f"Vault {theirs}" in other.sent,
    }
    world.mdmem("disconnect", world.client)
    last = world.session(_LOOK, Turn(tool="remember", arguments={"items": [{"text": "Otters sleep at noon."}]}))
    seen["project only"] = {
        **{"exit": last.code, "ours": OURS in last.sent, "theirs": PACKED in last.sent},
        "written": "Otters sleep" in world.mdmem("list", "--vault", ours),
    }
    return seen


def moved(world: World) -> Seen:
    """The vault was moved: the person is told, and nobody makes a new one."""
    vault = fill(world)
    world.mdmem("connect", world.client, "--vault", vault)
    vault.rename(world.folder / "notes")
    session = world.session(_LOOK)
    again = f"mdmem connect {world.client} --vault DIR"
    return {
        "exit": session.code,
        "answered": LAST in session.output,
        "shown": again in session.output,
        "to the model": again in session.sent,
        "tell the user": "tell the user" in session.sent,
        "init": "mdmem init" in session.sent,
        "list": world.listed()["problems"],
    }


def removed(world: World) -> Seen:
    """The program mdmem is gone: the client starts and answers."""
    vault = fill(world)
    world.mdmem("connect", world.client, "--vault", vault)
    world.mdmem("connect", world.client, "--project", "--vault", vault)
    world.mdmem_program.rename(world.folder / "elsewhere")
    session = world.session()
    seen: Seen = {
        "exit": session.code,
        "answered": LAST in session.output,
        "shown": GONE in session.output,
        "to the model": GONE in session.sent,
    }
    shutil.rmtree(world.home / ".local/share/mdmem/clients")
    session = world.session()
    seen["no launcher"] = {"exit": session.code, "answered": LAST in session.output}
    return seen


# client -> its own command that writes a file anew in which our lines are, and that file
_REWRITES: dict[str, tuple[tuple[str, ...], str]] = {
    "claude-code": (("mcp", "add", "--scope", "project", "other", "--", "true"), "project/.mcp.json"),
    "codex": (("mcp", "add", "other", "--", "true"), "home/.codex/config.toml"),
    "copilot": (("plugin", "marketplace", "add", "{other}"), "home/.copilot/settings.json"),
    "gemini": (("mcp", "add", "--scope", "project", "other", "true"), "project/.gemini/settings.json"),
    "qwen": (("mcp", "add", "--scope", "project", "other", "true"), "project/.qwen/settings.json"),
}


def rewritten(world: World) -> Seen:
    """The client writes settings anew that hold our lines; those of mdmem alone are left out of it."""
    vault = fill(world)
    words, file = _REWRITES.get(world.client, ((), ""))
    options = ["--project"] * file.startswith("project")
    catalogue = {"name": "other", "owner": {"name": "Ada"}, "plugins": []}
    put(world.folder / "other/.claude-plugin/marketplace.json", catalogue)
    world.mdmem("connect", world.client, "--vault", vault, *options)
    before = (world.folder / file).read_bytes() if file else b""
    line = [world.client_program, *(word.format(other=world.folder / "other") for word in words)]
    code, output = run(line, world.project, world.started) if file else (0, "")
    session = world.session(_LOOK)
    seen = {"command": code, "rewritten": bool(file) and (world.folder / file).read_bytes() != before}
    seen |= {"exit": session.code, "pack": PACKED in session.sent, "recall": ASKED in session.sent}
    seen["list"] = world.listed()["problems"]
    world.mdmem("disconnect", world.client, *options)
    there = (world.folder / file).read_text() if file and (world.folder / file).exists() else ""
    return seen | {
        "theirs": "other" in there,
        "traces": world.traces(),
        "file": there[:600],
        "output": output[-300:],
    }


_UNTIDY = {  # who wrote it -> two notes that say or contradict the same
    "codex": (
        *("Every deploy needs two approvals from the platform team.",),
        *("Each deploy needs two approvals, from the platform team.",),
        *("The rent of 900 euros is paid to Ida in cash.", "Ida gets the rent of 950 euros in cash."),
    ),
    "": ("Grace keeps the alarm code of the office.", "The alarm code of the office is kept by Grace."),
}
_BOTH = "Every deploy needs two approvals, each from the platform team."
_TIDY = "Please tidy the memory."


def fill_untidy(world: World) -> Path:
    """A vault in which notes of an agent, notes of the person, and a captured memory wait for a verdict."""
    vault = world.folder / "vault"
    world.mdmem("init", vault, "--no-examples")
    for actor, texts in _UNTIDY.items():
        who = ["--actor", actor] if actor else []  # else the person
        for text in texts:
            world.mdmem("remember", text, "--twins", "ignore", *who, "--session", "old", "--vault", vault)
    said = {"role": "user", "content": "Remember that the lease of the office ends on 30 June."}
    put(world.folder / "log.jsonl", {"type": "user", "sessionId": "old", "uuid": "1", "message": said})
    event = json.dumps({"session_id": "old", "transcript_path": str(world.folder / "log.jsonl")})
    line = [world.mdmem_program, "hook", "SessionEnd", "--client", "claude-code", "--vault", vault]
    subprocess.run(line, input=event, env=world.environment, check=True, capture_output=True, text=True)
    return vault


def verdicts_on(world: World, vault: Path) -> list[dict[str, str]]:
    """What the model says of all that waits, by what it is about."""
    found = json.loads(world.mdmem("waiting", "--min-confidence", "0.05", "--json", "--vault", vault))
    said = []
    for one in found:
        item = {"id": one["id"], "verdict": "same", "why": "Both say it."}
        if one["kind"] == "captured":
            item = {**item, "verdict": "keep", "why": "It will matter."}
        elif "rent" in one["title"]:
            texts = [told["text"] for told in one["texts"]]
            newer = next(at for at, text in enumerate(texts) if "950" in text)
            order = ("first replaces second", "second replaces first")
            item = {**item, "verdict": order[newer], "why": "The rent went up."}
        elif "deploy" in one["title"]:
            item["text"] = _BOTH
        said.append(item)
    return said


def tidied(world: World, vault: Path) -> tuple[Session, Seen]:
    """A session that tidies, and what was seen of it."""
    said = verdicts_on(world, vault)
    before = {commit["session"] for commit in world.commits(vault)}
    kept = notes(vault)
    session = world.session(
        Turn(tool="garden", arguments={}),
        Turn(tool="judge", arguments={"items": said}),
        Turn(tool="garden", arguments={}),
        prompt=_TIDY,
    )
    mine = [commit for commit in world.commits(vault) if commit["session"] not in before]
    waits = json.loads(world.mdmem("waiting", "--min-confidence", "0.05", "--json", "--vault", vault))
    return session, {
        "exit": session.code,
        "both texts": all(text in session.sent for texts in _UNTIDY.values() for text in texts),
        "asked once": "nothing waits" in session.sent,
        "commits": sorted(f"{commit['actor']}: {','.join(commit['actions'])}" for commit in mine),
        "notes": len(notes(vault)) - len(kept),
        "wait for the person": sorted(one["of"] for one in waits if one["agreed"]),
        "sessions": sorted({commit["session"] for commit in mine}),
    }


def tidy(world: World) -> Seen:
    """The agent is asked to tidy: it acts on notes of agents, and what it says of the person's waits for them.

    Its session is undone; then again where the settings let it only advise.
    """
    vault = fill_untidy(world)
    world.mdmem("connect", world.client, "--vault", vault)
    kept = notes(vault)
    _, seen = tidied(world, vault)
    seen["merged text"] = any(_BOTH.encode() in data for data in notes(vault).values())
    log = subprocess.run(
        ["git", "log", "--format=%B"], cwd=vault, capture_output=True, text=True, check=True
    ).stdout
    seen["trailers"] = [name for name in ("Memory-Proposal", "Memory-Judge", "Memory-Session") if name in log]
    for each in seen.pop("sessions"):
        world.mdmem("undo", "--session", each, "--vault", vault)
    seen["undo"] = notes(vault) == kept
    put(vault / "mdmem.toml", (vault / "mdmem.toml").read_text() + '\n[garden]\nagents = "advise"\n')
    subprocess.run(["git", "commit", "-qam", "advise"], cwd=vault, env=world.environment, check=True)
    _, advised = tidied(world, vault)
    advised["unchanged"] = notes(vault) == kept
    del advised["sessions"]
    actor = seen["commits"][0].split(":")[0] if seen["commits"] else "nobody"
    advised["taken"] = world.mdmem("judge", "--agreed-by", actor, "--vault", vault).count("\n")
    advised["then"] = len(notes(vault)) - len(kept)
    return {**seen, "advise": advised}


# -- a week


class Day(NamedTuple):
    """A session of a week: when it is (RFC 3339), what the person says, and what the model does."""

    when: str
    prompt: str
    turns: tuple[Turn, ...]


def wrote(*texts: str, **given: str) -> Turn:
    return Turn(tool="remember", arguments={"items": [{"text": text, **given} for text in texts]})


def second_replaces_first(body: Mapping[str, Any]) -> Mapping[str, Any]:
    """The verdict on the two notes about CI that the tool garden told of."""
    blocks = re.split(r"## (?=\w+: )", json.dumps(body))
    told = next((block for block in blocks if "conflicts" in block and JENKINS in block and GITHUB in block), "")
    is_last = told.rfind(GITHUB, 0, told.find("```diff")) > told.find("Second: ")
    order = ("first replaces second", "second replaces first")[is_last]
    return {"items": [{"id": told.partition(":")[0], "verdict": order, "why": "We moved."}]}


def superseding(body: Mapping[str, Any]) -> Mapping[str, Any]:
    """The call of revise that the answer to the last write names."""
    told = re.findall(
        r'revise name=(\w+) set=\{"supersedes": "(\w+)"\}', json.dumps(body).replace("\\\\", "").replace("\\", "")
    )
    new, old = told[-1] if told else ("", "")
    return {"name": new, "set": {"supersedes": old}}


JENKINS, GITHUB = "CI runs on Jenkins.", "CI runs on GitHub Actions."
MEETS, MOVED = "The web team meets on Tuesday at ten.", "The web team meets on Thursday at ten."
RETRIES = "Retries in src/pay.py stop after three tries, because the bank blocks a card."
SHORT = "User wants commit messages in the imperative, below fifty characters."
TASK = "Next: switch off the Jenkins server by 4 December."
_PAY = "def pay(card):\n    return charge(card, tries=3)\n"


def days(client: str, project: Path) -> tuple[Day, ...]:
    """Monday to Monday."""
    place = {"claude-code": "file_path"}.get(client, "path")
    tool = "Write" if client == "claude-code" else "write"
    edits = Turn(tool=tool, arguments={place: str(project / "src/pay.py"), "content": _PAY})
    return (
        Day(
            "2026-11-23T09:00:00Z",
            "Set up the CI of the shop.",
            (
                Turn(tool="recall", arguments={"query": "CI"}),
                wrote(JENKINS, MEETS, RETRIES, *OTHERS),
                wrote(SHORT, type="preference"),
            ),
        ),
        Day(
            "2026-11-24T09:00:00Z",
            "Move the CI from Jenkins to GitHub Actions.",
            (wrote(GITHUB), Turn(tool="garden"), Turn(tool="judge", arguments=second_replaces_first)),
        ),
        Day(
            "2026-11-25T09:00:00Z",
            f"{PROMPT} They moved it.",
            (wrote(MOVED), Turn(tool="revise", arguments=superseding)),
        ),
        Day("2026-11-26T09:00:00Z", UNRELATED, ()),
        Day("2026-11-27T09:00:00Z", "Let the payment wait between two tries.", (edits, wrote(TASK))),
        Day("2026-11-30T09:00:00Z", "What is left to do?", ()),
    )


def week(world: World) -> Seen:
    """Sessions on several days: each starts with what was left before, and questions of writes are answered."""
    vault = world.folder / "vault"
    every = days(world.client, world.project)
    world.environment["MDMEM_NOW"] = every[0].when
    put(world.project / "src/pay.py", _PAY)
    for line in (["add", "."], ["commit", "-qm", "The payment"]):
        subprocess.run(["git", *line], cwd=world.project, check=True, env=world.environment)
    world.mdmem("init", vault)
    world.mdmem("connect", world.client, "--vault", vault)
    seen: Seen = {}
    for day in every:
        world.environment["MDMEM_NOW"] = day.when
        session = world.session(*day.turns, prompt=day.prompt)
        told = told_in(session)
        seen[day.when[:10]] = {"exit": session.code, "prompt": day.prompt, "told": told}
    log = ["git", "log", "--format=%ad %an: %s", "--date=short", "--reverse"]
    done = subprocess.run(log, cwd=vault, capture_output=True, text=True, check=True, env=world.environment)
    seen["log"] = done.stdout.splitlines()
    seen["waits"] = world.mdmem("waiting", "--vault", vault).splitlines()
    return seen


def told_in(session: Session) -> list[str]:
    """What mdmem told the model in a session, each text once: by its pack, its hooks and its tools."""
    marks = "📂 Memory", "Memories that may bear", "remembered", "(commit", "Verdict:", "already said"
    told: dict[str, None] = {}
    for request in session.requests:
        body = json.loads(request)
        for key in ("messages", "input", "contents"):
            for text in texts_in(body.get(key)):
                if any(mark in text for mark in marks):
                    told[text] = None
    return list(told)


def texts_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from texts_in(item)
    elif isinstance(value, list):
        for item in value:
            yield from texts_in(item)


EXPORTS = ("claude-memory", "codex", "agents-md", "gemini", "copilot")


def files(world: World) -> Seen:
    """Nothing is connected; the memories are in files that clients read by themselves: which of them it reads."""
    vault = world.folder / "vault"
    world.mdmem("init", vault)
    world.mdmem("remember", PREFERRED, "--type", "preference", "--vault", vault)
    for name in EXPORTS:
        world.mdmem("export", name, "--follow", "--vault", vault)
    home, project = world.home, world.project
    paths = {
        "claude-memory": next(home.rglob("MEMORY.md")),
        "codex": home / ".codex/AGENTS.md",
        "agents-md": project / "AGENTS.md",
        "gemini": project / "GEMINI.md",
        "copilot": project / ".github/copilot-instructions.md",
    }
    for name, path in paths.items():
        path.write_text(f"The file {name} is read.\n\n{path.read_text()}")
    session = world.session(prompt=UNRELATED)
    sent = "".join(session.requests)
    read = [name for name in EXPORTS if f"The file {name} is read." in sent]
    return {"exit": session.code, "reads": read, "told": PREFERRED in sent}


SITUATIONS: dict[str, Callable[[World], Seen]] = {
    **{"one": one, "alone": alone, "two": two, "moved": moved, "removed": removed, "rewritten": rewritten},
    **{"tidy": tidy, "week": week, "files": files},
}


def told_sessions(home: Path) -> str:
    """All paths in which a client names its sessions, and the bytes of the database in which OpenCode does."""
    paths = list(home.rglob("*"))
    databases = (path for path in paths if path.name.startswith("opencode.db"))
    return "\n".join([*map(str, paths), *(path.read_bytes().decode("latin-1") for path in databases)])


def look(client: str, situation: str, folder: Path) -> Seen:
    """What is seen of a client in a situation."""
    with StubModel([]) as model:
        return SITUATIONS[situation](World(client, folder, model))


def main() -> None:
    words = sys.argv[1:]
    wanted = words[1].split(",") if words[:1] == ["--only"] else list(SITUATIONS)
    for client in words[2 if words[:1] == ["--only"] else 0 :] or STARTS:
        if not found(client):
            print(f"{client}: not here")
            continue
        for situation in wanted:
            with tempfile.TemporaryDirectory(prefix=f"session-{client}-", ignore_cleanup_errors=True) as folder:
                seen = look(client, situation, Path(folder))
                row = {"client": client, "situation": situation, **seen}
                print(json.dumps(row, ensure_ascii=False), flush=True)


if __name__ == "__main__":
    main()
