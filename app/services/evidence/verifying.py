"""Checks what others submit. A fault of the whole request is an error; one inside a check is that check's result."""

from datetime import UTC, datetime

from app.errors import InvalidRequest
from app.services.evidence import looking
from app.services.matter.matter import Matter
from app.store.views import MatterSources
from verify.engine import verify_parsed
from verify.report import VerificationReport
from verify.request import Request, RequestError, parse_request

OCR_ENGINE = "ocr_engine"
"""Key of the store's ``meta``: the engine that recognised the scans of this matter, as a report names it."""


def parse(raw: bytes) -> Request:
    """Raises InvalidRequest."""
    try:
        return parse_request(raw)
    except RequestError as error:
        raise InvalidRequest(str(error)) from error


def now() -> str:
    """RFC 3339 in UTC."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def checked(matter: Matter, request: Request, view: MatterSources, ocr_threshold: int) -> VerificationReport:
    """The one call of the verifier. ``view`` is one request's: each file that it needs is hashed once for it."""
    engine = matter.store.database.meta(OCR_ENGINE)
    return verify_parsed(request, view, checked_at=now(), ocr_threshold=ocr_threshold, ocr_engine=engine)


def verify_request(
    matter: Matter, raw: bytes, ocr_threshold: int | None = None, *, thorough: bool = False
) -> VerificationReport:
    """``ocr_threshold`` 0-1000, None for the settings'. ``thorough`` as in ``looking.view``. Raises InvalidRequest."""
    threshold = matter.settings.ocr_threshold if ocr_threshold is None else ocr_threshold
    return checked(matter, parse(raw), looking.view(matter, thorough=thorough), threshold)
