"""Triage of propositions against the pages cited for them (contract, section 6). It never changes a verification."""

import hashlib
import json
import re
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from itertools import takewhile
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from app.errors import InputUnreadable, InvalidRequest
from app.services.evaluation.journal import Journal
from app.services.matter.documents import pages_of
from app.services.matter.matter import Matter
from models.language.negation import NEGATORS
from models.language.wording import stem_set
from models.triage.alignment import METHOD as ALIGNMENT
from models.triage.page_fit import PageText
from models.triage.support import BetterPage, NotReadable, SupportItem, SupportResult, triage
from verify.domain.claim import Citation, Support, SupportLabel
from verify.domain.document import (
    FURNITURE,
    NO_CONFIDENCE,
    OWN_TEXT,
    Element,
    ElementKind,
    Page,
    SourceRecord,
    SourceStatus,
    TextSource,
    WarningCode,
)
from verify.domain.ids import SourceId
from verify.domain.progress import Progress
from verify.meaning import PageAt, Part, parts_of
from verify.report import Reason

Triaging = Generator[Progress, None, tuple[SupportResult, ...]]
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
    """``models.triage.support.Documents`` over an open matter."""

    def __init__(self, matter: Matter) -> None:
        self._matter, self._view = matter, matter.view()
        self._known: dict[SourceId, SourceRecord | NotReadable] = {}

    def pages(self, source_id: SourceId) -> Sequence[PageText] | NotReadable:
        """The order is that of a verification. Where the bytes changed, what stands there now is not known."""
        record = self._readable(source_id)
        if isinstance(record, NotReadable):
            return record
        least = self._matter.settings.ocr_threshold
        page_at = partial(self._matter.pages.get, record)
        return tuple(page_text(page, least, page_at) for page in pages_of(self._matter, record))

    def state(self, source_id: SourceId) -> str:
        """Another one where the document reads otherwise."""
        record = self._readable(source_id)
        return record.reason if isinstance(record, NotReadable) else f"{record.fingerprint} {record.parser}"

    def _readable(self, source_id: SourceId) -> SourceRecord | NotReadable:
        if source_id not in self._known:
            self._known[source_id] = self._look_up(source_id)
        return self._known[source_id]

    def _look_up(self, source_id: SourceId) -> SourceRecord | NotReadable:
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
        return found.record


_RULE = re.compile(r"[\s—_–-]{3,}")
"""A line of dashes, which a typist sets above footnotes."""


def page_text(page: Page, least_confidence: int, page_at: PageAt) -> PageText:
    """What was recognised with too little confidence is not compared: the page then counts as read in part."""
    header = next((e.text for e in page.elements if e.kind is ElementKind.HEADER), "")
    said = [e for e in page.elements if e.kind is ElementKind.FOOTNOTE or e.kind not in FURNITURE | OWN_TEXT]
    scanned = page.text_source is TextSource.OCR and (page.ocr_confidence or 0) < least_confidence
    poor = () if scanned else tuple(e for e in said if _is_poor(e, least_confidence))
    said = [e for e in said if e not in poor]
    body = takewhile(lambda e: e.kind is not ElementKind.FOOTNOTE and not _RULE.fullmatch(e.text), said)
    unread = bool(poor) or any(warning.code in _UNREAD_PARTS for warning in page.warnings)
    return PageText(
        page.index, page.label, "\n\n".join(e.text for e in said) or ("" if unread else page.text), header,
        "\n\n".join(e.text for e in body),
        Reason.GARBLED_TEXT if page.garbled else Reason.OCR_LOW_CONFIDENCE if scanned else "",
        tuple(_light(parts_of(page, table, page_at)) for table in page.tables),
        "\n\n".join(e.text for e in said if e.kind is not ElementKind.TABLE) if page.tables else "",
        _unsure(page, least_confidence), unread,
    )  # fmt: skip


_UNREAD_PARTS = frozenset({WarningCode.NO_TEXT, WarningCode.PAGE_FAILED, WarningCode.OCR_LOW_CONFIDENCE})
"""Of a page: a picture on it, or more of it, was not read, or not all of what looks written."""


def _is_poor(element: Element, least_confidence: int) -> bool:
    return element.text_source is TextSource.OCR and (element.ocr_confidence or 0) < least_confidence


def _unsure(page: Page, least_confidence: int) -> frozenset[str]:
    """As ``PageText.unsure``. Words that were written, not recognised, have no confidence and are sure."""
    poor = [word.text for word in page.words if NO_CONFIDENCE != word.confidence < least_confidence]
    if not poor:
        return frozenset()
    sure = stem_set(word.text for word in page.words if not NO_CONFIDENCE != word.confidence < least_confidence)
    return stem_set(poor) - sure | NEGATORS & frozenset(map(str.lower, poor))


def _light(parts: Sequence[Part]) -> tuple[Part, ...]:
    """Without the pages' words, which a long document would hold in memory: a cell's meaning needs its table alone."""
    return tuple(Part(replace(p.page, text="", words=(), lines=(), elements=(), tables=()), p.table) for p in parts)


def support_request(matter: Matter, raw: bytes, kept: Path | None = None) -> Triaging:
    """Results in the order of the items. ``kept`` is a file for what is done: what it has already is not done again,
    if the item and the document are what they were. Raises InvalidRequest, Usage, InputUnreadable."""
    items = parse_support(raw)
    documents = MatterDocuments(matter)
    journal = Journal(kept, _made_with(matter))
    keys = {item.item_id: _key(item, documents.state(item.source_id)) for item in items}
    left = [item for item in items if keys[item.item_id] not in journal.done]

    def keep(result: SupportResult) -> None:
        journal.add({"id": keys[result.item_id]} | _to_json(result))

    steps = triaged(matter, sorted(left, key=lambda item: item.source_id), keep, documents)
    yield from _counted_from(len(items) - len(left), steps)
    try:
        return tuple(_from_json(journal.done[keys[item.item_id]]) for item in items)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InputUnreadable(f"{kept} holds a row that is no result; name another file") from error


def _counted_from(before: int, steps: Triaging) -> Generator[Progress, None, None]:
    """Also of what was done in an earlier run."""
    with closing(steps):
        if before:
            yield Progress("support", before, None, "claims")
        for step in steps:
            yield step._replace(done=before + step.done, total=before + (step.total or 0))


def _made_with(matter: Matter) -> str:
    """What a result depends on beside its item and its document."""
    chosen = matter.settings
    models = (chosen.embedder, chosen.ollama_embedder)
    return _digest("support", version("pincite"), str(matter.root), chosen.ocr_threshold, *models)


def _key(item: SupportItem, state: str) -> str:
    return _digest(*item, state)


def _digest(*parts: object) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def triaged(
    matter: Matter, items: Sequence[SupportItem], keep: Callable[[SupportResult], None] = lambda _: None,
    documents: MatterDocuments | None = None,
) -> Triaging:  # fmt: skip
    """Results in the order of the items, fastest where those of one source go together. ``keep`` is given each."""
    from app.bootstrap import build_encoder

    documents = documents or MatterDocuments(matter)
    return (yield from triage(items, documents, build_encoder(matter.settings), keep))


class Veto:
    """Triage of the claims that a model worded in one answer, beside their alignment with the words that they cite. The
    weaker of the two decides. A document's pages are read once; no encoder, which would take longer than the claim."""

    def __init__(self, matter: Matter) -> None:
        self._documents = MatterDocuments(matter)
        self._read: dict[SourceId, Sequence[PageText] | NotReadable] = {}

    def pages(self, source_id: SourceId) -> Sequence[PageText] | NotReadable:
        if source_id not in self._read:
            self._read[source_id] = self._documents.pages(source_id)
        return self._read[source_id]

    def weighed(self, text: str, citations: Sequence[Citation], support: Support) -> Support:
        """``support`` as it is where it is not an alignment that supports. Of several documents the one that supports
        the claim best counts: another may only stand beside it."""
        if support.method != ALIGNMENT or support.label is not SupportLabel.SUPPORTED:
            return support
        cited: dict[SourceId, set[int]] = {}
        for citation in citations:
            last = citation.end_page_index if citation.end_page_index is not None else citation.page_index
            cited.setdefault(citation.source_id, set()).update(range(citation.page_index, last + 1))
        items = [SupportItem("c", text, source, tuple(sorted(pages))) for source, pages in cited.items()]
        found = [_only(triage([item], self)) for item in items]
        best = max(found, key=lambda one: (one.label is SupportLabel.SUPPORTED, one.score), default=None)
        if best is None:
            return replace(support, label=SupportLabel.NOT_EVALUATED, score=0)
        signals = (*support.signals, ("triage", best.score))
        if best.label is SupportLabel.SUPPORTED:
            return replace(support, signals=signals)
        return replace(support, label=best.label, score=min(support.score, best.score), signals=signals)


def _only(steps: Triaging) -> SupportResult:
    while True:
        try:
            next(steps)
        except StopIteration as end:
            results: tuple[SupportResult, ...] = end.value
            return results[0]


def support_results_to_json(results: Sequence[SupportResult]) -> dict[str, Any]:
    return {"schema": "pincite.support/1", "items": [_to_json(result) for result in results]}


def _to_json(result: SupportResult) -> dict[str, Any]:
    return {
        "item_id": result.item_id,
        "label": result.label.value,
        "score": result.score,
        "signals": dict(result.signals),
        "better_pages": [page._asdict() for page in result.better_pages],
    }


def _from_json(row: dict[str, Any]) -> SupportResult:
    better = tuple(BetterPage(**page) for page in row["better_pages"])
    return SupportResult(
        row["item_id"], SupportLabel(row["label"]), row["score"], tuple(row["signals"].items()), better
    )
