"""Surveys and results of a purge, as JSON. None of it contains what is purged."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mdmem.history.purging.purge import Purged
    from mdmem.history.purging.survey import PurgeSurvey


def purge_survey_json(survey: PurgeSurvey) -> dict[str, Any]:
    """What a purge would do; `commits` bring what is purged, `rewritten` counts the commits that get a new id.

    `agree` is the value of --commits that agrees to this, even if others write meanwhile.
    """
    return {
        "kind": survey.target.kind,
        "ids": survey.target.ids,
        "commits": [
            {"commit": commit.id, "when": commit.when, "author": commit.author} for commit in survey.holding
        ],
        "rewritten": survey.rewritten,
        "agree": f"{survey.known}@{survey.at[:8]}",
        "signed": survey.signed,
        "files": survey.files,
        "past_files": survey.past_files,
        "refs": survey.refs,
        "loose_objects": survey.loose,
        "outside": survey.outside,
        "obstacles": survey.obstacles,
        "unreached": survey.unreached,
    }


def purged_json(done: Purged) -> dict[str, Any]:
    """What a purge did; `objects` counts git objects that still hold what was purged, `left` lists such files."""
    return {
        "commit": done.commit,
        "rewritten": done.rewritten,
        "objects": done.objects,
        "left": done.left,
        "unreached": done.unreached,
    }
