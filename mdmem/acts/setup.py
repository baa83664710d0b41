"""Setting up: making a vault, its state, its git hooks, the list of vaults that are searched together."""

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import NamedTuple

from mdmem.acts import githooks
from mdmem.acts.face import Face
from mdmem.acts.style import Lines, Style, few, plain
from mdmem.acts.telling import Told
from mdmem.capture.inbox.store import Inbox
from mdmem.errors import MdmemError, UsageError
from mdmem.history import past, strays
from mdmem.history.merging import setup
from mdmem.history.shown import PastSight
from mdmem.note import moments
from mdmem.note.memory import as_text
from mdmem.note.plural import counted, some
from mdmem.note.terminal import safe_line
from mdmem.recall import meaning
from mdmem.recall.meaning import Standing
from mdmem.session import start
from mdmem.store import config as settings
from mdmem.store import layout
from mdmem.store.git import log
from mdmem.store.git.repo import Repo
from mdmem.store.local import vaultlist
from mdmem.store.local.place import ENV
from mdmem.store.operation import Caller
from mdmem.store.vault import hookfiles, several, starter
from mdmem.store.vault.hookfiles import HookState
from mdmem.store.vault.several import ListedVault
from mdmem.store.vault.starter import Made
from mdmem.store.vault.vault import Vault

_PLACES = 5  # folders and files that init lists
_MADE = {"new": "made a vault", "adopted": "adopted", "existing": "already a vault:"}
_NEXT = """\
next: mdmem remember "something worth keeping"
      mdmem connect claude-code    so that your agent remembers, too; or codex, gemini ...
      mdmem today                  what was done, is due, and waits for you"""
_CLONED = "cloned the vault"


class Survey(NamedTuple):
    """What `status` shows. `last` describes the latest commit of memories; `uncommitted` are paths.

    `strays` is the number of mdmem's commits that no branch holds, `waiting` that of the proposals in the inbox.
    `meaning` is how far it recalls by meaning, `hooks` are the names of the installed ones. `tasks` are the open
    ones, those due first, with the day or ""; `today` is how many commits each actor made today.
    """

    root: str
    branch: str
    head: str
    memories: int
    by_type: dict[str, int]
    by_status: dict[str, int]
    uncommitted: list[str]
    problems: int
    strays: int
    last: str
    waiting: int
    meaning: Standing
    tasks: Sequence[Mapping[str, str]]
    today: Mapping[str, int]
    hooks: Sequence[str]


def init(
    face: Face,
    folder: str = "",
    *,
    memories: str | None = None,
    examples: bool = False,
    url: str = "",
    agents: bool = False,
    hooks: bool | None = None,
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
    root = folder or face.vault or os.environ.get(ENV) or os.getcwd()
    is_bare_clone = os.path.isdir(root) and os.listdir(root) == [".git"]
    if url or is_bare_clone:
        from mdmem.history.syncing import cloning

        if url:
            root, hooks = cloning.clone(url, folder), hooks is not False
        else:  # perhaps of a remote whose default branch is not there
            cloning.stand_on_a_branch(root)
    made = starter.make(root, face.caller(), memories, examples, agents, face.tell)
    wanted = made.new_repository if hooks is None else hooks
    try:
        if wanted:
            githooks.install(Repo.around(made.root))
        elif hooks is None:  # an existing repository gets no hooks unless asked for
            setup.ensure_driver(Repo.around(made.root))
    except MdmemError as error:  # the vault works without
        lost = "no hooks were installed" if wanted else "git merges memories line by line"
        face.tell(f"{lost}: {error.line}")
    with Vault.open(made.root) as vault:
        older = _older_addresses(vault)
    return Told({**made._asdict(), "older_addresses": older}, made_lines(made, older, bool(url)))


def status(vault: Vault, who: Caller) -> Told:
    """Show the state of the vault: what it contains, what is due, what was done today, and what waits for you.

    \b
    Examples:
      mdmem today
      mdmem status --json
    """
    found = survey(vault, who.now)
    return Told(found, partial(survey_lines, found))


def hooks(
    face: Face,
    action: str = "status",
    *,
    shared: bool = False,
    hub: bool = False,
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
        act = getattr(hookfiles, action)
        states: Sequence[HookState] = [
            act(face.vault or os.curdir, name) for name in (hookfiles.NAME, hookfiles.PUBLISHER)
        ]
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


def survey_lines(survey: Survey, style: Style = plain) -> Lines:
    """What a vault contains, what is not committed, and what is wrong."""
    yield f"vault      {survey.root}  ({f'on {survey.branch}' if survey.branch else 'detached HEAD'})"
    yield f"memories   {survey.memories}{_shares(survey.by_status)}{_shares(survey.by_type)}"
    yield f"last write {survey.last or 'none yet'}"
    yield from _day(survey)
    is_hooked = len(survey.hooks) == len(githooks.NAMES)
    yield f"hooks      {'installed' if is_hooked else 'not installed: mdmem hooks install'}"
    if survey.meaning.model or survey.meaning.advice:
        yield f"meaning    {_meaning(survey.meaning)}"
    for path in survey.uncommitted:
        yield style(f"not committed  {safe_line(path)}", "yellow")
    if survey.waiting:
        yield f"waiting    {counted(survey.waiting, 'proposal')}: mdmem judge"
    if contested := survey.by_status.get("contested"):
        yield f"contested  {counted(contested, 'memory')}: mdmem list --status contested"
    if survey.strays:
        yield style(f"{counted(survey.strays, 'commit')} of mdmem that no branch holds: mdmem doctor", "red")
    if survey.problems:
        have = "has" if survey.problems == 1 else "have"
        yield style(f"{counted(survey.problems, 'file')} {have} problems: mdmem doctor", "red")


def _day(survey: Survey) -> Lines:
    """Who made how many changes today, and the next tasks."""
    if survey.today:
        done = ", ".join(f"{safe_line(actor)} {count}" for actor, count in survey.today.items())
        count = counted(sum(survey.today.values()), "change")
        yield f"today      {count} ({done}): mdmem log what did we do today"
    tasks = [
        f"task       {safe_line(task['name'])}" + (f"  (due {task['due'][:10]})" if task["due"] else "")
        for task in survey.tasks
    ]
    yield from few(tasks, _PLACES, "           and {} more: mdmem list --category future")


def _meaning(standing: Standing) -> str:
    """By what model recall finds how much by meaning, and what would let it find more."""
    if not standing.made + standing.missing:
        return safe_line(standing.lacking or standing.model)
    count = f"{standing.made} of {counted(standing.made + standing.missing, 'text')} with vectors"
    return f"{safe_line(standing.model)}: {count}{standing.advice and f'; {standing.advice}'}"


def _shares(counts: Mapping[str, int]) -> str:
    if not counts:
        return ""
    shares = (f"{count} {safe_line(name) or 'untyped'}" for name, count in counts.items())
    return f"  ({', '.join(shares)})"


def _older_addresses(vault: Vault) -> tuple[str, ...]:
    """The untrusted addresses under which someone with the name of git's user committed before."""
    name = vault.repo.identity().name.casefold()
    trusted = vault.repo.people()
    found = {
        address
        for other, address in log.committers(vault.repo)
        if other.casefold() == name and address.lower() not in trusted
    }
    return tuple(sorted(found))


def made_lines(made: Made, older_addresses: Sequence[str] = (), is_clone: bool = False) -> Lines:
    """What `init` made or found, the person's older addresses, and what to do next."""
    place = "the whole folder" if made.memories == "." else made.memories
    done = _CLONED if is_clone and made.kind == "existing" else _MADE[made.kind]
    held = f"{counted(made.notes, 'memory')} in {place}" if made.notes else f"its memories will be in {place}"
    yield f"{done} {made.root}: {held}"
    if made.commit:
        yield f"committed as {made.commit[:8]}"
    if made.left_out:
        places = [f"{safe_line(place)} ({count})" for place, count in made.left_out.items()]
        yield f"not memories: {some(places, _PLACES)}"
    if made.kind == "adopted":
        if made.scope == "own":
            where = f'{settings.FILE}: scope = "own"'
            yield f"gardeners leave these notes alone and look at new memories only ({where})"
        yield f"new memories go to {'this folder' if made.new == '.' else made.new}"
    if made.untracked:
        yield f"not in git yet: {counted(made.untracked, 'memory')} (git add, or mdmem adopt --all)"
    if made.left:
        yield f"left as it is: {', '.join(made.left)} (mdmem init --agents adds a section on the memories)"
    for address in older_addresses:
        yield f"if {safe_line(address)} is an older address of yours: mdmem trust {safe_line(address)}"
    if made.kind != "existing":
        yield _NEXT


def survey(vault: Vault, now: datetime | None = None) -> Survey:
    """Collect what `status` shows; without a clock it names no tasks, and nothing of today."""
    stale = vault.staleness()
    sight = PastSight(vault)
    latest = next(past.events(vault), None)
    edited = {entry.path for entry in vault.repo.status().entries} if stale else vault.index.uncommitted()
    midnight = now and now.replace(hour=0, minute=0, second=0, microsecond=0)
    tasks, done = (start.open_tasks(vault, now), past.events(vault, midnight)) if now else ((), ())
    return Survey(
        root=vault.root,
        branch=vault.repo.branch_name(),
        head=vault.repo.head_commit(),
        memories=vault.index.count(),
        by_type=dict(vault.index.tally("type")),
        by_status=dict(vault.index.tally("status")),
        uncommitted=loose_among(vault, sorted(filter(sight.shows, edited))),
        problems=len(stale) + len(vault.index.problems()),
        strays=len(strays.find(vault.repo).lost),
        last=f"{moments.render(latest.when)} {','.join(latest.actions)} by {latest.actor}" if latest else "",
        waiting=Inbox(vault).count(),
        meaning=meaning.standing(vault),
        tasks=[{"name": task.name, "due": as_text(task.meta.get("due"))} for task in tasks],
        today=dict(Counter(commit.actor for commit in done)),
        hooks=[hook.name for hook in githooks.status(vault.repo) if hook.installed],
    )


def loose_among(vault: Vault, paths: Iterable[str]) -> list[str]:
    """The memories among paths that differ from git; a link is none, and git need not have it."""
    return [
        path
        for path in paths
        if layout.is_memory(path, vault.config) and not os.path.islink(os.path.join(vault.root, path))
    ]


# -- the list of vaults that are searched together


def vaults() -> Told:
    """List the vaults that questions go to, the one that is written to first.

    Those that are listed, in a settings file of yours, are searched together with the vault that you are in; each
    answer says which vault it is from. MDMEM_VAULT may name several instead, with the separator of PATH between
    them. Exit code 1 if one of them cannot be read.

    \b
    Examples:
      mdmem vaults
      mdmem vaults add personal ~/notes
      mdmem recall --vault personal where do I live
    """
    known = several.listing()
    return Told(known, partial(vault_lines, known), failed=any(vault.problem for vault in known))


def add(place: Sequence[str]) -> Told:
    """List a vault by a name: recall, list, show and agents search it, too.

    Without NAME it is called like its folder.

    \b
    Examples:
      mdmem vaults add personal ~/notes
      mdmem vaults add ~/team/handbook
      mdmem vaults add shop . --json
    """
    if len(place) > 2:
        raise UsageError(f"{len(place)} arguments are too many", "mdmem vaults add [NAME] DIR")
    folder = place[-1]
    added = vaultlist.add(place[0] if len(place) == 2 else vaultlist.name_of(folder), folder)
    return Told(added, f"{added.name} is {added.root}")


def remove(name: str) -> Told:
    """Take a vault off the list. The vault itself stays as it is.

    \b
    Examples:
      mdmem vaults remove shop
    """
    vaultlist.remove(name)
    return Told({"name": name}, f"{name} is no longer listed; the vault itself stays as it is")


def vault_lines(vaults: Sequence[ListedVault], style: Style) -> Lines:
    """`NAME  FOLDER` for each vault, with remarks and problems."""
    widest = max((len(vault.name) for vault in vaults), default=0)
    for vault in vaults:
        name = style(safe_line(vault.name).ljust(widest), "bold")
        notes = ["written to"] if vault.nearest else []
        notes += [] if vault.listed else ["not listed"]
        remark = f"  ({', '.join(notes)})" if notes else ""
        problem = f"  {style(safe_line(vault.problem), 'red')}" if vault.problem else ""
        yield f"{name}  {safe_line(vault.root)}{remark}{problem}".strip()
