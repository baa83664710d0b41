"""Works as text for people and prompts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from mdmem.acts.style import Style, plain
from mdmem.note.plural import counted
from mdmem.note.terminal import safe, safe_line

if TYPE_CHECKING:
    from mdmem.systems.rum.chapters.keeping import KeptPages
    from mdmem.systems.rum.chapters.shelf import PageView
    from mdmem.systems.rum.recall import FoundWork
    from mdmem.systems.rum.view import WorkView


def found_work_lines(found: FoundWork, style: Style = plain) -> Iterator[str]:
    """A work that recall found: its summary line, what it did to the requested files, and its text, indented."""
    touched = [f"{file.operation} {safe_line(file.path)}" for file in found.files]
    yield "  ".join([work_line(found.view, style), *touched])
    yield from (f"    {line}" for line in safe(found.told.text).split("\n"))


def work_table(views: Sequence[WorkView], style: Style = plain) -> Iterator[str]:
    """A line for each work, with its goal."""
    for view in views:
        yield f"{work_line(view, style)}  {safe_line(view.work['intent']['goal'])}"


def work_line(view: WorkView, style: Style = plain) -> str:
    """`name  date  task type  ok` (or FAILED), and who did it."""
    ending = "ok" if view.work["outcome"]["success"] else style("FAILED", "red")
    parts = [style(safe_line(view.note.name), "bold"), view.note.created[:10], view.work["intent"]["task_type"]]
    return "  ".join(part for part in [*parts, ending, safe_line(view.work["agent_id"])] if part)


def kept_lines(done: KeptPages) -> Iterator[str]:
    """The chapters and wisdom that were written, and how many works were archived."""
    words = {"create": "made", "refresh": "refreshed"}
    for page in done.pages:
        yield f"{words[page.action]} {page.path}  {safe(page.title)}"
    if done.archived:
        yield f"archived {counted(len(done.archived), 'work')}"
    yield f"commit {done.commit[:8]}" if done.commit else "nothing to do"


def page_line(view: PageView) -> str:
    """A chapter or wisdom in one line."""
    made_of = view.value.get("memories") or view.value.get("chapters") or []
    return f"{view.note.name}  {safe(view.note.title)}  ({len(made_of)})"
