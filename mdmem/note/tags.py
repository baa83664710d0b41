"""Labels of a note: its tags, inline and nested ones as in Obsidian (help.obsidian.md/tags), and others."""

from collections.abc import Iterable, Iterator, Sequence

from mdmem.note import links, patterns

_NOT_IN_TAGS = r"\s\u2000-\u206f\u2e00-\u2e7f'!\"#$%&()*+,.:;<=>?@^`{|}~\[\]\\"
_INLINE = patterns.late(rf"#(?<!\S#)([^{_NOT_IN_TAGS}]+)")
_NUMBER = patterns.late(r"[\d/-]+")
# Words by which people ask for memories of a category.
_CATEGORY_WORDS = {"future": ("todo", "task", "plan", "next")}


def inline(text: str) -> tuple[str, ...]:
    """The tags in a text (`#tag`, `#nested/tag`), each once; not those in code, comments and links.

    A tag has at least one character that is not a digit: `#42` is a number.
    """
    if not _may_tag(text) or not _INLINE.search(text):
        return ()
    prose, _ = links.apart(links.without_code(text))
    written = (match[1].rstrip("/") for match in _INLINE.finditer(prose))
    return tuple(dict.fromkeys(tag for tag in written if tag and not _NUMBER.fullmatch(tag)))


def _may_tag(text: str) -> bool:
    """Whether any # in a text is followed by more than white space; that of a heading is not."""
    return "#" in text and any(after and not after[0].isspace() for after in text.split("#")[1:])


def with_parents(tags: Iterable[str]) -> list[str]:
    """The tags and those they are nested in: `a/b` is also an `a`."""
    return list(dict.fromkeys(name for tag in tags for name in _upwards(tag)))


def _upwards(tag: str) -> Iterator[str]:
    while tag:
        yield tag
        tag = tag.rpartition("/")[0]


def labels(type: str, category: str, topic: str, tags: Sequence[str]) -> list[str]:
    """The texts that say what kind of memory one is and what it is about; a plain note has no kind."""
    kind = "" if type == "note" else type
    return [label for label in (kind, topic, *tags, *_CATEGORY_WORDS.get(category, ())) if label]
