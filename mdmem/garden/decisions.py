"""A person's decisions about the gardeners' proposals, kept locally in `.mdmem/garden.json`.

A proposal's id depends on the bytes of its notes, so a decision holds as long as the notes stay as they are.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from mdmem.local import files
from mdmem.note import layout
from mdmem.vault.vault import Vault

ACCEPTED, REJECTED = "accepted", "rejected"
_FORMAT = 1
_FILE = "garden.json"


class ReviewDecision(NamedTuple):
    """What a person decided about one proposal: `verdict` is accepted or rejected.

    `edited` maps those files of an accepted proposal that the person reworded to their new bytes, `bases` maps
    them to the hashes of the bytes that these may replace. `when` is RFC 3339. `reason` is why a proposal was
    rejected, `gardener` is the one that made it, and `traits` are what its notes have in common.
    """

    verdict: str
    title: str
    edited: Mapping[str, bytes] = MappingProxyType({})
    when: str = ""
    bases: Mapping[str, str] = MappingProxyType({})
    reason: str = ""
    gardener: str = ""
    traits: tuple[str, ...] = ()


Decisions = Mapping[str, ReviewDecision]  # by the id of the proposal
NONE: Decisions = MappingProxyType({})


def load(vault: Vault) -> Decisions:
    """All decisions, by the id of the proposal. An unreadable file is reported and counts as empty."""
    return _read(vault)[0]


def record(vault: Vault, id: str, decision: ReviewDecision) -> None:
    """Remember the decision about a proposal. Raises BusyError, or MdmemError if the vault cannot be written."""
    _change(vault, lambda found: {**found, id: decision})


def forget(vault: Vault, ids: Iterable[str]) -> list[str]:
    """Forget the decisions with these ids and return the ids that had one. Raises like `record`."""
    known = load(vault)
    gone = [id for id in ids if id in known]
    if gone:
        _change(vault, lambda found: {id: one for id, one in found.items() if id not in gone})
    return gone


def _change(vault: Vault, change: Callable[[Decisions], Decisions]) -> None:
    place = _place(vault)
    with vault.locked():
        found, readable = _read(vault)
        if not readable:
            os.replace(place, place + ".unreadable")
        data = json.dumps(_plain(change(found)), indent=1, ensure_ascii=False).encode()
        files.sync([files.save(place, data, os.path.join(vault.state, "tmp"))])


def _place(vault: Vault) -> str:
    return os.path.join(vault.state, _FILE)


def _read(vault: Vault) -> tuple[Decisions, bool]:
    """The decisions, and whether the file could be read."""
    try:
        with open(_place(vault), "rb") as file:
            return _parsed(file.read()), True
    except FileNotFoundError:
        return NONE, True
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        place = f"{layout.STATE}/{_FILE}"
        vault.tell(f"{place}, the decisions of `mdmem garden review`, cannot be read and is ignored ({error})")
        return NONE, False


def _parsed(data: bytes) -> Decisions:
    found = json.loads(data)
    if found["format"] != _FORMAT:
        raise ValueError("another format")
    return {str(id): _decision(**fields) for id, fields in found["decisions"].items()}


def _decision(verdict: str, title: str, when: str, edited: Mapping[str, str], **later: Any) -> ReviewDecision:
    """A decision from its stored fields; `later` holds fields that older versions of mdmem did not write."""
    if verdict not in (ACCEPTED, REJECTED):
        raise ValueError(f"no verdict: {verdict}")
    words = {path: text.encode() for path, text in edited.items()}
    bases, traits = dict(later.pop("bases", {})), tuple(map(str, later.pop("traits", ())))
    told = {name: str(value) for name, value in later.items()}
    return ReviewDecision(verdict, str(title), words, str(when), bases, traits=traits, **told)


def _plain(decisions: Decisions) -> dict[str, Any]:
    """The decisions as the JSON document that `_parsed` reads."""
    found = {
        id: {
            **one._asdict(),
            "edited": {path: data.decode() for path, data in one.edited.items()},
            "bases": dict(one.bases),
        }
        for id, one in decisions.items()
    }
    return {"format": _FORMAT, "decisions": found}
