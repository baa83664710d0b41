"""What people say of themselves, told in the third person of their language."""

from __future__ import annotations

import pytest

from mdmem.language.persons import english, french, german, spanish, tongue


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("I broke my arm and caught a cold.", "Ana broke their arm and caught a cold."),
        ("I then moved out.", "Ana then moved out."),
        ("I quickly reply to mails.", "Ana quickly replies to mails."),
        ("I haven't decided.", "Ana has not decided."),
        ("I'd lived in Rome before.", "Ana had lived in Rome before."),
        ("I'd need a key.", "Ana would need a key."),
    ],
)
def test_english(said: str, told: str) -> None:
    assert english.third_person(said, "Ana") == told


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Ich wohne in Bonn.", "der Nutzer wohnt in Bonn."),
        ("ab Mai fahre ich mit dem Rad", "ab Mai fährt der Nutzer mit dem Rad"),
        ("bei uns wird samstags gekocht", "beim Nutzer wird samstags gekocht"),
        ("mir wird davon schlecht", "dem Nutzer wird davon schlecht"),
        ("Wir nehmen das Schieferdach.", "die Leute des Nutzers nehmen das Schieferdach."),
        ("Meine Schwester wohnt in Jena.", "des Nutzers Schwester wohnt in Jena."),
        ("Ich habe mich verletzt.", "der Nutzer hat sich verletzt."),
        ("Gestern habe ich mir das Bein gebrochen.", "Gestern hat der Nutzer sich das Bein gebrochen."),
        ("Meine Frau kennt mich.", "des Nutzers Frau kennt den Nutzer."),
        ("Das Tor ist grün.", "Das Tor ist grün."),
    ],
)
def test_german(said: str, told: str) -> None:
    assert german.third_person(said) == told
    assert not german.LEFT.search(told)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Vivo en Vigo.", "el usuario vive en Vigo."),
        ("no compraré otra", "el usuario no comprará otra"),
        ("nos quedamos con la pizarra", "el usuario y los suyos se quedan con la pizarra"),
        ("No me gusta el café.", "al usuario no le gusta el café."),
        ("me sienta mal la leche", "al usuario le sienta mal la leche"),
        ("Mi hermana trabaja en Lugo.", "la hermana del usuario trabaja en Lugo."),
        ("mi segundo año de alta", "el segundo año del usuario de alta"),
        ("nuestros perros ladran", "los perros del usuario ladran"),
        ("como siempre, cierra a las seis", "como siempre, cierra a las seis"),
    ],
)
def test_spanish(said: str, told: str) -> None:
    assert spanish.third_person(said) == told
    assert not spanish.LEFT.search(told)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("J'habite à Lyon.", "l'utilisateur habite à Lyon."),
        ("je l'ai mis sur le disque", "l'utilisateur l'a mis sur le disque"),
        ("je ne suis plus locataire", "l'utilisateur n'est plus locataire"),
        ("nous avons deux caves", "l'utilisateur et les siens ont deux caves"),
        ("mon four chauffe trop", "le four de l'utilisateur chauffe trop"),
        ("chez nous, on dîne tard", "chez l'utilisateur, on dîne tard"),
        ("Le portail est vert.", "Le portail est vert."),
    ],
)
def test_french(said: str, told: str) -> None:
    assert french.third_person(said) == told
    assert not french.LEFT.search(told)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The gate is green.", "en"),
        ("Das Tor ist grün.", "de"),
        ("La verja es verde y no cierra.", "es"),
        ("Le portail est vert.", "fr"),
        ("pip install mdmem", "en"),
    ],
)
def test_the_language_of_a_sentence(text: str, language: str) -> None:
    assert tongue.of(text) == language


def test_where_nothing_tells_the_language_is_that_of_the_chat() -> None:
    assert tongue.of("pip install mdmem", "de") == "de"
