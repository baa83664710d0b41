"""The table of pages: the address of each page, its name in the navigation, and the functions that make it.

A page that is added here is served, has an endpoint below `/api/`, and appears in the OpenAPI document.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from mdmem.page.links import API, HOME, Destination
from mdmem.page.reading import (
    graph,
    health,
    memory,
    review,
    search,
    timeline,
    today,
    topics,
    trash,
    undoing,
    works,
)
from mdmem.page.request import PageRequest
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault

Value = Mapping[str, Any]

_PART = {"page": "the number of the part, from 1"}


def _once(vault: Vault) -> tuple[str, ...]:
    """The keys of a page that exists once."""
    del vault
    return ("",)


class SitePage(NamedTuple):
    """One kind of page. `read` gives its value; `name` is also the name of the template that shows it.

    `about` describes it in the API's document. `label` is its name in the navigation; a page without a label may
    be `under` the page of that name. `key` says what the rest of its address names, "" for a page that exists
    once. `takes` maps each parameter of its address to what it means. `kept` gives the keys of the pages that an
    export holds. `act` takes what a form of the page sends, changes something and returns the next page. If
    `acts_locally`, it changes nothing in the vault, only what this machine keeps, and needs no permission to
    write.
    """

    name: str
    about: str
    read: Callable[[Vault, PageRequest], Value]
    label: str = ""
    under: str = ""
    key: str = ""
    takes: Mapping[str, str] = MappingProxyType({})
    kept: Callable[[Vault], Iterable[str]] = _once
    act: Callable[[Vault, PageRequest, Caller], Destination] | None = None
    acts_locally: bool = False

    @property
    def path(self) -> str:
        """The path of the page, in Starlette's notation."""
        return "/" if self.name == HOME else self.api_path.removeprefix(API)

    @property
    def api_path(self) -> str:
        """The path of its value."""
        return f"{API}/{self.name}" + ("/{key:path}" if self.key else "")


def _never(vault: Vault) -> tuple[str, ...]:
    """No keys: for a page that answers a question, which an export leaves out."""
    del vault
    return ()


def _memories(vault: Vault) -> list[str]:
    return [record.path for record in vault.index.records()]


PAGES = (
    SitePage(
        name=HOME,
        about="What is going on: changes since you last looked, open tasks, what waits for a decision.",
        read=today.read,
        label="Today",
        act=today.act,
        acts_locally=True,
    ),
    SitePage(
        name="review",
        about="What waits for a decision: proposals of the gardeners, and what was captured from sessions.",
        read=review.read,
        label="Review",
        takes={
            "later": "ids of proposals to leave out, with commas between them",
            "edit": "id of a proposal to reword",
            "done": "the commit of the last answer",
            "rejected": "id of the proposal that was just rejected: what that teaches is offered as rules",
            "learned": "the rule that was just made",
        },
        act=review.act,
    ),
    SitePage(
        name="timeline",
        about="What was done to memories, the latest first: when, by whom, in which session, and why.",
        read=timeline.read,
        label="Timeline",
        takes=_PART,
    ),
    SitePage(
        name="memories",
        about="All memories, the newest first.",
        read=search.read_all,
        label="Memories",
        takes=_PART,
    ),
    SitePage(
        name="search",
        about="What recall answers, each memory with its reasons.",
        read=search.read,
        takes={"q": "the question, with filters", "as_of": "a date or revision: what was known then"},
        kept=_never,
    ),
    SitePage(
        name="memory",
        about="One memory with its links and its history.",
        read=memory.read,
        under="memories",
        key="path, name or id of the memory",
        takes={
            "as_of": "a date or revision: the memory as it was then",
            "version": "the number of a version, from 1: the memory as it was then",
            "authors": "1 to see who wrote each line, as it is now",
            "ask": "a question: where the memory ranks in its answer",
        },
        kept=_memories,
    ),
    SitePage(
        name="session",
        about="One session of an agent, with all that it wrote.",
        read=timeline.read_session,
        under="timeline",
        key="id of the session",
        kept=timeline.sessions,
    ),
    SitePage(
        name="undo",
        about="What taking back a session or a commit would change.",
        read=undoing.read,
        under="timeline",
        takes={"session": "id of a session", "commit": "id of a commit"},
        kept=_never,
        act=undoing.act,
    ),
    SitePage(
        name="topics",
        about="All topics and how they stand.",
        read=topics.read,
        label="Topics",
    ),
    SitePage(
        name="topic",
        about="The facts of a topic, the most important first.",
        read=topics.read_facts,
        under="topics",
        key="name of the topic",
        takes=_PART,
        kept=topics.names,
        act=topics.act,
    ),
    SitePage(
        name="work",
        about="What was tried and how it ended, and the files that works failed at.",
        read=works.read,
        label="Work",
        takes={**_PART, "file": "a file, or a pattern of files: only works that touch it"},
    ),
    SitePage(
        name="trace",
        about="What caused a work, and what it led to.",
        read=works.read_trace,
        under="work",
        key="path, name or id of the work",
        kept=works.traced,
    ),
    SitePage(
        name="graph",
        about="The topics of the vault and the links between them.",
        read=graph.read,
        label="Graph",
    ),
    SitePage(
        name="around",
        about="The memories that links lead to from one, in both directions.",
        read=graph.read_around,
        under="graph",
        key="path, name or id of the memory",
        takes={"reach": "how many links away, 1 to 3"},
        kept=_memories,
    ),
    SitePage(
        name="trash",
        about="Memories that were deleted, the latest deletion first.",
        read=trash.read,
        label="Trash",
        takes=_PART,
        act=trash.act,
    ),
    SitePage(
        name="conflicts",
        about="What merges could not decide.",
        read=trash.read_conflicts,
        label="Conflicts",
        act=trash.act_on_conflict,
    ),
    SitePage(
        name="health",
        about="Growth of the vault, its problems, what the gardeners did.",
        read=health.read,
        label="Health",
    ),
)
BY_NAME = {page.name: page for page in PAGES}
