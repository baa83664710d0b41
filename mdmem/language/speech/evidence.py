"""What speaks for and against a sentence being worth a memory, cue by cue. Data, in four languages.

Patterns are matched in lower case with straight quotes and single blanks; `<day>` and the like stand for PARTS.
"""

from __future__ import annotations

from typing import NamedTuple


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
        r"|tenant|neighbou?rs?|flatmate|teacher|coach|doctor|vet|dogs?|cats?|horses?|hens?|frau|mann"
        r"|tochter|sohn|kinder|mutter|vater|eltern|schwester|bruder|oma|opa|hund|katze|mujer|marido"
        r"|hij[oa]s?|madre|padre|padres|herman[oa]s?|abuel[oa]|perr[oa]|gat[oa]|femme|mari|fille|fils"
        r"|enfants|mère|père|parents|sœur|frère|grand-\w+|chien|chat)"
    ),
}

# -- what speaks for it -----------------------------------------------------------------------------------------

FOR = {
    "recurs": Cue(
        1.2,
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
        1.2,
        r"\b(?:since (?:the |last |my |our |we |they |she |he )?[\w-]+|ever since|for (?:<number>|many"
        r"|several) (?:years|months)|(?:<number>) years in\b|dates from|seit (?!wann|gestern|heute)\w+"
        r"|desde (?!hoy|ayer)\w+|hace <number> años|depuis (?!hier|quand)\w+)\b",
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
        0.9,
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
        1.3,
        r"\b(?:belongs? to|reports? to|in charge of|responsible for|is (?:owned|run|led|handled"
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
        1.5,
        r"\b(?:can't stand|cannot stand|can't (?:eat|have|take|bear|do|tolerate|digest)|doesn't (?:eat"
        r"|drink|like)|don't (?:eat|drink|like)|(?:won't|will not) (?:eat|touch|drink)|deaf|blind in|lame"
        r"|allerg\w+|intoleran\w+|useless (?:before|after|at|with)|verträg\w*|wird (?:mir|ihm"
        r"|ihr) (?:\w+ )?(?:schwindlig|schlecht|übel)|mag (?:kein\w*|nicht)|isst kein\w*|no soport\w+"
        r"|no com[eo]\b|no pued[eo] (?:comer|tomar|beber)|me (?:marea|sienta mal)|ne supporte|ne touche"
        r"|ne mange|ne bois|ne boit|ne digère|hate[sd]?|scared of|afraid of heights)\b",
        "Unser Sohn verträgt keine Milch.",
        "preference",
    ),
    "decided": Cue(
        1.9,
        r"\b(?:(?:we|i)(?:'ll| (?:wi|sha)ll|'re| are|'m| am)? (?:go|going|went|gone|stick|sticking|stay"
        r"|staying|settle[d]?|opt|opted) (?:with|for|on)|(?:i'm|we're|so i'm|am|are) (?:staying|sticking"
        r"|going) with|let's (?:use|go with|take|keep|stick|drop|skip|do it (?:that|this) way|settle)|(?:we"
        r"|i)(?:'ve| have)? (?:decided|agreed|declined|resolved|chosen|chose|picked|settled)|final answer"
        r"|final decision|it's (?:decided|settled)|that's settled|i accept\b|sold[,.!]|deal[.!]"
        r"|[\w']+ it is\b(?!\W*(?:not|n't))|(?:we|i)(?:'re| are|'m| am) not (?:touching|doing|using"
        r"|changing|buying|taking|going)|(?:is|are) to be (?:our|my|the) \w+|abgemacht|entschieden"
        r"|beschlossen|wir (?:nehmen|bleiben|machen|verwenden|gehen mit|setzen auf|haben uns)"
        r"|ich (?:bleibe bei|nehme)|dabei bleibt|zugesagt|abgesagt|decidido|decidimos|nos quedamos con"
        r"|me quedo con|hemos (?:decidido|elegido|acordado|quedado)|vamos con|vuelvo a|volvemos a"
        r"|dejo (?:el|la|de)|optamos|usaremos|haremos|trato hecho|vendu|on (?:part|reste|prend|garde"
        r"|choisit|décide|a décidé|a choisi|fait comme)|c'est (?:décidé|tranché)|d'accord pour"
        r"|nous avons (?:décidé|choisi|convenu)|j'ai (?:décidé|choisi|refusé|accepté))\b",
        "Okay, we go with the slate roof.",
    ),
    "cause": Cue(
        1.4,
        r"\b(?:because of (?:that|this|it|the)|(?:it|that|this|they)(?:'s| is| was| were|'re) (?:down to"
        r"|due to|caused by|from)|(?:came|comes|come) from|the (?:cause|reason|culprit|problem|leak|crash"
        r"|fault|bug|trouble|error|delay) (?:was|is|came|lay)|found (?:it|the cause|the reason|the bug)"
        r"|so (?:the|it) \w+ (?:\w+ )?(?:two|twice|both)|that explains|it was the|hab's|gefunden:|es lag an"
        r"|lag (?:am|an|daran)|liegt (?:am|an|daran)|schuld war|daran lag|ursache|era (?:el|la|un|una|por)"
        r"|la culpa|el problema era|la causa|por eso|venía de|se invalidaba|c'était (?:le|la|l'|un|une"
        r"|à cause)|venait d|la cause|à cause d|le coupable)\b",
        "Era la junta del grifo, estaba seca.",
        "learning",
    ),
    "lesson": Cue(
        1.4,
        r"\b(?:never again|lesson learn\w+|nie wieder|nunca más|plus jamais|what (?:worked|helped|works"
        r"|helps)|(?:cost|costs|kostete|gekostet|costó|coûté) (?:me|us|mich|uns|nos)|does the trick"
        r"|did the trick|known (?:thing|issue|problem)|turns? out|turned out|resulta que|stellt sich heraus"
        r"|il s'avère)\b|\b<number> ?(?:s|ms|min|h)\b.{1,20}<number> ?(?:s|ms|min|h)\b",
        "Nie wieder Kunststoffrohre im Keller.",
        "learning",
    ),
    "achieved": Cue(
        1.4,
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
        1.0,
        r"\b(?:(?:we|i|she|he|they) had (?:it|him|her|them|the \w+|my \w+) \w{3,}(?:ed|en|wn|lled)|(?:is"
        r"|are|was|were) (?:gone|felled|stolen|broken into|harmless|benign)|(?:died|passed away|was born"
        r"|ist gestorben|ist geboren|murió|nació|est mort|est née?)|the (?:vet|doctor|hospital|surgeon"
        r"|lawyer|bank) (?:rang|called|said|says|found|wrote)|planted|took [a-z]+ and|moved to|survécu"
        r"|überlebt|sobrevivi\w+)\b",
        "The old dog died on Sunday night.",
    ),
    "ordered": Cue(
        1.0,
        r"\b(?:(?:is|are|has been|have been) (?:ordered|booked|fixed|scheduled|planned|due|reserved"
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
        1.2,
        r"\b(?:(?:always|never|please don't|don't ever|stop) (?:use|write|sign|put|add|suggest|send|call"
        r"|answer|book)|(?:bitte )?(?:immer|nie|stets|nur|nicht|keine?n?) (?:\w+ ){0,3}(?:verwenden"
        r"|vorschlagen|schreiben|benutzen|nehmen|schicken|ohne)|immer ohne|no (?:me |le |nos )?(?:pongas"
        r"|uses|escribas|añadas|sugieras|propongas)|firme siempre|(?:use|escriba|responde|usa) siempre"
        r"|ne (?:mets|mettez|propose|proposez|utilise|utilisez) (?:pas|jamais)|for any future"
        r"|for all future)\b",
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
        -3.0,
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
        r"\b(?:maybe|perhaps|one day|some ?day|not sure|i (?:think|guess|suppose|presume)|probably|possibly"
        r"|might|vielleicht|irgendwann|glaube|quizás?|tal vez|algún día|creía|creo|peut-être|un jour"
        r"|je crois|je ne sais)\b",
        "Maybe a second desk one day.",
    ),
    "reported": Cue(
        -2.0,
        r"\b(?:(?:says?|said|saying|claims?|maintain(?:s|ed)|swears?|insists?|reckons?|thinks?|told me|jure"
        r"|jura|dice[n]?|dijo que|sagt|sagte|meint|behauptet|sagen|prétend|disait?)\b(?! (?:yes|sí|oui)|:)"
        r"|never tired of saying|who's at|(?:my|a|the) (?:buddy|friend|neighbou?r|colleague)|(?:une?|meine?"
        r"|mi) (?:copine?|ami|amiga?|vecin[oa]|nachbarin?)\b|said no)",
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
        r"\b(?:you|your|u|du|dir|dich|dein\w*|vous|tu|toi|usted|ustedes|te|ihnen)\b",
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
        r"\b(?:this (?:file|function|sentence|line|page|query|build|test|snippet|word|letter|draft|list"
        r"|comment)|the (?:build|tests?|draft|letter|line|sentence|paragraph|chart|stack trace|plan|output"
        r"|log|word) (?:is|are|looks?|fails?|passe[sd])|line \d+|typo|lgtm|error|fails)\b",
        "This sentence is too long.",
    ),
    "few words": Cue(-0.8, r"^\W*[\w'-]+(?:\s+[\w'-]+){0,2}\W*$", "not now"),
}
BIAS = -2.0
NAMED = 0.8  # the weight of a proper name within a sentence
LONG = 0.6  # of a sentence of more than eight words
