"""Passages map back to the page, end where clauses end, and lose nothing."""

from collections.abc import Iterator
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.mupdf import pymupdf
from ingest.pdf.reader import PdfReader
from ingest.settings import OcrMode, ReadSettings
from ingest.structure.passages import LIMIT, cut_passages
from verify.domain.document import FURNITURE, OWN_TEXT, Element, ElementKind, LabelOrigin, Page, TextSource
from verify.domain.geometry import Box
from verify.domain.ids import ElementId, Fingerprint, SourceId
from verify.domain.passage import Passage, PassageKind

BOX = Box(0, 0, 100, 100)
Row = tuple[ElementKind, str, tuple[str, ...]]


def page(index: int, rows: list[Row]) -> Page:
    elements, at = [], 0
    for n, (kind, text, path) in enumerate(rows):
        elements.append(
            Element(
                ElementId(f"p{index}-e{n}"),
                kind,
                BOX,
                text,
                at,
                at + len(text),
                0,
                0,
                0,
                0,
                TextSource.NATIVE,
                None,
                path,
            )
        )
        at += len(text) + 2
    text = "\n\n".join(row[1] for row in rows)
    return Page(
        index, None, LabelOrigin.NONE, None, None, 100, 100, 0, TextSource.NATIVE, None, text, (), (), tuple(elements)
    )


def cut(*pages: Page) -> list[Passage]:
    return list(cut_passages(iter(pages), SourceId("s"), Fingerprint("f"), "Lease"))


def check_map(passages: list[Passage], pages: list[Page]) -> None:
    for passage in passages:
        for part in passage.parts:
            length = part.end - part.start
            assert passage.text[part.at : part.at + length] == pages[part.page_index].text[part.start : part.end]
        assert "\n\n".join(pages[p.page_index].text[p.start : p.end] for p in passage.parts) == passage.text


P, H, F, T, N = (
    ElementKind.PARAGRAPH,
    ElementKind.HEADING,
    ElementKind.FOOTER,
    ElementKind.TABLE,
    ElementKind.FOOTNOTE,
)
LONG = "The lessee shall keep the barn dry and sound in every season of the year, and shall say so. " * 6


def test_clauses_of_one_section_share_a_passage_and_sections_do_not() -> None:
    pages = [
        page(
            0,
            [
                (H, "1. Term", ()),
                (P, "1.1 One year.", ("1. Term", "1.1")),
                (P, "1.2 From May.", ("1. Term", "1.2")),
                (H, "2. Rent", ()),
                (P, "2.1 Ten a month.", ("2. Rent", "2.1")),
            ],
        )
    ]
    passages = cut(*pages)
    assert [p.text for p in passages] == ["1. Term\n\n1.1 One year.\n\n1.2 From May.", "2. Rent\n\n2.1 Ten a month."]
    assert [p.heading_path for p in passages] == [("1. Term", "1.1"), ("2. Rent", "2.1")]
    assert [(p.ordinal, p.title, p.passage_id[:4]) for p in passages] == [(0, "Lease", "s:0:"), (1, "Lease", "s:1:")]
    check_map(passages, pages)


def test_a_clause_over_a_page_break_is_one_passage_without_the_furniture() -> None:
    pages = [
        page(0, [(P, "1.1 The lessee shall keep the roof in good", ("1.1",)), (F, "12", ())]),
        page(1, [(F, "Lease of the barn", ()), (P, "repair and the gutters clear.", ("1.1",))]),
    ]
    passage, margin = cut(*pages)
    assert passage.text == "1.1 The lessee shall keep the roof in good\n\nrepair and the gutters clear."
    assert (passage.page_index, passage.end_page_index) == (0, 1)
    assert (margin.kind, margin.text, margin.page_index) == (PassageKind.FOOTER, "Lease of the barn", 1)
    check_map([passage], pages)


def test_what_a_margin_says_on_many_pages_is_one_passage() -> None:
    head = ElementKind.HEADER
    pages = [
        page(
            n,
            [(P, f"Load {n}.", ()), (head, f"ACCOUNT No. 33{n}", ()), (F, f"Late payment: 2%. Page {n + 1} of 9", ())],
        )
        for n in range(3)
    ]
    margins = [(p.kind, p.text, p.page_index) for p in cut(*pages) if p.kind is not PassageKind.TEXT]
    assert margins == [
        (PassageKind.HEADER, "ACCOUNT No. 330", 0),
        (PassageKind.FOOTER, "Late payment: 2%. Page 1 of 9", 0),
        (PassageKind.HEADER, "ACCOUNT No. 331", 1),
        (PassageKind.HEADER, "ACCOUNT No. 332", 2),
    ]


def test_a_long_element_is_cut_between_sentences() -> None:
    pages = [page(0, [(P, (LONG * 4).strip(), ())])]
    passages = cut(*pages)
    assert len(passages) > 1
    assert all(p.text.endswith("say so.") and len(p.text) <= LIMIT for p in passages)
    check_map(passages, pages)


def test_a_table_is_cut_between_rows_and_its_header_comes_along() -> None:
    rows = [f"Quay {n} 1,2{n:02} 3,4{n:02} kept for boats that carry fish and nothing else at all" for n in range(60)]
    text = "\n".join(["Berth Calls Nights Use of the berth", *rows])
    pages = [page(0, [(T, text, ())])]
    passages = cut(*pages)
    assert len(passages) > 2
    assert all(p.text.startswith("Berth Calls Nights Use of the berth\n") for p in passages)
    assert all(
        line == "Berth Calls Nights Use of the berth" or line in rows
        for p in passages
        for line in p.text.split("\n")
        if line
    )
    check_map(passages, pages)


def test_footnotes_come_after_the_text_of_their_page() -> None:
    pages = [page(0, [(P, "The rent is due.", ("1",)), (N, "1 In coin.", ("1",)), (P, "It is small.", ("1",))])]
    assert [(p.kind, p.text) for p in cut(*pages)] == [
        (PassageKind.TEXT, "The rent is due.\n\nIt is small."),
        (PassageKind.FOOTNOTE, "1 In coin."),
    ]


WORDS = st.sampled_from(["The", "barn", "stands.", "No", "cart", "may", "pass;", "gate", "shut.", "Art.", "7.2"])
TEXTS = st.lists(WORDS, min_size=1, max_size=420).map(" ".join)
ROWS = st.lists(
    st.tuples(st.sampled_from([P, H, F, N, ElementKind.LIST_ITEM]), TEXTS, st.sampled_from([(), ("1",), ("2",)])),
    max_size=6,
)


@settings(max_examples=60, deadline=None)
@given(st.lists(ROWS, min_size=1, max_size=3))
def test_every_word_stands_in_exactly_one_passage(pages_rows: list[list[Row]]) -> None:
    pages = [page(i, rows) for i, rows in enumerate(pages_rows)]
    passages = cut(*pages)
    check_map(passages, pages)
    seen = [(part.page_index, at) for p in passages for part in p.parts for at in range(part.start, part.end)]
    assert len(seen) == len(set(seen))
    wanted = [
        (q.index, at)
        for q in pages
        for e in q.elements
        if e.start is not None and (e.kind is N or e.kind not in FURNITURE) and e.kind not in OWN_TEXT
        for at in range(e.start, e.start + len(e.text))
        if not q.text[at].isspace()
    ]
    assert set(wanted) <= set(seen)
    assert all(len(p.text) <= LIMIT + 200 for p in passages)
    assert [p.ordinal for p in passages] == list(range(len(passages)))


def test_pages_are_asked_for_one_after_another() -> None:
    asked: list[int] = []

    def stream() -> Iterator[Page]:
        for i in range(50):
            asked.append(i)
            yield page(i, [(P, LONG, ())])

    passages = cut_passages(stream(), SourceId("s"), Fingerprint("f"), "t")
    next(passages)
    assert len(asked) < 6


def test_passages_of_a_real_contract_map_back(shared: Path) -> None:
    file = shared / "corpus" / "contracts" / "onyx__EE_Contributor_IP_Assignment_Agreement.pdf"
    with PdfReader(file, settings=ReadSettings(ocr=OcrMode.NEVER)) as reader:
        pages = list(reader.pages())
    passages = cut(*pages)
    check_map(passages, pages)
    assert all(len(p.text) <= LIMIT for p in passages)
    assert pymupdf.open(file).page_count == len(pages)
