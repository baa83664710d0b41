"""What the templates can do besides laying out values: dates in the words of the reader's language, addresses, and
pieces of what a value holds.
"""

import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any

from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from mdmem.acts.pages.excerpts import parted, plain, shortened
from mdmem.note import links, moments, pieces
from mdmem.note.memory import as_text, name_words
from mdmem.note.plural import counted
from mdmem.page import markdown

ENGLISH, GERMAN = LANGUAGES = ("en", "de")
_MONTHS = {
    ENGLISH: "January February March April May June July August September October November December".split(),
    GERMAN: "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split(),
}
_DAYS = {
    ENGLISH: "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split(),
    GERMAN: "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag".split(),
}


def language_of(accepted: str) -> str:
    """The preferred language of an Accept-Language header (RFC 9110, 12.5.4) among LANGUAGES, else English."""
    weighed = [_weighed(part) for part in accepted.lower().split(",")]
    wanted = [name for weight, name in sorted(weighed, key=lambda item: -item[0]) if weight > 0]
    return next((name for name in wanted if name in LANGUAGES), ENGLISH)


def _weighed(part: str) -> tuple[float, str]:
    """(weight, language) of one part of the header, `de-AT;q=0.8`."""
    name, _, parameter = part.strip().partition(";")
    weight = parameter.strip().removeprefix("q=") or "1"
    return (float(weight) if weight.replace(".", "", 1).isdigit() else 0.0), name.partition("-")[0]


def day(moment: datetime, language: str) -> str:
    """`1 March 2026`, `1. März 2026`."""
    month = _MONTHS[language][moment.month - 1]
    return f"{moment.day}{'.' if language == GERMAN else ''} {month} {moment.year}"


def weekday(moment: datetime, language: str) -> str:
    """`Sunday, 1 March 2026`."""
    return f"{_DAYS[language][moment.weekday()]}, {day(moment, language)}"


def time(moment: datetime, language: str) -> str:
    """`1 March 2026, 14:05`, in UTC like all times of a vault."""
    return f"{day(moment, language)}, {clock(moment, language)}"


def brief(moment: datetime, language: str) -> str:
    """`1 Mar 14:05`, for what is not long ago."""
    month = _MONTHS[language][moment.month - 1][:3]
    return f"{moment.day}{'.' if language == GERMAN else ''} {month} {moment:%H:%M}"


def clock(moment: datetime, language: str) -> str:
    """`14:05`, `14:05 Uhr`."""
    return f"{moment:%H:%M}" + (" Uhr" if language == GERMAN else "")


_STRONGEST = 6  # signals shown for an answer
Told = Mapping[str, Any]


def alike(items: Iterable[Told], key: str, length: int | None = None) -> list[list[Told]]:
    """Consecutive items whose values of `key`, or the first `length` characters of these, are the same."""
    return [
        list(run)
        for _, run in groupby(items, key=lambda item: item[key] if length is None else item[key][:length])
    ]


def authored(lines: Sequence[Told]) -> Iterator[dict[str, Any]]:
    """Consecutive lines that one commit wrote: the `first` one, and the `text` of all.

    If the text `is_cut`, it was too long, and its rest and all later lines are left out.
    """
    room = markdown.LONGEST
    for run in alike(lines, "commit"):
        text = "\n".join(line["text"] for line in run)
        yield {"first": run[0], "text": text[:room], "is_cut": len(text) > room}
        room -= len(text)
        if room < 0:
            return


def reason(commit: Told) -> str:
    """Why a commit was made, without a subject by hand that says only what was done: `revise: name`."""
    said: str = commit["reason"]
    subject, _, rest = said.partition("\n")
    return rest.strip() if commit["by_hand"] and subject.partition(":")[0] in commit["actions"] else said


def marked(snippet: str) -> list[tuple[str, bool]]:
    """(text, whether it matched) for the pieces of a snippet, in which `**` surrounds each match.

    An unpaired `**` is part of the text.
    """
    texts = snippet.split("**")
    if len(texts) % 2 == 0:
        texts[-2:] = ["**".join(texts[-2:])]
    return [(text, at % 2 == 1) for at, text in enumerate(texts) if text]


def strongest(signals: Mapping[str, float]) -> list[tuple[str, float, int]]:
    """(signal, what it added to a score, percent of the strongest) of the strongest signals."""
    found = sorted(((name, value) for name, value in signals.items() if value), key=lambda item: -abs(item[1]))
    most = max((abs(value) for _, value in found), default=1.0)
    return [(name, value, round(100 * abs(value) / most)) for name, value in found[:_STRONGEST]]


def in_two(text: str, most: int) -> list[str]:
    """A text in at most two lines of at most so many characters; the second is shortened."""
    first = ""
    words = text.split()
    while words and len(first) + len(words[0]) < most:
        first = f"{first} {words.pop(0)}".strip()
    return [shortened(line, most) for line in (first, " ".join(words)) if line]


@pass_context
def laid_out(context: Context, note: Told, outgoing: Iterable[Told]) -> Markup:
    """The text of a memory as HTML, without a heading that only repeats its title."""
    return markdown.html(pieces.without_title(note["body"], note["title"]), _resolver(context, outgoing))


@pass_context
def said(context: Context, value: Any, outgoing: Iterable[Told]) -> list[tuple[str, str, bool]]:
    """(text, address or "", whether it is a point in time) for each value of a property."""
    resolve = _resolver(context, outgoing)
    return [_said(item, resolve) for item in (value if isinstance(value, list) else [value])]


def _said(item: Any, resolve: markdown.Resolve) -> tuple[str, str, bool]:
    if isinstance(item, Mapping):
        return ", ".join(f"{key}: {as_text(part)}" for key, part in item.items()), "", False
    text = as_text(item)
    target = links.wikilink_target(text)
    if not target:
        return text, "", ":" in text and bool(moments.normal(text))
    words = text.strip("[]!").partition("|")[2]
    address, title = resolve(target)
    return words or title or target, address, False


def _resolver(context: Context, outgoing: Iterable[Told]) -> markdown.Resolve:
    """Finds the addresses and titles of the memories that the links of a note lead to."""
    link = context["link"]
    meant = {to["target"]: (link("memory", to["path"]), plain(to["title"])) for to in outgoing if to["path"]}
    return lambda target: meant.get(target, ("", ""))


def _dated(
    worded: Callable[[datetime, str], str], machine: str = "%Y-%m-%dT%H:%M:%SZ"
) -> Callable[..., Markup | str]:
    """A filter that puts a point in time into words, in a <time> element; other text is returned unchanged."""

    @pass_context
    def told(context: Context, text: str) -> Markup | str:
        moment = moments.parse(text)
        if moment is None:
            return str(text)
        language = context["frame"].language
        element = Markup('<time datetime="{}" lang="{}">{}</time>')
        return element.format(f"{moment:{machine}}", language, worded(moment, language))

    return told


FILTERS: Mapping[str, Callable[..., Any]] = {
    "when": _dated(time),
    "brief": _dated(brief),
    "clock": _dated(clock),
    "day": _dated(day, "%Y-%m-%d"),
    "weekday": _dated(weekday, "%Y-%m-%d"),
    "words": name_words,
    "counted": counted,
    "shell": shlex.quote,
    **{
        each.__name__: each
        for each in (alike, authored, marked, parted, plain, reason, strongest, shortened, in_two, laid_out, said)
    },
}
