"""Every reader of sentences takes a no for a no, in four languages."""

from __future__ import annotations

import pytest

from mdmem.language import likeness

DENIED = [
    ("en", "The annexe has no lift."),
    ("en", "The annexe doesn't have a lift."),
    ("en", "Nobody repairs the lift."),
    ("de", "Der Anbau hat keinen Aufzug."),
    ("de", "Der Aufzug fährt niemals bis oben."),
    ("es", "El anexo jamás tuvo ascensor."),
    ("es", "El anexo no tiene ningún ascensor."),
    ("fr", "L'annexe n'a pas d'ascenseur."),
    ("fr", "L'annexe n'a aucun ascenseur."),
]
AFFIRMED = [
    ("en", "The annexe has a lift."),
    ("de", "Der Anbau hat einen Aufzug."),
    ("es", "El anexo tiene ascensor."),
    ("fr", "L'annexe a un ascenseur."),
]


@pytest.mark.parametrize(("tongue", "sentence"), DENIED)
def test_a_no_is_a_no_to_gardener_capture_and_search(tongue: str, sentence: str) -> None:
    assert likeness.negations(sentence) > 0


@pytest.mark.parametrize(("tongue", "sentence"), AFFIRMED)
def test_what_is_so_is_not_denied(tongue: str, sentence: str) -> None:
    assert likeness.negations(sentence) == 0
