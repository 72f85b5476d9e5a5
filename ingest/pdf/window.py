"""One window of PDF pages at a time: from the file to lines of words that are known to be visible, or recognised."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from ingest.furniture.bates import bates_number, is_court_stamp
from ingest.mupdf import pymupdf
from ingest.page.annotations import Own, has_annotations, read_own
from ingest.page.captions import with_captions
from ingest.page.decoding import SOME_PICTURE, is_garbled, needs_recognition, picture_share
from ingest.page.drawn import FontHeights
from ingest.page.form_labels import with_labels
from ingest.page.line_numbers import find_line_numbers
from ingest.page.lines import visual_lines
from ingest.page.mending import with_mended_words
from ingest.page.raw import RawPage, RawWord
from ingest.page.seen import OwnText, Sheet
from ingest.page.sideways import turned_to_read
from ingest.page.struck import struck_words, with_struck
from ingest.page.visibility import Paint, Seen, hidden_words, read_paint, see, without_blank_signs
from ingest.page.words import TEXT_FLAGS, PageWords, TypeLine, drop_doubles, keep_words, read_words, recognised_lines
from ingest.pdf.elsewhere import Elsewhere, elsewhere_warnings
from ingest.settings import OcrMode, ReadSettings
from verify.domain.document import ElementKind, Origin, SourceWarning, WarningCode
from verify.domain.geometry import Box, to_units

if TYPE_CHECKING:
    from ingest.ocr.access import OcrAccess
    from ingest.ocr.engine import OcrSettings
    from ingest.ocr.pages import OcrOutcome, PageImage

_PAINT: int = pymupdf.TEXT_COLLECT_VECTORS | pymupdf.TEXT_PRESERVE_IMAGES
_DRAWN_FLAGS: int = TEXT_FLAGS & ~pymupdf.TEXT_PRESERVE_LIGATURES
"""For a rendition: that its font draws "fi" as one glyph is nothing that the original says."""

NOT_RECOGNISED = "the page is a picture and was not recognised"
"""Detail of ``no_text`` where recognition was due and did not take place; a page that is empty has another."""
_FEW_WORDS = 60


class SheetReader:
    """Reads pages of an open document. A second handle without optional content shows what layers hide."""

    def __init__(
        self,
        document: "pymupdf.Document",
        source: Path | bytes,
        password: str | None,
        settings: ReadSettings,
        ocr: "OcrAccess | None",
        announce: Callable[[int], None],
        drawn_here: bool = False,
    ) -> None:
        """``drawn_here``: a rendition of text, whose characters are known to be what it shows."""
        self._announce = announce
        self._drawn = drawn_here
        self._flags = _DRAWN_FLAGS if drawn_here else TEXT_FLAGS
        self._document = document
        self._settings = settings
        self._ocr = ocr
        self._fonts = FontHeights(len(document))
        self._elsewhere = Elsewhere(document, source, password) if settings.checks else None

    def __enter__(self) -> "SheetReader":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._elsewhere is not None:
            self._elsewhere.close()

    def read(self, indexes: Sequence[int], failing: frozenset[int]) -> list[Sheet]:
        """One sheet a page. Those that must be recognised are rendered and recognised together."""
        sheets = [self._try(index, failing) for index in indexes]
        wanted = [(sheet, region) for sheet, needs in sheets for region in ((None,) if needs else sheet.written)]
        if wanted:
            self._recognise(wanted)
        return [sheet for sheet, _ in sheets]

    def _try(self, index: int, failing: frozenset[int]) -> tuple[Sheet, bool]:
        self._announce(index)
        if index in failing:
            return _failed(index, "it ended the reader before"), False
        try:
            return self._read(index)
        except MemoryError:
            raise
        except Exception as error:
            return _failed(index, type(error).__name__), False

    def _read(self, index: int) -> tuple[Sheet, bool]:
        page = self._document.load_page(index)
        shown = page.rect
        width, height = to_units(shown.width), to_units(shown.height)
        displaylist = page.get_displaylist(annots=0)
        textpage = pymupdf.TextPage(displaylist.get_textpage(self._flags | _PAINT))
        paint = read_paint(textpage, width, height)
        if paint.pictures or paint.horizontals or paint.fills:  # pictures are slow to unpack, paths part words
            textpage = pymupdf.TextPage(displaylist.get_textpage(self._flags))
        words = drop_doubles(read_words(textpage, width, height, self._fonts, inked=self._drawn))
        words = without_blank_signs(page, words)
        read = read_own(page, width, height) if has_annotations(page) else Own([], [], [], True, [])
        own = with_labels(read.texts, read.fields, words.words)
        seen = see(page, words, paint, read.covers, index, self._settings.checks)
        warnings = [*seen.warnings, *_own_warnings(own, index, read.whole)]
        needs = not self._drawn and self._needs(words, seen, paint, width * height)
        hidden = hidden_words(words, seen)
        if self._elsewhere is not None:
            beyond, layered = self._elsewhere.find(index, displaylist, words.words, width, height)
            warnings += elsewhere_warnings(beyond, layered, index)
            hidden += [(word, -1) for word in (*beyond, *layered)]
        words = _with_origins(words, seen.origins)
        struck = frozenset() if self._drawn else struck_words(words, paint.horizontals, read.strikes)
        if struck:
            words = with_struck(words, struck)
            detail = f"{len(struck)} words on this page are struck through"
            warnings.append(_warn(WarningCode.HAS_STRUCK_TEXT, index, detail))
        if not all(seen.visible):
            words = keep_words(words, seen.visible)
        garbled = not self._drawn and is_garbled(words.words, words.unmapped)
        raw = RawPage(
            index, width, height, page.rotation, tuple(words.words), paint.horizontals, paint.verticals, paint.pictures
        )
        sheet = Sheet(raw, [], hidden, own, warnings, None, garbled, typed=words.lines, frame=(width, height))
        if garbled:
            warnings.append(_warn(WarningCode.GARBLED_TEXT, index, "the characters are not those that the page shows"))
        _set_lines(sheet, raw.words, words.lines)
        recognise = (needs or garbled) and self._ocr is not None and self._settings.ocr is not OcrMode.NEVER
        if needs and not recognise:
            warnings.append(_warn(WarningCode.NO_TEXT, index, NOT_RECOGNISED))
        elif not raw.words and not recognise:
            warnings.append(_warn(WarningCode.NO_TEXT, index, "the page has no text"))
        if not needs and not garbled and paint.pictures and self._settings.checks:
            self._look_at_pictures(sheet, displaylist)
        if not recognise and not sheet.written:
            _turn(sheet, words.lines)
        return sheet, recognise

    def _look_at_pictures(self, sheet: Sheet, displaylist: "pymupdf.DisplayList") -> None:
        from ingest.ocr.written_pictures import unread_picture, written_pictures

        raw = sheet.raw
        sheet.written = written_pictures(displaylist, raw.words, raw.pictures, raw.width * raw.height)
        if sheet.written and (self._ocr is None or self._settings.ocr is OcrMode.NEVER):
            sheet.written = ()
            sheet.warnings.append(unread_picture(raw.index))

    def _needs(self, page: PageWords, seen: Seen, paint: Paint, area: int) -> bool:
        words = page.words
        if paint.pictures and words and len(words) < _FEW_WORDS and _only_stamps(page):
            return True
        if self._settings.ocr is OcrMode.ALWAYS and picture_share(paint.pictures, area) >= SOME_PICTURE:
            return True
        if not words and (paint.fills or paint.horizontals or paint.verticals):
            return True  # letters may be drawn as shapes
        return needs_recognition(words, seen.visible, seen.origins, paint.pictures, area)

    def _recognise(self, wanted: "Sequence[tuple[Sheet, Box | None]]") -> None:
        """``wanted`` are whole pages (None) and pictures on pages of text."""
        from ingest.ocr.pages import recognise_pages

        assert self._ocr is not None
        settings = self._ocr.settings
        images = (self._image(sheet.raw.index, settings, region) for sheet, region in wanted)
        outcomes = recognise_pages(images, settings, self._ocr.cache, self._ocr.workers)
        in_pictures: list[OcrOutcome] = []
        following = [*(sheet for sheet, _ in wanted[1:]), None]
        for (sheet, region), outcome, after in zip(wanted, outcomes, following, strict=True):
            if region is None:
                _take_over(sheet, outcome)
                continue
            in_pictures.append(outcome)
            if after is not sheet:
                _take_beside(sheet, in_pictures)
                in_pictures = []

    def _image(self, index: int, settings: "OcrSettings", region: Box | None) -> "PageImage":
        from ingest.ocr.pages import page_image

        self._announce(index)
        return page_image(self._document[index], settings, region)


def _only_stamps(page: PageWords) -> bool:
    """True if all that a page has as text was stamped on it later."""
    texts = [" ".join([word.text for word in page.words[line.first : line.end]]) for line in page.lines]
    return all(is_court_stamp(text) or bates_number(text) is not None for text in texts)


def _with_origins(words: PageWords, origins: Sequence[Origin]) -> PageWords:
    if Origin.EMBEDDED_OCR not in origins:
        return words
    return words._replace(words=[w._replace(origin=o) for w, o in zip(words.words, origins, strict=True)])


def _turn(sheet: Sheet, lines: Sequence[TypeLine]) -> None:
    """A page whose text lies is read as it stands when turned; one with upright heads keeps its lines."""
    turned = turned_to_read(sheet.raw, lines)
    if turned is None:
        return
    sheet.turned, sheet.upright, sheet.shown = True, turned.page, turned.shown
    if turned.whole:
        sheet.frame, sheet.typed = (turned.page.width, turned.page.height), turned.lines
        _set_lines(sheet, turned.page.words, turned.lines)


def _set_lines(sheet: Sheet, words: Sequence[RawWord], lines: Sequence[TypeLine]) -> None:
    """Visual lines in reading order, without the numbers printed beside them. ``words`` are where they are read."""
    width = sheet.frame[0]
    numbers = find_line_numbers(words, width)
    if numbers.words:
        lines = [piece for line in lines for piece in _without(words, line, numbers.words)]
    ordered, uncertain = visual_lines(words, lines, width)
    ordered = with_captions(words, ordered)
    if numbers.words:
        ordered = [line._replace(number=numbers.of(line.baseline, line.size)) for line in ordered]
    mended, sheet.lines, changed = with_mended_words(words, ordered)
    if changed:
        _take_mended(sheet, mended, changed)
    if uncertain:
        detail = "the file draws its columns mixed; they were put in order by their place"
        sheet.warnings.append(_warn(WarningCode.READING_ORDER_UNCERTAIN, sheet.raw.index, detail))


def _take_mended(sheet: Sheet, mended: Sequence[RawWord], changed: frozenset[int]) -> None:
    """The words of right-to-left lines as they are read, on the page and where the page is read."""
    shown = (
        w._replace(text=mended[i].text, joined=mended[i].joined) if i in changed else w
        for i, w in enumerate(sheet.raw.words)
    )
    sheet.raw = replace(sheet.raw, words=tuple(shown))
    if sheet.upright is not None:
        sheet.upright = replace(sheet.upright, words=tuple(mended))


def _without(words: Sequence[RawWord], line: TypeLine, numbers: frozenset[int]) -> Iterator[TypeLine]:
    """The line without numbered words at its edges."""
    first, end = line.first, line.end
    while first < end and first in numbers:
        first += 1
    while end > first and end - 1 in numbers:
        end -= 1
    if first < end:
        x0s, y0s, x1s, y1s = zip(*(words[i].box for i in range(first, end)), strict=True)
        yield line._replace(first=first, end=end, box=Box(min(x0s), min(y0s), max(x1s), max(y1s)))


def _own_warnings(own: Sequence[OwnText], index: int, whole: bool) -> Iterator[SourceWarning]:
    if not whole:
        yield _warn(WarningCode.TRUNCATED, index, "the form is damaged; fields of this page were left out")
    notes = sum(text.kind is ElementKind.ANNOTATION for text in own)
    if notes:
        yield _warn(WarningCode.HAS_ANNOTATIONS, index, f"{notes} annotations with text")
    if len(own) > notes:
        yield _warn(WarningCode.HAS_FORM_FIELDS, index, f"{len(own) - notes} form fields are filled in")


def _take_over(sheet: Sheet, outcome: "OcrOutcome") -> None:
    """Recognised words take the place of garbled ones, or stand beside native ones where those say nothing."""
    index = sheet.raw.index
    old = [] if sheet.garbled else [w for w in sheet.raw.words if w.origin is Origin.NATIVE]
    beside = [i for i, word in enumerate(outcome.words) if not any(b.box.overlaps(word.box) for b in old)]
    sheet.warnings += [w._replace(page_index=index) for w in outcome.warnings]
    sheet.ocr_confidence = outcome.confidence
    if not beside:
        return
    if len(old) < len(sheet.raw.words):  # a garbled text, or a layer that does not fit its picture
        sheet.typed = _kept_lines(sheet, old)
        gone = {WarningCode.GARBLED_TEXT}
        stays = [word for word, _ in sheet.hidden if word.origin is Origin.NATIVE and not sheet.garbled]
        if not stays:
            gone |= {WarningCode.HIDDEN_TEXT, WarningCode.COVERED_TEXT}
        sheet.garbled, sheet.hidden = False, [(word, -1) for word in stays]
        sheet.warnings = [w for w in sheet.warnings if w.code not in gone]
    sheet.warnings.append(_warn(WarningCode.OCR_USED, index, f"{len(beside)} words were recognised on this page"))
    sheet.raw = replace(sheet.raw, words=(*old, *(outcome.words[i] for i in beside)))
    sheet.turned = not old
    source = outcome.upright if sheet.turned else outcome.words
    read = [*old, *(source[i] for i in beside)]
    if sheet.turned:
        sheet.frame = (outcome.upright_width, outcome.upright_height)
        rules = outcome.horizontals, outcome.verticals
        sheet.upright = RawPage(index, *sheet.frame, 0, tuple(read), *rules)
        sheet.shown = outcome.shown
    _set_lines(sheet, read, [*sheet.typed, *recognised_lines(read, len(old))])


def _take_beside(sheet: Sheet, outcomes: Sequence["OcrOutcome"]) -> None:
    """Words recognised in pictures stand beside the page's own, which keep their lines."""
    from ingest.ocr.written_pictures import add_recognised

    first = len(sheet.raw.words)
    if add_recognised(sheet, outcomes):
        words = list(sheet.raw.words)
        _set_lines(sheet, words, [*sheet.typed, *recognised_lines(words, first)])


def _kept_lines(sheet: Sheet, old: Sequence[RawWord]) -> list[TypeLine]:
    """The typeset lines with only the words that are kept."""
    keep = [word.origin is Origin.NATIVE and bool(old) for word in sheet.raw.words]
    return keep_words(PageWords(list(sheet.raw.words), list(sheet.typed), 0, [0] * len(keep)), keep).lines


def _failed(index: int, why: str) -> Sheet:
    warning = _warn(WarningCode.PAGE_FAILED, index, f"the page could not be read ({why})")
    return Sheet(RawPage(index, 100, 100, 0, ()), [], warnings=[warning], frame=(100, 100))


def _warn(code: WarningCode, index: int, detail: str) -> SourceWarning:
    return SourceWarning(code, index, detail)
