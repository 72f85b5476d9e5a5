import pytest

from retrieval.words.forms import NUMBERS, base, plain_letters
from retrieval.words.tokenize import stem


@pytest.mark.parametrize(
    ("british", "american"),
    [
        ("organisation", "organization"),
        ("authorised", "authorized"),
        ("honoured", "honored"),
        ("labour", "labor"),
        ("centre", "center"),
        ("licence", "license"),
        ("defence", "defense"),
        ("analysed", "analyzed"),
        ("catalogue", "catalog"),
        ("judgement", "judgment"),
        ("programmes", "programs"),
        ("instalments", "installments"),
        ("wilful", "willful"),
        ("practise", "practice"),
    ],
)
def test_british_and_american_spelling_meet(british: str, american: str) -> None:
    assert stem(british) == stem(american)


@pytest.mark.parametrize(
    "word", ["promise", "premises", "franchise", "revised", "exercise", "arising", "raised", "four"]
)
def test_words_that_have_one_spelling_stay(word: str) -> None:
    assert base(word) == word


@pytest.mark.parametrize(
    ("form", "kin"),
    [
        ("paid", "paying"),
        ("sold", "sells"),
        ("withheld", "withholding"),
        ("given", "gives"),
        ("undertook", "undertakes"),
        ("children", "child"),
        ("memoranda", "memorandum"),
        ("info", "information"),
    ],
)
def test_irregular_forms_meet_their_kin(form: str, kin: str) -> None:
    assert stem(form) == stem(kin)


def test_a_word_with_marks_has_plain_ways_of_writing() -> None:
    assert plain_letters("müller") == ["muller", "mueller"]
    assert plain_letters("peña") == ["pena"]
    assert plain_letters("łódź") == ["lodz"]
    assert plain_letters("straße") == ["strasse"]
    assert plain_letters("muller") == []
    assert plain_letters("договор") == []
    assert plain_letters("계약") == []


def test_numbers_as_words() -> None:
    assert (NUMBERS["two"], NUMBERS["sixteen"], NUMBERS["seventeen"], NUMBERS["ninety"]) == ("2", "16", "17", "90")
    assert "one" not in NUMBERS
