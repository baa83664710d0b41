"""A kept plan as a JSON file in `.mdmem`: local, and made again whenever it cannot be used."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

from mdmem.errors import Problem
from mdmem.garden.gardeners.proposal import Evidence, FileEdit, Findings, Proposal, Weight, Withheld
from mdmem.garden.keptplan.basis import KeptPlan, PlanBasis
from mdmem.store.local import files, state
from mdmem.store.vault.vault import Vault

_FORMAT = 3


def load(vault: Vault, name: str) -> KeptPlan | None:
    """The plan that was kept under a name; None if there is none, or it cannot be read."""
    try:
        with open(_place(vault, name), "rb") as file:
            return parsed(file.read())
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None


def save(vault: Vault, name: str, kept: KeptPlan) -> None:
    """Keep a plan under a name. Raises OSError, MdmemError if it cannot be written."""
    folder = state.prepare(vault.root, vault.repo)
    files.save(_place(vault, name), rendered(kept), os.path.join(folder, "tmp"))


def _place(vault: Vault, name: str) -> str:
    return os.path.join(vault.state, f"{name}.json")


def rendered(kept: KeptPlan) -> bytes:
    """A plan as one line of JSON."""
    findings = kept.findings
    document = {
        "format": _FORMAT,
        "when": kept.when,
        "basis": kept.basis._asdict(),
        "proposals": [one._asdict() for one in findings.proposals],
        "problems": findings.problems,
        "withheld": [[one.rule, one.proposal._asdict()] for one in findings.withheld],
    }
    return json.dumps(document, default=_text).encode()


def parsed(data: bytes) -> KeptPlan:
    """The plan in a line that `rendered` wrote.

    Raises ValueError, TypeError, KeyError or AttributeError for any other line.
    """
    document = json.loads(data)
    about = document["basis"]
    if document["format"] != _FORMAT:
        raise ValueError("another format")
    if about["commit"] and not about["commit"].isalnum():  # git must not take it for an option
        raise ValueError("not a commit")
    return KeptPlan(
        PlanBasis(**{**about, "differing": dict(about["differing"]), "never": tuple(about["never"])}),
        Findings(
            tuple(_proposal(one) for one in document["proposals"]),
            tuple(Problem(*problem) for problem in document["problems"]),
            tuple(Withheld(rule, _proposal(one)) for rule, one in document["withheld"]),
        ),
        str(document["when"]),
    )


def _proposal(values: Mapping[str, Any]) -> Proposal:
    tuples: dict[str, Any] = {name: tuple(values[name]) for name in ("rests_on", "about", "traits")}
    tuples["evidence"] = tuple(Evidence(*each) for each in values["evidence"])
    tuples["figures"] = tuple((name, value, weight) for name, value, weight in values["figures"])
    tuples["edits"] = tuple(
        FileEdit(path, _bytes(before), _bytes(after)) for path, before, after in values["edits"]
    )
    return Proposal(**{**values, **tuples, "weight": Weight(*values["weight"]), "said": None})


def _text(data: bytes) -> str:
    """Bytes as text that JSON can hold; `_bytes` is the inverse."""
    return data.decode("utf-8", "surrogateescape")


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else text.encode("utf-8", "surrogateescape")
