"""The command `hooks`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from mdmem.cli.options import opened, print_json, tell
from mdmem.cli.shared import command
from mdmem.hooks import githooks as hooks
from mdmem.store.vault import hookfiles

if TYPE_CHECKING:
    from mdmem.store.vault.hookfiles import HookState


@command("hooks")
@click.argument("action", type=click.Choice(["install", "uninstall", "status"]), default="status")
@click.option("--shared", is_flag=True, help="Also write to a core.hooksPath that other repositories may use.")
@click.option("--hub", is_flag=True, help="In the bare repository that others push to.")
def hooks_command(action: str, shared: bool, hub: bool, vault: str | None, as_json: bool) -> None:
    """Install, remove or show the git hooks of a vault.

    pre-commit warns of memories that cannot be read (and refuses them if mdmem.toml says [hooks] strict =
    true); the others keep the index up to date. Existing hooks run first. mdmem works without hooks.

    If core.hooksPath points to a shared folder, such as husky's, nothing is written there unless --shared is
    given. Your own hooks may call `mdmem hook-impl validate` (before a commit; 10 means refused) and
    `mdmem hook-impl index` (after it).

    With --hub they are two hooks of the bare repository in the current folder, or in that of --vault. One refuses
    pushes of history from before a purge, and needs nothing but git. The other does what `mdmem publish` does
    after each push, for every vault in the repository, if the hub names a team's server (see the guide `team`).

    \b
    Examples:
      mdmem hooks install
      mdmem hooks status --json
      mdmem hooks install --hub --vault /srv/notes.git
    """
    if hub:
        _show(_on_hub(action, vault or os.curdir), as_json)
        return
    with opened(vault) as found:
        if action == "status":
            states = hooks.status(found.repo)
        else:
            states = (hooks.install if action == "install" else hooks.uninstall)(found.repo, shared)
    if action == "uninstall" and any(hookfiles.is_ours(state.path) for state in states):
        tell(f"the hooks in {os.path.dirname(states[0].path)} stay: other vaults may use them (--shared)")
    _show(states, as_json)


def _on_hub(action: str, folder: str) -> list[HookState]:
    from mdmem.store.vault import hookfiles

    act = {"install": hookfiles.install, "uninstall": hookfiles.uninstall, "status": hookfiles.status}[action]
    return [act(folder, name) for name in (hookfiles.NAME, hookfiles.PUBLISHER)]


def _show(states: Sequence[HookState], as_json: bool) -> None:
    if as_json:
        print_json(states)
        return
    for state in states:
        chained = ", runs the earlier hook first" if state.chained and state.installed else ""
        click.echo(f"{state.name:14} {_said_of(state)}{chained}")


def _said_of(state: HookState) -> str:
    if not state.installed:
        return "not installed"
    return "installed" if state.current else "outdated: mdmem hooks install"
