"""Where the file gives cause to read a line again, and what is made of two readings."""

import pytest
from look_pages import BASE, LEFT, SENTENCE, line, looked, seen, words

from ingest.look.disagreement import ReadWord, disagreements
from ingest.look.reading import read_again
from ingest.mupdf import pymupdf
from ingest.ocr.engine import Engine, OcrSettings
from verify.domain.look import Misread

CMAP = """/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def /CMapType 2 def
1 begincodespacerange <00> <FF> endcodespacerange {rows} endcmap end end"""


def with_content(stream: str, to_unicode: dict[str, str] | None = None) -> bytes:
    """A page with this content; /F is Helvetica, whose characters say what ``to_unicode`` has for them."""
    says = {chr(c): chr(c) for c in range(33, 127)} | (to_unicode or {})
    rows = "\n".join(f"<{ord(c):02x}> <{''.join(f'{ord(u):04x}' for u in text)}>" for c, text in says.items())
    cmap = CMAP.format(rows=f"{len(says)} beginbfchar\n{rows}\nendbfchar")
    stated_by = "/ToUnicode 6 0 R" if to_unicode is not None else ""
    first = f"BT /G 11 Tf 1 0 0 1 {LEFT} 320 Tm (The first line of this page says nothing of it.) Tj ET "
    objects = [
        "<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 400]/Contents 4 0 R/Resources<</Font<</F 5 0 R/G 7 0 R>>>>>>",
        f"<</Length {len(first + stream)}>>stream\n{first}{stream}\nendstream",
        f"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding{stated_by}>>",
        f"<</Length {len(cmap)}>>stream\n{cmap}\nendstream",
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
    ]  # fmt: skip
    out, places = "%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n"
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    end = f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}trailer<</Size {len(objects) + 1}/Root 1 0 R>>\n"
    return f"{out}{end}startxref\n{len(out)}\n%%EOF".encode("latin-1")


def shown_text(text: str) -> str:
    return f"BT /F 11 Tf 1 0 0 1 {LEFT} {400 - BASE} Tm ({text}) Tj ET"


def stated(before: str, drawn: str, said: str, after: str) -> str:
    return (
        f"BT /F 11 Tf 1 0 0 1 {LEFT} {400 - BASE} Tm ({before}) Tj /Span <</ActualText ({said})>> BDC ({drawn}) Tj EMC "
        f"({after}) Tj ET"
    )


def read(data: bytes) -> list[str]:
    page, look = looked(data)
    asked = sorted({page.words[i].line for i in look.doubtful})
    lines = [tuple(i for i, w in enumerate(page.words) if w.line == n) for n in asked]
    with pymupdf.open(stream=data, filetype="pdf") as document:
        found = read_again(page, document[0], lines, Engine(OcrSettings()), None) if lines else ()
    return [f"{words(page, tuple(range(m.first, m.end)))} -> {m.seen}" for m in found]


def test_a_number_that_the_file_states_otherwise_is_read_from_the_page() -> None:
    data = with_content(stated("The annual fee is ", "60000", "30000", " pounds for the year."))
    page, look = looked(data)
    assert "30000" in page.text
    assert words(page, look.doubtful) == "30000"
    assert read(data) == ["30000 -> 60000"]


def test_a_glyph_that_says_another_digit() -> None:
    data = with_content(shown_text("The annual fee is 68125 pounds for the year."), {"8": "3"})
    page, look = looked(data)
    assert words(page, look.doubtful) == "63125"
    assert read(data) == ["63125 -> 68125"]


def test_letters_that_say_other_letters() -> None:
    data = with_content(shown_text("Supplier W shall pay"), {"W": "H"})
    page, look = looked(data)
    assert words(page, look.doubtful) == "H"


@pytest.mark.parametrize("says", ["\u200b", " "])
def test_a_word_that_the_text_leaves_out(says: str) -> None:
    data = with_content(shown_text("The Supplier shall NOX be liable for delay."), dict.fromkeys("NOX", says))
    assert any(found.split(" -> ")[1] in ("NOX", "shall NOX") for found in read(data))


def test_honest_statements_and_hyphens_give_no_cause() -> None:
    assert looked(with_content(stated("The office", "-", "\\255", "holder pays in full.")))[1].doubtful == ()
    assert seen(lambda p: line(p, "The Buyer’s “Goods” — 1,250.00 — are his (§ 4)."))[1].doubtful == ()


def said(text: str) -> list[tuple[int, str]]:
    return list(enumerate(text.split(), 10))


@pytest.mark.parametrize(
    ("text", "other", "found"),
    [
        ("the rent is 30 pounds", "the rent is 60 pounds", [Misread(13, 14, "60")]),
        ("shall be liable", "shall not be liable", [Misread(11, 11, "not")]),
        ("the tenant may leave", "the tenant must leave", [Misread(12, 13, "must")]),
        ("this is now due", "this is not due", [Misread(12, 13, "not")]),
        ("waived by the board", "rejected by the board", [Misread(10, 11, "rejected")]),
        ("in the Office of", "in the Offlce of", []),  # a misprint
        ("30 days O/A l0 I1", "30 days 0/A 10 Il", []),  # look-alikes
        ("co-operate fully", "co operate fully", []),
        ("the rent is due", "therent isdue", []),
        ("the rent is due", "the rent", []),  # not read is not read otherwise
        ("clause (ii) applies", "clause (it) applies", []),
        ("the rent", "the . rent", []),
    ],
)  # fmt: skip
def test_a_disagreement_is_told_from_noise(text: str, other: str, found: list[Misread]) -> None:
    read_words = [ReadWord(word, 900) for word in other.split()]
    assert list(disagreements(said(text), read_words, 800)) == found
    assert list(disagreements(said(text), [w._replace(confidence=700) for w in read_words], 800)) == []


def test_readings_agree_with_what_is_printed() -> None:
    made = pymupdf.open()
    page = made.new_page(width=400, height=400)
    line(page)
    line(page, "thirty (30) days’ notice of 1,250.00 is due", y=BASE + 16)
    data = made.tobytes()
    read_page, _ = looked(data)
    lines = [tuple(range(7)), tuple(range(7, len(read_page.words)))]
    with pymupdf.open(stream=data, filetype="pdf") as document:
        assert read_again(read_page, document[0], lines, Engine(OcrSettings()), None) == ()
    assert SENTENCE.split()[0] == read_page.words[0].text
