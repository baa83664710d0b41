"""What texts say beside a link about which note replaces which, in four languages, and what they leave unsaid."""

from __future__ import annotations

import re

import pytest

from mdmem.language.replacement import claims, doubts, grammar, reading, rules, vocabulary
from mdmem.language.replacement.rules import ReplacementRule

REPLACES = """
old|This note replaces [[x]].
old|Overrides [[x]].
old|[[x]] is retired.
old|[[x]] has been withdrawn.
old|Do this rather than [[x]] from now on.
old|Throw away [[x]].
old|The rule in [[x]] has been dropped.
old|The old way ([[x]]) is dead.
old|[[x]] no longer applies since the move.
old|From now on this applies, not [[x]].
old|Takes over from [[x]].
old|So much for [[x]]: it is void.
old|We have given up [[x]].
old|[[x]] can go.
old|Please do not use [[x]] any more.
old|With that [[x]] is settled differently.
old|Herewith [[x]] is repealed.
old|It was [[x]] before.
old|Damit ist [[x]] hinfällig.
old|Tritt an die Stelle von [[x]].
old|[[x]] kann weg.
old|Nicht mehr wie in [[x]].
old|Ersetzt die alte Regel [[x]].
old|Das alte Verfahren ([[x]]) ist abgeschafft.
old|[[x]] ist damit vom Tisch.
old|Was in [[x]] steht, ist überholt.
old|Wir machen das nicht mehr wie in [[x]].
old|Vorher: [[x]], das gilt nicht mehr.
old|Reemplaza a [[x]].
old|Esto deja sin efecto [[x]].
old|Lo que dice [[x]] ya no vale.
old|[[x]] queda anulado.
old|Con esto queda derogada la regla de [[x]].
old|Annule et remplace [[x]].
old|Ce qui est écrit dans [[x]] n'est plus valable.
old|[[x]] est caduc.
old|[[x]] ne s'applique plus.
old|Remplace [[x]].
old|On ne fait plus comme dans [[x]].
old|La méthode de [[x]] est abandonnée.
heir|Superseded by [[x]].
heir|Replaced in May by [[x]].
heir|Outdated, see [[x]].
heir|This no longer holds; see [[x]].
heir|Do not use this any more, use [[x]].
heir|Obsolete since the move: [[x]].
heir|Now see [[x]].
heir|The new version is [[x]].
heir|Gilt nicht mehr, siehe [[x]].
heir|Überholt, jetzt [[x]].
heir|Abgelöst durch [[x]].
heir|Ya no vale, ver [[x]].
heir|Reemplazado por [[x]].
heir|Sustituido en mayo por [[x]].
heir|Remplacé par [[x]].
heir|Périmé, voir [[x]].
heir|N'est plus à jour : voir [[x]].
heir|Caducado; véase [[x]].
old|No more [[x]]: the pump does it alone.
old|The rules of [[x]] are off.
old|[[x]] has been overtaken by events.
old|That is the end of [[x]].
old|[[x]] is not how we do it any more.
old|[[x]] is now only of historical interest.
old|Whoever still goes by [[x]] does it wrong.
old|Cross out [[x]].
old|[[x]] may be thrown out.
old|The list in [[x]] has gone.
old|What stood in [[x]] has been withdrawn.
old|A new list; the one in [[x]] is outdated.
old|Never mind [[x]].
old|With this the agreement of [[x]] ends.
old|This is the successor of [[x]].
old|[[x]] has ceased to apply.
old|Not [[x]] any more.
old|That settles it differently from [[x]], which no longer counts.
old|This note takes precedence over [[x]].
old|Use this and not [[x]].
old|Hereby [[x]] is cancelled.
old|It does away with [[x]].
old|[[x]] expired with the new contract.
old|[[x]] was the rule until then.
old|So ist [[x]] hinfällig geworden.
old|Die Liste in [[x]] ist nicht mehr aktuell.
old|[[x]] hat ausgedient.
old|[[x]] ist Geschichte.
old|Vergesst [[x]].
old|Damit entfällt [[x]].
old|Diese Fassung tritt an die Stelle von [[x]].
old|Gilt statt [[x]].
old|Das hier gilt, nicht mehr [[x]].
old|Lo que pone en [[x]] ha quedado anticuado.
old|Con esto [[x]] deja de aplicarse.
old|[[x]] ya no sirve.
old|Esto reemplaza lo de [[x]].
old|Deja sin validez [[x]].
old|Anula lo dicho en [[x]].
old|[[x]] n'est plus d'actualité.
old|Ceci annule [[x]].
old|À la place de [[x]], on prend désormais le bus.
old|[[x]] ne vaut plus.
old|On a abandonné [[x]].
old|[[x]] est remplacé par ceci.
heir|Overtaken by [[x]].
heir|See [[x]], which replaces this.
heir|This has been replaced: [[x]].
heir|The current version is in [[x]].
heir|No longer in use, we have [[x]] now.
heir|Was the plan until [[x]].
heir|Inzwischen gilt [[x]].
heir|Wurde von [[x]] abgelöst.
heir|Veraltet: [[x]].
heir|Anulado por [[x]].
heir|Ahora rige [[x]].
heir|Remplacée depuis par [[x]].
heir|Ne vaut plus : voir [[x]].
old|This replaces the rule of [[x]].
old|This makes [[x]] history.
old|It is valid instead of [[x]].
old|Instead of [[x]], use the lift.
old|We no longer use [[x]].
old|Forget what [[x]] says.
old|Forget [[x]].
old|What [[x]] says is no longer true.
heir|Void, see [[x]].
heir|Use [[x]] instead.
old|The new rule ends [[x]].
old|Round ones (formerly [[x]]).
old|[[x]] is wrong since the move.
old|Do not follow [[x]].
old|One coat a year instead of [[x]].
old|No more [[x]].
old|With this [[x]] ceases.
heir|It gave way to [[x]].
old|A new list, the one in [[x]] has gone.
heir|Outdated, the current list is [[x]].
heir|No longer in use, we have [[x]].
old|Das ersetzt [[x]].
old|Das macht [[x]] hinfällig.
old|Statt [[x]] gilt der Aushang.
old|Gilt anstelle von [[x]].
old|Damit gilt [[x]] nicht mehr.
old|Wir nutzen [[x]] nicht mehr.
old|Nicht mehr nach [[x]] arbeiten.
old|Vergiss [[x]].
old|Damit hat [[x]] ausgedient.
old|Was in [[x]] steht, gilt nicht mehr.
old|Damit ist [[x]] überholt.
heir|Ersetzt durch [[x]].
old|[[x]] brauchen wir nicht mehr.
old|Schluss mit [[x]].
old|[[x]] bitte ignorieren.
old|Ein Anstrich im Jahr statt [[x]].
old|Von [[x]] sind wir weg.
old|Runde Etiketten (früher [[x]]).
old|Das beendet [[x]].
heir|Veraltet, aktuell ist [[x]].
old|Nicht mehr [[x]], sondern Freitag.
old|Sustituye a [[x]].
old|En lugar de [[x]] ahora hay dos.
old|Ahora vale esto en vez de [[x]].
old|Ya no vale [[x]].
old|Ya no lo hacemos como en [[x]].
old|Queda anulada [[x]].
old|Olvida [[x]].
old|Lo de [[x]] ya no vale.
heir|Sustituida por [[x]].
heir|Obsoleto: lo vigente está en [[x]].
old|[[x]] deja de valer.
old|Una mano al año en vez de [[x]].
old|Etiquetas redondas (antes [[x]]).
old|Esto corrige [[x]].
heir|Caducado: [[x]].
old|Cela remplace [[x]].
old|À suivre au lieu de [[x]].
old|Au lieu de [[x]], on fait simple, désormais.
old|On n'utilise plus [[x]].
old|Ne plus utiliser [[x]].
old|Cela rend [[x]] caduque.
old|Oublier [[x]].
old|Ce que dit [[x]] n'est plus valable.
old|Avant [[x]] ; cela ne vaut plus.
heir|Périmé, la version en vigueur est [[x]].
heir|Remplacée par [[x]].
heir|N'est plus valable, voir [[x]].
old|Ne plus tenir compte de [[x]].
old|Une couche par an au lieu de [[x]].
old|Étiquettes rondes (avant [[x]]).
heir|Désormais dans [[x]].
heir|Périmé : [[x]].
heir|Obsolete since [[x]].
heir|Überholt seit [[x]].
heir|Anulado desde [[x]].
heir|Périmé depuis [[x]].
old|[[x]] is how we used to do it.
old|No uses más [[x]].
old|On abandonne [[x]].
"""
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
"""


def directions(text: str) -> list[str]:
    return [one.direction for one in claims.claims(text)]


@pytest.mark.parametrize("rule", rules.RULES, ids=lambda rule: rule.example)
def test_each_rule_reads_its_example(rule: ReplacementRule) -> None:
    (one,) = claims.claims(rule.example)
    assert (one.target, one.direction, one.is_sure) == ("x", rule.direction, rule.is_sure)
    assert rule in grammar.met(rule.example.lower().replace("[[x]]", "§"))


def test_no_rule_is_passed_over_where_it_matches() -> None:
    for example in (rule.example.lower().replace("[[x]]", "§") for rule in rules.RULES):
        for language, text in reading.readings(reading.spaced(example)):
            matching = [rule for rule in grammar._ready(language) if rule.pattern.search(text)]
            assert all(rule.needs <= reading.kinds_in(text) for rule in matching)


def test_no_language_is_passed_over_that_says_something() -> None:
    for example in (rule.example.lower().replace("[[x]]", "§") for rule in rules.RULES):
        words = reading.spaced(example).split()
        for language in reading.LANGUAGES:
            says_something = not reading._telling().isdisjoint(reading._symbols_of(words, language))
            assert reading._may_tell(words, language) or not says_something


def test_rules_are_made_of_the_vocabulary_and_use_all_of_it() -> None:
    patterns = " ".join((*(rule.pattern for rule in rules.RULES), rules.VERDICT))
    named = set(re.findall("[A-Z]{2,}", patterns)) - grammar._places().keys()
    assert named | {"EVENT", "ADJUNCT"} == vocabulary.WORDS.keys()


def test_short_forms_of_the_vocabulary_stand_for_all_their_spellings() -> None:
    assert set(reading.spellings("anulad[oa]s?")) == {"anulado", "anulados", "anulada", "anuladas"}
    assert set(reading.spellings("borrar(?:se|la)?")) == {"borrar", "borrarse", "borrarla"}


@pytest.mark.parametrize("example", [example for _, example in doubts.DOUBTS])
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
    assert (one.direction, one.target) == (rules.OLD, "x")
    assert not list(claims.claims("Exports: see [[x]]. The printer is out of date."))


def test_a_doubt_behind_a_colon_is_about_something_else() -> None:
    assert list(claims.claims("[[x]] is superseded: bills are mailed, paper only when asked for."))
    assert not list(claims.claims("Perhaps [[x]] is superseded: bills are mailed."))


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
