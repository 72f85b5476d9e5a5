"""Words of a slide's shapes: paragraphs with their numbers, runs in their styles, equations."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from ingest.formats.office.charts import A
from ingest.formats.office.equations import M, linear
from ingest.formats.office.symbols import in_font
from ingest.formats.office.word_numbering import format_number
from ingest.formats.office.word_tree import MC, alternative_of
from ingest.formats.safe_xml import Node
from ingest.rendition.flow import Run
from verify.domain.document import SpanKind

_NUMBER = re.compile(r"(arabic|alphaLc|alphaUc|romanLc|romanUc)(Period|ParenR|ParenBoth|Plain)")
_STYLES = {
    "arabic": "decimal", "alphaLc": "lowerLetter", "alphaUc": "upperLetter", "romanLc": "lowerRoman",
    "romanUc": "upperRoman",
}  # fmt: skip
_FORMS = {"Period": "{}.", "ParenR": "{})", "ParenBoth": "({})", "Plain": "{}"}


class SlideParagraph(NamedTuple):
    """``marker`` is the number that the program draws."""

    runs: tuple[Run, ...]
    marker: str = ""
    level: int = 0


def paragraphs(body: Node | None) -> Iterator[SlideParagraph]:
    """Paragraphs with words in them."""
    counts: dict[int, tuple[str, int]] = {}
    for node in () if body is None else body.iterfind(f"{A}p"):
        runs = tuple(_runs(node))
        level, marker = _numbered(node, counts)
        if "".join(run.text for run in runs).strip():
            yield SlideParagraph(runs, marker, level)


def _numbered(node: Node, counts: dict[int, tuple[str, int]]) -> tuple[int, str]:
    """The depth and the number of a paragraph. A list counts on as long as its kind stays the same at its depth."""
    properties = node.find(f"{A}pPr")
    depth = "0" if properties is None else properties.get("lvl", "0")
    level = int(depth) if depth.isdecimal() and len(depth) < 3 else 0
    for deeper in [at for at in counts if at > level]:
        del counts[deeper]
    numbering = None if properties is None else properties.find(f"{A}buAutoNum")
    form = None if numbering is None else _NUMBER.fullmatch(numbering.get("type", ""))
    if numbering is None or form is None:
        counts.pop(level, None)
        return level, ""
    start = numbering.get("startAt", "1")
    first = int(start) if start.isdecimal() and len(start) < 6 else 1
    kind, number = counts.get(level, ("", 0))
    number = number + 1 if kind == form[0] else first
    counts[level] = (form[0], number)
    return level, _FORMS[form[2]].format(format_number(_STYLES[form[1]], number))


def _runs(paragraph: Node) -> Iterator[Run]:
    for node in paragraph:
        if node.tag == f"{A}br":
            yield Run("\n")
        elif node.tag in (f"{A}r", f"{A}fld"):
            yield _run(node)
        elif node.tag == f"{MC}AlternateContent":
            chosen = alternative_of(node)
            if chosen is not None:
                yield from _runs(chosen)
        elif next(node.iter(f"{M}oMath"), None) is not None:
            yield Run("".join(map(linear, node.iter(f"{M}oMath"))))


def _run(node: Node) -> Run:
    style = node.find(f"{A}rPr")
    text = "".join(t.text or "" for t in node.iterfind(f"{A}t"))
    if style is None:
        return Run(text)
    font = style.find(f"{A}sym")
    font = style.find(f"{A}latin") if font is None else font
    text = in_font(text, "" if font is None else font.get("typeface", ""))
    text = text.upper() if style.get("cap") == "all" else text
    kinds = [SpanKind.STRUCK] if style.get("strike", "noStrike") != "noStrike" else []
    moved = style.get("baseline", "").removesuffix("%")
    raised, lowered = moved.lstrip("0").isdecimal(), moved.startswith("-") and moved[1:].lstrip("0").isdecimal()
    bold, italic = (style.get(name) in ("1", "true") for name in ("b", "i"))
    return Run(text, bold, italic, False, raised, lowered).of(*kinds)
