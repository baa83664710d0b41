"""Plans of the garden, for tests that need one whole."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from mdmem.garden import plan as garden
from mdmem.garden.gardeners.note import Note
from mdmem.garden.gardeners.proposal import GardenSettings
from mdmem.garden.plan import GardenPlan, Wish
from mdmem.store.vault.vault import Vault

ALL = Wish()


def of_notes(notes: Sequence[Note], settings: GardenSettings, now: datetime) -> GardenPlan:
    return garden.choose(garden.ask(notes, settings, now, ALL), settings.min_confidence, ALL)


def of_vault(vault: Vault, now: datetime, settings: GardenSettings | None = None, wish: Wish = ALL) -> GardenPlan:
    settings = settings or garden.settings_of(vault.config)
    return garden.choose(garden.look(vault, settings, now, wish), settings.min_confidence, wish)
