"""Valid text from names that are not UTF-8."""

import os

import pytest

from polhode.controllers.laws.files.provenance import provenance, stating
from polhode.controllers.laws.files.valid_text import valid_text


@pytest.mark.parametrize("text", ["", "plain", "é 漢 \U0001f6f0", "a\nb\x1b"])
def test_valid_text_is_unchanged(text):
    assert valid_text(text) == text


@pytest.mark.parametrize("name", [b"\xfc", b"a\xff/b.toml", b"\xed\xa0\x80"])
def test_invalid_bytes_become_their_codes(name):
    found = valid_text(os.fsdecode(name))
    assert found.encode("utf-8").decode("utf-8") == found
    assert "\\udc" in found


def test_provenance_is_valid_text():
    with stating({"command": os.fsdecode(b"polhode run \xfc.toml")}):
        assert provenance()["command"] == "polhode run \\udcfc.toml"
