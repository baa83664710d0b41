"""How people say what they have, speak, play or are for good, in four languages. Data, with an example each.

The patterns go by structure: a verb of having with a count, an article or a negation, and a noun for something
that lasts. In German such nouns end compounds (Katzenallergie, Lastenrad), and a participle after them makes them
the object of something that was done: "Ich habe ein Rad gekauft". Matched in lower case with straight quotes.
"""

from __future__ import annotations

_INSTRUMENT = (
    r"(?:piano|klavier|guitar\w*|gitarre|guitare|violin|violín|violon|geige|viola|bratsche|(?:violon)?cell[oe]"
    r"|violonchelo|flute|flöte|flauta|flûte|clarinet\w*|klarinette|drums|schlagzeug|batería|batterie|trump\w+"
    r"|tromp\w+|posaune|tromb\w+|sax\w*|accord[ei]on|accordéon|akkordeon|acordeón|harp|harfe|arpa|harpe|oboe"
    r"|hautbois|organ|orgel|órgano|orgue|bass|kontrabass|contrabajo|contrebasse|banjo|ukulele|mandolin\w*)"
)

# language -> ((pattern, a sentence that has it), ...)
LASTING = {
    "en": (
        (
            r"\b(?:i|we)(?:'ve| have)(?: got)? (?:(?:an?|no|one|two|three|four|five|six|\d+|\w+) ){0,2}(?:allergy"
            r"|allergies|intolerance|asthma|diabetes|migraines?|epilepsy|hay fever|phobia)\b",
            "I've got a pollen allergy.",
        ),
        (
            r"\b(?:i|we)(?:'ve| have)(?: got)? (?:an?|no|one|two|three|four|five|six|\d+) (?:\w+ )?(?:dogs?|cats?"
            r"|kittens?|puppy|horses?|chickens|hens|rabbits?|parrots?|tortoises?|goats|kids|children|sons?"
            r"|daughters?|brothers?|sisters?|grand\w+|cars?|van|bikes?|motorbike|boat|allotment|garden"
            r"|greenhouse|heat pump|solar panels|wood stove|motorhome)"
            r"(?= *(?:[.,;:!)]|$)| (?:and|with|named|called|who|at home)\b)",
            "We have three hens.",
        ),
        (
            r"\bi (?:only |also |can )?speak (?:\w+ ){0,2}?(?:english|spanish|danish|swedish|polish|turkish|irish"
            r"|finnish|portuguese|chinese|japanese|italian|russian|norwegian|hungarian|romanian|ukrainian|persian"
            r"|korean|german|french|dutch|greek|czech|arabic|hindi|hebrew|welsh|catalan|basque)\b",
            "I speak a little Danish.",
        ),
        (rf"\b(?:i|we) (?:also )?play (?:the )?(?:\w+ )?{_INSTRUMENT}\b", "I play the double bass."),
        (
            r"\b(?:i'm|i am) (?:\w+ )?(?:left-handed|right-handed|colou?r-?blind|lactose intolerant|dyslexic"
            r"|short-sighted|diabetic|epileptic)\b",
            "I'm left-handed.",
        ),
    ),
    "de": (
        (
            r"\b(?:ich hab(?:e)?|wir haben|hab(?:e)? ich|haben wir) (?:\w+ ){0,3}?\w*(?:allergien?|intoleranz"
            r"|unverträglichkeit|asthma|diabetes|migräne|heuschnupfen|epilepsie|neurodermitis|zöliakie"
            r"|bluthochdruck|phobie|\wangst)\b",
            "Ich habe eine Katzenallergie.",
        ),
        (
            r"\b(?:ich hab(?:e)?|wir haben|hab(?:e)? ich|haben wir) (?:\w+ )?(?:k?eine?n?|zwei|drei|vier|fünf|\d+)"
            r" (?:\w+ )?\w*(?:hund|hunde|hündin|katzen?|kater|pferde?|hühner|kaninchen|papagei|schildkröten?"
            r"|ziegen|bienen|kind|kinder|söhne|töchter|tochter|sohn|brüder|bruder|schwestern?|enkel|(?<!\bg)rad|räder"
            r"|autos?|wagen|boot|garten|gärten|pumpe|solaranlage|wohnmobil|klavier|ofen|kamin)\b"
            r"(?!.*(?:\b(?:ge|ver|be|er|ent)\w+(?:t|en)|iert)\b)",
            "Ich habe ein Lastenrad.",
        ),
        (
            r"\bich spreche (?:\S+ ){0,3}?(?:deutsch|englisch|französisch|spanisch|portugiesisch|italienisch"
            r"|russisch|polnisch|türkisch|arabisch|chinesisch|japanisch|koreanisch|dänisch|schwedisch|norwegisch"
            r"|finnisch|niederländisch|griechisch|tschechisch|ungarisch|ukrainisch|rumänisch|kroatisch|serbisch"
            r"|persisch|hebräisch)\b",
            "Ich spreche ein wenig Dänisch.",
        ),
        (rf"\b(?:ich spiele|wir spielen) (?:\w+ ){{0,3}}?{_INSTRUMENT}\b", "Ich spiele seit Jahren Geige."),
        (
            r"\bich bin (?:\S+ ){0,4}?(?:allergisch|allergiker(?:in)?|(?:links|rechts)händer(?:in)?"
            r"|asthmatiker(?:in)?|diabetiker(?:in)?|epileptiker(?:in)?|vegetarier(?:in)?|veganer(?:in)?|farbenblind|kurzsichtig"
            r"|schwerhörig|gehörlos|alleinerziehend)\b|\bich vertrage (?:\w+ )?kein",
            "Ich bin gegen Penicillin allergisch.",
        ),
    ),
    "es": (
        (
            r"\b(?:tengo|tenemos) (?:\w+ ){0,2}?(?:alergias?|asma|diabetes|migrañas?|epilepsia|intolerancia|fobia"
            r"|hipertensión)\b",
            "Tengo alergia al polen.",
        ),
        (
            r"\b(?:no (?:tengo|tenemos)|(?:tengo|tenemos) (?:una?|dos|tres|cuatro|cinco|\d+)) (?:gat[oa]s?"
            r"|perr[oa]s?|caballos?|gallinas|conej[oa]s?|loro|tortugas?|cabras|abejas|hij[oa]s?|herman[oa]s?|niet[oa]s?"
            r"|coche|bicicleta|bici|moto|furgoneta|barco|piano|huerto|jardín|autocaravana|chimenea)\b",
            "Tenemos tres gallinas.",
        ),
        (
            r"\bhablo (?:\w+ ){0,3}?(?:español|castellano|inglés|francés|portugués|alemán|italiano|ruso|chino"
            r"|japonés|coreano|árabe|danés|sueco|noruego|finés|neerlandés|polaco|checo|húngaro|rumano|ucraniano"
            r"|griego|turco|hebreo|catalán|gallego|euskera|vasco)\b",
            "Hablo un poco de danés.",
        ),
        (rf"\b(?:toco|tocamos) (?:el |la )?{_INSTRUMENT}\b", "Toco el violonchelo."),
        (
            r"\bsoy (?:muy )?(?:alérgic|zurd|diestr|celíac|daltónic|diabétic|vegetarian|vegan|asmátic|epiléptic"
            r"|disléxic|sord)[oa]\b",
            "Soy zurda.",
        ),
    ),
    "fr": (
        (
            r"\b(?:j'ai|nous avons|on a) (?:une |un |des |de l'|du |de la )(?:\w+ )?(?:allergies?|asthme|diabète"
            r"|migraines?|épilepsie|intolérance|phobie|hypertension|rhume des foins)\b",
            "J'ai de l'asthme.",
        ),
        (
            r"\b(?:(?:j'ai|nous avons|on a) (?:une?|deux|trois|quatre|cinq|\d+) (?:\w+ )?"
            r"|(?:je n'ai|j'ai|nous n'avons|on n'a|on a) pas (?:de |d'))(?:chats?|chattes?|chiens?|chiennes?"
            r"|cheval|chevaux|poules|lapins?|perroquet|tortues?|chèvres|abeilles|enfants?|fils|filles?|frères?|sœurs?"
            r"|voitures?|vélos?|moto|camionnette|bateau|piano|potager|jardin|camping-car|cheminée"
            r"|pompe à chaleur)\b",
            "J'ai un vélo cargo.",
        ),
        (
            r"\bje parle (?:\w+ ){0,3}?(?:français|anglais|espagnol|portugais|allemand|italien|russe|chinois"
            r"|japonais|coréen|arabe|danois|suédois|norvégien|finnois|néerlandais|polonais|tchèque|hongrois|roumain"
            r"|ukrainien|grec|turc|hébreu|catalan|breton|basque)\b",
            "Je parle un peu danois.",
        ),
        (rf"\bje joue (?:du |de la |de l'|de )(?:\w+ )?{_INSTRUMENT}\b", "Je joue du violoncelle."),
        (
            r"\bje suis (?:très )?(?:allergique|gauch(?:er|ère)|droiti(?:er|ère)|cœliaque|daltonien(?:ne)?"
            r"|diabétique|végétarien(?:ne)?|végane?|asthmatique|épileptique|dyslexique|sourde?)(?!\w)",
            "Je suis gauchère.",
        ),
    ),
}
PATTERN = "|".join(pattern for rows in LASTING.values() for pattern, _ in rows)
