"""Passwords of locked documents: from a file or a prompt, held in memory, never stored."""

from collections.abc import Mapping
from pathlib import Path

from app.errors import InputMissing, InputUnreadable, Usage


class HeldPasswords:
    """``ingest.ports.Passwords``. Its repr shows no password."""

    def __init__(self, by_path: Mapping[str, str]) -> None:
        self._by_path = dict(by_path)

    def for_path(self, path: str) -> str | None:
        return self._by_path.get(path)

    def __repr__(self) -> str:
        return f"HeldPasswords({len(self._by_path)})"


def read_passwords(file: Path) -> dict[str, str]:
    """Lines ``path<TAB>password``, the path relative to the matter. Raises Usage naming the line that is not."""
    try:
        text = file.read_text("utf-8")
    except FileNotFoundError as error:
        raise InputMissing(f"there is no file {file}") from error
    except (OSError, UnicodeDecodeError) as error:
        raise InputUnreadable(f"{file} cannot be read as UTF-8 text") from error
    found: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        path, tab, password = line.partition("\t")
        if line and not (path and tab):
            raise Usage(f"{file}, line {number}: not path<TAB>password")
        if line:
            found[path] = password
    return found
