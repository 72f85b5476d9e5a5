"""Whether the pictures of a bundle are those of the documents: each is drawn again where the documents are at hand."""

import io
from collections.abc import Iterator
from typing import Any

from app.errors import PinciteError
from app.services.bundle.findings import BundleFinding, Fault, Opened
from app.services.evidence.crops import crop_name
from app.services.evidence.evidence import crop_of_check
from app.services.matter.matter import Matter
from verify.report import Status, VerificationReport

_CLEAR, _SHARE = 60, 0.001
"""Of 255: what an eye sees as another shade; and the share of samples that another renderer's smoothing may change."""


def picture_findings(opened: Opened, again: VerificationReport, matter: Matter) -> Iterator[BundleFinding]:
    """``again`` is the report over ``matter``, whose sources have ids of their own."""
    for stored, check in zip(opened.report.checks, again.checks, strict=True):
        if check.status is not Status.VERIFIED or check.evidence is None or stored.evidence is None:
            continue
        pages = sorted({region.page_index for region in check.evidence.regions})
        for index in pages:
            name = f"{crop_name(str(stored.check_id), index, pages)}.png"
            kept = opened.members.get(name)
            if kept is None:
                continue  # named as missing already
            try:
                _, drawn = crop_of_check(matter, check, index)
            except PinciteError:
                yield BundleFinding(name, Fault.PICTURE_DIFFERS, "it cannot be drawn again from the documents")
                continue
            if kept != drawn and not _alike(kept, drawn):
                yield BundleFinding(name, Fault.PICTURE_DIFFERS, "drawn again from the documents, it looks different")


def _alike(one: bytes, other: bytes) -> bool:
    import numpy as np

    try:
        ours, theirs = (_samples(data) for data in (other, one))
    except (OSError, ValueError, SyntaxError):  # Pillow raises these for what is no picture
        return False
    if ours.shape != theirs.shape:
        return False
    return bool((np.abs(ours.astype(np.int16) - theirs) > _CLEAR).mean() <= _SHARE)


def _samples(data: bytes) -> Any:
    import numpy as np
    from PIL import Image

    with Image.open(io.BytesIO(data), formats=("PNG",)) as picture:
        return np.asarray(picture.convert("RGB"))
