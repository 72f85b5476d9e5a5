"""Rows of long work, kept in a file that the user names as they are made, so that what was broken off goes on there."""

import json
from pathlib import Path
from typing import Any

from app.errors import InputUnreadable, Usage

Row = dict[str, Any]


class Journal:
    """Rows that are done, by their "id", kept in a file under what they were made with; ``path`` None keeps none.

    Raises Usage for a file of other work, InputUnreadable for one that cannot be read or written.
    """

    def __init__(self, path: Path | None, made_with: str) -> None:
        self._path = path
        self._head = json.dumps({"measured": made_with}, ensure_ascii=False) + "\n"
        self.done: dict[str, Row] = {}
        if path is None:
            return
        text = self._text(path)
        if self._head.startswith(text):  # new, or broken off in its first line
            self._write("w", self._head)
        else:
            self._read(path, text)

    def _text(self, path: Path) -> str:
        try:
            return path.read_text("utf-8")
        except FileNotFoundError:
            return ""
        except (OSError, ValueError) as error:
            raise InputUnreadable(f"{path} cannot be read") from error

    def _read(self, path: Path, text: str) -> None:
        lines = text.split("\n")[:-1]  # the last line may be cut
        try:
            head, *rows = map(json.loads, lines)
            self.done = {row["id"]: row for row in rows}
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise InputUnreadable(f"{path} holds no rows that could be gone on from") from error
        if head != json.loads(self._head):
            raise Usage(f"{path} belongs to other work; name another file")
        if not text.endswith("\n"):
            self._write("w", "".join(line + "\n" for line in lines))

    def add(self, row: Row) -> None:
        self.done[row["id"]] = row
        self._write("a", json.dumps(row) + "\n")

    def _write(self, mode: str, text: str) -> None:
        if self._path is None:
            return
        try:
            with self._path.open(mode, encoding="utf-8", newline="\n") as file:
                file.write(text)
        except OSError as error:
            raise InputUnreadable(f"{self._path} cannot be written ({error.strerror})") from error
