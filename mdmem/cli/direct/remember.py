"""What `remember` does with its arguments."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from mdmem.cli.direct.given import as_list, properties_of
from mdmem.cli.direct.line import CommandLine
from mdmem.cli.direct.output import echo, is_interactive, print_json, standard_input
from mdmem.cli.unwritten import offering
from mdmem.errors import UsageError
from mdmem.note import properties
from mdmem.note.memory import decode
from mdmem.note.properties import PROPERTIES
from mdmem.operation import Caller
from mdmem.render.json.write import remembered_json
from mdmem.values import Any
from mdmem.vault.vault import Vault
from mdmem.write import remember, succession
from mdmem.write.remember import Draft, Remembered
from mdmem.write.titles import title_of

OURS = {"id", "updated", "session", "actor"}  # what mdmem writes itself, or who writes says


def run(line: CommandLine, options: dict[str, Any]) -> None:
    """Write a new memory; `options` are those of the command, by their names."""
    if options["edit"]:
        from mdmem.cli.editor import require_editor

        require_editor('pipe the text in, or give it: mdmem remember "..."')
    words, as_json = options["words"], options["as_json"]
    text = " ".join(words) if words else None  # quotes around it are welcome, and not needed
    at_hand = text not in (None, "-") and not options["edit"]
    with line.opened(look_ahead=at_hand) as found, _source(found, text, options) as source:
        given = succession.resolved(found, _given_properties(options))
        draft = remember.draft_from(source, given, options["name"], remember.name_rule(found))
        drafts = _split(draft, options["split"], as_json)
        policy = options["twins"] or _twin_policy()
        twins = [remember.weigh_twins(found, one, policy, _confirm) for one in drafts]
        who = line.writer(found, options["actor"], options["session"])
        with offering(drafts, who, as_json):
            done = _remembered(found, drafts, who, options["reason"])
    if as_json:
        values = [remembered_json(*one) for one in zip(done, twins, strict=True)]
        print_json({"memories": values} if options["split"] else values[0])
    else:
        for one in done:
            echo(f"remembered {one.path}  ({one.commit[:8]})")


def _split(draft: Draft, wanted: bool, as_json: bool) -> list[Draft]:
    """The memories to write of a draft: one for each thing that it says, if the person wants that."""
    if wanted and (draft.name or remember.OF_ONE & draft.properties.keys()):
        raise UsageError("--split makes a name and a title for each memory", "leave out --name, title and id")
    apart = remember.split(draft)
    if len(apart) == 1 or wanted:
        return apart
    if is_interactive() and not as_json:
        for one in apart:
            echo(f"  {title_of(one.text)}", err=True)
        import click

        wanted = click.confirm(f"This says {len(apart)} things. Make a memory of each?", err=True)
    return apart if wanted else [draft]


def _remembered(vault: Vault, drafts: list[Draft], who: Caller, reason: str) -> list[Remembered]:
    """Write the drafts, one commit; of a single one `remember` also tells that it could be split."""
    if len(drafts) > 1:
        return remember.remember_all(vault, drafts, who, reason)
    return [remember.remember(vault, drafts[0], who, reason)]


@contextmanager
def _source(vault: Vault, text: str | None, options: dict[str, Any]) -> Iterator[str]:
    """The text to remember, from where the person says. One typed in an editor stays until the block is done."""
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
    """The properties that options say; none has a default, which would override what a note has written."""
    found: dict[str, Any] = {}
    for name in PROPERTIES:
        value = options[name] if name not in OURS else None
        if value in (None, ()):
            continue
        if isinstance(value, tuple):
            items = (item for text in value for item in as_list(properties.read_value(name, text)))
            found[name] = list(dict.fromkeys(items))
        else:
            found[name] = properties.read_value(name, value) if isinstance(value, str) else value
            properties.require_fit(name, found[name])
    return found | properties_of(options["pairs"])


def _twin_policy() -> str:
    """Ask a person at a terminal; anyone else writes no memory twice."""
    return "ask" if is_interactive() else "refuse-same"


def _confirm() -> None:
    import click

    click.confirm("Write it anyway?", abort=True, err=True)
