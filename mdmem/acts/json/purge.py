"""Surveys and results of a purge, as JSON. None of it contains what is purged."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mdmem.text import moments

if TYPE_CHECKING:
    from mdmem.history.purging.purge import Purged
    from mdmem.history.purging.pushing import PushedPurge
    from mdmem.history.purging.survey import PurgeSurvey


def purge_survey_json(survey: PurgeSurvey) -> dict[str, Any]:
    """What a purge would do; `commits` bring what is purged, `rewritten` counts the commits that get a new id.

    `agree` is the value of --commits that agrees to this, even if others write meanwhile.
    """
    return {
        "kind": survey.target.kind,
        "ids": list(survey.target.ids),
        "commits": [
            {"commit": commit.id, "when": moments.render(commit.when), "author": commit.author}
            for commit in survey.holding
        ],
        "rewritten": survey.rewritten,
        "agree": f"{survey.known}@{survey.at[:8]}",
        "signed": survey.signed,
        "files": list(survey.files),
        "past_files": list(survey.past_files),
        "refs": list(survey.refs),
        "loose_objects": survey.loose,
        "outside": [found._asdict() for found in survey.outside],
        "obstacles": [obstacle._asdict() for obstacle in survey.obstacles],
        "unreached": list(survey.unreached),
    }


def purged_json(done: Purged) -> dict[str, Any]:
    """What a purge did; `objects` counts git objects that still hold what was purged, `left` lists such files."""
    return {
        "commit": done.commit,
        "rewritten": done.rewritten,
        "objects": done.objects,
        "left": [found._asdict() for found in done.left],
        "unreached": list(done.unreached),
    }


def pushed_purge_json(done: PushedPurge) -> dict[str, Any]:
    """The refs that were replaced in a remote, and those there that still hold old history."""
    return {"remote": done.remote, "refs": list(done.refs), "left": list(done.left)}
