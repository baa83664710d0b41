"""Pairs of notes that are easily taken for what they are not, older text first, in four languages.

Sentences and subjects are of their own: none is in the labelled sets.
"""

from __future__ import annotations

Pairs = tuple[tuple[str, str], ...]

# The newer note is about another thing, time or group, or only asks: the older one still holds.
ANOTHER_THING: Pairs = (
    (
        "The vicarage fridge is set to 4 degrees, the milk keeps longer.",
        "The vicarage freezer is now set to minus 20 degrees, the milk keeps longer.",
    ),
    (
        "Bus 12 to the quarry leaves at 7:40 from the church.",
        "Bus 14 to the quarry now leaves at 8:10 from the church.",
    ),
    (
        "Lena is allergic to hazelnuts, the school has the emergency pen.",
        "Jonas is allergic to peanuts, the school has a second emergency pen now.",
    ),
    (
        "The regatta dinner cost 34 euros a head.",
        "This year the regatta dinner cost 41 euros a head, everyone liked it.",
    ),
    (
        "The orchard meeting is on the first Friday of the month.",
        "For once the orchard meeting was on a Tuesday because of the storm.",
    ),
    (
        "The staging server of the herbarium uses Postgres 14.",
        "The production server of the herbarium now uses Postgres 16.",
    ),
    ("The printing press is oiled on Mondays.", "The printing press is now also oiled on Thursdays."),
    ("In winter the lido opens at 10.", "The lido opens at 7 now that summer is here."),
    ("The bridge toll is 3 euros for cars.", "The bridge toll is now 9 euros for lorries."),
    ("The allotment gate is locked at 9 pm.", "On midsummer night the allotment gate is locked at 1 am."),
    (
        "My sister's flat in Graz has the boiler in the bathroom.",
        "My brother's new flat in Graz has the boiler in the kitchen.",
    ),
    ("The kayak rental takes cards.", "Does the kayak rental no longer take cards? Ask Mira."),
    (
        "The choir sings in the old chapel on Sundays.",
        "Someone said the choir may no longer sing in the old chapel on Sundays, unconfirmed.",
    ),
    (
        "Rex gets two scoops of kibble in the morning.",
        "Rex gets one scoop of kibble in the evening since the vet visit.",
    ),
    (
        "Ana leads the workshop for beginners in the glass house.",
        "Pia now leads the workshop for advanced in the glass house.",
    ),
    ("Bus 12 goes to the harbour every ten minutes.", "Bus 14 now goes to the harbour every twenty minutes."),
    ("In winter the ferry to Kell runs twice a day.", "In summer the ferry to Kell now runs six times a day."),
    ("The village fete is on the green by the pond.", "This year the village fete is in the school hall."),
    ("Flat 3 pays 640 euros of rent.", "Flat 4 pays 710 euros of rent now."),
    ("The red kayak leaks at the bow.", "The blue kayak leaks at the stern now."),
    ("Caddy wheel nuts are tightened to 140 Nm.", "Transit wheel nuts are tightened to 200 Nm now."),
    ("Room Ahorn seats twelve people.", "Room Birke seats twenty people now."),
    (
        "Der Schlüssel zur Halle Nord hängt bei Frau Reuter.",
        "Der Schlüssel zur Halle Süd hängt jetzt bei Herrn Otte.",
    ),
    ("Members pay twelve euros for the sauna.", "Guests now pay twenty euros for the sauna."),
    ("The morning shift starts at six at the mill.", "The late shift starts at two at the mill now."),
    ("Le marché de la place Viarme est le samedi.", "Le marché de la place Bouffay est maintenant le mardi."),
    ("El autobús 5 sale de la plaza a las siete.", "El autobús 8 sale ahora de la plaza a las nueve."),
    ("My brother lives in Kiel.", "My sister has moved to Bremen."),
    ("The old printer takes cartridge 304.", "The new printer takes cartridge 912 now."),
    ("The shop on Quay Street closes at six.", "The shop on Mill Lane now closes at eight."),
    (
        "The lathe in bay three needs 2 litres of coolant.",
        "The milling machine in bay three now needs 5 litres of coolant.",
    ),
    ("Grandmother's pills are in the blue tin.", "Grandfather's pills are now in the green tin."),
    ("The upstairs radiator is bled in October.", "The downstairs radiator is now bled in November."),
    ("Hens get 120 g of layer feed a day.", "Ducks get 180 g of layer feed a day now."),
    ("The front tyre of the tandem takes 4.5 bar.", "The rear tyre of the tandem now takes 5 bar."),
    ("Der Hofladen in Birkenau öffnet um acht.", "Der Hofladen in Lindenfels öffnet jetzt um zehn."),
    ("Die Tomaten werden morgens gegossen.", "Die Gurken werden jetzt abends gegossen."),
    ("Der Trockner darf nur nachts laufen.", "Die Spülmaschine darf jetzt nur mittags laufen."),
    ("Jugendliche zahlen am Skilift acht Euro.", "Rentner zahlen am Skilift jetzt elf Euro."),
    ("El contador del agua está en el sótano.", "El contador de la luz está ahora en la entrada."),
    ("La clave del almacén la tiene Marta.", "La clave de la oficina la tiene ahora Julián."),
    ("El perro de Inés toma la pastilla por la mañana.", "La gata de Inés toma ahora la pastilla por la noche."),
    (
        "Le chauffage de la serre est réglé sur 12 degrés.",
        "Le chauffage du garage est maintenant réglé sur 8 degrés.",
    ),
    ("La benne à verre est vidée le lundi.", "La benne à papier est maintenant vidée le jeudi."),
    (
        "Le cours de poterie de Solène commence à dix-huit heures.",
        "Le cours de vannerie de Solène commence maintenant à vingt heures.",
    ),
    ("The pool closes at six.", "The children's pool now closes at four."),
    ("The gate of the depot is locked at nine.", "The side gate of the depot is now locked at seven."),
    (
        "Tenants on the ground floor pay 55 euros for heating.",
        "Tenants in the attic pay 75 euros for heating now.",
    ),
    (
        "The invoice for the roof was 4,200 euros and is paid by Koller.",
        "The invoice for the stairs is 1,900 euros now and is paid by Arnold.",
    ),
    ("The ewe lamb Dotty is bottle-fed every four hours.", "The ram lamb Spot is now bottle-fed every six hours."),
    (
        "Marta's violin lesson is on Wednesday at Mrs Lind's.",
        "Felix's cello lesson is now on Friday at Mr Brandt's.",
    ),
    ("The password of the router is on the fridge door.", "The password of the alarm is now in the safe."),
    ("On the B road the speed limit is 80.", "On the village street the speed limit is 30 now."),
    ("Die Sporthalle kostet 25 Euro die Stunde.", "Die Aula kostet jetzt 40 Euro die Stunde."),
    ("Opas Tabletten liegen im Küchenschrank.", "Omas Tabletten liegen jetzt im Nachttisch."),
    ("Der Zug nach Passau fährt von Gleis 4.", "Der Zug nach Regensburg fährt jetzt von Gleis 9."),
    ("El pan integral cuesta 3 euros.", "El pan de centeno cuesta ahora 4 euros."),
    ("El turno de la piscina cubierta es a las nueve.", "El turno del gimnasio es ahora a las once."),
    ("La cave de Margaux est fermée à clé.", "La remise de Margaux est maintenant ouverte à tous."),
    (
        "Le filtre de l'aquarium est changé tous les mois.",
        "Le filtre de la hotte est maintenant changé tous les trois mois.",
    ),
)

# The same forms, but the newer note has another value of the same thing.
REPLACED: Pairs = (
    (
        "The kiln is set to 980 degrees for the first firing.",
        "The kiln is now set to 1020 degrees for the first firing.",
    ),
    (
        "Tram 7 to the brewery leaves at 6:50 from the depot.",
        "Tram 7 to the brewery now leaves at 7:05 from the depot.",
    ),
    ("The archive server uses MySQL 5.", "The archive server now uses MySQL 8."),
    ("The ferry fare is 4 euros for bicycles.", "The ferry fare is now 6 euros for bicycles."),
    (
        "Mona gets two spoons of syrup in the morning.",
        "Mona gets one spoon of syrup in the morning since the check-up.",
    ),
    ("Theo leads the juggling course in the gym.", "Ruth now leads the juggling course in the gym."),
    ("Trailer wheel nuts are tightened to 90 Nm.", "Trailer wheel nuts are tightened to 110 Nm now."),
    ("The museum café on Castle Hill closes at five.", "The museum café on Castle Hill now closes at seven."),
    (
        "Der Schlüssel zum Bootshaus hängt bei Frau Kranz.",
        "Der Schlüssel zum Bootshaus hängt jetzt bei Herrn Vogt.",
    ),
    ("Der Wertstoffhof in Eberbach öffnet um neun.", "Der Wertstoffhof in Eberbach öffnet jetzt um sieben."),
    ("Der Backofen der Kita läuft mit 16 Ampere.", "Der Backofen der Kita läuft jetzt mit 32 Ampere."),
    ("El tren a Ronda sale de la estación a las ocho.", "El tren a Ronda sale ahora de la estación a las diez."),
    ("La llave del granero la tiene Pilar.", "La llave del granero la tiene ahora Tomás."),
    (
        "La bibliothèque de la rue Mercière ferme à dix-huit heures.",
        "La bibliothèque de la rue Mercière ferme maintenant à vingt heures.",
    ),
    ("Le panier de légumes est livré le lundi.", "Le panier de légumes est maintenant livré le jeudi."),
    (
        "The sourdough proves for eight hours in the cellar.",
        "The sourdough now proves for twelve hours in the cellar.",
    ),
)

# Nearly all words are the same, and yet the two say different things.
NOT_TWINS: Pairs = (
    ("The foal gets 12 mg of vitamin paste at noon.", "At noon the foal gets 12 ml of vitamin paste."),
    (
        "Deliveries for the sawmill go to the west ramp.",
        "The sawmill has its deliveries brought to the east ramp.",
    ),
    ("Apprentices may run the band saw alone.", "Apprentices must not run the band saw alone."),
    ("Ottilie owes Bertram the money for the tent.", "Bertram owes Ottilie the money for the tent."),
    (
        "The left valve of the manifold feeds the greenhouse.",
        "The greenhouse is fed by the right valve of the manifold.",
    ),
    ("The dough is salted before the autolyse.", "After the autolyse the dough is salted."),
    ("We buy beeswax from Quirin.", "We sell beeswax to Quirin."),
    ("The crate of the harp weighs 48 kg.", "The harp's crate weighs 48 lb."),
    ("The seedlings are misted daily.", "The seedlings are misted weekly."),
    ("The tide gauge is read at 7 a.m.", "At 7 p.m. the tide gauge is read."),
    ("Das Lager von Petzold ist in Frankfurt am Main.", "Petzold hat sein Lager in Frankfurt an der Oder."),
    ("Two of three trustees sign the cheque.", "Three of three trustees sign the cheque."),
    ("Die Schleuse öffnet vor dem Hochwasser.", "Nach dem Hochwasser öffnet die Schleuse."),
    ("Hunde dürfen in den Kurpark.", "Hunde dürfen nicht in den Kurpark."),
    ("Rudi hat Gesine den Anhänger geliehen.", "Gesine hat Rudi den Anhänger geliehen."),
    ("Das Silo fasst 300 Tonnen Gerste.", "Das Silo fasst 300 Tonnen Roggen."),
    ("La farmacia de guardia abre de noche.", "La farmacia de guardia abre de día."),
    ("El almuerzo se sirve antes de la misa.", "El almuerzo se sirve después de la misa."),
    ("Vendemos la leche a los Arrieta.", "Compramos la leche a los Arrieta."),
    ("Le traiteur facture au kilo.", "Le traiteur facture à la pièce."),
    ("Le quai de gauche sert aux péniches.", "Le quai de droite sert aux péniches."),
    ("Les randonneurs doivent réserver le refuge.", "Les randonneurs ne doivent pas réserver le refuge."),
    ("Achille remplace Solange au guichet.", "Solange remplace Achille au guichet."),
    ("At most eight divers go down at once.", "At least eight divers go down at once."),
    (
        "The annex is heated up to 18 degrees in the daytime.",
        "The annex is heated up to 18 degrees at night-time.",
    ),
    ("Odile is paid per month for the accounts.", "Odile is paid per hour for the accounts."),
    ("The bees are fed with the lid open.", "The bees are fed with the lid closed."),
    ("All the lockers on the ferry have been emptied.", "None of the lockers on the ferry has been emptied."),
    ("Casimir speaks to his grandparents in Sorbian.", "Casimir's grandparents speak to his teacher in Sorbian."),
    ("The upper sluice is worked by Niklas.", "Niklas works the lower sluice."),
    ("Der Chor tritt in Rothenburg ob der Tauber auf.", "In Rothenburg an der Fulda tritt der Chor auf."),
    ("The lorry is insured in Newcastle upon Tyne.", "The lorry has its insurance in Newcastle under Lyme."),
    ("Elif teaches her father to swim.", "Elif's father teaches her to swim."),
    ("The medicine chest is inspected twice a month.", "The medicine chest is inspected twice a year."),
    ("The boiler room may be entered with a permit.", "The boiler room may be entered without a permit."),
    ("Salt is added to the whey while it is warm.", "The whey is salted while it is cold."),
    ("The rent of the stall is due in advance.", "The rent of the stall is due in arrears."),
    ("The depot is open from 6 to 9.", "The depot is open from 9 to 6."),
    ("Paula translates from Czech into Dutch.", "Paula translates from Dutch into Czech."),
    ("The vet comes every two weeks for the alpacas.", "The vet comes for the alpacas every twelve weeks."),
    ("Die Kaution wird vom Mieter an den Makler bezahlt.", "Die Kaution wird vom Makler an den Mieter bezahlt."),
    ("Die Fähre fährt stündlich nach Hallig Ruden.", "Die Fähre fährt täglich nach Hallig Ruden."),
    ("Nuria le debe una cena a Iker.", "Iker le debe una cena a Nuria."),
    ("El taller cierra los días laborables.", "El taller cierra los días festivos."),
    ("On range les bouées à tribord.", "On range les bouées à bâbord."),
    ("Le bassin est vidé une fois par an.", "Le bassin est vidé une fois par mois."),
    ("La piscine est interdite aux moins de dix ans.", "La piscine est interdite aux plus de dix ans."),
    ("Sealed parcels stay upstairs with the notary.", "Sealed parcels stay downstairs with the notary."),
    (
        "The minutes are sent to the board and not to the members.",
        "The minutes are sent to the members and not to the board.",
    ),
    ("Greta is Halina's aunt.", "Halina is Greta's aunt."),
)

# The same forms, and the two say the same.
TWINS: Pairs = (
    ("The calf gets 15 mg of selenium paste at dusk.", "At dusk the calf gets 15 mg of selenium paste."),
    (
        "Die Sparkasse von Wilhelm ist in Freiburg im Breisgau am Münster.",
        "In Freiburg im Breisgau am Münster ist die Sparkasse von Wilhelm.",
    ),
    (
        "La sœur d'Yvette relève le compteur de la fromagerie.",
        "Le compteur de la fromagerie est relevé par la sœur d'Yvette.",
    ),
)
