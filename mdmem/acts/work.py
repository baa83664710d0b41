"""Remember work (RUM): what was tried, why, what was done, and what came of it.

\b
Examples:
  mdmem work add work.json
  mdmem recall --as work --file src/auth.ts --failure
  mdmem work link stop_random_logouts caused_by longer_token_lifetime_refused
  mdmem work chapters --auto
  mdmem work before src/auth.ts

Commands that print data take --json.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated, NamedTuple

from mdmem.acts.face import Face
from mdmem.acts.remembering import template_of
from mdmem.acts.style import Aside, Json, Lines, Raw, Style, phrase
from mdmem.acts.telling import Told, beside
from mdmem.acts.unwritten import offering
from mdmem.errors import MdmemError, UsageError
from mdmem.note import moments
from mdmem.note.excerpt import DEPTHS
from mdmem.note.memory import decode
from mdmem.note.plural import counted
from mdmem.note.terminal import safe, safe_line
from mdmem.recall.models import language
from mdmem.store.local import usage
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault
from mdmem.systems.rum import adding, keeping, shelf, work
from mdmem.systems.rum import recall as recalling
from mdmem.systems.rum.drafting import DraftedWork
from mdmem.systems.rum.keeping import KeptPages
from mdmem.systems.rum.pages import CHAPTER, WISDOM
from mdmem.systems.rum.recall import FoundWork, Reminders, WorkQuery, reminder_lines
from mdmem.systems.rum.shelf import RumView, Shelf
from mdmem.systems.rum.work import LINK_TYPES, TASK_TYPES, Record
from mdmem.write.remember import draft_from


class Works(NamedTuple):
    """Which works are meant."""

    files: Sequence[str] = ()
    agents: Sequence[str] = ()
    projects: Sequence[str] = ()
    session: str = ""
    since: str = ""
    before: str = ""
    task_types: Annotated[Sequence[str], TASK_TYPES] = ()
    success: bool | None = None
    tags: Sequence[str] = ()
    archived: bool = False

    def query(self, words: str, limit: int, who: Caller) -> WorkQuery:
        """The query for them, with words."""
        given = self._asdict()
        for name in ("since", "before"):
            given[name] = moments.since(given[name], who.now) if given[name] else None
        return WorkQuery(words=words, limit=limit, **given)


ANY = Works()


def show(vault: Vault, who: Caller, name: str, *, depth: Annotated[str, DEPTHS] = "complete") -> Told:
    """Print a work, by its name or id (mem_...), in as few words as you want.

    \b
    --depth  summary (the goal and the outcome in a line each, at most 20 tokens), outcome (and what was
             learned, at most 50), reasoning (and why it was done so, at most 150), full (and what was seen and
             done, at most 300), complete (everything). What does not fit is cut, and the end says so;
             --json gives all of a depth uncut.

    \b
    Examples:
      mdmem show --as work stop_random_logouts --depth summary
      mdmem show --as work mem_0192f3c4-7d1e-7c3a-9d53-0c7a6f3e2b11 --json
    """
    view = Shelf(vault).require(name)
    usage.add(vault.root, [view.note.id], who.now)
    return Told(work_json(view, depth), safe(recalling.telling(view.value, depth).text))


def recall(
    vault: Vault,
    who: Caller,
    words: Sequence[str] = (),
    *,
    which: Works = ANY,
    limit: int = 5,
    depth: Annotated[str, DEPTHS] = "",
    budget: int = 0,
) -> Told:
    """Recall what was tried before: by words, by file, by who did what when.

    The most relevant come first, of equally relevant ones the most important, then the latest. A file is found by
    its whole path or the end of it; where the vault lies in the repository of the file, also under the names that
    it had before.

    \b
    Examples:
      mdmem recall --as work random logouts --budget 400
      mdmem recall --as work --file src/auth.ts --failure
      mdmem recall --as work --file 'src/auth/' --agent claude-code --since 30d --json
    """
    found, broken = recalling.recall(vault, which.query(phrase(words), limit, who), who, depth, budget)
    _tell_broken(vault, broken)

    def said(style: Style) -> Lines:
        for each in found:
            yield from found_work_lines(each, style)
        if not found:
            yield Aside("no work found; mdmem list --as work shows what there is")

    return Told([found_work_json(each) for each in found], said)


def list_(
    vault: Vault,
    who: Caller,
    *,
    which: Works = ANY,
    limit: int = 20,
) -> Told:
    """List works, the latest first; those about a file by importance. Does not count as reading them.

    \b
    Examples:
      mdmem list --as work --project shop --failure
      mdmem list --as work --session conv-42
    """
    views, broken = recalling.listed(vault, which.query("", limit, who), who.now)
    _tell_broken(vault, broken)
    return Told([work_json(view, "summary") for view in views], lambda style: work_table(views, style))


def _tell_broken(vault: Vault, broken: int) -> None:
    """Tell how many notes were left out because they are not valid works."""
    if broken:
        vault.tell(f"{counted(broken, 'work note')} cannot be read: mdmem doctor names what to fix")


def add(
    vault: Vault,
    who: Caller,
    face: Face,
    file: str = "-",
    *,
    edit: bool = False,
    transcript: str = "",
    success: bool | None = None,
    dry_run: bool = False,
    name: str = "",
    reason: str = "",
) -> Told:
    """Remember a piece of work, as one file and one commit.

    FILE is a JSON object with intent, perception, reasoning, actions and outcome, or a note in the form of the
    template; "-" or nothing reads it from standard input. Required are intent.goal, intent.task_type,
    outcome.success and outcome.summary. The fields of an action stand in details and result, or beside its type.

    With --from it is drafted from what an agent did: the goal from the request, actions from its tool calls, the
    outcome from how the session ended. It gets `drafted: true`; look at it with --dry-run or --edit. If there are
    several sessions, --session picks one. It succeeded if a test, build or type check passed after the last
    change, or if the user said so; an unknown outcome is not written as a success, and reported.

    \b
    Examples:
      mdmem work add work.json
      mdmem work add --edit
      mdmem work add --from ~/.claude/projects/shop/0c1d.jsonl --dry-run
      echo '{"intent": {"goal": "Stop the logouts", "task_type": "bug_fix"},
             "outcome": {"success": true, "summary": "Tokens are refreshed"}}' | mdmem work add
    """
    if transcript and file != "-":
        raise UsageError("a work comes from FILE or from a transcript", f"leave out {file}, or --from")
    if success is not None and not transcript:
        raise UsageError("--success and --failure go with --from", "write it into the work: outcome.success")
    if edit:
        face.require_editor("give it as a file: mdmem work add work.json")
    draft = adding.from_transcript(transcript, face.session, success) if transcript else None
    if draft and not name:
        adding.require_new(vault, draft)
    doubts = draft.doubts if draft else ()
    with _source(vault, face, file, edit, draft) as (record, is_draft):
        words = adding.note_text(vault, record, is_draft)
        if dry_run:
            return Told(
                {"memory": record, "properties": adding.marks(is_draft), "doubts": doubts},
                [Raw(safe(words)), *map(beside, doubts)],
            )
        if draft:  # what a transcript says about its session takes precedence
            actor = draft.record.get("agent_id") or face.actor
            who = face.writer(vault, actor, draft.record.get("session_id") or face.session)
            who = who._replace(parent_session=draft.parent, parent_actor=actor) if draft.parent else who
        with offering(vault, [draft_from(words, {}, name)], who):
            done = adding.add(vault, record, who, reason, name, is_draft)
    said = [f"remembered {done.path}  ({done.commit[:8]})", *map(beside, doubts)]
    return Told({**done._asdict(), "doubts": doubts}, said)


@contextmanager
def _source(
    vault: Vault, face: Face, file: str, edit: bool, draft: DraftedWork | None
) -> Iterator[tuple[Record, bool]]:
    """The work to add, and whether it is a draft. Text typed in an editor is kept until the block ends."""
    if edit:
        if draft:
            before = adding.note_text(vault, draft.record, is_draft=True).encode()
        else:
            before = template_of(vault, work.TYPE, "", face)
        with face.edited(vault, "new", before) as written:
            typed = decode(written, "the text")
            yield adding.parsed(typed), bool(draft) and adding.is_draft(typed)
    elif draft:
        yield work.checked(draft.record), True
    else:
        yield adding.parsed(face.read(file)), False


def before(
    face: Face,
    files: Sequence[str] = (),
    *,
    command: str = "",
    always: bool = False,
) -> Told:
    """Say what is remembered of files before they are touched: what was tried there, and what failed.

    Made for editors, and for scripts that stand before a change: it prints nothing ({} with --json) where there is
    nothing to say, does not wait for other processes, and always exits with 0; an error is a line on standard
    error. Each file is mentioned at most once in five minutes, and at most five files a minute. Failed work on a
    file of the command, with a similar goal, is mentioned each time. Works older than 30 days are left out.

    \b
    Examples:
      mdmem work before src/auth.ts
      mdmem work before --command 'rm src/auth.ts' --json
    """
    found = Reminders()
    try:
        with face.opened() as vault:
            found = recalling.before(vault, tuple(files), command, face.caller().now, always)
    except MdmemError as error:
        face.tell(error.message)
    return Told(found if any(found) else {}, reminder_lines(found))


def link(
    vault: Vault,
    who: Caller,
    source: str,
    link_type: Annotated[str, LINK_TYPES],
    target: str,
    *,
    reason: str = "",
) -> Told:
    """Say what a work has to do with another: caused_by, led_to, related_to, supersedes or blocked_by it.

    The link is written into the first of the two. What it supersedes becomes deprecated. A link that is there
    already stays as it is. A work supersedes one other and is blocked by one: a new link of that type replaces the
    old one.

    \b
    Examples:
      mdmem work link stop_random_logouts caused_by longer_token_lifetime_refused
      mdmem work link mem_0192f3c4-7d1e-7c3a-9d53-0c7a6f3e2b11 blocked_by staging_server_is_down
    """
    done = shelf.link(vault, source, link_type, target, who, reason)
    linked = f"{done.source} {done.type} {done.target}"
    said = f"linked {linked}  ({done.commit[:8]})" if done.commit else f"already linked: {linked}"
    return Told({**done._asdict(), "created": bool(done.commit)}, said)


# -- chapters and wisdom


def chapters(
    vault: Vault,
    who: Caller,
    names: Sequence[str] = (),
    *,
    auto: bool = False,
    refresh: bool = False,
    title: str = "",
    project: str = "",
    llm: bool = False,
    reason: str = "",
) -> Told:
    """Sum up works in a chapter: those that are named, in this order; or see --auto and --refresh. One commit.

    With --auto, works that came since are added to the chapter of their tag. --project goes with it.

    With --refresh only what stands between <!-- mdmem:begin --> and <!-- mdmem:end --> is replaced; what you wrote
    above or below stays as it is. `mdmem doctor` names those that are out of date. With --llm a model of the llm
    package (pip install 'mdmem[llm]') words the lines. Each line keeps the works that it rests on; one that does
    not, or adds a number, stays as the rules made it.

    \b
    Examples:
      mdmem work chapters --auto --project shop
      mdmem work chapters stop_random_logouts refresh_expired_tokens --title "Sessions"
      mdmem work chapters --refresh works_on_auth
    """
    given = {
        "works": names,
        "--auto": auto,
        "--refresh": refresh,
        "--title": title,
        "--project": project,
        "--llm": llm,
    }
    fitting = _GO_TOGETHER["--auto" if auto else "--refresh" if refresh else "works"]
    if strange := [name for name, value in given.items() if value and name not in fitting]:
        raise UsageError(
            f"{strange[0]} does not go with {fitting[0]}", "mdmem work chapters --help says what does"
        )
    if auto:
        return _kept(keeping.detect(vault, who, project, reason))
    if refresh:
        model = language.required() if llm else None
        return _kept(keeping.refresh(vault, tuple(names), who, reason, model))
    return _kept(keeping.create(vault, tuple(names), who, title, reason))


_GO_TOGETHER = {
    "--auto": ("--auto", "--project"),
    "--refresh": ("--refresh", "works", "--llm"),
    "works": ("works", "--title"),
}


def list_chapters(vault: Vault, *, project: str = "") -> Told:
    """List the chapters, oldest first.

    \b
    Examples:
      mdmem list --as chapter
      mdmem list --as chapter --project shop --json
    """
    views = [
        view for view in Shelf(vault).pages(CHAPTER) if not project or view.value.get("project_id") == project
    ]
    views.sort(key=lambda view: (view.note.created, view.note.path))
    return Told(list(map(page_json, views)), map(page_line, views))


def show_chapter(vault: Vault, name: str) -> Told:
    """Print a chapter or wisdom, by its name or id (chapter_..., wisdom_...), with what each line rests on.

    \b
    Examples:
      mdmem show --as chapter works_on_auth
      mdmem show --as chapter works_on_auth --json
    """
    view = Shelf(vault).page(name, CHAPTER, WISDOM)
    return Told(page_json(view), [page_line(view), "", view.read.body.strip()])


def wisdom(
    vault: Vault,
    who: Caller,
    chapters: Sequence[str] = (),
    *,
    project: str = "",
    llm: bool = False,
    reason: str = "",
) -> Told:
    """Distill chapters into wisdom: insights, patterns that several share, and best practices.

    Without CHAPTERS, every project with at least two chapters has one note of wisdom, which is made again as
    its chapters grow. One commit. --llm is that of `mdmem work chapters`.

    \b
    Examples:
      mdmem work wisdom
      mdmem work wisdom works_on_auth works_on_cache
    """
    model = language.required() if llm else None
    return _kept(keeping.synthesize(vault, tuple(chapters), who, project, reason, model))


def archive(
    vault: Vault,
    who: Caller,
    *,
    before: str,
    below: float = keeping.LITTLE,
    reason: str = "",
) -> Told:
    """Fold old works of little importance into their chapters: they get `archived: true`.

    They stay in the vault and in their chapter, which tells what was learned. Works that are in no chapter get
    one for each project. Pinned works are left alone. One commit; `mdmem undo --last 1` takes it back.

    \b
    Examples:
      mdmem work archive --before 90d
      mdmem work archive --before 2026-01-01 --below 0.8
    """
    return _kept(keeping.archive(vault, moments.since(before, who.now), who, below, reason))


def _kept(done: KeptPages) -> Told:
    return Told(done, kept_lines(done))


def found_work_lines(found: FoundWork, style: Style) -> Lines:
    """A work that recall found: its summary line, what it did to the requested files, and its text, indented."""
    touched = [f"{file.operation} {safe_line(file.path)}" for file in found.files]
    yield "  ".join([work_line(found.view, style), *touched])
    yield from (f"    {line}" for line in safe(found.told.text).split("\n"))


def work_table(views: Sequence[RumView], style: Style) -> Lines:
    """A line for each work, with its goal."""
    for view in views:
        yield f"{work_line(view, style)}  {safe_line(view.value['intent']['goal'])}"


def work_line(view: RumView, style: Style) -> str:
    """`name  date  task type  ok` (or FAILED), and who did it."""
    ending = "ok" if view.value["outcome"]["success"] else style("FAILED", "red")
    parts = [style(safe_line(view.note.name), "bold"), view.note.created[:10], view.value["intent"]["task_type"]]
    return "  ".join(part for part in [*parts, ending, safe_line(view.value["agent_id"])] if part)


def kept_lines(done: KeptPages) -> Lines:
    """The chapters and wisdom that were written, and how many works were archived."""
    words = {"create": "made", "refresh": "refreshed"}
    for page in done.pages:
        yield f"{words[page.action]} {page.path}  {safe(page.title)}"
    if done.archived:
        yield f"archived {counted(len(done.archived), 'work')}"
    yield f"commit {done.commit[:8]}" if done.commit else "nothing to do"


def page_line(view: RumView) -> str:
    """A chapter or wisdom in one line."""
    made_of = view.value.get("memories") or view.value.get("chapters") or []
    return f"{view.note.name}  {safe(view.note.title)}  ({len(made_of)})"


def work_json(view: RumView, depth: str) -> Json:
    """A work at a depth, uncut. `tokens` is the size of its text when cut to that depth's limit.

    `is_cut` tells whether that text leaves something out.
    """
    told = recalling.telling(view.value, depth)
    return {
        "name": view.note.name,
        "path": view.note.path,
        "depth": depth,
        "memory": recalling.at_depth(view.value, depth),
        "tokens": told.tokens,
        "is_cut": told.is_cut,
    }


def found_work_json(found: FoundWork) -> Json:
    """A work that recall found: its relevance (0-1), the files it was found by, and its text within the budget."""
    return {
        **work_json(found.view, found.depth),
        "relevance": round(found.relevance, 3),
        "files": found.files,
        "text": found.told.text,
    }


def page_json(view: RumView) -> Json:
    """A chapter or wisdom as a RUM record, with the ids that it is made from."""
    return {"name": view.note.name, "path": view.note.path, view.note.type: view.value}
