"""Sentences of the shown passages under ids that a model may pick, and the citation that a pick stands for.

A citation is made of offsets, so its quotation is the page's own text: nothing is copied by a model.
"""

import re
from collections.abc import Iterator, Sequence

from models.answering.drafts import ShownPassage, ShownSentence
from verify.domain.claim import Citation, CitedCell
from verify.sentences import sentences

_CLOSED = '.?!:;"”’)]'
_ITEM = re.compile(r"[“\"]|(?:[^\w\s“”\"'(\[]|\(?(?:[a-z]|[ivx]{1,5}|\d{1,2})[.)]|\d{1,2}(?:\.\d{1,2})+\.?)\s", re.I)
_LEADS_TO_ITEMS = re.compile(r"(?::|[;,](?:\s+(?:and|or|and/or))?)$")
_BETWEEN = len("\n\n")
"""What parts two elements in the page's text."""
LONGEST_LIST = 700
"""Characters up to which the paragraphs of a list are one sentence with what leads to them."""


def number_sentences(shown: Sequence[ShownPassage]) -> tuple[ShownSentence, ...]:
    """All sentences in order of handle and place; ids are ``{handle}.{n}``, n from 1.

    A sentence lies in one element, except that one cut by a page break, or between two paragraphs that follow each
    other, runs on into the next. A list, or a quoted text, in paragraphs of its own belongs to what leads to it
    ("The Tenant shall:").
    """
    return tuple(sentence for passage in shown for sentence in _sentences_of(passage))


def _sentences_of(shown: ShownPassage) -> Iterator[ShownSentence]:
    for number, (start, end, first, last) in enumerate(_joined(_spans(shown), shown), 1):
        text = shown.passage.text[start:end]
        yield ShownSentence(f"{shown.handle}.{number}", shown.handle, text, start, end, first, last)


_Span = tuple[int, int, int, int]


def _spans(shown: ShownPassage) -> list[_Span]:
    """Start and end in the passage, and the part they lie in, twice. What has no letter or digit is no sentence."""
    spans = []
    for index, part in enumerate(shown.passage.parts):
        text = shown.passage.text[part.at : part.at + part.end - part.start]
        for start, end in sentences(text):
            if any(map(str.isalnum, text[start:end])):
                spans.append((part.at + start, part.at + end, index, index))
    return spans


def _joined(spans: Sequence[_Span], shown: ShownPassage) -> list[_Span]:
    out: list[_Span] = []
    for span in spans:
        if out and _runs_on(out[-1], span, shown):
            before = out.pop()
            span = (before[0], span[1], before[2], span[3])
        out.append(span)
    return out


def _runs_on(before: _Span, after: _Span, shown: ShownPassage) -> bool:
    parts, text = shown.passage.parts, shown.passage.text
    ours, theirs = parts[before[3]], parts[after[2]]
    goes_on = text[before[1] - 1] not in _CLOSED and text[after[0]].islower()
    if theirs.page_index == ours.page_index + 1:
        return goes_on
    follows = theirs.page_index == ours.page_index and 0 < theirs.start - ours.end <= _BETWEEN
    tables = {table.parts[0].table.element_id for table in shown.tables}
    if (ours != theirs and not follows) or {ours.element_id, theirs.element_id} & tables:
        return False
    said = text[before[0] : before[1]]
    within = before[2] != before[3] and said.count("“") > said.count("”")  # a quoted text that was led to
    listed = follows and _LEADS_TO_ITEMS.search(said) and _ITEM.match(text[after[0] : after[1]])
    return (follows and goes_on) or (bool(within or listed) and after[1] - before[0] <= LONGEST_LIST)


def _cite_cell(shown: ShownPassage, sentence: ShownSentence, cell: CitedCell, text: str) -> Citation:
    passage, page_index = shown.passage, shown.passage.parts[sentence.first_part].page_index
    return Citation(
        passage.source_id, passage.fingerprint, page_index, shown.label_of(page_index), text, cell=cell
    )  # fmt: skip


def citations_of(shown: ShownPassage, sentence: ShownSentence) -> tuple[Citation, ...]:
    """The sentence's own, first, and that of the cell by which its row is named."""
    if sentence.beside is None:
        return (cite(shown, sentence),)
    return cite(shown, sentence), _cite_cell(shown, sentence, sentence.beside, sentence.beside_text)


def cite(shown: ShownPassage, sentence: ShownSentence) -> Citation:
    """The sentence as a quotation at its place; a table's cell as that. No ``element_id`` over several elements."""
    passage = shown.passage
    if sentence.cell is not None:
        return _cite_cell(shown, sentence, sentence.cell, sentence.cell_text)
    first, last = passage.parts[sentence.first_part], passage.parts[sentence.last_part]
    return Citation(
        source_id=passage.source_id,
        fingerprint=passage.fingerprint,
        page_index=first.page_index,
        page_label=shown.label_of(first.page_index),
        quotation=passage.text[sentence.start : sentence.end],
        element_id=first.element_id if first == last else None,
        end_page_index=last.page_index if last.page_index != first.page_index else None,
    )
