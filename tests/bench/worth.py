"""What a memory is worth to an agent: is what an earlier session decided in its context when a task needs it?

    python -m tests.bench.worth [--more N] [--missed]

Six sessions of a made-up project (tests/data/worth.json) are written into a new vault as an agent writes them,
with notes of another project between. Each task is then a session of Claude Code's of its own: its hooks are run
with the events that the client gives them, at its start and with the prompt, and what they print is what the
model is given. `asked` is that and what `mdmem recall` finds for the prompt within 1,000 tokens, as an agent
that asks first has it. Beside them: no memory, and all notes of so far pasted. --more N: with as many notes on
other subjects in the vault before.

Prints for each, by half of the tasks: how often what is needed is there, how often what no longer holds or
belongs to the other project is there, and the tokens. --missed lists the tasks of the half `dev` that miss what
they need.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from mdmem.note import tokens

DATA = Path(__file__).parents[1] / "data"
STORY = DATA / "worth.json"
OTHERS = DATA / "judgement_natural_notes.jsonl"
MDMEM = str(Path(sys.executable).with_name("mdmem"))
WAYS = ("no memory", "start", "start and prompt", "asked", "all pasted")


class Context(NamedTuple):
    """What a model is given in one way for one task."""

    way: str
    half: str
    has_needed: bool
    has_wrong: bool
    size: int  # tokens


class Stage:
    """A home with a vault and two projects, and the day that it is there."""

    def __init__(self, place: Path) -> None:
        self.vault = place / "vault"
        self.env = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "MDMEM_"))},
            **{"HOME": str(place), "MDMEM_VAULT": str(self.vault), "MDMEM_ACTOR": "claude-code"},
        }
        for person in ("AUTHOR", "COMMITTER"):
            self.env |= {f"GIT_{person}_NAME": "Ada", f"GIT_{person}_EMAIL": "ada@mdmem.example"}
        self.folders = {name: place / name for name in ("heron", "quill")}
        for folder in self.folders.values():
            subprocess.run(["git", "init", "--quiet", folder], check=True)

    def run(self, day: str, folder: Path, *arguments: str, given: str = "") -> str:
        """What a command of mdmem prints on a day, in a folder."""
        env = {**self.env, "MDMEM_NOW": f"{day}T09:00:00Z"}
        done = subprocess.run(
            [MDMEM, *arguments], cwd=folder, env=env, input=given, capture_output=True, text=True
        )
        if done.returncode:
            raise SystemExit(done.stderr)
        return done.stdout

    def hook(self, day: str, event: str, **given: str) -> str:
        """What a hook adds to the context of Claude Code in the project heron."""
        told = json.dumps({"hook_event_name": event, "cwd": str(self.folders["heron"]), **given})
        out = self.run(day, self.folders["heron"], "hook", event, "--client", "claude-code", given=told)
        return str(json.loads(out).get("hookSpecificOutput", {}).get("additionalContext", "")) if out else ""

    def remember(self, day: str, said: Mapping[str, str], older: Mapping[str, str]) -> str:
        """Write a note as an agent does, also which one it replaces; returns its name."""
        folder = self.folders[said.get("project", "heron")]
        project = said.get("project", "none")
        out = self.run(
            *(day, folder, "remember", said["text"], "--set", f"type={said['type']}"),
            *("--set", f"project={project}", "--twins", "ignore", "--session", f"s-{day}", "--json"),
        )
        name = str(json.loads(out)["name"])
        for old in (older[text] for text in older if "replaces" in said and text.startswith(said["replaces"])):
            self.run(day, folder, "update", name, "--add", f"supersedes={old}", "--session", f"s-{day}")
        return name


def fill(stage: Stage, count: int) -> list[str]:
    """Write so many notes of other subjects by hand, in one commit; returns their texts."""
    notes = [json.loads(line) for line in OTHERS.read_text("utf-8").splitlines()[:count]]
    for note in notes:
        head = f"created: {note['created']}\ntype: {note['type']}\ntags: [{', '.join(note['tags'])}]\n"
        path = stage.vault / "allmemories" / f"{note['name']}.md"
        path.write_text(f"---\n{head}---\n\n{note['body']}\n", "utf-8")
    for arguments in (["add", "--all"], ["commit", "--quiet", "--allow-empty", "--message", "Notes of before"]):
        subprocess.run(["git", *arguments], cwd=stage.vault, env=stage.env, check=True)
    return [note["body"] for note in notes]


def contexts(stage: Stage, day: str, number: int, task: Mapping[str, str], pasted: str) -> Sequence[Context]:
    """What the model is given for a task, in each way."""
    session = f"task-{day}-{number}"
    start = stage.hook(day, "SessionStart", session_id=session, source="startup")
    prompt = start + "\n" + stage.hook(day, "UserPromptSubmit", session_id=session, prompt=task["prompt"])
    found = stage.run(day, stage.folders["heron"], "recall", task["prompt"], "--budget", "1000")
    texts = ("", start, prompt, f"{prompt}\n{found}", pasted)
    return [
        Context(way, task["half"], task["needs"] in text.lower(), task.get("not", "\0") in text.lower(), size)
        for way, text, size in zip(WAYS, texts, map(tokens.estimate, texts), strict=True)
    ]


def main() -> None:
    """Run the story, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--more", type=int, default=0)
    parser.add_argument("--missed", action="store_true")
    options = parser.parse_args()
    story: Mapping[str, Any] = json.loads(STORY.read_text("utf-8"))
    every: list[Context] = []
    with tempfile.TemporaryDirectory() as place:
        stage = Stage(Path(place))
        stage.run("2026-03-01", Path(place), "init", str(stage.vault), "--no-examples")
        others = fill(stage, options.more)
        names: dict[str, str] = {}  # text -> name of its note
        for session in story["sessions"]:
            for number, task in enumerate(session["tasks"]):
                given = contexts(stage, session["day"], number, task, "\n".join([*others, *names]))
                every += given
                if options.missed and task["half"] == "dev" and not given[2].has_needed:
                    print(f"missed: {task['prompt']}  needs: {task['needs']}")
            for said in session["said"]:
                names[said["text"]] = stage.remember(session["day"], said, names)
    print(f"{'':18} {'half':5} {'tasks':>5} {'needed':>7} {'wrong':>6} {'tokens':>7}")
    for way in WAYS:
        for half in ("dev", "held"):
            some = [one for one in every if (one.way, one.half) == (way, half)]
            needed, wrong = sum(one.has_needed for one in some), sum(one.has_wrong for one in some)
            size = sum(one.size for one in some) / len(some)
            print(f"{way:18} {half:5} {len(some):5} {needed:7} {wrong:6} {size:7.0f}")


if __name__ == "__main__":
    main()
