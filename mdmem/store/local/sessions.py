"""The sessions of a vault: a small file for each in its local folder, never tracked.

A damaged file is reported and ignored. One that was not touched for KEPT_DAYS is deleted.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import NamedTuple

from mdmem.errors import MdmemError
from mdmem.note import moments
from mdmem.note.gauges import Gauges
from mdmem.store.local import files
from mdmem.store.local.state import SESSIONS, LocalItems
from mdmem.store.operation import Caller

KEPT_DAYS = 30
JOINED_HOURS = 24  # how long after its last touch a session still claims its actor's writes
CLEARED_SECONDS = 60  # how soon after the end of a session its client begins a following one


class Session(NamedTuple):
    """One session. Times are RFC 3339; `ended` is "" while it is open.

    `touched` is when it was last started or noted in. `gauges` were determined at its start; `noted` ones were set
    since then and take precedence. `shown` are the ids of the memories it has seen, `head` is the commit at which
    it has seen the vault.
    """

    id: str
    actor: str
    started: str
    touched: str
    ended: str = ""
    gauges: Gauges = Gauges()
    noted: Gauges = Gauges()
    shown: tuple[str, ...] = ()
    head: str = ""

    @property
    def livehud(self) -> Gauges:
        """The current gauges."""
        return Gauges(*(said or found for said, found in zip(self.noted, self.gauges, strict=True)))


class Sessions(LocalItems):
    """The sessions of one vault, which tells a line about each damaged file."""

    KEPT_IN = SESSIONS
    PATIENCE = 5.0

    def get(self, id: str) -> Session | None:
        """The session with that id, None if there is none."""
        return self._read(self._place(id))

    def newest(self, actor: str) -> Session | None:
        """The open session of an actor that was touched last."""
        return _newest(self._all(), actor)

    def joined(self, caller: Caller) -> Caller:
        """The caller with the session that it writes in: its own, else the newest open session of its actor.

        A session that was not touched for JOINED_HOURS does not count: it was probably never closed.
        """
        if caller.session:
            return caller
        oldest = caller.now - timedelta(hours=JOINED_HOURS)
        with suppress(MdmemError):  # a session that cannot be read keeps nobody from writing
            recent = self.open_since(oldest)
            if not recent:
                return caller
            actor = caller.actor or self._vault.repo.identity().name
            if newest := _newest(recent, actor):
                return caller._replace(session=newest.id)
        return caller

    def gone_on_with(self, id: str) -> str:
        """The session with which a client continued after the one with that id; the same one while it is open.

        A client that clears a conversation begins another one at once, and does not tell the servers it started.
        The next session is the first of the same actor that begins within CLEARED_SECONDS of the end.
        """
        session = self.get(id)
        passed = {id}
        while session and session.ended:
            begun = [one for one in self._all() if _took_over(one, session) and one.id not in passed]
            session = min(begun, key=lambda one: one.started, default=None)
            id = session.id if session else id
            passed.add(id)
        return id

    def latest(self, actor: str) -> Session | None:
        """The session of an actor that began last, open or not."""
        return max((one for one in self._all() if one.actor == actor), key=lambda one: one.started, default=None)

    def open_since(self, oldest: datetime) -> list[Session]:
        """The open sessions that were touched at or after that time."""
        recent = self._all(oldest)
        return [one for one in recent if not one.ended and one.touched >= moments.render(oldest)]

    def save(self, session: Session) -> None:
        """Save a session; call it within `changing`. Raises OSError."""
        gauges = {"gauges": session.gauges._asdict(), "noted": session.noted._asdict()}
        self._save(session.id, {**session._asdict(), **gauges})

    def end(self, ids: Iterable[str], now: datetime) -> list[str]:
        """End those of the sessions that are open; their ids. Raises OSError, BusyError."""
        found = [session for session in map(self.get, ids) if session and not session.ended]
        if found:
            with self.changing():
                for session in found:
                    self.save(session._replace(ended=moments.render(now)))
        return [session.id for session in found]

    def saw(self, id: str, memories: Sequence[str]) -> None:
        """Add to the memories that a session has seen, if it exists. If this cannot be saved, it is skipped."""
        if self.get(id) is None:
            return
        with suppress(OSError, MdmemError), self.changing():
            if session := self.get(id):
                self.save(session._replace(shown=tuple(dict.fromkeys([*session.shown, *memories]))))

    def tidy(self, now: datetime) -> None:
        """Delete the sessions that were not touched for KEPT_DAYS; call it within `changing`."""
        oldest = now - timedelta(days=KEPT_DAYS)
        for place in self._places():
            session = self._read(place)
            touched = moments.parse(session.touched) if session else None
            with suppress(FileNotFoundError):
                if (touched.timestamp() if touched else os.stat(place).st_mtime) < oldest.timestamp():
                    os.unlink(place)

    def _all(self, saved_since: datetime | None = None) -> Iterator[Session]:
        yield from filter(None, map(self._read, self._places(saved_since)))

    def _places(self, saved_since: datetime | None = None) -> list[str]:
        """The paths of the session files, with `saved_since` only those saved at or after that time."""
        oldest = saved_since.timestamp() * 1e9 if saved_since else 0.0
        places = (entry.path for entry in files.listed(self._folder) if entry.name.endswith(".json"))
        return sorted(place for place in places if (seen := files.stamp(place)) and seen[2] >= oldest)

    def _read(self, place: str) -> Session | None:
        try:
            found = self._load(place)
            return None if found is None else _session(found)
        except (ValueError, TypeError, KeyError, AttributeError):
            self._damaged(place)
            return None


def _took_over(one: Session, ended: Session) -> bool:
    """Whether `one` may be the session with which the client of `ended` continued."""
    end, start = moments.parse(ended.ended), moments.parse(one.started)
    if one.actor != ended.actor or end is None or start is None:
        return False
    return timedelta() <= start - end <= timedelta(seconds=CLEARED_SECONDS)


def _newest(sessions: Iterable[Session], actor: str) -> Session | None:
    own = [session for session in sessions if session.actor == actor and not session.ended]
    return max(own, key=lambda session: (session.touched, session.id), default=None)


def _session(found: dict[str, object]) -> Session:
    """Parse a session file. Raises ValueError, TypeError, KeyError, AttributeError if it is not one of ours."""
    gauges, noted = (Gauges(**found.pop(key)) for key in ("gauges", "noted"))  # type: ignore[arg-type]
    session = Session(**found, gauges=gauges, noted=noted)  # type: ignore[arg-type]
    texts = (*session[:5], session.head, *gauges, *noted, *session.shown)
    if not isinstance(session.shown, list) or not all(isinstance(text, str) for text in texts):
        raise TypeError("no text")
    return session._replace(shown=tuple(session.shown))
