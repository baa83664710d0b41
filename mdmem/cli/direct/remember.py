"""The command `remember`, after its arguments are parsed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from mdmem.cli.direct.line import CommandLine
from mdmem.cli.direct.optionvalues import as_list, properties_of
from mdmem.cli.direct.output import echo, is_interactive, print_json, standard_input
from mdmem.cli.unwritten import offering
from mdmem.errors import UsageError
from mdmem.note import properties
from mdmem.note.memory import decode
from mdmem.note.properties import PROPERTIES
from mdmem.operation import Caller
from mdmem.vault.vault import Vault
from mdmem.write import remember, succession
from mdmem.write.remember import Draft, Remembered

OURS = {"id", "updated", "session", "actor", "due"}  # properties that mdmem sets from the caller or the text


def run(line: CommandLine, options: dict[str, Any]) -> None:
    """Write a new memory; `options` are the command's parameters by name."""
    if options["edit"]:
        from mdmem.cli.editor import require_editor

        require_editor('pipe the text in, or give it: mdmem remember "..."')
    words, as_json = options["words"], options["as_json"]
    text = " ".join(words) if words else None  # so quotes around the text are optional
    at_hand = text not in (None, "-") and not options["edit"]
    with line.opened(look_ahead=at_hand) as vault, _source(vault, text, options) as source:
        given = succession.resolved(vault, _given_properties(options))
        draft = remember.draft_from(source, given, options["name"], remember.name_rule(vault))
        drafts = _split(remember.placed(draft, line.project(vault)), options["split"], as_json)
        policy = options["twins"] or _twin_policy()
        twins = [remember.weigh_twins(vault, part, policy, _confirm) for part in drafts]
        who = line.writer(vault, options["actor"], options["session"])
        with offering(drafts, who, as_json):
            remembered = _remembered(vault, drafts, who, options["reason"])
    if as_json:
        from mdmem.render.json.write import remembered_json

        values = [remembered_json(memory, like) for memory, like in zip(remembered, twins, strict=True)]
        print_json({"memories": values} if options["split"] else values[0])
    else:
        for memory in remembered:
            echo(f"remembered {memory.path}  ({memory.commit[:8]})")


def _split(draft: Draft, wanted: bool, as_json: bool) -> list[Draft]:
    """The memories to write: one for each thing the draft says, if `wanted` or agreed to, else the draft."""
    if wanted and (draft.name or remember.OF_ONE & draft.properties.keys()):
        raise UsageError("--split makes a name and a title for each memory", "leave out --name, title and id")
    parts = remember.split(draft)
    if len(parts) == 1 or wanted:
        return parts
    if is_interactive() and not as_json:
        for part in parts:
            echo(f"  {part.title}", err=True)
        import click

        wanted = click.confirm(f"This says {len(parts)} things. Make a memory of each?", err=True)
    return parts if wanted else [draft]


def _remembered(vault: Vault, drafts: list[Draft], who: Caller, reason: str) -> list[Remembered]:
    """Write the drafts in one commit. For a single draft, `remember` also reports if it could be split."""
    if len(drafts) > 1:
        return remember.remember_all(vault, drafts, who, reason)
    return [remember.remember(vault, drafts[0], who, reason)]


@contextmanager
def _source(vault: Vault, text: str | None, options: dict[str, Any]) -> Iterator[str]:
    """The text to remember: the argument, standard input, or what the person writes in an editor.

    Text from an editor is kept until the block has ended without an error.
    """
    if options["edit"]:
        from mdmem.cli.editor import edited
        from mdmem.cli.templates import template_of

        template = template_of(vault, options["type"] or "note", options["title"] or "")
        with edited(vault, "new", template + (text or "").encode("utf-8", "surrogateescape")) as written:
            yield decode(written, "the text")
    elif text in (None, "-"):
        yield standard_input()
    else:
        assert text is not None
        yield text


def _given_properties(options: dict[str, Any]) -> dict[str, Any]:
    """The properties given as options. None has a default, which would override the properties of a whole note."""
    values: dict[str, Any] = {}
    for name in PROPERTIES:
        value = options[name] if name not in OURS else None
        if value in (None, ()):
            continue
        if isinstance(value, tuple):
            items = (item for text in value for item in as_list(properties.read_value(name, text)))
            values[name] = list(dict.fromkeys(items))
        else:
            values[name] = properties.read_value(name, value) if isinstance(value, str) else value
            properties.require_fit(name, values[name])
    return values | properties_of(options["pairs"])


def _twin_policy() -> str:
    """Ask if a person is at the terminal; otherwise refuse to write the same memory twice."""
    return "ask" if is_interactive() else "refuse-same"


def _confirm() -> None:
    import click

    click.confirm("Write it anyway?", abort=True, err=True)
