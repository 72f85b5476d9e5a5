"""Words after which a full stop does not end a sentence: a closed list, part of the sentence rule."""

_REFERENCES = """No Nos Art Arts Sec Secs Sect Cl Cls Para Paras Par Pars Pt Pts Ch Chs Fig Figs Vol Vols App Sched Schs
    Pp Appx Tr Stat Cong Sess Rec Rep Evid Prac Civ Crim Proc Bankr Pet Br cert
    Ex Exh Reg Regs Div Subsec Subpara Ann cf Cf viz al ibid Ibid id supra seq"""
_CONNECTIVES = "e.g i.e E.g I.e eg ie v vs etc approx incl excl resp"
_NAMES = """Inc Ltd Co Cos Corp Bros LLC L.L.C plc GmbH Mr Mrs Ms Messrs Dr Prof Hon Jr Sr St Rev Gen Col Capt Lt Sgt
    Esq Atty Bd Comm Assoc Sav Univ INC LTD CO CORP PTE LLP Pte"""
_PLACES = """Fed U.S U.K U.N E.U Dist Cir Ct Supp Cal Tex Fla Mass Pa Wash Ariz Conn Del Dept Govt Assn Natl Intl Rd Ave
    Blvd"""
_TIMES = "Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec a.m p.m A.M P.M"
_ALSO_WORDS = "no nos art arts sec secs cl cls para paras pt ch fig vol p pp s ss r rr app ex n nn"
_SECTION_WORDS = """section sections sec secs sect clause clauses cl cls article articles art arts paragraph paragraphs
    para paras par part parts pt chapter chapters ch rule rules regulation regulations reg regs schedule schedules
    sched appendix annex exhibit item items no nos § §§ s ss subsection subsections"""

ALWAYS = frozenset(" ".join((_REFERENCES, _CONNECTIVES, _NAMES, _PLACES, _TIMES)).split())

BEFORE_A_NUMBER = frozenset(_ALSO_WORDS.split())
"""Abbreviations that are also words or letters: only a number behind them makes them one."""

BEFORE_A_SECTION_NUMBER = frozenset(_SECTION_WORDS.split())
