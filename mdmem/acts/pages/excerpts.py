"""Titles and excerpts as text: what a memory says, without the marks of Markdown."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from mdmem.note import pieces, sentences
from mdmem.note.memory import name_words
from mdmem.store.index.edges import fold_target

if TYPE_CHECKING:
    from mdmem.store.vault.vault import Vault

_MARKS = re.compile(r"`+|\*\*+|(?<!\w)__|__(?!\w)")
_LINK = re.compile(r"!?\[\[([^\[\]|]*)(?:\|([^\[\]|]*))?\]\]")
_LONGEST_HEADING = 200  # characters of a first sentence that is a heading


def shortened(text: str, most: int) -> str:
    """A text cut to at most this many characters."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def plain(text: str) -> str:
    """A title or excerpt without the marks of Markdown."""
    said = _LINK.sub(lambda link: link[2] or name_words(link[1].rpartition("/")[2]), text)
    return _MARKS.sub("", said)


def spelled(vault: Vault, text: str) -> str:
    """A text with the title of the memory in place of each link to one that has no words of its own."""
    targets = {_target(link) for link in _LINK.finditer(text)}
    titles = {
        fold_target(one.path): plain(one.title)
        for one in reversed([*vault.index.outlines(targets, "folded")])  # the newest of a name is the last
    }
    return _LINK.sub(lambda link: link[2] or titles.get(_target(link), link[0]), text)


def _target(link: re.Match[str]) -> str:
    """What a link leads to, in the form in which targets are compared; a snippet may mark words in it."""
    return fold_target(link[1].replace("**", "").partition("#")[0])


def parted(note: Mapping[str, Any]) -> tuple[str, str]:
    """(heading, text) of a memory: a first sentence that is its title is said once, as the heading."""
    title, body = note["title"], pieces.without_title(note["body"], note["title"]).strip()
    first = sentences.first(body.partition("\n\n")[0])
    heading, rest = plain(first).rstrip(".").rstrip(), body[len(first) :]
    said = plain(title).removesuffix("…").rstrip(" .")
    is_title = heading == said or (title.endswith("…") and said and heading.startswith(said))
    if not is_title or not body.startswith(first) or len(first) > _LONGEST_HEADING or rest[:1].strip():
        return title, body
    return heading, rest.strip()
