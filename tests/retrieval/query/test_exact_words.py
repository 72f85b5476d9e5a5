"""Searches for exact words, as a lawyer types them: the passage that holds them comes first, whatever stands beside it.

Every text, name and number is invented."""

from typing import Any

import pytest

from retrieval.hybrid import Searcher

TEXTS = [
    "7.1 Fees. The Supplier is paid monthly. (a) Invoices are sent by the fifth day. (b) Late sums bear interest.",
    "7.2 Records. (a) The Supplier keeps books. (b) The Buyer may inspect the books twice a year, see Section 9.2(b).",
    "As set out in § 7.2(b) above, inspection takes place during business hours at the premises of the Supplier.",
    "7.2(a) and 7.3(b) are not affected by the amendment of the schedule of delivery.",
    "The court followed Alder v. Bream, 500 U.S. 105, 112 (1991), and reversed the judgment below.",
    "The court declined to follow Carp v. Dace, 501 U.S. 105 (1992), and affirmed the judgment below.",
    "See Eel v. Finch, 105 F.3d 500 (2d Cir. 1997), which the court of appeals left aside.",
    "The memorandum was produced under ABC000123 and its enclosure under ABC000124.",
    "The ledger was produced under ABC000132 to ABC000140.",
    "The Buyer pays a fee of $1,250,000.00 at Closing into the account named by the Seller.",
    "The Buyer pays a deposit of $1,250,000,000 at Signing into the account named by the Seller.",
    "The Buyer pays a sum of $125,000.00 each year into the account named by the Seller.",
    "Either party may give notice within a 30-day period after the date of the invoice.",
    "Either party may give notice within thirty (30) calendar days after the date of delivery.",
    "The 45-day period runs from the date on which the other party has the notice; Section 30 applies each day.",
    "“Excluded Territory” means the counties named in Schedule 3 and no others.",
    "The territory is served by the Distributor; all others are excluded from the counties named in the schedule.",
    "AT&T Corp. supplies the lines under the tariff that was filed.",
    "The lines at the depot were supplied by the carrier under a tariff that was filed. At the time T was absent.",
    "Mr. O'Brien signed for the Seller on the first page.",
    "Mr. Brien signed for the Buyer on the last page.",
    "Frau Müller kept the minutes of the meeting in Bonn.",
    "Herr Mueller of the board kept the keys of the archive in Köln.",
    "Señor Peña-Núñez appeared as an expert for the plaintiff.",
    "This lease is dated January 5, 2019 and was signed by the landlord.",
    "This licence is dated 5 January 2018 and was signed by the licensor.",
    "The deed is dated 2017-01-05 and was signed by the grantor.",
    "The bond is dated 01/05/2016 and was signed by the surety.",
    "Letters go to j.halden@freight.example and to nobody else.",
    "Letters go to m.halden@freight.example and to somebody else.",
    "The complaint is No. 1:21-cv-01234-ABC in the Southern District.",
    "The petition is No. 1:21-cv-04321-ABC in the Southern District.",
    "The motion is No. 2:21-cv-01234-XYZ in the Northern District.",
    "U.S. Patent No. 9,123,456 B2 claims a pump with two valves.",
    "U.S. Patent No. 9,123,465 B2 claims a valve with two pumps.",
    "Rule 10b-5, 17 C.F.R. § 240.10b-5, forbids the use of any manipulative device.",
    "Rule 10b-18, 17 C.F.R. § 240.10b-18, is a safe harbour for repurchases.",
    "The agency acted under 21 C.F.R. § 314.94(a)(8) when it approved the label.",
    "The agency acted under 21 C.F.R. § 314.95(a)(8) when it refused the label.",
    "Under 28 U.S.C. § 1331 the district court has jurisdiction of the action.",
    "Under 28 U.S.C. § 1332(a) the district court has diversity jurisdiction.",
    "Interest is 12.5% a year on whatever is owed.",
    "Interest is 12.05% a year on whatever is owed.",
    "The share is twelve and one-half percent of the profit.",
    "Form 10-K was filed for the year; Form 10-Q for the quarter.",
    "Form 8-K was filed for the event; a proxy for the meeting.",
    "The colour of the labels is chosen by the licensee, whose organisation pays.",
    "Exhibit B-2 lists the machines in the hall at the harbor.",
    "Exhibit C-2 lists the vessels in the dock at the harbor.",
    "The non-compete lasts two years after the closing of the sale.",
    "Section 280G payments are cut back to the safe amount.",
    "Section 409A governs deferred pay of the officers.",
    "The Company has a 401(k) plan for its staff.",
    "The LIBOR+2.5% margin is replaced by SOFR plus the same margin.",
    "The parties' e-mail archive is kept; email is no notice.",
    "3M Company and S&P Global Inc. hold the marks jointly.",
    "Ernst & Young LLP audits; KPMG reviews.",
    "The $2.5 million cap does not apply to fraud.",
    "The $3 million cap does apply to theft.",
    "Clause 12.3.4(c)(ii) survives for ten years.",
    "Clause 12.3.4(c)(iii) survives for six years.",
    "The vessel M/V Alder Star (IMO 9123456) was arrested.",
    "Docket CV-2019-00345 was closed. Case 19-cv-345 was opened.",
    "The phone is +1 (212) 555-0147 and rings all day.",
    "https://www.halden.example/terms-of-use holds the terms.",
    "CUSIP 037833100 and ISIN US0378331005 name the notes.",
    "Article IV, Section 2 of the charter deals with the board.",
    "Article VI, Section 2 of the charter deals with the officers.",
    "The judgement was rendered; the acknowledgement was signed; the programme was cancelled in the centre.",
    "Paragraph (iv) of the schedule lists tolls; paragraph (vi) lists ferries.",
    "The case is In re Halden-Freight, 2021 WL 1234567 (D. Del. Mar. 3, 2021).",
    "¶ 45 of the complaint alleges fraud; ¶ 46 alleges waste.",
    "BATES-000045 was withheld. PRIV_00077 was withheld also.",
    "Tax ID 12-3456789 and SSN 078-05-1120 are redacted elsewhere.",
]
BESIDE = 6
"""Texts of a document."""

# What is searched, and the beginning of the passage that must come first.
CASES = [
    ("§ 7.2(b)", "7.2 Records. (a) The S"),
    ("Section 7.2(b)", "7.2 Records. (a) The S"),
    ("7.2 (b)", "7.2 Records. (a) The S"),
    ("section 7.2(B)", "7.2 Records. (a) The S"),
    ("500 U.S. 105", "The court followed Ald"),
    ("500 US 105", "The court followed Ald"),
    ("500 U. S. 105", "The court followed Ald"),
    ("501 U.S. 105", "The court declined to "),
    ("105 F.3d 500", "See Eel v. Finch, 105 "),
    ("105 F. 3d 500", "See Eel v. Finch, 105 "),
    ("ABC000123", "The memorandum was pro"),
    ("abc 000123", "The memorandum was pro"),
    ("ABC-000123", "The memorandum was pro"),
    ("ABC000124", "The memorandum was pro"),
    ("$1,250,000.00", "The Buyer pays a fee o"),
    ("$1,250,000", "The Buyer pays a fee o"),
    ("1250000", "The Buyer pays a fee o"),
    ("$1.25 million", "The Buyer pays a fee o"),
    ("USD 1,250,000", "The Buyer pays a fee o"),
    ("$125,000", "The Buyer pays a sum o"),
    ("30 day period", "Either party may give notice within a"),
    ("thirty days", "Either party may give notice within t"),
    ("30 (thirty) days", "Either party may give notice within t"),
    ('"Excluded Territory"', "“Excluded Territory” m"),
    ("“Excluded Territory”", "“Excluded Territory” m"),
    ("excluded territory", "“Excluded Territory” m"),
    ("AT&T", "AT&T Corp. supplies th"),
    ("ATT", "AT&T Corp. supplies th"),
    ("AT & T", "AT&T Corp. supplies th"),
    ("O'Brien", "Mr. O'Brien signed for"),
    ("O’Brien", "Mr. O'Brien signed for"),
    ("OBrien", "Mr. O'Brien signed for"),
    ("Müller", "Frau Müller kept the m"),
    ("Muller", "Frau Müller kept the m"),
    ("Köln", "Herr Mueller of the bo"),
    ("Koln", "Herr Mueller of the bo"),
    ("Pena Nunez", "Señor Peña-Núñez appea"),
    ("Peña-Núñez", "Señor Peña-Núñez appea"),
    ("January 5, 2019", "This lease is dated Ja"),
    ("5 January 2019", "This lease is dated Ja"),
    ("Jan. 5, 2019", "This lease is dated Ja"),
    ("2019-01-05", "This lease is dated Ja"),
    ("01/05/2019", "This lease is dated Ja"),
    ("1/5/2019", "This lease is dated Ja"),
    ("January 5, 2018", "This licence is dated "),
    ("5th January 2018", "This licence is dated "),
    ("January 5, 2017", "The deed is dated 2017"),
    ("January 5, 2016", "The bond is dated 01/0"),
    ("1/5/16", "The bond is dated 01/0"),
    ("j.halden@freight.example", "Letters go to j.halden"),
    ("m.halden@freight.example", "Letters go to m.halden"),
    ("1:21-cv-01234", "The complaint is No. 1"),
    ("1:21-cv-01234-ABC", "The complaint is No. 1"),
    ("21-cv-01234", "The complaint is No. 1"),
    ("2:21-cv-01234", "The motion is No. 2:21"),
    ("No. 21-cv-4321", "The petition is No. 1:"),
    ("21 Civ. 1234", "The complaint is No. 1"),
    ("9,123,456", "U.S. Patent No. 9,123,45"),
    ("US 9,123,456 B2", "U.S. Patent No. 9,123,45"),
    ("US9123456B2", "U.S. Patent No. 9,123,45"),
    ("'456 patent", "U.S. Patent No. 9,123,45"),
    ("10b-5", "Rule 10b-5, 17 C.F.R. "),
    ("Rule 10b-5", "Rule 10b-5, 17 C.F.R. "),
    ("Rule 10b5", "Rule 10b-5, 17 C.F.R. "),
    ("17 CFR 240.10b-5", "Rule 10b-5, 17 C.F.R. "),
    ("17 C.F.R. § 240.10b-18", "Rule 10b-18, 17 C.F.R."),
    ("21 CFR 314.94", "The agency acted under 21 C.F.R. § 314.94"),
    ("21 C.F.R. § 314.94(a)(8)", "The agency acted under 21 C.F.R. § 314.94"),
    ("28 U.S.C. § 1331", "Under 28 U.S.C. § 1331"),
    ("28 USC 1332", "Under 28 U.S.C. § 1332"),
    ("12.5%", "Interest is 12.5% a ye"),
    ("12.5 percent", "Interest is 12.5% a ye"),
    ("12.05%", "Interest is 12.05% a y"),
    ("10-K", "Form 10-K was filed fo"),
    ("Form 10K", "Form 10-K was filed fo"),
    ("8-K", "Form 8-K was filed for"),
    ("color organization", "The colour of the labe"),
    ("harbour vessels dock", "Exhibit C-2 lists the "),
    ("Exhibit B-2", "Exhibit B-2 lists the "),
    ("Exhibit C-2", "Exhibit C-2 lists the "),
    ("Exhibit B2", "Exhibit B-2 lists the "),
    ("noncompete", "The non-compete lasts "),
    ("non-compete", "The non-compete lasts "),
    ("non compete", "The non-compete lasts "),
    ("280G", "Section 280G payments "),
    ("Section 409A", "Section 409A governs d"),
    ("401(k)", "The Company has a 401("),
    ("401k", "The Company has a 401("),
    ("LIBOR", "The LIBOR+2.5% margin "),
    ("SOFR", "The LIBOR+2.5% margin "),
    ("email", "The parties' e-mail ar"),
    ("e-mail", "The parties' e-mail ar"),
    ("3M", "3M Company and S&P Glo"),
    ("S&P", "3M Company and S&P Glo"),
    ("Ernst & Young", "Ernst & Young LLP audi"),
    ("Ernst and Young", "Ernst & Young LLP audi"),
    ("$2.5 million", "The $2.5 million cap d"),
    ("$2,500,000", "The $2.5 million cap d"),
    ("2.5 million", "The $2.5 million cap d"),
    ("$3,000,000", "The $3 million cap doe"),
    ("12.3.4(c)(ii)", "Clause 12.3.4(c)(ii) s"),
    ("12.3.4(c)(iii)", "Clause 12.3.4(c)(iii) "),
    ("12.3.4(c)", "Clause 12.3.4(c)(ii) s"),
    ("IMO 9123456", "The vessel M/V Alder S"),
    ("CV-2019-00345", "Docket CV-2019-00345 w"),
    ("19-cv-345", "Docket CV-2019-00345 w"),
    ("(212) 555-0147", "The phone is +1 (212) "),
    ("212-555-0147", "The phone is +1 (212) "),
    ("www.halden.example", "https://www.halden.exa"),
    ("037833100", "CUSIP 037833100 and IS"),
    ("US0378331005", "CUSIP 037833100 and IS"),
    ("Article IV", "Article IV, Section 2 "),
    ("Article VI", "Article VI, Section 2 "),
    ("Article 4", "Article IV, Section 2 "),
    ("judgment rendered acknowledgment", "The judgement was rend"),
    ("program canceled center", "The judgement was rend"),
    ("paragraph (iv)", "Paragraph (iv) of the "),
    ("2021 WL 1234567", "The case is In re Hald"),
    ("¶ 45", "¶ 45 of the complaint "),
    ("¶45", "¶ 45 of the complaint "),
    ("para 46", "¶ 45 of the complaint "),
    ("BATES-000045", "BATES-000045 was withh"),
    ("BATES000045", "BATES-000045 was withh"),
    ("PRIV_00077", "BATES-000045 was withh"),
    ("PRIV 00077", "BATES-000045 was withh"),
    ("12-3456789", "Tax ID 12-3456789 and "),
    ("078-05-1120", "Tax ID 12-3456789 and "),
]


@pytest.fixture
def searcher(matter: Any) -> Searcher:
    for number in range(0, len(TEXTS), BESIDE):
        matter.add(f"d{number}", [[text] for text in TEXTS[number : number + BESIDE]], f"Paper {number // BESIDE}.pdf")
    made = Searcher(matter.store, matter.files, records=lambda: matter.records)
    for _ in made.refresh():
        pass
    return made


@pytest.mark.parametrize(("query", "beginning"), CASES)
def test_the_passage_with_these_words_comes_first(searcher: Searcher, query: str, beginning: str) -> None:
    assert searcher.search(query)[0].passage.text.startswith(beginning)


@pytest.mark.parametrize(
    ("query", "beginnings"),
    [
        ("30-day", {"Either party may give n"}),  # in figures, and in both
        ("Mueller", {"Frau Müller kept", "Herr Mueller of"}),  # two ways to write one name
        ("O Brien", {"Mr. O'Brien signed", "Mr. Brien signed"}),
        ("9123456", {"U.S. Patent No. 9,123,456", "The vessel M/V"}),
    ],
)
def test_passages_that_hold_them_in_one_way_or_another_come_first(
    searcher: Searcher, query: str, beginnings: set[str]
) -> None:
    first = [ranked.passage.text for ranked in searcher.search(query)[:2]]
    assert all(any(text.startswith(one) for text in first) for one in beginnings)


@pytest.mark.parametrize(
    "query", ["Brackwater AND indemnify", "indemnity of Brackwater Ltd.", '"Brackwater Ltd" indemnifies']
)
def test_a_name_and_a_word_find_the_passage_that_has_both(matter: Any, query: str) -> None:
    texts = [
        "Brackwater Ltd pays the rent of the yard.",
        "Dunmoor Ltd indemnifies the owner of the yard.",
        "Brackwater Ltd indemnifies the owner of the quay.",
        "The owner of the quay is told of each indemnity.",
        "Brackwater Ltd, Brackwater House, keeps Brackwater quay.",
    ]
    matter.add("deed", [[text] for text in texts])
    matter.add("note", [["Dunmoor keeps the yard."], ["The quay is closed."]])
    searcher = Searcher(matter.store, matter.files, records=lambda: matter.records)
    for _ in searcher.refresh():
        pass
    assert searcher.search(query)[0].passage.text == texts[2]
