"""What a worker does with a look: holds the document open from one page to the next, renders, reads lines again."""

from ingest.look.page import look_at
from ingest.look.reading import read_again
from ingest.mupdf import pymupdf
from ingest.ocr.engine import Engine, OcrFailed, OcrSettings, OcrUnavailable, prepare
from ingest.worker.job import Line, LookJob
from verify.domain.codec import decode_page


class Looking:
    """One document at a time."""

    def __init__(self) -> None:
        self._document: pymupdf.Document | None = None

    def serve(self, job: LookJob, line: Line) -> None:
        """Says "look" or "read" with the facts; raises what ``worker.main`` turns into a failure."""
        if job.pdf is not None:
            self._document = pymupdf.open(stream=job.pdf, filetype="pdf")
            if self._document.needs_pass:
                self._document.authenticate(job.password or "")
        if self._document is None:
            raise ValueError("no document is open")
        page = decode_page(job.page)
        shown = self._document[page.index]
        if not job.lines:
            line.send("look", look=look_at(page, shown).to_json())
            return
        try:
            settings, _ = prepare(OcrSettings(languages=job.languages))
            found = read_again(page, shown, job.lines, Engine(settings), None)
        except (OcrUnavailable, OcrFailed):
            line.send("read", misread=None)
            return
        line.send("read", misread=[list(row) for row in found])
