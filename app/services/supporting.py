"""Triage of propositions against the pages cited for them (contract, section 6). It never changes a verification."""

import json
import re
from collections.abc import Generator, Sequence
from dataclasses import replace
from functools import partial
from itertools import takewhile
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from app.errors import InvalidRequest
from app.services.documents import pages_of
from app.services.matter import Matter
from models.page_fit import PageText
from models.support import NotReadable, SupportItem, SupportResult, triage
from verify.domain.document import FURNITURE, OWN_TEXT, ElementKind, Page, SourceStatus, TextSource
from verify.domain.ids import SourceId
from verify.domain.progress import Progress
from verify.report import Reason
from verify.tables import PageAt, Part, parts_of

MOST_ITEMS = 10_000
MOST_PAGES = 100
_UNREAD = {
    SourceStatus.NEEDS_PASSWORD: Reason.DOCUMENT_LOCKED,
    SourceStatus.UNREADABLE: Reason.DOCUMENT_UNREADABLE,
    SourceStatus.UNSUPPORTED: Reason.DOCUMENT_UNREADABLE,
}


class _Item(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    item_id: Annotated[str, Field(min_length=1, max_length=200)]
    claim_text: Annotated[str, Field(min_length=1, max_length=20_000)]
    source_id: Annotated[str, Field(min_length=1)]
    page_indexes: Annotated[list[Annotated[int, Field(ge=0)]], Field(min_length=1, max_length=MOST_PAGES)]


class _Request(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, populate_by_name=True)

    schema_name: Literal["pincite.support-request/1"] = Field(alias="schema")
    items: Annotated[list[_Item], Field(max_length=MOST_ITEMS)]


def parse_support(raw: bytes) -> tuple[SupportItem, ...]:
    """Raises InvalidRequest, naming the field, never the text."""
    try:
        request = _Request.model_validate(json.loads(raw.decode("utf-8"), object_pairs_hook=_without_duplicates))
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        where = ".".join(map(str, first["loc"])) or "its top"
        raise InvalidRequest(f"the support request has a fault at {where}: {first['msg']}") from error
    except (ValueError, RecursionError) as error:
        raise InvalidRequest("the support request is not JSON in UTF-8, or has a duplicate key") from error
    ids = [item.item_id for item in request.items]
    if len(set(ids)) != len(ids):
        raise InvalidRequest("the support request has two items with one item_id")
    return tuple(
        SupportItem(i.item_id, i.claim_text, SourceId(i.source_id), tuple(i.page_indexes)) for i in request.items
    )


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a duplicate key")
    return found


class MatterDocuments:
    """``models.support.Documents`` over an open matter."""

    def __init__(self, matter: Matter) -> None:
        self._matter, self._view = matter, matter.view()

    def pages(self, source_id: SourceId) -> Sequence[PageText] | NotReadable:
        """The order is that of a verification. Where the bytes changed, what stands there now is not known."""
        found = self._view.find(source_id)
        if found is None:
            return NotReadable(Reason.SOURCE_UNKNOWN)
        if not found.readable_by_user:
            return NotReadable(Reason.ACCESS_DENIED)
        now = found.bytes_now()
        if now is None or found.record.status is SourceStatus.MISSING:
            return NotReadable(Reason.SOURCE_MISSING)
        if now != found.record.fingerprint:
            return NotReadable(Reason.FINGERPRINT_CHANGED)
        if found.record.status in _UNREAD:
            return NotReadable(_UNREAD[found.record.status])
        least = self._matter.settings.ocr_threshold
        page_at = partial(self._matter.pages.get, found.record)
        return tuple(_page_text(page, least, page_at) for page in pages_of(self._matter, found.record))


_RULE = re.compile(r"[\s—_–-]{3,}")
"""A line of dashes, which a typist sets above footnotes."""


def _page_text(page: Page, least_confidence: int, page_at: PageAt) -> PageText:
    header = next((e.text for e in page.elements if e.kind is ElementKind.HEADER), "")
    said = [e for e in page.elements if e.kind is ElementKind.FOOTNOTE or e.kind not in FURNITURE | OWN_TEXT]
    body = takewhile(lambda e: e.kind is not ElementKind.FOOTNOTE and not _RULE.fullmatch(e.text), said)
    doubtful = page.text_source is TextSource.OCR and (page.ocr_confidence or 0) < least_confidence
    return PageText(
        page.index, page.label, "\n\n".join(e.text for e in said) or page.text, header,
        "\n\n".join(e.text for e in body), Reason.OCR_LOW_CONFIDENCE if doubtful else "",
        tuple(_light(parts_of(page, table, page_at)) for table in page.tables),
        "\n\n".join(e.text for e in said if e.kind is not ElementKind.TABLE) if page.tables else "",
    )  # fmt: skip


def _light(parts: Sequence[Part]) -> tuple[Part, ...]:
    """Without the pages' words, which a long document would hold in memory: a cell's meaning needs its table alone."""
    return tuple(Part(replace(p.page, text="", words=(), lines=(), elements=(), tables=()), p.table) for p in parts)


def support_request(matter: Matter, raw: bytes) -> Generator[Progress, None, tuple[SupportResult, ...]]:
    """Results in the order of the items. Raises InvalidRequest."""
    items = parse_support(raw)
    order = sorted(range(len(items)), key=lambda n: (items[n].source_id, n))
    done = yield from triaged(matter, [items[n] for n in order])
    by_place = dict(zip(order, done, strict=True))
    return tuple(by_place[n] for n in range(len(items)))


def triaged(matter: Matter, items: Sequence[SupportItem]) -> Generator[Progress, None, tuple[SupportResult, ...]]:
    """Results in the order of the items, fastest where those of one source go together."""
    from app.bootstrap import build_encoder

    return (yield from triage(items, MatterDocuments(matter), build_encoder(matter.settings)))


def support_results_to_json(results: Sequence[SupportResult]) -> dict[str, Any]:
    return {
        "schema": "pincite.support/1",
        "items": [
            {
                "item_id": r.item_id,
                "label": r.label.value,
                "score": r.score,
                "signals": dict(r.signals),
                "better_pages": [p._asdict() for p in r.better_pages],
            }
            for r in results
        ],
    }
