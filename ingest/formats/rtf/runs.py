"""Characters of an RTF file as runs: their style, and what they are beside text."""

from collections.abc import Iterator

from ingest.formats.rtf.control_words import State
from ingest.rendition.flow import Block, BlockKind, Run, in_line
from verify.domain.document import SpanKind


def run_of(text: str, state: State) -> Run:
    """Characters as a state sets them."""
    return Run(text, state.bold, state.italic, state.underlined, state.raised, state.lowered, _kinds(state))


def _kinds(state: State) -> frozenset[SpanKind]:
    flags = (state.deleted, state.inserted, state.struck)
    kinds = (SpanKind.DELETED, SpanKind.INSERTED, SpanKind.STRUCK)
    return frozenset(kind for flag, kind in zip(flags, kinds, strict=True) if flag)


def one_line(runs: list[Run]) -> list[Run]:
    """White space as one space, none at the ends."""
    return in_line([Block(BlockKind.NOTE, tuple(runs))])


def lines_of(runs: list[Run]) -> Iterator[list[Run]]:
    """The lines of a text box."""
    line: list[Run] = []
    for run in runs:
        first, *rest = run.text.split("\n")
        line.append(run._replace(text=first))
        for text in rest:
            yield one_line(line)
            line = [run._replace(text=text)]
    yield one_line(line)
