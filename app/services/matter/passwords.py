"""Passwords of locked documents: from a file or a prompt, held in memory, never stored."""

from collections.abc import Mapping
from pathlib import Path

from app.errors import Usage
from app.lines import read_lines


class HeldPasswords:
    """``ingest.ports.Passwords``. Its repr shows no password."""

    def __init__(self, by_path: Mapping[str, str]) -> None:
        self._by_path = dict(by_path)

    def for_path(self, path: str) -> str | None:
        return self._by_path.get(path)

    def __repr__(self) -> str:
        return f"HeldPasswords({len(self._by_path)})"


def read_passwords(file: Path) -> dict[str, str]:
    """Lines ``path<TAB>password``, the path relative to the matter. Raises Usage naming the line that is not one,
    InputMissing or InputUnreadable."""
    found: dict[str, str] = {}
    for number, line in enumerate(read_lines(file), start=1):
        path, tab, password = line.partition("\t")
        if line and not (path and tab):
            raise Usage(f"{file}, line {number}: not path<TAB>password")
        if line:
            found[path] = password
    return found
