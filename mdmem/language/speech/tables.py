"""The words that divide a sentence into clauses, and tell what a clause is about. Data; all in lower case."""

from __future__ import annotations

from mdmem.text.calendar import WEEKDAY_NAMES

# (pattern, what replaces it, texts of which any sentence that it matches has at least one).
CONTRACTED = (
    (r"\bI'?m\b", "I am", ("I'm", "Im")),
    (r"\b(I|we|We|they|They)'ve\b", r"\1 have", ("'ve",)),
    (r"\b(I|we|We|they|They)'ll\b", r"\1 will", ("'ll",)),
    (r"\b(I|we|We|they|They)'d\b", r"\1 would", ("'d",)),
    (r"\b(we|We|they|They)'re\b", r"\1 are", ("'re",)),
    (r"\bcan'?t\b", "cannot", ("can't", "cant")),
    (r"\bwon't\b", "will not", ("won't",)),
    (
        r"\b(do|does|did|is|are|was|were|have|has|had|would|could|should|must)n'?t\b",
        r"\1 not",
        ("n't", "nt"),
    ),
    (r"\b([Gg])onna\b", r"\1oing to", ("onna",)),
    (r"\b([Ww])anna\b", r"\1ant to", ("anna",)),
    (r"\b([Gg])otta\b", "have to", ("otta",)),
    (
        r"\b(?:have|has) got\b(?= (?:a|an|to|the|some|something|no|so|many|lots?|two|three|four|five|my|our)\b)",
        "have",
        (" got ",),
    ),
    (
        r"(?:\bcuz\b|\bcos\b|'cause\b|\bcause\b(?= (?:I|it|we|my)\b))",
        "because",
        ("cuz", "cos", "cause"),
    ),
    (r"\b([Ff])av(?:e)?\b", r"\1avorite", ("av",)),
    (r"'em\b", "them", ("'em",)),
    *(
        (rf"\b([Ll]ast|[Nn]ext|[Tt]his) {short}(?:s|rs|urs)?\b", rf"\1 {name}", (f" {short}",))
        for name in WEEKDAY_NAMES
        for short in (name[:3].capitalize(),)
    ),
)

ADVERBS = frozenset(
    """just also really always usually often still finally recently already currently actually definitely only even
    truly totally completely absolutely both all kinda lately now sometimes generally mostly normally never
    rarely seldom officially literally simply basically even-though super pretty quite so very too especially
    particularly constantly regularly typically ever since probably maybe perhaps possibly hopefully then again
    however first successfully yet recently personally genuinely honestly certainly surely obviously clearly
    anymore primarily mainly frequently occasionally soon""".split()
)
KEPT_ADVERBS = frozenset(
    "always usually often never rarely seldom sometimes still mostly mainly regularly occasionally".split()
)
DOUBTING_ADVERBS = frozenset("probably maybe perhaps possibly hopefully kinda".split())

BE = frozenset("am is are was were be been being".split())
HAVE = frozenset("have has had".split())
DO = frozenset("do does did".split())
MODALS = frozenset("will would can could should must may might shall cannot".split())
# Modals of sentences that do not state a fact.
SUPPOSING = frozenset("would could should may might shall can".split())

# Words after a verb that belong to it.
PARTICLES = frozenset(
    "up out off down back over on in away around along through by to at for with from about of into as after "
    "onto together against across".split()
)
DETERMINERS = frozenset("a an the my our some many two three four five this that their his her".split())
ENDING_IN_ING = frozenset(
    """interesting amazing exciting boring challenging rewarding morning evening nothing something anything
    everything willing loving caring inspiring relaxing thrilling stunning outstanding charming during king
    missing string spring bring sing ring thing""".split()
)
ENDING_IN_ED = frozenset(
    "need feed speed seed bed red hundred breed indeed embed sacred exceed proceed succeed".split()
)

# -- what a clause is about --------------------------------------------------------------------------------

LIKING = frozenset(
    "love like enjoy prefer adore dislike hate loathe fancy cherish treasure detest favor favour admire".split()
)
# Verbs of thinking and talking, and of passing moments: what they say is not a fact to keep.
PASSING = frozenset(
    """think know guess mean hope wish agree believe bet suppose imagine wonder understand appreciate thank say
    tell hear let look swear admit notice assume doubt mind care seem sound ask talk forget remember get see
    feel promise worry figure swear root cheer can't congratulate relate disagree recommend suggest check explain
    vote try recall apologize pray miss give assure guarantee""".split()
)
# Verbs after "has to" and "wants to" that are mere manners of speaking.
MERE_PHRASES = frozenset("say admit tell ask know see hear thank share mention agree".split())
# Verbs of PASSING that report an event if they are in the past tense.
PASSING_BUT_DONE = frozenset(
    "see get give try recommend promise forget ask tell hear talk check vote apologize look".split()
)
# What somebody is only for a moment.
FEELINGS = frozenset(
    """happy glad excited sorry proud sure fine ok okay thankful grateful thrilled stoked pumped tired here there
    ready back good great well alright curious confident hopeful certain lucky blessed honored honoured sad
    angry upset nervous anxious worried scared afraid surprised shocked amazed impressed delighted pleased
    touched moved relieved overwhelmed exhausted hungry thirsty busy free available done late early eager
    psyched jealous envious confused lost stuck all right down over up about off just like not so super
    beyond welcome aware able positive optimistic determined motivated inspired keen bored frustrated
    disappointed flattered speechless awesome better best feeling doing here's getting going rooting
    cheering hoping thinking looking wondering sending guessing loving kidding saying telling talking trying
    wishing being having asking crossing dying staying mix torn enjoying liking seeing hearing lovin""".split()
)
# Progressive verbs of the list above that say something if more follows.
TELLING_ING = frozenset("trying getting going looking having thinking enjoying loving".split())
KIN = frozenset(
    """wife husband spouse partner girlfriend boyfriend fiance fiancee son sons daughter daughters kid kids child
    children baby mother father mom mum dad parent parents brother brothers sister sisters sibling siblings twin
    twins dog dogs cat cats pet pets puppy kitten niece nephew grandson granddaughter cousin cousins uncle aunt
    grandma grandpa grandmother grandfather roommate degree allergy allergies phd master's diploma""".split()
)
ALLERGIC = frozenset("allergic intolerant vegetarian vegan pescatarian diabetic celiac coeliac lactose".split())
LIMITS = frozenset("deadline budget limit quota maximum minimum curfew allergy".split())
DIETS = frozenset("eat drink smoke fly drive use consume wear touch".split())
INTERESTED = frozenset(
    ("passionate", "fond", "interested", "keen", "obsessed", "crazy", "fan", "fans", "into", "big")
)
INTENDING = frozenset(
    "plan intend decide commit aim vow pledge promise resolve agree volunteer enroll register".split()
)
WISHING = frozenset("want hope wish need dream aspire".split())
STARTING = frozenset(
    """planning starting preparing saving training studying applying launching opening joining organizing
    organising building writing developing trying moving getting looking thinking searching aiming hoping
    considering researching""".split()
)
LIVING = frozenset("live reside work study teach volunteer own run".split())
# What people say of those close to them, besides the verbs that any subject may have.
OF_OTHERS = frozenset(
    "lives resides studies teaches moves travels visits swims cooks sings paints stays leaves arrives"
    " departs".split()
)
ROLE_NOUNS = frozenset(
    """teacher doctor nurse engineer developer programmer student writer author artist musician lawyer manager
    designer chef banker dancer coach veteran vegetarian vegan christian muslim jew buddhist atheist introvert
    extrovert mother father mom dad parent wife husband twin citizen native american german french spanish
    english british swedish italian canadian chinese indian japanese woman man girl guy transgender trans gay
    lesbian bisexual queer nonbinary single married divorced engaged widowed freelancer founder owner ceo
    photographer player actor actress painter gamer scientist researcher professor singer athlete volunteer
    counselor therapist consultant""".split()
)
# Verbs after "cannot" that deny nothing: "I can't wait".
MERE_CANNOT = frozenset(
    """wait believe imagine deny agree thank stop help remember tell say see even complain stress express explain
    decide recommend get think lie describe picture begin find""".split()
)
# What people say they are doing without saying "I": "Working on a project."
TOLD_WITHOUT_I = frozenset("planning preparing working looking searching finishing trying thinking".split())
# Words that "this" makes a time of.
TIME_NOUNS = frozenset(
    "week weekend month year morning afternoon evening summer winter spring fall autumn days".split()
)
# Verbs after "will" that commit nobody to anything: "I'll try".
MERE_WILL = frozenset("keep try do be let make sure have love enjoy".split())

PRONOUNS = frozenset("it this that these those them they he she him there here one ones its such so".split())
HEARERS = frozenset("you your yours yourself u ur ya y'all yourselves you're you've you'll you'd".split())
# Words that cannot begin the name of something that people call theirs.
NO_THINGS = frozenset("what who where when how why the i we my our if all".split())
FEW = frozenset(
    """a an the and or but to of in on at for with from by as is are was were be been too very really much lot lots
    bit kind sort thing things stuff way time all some any more most such quite just also well great good
    nice awesome amazing cool fun best better something anything everything nothing someone anyone everyone
    everybody what how who when where why which my our their his her its new like about into up out off down
    back over again still own same other another times while forward ever always never not no yes now then
    few together hi hello far ton tons different around away yet say common busy real fire get go make do
    have take come give got going getting making doing having taking emotions""".split()
)
