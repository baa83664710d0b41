"""What texts say beside a link about which note replaces which, in four languages, and what they leave unsaid."""

from __future__ import annotations

import re

import pytest

from mdmem.language.replacement import claims, grammar
from mdmem.language.replacement.grammar import ReplacementRule
from mdmem.note import tsv
from tests.language.replacement_lines import REPLACES

SAYS_NOTHING = """
See [[x]] for the details.
As [[x]] says, the lid stays on.
We followed [[x]] and it worked.
[[x]] does not replace a visit to the doctor.
This does not replace [[x]], it only adds the weekend.
One day this may replace [[x]].
Should this replace [[x]]?
If the new pump comes, it replaces [[x]].
Otto claims that this replaces [[x]].
Planned: replace [[x]] with something simpler.
To replace [[x]] we would need a bigger budget.
Das ersetzt [[x]] nicht.
Kein Ersatz für [[x]].
Wird [[x]] damit hinfällig?
Wie in [[x]] beschrieben, nur mit mehr Salz.
Das soll später [[x]] ersetzen.
[[x]] hat sich bewährt.
[[x]] gilt weiterhin.
[[x]] gilt auch für Gäste.
Esto no sustituye a [[x]].
Hicimos lo de [[x]] y salió bien.
Cela ne remplace pas [[x]].
Voir [[x]] pour les quantités.
Comme le dit [[x]], on attend une heure.
Since [[x]] nobody asks any more.
Thanks to [[x]] we no longer argue.
[[x]] saved the day again.
Used [[x]] instead of my own list yesterday.
Showed [[x]] to the new colleague, who wants it replaced.
The old timer was replaced before [[x]].
[[x]] is still valid.
[[x]] is not obsolete.
Ana asked whether [[x]] is outdated.
An exception to [[x]]: on holidays nine is fine.
More about this in [[x]].
Goes with [[x]].
Follow [[x]], do not improvise.
Do not forget [[x]] when packing.
Printed [[x]] and replaced the toner.
[[x]] replaced three phone calls.
Lo de [[x]] sigue valiendo.
Ich halte mich an [[x]] und es klappt.
Ohne [[x]] ginge nichts mehr.
Last summer this replaced [[x]] for a week, then we went back.
"This replaces [[x]]", wrote the caretaker, but nobody had agreed.
Exceptionally, instead of [[x]] we had pizza.
Today soup instead of what [[x]] has for Fridays.
Explained [[x]] to the new neighbour, who had never heard of it.
Without [[x]] we would be lost.
The old neighbour praised [[x]].
Changed the oil by [[x]] and spilled none.
Since [[x]] the mice are gone.
[[x]] worked; no more mice.
[[x]] explains why the old rule is obsolete.
Delete the cache as described in [[x]].
Wie in [[x]] steht, gilt die alte Hausordnung nicht mehr.
Supprimer les vieux fichiers comme dans [[x]].
We switched off the alarm as in [[x]].
Do not use [[x]] for guests.
Forget [[x]] when guests come.
Olvida [[x]] cuando hay invitados.
[[x]] was written before the move and still holds.
[[x]] is over budget.
The old pump is gone, see [[x]] for how it was taken out.
Pendant les vacances, [[x]] ne vaut plus.
No more excuses: [[x]] hangs on the fridge.
Followed [[x]] to the letter and the cake fell in.
Moved the piano the way [[x]] says.
[[x]] is still better than what we had before.
We stopped arguing about it since [[x]].
Ended the evening with [[x]].
Corrected a typo in [[x]].
Read [[x]] again before the meeting.
[[x]] has served us well so far.
The exam asked for exactly what [[x]] has, and I was done in ten minutes.
Lost the printout of [[x]], printed it again.
[[x]] left no question open.
[[x]] was a great success with the children.
Tried [[x]] on the old engine: it ran at once.
The new colleague did not know [[x]].
Milo wanted to know where [[x]] comes from.
Whoever still doubts [[x]] can call me.
Applied [[x]] for the first time, and nothing broke.
Why [[x]] works is explained in the manual of the pump.
An addition to [[x]]: in winter two minutes more.
[[x]] also holds for the small boat.
Reminded everybody of [[x]] at the meeting; nobody objected.
[[x]] came too late for the old roof.
It rained, so [[x]] was not needed today.
Hat mit [[x]] auf Anhieb geklappt.
Nach [[x]] gebacken, war nichts mehr übrig.
[[x]] ausgedruckt und an die alte Tür gehängt.
Oma fragt jedes Mal nach [[x]].
Gracias a [[x]] ya no discutimos.
Probé [[x]] y quedó muy bien.
La vecina pidió [[x]] otra vez.
Fait avec [[x]], il n'en restait plus.
Le voisin a demandé [[x]].
Suivi [[x]] à la lettre, plus aucun moustique.
Copied the table of [[x]] into the new sheet.
Half of the team has not read [[x]].
When the pump is replaced, [[x]] has to be adapted.
In the old house [[x]] would not have worked.
Instead of guessing, I looked it up in [[x]].
We no longer guess: it is all in [[x]].
Nobody calls the hotline any more; [[x]] answers everything.
Never without [[x]] again.
[[x]] cannot replace practice.
The supplier has changed the label, but [[x]] is right all the same.
The tax office accepted [[x]] without a question.
Used [[x]] again, second time this year.
[[x]] made the old spreadsheet unnecessary.
[[x]] replaced the whiteboard in the kitchen.
Does anybody remember what was before [[x]]?
What came of [[x]]: less waste, fewer calls.
See [[x]]. It is out of date only in part.
[[x]] est loin d'être lettre morte.
I quit [[x]] but Ana still uses it.
The kids came off [[x]] smiling.
Replaced the filter as described in [[x]].
We will replace [[x]] in the spring.
The committee rejected the idea of dropping [[x]].
Bo thinks [[x]] is nonsense.
[[x]] is not the only way.
If it rains, ignore [[x]].
The figure in [[x]] was right after all.
I was wrong about the weather; for the tent see [[x]].
The old version of the app is dead, settings as in [[x]].
No typo in [[x]], I checked.
This is a supplement to [[x]].
An older cousin of [[x]].
Update of the photos; text as in [[x]].
Instead of complaining, read [[x]].
I forgot [[x]] at home.
[[x]] never lets us down.
Der alte Ofen ist weg, gebacken wird nach [[x]].
[[x]] ist nicht falsch.
Ob [[x]] noch gilt, weiß keiner.
Wir wollten [[x]] streichen, haben es aber gelassen.
[[x]] hat nichts an Gültigkeit verloren.
No he cambiado nada de [[x]].
¿Está anulada [[x]]?
[[x]] sigue siendo válida.
El viejo horno no sirve, pero [[x]] sí.
On a failli abandonner [[x]].
[[x]] n'est pas dépassée.
L'ancienne chaudière est morte, réglages : [[x]].
Une erreur de ma part, pas de [[x]].
Everyone was wrong except [[x]].
Read [[x]] again. It is right about the salt.
Opened [[x]]. Nothing to add.
I came across [[x]]. The printer is dead, so I copied it by hand.
"""


def directions(text: str) -> list[str]:
    return [one.direction for one in claims.claims(text)]


@pytest.mark.parametrize("rule", grammar.rules(), ids=lambda rule: rule.example)
def test_each_rule_reads_its_example(rule: ReplacementRule) -> None:
    (one,) = claims.claims(rule.example)
    assert (one.target, one.direction, one.is_sure) == ("x", rule.direction, rule.is_sure)
    assert rule in grammar.met(rule.example.lower().replace("[[x]]", "§"))


def test_rules_are_made_of_the_vocabulary_and_use_all_of_it() -> None:
    patterns = " ".join((*(rule.pattern for rule in grammar.rules()), grammar.part("VERDICT")))
    named = set(re.findall("[A-Z]{2,}", patterns)) - grammar.places().keys()
    assert named | {"ADJUNCT"} == {kind for kind, _, _ in grammar.vocabulary()}


@pytest.mark.parametrize("example", [example for _, example in tsv.rows(claims.__file__, "doubts.tsv", 2)])
def test_each_doubt_silences_its_example(example: str) -> None:
    assert directions(example.replace("§", "[[x]]")) == []


@pytest.mark.parametrize("line", REPLACES.strip().split("\n"))
def test_what_is_said_in_other_words_is_read_too(line: str) -> None:
    direction, text = line.split("|", 1)
    assert directions(text) == [direction]


@pytest.mark.parametrize("text", SAYS_NOTHING.strip().split("\n"))
def test_a_mention_a_denial_a_plan_and_what_others_say_are_no_replacement(text: str) -> None:
    assert directions(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "The printer in [[x]] is gone.",
        "The library that [[x]] recommends is deprecated.",
        "Der Drucker aus [[x]] ist weg.",
        "Le lave-linge de [[x]] a été remplacé.",
        "We no longer use Jenkins for the builds described in [[x]].",
    ],
)
def test_what_is_said_of_a_thing_that_a_note_names_may_not_be_said_of_the_note(text: str) -> None:
    assert not any(claim.is_sure for claim in claims.claims(text))
    assert all(claim.is_sure for claim in claims.claims("The rule in [[x]] is gone."))


def test_another_link_in_the_place_of_this_note_says_nothing_of_this_one() -> None:
    assert directions("[[y]] replaces [[x]].") == []
    assert directions("[[x]] is replaced by [[y]].") == []
    assert [one.target for one in claims.claims("As [[y]] says. This replaces [[x]].")] == ["x"]


def test_links_in_code_and_quotes_say_nothing() -> None:
    assert directions("`This replaces [[x]]`") == []
    assert directions("> This replaces [[x]].") == []


def test_a_sentence_over_two_lines_and_a_markdown_link_are_read_with_their_line() -> None:
    text = "# Jars\n\nFrom now on round ones. This\nreplaces [the old labels](labels_v1.md).\n"
    (one,) = claims.claims(text)
    assert (one.target, one.line) == ("labels_v1", 3)


def test_the_next_sentence_may_say_it_of_what_is_linked() -> None:
    (one,) = claims.claims("Exports: see [[x]]. That one is out of date.")
    assert (one.direction, one.target) == (grammar.OLD, "x")
    assert not list(claims.claims("Exports: see [[x]]. The printer is out of date."))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("I read [[x]] again. Hardly a word of it is true.", ["old"]),
        ("[[x]]? Forget it.", ["old"]),
        ("If you find [[x]], bin it.", ["old"]),
        ("Habe mir [[x]] noch mal vorgenommen. Stimmt hinten und vorne nicht.", ["old"]),
        ("He vuelto a leer [[x]]. Menuda tontería.", ["old"]),
        ("J'ai relu [[x]]. C'est n'importe quoi.", ["old"]),
        ("See [[x]]. Voice gone after the derby.", []),
        ("I read [[x]] again. We dropped the app.", []),
    ],
)
def test_an_opinion_in_the_next_sentence_is_about_what_was_just_read(text: str, said: list[str]) -> None:
    assert directions(text) == said


def test_a_label_holds_for_the_list_below_it() -> None:
    text = "# Jars\n\nSupersedes:\n- [[x]]\n- [[y]]\n\n## Replaced by\n\n[[z]]\n\nMore in [[w]].\n"
    assert [(one.target, one.direction, one.line) for one in claims.claims(text)] == [
        ("x", "old", 4),
        ("y", "old", 5),
        ("z", "heir", 9),
    ]
    assert directions("Obsolete:\n- [[x]]\n") == []


@pytest.mark.parametrize(
    "text",
    [
        "No batteries needed, see [[x]].",
        "Retirado el depósito del patio. See [[x]].",
        "Emre has every second Friday off ([[x]]).",
        "Remove one fixture ([[x]]).",
        "Read the manual instead, see [[x]].",
        "From July the castration of a cat is 110 euros, see [[x]].",
    ],
)
def test_a_link_beside_a_sentence_about_something_else_is_no_part_of_it(text: str) -> None:
    assert directions(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Previous: [[x]]",
        "**Older:** [[x]]",
        "- New: [[x]]",
        "Removed: [[x]]",
        "Neu: [[x]]",
        "Anterior: [[x]]",
        "Suite → [[x]]",
        "-> [[x]]",
        "Home → [[x]] → Delete",
        "Vienna → [[x]] by train took three hours.",
        "~~Call [[x]]~~",
    ],
)
def test_a_link_that_only_leads_on_is_no_sure_replacement(text: str) -> None:
    """Lines of that kind stand in many notes, and would have deprecated what they lead to, or their own note."""
    assert not any(claim.is_sure for claim in claims.claims(text))
    assert all(claim.is_sure for claim in claims.claims("Closed on Mondays. Before: [[x]]."))
    assert all(claim.is_sure for claim in claims.claims("Successor: [[x]]"))


@pytest.mark.parametrize(
    "text",
    [
        "- [x] ~~Call [[x]]~~",
        "- [ ] This replaces [[x]]",
        "* [x] drop [[x]]",
        "~~Buy milk~~ [[x]]",
        "Update: see [[x]] for pictures of the party.",
        "Moved to [[x]] in May with Anna.",
        "[[x]] can go to the cellar.",
        "Second version of [[x]] was louder.",
        "[[x]] → here you find the key.",
        "Now in [[x]] there is a dishwasher.",
        "Nothing in [[x]] is obsolete.",
        "The new version of the app is described in [[x]].",
    ],
)
def test_tasks_and_other_news_beside_a_link_say_nothing_of_it(text: str) -> None:
    assert directions(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "[[x]] is obsolete? I don't think so.",
        "Has [[x]] been replaced? Nobody knows.",
        "Ist [[x]] überholt? Nein.",
        "¿[[x]] ya no vale? No.",
        "[[x]] est périmée ? Non.",
    ],
)
def test_a_question_is_no_statement_whatever_is_said_next(text: str) -> None:
    assert directions(text) == []


def test_a_sentence_of_very_many_links_or_words_is_not_read() -> None:
    """It is read once for each of its links: 5,000 in one line took a minute."""
    links = ", ".join(f"[[note {number}]]" for number in range(41))
    assert directions(f"This replaces {links}.") == []
    assert directions(f"This replaces [[x]]{' and the old list' * 300}.") == []
    assert directions(f"All of them: {links}.\n\nThis replaces [[x]].") == ["old"]
