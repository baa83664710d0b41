"""Secrets that open something: PINs, door codes, combinations, one-time codes. They are digits near certain words.

Compiling a rule takes longer than searching a note for its words and for such digits, so this is done first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mdmem.text.patterns import late
from mdmem.values import NamedTuple
from mdmem.write import secrettables as tables
from mdmem.write.secrettext import SearchedText
from mdmem.write.secretwords import Leak

# Digits as in a code (the 2 of CVV2 may come before): not a longer number, such as a time in nanoseconds.
_SOME_DIGITS = late(r"(?<!\d)\d{3,9}(?!\d)|(?<!\d)\d{1,2}(?:[-–/ ]\d{1,2}){2}|\d[a-z]\d|[a-z0-9]{4}-[a-z0-9]{4}")
_UNITS = r"(?:px|mm|cm|km|m|kg|%|eur|usd|people|users?|notes?|items?|times|days?|steps|seconds|ms|words)"
_NUMBER = rf"\d{{3,8}}\b(?!\s?{_UNITS}\b)(?![.,]\d)"
_DIGITS = rf"[\"'`*#]*(?P<value>{_NUMBER}|\d{{1,2}}[A-Z]\d{{2,4}}\b|\d{{1,2}}(?:[-–/ ]\d{{1,2}}){{2,3}}\b)"
_GROUPED = rf"(?P<value>\d{{4,8}}\b(?!\s?{_UNITS}\b)|(?=[a-z-]*\d)[a-z0-9]{{4,8}}-[a-z0-9]{{4,8}}\b)"
_IS = r"(?:is|was|are|=|:|->|ist|lautet|sind|lauten|es|est|c['’]est|e|war|son|sono|set to|to|auf)"
_NOW = r"(?:now|still|jetzt|nun|ahora|maintenant|adesso|changed|just|set)"
_THE = r"(?:the|my|our|die|das|den|der|dem|la|le|el|il|lo|les|los|l['’]|o|a)"
_OF = r"(?:for|of|to|on|at|fur|von|vom|am|zum|zur|de|del|della|dell['’]|du|des|da|do|pour|para|per|d['’])"
_PHRASE = r"(?:\s+[\w'’-]+){0,6}?"  # "of the blue house", before "is"
_TOLD = rf"(?:\s*[:=#]?\s*|{_PHRASE},?\s*(?:[:=]|(?<=\s){_IS}|\s{_IS})(?:\s+{_NOW})*(?:\s+to)?\s*:?\s*|\?\s*)"
_SURELY_TOLD = rf"(?:['’]s\s+|{_PHRASE},?\s*(?:[:=]|\s{_IS})(?:\s+{_NOW})*(?:\s+to)?\s*:?\s*)"
_ALONE = r"(?=[#*]*(?:\s*$|[.,;!)\n]|\seingeben))"  # not "safe 2024 budget"
_PLACE, _PIN = tables.PLACE, "|".join(tables.PIN)
_CODE = "".join(rf"(?<!\b{word} )" for word in tables.NO_LOCK) + tables.CODE
_OF_PLACE = rf"{_CODE}\s+{_OF}?\s*(?:{_THE}\s*)?(?:\w+\s)?(?:{_THE}\s*)?{_PLACE}"
_OPENS = rf"{_PLACE}\b[^\n.!?]{{0,30}}?\b(?:{tables.OPENS_WITH})\s+(?:{_THE}\s+{_CODE}\s+)?"
_OPENED = rf"(?:{tables.LOCK}|{tables.ENTRANCE}|get in)"
_ONE_TIME = rf"{tables.ONE_TIME}[- ]?(?:\w+[- ])?(?:codes?|pins?|tans?|passcodes?|keys?|phrases?)"
_ABBREVIATED = r"(?-i:PIN|PUK|TAN|OTP|iTAN|mTAN|CVV|CVC|CVV2|CVC2|cvv|cvc|NIP|Digicode|digicode)"

# Each match of a rule contains one of its hints, with single spaces; hints in capitals are case-sensitive.
_CODE_HINTS = ("code", "codi", "pin", "combin", "combo", "kombin", "clave", "geheim")
_PIN_HINTS = ("pin", "code", "codi", "puk", "nip", "geheim")
_BOX_HINTS = ("safe", "box", "keypad")
_LOCK_HINTS = (
    *_BOX_HINTS,
    *("lock", "alarm", "allarm", "tresor", "haustur", "caja", "coffre", "cassaforte"),
    *("candado", "cadenas", "lucchetto"),
)
_ENTER_HINTS = (
    *("press", "type ", "enter", "punch", "key in", "dial", "eingeben", "tippe", "gib", "marca", "marque"),
    *("teclea", "tapez", "compose", "digita", "inserisci"),
)
_DISARM_HINTS = ("takes", "unlock", "disarm", "turn it", "se desactiv", "si disattiva")
_OPEN_HINTS = ("open", "unlock", "offnet", "geht", "abre", "apre", "ouvre")
_ABBREVIATION_HINTS = ("PIN", "PUK", "TAN", "OTP", "CVV", "CVC", "cvv", "cvc", "NIP", "igicode")
_ONE_TIME_HINTS = ("code", "pin", "tan", "key", "phrase")


class CodeRule(NamedTuple):
    """A pattern for a code, and parts of words one of which must occur near digits for the pattern to match."""

    hints: tuple[str, ...]
    pattern: re.Pattern[str]


RULES = tuple(
    CodeRule(hints, late(pattern, re.I))
    for hints, pattern in (
        (_CODE_HINTS, rf"(?<!\w){_PLACE}(?:['’]s)?(?:\s\d+)?:?[\s-]?(?:[a-z]+\s)?{_CODE}{_TOLD}{_DIGITS}"),
        (_CODE_HINTS, rf"(?<!\w){_OF_PLACE}{_TOLD}{_DIGITS}"),
        (_OPEN_HINTS, rf"(?<!\w){_OPENS}{_DIGITS}"),
        (_PIN_HINTS, rf"(?<![\w])(?:\w+-)?(?:{_PIN}){_SURELY_TOLD}{_DIGITS}"),
        (_BOX_HINTS, rf"(?<!\w){tables.KEY_BOX}(?:(?:\s[a-z]+){{1,5}}:)?\s{_DIGITS}{_ALONE}"),
        (_LOCK_HINTS, rf"(?<!\w){tables.LOCK}\s?[:=]\s?{_DIGITS}{_ALONE}"),
        (_ENTER_HINTS, rf"(?<!\w){tables.ENTER}\s+{_DIGITS}[#*]?\s[^\n.!?]{{0,30}}?\b{_OPENED}\b"),
        (
            (*_ENTER_HINTS, *_DISARM_HINTS),
            rf"(?<!\w){_PLACE}\b[^\n.!?]{{0,30}}?\b(?:{tables.ENTER}|{tables.DISARMS})\s+{_DIGITS}{_ALONE}",
        ),
        (("PIN",), rf"(?<!\w)(?-i:PIN)\s+{_OF}\s*(?:{_THE}\s*)?\w+\s+{_DIGITS}"),
        (_ABBREVIATION_HINTS, rf"(?<!\w)(?:[A-Za-z]+-)?{_ABBREVIATED}{_TOLD}{_DIGITS}"),
        (_ONE_TIME_HINTS, rf"(?<!\w){_ONE_TIME}{_TOLD}{_GROUPED}"),
    )
)


_HINTS = frozenset(hint for rule in RULES for hint in rule.hints)


def hits(searched: SearchedText) -> Iterator[Leak]:
    """Every code that is stated in a text."""
    near = near_digits(searched)
    there = {hint for hint in _HINTS if hint in near} if near else set()
    for rule in RULES if there else ():
        if not there.isdisjoint(rule.hints):
            for match in rule.pattern.finditer(searched.text):
                yield Leak("PIN", match.start("value"), match["value"])


def near_digits(searched: SearchedText) -> str:
    """The lines with digits as in a code, and the lines above them, in lower case and as they are."""
    text, low = searched.text, searched.low
    lines = [line for line in searched.digit_lines if _SOME_DIGITS.search(low, line.start, line.end)]
    return " ".join(word for form in (low, text) for line in lines for word in form[line.above : line.end].split())
