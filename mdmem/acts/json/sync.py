"""Syncs, remotes and a team's index, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mdmem.history.syncing.sync import SyncReport
    from mdmem.team.roles import TeamStatus


def sync_json(report: SyncReport) -> dict[str, Any]:
    """What a sync did: `here` and `there` are the commits before it, "" for none; `after` is that of both now."""
    return {
        "remote": report.target.remote.name,
        "branch": report.target.branch,
        "here": report.here,
        "there": report.there,
        "after": report.after,
        "dry_run": report.dry_run,
        "came": report.came,
        "went": report.went,
        "edited": report.edited,
        "conflicts": report.conflicts,
        "notices": report.notices,
        "secrets": report.secrets,
    }


def team_json(status: TeamStatus) -> dict[str, Any]:
    """The vaults in the index, who publishes, and who may read which vault (an empty list of scopes means all)."""
    return {
        "current": status.is_current,
        "publishers": status.publishers,
        "vaults": status.vaults,
        "grants": [{**grant._asdict(), "scopes": grant.scopes} for grant in status.grants],
    }
