"""What is made when a release is built: folders of plugins that clients install by themselves, and man pages.

As a build hook of hatchling it puts the folders into the wheel, `mdmem/_share/marketplace` for Claude Code, Codex
and Copilot, and `mdmem/_share/gemini`. The plugins find `mdmem` on PATH, and the vault as any command does.
"""

from __future__ import annotations

import inspect
import json
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # the build hook is run from elsewhere

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:
    BuildHookInterface = object  # type: ignore[assignment,misc]


class ShippedFolders(BuildHookInterface):  # type: ignore[type-arg,misc]
    """Adds the folders of plugins to a wheel."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        self._made = tempfile.TemporaryDirectory()
        for path, text in folders().items():
            write(Path(self._made.name) / path, text)
        build_data["force_include"][self._made.name] = "mdmem/_share"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if version != "editable":
            self._made.cleanup()


def write(place: Path, text: str) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, encoding="utf-8", newline="\n")


def folders() -> Mapping[str, str]:
    """Path -> text of the files of both folders."""
    from mdmem.connect.plan import CLIENTS

    found: dict[str, str] = {}
    for client, place in (("copilot", ("", "", "marketplace")), ("gemini", ("gemini", "", ""))):
        for given, template in CLIENTS[client].plan(*place).files.items():
            path = given.replace("gemini/extensions/mdmem", "gemini")
            found[path] = _anywhere(path, template)
    return found


def _anywhere(path: str, template: str) -> str:
    """A filled template without the names of a machine."""
    from mdmem.connect import filling

    client = "gemini" if path.startswith("gemini/") else "any"
    text = filling.text_of(template, filling.Names("mdmem", "VAULT", client, ""))
    text = re.sub(r" --vault VAULT\b", "", text.replace(" --client any", ""))
    text = text.replace("The vault is VAULT.", "The vault is found as by any other command of mdmem.")
    text = re.sub(r"`mdmem connect any` wrote this folder.*", _ABOUT, text, flags=re.S)
    text = text.replace("Written by mdmem connect any.", "Memory for coding agents.").replace(" for any", "")
    if path.endswith(".json") and "mcpServers" in text:
        value = json.loads(text)
        for server in value["mcpServers"].values():
            server.update(command="mdmem", args=["mcp"])
        text = json.dumps(value, indent=2) + "\n"
    return text


_ABOUT = """It needs the program `mdmem` with the extra `mcp`, such as by `uv tool install 'mdmem[mcp]'`, and a
vault: `mdmem init DIR`. `mdmem connect CLIENT` does the same as this plugin, for one vault that you name.
"""


def server_json(owner: str) -> str:
    """The file for registries of MCP servers, for the account that publishes it."""
    from mdmem.connect import filling

    return filling.text_of("server.json", filling.Names("mdmem", "", "", "")).replace("@owner@", owner)


# -- the site of the guides --------------------------------------------------------------------------------------


_TO_A_PAGE = re.compile(r'(href=")(?:mdmem/guides/)?([\w-]+)\.md(?=[#"])')


def site() -> Iterator[tuple[str, bytes]]:
    """(name, bytes) of plain pages with relative links, which also work as files, and of their pictures."""
    from markdown_it import MarkdownIt

    from mdmem import __version__
    from mdmem.acts import manual

    template = (ROOT / "tests/data/guide.html").read_text(encoding="utf-8").replace("@version@", __version__)

    def filled(title: str, body: str) -> bytes:
        return template.replace("@title@", escape(title)).replace("@body@", body).encode()

    guides = [manual.read(name) for name in manual.NAMES]
    listed = "".join(f'<li><a href="{guide.name}.html">{escape(guide.title)}</a></li>' for guide in guides)
    yield "index.html", filled("mdmem", f"<h1>mdmem</h1><ol>{listed}</ol>")
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    for guide in guides:
        body = _TO_A_PAGE.sub(r"\1\2.html", parser.render(guide.text)).replace('src="page/', 'src="')
        yield f"{guide.name}.html", filled(guide.title, body)
    for picture in (manual.folder() / "page").iterdir():
        yield picture.name, picture.read_bytes()


# -- man pages ---------------------------------------------------------------------------------------------------


def man_pages() -> Iterator[tuple[str, str]]:
    """(name, text) of `mdmem.1` and of the page of each command; that of a group has its commands."""
    import click

    from mdmem.cli.group import COMMANDS, HEADINGS, cli

    context = click.Context(cli, info_name="mdmem")
    listed = [
        part
        for heading, names in HEADINGS.items()
        for part in (
            f".SS {heading}",
            *(f".TP\n.B mdmem {name}\n{_plain(COMMANDS[name])}" for name in names),
        )
    ]
    about = "long-term memory for AI agents, as Markdown files in git"
    yield "mdmem.1", _page("mdmem", about, [_of(cli, context, "mdmem"), ".SH COMMANDS", *listed])
    for name in COMMANDS:
        command = cli.get_command(context, name)
        assert command is not None
        inner = click.Context(command, info_name=name, parent=context)
        parts = [_of(command, inner, f"mdmem {name}")]
        if isinstance(command, click.Group):
            for each in command.list_commands(inner):
                leaf = command.get_command(inner, each)
                if leaf is not None and not leaf.hidden:
                    deeper = click.Context(leaf, info_name=each, parent=inner)
                    parts += [
                        f".SH {_plain(f'mdmem {name} {each}')}",
                        _of(leaf, deeper, f"mdmem {name} {each}", ".SS"),
                    ]
        yield f"mdmem-{name}.1", _page(f"mdmem-{name}", COMMANDS[name].rstrip("."), parts)


def _page(name: str, about: str, parts: list[str]) -> str:
    from mdmem import __version__

    head = f'.TH {name.upper()} 1 "" "mdmem {__version__}" "mdmem"\n.SH NAME\n{_plain(name)} \\- {_plain(about)}'
    return "\n".join([head, *parts, '.SH "SEE ALSO"', ".BR mdmem (1),\n.B mdmem guide"]) + "\n"


def _of(command: Any, context: Any, line: str, section: str = ".SH") -> str:
    """Synopsis, description and options of a command."""
    usage = " ".join(command.collect_usage_pieces(context))
    rows = [f"{section} SYNOPSIS", f".B {_plain(line)}\n{_plain(usage)}", f"{section} DESCRIPTION"]
    for paragraph in re.split(r"\n\s*\n", inspect.cleandoc(command.help or "")):
        if paragraph.lstrip().startswith("\b"):
            lines = inspect.cleandoc(paragraph.replace("\b", "")).splitlines()
            rows.append(".PP\n.nf\n" + "\n".join(map(_plain, lines)) + "\n.fi")
        else:
            rows.append(".PP\n" + "\n".join(_plain(each.strip()) for each in paragraph.splitlines()))
    every = (param.get_help_record(context) for param in command.get_params(context))
    records = [record for record in every if record and record[1]]
    if records:
        rows.append(f"{section} OPTIONS")
        rows += [
            f".TP\n.B {_plain(flags)}\n{_plain(' '.join(about.split()))}" for flags, about in records if about
        ]
    return "\n".join(rows)


def _plain(text: str) -> str:
    """A line in which roff finds nothing of its own."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + escaped if escaped.lstrip()[:1] in (".", "'") else escaped
