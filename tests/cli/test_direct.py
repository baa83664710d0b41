"""Commands without click: their arguments mean what click says they mean, or click reads them."""

from __future__ import annotations

import os
from typing import Any

import click
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mdmem.cli import direct
from mdmem.cli.direct import arguments as plain
from mdmem.cli.direct.line import CommandLine
from mdmem.cli.options import line
from tests import described

_DECLARED = {name: direct.declared(name) for name in direct.COMMANDS}
_TEXTS = ["boat", "two words", "", "-", "--", "-staging", "-5", "-n5", '-"a phrase"', "-x", "--nothing", "a=b"]
_VALUES = ["0", "1", "0.5", "1.5", "007", "1e3", "²", "full", "FULL", "text", "ask", "refuse", "fact", "-1", "ß"]


def test_the_table_says_what_click_was_told() -> None:
    assert described.FILE.read_text(encoding="utf-8") == described.text(), "run python -m tests.pages"


def arguments_of(name: str) -> st.SearchStrategy[list[str]]:
    """Lists of words, options and values of a command, in any order and mostly such as mean something."""
    options = sorted({*_DECLARED[name].options, "--edit", "--help", "-h", "--twins"})
    choices = sorted({choice for option in _DECLARED[name].options.values() for choice in option.choices})
    value = st.sampled_from(_TEXTS + _VALUES + choices) | st.text(max_size=3)
    option = st.sampled_from(options)
    pieces = st.one_of(
        value.map(lambda text: [text]),
        option.map(lambda word: [word]),
        st.tuples(option, value).map(list),
        st.tuples(option, value).map(lambda pair: ["=".join(pair)]),
        st.tuples(st.sampled_from(["-n", "-t", "-m"]), value).map(lambda pair: ["".join(pair)]),
    )
    return st.lists(pieces, max_size=4).map(lambda parts: [word for part in parts for word in part])


@pytest.mark.parametrize("name", direct.COMMANDS)
def test_arguments_are_read_as_click_reads_them_or_not_at_all(name: str) -> None:
    """Nothing that click refuses is read, and what is read has the same values."""
    command = described.command(name)
    many = 0

    @settings(max_examples=60, deadline=None)
    @given(arguments_of(name), st.sampled_from(["", "agent"]))
    def same(arguments: list[str], actor: str) -> None:
        nonlocal many
        try:
            options = plain.read(_DECLARED[name], arguments, {"MDMEM_ACTOR": actor})
        except plain.NotPlainError:
            return
        many += 1
        assert (direct.line_of(options), options) == by_click(command, arguments, actor)

    same()
    assert many > 5


def by_click(command: click.Command, arguments: list[str], actor: str) -> tuple[CommandLine, dict[str, Any]]:
    """What click makes of them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(os.environ, "MDMEM_ACTOR", actor)
        with command.make_context("it", list(arguments)) as context:
            return line(context.params.pop("vault")), context.params


@pytest.mark.parametrize("arguments", [["--why"], ["-n", "0"], ["--depth", "deep"], ["--explain=yes"], ["-h"]])
def test_mistakes_and_calls_for_help_are_click_s_to_answer(arguments: list[str]) -> None:
    with pytest.raises(plain.NotPlainError):
        plain.read(_DECLARED["recall"], arguments, {})
