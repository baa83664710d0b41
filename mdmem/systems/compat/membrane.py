"""The classes of Membrane's Python client: `from mdmem.compat.membrane import MemoryRecord`.

`from_dict` is lenient: a field that is missing or null gets its default, a value outside an enumeration stays a
string, and unknown fields are kept in `extra`. `to_dict` gives the JSON form back, without optional fields that
are not set. `mdmem.systems.membrane.record.faults` says whether a record is valid.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, ClassVar, Self

from mdmem.systems.format import Document, read

__all__ = [
    "AuditAction",
    "AuditEntry",
    "DecayCurve",
    "DecayProfile",
    "DeletionPolicy",
    "EdgeKind",
    "Lifecycle",
    "MemoryRecord",
    "MemoryType",
    "OutcomeStatus",
    "Provenance",
    "ProvenanceKind",
    "ProvenanceSource",
    "Relation",
    "RetrieveResult",
    "RevisionStatus",
    "SelectionResult",
    "Sensitivity",
    "TaskState",
    "TrustContext",
    "ValidityMode",
]


MemoryType = StrEnum("MemoryType", "EPISODIC WORKING SEMANTIC COMPETENCE PLAN_GRAPH")
Sensitivity = StrEnum("Sensitivity", "PUBLIC LOW MEDIUM HIGH HYPER")
DecayCurve = StrEnum("DecayCurve", "EXPONENTIAL LINEAR CUSTOM")
DeletionPolicy = StrEnum("DeletionPolicy", "AUTO_PRUNE MANUAL_ONLY NEVER")
RevisionStatus = StrEnum("RevisionStatus", "ACTIVE CONTESTED RETRACTED")
OutcomeStatus = StrEnum("OutcomeStatus", "SUCCESS FAILURE PARTIAL")
AuditAction = StrEnum("AuditAction", "CREATE REVISE FORK MERGE DELETE REINFORCE DECAY")
EdgeKind = StrEnum("EdgeKind", "DATA CONTROL")
ProvenanceKind = StrEnum("ProvenanceKind", "EVENT ARTIFACT TOOL_CALL OBSERVATION OUTCOME")
TaskState = StrEnum("TaskState", "PLANNING EXECUTING BLOCKED WAITING DONE")
ValidityMode = StrEnum("ValidityMode", "GLOBAL CONDITIONAL TIMEBOXED")


@dataclass
class _Wire(Document):
    """A document that is read leniently.

    `_aliases` are further names that are read. Fields that are `_optional` are not written where they are empty,
    unless they were `_given` so. Fields of the JSON object that are not known are in `extra`.
    """

    _aliases: ClassVar[Mapping[str, str]] = {}
    _optional: ClassVar[Collection[str]] = ()
    extra: dict[str, Any] = field(default_factory=dict, kw_only=True)
    _given: Collection[str] = field(default=(), init=False, repr=False, compare=False, kw_only=True)

    @classmethod
    def _read(cls, data: Mapping[str, Any] | None, where: str) -> Self:
        """The value that a JSON object describes; None counts as an empty object."""
        given = {name: value for name, value in (data or {}).items() if value is not None}
        for alias, name in cls._aliases.items():
            if alias in given and name not in given:
                given[name] = given.pop(alias)
        known = {
            name: read(given.pop(name), kind, where, strict=False)
            for name, kind in cls.kinds().items()
            if name in given
        }
        made = cls(**known, extra=given)
        made._given = tuple(known)
        return made

    def to_dict(self) -> dict[str, Any]:
        """The JSON object, without optional fields that are not set."""
        unsaid = [name for name in self._optional if not getattr(self, name) and name not in self._given]
        said = {name: value for name, value in super().to_dict().items() if name not in unsaid}
        return {name: value for name, value in said.items() if value is not None} | self.extra


@dataclass
class DecayProfile(_Wire):
    """How salience decays; times in seconds."""

    curve: DecayCurve | str = DecayCurve.EXPONENTIAL
    half_life_seconds: int = 86400
    min_salience: float | None = None
    max_age_seconds: int | None = None
    reinforcement_gain: float | None = None


@dataclass
class Lifecycle(_Wire):
    """Decay, reinforcement and deletion. Times are RFC 3339."""

    decay: DecayProfile = field(default_factory=DecayProfile)
    last_reinforced_at: str = ""
    pinned: bool | None = None
    deletion_policy: DeletionPolicy | str | None = None


@dataclass
class ProvenanceSource(_Wire):
    """Evidence for a record: an event, artifact, tool_call, observation or outcome."""

    kind: str = ""
    ref: str = ""
    hash: str | None = None
    created_by: str | None = None
    timestamp: str | None = None


@dataclass
class Provenance(_Wire):
    """The sources of a record."""

    sources: list[ProvenanceSource] = field(default_factory=list)
    created_by: str | None = None


@dataclass
class Relation(_Wire):
    """An edge to another record; `weight` is 0-1."""

    predicate: str = ""
    target_id: str = ""
    weight: float | None = None
    created_at: str | None = None
    _aliases: ClassVar = {"kind": "predicate"}


@dataclass
class AuditEntry(_Wire):
    """One action on a record, as its audit log has it."""

    action: str = ""
    actor: str = ""
    timestamp: str = ""
    rationale: str = ""


@dataclass
class MemoryRecord(_Wire):
    """One record. `confidence` is 0-1, `salience` from 0; `payload` stays a JSON object."""

    id: str = ""
    type: MemoryType | str = MemoryType.EPISODIC
    sensitivity: Sensitivity | str = Sensitivity.LOW
    confidence: float = 1.0
    salience: float = 1.0
    scope: str = ""
    tags: list[str] = field(default_factory=list)
    created_at: str = ""
    updated_at: str = ""
    lifecycle: Lifecycle = field(default_factory=Lifecycle)
    provenance: Provenance = field(default_factory=Provenance)
    relations: list[Relation] = field(default_factory=list)
    payload: dict[str, Any] = field(default_factory=dict)
    audit_log: list[AuditEntry] = field(default_factory=list)
    _optional: ClassVar = ("scope", "tags", "relations")


@dataclass
class TrustContext(_Wire):
    """Who asks, and what they may see: records up to a sensitivity, within scopes (empty: all)."""

    max_sensitivity: Sensitivity | str = Sensitivity.LOW
    authenticated: bool = False
    actor_id: str = ""
    scopes: list[str] = field(default_factory=list)


@dataclass
class SelectionResult(_Wire):
    """The chosen alternatives, the confidence in that choice (0-1), and whether it needs more to decide."""

    selected: list[MemoryRecord] = field(default_factory=list)
    confidence: float = 0.0
    needs_more: bool = False
    _aliases: ClassVar = {"Selected": "selected", "Confidence": "confidence", "NeedsMore": "needs_more"}


@dataclass
class RetrieveResult(_Wire):
    """The records that were retrieved, and the selection among competences and plans, if there was one."""

    records: list[MemoryRecord] = field(default_factory=list)
    selection: SelectionResult | None = None
