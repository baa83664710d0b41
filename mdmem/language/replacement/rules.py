"""What a clause looks like that says, beside a link, that one note takes the place of another. Data.

The rules are the same in all languages; their words are in `vocabulary`.
"""

# ruff: noqa: E501 - a rule and its example are one row
from __future__ import annotations

from mdmem.values import NamedTuple

LANGUAGES = ("en", "de", "es", "fr")
OLD, HEIR = "old", "heir"  # what is linked has been replaced; it replaces the note with the text


class ReplacementRule(NamedTuple):
    """What a clause looks like, and whether its link (§) is replaced (OLD) or replaces the note (HEIR).

    In `pattern` kinds of words stand in capitals, `~` is up to six other words, `BEGIN` and `END` where a clause does,
    `START` where the sentence begins, `MARK` a comma or full stop, `BREAK` a colon or the like, `<` and `>` brackets,
    `¤` another link; all else is as in a regular expression. `languages` are those whose order of words it is.
    `is_sure` is whether it can mean nothing else.
    """

    direction: str
    pattern: str
    example: str
    languages: tuple[str, ...] = LANGUAGES
    is_sure: bool = True


_GONE = "(DEAD|CHANGED|DIES|NOLONGER ~ VALID|VALID ~ NOLONGER|NOLONGER IDLE*(?=MARK|BREAK)|(NOT NOW|NOW NOT)(?=MARK|BREAK)|NOT ~ VALID|(NOT|NOLONGER) USE SELF)"
_OUT = "(BE ~ DEAD|NOLONGER ~ VALID|VALID ~ NOLONGER|BE ~ WRONG|WRONG|DIES|BE ~ NOT ~ VALID|GO)"
_OWN = "START (IDLE BREAK?)*SELF? (BE BE*~)?IDLE*"  # the note itself is the subject, said or not
_NEXT = "(MARK|BREAK|<(?=SEE))"  # another clause follows

RULES = (
    # What is linked is the subject.
    ReplacementRule(OLD, "§ >? ~ BE ~ DEAD(?!BY ~ ¤)", "[[x]] can be struck."),
    ReplacementRule(OLD, "§ >? ~ DIES", "[[x]] has had its day."),
    ReplacementRule(OLD, "§ >? ~ ,? ~ NOLONGER ~ VALID", "What [[x]] says stopped being true."),
    ReplacementRule(OLD, "§ >? ~ ,? ~ VALID ~ NOLONGER", "Was in [[x]] steht, gilt nicht mehr.", ("de",)),
    ReplacementRule(OLD, "§ ~ , BE ~ DEAD", "Was in [[x]] steht, ist überholt.", ("de",)),
    ReplacementRule(OLD, f"§ , WHO ~ {_OUT}", "We left [[x]], which is obsolete."),
    ReplacementRule(OLD, f"§ ~ AND ~ {_OUT}", "[[x]] was about the old pump and is no longer accurate."),
    ReplacementRule(OLD, f"§ .{{0,15}}?[,;:] AND? (WHO|SELF)(?<!THISONE) ~ {_OUT}", "Before: [[x]], that is out of date."),
    ReplacementRule(OLD, "§ ~ BE ~ NOT ~ VALID", "[[x]] is not current.", ("en",)),
    ReplacementRule(OLD, "§ ~ NEEDNOT ~ KEEP", "[[x]] needn't be kept."),
    ReplacementRule(OLD, "§ ~ AND? ~ NOT ~ KEEP", "[[x]] is old and must not be used."),
    ReplacementRule(OLD, "§ BE ~ OLDER ~ END", "[[x]] was the earlier plan."),
    ReplacementRule(OLD, "§ ~ GO", "[[x]] can go."),
    ReplacementRule(OLD, "§ ~ ORIGIN ~ OLDTIME", "[[x]] dates from before the change."),
    ReplacementRule(OLD, "§ ~ WASSO", "See [[x]] for how it used to be."),
    ReplacementRule(OLD, "§ ~ (HELD|WAS ~ VALID) ~ UNTIL", "[[x]] was valid until Christmas."),
    ReplacementRule(OLD, "WITH § ~ OVER", "Mit [[x]] ist Schluss."),
    ReplacementRule(OLD, "§ ~ BE ~ OVER END", "The rules of [[x]] are off."),
    ReplacementRule(OLD, "NONE ~ § ~ (VALID|REMAINS)", "Nothing of [[x]] is left."),
    ReplacementRule(OLD, "STILL ~ § ~ WRONG", "Who still follows [[x]] is wrong."),
    # It comes behind the verb, or between its parts.
    ReplacementRule(OLD, "BE ~ § ~ DEAD(?!BY ~ ¤)", "Hiermit wird [[x]] aufgehoben.", ("de", "es")),
    ReplacementRule(OLD, "BE DEAD ~ §", "Queda anulada [[x]].", ("es",)),
    ReplacementRule(OLD, "DIES ~ §", "Damit entfällt [[x]].", ("de", "es")),
    ReplacementRule(OLD, "NOLONGER ~ (VALID|USE) ~ §", "We no longer use [[x]]."),
    ReplacementRule(OLD, "VALID ~ § ~ NOLONGER", "Wir nutzen [[x]] nicht mehr.", ("de",)),
    ReplacementRule(OLD, "NOLONGER ~ (ASIN|ADJUNCT|TO) §", "Nicht mehr wie in [[x]].", ("de",)),
    ReplacementRule(OLD, "BE ~ AND § DEAD", "Der Server ist abgeschaltet und [[x]] gegenstandslos."),
    ReplacementRule(OLD, "START NOLONGER § END", "Not [[x]] any more."),
    # It is the object.
    ReplacementRule(OLD, "INSTEAD ~ <? §", "One coat a year instead of [[x]]."),
    ReplacementRule(OLD, "REPLACES (?!~ BY §) ~ [<:]? §", "This supersedes [[x]]."),
    ReplacementRule(OLD, "[,<] (WHO|IDLE) ~ § ~ (REPLACES|PASSIVE)", "Eine Liste, die [[x]] ersetzt.", ("de",)),
    ReplacementRule(OLD, "LIFTS ~ § ~ OFF", "Diese Regel löst [[x]] ab.", ("de",)),
    ReplacementRule(OLD, "PLACE § ~ STEPS", "An die Stelle von [[x]] tritt diese Notiz.", ("de",)),
    ReplacementRule(OLD, "WE ~ LEFT ~ §", "We have given up [[x]]."),
    ReplacementRule(OLD, "BEGIN DROPPED (?!~ (BY|SINCE)) ~ §", "Replaced [[x]].", is_sure=False),
    ReplacementRule(OLD, "CORRECTS ~ §", "This corrects [[x]].", is_sure=False),
    ReplacementRule(OLD, "MAKES ~ § ~ DEAD", "That makes the rule of [[x]] moot."),
    ReplacementRule(OLD, "MAKES ~ DEAD ~ §", "Esto deja obsoleta [[x]].", ("es", "fr")),
    ReplacementRule(OLD, "BEGIN IDLE*DISCARD ~ §(?!WHEN)", "The code is 9023, so ignore [[x]]."),
    ReplacementRule(OLD, "BEGIN ~ MAY ~ DISCARD ~ §(?!WHEN)", "On peut effacer [[x]]."),
    ReplacementRule(OLD, "§ ~ DROP END", "[[x]] vergessen.", ("de", "fr", "es")),
    ReplacementRule(OLD, "BEGIN IDLE*NOT NOT? USE ~ §(?!WHEN)", "No hagáis caso de [[x]]."),
    ReplacementRule(OLD, "§ ~ NOT ~ USE END", "[[x]] bitte nicht verwenden.", ("de", "fr")),
    ReplacementRule(OLD, "(NOLONGER ~|AND NOT ~|, NOT ~)ASIN ~ §", "Only PDF, and not on paper as in [[x]]."),
    ReplacementRule(OLD, "(COUNTS|NOW|SELF|NEW) ~ ,? AND? (NOT|NOLONGER) ASIN? § END", "Use this, not [[x]]."),
    # It stands beside a label.
    ReplacementRule(OLD, "BEGIN § BREAK DEAD END", "[[x]]: obsolete."),
    ReplacementRule(OLD, "§ ~ → ~ SELF", "[[x]] → this note."),
    ReplacementRule(OLD, "BEGIN FORMER :? § END", "Round ones (was: [[x]])."),
    ReplacementRule(OLD, "FORMER ~ (HELD|BE) ~ §", "Bisher galt [[x]].", ("de",)),
    ReplacementRule(OLD, "BE § FORMER END", "It was [[x]] before."),
    ReplacementRule(OLD, "BEGIN FORMER , ~ (DEAD|NOLONGER ~ VALID|VALID) : §", "Previous version, invalid: [[x]]."),
    ReplacementRule(OLD, "(OTHERWISE ~ FORMER|FORMER ~ OTHERWISE) ~ <? §", "It used to be otherwise ([[x]])."),
    # It is the one that replaces.
    ReplacementRule(HEIR, "PASSIVE ~ BY ~ §", "Succeeded by [[x]]."),
    ReplacementRule(HEIR, "BY ~ § ~ PASSIVE", "Wurde durch [[x]] ersetzt.", ("de",)),
    ReplacementRule(HEIR, "§ ,? WHO? ~ REPLACES ~ SELF", "[[x]] replaces this note."),
    ReplacementRule(HEIR, "§ IDLE REPLACES", "[[x]] la sustituye.", ("es", "fr")),
    ReplacementRule(HEIR, "YIELDS ~ §", "This rule has given way to [[x]]."),
    ReplacementRule(HEIR, f"{_OWN}(MOVED|CHANGED) IDLE* INTO ~ §", "Moved to [[x]]."),
    ReplacementRule(HEIR, f"{_OWN}{_GONE} ~ {_NEXT} ~ BREAK? NOW? BREAK? (NEW STATE?)? ~ SEE? ~ §", "Changed since: [[x]]."),
    ReplacementRule(HEIR, f"{_OWN}{_GONE} ~ {_NEXT} ~ § ~ (COUNTS|BE (VALID|NEW))", "Not current; the amount in [[x]] counts."),
    ReplacementRule(HEIR, f"BEGIN BE? IDLE*{_GONE} IDLE*SINCE ~ §", "Served till nine, obsolete since [[x]]."),
    ReplacementRule(HEIR, f"{_OWN}WRONG ~ {_NEXT} ~ SEE ~ §", "Wrong by now: we follow [[x]]."),
    ReplacementRule(HEIR, "START IDLE*FORMER MARK IDLE*(NOW|NEW|SEE)~ BREAK? §", "Old! Now: [[x]]."),
    ReplacementRule(HEIR, "BEGIN IDLE*NEW STATE (BE? IN|:) §", "New version in [[x]]."),
    ReplacementRule(HEIR, "SEE ~ § ~ FOR ~ (NEW STATE|STATE NEW)", "See [[x]] for the current price."),
    ReplacementRule(HEIR, "FOR ~ (NEW STATE|STATE NEW) ,? SEE ~ §", "For the current price, see [[x]]."),
    ReplacementRule(HEIR, "START NOW :? (SEE|IN) ~ §", "Now see [[x]]."),
    ReplacementRule(HEIR, "(NOW COUNTS|COUNTS NOW) ~ §", "Inzwischen gilt [[x]].", ("de", "es", "fr")),
    ReplacementRule(HEIR, "BEGIN § (NOW COUNTS|COUNTS NOW)", "[[x]] applies now."),
    ReplacementRule(HEIR, "THEREFOR ,? (?!~ INSTEAD) ~ §", "What counts instead is [[x]]."),
    ReplacementRule(HEIR, "(BEGIN|(SEE|USE|WE|NOW) ~ )(?<!INSTEAD)§ ~ (THEREFOR|NOW) END", "Use [[x]] instead."),
    ReplacementRule(HEIR, "(HELD|VALID|STATE) IDLE* UNTIL ~ §", "Was the plan until [[x]]."),
    ReplacementRule(HEIR, "→ §", "Labels → [[x]]."),
    ReplacementRule(HEIR, "§ .{0,15}?, AND? THISONE BE ~ DEAD", "[[x]] has the schedule, this one is out of date."),
)  # fmt: skip
VERDICT = rf"{_OWN}({_GONE}|FORMER) ~ ! \Z"  # it says only that its own note is out of date
