"""The commands `work chapters`, `work wisdom` and `work archive`."""

from __future__ import annotations

import click

from mdmem.acts.json.work import kept_pages_json, page_json
from mdmem.acts.text.work import kept_lines, page_line
from mdmem.cli.options import (
    complete_name,
    now,
    opened,
    print_json,
    print_lines,
    writer,
)
from mdmem.cli.shared import command, group
from mdmem.models import language
from mdmem.systems.rum.chapters import keeping
from mdmem.systems.rum.chapters.keeping import KeptPages
from mdmem.systems.rum.chapters.pages import CHAPTER, WISDOM
from mdmem.systems.rum.chapters.shelf import Shelf
from mdmem.text import moments

_project_option = click.option("--project", default="", help="Only of this project. Default: each project apart.")
_llm_option = click.option("--llm", is_flag=True, help="Let the model named by $MDMEM_LLM word the lines.")


@group("chapters")
def chapters_command() -> None:
    """Sum up works in chapters: what several works were for, what came of them, what was learned.

    \b
    Examples:
      mdmem work chapters auto --project shop
      mdmem work chapters create stop_random_logouts refresh_expired_tokens --title "Sessions"
      mdmem work chapters refresh
    """


@chapters_command.command("auto", writes=True)
@_project_option
def auto(project: str, vault: str | None, as_json: bool, actor: str, session: str, reason: str) -> None:
    """Make a chapter of every tag that at least three works of a project share; without tags, of every task type.

    Works that came since are added to the chapter of their tag. One commit.

    \b
    Examples:
      mdmem work chapters auto
      mdmem work chapters auto --project shop --json
    """
    with opened(vault) as found:
        done = keeping.detect(found, writer(found, actor, session), project, reason)
    _tell(done, as_json)


@chapters_command.command("create", writes=True)
@click.argument("names", nargs=-1, required=True, shell_complete=complete_name)
@click.option("--title", default="", help="Title of the chapter. Default: the goal of its first work.")
def create(
    names: tuple[str, ...], title: str, vault: str | None, as_json: bool, actor: str, session: str, reason: str
) -> None:
    """Make a chapter of the works that are named, in this order.

    \b
    Examples:
      mdmem work chapters create stop_random_logouts refresh_expired_tokens
      mdmem work chapters create mem_0192f3c4-7d1e-7c3a-9d53-0c7a6f3e2b11 --title "Sessions"
    """
    with opened(vault) as found:
        done = keeping.create(found, names, writer(found, actor, session), title, reason)
    _tell(done, as_json)


@chapters_command.command("refresh", writes=True)
@click.argument("names", nargs=-1, shell_complete=complete_name)
@_llm_option
def refresh(
    names: tuple[str, ...], llm: bool, vault: str | None, as_json: bool, actor: str, session: str, reason: str
) -> None:
    """Rewrite the text of chapters and wisdom: the named ones, or all that are out of date.

    Only what stands between <!-- mdmem:begin --> and <!-- mdmem:end --> is replaced; what you wrote above or
    below stays as it is. `mdmem doctor` names those that are out of date.

    With --llm a model of the llm package (pip install 'mdmem[llm]') words the lines. Each line keeps the works
    that it rests on; one that does not, or adds a number, stays as the rules made it.

    \b
    Examples:
      mdmem work chapters refresh
      mdmem work chapters refresh works_on_auth
    """
    with opened(vault) as found:
        model = language.required() if llm else None
        done = keeping.refresh(found, names, writer(found, actor, session), reason, model)
    _tell(done, as_json)


@chapters_command.command("list")
@_project_option
def list_chapters(project: str, vault: str | None, as_json: bool) -> None:
    """List the chapters, oldest first.

    \b
    Examples:
      mdmem work chapters list
      mdmem work chapters list --project shop --json
    """
    with opened(vault) as found:
        views = [
            view for view in Shelf(found).all(CHAPTER) if not project or view.value.get("project_id") == project
        ]
    views.sort(key=lambda view: (view.note.created, view.note.path))
    if as_json:
        print_json([page_json(view) for view in views])
    else:
        print_lines(page_line(view) for view in views)


@chapters_command.command("show")
@click.argument("name", shell_complete=complete_name)
def show(name: str, vault: str | None, as_json: bool) -> None:
    """Print a chapter or wisdom, by its name or id (chapter_..., wisdom_...), with what each line rests on.

    \b
    Examples:
      mdmem work chapters show works_on_auth
      mdmem work chapters show works_on_auth --json
    """
    with opened(vault) as found:
        view = Shelf(found).find(name, CHAPTER, WISDOM)
    if as_json:
        print_json(page_json(view))
    else:
        print_lines([page_line(view), "", view.read.body.strip()])


@command("wisdom", writes=True)
@click.argument("chapters", nargs=-1, shell_complete=complete_name)
@_project_option
@_llm_option
def wisdom_command(
    chapters: tuple[str, ...],
    project: str,
    llm: bool,
    vault: str | None,
    as_json: bool,
    **options: str,
) -> None:
    """Distill chapters into wisdom: insights, patterns that several share, and best practices.

    Without CHAPTERS, every project with at least two chapters has one note of wisdom, which is made again as
    its chapters grow. One commit. --llm is that of `mdmem work chapters refresh`.

    \b
    Examples:
      mdmem work wisdom
      mdmem work wisdom works_on_auth works_on_cache
    """
    with opened(vault) as found:
        model = language.required() if llm else None
        who = writer(found, options["actor"], options["session"])
        done = keeping.synthesize(found, chapters, who, project, options["reason"], model)
    _tell(done, as_json)


@command("archive", writes=True)
@click.option("--before", required=True, metavar="WHEN", help="Works from before: 2026-03-01, 90d, 6 months ago.")
@click.option(
    "--below",
    type=click.FloatRange(0, 1),
    default=keeping.LITTLE,
    show_default=True,
    help="Importance below which a work may be folded (0-1).",
)
def archive_command(
    before: str, below: float, vault: str | None, as_json: bool, actor: str, session: str, reason: str
) -> None:
    """Fold old works of little importance into their chapters: they get `archived: true`.

    They stay in the vault and in their chapter, which tells what was learned. Works that are in no chapter get
    one for each project. Pinned works are left alone. One commit; `mdmem undo --last 1` takes it back.

    \b
    Examples:
      mdmem work archive --before 90d
      mdmem work archive --before 2026-01-01 --below 0.8
    """
    with opened(vault) as found:
        done = keeping.archive(found, moments.since(before, now()), writer(found, actor, session), below, reason)
    _tell(done, as_json)


def _tell(done: KeptPages, as_json: bool) -> None:
    if as_json:
        print_json(kept_pages_json(done))
    else:
        print_lines(kept_lines(done))
