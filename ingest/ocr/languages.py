"""Tesseract's language codes: which there are, and whether a page was read with those of its own language.

A page that is read without its language comes out with a high confidence and wrong letters ("francais", "Griinwald"):
a clean French page read as English has a mean of 906 and one word in eight wrong. Its commonest words still tell.
"""

from collections.abc import Iterable, Sequence

from ingest.page.language import guess_language
from verify.domain.document import SourceWarning, WarningCode

KNOWN = frozenset(
    [
        "afr",
        "amh",
        "ara",
        "asm",
        "aze",
        "aze_cyrl",
        "bel",
        "ben",
        "bod",
        "bos",
        "bre",
        "bul",
        "cat",
        "ceb",
        "ces",
        "chi_sim",
        "chi_sim_vert",
        "chi_tra",
        "chi_tra_vert",
        "chr",
        "cos",
        "cym",
        "dan",
        "deu",
        "div",
        "dzo",
        "ell",
        "eng",
        "enm",
        "epo",
        "est",
        "eus",
        "fao",
        "fas",
        "fil",
        "fin",
        "fra",
        "frk",
        "frm",
        "fry",
        "gla",
        "gle",
        "glg",
        "grc",
        "guj",
        "hat",
        "heb",
        "hin",
        "hrv",
        "hun",
        "hye",
        "iku",
        "ind",
        "isl",
        "ita",
        "ita_old",
        "jav",
        "jpn",
        "jpn_vert",
        "kan",
        "kat",
        "kat_old",
        "kaz",
        "khm",
        "kir",
        "kmr",
        "kor",
        "kor_vert",
        "lao",
        "lat",
        "lav",
        "lit",
        "ltz",
        "mal",
        "mar",
        "mkd",
        "mlt",
        "mon",
        "mri",
        "msa",
        "mya",
        "nep",
        "nld",
        "nor",
        "oci",
        "ori",
        "osd",
        "pan",
        "pol",
        "por",
        "pus",
        "que",
        "ron",
        "rus",
        "san",
        "sin",
        "slk",
        "slv",
        "snd",
        "spa",
        "spa_old",
        "sqi",
        "srp",
        "srp_latn",
        "sun",
        "swa",
        "swe",
        "syr",
        "tam",
        "tat",
        "tel",
        "tgk",
        "tha",
        "tir",
        "ton",
        "tur",
        "uig",
        "ukr",
        "urd",
        "uzb",
        "uzb_cyrl",
        "vie",
        "yid",
        "yor",
    ]
)
"""Those of tessdata_fast 4.1, which Debian has as packages."""
_CODES = {
    "en": "eng", "fr": "fra", "de": "deu", "es": "spa", "it": "ita", "pt": "por", "nl": "nld", "he": "heb", "ar": "ara",
    "ru": "rus", "el": "ell", "ja": "jpn", "ko": "kor", "zh": "chi_sim", "th": "tha",
}  # fmt: skip
_NAMES = {"fra": "French", "deu": "German", "spa": "Spanish", "ita": "Italian", "por": "Portuguese", "nld": "Dutch"}
_SCRIPTS = {
    "Cyrillic": "rus ukr bel bul srp mkd mon kaz kir tgk tat aze_cyrl uzb_cyrl", "Greek": "ell grc",
    "Hebrew": "heb yid",
    "Arabic": "ara fas urd pus snd uig", "Han": "chi_sim chi_tra chi_sim_vert chi_tra_vert jpn jpn_vert",
    "Japanese": "jpn jpn_vert", "Korean": "kor kor_vert", "Thai": "tha", "Devanagari": "hin mar nep san",
}  # fmt: skip
"""What Tesseract's script detection names, and the languages written so, the commonest first."""


def code_of(language: str) -> str | None:
    """Tesseract's code of a language by its ISO 639-1 code ("de"); None for one without."""
    return _CODES.get(language)


def package(code: str) -> str:
    """The Debian package that holds a language's data ("chi_sim" is in tesseract-ocr-chi-sim)."""
    return "tesseract-ocr-" + code.lower().replace("_", "-").replace("/", "-")


def mistyped(codes: Iterable[str], installed: Iterable[str]) -> str | None:
    """What is wrong with codes that a person typed: one that is neither installed nor any of Tesseract's. None if all
    of them exist."""
    present = set(installed)
    unknown = [c for c in codes if c not in present and c not in KNOWN and not c.startswith("script/")]
    if not unknown:
        return None
    meant = [f"{code} is {_CODES[code.lower()]} there" for code in unknown if code.lower() in _CODES]
    named = f" ({', '.join(meant)})" if meant else ""
    return (
        f"Tesseract knows no language {', '.join(unknown)}{named}. Installed: {', '.join(sorted(present - {'osd'}))}. "
        f"Join codes by +, as in eng+fra; another language is installed as {' '.join(map(package, unknown[:1]))}."
    )


def main_language(text: str, languages: Sequence[str]) -> str | None:
    """The one of several languages that a text is in, if it is not the first; None if that is not clear."""
    guess = guess_language(text)
    code = _CODES.get(guess or "")
    return code if code in languages[1:] else None


def foreign_text(text: str, languages: Sequence[str]) -> SourceWarning | None:
    """Says so if a page of recognised text reads like a language that it was not recognised with."""
    code = _CODES.get(guess_language(text) or "")
    if code is None or code not in _NAMES or code in languages:
        return None
    return _warning(f"The page reads like {_NAMES[code]}", code, languages)


def foreign_script(script: str, languages: Sequence[str]) -> SourceWarning | None:
    """The same for a script that none of the languages is written in. ``script`` is Tesseract's name of it, or ""."""
    codes = _SCRIPTS.get(script, "").split()
    if not codes or any(language in codes for language in languages):
        return None
    return _warning(f"The page seems to be in {script} script", codes[0], languages)


_AGAIN = "index again with --lang "


def says_another_language(warning: SourceWarning) -> bool:
    """True for a warning that ``foreign_text`` or ``foreign_script`` gave."""
    return warning.code is WarningCode.OCR_LOW_CONFIDENCE and _AGAIN in warning.detail


def _warning(what: str, code: str, languages: Sequence[str]) -> SourceWarning:
    asked = "+".join((*languages, code))
    detail = (
        f"{what}, but was recognised as {'+'.join(languages)}: letters may be wrong. Look at the page, or "
        f"{_AGAIN}{asked} (its data is in the package {package(code)})."
    )
    return SourceWarning(WarningCode.OCR_LOW_CONFIDENCE, None, detail)
