"""Lines of a text file that a person wrote: questions, passwords, a passphrase."""

from pathlib import Path

from app.errors import InputMissing, InputUnreadable

_MARK = "\ufeff"
"""What editors on Windows put before UTF-8 text."""


def read_lines(path: Path) -> list[str]:
    """The lines of a UTF-8 file. Raises InputMissing or InputUnreadable."""
    try:
        return lines_of(path.read_bytes().decode("utf-8"))
    except FileNotFoundError as error:
        raise InputMissing(f"there is no file {path}") from error
    except (OSError, UnicodeDecodeError) as error:
        raise InputUnreadable(f"{path} cannot be read as UTF-8 text") from error


def lines_of(text: str) -> list[str]:
    """Parted at line feeds alone (a carriage return before one goes with it), so that no other character that Unicode
    calls a line's end cuts a question or a password in two."""
    lines = [line.removesuffix("\r") for line in text.removeprefix(_MARK).split("\n")]
    return lines[:-1] if not lines[-1] else lines
