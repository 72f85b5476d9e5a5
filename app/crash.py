"""A crash report that stays on the machine and holds no document text: kinds, places in the code, versions."""

import platform
import sys
import time
import traceback
from pathlib import Path

from app.paths import log_folder, private_folder, write_private


def describe(error: BaseException) -> str:
    """Exception types and where they passed; never their messages, which may quote a document or a path."""
    lines = [f"Python {platform.python_version()} on {platform.system()} {platform.machine()}"]
    fault: BaseException | None = error
    while fault is not None:
        lines.append(f"{type(fault).__module__}.{type(fault).__qualname__}")
        frames = traceback.extract_tb(fault.__traceback__)
        lines += [f"  {_place(frame.filename)}:{frame.lineno} in {frame.name}" for frame in frames]
        fault = fault.__cause__ or fault.__context__
    return "\n".join(lines) + "\n"


def _place(filename: str) -> str:
    """The file's path below the folder it was imported from, so that no user's name gets into the report."""
    path = Path(filename)
    for folder in sys.path:
        if folder and path.is_relative_to(folder):
            return path.relative_to(folder).as_posix()
    return path.name


def write_report(error: BaseException) -> Path | None:
    """Where the report lies, or None if it could not be written."""
    folder = log_folder()
    path = folder / f"crash-{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}.txt"
    try:
        private_folder(folder)
        write_private(path, describe(error).encode())
    except OSError:
        return None
    return path
