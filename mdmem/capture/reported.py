"""What somebody said, for those who were not there: in the third person, or quoted with who said it."""

from __future__ import annotations

import re

from mdmem.language import sentence

ASSISTANT = "the assistant"
_USERS = frozenset(("user", "human", "me", "you", "i", ""))
_ADDRESSED = re.compile(r"\b(?:you|your|yours|yourself|u)\b", re.I)
_SELF = re.compile(r"\b(?:i|me|my|mine|myself)\b(?!/)", re.I)
_SELF_ABROAD = re.compile(
    r"\b(?:ich|mich|mir|mein\w*|bin|du|dir|dich|dein\w*|yo|mi|mis|me|soy|tengo|tu|tus|je|j'|mon|ma|mes|toi|ton|ta"
    r"|tes|io|mio|mia)\b",
    re.I,
)
_ENGLISH = re.compile(r"\b(?:i|my|the|is|are|to|and|of|a|in)\b", re.I)
_CODE = re.compile(r"[`\"“”]|\n")
# "I" with a verb whose third person is known.
_VERBS = (
    "prefer like love hate dislike want need use eat drink live work have enjoy avoid know think believe feel see "
    "own play speak study teach write read run drive ride walk cycle swim travel go get take make keep start stop "
    "finish learn listen watch cook bake buy pay cost wear sleep wake smoke train meet call try plan hope tend "
    "care do understand remember forget find say tell ask send give bring follow support trust value hold manage "
    "lead maintain build deploy ship test commute collect grow"
).split()
_ADVERBS = (
    "really|always|usually|just|also|still|only|never|actually|definitely|generally|much|strongly|often|mostly|now"
)
_KNOWN_FORMS = "|".join([*_VERBS, *sorted(sentence.UNCHANGED), "[a-z]+ed"])
_SURE_AFTER_I = re.compile(
    r"\bi(?:'m|'ve|'d|'ll| am| have| do not| don't| can't| cannot)\b"
    rf"|\bi (?:(?:{_ADVERBS}) )*(?:{_KNOWN_FORMS})\b",
    re.I,
)
_INVERTED = re.compile(r"\b(?:can|could|should|will|would|do|did|may|might|must|am|have) i\b", re.I)
# Somebody else's "I": "Carla said: I live in Graz", "Carla: I live in Graz".
_DIRECT_SPEECH = re.compile(
    r"(?<!\bi )\b(?:sa(?:id|ys)|told (?:me|us)|wrote|writes|asked|answered|replied|texted)\s*[:,]", re.I
)
_SPEAKER = re.compile(r"\A([A-Z][a-z]+): (?:I|My)\b")
_NO_SPEAKERS = frozenset("correction update edit note fact info preference reminder context background".split())
_SECOND_VERB = re.compile(rf"\b(?:and|or|but|then)\s+(?:{'|'.join(_VERBS)})\b", re.I)


def told(text: str, speaker: str, name: str = "") -> str:
    """A text of a "user" or "assistant" that a later reader can understand; `name` is the speaker's own, or "".

    What speaks of nobody stays as it is. What surely has one meaning in the third person gets it: "I like tea." is
    "The user likes tea.". All else is quoted: 'The user said: "I hate it when you summarise."'
    """
    text = text.strip()
    if not _speaks_of_people(text):
        return text
    if is_quoted(text, speaker):
        return quoted(text, speaker, name)
    who = name if name.lower() not in _USERS else "the user"
    said = sentence.third_person(text.replace("’", "'"), who)
    return said[:1].upper() + said[1:]


def titled(text: str, speaker: str, name: str = "") -> str:
    """The title of such a text, at most sentence.TITLE_CHARS characters."""
    if not is_quoted(text, speaker):
        return sentence.title(text, speaker, name)
    who = speaker_name(speaker, name).removeprefix("the ")
    return sentence.title(f"{who[:1].upper()}{who[1:]} said: {sentence.plain(text) or text}", "assistant")


def is_quoted(text: str, speaker: str) -> bool:
    """Whether a text is quoted: it speaks of "I" or "you", and the third person is not sure."""
    plain = text.replace("’", "'")
    is_told = speaker == "user" and bool(_ENGLISH.search(plain)) and is_sure(plain)
    return _speaks_of_people(text) and not is_told


def _speaks_of_people(text: str) -> bool:
    """Whether a text says "I" or "you"."""
    first_person = _SELF if _ENGLISH.search(text) else _SELF_ABROAD
    return bool(first_person.search(text) or _ADDRESSED.search(text))


def is_sure(text: str) -> bool:
    """Whether the third person of an English sentence in the first has one meaning, and is known."""
    if any(pattern.search(text) for pattern in (_ADDRESSED, _CODE, _SECOND_VERB, _INVERTED, _DIRECT_SPEECH)):
        return False
    speaker = _SPEAKER.match(text)
    if speaker and speaker[1].lower() not in _NO_SPEAKERS:
        return False
    first_persons = len(re.findall(r"\bi\b", text, re.I))
    return first_persons == len(_SURE_AFTER_I.findall(text))


def quoted(text: str, speaker: str, name: str = "") -> str:
    """A text as a quotation: 'The user said: "..."'; of several lines as a block below who said them."""
    who = speaker_name(speaker, name)
    said = f"{who[:1].upper()}{who[1:]} said:"
    if "\n" in text or '"' in text:
        return said + "\n\n" + "\n".join(f"> {line}".rstrip() for line in text.split("\n"))
    return f'{said} "{text}"'


def speaker_name(speaker: str, name: str = "") -> str:
    """Who speaks, as a later reader knows them: their name, "the user" or "the assistant"."""
    if speaker == "assistant":
        return ASSISTANT
    return name if name.lower() not in _USERS else "the user"
