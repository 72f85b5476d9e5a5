"""What parts a page's blocks and names their kinds on pages of several spacings, sizes and columns."""

import pytest
from drawn_pages import Drawn, centred, element, lines, read

from ingest.mupdf import pymupdf
from ingest.settings import OcrMode, ReadSettings
from verify.domain.document import ElementKind

PLAIN = ReadSettings(ocr=OcrMode.NEVER)


SINGLE = [
    "The lessee shall keep the roof of the barn in good repair and shall clear",
    "the gutters twice a year, once before the first frost and once when all of",
    "the leaves have fallen from the limes along the drive and the yard is swept.",
    "The lessor shall keep the drive free of snow between the gate and the barn,",
    "so that a cart can pass at any hour of the day or of the night in any month.",
]


def test_a_paragraph_set_wider_than_the_page_stays_one() -> None:
    """Names set solid above, the text double-spaced below: each has a pitch of its own."""
    wide = [
        (102.0, 300.0, "This appeal is about a barn and its roof, and who should pay for what", 11.0, "tiro"),
        (72.0, 326.0, "a storm had done to both of them. The lessor holds that the lessee has kept it", 11.0, "tiro"),
        (72.0, 352.0, "in no repair.", 11.0, "tiro"),
    ]
    (page,) = read(lines(72, 100, SINGLE, pitch=13) + wide)
    assert len(page.elements) == 2
    assert page.elements[1].text.count("\n") == 2


def test_recitals_are_paragraphs_of_their_own() -> None:
    texts = [
        "WHEREAS, the lessor owns a barn at the end of the drive and the yard; and",
        "WHEREAS, the lessee wishes to keep a cart in it through the winter months;",
        "NOW, THEREFORE, the parties agree as follows, each for itself and for all of",
        "its successors:",
    ]
    (page,) = read(lines(72, 100, texts))
    assert [e.text for e in page.elements] == [texts[0], texts[1], "\n".join(texts[2:])]


def test_what_stands_between_parties_is_a_line_of_its_own_and_no_heading() -> None:
    drawn = [
        (72.0, 100.0, "ABEL BARNES,", 12.0, "tiro"),
        (160.0, 126.0, "Plaintiff,", 12.0, "tiro"),
        (120.0, 152.0, "VS.", 12.0, "tibo"),
        (72.0, 178.0, "CLARA DENE,", 12.0, "tiro"),
        (160.0, 204.0, "Defendant.", 12.0, "tiro"),
        *lines(72, 240, SINGLE, pitch=26, size=12),
    ]
    (page,) = read(drawn)
    versus = element(page, "VS.")
    assert versus.text == "VS."
    assert versus.kind is ElementKind.PARAGRAPH
    (cover,) = read([centred(200, "LEASE OF A BARN", 14, "tibo"), centred(240, "- AND -", 14, "tibo")])
    assert element(cover, "- AND").kind is ElementKind.PARAGRAPH


def test_bold_small_capitals_in_the_middle_are_a_heading() -> None:
    (page,) = read([centred(100, "COMPLAINT FOR A ROOF", 12, "tibo"), *lines(72, 140, SINGLE, 18, 15)])
    assert element(page, "COMPLAINT").kind is ElementKind.HEADING
    (letter,) = read([(72.0, 100.0, "CLARA DENE, CLERK", 12.0, "tibo"), *lines(72, 140, SINGLE, 18, 15)])
    assert element(letter, "CLARA").kind is ElementKind.PARAGRAPH


def test_small_type_is_measured_by_its_own_column() -> None:
    """A narrow note over wide text: its lines are full where they end."""
    note = [
        "This syllabus is no part of the opinion and was made",
        "by the clerk. See the rule of the court for its use.",
    ]
    (page,) = read([*lines(90, 100, note, pitch=9, size=7), *lines(72, 150, SINGLE)])
    assert page.elements[0].text == "\n".join(note)


def test_a_caption_may_be_long() -> None:
    texts = ["Figure 1. Weights of the carts that used the drive in the", *SINGLE[1:]]
    (page,) = read(lines(72, 100, texts))
    assert [e.kind for e in page.elements] == [ElementKind.CAPTION]


def test_a_heading_like_the_title_of_the_contents_ends_them() -> None:
    drawn = [
        (72.0, 100.0, "Contents", 16.0, "tibo"),
        (72.0, 124.0, "1 Roof 2", 11.0, "tiro"),
        (72.0, 140.0, "2 Gutters 3", 11.0, "tiro"),
        (72.0, 180.0, "1 Roof", 16.0, "tibo"),
        *lines(72, 204, SINGLE),
    ]
    (page,) = read(drawn)
    assert [e.kind.value for e in page.elements] == ["heading", "list_item", "list_item", "heading", "paragraph"]
    assert page.elements[-1].heading_path[-1] == "1 Roof"


def test_a_note_in_the_size_of_the_text_is_told_by_its_raised_mark() -> None:
    drawn = [
        *lines(72, 100, SINGLE),
        (72.0 + pymupdf.get_text_length(SINGLE[-1], "tiro", 11), 152.0, "2", 7.0, "tiro"),
        (72.0, 700.0, "2", 7.0, "tiro"),
        (76.0, 704.0, "All rules are those of the barn in force on the day.", 11.0, "tiro"),
    ]
    (page,) = read(drawn)
    assert page.elements[-1].kind is ElementKind.FOOTNOTE
    assert page.elements[-1].mark == "2"


LEFT = [
    "the barn in the yard by the gate",
    "is let to the lessee for a year",
    "and the drive is let with it so",
    "that a cart can pass at any hour",
    "of the day and the lessee shall",
    "keep the gutters clear of leaves",
    "and of snow, and sweep the yard",
]
RIGHT = [word.replace("the lessee", "the lessor") for word in reversed(LEFT)]


@pytest.mark.parametrize("rows", [9, 16])
def test_columns_under_a_wide_table_are_read_one_after_the_other(rows: int) -> None:
    """The table's own columns are in line with one another more often than the text's, and cross its gutter."""
    drawn: list[Drawn] = []
    for n in range(rows):
        y = 100.0 + n * 14
        drawn += [
            (72, y, f"Item {n}", 11, "tiro"),
            (240, y, "kept in the yard", 11, "tiro"),
            (480, y, f"{n}.50", 11, "tiro"),
        ]
    for n, (left, right) in enumerate(zip(LEFT, RIGHT, strict=True)):
        y = 120.0 + (rows + n) * 14
        drawn += [(72, y, left, 13, "tiro"), (300, y, right, 13, "tiro")]
    (page,) = read(drawn)
    text = "\n".join(e.text for e in page.elements)
    assert "\n".join(LEFT) in text
    assert "\n".join(RIGHT) in text


def test_a_named_page_number_tells_its_row_apart_even_on_a_page_alone() -> None:
    foot = [(72.0, 770.0, "HC-11 (10/31)", 8.0, "tiro"), (260.0, 770.0, "MINUTES", 8.0, "tibo")]
    (page,) = read([*lines(72, 100, SINGLE), *foot, (480.0, 770.0, "Page 3 of 26", 8.0, "tiro")])
    kinds = {e.text: e.kind.value for e in page.elements[1:]}
    assert kinds == {"HC-11 (10/31)": "footer", "MINUTES": "footer", "Page 3 of 26": "page_number"}
    assert page.printed_label == "3"


def test_text_beyond_the_number_keeps_its_row_in_the_text() -> None:
    """The number stands in the margin, but text goes on below it: what is beside it is no foot."""
    last = (72.0, 785.0, "and the yard is swept.", 11.0, "tiro")
    beside = (72.0, 765.0, "the gutters twice a year", 11.0, "tiro")
    (page,) = read([*lines(72, 100, SINGLE), beside, (480.0, 765.0, "Page 3", 11.0, "tiro"), last])
    assert element(page, "the gutters twice a year").kind is ElementKind.PARAGRAPH


def test_marks_that_the_file_draws_after_their_line_stand_in_it() -> None:
    """Two raised marks, drawn as a line of their own before the line that they belong to."""
    first = pymupdf.get_text_length("The roof was laid in the 24", "tiro", 11)
    drawn = [
        *lines(72, 100, SINGLE[:2]),
        (72 + first, 124.0, "th", 6.0, "tiro"),
        (72.0, 128.0, "The roof was laid in the 24", 11.0, "tiro"),
        (72 + first + 9, 128.0, "year of the lease, and the gutters were", 11.0, "tiro"),
        (72.0, 142.0, "cleared in the year after it.", 11.0, "tiro"),
    ]
    (page,) = read(drawn)
    assert [e.text.split("\n")[-1] for e in page.elements] == ["cleared in the year after it."]
    assert "24 th year" in page.text


def test_text_goes_on_behind_a_run_in_heading_of_another_size() -> None:
    bold = "FOR FURTHER INFORMATION ABOUT THE BARN AND ITS ROOF:"
    start = 72 + pymupdf.get_text_length(bold, "hebo", 8) + 4
    drawn = [(72.0, 100.0, bold, 8.0, "hebo"), (start, 100.0, "The clerk", 11.0, "tiro"), *lines(72, 114, SINGLE)]
    (page,) = read(drawn)
    assert len(page.elements) == 1


def test_a_run_in_heading_begins_a_paragraph_without_any_gap() -> None:
    start = 72 + pymupdf.get_text_length("Roof.", "tibo", 11) + 3
    ended = [*SINGLE[:2], "the leaves have fallen from the limes along the drive and the yard is swept."]
    drawn = [
        *lines(72, 100, ended),
        (72.0, 142.0, "Roof.", 11.0, "tibo"),
        (start, 142.0, "The lessor keeps it dry, and so he keeps the gutters, the", 11.0, "tiro"),
        (72.0, 156.0, "walls and the gate.", 11.0, "tiro"),
    ]
    (page,) = read(drawn)
    assert [e.text.split()[0] for e in page.elements] == ["The", "Roof."]
