"""The manual, one Markdown page per task, shipped with the package.

It can be written as a site, too: plain pages with relative links, which also work as files.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from html import escape
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Annotated, Any, NamedTuple

from mdmem import __version__
from mdmem.acts.style import Raw
from mdmem.acts.telling import Told
from mdmem.errors import NotFoundError, UsageError
from mdmem.note import tsv

NAMES: list[str] = []  # in reading order; each is a page in mdmem/guides
MERGED: dict[str, str] = {}  # former page -> the page that it was merged into
for _name, *_former in tsv.rows(__file__, "guides.tsv", 2):
    NAMES.append(_name)
    MERGED.update(dict.fromkeys(_former[0].split(), _name))


class Guide(NamedTuple):
    """One page of the manual. `title` is its heading, `text` the whole page."""

    name: str
    title: str
    text: str


def folder() -> Traversable:
    """The folder of the pages."""
    return resources.files("mdmem") / "guides"


def read(name: str) -> Guide:
    """The page with this name, in any case, or the one that it was merged into.

    Raises NotFoundError, with the nearest names as its hint.
    """
    asked, name = name, MERGED.get(name.lower(), name.lower())
    if name not in NAMES:
        raise NotFoundError(f"there is no guide {asked!r}", _nearest(asked))
    text = (folder() / f"{name}.md").read_text(encoding="utf-8")
    heading = text.partition("\n")[0]
    return Guide(name, heading.removeprefix("# "), text)


def _nearest(name: str) -> str:
    from difflib import get_close_matches

    wanted = name.lower()
    near = get_close_matches(wanted, (*NAMES, *MERGED), 3)
    near = near or [known for known in NAMES if wanted in read(known).title.lower()]
    return f"did you mean {' or '.join(near)}?" if near else "mdmem guide lists them all"


def guide(
    name: Annotated[str, NAMES] = "",
    *,
    html: str = "",
) -> Told:
    """Print a page of the manual. Without NAME: list the pages.

    It needs no vault, and a page is plain Markdown, so an agent with a shell can read it as well.

    \b
    Examples:
      mdmem guide
      mdmem guide recall
      mdmem guide --html site
    """
    if html:
        _write(html, [read(known) for known in NAMES], (folder() / "page").iterdir())
        return Told({"folder": html, "pages": len(NAMES) + 1}, [f"wrote {len(NAMES) + 1} pages to {html}"])
    if name:
        page = read(name)
        return Told(page, Raw(page.text))
    pages = [read(known) for known in NAMES]
    values = [{"name": page.name, "title": page.title} for page in pages]
    return Told(values, (f"{page.name:14} {page.title}" for page in pages))


_TO_A_PAGE = re.compile(r'(href=")(?:mdmem/guides/)?([\w-]+)\.md(?=[#"])')


def _write(folder: str, pages: Sequence[Any], pictures: Iterable[Traversable]) -> None:
    """Write pages, which have name, title and text, and their pictures into a folder.

    Raises UsageError for one that holds something else.
    """
    if os.path.isdir(folder) and os.listdir(folder) and not os.path.isfile(os.path.join(folder, "start.html")):
        raise UsageError(f"{folder} holds something else", "name a new folder")
    os.makedirs(folder, exist_ok=True)
    template = (resources.files("mdmem.acts") / "data" / "guide.html").read_text(encoding="utf-8")
    listed = "".join(f'<li><a href="{page.name}.html">{escape(page.title)}</a></li>' for page in pages)
    _save(folder, "index.html", _filled(template, "mdmem", f"<h1>mdmem</h1><ol>{listed}</ol>"))
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    for page in pages:
        body = _TO_A_PAGE.sub(r"\1\2.html", parser.render(page.text)).replace('src="page/', 'src="')
        _save(folder, f"{page.name}.html", _filled(template, page.title, body))
    for picture in pictures:
        with open(os.path.join(folder, picture.name), "wb") as file:
            file.write(picture.read_bytes())


def _filled(template: str, title: str, body: str) -> str:
    return template.replace("@title@", escape(title)).replace("@version@", __version__).replace("@body@", body)


def _save(folder: str, name: str, text: str) -> None:
    with open(os.path.join(folder, name), "w", encoding="utf-8", newline="\n") as file:
        file.write(text)
