"""What a reader made of a file, for tests to compare: the texts of its flow, and what it said of it."""

from collections.abc import Iterable

from ingest.rendition.flow import Flow, Grid
from verify.domain.document import SourceWarning, WarningCode


def texts(flow: Flow) -> list[str]:
    """One string a block; a table row's cells are parted by bars."""
    found = []
    for block in flow:
        if isinstance(block, Grid):
            found += [" | ".join(" ".join(b.text for b in cell.blocks) for cell in row) for row in block.rows]
        else:
            found.append(f"{block.marker} {block.text}".strip())
    return found


def details(warnings: Iterable[SourceWarning]) -> dict[WarningCode, list[str]]:
    """The warnings' details by code, in order."""
    found: dict[WarningCode, list[str]] = {}
    for warning in warnings:
        found.setdefault(warning.code, []).append(warning.detail or "")
    return found
