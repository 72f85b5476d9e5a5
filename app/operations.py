"""The operational log: what was done, how it ended and where in the code it failed, so that a fault in the field can be
found. Ids, codes, counts and places only; a value that could be a sentence is refused. It lies in the
user's own log folder beside crash reports, is readable by that user alone, and is rotated.
"""

import os
import re
import time
import traceback
from pathlib import Path

from app.paths import PRIVATE_FILE, log_folder, private_folder

FILE = "operations.log"
MOST_BYTES = 1 << 20
"""Of one file; the one before is kept as ``operations.log.1``, an older one goes."""
_VALUE = re.compile(r"[A-Za-z0-9_.:~@+/#<>-]{0,120}")
"""What an id, a hash, a code, a count or a place is made of: no white space, so no sentence passes."""
REFUSED = "refused"


def record(event: str, **fields: object) -> None:
    """One line: time, process, ``event``, then ``name=value`` in the order given. A log that cannot be written costs
    nothing else: the work goes on."""
    words = [f"{name}={value}" for name, given in fields.items() for value in (_plain(given),)]
    line = " ".join((time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), str(os.getpid()), _plain(event), *words))
    try:
        path = private_folder(log_folder()) / FILE
        if path.exists() and path.stat().st_size > MOST_BYTES:
            path.replace(path.with_name(f"{FILE}.1"))
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, PRIVATE_FILE)
        with os.fdopen(descriptor, "ab") as log:
            log.write(line.encode() + b"\n")
    except OSError:
        return


def place_of(error: BaseException) -> str:
    """Where an error was raised, as ``file.py:12``, with its kind; never its message, which may quote a document."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "unknown"
    return f"{type(error).__name__}@{where}"


def _plain(value: object) -> str:
    text = str(value)
    return text if _VALUE.fullmatch(text) else REFUSED
