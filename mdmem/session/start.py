"""The start of a session: what it has to know, in one pack within a budget.

A pack holds what recall finds for the context and what always matters: memories that are not to be forgotten,
the next tasks, and what changed since the actor's last session.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from mdmem.capture.inbox import store
from mdmem.errors import MdmemError, NotFoundError, UsageError
from mdmem.history import news as seen
from mdmem.history.news import News, Reader
from mdmem.history.syncing import automatic
from mdmem.note import memory, moments, naming, tokens
from mdmem.note.filters import Filter
from mdmem.note.gauges import Gauges
from mdmem.note.plural import counted
from mdmem.note.terminal import safe_line
from mdmem.recall import prompt
from mdmem.session import choosing, livehud, pack
from mdmem.session.choosing import Chosen
from mdmem.session.pack import Frame, Page
from mdmem.session.sources import Sources
from mdmem.store import registry
from mdmem.store.index.port import ENTRY, MEMORY, IndexedNote
from mdmem.store.index.selection import understood
from mdmem.store.local.sessions import Session, Sessions
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault
from mdmem.write import secrets

if TYPE_CHECKING:
    from mdmem.store.vault.several import OpenVaults

FILES, FEWEST = 35, 5  # memories of a pack: the default, and the fewest that may be asked for
BUDGET = 4000  # tokens
_NOTHING_CHOSEN = "Nothing is to be kept in mind, due or decided; recall finds what the files say."
_FEW = 3  # memories of a lost branch that are named
_BRIEF_SHARE = 4  # derived trees may take a quarter of the budget
_BEGINNING = 2_000  # characters of a memory that are read for orders before a gauge shows its title


class PackRequest(NamedTuple):
    """The options of a pack. `files` is at least FEWEST; `budget` is in tokens, for all that is printed.

    It `tells_waiting` proposals, unless the person is told of them some other way. Where a session goes on, it
    `tells_again` what that was shown before, or only what is new.
    """

    context: str = ""
    conditions: tuple[Filter, ...] = ()
    files: int = FILES
    budget: int = BUDGET
    names_only: bool = False
    tells_waiting: bool = True
    tells_again: bool = False


class Pack(NamedTuple):
    """What a session starts with. `seen` is where the actor's cursor was, "" if there was none."""

    session: Session
    page: Page
    news: News
    seen: str


def start(vault: Vault, wanted: PackRequest, who: Caller, vaults: OpenVaults | None = None) -> Pack:
    """The pack for a session that begins, or continues after a break. Once it is shown, call `keep`.

    Its memories are those of `vaults`, if there are others besides `vault`; the session itself, the news, what
    waits for a decision and what derived trees say are of `vault` alone.

    If nothing can be written, the session is not saved, and its LiveHud says so. Raises UsageError for fewer
    files than FEWEST.
    """
    if wanted.files < FEWEST:
        raise UsageError(f"{wanted.files} files are too few for a pack", f"say --files {FEWEST} or more")
    automatic.sync_session(vault, who, automatic.AT_START)
    sources = Sources(vault, vaults)
    wanted = wanted._replace(conditions=understood(sources.catalogue, wanted.conditions, who.now))
    index, actor = vault.index, actor_of(vault, who)
    sessions = Sessions(vault)
    latest, before = sessions.latest(actor), sessions.get(who.session) if who.session else None
    session, lasting = begin(vault, who, actor)
    cursor = seen.cursor(vault, actor)
    left = moments.parse(latest.started) if latest else None
    news = seen.news(vault, Reader(actor, session.id, left), cursor)
    marked = choosing.marked(sources, wanted.conditions, who.now)
    goes_on = before is not None and not before.ended and not wanted.tells_again
    shown = frozenset(session.shown if goes_on else ())
    context = choosing.as_words(wanted.context)
    asked = choosing.Wanted(context, wanted.conditions, wanted.files, shown, who)
    items = choosing.choose(sources, asked, marked, news)
    found = Gauges(
        _insight(sources, items, who),
        _present(vault, wanted.context, who),
        _title(sources, marked.tasks, who),  # of the one that is due first
        "" if lasting else livehud.READ_ONLY,
    )
    session = session._replace(gauges=found, head=index.head)
    brief = "" if shown else _brief(vault, wanted.budget // _BRIEF_SHARE)
    total = sources.catalogue.count((MEMORY, ENTRY))
    waiting = store.notice_for_agent(vault) if wanted.tells_waiting else ""
    nothing = "" if items or brief or not total else _NOTHING_CHOSEN
    notice = "\n".join(filter(None, [*_lost_branches(sources, who), waiting or nothing]))
    frame = Frame(session.id, session.livehud, total, wanted.budget, wanted.names_only, brief, notice, who.project)
    page = pack.page(sources, frame, news, items)
    return Pack(session._replace(gauges=found._replace(memory=page.gauges.memory)), page, news, cursor)


def _may_read(vault: Vault, tree: registry.DerivedTree) -> bool:
    """Whether the reader may see everything that a derived tree says."""
    limit = vault.for_derived(tree.name).clearance.limit
    return vault.clearance.at_most(limit) == vault.clearance._replace(limit=limit)


def _brief(vault: Vault, budget: int) -> str:
    """The number of open conflicts, and what the derived trees of a vault say, in at most `budget` tokens."""
    briefs = (getattr(tree, "brief", None) for tree in registry.trees(vault) if _may_read(vault, tree))
    pages = (
        prompt.quoted(tokens.cut(page, budget)) for brief in briefs if brief and (page := brief(vault, budget))
    )
    return "\n\n".join(filter(None, [_open_conflicts(vault), *pages]))


def _lost_branches(sources: Sources, who: Caller) -> Iterator[str]:
    """The question about what was written on each branch that was deleted unmerged."""
    for branch, names in sources.view(who).lost().items():
        settled = f"mdmem update {names[0]} --unset branch, or mdmem forget {names[0]}"
        yield safe_line(
            f"Git has no branch {branch} any more, and no merge of it. Does what was written there hold for all? "
            f"{', '.join(names[:_FEW])}{' ...' * (len(names) > _FEW)}: {settled}"
        )


def _open_conflicts(vault: Vault) -> str:
    """The line that says how many memories have open conflicts after a merge, "" if none has."""
    from mdmem.history.merging import unsettled

    count = unsettled.count(vault)
    return (
        f"In conflict after a merge: {counted(count, 'memory')}: ask the user to run mdmem judge" if count else ""
    )


@contextmanager
def showing(vault: Vault, wanted: PackRequest, who: Caller, vaults: OpenVaults | None = None) -> Iterator[Pack]:
    """The pack of `start`, to be shown within the block; it is kept at the end, but not after an exception."""
    pack = start(vault, wanted, who, vaults)
    yield pack
    keep(vault, pack, who.now, vaults)


def keep(vault: Vault, shown: Pack, now: datetime, vaults: OpenVaults | None = None) -> None:
    """Save that a pack was shown: its memories as used, the session, and what its actor has now seen."""
    session = shown.session
    Sources(vault, vaults).count_use([item.answer for item in shown.page.items], now)
    ids = [item.answer.hit.record.id for item in shown.page.items]
    sessions = Sessions(vault)
    try:
        with changing(sessions):
            before = sessions.get(session.id) or session
            every = tuple(dict.fromkeys([*before.shown, *ids]))
            sessions.save(session._replace(shown=every, noted=before.noted))
            sessions.tidy(now)
        if session.head not in ("", shown.seen):
            seen.move(vault, session.actor, session.head, shown.seen)
    except MdmemError as error:
        vault.tell(f"this session is not remembered: {error}")


def note(vault: Vault, said: Mapping[str, str], who: Caller) -> Session:
    """Set gauges (past, present, future) of a session, "" for what was found at its start; returns the session.

    It is the session of `who`, which begins now if it is not known. Without an id it is the newest open one of
    that actor. Raises NotFoundError if there is none, UsageError for a text with a secret.
    """
    _require_plain_id(who)
    for gauge, text in said.items():
        if leaks := _leaks(text, who):
            raise UsageError(f"--{gauge} holds a secret, {leaks}: nothing was noted", "say it without the secret")
    sessions = Sessions(vault)
    if not said:
        return meant(vault, who)
    with changing(sessions):
        session = meant(vault, who)
        session = session._replace(noted=session.noted._replace(**said), touched=moments.render(who.now))
        sessions.save(session)
    return session


def _require_plain_id(who: Caller) -> None:
    if leaks := _leaks(who.session, who):
        raise UsageError(f"the id of the session holds a secret, {leaks}: nothing was noted", "give it another id")


def _leaks(text: str, who: Caller) -> str:
    """The kinds of secrets in a text that the caller may not keep; "" for none."""
    return "" if who.allow_secret else secrets.kinds(text)


def meant(vault: Vault, who: Caller) -> Session:
    """The session that `who` means: the one with its id, new if not known; else the newest its actor has open.

    Raises NotFoundError if its actor has none open.
    """
    actor = actor_of(vault, who)
    if who.session:
        return Sessions(vault).get(who.session) or opened(vault, who.session, who)
    newest = Sessions(vault).newest(actor)
    if newest is None:
        hint = "mdmem session start begins one; --session ID names any"
        raise NotFoundError(f"no session of {actor} is open", hint)
    return newest


def opened(vault: Vault, id: str, who: Caller) -> Session:
    """A session that opens now and has been shown nothing, not yet saved; if `id` is "", one is made."""
    actor, moment = actor_of(vault, who), moments.render(who.now)
    gauges = Gauges(memory=livehud.count(0, vault.index.count()))
    id = id or _new_id(who.now, actor, Sessions(vault).is_known)
    return Session(id, actor, moment, moment, gauges=gauges)


@contextmanager
def changing(sessions: Sessions) -> Iterator[None]:
    """Hold the lock for changes to sessions. Raises MdmemError if that is not possible."""
    try:
        with sessions.changing():
            yield
    except OSError as error:
        raise MdmemError(f"the session cannot be kept: {error}", "fix the permissions of .mdmem") from None


def actor_of(vault: Vault, who: Caller) -> str:
    """The name of the caller; for the person at the keyboard, the name that git has."""
    return who.actor or vault.repo.identity().name


def begin(vault: Vault, who: Caller, actor: str) -> tuple[Session, bool]:
    """(a session as it begins, whether it could be saved); a session without an id gets one."""
    _require_plain_id(who)
    sessions, moment = Sessions(vault), moments.render(who.now)
    session = Session(who.session or _new_id(who.now, actor, lambda _: False), actor, moment, moment)
    try:
        with changing(sessions):
            if not who.session:
                session = session._replace(id=_new_id(who.now, actor, sessions.is_known))
            before = sessions.get(session.id) if who.session else None
            session = (before or session)._replace(actor=actor, touched=moment, ended="")
            sessions.save(session)
    except MdmemError:
        return session, False
    return session, True


def _new_id(now: datetime, actor: str, taken: Callable[[str], bool]) -> str:
    """An id with time and actor: `20260301T120000-claude-code`, with a number if that is taken."""
    who = "-".join(word for word in naming.words_of(actor) if word.isascii())[:24].strip("-")
    first = f"{now:%Y%m%dT%H%M%S}" + (f"-{who}" if who else "")
    numbered = (f"{first}-{number}" for number in range(2, 1 << 30))
    return next(id for id in chain([first], numbered) if not taken(id))


def open_tasks(vault: Vault, now: datetime) -> list[IndexedNote]:
    """The memories of tasks whose day is not over: those due first, then the newest."""
    return choosing.open_tasks(Sources(vault), now)


# -- gauges ------------------------------------------------------------------------------------------------


def _insight(sources: Sources, items: Sequence[Chosen], who: Caller) -> str:
    """The best memory that was found, for the Past gauge; text of low trust has no place in it."""
    about = [item for item in items if item.why != choosing.TASK]
    about.sort(key=lambda item: -item.answer.hit.score)  # without a query there is no score
    return _title(sources, (item.answer.hit.record for item in about), who)


def _present(vault: Vault, context: str, who: Caller) -> str:
    """The context, for the Present gauge. It is saved, so one with a secret needs the caller's permission."""
    if leaks := _leaks(context, who):
        vault.tell(f"the context holds a secret, {leaks}: it is not kept")
        return ""
    return livehud.short(context)


def _title(sources: Sources, records: Iterable[IndexedNote], who: Caller) -> str:
    """The title of the first of these memories that a gauge may show, "" if there is none."""
    return next((livehud.short(record.title) for record in records if _is_for_gauge(sources, record, who)), "")


def _is_for_gauge(sources: Sources, record: IndexedNote, who: Caller) -> bool:
    """Whether a gauge may show a memory: it has no room to say of which project that is, or who wrote it."""
    elsewhere = bool(who.project) and memory.is_of_another(record.meta, who.project)
    return not elsewhere and prompt.is_trusted(record, sources.body(record)[:_BEGINNING])
