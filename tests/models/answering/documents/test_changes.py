"""Sentences that change another document, worded by a person before the rules."""

import tomllib
from pathlib import Path

import pytest

from models.answering.documents.changes import instructions

CASES = tomllib.loads(Path(__file__).with_name("amending_cases.toml").read_text(encoding="utf-8"))["case"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["text"][:60])
def test_an_amending_sentence_says_what_it_changes(case) -> None:
    found = instructions(case["text"])
    if "does" not in case:
        assert found == ()
        return
    (one,) = found
    assert one.clause is not None
    got = {"does": one.does.value, "clause": one.clause.shown, "old": one.old, "new": one.new}
    assert got == {
        "does": case["does"],
        "clause": case["clause"],
        "old": case.get("old", ""),
        "new": case.get("new", ""),
    }
    assert one.effective == case.get("effective")
