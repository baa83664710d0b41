"""Works (RUM): what was tried before, what it has to do with another, and what several of them taught."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, NamedTuple

from mdmem.acts.json.work import found_work_json, page_json, work_json
from mdmem.acts.selecting import Name
from mdmem.acts.signature import Arg, Opt
from mdmem.acts.style import Aside, Style
from mdmem.acts.telling import Told
from mdmem.acts.text import work as text
from mdmem.errors import UsageError
from mdmem.note import moments
from mdmem.note.excerpt import DEPTHS
from mdmem.note.plural import counted
from mdmem.note.terminal import safe
from mdmem.recall.models import language
from mdmem.store.local import usage
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault
from mdmem.systems.rum import depth as depths
from mdmem.systems.rum import linking
from mdmem.systems.rum import recall as recalling
from mdmem.systems.rum.chapters import keeping
from mdmem.systems.rum.chapters.keeping import KeptPages
from mdmem.systems.rum.chapters.pages import CHAPTER, WISDOM
from mdmem.systems.rum.chapters.shelf import Shelf
from mdmem.systems.rum.recall import WorkQuery
from mdmem.systems.rum.schema import LINK_TYPES, TASK_TYPES
from mdmem.systems.rum.view import VaultWorks, require_valid


class Works(NamedTuple):
    """Which works are meant."""

    files: Annotated[
        Sequence[str],
        Opt(
            "Only about this file, or those of a folder/ or a pattern like 'src/*.ts'; may be repeated.",
            flags="--file",
            metavar="PATH",
        ),
    ] = ()
    agents: Annotated[Sequence[str], Opt("Only of this agent; may be repeated.", flags="--agent")] = ()
    projects: Annotated[Sequence[str], Opt("Only of this project; may be repeated.", flags="--project")] = ()
    session: Annotated[str, "Only of this session, those of its subagents included."] = ""
    since: Annotated[str, Opt("Only since a date or age: 2026-03-01, 3d.", metavar="DATE")] = ""
    before: Annotated[str, Opt("Only from before a date or age: 2026-03-01.", metavar="DATE")] = ""
    task_types: Annotated[
        Sequence[str],
        Opt(
            "Only this kind of work, such as bug_fix; may be repeated.",
            flags="--task-type",
            metavar="TYPE",
            choices=TASK_TYPES,
        ),
    ] = ()
    success: Annotated[bool | None, Opt("Only what succeeded, or what failed.", flags="--success/--failure")] = (
        None
    )
    tags: Annotated[Sequence[str], Opt("Only with this tag; may be repeated.", flags="--tag")] = ()
    archived: Annotated[bool, "Also what was folded into chapters."] = False

    def query(self, words: str, limit: int, who: Caller) -> WorkQuery:
        """The query for them, with words."""
        given = self._asdict() | {name: tuple(getattr(self, name)) for name in _LISTS}
        for name in ("since", "before"):
            given[name] = moments.since(given[name], who.now) if given[name] else None
        return WorkQuery(words=words, limit=limit, **given)


_LISTS = ("files", "agents", "projects", "task_types", "tags")
ANY = Works()
Depth = Annotated[str, Opt("How much of it to print.", choices=DEPTHS)]
Project = Annotated[str, "Only of this project. Default: each project apart."]
ByModel = Annotated[bool, "Let the model named by $MDMEM_LLM word the lines."]


def show(vault: Vault, who: Caller, name: Name, *, depth: Depth = "complete") -> Told:
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
    works = VaultWorks(vault)
    view = require_valid(works.view(works.find(name)))
    usage.add(vault.root, [view.note.id], who.now)
    return Told(work_json(view, depth), safe(depths.telling(view.work, depth).text))


def recall(
    vault: Vault,
    who: Caller,
    words: Annotated[Sequence[str], Arg()] = (),
    *,
    which: Works = ANY,
    limit: Annotated[int, Opt("At most this many.", flags="-n --limit", least=1)] = 5,
    depth: Annotated[
        str,
        Opt(
            "How much of each to print. Default: the summary, and more of the best if --budget allows.",
            choices=DEPTHS,
        ),
    ] = "",
    budget: Annotated[int, Opt("At most this many tokens for all.", least=20)] = 0,
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
    read = recalling.recall(vault, which.query(" ".join(words), limit, who), who, depth, budget)
    _tell_broken(vault, read.broken)

    def said(style: Style) -> Iterator[str]:
        for each in read.works:
            yield from text.found_work_lines(each, style)
        if not read.works:
            yield Aside("no work found; mdmem list --as work shows what there is")

    return Told([found_work_json(each) for each in read.works], said)


def list_(
    vault: Vault,
    who: Caller,
    *,
    which: Works = ANY,
    limit: Annotated[int, Opt("At most this many.", flags="-n --limit", least=1)] = 20,
) -> Told:
    """List works, the latest first; those about a file by importance. Does not count as reading them.

    \b
    Examples:
      mdmem list --as work --project shop --failure
      mdmem list --as work --session conv-42
    """
    read = recalling.listed(vault, which.query("", limit, who), who.now)
    _tell_broken(vault, read.broken)
    views = [work_json(view, "summary") for view in read.views]
    return Told(views, lambda style: text.work_table(read.views, style))


def _tell_broken(vault: Vault, broken: int) -> None:
    """Tell how many notes were left out because they are not valid works."""
    if broken:
        vault.tell(f"{counted(broken, 'work note')} cannot be read: mdmem doctor names what to fix")


def link(
    vault: Vault,
    who: Caller,
    source: Annotated[str, Arg(metavar="WORK", completes="name")],
    link_type: Annotated[str, Arg(metavar="TYPE", choices=LINK_TYPES)],
    target: Annotated[str, Arg(metavar="OTHER", completes="name")],
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
    done = linking.link(vault, source, link_type, target, who, reason)
    linked = f"{done.source} {done.type} {done.target}"
    said = f"linked {linked}  ({done.commit[:8]})" if done.commit else f"already linked: {linked}"
    return Told({**done._asdict(), "created": bool(done.commit)}, said)


# -- chapters and wisdom


def chapters(
    vault: Vault,
    who: Caller,
    names: Annotated[Sequence[str], Arg(completes="name")] = (),
    *,
    auto: Annotated[
        bool, "Of every tag that three works of a project share; without tags, of task types."
    ] = False,
    refresh: Annotated[bool, "Rewrite the text of the chapters and wisdom named, or all out of date."] = False,
    title: Annotated[str, "Title of the chapter. Default: the goal of its first work."] = "",
    project: Project = "",
    llm: ByModel = False,
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


def list_chapters(vault: Vault, *, project: Project = "") -> Told:
    """List the chapters, oldest first.

    \b
    Examples:
      mdmem list --as chapter
      mdmem list --as chapter --project shop --json
    """
    views = [view for view in Shelf(vault).all(CHAPTER) if not project or view.value.get("project_id") == project]
    views.sort(key=lambda view: (view.note.created, view.note.path))
    return Told(list(map(page_json, views)), map(text.page_line, views))


def show_chapter(vault: Vault, name: Name) -> Told:
    """Print a chapter or wisdom, by its name or id (chapter_..., wisdom_...), with what each line rests on.

    \b
    Examples:
      mdmem show --as chapter works_on_auth
      mdmem show --as chapter works_on_auth --json
    """
    view = Shelf(vault).find(name, CHAPTER, WISDOM)
    return Told(page_json(view), [text.page_line(view), "", view.read.body.strip()])


def wisdom(
    vault: Vault,
    who: Caller,
    chapters: Annotated[Sequence[str], Arg(completes="name")] = (),
    *,
    project: Project = "",
    llm: ByModel = False,
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
    before: Annotated[str, Opt("Works from before: 2026-03-01, 90d, 6 months ago.", metavar="WHEN")],
    below: Annotated[
        float, Opt("Importance below which a work may be folded (0-1).", least=0, most=1)
    ] = keeping.LITTLE,
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
    value = {"pages": done.pages, "archived": done.archived, "commit": done.commit}
    return Told(value, text.kept_lines(done))
