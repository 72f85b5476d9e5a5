"""A sealed matter's passphrase in the operating system's keyring, where there is one and a person asked for it.

Silent where there is none: then the passphrase is given each time, as without this.
"""

from types import ModuleType

SERVICE = "pincite"
_LEAST_PRIORITY = 1  # keyring's own mark for a backend that guards what it keeps; plain files are below


def remember(matter_key: str, passphrase: str) -> bool:
    """False where there is no keyring, or it refuses."""
    ring = _keyring()
    if ring is None:
        return False
    try:
        ring.set_password(SERVICE, matter_key, passphrase)
    except _faults():
        return False
    return True


def recall(matter_key: str) -> str | None:
    ring = _keyring()
    try:
        found: str | None = None if ring is None else ring.get_password(SERVICE, matter_key)
    except _faults():
        return None
    return found


def drop(matter_key: str) -> bool:
    """Whether something was there to be taken out."""
    if recall(matter_key) is None:
        return False
    import keyring

    try:
        keyring.delete_password(SERVICE, matter_key)
    except _faults():
        return False
    return True


def _keyring() -> ModuleType | None:
    import keyring

    try:
        return keyring if keyring.get_keyring().priority >= _LEAST_PRIORITY else None
    except _faults():
        return None


def _faults() -> tuple[type[Exception], ...]:
    """A locked, dismissed or broken keyring; its backends let errors of the bus and of files through."""
    from keyring.errors import KeyringError

    return (KeyringError, RuntimeError, OSError)
