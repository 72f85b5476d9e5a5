"""The one entry: a request and the sources of a matter in, a report out.

The stages run in the contract's order, and an earlier failure decides (section 5): schema, access, source,
fingerprint, capability, page, label, element or table or region, evidence, guards. Nothing here reads a clock, a file
or a random number, so the same request over the same bytes gives the same report.
"""

from collections.abc import Callable

from verify.bodies import PageView
from verify.domain.document import Parser, SourceStatus
from verify.domain.ids import SourceId
from verify.looked import looked_at
from verify.normalize import QUOTE_PROFILE, TYPOGRAPHIC_PROFILE
from verify.ports import Sources
from verify.qualifiers import QUALIFIERS
from verify.quotes import check_quote, check_region
from verify.reader import Reader
from verify.report import CheckResult, Evidence, Reason, VerificationReport, Verifier
from verify.request import BadCheck, Check, Kind, Request, RequestError, parse_request
from verify.results import Settings, failed, verified
from verify.tables import check_cell
from verify.targets import Stop
from verify.values import check_value

__all__ = ["DEFAULT_OCR_THRESHOLD", "VERSION", "RequestError", "verify", "verify_parsed"]

VERSION = "pincite-verify/1"
DEFAULT_OCR_THRESHOLD = 600

_NO_TABLES = frozenset({"text/plain", "text/markdown", "message/rfc822", "application/vnd.ms-outlook"})
"""Media types whose sources expose no table structure."""

_OF_STATUS = {
    SourceStatus.NEEDS_PASSWORD: Reason.DOCUMENT_LOCKED,
    SourceStatus.UNREADABLE: Reason.DOCUMENT_UNREADABLE,
    SourceStatus.UNSUPPORTED: Reason.DOCUMENT_UNREADABLE,
}

_CHECKERS: dict[Kind, Callable[[Check, Reader, PageView, Settings], CheckResult]] = {
    Kind.QUOTE: check_quote,
    Kind.REGION: check_region,
    Kind.VALUE: check_value,
    Kind.TABLE_CELL: check_cell,
}


def verify(
    request: bytes,
    sources: Sources,
    *,
    checked_at: str,
    ocr_threshold: int = DEFAULT_OCR_THRESHOLD,
    ocr_engine: str | None = None,
) -> VerificationReport:
    """Checks every citation of a request (UTF-8 JSON as in contract section 4).

    ``checked_at`` is RFC 3339 in UTC and goes into the report as it is; ``ocr_threshold`` is 0-1000. Raises
    RequestError for a fault of the whole request; a fault of one check is in its result.
    """
    return verify_parsed(
        parse_request(request), sources, checked_at=checked_at, ocr_threshold=ocr_threshold, ocr_engine=ocr_engine
    )


def verify_parsed(
    request: Request, sources: Sources, *, checked_at: str, ocr_threshold: int, ocr_engine: str | None = None
) -> VerificationReport:
    """As ``verify``, for a request that was parsed already."""
    session = _Session(sources, Settings(ocr_threshold))
    results = tuple(session.run(check) for check in request.checks)
    profiles = (QUOTE_PROFILE, TYPOGRAPHIC_PROFILE, QUALIFIERS)
    verifier = Verifier(VERSION, profiles, tuple(session.parsers), ocr_engine)
    return VerificationReport(request.request_id, request.sha256, verifier, checked_at, results)


class _Session:
    """What one request has opened: each source is found, hashed and prepared once."""

    def __init__(self, sources: Sources, settings: Settings) -> None:
        self._sources = sources
        self._settings = settings
        self._readers: dict[SourceId, Reader | None] = {}
        self.parsers: dict[Parser, None] = {}

    def run(self, check: Check | BadCheck) -> CheckResult:
        if isinstance(check, BadCheck):
            return CheckResult(check.check_id, check.claim_id, check.kind, check.reason.status, check.reason)
        try:
            return self._run(check)
        except Stop as stop:
            return failed(check, stop.reason)

    def _run(self, check: Check) -> CheckResult:
        reader = self._reader(check)
        _require_capability(check, reader)
        view = _page(check, reader)
        if check.kind is not Kind.PAGE:
            _require_text(check, view)
        _require_label(check, view)
        if check.kind is Kind.PAGE:
            evidence = Evidence(check.source_id, check.fingerprint, check.page_index, view.page.label)
            return verified(check, evidence, None, 0, ())
        if check.bbox is not None and not check.bbox.within(view.page.width, view.page.height):
            raise Stop(Reason.BAD_GEOMETRY)
        return looked_at(_CHECKERS[check.kind](check, reader, view, self._settings), reader)

    def _reader(self, check: Check) -> Reader:
        """The source, readable by this reader and with the bytes that the check is about."""
        if check.source_id not in self._readers:
            source = self._sources.find(check.source_id)
            self._readers[check.source_id] = None if source is None else Reader(source)
        reader = self._readers[check.source_id]
        if reader is None:
            raise Stop(Reason.SOURCE_UNKNOWN)
        if not reader.source.readable_by_user:
            raise Stop(Reason.ACCESS_DENIED)
        now = reader.bytes_now
        if now is None or reader.record.status is SourceStatus.MISSING:
            raise Stop(Reason.SOURCE_MISSING)
        if not now == reader.record.fingerprint == check.fingerprint:
            raise Stop(Reason.FINGERPRINT_CHANGED)
        self.parsers[reader.record.parser] = None
        return reader


def _require_capability(check: Check, reader: Reader) -> None:
    reason = _OF_STATUS.get(reader.record.status)
    if reason is not None:
        raise Stop(reason)
    if not check.origin_known:
        raise Stop(Reason.UNKNOWN_COORDINATE_ORIGIN)
    if check.kind is Kind.TABLE_CELL and reader.record.media_type in _NO_TABLES:
        raise Stop(Reason.NO_TABLE_STRUCTURE)


def _page(check: Check, reader: Reader) -> PageView:
    last = check.page_index if check.end_page_index is None else check.end_page_index
    if last >= reader.page_count:
        raise Stop(Reason.PAGE_OUT_OF_RANGE)
    view = reader.view(check.page_index)
    if view is None:
        raise Stop(Reason.DOCUMENT_UNREADABLE)
    return view


def _require_text(check: Check, view: PageView) -> None:
    """A page whose characters mean nothing, or that has none, can prove no words; an annotation on it can."""
    element = view.element(check.element_id) if check.element_id is not None else None
    if element is not None and element.start is None:
        return
    if view.page.garbled:
        raise Stop(Reason.GARBLED_TEXT)
    if not view.visible and not view.hidden:
        raise Stop(Reason.NO_TEXT_LAYER)


def _require_label(check: Check, view: PageView) -> None:
    """Labels and Bates numbers are compared as they stand, never derived from the index."""
    label = check.page_label
    if (label is not None and label != view.page.label) or (check.bates is not None and check.bates != view.page.bates):
        raise Stop(Reason.LABEL_MISMATCH)
