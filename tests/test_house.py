"""How large the house is and how it hangs together: figures that only shrink. `make house` prints them."""

from __future__ import annotations

import ast
import graphlib

import pytest

from tests import house

pytestmark = pytest.mark.xdist_group("house")  # one process reads the modules

# What the figures of `make house` may be at most. Whoever makes one smaller writes it down here; none is raised.
BUDGET = {
    "tokens": 554_816,
    "modules": 447,
    "rooms": 18,
    "arrows": 71,
    "floors": 8,
    "faces": 0,
    "private": 0,
    "functions": 5_590,
    "classes": 642,
    "commands": 72,
    "options": 251,
}


def test_the_house_only_shrinks() -> None:
    grown = {name: figure for name, figure in house.figures().items() if figure > BUDGET[name]}
    assert not grown, "say the same with less; the budget does not grow"


def test_the_budget_is_not_slack() -> None:
    """A figure that shrank by more than a hundredth is written down, so that it cannot grow back unseen."""
    slack = {name: figure for name, figure in house.figures().items() if figure < BUDGET[name] * 0.99 - 1}
    assert not slack, "write these figures into BUDGET"


def test_no_function_branches_more_than_fifteen_times() -> None:
    assert [function.name for function in house.every_function() if function.complexity > 15] == []


def test_rooms_form_no_circle() -> None:
    """The arrows of the rooms in the order of `make house`; a circle raises CycleError, which names it."""
    order = list(graphlib.TopologicalSorter(house.arrows()).static_order())
    assert order.index("errors") < order.index("cli")


def test_complexity_counts_every_branch() -> None:
    """1, and one more for each branch, loop, handler, case and further operand of `and` or `or`."""
    source = """
def f(a, b):
    if a and b or a:
        return [x for x in b if x]
    try:
        return a if b else 0
    except ValueError:
        raise
"""
    assert house.complexity(ast.parse(source)) == 1 + 1 + 2 + 1 + 1 + 1
