"""Characters of glyphs that MuPDF draws in a rendition and does not name.

Its Arabic font joins lam, and marks over shadda, in glyphs that its own map to Unicode lacks, so that a common article
came back without its lam. The numbers are of Noto Naskh Arabic as MuPDF 1.28 embeds it; a test reads every joining
back, so that another font is noticed. Each is named as the form that it is (initial lam, final alef).
"""

from ingest.mupdf import pymupdf

_FONT = "NotoNaskhArabic"
_LETTERS = {
    0x01C4: "\ufedf", 0x01C1: "\ufee0", 0x01BE: "\ufedf", 0x01C2: "\ufee0",
    0x0006: "\ufe8e", 0x0009: "\ufe84", 0x000C: "\ufe88", 0x0015: "\ufe82",
    0x0628: "\ufe8e", 0x062E: "\ufe84", 0x062F: "\ufe88", 0x062A: "\ufe82",
    0x0594: "\u0651\u064e", 0x0598: "\u0651\u064f", 0x059C: "\u0651\u0650", 0x0588: "\u0651\u064b",
    0x058C: "\u0651\u064c", 0x0590: "\u0651\u064d", 0x059E: "\u0651\u0670",
}  # fmt: skip
_END = b"endcmap"


def name_glyphs(document: "pymupdf.Document") -> None:
    """Adds the letters to the font's map from glyphs to Unicode, wherever the document uses that font."""
    rows = "".join(f"<{glyph:04x}> <{letters.encode('utf-16-be').hex()}>\n" for glyph, letters in _LETTERS.items())
    block = f"{len(_LETTERS)} beginbfchar\n{rows}endbfchar\n".encode()
    for xref in _maps(document):
        document.update_stream(xref, document.xref_stream(xref).replace(_END, block + _END))


def _maps(document: "pymupdf.Document") -> set[int]:
    fonts = {font[:4] for page in document for font in page.get_fonts(full=True)}
    arabic = [font[0] for font in fonts if font[3].replace(" ", "").startswith(_FONT)]
    named = (document.xref_get_key(xref, "ToUnicode") for xref in arabic)
    return {int(value.split()[0]) for kind, value in named if kind == "xref"}
