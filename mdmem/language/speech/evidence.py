"""What speaks for and against a sentence being worth a memory, cue by cue. Data, in four languages.

Patterns are matched in lower case with straight quotes and single blanks; `<day>` and the like stand for PARTS.
"""

from __future__ import annotations

from mdmem.values import NamedTuple


class Cue(NamedTuple):
    """A pattern, its weight in log-odds (negative for what speaks against), and a sentence that has it."""

    weight: float
    pattern: str
    example: str
    kind: str = "fact"  # the trigger of a sentence for which this speaks most


PARTS = {
    "<day>": (
        r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|montag|dienstag|mittwoch|donnerstag|freitag|samstag"
        r"|sonntag|lunes|martes|mi[eé]rcoles|jueves|viernes|s[aá]bado|domingo|lundi|mardi|mercredi|jeudi"
        r"|vendredi|samedi|dimanche"
    ),
    "<month>": (
        r"january|february|march|april|june|july|august|september|october|november|december|jan(?=\.? \d)"
        r"|feb|apr|aug|sept?|oct|nov|dec|januar|februar|märz|mai|juni|juli|oktober|dezember|enero|febrero"
        r"|marzo|abril|mayo|junio|julio|agosto|se[pt]+iembre|octubre|noviembre|diciembre|janvier|février"
        r"|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre"
    ),
    "<number>": (
        r"(?:\d+(?:[.,:]\d+)?|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|forty|fifty"
        r"|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf|dos|tres|cuatro|cinco|seis|siete|ocho"
        r"|nueve|diez|deux|trois|quatre|cinq|sept|huit|neuf|dix|vingt)"
    ),
    "<kin>": (
        r"(?:wife|husband|partner|girlfriend|boyfriend|daughters?|sons?|kids?|child(?:ren)?|mother|father"
        r"|mum|mom|dad|parents|sisters?|brothers?|grand\w+|aunt|uncle|cousin|niece|nephew|landlord|landlady"
        r"|tenant|neighbou?rs?|boss|in-laws|twins|fiancée?|flatmate|teacher|coach|doctor|vet|dogs?|cats?"
        r"|horses?|hens?|frau|mann|tochter|sohn|kinder|mutter|vater|eltern|schwester|bruder|oma|opa|hund"
        r"|katze|mujer|marido|hij[oa]s?|madre|padre|padres|herman[oa]s?|abuel[oa]|perr[oa]|gat[oa]|femme"
        r"|mari|fille|fils|enfants|mère|père|parents|sœur|frère|grand-\w+|chien|chat)"
    ),
}

# -- what speaks for it -----------------------------------------------------------------------------------------

FOR = {
    "recurs": Cue(
        1.5,
        r"\b(?:(?:every|each) (?:\w+ ){0,2}?(?:day|night|morning|evening|week|weekend|month|quarter|year"
        r"|summer|winter|time|<day>|first)\w*|(?:mon|tues|wednes|thurs|fri|satur|sun)days|weekdays|weekly"
        r"|monthly|yearly|nightly|jede[nrsm]? (?:\w+ )?(?:tag|nacht|woche|monat|jahr|morgen|abend|<day>)"
        r"|(?:mon|diens|donners|frei|sams|sonn)tags|mittwochs|morgens|abends|nachts|täglich|wöchentlich"
        r"|(?:todos los|todas las|cada) \w+|los (?:<day>)s?|tous les \w+|toutes les \w+|chaque \w+"
        r"|les? (?:<day>)s?)\b",
        "We meet every second Tuesday.",
    ),
    "always": Cue(
        0.9,
        r"\b(?:always|never|usually|any ?more|no longer|normally|as a rule|immer|stets|nie|niemals"
        r"|grundsätzlich|normalerweise|nicht mehr|siempre|nunca|jamás|ya no|normalmente|toujours|jamais"
        r"|d'habitude|ne .{1,20} plus)\b",
        "Wir heizen nie mit Holz.",
    ),
    "since": Cue(
        1.5,
        r"\b(?:since (?:the |last |my |our |we |they |she |he )?(?!last\b|yesterday|today|then\b|this\b"
        r"|<day>|i\b|when\b)[\w-]+(?! last\b)|ever since|for (?:<number>|many|several) (?:years|months)"
        r"|(?:<number>) years in\b|dates from|seit (?!wann|gestern|heute)\w+|desde (?!hoy|ayer)\w+"
        r"|hace <number> años|depuis (?!hier|quand)\w+)\b",
        "Depuis mars, le garage est loué.",
    ),
    "from now": Cue(
        1.1,
        r"\b(?:from now(?: on)?|as of|from (?:<month>|<day>|next \w+|the \d+)|starting (?:in "
        r"|on )?(?:<month>|next|the)|going forward|in future|ab (?:jetzt|sofort|<month>|<day>|dem"
        r"|nächste\w*|\d+)|künftig|in zukunft|a partir (?:de|del)|en (?:lo sucesivo|adelante)"
        r"|à partir d[eu]|désormais|dorénavant)\b",
        "Ab Mai gehört uns die Werkstatt.",
    ),
    "until": Cue(
        0.9,
        r"\b(?:not .{1,30} until|until|till|no later than|bis (?:zum|ende|<month>|<day>)|hasta (?:que|el"
        r"|<month>)|jusqu'(?:à|au|en))\b",
        "We keep the flat until spring.",
    ),
    "dated": Cue(
        0.9,
        r"\b(?:\d{1,2}(?:st|nd|rd|th|\.)? (?:de |of )?(?:<month>)\b|(?:<month>) \d{1,2}\b|(?:in|by|im|en"
        r"|au mois de) (?:<month>)\b|on the \d{1,2}(?:st|nd|rd|th)\b|(?:comes?|arrives?|on|by|am|el"
        r"|le) (?:<day>)\b|go-live|launch(?:es)? on)",
        "The course begins on 4 October.",
    ),
    "home": Cue(
        0.9,
        r"\b(?:chez (?:nous|moi)|bei (?:uns|mir)|(?:en|at) (?:mi|nuestra|my|our) (?:casa|home|place|house"
        r"|flat)|up here|down here|around here|(?:in|for|of) (?:this|our|my) (?:house|home|flat|office|team"
        r"|company|family|building|kitchen|garden)|en este (?:piso|edificio|equipo)|en esta (?:casa"
        r"|empresa)|in (?:diesem haus|dieser wohnung|unserem \w+|unserer \w+))\b",
        "Bei uns wird samstags gekocht.",
    ),
    "own": Cue(
        0.5,
        r"\b(?:my|our|mein(?:e[rnsm]?)?|unser(?:e[rnsm]?)?|mis?|nuestr[oa]s?|mon|ma|mes|notre|nos)\b",
        "Our boiler is in the attic.",
    ),
    "kin": Cue(
        0.6,
        r"\b(?:my|our|mein(?:e[rnsm]?)?|unser(?:e[rnsm]?)?|mis?|nuestr[oa]s?|mon|ma|mes|notre"
        r"|nos) (?:\w+ )?<kin>\b",
        "Mi hermana vive en Vigo.",
    ),
    "only": Cue(
        0.9,
        r"\b(?:only|nothing but|nobody|no one|none of|everything|everyone|all (?:of )?(?:our|the|my)"
        r"|any (?:wall|time)|keiner|niemand|nichts|nur|alles|alle|nadie|solo|sólo|solamente|todo|todos"
        r"|nada de|personne|rien|seulement|uniquement|que du|tout)\b",
        "Nobody but Ruth has the key.",
    ),
    "rule": Cue(
        1.6,
        r"^(?:(?:and|und|y|et|but|so|also|please|bitte|por favor|then|ok(?:ay)?)[ ,]+)*(?:no|keine?n?"
        r"|nada de|pas de|ningún|ninguna|aucune?) (?!\w+[.!?]?$|idea|worries|problem|wonder|doubt|need"
        r"|hurry|rush|thanks|way\b|i\b|we\b|it\b|he\b|she\b|they\b|you\b|lo\b|la\b|me\b|se\b|ahnung"
        r"|problème|soucis)\w+ \w+|\b\w+ (?:only|nur|solamente|uniquement)[.!]?$|\b(?:is"
        r"|are) out(?: of the question)?\b(?! of (?!the question)|\w)|\b(?:must|may|darf|dürfen|debe|doit"
        r"|doivent) (?:not|never|only|nicht|nie|nur|no|pas)\b|\bcan(?:'t|not) (?:trust|rely on|use)\b"
        r"|\bnot allowed\b|\bhouse rule\b|\bby policy\b",
        "No deliveries before noon.",
    ),
    "role": Cue(
        1.7,
        r"\b(?:(?:is|are) (?:our|my|the) (?:\w+ )?(?:manager|boss|lead|treasurer|contact|secretary|chair\w*"
        r"|head|owner|maintainer|guide|coach|trainer|supervisor|dentist|doctor|gp)|(?:does|keeps) (?:the"
        r"|our) (?:books|accounts|minutes|keys?|list)|macht (?:die|den|das) (?:kasse|protokoll|buchhaltung"
        r"|\w+ bei uns)|führt (?:die|das)|betreut|unterschreibt|genehmigt|(?:tiene|guarda) la[s]? llaves?"
        r"|es (?:la|el) (?:jef[ea]|presidenta?|tesorer[oa]|encargad[oa])|firma|aprueba|gestiona|coordina"
        r"|est (?:la|le) (?:chef\w*|présidente?|trésori\w+|responsable)|tient (?:la|les)|signe|valide"
        r"|encadre|belongs? to|reports? to|in charge of|responsible for|is (?:owned|run|led|handled"
        r"|maintained) by|looks after|takes care of|signs? off|(?<!you )handles|approves|zuständig"
        r"|verantwortlich|kümmert sich|gehört|leite[t]?|(?:lo|la|los|las) lleva|se encarga|se ocupa"
        r"|dirij?[oe]|dirige|pertenece|responsable de|s'occupe|appartient|dirige|gère)\b",
        "Payroll reports to Ms Okafor.",
    ),
    "being": Cue(
        0.7,
        r"(?:^|[,;:.] |\b(?:and|und|y|et|as) )(?:i'm|i am|we're|we are|ich bin|wir sind|soy|somos|estoy"
        r"|je suis|nous sommes|on est) (?:an? |the |une? |ein |eine )?(?!so\b|very|not|just|really|sure"
        r"|sorry|glad|happy|afraid|here|back|off|going|trying|looking|lying|in a|tired|done|ready|ok|fine"
        r"|müde|cansad|fatigu|too|far|joking|kidding|only|back|on my|writing|out\b|feeding)\w{4,}",
        "Je suis infirmière de nuit.",
    ),
    "limit": Cue(
        2.1,
        r"\b(?:(?:am|i'm|is|she's|he's|are|we're) (?:\w+ )?(?:vegetarian|vegan|diabetic|coeliac|celiac"
        r"|colou?r-?blind|pregnant|lactose|claustrophobic|seasick|carsick|asthmatic)|gets? (?:\w+ )?(?:sea"
        r"|car|motion|alt)\w*sick|asthma|migraines?|wheelchair|vegetarier\w*|veganer\w*|schwanger"
        r"|diabetiker\w*|höhenangst|flugangst|rollstuhl|hasse|kann kein\w*|vertrage|no (?:tolera|bebe|come"
        r"|prueba|aguanta)\w*|vegetarian[oa]|vegan[oa]|embarazada|diabétic[oa]|celíac[oa]|silla de ruedas"
        r"|végétarien\w*|enceinte|diabétique|cœliaque|fauteuil roulant|ne (?:boivent|mangent|supportent)"
        r"|j'ai horreur|déteste|a peur d|can't stand|cannot stand|can't (?:eat|have|take|bear|do|tolerate"
        r"|digest)|doesn't (?:eat|drink|like)|don't (?:eat|drink|like)|(?:won't|will not) (?:eat|touch"
        r"|drink)|deaf|blind in|lame|allerg\w+|intoleran\w+|useless (?:before|after|at|with)|verträg\w*"
        r"|wird (?:mir|ihm|ihr) (?:\w+ )?(?:schwindlig|schlecht|übel)|mag (?:kein\w*|nicht)|isst kein\w*"
        r"|no soport\w+|no com[eo]\b|no pued[eo] (?:comer|tomar|beber)|me (?:marea|sienta mal)|ne supporte"
        r"|ne touche|ne mange|ne bois|ne boit|ne digère|hate[sd]?|scared of|afraid of heights)\b",
        "Unser Sohn verträgt keine Milch.",
        "preference",
    ),
    "decided": Cue(
        2.6,
        r"\b(?:we(?:'re| are) (?:moving|switching|dropping|keeping|cancelling|replacing)|i(?:'m"
        r"| am) (?:switching|dropping|keeping|quitting|cancelling)|we(?:'ll| will) (?:use|keep(?! \w+ing)"
        r"|drop|take|do without|switch)|i(?:'ll| will) (?:keep(?! \w+ing| you)|take the|stay|stick)"
        r"|no more \w+ (?:for|in|on)|agreed(?= on|:|, we)|es bleibt (?:bei|dabei)|wir (?:stellen um"
        r"|wechseln|behalten|lassen|verzichten)|ich (?:behalte|wechsle|höre .{1,20} auf|verzichte"
        r"|habe mich (?:für|gegen|entschieden))|fällt die wahl|genommen wird|me (?:quedo|cambio|decanto)"
        r"|nos (?:quedamos|cambiamos|decantamos)|elegimos|elijo|prescindimos|cambiamos a|descartado"
        r"|on (?:passe|arrête|abandonne|laisse tomber|opte)|je (?:garde|prends|reste|passe à|renonce"
        r"|choisis|arrête)|nous (?:gardons|prenons|restons|passons|optons|renonçons)|adjugé|c'est (?:acté"
        r"|non|oui) pour|(?:we|i)(?:'ll| (?:wi|sha)ll|'re| are|'m| am)? (?:go|going|went|gone|stick"
        r"|sticking|stay|staying|settle[d]?|opt|opted) (?:with|for|on)|(?:i'm|we're|so i'm|am"
        r"|are) (?:staying|sticking|going) with|let's (?:use|go with|take|keep|stick|drop|skip"
        r"|do it (?:that|this) way|settle)|(?:we|i)(?:'ve| have)? (?:decided|agreed|declined|resolved"
        r"|chosen|chose|picked|settled)|final answer|final decision|it's (?:decided|settled)|that's settled"
        r"|i accept\b|sold[,.!]|deal[.!]|[\w']+ it is(?= for\b| then\b|[,.!]|$)|(?:we|i)(?:'re| are|'m"
        r"| am) not (?:touching|doing|using|changing|buying|taking|going)|(?:is|are) to be (?:our|my"
        r"|the) \w+|abgemacht|entschieden|beschlossen|wir (?:nehmen|bleiben|machen|verwenden|gehen mit"
        r"|setzen auf|haben uns)|ich (?:bleibe bei|nehme)|dabei bleibt|zugesagt|abgesagt|decidido|decidimos"
        r"|nos quedamos con|me quedo con|hemos (?:decidido|elegido|acordado|quedado)|vamos con|vuelvo a"
        r"|volvemos a|dejo (?:el|la|de)|optamos|usaremos|haremos|trato hecho|vendu|on (?:part|reste|prend"
        r"|garde|choisit|décide|a décidé|a choisi|fait comme)|c'est (?:décidé|tranché)|d'accord pour"
        r"|nous avons (?:décidé|choisi|convenu)|j'ai (?:décidé|choisi|refusé|accepté))\b",
        "Okay, we go with the slate roof.",
    ),
    "cause": Cue(
        1.6,
        r"\b(?:(?:the|our) \w+ (?:\w+ )?(?:was|were) (?:set|wired|configured|mounted|plugged|swapped"
        r"|missing|clogged|blocked|worn|too)|(?:that|this|it) (?:fixed|fixes|solved|cured|did) it|fixed by"
        r"|(?:works?|fine|gone) (?:now )?since|needs? (?:a|the|to be) .{1,40}(?:before|first|otherwise)"
        r"|(?:war|waren) (?:falsch|verstopft|defekt|vertauscht|zu)|seitdem (?:läuft|geht|ist)|geholfen hat"
        r"|estaba (?:mal|rot[oa]|atascad[oa]|al revés|desactivad[oa])|se arregló|lo arregló|desde entonces"
        r"|était (?:mal|cassée?|bouchée?|désactivée?|trop)|depuis,? (?:ça|tout|plus)|ça vient d"
        r"|because of (?:that|this|it|the)|(?:it|that|this|they)(?:'s| is| was| were|'re) (?:down to|due to"
        r"|caused by|from)|(?:came|comes|come) from|the (?:cause|reason|culprit|problem|leak|crash|fault"
        r"|bug|trouble|error|delay) (?:was|is|came|lay)|found (?:it|the cause|the reason|the bug)|so (?:the"
        r"|it) \w+ (?:\w+ )?(?:two|twice|both)|that explains|it was the|hab's|gefunden:|es lag an|lag (?:am"
        r"|an|daran)|liegt (?:am|an|daran)|schuld war|daran lag|ursache|era (?:el|la|un|una|por)|la culpa"
        r"|el problema era|la causa|por eso|venía de|se invalidaba|c'était (?:le|la|l'|un|une|à cause)"
        r"|venait d|la cause|à cause d|le coupable)\b",
        "Era la junta del grifo, estaba seca.",
        "learning",
    ),
    "lesson": Cue(
        1.8,
        r"\b(?:only works? (?:if|when|with|after)|workaround|the trick (?:is|was)|what finally (?:helped"
        r"|worked)|hilft nur|geht nur (?:mit|wenn|über)|der trick|solo funciona|el truco|ne marche que"
        r"|l'astuce|la solution (?:est|était)|never again|lesson learn\w+|nie wieder|nunca más|plus jamais"
        r"|what (?:worked|helped|works|helps)|(?:cost|costs|kostete|gekostet|costó|coûté) (?:me|us|mich|uns"
        r"|nos)|does the trick|did the trick|known (?:thing|issue|problem)|turns? out|turned out"
        r"|resulta que|stellt sich heraus|il s'avère)\b|\b<number> ?(?:s|ms|min|h)\b.{1,20}<number> ?(?:s"
        r"|ms|min|h)\b",
        "Nie wieder Kunststoffrohre im Keller.",
        "learning",
    ),
    "achieved": Cue(
        1.9,
        r"\b(?:(?:i|we)(?:'ve| have)?(?: just| finally)? (?:passed|signed(?: up)?|finished|enrolled"
        r"|graduated|won|got (?:in|the|accepted|engaged|married|promoted)|bought|sold|adopted|joined|quit"
        r"|resigned|retired)|pb\b|personal best|(?:wir|ich) hab(?:en|e) .{0,30}(?:unterschrieben|bestanden"
        r"|gekauft|verkauft|gewonnen|angemeldet|geschafft)|aprobé|firmamos|hemos (?:firmado|comprado"
        r"|vendido|ganado)|he (?:aprobado|firmado|comprado)|me (?:apunté|he apuntado|jubil\w+)"
        r"|j'ai (?:réussi|signé|acheté|vendu|gagné)|on a (?:signé|acheté|vendu|gagné)|se jubiló"
        r"|il a pris sa retraite|in rente)\b",
        "We finally signed the lease.",
        "milestone",
    ),
    "happened": Cue(
        1.3,
        r"\b(?:(?:i|we|he|she|they) (?:\w+ )?(?:broke|lost|fell|met|visited|received|sprained|crashed"
        r"|missed|inherited|burned|adopted|scattered|closed|opened) (?:my|our|his|her|their|the|an?|from"
        r"|off|down)|(?:was|were|got|has been|have been) (?:stolen|broken|damaged|cancelled|hacked|flooded"
        r"|diagnosed|vaccinated|operated|hospitali[sz]ed|rejected|approved|accepted|elected|damaged"
        r"|delivered)|gebrochen|verloren|gestohlen|operiert|diagnosti\w+|geimpft|gewählt|abgelehnt"
        r"|genehmigt|ausgefallen|abgesagt worden|überschwemmt|ist (?:gestern |heute )?(?:kaputt|gestürzt"
        r"|umgezogen|geplatzt)|se (?:rompió|cayó|perdió|murió|mudó|casó|quemó|inundó)|me (?:rompí|caí"
        r"|operaron|robaron|mudé|casé)|nos (?:robaron|mudamos|casamos|cancelaron)|perdí|perdimos|falleci\w+"
        r"|operad[oa]|diagnostic\w+|s'est (?:cassée?|perdue?|mariée?|blessée?)|je me suis (?:cassé|blessé"
        r"|mariée?|fait)|on m'a (?:volé|opéré)|opérée?|(?:a|ai|avons|ont) (?:perdu|déménagé|reçu|raté"
        r"|hérité)|décédée?|(?:we|i|she|he|they) had (?:it|him|her|them|the \w+|my \w+) \w{3,}(?:ed|en|wn"
        r"|lled)|(?:is|are|was|were) (?:gone|felled|stolen|broken into|harmless|benign)|(?:died|passed away"
        r"|was born|ist gestorben|ist geboren|murió|nació|est mort|est née?)|the (?:vet|doctor|hospital"
        r"|surgeon|lawyer|bank) (?:rang|called|said|says|found|wrote)|planted|took [a-z]+ and|moved to"
        r"|survécu|überlebt|sobrevivi\w+)\b",
        "The old dog died on Sunday night.",
    ),
    "ordered": Cue(
        1.0,
        r"\b(?:(?:i|we)(?:'ve| have)? (?:booked|reserved|ordered|rented|hired|invited|scheduled)|(?:gebucht"
        r"|bestellt|reserviert|gemietet|eingeladen)(?=[.,!;]|$)|(?:he|hemos) (?:reservado|comprado|pedido"
        r"|alquilado|invitado)|reservamos|alquilamos|(?:j'ai|on a|nous avons) (?:réservé|commandé|loué"
        r"|invité)|(?:is|are|has been|have been) (?:ordered|booked|fixed|scheduled|planned|due|reserved"
        r"|confirmed)|(?:they|it|he|she) comes? (?:on|every|in)|rehearse|(?:ist|sind) (?:bestellt|gebucht"
        r"|geplant)|está (?:reservad|pedid|previst)|est (?:prévue?|commandée?|réservée?)|confirmed (?:by"
        r"|that|it))\b",
        "The new stove is ordered.",
    ),
    "changed": Cue(
        0.9,
        r"\b(?:\w+ now(?=[.,;!]|$)|now that|(?:moved|switched|changed|swapped|dropped|replaced|renamed"
        r"|ended|cancelled|postponed) \w+|instead of|no longer|not \w+ (?:as|but)|no .{1,15}, (?:que|sino)"
        r"|nicht .{1,20} sondern|statt|en lugar de|en vez de|au lieu d|adjoint|(?:one )?correction[:,])",
        "The shop closes at six instead of seven.",
        "correction",
    ),
    "instruct": Cue(
        1.5,
        r"\b(?:call me|address me|in (?:british|american) english|metric units|no emojis?|(?:reply|answer"
        r"|write) (?:to me )?in (?:english|german|spanish|french|plain|short)|(?:duz|siez)\w+"
        r"|antworte\w* (?:mir )?(?:bitte )?(?:auf|in|immer|nur)|keine (?:emojis|floskeln|anglizismen)"
        r"|tut[ée]\w+-?me|respóndeme|contésteme|sin (?:emojis|rodeos)|(?:tutoy|vouvoy)\w+|(?:réponds"
        r"|répondez|écrivez)(?:-moi)? (?:en|toujours)|pas d'(?:emojis|anglicismes)|(?:always|never"
        r"|please don't|don't ever|stop) (?:use|write|sign|put|add|suggest|send|call|answer|book)"
        r"|(?:bitte )?(?:immer|nie|stets|nur|nicht|keine?n?) (?:\w+ ){0,3}(?:verwenden|vorschlagen"
        r"|schreiben|benutzen|nehmen|schicken|ohne)|immer ohne|no (?:me |le |nos )?(?:pongas|uses|escribas"
        r"|añadas|sugieras|propongas)|firme siempre|(?:use|escriba|responde|usa) siempre|ne (?:mets|mettez"
        r"|propose|proposez|utilise|utilisez) (?:pas|jamais)|for any future|for all future)\b",
        "Bitte nie Sie schreiben.",
        "preference",
    ),
    "located": Cue(
        0.8,
        r"\b(?:is|are|queda|está|están|liegt|steht|hängt|wohnt|se trouve|est|sont) (?:\w+ ){0,2}?(?:in|on"
        r"|at|behind|under|next to|near|above|below|detrás|debajo|encima|al lado|en el|en la|hinter|unter"
        r"|neben|über|auf|derrière|sous|à côté|dans) ",
        "The fuse box is behind the mirror.",
    ),
    "state": Cue(
        1.1,
        r"\b(?:(?:lives?|works?|studies|stud(?:y|ies)|teach(?:es)?|volunteers?) (?:in|at|for|as|on)|(?:is"
        r"|are|was) (?:called|named|born|married|divorced|retired|based|registered|insured|licensed"
        r"|certified|limited|restricted|closed|open|kept|stored|hosted|located|due)|birthday|anniversary"
        r"|grew up|expires?|costs?|holds?|lasts|meets?|takes place|opens?|closes?|comes from|dates? back"
        r"|supports? (?:only|up)|runs on|(?:is|are) (?:made|built|written|deployed|hosted) (?:in|of|on"
        r"|with)|wohn(?:e|t|en)|arbeite[nt]?|heißt|heißen|geburtstag|geboren|verheiratet|geschieden"
        r"|trifft sich|treffen uns|findet statt|stattfinde\w*|öffnet|schließt|kostet|läuft (?:ab|auf)"
        r"|fällig|besteht aus|stammt|vive[ns]?|vivo|trabaj(?:o|a|an|amos)|se llama|cumple|naci[óo]"
        r"|se reúne\w*|nos reunimos|abre|cierra|cuesta|caduca|vence|jubilad[oa]|casad[oa]|habite\w*"
        r"|travaill\w+|s'appelle|né[e]? (?:le|en|à)|se réunit|nous réunissons|ouvre|ferme|coûte|expire"
        r"|mariée?|retraitée?|périme)\b",
        "La reserva caduca pronto.",
    ),
    "has": Cue(
        0.7,
        r"\b(?:(?:we|i|they|she|he) (?:only |all )?(?:use|uses|own|owns|have|has|drive|drives|play|plays"
        r"|keep|keeps|rent|rents|run|store|deploy|host|ship|sing|sings|wear|wears|need|needs|take|takes"
        r"|speak|speaks|share|shares|pay|pays) (?!to\b|no idea|a (?:question|look|minute|feeling|problem"
        r"|call|meeting)|been|done|it\b|that\b|you)|(?:wir|ich) (?:haben|habe|nutzen|nutze|benutzen|benutze"
        r"|verwenden|verwende|fahren|fahre|spielen|spiele|nehmen|brauchen|sprechen|spreche|teilen|zahlen)"
        r"|tenemos|tengo (?!que|ganas|hambre|sueño)|usamos|uso|conduzco|toco|tocamos|pagamos|hablo"
        r"|compartimos|nous (?:avons|utilisons|payons|parlons|partageons)|on (?:utilise|paie|partage)"
        r"|j'ai (?:une?|deux|trois|\d+)|j'utilise|je (?:joue|conduis|parle|loue|prends)|(?:has|have) (?:no"
        r"|only|two|three|four|five|six|\d+|both|an?) )",
        "Wir nutzen nur Ökostrom.",
    ),
    "limits": Cue(
        0.9,
        r"\b(?:at most|at least|no more than|up to|maximum|max\.?|minimum|under \d+|below \d+|over \d+"
        r"|(?:limit|cap|quota|deadline|budget|allowance)(?: \w+)? (?:is|are|was)|capped|höchstens"
        r"|mindestens|maximal|höchstgrenze|como máximo|como mínimo|máximo|mínimo|al menos|au maximum"
        r"|au plus|au moins|maximum|minimum|plafond)\b",
        "Im Saal sind höchstens sechzig Gäste.",
    ),
    "timed": Cue(
        0.7,
        r"\b(?:at (?:\d{1,2}(?::\d\d)?(?: ?[ap]m)?|noon|midnight|seven|eight|nine|ten|six|five)\b"
        r"|um \d{1,2}|ab \d{1,2} uhr|\d{1,2} uhr|a las \w+|à \d{1,2} ?h|\d{1,2}(?::\d\d)? ?[ap]m)\b",
        "The bus leaves at 7:40.",
    ),
    "plans": Cue(
        0.9,
        r"\b(?:(?:i'm|we're|i am|we are|she's|he's|they're) (?:moving|flying|leaving|going|travelling"
        r"|visiting|getting (?:married|a)|starting|having|expecting|retiring|hosting|running|performing"
        r"|presenting|releasing|launching)|we(?:'ll| will) (?:be|have|meet|move|fly|start|go|publish"
        r"|release|launch|present)|(?:we|i) (?:plan|intend|aim) to|is planned|next (?:spring|summer|autumn"
        r"|fall|winter|year|term|season|semester|quarter)|(?:nächste[nsm]?|kommende[nsm]?) (?:jahr|sommer"
        r"|winter|frühling|frühjahr|herbst|saison|semester|monat)|im (?:sommer|herbst|winter|frühling"
        r"|frühjahr)|wir (?:ziehen|fliegen|fahren|reisen|feiern|heiraten|wollen)|ich (?:fliege|ziehe"
        r"|heirate)|(?:voy|vamos) a \w+r|nos (?:mudamos|vamos|casamos)|(?:el año|la temporada) que viene"
        r"|el próximo|la próxima|en (?:primavera|verano|otoño|invierno)|(?:je vais|on va|nous allons) \w+r"
        r"|on (?:part|déménage|se marie)|l'an prochain|l'année prochaine|la saison prochaine|au printemps"
        r"|en (?:été|automne|hiver)|cet (?:été|hiver))\b",
        "Wir ziehen im Herbst nach Jena.",
    ),
    "reason": Cue(
        0.5,
        r"\b(?:because|therefore|that's why|which is why|as i|so (?:i|we|they)|weil|deshalb|darum"
        r"|da (?:läuft|ist|wird|kratzt)|porque|de modo que|así que|parce que|donc|du coup|car)\b",
        "Weil der Lift fehlt, wohnen wir unten.",
    ),
    "number": Cue(
        0.5,
        r"(?<![\w.])(?:<number>)(?![\w]*\?)(?: |%|$|[a-z]{1,3}\b)",
        "The tank holds 300 litres.",
    ),
}

# -- what speaks against it -------------------------------------------------------------------------------------

AGAINST = {
    "asks": Cue(-2.5, r"\?[\s)\"'!?]*$|^¿", "Is it open on Sundays?"),
    "asks for something": Cue(
        -1.5,
        r"^(?:(?:ok(?:ay)?|and|but|so|now|then|please|pls|yes|no|nah|right|und|bitte|y|et|cool|great|good"
        r"|thanks|also)[ ,.!]+)*(?:can you|could you|would you|will you|may i|i (?:need|want|would like"
        r"|should like|would appreciate)|i'd (?:like|love|rather)|help|make|show|write|give|fix|add|remove"
        r"|run|check|move|put|send|do|look|tell|explain|draft|list|find|try|keep (?:it|that)|leave|change"
        r"|rename|turn|drop|merge|ship|wait|let me|mach|schreib|zeig|gib|such|schau|ersetz\w*|kannst du"
        r"|könntest|haz|escribe|corrij\w+|muestra|puedes?|podría|fais|écris|montre|corrige|peux-tu|pourriez"
        r"|ich (?:bitte|möchte|brauche)|quiero|necesito|je (?:voudrais|veux))\b",
        "Please add a test for that.",
    ),
    "supposes": Cue(
        -4.0,
        r"\b(?:if (?:i|we|you|it|they|he|she|the|only|there)\b|what if|imagine|suppose|supposing|let's say"
        r"|say we|hypothetically|pretend|would (?:be|have|eat|miss|happen)|would love|i'd (?:miss|love)"
        r"|i wish|as if|angenommen|wenn ich|was wäre|wäre|würde|hätte|stell dir vor|si (?:fuese|fuera"
        r"|tuviera|hubiera|j'avais|j'étais|on avait|nous)|supongamos|admettons|imagin\w+|sería|serait"
        r"|mettrait|pourrait|podríamos|thinking out loud|just (?:asking|curious))\b",
        "If we moved, I'd sell the piano.",
    ),
    "moment": Cue(
        -1.2,
        r"\b(?:today|tonight|right now|at the moment|just now|this (?:morning|afternoon|evening|time|week)"
        r"|in (?:a|five|ten) minutes?|gtg|brb|hoy|ahora mismo|esta (?:tarde|mañana|noche)|heute|gerade"
        r"|im moment|aujourd'hui|en ce moment|ce (?:matin|soir)|back in|on my way|not (?:now|yet)|(?:it's"
        r"|it is|is) (?:raining|snowing)|regnet|llueve|pleut)\b",
        "I'm in a hurry today.",
    ),
    "doubts": Cue(
        -1.2,
        r"\b(?:maybe|perhaps|hopefully|i hope|i wonder|i'm wondering|one day|some ?day|not sure|i (?:think"
        r"|guess|suppose|presume)|probably|possibly|might|vielleicht|irgendwann|glaube|quizás?|tal vez"
        r"|algún día|creía|creo|peut-être|un jour|je crois|je ne sais)\b",
        "Maybe a second desk one day.",
    ),
    "reported": Cue(
        -2.0,
        r"\b(?:(?<!you )(?<!\bi )(?<!\bit )(?:says?|said|saying|claims?|maintain(?:s|ed)|swears?|insists?"
        r"|reckons?|thinks?|told me|jure|jura|dice[n]?|dijo que|sagt|sagte|meint|behauptet|sagen|prétend"
        r"|disait?)\b(?! (?:yes|sí|oui)|:)|never tired of saying|who's at|(?:my|a|the) (?:buddy|friend"
        r"|neighbou?r|colleague)|(?:une?|meine?|mi) (?:copine?|ami|amiga?|vecin[oa]|nachbarin?)\b|said no)",
        "My neighbour says one should sell.",
    ),
    "plays": Cue(
        -1.0,
        r"(?:\b(?:lo+l|lmao|haha\w*|hehe\w*|jaja\w*|jk|kidding|joking|pretend|dream(?:ed|t)?|soñé|träum\w+"
        r"|rêv\w+|vent)\b|😂|🤣|😅)",
        "lol I should open a zoo",
    ),
    "quotes": Cue(-1.5, r'["“„«][^"”“»]{6,}["”“»]', 'The sign said "we never close on Mondays".'),
    "feels": Cue(
        -1.3,
        r"\b(?:i'm (?:so |very )?(?:tired|glad|happy|sorry|afraid|exhausted)|how (?:afraid|glad)|back aches"
        r"|toast|exhausting|lovely|awesome|nice|perfect|beautiful|amazing|crazy|inspir\w+|happy|ridicul\w+"
        r"|insoportable|enormous|me alegra|müde|cansad[oa]|fatiguée?|tant pis|luxe)\b",
        "I'm so tired of it all.",
    ),
    "exclaims": Cue(-0.6, r"!", "What a game!"),
    "goes on": Cue(
        -0.7,
        r"\b(?:is|are|am|'s|'re|'m|was|were|been) (?:\w+ )?(?!moving|flying|leaving|going|starting|retiring"
        r"|getting|staying|sticking|switching|dropping|keeping|during|nothing|anything|something|everything"
        r"|morning|evening|missing|king)\w{2,}ing\b",
        "The cat is sleeping on my desk.",
    ),
    "delights": Cue(
        -0.9,
        r"\b(?:great|fun|cool|wonderful|excited|love[ds]?|enjoy\w*|blast|congrat\w*|glad|proud|wow|toll"
        r"|schön\w*|genial|divertid\w+|bonito|chouette|sympa|superbe)\b",
        "It was great fun.",
    ),
    "story": Cue(
        -0.9,
        r"\b(?:used to|when i was|as a (?:kid|child)|growing up|ended up|back then|once i|als kind|damals"
        r"|früher|de (?:niñ[oa]|pequeñ[oa])|cuando era|quand j'étais|à l'époque)\b",
        "We ended up laughing all night.",
    ),
    "thanks": Cue(
        -1.0,
        r"^(?:thank\w*|thx|merci|gracias|danke\w*|vielen dank|much obliged|good (?:morning|evening)|hello"
        r"|hi|hey|guten tag|hallo|buen[oa]s|bonjour|coucou|hola|bye)\b",
        "Thank you, that will do.",
    ),
    "addresses": Cue(
        -1.0,
        r"\b(?:you|your|u|du(?= \w+st\b)|dir|dich|dein\w*|vous|tu|toi|usted|ustedes|te|ihnen)\b",
        "You make it sound easy.",
    ),
    "points": Cue(
        -0.8,
        r"^(?:(?:and|but|so|ok(?:ay)?|oh|well|yes|no|lol|hmm?)[ ,]+)*(?:it|that|this|these|those|das|eso"
        r"|esto|ça|c'est|es)\b",
        "That is closer.",
    ),
    "screen": Cue(
        -1.0,
        r"\b(?:in the (?:letter|text|mail|e-?mail|draft|code|file|document|summary|list|table|title"
        r"|message)|in (?:diesem|dem) (?:brief|text|satz|entwurf)|en (?:la carta|el texto|el correo"
        r"|este párrafo)|dans (?:la lettre|le texte|le mail|ce paragraphe)|this (?:file|function|sentence"
        r"|line|page|query|build|test|snippet|word|letter|draft|list|comment)|the (?:build|tests?|draft"
        r"|letter|line|sentence|paragraph|chart|stack trace|plan|output|log|word) (?:is|are|looks?|fails?"
        r"|passe[sd])|line \d+|typo|lgtm|error|fails)\b",
        "This sentence is too long.",
    ),
    "few words": Cue(-0.5, r"^\W*[\w'-]+(?:\s+[\w'-]+){0,2}\W*$", "not now"),
}
BIAS = -2.0
ANSWERS = 0.7  # of an answer to a question
CROWDED = -0.5  # times the logarithm of the sentences of a turn beyond FEW: each is one more chance to err
FEW = 1  # sentences that a turn may have beside the one that counts
NAMED = 0.8  # the weight of a proper name within a sentence
LONG = 0.6  # of a sentence of more than eight words
