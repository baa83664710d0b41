"""The command `page`."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import Any

import click

from mdmem.cli.options import (
    asked_for,
    is_limit_asked,
    opened,
    print_json,
    progress,
    tell,
)
from mdmem.cli.shared import command
from mdmem.errors import MdmemError, UsageError
from mdmem.note.plural import counted


@command("page")
@click.option("--port", type=click.IntRange(1, 65535), help="Serve on this port. Default: any that is free.")
@click.option("--no-browser", is_flag=True, help="Only print the address.")
@click.option("--write", is_flag=True, help="Let the pages change things, too; each change is a commit.")
@click.option("--out", metavar="DIR", help="Write the pages into this folder instead, to be opened from there.")
def page_command(port: int | None, write: bool, out: str | None, **options: Any) -> None:
    """Look at the memories in a browser: what changed, each with its history, and what to do about it.

    The pages are served to this machine alone, until Ctrl-C. The address works once, in one browser. With --out
    they are files that link to each other, need no server and no network, and are the same for the same vault; a
    second time only what changed is written. Memories above `low` are left out of files unless --max-sensitivity
    allows them.

    \b
    Examples:
      mdmem page
      mdmem page --write --port 8765
      mdmem page --out ~/memories-2026
    """
    _require_extra()
    if out is None:
        _serve(port or 0, write, options)
    elif port or write:
        raise UsageError("--out excludes --port and --write", "leave out one or the other")
    else:
        _export(out, options["vault"], options["as_json"])


def _require_extra() -> None:
    try:
        import jinja2
        import starlette
        import uvicorn
    except ModuleNotFoundError as error:
        raise MdmemError(f"mdmem page needs another package ({error})", "pip install 'mdmem[web]'") from None
    del jinja2, starlette, uvicorn


def _export(out: str, vault: str | None, as_json: bool) -> None:
    from mdmem.page.export import export

    with opened(vault) as found, progress("writing pages") as report:
        seen = found if is_limit_asked() else found.for_derived("export")
        done = export(seen, os.path.abspath(out), report)
        left_out = found.index.count() - seen.index.count()
    if left_out:
        tell(f"left out {counted(left_out, 'memory')} above '{seen.clearance.limit}'; see --max-sensitivity")
    if as_json:
        print_json(done._asdict())
        return
    kept = done.files - done.written
    if done.written or done.removed:
        click.echo(f"{counted(done.written, 'file')} written, {kept} as they were, {done.removed} removed")
    else:
        click.echo(f"nothing changed, {counted(kept, 'file')} as they were")
    click.echo(os.path.join(out, "index.html"))


def _serve(port: int, write: bool, options: Mapping[str, Any]) -> None:
    from mdmem.page.server import Listening
    from mdmem.store.vault.keeper import VaultKeeper

    outer = click.get_current_context().find_root().obj or {}
    keeper = VaultKeeper(options["vault"] or outer.get("vault"), *asked_for())
    with keeper.visit() as found:
        keeper.clear(found, "")
    keeper.close()
    listening = Listening(keeper, port, write)
    if options["as_json"]:
        print_json({"address": listening.address, "port": listening.port})
    else:
        click.echo(listening.address)
    tell("open that address; it works once. Ctrl-C ends this.")
    if not options["no_browser"] and _has_screen():
        _open(listening.address)
    try:
        listening.run()
    except KeyboardInterrupt:
        tell("stopped")


def _has_screen() -> bool:
    """Whether a browser can open a window: one that runs in the terminal would be in the way."""
    return sys.platform in ("darwin", "win32") or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))


def _open(address: str) -> None:
    """Open the browser. The port is already listening; it answers once the server runs."""
    import webbrowser

    webbrowser.open(address)
