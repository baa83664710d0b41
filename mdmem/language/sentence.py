"""What a person says in a chat, without greetings, courtesies and requests to remember it."""

from __future__ import annotations

import re

_END_CHARS = 80  # at the end of a text that are searched for courtesies

_VOCATIVE = r"(?:claude|chat ?gpt|gpt|gemini|codex|copilot|assistant|there|all|everyone|team)"
_STOP = r"(?=\s*(?:[,.!:;–—-]|$))"  # behind a word that opens a sentence only where it stands alone: "No meetings"
_EMOJI = r"[\U0001F300-\U0001FAFF\u2600-\u27BF]"
_FILLERS = (  # words that open a sentence and say nothing, in any chat
    r"(?:lo+l|(?:ha){2,}\w*|hehe|(?:ja){2,}|yup|um+|uh|hmm+|eh|aa+h*|heyy+|ye+s{2,}|omg|ok new topic|bingo|legend"
    r"|mind you|you know|i mean|for your information|ach ja|ach|na ja|na(?= \w)"
    r"|übrigens(?! \w+ (?:der|die|das|ich|wir|es|er|sie|man|mein|unser)\b)|und(?= \w)|aber(?= \w)"
    r"|zur info|au fait|bon|alors|et(?= \w)|mais(?= \w)|euh|por cierto|ojo|bueno|pues|y(?= \w)|pero(?= \w)|oye"
    r"|(?:yep|yup|yes|yeah) and(?= \w)|ja und(?= \w)"
    r"|ja aber(?= \w)|nur damit (?:du es weißt|sie es wissen)"
    r"|attention(?= ?[,:])|une précision(?= ?:)|pour info|sache[sz]? que|il faut savoir que"
    r"|debo rectificar(?=:)|que (?:sepa|sepas|conste) que|conviene que sepas? que"
    r"|ten(?:ga|gas)? en cuenta que"
    r"|incidentally|guess what|halt dich fest|stell dir vor|tu sais quoi|figure-toi que|sabes qué"
    r"|you may (?:congratulate me(?=:)|be (?:pleased|glad) to (?:hear|know) that)"
    r"|puedes?(?: usted)? alegrarte? conmigo(?=:)|puede(?: usted)? alegrarse conmigo(?=:))"
)
_ASIDE = re.compile(r"(?:, by the way,?(?= )|,? by the way(?=[.!]|$)|,? btw\b,?| lol\b(?=,))", re.I)
_OPENING = re.compile(
    rf"^(?:{_EMOJI}+\s*|(?:{_FILLERS}"
    rf"|oh|ok(?:ay)?|well|so(?! far\b)|and|but|(?:hey|hi|hello)(?:\s+{_VOCATIVE}\b)?|wait|hold on|sorry"
    r"|actually|also|btw|fyi|please|pls|hm+|ah|anyway|by the way|in fact|honestly|(?:just )?to be clear|oops"
    r"|til\s+that|til(?=:)|today i learn(?:ed|t) that"
    r"|(?:as )?(?:it )?turn(?:s|ed) out(?! to\b)(?: that)?|no(?=\s+(?:wait|actually|sorry|it|i)\b)"
    rf"|{_VOCATIVE}(?=,)|(?:yes|yeah|yep|no|nope|nah|thanks|thank you|thx|great|cool|right|correction|noted|got it"
    r"|understood|sure|of course|certainly|absolutely|perfect|alright|gotcha|will do|fine|done|good|nice"
    r"|(?:i was|you(?:'re| are|'ve| have)? (?:got (?:it|that) )?|that(?:'?s| is) (?:not )?)"
    r"\s*(?:wrong|right|mistaken|correct|true)"
    r"|my (?:mistake|bad)|ja|nein|ach|hallo|danke|bitte|stimmt|genau|hola|gracias|perd[oó]n|s[ií]|vale|oui|non"
    rf"|merci){_STOP})\b[\s,.!:;–—-]*)+",
    re.I,
)
_CLOSING = re.compile(
    rf"(?:\s*{_EMOJI}+|[\s,;–—-]+(?:please|pls|thanks|thank you|thx|cheers|bitte|danke|gracias|por favor|lo+l|tho"
    r"|(?:ha){2,}\w*|(?:ja){2,}\w*)"
    r"|\s*[,;–—]\s*(?:ok(?:ay)?|right))+(?=[.!?…]*$)",
    re.I,
)
_TARGET = (
    r"(?:\s+(?:to|in|into|for)\s+(?:your\s+|the\s+|my\s+|long[- ]term\s+)*"
    r"(?:memory|memories|mind|notes?|vault|file|record|future reference|later))"
)
_ASKING = (
    r"(?:(?:please|pls|can|could|would|will|should|must|you|do|just|let'?s|i'?d?|like|want|need|to|make|sure|oh|ok|okay"
    rf"|well|so|and|but|also|btw|hey|hi|hello|yes|now|then|one thing|{_VOCATIVE})\b[\s,.!:;–—-]*)*"
)
_REQUEST = re.compile(
    rf"^{_ASKING}(?:"
    r"(?:put|keep|save) (?:this|that|it) somewhere[^:.!?]{0,40}(?=\s*:)|"
    r"(?:save|store|put|add|write|commit|log|note|record|jot|keep)"
    rf"(?:\s+(?:this|that|it|the following)\b(?:\s+down\b)?(?:\s+somewhere\b)?{_TARGET}?"
    rf"|\s+down\b(?:\s+somewhere)?{_TARGET}?"
    rf"|{_TARGET}|(?=\s*:))"
    r"|(?:remember|memori[sz]e)(?:\s+(?:this|that)\b)?|(?:don'?t|do not|never)\s+(?:ever\s+)?forget(?:\s+that\b)?"
    r"|make\s+a\s+(?:mental\s+)?note(?:\s+(?:that|of)\b)?|take\s+(?:a\s+)?note(?:\s+(?:that|of)\b)?"
    r"|note to (?:self|myself)|bear in mind(?:\s+that\b)?|for the record|for (?:future|later) reference"
    r"|merk(?:e)? dir(?: bitte)?|vergiss (?:bitte )?nicht|recuerda(?: que)?|no olvides(?: que)?"
    r"|keep on (?:file|record)(?: that)?|something for me[^:.!?]{0,40}(?=\s*:)"
    r"|(?:je (?:te|vous) prie de )?garde[rz]? (?:pour moi|en (?:tête|mémoire))(?:,? s'il (?:te|vous) plaît)?"
    r"(?: que)?"
    r"|note[rz]?-le[^:.!?]{0,40}(?=\s*:)|(?:recu[eé]rda|gu[aá]rda|ap[uú]nta|an[oó]ta)(?:lo|te)?[^:.!?]{0,40}(?=\s*:)"
    r"|tome nota,(?: [^:,.!?]{0,40},)? de que|merken sie sich(?: bitte)?(?=:)"
    r"|souviens[- ]toi(?: que)?|n'oublie pas(?: que)?|retiens(?: que)?)\b[\s,.:;–—-]*(?:(?:please|pls)\b\W*)?"
    r"(?:that\s+)?",
    re.I,
)
_ASKED = re.compile(  # the same at the end: "We meet on Mondays, remember that."
    r"(?:\s*[,;–—]+\s*|\s+-+\s+|\s+(?=please\b|pls\b))(?:(?:and|so|but|please|pls|just)\s+)*"
    r"(?:remember|save|store|note|keep)"
    rf"(?:\s+(?:this|that|it)\b)?(?:\s+down\b)?{_TARGET}?(?=[.!…]*$)",
    re.I,
)


def without_request(sentence: str) -> str:
    """The sentence without the words that ask to remember it; the whole sentence if nothing else is left."""
    text = sentence.strip()
    match = _REQUEST.match(text)
    rest = text[match.end() :].strip(" \t:,-–—") if match else text
    rest = _shortened(_ASKED, rest)
    if not re.search(r"\w", rest) or rest.startswith("dass "):  # a clause with "dass" is not a sentence
        return text
    first = rest.split(" ", 1)[0]
    return rest[:1].upper() + rest[1:] if rest != text and first.strip(",'’s").isalpha() else rest


def _shortened(ending: re.Pattern[str], text: str) -> str:
    """The text without this ending, searched for in its last part only: a chat may hold any run of characters."""
    return text[:-_END_CHARS] + ending.sub("", text[-_END_CHARS:])


def plain(text: str) -> str:
    """The text without greetings, courtesies and requests to remember around it; "" if it holds nothing else."""
    rest = _ASIDE.sub("", _shortened(_CLOSING, _shortened(_ASKED, _OPENING.sub("", text.strip()))))
    return rest[:1].upper() + rest[1:] if rest != text.strip() else rest


def told(sentence: str) -> str:
    """The statement in a sentence, without courtesies and without a request to remember it."""
    return without_request(plain(sentence))
