"""Short English statements as subject, relation and rest, with the keys under which two can contradict.

Light rules, no grammar: a verb of the tables divides a sentence; what is unsure, past, conditional or a list is
left out. A key holds all that must be equal, the value what must differ.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from mdmem.language.contrasts import contrasts
from mdmem.language.plainer import may_be_plainer, plain
from mdmem.language.roots import singular
from mdmem.language.tables import ANTONYMS, NUMBERS
from mdmem.note import blocks, links
from mdmem.text import sentences, stopwords
from mdmem.text.calendar import MONTHS, WEEKDAYS

_MOST_WORDS, _MOST_CHARS, _MOST_LINES, _LONGEST_VALUE = 24, 160, 40, 5
_TOKEN = re.compile(r"[$€£#]?[^\W_]+(?:[.:/@'’+#-][^\W_]+)*%?|[,;]")
_BULLET = re.compile(r"^\s*(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?")
_PAIR = re.compile(r"^(?P<key>[A-Za-z][\w /-]{0,40}?)\s*:\s+(?P<value>\S.*)$")
_NUMBER = re.compile(r"[$€£#]?v?\d+(?:[.,:/-]\d+)*(?:\s?(?:%|[a-z]{1,3}))?")

_MARKS = frozenset("-*+0123456789")
_ARTICLES = frozenset("a an the this that these those its their his her our your my".split())
_LONGEST_REST = 8  # words behind a verb that are denied as one
_SELF = {"i": "user", "me": "user", "my": "user", "we": "team", "our": "team"}
_PRONOUNS = frozenset("it he she they this that there these those who which what".split())
_UNSURE = frozenset(
    "if unless maybe perhaps might could would sometimes occasionally considering consider plans planning was "
    "were had did formerly previously until before once used ago yesterday either except originally will "
    "when whenever while proposed proposal example e.g".split()
)
_NO = frozenset(
    "not never no longer doesnt dont isnt arent cant cannot wont without stopped anymore mustnt shouldnt".split()
)
_DO = frozenset("does do did can".split())
_TAILS = frozenset(
    "as for in on at with during over to from per every when via by under between across within inside behind "
    "because since than after before instead".split()
)

# Relations with one value at a time; longest first.
_ONE: dict[str, list[tuple[str, ...]]] = {}  # by their first word
for _phrase in sorted(
    """lives in, live in, works at, work at, works for, works as, is based in, are based in, based in,
    is located in, located in, resides in, runs on, run on, is deployed on, is deployed to, deploys
    on, deploy on, deploys to, deploy to, is hosted on, is hosted at, is hosted by, hosted on,
    listens on, listen on, is written in, written in, is named, is called, reports to, is owned by,
    owned by, is maintained by, maintained by, is led by, is scheduled for, is scheduled on, takes
    place on, happens on, starts at, begins at, ends at, starts on, ends on, costs, expires on,
    expires after, is due on, is due, are stored in, is stored in, stored in, defaults to, is set
    to, set to, is limited to, limited to, is capped at, rotates every, runs at, runs every, meets
    on, meets at, is married to, weighs, is managed by, is managed with, goes by, studies at, is
    built with, is served from, is served by, is backed by, are kept for, is kept for, wakes up at,
    rotate every, happen on, happen at, is in, are in, commutes by, are run with, is run with,
    authenticates with, authenticate with, hosts on, host on, commutes with, expire after, start at,
    end at, begin at, is run by, reside in, is stored on, are stored on, gets up at, is born in, was
    born in, ships on, releases on, is written with, is licensed under, are licensed under, was built in,
    was founded in, was bought in, has lived in""".replace("\n", " ").split(","),
    key=lambda phrase: -len(phrase.split()),
):
    _ONE.setdefault(_phrase.split()[0], []).append(tuple(_phrase.split()))
_COPULAS = frozenset("is are equals".split())
_OTHER = frozenset(
    """uses use prefers prefer likes like wants want has have needs need requires require allows allow
    supports support includes include contains contain keeps keep holds hold lasts last retries
    waits wait expects expect gets get pays pay earns takes take opens open closes close starts
    start begins begin ends end drinks drink eats eat sleeps wakes goes go trains meets meet sends
    send returns return retains retain caches cache polls refreshes charges charge accepts accept
    must should enables disables runs run deploys deploy works drives owns speaks plays enjoys
    dislikes hates loves avoids writes reads follows drops rejects logs signs encrypts compresses
    merges releases ships tests answer answers respond responds reply replies stores store
    smokes""".split()
)
ATTRIBUTES = frozenset(
    """port version database branch editor deadline owner address timezone zone language name nickname
    email colour color budget limit timeout region host hostname url framework shell theme font size
    day time date price salary password interval frequency provider platform host engine orm format
    width height indentation diet employer job title role phone number city country birthday manager
    lead boss maintainer currency locale license licence retention ttl threshold quota capacity
    cadence schedule default formatter linter compiler runtime bundler stack cloud registry queue
    broker os browser keyboard layout car pet doctor dentist gym seat airline username account
    contact spouse partner endpoint method protocol encoding algorithm strategy mode level style
    length quantity count rate hour window tool target store backend""".split()
)
_MARKED = frozenset("default primary main preferred favourite favorite current maximum minimum max min".split())
_ORDERS = frozenset(
    "use deploy run keep send open close write read avoid prefer start end release ship log sign answer respond "
    "reply store".split()
)

_NUMBERED = frozenset("step phase part chapter version sprint item level tier".split())
_HEADS = frozenset("mode theme indentation style units format layout".split())
_NAMING = ("is called", "is named")
_SEVERAL = frozenset("cat dog pet child son daughter kid sister brother friend colleague server project".split())
_FOR_SOMETHING, _PURPOSE = ("use", "prefer", "want"), (("for",), ("as",))

_KINDS = {
    word: kind
    for kind, said in {
        "number": " ".join(NUMBERS),
        "frequency": "hourly daily nightly weekly biweekly fortnightly monthly quarterly yearly annually",
        "language": "english german french spanish italian portuguese dutch polish russian chinese japanese",
        "diet": "vegetarian vegan pescatarian carnivore omnivore",
        "tie": "single married divorced engaged widowed",
    }.items()
    for word in said.split()
}
_MANY = frozenset("have get send speak learn know like take write read offer support include contain".split())
_OWNING = {"own": "owner", "lead": "lead", "maintain": "maintainer"}
# Relations that say what an attribute says, and those that say the same.
_ATTRIBUTED = {
    **dict.fromkeys(("is due", "is due on"), "deadline"),
    **dict.fromkeys(("is licensed under",), "licence"),
    **dict.fromkeys(("is written in", "written in"), "language"),
    **{"is led by": "lead", "led by": "lead", "is owned by": "owner", "owned by": "owner"},
    **{"is maintained by": "maintainer", "cost": "price", "report to": "manager"},
}
_SAME_AS = {
    **dict.fromkeys(("is hosted at", "is hosted by", "hosted on", "host on"), "is hosted on"),
    **dict.fromkeys(("reside in", "have lived in"), "live in"),
    **{"work for": "work at", "is located in": "is in", "located in": "is in", "born in": "is born in"},
    **{"was born in": "is born in", "respond": "answer", "reply": "answer"},
}
_LIKING = {**dict.fromkeys(("like", "love", "enjoy"), True), **dict.fromkeys(("dislike", "hate", "avoid"), False)}
_OWNERS_OF = frozenset("of for project".split())  # words of a subject beside the thing and its attribute
_THROUGH = frozenset("to with via through".split())
_MEASURES = frozenset("cup cups glass glasses bottle bottles piece pieces slice slices pack packs of".split())
_PERIODS = frozenset("day week month year daily weekly monthly anywhere anymore ever all".split())
_NAMED_BY = frozenset("flag name service setting option variable parameter".split())


class Statement(NamedTuple):
    """A sentence of a note: its line in the file, and (key, value, sure) of each way it can contradict another."""

    line: int
    text: str
    about_user: bool
    keys: tuple[tuple[tuple[str, ...], str, float], ...]


class _Parsed(NamedTuple):
    subject: tuple[str, ...]
    relation: str
    rest: tuple[str, ...]
    negated: bool
    one_valued: bool
    written: dict[str, str]  # the words of the sentence as they are written


def statements(titled: str, body: str, body_line: int, about: Mapping[str, str]) -> Iterator[Statement]:
    """What a note states, its title first.

    `body_line` is the line of the file at which its body begins (1-based). `about` are its properties subject,
    predicate and object, "" where it has none.
    """
    title = tuple(_subject(_tokens(titled)))
    yield from _stated(titled, 1, ())
    thing = ""  # the `name: x` or `flag: x` that the pairs below it are about
    fact = dict(about)
    count = 0
    for number, line in blocks.prose_lines(body):
        bare = line.strip()
        if bare[:1] in _MARKS:
            bare = _BULLET.sub("", line).strip()
        bare = bare.replace("**", "")
        if not bare or bare.startswith(("#", "|", ">")):
            continue
        count += 1
        if count > _MOST_LINES:
            break
        at = number + body_line - 1
        pair = _PAIR.match(bare)
        if pair:
            if pair["key"].lower() in fact:
                fact[pair["key"].lower()] = pair["value"].strip()
            if pair["key"].lower() in _NAMED_BY:
                thing = f"{pair['key']} {pair['value'].strip()}".casefold()
            yield from _paired(pair, title, at, bare, thing)
            continue
        for sentence in sentences.split(bare, also=";"):
            yield from _stated(sentence, at, title)
    if all(fact.values()) and not re.search(r"mode:\s*(?:conditional|timeboxed)", body):
        key = ("fact", fact["subject"].casefold(), fact["predicate"].casefold())
        yield Statement(body_line, " ".join(fact.values()), True, ((key, fact["object"].casefold(), 0.9),))


def _paired(
    pair: re.Match[str], title: tuple[str, ...], line: int, text: str, thing: str = ""
) -> Iterator[Statement]:
    """`key: value` speaks of the thing named above it, or of what the title names; `a of b: value` of b."""
    key = pair["key"].lower()
    value = " ".join(_tokens(pair["value"])).casefold()
    if "," in value or "[[" in pair["value"] or len(value.split()) > _LONGEST_VALUE:
        return
    about = _attribute(tuple(_subject(_tokens(key))))
    if about and about[1] and not _OWNERS_OF.isdisjoint(key.split()):
        written = " ".join(_tokens(pair["value"]))
        yield Statement(line, text, False, ((("attribute", *about[0], "|", *about[1]), written, 0.88),))
    elif thing and key not in _NAMED_BY:
        yield Statement(line, text, True, ((("pair", thing, key), value, 0.88),))
    elif title:
        one_valued = singular(key.split()[-1]) in ATTRIBUTES or bool(_NUMBER.fullmatch(value))
        yield Statement(line, text, True, ((("pair", *title, key), value, 0.9 if one_valued else 0.7),))


def _stated(sentence: str, line: int, title: tuple[str, ...]) -> Iterator[Statement]:
    if len(sentence) > _MOST_CHARS or "?" in sentence:
        return
    tokens = _tokens(links.apart(sentence)[0])
    words = _lowered(tokens)
    if may_be_plainer(words):
        tokens = _tokens(links.apart(plain(sentence))[0])
        words = _lowered(tokens)
    if not 2 < len(tokens) <= _MOST_WORDS or "may" in tokens:  # the month has a capital letter
        return
    if not _UNSURE.isdisjoint(words) and not _is_past_for_good(words):
        return
    parsed = None if _VERBS.isdisjoint(words) else _parse(tokens, words)
    if parsed is not None and not _PRONOUNS.isdisjoint(parsed.subject):
        parsed = parsed._replace(subject=("<title>", *title)) if title else None
    keys = tuple(_keys(parsed)) if parsed else ()
    if keys and parsed:
        yield Statement(line, sentence.strip(), parsed.subject[0] in ("user", "<title>", "you"), keys)
    if _PRONOUNS.isdisjoint(words):
        found = tuple(contrasts(words))
        yield from [Statement(line, sentence.strip(), "user" in words, found)] if found else []


def _is_past_for_good(words: Sequence[str]) -> bool:
    """Whether the only sign of the past is a thing that happens once, as `was built in`."""
    unsure = [at for at, word in enumerate(words) if word in _UNSURE]
    return [tuple(words[at : at + 3]) in _ONE.get("was", ()) for at in unsure] == [True]


def _tokens(text: str) -> list[str]:
    found = _TOKEN.findall(text)
    return [token.replace("’", "'") for token in found] if "’" in text else found


def _lowered(tokens: list[str]) -> list[str]:
    return "\n".join(tokens).lower().split("\n")


def _subject(tokens: list[str]) -> list[str]:
    """The words of a subject in one form: no articles, no possessive, the speaker as `user`."""
    found = []
    for token in tokens:
        word = token.lower()
        word = _SELF.get(word, word).removesuffix("'s")
        if word not in _ARTICLES and word not in stopwords.STATEMENT and word not in ",;":
            found.append(word)
    return found


def _parse(tokens: list[str], lowered: list[str]) -> _Parsed | None:
    """Subject, relation and rest of a sentence, as it is written and in lower case; or None."""
    words = [word.replace("'", "") if word.endswith("n't") else word for word in lowered]
    negated = any(word in _NO for word in words)
    written = dict(zip(words, tokens, strict=True))
    kept = [at for at, word in enumerate(words) if word not in _NO and word not in stopwords.STATEMENT]
    words = [words[at] for at in kept]
    words = words[1:] if words[:1] == ["do"] else words
    for at in range(0 if words and words[0] in _ORDERS else 1, len(words)):
        phrase = next((one for one in _ONE.get(words[at], ()) if tuple(words[at : at + len(one)]) == one), None)
        if phrase or words[at] in _COPULAS or words[at] in _OTHER or words[at] in _DO:
            subject = tuple(_subject(words[:at])) if at else ("you",)
            rest = words[at + len(phrase or (1,)) :]
            relation = " ".join(map(_base, phrase or (words[at],)))
            if not phrase and words[at] in _DO and rest:
                relation, rest = _base(rest[0]), rest[1:]
            rest = [word for word in rest if word not in _ARTICLES]
            while rest and rest[-1] in (",", ";"):
                rest.pop()
            relation = _SAME_AS.get(relation, relation)
            if not subject or (not rest and relation in _COPULAS):
                return None
            return _Parsed(subject, relation, tuple(rest), negated, phrase is not None, written)
    return None


def _base(verb: str) -> str:
    """`uses` as `use`; `are` as `is`."""
    if verb in _COPULAS:
        return "is"
    if verb == "has":
        return "have"
    if verb.endswith("ing"):  # stopped using
        stem = verb.removesuffix("ing")
        return next((one for one in (stem, stem + "e", stem[:-1]) if one in _OTHER), stem)
    return singular(verb)


def _keys(parsed: _Parsed) -> Iterator[tuple[tuple[str, ...], str, float]]:
    """Every way in which another statement could contradict this one."""
    subject, relation, rest = parsed.subject, parsed.relation, parsed.rest
    head = (*subject, "|", relation)
    if (rest or relation not in ("use", "have")) and len(rest) <= _LONGEST_REST:
        yield ("no", *head, *rest), "no" if parsed.negated else "yes", 0.9
    few = 0 < len(rest) <= _LONGEST_REST
    if few and relation not in ("is", "have", "need") and (bare := _bare(rest, parsed.negated)):
        yield ("bare", *head, *bare), "no" if parsed.negated else "yes", 0.86
    if rest and relation in _LIKING and (_LIKING[relation] or not parsed.negated):
        yield ("liking", *subject, "|", *rest), str(_LIKING[relation] != parsed.negated), 0.9
    if parsed.negated or not rest:
        return
    if "over" in rest[1:-1]:
        at = rest.index("over")
        yield ("over", *head, *sorted((" ".join(rest[:at]), " ".join(rest[at + 1 :])))), " ".join(rest[:at]), 0.92
    yield from _slots(head, rest)
    if relation.split()[-1] in ANTONYMS or f"{relation}s" in ANTONYMS:
        pair = ANTONYMS.get(f"{relation}s", relation)
        yield ("verb", *subject, "|", pair, *rest), relation, 0.9
    if relation in _OWNING and len(subject) == 1:
        owner = _attribute((_OWNING[relation], *rest))
        if owner:
            yield ("attribute", *owner[0], "|", *owner[1]), parsed.written.get(subject[0], subject[0]), 0.84
    if relation == "store" and "in" in rest[1:-1]:
        at = rest.index("in")
        value, tail = rest[at + 1 : at + 2], rest[at + 2 :]
        yield ("stored", *head, *rest[:at], "in", *tail), parsed.written[value[0]], 0.88
    yield from _valued(parsed, head)


def _bare(rest: tuple[str, ...], negated: bool) -> tuple[str, ...]:
    """What is done or not, without how much, how often and with whom: `no coffee` denies three cups a day."""
    kept = list(rest)
    while kept and kept[-1] in _PERIODS:
        kept.pop()
    if not negated:
        kept = kept[: next((at for at, word in enumerate(kept) if at and word in _THROUGH), len(kept))]
        kept = [word for word in kept if not _NUMBER.fullmatch(word) and _KINDS.get(word) != "number"]
        kept = [word for at, word in enumerate(kept) if at or word not in _MEASURES]
        kept = kept[1:] if kept[:1] == ["of"] else kept
    return () if not {",", "and", "or", "but"}.isdisjoint(kept) else tuple(kept)


def _attribute(subject: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """The attribute that a subject names and what it is one of, each as sorted words: port | api, billing."""
    named = tuple(sorted({singular(word) for word in subject} & ATTRIBUTES))
    others = (word for word in subject if singular(word) not in ATTRIBUTES and word not in _OWNERS_OF)
    return (named, tuple(sorted(others))) if named else None


def _slots(head: tuple[str, ...], rest: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str, float]]:
    """The rest with one word of a kind left out: another word of that kind there says something else."""
    for at, word in enumerate(rest):
        if MONTHS & {*rest[max(at - 1, 0) : at], *rest[at + 1 : at + 2]}:
            continue  # a day of a month is no number
        for kind, sure in _kinds(word, head[-1]):
            if not (kind == "number" and at and rest[at - 1] in _NUMBERED):
                yield ("slot", *head, *rest[:at], f"<{kind}>", *rest[at + 1 :]), word, sure


_VERBS = frozenset(_ONE) | _COPULAS | _OTHER | _DO
_SCHEDULES = frozenset(" ".join(map(_base, phrase)) for found in _ONE.values() for phrase in found)


def _kinds(word: str, relation: str) -> Iterator[tuple[str, float]]:
    """The kinds of value a word may be, each with how sure two of that kind exclude each other."""
    if _NUMBER.fullmatch(word):
        yield "number", 0.9
    if singular(word) in WEEKDAYS:
        habit = word.endswith("s") and relation != "is" and relation not in _SCHEDULES
        yield "weekday", 0.6 if habit else 0.9
    if word in ANTONYMS:
        yield ANTONYMS[word], 0.9
    if word in _KINDS and (relation not in _MANY or _KINDS[word] == "number"):
        yield _KINDS[word], 0.85


def _valued(parsed: _Parsed, head: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str, float]]:
    """The value of a relation that has one at a time."""
    rest = parsed.rest
    at = next((at for at in range(1, len(rest)) if rest[at] in _TAILS), len(rest))
    value, tail = rest[:at], rest[at:]
    if {"and", "or", ",", ";", "plus", "both"} & set(rest) or len(value) > 4 or value[0] in _TAILS:
        return
    sure = 0.0
    if parsed.one_valued:
        sure = 0.6 if parsed.relation in _NAMING and not _SEVERAL.isdisjoint(parsed.subject) else 0.9
    elif _is_attribute(parsed) or (parsed.relation in _FOR_SOMETHING and tail[:1] in _PURPOSE and len(tail) > 1):
        sure = 0.88
    elif parsed.relation == "prefer" and not tail and len(value) > 1 and value[-1] in _HEADS:
        sure = 0.82
    if sure:
        shared = ("head", value[-1]) if parsed.relation == "prefer" and not tail else ()
        attribute = _ATTRIBUTED.get(parsed.relation)
        about = _attribute((*((attribute,) if attribute else ()), *parsed.subject))
        if about and (attribute or parsed.relation == "is"):
            head = ("attribute", *about[0], "|", *about[1])
        else:
            head = ("value", *head)
        yield (*head, *tail, *shared), " ".join(parsed.written[word] for word in value), sure


def _is_attribute(parsed: _Parsed) -> bool:
    """Whether a subject names something that has one value: `default branch`, `port of the api`."""
    said = {singular(word) for word in parsed.subject}
    return parsed.relation == "is" and not (ATTRIBUTES.isdisjoint(said) and _MARKED.isdisjoint(parsed.subject))
