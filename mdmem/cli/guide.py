"""The command `guide`: the manual, one Markdown page per task, shipped with the package."""

from __future__ import annotations

from importlib import resources
from importlib.resources.abc import Traversable
from typing import NamedTuple

import click

from mdmem.cli.options import print_json
from mdmem.cli.shared import command
from mdmem.errors import NotFoundError

# In reading order; each is a page in mdmem/guides.
NAMES = tuple(
    "start words write obsidian recall meaning page history purge sessions capture inbox layers"
    " gardening records work import connect mcp vaults sync team privacy python"
    " commands settings limits design contributing".split()
)
# Former page -> the page that it was merged into.
MERGED = {
    "edit-by-hand": "write",
    "undo": "history",
    "merge": "sync",
    "hooks": "start",
    "candidates": "capture",
    "lifecycle": "records",
    "chunks": "import",
}


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


def _complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    del ctx, param
    return [name for name in NAMES if name.startswith(incomplete.lower())]


@command("guide", vault=False)
@click.argument("name", required=False, type=click.UNPROCESSED, shell_complete=_complete)
def guide_command(name: str | None, as_json: bool) -> None:
    """Print a page of the manual. Without NAME: list the pages.

    It needs no vault, and a page is plain Markdown, so an agent with a shell can read it as well.

    \b
    Examples:
      mdmem guide
      mdmem guide recall
      mdmem guide --json
    """
    if name:
        page = read(name)
        if as_json:
            print_json(page._asdict())
        else:
            click.echo(page.text, nl=False)
        return
    pages = [read(known) for known in NAMES]
    if as_json:
        print_json([{"name": page.name, "title": page.title} for page in pages])
        return
    for page in pages:
        click.echo(f"{page.name:14} {page.title}")
