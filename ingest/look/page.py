"""The look at one page: everything that its own rendering says about its text, without any recognition."""

from ingest.look.doubts import doubtful_words
from ingest.look.layers import draw_layers
from ingest.look.own import carets, drawn_by
from ingest.look.strokes import strokes_on
from ingest.look.words import unseen_words
from ingest.mupdf import pymupdf
from verify.domain.document import Page
from verify.domain.look import Drawn, Look


def look_at(page: Page, shown: "pymupdf.Page") -> Look:
    """``shown`` is the same page, open. Raises what MuPDF raises for a page that it cannot draw."""
    layers, notes = draw_layers(shown)
    strokes = strokes_on(page, layers)
    objects = set(strokes.objects)
    drawn: tuple[Drawn, ...] = ()
    if notes is not None:
        objects |= set(carets(page, shown))
        drawn = tuple(drawn_by(page, shown, layers, notes))
    doubtful = doubtful_words(page, shown, layers) | set(strokes.unsaid)
    return Look(
        tuple(unseen_words(page, layers)),
        strokes.struck,
        tuple(sorted(objects)),
        doubtful=tuple(sorted(doubtful)),
        drawn=drawn,
    )
