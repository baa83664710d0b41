"""Chats copied as text, whose speakers are headings (`## User`), bold (`**User:**`) or names with a colon.

A name that is not a role counts only if it must be a speaker: names with a time, names beside an assistant, two or
three that take turns, or any number of names if every paragraph begins with one and they say "I" and "you". Text
inside code fences does not name speakers.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from mdmem.capture.turns import Conversation, Turn, known_speaker, speaker_of
from mdmem.note import blocks, moments
from mdmem.note.blocks import Fence
from mdmem.note.calendar import TIMES

_TIME = r"[\[(](?P<time{0}>[^\])\n]{{0,30}}\d:\d\d[^\])\n]{{0,12}})[\])]"
_NAME = r"(?P<name>[^\W\d_][\w.'’ -]{0,40}?)"
_SIGN = r"(?:[^\w\s#*_>`\[(:.,;-]{1,4}\s*)?"  # an emoji before the name
_SAID = r"(?P<said>\s+said)?"
_STYLES = {
    "heading": re.compile(rf"(?P<quote>> ?)?#{{1,6}} +(?:[*_]{{2}})?{_SIGN}{_NAME}{_SAID}(?:[*_]{{2}})?"
                          rf"(?: *{_TIME.format(1)})?(?: *:)?(?:[*_]{{2}})? *:? *(?P<rest>)"),
    "bold": re.compile(rf"(?P<quote>> ?)?(?:[-*] +)?(?P<mark>\*\*|__){_SIGN}{_NAME}{_SAID}(?: *{_TIME.format(1)})?"
                       rf"(?::(?P=mark)|(?P=mark)(?: *{_TIME.format(2)})? *:|(?P=mark) *$)(?P<rest>.*)"),
    "plain": re.compile(rf" {{0,3}}(?P<quote>(?!))?(?:{_TIME.format(1)} *[-–]? *|"
                        rf"(?P<time3>\d[\d/.-]{{5,10}},? \d\d?:\d\d(?::\d\d)?(?: ?[AP]M)?) +- +)?"
                        rf"{_SIGN}{_NAME}{_SAID}(?: *{_TIME.format(2)})?[ \u202f\xa0]*:(?:(?=\s)|$)(?P<rest>.*)"),
}  # fmt: skip
_LOWER_ROLES = frozenset(  # other roles in lower case may be keys of settings
    "user human assistant ai me you bot chatbot gpt chatgpt claude gemini copilot".split()
)
_NO_NAMES = frozenset(
    "a q note notes warning error errors todo fixme example examples summary step result results output input"
    " question answer date title subject from to cc bcc re fw name author status type tags category url http https"
    " key value pros cons tip info important hint see source version id description usage reply sent goal plan"
    " reason problem context background update edit reminder fact idea topic task deadline location".split()
)
_I_OR_YOU = re.compile(r"\b(?:I|you|my|we)\b|\bI'", re.I)
_YOU = re.compile(r"\byour?\b", re.I)


class _Label(NamedTuple):
    at: int  # index of its line
    name: str
    time: str
    rest: str
    quoted: bool


def read(text: str) -> tuple[str, tuple[Conversation, ...]] | None:
    """("markdown" or "text", the one conversation) of a text with LF line ends; None if it is not a dialogue."""
    lines = text.split("\n")
    free = _unfenced(lines)
    best: tuple[str, list[_Label]] = ("", [])
    for style in _STYLES:
        labels = _speakers(style, list(_labels(style, lines, free)), lines)
        if len(labels) > len(best[1]):
            best = style, labels
    style, labels = best
    if not labels:
        return None
    ends = [*(label.at for label in labels[1:]), len(lines)]
    turns = tuple(turn for label, end in zip(labels, ends, strict=True) for turn in _turn(label, lines, end))
    before = [line.lstrip("#").strip() for line in lines[: labels[0].at] if line.startswith("# ")]
    return "text" if style == "plain" else "markdown", (Conversation("", before[0] if before else "", turns),)


def is_labelled(line: str) -> bool:
    """Whether a line begins with what may be the name of a speaker, as "Ana: I moved" does."""
    match = _STYLES["plain"].fullmatch(line.strip())
    name = match["name"].strip() if match else ""
    return bool(name) and _is_name(name) and not known_speaker(name) and name.lower() not in TIMES


def _unfenced(lines: Sequence[str]) -> list[int]:
    """The indices of the lines outside code. A fence that is never closed counts as an ordinary line."""
    fences = {at: fence for at, line in enumerate(lines) if (fence := blocks.fence(line.lstrip("> ")))}
    openings = _closed_later(fences)
    outside = []
    opening: Fence | None = None
    for at in range(len(lines)):
        fence = fences.get(at)
        if opening is not None:
            if fence and fence.closes(opening):
                opening = None
        elif at in openings:
            opening = fence
        else:
            outside.append(at)
    return outside


def _closed_later(fences: Mapping[int, Fence]) -> set[int]:
    """The indices of the fences that a later fence is long enough to close."""
    longest = {"`": 0, "~": 0}  # fence below the current line that can close one
    closed = set()
    for at in sorted(fences, reverse=True):
        mark, length = fences[at].marks[0], len(fences[at].marks)
        if longest[mark] >= length:
            closed.add(at)
        if not fences[at].info:
            longest[mark] = max(longest[mark], length)
    return closed


def _labels(style: str, lines: Sequence[str], free: Sequence[int]) -> Iterator[_Label]:
    pattern = _STYLES[style]
    sign = {"heading": "#", "bold": "**", "plain": ":"}[style]
    for at in free:
        line = lines[at]
        if sign not in line[:120] and not (style == "bold" and "__" in line[:120]):
            continue
        match = pattern.fullmatch(line.rstrip() if style == "heading" else line)
        if match is None:
            continue
        parts = match.groupdict()
        time = next((parts[key] for key in ("time1", "time2", "time3") if parts.get(key)), "")
        yield _Label(at, match["name"].strip(), time, match["rest"].strip(), bool(match["quote"]))


def _speakers(style: str, labels: list[_Label], lines: Sequence[str]) -> list[_Label]:
    """The labels that name speakers; none if the text is not a dialogue."""
    names = {label.name for label in labels if not label.name.islower() or label.name in _LOWER_ROLES}
    roles = {name: speaker for name in sorted(names) if (speaker := known_speaker(name))}
    if not {"user", "assistant"} <= set(roles.values()):
        roles = {name: speaker for name, speaker in roles.items() if not name.islower()}
        roles |= dict.fromkeys(_others(style, labels, roles, lines), "")
    spoken = [label for label in labels if label.name in roles]
    return spoken if _is_dialogue(spoken, roles, lines) else []


def _is_dialogue(labels: Sequence[_Label], roles: Mapping[str, str], lines: Sequence[str]) -> bool:
    """Whether these labels make a dialogue: two of three signs have to speak for it."""
    if not labels:
        return False
    first_line = next(at for at, line in enumerate(lines) if line.strip() and not line.startswith("# "))
    several_speak = len({label.name for label in labels}) > 1
    begins_with_one = labels[0].at == first_line
    has_role_or_time = any(roles[label.name] in ("user", "assistant") or label.time for label in labels)
    return [several_speak, begins_with_one, has_role_or_time].count(True) >= 2


def _others(style: str, labels: list[_Label], roles: Mapping[str, str], lines: Sequence[str]) -> set[str]:
    """The names that are not roles but must be speakers."""
    names = Counter(label.name for label in labels if label.name not in roles and _is_name(label.name))
    timed = {label.name for label in labels if label.time and label.name in names}
    twice = {name for name, count in names.items() if count > 1}
    if timed:
        return timed
    if "assistant" in roles.values():
        return twice or {label.name for label in labels[:1] if label.name in names}
    spoken = [label for label in labels if label.name in names or label.name in roles]
    if _all_is_said(style, spoken, lines):
        return set(names)
    return twice if style == "plain" and len(twice | set(roles)) in (2, 3) else set()


def _all_is_said(style: str, labels: Sequence[_Label], lines: Sequence[str]) -> bool:
    """Whether every paragraph below the title has a named speaker, and the speakers talk to each other."""
    counts = Counter(label.name for label in labels)
    if len(counts) < 2 or (style == "heading" and 1 in counts.values()):
        return False
    text = "\n".join(lines)
    take_turns = max(counts.values()) > 1
    is_addressed = style == "plain" and bool(_YOU.search(text))
    is_talk = bool(_I_OR_YOU.search(text)) and (take_turns or is_addressed)
    return is_talk and not _has_unspoken_paragraph(style, {label.at for label in labels}, lines)


def _has_unspoken_paragraph(style: str, starts: set[int], lines: Sequence[str]) -> bool:
    """Whether there is a paragraph without a speaker; everything below a heading is said by the one it names."""
    is_above, is_begun = True, False
    for at, line in enumerate(lines):
        is_text = bool(line.strip()) and not (is_above and line.startswith("# "))
        if is_text and at not in starts and not is_begun:
            return True
        is_above = is_above and not is_text
        is_begun = is_text or (style == "heading" and not is_above)
    return False


def _is_name(name: str) -> bool:
    words = name.split()
    return name[0].isupper() and len(words) <= 3 and words[0].lower() not in _NO_NAMES


def _turn(label: _Label, lines: Sequence[str], end: int) -> Iterator[Turn]:
    said = [label.rest, *lines[label.at + 1 : end]]
    if label.quoted:
        said = [line[1:].removeprefix(" ") if line.startswith(">") else line for line in said]
    full = [at for at, line in enumerate(said) if line.strip()]
    if full:
        text = "\n".join(said[full[0] : full[-1] + 1])
        when = moments.normal(label.time) if "-" in label.time else ""
        yield Turn(speaker_of(label.name), text, label.at + 1 + full[0], when=when, name=label.name)
