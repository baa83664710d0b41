"""`mdmem judge` without words: what waits, one after another on a terminal, answered by letter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial

import click

from mdmem.acts import queue
from mdmem.acts.queue import CAPTURED, FACT, KEEP, MERGE, OURS, REWORD, THEIRS, Waiting, Wanted
from mdmem.capture.inbox import deciding
from mdmem.capture.inbox.store import InboxItem
from mdmem.cli.asking import Questions, conclude, go_through, require_terminal
from mdmem.cli.editor import edited
from mdmem.cli.options import print_lines, progress, style, tell
from mdmem.errors import MdmemError, UsageError
from mdmem.garden import judging, lessons, verdicts
from mdmem.garden.gardeners.proposal import Findings, Proposal
from mdmem.garden.judging import Judged, Said
from mdmem.garden.verdicts import NO, YES
from mdmem.history.merging.unsettled import Unsettled
from mdmem.note import memory, naming
from mdmem.operation import Caller
from mdmem.render.text.past import diff_text
from mdmem.render.text.queue import agreed_lines, judged_lines, waiting_lines
from mdmem.text.terminal import safe_line
from mdmem.vault.vault import Vault

_KEYS = "y yes, n no, e edit, l later, a what an agent agrees to, d whole diff, q quit, ? help"
_REASONS = "\n".join(f"   n{letter}  {reason}" for letter, reason in lessons.REASONS.items())
_HELP = f"""y  yes: it is done at once; of a conflict the first side stays
n  no: it is not asked again unless its notes change; of a conflict the second side stays. You can add why:
{_REASONS}
   n any words of yours
e  edit: open it in your editor; what you save is what is done
0-10  what a fact is worth: 0 is wrong and leaves every page, 10 is never to be forgotten
l  later: ask again in the next review
a  all that the agent agrees to who said so of this one
d  show the whole diff
q  quit; what you decided is done"""


def review(vault: Vault, who: Caller, wanted: Wanted) -> None:
    """Go through what waits; each answer is carried out at once, scores at the end."""
    require_terminal("mdmem waiting lists what waits, mdmem judge ID VERDICT answers")
    with progress("looking at notes") as report:
        talk = _Review(vault, who, queue.waiting(vault, who, wanted, report).items)
    print_lines(agreed_lines(talk.open))
    try:
        go_through(talk.questions())
    finally:
        talk.end()
    conclude([f"{count} {what}" for what, count in talk.told.items()], len(talk.open))
    _teach(vault, who, talk.denied)


class _Review:
    """What is still open, and what was said."""

    def __init__(self, vault: Vault, who: Caller, items: Sequence[Waiting]) -> None:
        self.open = list(items)
        self.told: Counter[str] = Counter()
        self.denied: set[str] = set()
        self._vault, self._who = vault, who
        self._scores: list[Said] = []

    def questions(self) -> Questions[Waiting]:
        answers = {"y": self._yes, "n": self._no, "e": self._edit, "l": self._later, "a": self._agree}
        digits = {digit: partial(self._score, digit) for digit in "0123456789"}
        return Questions(lambda: self.open, self._show, {**answers, "d": self._diff, **digits}, _KEYS, _HELP)

    def end(self) -> None:
        """Save the scores, in one commit."""
        print_lines(judged_lines(queue.judge(self._vault, self._scores, self._who, FACT)))

    def _show(self, one: Waiting) -> None:
        print_lines(waiting_lines(one, style(), with_diff=True))

    def _yes(self, one: Waiting, _: str) -> bool:
        return self._say(one, Said(one.id, {CAPTURED: KEEP, FACT: KEEP, MERGE: OURS}.get(one.kind, YES)))

    def _no(self, one: Waiting, why: str) -> bool:
        if one.kind == FACT:
            return self._score("0", one, "")
        self.denied.add(one.id)
        return self._say(one, Said(one.id, THEIRS if one.kind == MERGE else NO, lessons.reason_in(why)))

    def _later(self, one: Waiting, _: str) -> bool:
        self.told["later"] += 1
        return self._done(one)

    def _score(self, digit: str, one: Waiting, rest: str) -> bool:
        typed = digit + rest
        if one.kind != FACT or not typed.isdecimal() or int(typed) > 10:
            click.echo(_HELP)
            return False
        self._scores.append(Said(one.id, typed))
        self.told["scored"] += 1
        return self._done(one)

    def _agree(self, one: Waiting, _: str) -> bool:
        """Take all that is agreed to by the one who agrees to this."""
        if not one.agreed:
            click.echo("no agent has agreed to this one")
            return False
        same = [each for each in self.open if each.agreed == one.agreed]
        said = queue.agreed(queue.Queue(tuple(same), {}), one.agreed)
        done = queue.judge(self._vault, said, self._who)
        print_lines(judged_lines(done))
        self.told["taken"] += sum(each.fault is None for each in done)
        self.open = [each for each in self.open if each not in same]
        return True

    def _diff(self, one: Waiting, _: str) -> bool:
        click.echo(diff_text(one.change, style()))
        return False

    def _edit(self, one: Waiting, _: str) -> bool:
        """Open what would be written in an editor; what is saved is taken."""
        try:
            said = in_editor(self._vault, one)
        except click.Abort:
            click.echo("nothing was saved; y takes it unchanged")
            return False
        except (MdmemError, click.ClickException) as error:
            click.secho(error.message, fg="red")
            return False
        return self._say(one, said)

    def _say(self, one: Waiting, said: Said) -> bool:
        """Carry out a verdict; one that cannot be is told, and put off."""
        try:
            [done] = queue.judge(self._vault, [said], self._who, one.kind, found=known(one))
        except MdmemError as error:
            done = Judged(said, one.title, fault=error)
        print_lines(judged_lines([done]))
        self.told["cannot be taken" if done.fault else _PAST.get(said.verdict, said.verdict)] += 1
        return self._done(one)

    def _done(self, one: Waiting) -> bool:
        self.open = [each for each in self.open if (each.kind, each.id) != (one.kind, one.id)]
        return True


def in_editor(vault: Vault, one: Waiting) -> Said:
    """The verdict that a person gives in an editor. Raises click.Abort if they do not save, MdmemError."""
    source = one.source
    if isinstance(source, Proposal):
        return Said(one.id, YES, edited=_files(vault, source))
    if isinstance(source, InboxItem):
        name, before = naming.make(source.title, source.text, lambda _: False), deciding.as_note(source)
    elif isinstance(source, Unsettled) and not source.in_merge:
        name, before = one.id, vault.read(source.path)
    else:
        raise UsageError(f"{one.title} cannot be edited here", f"say one of: {', '.join(one.answers)}")
    with edited(vault, name, before) as written:
        if isinstance(source, InboxItem):
            deciding.reworded(vault, source, written)
        return Said(one.id, REWORD, text=written.decode())


def _files(vault: Vault, one: Proposal) -> dict[str, bytes]:
    words: dict[str, bytes] = {}
    for edit in one.edits:
        if edit.after is not None:
            try:
                with edited(vault, memory.stem(edit.path), edit.after) as written:
                    judging.check_words(vault, edit, written)
                    words[edit.path] = written
            except click.Abort:
                continue  # not saved: keep it as proposed
    if not words:
        raise click.Abort
    return words


_PAST = {YES: "accepted", NO: "rejected", KEEP: "kept", REWORD: "kept", OURS: "settled", THEIRS: "settled"}


def known(one: Waiting) -> Findings | None:
    """What the gardeners found, as far as it is being asked about."""
    return Findings((one.source,)) if isinstance(one.source, Proposal) else None


def _teach(vault: Vault, who: Caller, denied: set[str]) -> None:
    """Offer rules learned from rejections; write those that the person accepts into mdmem.toml."""
    for choices in lessons.lessons(verdicts.load(vault), denied, vault.config.garden.never):
        for lesson in choices:
            click.echo("\n" + safe_line(f"rejected {lesson.times} times, as {lesson.reason}"))
            if _agrees(f"{safe_line(lesson.sentence).capitalize()}, as a rule in mdmem.toml?"):
                commit = lessons.learn(vault, lesson, who)
                tell(f"saved in mdmem.toml ({commit[:8]}): garden.never has {lesson.rule!r}; delete it to undo")
                break


def _agrees(question: str) -> bool:
    try:
        return click.confirm(question)
    except click.Abort:
        click.echo()
        return False
