"""A copy of a PDF draft with an annotation at each citation."""

from collections.abc import Iterator

from app.services.cite_check import wording
from app.services.cite_check.draft_model import Block, Piece
from app.services.cite_check.findings import CitationFound, CiteCheck, Verdict
from ingest.mupdf import pymupdf
from verify.domain.geometry import Box

_COLOURS = {Verdict.STANDS: (0.55, 0.8, 0.55), Verdict.UNCLEAR: (1, 0.9, 0.4), Verdict.CHECK_BY_EYE: (1, 0.9, 0.4)}
_RED = (1, 0.6, 0.55)


def marked_pdf(found: CiteCheck, data: bytes) -> bytes:
    """The boxes are those of the words as they were read, on the displayed page."""
    pages = {page.index: page for page in found.draft.pages}
    with pymupdf.open(stream=data, filetype="pdf") as document:
        for citation in found.citations:
            block = found.draft.blocks[citation.mention.block]
            boxes: dict[int, list[Box]] = {}
            for index, start, end in _stretches(block, citation):
                boxes.setdefault(index, []).extend(
                    w.box for w in pages[index].words if w.visible and start < w.end and w.start < end
                )
            for index, found_boxes in boxes.items():
                page = document[index]
                rects = [pymupdf.Rect(*(v / 100 for v in box)) * page.derotation_matrix for box in found_boxes]
                if rects:
                    mark = page.add_highlight_annot(quads=rects)
                    mark.set_colors(stroke=_COLOURS.get(citation.verdict, _RED))
                    mark.set_info(title="Pincite", content=wording.comment_words(citation))
                    mark.update()
        return bytes(document.tobytes(garbage=0, deflate=True))


def _stretches(block: Block, citation: CitationFound) -> Iterator[tuple[int, int, int]]:
    """(page index, start, end) in the pages' texts."""
    start, end = citation.mention.start, citation.mention.end
    for at, piece in enumerate(block.pieces):
        stop = block.pieces[at + 1].start if at + 1 < len(block.pieces) else len(block.text)
        low, high = max(start, piece.start), min(end, stop)
        if low < high:
            yield _place(piece, low, high)


def _place(piece: Piece, low: int, high: int) -> tuple[int, int, int]:
    begin = piece.offset + low - piece.start
    return piece.page_index, begin, begin + high - low
