"""Gardening: what to merge, deprecate, resolve, prune and repair, and carrying it out."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Annotated, NamedTuple

from mdmem.acts.face import Face
from mdmem.acts.style import Json, Lines, Style, plain
from mdmem.acts.telling import Told, beside, encode
from mdmem.acts.text.notes import grouped_problems
from mdmem.acts.text.past import diff_text
from mdmem.errors import UsageError
from mdmem.garden import apply as applying
from mdmem.garden import judges
from mdmem.garden import plan as planning
from mdmem.garden.apply import Outcome, Request, Run
from mdmem.garden.gardeners.proposal import LIKELY, POSSIBLE, GardenSettings, Proposal
from mdmem.garden.judges import Hearing, Judge
from mdmem.garden.plan import GardenPlan
from mdmem.garden.verdicts import Judgement
from mdmem.note.plural import counted
from mdmem.note.terminal import safe_line
from mdmem.recall.models import language
from mdmem.store.operation import Caller
from mdmem.store.progress import Watch
from mdmem.store.vault.vault import Vault

_LOOKING = "looking at notes"
_PASTED = 20  # of each kind, as much as a model reads with care


_FEW = {"error": 5, "warning": 5}  # problems of one kind that are shown, by severity


class Plan(NamedTuple):
    """What to plan."""

    only: Annotated[Sequence[str], tuple(planning.GARDENERS)] = ()
    min_confidence: float | None = None
    topic: str = ""
    authorise_delete: bool = False
    keep_both: str = ""

    def settings(self, vault: Vault) -> GardenSettings:
        """The vault's settings, overridden by these."""
        settings = planning.settings_of(vault.config)._replace(
            authorise_delete=self.authorise_delete, keep_both=self.keep_both
        )
        wanted = self.min_confidence
        if wanted is None:
            return settings
        return settings._replace(min_confidence=wanted, least=max(POSSIBLE, min(wanted, LIKELY)))


ANY = Plan()


def garden(
    vault: Vault,
    who: Caller,
    watch: Watch,
    face: Face,
    *,
    what: Plan = ANY,
    llm: bool = False,
    max_calls: int = judges.MAX_CALLS,
    yes: bool = False,
    why: bool = False,
    diff: bool = False,
    paste: bool = False,
) -> Told:
    """Plan what to merge, deprecate, prune and repair, and which conflicts to resolve. Nothing is changed.

    Each proposal says what changes, why (with file and line), how certain that is (0 to 1) and what would be lost.
    Proposals of one plan touch different files, so each can be accepted or left: `mdmem judge` asks about each,
    `apply` carries out what is certain.

    With --llm a model of the llm package (pip install 'mdmem[llm]') reads the notes of each proposal that is not
    certain, and of pairs of notes that are too unlikely to be shown, ten a call as far as --max-calls goes, and
    says with a sentence whether they say the same, one replaces the other, or both hold. You are told the
    number of calls and of tokens first. What it says is shown and nothing more; asking again costs nothing. For a
    model without tools, --paste prints the same as a text; `mdmem candidates import` takes its answer.

    \b
    Examples:
      mdmem garden
      mdmem garden --llm --max-calls 200
      mdmem garden --only twins --diff
      mdmem garden --min-confidence 0.5 --json
    """
    if paste:
        return _pasted(vault, who, what)
    settings = what.settings(vault)._replace(explained=why)
    if llm:
        settings = settings._replace(least=POSSIBLE)
    wish = planning.Wish(tuple(what.only), what.topic)
    with watch(_LOOKING) as report:
        findings = planning.look(vault, settings, who.now, wish, report)
    plan = planning.choose(findings, settings.min_confidence, wish)
    if llm:
        unsure = (*plan.proposals, *planning.possible(findings))
        said = _verdicts(vault, face, watch, unsure, max_calls, yes)
        findings = planning.look(vault, settings._replace(judgements=said), who.now, wish)
        plan = planning.choose(findings, settings.min_confidence, wish)
    return Told(plan, partial(plan_lines, plan, diff))


def _pasted(vault: Vault, who: Caller, what: Plan) -> Told:
    from mdmem.acts.checks import queue

    kinds = tuple(what.only) or (queue.CAPTURED, queue.PROPOSAL)
    least = POSSIBLE if what.min_confidence is None else what.min_confidence
    items = queue.waiting(vault, who, queue.Wanted(kinds, what.topic, _PASTED, least, open=True)).items
    text = queue.block(items) if items else "nothing waits"
    return Told({"text": text}, text)


def _verdicts(
    vault: Vault, face: Face, watch: Watch, proposals: Sequence[Proposal], max_calls: int, yes: bool
) -> tuple[Judgement, ...]:
    """The model's verdicts on what is not certain, if the person agrees to the cost.

    Raises UsageError if no model is configured or nobody can agree to the cost, and ModelError.
    """
    model = language.required()
    judge = Judge(vault, model, model.name)
    hearing = judge.prepare(proposals, max_calls)
    _announce(face, hearing, model.name)
    if not hearing.calls or not _is_agreed(face, hearing, yes):
        return hearing.known
    with watch("asking the model") as report:
        return (*hearing.known, *judge.hear(hearing.calls, report))


def _announce(face: Face, hearing: Hearing, name: str) -> None:
    if hearing.calls:
        calls = counted(len(hearing.calls), "call")
        about = counted(sum(map(len, hearing.calls)), "proposal")
        face.tell(f"{calls} to {name} on {about}, about {hearing.cost:,} tokens in all")
    if hearing.over_cap:
        face.tell(f"{counted(hearing.over_cap, 'proposal')} left for another time: --max-calls")
    if hearing.kept_back:
        held = counted(hearing.kept_back, "proposal")
        face.tell(f"{held} not shown to the model: too sensitive, or they seem to hold a secret")


def _is_agreed(face: Face, hearing: Hearing, yes: bool) -> bool:
    """Whether the person agrees to the calls. Raises UsageError if nobody is there, unless `yes` is set."""
    if not yes and not face.is_there:
        calls = counted(len(hearing.calls), "call")
        raise UsageError(f"there is nobody to agree to {calls} to the model", "add --yes, or lower --max-calls")
    return yes or face.agrees("Ask the model?")


def _gardened(run: Run) -> Told:
    """What a run did, the proposals left alone and why. `rest` counts the proposals that remain."""
    value: Json = {
        "run": run.id if run.applied else "",
        "applied": [{**encode(one.proposal), "commit": one.commit} for one in run.applied],
        "left": [{**encode(one.proposal), "why": one.why} for one in run.left],
        "rest": len(run.rest.proposals),
    }

    def said(style: Style) -> Lines:
        for outcome in run.outcomes:
            yield outcome_line(outcome, style)
        if run.branch:
            yield from branch_lines(run, run.branch, run.base)
        elif run.applied:
            yield f"{counted(len(run.applied), 'proposal')} applied; mdmem undo --run {run.id} takes it back"
        elif not run.left:
            yield "nothing to do"

    return Told(value if run.branch is None else {**value, "branch": run.branch, "base": run.base}, said)


def apply(
    vault: Vault,
    watch: Watch,
    face: Face,
    ids: Sequence[str] = (),
    *,
    what: Plan = ANY,
    accepted_only: bool = False,
    dry_run: bool = False,
    branch: str | None = None,
    yes: bool = False,
    reason: str = "",
) -> Told:
    """Carry out what was accepted, or is certain and was not rejected: one commit for each proposal.

    IDS are those of proposals in mdmem garden, or their first characters; only these are applied. A note that was
    saved after the plan was made is left alone and planned again. `mdmem undo --run ID` reverts a whole run,
    `mdmem undo --commit REV` one proposal. The commits are by mdmem-gardener unless --actor says otherwise.

    --branch leaves your files and your branch as they are: the commits go on top of the last commit, on a branch
    that you can inspect, merge, cherry-pick from or delete.

    \b
    Examples:
      mdmem garden apply
      mdmem garden apply --accepted-only
      mdmem garden apply 5f1c9f0e2a4b --dry-run
      mdmem garden apply --branch
    """
    if ids and accepted_only:
        raise UsageError("--accepted-only cannot be combined with ids of proposals", "leave one of them out")
    wish = planning.Wish(tuple(what.only), what.topic, frozenset(ids))
    request = Request(what.settings(vault), wish, accepted_only, reason)
    who = face.caller(face.actor or applying.ACTOR)
    with watch(_LOOKING) as report:
        if dry_run:
            return _dry_run(*applying.plan(vault, request, who.now, report))
        run = applying.run_id(who.now, os.urandom(2).hex())
        if branch is None:
            return _gardened(applying.apply(vault, request, who, run, report, yes))
        if edited := vault.index.uncommitted():
            many = counted(len(edited), "memory")
            face.tell(f"{many} with uncommitted edits; the branch uses the committed version")
        return _gardened(applying.on_branch(vault, request, who, run, report, branch, allow_loss=yes))


def _dry_run(plan: GardenPlan, request: Request) -> Told:
    plan = plan._replace(proposals=tuple(applying.chosen(plan, request)), problems=())
    end = beside(f"would apply {counted(len(plan.proposals), 'proposal')}; nothing was changed")
    return Told(plan, lambda style: [*plan_lines(plan, style=style), end])


def plan_lines(plan: GardenPlan, with_diff: bool = False, style: Style = plain) -> Lines:
    """A plan, its problems, and how many proposals it leaves out."""
    if plan.proposals:
        yield style(_heading(plan), "bold")
    for proposal in plan.proposals:
        yield from proposal_lines(proposal)
        if with_diff:
            yield diff_text(proposal.diff, style)
    yield from grouped_problems(plan.problems, _FEW, "--json lists all", style)
    if plan.unsure:
        yield f"{counted(plan.unsure, 'proposal')} less certain: --min-confidence 0 shows them"
    if plan.rejected:
        yield f"{counted(plan.rejected, 'proposal')} rejected: mdmem judge --all again --kind proposal asks again"
    for rule, count in plan.withheld.items():
        yield f"{counted(count, 'proposal')} withheld: garden.never in mdmem.toml says {safe_line(rule)!r}"
    if plan.waiting:
        yield f"{counted(plan.waiting, 'proposal')} for the same files will follow after these"
    if not plan.proposals:
        yield "nothing to do"


def _heading(plan: GardenPlan) -> str:
    """`3 proposals: 1 by conflicts, 2 by twins`."""
    counts = Counter(proposal.gardener for proposal in plan.proposals)
    return f"{counted(len(plan.proposals), 'proposal')}: " + ", ".join(
        f"{count} by {gardener}" for gardener, count in counts.items()
    )


def proposal_lines(proposal: Proposal) -> Lines:
    """A proposal: id, confidence, gardener and title, its evidence, what would be lost, and who judged it how."""
    sure = "certain" if proposal.certain else f"{proposal.confidence:.2f}"
    yield f"  {proposal.id}  {sure}  {proposal.gardener}  {safe_line(proposal.title)}"
    for evidence in proposal.evidence:
        where = f"{evidence.path}:{evidence.line}" if evidence.line else evidence.path
        yield f"      why   {safe_line(where)}  {safe_line(evidence.text)} ({evidence.score:.2f})"
    yield f"      lost  {safe_line(proposal.lost or 'nothing')}"
    for name, value, weight in proposal.figures:
        yield f"      {weight:+.2f}  {name} {value:g}"
    if proposal.judged:
        yield f"      said  {safe_line(proposal.judged)}"


def outcome_line(outcome: Outcome, style: Style) -> str:
    """What became of a proposal, and what was lost by it."""
    title = safe_line(outcome.proposal.title)
    if outcome.commit:
        lost = f"\n         lost  {safe_line(outcome.proposal.lost)}" if outcome.proposal.lost else ""
        return f"applied  {title}  ({outcome.commit[:8]}){lost}"
    return f"{style('left', 'yellow')}     {title}: {safe_line(outcome.why)}"


def branch_lines(run: Run, name: str, base: str) -> Lines:
    """A run on a branch: how to inspect, merge and delete it."""
    yield f"{counted(len(run.applied), 'proposal')} applied on the branch {name}"
    yield f"  look:  git log --patch --reverse {base}..{name}"
    yield f"  take:  git merge {name}   (some: git cherry-pick COMMIT)"
    yield f"  drop:  git branch -D {name}"
