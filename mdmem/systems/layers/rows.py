"""Index rows of entries and their facts, and the scores of facts as amendments to those rows.

An entry is cited by its raw.md. Of a chat in JSON the spoken words are indexed and shown, not the JSON. A fact
whose last score is 0 is retracted: recall ranks it far down.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from posixpath import dirname
from typing import TypeVar

from mdmem.errors import MdmemError, NoteError
from mdmem.note import moments
from mdmem.note.memory import IMPORTED
from mdmem.note.terminal import cut
from mdmem.store import layout
from mdmem.store.config import VaultConfig
from mdmem.store.index import rows
from mdmem.store.index.port import ENTRY, Amendment, SourceRow
from mdmem.store.layout import EntryPart
from mdmem.systems.layers import curation, dialog
from mdmem.systems.layers.schema import EntryMeta, EntrySummary

WRONG = 0  # the score of a fact that is not true
MOST_CHARS = 1_000_000  # of a dialog that are indexed
_TITLE_CHARS = 200

Reading = Callable[[str], bytes | None]
_T = TypeVar("_T", EntryMeta, EntrySummary)


class EntryReader:
    """Makes index rows from the files of entries, and amendments from scores; see `store.registry.RowReader`."""

    def __init__(self, read: Reading, config: VaultConfig) -> None:
        self._read = read
        self._config = config

    def sources(self, path: str) -> Iterable[str]:
        """The source of a path: raw.md for any file of an entry, the file itself for scores, else none."""
        if layout.entry_part(path, self._config):
            return [f"{dirname(path)}/{layout.RAW_FILE}"]
        return [path] if layout.is_curation(path, self._config) else []

    def rows(self, source: str) -> Iterator[SourceRow | Amendment]:
        """The rows of a source. Damaged files are skipped; `doctor` reports them."""
        part = layout.entry_part(source, self._config)
        if part is None:
            yield from self._amendments(source)
        elif (raw := self._read(source)) is not None:
            yield from self._of_entry(source, part, raw)

    def _of_entry(self, source: str, part: EntryPart, raw: bytes) -> Iterator[SourceRow]:
        folder = dirname(source)
        meta = self._part(f"{folder}/{layout.META_FILE}", EntryMeta)
        summary = self._part(f"{folder}/{layout.SUMMARY_FILE}", EntrySummary)
        text, lines = _spoken(raw, source, meta)
        entry = SourceRow(
            kind=ENTRY,
            file=source,
            id=part.entry_id,
            title=_title(summary.summary if summary else "", text),
            text=text,
            topic=part.topic,
            session=meta.session if meta else "",
            created=_time_of(part.entry_id),
            meta={"origin": IMPORTED} | ({"actor": meta.actor, "source": meta.source} if meta else {}),
            lines=lines,
        )
        yield entry
        for fact in summary.facts if summary else ():
            yield rows.fact_row(fact, entry)

    def _part(self, path: str, made: type[_T]) -> _T | None:
        data = self._read(path)
        try:
            return made.from_bytes(data, path) if data is not None else None
        except NoteError:
            return None

    def _amendments(self, source: str) -> Iterator[Amendment]:
        topic = dirname(source).rpartition("/")[2]
        verdicts, _ = curation.read(self._read(source), source)
        for verdict in curation.latest(verdicts).values():
            status = "retracted" if verdict.score == WRONG else "active"
            yield Amendment(topic, verdict.fact_id, status, {"score": verdict.score})


def _spoken(raw: bytes, source: str, meta: EntryMeta | None) -> tuple[str, tuple[int, ...]]:
    """The text of a dialog, and for each of its lines the line in raw.md; () if the text is raw.md itself."""
    text = raw.decode("utf-8-sig", "replace").replace("\r\n", "\n")
    if meta is None or meta.format not in dialog.JSON_FORMATS:
        return text[:MOST_CHARS], ()
    try:
        turns = dialog.read(raw, source).turns
    except MdmemError:
        return text[:MOST_CHARS], ()
    said: list[str] = []
    lines: list[int] = []
    for turn in turns:
        spoken = f"{turn.name or turn.speaker}: {turn.text}".split("\n")
        said += spoken
        lines += [turn.line] * len(spoken)
    kept = "\n".join(said)[:MOST_CHARS]
    return kept, tuple(lines[: kept.count("\n") + 1])


def _title(summary: str, text: str) -> str:
    """The first line of a summary, else of the text."""
    line = next((line.strip() for line in f"{summary}\n{text}".split("\n") if line.strip()), "")
    return cut(line, _TITLE_CHARS)


def _time_of(entry_id: str) -> str:
    """The time (RFC 3339) at the start of an entry id, "" if it is not a valid one."""
    digits = entry_id[:15]
    return moments.normal(f"{digits[:4]}-{digits[4:6]}-{digits[6:11]}:{digits[11:13]}:{digits[13:15]}Z")
