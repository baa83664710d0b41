"""Cues in French; see `english`. Data."""

from __future__ import annotations

from mdmem.language import negation

PARTS: dict[str, str] = {
    "<day>": r"(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)",
    "<month>": r"(?:janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre)",
    "<season>": r"(?:printemps|été|automne|hiver|noël|pâques)",
    "<number>": r"(?:\d+(?:[.,:]\d+)?|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|douze|vingt|cent)",
    "<kin>": (
        r"(?:femme|mari|copine|copain|compagne|compagnon|fille|fils|enfants?|mère|père|parents|sœurs?"
        r"|frères?|grand-\w+|oncle|tante|cousine?|nièce|neveu|beau-\w+|belle-\w+|propriétaire|voisine?s?"
        r"|chef|patronne?|prof\w*|médecin|chien|chat|chevaux|équipe|collègues?)"
    ),
}

CUES = {
    # -- who and what it is about
    "self": (
        r"\b(?:je|moi|mon|ma|mes|me)\b|\bj'",
        "Je vis en haut.",
    ),
    "we": (
        r"\b(?:nous|notre|nos|on)\b",
        "Nous partageons le jardin.",
    ),
    "others": (
        r"\b(?:il|elle|ils|elles|son|sa|ses|leurs?|lui)\b",
        "Elle a la clé.",
    ),
    "kin": (
        r"\b(?:mon|ma|mes|notre|nos|son|sa|ses) (?:\w+ )?<kin>\b",
        "Ma sœur vit à Brest.",
    ),
    "opens with a thing": (
        r"^(?:(?:et|mais|bon|oui|non|ah|alors|au fait)[ ,]+)*(?:le|la|les|l'|mon|ma|mes|notre|nos|tous"
        r"|toutes|chaque) ?\w",
        "Le cabanon est sans lumière.",
    ),
    # -- how it is said
    "is": (
        r"\b(?:est|sont|c'est|était|étaient)\b",
        "Le portail est vert.",
    ),
    "negates": (
        negation.pattern("fr") + r"|\bplus (?=de|d')|\bn(?:e |')",
        "Il n'y a pas d'ascenseur.",
    ),
    "announces": (
        r"\b(?:au fait|attention|pour (?:info|votre information)|sachez|je précise|à noter|une précision"
        r"|d'ailleurs|tu sais quoi|devine|figure-toi|tiens-toi bien|à ce jour)\b",
        "Au fait, l'ascenseur est en panne.",
    ),
    "reasons": (
        r"\b(?:parce que|donc|du coup|car|puisque|c'est pourquoi|sinon|de sorte que)\b",
        "On marche, car le bus tarde.",
    ),
    "ahead": (
        r"\b(?:bientôt|jusqu'\w*|à partir|prochaine?|va \w+r|vont|\w+(?:era|eront|erons|irons))\b",
        "Le cours va commencer.",
    ),
    # -- for how long it holds
    "recurs": (
        r"\b(?:tous les \w+|toutes les \w+|chaque \w+|les? (?:<day>)s?|(?:une|deux|trois) fois par"
        r"|par (?:semaine|mois|an)|en semaine|le (?:matin|soir)|(?:dernier|premier) (?:<day>))\b",
        "Le jeudi, c'est fermé.",
    ),
    "always": (
        r"\b(?:toujours|jamais|d'habitude|ne .{1,20} plus|en général|normalement|par défaut)\b",
        "On chauffe toujours au bois.",
    ),
    "since": (
        r"\b(?:depuis,? (?!hier|quand)\w+|il y a <number> ans|<number> ans)\b",
        "Depuis mars, le garage est loué.",
    ),
    "from now": (
        r"\b(?:à partir d[eu]|désormais|dorénavant|à l'avenir|maintenant que)\b",
        "Désormais, l'atelier est à nous.",
    ),
    "dated": (
        r"\b(?:\d{1,2}(?:er)? <month>|(?:en|au mois de|au|fin|début) (?:<month>|<season>)"
        r"|le (?:\d{1,2}(?:er)?|<day>)|<month>|<day>|(?:19|20)\d\d)\b",
        "Le cours débute le 4 octobre.",
    ),
    "timed": (
        r"\b(?:à \d{1,2} ?h|\d{1,2} ?h(?:eures)?|à midi|à minuit|avant \d+)\b",
        "Le bus part à 7 h.",
    ),
    # -- what is said
    "all or none": (
        r"\b(?:seulement|uniquement|que du|tout|tous|toutes|personne|rien|aucune?|seule?s?|n'importe)\b"
        r"|\bque (?:du|de la|des)\b",
        "Seule Ruth a la clé.",
    ),
    "rule": (
        r"^(?:(?:et|mais|bon|donc)[ ,]+)*(?:pas de|pas d'|aucune?|plus de) (?!problème|soucis?|quoi)\w+"
        r"|\b(?:doit|doivent|faut|peut|peuvent) (?:pas|jamais|toujours|plus)\b|\binterdit\w*|\bobligatoire\b"
        r"|\brègle\b|\blecture seule\b|\bprévoit\b|\bne rentre pas\b|\brefuse\b|\bexige\b",
        "Pas de livraison avant midi.",
    ),
    "role": (
        r"\b(?:est (?:la|le) (?:chef\w*|présidente?|trésori\w+|responsable)|tient (?:la|les)|signe|valide"
        r"|encadre|responsable de|s'occupe|appartient|dirige|gère|c'est \S+ qui|s'en charge|paie)\b",
        "La caisse, c'est Inès qui la tient.",
    ),
    "states": (
        r"\b(?:habite\w*|travaill\w+|s'appelle|née? (?:le|en|à)|se réunit|se tient|nous réunissons|ouvre"
        r"|ferme|coûte|expire|mariée?|retraitée?|périme|dure|pèse|chauffe|vient de|loge|directrice|directeur"
        r"|adjointe?|locataire|acheté|louée?|assurée?)\b",
        "Le passeport expire bientôt.",
    ),
    "has": (
        r"\b(?:nous (?:avons|utilisons|payons|parlons|partageons)|on (?:a|utilise|paie|partage|garde) "
        r"|j'ai (?:une?|deux|trois|\d+)|j'utilise|je (?:joue|conduis|parle|loue|prends|roule)|(?:il"
        r"|elle) a (?:une?|deux))\b",
        "Nous avons deux caves.",
    ),
    "located": (
        r"\b(?:est|sont|se trouve|se tient|habite) (?:\w+ ){0,2}?(?:derrière|sous|à côté|dans|au|à la|en|sur"
        r"|chez|contre)\b",
        "Le compteur est derrière la glace.",
    ),
    "limit": (
        r"\b(?:végétarien\w*|végane?|enceinte|diabétique|cœliaque|fauteuil roulant|ne (?:boi\w+|mange\w*"
        r"|support\w+|touche|digère|supporte|peu[xt] plus)|j'ai horreur|déteste|a peur d(?:e|u|es)?"
        r"|allergi\w+|intoléran\w+|peux plus|je peux pas|sourde?|aveugle|asthme)\b",
        "Notre fils ne supporte pas le lait.",
    ),
    "prefers": (
        r"\b(?:je préfère|préfère|préférons|j'aime|aime (?:mieux|pas)|adore|favorite?s?|plutôt)\b",
        "Je préfère la fenêtre.",
    ),
    "decided": (
        r"\b(?:on (?:passe|arrête|abandonne|laisse tomber|opte|part|reste|prend|garde|choisit|décide"
        r"|a décidé|a choisi|fait comme)|je (?:garde|prends|reste|passe à|renonce|choisis|arrête)"
        r"|nous (?:gardons|prenons|restons|passons|optons|renonçons)|adjugé|vendu(?=[,.! ]|$)|c'est (?:acté"
        r"|non|oui|décidé|tranché)|d'accord pour|nous avons (?:décidé|choisi|convenu)|j'ai (?:décidé|choisi"
        r"|refusé|accepté))\b",
        "D'accord, on prend l'ardoise.",
    ),
    "cause": (
        r"\b(?:c'était (?:le|la|l'|un|une|à cause)|venait d(?:e|u|es)?|la cause|à cause d(?:e|u|es)?"
        r"|le coupable|ça vient d(?:e|u|es)?|était (?:mal|cassée?|bouchée?|désactivée?|trop)|depuis,? (?:ça"
        r"|tout|plus|rien)|bingo|a sauté|trouvé|recréée?|enlevée?)\b",
        "C'était le joint, il était usé.",
    ),
    "lesson": (
        r"\b(?:plus jamais|il s'avère|ne marche que|l'astuce|la solution (?:est|était)|coûté (?:la|le)"
        r"|j'ai appris|essayé|plus rien depuis|reparti\w*)\b",
        "Plus jamais de tuyaux en plastique.",
    ),
    "achieved": (
        r"\b(?:j'ai (?:réussi|signé|acheté|vendu|gagné|fini)|on a (?:signé|acheté|vendu|gagné|fini)"
        r"|il a pris sa retraite|enfin|ça y est|(?:je l'|on l')(?:ai|a) eue?|(?:papiers|bail|contrat"
        r"|acte) signés?"
        r"|on (?:m'|nous )a (?:donné|accordé|attribué|proposé)|a (?:marché|accouché))\b",
        "On a signé le bail.",
    ),
    "happened": (
        r"\b(?:s'est (?:cassée?|perdue?|mariée?|blessée?)|je me suis (?:cassé|blessé|mariée?|fait)"
        r"|on m'a (?:volé|opéré)|opérée?|(?:a|ai|avons|ont) (?:perdu|déménagé|reçu|raté|hérité|pris feu"
        r"|survécu)|décédée?|est (?:morte?|née?|tombée?|partie?))\b",
        "Le vieux chien est mort.",
    ),
    "plans": (
        r"\b(?:(?:j'ai|on a|nous avons) (?:réservé|commandé|loué|invité)|est (?:prévue?|commandée?"
        r"|réservée?)|(?:je vais|on va|nous allons) \w+r|on (?:part|déménage|se marie|joue)|l'an prochain"
        r"|l'année prochaine|la saison prochaine|au printemps|en (?:été|automne|hiver)|cet (?:été|hiver))\b",
        "Cet hiver, on déménage.",
    ),
    "changed": (
        r"\b(?:au lieu d(?:e|u|es)?|je ne suis plus|ne .{1,15} plus|plutôt l'inverse|correction|précision"
        r"|changé|déplacée?|remplacée?|adjointe?)\b",
        "Il ferme à six heures au lieu de sept.",
    ),
    "instructs": (
        r"\b(?:(?:tutoy|vouvoy)\w+|(?:réponds|répondez|écrivez)(?:-moi)? (?:en|toujours)|pas d'(?:emojis"
        r"|anglicismes)|ne (?:mets|mettez|propose|proposez|utilise|utilisez) (?:pas|jamais)|donc pas de|(?:plus"
        r"|pas) d(?:e |')\w+ (?:stp|svp|s'il)|dans tes \w+|toujours moi qui"
        r"|quand tu|à chaque fois)\b",
        "Ne mets jamais de liste.",
    ),
    # -- what speaks against it
    "asks what": (
        r"^(?:(?:et|mais|alors|coucou)[ ,]+)*(?:quel\w*|comment|où|pourquoi|combien|qui|quand|est-ce|peux-tu"
        r"|tu (?:peux|crois|penses)|pourriez|y a-t-il) |, (?:combien|comment|quel\w*|où|quand) \w+",
        "Comment ça marche",
    ),
    "asks for": (
        r"^(?:(?:et|merci|ok|bon|oui)[ ,.!]+)*(?:fais|écris|montre|corrige|remplacez|ajoute\w*|supprime\w*"
        r"|relis\w*|je (?:voudrais|veux)|mets|donne|envoie|attends)\b",
        "Ajoutez un exemple.",
    ),
    "supposes": (
        r"\b(?:si (?:j'avais|j'étais|on avait|nous)|admettons|imagin\w+|serait|aurai[st]|mettrait|pourrait"
        r"|j'achèterais|appellerais)\b",
        "Si j'avais le temps, je peindrais.",
    ),
    "doubts": (
        r"\b(?:peut-être|un jour|je crois|je ne sais|sans doute|j'espère)\b",
        "Il viendra peut-être.",
    ),
    "moment": (
        r"\b(?:aujourd'hui|en ce moment|ce (?:matin|soir|mois)|pleut|hier|demain|encore|tout de suite"
        r"|tout à l'heure|plus tard|cette nuit)\b",
        "Aujourd'hui je cours.",
    ),
    "reported": (
        r"\b(?:jure|prétend|disait?|dit que|adore dire|(?:m'|nous )a dit|paraît que|selon)\b|\bune? (?:copine"
        r"|copain|amie?)\b",
        "Une amie jure que non.",
    ),
    "feels": (
        r"\b(?:fatiguée?|tant pis|luxe|chouette|sympa|superbe|sérieux|trop (?:fort|bien)|parfait|pauvre"
        r"|content\w*)\b",
        "Je suis fatiguée.",
    ),
    "story": (
        r"\b(?:quand j'étais|à l'époque|rêv\w+|autrefois)\b",
        "À l'époque, on riait.",
    ),
    "thanks": (
        r"^(?:merci|bonjour|bonsoir|coucou|salut|ok|oui|non|noté|parfait|bien|d'accord)\b",
        "Merci, cela suffit.",
    ),
    "addresses": (
        r"\b(?:vous|votre|vos|tu|toi|ton|ta|tes|te)\b|\bt'",
        "Tu vois ça facile.",
    ),
    "points": (
        r"^(?:(?:et|mais|oui|non)[ ,]+)*(?:ça|c'est|cela|ce)\b",
        "C'est mieux.",
    ),
    "at hand": (
        r"\b(?:dans (?:la lettre|le texte|le mail|ce paragraphe)|la (?:phrase|ligne)|mon courrier"
        r"|le (?:texte|paragraphe)|erreur|trop long\w*)\b",
        "La phrase est longue.",
    ),
}
