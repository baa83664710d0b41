"""Notes from literals, and plans carried out on them, without a vault."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from textwrap import dedent

import pytest

from mdmem.garden.gardeners import note
from mdmem.garden.gardeners.note import Ground, Note
from mdmem.garden.gardeners.proposal import Findings, Found, GardenSettings, Proposal, findings
from mdmem.note import memory

TODAY = datetime(2026, 3, 1, 12, tzinfo=UTC)
Files = dict[str, bytes]


def made(name: str, text: str, created: str = "2026-01-01", **properties: str) -> tuple[str, bytes]:
    """A note in frontmatter form with an id of its own: (path, bytes)."""
    path = f"allmemories/{name}.md"
    lines = [f"id: {memory.derived_id(path)}", f"created: {created}T00:00:00Z", "category: past", "type: note"]
    properties = {"title": memory.name_words(name), **properties}
    lines = [line for line in lines if line.split(":")[0] not in properties]
    lines += [f"{key}: {value}" for key, value in properties.items()]
    return path, ("---\n" + "\n".join(lines) + "\n---\n\n" + dedent(text).strip("\n") + "\n").encode()


def as_notes(files: Mapping[str, bytes]) -> list[Note]:
    return [note.read(memory.parse(data, path), data) for path, data in sorted(files.items())]


def carried_out(files: Mapping[str, bytes], proposals: tuple[Proposal, ...]) -> Files:
    """The files after all proposals; each must find the bytes it was made for."""
    done = dict(files)
    for one in proposals:
        for edit in one.edits:
            assert done.get(edit.path) == edit.before, edit.path
            if edit.after is None:
                del done[edit.path]
            else:
                done[edit.path] = edit.after
    return done


Plan = Callable[[Ground, GardenSettings, datetime], Iterator[Found]]


class Garden:
    """A gardener at work on files."""

    def __init__(self, plan: Plan, *notes: tuple[str, bytes], **settings: object) -> None:
        self.files: Files = dict(notes)
        self.settings = GardenSettings(**settings)  # type: ignore[arg-type]
        self._plan = plan

    def look(self) -> Findings:
        found = self.found(as_notes(self.files))
        again = self.found(as_notes(self.files)[::-1])
        assert sorted(found.proposals) == sorted(again.proposals), "the order of the notes counts"
        return found

    def found(self, notes: list[Note]) -> Findings:
        return findings(self._plan(Ground(notes, self.settings.elsewhere), self.settings, TODAY))

    def proposals(self) -> tuple[Proposal, ...]:
        """What it is sure enough of."""
        return tuple(one for one in self.look().proposals if one.confidence >= self.settings.min_confidence)

    def settle(self) -> Files:
        """Carry out the plan; a second look must find nothing. The files then."""
        self.files = carried_out(self.files, self.proposals())
        assert self.proposals() == ()
        return self.files

    def text(self, name: str) -> str:
        return self.files[f"allmemories/{name}.md"].decode()


@pytest.fixture
def garden() -> type[Garden]:
    return Garden
