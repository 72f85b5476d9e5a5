"""The shared vocabulary: canonical JSON, geometry, and pages as bytes and back."""

import hashlib
import zlib
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from verify_pages import Block, make_page, para, table_block, with_table

from verify.domain.canonical import canonical_json, fingerprint_file, sha256_of
from verify.domain.codec import decode_page, encode_page, page_json
from verify.domain.document import (
    ElementKind,
    Origin,
    SourceWarning,
    Statement,
    StatementKind,
    WarningCode,
    pages_without_text,
)
from verify.domain.geometry import Box, to_units, union
from verify.domain.ids import ElementId, Fingerprint, PassageId, SourceId, is_fingerprint
from verify.domain.passage import Passage, PassagePart
from verify.domain.progress import Progress


def test_canonical_json_is_sorted_tight_and_without_floats() -> None:
    assert canonical_json({"b": [1, "é"], "a": None}) == '{"a":null,"b":[1,"é"]}'.encode()
    for bad in ({"a": 1.0}, [[1.5]], ({"a": (0.1,)},)):
        with pytest.raises(TypeError):
            canonical_json(bad)


def test_fingerprints(tmp_path: Path) -> None:
    file = tmp_path / "deed"
    file.write_bytes(b"rent")
    assert fingerprint_file(file) == sha256_of(b"rent") == "sha256:" + hashlib.sha256(b"rent").hexdigest()
    assert is_fingerprint(sha256_of(b"")) and not is_fingerprint(sha256_of(b"").upper())


def test_boxes() -> None:
    box = Box(0, 0, 100, 50)
    assert box.has_area and not Box(5, 5, 5, 9).has_area
    assert box.within(100, 50) and not box.within(99, 50) and not Box(-1, 0, 5, 5).within(9, 9)
    assert box.holds_centre_of(Box(90, 0, 110, 50)) and not box.holds_centre_of(Box(91, 0, 111, 50))
    assert box.holds_centre_of(Box(190, 0, 210, 50), tolerance=100)
    assert box.overlaps(Box(99, 49, 200, 200)) and not box.overlaps(Box(100, 0, 200, 50))
    assert union([box, Box(5, 5, 200, 10)]) == Box(0, 0, 200, 50)


@pytest.mark.parametrize(("points", "units"), [(0.125, 13), (-0.125, -13), (0.375, 38), (72.0, 7200), (0.0, 0)])
def test_coordinates_round_half_away_from_zero(points: float, units: int) -> None:
    assert to_units(points) == units


def test_a_coordinate_that_is_not_finite_is_refused() -> None:
    for bad in (float("nan"), float("inf")):
        with pytest.raises(ValueError, match="finite"):
            to_units(bad)


HEADERS, ROWS = [["Item", "2025"]], [["Wall", "5"]]
FULL = with_table(
    make_page(3, para("Seen words", hidden="not seen", origin=Origin.OCR, confidence=700, spans=[(0, 4, "struck")]),
              "Native text\nhere.",
              table_block(HEADERS, ROWS), Block("A note", ElementKind.ANNOTATION), label="iv", bates="AB 1"),
    2, HEADERS, ROWS, statements=[Statement(StatementKind.TITLE, "In EUR", Box(1, 1, 2, 2), "1")], unit="EUR",
    scale=1000, continued_from="p2-t0",
)  # fmt: skip
FULL = replace(FULL, warnings=(SourceWarning(WarningCode.HIDDEN_TEXT, 3, "text that is not seen"),))


def test_a_page_comes_back_from_its_bytes() -> None:
    assert decode_page(encode_page(FULL)) == FULL
    empty = make_page(0)
    assert decode_page(encode_page(empty)) == empty
    assert decode_page(zlib.compress(page_json(FULL))) == FULL


def test_moved_boxes_change_the_bytes() -> None:
    word = FULL.words[0]
    moved = replace(FULL, words=(word._replace(box=word.box._replace(x0=word.box.x0 + 1)), *FULL.words[1:]))
    assert page_json(moved) != page_json(FULL)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.text(alphabet="abé1ﬁ\u00ad", min_size=1, max_size=8), min_size=1, max_size=12), st.booleans())
def test_every_page_comes_back(words: list[str], own: bool) -> None:
    page = make_page(0, "start", Block(" ".join(words), ElementKind.FORM_FIELD if own else ElementKind.PARAGRAPH))
    assert decode_page(encode_page(page)) == page


def test_a_passage_spans_its_parts() -> None:
    parts = tuple(PassagePart(i, ElementId(f"p{i}-e0"), 0, 0, 3) for i in (2, 3))
    passage = Passage(PassageId("x"), SourceId("deed"), Fingerprint(sha256_of(b"")), 0, "Deed", (), "abc\n\nabc", parts)
    assert (passage.page_index, passage.end_page_index) == (2, 3)
    assert Progress("read", 1, None, "pages").source_id is None


def test_a_page_that_was_not_read_is_counted_once() -> None:
    said = [
        SourceWarning(WarningCode.NO_TEXT, 2, ""), SourceWarning(WarningCode.PAGE_FAILED, 2, ""),
        SourceWarning(WarningCode.GARBLED_TEXT, 4, ""), SourceWarning(WarningCode.NO_TEXT, None, ""),
        SourceWarning(WarningCode.OCR_USED, 5, ""),
    ]  # fmt: skip
    assert pages_without_text(said) == 2
