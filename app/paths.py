"""Where Pincite keeps things: outside every matter folder, in the user's own folders, 0600 in 0700."""

import hashlib
import os
from pathlib import Path

from app.errors import Usage

STORE_VARIABLE = "PINCITE_STORE"
SETTINGS_VARIABLE = "PINCITE_SETTINGS"
PRIVATE_FOLDER = 0o700
PRIVATE_FILE = 0o600
PART_SUFFIX = ".part"
"""Of a file that is being written; one that a killed process left behind is nothing."""


def store_root(override: Path | None = None) -> Path:
    """The folder of all matters' stores: ``--store``, else ``PINCITE_STORE``, else the user's data folder."""
    if override is not None:
        return override.expanduser().absolute()
    named = os.environ.get(STORE_VARIABLE)
    if named:
        return Path(named).expanduser().absolute()
    return _data_folder() / "store"


def _data_folder() -> Path:
    import platformdirs

    return Path(platformdirs.user_data_dir("pincite", appauthor=False))


def settings_file() -> Path:
    named = os.environ.get(SETTINGS_VARIABLE)
    if named:
        return Path(named).expanduser().absolute()
    import platformdirs

    return Path(platformdirs.user_config_dir("pincite", appauthor=False)) / "settings.json"


def log_folder() -> Path:
    import platformdirs

    return Path(platformdirs.user_log_dir("pincite", appauthor=False))


def matter_key(matter: Path) -> str:
    """Names a matter's store: a hash of the folder's real absolute path, so that the name says nothing about it."""
    real = os.path.realpath(matter)
    return hashlib.sha256(os.fsencode(real)).hexdigest()[:32]


def matter_folder(root: Path, matter: Path) -> Path:
    return root / matter_key(matter)


def private_folder(folder: Path) -> Path:
    """Makes the folder and those above it that are missing, for this user alone. Raises OSError."""
    missing = []
    at = folder
    while not at.exists():
        missing.append(at)
        at = at.parent
    for path in reversed(missing):
        path.mkdir(mode=PRIVATE_FOLDER, exist_ok=True)
    return folder


def write_private(path: Path, data: bytes) -> None:
    """Writes the file whole or not at all: aside, synced, renamed. Raises OSError."""
    aside = path.with_name(f"{path.name}.{os.getpid()}{PART_SUFFIX}")
    descriptor = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0), PRIVATE_FILE)
    try:
        with os.fdopen(descriptor, "wb") as handle:
            handle.write(data)
            handle.flush()
            os.fsync(handle.fileno())
        aside.replace(path)
    except BaseException:
        aside.unlink(missing_ok=True)
        raise


def refuse_inside(target: Path, matter: Path) -> None:
    """The matter folder is only ever read. Raises Usage for a target in it, by whatever name or link."""
    if target.resolve().is_relative_to(matter.resolve()):
        raise Usage(f"{target} lies in the matter folder, which is never written; choose another place")


def model_folder() -> Path:
    """Model files, shared by all matters."""
    return _data_folder() / "models"


def sample_folder() -> Path:
    """The sample matter, which the first run writes."""
    return _data_folder() / "Sample matter"
