"""Fills the templates in `files/` with the names of one machine: the texts of a plan."""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
from importlib import resources
from typing import NamedTuple

from mdmem import __version__
from mdmem.connect.plan import COMMANDS, SKILL
from mdmem.errors import UsageError, is_text

LAUNCHER = "mdmem.py"  # the file that the settings of a client name in place of the program
_SORRY = "mdmem: {} is gone or does not start, so there is no memory; once it is installed: mdmem connect {}"
_MARK = re.compile(r"@(\w+)@")
_END_SECONDS = {"codex": 3}  # Codex allows no more, and complains about it at each start
_CODE = (".js", ".ts")
_QUOTED = (".json", ".toml", ".py", *_CODE)  # templates whose marks are in quotes


class Names(NamedTuple):
    """The values for the marks in a template: the program `mdmem` and the vault (absolute paths), the name of the
    client, the folder that holds mdmem's files for it, "" for none, and in a project the launcher of the
    connection for the user, whether that exists or not."""

    program: str
    vault: str
    client: str
    ours: str
    for_user: str = ""


def text_of(template: str, names: Names) -> str:
    """The text of a filled template. Raises UsageError for paths that are not UTF-8."""
    if not is_text("".join(names)):
        raise UsageError(f"the path of the vault or of mdmem is not UTF-8: {names.vault}", "rename that folder")
    if template.startswith("commands/") and template.endswith(".toml"):
        return _toml_command(text_of(template.replace(".toml", ".md"), names))
    text = resources.files("mdmem.connect").joinpath("files", *template.split("/")).read_text("utf-8")
    marks = _marks(names) | (_commands(names) if template.endswith(_CODE) else {})
    if template.startswith("rules/"):
        marks["skill_body"] = text_of(SKILL, names).split("\n---\n", 1)[1]
    if template.endswith(_QUOTED):
        marks = {mark: _in_quotes(value) for mark, value in marks.items()}
    return _MARK.sub(lambda match: marks.get(match[1], match[0]), text)


def _in_quotes(value: str) -> str:
    """A text escaped for use between the quotes of JSON, TOML and JavaScript."""
    return json.dumps(value, ensure_ascii=False)[1:-1].replace("\x7f", "\\u007f")


def python() -> str:
    """The path of a Python that stays when the environment of mdmem is removed."""
    name = ("bin", "python3") if os.name == "posix" else ("python.exe",)
    below = os.path.join(sys.base_prefix, *name)
    return below if os.path.isfile(below) else sys.executable


def started(launcher: str) -> list[str]:
    """The command line that starts a launcher, without its arguments."""
    return [python(), "-IS", launcher]


def line_of(words: list[str], system: str = os.name) -> str:
    """A command line as the shells of a system read it; on Windows those are cmd, PowerShell and bash."""
    if system == "posix":
        return shlex.join(words)
    return " ".join(f'"{word}"' if " " in word else word for word in words).replace("\\", "/")


def _marks(names: Names) -> dict[str, str]:
    launcher = f"{names.ours}/{LAUNCHER}"
    words = started(launcher) if names.ours else [names.program]
    hook = [] if names.ours else ["--client", names.client, "--vault", names.vault]
    return {
        **names._asdict(),
        "python": python(),
        "launcher": launcher,
        "mdmem": line_of(words),
        "hook": line_of([*words, "hook", *hook]),
        "or_nothing": " 2>/dev/null || echo '{}'" if os.name == "posix" else "",
        "sorry": _SORRY.format(names.program, names.client),
        "version": __version__,
        "end_seconds": str(_END_SECONDS.get(names.client, 20)),
        "program_in_shell": line_of([names.program]),
        "vault_in_shell": line_of([names.vault]),
    }


def _commands(names: Names) -> dict[str, str]:
    """The slash commands without their frontmatter, for clients that take them as strings."""
    return {f"{name}_command": _split(text_of(f"commands/{name}.md", names))[1] for name in COMMANDS}


def _toml_command(page: str) -> str:
    """A slash command in the format of Gemini CLI and Qwen Code; a JSON string is a valid TOML string."""
    fields, body = _split(page)
    pairs = {"description": fields["description"], "prompt": body.replace("$ARGUMENTS", "{{args}}")}
    return "".join(f'{key} = "{_in_quotes(value)}"\n' for key, value in pairs.items())


def _split(page: str) -> tuple[dict[str, str], str]:
    """Frontmatter and body of a slash command."""
    head, body = page.removeprefix("---\n").split("\n---\n\n", 1)
    return dict(line.split(": ", 1) for line in head.splitlines()), body
