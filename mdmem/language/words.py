"""What recall knows about English: irregular forms, synonyms, and things by their kind.

General tables, not tuned to any vault. Other languages are found by their own words, and lose nothing by them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache

# Forms that no stemmer brings together, one word a line or between semicolons.
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

# Words for much the same thing, one group a line. A word may be in several groups.
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


# Kinds, and things of each: a question names the kind, its answer the thing.
_KINDS = """
activity hobby pastime: hiking camping swimming running jogging walking painting drawing pottery reading writing
cooking baking dancing yoga gardening cycling fishing hunting skiing snowboarding surfing diving climbing
kayaking sailing rowing skating bowling photography knitting sewing crochet gaming chess singing volunteering
picnic museum

exercise workout: running jogging yoga swimming cycling rowing boxing weights pilates stretching squats sprint

animal pet: dog cat puppy kitten hamster rabbit turtle tortoise bird parrot budgie canary fish goldfish horse
pony snake lizard gecko mouse rat ferret goat sheep pig chicken hen duck goose cow bee

instrument: guitar piano violin viola cello bass drums flute clarinet oboe saxophone trumpet trombone horn harp
organ accordion keyboard ukulele banjo mandolin recorder harmonica

country: america usa canada mexico brazil argentina chile peru colombia cuba england britain scotland wales
ireland france germany spain portugal italy greece turkey austria switzerland belgium netherlands denmark sweden
norway finland iceland poland hungary romania bulgaria croatia serbia ukraine russia israel egypt morocco
tunisia kenya ethiopia ghana nigeria pakistan india china japan korea vietnam thailand malaysia singapore
indonesia philippines australia zealand

city town: london manchester edinburgh dublin paris lyon marseille berlin hamburg munich cologne vienna zurich
rome milan venice florence naples madrid barcelona lisbon amsterdam brussels copenhagen stockholm oslo helsinki
warsaw prague budapest athens istanbul moscow jerusalem cairo york boston chicago philadelphia washington miami
atlanta dallas houston denver seattle portland angeles francisco vegas toronto montreal vancouver tokyo kyoto
beijing shanghai seoul bangkok delhi mumbai sydney melbourne

food meal dish: pizza pasta rice noodles bread salad soup stew curry chili burger sandwich steak chicken beef
pork fish salmon tofu sushi tacos potatoes beans lentils eggs cheese vegetables fruit pancakes omelette lasagna
risotto

dessert snack: cake cupcake cookie pie tart brownie pudding chocolate candy cream donut muffin pastry waffle
cheesecake tiramisu mousse popcorn chips nuts

drink beverage: water coffee tea milk juice lemonade soda cola beer wine whisky gin rum cocktail smoothie cider

fruit: apple pear banana orange lemon lime cherry plum peach apricot grape melon mango pineapple strawberry
raspberry blueberry

vegetable: tomato potato carrot onion garlic pepper cucumber lettuce spinach broccoli cabbage pumpkin zucchini
beans

sport: football soccer basketball baseball volleyball handball hockey rugby cricket tennis badminton golf
swimming running cycling rowing skiing skating surfing climbing boxing judo karate fencing gymnastics athletics

martial: karate judo taekwondo boxing kickboxing aikido wrestling fencing

job profession career occupation: teacher nurse doctor dentist engineer developer programmer designer architect
lawyer accountant banker manager consultant analyst scientist researcher writer journalist editor translator
artist musician actor chef cook waiter baker farmer gardener electrician plumber carpenter mechanic driver pilot
firefighter police soldier coach counselor therapist psychologist

event: party wedding birthday concert festival parade fair exhibition conference meetup workshop seminar
ceremony reception gala tournament competition contest race marathon match show fundraiser auction picnic
reunion retreat

color colour: red blue green yellow orange purple violet pink brown black white grey gray silver gold turquoise
beige

device console gadget equipment: computer laptop pc tablet phone smartphone monitor keyboard headset camera
printer router xbox playstation nintendo

vehicle: car bike bicycle bus train tram truck van motorcycle scooter boat plane

clothes clothing: shirt blouse dress skirt trousers pants jeans shorts sweater hoodie jacket coat hat cap scarf
gloves socks shoes boots sneakers sandals suit tie

furniture: table desk chair sofa couch bed shelf cupboard wardrobe drawer lamp

relative: mother father mom mum dad sister brother son daughter wife husband grandmother grandfather grandma
grandpa aunt uncle cousin niece nephew

language: english german french spanish italian portuguese dutch swedish danish polish russian turkish arabic
hebrew hindi chinese japanese korean python java javascript typescript rust ruby kotlin swift

emotion mood: happy sad proud nervous excited grateful thankful angry calm relaxed scared afraid anxious lonely
jealous surprised disappointed frustrated hopeful

allergy intolerance: nuts peanuts lactose gluten dairy shellfish pollen penicillin eggs soy wasp

illness disease symptom: cold flu fever cough headache migraine asthma diabetes allergy cancer infection
arthritis

season: spring summer autumn winter

weather: rain snow sun wind storm fog frost

tool: hammer screwdriver drill saw wrench pliers

material: wood metal steel plastic glass paper stone clay cotton wool leather silk linen

database: postgres postgresql mysql sqlite mariadb oracle mongodb redis

holiday: christmas easter thanksgiving halloween hanukkah ramadan

religion: christian catholic protestant muslim jewish buddhist hindu
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


@cache
def _of_kinds() -> dict[str, tuple[str, ...]]:
    groups = [group.split(":") for group in _KINDS.strip().split("\n\n")]
    return {kind: tuple(things.split()) for kinds, things in groups for kind in kinds.split()}


@lru_cache(maxsize=4096)
def forms(word: str) -> tuple[str, ...]:
    """All forms of an irregular lower-case word, its dictionary form first: went, going -> go, went, gone ...

    Any other word is returned alone.
    """
    known = _forms()
    regular = (known[base] for base in _guesses(word) if base in known and known[base][0] == base)
    return known.get(word) or next(regular, (word,))


@lru_cache(maxsize=4096)
def synonyms(word: str) -> tuple[str, ...]:
    """Words that mean much the same as a lower-case word, given in any of its regular or irregular forms."""
    groups = _groups()
    for form in (word, forms(word)[0], *_guesses(word)):
        if form in groups:
            return groups[form]
    return ()


def of_kind(word: str) -> tuple[str, ...]:
    """Things of the kind that a lower-case word names, given in any of its forms: pets -> dog, cat ..."""
    kinds = _of_kinds()
    return next((kinds[form] for form in (word, *_guesses(word)) if form in kinds), ())


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
