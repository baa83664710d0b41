"""The proposals that wait: a small file for each in the vault's local folder, never tracked.

Decisions are remembered by the words of a proposal, so that it does not come back. A damaged file is reported and
otherwise ignored.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from types import MappingProxyType
from typing import Any, NamedTuple

from mdmem.errors import NotFoundError, UsageError
from mdmem.note import moments
from mdmem.note.plural import counted
from mdmem.note.trust import sensitivity
from mdmem.note.yamltext import Value
from mdmem.store.local import files
from mdmem.store.local.state import LocalItems
from mdmem.store.vault.vault import Vault
from mdmem.write.remember import Draft

KEPT, REJECTED = "kept", "rejected"
MOST = 300  # proposals that can wait; nothing more is taken in until some are decided
_DECIDED = 5000  # decisions that are remembered: the latest
_DECISIONS = "decided"  # the file that remembers them
_TAKEN_BACK = 20  # rejections that can be taken back: the latest
_TOLD = 2  # what each decision tells: the verdict, and when; behind it stands what was rejected


class InboxItem(NamedTuple):
    """One waiting proposal. `added` is RFC 3339, `confidence` 0-1; `level` and `scope` decide who may see it.

    `actor`, `session` and `project` are those of the conversation it comes from; `source` and `line` are the log
    and the line in it. `replaces` is the id of the memory that it corrects, "" for none. `said` is what an agent
    said of it: its `verdict`, `by`, `why` and `text`. For the rest see CaptureProposal.
    """

    id: str
    added: str
    actor: str
    session: str
    source: str
    trigger: str
    confidence: float
    why: str
    text: str
    properties: Mapping[str, Value]
    name: str = ""
    quote: str = ""
    line: int = 0
    context: str = ""
    spoken: str = ""
    place: str = ""
    replaces: str = ""
    level: str = sensitivity.UNMARKED
    scope: str = ""
    said: Mapping[str, str] = MappingProxyType({})

    @property
    def title(self) -> str:
        """The title that the memory would have."""
        return self.name or Draft(self.text, self.properties).title

    @property
    def project(self) -> str:
        """The project of the conversation; "" if it does not belong to exactly one."""
        return str(self.properties.get("project") or "")


class Inbox(LocalItems):
    """The proposals of one vault, as far as the reader may see them."""

    KEPT_IN = "inbox"
    PATIENCE = 3.0

    def items(self) -> list[InboxItem]:
        """The waiting proposals that the reader may see, the oldest first."""
        found = ((name, told) for name in self._names() if (told := self._load(self._place(name))))
        return sorted(self._shown(found), key=lambda item: (item.added, item.source, item.line, item.id))

    def _shown(self, found: Iterable[tuple[str, Any]]) -> Iterator[InboxItem]:
        """The proposals, each told in the file of a name, that the reader may see."""
        for name, told in found:
            try:
                item = _item(told)
            except (KeyError, TypeError, ValueError):
                self._damaged(self._place(name))
                continue
            if self._vault.clearance.shows(item.level, item.scope):
                yield item

    def count(self) -> int:
        """The number of waiting proposals that the reader may see."""
        return len(self.items())

    def chosen(self, ids: Sequence[str]) -> list[InboxItem]:
        """The proposals with these ids or beginnings of ids, or of these sessions.

        Raises NotFoundError, UsageError if ambiguous.
        """
        items = self.items()
        meant = [[item for item in items if item.session == id] or [_meant(items, id)] for id in ids]
        return list({item.id: item for each in meant for item in each}.values())

    @property
    def is_full(self) -> bool:
        """Whether the inbox takes in nothing more."""
        return len(self._names()) >= MOST

    def add(self, items: Iterable[InboxItem]) -> list[InboxItem]:
        """Take in the proposals that neither wait nor were decided before, and return them.

        Raises OSError, BusyError.
        """
        with self.changing():
            decided = self._decided()
            new = {item.id: item for item in items if item.id not in decided and not self.is_known(item.id)}
            for item in new.values():
                self._save_item(item)
        return list(new.values())

    def advise(self, items: Iterable[InboxItem]) -> None:
        """Keep what an agent said of waiting proposals. Raises OSError, BusyError."""
        with self.changing():
            for item in items:
                if self.is_known(item.id):
                    self._save_item(item)

    def settle(self, ids: Iterable[str], verdict: str, now: datetime) -> None:
        """Remove proposals as KEPT or REJECTED, so that they do not come back. Raises OSError, BusyError."""
        with self.changing():
            decided = self._decided()
            for id in ids:
                found = self._load(self._place(id)) if verdict == REJECTED else None
                decided.pop(id, None)
                decided[id] = [verdict, moments.render(now), *([found] if found else [])]
                with suppress(FileNotFoundError):
                    os.unlink(self._place(id))
            for told in [told for told in decided.values() if len(told) > _TOLD][:-_TAKEN_BACK]:
                del told[_TOLD:]
            self._save_decided(dict(list(decided.items())[-_DECIDED:]))

    def rejected(self) -> list[InboxItem]:
        """The last rejected proposals that the reader may see, the latest first. They can be taken back."""
        found = [(_DECISIONS, told[_TOLD]) for told in self._decided().values() if len(told) > _TOLD]
        return list(self._shown(reversed(found)))

    def take_back(self, ids: Sequence[str]) -> list[InboxItem]:
        """Make rejected proposals wait again, given their ids or beginnings of ids. Returns them.

        Raises NotFoundError for an id that is not among `rejected`, UsageError for an ambiguous one, OSError,
        BusyError.
        """
        items = list({item.id: item for item in (_meant(self.rejected(), id) for id in ids)}.values())
        with self.changing():
            decided = self._decided()
            for item in items:
                self._save_item(item)
                decided.pop(item.id, None)
            self._save_decided(decided)
        return items

    def _save_item(self, item: InboxItem) -> None:
        self._save(item.id, {**item._asdict(), "said": dict(item.said)})

    def _save_decided(self, decided: Mapping[str, Any]) -> None:
        self._save(_DECISIONS, {"decided": decided})

    def _decided(self) -> dict[str, Any]:
        found = self._load(self._place(_DECISIONS))
        decided = found.get("decided") if found else None
        return decided if isinstance(decided, dict) else {}

    def _names(self) -> list[str]:
        names = (entry.name for entry in files.listed(self._folder))
        return sorted({name[:-5] for name in names if name.endswith(".json")} - {_DECISIONS})


def _item(found: dict[str, Any]) -> InboxItem:
    """The proposal in a file. Raises TypeError, ValueError if the fields are not those of a proposal."""
    item = InboxItem(**found)
    texts = [value for key, value in found.items() if key not in ("properties", "confidence", "line", "said")]
    texts += dict(item.said).values()
    if not all(isinstance(text, str) for text in texts) or not isinstance(item.properties, dict):
        raise ValueError("no text")
    return item._replace(
        confidence=float(item.confidence), line=int(item.line), level=sensitivity.level_of(item.level)
    )


def _meant(items: Sequence[InboxItem], id: str) -> InboxItem:
    found = [item for item in items if id and item.id.startswith(id)]
    if not found:
        raise NotFoundError(f"no proposal '{id}' waits in the inbox", "mdmem waiting lists what waits")
    if len(found) > 1:
        raise UsageError(f"'{id}' matches {len(found)} proposals", "give more of the id")
    return found[0]


def tell_undone(vault: Vault, sessions: Iterable[str]) -> None:
    """Tell how many proposals wait that came from sessions that were undone, and how to reject them."""
    from shlex import quote

    waiting = Counter(item.session for item in Inbox(vault).items())
    for id in sorted(waiting.keys() & sessions):
        vault.tell(notice(waiting[id], f" of session {id}", f"mdmem judge {quote(id)} reject"))


def notice(count: int, whose: str = "", answer: str = "mdmem judge") -> str:
    """The line that tells a person how many proposals wait, and the command to answer them; "" for none."""
    waits = "waits" if count == 1 else "wait"
    return f"{counted(count, 'captured memory')}{whose} {waits} in the inbox: {answer}" if count else ""


def notice_for_agent(vault: Vault) -> str:
    """The line by which an agent tells the person it works for how many proposals wait; "" for none."""
    return notice(Inbox(vault).count(), answer="ask the user to run mdmem judge")
