"""The calls of RUM, whose arguments and answers are JSON documents."""

from __future__ import annotations

import json
from typing import Any

from mdmem.acts.serving import Visit
from mdmem.systems.compat.rum.memory import RumMemory


class Calls:
    """All calls. They share one active agent, whichever of them sets it."""

    def __init__(self) -> None:
        self._memory: RumMemory | None = None

    def run(self, name: str, visit: Visit, **given: Any) -> str:
        """The answer of a call."""
        self._memory = self._memory or RumMemory(visit.vault)
        self._memory.turn_to(visit.vault, visit.who)
        return json.dumps(getattr(self._memory, name)(**given), ensure_ascii=False)
