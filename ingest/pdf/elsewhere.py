"""Text of a page that no rendering shows: beyond its edges, and in layers that are switched off.

MuPDF leaves text of a switched-off layer out of everything; a second, throw-away handle without /OCProperties shows it.
"""

from pathlib import Path
from typing import Any

from ingest.mupdf import mupdf, pymupdf
from ingest.page.raw import RawWord
from ingest.page.words import TEXT_FLAGS
from verify.domain.document import NO_CONFIDENCE, Origin, SourceWarning, WarningCode
from verify.domain.geometry import UNITS_PER_POINT, Box

_ALL_FLAGS: int = TEXT_FLAGS & ~pymupdf.TEXT_MEDIABOX_CLIP


class Elsewhere:
    """Looks beyond what a page shows. ``close`` ends the second handle."""

    def __init__(self, document: "pymupdf.Document", source: Path | bytes, password: str | None) -> None:
        self._document = document
        self._unlayered: pymupdf.Document | None = None
        catalog = document.pdf_catalog()
        if document.xref_get_key(catalog, "OCProperties")[0] != "null":
            self._unlayered = _without_layers(source, password)

    def close(self) -> None:
        if self._unlayered is not None:
            self._unlayered.close()

    def find(
        self, number: int, contents: Any, shown: list[RawWord], width: int, height: int
    ) -> tuple[list[RawWord], ...]:
        """Words beyond the page's edges, and words of hidden layers, in content order. ``contents`` is the display list
        of page ``number``."""
        beyond = _words_beyond(_unclipped(contents), width, height)
        if self._unlayered is None:
            return beyond, []
        displaylist = self._unlayered[number].get_displaylist(annots=0)
        known = {_key(word) for word in shown}
        layered = pymupdf.TextPage(displaylist.get_textpage(TEXT_FLAGS)).extractWORDS()
        return beyond, [w for w in map(_word, layered) if _key(w) not in known and not _is_beyond(w.box, width, height)]


def elsewhere_warnings(beyond: list[RawWord], layered: list[RawWord], index: int) -> list[SourceWarning]:
    out = []
    if beyond:
        detail = f"{len(beyond)} words lie beyond the page's edges"
        out.append(SourceWarning(WarningCode.OFF_PAGE_TEXT, index, detail))
    if layered:
        detail = f"{len(layered)} words lie in a layer that is switched off"
        out.append(SourceWarning(WarningCode.HIDDEN_TEXT, index, detail))
    return out


def _unclipped(displaylist: Any) -> Any:
    """The text page of a display list without any clip, in displayed coordinates. To run the list again costs a third
    of what running the page does; ``Page.get_textpage`` with an infinite clip gives a rotated page's words unrotated
    (PyMuPDF 2.0)."""
    options = mupdf.FzStextOptions()
    options.flags = _ALL_FLAGS
    everywhere = mupdf.FzRect(mupdf.FzRect.Fixed_INFINITE)
    textpage = mupdf.FzStextPage(everywhere)
    device = mupdf.fz_new_stext_device(textpage, options)
    mupdf.fz_run_display_list(displaylist.this, device, mupdf.FzMatrix(), everywhere, mupdf.FzCookie())
    mupdf.fz_close_device(device)
    return pymupdf.TextPage(textpage)


def _without_layers(source: Path | bytes, password: str | None) -> "pymupdf.Document | None":
    document = pymupdf.open(source) if isinstance(source, Path) else pymupdf.open(stream=source, filetype="pdf")
    try:
        if document.needs_pass:
            document.authenticate(password or "")
        document.xref_set_key(document.pdf_catalog(), "OCProperties", "null")
    except Exception:  # MuPDF raises several unrelated classes for a damaged object
        document.close()
        return None
    return document


def _words_beyond(textpage: Any, width: int, height: int) -> list[RawWord]:
    """Blocks are asked first: most pages have nothing out there, and to list their words would cost as much again."""
    right, bottom = width / UNITS_PER_POINT, height / UNITS_PER_POINT
    block, found = textpage.this.m_internal.first_block, False
    while block and not found:
        box = block.bbox
        found = block.type == 0 and (box.x0 < 0 or box.y0 < 0 or box.x1 > right or box.y1 > bottom)
        block = block.next
    if not found:
        return []
    return [word for word in map(_word, textpage.extractWORDS()) if _is_beyond(word.box, width, height)]


def _word(raw: tuple[Any, ...]) -> RawWord:
    x0, y0, x1, y1 = (round(max(-1e7, min(1e7, edge)) * 100) for edge in raw[:4])
    return RawWord(raw[4], Box(x0, y0, x1, y1), y1, y1 - y0, False, Origin.NATIVE, NO_CONFIDENCE, False)


def _is_beyond(box: Box, width: int, height: int) -> bool:
    return box.x1 <= 0 or box.y1 <= 0 or box.x0 >= width or box.y0 >= height


def _key(word: RawWord) -> tuple[str, int, int]:
    return word.text, word.box.x0 // 100, word.box.y0 // 100
