"""What a window of pages takes over from those before it, so that a reading that was cut off goes on there.

JSON, never a pickle: a worker makes it, and only another worker opens it.
"""

import json
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ingest.furniture.bates import Bates
from ingest.structure.heading_path import HeadingPath
from verify.domain.document import ElementKind, Page


class Carried(NamedTuple):
    """Into the window that starts with page ``begin``: the headings that it is under, the last Bates number of each
    prefix, what was found of the lines of each page of the window before it, and the page before."""

    begin: int
    path: HeadingPath
    run: list[tuple[int, Bates | None]]
    kinds: Mapping[int, Mapping[int, ElementKind]]
    before: Page | None


def at_the_start() -> Carried:
    return Carried(0, HeadingPath(), [], {}, None)


def to_bytes(
    begin: int,
    path: HeadingPath,
    run: Sequence[tuple[int, Bates | None]],
    kinds: Mapping[int, Mapping[int, ElementKind]],
) -> bytes:
    """All but the page before, which is kept as a page."""
    rows = [[page, list(lines.items())] for page, lines in kinds.items()]
    return json.dumps([begin, path.to_json(), run, rows], ensure_ascii=False).encode()


def from_bytes(data: bytes) -> Carried:
    """Without the page before. Raises ValueError, TypeError or KeyError for what ``to_bytes`` does not make."""
    begin, path, run, rows = json.loads(data)
    return Carried(
        int(begin),
        HeadingPath.from_json(path),
        [(page, Bates(*bates)) for page, bates in run],
        {page: {line: ElementKind(kind) for line, kind in lines} for page, lines in rows},
        None,
    )
