"""A cite-check in words, for comments, reports and the terminal. Codes are worded in ``app.messages``."""

from collections import Counter

from app import messages
from app.services.cite_check.findings import Advice, CitationFound, CiteCheck, QuotationFound, Verdict
from verify.report import Status


def place_words(c: CitationFound) -> str:
    """ "p. 3" of the draft, else its paragraph or note."""
    if c.draft_page is not None:
        return f"p. {c.draft_page + 1}"
    kind, _, number = c.place.element.partition("-")
    number = number.partition(".")[0]
    if kind in ("footnote", "endnote"):
        return f"{kind} {number}"
    return f"paragraph {int(number) + 1}" if number.isdigit() else c.place.element


def pages_words(labels: tuple[str | None, ...], pages: tuple[int, ...]) -> str:
    return ", ".join(messages.page_name(label, page) for label, page in zip(labels, pages, strict=True))


def advice_words(c: CitationFound) -> str:
    """What to do, with the pages that fit better and what was found against the citation."""
    said = [messages.CITE_ADVICE[advice] for advice in c.advice]
    if c.suggested:
        said.append(f"See {pages_words(c.suggested_labels, c.suggested)}.")
    if c.resolved.card is None and c.resolved.candidates:
        said.append(f"Nearest: {'; '.join(k.title for k in c.resolved.candidates)}.")
    if c.support is not None and {Advice.SPEAKS_AGAINST, Advice.COMPARE} & set(c.advice):
        signals = dict(c.support.signals)
        why = [words for name, words in messages.SUPPORT_SIGNALS.items() if signals.get(name, 1000) < 500]
        said += [f"Against it: {'; '.join(why)}."] if why else []
    return " ".join(said)


def quotation_words(q: QuotationFound) -> str:
    """The quotation, how it stands, what differs, and the nearest true words."""
    said = [messages.quoted(q.text)]
    if q.check is None:
        return said[0]
    said.append(f"{messages.STATUSES[q.check.status]}.")
    said += [f"({messages.difference_words(d)})" for d in q.check.difference]
    if q.check.status is not Status.VERIFIED and not q.elsewhere and q.check.nearest is not None:
        said.append(f"The document has: {messages.quoted(q.check.nearest.text)}")
    said += [messages.LIMITATIONS[code] for code in q.check.limitations]
    return " ".join(said)


def comment_words(c: CitationFound) -> str:
    document = c.resolved.card.record.path if c.resolved.card is not None else ""
    where = ", ".join(filter(None, (document, pages_words(c.page_labels, c.pinned.pages))))
    lines = [f"{messages.CITE_VERDICTS[c.verdict]}. {advice_words(c)}", where, *map(quotation_words, c.quotations)]
    return "\n".join(filter(None, lines))


def line_words(c: CitationFound) -> str:
    """One line for a terminal."""
    return (
        f"{c.citation_id} ({place_words(c)}) {c.mention.text}: {messages.CITE_VERDICTS[c.verdict]}. {advice_words(c)}"
    )


def summary_words(found: CiteCheck) -> str:
    if not found.citations:
        loose = messages.count(len(found.loose), "quotation")
        return f"No citation was found in the draft, and {loose} without one."
    counts = Counter(c.verdict for c in found.citations)
    kinds = ", ".join(f"{counts[v]} {messages.CITE_VERDICTS[v].lower()}" for v in Verdict if counts[v])
    return f"{messages.count(len(found.citations), 'citation')}: {kinds}."
