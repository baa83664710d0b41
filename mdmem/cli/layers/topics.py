"""The command `topics`: what is known about each topic, and about all of them."""

from __future__ import annotations

import click

from mdmem.acts.json.layers import global_memory_json, topic_memory_json, topics_json
from mdmem.acts.text.layers import topics_lines
from mdmem.cli.options import end_with, opened, print_json, print_lines, style
from mdmem.cli.shared import command
from mdmem.errors import UsageError
from mdmem.systems.layers.pages import reading
from mdmem.text.terminal import safe


@command("topics")
@click.argument("topic", required=False)
@click.option("--global", "as_global", is_flag=True, help="Print the page of all topics, GLOBAL_MEMORY.md.")
def topics_command(topic: str | None, as_global: bool, vault: str | None, as_json: bool) -> None:
    """List the topics, or print the page of one: where it stands, what is open, its facts and dialogs.

    The pages are files, too: topics/TOPIC/topic_memory.md and GLOBAL_MEMORY.md, with the same as JSON beside
    them. They are made from the dialogs, the facts of notes and your scores, and updated with each write.

    \b
    Examples:
      mdmem topics
      mdmem topics travel_plans
      mdmem topics --global
      mdmem topics travel_plans --json
    """
    if topic and as_global:
        raise UsageError("--global covers all topics", "leave out the topic, or --global")
    with opened(vault) as found:
        if as_global:
            everything = reading.global_page(found)
            _show(everything.text, global_memory_json(everything.memory), as_json)
        elif topic:
            page = reading.topic_page(found, topic)
            _show(page.text, topic_memory_json(page.memory), as_json)
        else:
            report = reading.CurrentPages(found).report
            if as_json:
                print_json(topics_json(report))
            else:
                print_lines(topics_lines(report, style()))
            end_with(report.problems, as_json)


def _show(text: str, document: object, as_json: bool) -> None:
    if as_json:
        print_json(document)
    else:
        click.echo(safe(text), nl=False)
