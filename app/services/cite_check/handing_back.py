"""The draft handed back: a copy with comments, a report worst first, a table of authorities. Bytes in, bytes out."""

import html
import io
from collections.abc import Iterator
from pathlib import Path

from docx import Document
from docx.text.run import Run
from openpyxl import Workbook
from openpyxl.styles import Alignment, Font

from app import messages
from app.errors import InputUnreadable, Usage
from app.services.cite_check import wording
from app.services.cite_check.findings import CitationFound, CiteCheck
from app.services.cite_check.verdicts import severity
from app.services.cite_check.word import isolate, open_word, paragraphs
from verify.domain.canonical import sha256_of

AUTHOR, INITIALS = "Pincite", "P"
HEADERS = ("Verdict", "Citation", "Where in the draft", "Document", "Page", "What to do", "Quotations", "Offered for")
_WIDTHS = (22, 44, 16, 36, 12, 60, 60, 60)
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def handed_back(found: CiteCheck, draft: Path, kind: str) -> bytes:
    """``kind`` is ".docx", ".pdf", ".html" or ".xlsx". Raises Usage where the draft is of another kind than the copy
    that is asked for, InputUnreadable if the draft was changed since it was read."""
    if kind == ".html":
        return report_html(found)
    if kind == ".xlsx":
        return report_xlsx(found)
    data = draft.read_bytes()
    if sha256_of(data) != found.draft.fingerprint:
        raise InputUnreadable(f"{draft} was changed while it was checked; run the check again")
    if kind == ".docx":
        if found.draft.pages:
            raise Usage("a copy with comments as DOCX needs a draft in DOCX; ask for .html, .xlsx or, of a PDF, .pdf")
        return marked_word(found, data)
    if found.draft.media_type != "application/pdf":
        raise Usage("a copy with annotations needs a draft in PDF; ask for .docx, .html or .xlsx")
    from app.services.cite_check.marked_pdf import marked_pdf

    return marked_pdf(found, data)


def worst_first(found: CiteCheck) -> list[CitationFound]:
    """By verdict, then as they come in the draft."""
    return sorted(found.citations, key=lambda c: severity(c.verdict))


def marked_word(found: CiteCheck, data: bytes) -> bytes:
    """The same document with a comment at each citation in the text; of a note the comment stands at its reference's
    paragraph, since Word takes no comment in a note."""
    document = open_word(data, found.draft.path)
    by_name = {p.name: p for p in paragraphs(document)}
    anchors: dict[str, str] = {}
    last = ""
    for paragraph in by_name.values():
        last = last if paragraph.note else paragraph.name
        anchors[paragraph.name] = last
    for citation in reversed(found.citations):
        name = citation.place.element
        target = by_name[anchors[name]].element
        if by_name[name].note:
            runs = isolate(target, 0, 10_000_000)[-1:]
        else:
            runs = isolate(target, citation.place.start, citation.place.end)
        if runs:
            comment = wording.comment_words(citation)
            marked = [Run(run, document.element.body) for run in (runs[0], runs[-1])]
            document.add_comment(marked, text=comment, author=AUTHOR, initials=INITIALS)
    return _saved(document)


def _saved(document: object) -> bytes:
    target = io.BytesIO()
    document.save(target)  # type: ignore[attr-defined]
    return target.getvalue()


def _rows(found: CiteCheck) -> Iterator[tuple[str, ...]]:
    for c in worst_first(found):
        card = c.resolved.card
        yield (
            messages.CITE_VERDICTS[c.verdict], c.mention.text, wording.place_words(c),
            card.record.path if card else "; ".join(f"? {k.record.path}" for k in c.resolved.candidates),
            wording.pages_words(c.page_labels, c.pinned.pages), wording.advice_words(c),
            "\n".join(wording.quotation_words(q) for q in c.quotations), c.proposition,
        )  # fmt: skip


def report_xlsx(found: CiteCheck) -> bytes:
    book = Workbook()
    sheet = book.active
    sheet.title = "Citations"
    _fill(sheet, [HEADERS, *_rows(found)], _WIDTHS)
    authorities = book.create_sheet("Authorities")
    _fill(
        authorities,
        [("Authority", "Pages of the draft"), *((a.name, _on_pages(a.pages)) for a in found.authorities)],
        (80, 30),
    )
    loose = book.create_sheet("Quotations without citation")
    rows = [
        (q.text, "; ".join(f"{path}, {messages.page_name(label, page)}" for _, path, page, label in q.found))
        for q in found.loose
    ]
    _fill(loose, [("Quotation", "Stands in"), *rows], (90, 60))
    return _saved(book)


def _fill(sheet: object, rows: list[tuple[str, ...]], widths: tuple[int, ...]) -> None:
    """Text only: what begins like a formula is kept as text."""
    for at, row in enumerate(rows, start=1):
        for column, value in enumerate(row, start=1):
            clean = "".join(c for c in value if c >= " " or c in "\n\t")
            cell = sheet.cell(row=at, column=column, value=clean[:32_000])  # type: ignore[attr-defined]
            if clean.startswith(_FORMULA):
                cell.data_type = "s"
                cell.quotePrefix = True
            cell.alignment = Alignment(wrap_text=True, vertical="top")
            if at == 1:
                cell.font = Font(bold=True)
    for number, width in enumerate(widths):
        sheet.column_dimensions["ABCDEFGHIJ"[number]].width = width  # type: ignore[attr-defined]
    sheet.freeze_panes = "A2"  # type: ignore[attr-defined]


_STYLE = """body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem;color:#1a1a1a}
article{border-left:5px solid #888;padding:.2rem 1rem;margin:1rem 0}h2{font-size:1rem;margin:0}
.not_in_matter,.quotation_differs,.no_such_page{border-color:#b3261e}.not_on_page,.not_supported{border-color:#c77700}
.check_by_eye,.unclear{border-color:#666}.stands{border-color:#2e7d32}p{margin:.2rem 0}small{color:#555}"""


def report_html(found: CiteCheck) -> bytes:
    """One page without scripts, pictures or addresses of other machines."""
    parts = [
        "<!doctype html><html lang='en'><meta charset='utf-8'>",
        f"<title>{_e(found.draft.path)}</title><style>{_STYLE}</style>",
        f"<h1>{_e(found.draft.path)}</h1><p>{_e(wording.summary_words(found))}</p>",
        *(f"<p>{_e(messages.DRAFT_NOTES[note])}</p>" for note in found.draft.notes),
    ]
    for c in worst_first(found):
        document = c.resolved.card.record.path if c.resolved.card else ""
        where = ", ".join(filter(None, (document, wording.pages_words(c.page_labels, c.pinned.pages))))
        quoted = "".join(f"<p>{_e(wording.quotation_words(q))}</p>" for q in c.quotations)
        parts.append(
            f"<article class='{c.verdict.value}'><h2>{_e(messages.CITE_VERDICTS[c.verdict])}: {_e(c.mention.text)}</h2>"
            f"<p>{_e(wording.advice_words(c))}</p>{quoted}"
            f"<p><small>{_e(wording.place_words(c))} → {_e(where or '–')}</small></p>"
            f"<p><small>{_e(c.proposition)}</small></p></article>"
        )
    parts += [f"<h1>{_e('Quotations without citation')}</h1>"] if found.loose else []
    for q in found.loose:
        where = "; ".join(f"{path}, {messages.page_name(label, page)}" for _, path, page, label in q.found)
        parts.append(f"<p>“{_e(q.text)}” <small>{_e(where)}</small></p>")
    return "\n".join(parts).encode("utf-8")


def _e(text: str) -> str:
    return html.escape(text)


_GROUPS = {"cases": "Cases", "statutes": "Statutes", "other": "Other authorities"}


def authorities_table(found: CiteCheck) -> bytes:
    """A table of authorities as DOCX, with the pages of the draft; paragraphs where the draft has no pages."""
    document = Document()
    document.add_heading("Table of Authorities", level=1)
    by_id = {c.citation_id: c for c in found.citations}
    for group, title in _GROUPS.items():
        rows = [a for a in found.authorities if a.group == group]
        if not rows:
            continue
        document.add_heading(title, level=2)
        table = document.add_table(rows=0, cols=2)
        for authority in rows:
            cells = table.add_row().cells
            cells[0].text = authority.name
            places = dict.fromkeys(wording.place_words(by_id[i]) for i in authority.citation_ids)
            cells[1].text = _on_pages(authority.pages) or ", ".join(places)
    return _saved(document)


def _on_pages(pages: tuple[int, ...]) -> str:
    return ", ".join(str(page + 1) for page in pages)
