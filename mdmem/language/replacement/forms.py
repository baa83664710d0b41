"""How a text says, beside a link, that one note takes the place of another. Data.

In the forms `§` is the link in question, `¤` any other link, `~` a few words without a link. They are matched in lower
case, with straight quotes. "old" forms say that what is linked has been replaced, "heir" forms that it replaces the
note they stand in.
"""

# ruff: noqa: E501 - a form and its example are one row
from __future__ import annotations

from mdmem.language import negation
from mdmem.values import NamedTuple


class ReplacementForm(NamedTuple):
    """A regular expression, and a sentence that it is made for. `is_sure` is whether it can mean nothing else."""

    language: str
    direction: str  # "old" or "heir"
    pattern: str
    example: str
    is_sure: bool = True


def _either(words: str) -> str:
    """The phrases of a text, separated by "/", as alternatives."""
    return "(?:" + "|".join(" ".join(phrase.split()) for phrase in words.split("/")) + ")"


# What is said of a thing that no longer counts. The link is the subject, or a pronoun that follows it is.
_DEAD_EN = _either(
    """replaced/superseded/supplanted/overruled/overturned/overtaken/obsolete/outdated/out of date/void/invalid
    /deprecated/retired/revoked/repealed/withdrawn/rescinded/abandoned/scrapped/scrap/discarded/rejected/cancell?ed
    /dropped/abolished/history/dead/off the table/a thing of the past/past/moot/settled differently/struck/redundant
    /of no use any ?more/binned/in the bin/given up/over and done with/cross(?:ed)? out/thrown (?:out|away)"""
)
_GONE_EN = _either(
    rf"""(?:is|are|was|were|been|being|becomes?|became|got|gets?|as|now) ~\b{_DEAD_EN}\b(?! by ¤)(?! (?:there|the))
    /no longer ~\b(?:holds?|appl(?:y|ies)|valid|counts?|true|used?|current|in force|in use|stands?|correct|right
    |done|followed|needed|relevant|the (?:case|rule|plan|way|current)|up to date|matters?|works?|binding)\b
    /(?:does not|doesn't|do not|don't|is not|isn't|are not|aren't) ~\b(?:any ?more|any longer)\b
    /(?:must|should|may) (?:not|never) be (?:used|followed|applied|trusted|relied on)\b
    /(?:is|are) (?:all |now |just )?(?:water under the bridge|done for|old hat|a dead letter)\b /went out of the window\b
    /(?:can|may|should|must) (?:now )?(?:go|be (?:forgotten|ignored|thrown (?:away|out)|deleted|disregarded|discarded))\b
    /(?:has|have) (?:had (?:its|their) day|expired|lapsed)\b
    /(?:was|were) (?:only )?for (?:the|our|my) (?:old|previous|former)\b
    /(?:belongs?|went) (?:to|into|in) the (?:past|bin|archive)\b
    /(?:only )?kept ~\bfor (?:the )?(?:record|reference|history|archive)"""
)
_DEAD_DE = _either(
    """überholt/hinfällig/aufgehoben/verworfen/veraltet/ungültig/abgelöst/ersetzt/abgeschafft/gestrichen/passé/geschichte
    /gegenstandslos/gestorben/kalter kaffee/schnee von gestern/obsolet/außer kraft/vom tisch/widerrufen/gekippt/vorbei/tot/erledigt/zurückgezogen/aufgegeben
    /fallen ?gelassen/nicht mehr (?:gültig|aktuell|in kraft|maßgeblich|verbindlich|richtig|nötig|zu gebrauchen)"""
)
_BE_DE = r"(?:ist|sind|wurden?|hiermit|damit|somit|gilt als|gelten als|inzwischen|jetzt)"
_GONE_DE = _either(
    rf"""{_BE_DE} ~\b{_DEAD_DE}\b(?! durch ¤)(?! von ¤)
    /(?:gilt|gelten|stimmt|stimmen|zählt|greift|passt) ~\bnicht mehr\b /nicht mehr (?:gilt|gelten|stimmt)\b
    /(?:hat|haben) ausgedient\b
    /nicht mehr (?:verwenden|benutzen|anwenden|nutzen|befolgen|beachten)\b
    /(?:kann|darf|könnt ihr|kannst du|können) (?:man |jetzt |damit )?(?:vergessen|ignorieren|vergessen werden|weg)\b"""
)
_DEAD_ES = (
    r"(?:(?:anulad|sustituid|reemplazad|remplazad|obsolet|derogad|descartad|superad|desfasad|caducad|abandonad"
    r"|suprimid|retirad|revocad|cancelad|invalidad|anticuad)[oa]s?|sin efecto|sin validez|en el pasado|atrás)"
)
_GONE_ES = _either(
    rf"""ya no (?:vale|valen|sirve|sirven|se (?:usan?|aplican?|siguen?|hace)|aplica|rige|rigen|cuenta
    |es (?:válid[oa]|aplicable|así)|está (?:vigente|en vigor)|tiene (?:validez|vigencia)|corresponde)\b
    /no (?:vale|sirve) ya\b
    /(?:está|están|queda|quedan|quedó|quedaron|fue|fueron|es|son|sido) ~\b{_DEAD_ES}\b(?! por ¤)
    /(?:ha|han) (?:caducado|pasado a la historia|perdido (?:su )?(?:validez|vigencia))\b
    /(?:es|son) ~\b(?:historia|cosa del pasado|papel mojado|agua pasada)\b"""
)
_DEAD_FR = (
    r"(?:cadu(?:c|que)s?|obsolètes?|(?:dépassé|annulé|remplacé|abandonné|périmé|abrogé|supprimé|retiré|écarté)e?s?"
    r"|révolue?s?|de l'histoire ancienne)(?!\w)"
)
_GONE_FR = _either(
    rf"""n'(?:est|ont|sont) (?:donc )?plus (?:valables?|valides?|à jour|en vigueur|d'actualité|utilisée?s?
    |suivie?s?|la règle|appliquée?s?|vrai(?:e|s)?|à suivre|de mise|bonn?e?s?)\b
    /ne (?:vaut|valent|s'applique(?:nt)?|servent|sert|compte(?:nt)?|tient|tiennent|fait|se fait|marche)
    (?:donc )?plus\b
    /(?:est|sont|été) ~(?<!\w){_DEAD_FR}(?! par ¤)
    /(?:est|sont) ~\b(?:lettre morte|du passé)(?!\w)
    /à (?:oublier|jeter|ignorer|ne plus suivre)\b /ne plus (?:suivre|utiliser|appliquer)\b"""
)

# Verbs by which one thing takes the place of another that follows: of this note, then of what is linked.
_REPLACES_EN = _either(
    """replaces/supersedes/obsoletes/overrides/overrules/supplants/revokes/repeals/annuls/rescinds/retires
    /(?:these|we|they|both|which|that|rules|notes|steps|dates|times|settings) (?:now )?(?:replace|supersede)
    /(?:has|have|hereby)(?: \\w+)? (?:replaced|superseded|supplanted|overruled|retired|abolished|scrapped|dropped)
    /(?:takes?|has taken|have taken|taking) (?:the place of|over from) /(?:does|do|did|done) away with
    /(?:is|as) (?:a |the |our |my )?(?:\\w+ )?(?:replacement|successor|substitute) (?:of|for|to)
    /^(?:a |the )?(?:\\w+ )?(?:replacement|successor) (?:of|for|to) /replacing/superseding/overriding
    /puts an end to/(?:is|marks|means) the end of"""
)
_REPLACES_DE = _either(
    """ersetzt(?! (?:\\w+ )?(?:durch|von)\\b)/ersetzen/verdrängt/überschreibt/(?:tritt|treten) an die stelle/ersatz für/nachfolger(?:in)? (?:von|für|zu)
    /außer kraft gesetzt (?:ist|wird|sind)/hebt hiermit/abschied von/verwirft/widerruft"""
)
_REPLACES_ES = _either(
    """sustituye/sustituyen/reemplaza/reemplazan/remplaza/remplazan/anula/anulan/deroga/derogan/revoca/invalida
    /(?:ha|han) (?:sustituido|reemplazado|remplazado|anulado) /(?:toma|ocupa|viene a ocupar) el lugar
    /(?:deja|dejan) (?:sin efecto|obsolet[oa]s?|atrás|anulad[oa]s?) /en sustitución de/sustituto de/corrige y sustituye"""
)
_REPLACES_FR = _either(
    """remplace/remplacent/annule/annulent/abroge/abrogent/supplante/(?:prend|prennent) la place
    /(?:a|ont) (?:remplacé|supplanté|annulé) /prend (?:la relève|le relais) d(?:e|u|es)/succède à/se substitue à/en remplacement d(?:e|u|es)/met fin à"""
)
_COUNTS_EN = r"(?:valid|appl(?:y|ies)|holds?|counts?|follow|use|do|stick to|go by|read|in force|from now on|now)"
_COUNTS_DE = r"(?:gilt|gelten|gültig|ab sofort|ab jetzt|jetzt|künftig|nun|nehmen|machen|verwenden|nutzen|neu)"
_COUNTS_ES = r"(?:vale|rige|aplica|ahora|desde|en adelante|usar|usamos|hacemos|seguir|se usa|se hace)"
_COUNTS_FR = r"(?:vaut|valable|suivre|désormais|maintenant|dorénavant|appliquer|utiliser|on fait|à partir)"
_SELF_EN = (
    r"(?:this|it|that|these|them|the above|all (?:of )?this|everything here|what (?:is|i wrote|stands) here)\b"
)
_SELF_DE = r"(?:dies|das|diese|diesen|dieses|sie|ihn|es|obiges|das hier|alles hier)\b"
_SELF_ES = r"(?:a )?(?:esto|esta|este|estas|estos|ésta|éste|lo anterior|la presente|lo de aquí)\b"
_SELF_FR = r"(?:ceci|cela|cette|ces|ça|celle-ci|celui-ci|ce qui précède)\b"
_DEAD = r"(?:obsolete|history|void|redundant|invalid|unnecessary|superfluous|moot|outdated|pointless)"
_TOT = r"(?:hinfällig|überflüssig|gegenstandslos|obsolet|ungültig|unnötig)"

FORMS: tuple[ReplacementForm, ...] = (
    # -- English
    ReplacementForm("en", "old", rf"\b{_COUNTS_EN}\b~, (?:and )?not (?:what |as in |the \w+ in )?§", "From now on this applies, not §."),
    ReplacementForm("en", "old", r"\b(?:have|has|had|we|i) (?:given up|abandoned|dropped|scrapped|quit)\b~§", "We have given up §."),
    ReplacementForm("en", "old", r"\b(?:it|this|that) (?:was|used to be) ~§ (?:before|until now|so far)\b", "It was § before."),
    ReplacementForm("en", "old", r"\b(?:are|is|am|'re|'m|got) off §", "We are off § since the audit."),
    ReplacementForm("en", "old", rf"§[^§¤.]{{0,80}}[;,:] (?:and |but )?(?:it|this(?! one| note| page)|that|they) ~\b{_GONE_EN}", "§ is old; it is dead."),
    ReplacementForm("en", "old", r"^(?:replaced|retired|scrapped|dropped)\b(?!.* by )~§", "Replaced §.", is_sure=False),
    ReplacementForm(
        "en",
        "heir",
        rf"§ (?:\w+ )?(?:replaces|supersedes|overrides|obsoletes|overrules|takes the place of|has (?:\w+ )?(?:replaced"
        rf"|superseded|taken the place of)) {_SELF_EN}",
        "§ replaces this.",
    ),
    ReplacementForm("en", "heir", r"§ (?:\w+ )?(?:takes|has taken) its place\b", "§ takes its place."),
    ReplacementForm("en", "heir", r"\binstead(?! of),? ~§", "What counts instead is §."),
    ReplacementForm("en", "heir", r"§ (?:now )?(?:counts|applies|holds|is valid|is in force) (?:now|instead|from)\b", "§ applies now."),
    ReplacementForm("en", "heir", r"^(?:nowadays|these days|meanwhile|today):? (?:see|use|read) ~§", "Nowadays see §."),
    ReplacementForm("en", "heir", r"^(?:now|from now on):? (?:see|in|use|read) ~§", "Now see §."),
    ReplacementForm("en", "old", r"\b(?:nothing|none|no part|not a word|little) (?:of|in|from)\b~§ ~\b(?:left|remains?|appl(?:y|ies)|holds?|true|valid|stands?|survives?|counts?|right)\b", "Nothing of § is left."),
    ReplacementForm("en", "old", r"\b(?:switch(?:ed)?|mov(?:ed?|ing)|chang(?:ed?|ing)|migrat\w+|went|shift(?:ed)?|turn(?:ed)?)(?: on| away| over)? (?:from|(?<!went )(?<!turned )(?<!switched )off)\b~§", "We moved on from §."),
    ReplacementForm("en", "old", r"§ ~\b(?:has|have|had) ~\b(?:served (?:its|their)|outlived|run (?:its|their) course|given way|made way|changed)\b", "§ has run its course."),
    ReplacementForm("en", "old", r"\b(?:old|former|previous|earlier|outdated|obsolete)\b (?:\w+ ){0,3}?\W?(?:of|in|from|under|see)? ?§ ~\b(?:can|may|is|are|was|were|has|have|went|goes|no)\b", "The old rule in § can rest.", is_sure=False),
    ReplacementForm("en", "old", r"\b(?:updates|corrects|amends|revises|improves on|changes|adjusts)\b~§", "This corrects §.", is_sure=False),
    ReplacementForm("en", "heir", r"\b(?:this|it|which|that|these|the (?:rule|plan|note|list)) (?:\w+ )?(?:gave|has given|gives|made|has made|yielded|lost out)(?: way)? (?:to|for)\b~§", "This rule was good, it has given way to §."),
    ReplacementForm("en", "heir", r"^(?:(?:this|it|the \w+) )?(?:(?:was|has|has been|is|were|are) )?(?:now )?(?:moved|continued|merged|folded|rewritten|revised|updated|reworked|swapped|exchanged|dropped|abandoned|given up|overhauled) ~\b(?:to|in|into|as|by|for|in favou?r of)\b~§", "Rewritten as §."),
    ReplacementForm("en", "heir", r"\b(?:valid|true|held|applied|in force|correct|good|used) (?:only )?(?:until|till|up to)\b~§", "Held until §."),
    ReplacementForm("en", "heir", r"(?<!of )(?<!than )(?<!not )§ ~\b(?:instead|in its place|from now on|nowadays|these days)\W*$", "We do § instead."),
    ReplacementForm("en", "heir", r"(?:→|=>|->|>>) ?§", "Labels → §."),
    ReplacementForm("en", "old", r"§ (?:\w+ )?(?:is|are|was|were|has|have) (?:now |long |been )?(?:gone|over(?! \w)|off|past|dead|lifted|closed|(?:now )?(?:only )?of (?:only )?(?:historical|no) (?:interest|use|value))\b", "The rules of § are off."),
    ReplacementForm("en", "old", r"§ (?:ends?|ended|expired|lapsed|ran out|stops|stopped|ceases)\b", "The agreement of § ends."),
    ReplacementForm("en", "old", r"\b(?:who(?:ever)?|anybody who|anyone who|those who) still ~§ ~\b(?:wrong|mistaken|late|behind|outdated)\b", "Those who still follow § are wrong."),
    ReplacementForm("en", "old", r"\b(?:this|it|that|the new \w+)(?: one| list| rule| plan)?,? (?:and )?not (?:what |as in |the \w+ in )?§\W*$", "Use this and not §."),
    ReplacementForm("en", "heir", r"§,? (?:which|that|and it|it) (?:\w+ )?(?:replaces|supersedes|takes over from|overrides) (?:this|it|the above|what)\b", "See §, which replaces this."),
    ReplacementForm("en", "heir", r"^for the (?:current|valid|new) (?:one|list|rule|version|text),? (?:see|look at|read|go to) ~§", "For the current rule see §."),
    ReplacementForm("en", "heir", r"\b(?:the|our|my|a) (?:rule|plan|way|case|practice|custom|agreement) (?:until|till|before|up to) ~§", "Was the plan until §."),
    # -- German
    ReplacementForm("de", "old", r"\b(?:löst|lösen)\b~§ ~\bab\b", "Diese Regel löst § ab."),
    ReplacementForm("de", "old", r"\b(?:die|der|das|was|womit)\b~§ ~\b(?:ablöst|ersetzt|aufhebt|ablösen|ersetzen)\b", "Eine Liste, die § ersetzt."),
    ReplacementForm("de", "old", r"\b(?:hebt|heben|setzt|setzen)\b~§ ~\b(?:auf|außer kraft)\b", "Das hebt § auf."),
    ReplacementForm("de", "old", rf"§[^§¤.]{{0,80}}[;,:] (?:und |aber )?(?:das|es|sie|die|er|der) ~\b{_GONE_DE}", "§ war gut, das ist vorbei."),
    ReplacementForm("de", "heir", r"\b(?:durch|von) ~§ (?:worden |inzwischen |jetzt )?(?:ersetzt|abgelöst|überholt|aufgehoben)\b", "Wurde durch § ersetzt."),
    ReplacementForm("de", "heir", rf"§ (?:\w+ )?(?:ersetzt|löst) {_SELF_DE}", "§ ersetzt das."),
    ReplacementForm("de", "heir", r"\ban (?:ihre|seine|deren|dessen) stelle ~§", "An ihre Stelle tritt §."),
    ReplacementForm("de", "heir", r"^(?:inzwischen|mittlerweile|heute|jetzt|nun|neuerdings):? siehe\b ~§", "Inzwischen siehe §."),
    ReplacementForm("de", "heir", r"\b(?:stattdessen|statt dessen|nunmehr|ab jetzt gilt|jetzt gilt|nun gilt|inzwischen gilt|neu gilt)\b ~§", "Stattdessen gilt §."),
    ReplacementForm("de", "heir", r"\b(?:es )?gilt (?:jetzt|nun|nunmehr|ab sofort|inzwischen|stattdessen|nur noch) ~§", "Es gilt jetzt §."),
    ReplacementForm("de", "old", r"§ ~\b(?:gehört der vergangenheit an|ist schnee von gestern|war (?:einmal|gestern)|entfällt|entfallen|fällt weg|verliert (?:seine|ihre) gültigkeit|tritt (?:damit )?außer kraft|hat sich erledigt|ist nicht mehr|ist falsch|ist altpapier|ist damit)\b", "§ entfällt."),
    ReplacementForm("de", "old", r"\b(?:umgestellt|gewechselt|weg|abgerückt|verabschiedet|abgekommen) ?~\bvon\b~§", "Wir sind abgekommen von §."),
    ReplacementForm("de", "old", r"\b(?:früher|bisher|bislang|vorher|zuvor|bis jetzt)\b~\b(?:galt|galten|war|hieß|machten wir)\b~§", "Bisher galt §."),
    ReplacementForm("de", "old", r"\b(?:geht|gehen|hat|haben) vor\b~§|\bvorrang vor ~§", "Das hat Vorrang vor §."),
    ReplacementForm("de", "old", r"\b(?:ändert|korrigiert|aktualisiert|berichtigt|überarbeitet)\b~§", "Das korrigiert §.", is_sure=False),
    ReplacementForm("de", "heir", r"\b(?:galt|gültig|richtig|stimmte) (?:nur )?bis (?:zu )?~§", "Galt bis §."),
    ReplacementForm("de", "heir", r"^(?:(?:das|dies|die \w+|der \w+) )?(?:ist |wurde |steht |findet sich )(?:jetzt |nun |inzwischen )?(?:neu gefasst|überarbeitet|verschoben|fortgesetzt|zu finden|aufgegangen|weitergeführt)?\W?(?:in|als|unter|nach) ~§\W*$", "Steht jetzt in §."),
    ReplacementForm("de", "heir", r"\b(?:weicht|wich|gewichen|platz gemacht für)\b~§", "Diese Regel weicht §."),
    ReplacementForm("de", "old", r"\b(?:damit|somit|hiermit|jetzt) ~\bentf(?:ällt|allen)\b~§", "Damit entfällt §."),
    ReplacementForm("de", "old", r"(?<!vergiss )(?<!vergesst )\b(?:und )?(?:nicht mehr|nicht länger|nicht)(?: wie in| nach| die \w+ (?:in|aus))? §\W*$", "Das hier gilt, nicht mehr §."),
    # -- Spanish
    ReplacementForm("es", "old", r"\b(?:hace|vuelve|deja)n?\b~§ ~\b(?:inútil|obsolet[oa]|innecesari[oa]|sin efecto)\b", "Esto hace § inútil."),
    ReplacementForm("es", "old", rf"§[^§¤.]{{0,80}}[;,:] (?:y |pero )?(?:eso |esto )?{_GONE_ES}", "Antes era §, ya no vale."),
    ReplacementForm("es", "heir", rf"§ (?:\w+ )?(?:sustituye|reemplaza|remplaza|anula) {_SELF_ES}", "§ sustituye a esta nota."),
    ReplacementForm("es", "heir", r"§ (?:l[oa]s? )(?:sustituye|reemplaza|remplaza|ha sustituido|ha reemplazado)\b", "§ la sustituye."),
    ReplacementForm("es", "heir", r"^(?:actualmente|ahora|hoy en día|hoy día):? (?:ver|véase|mira|mirar)\b ~§", "Actualmente ver §."),
    ReplacementForm("es", "heir", r"\b(?:en su lugar|ahora (?:vale|rige)|desde ahora|lo válido es)\b,? (?:lo de |la de |el de |la |el )?§", "En su lugar, §."),
    ReplacementForm("es", "old", r"\b(?:dejamos|dejo|dejó|dejaron|hemos dejado|se deja|abandonamos|abandono|se abandona|descartamos|se deroga|se anula|se acabó|se acabaron|adiós a|nada de|fuera|fin de|corrige y anula|toma el relevo de|termina con|acaba con|pone fin a|prevalece sobre)\b~§", "Se acabó §."),
    ReplacementForm("es", "old", r"\bya no ~\b(?:hace|hacemos|hago|va|vamos|se hace|se usa|uso|usamos|aplicamos|necesitamos|vale|seguimos|rige)\b(?=[^,]*§)~§", "Ya no se hace lo de §."),
    ReplacementForm("es", "heir", r"\b(?:valió|válid[oa]|vigente|sirvió) (?:solo )?hasta\b~§", "Vigente hasta §."),
    ReplacementForm("es", "heir", r"^(?:(?:esto|ahora) )?(?:ahora )?(?:está en|se mudó a|continúa en|pasó a|sigue en|mejor|véase)\b~§\W*$", "Ahora está en §."),
    # -- French
    ReplacementForm("fr", "heir", r"^(?:désormais|maintenant|à présent|aujourd'hui) ?:? voir\b ~§", "À présent voir §."),
    ReplacementForm("fr", "heir", rf"§ (?:\w+ )?(?:remplace|annule) {_SELF_FR}", "§ remplace cette note."),
    ReplacementForm("fr", "heir", r"§ (?:l'a |l[ea]s? )remplac(?:e|ent|ée?)(?!\w)", "§ la remplace."),
    ReplacementForm("fr", "heir", r"(?:à la place(?! d)|à sa place|c'est désormais|désormais)\b,? (?:\w+ )?(?:c'est )?~§", "À sa place, §."),
    ReplacementForm("fr", "old", r"§ ~(?<!\w)(?:appartient au passé|n'a plus (?:cours|lieu|de sens|d'objet)|n'existe plus|c'est (?:fini|terminé|du passé)|était pour l'ancien|a fait son temps|ne \w+ plus|est (?:faux|fausse|à oublier|fini|terminé)e?)(?!\w)", "§ a fait son temps."),
    ReplacementForm("fr", "old", r"\b(?:corrige|met à jour|modifie|change|actualise|rectifie)\b~§", "Cela corrige §.", is_sure=False),
    ReplacementForm("fr", "heir", r"\b(?:valable|valait|en vigueur|valide) (?:seulement )?jusqu'à\b~§", "Valable jusqu'à §."),
    ReplacementForm("fr", "old", r"\b(?:a|ont|avons) (?:été )?(?:abandonné|supprimé|laissé tomber|oublié|arrêté)e?s?(?!\w)~§", "On a abandonné §."),
)  # fmt: skip

# Who reads one of these does not learn that something has been replaced: what could be, will be, was for a time only,
# or in part; what is asked, or what others think. Each is a regular expression; an example stands behind it.
DOUBTS: tuple[tuple[str, str], ...] = (
    (r"\?", "Does this replace §?"),
    (r"\b(?:if|unless|whether|would|could|might|perhaps|maybe|suppose|imagine|probably)\b", "It would replace §."),
    (r"(?<!§ )\b(?:wenn|falls|sofern|ob|würden?|könnten?|vielleicht|womöglich|eventuell|wäre|hätte)\b", "Falls das § ersetzt, gut."),
    (r"(?<!\w)(?:si|quizás?|tal vez|a lo mejor|podría|sería|\w+aría)\b", "Si sustituye a §, bien."),
    (r"(?<!\w)(?:si|s'il|peut-être|pourrait|serait|devrait|au cas où|\w+erait)\b", "Si cela remplace §, tant mieux."),
    (r"\b(?:will|going to|plan(?:s|ned)? to|want(?:s|ed)? to|hopes? to|supposed to|soon|one day)\b", "The app will soon replace §, § dead."),
    (r"\b(?:soll|sollte|will|möchte|geplant|plant|irgendwann|bald|demnächst)\b", "Bald ist § überholt."),
    (r"\b(?:quiere|queremos|quiero|piensa|va a|van a|debería|pronto|algún día)\b", "Pronto § ya no vale."),
    (r"(?<!\w)(?:veut|voudrait|on va|va être|bientôt|un jour(?! sur)|prévoit)\b", "Bientôt § ne vaut plus."),
    (r"\b(?<!§ )(?:says?|said(?! goodbye)|thinks?|thought|claims?|claimed|asks?|asked|according to|(?<!i )(?<!we )wrote|demands?|insists?|suggests?|proposed|believes?|rumou?r)\b", "Ana says it replaces §."),
    (r"\b(?<!§ )(?:sagt|sagte|meint|meinte|verlangt|fordert|behauptet|fragt|fragte|laut (?!§)|angeblich|glaubt|findet)\b", "Ana meint, das ersetzt §."),
    (r"\b(?<!§ )(?:dice|dijo|dicen|exige|pide|propone|cree|opina|pregunta|preguntó|según (?!§)|piensa que)(?! §)(?!\w)", "Ana dice que sustituye a §."),
    (r"(?<!\w)(?:dit que|disait|exige|réclame|propose|pense que|croit|demande si|demandé|d'après (?!§)|selon (?!§)|prétend)(?!\w)", "Ana dit que cela remplace §."),
    (r"^during\b|\b(?:used to (?:replace|be replaced)|back then|for a (?:while|time|week|day|month)|temporar\w+|for the time being|until further notice|only (?:for|on|during|while|when)|just for)\b", "For a while this replaces §."),
    (r"^während\b|\b(?:vorübergehend|vorerst|zeitweise|eine zeit lang|solange|nur (?:für|am|im|während)|bis (?:zum|auf))\b", "Das ersetzt § vorübergehend."),
    (r"^durante\b|\b(?:antes sustituía|temporalmente|provisional\w*|de momento|por ahora|mientras|hasta que|solo (?:para|durante|en))\b", "Por ahora sustituye a §."),
    (r"^pendant\b|(?<!\w)(?:autrefois|provisoirement|temporairement|pour l'instant|en attendant|tant que|seulement (?:pour|pendant))\b", "Cela remplace § pour l'instant."),
    (r"\b(?:yet|noch nicht|noch kein\w*)\b|(?<!\w)(?:aún|todavía|pas encore)(?!\w)", "§ is not in force yet."),
    (r"\b(?:usual|usually|normally|otherwise? valid)\b|\b(?:sonst|üblich\w*|normalerweise)\b|(?<!\w)(?:habitual\w*|habituel\w*|d'habitude|normalement)(?!\w)", "For buns 80 % instead of the usual §."),
    (r"\b(?:wish|idea|proposal|suggestion|draft|planned|wunsch|idee|vorschlag|entwurf|geplant|propuesta|borrador|idée|proposition|brouillon)(?: ?:|\b(?=.{0,20}:))", "Idea: scrap §."),
    (r"§ (?:\w+ )?(?:stands|still|stays|remains|bleibt|bleiben|weiterhin|sigue|siguen|reste|restent|vaut toujours)\b", "§ remains, the old one is dead."),
    (r"\b(?:partly|partially|in part|half of|some of|parts? of|except)(?: |\W*$)|\b(?:(?:first|last|second|third)(?: \w+)?|number|price|address|phone|link|date|figure|line|paragraph|section|sentence|point|step|photo|typo|name|time|day) (?:of|in|from) (?:\w+ ){0,3}§", "The phone number in § is outdated."),
    (r"\b(?:teilweise|zum teil|zur hälfte|außer|teile? (?:von|aus))(?: |\W*$)|\b(?:nummer|preis|adresse|telefonnummer|absatz|punkt|abschnitt|schritt|satz|datum|zeile) (?:in|aus|von|bei) (?:\w+ ){0,3}§", "Der Preis in § ist überholt."),
    (r"\b(?:en parte|parcialmente|salvo|parte de)(?: |\W*$)|\b(?:número|precio|teléfono|dirección|punto|párrafo|paso|fecha) (?:de|en) (?:\w+ ){0,3}§", "El precio de § ya no vale."),
    (r"(?<!\w)(?:en partie|partiellement|sauf|une partie de)(?: |\W*$)|\b(?:numéro|prix|adresse|téléphone|point|paragraphe|étape|date) (?:de|dans) (?:\w+ ){0,3}§", "Le prix dans § n'est plus valable."),
    (r"\b(?:far from|nowhere near|still (?:uses?|has|have|needs?|holds?|appl(?:y|ies)|counts?|valid|true|in force)|nutzt noch|weit davon)\b|(?<!\w)(?:loin d['e]|lejos de)", "§ is far from obsolete."),
    (r"\b(?:every|each|weekly|monthly|yearly|daily|jeden|jede|jedes|cada|chaque)\b(?= (?:day|week|month|year|spring|autumn|winter|summer|time|tag|woche|monat|jahr|mal|día|semana|mes|año|vez|jour|semaine|mois|année|fois)|$|\.)", "She replaces § every month."),
    (r"(?<!of )(?<!from )(?<!since )\b(?:today|tonight|yesterday|this time|for once|exceptionally)\b", "Today soup instead of what § has for Fridays."),
    (r"(?<!ab )(?<!seit )(?<!von )\b(?:heute|gestern|diesmal|ausnahmsweise)\b(?! (?:an|gilt))(?!\W*§)", "Heute Suppe, statt § gilt das."),
    (r"(?<!desde )\b(?:hoy|ayer|esta vez|excepcionalmente)\b", "Hoy sopa en vez de §."),
    (r"(?<!d')(?<!\w)(?:aujourd'hui|cette fois|exceptionnellement)\b", "Exceptionnellement, soupe au lieu de §."),
)  # fmt: skip

# Words that turn a form into its contrary if they stand in it or just before it.
DENIALS = "|".join(map(negation.pattern, negation.NEGATIONS))
