"""`mdmem judge` without words: what waits, one after another on a terminal, answered by letter."""

from collections import Counter
from collections.abc import Iterable

from mdmem.acts.checks import queue, taking
from mdmem.acts.checks.queue import (
    CAPTURED,
    FACT,
    KEEP,
    MERGE,
    OURS,
    REWORD,
    THEIRS,
    Waiting,
    Wanted,
    agreed_lines,
)
from mdmem.acts.face import Face, GivenUpError
from mdmem.acts.telling import Told
from mdmem.acts.text.past import diff_text
from mdmem.capture.inbox import deciding
from mdmem.capture.inbox.store import InboxItem
from mdmem.errors import MdmemError, UsageError
from mdmem.garden import judging, verdicts
from mdmem.garden.gardeners import care
from mdmem.garden.gardeners.proposal import Findings, Proposal
from mdmem.garden.judging import Said
from mdmem.garden.verdicts import NO, YES
from mdmem.history.merging.unsettled import Unsettled
from mdmem.note import memory, naming
from mdmem.note.plural import counted
from mdmem.note.terminal import safe_line
from mdmem.store.operation import Caller
from mdmem.store.progress import Watch
from mdmem.store.vault.vault import Vault

_KEYS = "y yes, n no, e edit, l later, a what an agent agrees to, d whole diff, q quit, ? help"
_REASONS = "\n".join(f"   n{letter}  {reason}" for letter, reason in care.REASONS.items())
_HELP = f"""y  yes: it is done at once; of a conflict the first side stays
n  no: it is not asked again unless its notes change; of a conflict the second side stays. You can add why:
{_REASONS}
   n any words of yours
e  edit: open it in your editor; what you save is what is done
0-10  what a fact is worth: 0 is wrong and leaves every page, 10 is never to be forgotten
l  later: ask again in the next review
a  all that the agent agrees to who agrees to this one
d  show the whole diff
q  quit; what you decided is done"""
_YES = {CAPTURED: KEEP, FACT: KEEP, MERGE: OURS}  # what the letters mean, if not yes and no
_NO = {FACT: "0", MERGE: THEIRS}
_PAST = {YES: "accepted", NO: "rejected", KEEP: "kept", REWORD: "kept", OURS: "settled", THEIRS: "settled"}


def review(vault: Vault, who: Caller, wanted: Wanted, watch: Watch, face: Face) -> Told:
    """Go through what waits; each answer is carried out at once, scores at the end."""
    if not face.is_there:
        raise UsageError(
            "a review needs a terminal", "mdmem waiting lists what waits, mdmem judge ID VERDICT answers"
        )
    with watch("looking at notes") as report:
        talk = _Review(vault, who, face, queue.waiting(vault, who, wanted, report).items)
    talk.show(agreed_lines(talk.open))
    try:
        talk.go_through()
    finally:
        talk.show(taking.judged_lines(taking.judge(vault, talk.scores, who, FACT)))
    told = ", ".join(f"{count} {what}" for what, count in talk.told.items())
    face.say(f"\n{told or 'nothing was decided'}")
    if talk.open:
        face.say(f"{counted(len(talk.open), 'item')} not reviewed")
    _teach(vault, who, face, talk.denied)
    return Told(dict(talk.told))


class _Review:
    """What is still open, what was said, and the scores to be saved."""

    def __init__(self, vault: Vault, who: Caller, face: Face, items: tuple[Waiting, ...]) -> None:
        self.open = list(items)
        self.told: Counter[str] = Counter()
        self.denied: set[str] = set()
        self.scores: list[Said] = []
        self._vault, self._who, self._face = vault, who, face

    def show(self, lines: Iterable[str]) -> None:
        """Show some lines."""
        for line in lines:
            self._face.say(line)

    def go_through(self) -> None:
        """Ask about one after another, until none is left or the person quits."""
        seen = 0
        while self.open:
            seen += 1
            self._face.say(f"\n{seen} of {seen + len(self.open) - 1}", "bold")
            one = self.open[0]
            self.show(one.lines(self._face.style, with_diff=True))
            while not self._is_answered(one, typed := self._typed()):
                if typed[:1].lower() == "q":
                    return

    def _is_answered(self, one: Waiting, typed: str) -> bool:
        letter, rest = typed[:1].lower(), typed[1:].strip()
        if letter == "d" and one.change:
            self._face.say(diff_text(one.change, self._face.style))
        elif letter == "a" and one.agreed:
            self._take(one.agreed)
            return True
        elif letter == "e":
            return self._edit(one)
        elif letter == "l":
            return self._close(one, "later")
        elif letter in ("y", "n") or (one.kind == FACT and typed.isdecimal() and int(typed) <= 10):
            verdict = {"y": _YES.get(one.kind, YES), "n": _NO.get(one.kind, NO)}.get(letter, typed)
            return self._say(one, Said(one.id, verdict, care.reason_in(rest) if letter == "n" else ""))
        elif letter != "q":
            self._face.say(_HELP)
        return False

    def _take(self, actor: str) -> None:
        """Take all that somebody agrees to."""
        done = taking.judge(self._vault, taking.agreed(self.open, actor), self._who)
        self.show(taking.judged_lines(done))
        self.told["taken"] += sum(each.fault is None for each in done)
        self.open = [each for each in self.open if each.agreed != actor]

    def _edit(self, one: Waiting) -> bool:
        """Open what would be written in an editor; what is saved is taken."""
        try:
            return self._say(one, in_editor(self._vault, self._face, one))
        except GivenUpError:
            self._face.say("nothing was saved; y takes it unchanged")
        except MdmemError as error:
            self._face.say(error.message, "red")
        return False

    def _say(self, one: Waiting, said: Said) -> bool:
        """Carry out a verdict; one that cannot be is told, and put off."""
        if one.kind == FACT and said.verdict != KEEP:
            self.scores.append(said)
            return self._close(one, "scored")
        found = Findings((one.source,)) if isinstance(one.source, Proposal) else None
        [done] = taking.judge(self._vault, [said], self._who, one.kind, found=found)
        self.show(taking.judged_lines([done]))
        if said.verdict == NO:
            self.denied.add(one.id)
        return self._close(one, "cannot be taken" if done.fault else _PAST.get(said.verdict, said.verdict))

    def _close(self, one: Waiting, told: str) -> bool:
        self.told[told] += 1
        self.open = [each for each in self.open if (each.kind, each.id) != (one.kind, one.id)]
        return True

    def _typed(self) -> str:
        """What the person typed; Ctrl-C and Ctrl-D count as "q"."""
        try:
            return self._face.ask(_KEYS).strip()
        except GivenUpError:
            return "q"


def in_editor(vault: Vault, face: Face, one: Waiting) -> Said:
    """The verdict that a person gives in an editor. Raises GivenUpError if they do not save, MdmemError."""
    source = one.source
    if isinstance(source, Proposal):
        return Said(one.id, YES, edited=_files(vault, face, source))
    if isinstance(source, InboxItem):
        name, before = naming.make(source.title, source.text, lambda _: False), deciding.as_note(source)
    elif isinstance(source, Unsettled) and not source.in_merge:
        name, before = one.id, vault.read(source.path)
    else:
        raise UsageError(f"{one.title} cannot be edited here", f"say one of: {', '.join(one.answers)}")
    with face.edited(vault, name, before) as written:
        if isinstance(source, InboxItem):
            deciding.reworded(vault, source, written)
        return Said(one.id, REWORD, text=written.decode())


def _files(vault: Vault, face: Face, one: Proposal) -> dict[str, bytes]:
    words: dict[str, bytes] = {}
    for edit in one.edits:
        if edit.after is not None:
            try:
                with face.edited(vault, memory.stem(edit.path), edit.after) as written:
                    judging.check_words(vault, edit, written)
                    words[edit.path] = written
            except GivenUpError:
                continue  # not saved: keep it as proposed
    if not words:
        raise GivenUpError("Stopped; nothing was changed.")
    return words


def _teach(vault: Vault, who: Caller, face: Face, denied: set[str]) -> None:
    """Offer rules learned from rejections; write those that the person accepts into mdmem.toml."""
    for choices in care.lessons(verdicts.load(vault), denied, vault.config.garden.never):
        for lesson in choices:
            face.say("\n" + safe_line(f"rejected {lesson.times} times, as {lesson.reason}"))
            if face.agrees(f"{safe_line(lesson.sentence).capitalize()}, as a rule in mdmem.toml?"):
                commit = care.learn(vault, lesson, who)
                face.tell(
                    f"saved in mdmem.toml ({commit[:8]}): garden.never has {lesson.rule!r}; delete it to undo"
                )
                break
