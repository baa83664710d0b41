"""The doctor: everything that is wrong with a vault, as problems with file, line and fix.

`--fix` changes only derived and local state (the index, half-done changes), and of a note nothing but a title that
mdmem itself derived from the text, as earlier versions stored it.
"""

import os
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache, partial
from itertools import chain, islice

from mdmem.acts.setup import loose_among
from mdmem.errors import MdmemError, NoteError, NotFoundError, Problem, StoppedError, warning
from mdmem.history.shown import PastSight
from mdmem.note import fields, memory, properties, titles
from mdmem.note.plural import counted, some
from mdmem.recall.models import sentence
from mdmem.store import appendonly, config, layout, registry
from mdmem.store.git.command import AwayError
from mdmem.store.git.repo import Entry
from mdmem.store.index.edges import fold_target, written_targets
from mdmem.store.index.port import AT_ONCE, MEMORIES
from mdmem.store.local import files, hookfailures, place, state
from mdmem.store.operation import Caller
from mdmem.store.vault import origin, several
from mdmem.store.vault.vault import Vault
from mdmem.write.remember import is_taken, made_name

FLAT_LIMIT = 5000  # notes in one folder, above which commits become noticeably slow
_CHERRIES = 10  # commits named in the command that gets them back
_STALE_LOCK = 600  # seconds after which git's lock is unlikely to belong to a running command


def examine(vault: Vault, deep: bool = False, code: str = "") -> list[Problem]:
    """Every problem found, worst first. `deep` also has git check its objects.

    `code` is the folder of a repository of code: what memories say of it is compared with it. Raises NotFoundError
    if there is no repository, GitError if it cannot be read.
    """
    from mdmem.history.merging import setup
    from mdmem.systems.layers import entries
    from mdmem.systems.rlm import view as chunks
    from mdmem.systems.rum import shelf as works

    stopped = vault.staleness()
    judged, edits = _judged(vault), vault.repo.status().entries
    found = [*stopped, *vault.config_problems, *setup.problems(vault.repo)]
    checks = [partial(check, vault) for check in (chunks.problems, works.problems, *_CHECKS)]
    checks += [partial(check, vault, edits) for check in (_git_state, _written_once)]
    checks += [partial(check, vault, judged) for check in (_twin_names, _dangling_links, _untrue)]
    found += [problem for check in checks for problem in _as_far_as_known(check)]
    found += _notes(vault, judged, edits)
    if os.path.isdir(os.path.join(vault.root, vault.config.topics)):
        found += entries.problems(vault)
    if place.may_be_several():
        found += several.problems()
    if not stopped:
        found += [*_not_indexed(vault, edits), *_stale_trees(vault), *_stale_chapters(vault)]
    if deep:
        found += _git_objects(vault)
    if code:
        found += _code(vault, code)
    return sorted(
        found, key=lambda problem: (problem.severity != "error", problem.code, problem.path, problem.line)
    )


def fix(vault: Vault, caller: Caller, progress: Callable[[int, int], None]) -> None:
    """Repair what is derived or local: half-done changes, the index, derived titles.

    If the circuit breaker stops the rebuild, or a partial clone cannot fetch what it needs, the rest stays until
    the problem that `examine` then reports is fixed.
    """
    with suppress(StoppedError, AwayError):
        with vault.locked():
            vault.rebuild(progress)
        edited = {entry.path for entry in vault.repo.status().entries}
        copies, _ = origin.copied(vault, _readable(vault))
        with vault.change(caller.does("revise", "Dropped titles that repeated what the text said.")) as tx:
            for path in sorted({*copies} - edited):
                tx.write(path, fields.set_fields(tx.require(path), {"title": None}, path))


def _as_far_as_known(check: Callable[[], Iterable[Problem]]) -> Iterator[Problem]:
    """The problems that a check finds, and if it needs what a partial clone cannot fetch now, that, too."""
    try:
        yield from check()
    except AwayError as error:
        yield warning("git-partial", "", error.message, error.hint)


def _judged(vault: Vault) -> frozenset[str]:
    """The paths of the notes to which mdmem's rules for names, properties and links apply.

    Items of a graph are exempt, since they are named after their keys. In an adopted vault only notes that mdmem
    created are judged: the others need only be readable.
    """
    paths = [path for path in vault.index.keys(kinds=MEMORIES) if not layout.is_item(path, vault.config)]
    if not vault.config.is_adopted:
        return frozenset(paths)
    return origin.created_by_mdmem(vault, paths)


def _sentence_model(vault: Vault) -> Iterator[Problem]:
    """The sentence model that the vault is to recall by, if this machine lacks it."""
    model = sentence.chosen(vault.config.semantic.model)
    if model and not model.is_installed:
        message = f"recall goes by words alone: the sentence model {model.name} is not installed"
        yield warning("semantic-model", config.FILE, message, model.install)


def _folder_links(vault: Vault) -> Iterator[Problem]:
    """git tracks nothing behind a symbolic link, so a folder of memories must be a real one."""
    folder = ""
    for part in layout.folder_for("", vault.config._replace(layout="flat")).split("/"):
        folder = os.path.join(folder, part)
        if os.path.islink(os.path.join(vault.root, folder)):
            target = os.readlink(os.path.join(vault.root, folder))
            message = f"is a symbolic link to {target}: git does not follow it, so nothing there is a memory"
            fix = "delete the link and move the real folder here, or mdmem init the folder it leads to"
            yield Problem("folder-link", folder, 0, message, fix)


def _nested(vault: Vault) -> Iterator[Problem]:
    """Notes in a repository within the vault's: git tracks none of its files."""
    for folder, folders, names in os.walk(os.path.join(vault.root, vault.config.memories)):
        path = files.relative(folder, vault.root)
        is_nested = path != "." and ".git" in (*folders, *names)
        folders[:] = [name for name in folders if not name.startswith(".")]
        inner = files.every(folder) if is_nested else ()
        notes = sum(layout.is_memory(f"{path}/{name}", vault.config) for name in inner)
        if notes:
            message = (
                f"is a git repository of its own: {counted(notes, 'note')} there are in no history, and no memory"
            )
            again = f"git rm --cached --ignore-unmatch {path}, git add {path}"
            fix = f"move the notes out of it; or delete {path}/.git, which is its history, then {again}"
            yield warning("folder-nested", path, message, fix)


def _unfinished(vault: Vault) -> Iterator[Problem]:
    if vault.unfinished():
        what = "purge" if os.path.isdir(os.path.join(vault.state, state.PURGE)) else "change"
        yield Problem("change-unfinished", layout.STATE, 0, f"a {what} was interrupted", "mdmem doctor --fix")


def _failed_hooks(vault: Vault) -> Iterator[Problem]:
    """Hooks of agents that failed when they last ran: an agent goes on without them and tells nobody."""
    for failure in hookfailures.load(vault.root):
        often = f", {failure.times} times in a row" if failure.times > 1 else ""
        message = (
            f"the hook {failure.event} of {failure.client} failed at {failure.when}{often}: {failure.message}"
        )
        fix = failure.hint or f"mdmem hook {failure.event} --client {failure.client} < event.json shows it again"
        yield warning("agent-hook", "", message, fix)


def _git_state(vault: Vault, edits: Sequence[Entry]) -> Iterator[Problem]:
    lock = vault.repo.git_path("index.lock")
    if os.path.exists(lock) and time.time() - os.path.getmtime(lock) > _STALE_LOCK:
        yield Problem("git-lock", "", 0, f"git left a lock behind: {lock}", "if no git is running, delete it")
    sight = PastSight(vault)
    entries = [entry for entry in edits if sight.shows(entry.path)]
    for entry in entries:
        if entry.staged == "U":
            yield Problem(
                "git-conflict", entry.path, 0, "has a merge conflict", "mdmem judge shows and settles it"
            )
        if any("\ud800" <= char <= "\udfff" for char in entry.path):
            shown = entry.path.encode("utf-8", "backslashreplace").decode()
            yield Problem("name-encoding", shown, 0, "its name is not UTF-8", "rename it; it is not indexed")
    loose = loose_among(vault, (entry.path for entry in entries))
    if loose:
        count = f"{len(loose)} memories differ" if len(loose) > 1 else "1 memory differs"
        yield warning("uncommitted", "", f"{count} from git: {some(loose, 3)}", "git add, git commit")


def _strays(vault: Vault) -> Iterator[Problem]:
    """Commits of mdmem that no branch holds, and those that were amended without their trailers."""
    from mdmem.history import strays

    left, amended = strays.find(vault.repo)
    yield from (_reworded(vault, commit.oid, into.oid) for commit, into in amended)
    if not left:
        return
    shown = some([f"{commit.oid[:10]} ({commit.operation.action} by {commit.actor})" for commit in left], 3)
    message = f"{counted(len(left), 'commit')} of mdmem that no branch holds: {shown}"
    oldest_first = [commit.oid[:10] for commit in reversed(left)]
    fix = f"to get them back, on your branch: git cherry-pick {' '.join(oldest_first[:_CHERRIES])}"
    if len(left) > _CHERRIES:
        fix += " ... (git log --reflog --not --branches lists all)"
    yield warning("commit-stray", "", message, fix)


def _reworded(vault: Vault, oid: str, into: str) -> Problem:
    """The problem of a commit by mdmem that was amended with another message."""
    message = (
        f"commit {oid[:10]} of mdmem was amended to {into[:10]}, which does not say who wrote it in which session"
    )
    fix = f"git log {oid[:10]} shows it; from now on, git commit --amend --no-edit keeps it"
    if vault.repo.head()[0] == into:
        fix = f"to get its message back, and keep the files: git commit --amend -C {oid[:10]}"
    return warning("commit-amended", "", message, fix)


def _identity(vault: Vault) -> Iterator[Problem]:
    identity = vault.repo.identity()
    if not identity.configured:
        message = f"git has no user.name: commits are by {identity.name}"
        fix = "git config --global user.name 'Your Name' (and user.email)"
        yield warning("identity", "", message, fix)


def _notes(vault: Vault, judged: Container[str], edits: Sequence[Entry]) -> Iterator[Problem]:
    """Problems of the notes, with secrets and orders to models in them, and index rows that differ from them."""
    from mdmem.write import guard

    known = vault.index.problems()
    yield from known
    deleted = {entry.path for entry in edits if "D" in (entry.staged, entry.worktree)}
    for record in vault.index.records():
        try:
            data = vault.read(record.path)
            text = data.decode("utf-8", "replace")
            yield from guard.problems(vault, record.path, "", text)
            yield from guard.orders_in(record.path, "", text)
            note = vault.parse(data, record.path)
        except NotFoundError:
            if record.path not in deleted:
                yield _drift(record.path, "the index has it, but there is no such file")
            continue
        except NoteError as error:
            if error.problem not in known:
                yield _drift(record.path, f"the index has it, but it {error.problem.message}")
            continue
        if record.path in judged:
            yield from _against_rules(vault, note)
        seen = (record.id, record.title, record.status, dict(record.meta), vault.index.body(record.path))
        if seen != (note.id, note.title, note.status, dict(note.meta), note.body):
            yield _drift(record.path, "the index has another version of it")


def _readable(vault: Vault) -> Iterator[memory.Memory]:
    """The notes that can be read, header and all."""
    for path in vault.index.keys(kinds=MEMORIES):
        with suppress(NotFoundError, NoteError):
            if not (note := vault.get(path)).problems:
                yield note


def _untrue(vault: Vault, judged: Container[str]) -> Iterator[Problem]:
    """Titles and names with words that the text had when they were given, and has lost; stored derived titles."""
    stored: list[str] = []
    readable = _readable(vault)
    while notes := list(islice(readable, AT_ONCE)):
        copies, given = origin.copied(vault, notes)
        stored += copies
        named = origin.origins(vault, [note for note in notes if note.path in judged], lambda note: note.name)
        for note in notes:
            for what, called, first in (("title", note.title, given), ("name", note.name, named)):
                if note.path in first and (gone := origin.lost(called, first[note.path][0].body, note.body)):
                    yield _untrue_one(vault, note, what, gone)
    if stored:
        message = f"{counted(len(stored), 'title')} stored though mdmem made them of the text: {some(stored, 3)}"
        yield warning("title-stored", "", message, "mdmem doctor --fix drops them")


def _untrue_one(vault: Vault, note: memory.Memory, what: str, gone: Sequence[str]) -> Problem:
    """A name or title that says what the text no longer says."""
    title, taken = titles.of_text(note.body, note.type), partial(is_taken, vault)
    better = made_name(vault, title, note.body, note.created, taken)
    fix = f"rename {note.name} {better}" if what == "name" else f"update {note.name} --unset title"
    message = f"its {what} says what the text no longer says: {', '.join(gone)}"
    return warning(f"{what}-untrue", note.path, message, f"mdmem {fix}")


def _written_once(vault: Vault, edits: Sequence[Entry]) -> Iterator[Problem]:
    """Raw files and episodes that differ from the last commit, though they may be written only once."""
    head = vault.repo.head()[0]
    for entry in edits:
        kind, path = layout.kind_of(entry.path, vault.config), entry.path
        is_raw = kind == layout.Kind.RAW and entry.staged != "?"
        is_memory = kind == layout.Kind.MEMORY and "M" in (entry.staged, entry.worktree)
        if not is_raw and not is_memory:
            continue
        before, now = vault.repo.read(head, path), files.read_or_none(vault.root, path)
        if is_raw and (wrong := appendonly.objection(path, before, now, vault.config)):
            yield warning("append-only", path, wrong, appendonly.FIX)
        with suppress(NoteError):  # `_notes` reports a note that cannot be read
            if is_memory and before and now is not None and appendonly.is_rewritten(path, before, now):
                yield warning("append-only", path, appendonly.EPISODE, appendonly.FIX_EPISODE)


def _stale_chapters(vault: Vault) -> Iterator[Problem]:
    """Chapters and wisdom whose works have changed since they were made."""
    from mdmem.systems.rum import keeping

    for page in keeping.stale(vault):
        fix = f"mdmem work chapters --refresh {page.name}"
        message = "its works have changed since it was made"
        yield warning("chapter-stale", page.path, message, fix)


def _against_rules(vault: Vault, note: memory.Memory) -> Iterator[Problem]:
    """Where a note breaks mdmem's rules. In an adopted vault its owner may have named it as they like."""
    config = vault.config
    for problem in properties.check(note, not config.has_own_names):
        if problem.code != "name" or not config.is_adopted:
            yield problem


def _not_indexed(vault: Vault, edits: Sequence[Entry]) -> Iterator[Problem]:
    """Memories that are in the vault but not in the index, although it was just brought up to date."""
    index = vault.whole_index
    told = {*index.keys(kinds=MEMORIES)} | {found.path for found in index.problems()}
    head = vault.repo.head()[0]
    committed = (file.path for file in vault.repo.files(head)) if head else ()
    present = chain(committed, (entry.path for entry in edits))
    for path in sorted(set(present) - told):
        if layout.is_memory(path, vault.config) and os.path.isfile(os.path.join(vault.root, path)):
            yield _drift(path, "the index does not have it")


def _drift(path: str, message: str) -> Problem:
    return Problem("index-drift", path, 0, message, "mdmem doctor --fix (or mdmem rebuild)")


def _twin_names(vault: Vault, judged: Container[str]) -> Iterator[Problem]:
    fix = "mdmem rename one of them; links by name are ambiguous"
    named: dict[str, list[str]] = defaultdict(list)
    for path in vault.index.keys(kinds=MEMORIES):
        named[fold_target(path)].append(path)
    for first, *others in named.values():
        for path in others if any(path in judged for path in (first, *others)) else ():
            yield warning("name-twice", path, f"has the name of {first}", fix)


def _twin_ids(vault: Vault) -> Iterator[Problem]:
    fix = "delete the id line in the copy; mdmem adopt gives it its own"
    index = vault.index
    for first, *others in index.homes(record.id for record in index.records()).values():
        yield from (Problem("id-twice", path, 1, f"has the id of {first}", fix) for path in others)


def _code(vault: Vault, folder: str) -> Iterator[Problem]:
    """Memories whose code has gone, changed or moved, and branches that are gone but were not merged."""
    from mdmem.recall.marks import Standpoint

    standpoint = Standpoint(vault, os.path.abspath(folder))
    if standpoint.base is None:
        raise NotFoundError(f"{folder} is in no repository of code", "name a folder of the repository: --code DIR")
    records = list(vault.index.records())
    for record, marks in zip(records, standpoint.marks(records), strict=True):
        for mark in marks:
            fix = f"mdmem update {record.name} says what is true now; with --unset code, that it still holds"
            yield warning(f"code-{mark.state.split()[0]}", record.path, f"names {mark}", fix)
    for name, names in standpoint.lost(records).items():
        message = f"git has no branch {name} any more, and no merge of it: {some(names, 3)}"
        fix = f"does it hold for all? mdmem update {names[0]} --unset branch; if not, mdmem forget {names[0]}"
        yield warning("code-branch", "", message, fix)


def _dangling_links(vault: Vault, judged: Container[str]) -> Iterator[Problem]:
    from mdmem.garden.gardeners.hygiene import likely_target

    there = set(map(fold_target, vault.file_paths()))
    missing: dict[str, dict[str, int]] = defaultdict(dict)
    for path, target, _, line in vault.index.all_links():
        if path in judged and target not in there:
            missing[path][target] = line
    names = {memory.fold(name): name for name in sorted(vault.index.names(), reverse=True)} if missing else {}
    likely = cache(partial(likely_target, known=sorted(names)))
    for path, lost in missing.items():
        # a link to a note that is yet to be written is no mistake
        targets = {target: line for target, line in lost.items() if likely(target)[0]}
        if not targets:
            continue
        written: dict[str, str] = {}
        with suppress(NoteError, NotFoundError):  # saved or removed since the index was refreshed
            note = vault.get(path)
            written = written_targets(note.meta, note.body)
        for target, line in targets.items():
            message = f"links to [[{written.get(target, target)}]], which is not there"
            hint = f"did you mean [[{names[likely(target)[0]]}]]?"
            yield Problem("link-dangling", path, line, message, hint, "warning")


def _crowded_folders(vault: Vault) -> Iterator[Problem]:
    counts = Counter(map(os.path.dirname, vault.index.keys(kinds=MEMORIES)))
    for folder, count in counts.items():
        if count > FLAT_LIMIT:
            message = f"{count} notes in one folder; git rewrites its whole list on each commit"
            yield warning("folder-crowded", folder, message, "mdmem layout month")


def _stale_trees(vault: Vault) -> Iterator[Problem]:
    """Derived trees that the vault wants and that are out of date, or cannot be compared with the memories."""
    from mdmem.store.vault import derived

    for tree in registry.trees(vault):
        again = tree.again
        try:
            stale = derived.stale(vault, tree)
        except MdmemError as error:
            yield warning("derived-unknown", "", f"the {tree.name} cannot be compared: {error}", again)
            continue
        if stale:
            message = f"files of the {tree.name} are out of date ({len(stale)}): {some(stale, 3)}"
            yield warning("derived-stale", "", message, again)


def _git_objects(vault: Vault) -> Iterator[Problem]:
    for line in vault.repo.complaints("fsck", "--no-dangling", "--no-progress"):
        yield Problem("git-fsck", "", 0, line, "restore the repository from a clone or a backup")


_CHECKS = (
    *(_folder_links, _nested, _unfinished, _strays, _identity, _twin_ids),
    *(_crowded_folders, _sentence_model, _failed_hooks),
)
