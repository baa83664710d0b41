"""Carries out what a person decides about proposals in the inbox; kept ones are written as captures are."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from mdmem.capture import proposals, weighing
from mdmem.capture.inbox import filling
from mdmem.capture.inbox.store import KEPT, REJECTED, Inbox, InboxItem
from mdmem.capture.proposals import CaptureDecision, CaptureProposal
from mdmem.errors import UsageError
from mdmem.note import memory, naming
from mdmem.store.local import usage
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault
from mdmem.write.remember import Draft


class KeptItem(NamedTuple):
    """What became of a proposal to be kept: the decision, and the path and commit; `path` is "" if not written."""

    item: InboxItem
    decision: CaptureDecision
    path: str = ""
    commit: str = ""

    @property
    def is_settled(self) -> bool:
        """Whether the proposal leaves the inbox: it was written, or a memory says it already."""
        return bool(self.path) or self.decision.verdict in ("twin", "repeated")


def keep(vault: Vault, items: Sequence[InboxItem], who: Caller, reason: str = "") -> list[KeptItem]:
    """Write proposals as memories, in one commit for each agent and session that they come from.

    What a memory says by now is not written again; what cannot be written stays in the inbox. Raises what
    `capture.proposals.write` raises.
    """
    done: list[KeptItem] = []
    for actor, session in dict.fromkeys((item.actor, item.session) for item in items):
        own = [item for item in items if (item.actor, item.session) == (actor, session)]
        done += _keep(vault, own, who._replace(actor=actor, session=session, folder=""), reason)
    return done


def _keep(vault: Vault, items: Sequence[InboxItem], who: Caller, reason: str) -> list[KeptItem]:
    decisions = weighing.weigh(vault, [proposal(item) for item in items], allow_secret=who.allow_secret)
    written = proposals.write(vault, decisions, who, reason)
    paths = proposals.paths_of(decisions, written)
    kept = [KeptItem(*each, written.commit) for each in zip(items, decisions, paths, strict=True)]
    settled = [each for each in kept if each.is_settled]
    if settled:
        Inbox(vault).settle([each.item.id for each in settled], KEPT, who.now)
    twins = [each.decision.record.id for each in settled if not each.path and each.decision.record]
    usage.add_opened(vault.root, twins)
    return kept


def reject(vault: Vault, items: Sequence[InboxItem], now: datetime) -> None:
    """Remove proposals from the inbox. The same words are not proposed again. Raises OSError, BusyError."""
    Inbox(vault).settle([item.id for item in items], REJECTED, now)


def proposal(item: InboxItem) -> CaptureProposal:
    """An item of the inbox as the proposal that capture made."""
    return CaptureProposal(
        trigger=item.trigger,
        quote=item.quote,
        line=item.line,
        confidence=item.confidence,
        why=item.why,
        draft=Draft(item.text, item.properties, item.name),
        context=item.context,
        spoken=item.spoken,
        session=item.session,
        place=item.place,
    )


def as_note(item: InboxItem) -> bytes:
    """A proposal as a note, for a person to reword."""
    return memory.render(item.properties, item.text)


def reworded(vault: Vault, item: InboxItem, data: bytes) -> InboxItem:
    """A proposal in other words: a text alone, or the bytes of `as_note`. Raises UsageError if it is not one."""
    if not data.startswith(b"---"):
        data = memory.render(item.properties, data.decode().strip())
    note = vault.parse(data, f"{naming.make(item.title, item.text, lambda _: False)}.md")
    wrong = note.problems[0].message if note.problems else ""
    if wrong or not note.body.strip():
        raise UsageError(wrong or "the text is empty", "reject the proposal instead")
    return item._replace(text=note.body.strip(), properties=dict(note.meta))


def gives_orders(item: InboxItem) -> bool:
    """Whether a proposal may give orders to the model that reads it: then only a person keeps it."""
    return bool(filling.orders(proposal(item)))


def would_replace(vault: Vault, item: InboxItem) -> str:
    """The name of the memory that a proposal corrects; "" if there is none that the reader may see."""
    records = vault.index.with_id(item.replaces) if item.replaces else []
    return records[0].name if records else ""
