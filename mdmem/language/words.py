"""What recall knows of English: irregular forms, words for the same thing.

General tables, not tuned to any vault: other languages are found by their own words, and lose nothing here.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache

# Forms that no stemmer brings together, a word a line.
_IRREGULAR = """
be am is are was were been being
go went gone goes going
buy bought; bring brought; think thought; teach taught; catch caught; fight fought; seek sought; feel felt
keep kept; sleep slept; leave left; meet met; lose lost; win won; find found; get got gotten; give gave given
take took taken; make made; come came; become became; begin began begun; run ran; swim swam swum
sing sang sung; drink drank drunk; ring rang rung; eat ate eaten; fall fell fallen; see saw seen
know knew known; grow grew grown; throw threw thrown; fly flew flown; draw drew drawn; write wrote written
drive drove driven; ride rode ridden; rise rose risen; choose chose chosen; speak spoke spoken
break broke broken; wake woke woken; steal stole stolen; freeze froze frozen; forget forgot forgotten
hide hid hidden; bite bit bitten; wear wore worn; tear tore torn; swear swore sworn; bear bore borne
shake shook shaken; sell sold; tell told; say said; pay paid; lay laid; lie lain; hear heard; hold held
stand stood; understand understood; build built; send sent; spend spent; lend lent; bend bent; sit sat
shoot shot; light lit; lead led; feed fed; speed sped; bleed bled; breed bred; slide slid; stick stuck
strike struck; swing swung; hang hung; dig dug; spin spun; deal dealt; mean meant; dream dreamt; learn learnt
burn burnt; spell spelt; spill spilt; sew sewn; show shown; prove proven; weave wove woven; shine shone
shrink shrank; sink sank sunk; sweep swept; weep wept; creep crept; kneel knelt; leap leapt; bind bound
grind ground; blow blew blown; forgive forgave forgiven; overcome overcame; undergo underwent undergone
undertake undertook undertaken; withdraw withdrew withdrawn; read; set; put; cut; hit; hurt; shut
man men; woman women; child children; foot feet; tooth teeth; mouse mice; goose geese; person people
life lives; wife wives; knife knives; leaf leaves; shelf shelves; half halves; wolf wolves
good better best; bad worse worst
"""

# Words for much the same thing, a group a line. A word may stand in several.
_SYNONYMS = """
job work career profession occupation employment position role
company firm business employer startup
boss manager supervisor
colleague coworker teammate workmate
kid child son daughter baby toddler
parent mother mom mum father dad
spouse wife husband partner
girlfriend boyfriend partner
sibling brother sister
grandma grandmother grandpa grandfather grandparent
friend buddy pal
buy purchase acquire
trip travel vacation journey visit tour holiday getaway
movie film cinema
picture photo photograph image snapshot
painting paint art artwork drawing sketch
car vehicle automobile truck
bike bicycle cycling
begin start launch commence
end finish complete conclude
stop quit cease
like enjoy love prefer favorite favourite fond
hate dislike
want wish desire hope
plan intend goal aim
home house apartment flat residence
doctor physician
sick ill disease illness
injury hurt injured wound
animal pet
dog puppy
cat kitten
exercise workout fitness gym
food meal dish cuisine
dinner supper
cook bake recipe
drink beverage
restaurant cafe diner
book novel
author writer
song music tune melody
concert gig performance
game match
win victory
lose defeat
contest competition tournament
award prize trophy
teach instruct teacher
learn study
school college university education
course class lesson workshop
exam test
degree diploma
money cash fund
cost price
gift present
party celebration celebrate
wedding marriage marry
help assist aid support
volunteer charity donate
talk speak chat discuss conversation
call phone
answer reply respond
idea concept
feel emotion feeling
happy glad joyful
sad unhappy upset
afraid scared fear
angry mad
nervous anxious anxiety worry stress
calm relax relaxation
see watch view
find discover
meet encounter
make create build craft
fix repair mend
change alter modify
move relocate
walk hike stroll
swim swimming
hobby pastime interest
sport athletics
nature outdoors
forest woods
mountain hill
beach ocean sea coast
garden gardening plant flower
big large huge
small little tiny
fast quick
hard difficult tough challenging challenge
beautiful pretty gorgeous
important significant
issue problem trouble
reason cause
result outcome
error bug fault failure
show display
use utilize
need require
allow permit
try attempt
improve enhance
reduce decrease
choose select pick
decide decision
remember recall memory
store shop
clothes clothing outfit
computer laptop
phone smartphone
app application program software
config configuration setting
database db
repository repo
deploy deployment release rollout
server host machine
delete remove erase
directory folder
password credential secret
meeting appointment
deadline due
church religious religion faith
government political politics
army military
health medical wellness
therapy counseling therapist counselor
accident crash
"""


@cache
def _forms() -> dict[str, tuple[str, ...]]:
    groups = [part.split() for line in _IRREGULAR.strip().split("\n") for part in line.split(";")]
    return {word: tuple(group) for group in groups for word in group}


@cache
def _groups() -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for line in _SYNONYMS.strip().split("\n"):
        group = line.split()
        for word in group:
            found.setdefault(word, []).extend(other for other in group if other != word)
    return {word: tuple(dict.fromkeys(others)) for word, others in found.items()}


def forms(word: str) -> tuple[str, ...]:
    """All forms of an irregular lower-case word, its dictionary form first: went, going -> go, went, gone ...

    A word that is none has its own form alone.
    """
    known = _forms()
    regular = (known[base] for base in _guesses(word) if base in known and known[base][0] == base)
    return known.get(word) or next(regular, (word,))


# Verbs whose past is written as their present.
_AUXILIARY_PASTS = {"had": "have", "did": "do", "done": "do", "been": "be", "was": "be", "were": "be"}
_AUXILIARIES = {**_AUXILIARY_PASTS, "has": "have", "does": "do", "is": "be", "am": "be", "are": "be"}
UNCHANGED_PASTS = frozenset("read set put cut hit hurt shut".split())


@cache
def pasts() -> frozenset[str]:
    """The irregular past forms and participles of verbs, in lower case."""
    verbs = _IRREGULAR.partition("man men")[0]  # what follows are nouns and adjectives
    groups = [part.split() for line in verbs.strip().split("\n") for part in line.split(";")]
    regular = ("ing", "goes", "am", "is", "are")
    return frozenset(_AUXILIARY_PASTS) | {
        form for group in groups for form in group[1:] if not form.endswith(regular)
    }


@lru_cache(maxsize=4096)
def bases(word: str) -> frozenset[str]:
    """What the dictionary form of a lower-case word may be: `launched` -> launch, launche, launched."""
    return frozenset((word, _AUXILIARIES.get(word, word), forms(word)[0], *_guesses(word), *_undoubled(word)))


def _undoubled(word: str) -> Iterator[str]:
    """`planning`, `planned` as `plan`."""
    for ending in ("ing", "ed"):
        stem = word.removesuffix(ending)
        if stem != word and len(stem) > 3 and stem[-1] == stem[-2]:
            yield stem[:-1]


def synonyms(word: str) -> Iterator[str]:
    """Other words for much the same thing as a lower-case word, in any of its regular or irregular forms."""
    groups = _groups()
    for form in (word, forms(word)[0], *_guesses(word)):
        if form in groups:
            yield from groups[form]
            return


def _guesses(word: str) -> Iterator[str]:
    """Guesses at the dictionary form of a regular plural or verb form."""
    for ending, instead in (
        ("ies", "y"),
        ("es", ""),
        ("s", ""),
        ("ing", ""),
        ("ing", "e"),
        ("ed", ""),
        ("ed", "e"),
    ):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            yield word[: -len(ending)] + instead
