"""Selecting, copying and finding words of a page."""

from app.viewmodels.page_text import (
    PageText,
    Spot,
    between,
    citation_for,
    find,
    line_boxes,
    quoted,
    selected_text,
    word_at,
)
from app.viewmodels.selection import Selection
from verify.domain.geometry import Box

#          0         1         2         3
#          0123456789012345678901234567890123456789
TEXT = "Either party may\nterminate this Deed.\n\nEnd"


def page(index: int = 0) -> PageText:
    """Three lines: "Either party may" at y 100, "terminate this Deed." at y 120, "End" at y 160; 10 units a letter."""
    starts, ends, boxes, lines = [], [], [], []
    at = 0
    for line, (words, y) in enumerate((("Either party may", 100), ("terminate this Deed.", 120), ("End", 160))):
        x = 0
        for word in words.split():
            start = TEXT.index(word, at)
            starts.append(start)
            ends.append(start + len(word))
            boxes.append(Box(x, y, x + 10 * len(word), y + 15))
            lines.append(line)
            x += 10 * len(word) + 10
            at = start + len(word)
    return PageText(index, "iv", TEXT, tuple(starts), tuple(ends), tuple(boxes), tuple(lines))


def test_word_under_the_pointer_and_nearest_to_it() -> None:
    assert word_at(page(), 75, 107, nearest=False) == 1  # inside "party"
    assert word_at(page(), 500, 127, nearest=False) is None
    assert word_at(page(), 500, 127, nearest=True) == 5  # beside its line: the last word of that line


def test_what_is_selected_is_the_pages_own_text() -> None:
    pages = {0: page()}
    chosen = between(pages, Spot(0, 4), Spot(0, 1))  # backwards
    assert chosen == {0: (1, 4)}
    assert selected_text(pages, chosen) == "party may\nterminate this"


def test_a_selection_over_pages_leaves_out_a_page_that_was_never_shown() -> None:
    pages = {0: page(0), 2: page(2)}
    chosen = between(pages, Spot(0, 6), Spot(2, 0))
    assert chosen == {0: (6, 6), 2: (0, 0)}
    assert selected_text(pages, chosen) == "End\n\nEither"


def test_one_box_for_each_line() -> None:
    assert line_boxes(page(), 1, 4) == (Box(70, 100, 160, 115), Box(0, 120, 140, 135))


def test_find_passes_over_case_and_line_ends() -> None:
    hits = find(page(), "MAY  terminate")
    assert hits == ((Box(130, 100, 160, 115), Box(0, 120, 90, 135)),)
    assert find(page(), "e") and len(find(page(), "e")) == TEXT.lower().count("e")
    assert find(page(), "   ") == ()
    assert find(page(), "absent") == ()


def test_find_counts_a_letter_that_folds_to_two() -> None:
    one = PageText(0, None, "Die Straße", (0, 4), (3, 10), (Box(0, 0, 30, 10), Box(40, 0, 100, 10)), (0, 0))
    assert find(one, "STRASSE") == ((Box(40, 0, 100, 10),),)


def test_a_copy_names_label_and_pdf_page() -> None:
    place = citation_for("MSA.pdf", "15", 17)
    assert place == "MSA.pdf, p. 15 (PDF page 18)"
    assert quoted("terminate\nthis", place) == "“terminate this” (MSA.pdf, p. 15 (PDF page 18))"
    assert citation_for("MSA.pdf", None, 0) == "MSA.pdf, PDF page 1"


def test_selection_asks_for_the_words_of_a_page_once() -> None:
    selection = Selection()
    assert selection.wanted(3)
    assert not selection.wanted(3)
    selection.put(page(3))
    selection.start(selection.spot(3, 5, 105, nearest=False))
    selection.extend(selection.spot(3, 75, 105, nearest=False))
    assert selection.text == "Either party"
    assert selection.label_of(3) == "iv"
    selection.forget()
    assert selection.text == ""
    assert selection.wanted(3)
