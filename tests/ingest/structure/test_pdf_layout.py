"""Paragraphs, headings and their path, lists, notes, columns, running heads and the numbers beside lines."""

from pathlib import Path

import pytest
from drawn_pages import Drawn, element, lines, read

from ingest.mupdf import pymupdf
from ingest.page.line_numbers import find_line_numbers
from ingest.pdf.reader import PdfReader
from ingest.settings import OcrMode, ReadSettings
from ingest.structure.numbering import follows, marker
from verify.domain.document import ElementKind, Page

PLAIN = ReadSettings(ocr=OcrMode.NEVER)


def shapes(page: Page) -> list[tuple[str, str]]:
    return [(e.kind.value, e.text) for e in page.elements]


PROSE = [
    "The lessee shall keep the roof of the barn in good repair and shall",
    "clear the gutters twice a year, once before the first frost and once",
    "after the leaves have fallen.",
]
MORE = [
    "The lessor shall keep the drive free of snow between the gate and the",
    "barn, so that a cart can pass at any hour of the day.",
]


def test_a_gap_parts_paragraphs_and_a_line_end_does_not() -> None:
    (page,) = read(lines(72, 100, PROSE) + lines(72, 100 + 3 * 14 + 10, MORE))
    assert shapes(page) == [("paragraph", "\n".join(PROSE)), ("paragraph", "\n".join(MORE))]
    assert page.text == "\n".join(PROSE) + "\n\n" + "\n".join(MORE)


def test_a_first_line_indent_parts_paragraphs_of_one_pitch() -> None:
    (page,) = read([*lines(72, 100, PROSE), (90, 142, MORE[0], 11, "tiro"), (72, 156, MORE[1], 11, "tiro")])
    assert [e.text for e in page.elements] == ["\n".join(PROSE), "\n".join(MORE)]


def test_double_spacing_is_one_paragraph() -> None:
    (page,) = read(lines(72, 100, PROSE, pitch=26))
    assert len(page.elements) == 1


def test_headings_open_a_path_and_clauses_end_it() -> None:
    body = [
        (72.0, 80.0, "LEASE OF THE BARN", 16.0, "tibo"),
        (72.0, 120.0, "7. Term", 12.0, "tibo"),
        *lines(72, 150, ["7.1 The lease begins on the first of May and it runs for three", "years from that day."]),
        *lines(72, 190, ["7.2 The lease ends at once where the lessee"]),
        *lines(90, 214, ["(a) has left the barn open for more than a night; or"]),
        *lines(90, 238, ["(b) has let the barn to another without the lessor's leave."]),
        (72.0, 280.0, "8. Rent", 12.0, "tibo"),
        *lines(72, 310, ["8.1 The rent is due on the first day of each quarter of the year."]),
    ]
    (page,) = read(body)
    assert element(page, "7. Term").kind is ElementKind.HEADING
    assert element(page, "7. Term").heading_path == ("LEASE OF THE BARN",)
    assert element(page, "7.1").heading_path == ("LEASE OF THE BARN", "7. Term", "7.1")
    assert element(page, "(b)").heading_path == ("LEASE OF THE BARN", "7. Term", "7.2(b)")
    assert element(page, "(b)").kind is ElementKind.LIST_ITEM
    assert element(page, "(b)").mark == "(b)"
    assert element(page, "8.1").heading_path == ("LEASE OF THE BARN", "8. Rent", "8.1")


def test_the_path_goes_on_over_a_page_break() -> None:
    first, second = read(
        [(72, 80, "4. Repairs", 13, "tibo"), *lines(72, 110, PROSE[:2])],
        lines(72, 80, [PROSE[2]]),
    )
    assert second.elements[0].heading_path == ("4. Repairs",)
    assert first.elements[1].heading_path == ("4. Repairs",)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("7.2 Notice", "7.2"),
        ("(iv) any sum", "(iv)"),
        ("Article IV Term", "Article IV"),
        ("§ 12 Fees", "§ 12"),
        ("• a bullet", "•"),
        ("12. Fees", "12."),
        ("v. Herrmann", None),
        ("The lessee", None),
        ("1860 was dry", None),
        ("3.5 per cent", "3.5"),
        ("A. Parties", "A."),
        ("(b). Premises", "(b)."),
        ("iii. a gate", "iii."),
        ("ii) a gate", "ii)"),
        ("- and -", None),
        ("- a dash", "-"),
        ("Section 4.4 of the Lease", None),
        ("Schedule 2 to the Lease", "Schedule 2"),
    ],
)
def test_what_a_line_begins_with(text: str, found: str | None) -> None:
    mark = marker(text)
    assert (mark.text if mark else None) == found


def test_marks_that_go_on() -> None:
    def goes_on(one: str, two: str) -> bool:
        first, second = marker(one + " x"), marker(two + " x")
        assert first is not None and second is not None
        return follows(first, second)

    assert goes_on("(a)", "(b)")
    assert goes_on("(iii)", "(iv)")
    assert goes_on("2.", "3.")
    assert not goes_on("(a)", "(c)")
    assert goes_on("7.2", "7.3")
    assert not goes_on("7.2", "8.3")
    assert goes_on("Article IV", "Article V")


def test_a_footnote_is_tied_to_its_mark_and_kept_out_of_the_running_text() -> None:
    last, mark = (72.0, 128.0, "after the leaves have fallen.", 11.0, "tiro"), (192.9, 124.0, "3", 6.0, "tiro")
    foot = [(72.0, 700.0, "3", 6.0, "tiro"), (76.0, 703.0, "The lessee may ask a neighbour to do it.", 8.0, "tiro")]
    (page,) = read([*lines(72, 100, PROSE[:2]), last, mark, *foot])
    note = page.elements[-1]
    assert (note.kind, note.mark) == (ElementKind.FOOTNOTE, "3")
    raised = next(word for word in page.words if word.text == "3")
    assert page.text[raised.start - 7 : raised.end] == "fallen.3"  # a word of its own that touches the one before


def test_two_columns_drawn_line_by_line_are_read_column_by_column() -> None:
    left = [
        "The north quay is kept for boats that",
        "carry fish, and no other boat may lie",
        "there between four and nine in the",
        "morning of any day but a Sunday, on",
        "which the quay is shut to all boats.",
    ]
    right = [
        "The west quay is kept for boats that",
        "carry stone, and the crane there lifts",
        "no more than four tonnes at a time,",
        "unless the harbour master has given",
        "leave in writing on the day before.",
    ]
    drawn = [piece for a, b in zip(lines(60, 100, left), lines(320, 100, right), strict=True) for piece in (a, b)]
    (page,) = read(drawn)
    assert page.text.replace("\n", " ").startswith(" ".join(left))
    assert " ".join(right) in page.text.replace("\n", " ")
    assert [w.code.value for w in page.warnings] == ["reading_order_uncertain"]


def test_running_heads_are_learned_from_neighbours() -> None:
    pages = read(
        *[
            [
                (72, 50, "Lease of the Barn, draft 3", 9, "tiro"),
                *lines(72, 120, [f"Clause {word} says what the barn is for."]),
            ]
            for word in ("one", "two", "three")
        ]
    )
    assert [e.kind for e in pages[1].elements] == [ElementKind.HEADER, ElementKind.PARAGRAPH]


def test_entries_of_a_table_of_contents_are_no_headings() -> None:
    (page,) = read(
        [
            (72, 80, "CONTENTS", 14, "tibo"),
            *lines(
                72,
                110,
                ["1. Term ................ 3", "2. Rent ................ 4", "3. Repairs ............. 9"],
                pitch=18,
            ),
        ]
    )
    assert [e.kind for e in page.elements] == [ElementKind.HEADING, *[ElementKind.LIST_ITEM] * 3]


def transcript() -> list[Page]:
    answers = [
        "Q. Did you see the cart that night?",
        "A. I saw a cart, but I could not say",
        "whose it was. It stood by the barn",
        "with its lamp out, and nobody near.",
        "Q. At what hour was that?",
        "A. It had just struck eleven.",
        "Q. You are sure of the hour?",
        "A. The church clock is next to us.",
        "MR. VALE: No further questions.",
        "THE COURT: You may step down.",
    ]
    numbers = [(60.0, 100.0 + 24 * i, str(i + 1), 11.0, "tiro") for i in range(10)]
    texts = [(110.0, 100.0 + 24 * i, text, 11.0, "tiro") for i, text in enumerate(answers)]
    return read([piece for pair in zip(numbers, texts, strict=True) for piece in pair])


def test_line_numbers_are_kept_out_of_the_text_and_recorded() -> None:
    (page,) = transcript()
    assert page.text.startswith("Q. Did you see the cart that night?")
    assert "2" not in page.text
    assert [line.number for line in page.lines] == list(range(1, 11))


def test_numbers_in_a_table_are_no_line_numbers() -> None:
    assert find_line_numbers([], 60000).words == frozenset()


def test_line_numbers_of_real_pleading_paper(shared: Path) -> None:
    with PdfReader(
        shared / "corpus" / "court_opinions" / "pdfplumber__scotus-transcript-p1.pdf", settings=PLAIN
    ) as reader:
        (page,) = reader.pages()
    numbers = [line.number for line in page.lines if line.number]
    assert set(numbers) >= {1, 6, 12, 13, 14, 15, 16, 19}
    text = element(page, "The above-entitled")
    running = [line.number for line in page.lines[text.first_line :] if line.number]
    assert running == list(range(12, 20))  # above, the sides of the caption are read one after the other
    assert element(page, "The above-entitled").text.endswith("at 1:01 p.m.")


ARABIC_TITLE = "تحسين الإنتاجية وحل المشكلات من خلال البرمجة بلغة R و Python"
ORDER = {
    "multicolumn/olmocr__multi_column_miss.pdf": (
        "smokers currently dying from tobacco",
        "and the industry unblinkingly",
    ),
    "multicolumn/pdfminer.six__naacl06-shinyama.pdf": ("We are trying to extend the boundary of", "1 Background"),
    "unicode_ligature_rtl/docling__right_to_left_01.pdf": (ARABIC_TITLE, "بلغة R و Python من الأدوات القوية"),
}


@pytest.mark.parametrize("name", sorted(ORDER))
def test_reading_order_of_the_corpus(name: str, shared: Path) -> None:
    first, then = ORDER[name]
    with PdfReader(shared / "corpus" / name, settings=PLAIN) as reader:
        text = next(reader.pages()).text.replace("\n", " ")
    assert 0 <= text.find(first) < text.find(then)


def test_parties_above_their_signatures_head_nothing() -> None:
    signed: list[Drawn] = [
        (72, 80, "3. TERM", 11, "tibo"),
        (72, 100, "This lease ends when the barn is sold.", 11, "tiro"),
        (72, 150, "ORCHARD HOLDINGS LLC", 11, "tibo"),
        (72, 175, "By: ______________________", 11, "tiro"),
        (72, 200, "Name: Ada Quill", 11, "tiro"),
        (72, 225, "[Remainder of page left blank]", 11, "tibo"),
        (72, 275, "EXHIBIT A", 11, "tibo"),
        (72, 300, "Name: the barn at Quillmere is called the North Barn.", 11, "tiro"),
    ]
    page = read(signed)[0]
    assert [e.text for e in page.elements if e.kind is ElementKind.HEADING] == ["3. TERM", "EXHIBIT A"]
    assert element(page, "ORCHARD").kind is ElementKind.PARAGRAPH
    assert element(page, "ORCHARD").heading_path == ("3. TERM",)


def test_a_lone_number_at_the_end_of_a_page_heads_nothing() -> None:
    foot = (72 + pymupdf.get_text_length(PROSE[0], "tiro", 11) / 2, 400, "3", 11, "tiro")
    page = read([*lines(72, 80, PROSE), foot])[0]
    assert element(page, "3").kind in (ElementKind.PARAGRAPH, ElementKind.PAGE_NUMBER)
    page = read([*lines(72, 80, PROSE), foot, *lines(72, 430, MORE)])[0]
    assert element(page, "3").kind is ElementKind.HEADING
