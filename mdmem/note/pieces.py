"""Splits a text at its headings and blank lines, but not within code or comments."""

from collections.abc import Iterator

from mdmem.note import blocks


def split(text: str) -> Iterator[str]:
    """The pieces of a text: each heading, and each block between blank lines; code and comments are not split."""
    piece: list[str] = []
    in_heading = False
    for line in blocks.lines(text):
        is_heading = line.kind is blocks.HEADING
        ends = is_heading or in_heading or (not line.text.strip() and line.kind not in blocks.UNREAD)
        if ends and piece and not (is_heading and line.continues):
            yield "\n".join(piece)
            piece = []
        if line.text.strip() or line.kind in blocks.UNREAD:
            piece.append(line.text)
        in_heading = is_heading
    if piece:
        yield "\n".join(piece)


def without_title(body: str, title: str) -> str:
    """A body without the heading at its top, if that only repeats the title."""
    body = body.lstrip("\n")
    first = body.partition("\n")[0]
    top = next(blocks.headings(first), None) or next(blocks.headings(body), None)  # mostly the first line tells
    if top is None or top.line > 1 or top.text.casefold() != title.casefold():
        return body
    return "\n".join(body.split("\n")[top.end :]).lstrip("\n")
