"""Recall with its reasons, and the list of all memories."""

import re
from collections import Counter
from collections.abc import Mapping
from datetime import timedelta

from mdmem.acts.pages import chronicle, excerpts
from mdmem.acts.pages.request import PageRequest
from mdmem.acts.style import Json
from mdmem.acts.telling import encode
from mdmem.acts.text.notes import answer_json, record_json
from mdmem.note.memory import as_text, project_of
from mdmem.recall import ask
from mdmem.recall.ask import Query
from mdmem.store.index import selection
from mdmem.store.index.port import ALL_KINDS, IndexedNote, Kinds
from mdmem.store.vault.vault import Vault
from mdmem.systems.rum import work

_MOST = 20  # answers
_AT_ONCE = 50  # memories of one part of the list
_PART = re.compile(r'(?P<filter>-?[^\W\d][\w-]*:(?:"[^"]*"|[^\s"]+)|-"[^"]*"|-[^\s"]+)|"[^"]*"|[^\s"]+')
_FACETS, _VALUES = ("type", "topic", "tag", "project", "actor", "status"), 6
_FILTERS = ("type", "tag", "project", "actor")
_SINGLE = ("type", "project", "actor")  # those that a memory has one of
_LONGEST, _READ = 160, 1200  # characters of an excerpt, and of the text that it is taken from
_NEWEST = "newest"
_SINCE = {"day": 1, "week": 7, "month": 31, "year": 366}  # days
_SORTS = (_NEWEST, "oldest", "title")


def read(vault: Vault, request: PageRequest) -> Json:
    """The answers of recall to `query`, each with its reasons. `facets` count the values of their properties.

    `filters` are those of the query, each with the query without it.

    The answers do not count as used: browsing must not change what is recalled. Raises UsageError.
    """
    asked = request.text("q")
    found = answers(vault, request, asked, _MOST) if asked else []
    values = {key: [one[key] for one in found] for key in _FACETS if key != "tag"}
    values["tag"] = [tag for one in found for tag in one["tags"]]
    return {
        "query": asked,
        "as_of": request.text("as_of"),
        "sort": request.text("sort"),
        "days": {name: f"{request.now - timedelta(days):%Y-%m-%d}" for name, days in _SINCE.items()},
        "answers": found,
        "facets": {key: counts for key in _FACETS if len(counts := _most_common(Counter(values[key]))) > 1},
        "filters": _filters(asked),
    }


def answers(vault: Vault, request: PageRequest, words: str, most: int, kinds: Kinds = ALL_KINDS) -> list[Json]:
    """What recall answers, with its reasons. It does not count as used."""
    project = vault.repo.project_at(request.folder)
    asked = Query(
        (words,), limit=most, as_of=request.text("as_of"), kinds=kinds, project=project, folder=request.folder
    )
    found = ask.ask(vault, asked, request.now, counted=False)
    told = [{**answer_json(answer, request.now, explain=True), **_shown(answer.hit.record)} for answer in found]
    for one in told:
        one["snippet"] = excerpts.spelled(vault, one["snippet"])
    if request.text("sort") == _NEWEST:
        told.sort(key=lambda one: one["created"], reverse=True)
    return told


def _filters(query: str) -> list[dict[str, str]]:
    """The filters of a query as they are written, each with the query `without` it."""
    return [
        {"filter": match["filter"], "without": " ".join((query[: match.start()] + query[match.end() :]).split())}
        for match in _PART.finditer(query)
        if match["filter"]
    ]


def read_all(vault: Vault, request: PageRequest) -> Json:
    """The memories that pass the filters, each with the beginning of its text: part `page` of `pages`.

    `facets` count what else they could be narrowed to, `on` are the filters; `hidden` are stubs of the memories
    one sensitivity level above the reader's. Raises UsageError for an order or a time unknown here.
    """
    on = {key: text for key in _FILTERS if (text := request.text(key))}
    if request.text("since"):
        on["since"] = request.choice("since", _SINCE, "")
    sort = request.choice("sort", _SORTS, _NEWEST)
    wanted = f"page.list.{sort}.{on}.{request.text('page')}.{request.now.date()}"
    paths, counts, facets = chronicle.kept(vault, wanted, lambda: _found(vault, request, on, sort))
    return {
        "memories": [
            {**record_json(record, request.now), **_shown(record), "excerpt": _excerpt(vault, record)}
            for record in vault.index.records_at(paths)
        ],
        "facets": facets,
        "on": on,
        "sort": sort,
        "hidden": encode(selection.stubs(vault.index, ())),
        **counts,
    }


def _found(
    vault: Vault, request: PageRequest, on: Mapping[str, str], sort: str
) -> tuple[list[str], dict[str, int], dict[str, dict[str, int]]]:
    """(paths, numbers, facets) of the requested part of the memories that pass the filters."""
    since = f"{request.now - timedelta(_SINCE[on['since']]):%Y-%m-%d}" if "since" in on else ""
    filters = {key: on[key] for key in _FILTERS if key in on}
    index, counted = vault.index, {key: Counter[str]() for key in _FILTERS}
    for traits in (_SINGLE, ("tag",)):
        for *said, number in index.tally(*traits, on=filters, since=since):
            for key, value in zip(traits, said, strict=True):
                counted[key][value] += number
    part, counts = request.part(range(counted["type"].total()), _AT_ONCE)
    paths = index.listed(filters, since, sort, part.start, len(part))
    return paths, counts, {key: _most_common(counted[key]) for key in _FILTERS}


def _most_common(counts: Counter[str]) -> dict[str, int]:
    del counts[""]
    return dict(counts.most_common(_VALUES))


def _shown(record: IndexedNote) -> dict[str, str]:
    return {"project": project_of(record.meta), "actor": as_text(record.meta.get("actor"))}


def _excerpt(vault: Vault, record: IndexedNote) -> str:
    """The beginning of what a memory says besides its title; of a work, what came of it."""
    body = vault.index.body(record.path)
    if record.type == work.TYPE:
        outcome = work.layers_of(work.read(body))["outcome"]
        body = as_text(outcome.get("summary")) if isinstance(outcome, dict) else ""
    heading, text = excerpts.parted({"title": record.title, "body": body[:_READ]})
    lines = [line.strip() for line in text.splitlines()]
    said = " ".join(line.lstrip("-* ") for line in lines if line and line[0] not in "#>`|<")
    cut = f"{heading}. {said}" if record.title.endswith("…") else said
    return excerpts.shortened(excerpts.plain(excerpts.spelled(vault, cut)), _LONGEST)
