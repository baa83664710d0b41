"""Syncs and remotes, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mdmem.history.syncing.standing import RemoteStanding
    from mdmem.history.syncing.sync import SyncReport


def sync_json(report: SyncReport) -> dict[str, Any]:
    """What a sync did: `here` and `there` are the commits before it ("" for none), `after` that of both."""
    return {
        "remote": report.target.remote.name,
        "branch": report.target.branch,
        "here": report.here,
        "there": report.there,
        "after": report.after,
        "dry_run": report.dry_run,
        "came": [change._asdict() for change in report.came],
        "went": [change._asdict() for change in report.went],
        "edited": list(report.edited),
        "conflicts": list(report.conflicts),
        "notices": list(report.notices),
    }


def standing_json(standing: RemoteStanding) -> dict[str, Any]:
    """How a vault stands to a remote; `ahead` and `behind` are null where it was never fetched."""
    return standing._asdict()
