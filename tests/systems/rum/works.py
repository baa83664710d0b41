"""Arbitrary works for hypothesis, and one with every field."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from mdmem.systems.rum import work
from tests import shaped

LEAST: dict[str, Any] = {
    "intent": {"goal": "Stop the random logouts", "task_type": "bug_fix"},
    "outcome": {"success": True, "summary": "Tokens are refreshed"},
}
WHOLE: dict[str, Any] = {
    "id": "mem_0192f3c4-7d1e-7c3a-9d53-0c7a6f3e2b11",
    "agent_id": "claude-code",
    "project_id": "shop",
    "session_id": "conv-42",
    "created_at": 1705432800,
    "intent": {
        "goal": "Stop the random logouts",
        "task_type": "bug_fix",
        "context": "People are logged out after an hour",
        "constraints": ["Keep sessions that are open"],
    },
    "perception": {
        "observations": [
            {"what": "Nothing refreshes the token", "where": "src/auth.ts:45", "significance": "A 401 logs out"}
        ],
        "relevant_files": [
            {"path": "src/auth.ts", "relevance": "Handles tokens", "state_summary": "No refresh"},
            {"path": "src/api.ts", "relevance": "Has the endpoint"},
        ],
        "patterns_noticed": ["Other interceptors retry"],
        "anomalies": ["The two lifetimes do not fit"],
    },
    "reasoning": {
        "approach_chosen": "Refresh on a 401 and retry",
        "why_chosen": "Works with several requests at once",
        "alternatives_considered": [{"approach": "A longer lifetime", "why_rejected": "Less safe"}],
        "assumptions": ["Refreshing twice is harmless"],
        "risks_identified": ["It could retry without end"],
    },
    "actions": [
        {
            "type": "file_edit",
            "timestamp": 1705432700,
            "details": {"file_path": "src/auth.ts", "lines_affected": "45-89", "diff_summary": "Refresh on 401"},
            "result": {"success": True, "duration_ms": 150},
        },
        {
            "type": "command_run",
            "details": {"command": "npm test", "working_directory": "."},
            "result": {"success": True, "output_summary": "14 passed"},
        },
    ],
    "outcome": {
        "success": True,
        "summary": "Tokens are refreshed; nobody is logged out",
        "learnings": ["A refresh token expires, too"],
        "verified_by": {"type": "test", "command": "npm test", "result": "14 passed"},
        "follow_up_needed": ["Watch for failed refreshes"],
    },
    "links": {},
    "tags": ["auth"],
    "importance": 0.8,
}

_IDS = st.uuids().map(lambda one: f"mem_{one}")
_LINKS = st.fixed_dictionaries(
    {},
    optional={
        **dict.fromkeys(work.MANY_LINKS, st.lists(_IDS, max_size=3)),
        **dict.fromkeys(work.ONE_LINK, _IDS),
    },
)
_COUNTED = ("id", "created_at", "links", "access_count", "last_accessed")  # drawn apart, or not in a note
_SAID = shaped.record(
    {name: shape for name, shape in work.WORK.fields.items() if name not in _COUNTED}, "intent outcome"
)
# Every work that a note can say, in its one form.
WORKS = st.tuples(shaped.values(_SAID), _IDS, st.integers(0, 10**14 - 1), _LINKS).map(
    lambda drawn: work.checked({**drawn[0], "id": drawn[1], "created_at": drawn[2], "links": drawn[3]})
)
