"""Normalisation profiles and their offset maps (contract section 5, rule 3)."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verify.bodies import Body
from verify.match import Quotation, equal, places
from verify.normalize import IGNORED, normalize


def same(a: str, b: str, typographic: bool = False) -> bool:
    return equal(normalize(a, typographic), normalize(b, typographic))


@pytest.mark.parametrize(
    ("shown", "asked"),
    [
        ("a  b\tc\r\nd\n\ne", " a b c d e "),
        ("oﬃce ﬁled aﬀair ﬂoor baﬄed ﬅone ﬆone", "office filed affair floor baffled stone stone"),
        ("dis\u00adcharge", "discharge"),
        ("dis\u00ad\ncharge", "discharge"),
        ("dis\u00ad \r\n charge", "discharge"),
        ("zero\u200bwid\u200cth\u200d \u2060join\ufeff", "zerowidth join"),
        ("Rene\u0301 Aube\u0301", "René Aubé"),
        ("Ren\u0065\u200b\u0301", "René"),
        ("\u212bngström", "Ångström"),
        ("\u1112\u1161\u11ab", "한"),
        ("termi-\nnation", "termination"),
        ("termi-\nnation", "termi-nation"),
        ("termi-\nnation", "termi-\nnation"),
        ("termi‐\nnation", "termi‐nation"),
        ("five-\nyear", "five-year"),
        ("short-\nand long-term", "short- and long-term"),
        ("and/\nor", "and/or"),
        ("and/\nor", "and/ or"),
        ("term—\nwhether", "term—whether"),
        ("a - b", "a  -  b"),
    ],
)
def test_equal_under_the_quote_profile(shown: str, asked: str) -> None:
    assert same(shown, asked) and same(asked, shown)


@pytest.mark.parametrize(
    ("shown", "asked"),
    [
        ("five-year", "five year"),
        ("five-year", "fiveyear"),
        ("five-year", "five- year"),
        ("five-year", "five–year"),
        ("five-year", "five‐year"),
        ("five-\nyear", "five–year"),
        ("five-\nyear", "five year"),
        ("-12.4", "12.4"),
        ("−12.4", "-12.4"),
        ("- 5", "-5"),
        ("a - 5", "a -5"),
        ("thirty-", "thirty"),
        ("thirty -", "thirty"),
        ("--", "-"),
        ("a–b", "a—b"),
        ("Rent", "rent"),
        ("EUR 4 200", "EUR 4\u00a0200"),
        ("“x”", '"x"'),
        ("5 %", "5%"),
        ("m²", "m2"),
        ("½", "1/2"),
        ("…", "..."),
        ("(5)", "5"),
        ("§ 12", "12"),
        ("René", "Rene"),
        ("сopy", "copy"),
        ("a / b", "a/b"),
        ("", ""),
    ],
)
def test_different_under_the_quote_profile(shown: str, asked: str) -> None:
    assert not same(shown, asked) and not same(asked, shown)


@pytest.mark.parametrize(
    ("shown", "asked"),
    [
        ("“the deed”, ‘seen’, the registrar’s", "\"the deed\", 'seen', the registrar's"),
        ("EUR 4\u00a0200", "EUR 4 200"),
        ("EUR\u202f4", "EUR 4"),
        ("The term — fixed — ends", "The term—fixed—ends"),
        ("2019 – 2024", "2019–2024"),
        ("term—\nwhether", "term — whether"),
        ("Der „Vertrag“ gilt", 'Der "Vertrag" gilt'),
        ("Le « Contrat » est", 'Le "Contrat" est'),
        ("Der »Vertrag« gilt", 'Der "Vertrag" gilt'),
        ("12\u2009000 pounds", "12 000 pounds"),
        ("the Supplier\u02bcs crates", "the Supplier's crates"),
        ("a 5′ wall", "a 5' wall"),
        ("long\u2011term", "long-term"),
        ("The fee… is due", "The fee... is due"),
    ],
)
def test_equal_under_the_typographic_profile_only(shown: str, asked: str) -> None:
    assert same(shown, asked, typographic=True) and not same(shown, asked)


@pytest.mark.parametrize(
    ("shown", "asked"),
    [
        ("2019–2024", "2019 2024"),
        ("2019–2024", "2019-2024"),
        ("a – b", "a — b"),
        ("4 200", "4,200"),
        ("a- –b", "a–b"),
        ("a - – b", "a – b"),
        ("5′ 6″", "5' 6'"),
        ("«x»", "'x'"),
    ],
)
def test_different_under_the_typographic_profile(shown: str, asked: str) -> None:
    assert not same(shown, asked, typographic=True)


def test_gaps_at_one_place_add_up() -> None:
    assert not same("a-\u200b-b", "a-b") and same("a-\u200b-b", "a--b")


def test_a_row_of_lone_hyphens_is_the_same_however_long() -> None:
    row = "a " + "- " * 9 + "b"
    assert same(row, row) and not same(row, "a " + "- " * 8 + "b")
    assert same("a--" + "-\u200b" * 5 + "-b", "a--" + "-\u200b" * 5 + "-b")


TEXT = st.text(alphabet="ab1 .,-‐\n\t\u00ad\u200bﬁé\u0301“’–—\u00a0/§", max_size=40)


@settings(max_examples=300, deadline=None)
@given(TEXT, st.booleans())
def test_offsets_ascend_and_stay_inside(text: str, typographic: bool) -> None:
    normal = normalize(text, typographic)
    offsets = list(normal.offsets)
    assert len(offsets) == len(normal.skeleton) + 1
    assert offsets == sorted(offsets)
    assert all(0 <= o <= len(text) for o in offsets)
    assert [g.at for g in normal.gaps] == sorted({g.at for g in normal.gaps})
    assert all(0 <= g.start <= g.end <= len(text) and g.at <= len(normal.skeleton) for g in normal.gaps)


@settings(max_examples=300, deadline=None)
@given(TEXT, st.booleans())
def test_a_text_equals_itself_and_its_nfc(text: str, typographic: bool) -> None:
    if normalize(text, typographic).skeleton:
        assert same(text, text, typographic)
        if not any(c in text for c in IGNORED):
            assert same(text, unicodedata.normalize("NFC", text), typographic)


@settings(max_examples=300, deadline=None)
@given(TEXT, TEXT, TEXT)
def test_a_text_is_found_in_what_contains_it(before: str, text: str, after: str) -> None:
    """Between spaces: next to other letters a mark could compose with them."""
    query = normalize(text)
    if not query.skeleton:
        return
    whole = f"{before} x {text} x {after}"
    found = list(places(normalize(whole), query, 0, len(whole), Body(whole, ()).inside))
    assert any(equal(normalize(whole[p.start : p.end]), query) for p in found)


@settings(max_examples=200, deadline=None)
@given(TEXT)
def test_what_is_found_reads_as_asked(text: str) -> None:
    page = normalize(text)
    for size in (1, 3, 5):
        query = Quotation(text[:size]).normal
        for place in places(page, query, 0, len(text), Body(text, ()).inside):
            assert 0 <= place.start < place.end <= len(text)
            if place.whole:
                assert equal(normalize(text[place.start : place.end]), query)
