"""One memory: its text, what links to it, and its history."""

from collections.abc import Sequence

from mdmem import acts
from mdmem.acts.pages import chronicle, fields, worddiff
from mdmem.acts.pages.request import Destination, PageRequest
from mdmem.acts.remembering import questions_on
from mdmem.acts.style import Json
from mdmem.acts.telling import encode
from mdmem.acts.text.notes import note_json, ranking_json, record_json
from mdmem.errors import ConflictError
from mdmem.garden import judging
from mdmem.history import lineage, past
from mdmem.note import moments
from mdmem.note.memory import Memory, stem
from mdmem.recall import ask, prompt
from mdmem.store.git.log import Commit
from mdmem.store.index.port import MEMORIES, IndexedNote
from mdmem.store.operation import Caller
from mdmem.store.vault import lookup
from mdmem.store.vault.vault import Vault
from mdmem.write.edit import version_of

_LONGEST_DIFF = 20_000  # characters of both versions together; longer ones get no diff here
_MOST_BYTES = 4 * _LONGEST_DIFF  # the most that so many characters take in UTF-8


def read(vault: Vault, request: PageRequest) -> Json:
    """A memory with its links and its history; with `as_of`, a date or revision, as it was then.

    `version` is the number of the version shown, counted from the oldest in `history`; `day` is its date, or the
    one that was asked for. `lines` say who wrote each line of the current text if `authors` was given, else it is
    null. `doubt` says why the text is shown to models as mere data, "" if it is not; `marks` what git says of the
    code that it names. `hand` is null for a memory that cannot be changed; its `blob` is the version of the file,
    `opens` says what opens it elsewhere, `may_change` are older memories that one just written may repeat or
    change. Of the `links`, `out` are the memory's own in text order (`path` is null for a broken link), and `in`
    those of other memories to it.
    `history` has the latest version first, each with its `diff` to the one before. `standing` says where recall
    ranks the memory for the question `ask` ("" for none); it is null for a memory that does not exist now. Raises
    NotFoundError, UsageError.
    """
    path, id = past.identify(vault, request.key)
    commits = _history(vault, path, id, request)
    lines = None
    as_of = _moment(request, commits)
    if as_of:
        note, _, commit = past.version(vault, request.key, moments.dated(as_of, request.now))
    else:
        found = past.living(vault, request.key, exactly=True)
        note, commit = vault.parse(vault.shown(found.path), found.path), ""
        if request.text("authors"):
            lines = encode(acts.blame(vault, found.path))["lines"]
    record = vault.index.record(path)
    number = _number_at(vault, commits, commit)
    standing = "active" if as_of else record.status if record else "deleted"
    return {
        "memory": note_json(note, commit, request.now),
        "record": record_json(record, request.now) if record else None,
        "type": note.type,
        "tags": list(note.tags),
        "status": note.text("status") or standing,
        "as_of": as_of,
        "day": _day(as_of, commits, number),
        "version": number,
        "lines": lines,
        "doubt": prompt.warning(record, note.body) if record and not prompt.is_trusted(record, note.body) else "",
        "marks": _marks(vault, request, record) if record and not as_of else [],
        "hand": _at_hand(vault, request, record, as_of, len(commits)),
        "links": {"out": outgoing(vault, note), "in": _incoming(vault, path)},
        "history": [{**encode(commit), "diff": _diff(vault, commit)} for commit in commits],
        "standing": None if request.is_kept or not record else _standing(vault, request, record),
    }


def act(vault: Vault, request: PageRequest, who: Caller) -> Destination:
    """Keep that a memory just written and the older one that the page asked about both hold.

    Raises NotFoundError, and ConflictError if this would not be asked any more.
    """
    path = lookup.named(vault, request.key).path
    older = lookup.named(vault, request.text("name")).path
    asked = {(one.name, one.why) for one in questions_on(vault, [path])}
    if (stem(older), request.text("why")) not in asked:
        raise ConflictError("the memories have changed since this was asked; nothing was kept", "look again")
    judging.both_hold(vault, older, path, who)
    return Destination("memory", path, {"done": request.text("done")})


def _at_hand(
    vault: Vault, request: PageRequest, record: IndexedNote | None, as_of: str, versions: int
) -> Json | None:
    """What is needed to change a memory, and what to ask about one that was just written."""
    if not record or as_of or request.is_kept:
        return None
    is_new = request.text("done") and versions == 1
    return {
        "blob": version_of(vault, vault.read(record.path)),
        "opens": fields.opens(vault, record.path),
        "may_change": encode(questions_on(vault, [record.path])) if is_new else [],
    }


def paths(vault: Vault) -> list[str]:
    """The paths of all memories."""
    return vault.index.keys(kinds=MEMORIES)


def _marks(vault: Vault, request: PageRequest, record: IndexedNote) -> list[str]:
    """What git says of the code that a memory names, in the repository that the person works in."""
    project = vault.repo.project_at(request.folder)
    [answer] = ask.Viewpoint(vault, ask.Query((), project=project, folder=request.folder)).marked(
        ask.about(vault, [record])
    )
    return list(answer.marks)


def _history(vault: Vault, path: str, id: str, request: PageRequest) -> Sequence[Commit]:
    """The commits of a memory, the latest first."""
    if request.is_kept:
        every = chronicle.kept(vault, "page.histories", lambda: chronicle.histories(vault))
        return every.get(path, ())
    return chronicle.kept(vault, f"page.history.{path}.{id}", lambda: past.history(vault, path, id))


def _moment(request: PageRequest, commits: Sequence[Commit]) -> str:
    """The date, revision or commit of the version asked for; "" for the current one. Raises UsageError."""
    if request.text("as_of") or not request.text("version"):
        return request.text("as_of")
    return commits[-request.number("version", 1, len(commits))].oid


def _number_at(vault: Vault, commits: Sequence[Commit], commit: str) -> int:
    """The number of the version that was current at a commit ("" for now)."""
    if not commit or not commits:
        return len(commits)
    later = vault.repo.reached(commit, without=commits[-1].oid)
    return 1 + sum(version.oid in later for version in commits)


def _day(as_of: str, commits: Sequence[Commit], number: int) -> str:
    """The day (RFC 3339) as of which a memory is shown: the requested one, or that of the version."""
    moment = moments.parse(as_of) or (commits[-number].when if number else None)
    return f"{moment:%Y-%m-%d}" if moment else ""


def _standing(vault: Vault, request: PageRequest, record: IndexedNote) -> Json:
    """Where recall ranks a memory for the question given, and why."""
    asked = request.text("ask")
    found = ask.why(vault, ask.Query((asked,)), record.path, request.now) if asked else None
    return {"ask": asked, "ranking": ranking_json(found) if found else None}


def outgoing(vault: Vault, note: Memory) -> list[Json]:
    """The links of a note, each target once, with the memories that they lead to."""
    return [
        {
            "target": target,
            "predicate": predicate,
            "path": record.path if record else None,
            "title": record.title if record else None,
        }
        for target, predicate, record in lineage.outgoing(vault.index, note)
    ]


def _incoming(vault: Vault, path: str) -> list[Json]:
    """The other memories that link to the one at a path."""
    return [
        {"path": record.path, "title": record.title, "line": line, "type": record.type, "status": record.status}
        for record, line in lineage.incoming(vault.index, path)
    ]


def _diff(vault: Vault, commit: Commit) -> list[dict[str, str]]:
    """What a commit changed in a memory's file; empty for a commit that created or deleted it."""
    found: list[dict[str, str]] = []
    for change in commit.changes:
        before = _text(vault, change.before, change.old_path)
        after = _text(vault, change.after, change.path)
        if before and after and len(before) + len(after) <= _LONGEST_DIFF:
            found += encode(worddiff.compare(before, after))
    return found


def _text(vault: Vault, blob: str, path: str) -> str:
    """A version of a file as the reader may see it; "" for none, or for one too long to compare."""
    data = vault.repo.file(blob, path) if blob else b""
    sight = chronicle.sight(vault)
    is_shown = len(data) <= _MOST_BYTES and sight.shows_content(data, path)
    return sight.redact(data.decode("utf-8-sig", "replace")) if is_shown else ""
