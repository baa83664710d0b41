"""Addresses of pages: on the server, and between the files of an export."""

import posixpath
from urllib.parse import quote, urlencode

from mdmem.acts.pages.request import HOME
from mdmem.note.encoded import encoded

API = "/api"
PLANNING = f"{API}/review/planning"  # how far the gardeners are
ACTS = f"{API}/acts"  # below it, each act by its name
DO = "/do"  # below it, each act for forms


class ServedLinks:
    """Links on the server."""

    def to(self, page: str, key: str = "", /, **given: str) -> str:
        """The address of a page. Parameters given as "" are left out."""
        path = "/" if page == HOME else f"/{page}" + (f"/{quote(key, safe='/')}" if key else "")
        asked = urlencode({name: value for name, value in given.items() if value})
        return f"{path}?{asked}" if asked else path

    def asset(self, name: str) -> str:
        """The address of a style sheet, script or image."""
        return f"/assets/{name}"


class FileLinks:
    """Links from the file `here` of an export to its other files. `pages` are the names of the pages it holds."""

    def __init__(self, here: str, pages: frozenset[str]) -> None:
        self._folder = posixpath.dirname(here)
        self._pages = pages

    def to(self, page: str, key: str = "", /, **given: str) -> str:
        """The address of a page, "" if the export does not hold it. Parameters given as "" are left out."""
        asked = {name: value for name, value in given.items() if value}
        number = int(asked.pop("page", "1"))
        if page not in self._pages or asked:
            return ""
        return self._relative(file_of(page, key, number))

    def asset(self, name: str) -> str:
        """The address of a style sheet, script or image."""
        return self._relative(f"assets/{name}")

    def _relative(self, file: str) -> str:
        return quote(posixpath.relpath(file, self._folder or "."), safe="/")


PageLinks = ServedLinks | FileLinks  # make the addresses of pages and assets


def file_of(page: str, key: str, number: int = 1) -> str:
    """The file of a page in an export: `memory/allmemories/a_b.html`, `timeline-2.html`."""
    part = f"-{number}" if number > 1 else ""
    if not key:
        return f"{'index' if page == HOME else page}{part}.html"
    inner = "/".join(map(encoded, key.removesuffix(".md").split("/")))
    return f"{page}/{inner}{part}.html"
