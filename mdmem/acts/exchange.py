"""The memories of other systems, brought in, and those of a vault as other systems have them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Annotated, Any

from mdmem.acts.face import Face
from mdmem.acts.selecting import ALL, Selection
from mdmem.acts.style import Lines, Raw, committed
from mdmem.acts.telling import Told, beside
from mdmem.errors import UsageError
from mdmem.note.memory import stem
from mdmem.note.plural import counted, plural
from mdmem.note.terminal import safe_line
from mdmem.store import registry
from mdmem.store.index import selection
from mdmem.store.local import files
from mdmem.store.operation import Caller
from mdmem.store.progress import Watch
from mdmem.store.registry import ImportPlan
from mdmem.store.vault.vault import Vault

# format -> what an export in it takes beside the target
FORMATS = {"markdown": "a filter", "membrane": "a filter, --lines", "rum": "", "server-memory": "a filter"}
AGENT_FILES = ("claude-memory", "codex", "agents-md", "cursor-rules", "gemini", "copilot")  # as session has them
_KINDS = {
    "folder": (os.path.isdir, "folder"),
    "path": (os.path.exists, "file or folder"),
    "file": (os.path.isfile, "file"),
}


def formats() -> dict[str, str]:
    """The help of each importer by its name, in order."""
    return {name: registry.importer(name).HELP for name in sorted(registry.names("importers"))}


def import_(
    vault: Vault,
    who: Caller,
    watch: Watch,
    format: Annotated[str, sorted(registry.names("importers"))],
    path: str,
    *,
    dry_run: bool = False,
    split: str = "",
    reason: str = "",
) -> Told:
    """Import the memories of another system. `mdmem import FORMAT --help` says what PATH is, and what is kept.

    \b
    Examples:
      mdmem import markdown ~/Documents/notes --dry-run
      mdmem import server-memory memory.jsonl
      mdmem import legacy ../old/brain --dry-run --json
      mdmem import rlm ../old/brain/memory
      mdmem import membrane records.json
    """
    importer = registry.importer(format)
    fits, what = _KINDS[importer.TAKES]
    if not fits(path) and not (path == "-" and importer.TAKES == "file"):
        raise UsageError(f"{path} is not a {what}", f"mdmem import {format} --help")
    own = {option.name: "" for option in getattr(importer, "OPTIONS", ())}
    if split and "split" not in own:
        raise UsageError("--split is for Markdown files", "leave it out")
    own |= {"split": split} if split else {}
    with watch(f"reading {plural(importer.NOUN)}") as report:
        plan = importer.plan(vault, path, report, who.allow_secret, **own)
    commit = "" if dry_run else importer.write(vault, plan, who, reason)
    value = {
        plural(importer.NOUN): [item.facts for item in plan.items],
        "known": plan.known,
        "problems": plan.problems,
        "commit": commit,
    }
    return Told(value, import_lines(plan, importer.NOUN, commit, dry_run), plan.problems)


def export(
    vault: Vault,
    who: Caller,
    watch: Watch,
    face: Face,
    format: Annotated[str, (*FORMATS, *AGENT_FILES)],
    target: str = "",
    *,
    lines: bool = False,
    follow: bool = False,
    chosen: Selection = ALL,
) -> Told:
    """Write the memories as another system has them.

    What is above `low` is left out, and its names are taken out of the other texts, unless --max-sensitivity
    allows it. A note that is not valid in the format is left out and reported.

    \b
    markdown       every memory as a file with frontmatter in the folder TARGET, which must be new or empty;
                   they lie and link to each other as in the vault
    server-memory  memory.jsonl of the MCP server `memory` in the folder TARGET, each memory an entity
    membrane       every memory as a MemoryRecord, oldest first, in the file TARGET or on standard output;
                   salience is as it was last written, with the moment from which it decays
    rum            works, chapters, wisdom and agents in the file TARGET: JSON if its name ends in .json, else
                   RUM's SQLite database; "-" is JSON on standard output. A file that is there is replaced

    A file that an agent reads by itself gets the memories that matter to everybody and to the project: preferences
    and decisions first, each with its source, as much as its client reads. They stand between marks; other lines
    stay. Without TARGET it is where the client looks for it:

    \b
    claude-memory  MEMORY.md of the project in ~/.claude/projects, at most 200 lines and 25,000 bytes
    codex          ~/.codex/AGENTS.md, at most 32,768 bytes
    agents-md      AGENTS.md of the project, the same
    cursor-rules   .cursor/rules/memories.mdc of the project, at most 500 lines
    gemini         GEMINI.md of the project
    copilot        .github/copilot-instructions.md of the project, at most 4,000 characters

    \b
    Examples:
      mdmem export claude-memory --follow
      mdmem export markdown ../decisions --type decision
      mdmem export server-memory ../graph
      mdmem export membrane records.json
      mdmem export membrane --type semantic --lines | head
      mdmem export rum works.sqlite
    """
    _require_fitting(format, {"--lines": lines, "--follow": follow, "a filter": bool(chosen.conditions())})
    if format in AGENT_FILES:
        return _agent_file(vault, who, face, format, target, follow)
    if not target and format != "membrane":
        raise UsageError(f"export {format} needs a target", f"mdmem export {format} PATH")
    seen = face.outward(vault, "export")
    if format == "rum":
        return _rum(vault, seen, watch, target)
    conditions = selection.understood(seen.index, chosen.conditions(), who.now)
    wanted = list(selection.each(seen.index, conditions))
    if format == "membrane":
        from mdmem.systems.membrane import records

        paths = {record.path for record in wanted}
        with watch("reading records") as report:
            done = records.exported(seen, lambda note: note.path in paths, report)
        text = "".join(f"{row}\n" for row in records.as_json(done.records, lines))
        return _told(done, target, text, counted(len(done.records), "record"))
    from mdmem.systems.importers import exports

    write = exports.markdown if format == "markdown" else exports.graph
    with watch("reading memories") as report:
        written = write(seen, wanted, report)
    exports.save(written, target)
    return _told(written, target, "", counted(len(wanted), "memory"))


def _require_fitting(format: str, given: Mapping[str, bool]) -> None:
    """Raise UsageError for what was given and does not bear on a format: it would be passed over in silence."""
    taken = FORMATS.get(format, "--follow")
    for name, is_given in given.items():
        if is_given and name not in taken:
            raise UsageError(f"export {format} does not take {name}", f"mdmem export {format} without it")


def _agent_file(vault: Vault, who: Caller, face: Face, format: str, target: str, follow: bool) -> Told:
    from mdmem.session import agentfiles

    seen = vault if face.limit and not follow else vault.for_derived("export")
    done = agentfiles.export(seen, format, target, who, follow)
    sizes = [f"{size:,} of {limit:,} {unit}" for unit, (size, limit) in done.sizes.items()]
    left = [f"{counted(done.left_out, 'memory')} left out"] if done.left_out else []
    return Told(done, [beside(f"{counted(done.shown, 'memory')} in {done.path} ({', '.join([*sizes, *left])})")])


def _rum(vault: Vault, seen: Vault, watch: Watch, target: str) -> Told:
    from mdmem.systems.rum import exchange

    with watch("reading works") as report:
        done = exchange.exported(seen, report)
    text = ""
    if target == "-" or target.endswith(".json"):
        text = exchange.as_text_of(done.document) + "\n"
    else:
        exchange.write_database(vault, target, done.document)
    works, chapters = counted(len(done.document.memories), "work"), counted(len(done.document.chapters), "chapter")
    return _told(done, target, text, f"{works}, {chapters}, {len(done.document.wisdom)} wisdom")


def _told(done: Any, target: str, text: str, held: str) -> Told:
    """What was exported: a text is written to the target, or is the result if there is none."""
    is_shown = target in ("", "-")
    if text and not is_shown:
        with files.replacing(target) as place, open(place, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)

    said = Raw(text) if is_shown else beside(f"{held} in {target}")
    return Told({"target": target, "held": held, "problems": done.problems}, [said], done.problems)


def import_lines(plan: ImportPlan, noun: str, commit: str, dry_run: bool) -> Lines:
    """The items that an import renames, then how many there are in all."""
    facts = [item.facts for item in plan.items]
    for one in facts:
        if one.get("renamed"):
            yield f"{safe_line(one['source'])} -> {safe_line(stem(one['path']))}"
    archived = sum(bool(one.get("archived")) for one in facts)
    updated = sum(bool(one.get("updated")) for one in facts)
    told = f"{'would import' if dry_run else 'imported'} {counted(len(facts) - updated, noun)}"
    told += f", {'would update' if dry_run else 'updated'} {updated}" if updated else ""
    told += f", {archived} of them archived" if archived else ""
    told += f", {len(plan.known)} there already" if plan.known else ""
    yield f"{told}{committed(commit)}"
