"""Writes the sample matter: an invented dispute, the same bytes on every run.

``python -m app.sample.write FOLDER``
"""

import sys
import zipfile
from email.message import EmailMessage
from email.policy import SMTP
from importlib.resources import files
from io import BytesIO
from pathlib import Path

from app.sample.typeset import LabelRule, save, set_text
from ingest.mupdf import pymupdf

QUESTION = "How much notice must the Customer give to terminate for convenience?"
"""Asked on first run: the amendment changes the answer that the agreement gives."""

_SCAN_DPI = 200
_SKEW_DEGREES = 3.2


def write_sample(folder: Path) -> None:
    """Fills ``folder`` with nine documents. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    agreement = set_text(
        _text("agreement"),
        "Refrigeration Maintenance Services Agreement",
        (LabelRule(0, "r"), LabelRule(3, "D"), LabelRule(_schedules_begin(), "D", "S-")),
    )
    save(agreement, folder / "Maintenance Services Agreement.pdf", "Refrigeration Maintenance Services Agreement")
    _write_pdf(folder / "Amendment No 1.pdf", "amendment", "Amendment No. 1")
    _write_pdf(folder / "Board minute 28 May 2024.pdf", "minute", "Minute of the Board, 28 May 2024")
    _write_pdf(folder / "Financial schedule.pdf", "schedule", "Financial schedule")
    _write_scan(folder / "Exhibit 4 - inspection report (scan).pdf")
    _write_letter(folder / "Letter to Tessel 7 June 2024.docx")
    _write_mail(folder / "2024-06-03 Notice of termination.eml", "mail-notice", "Readings H2-A.pdf")
    _write_mail(folder / "2024-06-05 Reply from Tessel.eml", "mail-reply", None)
    (folder / "Call note 21 May 2024.txt").write_text(_text("call-note"), encoding="utf-8")


def _text(name: str) -> str:
    return files("app.sample").joinpath("text", f"{name}.txt").read_text(encoding="utf-8")


def _write_pdf(path: Path, name: str, title: str) -> None:
    save(set_text(_text(name), title), path, title)


def _schedules_begin() -> int:
    """The page on which the labels restart: as many as the text before the schedules fills."""
    before = _text("agreement").split("--- schedules\n")[0]
    with set_text(before, "") as doc:
        return len(doc)


def _write_scan(path: Path) -> None:
    """Page images only, the second page laid askew on the glass."""
    from PIL import Image

    scan = pymupdf.open()
    with set_text(_text("inspection"), "Haldane Marsh Consulting Engineers") as doc:
        for page in doc:
            pixels = page.get_pixmap(dpi=_SCAN_DPI, colorspace="gray")
            image = Image.frombytes("L", (pixels.width, pixels.height), pixels.samples)
            angle = _SKEW_DEGREES if page.number == 1 else 0
            image = image.rotate(angle, resample=Image.Resampling.BICUBIC, fillcolor=255)
            jpeg = BytesIO()
            image.save(jpeg, "JPEG", quality=70, dpi=(_SCAN_DPI, _SCAN_DPI))
            scan.new_page(width=page.rect.width, height=page.rect.height).insert_image(
                page.rect, stream=jpeg.getvalue()
            )
    save(scan, path, "")


def _write_letter(path: Path) -> None:
    import datetime

    from docx import Document

    letter = Document()
    letter.core_properties.title = "Letter to Tessel Refrigeration Services Limited"
    letter.core_properties.author = "Pell & Ardent LLP"
    letter.core_properties.created = letter.core_properties.modified = datetime.datetime(2024, 6, 7, 9, 0, 0)  # noqa: DTZ001 (OOXML core properties are naive UTC)
    for line in _text("letter").splitlines():
        if line.startswith("# "):
            letter.add_heading(line[2:], level=2)
        elif line:
            letter.add_paragraph(line)
    packed = BytesIO()
    letter.save(packed)
    # The packer stamps every member with the time of day; the sample is the same on every run.
    with zipfile.ZipFile(packed) as stamped, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as plain:
        for name in stamped.namelist():
            plain.writestr(zipfile.ZipInfo(name), stamped.read(name), zipfile.ZIP_DEFLATED)


def _write_mail(path: Path, name: str, attachment: str | None) -> None:
    head, body = _text(name).split("\n\n", 1)
    message = EmailMessage(policy=SMTP)
    for line in head.splitlines():
        field, value = line.split(": ", 1)
        message[field] = value
    message.set_content(body, charset="utf-8", cte="quoted-printable")
    if attachment:
        readings = set_text(_text("readings"), "Recorder H2-A")
        message.add_attachment(
            readings.tobytes(garbage=3, deflate=True, no_new_id=True),
            maintype="application", subtype="pdf", filename=attachment,
        )  # fmt: skip
        message.set_boundary("northmoor-20240603-1")
    path.write_bytes(message.as_bytes())


if __name__ == "__main__":
    write_sample(Path(sys.argv[1]))
