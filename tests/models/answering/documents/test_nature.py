"""What a document is: cases that a person worded, and what looks like a draft or an unsigned copy and is none."""

import tomllib
from pathlib import Path

import pytest

from models.answering.documents.nature import Kind, Standing, nature

CASES = tomllib.loads(Path(__file__).with_name("nature_cases.toml").read_text(encoding="utf-8"))["case"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["path"])
def test_a_document_says_what_it_is(case, make_document) -> None:
    found = nature(make_document([*case["text"], *case.get("end", ())], case["path"]))
    assert (found.kind, found.standing) == (Kind(case["kind"]), Standing(case["standing"]))
    assert found.evidence


def test_a_file_name_may_call_a_draft_so(make_document) -> None:
    found = nature(
        make_document(["AMENDMENT NO. 3", "This Amendment is made between A Ltd and B Ltd."], "Amd 3 DRAFT.docx")
    )
    assert found.standing is Standing.DRAFT and found.evidence == ("AMENDMENT NO. 3", "Amd 3 DRAFT.docx")
    assert not found.is_basis and not found.changes_others


def test_an_unsigned_agreement_is_called_so_and_is_still_the_basis(make_document) -> None:
    found = nature(
        make_document(["PURCHASE AGREEMENT", "The price is $4.", "Buyer By: ________", "Seller By: ________"])
    )
    assert found.standing is Standing.UNSIGNED
    assert found.is_basis and not found.changes_others
