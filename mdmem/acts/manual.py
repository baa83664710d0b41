"""The manual, one Markdown page per task, shipped with the package."""

from importlib import resources
from importlib.resources.abc import Traversable
from typing import Annotated, NamedTuple

from mdmem.acts.style import Raw
from mdmem.acts.telling import Told
from mdmem.errors import NotFoundError
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
) -> Told:
    """Print a page of the manual. Without NAME: list the pages.

    It needs no vault, and a page is plain Markdown, so an agent with a shell can read it as well.

    \b
    Examples:
      mdmem guide
      mdmem guide recall
    """
    if name:
        page = read(name)
        return Told(page, Raw(page.text))
    pages = [read(known) for known in NAMES]
    values = [{"name": page.name, "title": page.title} for page in pages]
    return Told(values, (f"{page.name:14} {page.title}" for page in pages))
