"""What an untrusted file may cost, and the system's own limits that a worker process puts on itself."""

import contextlib
import sys
from dataclasses import dataclass

_MEBIBYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """Caps on one file. What passes a cap is left out with a warning ``truncated``, or the file is ``unreadable``.

    ``address_space`` in bytes: MuPDF needs under 1 GB for the worst page measured, so 3 GB leaves room and still ends
    a runaway. ``seconds_silent``: a worker that sends nothing for so long hangs, and is killed. ``expansion``: a member
    of an archive that grows by more than this factor (and over 1 MB) is a bomb; Deflate's own maximum is 1,032.
    """

    address_space: int = 3072 * _MEBIBYTE
    seconds_silent: float = 120.0
    file_bytes: int = 4096 * _MEBIBYTE
    pages: int = 20_000
    image_pixels: int = 200_000_000
    nesting: int = 6
    members: int = 5_000
    member_bytes: int = 256 * _MEBIBYTE
    family_bytes: int = 2048 * _MEBIBYTE
    expansion: int = 300
    xml_bytes: int = 96 * _MEBIBYTE
    flow_characters: int = 20_000_000
    flow_blocks: int = 200_000
    cells: int = 400_000
    merged_cells: int = 400_000


def restrict_this_process(limits: Limits) -> None:
    """Bounds memory and switches core dumps off (they would hold document text). Nothing to do on Windows."""
    if sys.platform == "win32":
        return
    import resource

    for which, most in ((resource.RLIMIT_AS, limits.address_space), (resource.RLIMIT_CORE, 0)):
        with contextlib.suppress(ValueError, OSError):  # macOS has no limit of address space
            resource.setrlimit(which, (most, most))
