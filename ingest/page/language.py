"""A guess at a page's language from its commonest words: good enough to say that English rules do not apply."""

import re

_COMMON = {
    "en": "the of and to in that is for by this be or shall with as not which from any are it on such at an",
    "fr": "le la les des et du en une est que dans pour par sur qui au ne pas ce avec aux sont il plus cette ou",
    "de": "der die das und ist den von zu mit nicht des ein eine im dem auf für sich auch es werden wird oder als",
    "es": "el la los las de que en y del se por con una para no su al es lo como más o este sus ha",
    "it": "il di che la e in un per è del della con non una le dei si da al sono nel alla ed gli o",
    "pt": "o a de que e do da em um para com não uma os no se na por mais as dos ao das ou é",
    "nl": "de het een van en in is dat op te zijn voor met die niet aan er door om ook als bij of wordt",
}
_SETS = {code: frozenset(words.split()) for code, words in _COMMON.items()}
_ANY = frozenset().union(*_SETS.values())
_SCRIPTS = {
    "he": re.compile("[\u0590-\u05ff]"),
    "ar": re.compile("[\u0600-\u06ff]"),
    "ru": re.compile("[\u0400-\u04ff]"),
    "el": re.compile("[\u0370-\u03ff]"),
    "ja": re.compile("[\u3040-\u30ff]"),
    "ko": re.compile("[\uac00-\ud7af]"),
    "zh": re.compile("[\u4e00-\u9fff]"),
    "th": re.compile("[\u0e00-\u0e7f]"),
}
_OTHER_SCRIPT = re.compile("[\u0370-\u1fff\u2c00-\ufb00]")
_MIN_WORDS = 25
_ENOUGH = 2000  # characters
_MARGIN = 2.0


def guess_language(text: str) -> str | None:
    """An ISO 639-1 code where the text is clearly not English; None where it is, or nothing can be said.

    Latin script: another language's commonest words must make up twice the share that English ones do.
    """
    other = "" if text.isascii() else "".join(_OTHER_SCRIPT.findall(text))  # often one sign or a bullet
    counts = {code: len(script.findall(other)) for code, script in _SCRIPTS.items()} if other else {}
    if any(counts.values()):
        letters = sum(map(str.isalpha, text))
        for code, count in counts.items():
            if count > 0.3 * letters:
                return code
    words = text[:_ENOUGH].lower().split()
    if len(words) < _MIN_WORDS:
        return None
    english = sum(map(_SETS["en"].__contains__, words))
    if english >= 0.2 * len(words):
        return None
    common = [word for word in words if word in _ANY]
    if len(common) <= _MARGIN * english:  # none can reach the margin
        return None
    counts = {code: sum(map(own.__contains__, common)) for code, own in _SETS.items() if code != "en"}
    best = max(counts, key=lambda code: (counts[code], code))
    return best if counts[best] >= 0.12 * len(words) and counts[best] > _MARGIN * english else None
