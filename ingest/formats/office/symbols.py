"""Characters of symbol fonts, whose code points mean nothing in any other font.

Symbol is Adobe's Symbol encoding; of Wingdings 1 to 3 those signs are known that carry a meaning in a contract or form.
What is not known is shown as a small square.
"""

from typing import Final

UNKNOWN: Final = "▪"

_SYMBOL = {
    0x22: "∀", 0x24: "∃", 0x27: "∋", 0x2A: "∗", 0x2D: "−", 0x40: "≅", 0x5C: "∴", 0x5E: "⊥", 0x60: "‾", 0x7E: "∼",
    0xA0: "€",
    0xA1: "ϒ", 0xA2: "′", 0xA3: "≤", 0xA4: "⁄", 0xA5: "∞", 0xA6: "ƒ", 0xA7: "♣", 0xA8: "♦", 0xA9: "♥", 0xAA: "♠",
    0xAB: "↔", 0xAC: "←", 0xAD: "↑", 0xAE: "→", 0xAF: "↓", 0xB0: "°", 0xB1: "±", 0xB2: "″", 0xB3: "≥", 0xB4: "×",
    0xB5: "∝", 0xB6: "∂", 0xB7: "•", 0xB8: "÷", 0xB9: "≠", 0xBA: "≡", 0xBB: "≈", 0xBC: "…", 0xBF: "↵", 0xC0: "ℵ",
    0xC1: "ℑ", 0xC2: "ℜ", 0xC3: "℘", 0xC4: "⊗", 0xC5: "⊕", 0xC6: "∅", 0xC7: "∩", 0xC8: "∪", 0xC9: "⊃", 0xCA: "⊇",
    0xCB: "⊄", 0xCC: "⊂", 0xCD: "⊆", 0xCE: "∈", 0xCF: "∉", 0xD0: "∠", 0xD1: "∇", 0xD2: "®", 0xD3: "©", 0xD4: "™",
    0xD5: "∏", 0xD6: "√", 0xD7: "⋅", 0xD8: "¬", 0xD9: "∧", 0xDA: "∨", 0xDB: "⇔", 0xDC: "⇐", 0xDD: "⇑", 0xDE: "⇒",
    0xDF: "⇓", 0xE0: "◊", 0xE1: "〈", 0xE2: "®", 0xE3: "©", 0xE4: "™", 0xE5: "∑", 0xF1: "〉", 0xF2: "∫",
}  # fmt: skip
_GREEK = dict(
    zip(
        b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
        "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖαβχδεφγηιϕκλμνοπθρστυϖωξψζ",
        strict=True,
    )
)
_WINGDINGS = {
    0x21: "✏", 0x22: "✂", 0x28: "☎", 0x2A: "✉", 0x46: "☞", 0x4A: "☺", 0x6C: "●", 0x6D: "❍", 0x6E: "■", 0x6F: "☐",
    0x71: "❑", 0x72: "❒", 0x73: "⬧", 0x74: "⧫", 0x75: "◆", 0x76: "❖", 0x77: "⬥", 0x78: "☒", 0x9F: "•", 0xA1: "○",
    0xA7: "▪", 0xA8: "☐", 0xD8: "➢", 0xDF: "←", 0xE0: "→", 0xE1: "↑", 0xE2: "↓", 0xE8: "➔", 0xEF: "⇦", 0xF0: "⇨",
    0xFB: "✗", 0xFC: "✓", 0xFD: "☒", 0xFE: "☑",
}  # fmt: skip
_WINGDINGS_CIRCLED = {first + n: chr(sign + n) for first, sign in ((0x81, 0x2460), (0x8C, 0x2776)) for n in range(10)}
_WINGDINGS_2 = {0x4F: "✗", 0x50: "✓", 0x51: "☒", 0x52: "☑", 0x53: "☒", 0x54: "☒", 0xA3: "☐"}
_WINGDINGS_3 = {0x22: "←", 0x66: "←", 0x67: "→", 0x68: "↑", 0x69: "↓", 0x7D: "▶", 0x75: "▲"}
_FONTS = {
    "symbol": {**_GREEK, **_SYMBOL},
    "wingdings": {**_WINGDINGS, **_WINGDINGS_CIRCLED},
    "wingdings 2": _WINGDINGS_2,
    "wingdings 3": _WINGDINGS_3,
}
_DECORATIVE = ("webdings", "zapf dingbats", "marlett", "mt extra")


def is_symbol_font(font: str) -> bool:
    return font.lower() in _FONTS or font.lower() in _DECORATIVE


def symbol(code: int, font: str) -> str:
    """The character that a symbol font draws for a code (with or without 0xF000). ``UNKNOWN`` where it is not known;
    of a font that is none of symbols the character itself, unless it lies in the private area."""
    small = code - 0xF000 if 0xF000 <= code <= 0xF0FF else code
    table = _FONTS.get(font.lower())
    if table is None and not is_symbol_font(font):
        if 0xE000 <= code <= 0xF8FF:
            return {**_WINGDINGS, **_WINGDINGS_2, 0xB7: "•"}.get(small, UNKNOWN)  # bullets of a font that is not named
        return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"
    if table is not None and small in table:
        return table[small]
    if small in (0x09, 0x0A, 0x20, 0xA0):
        return " "
    if font.lower() == "symbol" and 0x20 < small < 0x7F:
        return chr(small)  # digits and marks stand where ASCII has them
    return UNKNOWN


def in_font(text: str, font: str) -> str:
    """Text that is set in a font of symbols, as it is drawn; other text as it is."""
    if not is_symbol_font(font) and not any("\uf000" <= c <= "\uf0ff" for c in text):
        return text
    named = is_symbol_font(font)
    return "".join(symbol(ord(c), font) if "\uf000" <= c <= "\uf0ff" or (named and c < "\u0100") else c for c in text)
