"""Whether a text is in English, the one language that triage reads: negations, stems and likeness are of English."""

import re

from models.language.wording import STOP_WORDS

_FUNCTION_WORDS = (
    "le la les des du un une et est dans pour par sur au aux ce cette ces qui que ne pas sont sera avec ou son",
    "der die das den dem des ein eine einer und ist nicht mit von zu im auf für werden wird sind oder durch bei nach",
    "el la los las del un una y es en por para con que no se su sus al como o este esta",
    "il lo la i gli le di del della un una e è in per con che non si sono dal al o questo questa",
    "de het een en van is in op voor met niet dat die te zijn wordt aan door of bij",
    "o a os as do da dos das um uma e é em por para com que não se no na ao ou este esta",
)
_FOREIGN = tuple(frozenset(listed.split()) - STOP_WORDS for listed in _FUNCTION_WORDS)
_WORD = re.compile(r"[^\W\d_]+")
_LEAST = 2
"""Different function words of another language before a text counts as written in it: a single one, however often it
stands there, may be a name, a prefix or a borrowed phrase ("non-EU")."""


def is_english(text: str) -> bool:
    """False where another language's function words outnumber English ones, or most letters are of another script.

    A text without either, such as a list of names and numbers, passes for English.
    """
    words = [word.lower() for word in _WORD.findall(text)]
    letters = "".join(words)
    if sum(not _is_latin(letter) for letter in letters) > len(letters) / 2:
        return False
    english = sum(word in STOP_WORDS for word in words)
    found = [[word for word in words if word in listed] for listed in _FOREIGN]
    foreign = max((len(of) for of in found if len(set(of)) >= _LEAST), default=0)
    return foreign <= english


def _is_latin(letter: str) -> bool:
    return letter < "\u0250" or "\u1e00" <= letter <= "\u1eff" or "\ufb00" <= letter <= "\ufb06"
