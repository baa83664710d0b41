"""Small words keep pairs that are much alike from being merged, or settled, without a person."""

from __future__ import annotations

import pytest

from mdmem.language.disagreement import cases, contrasts


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("The cat gets 5 mg every morning.", "Every morning 5 ml for the cat."),
        ("The key of the boathouse is kept by Anna.", "Berta keeps the key of the boathouse."),
        ("Parcels are left at the north gate.", "At the south gate they leave parcels."),
        ("Volunteers may enter during feeding.", "Volunteers are forbidden to enter during feeding."),
        ("Jeden ersten Samstag wird abgetaut.", "Abgetaut wird jeden dritten Samstag."),
        ("The left winch is for sails, the right one for anchors.", "Right winch: sails. Left winch: anchors."),
        ("Take the pill at 8 am.", "Take the pill at 8 pm."),
        ("The gate opens at 7:00.", "The gate opens at 19:00."),
        ("La farmacia abre a las ocho de la mañana.", "La farmacia abre a las ocho de la noche."),
        ("Bei Wind über 60 km/h fährt sie nicht.", "Sie fährt bei Wind unter 60 km/h nicht."),
        ("Schools get it for at least six weeks.", "For at most six weeks schools get it."),
        ("anna keeps the spare key in the tin", "the spare key is kept by berta in the tin"),
        ("Petzold hat sein Lager in Frankfurt am Main.", "Das Lager von Petzold ist in Frankfurt an der Oder."),
        ("Elif bringt ihrem Vater Schach bei.", "Elifs Vater bringt ihr Schach bei."),
        ("Greta is Halina's aunt.", "Halina is Greta's aunt."),
        ("Die Tests laufen vor dem Merge.", "Die Tests laufen nach dem Merge."),
        ("El servidor A replica en el servidor B.", "El servidor B replica en el servidor A."),
        (
            "Papa garde les enfants le mercredi.",
            "Le mercredi, Papa garde les enfants pendant les vacances seulement.",
        ),
        ("Guests may park in the yard.", "Guests may park in the yard except on Sundays."),
        ("Il faut arroser les tomates le soir.", "Il ne faut arroser les tomates que le soir."),
        ("Oma kann freitags kommen.", "Oma muss freitags kommen."),
        ("The team decided to use Kafka.", "The team decided against using Kafka."),
        ("Grandma's glasses are in the hall.", "In the hall are Grandpa's glasses."),
    ],
)
def test_texts_that_differ_in_a_small_word_differ(one: str, two: str) -> None:
    assert contrasts.differ(one, two)
    assert contrasts.differ(two, one)
    assert not contrasts.differ(one, one)


def test_the_same_in_other_words_does_not_differ() -> None:
    assert not contrasts.differ(
        "The mower gets 5 l of oil each spring.", "In spring the mower needs 5 l of new oil."
    )
    assert not contrasts.differ("Anna keeps the key in her tin.", "The key is kept in Anna's tin.")
    assert not contrasts.differ("The choir meets at 19:30.", "The choir meets at 7:30 pm.")
    assert not contrasts.differ("The choir meets at 19:30.", "The choir meets at half past seven.")


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("The kayak rental takes cards.", "Does the kayak rental no longer take cards?"),
        ("The press is oiled on Mondays.", "The press is now also oiled on Thursdays."),
        ("The staging server uses Postgres 14.", "The production server now uses Postgres 16."),
        ("The pool closes at ten.", "Someone said the pool closes at nine, unconfirmed."),
        ("The rent is 850 euros.", "Maybe the rent is 900 euros now."),
        ("Bus 12 to the quarry leaves at 7:40.", "Bus 14 to the quarry now leaves at 8:10."),
        ("Bus 12 stops at the mill.", "Bus 14 now stops at the harbour."),
        ("Under-14s train on Tuesdays at six.", "The under-12s train on Tuesdays at half past four now."),
        ("In winter the pool closes at six.", "In summer the pool closes at ten now."),
        ("Members pay 12 euros.", "Guests pay 20 euros now."),
        ("The fair is on the green.", "This year the fair is in the hall."),
        ("Montags kocht Rieke.", "Heuer kocht montags Tim."),
        ("La vacuna del perro Canelo toca en abril.", "La vacuna de la gata Nube toca ahora en junio."),
        ("Opa trinkt morgens Kaffee.", "Opa trinkt abends keinen Kaffee mehr."),
        ("Der Chor probt dienstags.", "Der Kinderchor probt jetzt donnerstags."),
        ("Peter drives to work.", "Peter's brother no longer drives to work."),
        ("The assistant may edit files in src.", "The assistant may no longer edit files in vendor."),
        ("Grandma's phone number ends in 4471.", "Grandpa's phone number now ends in 9920."),
        ("Use tabs in Makefiles.", "Use spaces in Python files from now on."),
        ("Lola estudia alemán en la academia.", "Lola ya no estudia piano en la academia."),
        ("Marta corre por la orilla los lunes.", "Marta ya no corre por la playa los domingos."),
    ],
)
def test_what_is_asked_supposed_added_or_elsewhere_contradicts_nothing_for_sure(older: str, newer: str) -> None:
    assert cases.may_both_hold(older, newer)
    assert not cases.may_both_hold(older, older)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("A plot costs 45 pounds.", "From this year a plot costs 60 pounds."),
        ("Gotify listens on port 8070.", "Gotify listens on port 8071 now."),
        ("Bins are emptied on Mondays.", "Bins are no longer emptied on Mondays, but on Fridays."),
        ("Peter drives to work.", "Peter no longer drives to work."),
        ("Lola estudia piano en la academia.", "Lola ya no estudia piano en la academia."),
        ("API tokens expire after 90 days.", "API tokens never expire after 90 days."),
        ("The pool closes at six in winter.", "In winter the pool closes at seven now."),
        ("The feast is in the barn at Ure.", "The barn's roof leaks, so the feast moves to the inn at Kell."),
        ("Die Platzpflege wechselt montags.", "Die Pflege wechselt nicht mehr montags, sondern freitags."),
        ("Der Schlüssel hängt im Kasten, Code 1122.", "Neuer Code am Schlüsselkasten: 3344."),
        ("Band: The Tin Larks, until one.", "The Larks' drummer is ill, so it is DJ Ottoline until three."),
    ],
)
def test_another_value_of_the_same_case_may_contradict(older: str, newer: str) -> None:
    assert not cases.may_both_hold(older, newer)
