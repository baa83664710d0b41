"""What somebody said, for readers who were not there: in the third person, or quoted with the speaker's name."""

from __future__ import annotations

import re

from mdmem.language.persons import english, french, german, spanish

ASSISTANT = "the assistant"
_USERS = frozenset(("user", "human", "me", "you", "i", ""))
_ADDRESSED = re.compile(r"\b(?:you|your|yours|yourself|u)\b", re.I)
_SELF = re.compile(r"\b(?:i|me|my|mine|myself|we|our|ours|ourselves)\b(?!/)|\bus\b(?!-)(?<!\bUS)", re.I)
_ABROAD = {"de": german, "es": spanish, "fr": french}
_CODE = re.compile(r"[`\"“”]|\n")
# Verbs whose third person is known, after "I".
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
_KNOWN_FORMS = "|".join([*_VERBS, *sorted(english.UNCHANGED), "[a-z]+ed"])
_SURE_AFTER_I = re.compile(
    r"\bi(?:'m|'ve|'d|'ll| am| have| do not| don't| can't| cannot)\b"
    rf"|\bi (?:(?:{_ADVERBS}) )*(?:{_KNOWN_FORMS})\b",
    re.I,
)
_SENTENCE_START = re.compile(
    r"(?<=[.!?…] )(?:the(?= user\b)|el(?= usuario\b)|der(?= Nutzer\b)|l(?='utilisateur\b))"
)
_INVERTED = re.compile(r"\b(?:can|could|should|will|would|do|did|may|might|must|am|have) i\b", re.I)
# The "I" of someone else: "Carla said: I live in Graz", "Carla: I live in Graz".
_DIRECT_SPEECH = re.compile(
    r"(?<!\bi )\b(?:sa(?:id|ys)|told (?:me|us)|wrote|writes|asked|answered|replied|texted)\s*[:,]", re.I
)
_SPEAKER = re.compile(r"\A([A-Z][a-z]+): (?:I|My)\b")
_NO_SPEAKERS = frozenset("correction update edit note fact info preference reminder context background".split())
_SECOND_VERB = re.compile(rf"\b(?:and|or|but|then)\s+(?:{'|'.join(_VERBS)})\b", re.I)


def told(text: str, speaker: str, name: str = "", language: str = "en") -> str:
    """What a "user" or "assistant" said, in a form that a later reader can understand.

    `name` is the speaker's own, or "". A text about nobody stays as it is. A text whose third person is certain
    gets it: "I like tea." becomes "The user likes tea.". Anything else is quoted: 'The user said: "I hate it when
    you summarise."'
    """
    text = text.strip()
    if not _speaks_of_people(text, language):
        return text
    if is_quoted(text, speaker, language):
        return quoted(text, speaker, name)
    said = _third_person(text, name, language, "the user")
    return _SENTENCE_START.sub(lambda match: match[0].capitalize(), said[:1].upper() + said[1:])


def is_quoted(text: str, speaker: str, language: str = "en") -> bool:
    """Whether a text has to be quoted: it says "I" or "you", and its third person is not certain."""
    if not _speaks_of_people(text, language):
        return False
    if speaker != "user":
        return True
    plain = text.replace("’", "'")
    if language in _ABROAD:
        told_of_user = _ABROAD[language].third_person(plain)
        return bool(_CODE.search(plain) or _ABROAD[language].LEFT.search(told_of_user))
    return not is_sure(plain)


def _third_person(text: str, name: str, language: str, user: str) -> str:
    plain = text.replace("’", "'")
    if language in _ABROAD:
        told_of_user: str = _ABROAD[language].third_person(plain)
        return told_of_user
    return english.third_person(plain, name if name.lower() not in _USERS else user)


def _speaks_of_people(text: str, language: str) -> bool:
    """Whether a text says "I", "we" or "you", or has a verb that implies it."""
    if language not in _ABROAD:
        return bool(_SELF.search(text) or _ADDRESSED.search(text))
    abroad = _ABROAD[language]
    return bool(abroad.LEFT.search(text)) or abroad.third_person(text) != text


def is_sure(text: str) -> bool:
    """Whether an English sentence in the first person has one certain form in the third person."""
    if any(pattern.search(text) for pattern in (_ADDRESSED, _CODE, _SECOND_VERB, _INVERTED, _DIRECT_SPEECH)):
        return False
    speaker = _SPEAKER.match(text)
    if speaker and speaker[1].lower() not in _NO_SPEAKERS:
        return False
    first_persons = len(re.findall(r"\bi\b", text, re.I))
    return first_persons == len(_SURE_AFTER_I.findall(text))


def quoted(text: str, speaker: str, name: str = "") -> str:
    """A text as a quotation: 'The user said: "..."'; one with several lines or quotes as a block quotation."""
    who = speaker_name(speaker, name)
    said = f"{who[:1].upper()}{who[1:]} said:"
    if "\n" in text or '"' in text:
        return said + "\n\n" + "\n".join(f"> {line}".rstrip() for line in text.split("\n"))
    return f'{said} "{text}"'


def speaker_name(speaker: str, name: str = "") -> str:
    """The speaker as a later reader knows them: by name, as "the user" or as "the assistant"."""
    if speaker == "assistant":
        return ASSISTANT
    return name if name.lower() not in _USERS else "the user"
