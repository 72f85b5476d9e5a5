"""Page labels as the document declares them (PDF 32000-1, 12.4.2), read from the number tree itself.

``Page.get_label`` (PyMuPDF 2.0) fails on UTF-16 prefixes and on trees with /Kids.
"""

from typing import Any, NamedTuple

from ingest.mupdf import mupdf, pymupdf
from ingest.numerals import number_text, roman_value

_DEPTH = 32
_NODES = 20_000
_LONGEST = 200
"""Characters of a prefix; each page carries it, and a file may declare one of a megabyte."""


class LabelRule(NamedTuple):
    """From page ``first`` (0-based): ``prefix`` and then the number in ``style`` (D, R, r, A, a, or none)."""

    first: int
    style: str
    prefix: str
    start: int


class Labels(NamedTuple):
    """One label a page, None where no rule reaches. ``faults`` says in words what is wrong with the declaration."""

    values: tuple[str | None, ...]
    faults: tuple[str, ...]

    @property
    def declared(self) -> bool:
        return any(value is not None for value in self.values)


def declared_labels(document: pymupdf.Document) -> Labels:
    """Labels of all pages; none for a file that is no PDF or declares nothing. Never raises for a damaged tree."""
    count = len(document)
    try:
        rules, faults = _rules(document)
    except Exception as error:  # MuPDF raises several unrelated classes for a broken object
        return Labels((None,) * count, (f"the page labels cannot be read ({type(error).__name__})",))
    if not rules:
        return Labels((None,) * count, tuple(faults))
    if any(len(rule.prefix) > _LONGEST for rule in rules):
        return Labels((None,) * count, (f"a page label is longer than {_LONGEST} characters",))
    values = tuple(_label(rules, index) for index in range(count))
    if rules[0].first > 0:
        faults.append(f"no label rule for the first {min(rules[0].first, count)} pages")
    return Labels(values, tuple(faults))


def label_conflict(declared: str | None, printed: str | None) -> str | None:
    """In words, that a page declares one number and prints another; None where they agree or cannot be compared.

    Only figures are compared with figures and romans with romans: a printed "3" may be short for "A-3".
    """
    if declared is None or printed is None:
        return None
    both = (declared, printed)
    figures = all(text.isdecimal() for text in both)
    romans = all(roman_value(text) is not None for text in both)
    if figures and int(declared) != int(printed):
        return f"the file calls this page {declared}, and {printed} is printed on it"
    if romans and roman_value(declared) != roman_value(printed):
        return f"the file calls this page {declared}, and {printed} is printed on it"
    return None


def _rules(document: pymupdf.Document) -> tuple[list[LabelRule], list[str]]:
    if not document.is_pdf:
        return [], []
    pdf = mupdf.pdf_document_from_fz_document(document)
    root = mupdf.pdf_dict_get(mupdf.pdf_trailer(pdf), mupdf.pdf_new_name("Root"))
    tree = mupdf.pdf_dict_gets(root, "PageLabels")
    found: list[tuple[int, Any]] = []
    faults: list[str] = []
    if mupdf.pdf_is_dict(tree):
        _walk(tree, found, faults)
    by_page: dict[int, LabelRule] = {}
    for first, rule in found:
        if first in by_page:
            faults.append(f"two label rules for page index {first}")
        by_page[first] = _rule(first, rule)
    return sorted(by_page.values()), faults


def _walk(tree: Any, found: list[tuple[int, Any]], faults: list[str]) -> None:
    pending, seen, visited = [(tree, 0)], set[int](), 0
    while pending:
        node, depth = pending.pop()
        number = mupdf.pdf_to_num(node)
        visited += 1
        if depth > _DEPTH or visited > _NODES or (number and number in seen):
            faults.append("the label tree is too deep or runs in a circle")
            continue
        seen.add(number)
        pairs = mupdf.pdf_dict_gets(node, "Nums")
        found.extend(
            (mupdf.pdf_to_int(mupdf.pdf_array_get(pairs, i)), mupdf.pdf_array_get(pairs, i + 1))
            for i in range(0, mupdf.pdf_array_len(pairs) - 1, 2)
        )
        kids = mupdf.pdf_dict_gets(node, "Kids")
        pending.extend((mupdf.pdf_array_get(kids, i), depth + 1) for i in reversed(range(mupdf.pdf_array_len(kids))))


def _rule(first: int, rule: Any) -> LabelRule:
    style = mupdf.pdf_dict_gets(rule, "S")
    start = mupdf.pdf_dict_gets(rule, "St")
    prefix = mupdf.pdf_dict_gets(rule, "P")
    return LabelRule(
        first,
        mupdf.pdf_to_name(style) if mupdf.pdf_is_name(style) else "",
        mupdf.pdf_to_text_string(prefix) if mupdf.pdf_is_string(prefix) else "",
        max(1, mupdf.pdf_to_int(start)) if mupdf.pdf_is_number(start) else 1,
    )


def _label(rules: list[LabelRule], index: int) -> str | None:
    rule = None
    for candidate in rules:
        if candidate.first > index:
            break
        rule = candidate
    if rule is None:
        return None
    return (rule.prefix + number_text(rule.style, rule.start + index - rule.first)) or None
