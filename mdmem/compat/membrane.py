"""The classes of Membrane's Python client: `from mdmem.compat.membrane import MemoryRecord`.

`from_dict` is lenient: a field that is missing or null gets its default, a value outside an enumeration stays a
string, and unknown fields are kept in `extra`. `to_dict` gives the JSON form back, without optional fields that
are not set. `mdmem.systems.membrane.schema.faults` says whether a record is valid.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import Enum, StrEnum
from typing import Any, ClassVar, Self

__all__ = [
    "AuditEntry",
    "DecayCurve",
    "DecayProfile",
    "DeletionPolicy",
    "Lifecycle",
    "MemoryRecord",
    "MemoryType",
    "OutcomeStatus",
    "Provenance",
    "ProvenanceSource",
    "Relation",
    "RetrieveResult",
    "RevisionStatus",
    "SelectionResult",
    "Sensitivity",
    "TrustContext",
]


class MemoryType(StrEnum):
    EPISODIC = "episodic"
    WORKING = "working"
    SEMANTIC = "semantic"
    COMPETENCE = "competence"
    PLAN_GRAPH = "plan_graph"


class Sensitivity(StrEnum):
    PUBLIC = "public"
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    HYPER = "hyper"


class DecayCurve(StrEnum):
    EXPONENTIAL = "exponential"
    LINEAR = "linear"
    CUSTOM = "custom"


class DeletionPolicy(StrEnum):
    AUTO_PRUNE = "auto_prune"
    MANUAL_ONLY = "manual_only"
    NEVER = "never"


class RevisionStatus(StrEnum):
    ACTIVE = "active"
    CONTESTED = "contested"
    RETRACTED = "retracted"


class OutcomeStatus(StrEnum):
    SUCCESS = "success"
    FAILURE = "failure"
    PARTIAL = "partial"


class _Wire:
    """A value with a JSON form. `_types` has the classes of those fields that are not plain values."""

    _types: ClassVar[Mapping[str, Any]] = {}
    extra: dict[str, Any]

    @classmethod
    def from_dict(cls, data: Mapping[str, Any] | None) -> Self:
        """The value that a JSON object describes; None counts as an empty object."""
        given = {name: value for name, value in (data or {}).items() if value is not None}
        names = [one.name for one in fields(cls) if one.name != "extra"]  # type: ignore[arg-type]
        known = {name: _read(given.pop(name), cls._types.get(name)) for name in names if name in given}
        return cls(**known, **{"extra": given})

    def to_dict(self) -> dict[str, Any]:
        """The JSON object, without optional fields that are not set."""
        names = [one.name for one in fields(self) if one.name != "extra"]  # type: ignore[arg-type]
        said = {name: _written(getattr(self, name)) for name in names if getattr(self, name) is not None}
        return {**said, **self.extra}


def _read(value: Any, type: Any) -> Any:
    if type is None:
        return value
    if isinstance(value, list):
        return [_read(item, type) for item in value]
    if issubclass(type, Enum):
        return type(value) if value in [one.value for one in type] else value
    return type.from_dict(value) if isinstance(value, Mapping) else value


def _written(value: Any) -> Any:
    if isinstance(value, list):
        return [_written(item) for item in value]
    if isinstance(value, Enum):
        return value.value
    return value.to_dict() if isinstance(value, _Wire) else value


@dataclass
class DecayProfile(_Wire):
    """How salience decays; times in seconds."""

    curve: DecayCurve | str = DecayCurve.EXPONENTIAL
    half_life_seconds: int = 86400
    min_salience: float | None = None
    max_age_seconds: int | None = None
    reinforcement_gain: float | None = None
    extra: dict[str, Any] = field(default_factory=dict)
    _types: ClassVar = {"curve": DecayCurve}


@dataclass
class Lifecycle(_Wire):
    """Decay, reinforcement and deletion. Times are RFC 3339."""

    decay: DecayProfile = field(default_factory=DecayProfile)
    last_reinforced_at: str = ""
    pinned: bool | None = None
    deletion_policy: DeletionPolicy | str | None = None
    extra: dict[str, Any] = field(default_factory=dict)
    _types: ClassVar = {"decay": DecayProfile, "deletion_policy": DeletionPolicy}


@dataclass
class ProvenanceSource(_Wire):
    """Evidence for a record: an event, artifact, tool_call, observation or outcome."""

    kind: str = ""
    ref: str = ""
    hash: str | None = None
    created_by: str | None = None
    timestamp: str | None = None
    extra: dict[str, Any] = field(default_factory=dict)


@dataclass
class Provenance(_Wire):
    """The sources of a record."""

    sources: list[ProvenanceSource] = field(default_factory=list)
    created_by: str | None = None
    extra: dict[str, Any] = field(default_factory=dict)
    _types: ClassVar = {"sources": ProvenanceSource}


@dataclass
class Relation(_Wire):
    """An edge to another record; `weight` is 0-1."""

    predicate: str = ""
    target_id: str = ""
    weight: float | None = None
    created_at: str | None = None
    extra: dict[str, Any] = field(default_factory=dict)


@dataclass
class AuditEntry(_Wire):
    """One action on a record, as its audit log has it."""

    action: str = ""
    actor: str = ""
    timestamp: str = ""
    rationale: str = ""
    extra: dict[str, Any] = field(default_factory=dict)


@dataclass
class MemoryRecord(_Wire):
    """One record. `confidence` is 0-1, `salience` from 0; `payload` stays a JSON object."""

    id: str = ""
    type: MemoryType | str = MemoryType.SEMANTIC
    sensitivity: Sensitivity | str = Sensitivity.LOW
    confidence: float = 1.0
    salience: float = 1.0
    scope: str | None = None
    tags: list[str] | None = None
    created_at: str = ""
    updated_at: str = ""
    lifecycle: Lifecycle = field(default_factory=Lifecycle)
    provenance: Provenance = field(default_factory=Provenance)
    relations: list[Relation] | None = None
    payload: dict[str, Any] = field(default_factory=dict)
    audit_log: list[AuditEntry] = field(default_factory=list)
    extra: dict[str, Any] = field(default_factory=dict)
    _types: ClassVar = {
        "type": MemoryType,
        "sensitivity": Sensitivity,
        "lifecycle": Lifecycle,
        "provenance": Provenance,
        "relations": Relation,
        "audit_log": AuditEntry,
    }


@dataclass
class TrustContext(_Wire):
    """Who asks, and what they may see: records up to a sensitivity, within scopes (empty: all)."""

    max_sensitivity: Sensitivity | str = Sensitivity.LOW
    authenticated: bool = False
    actor_id: str = ""
    scopes: list[str] = field(default_factory=list)
    extra: dict[str, Any] = field(default_factory=dict)
    _types: ClassVar = {"max_sensitivity": Sensitivity}


@dataclass
class SelectionResult(_Wire):
    """The chosen alternatives, the confidence in that choice (0-1), and whether it needs more to decide."""

    selected: list[MemoryRecord] = field(default_factory=list)
    confidence: float = 0.0
    needs_more: bool = False
    extra: dict[str, Any] = field(default_factory=dict)
    _types: ClassVar = {"selected": MemoryRecord}


@dataclass
class RetrieveResult(_Wire):
    """The records that were retrieved, and the selection among competences and plans, if there was one."""

    records: list[MemoryRecord] = field(default_factory=list)
    selection: SelectionResult | None = None
    extra: dict[str, Any] = field(default_factory=dict)
    _types: ClassVar = {"records": MemoryRecord, "selection": SelectionResult}
