"""Which parts of a mail are another person's words: quoted lines, and all that stands under a repeated head.

Mail programs quote in three ways: each line behind ">", everything after "On … wrote:", or everything after a block of
"From: … Sent: … To: … Subject: …" lines. The lines that lead a quotation in stay as they are, so that it is
kept whose words follow. The phrases are in ``replies.toml``.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby, pairwise
from pathlib import Path

from ingest.rendition.flow import Block, BlockKind, Flow, Grid, Run
from verify.domain.document import SpanKind

_PHRASES = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
_QUOTED = re.compile(r"[ \t]{0,3}>")
_LEAD = re.compile("|".join(_PHRASES["lead"]), re.IGNORECASE)
_DIVIDER = re.compile("|".join(_PHRASES["divider"]), re.IGNORECASE)
_FIELD = {name: re.compile(rf"[ \t*>]{{0,6}}(?:{'|'.join(words)})[ \t*]*:", re.IGNORECASE)
          for name, words in _PHRASES["field"].items()}  # fmt: skip
_NEAR = 6
"""Lines in which a repeated head names its sender and its date."""


def with_replies(flow: Flow) -> list[Block | Grid]:
    """The body of a mail with the words of others marked. A paragraph of quoted lines and answers is taken apart."""
    out: list[Block | Grid] = []
    quoted = False
    waiting = False
    parted = [piece for block in flow for piece in ([block] if isinstance(block, Grid) else _at_heads(block))]
    for at, block in enumerate(parted):
        if isinstance(block, Grid):
            out.append(_marked_grid(block) if quoted else block)
            continue
        if quoted or _begins_head(parted, at):
            quoted = True
            out.append(_marked(block))
            continue
        for piece, is_quoted in _pieces(block):
            led = waiting and not is_quoted
            if led and piece.text.strip():  # "On … wrote:" and no mark before the lines: all that follows is quoted
                quoted = True
            out.append(_marked(piece) if is_quoted or quoted else piece)
            waiting = _leads(piece.text) if piece.text.strip() else waiting
    return out


def _leads(text: str) -> bool:
    """Whether the last line says that another's words follow."""
    last = " ".join(text.strip().split("\n")[-3:])
    return any(map(str.isdigit, last)) and _LEAD.search(last) is not None  # it names the day


def _begins_head(flow: Flow, at: int) -> bool:
    """Whether a repeated head begins at this block: a line that parts mails, or fields of a sender and a date."""
    lines: list[str] = []
    for block in flow[at : at + _NEAR]:
        if isinstance(block, Grid):
            break
        lines += [line for line in block.text.split("\n") if line.strip()]
    return _is_head(lines[:_NEAR])


def _is_head(near: list[str]) -> bool:
    if not near or _DIVIDER.fullmatch(near[0].strip()):
        return bool(near)
    return _FIELD["from"].match(near[0]) is not None and all(
        any(_FIELD[name].match(line) for line in near[1:]) for name in ("date", "to")
    )


def _at_heads(block: Block) -> Iterator[Block]:
    """The block, cut where a repeated head begins in it."""
    if "\n" not in block.text:
        yield block
        return
    lines = list(_lines(block))
    texts = [_text(line) for line in lines]
    first = next((n for n in range(1, len(texts)) if texts[n].strip() and _is_head(texts[n : n + _NEAR])), None)
    starts = [] if first is None else [first]
    for start, end in pairwise([0, *starts, len(lines)]):
        yield replace(block, runs=tuple(_joined(lines[start:end])))


def _joined(lines: Iterable[list[Run]]) -> Iterator[Run]:
    for n, line in enumerate(lines):
        if n:
            yield Run("\n")
        yield from line


def _pieces(block: Block) -> Iterator[tuple[Block, bool]]:
    """The block's lines in stretches that are quoted or are not; within an unquoted one a repeated head may begin."""
    if SpanKind.QUOTED_REPLY in {kind for run in block.runs for kind in run.kinds}:
        yield block, True
        return
    if "\n" not in block.text and not _QUOTED.match(block.text):
        yield block, False
        return
    for is_quoted, lines in groupby(_lines(block), key=lambda line: _QUOTED.match(_text(line)) is not None):
        yield replace(block, runs=tuple(_joined(lines))), is_quoted


def _text(line: list[Run]) -> str:
    return "".join(run.text for run in line)


def _lines(block: Block) -> Iterator[list[Run]]:
    line: list[Run] = []
    for run in block.runs:
        first, *rest = run.text.split("\n")
        line += [run._replace(text=first)] if first else []
        for text in rest:
            yield line
            line = [run._replace(text=text)] if text else []
    yield line


def _marked(block: Block) -> Block:
    kind = BlockKind.QUOTE if block.kind is BlockKind.PARAGRAPH else block.kind
    return replace(block, kind=kind, runs=tuple(run.of(SpanKind.QUOTED_REPLY) for run in block.runs))


def _marked_grid(grid: Grid) -> Grid:
    return Grid(
        tuple(
            tuple(cell._replace(blocks=tuple(_marked(block) for block in cell.blocks)) for cell in row)
            for row in grid.rows
        )
    )
