"""A kept plan as a file of `.mdmem`, in JSON: local, and made again whenever it cannot be used."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

from mdmem.errors import Problem
from mdmem.garden.gardeners.proposal import Evidence, FileEdit, Findings, Proposal, Weight, Withheld
from mdmem.garden.keptplan.basis import KeptPlan, PlanBasis
from mdmem.local import files, state
from mdmem.vault.vault import Vault

_FORMAT = 1


def load(vault: Vault, name: str) -> KeptPlan | None:
    """The plan that was kept under a name; None if there is none, or none that can be read."""
    try:
        with open(_place(vault, name), "rb") as file:
            return parsed(file.read())
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None


def save(vault: Vault, name: str, kept: KeptPlan) -> None:
    """Keep a plan under a name. Raises OSError, MdmemError where that cannot be."""
    folder = state.prepare(vault.root, vault.repo)
    files.save(_place(vault, name), rendered(kept), os.path.join(folder, "tmp"))


def _place(vault: Vault, name: str) -> str:
    return os.path.join(vault.state, f"{name}.json")


def rendered(kept: KeptPlan) -> bytes:
    """A plan as one line of JSON."""
    findings = kept.findings
    told = {
        "format": _FORMAT,
        "when": kept.when,
        "basis": kept.basis._asdict(),
        "proposals": [one._asdict() for one in findings.proposals],
        "problems": findings.problems,
        "withheld": [[one.rule, one.proposal._asdict()] for one in findings.withheld],
    }
    return json.dumps(told, default=_text).encode()


def parsed(data: bytes) -> KeptPlan:
    """The plan that `rendered` made a line of.

    Raises ValueError, TypeError, KeyError or AttributeError for other lines.
    """
    told = json.loads(data)
    about = told["basis"]
    if told["format"] != _FORMAT or not (about["commit"] + "0").isalnum():
        raise ValueError("another format")
    return KeptPlan(
        PlanBasis(**{**about, "differing": dict(about["differing"]), "never": tuple(about["never"])}),
        Findings(
            tuple(_proposal(one) for one in told["proposals"]),
            tuple(Problem(*problem) for problem in told["problems"]),
            tuple(Withheld(rule, _proposal(one)) for rule, one in told["withheld"]),
        ),
        str(told["when"]),
    )


def _proposal(told: Mapping[str, Any]) -> Proposal:
    lists = {name: tuple(told[name]) for name in ("rests_on", "about", "traits")}
    evidence = tuple(Evidence(*each) for each in told["evidence"])
    edits = tuple(FileEdit(path, _bytes(before), _bytes(after)) for path, before, after in told["edits"])
    return Proposal(**{**told, **lists, "evidence": evidence, "edits": edits, "weight": Weight(*told["weight"])})


def _text(data: bytes) -> str:
    """Bytes as JSON can hold them; `_bytes` takes it back."""
    return data.decode("utf-8", "surrogateescape")


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else text.encode("utf-8", "surrogateescape")
