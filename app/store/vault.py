"""The seam at which a matter's derived content is sealed. What has no content (ids, hashes, sizes) passes beside it."""

from typing import Protocol

from app.errors import StoreFault


class Damaged(StoreFault):
    """Sealed bytes that were altered, moved or cut."""


Classes = tuple[str, ...]
"""Names of access classes with a passphrase of their own, sorted; empty: the matter's passphrase alone."""


class Vault(Protocol):
    """``context`` names the place that the bytes belong to ("page:sha256:…:profile:17"); a sealing vault binds them
    to it, so that rows cannot be exchanged. What is sealed says itself which classes it lies under."""

    @property
    def scheme(self) -> str:
        """``"none"`` or the name of the cipher, as the store's ``meta`` table keeps it."""
        ...

    @property
    def has_classes(self) -> bool:
        """Whether any access class has a passphrase, given or not."""
        ...

    @property
    def open_classes(self) -> Classes:
        """Those whose passphrases were given."""
        ...

    def seal(self, data: bytes, context: str, classes: Classes = ()) -> bytes:
        """Opens only with the matter's key and those of all ``classes``. Raises AccessDenied without one of them."""
        ...

    def open(self, data: bytes, context: str) -> bytes:
        """Raises AccessDenied without the keys, StoreFault for bytes that were altered or moved."""
        ...

    def may_read(self, access_class: str | None) -> bool:
        """False while the access class has a passphrase that was not given."""
        ...

    def guarding(self, access_class: str | None) -> Classes:
        """The class itself where it has a passphrase, given or not; else nothing."""
        ...

    def classes_of(self, sealed: bytes) -> Classes:
        """What sealed bytes (their first ``LONGEST_HEAD`` are enough) lie under. Raises StoreFault for damage."""
        ...

    def opens(self, sealed: bytes) -> bool:
        """Whether the keys for it are here."""
        ...


LONGEST_HEAD = 256
"""Bytes at the beginning of what is sealed that hold everything ``classes_of`` reads: enough for 31 classes."""


class IdentityVault:
    """A matter that is not sealed: file permissions alone guard it."""

    scheme = "none"
    has_classes = False
    open_classes: Classes = ()

    def seal(self, data: bytes, context: str, classes: Classes = ()) -> bytes:
        return data

    def open(self, data: bytes, context: str) -> bytes:
        return data

    def may_read(self, access_class: str | None) -> bool:
        return True

    def guarding(self, access_class: str | None) -> Classes:
        return ()

    def classes_of(self, sealed: bytes) -> Classes:
        return ()

    def opens(self, sealed: bytes) -> bool:
        return True
