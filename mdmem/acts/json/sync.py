"""Syncs, remotes and a team's index, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mdmem.acts.json.notes import problem_json

if TYPE_CHECKING:
    from mdmem.history.syncing.sync import SyncReport
    from mdmem.team.publish import Publication
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
        "came": [change._asdict() for change in report.came],
        "went": [change._asdict() for change in report.went],
        "edited": list(report.edited),
        "conflicts": list(report.conflicts),
        "notices": list(report.notices),
        "secrets": [problem_json(leak) for leak in report.secrets],
    }


def publication_json(done: Publication) -> dict[str, Any]:
    """What was published: the vault, its commits, how, and how many rows were written, removed and left out."""
    return done._asdict()


def team_json(status: TeamStatus) -> dict[str, Any]:
    """The vaults in the index, who publishes, and who may read which vault (an empty list of scopes means all)."""
    return {
        "current": status.is_current,
        "publishers": list(status.publishers),
        "vaults": [vault._asdict() for vault in status.vaults],
        "grants": [{**grant._asdict(), "scopes": list(grant.scopes)} for grant in status.grants],
    }
