"""How currencies are written: ISO 4217 codes, signs and names. ``DOLLAR`` stands for a dollar that is not named."""

import re

DOLLAR = "$"
PERCENT = "%"

CODES = frozenset(
    [*"""AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF
    CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG
    HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD
    MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF
    SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TRY TTD TWD TZS UAH UGX USD UYU UZS VES
    VND VUV WST XAF XCD XOF XPF YER ZAR ZMW ZWG""".replace("\n", " ").split()]
)  # fmt: skip

SIGNS = {
    "US$": "USD", "U.S.$": "USD", "USD$": "USD", "$US": "USD", "C$": "CAD", "CA$": "CAD", "CAD$": "CAD", "Can$": "CAD",
    "CDN$": "CAD", "A$": "AUD", "AU$": "AUD", "AUD$": "AUD", "NZ$": "NZD", "HK$": "HKD", "S$": "SGD", "SG$": "SGD",
    "NT$": "TWD", "R$": "BRL", "MX$": "MXN", "J$": "JMD", "$": DOLLAR, "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR",
    "₩": "KRW", "₽": "RUB", "₺": "TRY", "₪": "ILS", "₫": "VND", "฿": "THB", "₦": "NGN", "₴": "UAH", "₱": "PHP",
    "zł": "PLN", "Kč": "CZK", "SFr": "CHF", "RMB": "CNY",
}  # fmt: skip

_DOLLARS = {
    "us": "USD", "u.s.": "USD", "united states": "USD", "american": "USD", "canadian": "CAD", "australian": "AUD",
    "new zealand": "NZD", "hong kong": "HKD", "singapore": "SGD", "taiwan": "TWD", "jamaican": "JMD",
}  # fmt: skip

NAMES = {
    "dollar": DOLLAR, "euro": "EUR", "pound sterling": "GBP", "pounds sterling": "GBP", "sterling": "GBP",
    "british pound": "GBP", "swiss franc": "CHF", "japanese yen": "JPY", "yen": "JPY", "renminbi": "CNY", "yuan": "CNY",
    "indian rupee": "INR", **{f"{who} dollar": code for who, code in _DOLLARS.items()},
}  # fmt: skip
"""Lower case and singular; a plural adds "s"."""

DOLLAR_CODES = frozenset({"CAD", "AUD", "NZD", "HKD", "SGD", "TWD", "JMD", "BBD", "BMD", "BSD", "BZD", "FJD", "XCD"})
"""Dollars other than that of the United States."""


def currency(text: str) -> str | None:
    """The code of a currency written as code, sign or name; ``DOLLAR`` for "$" and "dollars", else None."""
    if text in CODES:
        return text
    if text in SIGNS:
        return SIGNS[text]
    name = " ".join(text.lower().split())
    return NAMES.get(name) or NAMES.get(name.removesuffix("s"))


_COUNTRIES = {
    "the united states": "USD", "the united states of america": "USD", "canada": "CAD", "australia": "AUD",
    "the commonwealth of australia": "AUD", "new zealand": "NZD", "hong kong": "HKD", "singapore": "SGD",
    "taiwan": "TWD", "jamaica": "JMD", "barbados": "BBD", "bermuda": "BMD", "the bahamas": "BSD", "belize": "BZD",
    "fiji": "FJD",
}  # fmt: skip
_OF_COUNTRY = re.compile(
    r"\b(?:dollars?|currency|money|legal\s+tender|funds)\s+(?:of|in|for)\s+"
    rf"(?P<of>{'|'.join(map(re.escape, _COUNTRIES))})\b"
    rf"|\b(?P<who>{'|'.join(map(re.escape, _DOLLARS))})\s+(?:currency|funds|money)\b",
    re.IGNORECASE,
)
"""A dollar that a text names by its country: "dollars ... the currency of Australia", "Canadian funds"."""

_DOLLAR_SIGNS = sorted((s for s, c in SIGNS.items() if c in DOLLAR_CODES | {"USD"}), key=lambda s: (-len(s), s))
_NAMED_DOLLAR = re.compile(
    rf"(?<![A-Za-z])(?:{'|'.join(map(re.escape, _DOLLAR_SIGNS))})"
    rf"|\b(?:{'|'.join(sorted(DOLLAR_CODES | {'USD'}))})\b"
    rf"|\b(?i:{'|'.join(map(re.escape, _DOLLARS))})\s+(?i:dollars?)\b"
)


def named_dollars(text: str) -> frozenset[str]:
    """Codes of the dollars that a text names: "US$", "CAD", "Canadian dollars", "the currency of Canada"; a bare "$"
    names none."""
    named = {code for m in _NAMED_DOLLAR.finditer(text) if (code := currency(m.group())) is not None}
    for found in _OF_COUNTRY.finditer(text):
        words = " ".join((found["of"] or found["who"]).lower().split())
        named.add(_COUNTRIES[words] if found["of"] else _DOLLARS[words])
    return frozenset(named)
