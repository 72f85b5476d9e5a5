"""Long work is a generator that yields these and returns its result; closing it cancels."""

from typing import NamedTuple


class Progress(NamedTuple):
    """``stage`` is a stable code ("read", "ocr", "embed", "retrieve", "answer", "verify", "export", "fetch").

    ``done`` and ``total`` count ``unit`` ("pages", "bytes", "passages", "claims"); ``total`` is None while unknown.
    ``source_id`` names what is being worked on, never by its path or text.
    """

    stage: str
    done: int
    total: int | None
    unit: str
    source_id: str | None = None
