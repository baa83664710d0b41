"""Fills the templates in `files/` with the names of one machine: the texts of a plan."""

from __future__ import annotations

import json
import re
import shlex
from importlib import resources
from typing import NamedTuple

from mdmem import __version__
from mdmem.connect.plan import COMMANDS
from mdmem.errors import UsageError
from mdmem.store.operation import is_text

LAUNCHER = "mdmem.sh"  # the file that the settings of a client name in place of the program
_SORRY = "mdmem: {} is gone or does not start, so there is no memory; once it is installed: mdmem connect {}"
_MARK = re.compile(r"@(\w+)@")
_END_SECONDS = {"codex": 3}  # Codex allows no more, and complains about it at each start
_CODE = (".js", ".ts")
_QUOTED = (".json", ".toml", *_CODE)  # templates whose marks are in quotes


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
    if template.endswith(_QUOTED):
        marks = {mark: _in_quotes(value) for mark, value in marks.items()}
    return _MARK.sub(lambda match: marks.get(match[1], match[0]), text)


def _in_quotes(value: str) -> str:
    """A text escaped for use between the quotes of JSON, TOML and JavaScript."""
    return json.dumps(value, ensure_ascii=False)[1:-1].replace("\x7f", "\\u007f")


def _marks(names: Names) -> dict[str, str]:
    launcher = f"{names.ours}/{LAUNCHER}"
    words = ["/bin/sh", launcher] if names.ours else [names.program]
    hook = [] if names.ours else ["--client", names.client, "--vault", names.vault]
    return {
        **names._asdict(),
        "launcher": launcher,
        "mdmem": shlex.join(words),
        "hook": shlex.join([*words, "hook", *hook]),
        "for_user_in_shell": shlex.quote(names.for_user),
        "sorry_in_shell": shlex.quote(_in_quotes(_SORRY.format(names.program, names.client))),
        "version": __version__,
        "end_seconds": str(_END_SECONDS.get(names.client, 20)),
        "program_in_shell": shlex.quote(names.program),
        "vault_in_shell": shlex.quote(names.vault),
    }


def _commands(names: Names) -> dict[str, str]:
    """The slash commands without their frontmatter, for clients that take them as strings."""
    pages = {name: text_of(f"commands/{name}.md", names) for name in COMMANDS}
    return {f"{name}_command": _split(page)[1] for name, page in pages.items()}


def _toml_command(page: str) -> str:
    """A slash command in the format of Gemini CLI and Qwen Code; a JSON string is a valid TOML string."""
    fields, body = _split(page)
    pairs = {"description": fields["description"], "prompt": body.replace("$ARGUMENTS", "{{args}}")}
    return "".join(f'{key} = "{_in_quotes(value)}"\n' for key, value in pairs.items())


def _split(page: str) -> tuple[dict[str, str], str]:
    """Frontmatter and body of a slash command."""
    head, body = page.removeprefix("---\n").split("\n---\n\n", 1)
    return dict(line.split(": ", 1) for line in head.splitlines()), body
