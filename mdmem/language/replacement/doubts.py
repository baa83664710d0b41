"""Words beside a link that leave open whether one note replaces another. Data.

In the patterns `§` is the link in question. They are matched in lower case, with straight quotes.
"""

# ruff: noqa: E501 - a pattern and its example are one row
from __future__ import annotations

# None of these says that something has been replaced: it could be, will be, was for a time only, or in part; it is
# asked, or is what others think. Each row is a regular expression and an example.
DOUBTS: tuple[tuple[str, str], ...] = (
    (r"\?", "Does this replace §?"),
    (r"\b(?:if(?! (?:you|anyone|anybody|someone) (?:still )?(?:find|finds|see|sees|come|comes|have|has|read|reads|stumble))|unless|whether|would|could|might|perhaps|maybe|suppose|imagine|probably)\b", "It would replace §."),
    (r"(?<!§ )\b(?:wenn|falls|sofern|ob|würden?|könnten?|vielleicht|womöglich|eventuell|wäre|hätte)\b", "Falls das § ersetzt, gut."),
    (r"(?<!\w)(?:si|quizás?|tal vez|a lo mejor|podría|sería|\w+aría)\b", "Si sustituye a §, bien."),
    (r"(?<!\w)(?:si|s'il|peut-être|pourrait|serait|devrait|au cas où|\w+erait)\b", "Si cela remplace §, tant mieux."),
    (r"^(?:once|as soon as|when|sobald|cuando|una vez|en cuanto|quand|lorsque|dès que|une fois)\b", "Once it is built, we drop §."),
    (r"\b(?:will|going to|plan(?:s|ned)? to|want(?:s|ed)? to|hopes? to|supposed to|(?:talk|talked|think|thought|thinking|spoke) (?:about|of)|considering|soon|one day)\b", "The app will soon replace §, § dead."),
    (r"\b(?:soll|sollte|will|wollten?|möchte|geplant|irgendwann|bald|demnächst)\b", "Bald ist § überholt."),
    (r"\b(?:quiere|quer[ií]a(?:mos|n)?|queremos|quiero|piensa|va a|van a|debería|pronto|algún día)\b", "Pronto § ya no vale."),
    (r"(?<!\w)(?:veut|voul(?:ait|ions|aient)|failli|voudrait|on va|va être|bientôt|un jour(?! sur)|prévoit)\b", "Bientôt § ne vaut plus."),
    (r"\b(?<!§ )(?:says?|(?<!i )(?<!we )said(?! goodbye)|thinks?|thought|claims?|claimed|asks?|asked|according to|(?<!i )(?<!we )wrote|demands?|insists?|suggests?|proposed|believes?|rumou?r)\b", "Ana says it replaces §."),
    (r"\b(?<!§ )(?:sagt|sagte|meint|meinte|verlangt|fordert|behauptet|fragt|fragte|laut (?!§)|angeblich|glaubt|(?<!ihr )findet(?! noch))\b", "Ana meint, das ersetzt §."),
    (r"\b(?<!§ )(?:dice|dijo|dicen|exige|pide|propone|cree|opina|pregunta|preguntó|según (?!§)|piensa que)(?! §)(?!\w)", "Ana dice que sustituye a §."),
    (r"(?<!\w)(?:dit que|disait|exige|réclame|propose|pense que|croit|demande si|demandé|d'après (?!§)|selon (?!§)|prétend)(?!\w)", "Ana dit que cela remplace §."),
    (r"^during\b|\b(?:used to (?:replace|be replaced)|back then|for a (?:while|time|week|day|month)|temporar\w+|for the time being|until further notice|only (?:for(?! the (?:record|archive|files))(?! (?:reference|history))|on|during|while|when)|just for)\b", "For a while this replaces §."),
    (r"^während\b|\b(?:vorübergehend|vorerst|zeitweise|eine zeit lang|solange|nur (?:für|am|im|während)|bis (?:zum|auf))\b", "Das ersetzt § vorübergehend."),
    (r"^durante\b|\b(?:antes sustituía|temporalmente|provisional\w*|de momento|por ahora|mientras|hasta que|solo (?:para|durante|en))\b", "Por ahora sustituye a §."),
    (r"^pendant\b|(?<!\w)(?:autrefois|provisoirement|temporairement|pour l'instant|en attendant|tant que|seulement (?:pour|pendant))\b", "Cela remplace § pour l'instant."),
    (r"\b(?:yet|noch nicht|noch kein\w*)\b|(?<!\w)(?:aún|todavía|pas encore)(?!\w)", "§ is not in force yet."),
    (r"\b(?:usual|usually|normally|otherwise? valid)\b|\b(?:sonst|üblich\w*|normalerweise)\b|(?<!\w)(?:habitual\w*|habituel\w*|d'habitude|normalement)(?!\w)", "For buns 80 % instead of the usual §."),
    (r"\b(?:wish|idea|project|projet|proyecto|projekt|motion|antrag|plan|proposal|suggestion|draft|planned|wunsch|idee|vorschlag|entwurf|geplant|propuesta|borrador|idée|proposition|brouillon)(?: ?:|\b(?=.{0,20}:))", "Idea: scrap §."),
    (r"§ (?:\w+ )?(?:stands|still|stays|remains|bleibt|bleiben|weiterhin|sigue|siguen|reste|restent|vaut toujours)\b", "§ remains, the old one is dead."),
    (r"\b(?:partly|partially|in part|half of|some of|(?<!now )parts? of|except)(?: |\W*$)|\b(?:(?:first|last|second|third)(?! (?:version|edition|try|attempt|draft))(?: \w+)?|number|price|address|phone|link|date|figure|line|paragraph|section|sentence|point|step|photo|name|time|day) (?:of|in|from) (?:\w+ ){0,3}§", "The phone number in § is outdated."),
    (r"\b(?:teilweise|zum teil|zur hälfte|außer|teile? (?:von|aus))(?: |\W*$)|\b(?:nummer|preis|adresse|telefonnummer|absatz|punkt|abschnitt|schritt|satz|datum|zeile) (?:in|aus|von|bei) (?:\w+ ){0,3}§", "Der Preis in § ist überholt."),
    (r"\b(?:en parte|parcialmente|salvo|parte de)(?: |\W*$)|\b(?:número|precio|teléfono|dirección|punto|párrafo|paso|(?<!con )fecha) (?:de|en) (?:\w+ ){0,3}§", "El precio de § ya no vale."),
    (r"(?<!\w)(?:en partie|partiellement|sauf|une partie de)(?: |\W*$)|\b(?:numéro|prix|adresse|téléphone|point|paragraphe|étape|date) (?:de|dans) (?:\w+ ){0,3}§", "Le prix dans § n'est plus valable."),
    (r"\b(?:far from|nowhere near|still (?:uses?|has|have|needs?|holds?|appl(?:y|ies)|counts?|valid|true|in force)|nutzt noch|weit davon)\b|(?<!\w)(?:loin d['e]|lejos de)", "§ is far from obsolete."),
    (r"\b(?:every|each|weekly|monthly|yearly|daily|jeden|jede|jedes|cada|chaque)\b(?= (?:day|week|month|year|spring|autumn|winter|summer|time|tag|woche|monat|jahr|mal|día|semana|mes|año|vez|jour|semaine|mois|année|fois)|$|\.)", "She replaces § every month."),
    (r"(?<!of )(?<!from )(?<!since )\b(?:today|tonight|yesterday(?!'s)|(?<!properly )(?<!right )(?<!correctly )this time|for once|exceptionally)\b(?!;)", "Today soup instead of what § has for Fridays."),
    (r"(?<!ab )(?<!seit )(?<!von )\b(?:heute|gestern|diesmal|ausnahmsweise)\b(?! (?:an|gilt)|;)(?!\W*§)", "Heute Suppe, statt § gilt das."),
    (r"(?<!desde )(?<!fecha de )(?<!partir de )\b(?:hoy|ayer|esta vez|excepcionalmente)\b(?!;)", "Hoy sopa en vez de §."),
    (r"(?<!d')(?<!\w)(?:aujourd'hui|cette fois|exceptionnellement)\b(?!;)", "Exceptionnellement, soupe au lieu de §."),
    (r"^(?:todo|to-do|fixme)\b", "TODO: delete §"),
    (r"^(?:until|before|bis|bevor|ehe|hasta que|antes de que|jusqu'à ce que|avant que) §", "Until § is replaced, use gloves."),
    (r"§ (?:\w+ ){1,4}be (?:replaced|renewed|updated|superseded|exchanged)\b", "§ needs to be replaced."),
    (r"§ (?:muss|müsste|soll|sollte|kann|darf)\b.{0,20}\b(?:ersetzt|ausgetauscht|erneuert|aktualisiert) werden|§ (?:\w+ )?(?:debe|tiene que|puede) ser (?:sustituid|reempl?azad|renovad|actualizad)\w+|§ (?:doit|devra|peut|pourra) être (?:rempl|renouv|actualis|mise? à jour)", "§ muss ersetzt werden."),
    (r"§ (?:is|was|are|becomes|ist|wird|está|es|queda|est|devient) (?:nearly|almost|getting|becoming|slowly|fast|beinahe|nahezu|allmählich|casi|presque)\b|§ (?:becomes|gets)\b", "§ is nearly obsolete."),
    (r"\b(?:wrong|untrue|not true|false|a lie|a myth|falsch|nicht wahr|falso|mentira|faux) (?:that|dass|que)\b|\b(?:alles andere als|todo menos|tout sauf)\b", "It is wrong that § is obsolete."),
    (r"§ (?!is|was|are|were|has|had|ist|war|hat|es|era|está|est|était|a\b|for\b|for |as |and )\w+ (?:what|which|when|why|how|was|welche[nrs]?|wann|warum|wie|qué|lo que|cuándo|por qué|cómo|ce qui|quand|pourquoi|comment)\b", "§ lists what has been replaced."),
    (r"\bin parts\b|\bas far as\b|\bone thing\b|\b(?:in|on|about) one (?:point|respect|detail)\b|\bin (?:einem punkt|teilen)\b|\ben un punto\b|\bsur un point\b", "§ is obsolete as far as prices go."),
    (r"§ (?:is|are|does|do) not (?:valid|true|right|apply|current|in force) (?:for|to|on|in|at|abroad|when|while|once)\b", "§ is not valid for children."),
    (r"\bno longer (?:applies|apply|holds?|valid) (?:for|to|once|when|on|abroad)\b|\bnicht mehr für\b|\bya no (?:vale|sirve|rige) para\b|\bne (?:vaut|s'applique) plus (?:pour|aux?)\b", "§ no longer applies to guests."),
    (r"\binstead of (?!using|following|doing|applying|reading|trusting|keeping)\w+ing\b", "Use this instead of arguing about §."),
    (r"^replacing § (?:costs?|takes?|needs?|is|was|would)\b|\breplacement (?:for|of) § (?:costs?|is|was|can|has|arrived|came)\b", "Replacing § costs 300 euros."),
    (r"\bdead (?:simple|easy|right|good|sure|serious|cheap|useful)\b", "§ is dead simple."),
    (r"\b(?:ersetzt|ersetzen|verdrängt|überschreibt|widerruft) (?:\w+ )?nicht\b", "Dieses Rezept ersetzt nicht §."),
    (r"\b(?:instead of|statt|anstatt|en vez de|en lugar de|au lieu de) § (?:i (?:read|watched)|lese|las|lesen|leí|leo|j'ai lu|je lis)\b", "Instead of § I read a novel."),
)  # fmt: skip
