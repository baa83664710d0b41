"""The command `recall`, after its arguments are parsed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mdmem.cli.direct.line import CommandLine
from mdmem.cli.direct.optionvalues import filters_of
from mdmem.cli.direct.output import echo, echo_raw, now, print_json, style, unread_json
from mdmem.index.port import ALL_KINDS
from mdmem.recall import validity
from mdmem.text.terminal import safe_line

if TYPE_CHECKING:
    from mdmem.note.filters import Filter
    from mdmem.recall import ask
    from mdmem.vault.several import OpenVaults
    from mdmem.vault.vault import Vault


def run(line: CommandLine, options: dict[str, Any]) -> None:
    """Answer a question; `options` are the command's parameters by name."""
    if options["form"] == "markdown" and not options["depth"]:
        options["depth"] = "full"
    options["project"] = ""
    if options["within"]:
        _run_in_team(line, options)
        return
    conditions = tuple(filters_of(options))
    with line.asked(look_ahead=True) as vaults:
        first = vaults.first if hasattr(vaults, "first") else vaults
        options["project"] = line.project(first)
        query = _query(options, conditions)._replace(project=options["project"])
        if options["why"]:
            standing = _standing(vaults, query, options["why"])
            _print_standing(options["why"], query.limit, standing, options["as_json"])
            return
        _print(_answers(line, vaults, query), options, unread_json(vaults))


def _query(options: dict[str, Any], conditions: tuple[Filter, ...]) -> ask.Query:
    from mdmem.recall import ask

    return ask.Query(
        texts=(" ".join(options["words"]), *options["also"]),
        conditions=conditions,
        limit=options["limit"],
        as_of=options["as_of"],
        depth=options["depth"] or "",
        budget=options["budget"] or 0,
        at=options["at"],
        given=validity.given(options["given"]),
        kinds=options["kinds"] or ALL_KINDS,
        archived=options["archived"],
    )


def _run_in_team(line: CommandLine, options: dict[str, Any]) -> None:
    """Answer a question from the team's index."""
    from mdmem.recall.several import published

    query = _query(options, tuple(filters_of(options)))
    reader = line.reader()
    with published.opened() as server:
        if options["why"]:
            standing = published.why(server, query, options["why"], now(), reader)
            _print_standing(options["why"], query.limit, standing, options["as_json"])
            return
        _print(published.ask(server, query, now(), reader), options, [])


def _answers(line: CommandLine, vaults: Vault | OpenVaults, query: ask.Query) -> list[ask.Answer]:
    from mdmem.recall import ask
    from mdmem.vault.vault import Vault

    if isinstance(vaults, Vault):
        return ask.ask(vaults, query, now(), line.writer(vaults).session)
    from mdmem.recall.several import asking

    return asking.ask(vaults, query, now(), line.writer(vaults.first).session)


def _standing(vaults: Vault | OpenVaults, query: ask.Query, name: str) -> ask.Ranking | None:
    from mdmem.recall import ask
    from mdmem.vault.vault import Vault

    if isinstance(vaults, Vault):
        return ask.why(vaults, query, name, now())
    from mdmem.recall.several import asking

    return asking.why(vaults, query, name, now())


def _print(answers: list[ask.Answer], options: dict[str, Any], unread: list[dict[str, Any]]) -> None:
    from mdmem.recall import ask

    if options["as_json"]:
        from mdmem.render.json import notes as notes_json

        moment = now()
        print_json([*(notes_json.answer_json(answer, moment, options["explain"]) for answer in answers), *unread])
    elif options["paths_only"]:
        for answer in answers:
            echo_raw(answer.hit.record.address)
    elif options["form"] == "markdown":
        from mdmem.recall import prompt

        for answer in answers:
            echo(prompt.markdown(answer, prompt.elsewhere(answer.hit.record, options["project"])) + "\n")
    else:
        from mdmem.render.text import notes as notes_text

        for number, answer in enumerate(answers, 1):
            echo(notes_text.answer_lines(number, answer, options["explain"], style(), options["project"]))
    if not options["as_json"] and (doubt := ask.doubt(answers)):
        echo(doubt, err=True)
    if not answers and not options["as_json"]:
        where = " --in team" if options["within"] else ""
        echo(f"nothing found; mdmem list{where} shows what there is", err=True)


def _print_standing(name: str, limit: int, standing: ask.Ranking | None, as_json: bool) -> None:
    from mdmem.render.json import notes as notes_json
    from mdmem.render.text import notes as notes_text

    if as_json:
        print_json(notes_json.ranking_json(standing) if standing else None)
    elif standing is None:
        why = "excluded by a filter, a phrase or a -word, archived, or the question has no words to rank by"
        echo(f"{safe_line(name)} has no rank: {why}")
    else:
        echo(notes_text.ranking_lines(standing, limit, style()))
