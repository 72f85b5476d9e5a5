"""The seam at which a matter's derived content is sealed. What has no content (ids, hashes, sizes) passes beside it."""

from typing import Protocol


class Vault(Protocol):
    """``context`` names the place that the bytes belong to ("page:sha256:…:profile:17"); a sealing vault binds them
    to it, so that rows cannot be exchanged."""

    @property
    def scheme(self) -> str:
        """``"none"`` or the name of the cipher, as the store's ``meta`` table keeps it."""
        ...

    def seal(self, data: bytes, context: str) -> bytes: ...

    def open(self, data: bytes, context: str) -> bytes:
        """Raises AccessDenied without the key, StoreFault for bytes that were altered or moved."""
        ...

    def may_read(self, access_class: str | None) -> bool:
        """False while the access class has a passphrase that was not given."""
        ...


class IdentityVault:
    """A matter that is not sealed: file permissions alone guard it."""

    scheme = "none"

    def seal(self, data: bytes, context: str) -> bytes:
        return data

    def open(self, data: bytes, context: str) -> bytes:
        return data

    def may_read(self, access_class: str | None) -> bool:
        return True
