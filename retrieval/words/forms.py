"""Ways to write one word that a stemmer keeps apart: British and American spelling, irregular forms, marks on letters.

From general knowledge of English; a word that is not named here and follows no rule stays as it is.
"""

import re
import unicodedata

_RULES = (
    (re.compile(r"([a-z]{3,})our(s|ed|ing|able|ably|er|ers|ite|ites|less)?$"), r"\1or\2"),  # labour, honoured
    (re.compile(r"([a-z]{3,})is(e|ed|es|ing|ation|ations|er|ers|able)$"), r"\1iz\2"),  # organisation
    (re.compile(r"(anal|paral|catal)ys(e|ed|ing|er|ers)$"), r"\1yz\2"),
    (re.compile(r"(cent|theat|met|lit|fib|calib)re(s|d)?$"), r"\1er\2"),
    (re.compile(r"(defen|offen|preten|licen)ce(s|d|less)?$"), r"\1se\2"),
    (re.compile(r"(catal|dial|anal)ogue(s|d)?$"), r"\1og\2"),
    (re.compile(r"(judg|acknowledg|abridg)ement(s)?$"), r"\1ment\2"),
)
"""British to American. Only what is meant must be held apart: a word that a rule changes needlessly is changed in
passages and in queries alike."""
_EVERYWHERE = re.compile(
    r"(?:adv|advert|appr|appra|bru|ch?ast|circumc|comprom|compr|conc|cru|dem|desp|dev|disgu|enfranch|enterpr|exc|exerc"
    r"|expert|franch|improv|inc|likew|merchand|otherw|parad|pra|prec|prem|prom|ra|ar|repr|rev|superv|surm|surpr|telev"
    r"|treat|pra)is"
)
"""Beginnings of words in -ise that have no z in any spelling: promise, premises, revised."""
_FORMS = {
    form: base
    for base, forms in (
        ("arise", "arose arisen"),
        ("appendix", "appendices"),
        ("bear", "bore borne"),
        ("become", "became"),
        ("begin", "began begun"),
        ("break", "broke broken"),
        ("bring", "brought"),
        ("build", "built"),
        ("buy", "bought"),
        ("child", "children"),
        ("choose", "chose chosen"),
        ("criterion", "criteria"),
        ("deal", "dealt"),
        ("draw", "drew drawn"),
        ("drive", "drove driven"),
        ("fall", "fell fallen"),
        ("forbid", "forbade forbidden"),
        ("forgive", "forgave forgiven"),
        ("freeze", "froze frozen"),
        ("fulfill", "fulfil fulfils"),
        ("give", "gave given"),
        ("grow", "grew grown"),
        ("hear", "heard"),
        ("hold", "held"),
        ("index", "indices"),
        ("information", "info"),
        ("installment", "instalment instalments"),
        ("keep", "kept"),
        ("know", "knew known"),
        ("lend", "lent"),
        ("lose", "lost"),
        ("make", "made"),
        ("man", "men"),
        ("mean", "meant"),
        ("meet", "met"),
        ("memorandum", "memoranda"),
        ("pay", "paid"),
        ("percent", "percentum"),
        ("practice", "practise practised practises practising"),
        ("program", "programme programmes"),
        ("seek", "sought"),
        ("sell", "sold"),
        ("send", "sent"),
        ("show", "shown"),
        ("speak", "spoke spoken"),
        ("spend", "spent"),
        ("steal", "stole stolen"),
        ("swear", "swore sworn"),
        ("take", "took taken"),
        ("teach", "taught"),
        ("tell", "told"),
        ("think", "thought"),
        ("undertake", "undertook undertaken"),
        ("understand", "understood"),
        ("willful", "wilful"),
        ("win", "won"),
        ("withdraw", "withdrew withdrawn"),
        ("withhold", "withheld"),
        ("woman", "women"),
        ("write", "wrote written"),
    )
    for form in forms.split()
}
"""Irregular forms of words that contracts and judgments use, each by the form that a stemmer joins with its kin. Forms
with a meaning of their own ("left", "found", "bound") are not among them."""
_LATIN = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ð": "d", "ı": "i", "æ": "ae", "œ": "oe", "ß": "ss", "þ": "th"})
_GERMAN = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa"})
_COUNTED = """two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen"""
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
NUMBERS = {word: str(number) for number, word in enumerate(_COUNTED.split(), 2)}
NUMBERS |= {word: str(10 * number) for number, word in enumerate(_TENS.split(), 2)}
"""Numbers as words, without "one", which is mostly a pronoun."""


def base(word: str) -> str:
    """The form of a lower-case word that is stemmed: "organisation" → "organization", "paid" → "pay"."""
    if word in _FORMS:
        return _FORMS[word]
    for pattern, american in _RULES:
        if pattern.match(word):
            return word if _EVERYWHERE.match(word) else pattern.sub(american, word)
    return word


def plain_letters(word: str) -> list[str]:
    """A lower-case word without marks, as those write it who have no such keys: "müller" → "muller", "mueller". Empty
    for one of plain letters, or in another alphabet than the Latin."""
    if word.isascii():
        return []
    ways = (_bare(word), _bare(word.translate(_GERMAN)))
    return [way for way in dict.fromkeys(ways) if way.isascii()]


def _bare(word: str) -> str:
    decomposed = unicodedata.normalize("NFD", word.translate(_LATIN))
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))
