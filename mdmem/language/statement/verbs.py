"""The verbs by which a plain statement is understood, and what their subjects may be. Data; all in lower case."""

from __future__ import annotations

# Relations that have one value at a time, as they are written.
_ONE_VALUED = """lives in, live in, works at, work at, works for, works as, is based in, are based in, based in,
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
    was founded in, was bought in, has lived in"""
ONE_VALUED_PHRASES = frozenset(" ".join(text.split()) for text in _ONE_VALUED.split(","))
# The same by their first word, the longest first.
ONE_VALUED: dict[str, list[tuple[str, ...]]] = {}
for _phrase in sorted((tuple(text.split()) for text in _ONE_VALUED.split(",")), key=len, reverse=True):
    ONE_VALUED.setdefault(_phrase[0], []).append(_phrase)

COPULAS = frozenset("is are equals".split())
AUXILIARIES = frozenset("does do did can".split())  # the verb comes behind them
OTHERS = frozenset(
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
ALL_SINGLE = COPULAS | OTHERS | AUXILIARIES
ALL = ALL_SINGLE.union(ONE_VALUED)
# Verbs with which a sentence may begin that tells the reader what to do.
ORDERS = frozenset(
    "use deploy run keep send open close write read avoid prefer start end release ship log sign answer respond "
    "reply store".split()
)

# Words with which a verb does not say it for sure, or not for now.
UNSURE = frozenset(
    "if unless maybe perhaps might could would sometimes occasionally considering consider plans planning was "
    "were had did formerly previously until before once used ago yesterday either except originally will "
    "when whenever while proposed proposal example e.g".split()
)

# Relations, as `grammar.parse` gives them, that say the same as another one.
SAME_AS = {
    **dict.fromkeys(("is hosted at", "is hosted by", "hosted on", "host on"), "is hosted on"),
    **dict.fromkeys(("reside in", "have lived in"), "live in"),
    **{"work for": "work at", "is located in": "is in", "located in": "is in", "born in": "is born in"},
    **{"was born in": "is born in", "respond": "answer", "reply": "answer"},
}
# Relations that say what an attribute says.
ATTRIBUTED = {
    **dict.fromkeys(("is due", "is due on"), "deadline"),
    **dict.fromkeys(("is licensed under",), "licence"),
    **dict.fromkeys(("is written in", "written in"), "language"),
    **{"is led by": "lead", "led by": "lead", "is owned by": "owner", "owned by": "owner"},
    **{"is maintained by": "maintainer", "cost": "price", "report to": "manager"},
}
OWNING = {"own": "owner", "lead": "lead", "maintain": "maintainer"}
# Verbs of liking -> whether one does.
LIKING = {**dict.fromkeys(("like", "love", "enjoy"), True), **dict.fromkeys(("dislike", "hate", "avoid"), False)}
NAMING = frozenset(("is called", "is named"))
FOR_SOMETHING = frozenset(("use", "prefer", "want"))  # one thing for one purpose
# Verbs of things of which there may be many at once.
MANY = frozenset("have get send speak learn know like take write read offer support include contain".split())

# Words with which the circumstances of a value begin.
TAILS = frozenset(
    "as for in on at with during over to from per every when via by under between across within inside behind "
    "because since than after before instead".split()
)

# What a thing has one of.
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
# Words that make one thing of many: the default editor, the main branch.
MARKED = frozenset("default primary main preferred favourite favorite current maximum minimum max min".split())
# Things of which somebody may have several, each with a name of its own.
SEVERAL = frozenset("cat dog pet child son daughter kid sister brother friend colleague server project".split())
