"""A secret is found in whatever form a file holds it, and what is like it is left alone."""

from __future__ import annotations

import base64
import html
import json
import re
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem.errors import UsageError
from mdmem.history.purging import target

ODD = 'p@ss "wörd" \\ 47/11'
WRITTEN = {
    "as it is": ODD,
    "JSON": json.dumps(ODD),
    "JSON, not ASCII": json.dumps(ODD, ensure_ascii=False),
    "JSON in JSON": json.dumps(json.dumps(ODD)),
    "URL": quote(ODD),
    "URL, all of it": quote(ODD, safe=""),
    "URL, small letters": quote(ODD, safe="").replace("%C3%B6", "%c3%b6"),
    "form": quote_plus(ODD),
    "HTML": html.escape(ODD),
    "wrapped": ODD.replace(' "', '\n    "'),
    "quoted": ODD.replace(" 47", "\r\n> 47"),
    "base64 of more": base64.b64encode(f"password: {ODD}\n".encode()).decode(),
    "base64 of it alone": base64.b64encode(ODD.encode()).decode(),
}


@pytest.mark.parametrize("form", WRITTEN)
def test_a_text_is_found_as_it_is_written(form: str) -> None:
    assert re.search(target.pattern(ODD), f"before {WRITTEN[form]} after".encode())


@given(st.text(st.characters(blacklist_categories=["Cs", "Cc"]), min_size=4), st.binary(max_size=5))
def test_every_text_is_found_in_json_and_urls(text: str, before: bytes) -> None:
    if len(text.strip()) < target.SHORTEST:
        return
    finder = re.compile(target.pattern(text))
    for written in (text, json.dumps(text), quote(text, safe="")):
        assert finder.search(before + written.encode())


def test_a_key_of_several_lines_is_found_indented() -> None:
    key = "-----BEGIN KEY-----\nabcdef\nghijkl\n-----END KEY-----"
    assert re.search(target.pattern(key), ("x:\n  " + key.replace("\n", "\r\n  ")).encode())
    assert re.search(target.pattern(key), json.dumps({"x": key}).encode())


@pytest.mark.parametrize("other", ["sk-SECRET-4712", "sk_SECRET_4711", "SK-SECRET-4711", "sk-SECRET"])
def test_another_text_is_not_found(other: str) -> None:
    assert not re.search(target.pattern("sk-SECRET-4711"), other.encode())


def test_a_text_that_stands_everywhere_is_refused() -> None:
    with pytest.raises(UsageError, match="fewer than 4"):
        target.pattern(" tea ")


def test_a_name_made_of_a_secret_is_found_and_a_plain_word_is_not() -> None:
    assert re.search(target.name_pattern("sk-SECRET-4711"), b"user_key_sk_secret_4711_staging.md")
    assert not re.search(target.name_pattern("sk-SECRET-4711"), b"user_key_sk_secret_47112.md")
    assert target.name_pattern("Berlin") == b""


@pytest.mark.parametrize("link", ["[[tea_is_green]]", "[[notes/tea_is_green#top]]", "[x](notes/tea_is_green.md)"])
def test_a_link_is_told_from_the_same_words(link: str) -> None:
    assert re.search(target.link_pattern("tea_is_green"), link.encode())
    assert not re.search(target.link_pattern("tea_is_green"), b"tea_is_green [[tea_is_green_too]] (tea_is_green)")
