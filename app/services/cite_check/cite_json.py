"""``pincite.cite-check/1`` (contract, section 6)."""

from typing import Any

from app.services.cite_check.draft_model import Place
from app.services.cite_check.findings import CitationFound, CiteCheck, QuotationFound

SCHEMA = "pincite.cite-check/1"


def cite_check_to_json(found: CiteCheck) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "draft": {
            "path": found.draft.path,
            "fingerprint": found.draft.fingerprint,
            "notes": [note.value for note in found.draft.notes],
        },
        "citations": [_citation(c, found) for c in found.citations],
        "authorities": [
            {"group": a.group, "as_cited": a.name, "citation_ids": list(a.citation_ids), "pages": list(a.pages)}
            for a in found.authorities
        ],
        "quotations_without_citation": [
            {
                "text": q.text,
                "place": _place(q.place),
                "found": [
                    {"source_id": s, "path": path, "page_index": page, "page_label": label}
                    for s, path, page, label in q.found
                ],
            }
            for q in found.loose
        ],
        "report": found.report.to_json(),
    }


def _citation(c: CitationFound, found: CiteCheck) -> dict[str, Any]:
    mention, card = c.mention, c.resolved.card
    target = found.citations[mention.refers_to].citation_id if mention.refers_to is not None else None
    pin = mention.pin
    return {
        "citation_id": c.citation_id,
        "as_written": mention.text,
        "place": _place(c.place),
        "kind": mention.kind.value,
        "form": mention.form.value,
        "refers_to": target,
        "source_id": card.record.source_id if card else None,
        "path": card.record.path if card else None,
        "candidates": [
            {"source_id": k.record.source_id, "path": k.record.path, "title": k.title} for k in c.resolved.candidates
        ],
        "pinpoint": None if pin is None and not c.pinned.pages else {
            "as_written": pin.as_written if pin else mention.text,
            "page_indexes": list(c.pinned.pages),
            "page_labels": list(c.page_labels),
            "line_numbers": [{"page_index": p, "first": a, "last": b} for p, a, b in c.pinned.lines],
        },
        "proposition": c.proposition,
        "checks": [_quotation(q) for q in c.quotations],
        "support": None if c.support is None else {
            "label": c.support.label.value,
            "score": c.support.score,
            "signals": dict(c.support.signals),
            "better_pages": [page._asdict() for page in c.support.better_pages],
        },
        "verdict": c.verdict.value,
        "advice": [advice.value for advice in c.advice],
        "suggested_pages": [
            {"page_index": page, "page_label": label}
            for page, label in zip(c.suggested, c.suggested_labels, strict=True)
        ],
    }  # fmt: skip


def _quotation(q: QuotationFound) -> dict[str, Any]:
    check = q.check
    return {
        "check_id": check.check_id if check else None,
        "text": q.text,
        "place": _place(q.place),
        "status": check.status.value if check else None,
        "reason": check.reason.value if check and check.reason else None,
        "difference": [{"kind": d.kind.value, "expected": d.expected, "found": d.found} for d in check.difference]
        if check
        else [],
        "nearest": check.nearest._asdict() if check and check.nearest else None,
        "found_on_pages": list(q.elsewhere),
    }


def _place(place: Place) -> dict[str, Any]:
    return {"page": place.page, "element": place.element, "start": place.start, "end": place.end}
