"""The sentence rule of contract section 5, rule 5."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verify.sentences import sentences


def split(text: str) -> list[str]:
    return [text[a:b] for a, b in sentences(text)]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("One ends. Two ends? Three!", ["One ends.", "Two ends?", "Three!"]),
        ("It pays; but it may wait. Next.", ["It pays; but it may wait.", "Next."]),
        ("As Sec. 7.3 says, it ends.", ["As Sec. 7.3 says, it ends."]),
        ("Under Section 7.3. The buyer pays.", ["Under Section 7.3. The buyer pays."]),
        ("7.3. The buyer pays. The seller waits.", ["7.3. The buyer pays.", "The seller waits."]),
        ("(a). First thing. Second thing.", ["(a). First thing.", "Second thing."]),
        ("The fee is 12.4. The rest is due.", ["The fee is 12.4.", "The rest is due."]),
        ("Given to J. B. Hale. He left.", ["Given to J. B. Hale.", "He left."]),
        ("Hale v. Acme Inc. and Co. won. Done.", ["Hale v. Acme Inc. and Co. won.", "Done."]),
        ("Invoice No. 7 is due. Pay it.", ["Invoice No. 7 is due.", "Pay it."]),
        ("The answer is no. The rest follows.", ["The answer is no.", "The rest follows."]),
        ("See no. 7 and p. 3 of it. Stop.", ["See no. 7 and p. 3 of it.", "Stop."]),
        ("He said “stop.” Then he left.", ["He said “stop.”", "Then he left."]),
        ("It is due.3 The rest is not.", ["It is due.3", "The rest is not."]),
        ("It costs EUR 9.60 a box, not more. Next.", ["It costs EUR 9.60 a box, not more.", "Next."]),
        ("Rent is due, and 5.2 applies. Next.", ["Rent is due, and 5.2 applies.", "Next."]),
        ("He said “stop.”3 Then left.", ["He said “stop.”3", "Then left."]),
        ("It is due.² Next.", ["It is due.²", "Next."]),
        ("It was . . . agreed. Next.", ["It was . . . agreed.", "Next."]),
        ("A heading\n\nA paragraph. More", ["A heading", "A paragraph.", "More"]),
        ("At the U.S. border. Stop.", ["At the U.S. border.", "Stop."]),
        ("Really?! Yes.", ["Really?!", "Yes."]),
        ("  \n ", []),
    ],
)
def test_where_a_sentence_ends(text: str, parts: list[str]) -> None:
    assert split(text) == parts


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="aB1 .?!;\n\t“”()No", max_size=60))
def test_every_character_but_white_space_lies_in_one_span(text: str) -> None:
    spans = sentences(text)
    inside = [i for a, b in spans for i in range(a, b)]
    assert len(inside) == len(set(inside))
    assert {i for i, c in enumerate(text) if not c.isspace()} <= set(inside)
    assert all(text[a:b].strip() == text[a:b] and a < b for a, b in spans)
