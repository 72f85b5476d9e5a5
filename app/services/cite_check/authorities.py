"""The table of authorities: every document that a draft cites, as first cited in full, with the pages that cite it."""

from collections.abc import Sequence

from app.services.cite_check.findings import Authority, CitationFound
from models.citations.model import CitationKind, Form

_GROUPS = {CitationKind.CASE: "cases", CitationKind.STATUTE: "statutes"}


def authorities_of(citations: Sequence[CitationFound]) -> tuple[Authority, ...]:
    """Cases, then statutes, then the rest; each in alphabetical order."""
    found: dict[str, list[CitationFound]] = {}
    for citation in citations:
        mention = citation.mention
        root = citations[mention.refers_to] if mention.refers_to is not None else citation
        if mention.form is not Form.FULL and mention.refers_to is None:
            continue
        found.setdefault(_key(root), []).append(citation)
    rows = [_authority(citations, group) for group in found.values()]
    order = ("cases", "statutes", "other")
    return tuple(sorted(rows, key=lambda row: (order.index(row.group), row.name.lower())))


def _key(citation: CitationFound) -> str:
    if citation.resolved.card is not None:
        return str(citation.resolved.card.record.source_id)
    mention = citation.mention
    cites = next((str(c) for c in mention.reporters if c.page), "")
    return cites or mention.docket or " v. ".join(mention.parties).lower() or f"{mention.key_kind} {mention.key}"


def _authority(citations: Sequence[CitationFound], group: Sequence[CitationFound]) -> Authority:
    first = next((c for c in group if c.mention.form is Form.FULL), group[0])
    pages = sorted({c.draft_page for c in group if c.draft_page is not None})
    ids = tuple(c.citation_id for c in group)
    return Authority(_GROUPS.get(first.mention.kind, "other"), cited_name(first), ids, tuple(pages))


def cited_name(citation: CitationFound) -> str:
    """As cited, without pinpoint and remarks."""
    mention = citation.mention
    if mention.kind is CitationKind.CASE and mention.parties:
        name = " v. ".join(mention.parties) if len(mention.parties) > 1 else mention.text.partition(",")[0]
        cites = ", ".join(map(str, mention.reporters)) or (f"No. {mention.docket}" if mention.docket else "")
        return ", ".join(filter(None, (name, cites))) + (f" ({mention.year})" if mention.year else "")
    if mention.pin is not None and mention.kind is not CitationKind.CLAUSE:
        return mention.text.partition(mention.pin.as_written)[0].rstrip(" ,;(") or mention.text
    return mention.text
