"""Keeping a vault in order: what is wrong, what is derived, whose words count, where it is synced to."""

import json
import re
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Annotated, NamedTuple

from mdmem.acts.checks import checkup
from mdmem.acts.style import Aside, Json, Lines, Style, committed
from mdmem.acts.telling import Told
from mdmem.acts.text.notes import evaluation_json, evaluation_lines, grouped_problems
from mdmem.acts.write import tell_left
from mdmem.errors import NotFoundError, UsageError
from mdmem.note.facts import TYPES
from mdmem.note.plural import counted
from mdmem.note.terminal import safe, safe_line
from mdmem.recall import meaning
from mdmem.store import registry
from mdmem.store.operation import Caller
from mdmem.store.progress import Progress, Watch
from mdmem.store.vault.vault import Vault
from mdmem.systems.layers import knownfacts, tree, worded
from mdmem.systems.layers.knownfacts import KnownFact
from mdmem.systems.layers.tree import PagesReport

_FEW = {"error": 20, "warning": 5}  # problems of one kind told without --all
_SHOWN = 20  # stale files that a check lists


INDEX, GLOBAL, ALL = "index", "global", "all"  # what can be rebuilt
_ADDRESS = re.compile(r"[^\s<>@]+@[^\s<>@]+")


class People(NamedTuple):
    """E-mail addresses: the trusted ones, and the others, each with how many memories it was last to commit."""

    trusted: tuple[str, ...]
    others: tuple[tuple[str, int], ...]


def doctor(
    vault: Vault,
    who: Caller,
    watch: Watch,
    *,
    fix: bool = False,
    deep: bool = False,
    code: str = "",
    strict: bool = False,
    everything: bool = False,
) -> Told:
    """Find what is wrong with a vault, with file, line and fix. Exit code 1 if there are errors.

    --fix changes no word of yours: of a note it only drops a title that mdmem itself once made of its text.

    \b
    Examples:
      mdmem doctor
      mdmem doctor --fix --deep
      mdmem doctor --code ~/projects/shop
      mdmem doctor --strict
    """
    from mdmem.acts.checks import doctor as examining

    if fix:
        with watch("reading notes") as report:
            examining.fix(vault, who, report)
    problems = examining.examine(vault, deep, code)
    checkup.keep(vault, problems, who.now)
    errors = sum(problem.severity == "error" for problem in problems)
    most = dict.fromkeys(_FEW, len(problems)) if everything else _FEW

    def said(style: Style) -> Lines:
        yield from grouped_problems(problems, most, "mdmem doctor --all", style)
        warnings = counted(len(problems) - errors, "warning")
        yield f"{counted(errors, 'error')}, {warnings}" if problems else "no problems"

    return Told(problems, said, failed=bool(errors or (strict and problems)))


def rebuild(
    vault: Vault,
    watch: Watch,
    what: str = "index",
    *,
    yes: bool = False,
) -> Told:
    """Delete what is derived and rebuild it from the notes and dialogs, which stay as they are.

    \b
    index    the search index (the default)
    vectors  the vectors that recall by meaning lacks: only new and changed texts go through the model
    topics   the pages of all topics, of their dialogs, scores and facts, and GLOBAL_MEMORY of them
    global   GLOBAL_MEMORY alone, of the topic_memory.json files as they are
    all      the index, the pages of topics and index/audit.log, the list of all writes

    Vectors need a model (mdmem guide recall). Recall computes a few of them by itself, and the end of a session
    has this done. If it is stopped, the next one goes on from there.

    With `summary = "model"` under [pages] in mdmem.toml, `topics` and `all` ask the model that $MDMEM_LLM names to
    word summaries, each once for as long as its topic says the same.

    \b
    Examples:
      mdmem rebuild
      mdmem rebuild topics
      mdmem rebuild all --json
    """

    if what == "vectors":
        with watch("embedding") as report:
            made, dropped = meaning.embed(vault, report)
        gone = f", dropped those of {dropped}" if dropped else ""
        return Told({"made": made, "dropped": dropped}, f"made the vectors of {counted(made, 'text')}{gone}")
    value: Json = {}
    said = []
    with watch("reading") as report:
        if what in (INDEX, ALL):
            vault.rebuild(report, yes)
            value["memories"] = vault.index.count()
            said.append(f"indexed {counted(value['memories'], 'memory')}")
            meaning.refresh(vault, report)
        pages = None if what == INDEX else _pages(vault, what, report)
        if what == ALL:
            _audit_log(vault)
        if pages and vault.config.derived.commit:
            from mdmem.store.vault import following

            following.commit_derived(vault)
    problems = pages.problems if pages else tuple(vault.index.not_facts())
    if pages:
        value |= {"topics": len(pages.topics), "written": pages.written, "removed": pages.removed}
        files = f"{counted(pages.written, 'file')} written, {pages.removed} removed"
        said.append(f"pages of {counted(len(pages.topics), 'topic')}; {files}")
    return Told(value | ({"problems": problems} if pages or problems else {}), said, problems)


def trust(vault: Vault, address: str = "") -> Told:
    """Treat what someone committed as a person's own words, not as data.

    A memory whose last version was committed by anyone else counts as `origin: import`: it is shown in a fence.
    You are trusted from your first write on. The addresses are kept as mdmem.people in this clone's git settings.
    Without EMAIL: who is trusted, and who else wrote memories.

    \b
    Examples:
      mdmem trust
      mdmem trust grace@example.org
    """
    added = _trust(vault, address) if address else False
    known = _people(vault)
    said = f"{'trusted from now on' if added else 'trusted already'}: {address}"
    return Told(known, said if address else people_lines(known))


def layout(vault: Vault, who: Caller, kind: str, *, reason: str = "") -> Told:
    """Keep memories in one folder (flat), or in folders by month (month), in one commit.

    Above about 5,000 memories `month` makes commits much smaller. Links by name keep working; those by path, to
    notes and to images, follow. An ambiguous link is left as it is and reported.

    \b
    Example:
      mdmem layout month
    """
    from mdmem.write import rename

    done = rename.relayout(vault, kind, who, reason)
    tell_left(vault, done.left)
    return Told(done, f"moved {counted(len(done.moves), 'memory')}{committed(done.commit)}")


def mirror(
    vault: Vault,
    watch: Watch,
    *,
    check: bool = False,
    rebuild: bool = False,
) -> Told:
    """Render the memories as JSON chunks, with indexes and an archive of the deleted, for other programs.

    They go to chunks/, index/ and archive/, which git ignores; what did not change is left alone. Nothing is
    read back from there: edit the notes. With [mirror] enabled = true the mirror follows each commit.

    \b
    Examples:
      mdmem mirror
      mdmem mirror --check
    """
    from mdmem.systems.rlm import mirror as rendering

    with watch("rendering") as report:
        if check:
            stale = rendering.stale(vault, report)
            more = f" (the first {_SHOWN})" if len(stale) > _SHOWN else ""
            end = f"{counted(len(stale), 'file')} out of date{more}" if stale else "up to date"
            return Told({"stale": stale}, [*stale[:_SHOWN], end], failed=bool(stale))
        done = rendering.update(vault, rebuild, report)
    held = f"{counted(done.chunks, 'chunk')}, {done.archived} archived"
    return Told(done, f"{held}; {counted(done.written, 'file')} written, {done.removed} removed")


def eval_(
    vault: Vault,
    who: Caller,
    watch: Watch,
    file: str,
    *,
    min_hit5: float | None = None,
) -> Told:
    """Test recall: do questions find the memories that answer them?

    FILE holds one JSON object per line; "absent" and "k" (default 5) may be left out:

    \b
      {"question": "how are reports wanted", "gold": ["user_prefers_tables.md"], "absent": ["old_note.md"], "k": 5}

    A question fails if no gold memory is among the first k, or an absent one is. The exit code is 1 if
    --min-hit5 is not reached. The scores of each run are kept on this machine, in .mdmem/tests.jsonl.

    \b
    Example:
      mdmem eval questions.jsonl --min-hit5 0.9
    """
    from mdmem.recall import evaluate
    from mdmem.recall.gather import RecallContext

    source = 0 if file == "-" else file  # 0 is standard input
    with suppress(FileNotFoundError), open(source, encoding="utf-8-sig", errors="surrogateescape") as lines:
        cases = evaluate.read(lines, file)
        with watch("asking") as report:
            around = RecallContext(who.now, likeness=meaning.likeness(vault, vault.index))
            results = list(evaluate.evaluate(vault.index, cases, around, report))
        scores = evaluate.means(results)
        checkup.keep_test(vault, len(results), sum(result.passed for result in results), scores, who.now)
        hit5 = scores.get("hit@5", 0.0)
        low = min_hit5 is not None and hit5 < min_hit5

        def said(style: Style) -> Lines:
            yield evaluation_lines(results, scores, style)
            if low:
                yield Aside(f"hit@5 is {hit5:.3f}, below {min_hit5}")

        return Told(evaluation_json(results, scores), said, failed=low)
    raise NotFoundError(f"there is no file {file}", "name a file of questions")


def topics(
    vault: Vault,
    topic: str = "",
    *,
    everything: bool = False,
) -> Told:
    """List the topics, or print the page of one: where it stands, what is open, its facts and dialogs.

    The pages are files, too: topics/TOPIC/topic_memory.md and GLOBAL_MEMORY.md, with the same as JSON beside
    them. They are made from the dialogs, the facts of notes and your scores, and updated with each write.

    \b
    Examples:
      mdmem topics
      mdmem topics travel_plans
      mdmem topics --global
      mdmem topics travel_plans --json
    """
    if topic and everything:
        raise UsageError("--global covers all topics", "leave out the topic, or --global")
    if topic or everything:
        data, page = knownfacts.topic_page(vault, topic) if topic else knownfacts.global_page(vault)
        return Told(json.loads(data), safe(page.decode()).removesuffix("\n"))
    report = knownfacts.CurrentPages(vault).report
    return Told(report, partial(topics_lines, report), report.problems)


def facts(
    vault: Vault,
    topic: str = "",
    *,
    of_topic: str = "",
    kind: Annotated[str, TYPES] = "",
    tier: str = "",
    unscored: bool = False,
    limit: int = 50,
) -> Told:
    """List the facts of a topic, or of all: what is known, where from, and what it is worth.

    Facts are drawn from the dialogs that `mdmem ingest` keeps, and from the Facts section of notes with a topic.
    Those of the tier core come first, then secondary. `mdmem judge ID 0-10` says what a fact is worth: below 5 it
    leaves every page, from 8 it is core. `mdmem judge ID keep` makes a memory of it.

    \b
    Examples:
      mdmem facts
      mdmem facts travel_plans --type preference
      mdmem facts --tier core --json
      mdmem judge 04bfc468b131e204 10
    """
    found, problems = knownfacts.find(vault, topic or of_topic, kind, tier, unscored)
    shown = knownfacts.cited(vault, found[:limit])
    said = partial(facts_lines, shown, len(found))
    return Told({"facts": shown, "total": len(found), "problems": problems}, said, problems)


def topics_lines(report: PagesReport, style: Style) -> Lines:
    """A line for each topic, the most recently changed first, with its next action below."""
    for topic in sorted(report.topics, key=lambda one: one.updated, reverse=True):
        counts = f"{counted(topic.entries, 'dialog')}, {counted(topic.facts, 'fact')}"
        yield f"{style(topic.topic, 'bold')}  {topic.updated[:10]}  {counts}"
        yield from (f"  next: {safe_line(action)}" for action in topic.state.next_actions[:1])
    if not report.topics:
        yield "there are no topics yet: mdmem ingest FILE --topic NAME makes one"


def facts_lines(facts: Sequence[KnownFact], total: int, style: Style) -> Lines:
    """The facts, each with its source, grouped under their topics."""
    topic = ""
    for fact in facts:
        if fact.topic != topic:
            topic = fact.topic
            yield style(topic, "bold")
        yield from (f"  {line}" for line in fact_lines(fact, style))
    if total > len(facts):
        yield f"... and {total - len(facts)} more: --limit {total}"
    if not facts:
        yield "no such facts: mdmem ingest FILE --topic NAME extracts some from a dialog"


def fact_lines(fact: KnownFact, style: Style) -> Lines:
    """A fact: its id and statement, its worth, and the sentence it comes from with its place."""
    stated = fact.known.fact
    told = safe_line(f"{stated.subject} {stated.relation} {stated.object}")
    yield f"{style(fact.known.id, 'yellow')}  {told}"
    score = f"score {stated.score}" if stated.score is not None else "not scored"
    worth = ", ".join(filter(None, (stated.type, stated.time_span, f"{stated.confidence:g}", score, fact.tier)))
    yield f"    {worth}"
    sentence = f'"{safe_line(stated.sentence)}"  ' if stated.sentence else ""
    yield f"    {sentence}{fact.citation}"


def _people(vault: Vault) -> People:
    """The trusted addresses in alphabetical order, and the others, the one with the most memories first."""
    trusted = vault.repo.people()
    others = [(address, count) for address, count in vault.index.committers().items() if address not in trusted]
    return People(tuple(sorted(trusted)), tuple(sorted(others, key=lambda item: (-item[1], item[0]))))


def _trust(vault: Vault, address: str) -> bool:
    """Trust the commits of an e-mail address in this clone. Returns False if they were trusted already.

    Raises UsageError if it is not an address.
    """
    if not _ADDRESS.fullmatch(address):
        raise UsageError(f"{address!r} is not an e-mail address", "mdmem trust lists who wrote memories here")
    if address.lower() in vault.repo.people():
        return False
    vault.repo.trust(address)
    return True


def people_lines(known: People) -> Lines:
    """Whose commits are trusted, and who else committed memories."""
    for address in known.trusted:
        yield f"trusted  {safe_line(address)}"
    for address, count in known.others:
        yield f"others   {safe_line(address)}: {counted(count, 'memory')}, shown as data (origin import)"


def _pages(vault: Vault, what: str, progress: Progress) -> PagesReport:
    if what == GLOBAL:
        return tree.update_global(vault)
    if worded.is_wanted(vault):
        worded.refresh(vault, progress)
    return tree.update(vault, full=True, progress=progress)


def _audit_log(vault: Vault) -> None:
    """Rebuild the list of writes, if the vault wants one."""
    from mdmem.history import audit

    if any(isinstance(tree, audit.AuditLog) for tree in registry.trees(vault)):
        audit.update(vault, full=True)
