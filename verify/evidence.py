"""What a bundle keeps so that every match can be repeated without the matter: the pages that its checks rested on.

A page is kept whole, with its words, boxes and tables, because its order decides what is a match; its hash binds text
and geometry together. What a check that failed looked for in the rest of the document is not kept.
"""

import json
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from verify.currencies import named_dollars
from verify.domain.canonical import canonical_json, sha256_of
from verify.domain.codec import decode_page, page_json
from verify.domain.document import Page, Parser, SourceRecord, SourceStatus
from verify.domain.ids import Fingerprint, SourceId
from verify.domain.look import Look, look_from_json
from verify.engine import DEFAULT_OCR_THRESHOLD, verify_parsed
from verify.ports import Looks, Sources, SourceView
from verify.report import CheckResult, Reason, Status, VerificationReport
from verify.request import BadCheck, Check, Request
from verify.targets import page_of_id

MASK = "\N{REPLACEMENT CHARACTER}"
_NO_TIME = "1970-01-01T00:00:00Z"
"""The reports that are made here to learn what a check reads go nowhere."""


def evidence_document(
    request: Request, sources: Sources, ocr_threshold: int = DEFAULT_OCR_THRESHOLD
) -> list[dict[str, Any]]:
    """One entry for each source that the request names and the matter has, in order of first mention.

    An entry holds what the checks were told of the source (``fingerprint``, ``now``, ``readable``, ``status`` …),
    ``pages`` of ``{page_index, sha256, page}`` and ``looks`` of ``{page_index, words, seen}``: what was seen of the
    pages when those words of them were cited.
    """
    kept: dict[SourceId, _Recorder] = {}
    for check in request.checks:
        if isinstance(check, BadCheck):
            continue
        source = sources.find(check.source_id)
        if source is not None:
            recorder = kept.setdefault(check.source_id, _Recorder(source))
            recorder.keep(check, request, ocr_threshold)
    return [recorder.entry() for recorder in kept.values()]


class _Recorder:
    """A source that notes which pages were read of it."""

    def __init__(self, source: SourceView) -> None:
        self._source = source
        self._read: dict[int, Page | None] = {}
        self._kept: dict[int, Page | None] = {}
        self._now: tuple[Fingerprint | None] | None = None
        self._dollars: frozenset[str] | None = None
        self._looks: dict[tuple[int, tuple[int, ...]], Look] = {}

    @property
    def record(self) -> SourceRecord:
        return self._source.record

    @property
    def readable_by_user(self) -> bool:
        return self._source.readable_by_user

    def bytes_now(self) -> Fingerprint | None:
        if self._now is None:
            self._now = (self._source.bytes_now(),)
        return self._now[0]

    def page(self, index: int) -> Page | None:
        self._read[index] = self._source.page(index)
        return self._read[index]

    def known_dollars(self) -> frozenset[str]:
        """Found without noting the pages, or one "$" would put the whole document into the bundle."""
        if self._dollars is None:
            pages = (self._source.page(i) for i in range(self.record.page_count))
            self._dollars = frozenset(code for page in pages if page for code in named_dollars(page.text))
        return self._dollars

    def look(self, index: int, words: tuple[int, ...]) -> Look | None:
        seen = self._source.look(index, words) if isinstance(self._source, Looks) else None
        if seen is not None:
            self._looks[index, words] = seen
        return seen

    def find(self, source_id: SourceId) -> SourceView | None:
        return self if source_id == self.record.source_id else None

    def keep(self, check: Check, request: Request, ocr_threshold: int) -> None:
        """Runs one check and keeps the pages that it read; of a check that failed only those about its target."""
        self._read = {}
        alone = replace(request, checks=(check,))
        result = verify_parsed(alone, self, checked_at=_NO_TIME, ocr_threshold=ocr_threshold).checks[0]
        wanted = self._read.keys() if result.status is Status.VERIFIED else _about(check)
        self._kept.update((i, page) for i, page in self._read.items() if i in wanted)

    def entry(self) -> dict[str, Any]:
        record, now = self.record, self.bytes_now() if self.readable_by_user else None
        pages = [(i, page_json(_masked(page))) for i, page in sorted(self._kept.items()) if page is not None]
        return {
            "source_id": record.source_id,
            "fingerprint": record.fingerprint,
            "now": now,
            "readable": self.readable_by_user,
            "status": record.status.value,
            "media_type": record.media_type,
            "page_count": record.page_count,
            "parser": {"name": record.parser.name, "version": record.parser.version, "profile": record.parser.profile},
            "dollars": sorted(self._dollars) if self._dollars is not None else [],
            "pages": [{"page_index": i, "sha256": sha256_of(raw), "page": json.loads(raw)} for i, raw in pages],
            "looks": [
                {"page_index": i, "words": list(words), "seen": look.to_json()}
                for (i, words), look in sorted(self._looks.items(), key=lambda kept: kept[0])
                if i in self._kept
            ],
        }


def _masked(page: Page) -> Page:
    """The page without the characters of its hidden words: what no reader sees, a failed redaction above all, does not
    leave with a bundle. A check that ended in ``text_not_visible`` cannot be repeated from it."""
    words = tuple(w if w.visible else w._replace(text=MASK * len(w.text)) for w in page.words)
    return replace(page, words=words)


def _about(check: Check) -> set[int]:
    last = check.page_index if check.end_page_index is None else check.end_page_index
    named = {page_of_id(i) for i in (check.element_id, check.table_id) if i is not None}
    return {*range(check.page_index - 1, last + 2), *(i for i in named if i is not None)}


class _Kept:
    """A source as an entry remembers it."""

    def __init__(self, entry: dict[str, Any]) -> None:
        self.record = SourceRecord(
            SourceId(entry["source_id"]), "", Fingerprint(entry["fingerprint"]), entry["media_type"],
            entry["page_count"], SourceStatus(entry["status"]), Parser(**entry["parser"]),
        )  # fmt: skip
        self.readable_by_user = bool(entry["readable"])
        self._now = None if entry["now"] is None else Fingerprint(entry["now"])
        self._dollars = frozenset(entry["dollars"])
        self._pages = {row["page_index"]: _page(row) for row in entry["pages"]}
        self._looks = {
            (row["page_index"], tuple(row["words"])): look_from_json(row["seen"]) for row in entry.get("looks", ())
        }

    def bytes_now(self) -> Fingerprint | None:
        return self._now

    def page(self, index: int) -> Page | None:
        return self._pages.get(index)

    def known_dollars(self) -> frozenset[str]:
        return self._dollars

    def look(self, index: int, words: tuple[int, ...]) -> Look | None:
        return self._looks.get((index, words))


def kept_pages(document: Iterable[dict[str, Any]]) -> tuple[Page, ...]:
    """Every page that an evidence document keeps. Raises as ``KeptSources`` does."""
    return tuple(_page(row) for entry in document for row in entry["pages"])


def _page(row: dict[str, Any]) -> Page:
    raw = canonical_json(row["page"])
    if sha256_of(raw) != row["sha256"]:
        raise ValueError(f"page {row['page_index']} is not the page whose hash is kept")
    page = decode_page(zlib.compress(raw, 0))
    if page.index != row["page_index"]:
        raise ValueError(f"page {row['page_index']} is another page")
    return page


class KeptSources:
    """Sources made of an evidence document. Raises ValueError, KeyError or TypeError for what was not made here."""

    def __init__(self, document: Sequence[dict[str, Any]]) -> None:
        self._sources = {SourceId(entry["source_id"]): _Kept(entry) for entry in document}

    def find(self, source_id: SourceId) -> SourceView | None:
        return self._sources.get(source_id)


def recheck(
    document: Sequence[dict[str, Any]],
    request: Request,
    *,
    checked_at: str,
    ocr_threshold: int,
    ocr_engine: str | None = None,
) -> VerificationReport:
    """The request verified again over kept pages alone. Raises as ``KeptSources`` does."""
    return verify_parsed(
        request, KeptSources(document), checked_at=checked_at, ocr_threshold=ocr_threshold, ocr_engine=ocr_engine
    )


_NOT_REPEATED = frozenset({Reason.EVIDENCE_ON_OTHER_PAGE, Reason.TEXT_MISMATCH, Reason.TEXT_NOT_VISIBLE})


def contradictions(
    stored: Iterable[CheckResult], again: Iterable[CheckResult]
) -> list[tuple[CheckResult | None, CheckResult | None]]:
    """Pairs of a stored and a repeated result that disagree; None where one of them is missing.

    Where else a quotation stands can't be repeated from kept pages, nor what hidden words say, so that alone is no
    disagreement.
    """
    old, new = list(stored), list(again)
    length = max(len(old), len(new))
    pairs = zip(_padded(old, length), _padded(new, length), strict=True)
    return [(a, b) for a, b in pairs if a is None or b is None or _comparable(a) != _comparable(b)]


def _padded(results: list[CheckResult], length: int) -> list[CheckResult | None]:
    return [*results, *[None] * (length - len(results))]


def _comparable(result: CheckResult) -> CheckResult:
    reason = Reason.TEXT_MISMATCH if result.reason in _NOT_REPEATED else result.reason
    status = result.status if reason is None else reason.status
    difference, nearest = (result.difference, result.nearest) if reason is not Reason.TEXT_MISMATCH else ((), None)
    return replace(result, status=status, reason=reason, found_elsewhere=(), difference=difference, nearest=nearest)
