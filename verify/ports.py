"""What verification sees of a source. It opens no file itself."""

from typing import Protocol, runtime_checkable

from verify.domain.document import Page, SourceRecord
from verify.domain.ids import Fingerprint, SourceId
from verify.domain.look import Look


class SourceView(Protocol):
    """One source of one matter.

    The adapter hashes the file again when it is first asked in a request, and once only.
    """

    @property
    def record(self) -> SourceRecord: ...

    @property
    def readable_by_user(self) -> bool:
        """False if the source lies in an access class that this reader has not opened."""
        ...

    def bytes_now(self) -> Fingerprint | None:
        """The fingerprint of the bytes on disk at check time; None if the file is gone or cannot be read.

        For a member of an e-mail or archive: the member's own bytes, taken from its container now.
        """
        ...

    def page(self, index: int) -> Page | None:
        """A page as it was read for ``record.fingerprint``; None where that page could not be read."""
        ...


@runtime_checkable
class KnowsDollars(Protocol):
    """A source that can tell which dollars its document names without giving out all its pages."""

    def known_dollars(self) -> frozenset[str]:
        """Codes as ``verify.currencies.named_dollars`` finds them in the text of all pages."""
        ...


@runtime_checkable
class Looks(Protocol):
    """A source whose pages can be compared with their own rendering."""

    def look(self, index: int, words: tuple[int, ...]) -> Look | None:
        """What was seen of a page (``verify.domain.look``). The lines of ``words`` (indexes into the page's) are read
        again where that is called for. None where nothing looks at pages; a page that cannot be rendered is a look that
        ``failed``. The same bytes and words give the same look."""
        ...


class Sources(Protocol):
    """The registry of one matter. An id of another matter is unknown here."""

    def find(self, source_id: SourceId) -> SourceView | None: ...
