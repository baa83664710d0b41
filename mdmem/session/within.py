"""What hooks tell a session: a pack at its beginning, and later only what it was not told before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mdmem.capture.inbox import store
from mdmem.history import news as past_news
from mdmem.history.news import Reader
from mdmem.note import moments
from mdmem.recall import ask
from mdmem.session import livehud, pack, start
from mdmem.session.choosing import SHOWN, Chosen
from mdmem.session.pack import Frame
from mdmem.session.sources import Sources
from mdmem.session.start import Pack, PackRequest
from mdmem.store.local.sessions import Sessions
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault

if TYPE_CHECKING:
    from mdmem.store.vault.several import OpenVaults

_CHARACTERS_PER_TOKEN = 4  # at most, by the estimate
_NAMES_SHARE = 4  # after a compaction the names of what was shown may take a quarter


def is_known(vault: Vault, who: Caller) -> bool:
    """Whether the session of `who` has begun before."""
    return bool(who.session) and Sessions(vault).is_known(who.session)


def begun(
    vault: Vault, who: Caller, characters: int, vaults: OpenVaults | None = None, tells_waiting: bool = True
) -> str:
    """The pack of a session that begins, at most `characters` long; the session is saved.

    `vaults` are `vault` and the others that queries go to. For `tells_waiting` see PackRequest.
    """
    budget = characters // _CHARACTERS_PER_TOKEN
    wanted = PackRequest(budget=budget, tells_waiting=tells_waiting)
    with start.showing(vault, wanted, who, vaults) as shown:
        return shown.page.text


def continued(vault: Vault, who: Caller, characters: int, is_forgotten: bool, tells_waiting: bool) -> str:
    """What a known session is told when it continues: what changed since, else what waits for a decision, or "".

    If it has forgotten what it was shown, because the conversation was compacted (`is_forgotten`), those
    memories are named again, but not repeated.
    """
    actor = start.actor_of(vault, who)
    session, lasting = start.begin(vault, who, actor)
    cursor = past_news.cursor(vault, actor)
    news = past_news.news(vault, Reader(actor, session.id, moments.parse(session.started)), cursor)
    items = _shown_before(vault, session.shown) if is_forgotten else []
    gauges = session.livehud._replace(memory="" if lasting else livehud.READ_ONLY)
    budget = characters // _CHARACTERS_PER_TOKEN // _NAMES_SHARE
    waiting = store.notice_for_agent(vault) if tells_waiting else ""
    total, project = vault.index.count(), who.project
    frame = Frame(session.id, gauges, total, budget, names_only=True, notice=waiting, project=project)
    page = pack.page(Sources(vault), frame, news, items)
    start.keep(vault, Pack(session._replace(head=vault.index.head), page, news, cursor), who.now)
    return page.text if news.changes or items else waiting


def ended(vault: Vault, who: Caller) -> None:
    """Record that a session is over, if it is known. Raises MdmemError if that cannot be saved."""
    sessions = Sessions(vault)
    if is_known(vault, who):
        with start.changing(sessions):
            if session := sessions.get(who.session):
                moment = moments.render(who.now)
                sessions.save(session._replace(ended=moment, touched=moment))


def _shown_before(vault: Vault, ids: tuple[str, ...]) -> list[Chosen]:
    records = [record for id in ids for record in vault.index.with_id(id)]
    return [Chosen(answer._replace(depth=pack.NAME), SHOWN) for answer in ask.about(vault, records)]
