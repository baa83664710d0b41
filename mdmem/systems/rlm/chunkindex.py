"""`ChunkIndex`: a JSON file in which a program written for RLM-MEM keeps entries and lists of its own.

A vault has no such files: its indexes are computed (`ChunkStore.metadata_index` and the others).
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from mdmem.systems.rlm.schema import stamp_of

logger = logging.getLogger("mdmem.chunks")


class ChunkIndex:
    """The index at `path`, saved after each change. A missing or damaged file counts as an empty index.

    It holds `entries` (key -> any JSON), `lists` (key -> strings) and `updated` (ISO 8601 UTC, "" at first).
    """

    def __init__(
        self, path: str | os.PathLike[str], clock: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        self.path = os.fspath(path)
        self._clock = clock
        self.entries: dict[str, Any] = {}
        self.lists: dict[str, list[str]] = {}
        self.updated = ""
        self._load()

    def add(self, key: str, entry: Any) -> None:
        """Set the entry of a key."""
        self.entries[key] = entry
        self._save()

    def get(self, key: str, default: Any = None) -> Any:
        """The entry of a key; `default` if it has none."""
        return self.entries.get(key, default)

    def remove(self, key: str) -> bool:
        """Remove the entry of a key. Returns whether there was one."""
        was_there = key in self.entries
        if was_there:
            del self.entries[key]
            self._save()
        return was_there

    def add_to_list(self, key: str, item: str) -> None:
        """Add a string to the list of a key, unless the list has it already."""
        items = self.lists.setdefault(key, [])
        if item not in items:
            items.append(item)
            self._save()

    def get_list(self, key: str) -> list[str]:
        """The strings in the list of a key; empty for a key without a list."""
        return list(self.lists.get(key, ()))

    def remove_from_list(self, key: str, item: str) -> bool:
        """Remove a string from the list of a key, and a list that is then empty. Returns whether it was there."""
        items = self.lists.get(key, [])
        if item not in items:
            return False
        items.remove(item)
        if not items:
            del self.lists[key]
        self._save()
        return True

    def get_all_keys(self) -> list[str]:
        """The keys of all entries and lists, each once."""
        return list(dict.fromkeys([*self.entries, *self.lists]))

    def _load(self) -> None:
        try:
            with open(self.path, encoding="utf-8") as file:
                document = json.load(file)
            self.entries, lists = dict(document["entries"]), dict(document["lists"])
            self.lists = {key: [str(item) for item in items] for key, items in lists.items()}
            self.updated = str(document["updated"] or "")
        except FileNotFoundError:
            return
        except (OSError, ValueError, TypeError, KeyError, RecursionError) as error:
            self.entries, self.lists = {}, {}
            logger.warning("the index %s cannot be read, so it is empty: %s", self.path, error)

    def _save(self) -> None:
        """Write a temporary file, then rename it into place. Raises OSError."""
        self.updated = stamp_of(self._clock())
        document = {"entries": self.entries, "lists": self.lists, "updated": self.updated}
        os.makedirs(os.path.dirname(self.path) or ".", exist_ok=True)
        aside = f"{self.path}.{os.getpid()}.tmp"
        with open(aside, "w", encoding="utf-8") as file:
            json.dump(document, file, indent=2, ensure_ascii=False)
        os.replace(aside, self.path)
        logger.info("saved the index %s", self.path)
