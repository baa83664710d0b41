"""The manual as a site: plain pages with relative links, which also work as files."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from html import escape
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

from markdown_it import MarkdownIt

from mdmem import __version__
from mdmem.errors import UsageError

_TO_A_PAGE = re.compile(r'(href=")(?:mdmem/guides/)?([\w-]+)\.md(?=[#"])')


def write(folder: str, pages: Sequence[Any], pictures: Iterable[Traversable]) -> None:
    """Write pages, which have name, title and text, and their pictures into a folder.

    Raises UsageError for one that holds something else.
    """
    if os.path.isdir(folder) and os.listdir(folder) and not os.path.isfile(os.path.join(folder, "start.html")):
        raise UsageError(f"{folder} holds something else", "name a new folder")
    os.makedirs(folder, exist_ok=True)
    template = (resources.files("mdmem.acts") / "data" / "guide.html").read_text(encoding="utf-8")
    listed = "".join(f'<li><a href="{page.name}.html">{escape(page.title)}</a></li>' for page in pages)
    _save(folder, "index.html", _filled(template, "mdmem", f"<h1>mdmem</h1><ol>{listed}</ol>"))
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
