"""LLM clients and their connections as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from mdmem.acts.style import Style, plain
from mdmem.note.plural import counted
from mdmem.note.terminal import safe, safe_line

if TYPE_CHECKING:
    from mdmem.connect.connecting import Connected
    from mdmem.connect.preview import Preview
    from mdmem.connect.selftest import ClientState


def connected_lines(done: Connected) -> Iterator[str]:
    """What was written, what is left for the person to do, and how to undo it."""
    flag = " --project" if done.project else ""
    if not (done.files or done.settings or done.commands):
        yield f"{done.client} is connected to {safe_line(done.vault)} already; nothing to change"
    else:
        yield f"connected {done.client} to {safe_line(done.vault)}"
        yield from _what("wrote", "added lines to", done)
    yield from map(safe_line, done.found)
    for sentence in done.advice:
        yield f"to do: {sentence}"
    yield f"to take it back: mdmem disconnect {done.client}{flag}"


def disconnected_lines(done: Connected) -> Iterator[str]:
    """What was removed, and what was left."""
    yield f"disconnected {done.client} from {safe_line(done.vault)}, which stays as it is"
    yield from _what("deleted", "took our lines out of", done)
    for path in done.left:
        yield f"left, because it was changed: {safe_line(path)}"


def _what(files: str, settings: str, done: Connected) -> Iterator[str]:
    for path in done.files:
        yield f"  {files} {safe_line(path)}"
    for path in done.settings:
        yield f"  {settings} {safe_line(path)}"
    for command in done.commands:
        yield f"  ran {safe_line(command)}"


def preview_lines(shown: Preview, style: Style = plain) -> Iterator[str]:
    """Each file with its text, as it would be written."""
    for path, text in shown.files.items():
        yield style(f"# {safe_line(path)}", "bold")
        yield safe(text)
    for path, text in shown.settings.items():
        added = "" if shown.client == "generic" else " (these lines are added)"
        yield style(f"# {safe_line(path)}{added}", "bold")
        yield safe(text)
    for command in shown.commands:
        yield f"$ {safe_line(command)}"
    for sentence in shown.advice:
        yield f"to do: {sentence}"


def client_lines(states: Sequence[ClientState], style: Style = plain) -> Iterator[str]:
    """A line for each client, and one for each problem."""
    for state in states:
        here = state.version or "here" if state.path else "not here"
        yield f"{state.name:12} {here:12} {_connection(state)}"
        for problem in state.problems:
            yield style(f"{'':12} {safe_line(problem)}", "red")
        for sentence in state.untried:
            yield f"{'':12} not tried: {sentence}"


def _connection(state: ClientState) -> str:
    vaults = [safe_line(state.vault)] if state.vault else []
    if state.project_vault and state.project_vault != state.vault:
        vaults.append(f"{safe_line(state.project_vault)} in this project")
    if not vaults:
        return "not connected" if not state.path else f"not connected: mdmem connect {state.name}"
    works = "does not work" if state.problems else f"works, {counted(len(state.tools), 'tool')}"
    return f"{' and '.join(vaults)}: {works}"
