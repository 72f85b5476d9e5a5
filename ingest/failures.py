"""Why a file could not be read. Raised by what opens a format; the pipeline turns them into a status.

The words go into a warning of the source, so they never quote the document.
"""

from verify.domain.document import SourceStatus


class ReadFailure(Exception):
    """``detail`` is one sentence in words."""

    status = SourceStatus.UNREADABLE

    def __init__(self, detail: str) -> None:
        super().__init__(detail)
        self.detail = detail


class Damaged(ReadFailure):
    """The bytes are not what the format allows, or pass a limit."""


class Unsupported(ReadFailure):
    status = SourceStatus.UNSUPPORTED


class Locked(ReadFailure):
    """A password is needed, or the one that was given does not fit."""

    status = SourceStatus.NEEDS_PASSWORD
