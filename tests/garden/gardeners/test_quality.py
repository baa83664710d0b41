"""Plans of the labelled gardening set, carried out until nothing is left to do."""

from __future__ import annotations

from mdmem.garden.gardeners import note
from mdmem.garden.gardeners.proposal import GardenSettings
from mdmem.note import memory
from tests import garden_set, plans

from .conftest import carried_out


def test_the_set_comes_to_rest_in_a_few_rounds() -> None:
    files = {one.path: one.data for one in garden_set.notes()}
    for _ in range(5):
        notes = [note.read(memory.parse(data, path), data) for path, data in files.items()]
        plan = plans.of_notes(notes, GardenSettings(), garden_set.TODAY)
        if not plan.proposals:
            break
        files = carried_out(files, plan.proposals)
    assert (plan.proposals, plan.waiting) == ((), 0)
