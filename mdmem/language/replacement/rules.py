"""The forms of clauses that say, beside a link, that one note replaces another. Data.

The rules are the same in all languages; their words are in `reading`.
"""

# ruff: noqa: E501 - a rule and its example are one row
from __future__ import annotations

from typing import NamedTuple

LANGUAGES = ("en", "de", "es", "fr")
OLD, HEIR = "old", "heir"  # the linked note has been replaced; it replaces the note with the text


class ReplacementRule(NamedTuple):
    """What a clause looks like, and whether its link (§) is replaced (OLD) or replaces the note (HEIR).

    In `pattern` kinds of words stand in capitals, `~` is up to six other words, `BEGIN` and `END` where a clause does,
    `START` where the sentence begins, `MARK` a comma or full stop, `BREAK` a colon or the like, `<` and `>` brackets,
    `¤` another link, `†` words struck out, `‡` where a struck link begins; all else is as in a regular expression. `languages` are those whose order of words it is.
    `is_sure` is whether it can mean nothing else.
    """

    direction: str
    pattern: str
    example: str
    languages: tuple[str, ...] = LANGUAGES
    is_sure: bool = True


# What is said of an outdated note: after the link, about the note itself, and by someone who has just read it.
_OUT = "(BE ~ DEAD|(BE ~ )?NOLONGER ~ VALID|VALID ~ NOLONGER|BE ~ WRONG|WRONG|DIES|BE ~ NOT ~ VALID|GO)"
_GONE = (
    "(DEAD|CHANGED|DIES(?=MARK|BREAK)|NOLONGER ~ VALID|VALID ~ NOLONGER|NOLONGER IDLE*(?=MARK|BREAK)"
    "|(NOT NOW|NOW NOT)(?=MARK|BREAK)|NOT (IDLE|BE|SELF)*VALID|(NOT|NOLONGER) USE SELF)(?!ARTICLE|STATE)"
)
_OPINION = (
    "((IDLE|SO|MAY)*DISCARD (SELF|THATONE|IDLE)* END|(IDLE|SO)*NOT USE ~ (SELF|THATONE) END"
    "|(WE|SELF|THATONE|BE|IDLE)* (NOLONGER ~ VALID|NOT VALID|VALID ~ (AND ~)?(NOT|NOLONGER)|ERRED) ~ END"
    "|(WE|SELF|THATONE|BE|IDLE|AND)*(.?WRONG|DEAD) END|(IDLE|SO)*NONE ~ (VALID|REMAINS))"
)
_OWN = "(START|<)(IDLE (BREAK|,)?)*SELF? (BE BE*~)?IDLE*"  # the note itself is the subject, named or not
_FORMER = "(FORMER|OLDER STATE|STATE OLDER)"  # a label for what was before
_NEXT = "(MARK|BREAK|<(?=SEE))"  # another clause follows

RULES = (
    # The linked note is the subject.
    ReplacementRule(OLD, "§ >? ~ BE ~ DEAD(?!BY ~ ¤)", "[[x]] can be struck."),
    ReplacementRule(OLD, "§ >? ~ DIES", "[[x]] has had its day."),
    ReplacementRule(OLD, "§ >? ~ ,? ~ NOLONGER ~ VALID", "What [[x]] says stopped being true."),
    ReplacementRule(OLD, "§ >? ~ ,? ~ VALID ~ NOLONGER", "Was in [[x]] steht, gilt nicht mehr.", ("de",)),
    ReplacementRule(OLD, "§ ~ , BE ~ DEAD", "Was in [[x]] steht, ist überholt.", ("de",)),
    ReplacementRule(OLD, f"§ ~ AND ~ {_OUT}", "[[x]] was about the old pump and is no longer accurate."),
    ReplacementRule(OLD, f"§ .{{0,15}}?[,;:] AND? (WHO|SELF|THATONE)(?<!THISONE) IDLE*{_OUT} ~ END", "Before: [[x]], that is out of date."),
    ReplacementRule(OLD, "§ ~ NEEDNOT ~ KEEP", "[[x]] needn't be kept."),
    ReplacementRule(OLD, "§ BE ~ OLDER ~ END", "[[x]] was the earlier plan."),
    ReplacementRule(OLD, "§ ~ GO END", "[[x]] can go."),
    ReplacementRule(OLD, "§ ~ ORIGIN (IDLE|ARTICLE|ADJUNCT)*OLDTIME", "[[x]] dates from before the change."),
    ReplacementRule(OLD, "§ ~ WASSO", "See [[x]] for how it used to be."),
    ReplacementRule(OLD, "§ ~ (HELD|WAS ~ VALID) ~ UNTIL", "[[x]] was valid until Christmas."),
    ReplacementRule(OLD, "WITH § ~ OVER", "Mit [[x]] ist Schluss."),
    ReplacementRule(OLD, "§ ~ BE ~ OVER END", "The rules of [[x]] are off."),
    ReplacementRule(OLD, "NONE ~ § ~ (VALID|REMAINS)", "Nothing of [[x]] is left."),
    ReplacementRule(OLD, "STILL ~ § ~ WRONG", "Who still follows [[x]] is wrong."),
    ReplacementRule(OLD, "BEGIN ((NEW|OLDER|FORMER|IDLE)*STATE ~ )?§ IDLE*DEAD END", "Address on file ([[x]]) superseded."),
    ReplacementRule(OLD, "§ ~ (BE|MAY) ~ NOLONGER ~ BE", "[[x]] must no longer be given."),
    ReplacementRule(OLD, "[,;] AND? § BE? (NOT|NOLONGER) END", "This is the one that counts, [[x]] doesn't."),
    ReplacementRule(OLD, "§ ~ ERRED", "[[x]] had it backwards."),
    ReplacementRule(OLD, "§ ~ (BE IDLE*)?NOT (IDLE|BE)*VALID END", "[[x]] isn't right."),
    ReplacementRule(OLD, "§ VALID NOT END", "[[x]] stimmt nicht.", ("de",)),
    ReplacementRule(OLD, "§ < IDLE*(DEAD|WRONG|CHANGED|FORMER|NOLONGER ~ VALID) ~ >", "See [[x]] (obsolete)."),
    ReplacementRule(OLD, "‡ ~ §", "~~[[x]]~~ Nine o'clock.", is_sure=False),
    ReplacementRule(OLD, f"(READS ~ § ~|§ ~ READS ~|START IDLE*§) ([,;:—]|→) {_OPINION}", "I read [[x]] again; hardly a word of it survives."),
    # The link comes after the verb, or between its parts.
    ReplacementRule(OLD, "BE ~ § ~ DEAD(?!BY ~ ¤)", "Hiermit wird [[x]] aufgehoben.", ("de", "es")),
    ReplacementRule(OLD, "BE DEAD ~ §", "Queda anulada [[x]].", ("es",)),
    ReplacementRule(OLD, "DIES ~ §", "Damit entfällt [[x]].", ("de", "es")),
    ReplacementRule(OLD, "NOLONGER ~ (VALID|USE) ~ §", "We no longer use [[x]]."),
    ReplacementRule(OLD, "BEGIN NOT VALID WHAT ~ §", "No vale lo que dice [[x]].", ("es",)),
    ReplacementRule(OLD, "VALID ~ § ~ NOLONGER", "Wir nutzen [[x]] nicht mehr.", ("de",)),
    ReplacementRule(OLD, "(START NOLONGER § END|ASIN ~ § , NOLONGER END)", "Not [[x]] any more."),
    # The linked note is the object.
    ReplacementRule(OLD, "INSTEAD ~ <? §", "One coat a year instead of [[x]]."),
    ReplacementRule(OLD, "REPLACES (?!~ BY §) ~ (:|OLDER ~ <)? §", "This supersedes [[x]]."),
    ReplacementRule(OLD, "[,<] (WHO|IDLE) ~ § ~ (REPLACES|PASSIVE)", "Eine Liste, die [[x]] ersetzt.", ("de",)),
    ReplacementRule(OLD, "LIFTS ~ § ~ OFF", "Diese Regel löst [[x]] ab.", ("de", "en")),
    ReplacementRule(OLD, "PLACE § ~ STEPS", "An die Stelle von [[x]] tritt diese Notiz.", ("de",)),
    ReplacementRule(OLD, "WE ~ LEFT ~ §", "We have given up [[x]]."),
    ReplacementRule(OLD, "BEGIN DROPPED (?!~ (BY|SINCE)) ~ §", "Replaced [[x]].", is_sure=False),
    ReplacementRule(OLD, "CORRECTS ~ §", "This updates [[x]].", is_sure=False),
    ReplacementRule(OLD, "MAKES ~ § ~ DEAD", "That makes the rule of [[x]] moot."),
    ReplacementRule(OLD, "MAKES ~ DEAD ~ §", "Esto deja obsoleta [[x]].", ("es", "fr")),
    ReplacementRule(OLD, "BEGIN IDLE*DISCARD ~ (, WHAT IN )?§(?!WHEN)", "The code is 9023, so ignore [[x]]."),
    ReplacementRule(OLD, "BEGIN ~ MAY ~ DISCARD ~ §(?!WHEN)", "On peut effacer [[x]]."),
    ReplacementRule(OLD, "§ ~ DROP END", "[[x]] vergessen.", ("de", "fr", "es")),
    ReplacementRule(OLD, "BEGIN IDLE*NOT NOT? USE ~ §(?!WHEN)", "No hagáis caso de [[x]]."),
    ReplacementRule(OLD, "(§ ~ NOT ~|BEGIN NOT §) USE END", "[[x]] bitte nicht verwenden.", ("de", "fr")),
    ReplacementRule(OLD, "(NOLONGER ~|AND NOT ~|[,:;] NOT ~ ,?)ASIN ~ §", "Only PDF, and not on paper as in [[x]]."),
    ReplacementRule(OLD, "(COUNTS|NOW|SELF|NEW) ~ ,? AND? (NOT|NOLONGER) (ASIN|PER)? § END", "Use this, not [[x]]."),
    ReplacementRule(OLD, "KEEPING ~ § ~ DEAD", "Keeping [[x]] for the archive only."),
    ReplacementRule(OLD, "NOLONGER ~ (ASIN|PER) §", "Nobody should plant by [[x]] again."),
    ReplacementRule(OLD, "CONTRARY ~ §", "Opens at nine, whatever [[x]] says."),
    ReplacementRule(OLD, "ERRED ~ IN §", "I had it backwards in [[x]]."),
    ReplacementRule(OLD, "(BEGIN|WE ~ )IN § ~ (ERROR|ERRED|WRONG)", "In [[x]] ist mir ein Fehler unterlaufen."),
    ReplacementRule(OLD, "BEGIN ((?!NOT)IDLE|SELF|BE|WAS|THEREIS)*ERROR IN §", "There was a typo in [[x]]."),
    ReplacementRule(OLD, "(BEGIN|BE) (IDLE|SELF|BE|:)* VERSION (?!~ BE) ~ § END", "Second version of [[x]]: Anna sweeps."),
    ReplacementRule(OLD, "PUT ~ § ~ HERE", "Merged [[x]] into this note."),
    ReplacementRule(OLD, "§ ~ PUT ~ HERE", "[[x]] has been merged into this note."),
    # The link stands beside a label.
    ReplacementRule(OLD, "§ ~ → ~ (SELF|HERE) END", "[[x]] → this note."),
    ReplacementRule(OLD, f"BEGIN IDLE*{_FORMER} (:|BE)? § END", "Round ones (was: [[x]])."),
    ReplacementRule(OLD, "< FORMER ~ , SEE §", "Locker 14 (was 9, see [[x]])."),
    ReplacementRule(OLD, "FORMER ~ (HELD|BE) ~ §", "Bisher galt [[x]].", ("de",)),
    ReplacementRule(OLD, "BE § FORMER END", "It was [[x]] before."),
    ReplacementRule(OLD, "WAS ~ (OLDER STATE|STATE OLDER) <? §", "Three weeks, that was under the old rules ([[x]])."),
    ReplacementRule(OLD, f"BEGIN {_FORMER} , ~ (DEAD|NOLONGER ~ VALID|VALID) : §", "Previous version, invalid: [[x]]."),
    ReplacementRule(OLD, "(OTHERWISE ~ FORMER|FORMER ~ OTHERWISE) ~ <? §", "It used to be otherwise ([[x]])."),
    # The linked note is the one that replaces.
    ReplacementRule(HEIR, "PASSIVE ~ BY ~ §", "Succeeded by [[x]]."),
    ReplacementRule(HEIR, "START SELF? BE ~ IN § ~ CHANGED", "Wurde in [[x]] neu geregelt.", ("de",)),
    ReplacementRule(HEIR, "BY ~ § ~ PASSIVE", "Wurde durch [[x]] ersetzt.", ("de",)),
    ReplacementRule(HEIR, "§ ,? WHO? ~ REPLACES ~ SELF", "[[x]] replaces this note."),
    ReplacementRule(HEIR, "§ IDLE REPLACES", "[[x]] la sustituye.", ("es", "fr")),
    ReplacementRule(HEIR, "YIELDS ~ §", "This rule has given way to [[x]]."),
    ReplacementRule(HEIR, f"{_OWN}(MOVED|CHANGED) IDLE* INTO ~ § END", "Moved to [[x]]."),
    ReplacementRule(HEIR, f"{_OWN}{_GONE} ~ {_NEXT} ~ BREAK? NOW? BREAK? (NEW STATE?)? ~ SEE? ~ §", "Changed since: [[x]]."),
    ReplacementRule(HEIR, f"BEGIN BE? IDLE*{_GONE} IDLE*SINCE ~ §", "Served till nine, obsolete since [[x]]."),
    ReplacementRule(HEIR, f"START <? (IDLE|SELF|BE)*({_FORMER}|OLDER) {_NEXT} IDLE*(NOW|NEW|SEE)~ BREAK? §", "Old! Now: [[x]]."),
    ReplacementRule(HEIR, "BEGIN IDLE*(NEW STATE?|STATE NEW) (BE ~ IN|:|BE|IN|SEE) § END", "New version in [[x]]."),
    ReplacementRule(HEIR, "BEGIN IDLE*SUCCESSOR :? § END", "Successor: [[x]]."),
    ReplacementRule(HEIR, "START SELF? BE? NOW PARTOF ~ §", "Now part of [[x]]."),
    ReplacementRule(HEIR, "START EDIT [:—] ~ SEE ~ § END", "Update: see [[x]]."),
    ReplacementRule(HEIR, "BEGIN § ~ FOR ~ (NEW STATE|STATE NEW)", "[[x]] has the current price."),
    ReplacementRule(HEIR, "BEGIN (SINCETHEN|NOW) :? § END", "That was before the works. Since then [[x]]."),
    ReplacementRule(HEIR, "START † ~ ([:→!,;]|NOW|SEE|IN) IDLE*NOW?(SEE|IN)? ~ §", "~~We meet on Monday.~~ → [[x]]"),
    ReplacementRule(HEIR, "SEE ~ § ~ FOR ~ (NEW STATE|STATE NEW)", "See [[x]] for the current price."),
    ReplacementRule(HEIR, "SEE ~ § ~ WHY ~ NOW END", "See [[x]] for how it is done these days."),
    ReplacementRule(HEIR, "FOR ~ (NEW STATE|STATE NEW) ,? SEE ~ §", "For the current price, see [[x]]."),
    ReplacementRule(HEIR, "START SELF? BE? NOW [:,]? (KEEPING|MOVED)? (SEE|IN) ~ § END", "Now see [[x]]."),
    ReplacementRule(HEIR, "NOW § ~ USE END", "Bitte nur noch [[x]] verwenden.", ("de",)),
    ReplacementRule(HEIR, "(NOW COUNTS|COUNTS NOW) (?!~ INSTEAD)~ §", "Inzwischen gilt [[x]].", ("de", "es", "fr")),
    ReplacementRule(HEIR, "START (IDLE|NEW|SEE|BE|COUNTS|SELF)*THEREFOR ,? (?!~ INSTEAD) ~ §", "What counts instead is [[x]]."),
    ReplacementRule(HEIR, "(BEGIN|(SEE|USE|WE) ~ )(?<!INSTEAD)§ ~ THEREFOR END", "We do [[x]] instead."),
    ReplacementRule(HEIR, "(BEGIN|(SEE|USE) ~ )(?<!INSTEAD)§ (?!~ DEAD)~ NOW END", "Use [[x]] from now on."),
    ReplacementRule(HEIR, "(HELD|VALID|STATE) IDLE* UNTIL IDLE* §", "Was the plan until [[x]]."),
    ReplacementRule(HEIR, "(START|!) → §", "Old!! → [[x]]."),
    ReplacementRule(HEIR, "→ §", "Labels → [[x]].", is_sure=False),
    ReplacementRule(HEIR, "§ .{0,15}?, AND? THISONE BE ~ DEAD", "[[x]] has the schedule, this one is out of date."),
)  # fmt: skip
LABEL = "START IDLE*(REPLACES|PASSIVE BY|SUCCESSOR) :"  # a label above a list of links
VERDICT = rf"{_OWN}({_GONE}|{_FORMER}) ~ ! \Z"  # a sentence that only says that its own note is out of date
