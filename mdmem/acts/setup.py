"""Setting up: making a vault, its state, its git hooks."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, NamedTuple

from mdmem.acts import githooks
from mdmem.acts.checks import people
from mdmem.acts.face import Face
from mdmem.acts.signature import Arg, Opt
from mdmem.acts.style import Style, plain
from mdmem.acts.telling import Told
from mdmem.acts.text.upkeep import made_lines, survey_lines
from mdmem.errors import MdmemError
from mdmem.history.merging import setup
from mdmem.store.git.repo import Repo
from mdmem.store.local.place import ENV
from mdmem.store.operation import Caller
from mdmem.store.vault import hookfiles
from mdmem.store.vault.hookfiles import HookState
from mdmem.store.vault.vault import Vault


def init(
    face: Face,
    folder: Annotated[str, Arg()] = "",
    *,
    memories: Annotated[
        str | None, Opt('Folder of the memories; "." for all of FOLDER. Default: guessed.', metavar="DIR")
    ] = None,
    examples: Annotated[
        bool, Opt("Add eight memories that show how it works. Default: none.", flags="--examples/--no-examples")
    ] = False,
    url: Annotated[str, Opt("Clone the vault at a URL or path first.", flags="--from", metavar="URL")] = "",
    agents: Annotated[bool, "Add a section on the memories to an existing AGENTS.md."] = False,
    hooks: Annotated[
        bool | None,
        Opt("Install the git hooks. Default: only in a repository that init creates.", flags="--hooks/--no-hooks"),
    ] = None,
) -> Told:
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
    from mdmem.store.vault import starter

    root = folder or face.vault or os.environ.get(ENV) or os.getcwd()
    if url:
        from mdmem.history.syncing import cloning

        root, hooks = cloning.clone(url, folder), hooks is not False
    made = starter.make(root, face.caller(), memories, examples, agents, face.tell)
    try:
        if made.new_repository if hooks is None else hooks:
            githooks.install(Repo.around(made.root))
        elif hooks is None:  # an existing repository gets no hooks unless asked for
            setup.ensure_driver(Repo.around(made.root))
    except MdmemError as error:  # the vault works without
        face.tell(f"hooks and merges of notes are not set up: {error.message} ({error.hint})")
    with Vault.open(made.root) as vault:
        older = people.older_addresses(vault)
    return Told({**made._asdict(), "older_addresses": older}, made_lines(made, older, bool(url)))


class Status(NamedTuple):
    """The state of a vault; `hooks` are the names of the installed hooks."""

    survey: Any
    hooks: Sequence[str]

    def json(self) -> dict[str, Any]:
        """All of it."""
        tasks = [{"name": name, "due": day} for name, day in self.survey.tasks]
        return {**self.survey._asdict(), "tasks": tasks, "hooks": self.hooks}

    def lines(self, style: Style = plain) -> Iterator[str]:
        """A line for each, and what is to be done."""
        return survey_lines(self.survey, len(self.hooks) == len(githooks.NAMES), style)


def status(vault: Vault, who: Caller) -> Status:
    """Show the state of the vault: what it contains, what is due, what was done today, and what waits for you.

    \b
    Examples:
      mdmem today
      mdmem status --json
    """
    from mdmem.acts.checks import status as surveying

    survey = surveying.survey(vault, who.now)
    return Status(survey, [hook.name for hook in githooks.status(vault.repo) if hook.installed])


def hooks(
    face: Face,
    action: Annotated[str, Arg(choices=("install", "uninstall", "status"))] = "status",
    *,
    shared: Annotated[bool, "Also write to a core.hooksPath that other repositories may use."] = False,
    hub: Annotated[bool, "In the bare repository that others push to."] = False,
) -> Told:
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
        from mdmem.history.purging import hub as hubs

        act = getattr(hubs, action)
        states: Sequence[HookState] = [act(face.vault or os.curdir, name) for name in (hubs.NAME, hubs.PUBLISHER)]
        return Told(states, map(_hook_line, states))
    with face.opened() as vault:
        if action == "status":
            states = githooks.status(vault.repo)
        else:
            states = getattr(githooks, action)(vault.repo, shared)
    if action == "uninstall" and any(hookfiles.is_ours(state.path) for state in states):
        where = os.path.dirname(states[0].path)
        face.tell(f"the hooks in {where} stay: other vaults may use them (--shared)")
    return Told(states, map(_hook_line, states))


def _hook_line(state: HookState) -> str:
    said = "installed" if state.current else "outdated: mdmem hooks install"
    chained = ", runs the earlier hook first" if state.chained and state.installed else ""
    return f"{state.name:14} {said if state.installed else 'not installed'}{chained}"
