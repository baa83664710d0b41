"""A short answer says what it says together with its question, in four languages."""

from __future__ import annotations

import pytest

from mdmem.capture import findings
from mdmem.capture.turns import Conversation, Turn
from mdmem.language.speech.answers import stated
from mdmem.note.titles import of_text


@pytest.mark.parametrize(
    ("question", "answer", "language", "statement"),
    [
        ("Where do you live?", "In Lisbon.", "en", "I live in Lisbon."),
        ("How many days should the backups stay?", "30", "en", "The backups should stay 30 days."),
        ("Which database do you use in production?", "Postgres 16", "en", "I use Postgres 16 in production."),
        ("What's your surname?", "Okafor", "en", "My surname is Okafor."),
        ("Who maintains the gateway?", "Petra", "en", "Petra maintains the gateway."),
        ("Got it. When does the office close?", "At six.", "en", "The office closes at six."),
        ("Do you eat meat?", "No, never.", "en", "I do not eat meat."),
        ("Are you left-handed?", "Yes!", "en", "I am left-handed."),
        ("Wo wohnst du?", "In Kiel", "de", "Ich wohne in Kiel."),
        ("Wie viele Katzen hast du?", "3", "de", "Ich habe 3 Katzen."),
        ("Welchen Port benutzt der Proxy?", "8443", "de", "Der Proxy benutzt Port 8443."),
        ("¿Dónde vives?", "En Vigo", "es", "Vivo en Vigo."),
        ("¿Qué lenguaje prefieres?", "Rust", "es", "Prefiero Rust."),
        ("Où habitez-vous ?", "À Lille", "fr", "J'habite à Lille."),
        ("Quel port utilise le proxy ?", "8443", "fr", "Le proxy utilise port 8443."),
    ],
)
def test_question_and_answer_are_one_statement(question: str, answer: str, language: str, statement: str) -> None:
    assert stated(question, answer, language) == statement


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Where do you live?", "I live in Lisbon."),
        ("Which of the two do you prefer?", "It depends"),
        ("Do you want me to add it?", "Yes"),
        ("Shall I send it?", "Tomorrow"),
        ("What do you mean?", "The port"),
        ("Where do you live?", "Why do you ask?"),
    ],
)
def test_other_answers_stay_as_they_are(question: str, answer: str) -> None:
    assert stated(question, answer) == ""


@pytest.mark.parametrize(
    ("before", "question", "answer", "title"),
    [
        ("I am setting up the proxy.", "Which port should it use?", "8443", "The proxy should use port 8443"),
        ("Hi.", "Where do you live?", "In Lisbon.", "The user lives in Lisbon"),
        ("Hallo.", "Wo wohnst du?", "In Kiel", "Der Nutzer wohnt in Kiel"),
        ("Hi.", "Which file should I open?", "main.py", ""),
        ("Hi.", "Do you need the source?", "No", ""),
    ],
)
def test_a_memory_of_a_short_answer_stands_alone(before: str, question: str, answer: str, title: str) -> None:
    turns = Turn("user", before, 1), Turn("assistant", question, 2), Turn("user", answer, 3)
    found = findings.find(Conversation("c", "", turns))
    assert [(of_text(one.body), one.quote) for one in found if one.turn == 3] == (
        [(title, answer)] if title else []
    )
