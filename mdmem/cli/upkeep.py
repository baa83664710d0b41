"""Commands that keep a vault in order: init, doctor, rebuild, layout, hooks, completion."""

from __future__ import annotations

import os
from collections import Counter
from typing import Any

import click

from mdmem import hooks, render
from mdmem.cli.options import (
    caller,
    json_option,
    opened,
    print_json,
    progress,
    tell,
    vault_option,
    writing_options,
)
from mdmem.errors import MdmemError, Problem
from mdmem.git.repo import Repo
from mdmem.local.place import ENV
from mdmem.upkeep import doctor
from mdmem.vault import starter
from mdmem.write import rename

_FEW = {"error": 20, "warning": 5}  # problems of one kind that doctor prints unless asked for all


@click.command("init")
@click.argument("folder", required=False)
@click.option("--memories", metavar="DIR", help='Folder of the memories; "." for all of FOLDER. Default: guessed.')
@click.option("--no-examples", is_flag=True, help="Leave out the memories that teach by example.")
@click.option("--agents", is_flag=True, help="Add a section on the memories to an AGENTS.md that is there.")
@click.option("--hooks/--no-hooks", "with_hooks", default=None, help="Default: in a repository that init makes.")
@vault_option
@json_option
def init_command(folder: str | None, memories: str | None, with_hooks: bool | None, **options: Any) -> None:
    """Make a vault in FOLDER, or adopt the notes that are there.

    An empty folder gets the starter vault. A folder of notes, a git repository or an Obsidian vault is
    adopted: its files keep their bytes, and mdmem.toml, AGENTS.md and CLAUDE.md are added where missing.
    Doing it again changes nothing. Without FOLDER: --vault, $MDMEM_VAULT, else the current folder.

    \b
    Examples:
      mdmem init my-vault
      cd ~/Obsidian && mdmem init
    """
    outer = click.get_current_context().find_root().obj or {}
    root = folder or options["vault"] or outer.get("vault") or os.environ.get(ENV) or os.getcwd()
    made = starter.make(root, caller(), memories, not options["no_examples"], options["agents"], tell)
    if with_hooks if with_hooks is not None else made.new_repository:
        _install_hooks(made.root)
    if options["as_json"]:
        print_json(made._asdict())
        return
    said = {"new": "made a vault", "adopted": "adopted", "existing": "is a vault already:"}[made.kind]
    place = "the whole folder" if made.memories == "." else made.memories
    click.echo(f"{said} {made.root}: {render.counted(made.notes, 'memory')} in {place}")
    if made.untracked:
        click.echo(f"not in git yet: {render.counted(made.untracked, 'memory')} (git add, or mdmem adopt --all)")
    if made.left:
        click.echo(f"left as it is: {', '.join(made.left)} (mdmem init --agents adds a section on the memories)")
    if made.kind == "new":
        click.echo('next: mdmem remember "something worth keeping"')


def _install_hooks(root: str) -> None:
    """The vault is there and works without hooks, so what keeps them out is only said."""
    try:
        hooks.install(Repo.around(root))
    except MdmemError as error:
        tell(f"no hooks were installed: {error.message} ({error.hint})")


@click.command("doctor")
@click.option("--fix", is_flag=True, help="Mend what is derived or local: the index, half-done changes.")
@click.option("--deep", is_flag=True, help="Have git check its objects, too.")
@click.option("--all", "everything", is_flag=True, help="Print every problem, not the first few of each kind.")
@vault_option
@json_option
def doctor_command(fix: bool, deep: bool, everything: bool, vault: str | None, as_json: bool) -> None:
    """Find what is wrong with a vault, with file, line and fix. Exit code 1 if there are errors.

    --fix never touches notes: those are yours.

    \b
    Examples:
      mdmem doctor
      mdmem doctor --fix --deep
    """
    with opened(vault) as found:
        if fix:
            with progress("reading notes") as report:
                doctor.fix(found, report)
        problems = doctor.examine(found, deep)
    errors = sum(problem.severity == "error" for problem in problems)
    if as_json:
        print_json([render.problem_json(problem) for problem in problems])
    else:
        _print_grouped(problems, everything)
        warnings = render.counted(len(problems) - errors, "warning")
        click.echo(f"{render.counted(errors, 'error')}, {warnings}" if problems else "all well")
    click.get_current_context().exit(1 if errors else 0)


def _print_grouped(problems: list[Problem], everything: bool) -> None:
    """Of each kind of problem the first few, and how many more there are."""
    shown: Counter[tuple[str, str]] = Counter()
    for problem in problems:
        shown[problem.severity, problem.code] += 1
        if everything or shown[problem.severity, problem.code] <= _FEW[problem.severity]:
            click.echo(render.problem_lines(problem))
    for (severity, code), count in shown.items():
        hidden = count - _FEW[severity]
        if hidden > 0 and not everything:
            more = render.counted(hidden, f"more {severity}")
            click.echo(f"... and {more} of the kind {code}: mdmem doctor --all")


@click.command("rebuild")
@click.option("-y", "--yes", is_flag=True, help="Also if many memories are gone from the folder but not from git.")
@vault_option
@json_option
def rebuild_command(yes: bool, vault: str | None, as_json: bool) -> None:
    """Throw the index away and fill it anew from the notes. Nothing else is touched.

    \b
    Example:
      mdmem rebuild
    """
    with opened(vault) as found, progress("reading notes") as report:
        found.rebuild(report, yes)
        count = found.index.count()
    if as_json:
        print_json({"memories": count})
    else:
        click.echo(f"indexed {render.counted(count, 'memory')}")


@click.command("layout")
@click.argument("kind", type=click.Choice(["flat", "month"]))
@writing_options
@vault_option
@json_option
def layout_command(kind: str, vault: str | None, as_json: bool, **options: Any) -> None:
    """Keep memories in one folder (flat), or in folders by month (month), in one commit.

    Above about 5,000 memories `month` makes commits much smaller. Links by name hold; those by path, to notes
    and to images, follow. A link that may mean several notes is left as it is and named.

    \b
    Example:
      mdmem layout month
    """
    with opened(vault) as found:
        done = rename.relayout(found, kind, caller(options["actor"], options["session"]), options["reason"])
    for problem in done.left:
        tell(str(problem))
    if as_json:
        print_json({"moves": dict(done.moves), "relinked": list(done.relinked), "commit": done.commit})
    else:
        click.echo(
            f"moved {render.counted(len(done.moves), 'memory')}"
            + (f"  ({done.commit[:8]})" if done.commit else "")
        )


@click.command("hooks")
@click.argument("action", type=click.Choice(["install", "uninstall", "status"]), default="status")
@click.option("--shared", is_flag=True, help="Also in a core.hooksPath that is not this repository's alone.")
@vault_option
@json_option
def hooks_command(action: str, shared: bool, vault: str | None, as_json: bool) -> None:
    """Install, remove or show the git hooks of a vault.

    pre-commit warns of memories that cannot be read (and refuses them if mdmem.toml says [hooks] strict =
    true); the others keep the index up to date. Hooks that were there run first. mdmem works without them.

    Where core.hooksPath leads to a folder that others use, too, such as husky's, nothing is written there
    unasked. Your own hooks may call `mdmem hook-impl validate` (before a commit; 10 means refused) and
    `mdmem hook-impl index` (after it).

    \b
    Examples:
      mdmem hooks install
      mdmem hooks status --json
    """
    with opened(vault) as found:
        if action == "status":
            states = hooks.status(found.repo)
        else:
            states = (hooks.install if action == "install" else hooks.uninstall)(found.repo, shared)
    if action == "uninstall" and any(hooks.is_ours(state.path) for state in states):
        tell(f"the hooks in {os.path.dirname(states[0].path)} stay: other vaults may use them (--shared)")
    if as_json:
        print_json([state._asdict() for state in states])
        return
    for state in states:
        chained = ", runs the earlier hook first" if state.chained and state.installed else ""
        click.echo(f"{state.name:14} {_said_of(state)}{chained}")


def _said_of(state: hooks.HookState) -> str:
    if not state.installed:
        return "not installed"
    return "installed" if state.current else "outdated: mdmem hooks install"


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion_command(shell: str) -> None:
    """Print the completion script for your shell.

    \b
    Examples:
      mdmem completion bash >> ~/.bashrc
      mdmem completion zsh >> ~/.zshrc
      mdmem completion fish > ~/.config/fish/completions/mdmem.fish
    """
    from click.shell_completion import get_completion_class

    root = click.get_current_context().find_root().command
    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(root, {}, "mdmem", "_MDMEM_COMPLETE").source())
