"""The command `init`."""

from __future__ import annotations

import os
from typing import Any

import click

from mdmem.acts.checks import people
from mdmem.acts.json.upkeep import made_json
from mdmem.acts.text.upkeep import made_lines
from mdmem.cli.options import caller, print_json, print_lines, tell
from mdmem.cli.shared import command
from mdmem.errors import MdmemError
from mdmem.history.merging import setup
from mdmem.history.syncing import cloning
from mdmem.hooks import githooks as hooks
from mdmem.store.git.repo import Repo
from mdmem.store.local.place import ENV
from mdmem.store.vault import starter
from mdmem.store.vault.vault import Vault


@command("init")
@click.argument("folder", required=False)
@click.option("--memories", metavar="DIR", help='Folder of the memories; "." for all of FOLDER. Default: guessed.')
@click.option("--examples/--no-examples", help="Add eight memories that show how it works. Default: none.")
@click.option("--from", "url", default="", metavar="URL", help="Clone the vault at a URL or path first.")
@click.option("--agents", is_flag=True, help="Add a section on the memories to an existing AGENTS.md.")
@click.option(
    "--hooks/--no-hooks",
    "with_hooks",
    default=None,
    help="Install the git hooks. Default: only in a repository that init creates.",
)
def init_command(folder: str | None, memories: str | None, with_hooks: bool | None, **options: Any) -> None:
    """Make a vault in FOLDER, or adopt the notes in it.

    An empty folder gets the starter vault. A folder of notes, a git repository or an Obsidian vault is
    adopted: its files keep their bytes, and mdmem.toml, AGENTS.md and CLAUDE.md are added where missing.
    Doing it again changes nothing. With --from, FOLDER becomes a clone, ready to be used and synced, its git hooks
    installed. Without FOLDER: --vault, $MDMEM_VAULT, else the current folder.

    \b
    Examples:
      mdmem init my-vault
      cd ~/Obsidian && mdmem init
      mdmem init notes --from git@example.org:me/memories.git
    """
    outer = click.get_current_context().find_root().obj or {}
    root = folder or options["vault"] or outer.get("vault") or os.environ.get(ENV) or os.getcwd()
    if options["url"]:
        root, with_hooks = cloning.clone(options["url"], folder or ""), with_hooks is not False
    made = starter.make(root, caller(), memories, options["examples"], options["agents"], tell)
    if with_hooks if with_hooks is not None else made.new_repository:
        _install_hooks(made.root)
    elif with_hooks is None:
        _set_up_merges(made.root)
    with Vault.open(made.root) as vault:
        older = people.older_addresses(vault)
    if options["as_json"]:
        print_json(made_json(made, older))
    else:
        print_lines(made_lines(made, older, bool(options["url"])))


def _install_hooks(root: str) -> None:
    """Install the git hooks. The vault works without them, so a failure is only reported."""
    try:
        hooks.install(Repo.around(root))
    except MdmemError as error:
        tell(f"no hooks were installed: {error.message} ({error.hint})")


def _set_up_merges(root: str) -> None:
    """Tell git how to merge memories, in an existing repository, which gets no hooks unless asked for."""
    try:
        setup.ensure_driver(Repo.around(root))
    except MdmemError as error:
        tell(f"git merges memories line by line: {error.message} ({error.hint})")
