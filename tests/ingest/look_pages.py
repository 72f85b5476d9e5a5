"""Pages made for the look's tests: one line of text, and what is drawn with it."""

from collections.abc import Callable

from ingest.look.page import look_at
from ingest.mupdf import pymupdf
from ingest.pdf.reader import PdfReader
from verify.domain.document import Page
from verify.domain.look import Look

SENTENCE = "The Supplier shall be liable for delay."
LEFT, BASE, SIZE = 72.0, 200.0, 11.0

Draw = Callable[["pymupdf.Page"], object]


def line(page: "pymupdf.Page", text: str = SENTENCE, x: float = LEFT, y: float = BASE, **how: object) -> None:
    page.insert_text((x, y), text, fontname="helv", fontsize=how.pop("fontsize", SIZE), **how)


def width(text: str, font: str = "helv") -> float:
    return float(pymupdf.get_text_length(text, font, SIZE))


def seen(*draw: Draw) -> tuple[Page, Look]:
    """A page that the functions drew one after another, as it was read, and the look at it."""
    made = pymupdf.open()
    page = made.new_page(width=400, height=400)
    for one in draw:
        one(page)
    data = made.tobytes()
    made.close()
    return looked(data)


def looked(data: bytes, index: int = 0) -> tuple[Page, Look]:
    with PdfReader(data) as reader:
        read = next(reader.pages(index, index + 1))
    with pymupdf.open(stream=data, filetype="pdf") as document:
        return read, look_at(read, document[index])


def words(page: Page, indexes: tuple[int, ...]) -> str:
    return " ".join(page.words[i].text for i in indexes)
