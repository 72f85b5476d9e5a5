"""The one import of PyMuPDF: slim, and silent.

Plain ``import pymupdf`` (2.0) loads its layout models and an ONNX runtime and starts five threads (0.6 s, 139 MB).
Naming its two optional packages as absent leaves them out (0.08 s, 47 MB). MuPDF prints errors, and ``find_tables``
an advertisement, on stdout, where the command line promises one JSON document: all of that is switched off here.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

for _name in ("pymupdf.layout", "pymupdf4llm"):
    if _name not in sys.modules:
        sys.modules[_name] = None  # type: ignore[assignment]  # how an import is told that a module is absent

import pymupdf  # noqa: E402

pymupdf.TOOLS.mupdf_display_errors(False)
pymupdf.TOOLS.mupdf_display_warnings(False)
if hasattr(pymupdf, "no_recommend_layout"):
    pymupdf.no_recommend_layout()

mupdf = pymupdf.mupdf
"""The C library's own functions (``pdf_to_text_string`` and the like)."""

VERSION: str = f"{pymupdf.VersionBind}/{pymupdf.VersionFitz}"
"""PyMuPDF's and MuPDF's versions, as a parser's version records them."""

__all__ = ["VERSION", "mupdf", "plain_quads", "pymupdf"]


@contextmanager
def plain_quads() -> Iterator[None]:
    """Inside, PyMuPDF leaves the characters' boxes as MuPDF has them. By default it mends their heights where a font
    states none that fit, which is most of the cost of ``extractDICT`` and ``extractBLOCKS``."""
    pymupdf.TOOLS.unset_quad_corrections(True)
    try:
        yield
    finally:
        pymupdf.TOOLS.unset_quad_corrections(False)
