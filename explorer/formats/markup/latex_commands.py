"""What the commands of LaTeX print that stand in tables of numbers and their labels."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping


def _words(*lines: str) -> frozenset[str]:
    return frozenset(word for line in lines for word in line.split())


def _greek() -> Iterator[tuple[str, str]]:
    """Every Greek letter that LaTeX has a command for, but pi, which is a number."""
    for size, names in (
        (
            "SMALL",
            "alpha beta gamma delta zeta eta theta iota kappa lambda mu nu xi rho sigma tau upsilon chi psi omega",
        ),
        ("CAPITAL", "Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega"),
    ):
        for name in names.split():
            yield name, unicodedata.lookup(f"GREEK {size} LETTER {name.upper().replace('LAMBDA', 'LAMDA')}")


TEXTS: Mapping[str, str] = {
    **{"infty": "inf", "pi": "π", "exp": "exp", "ln": "ln", "log": "log", "cdot": "*", "times": "*", "ast": "*"},
    **{"div": "/", "slash": "/", "minus": "-", "textminus": "-", "textendash": "-", "to": "→", "rightarrow": "→"},
    **{"textbackslash": "\\", "textasciitilde": "~", "textasciicircum": "^", "textbar": "|", "textless": "<"},
    **{"textgreater": ">", "textunderscore": "_", "lbrace": "{", "rbrace": "}", "langle": "⟨", "rangle": "⟩"},
    **{"ss": "ß", "o": "ø", "O": "Ø", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "aa": "å", "AA": "Å"},
    **{"l": "ł", "L": "Ł", "i": "ı", "j": "ȷ", "top": "T", "quad": " ", "qquad": " ", "space": " "},
    **dict.fromkeys(["varepsilon", "epsilon"], "ε"),
    **dict.fromkeys(["varphi", "phi"], "φ"),
    **dict(_greek()),
    **dict.fromkeys(_words("dots ldots cdots vdots ddots dotsc dotsb dotsm hdots iddots adots udots"), "..."),
}
# How something looks, not what it says: left out, what follows them is read.
LOOKS = _words(
    "text textbf textit textrm textsf texttt textsc textup textsl textnormal emph underline mbox hbox fbox boxed",
    "mathbf mathrm mathit mathsf mathtt mathcal mathbb mathfrak mathnormal boldsymbol bm pmb ensuremath operatorname",
    "operatorname* num bf bfseries it itshape rm rmfamily sf sffamily tt ttfamily em scshape normalfont upshape",
    "displaystyle textstyle scriptstyle tiny scriptsize footnotesize small normalsize large Large centering raggedleft",
    "raggedright left right big Big bigl bigr Bigl Bigr bigg Bigg mathopen mathclose mathord protect relax strut hfill",
    "mdseries null mathstrut limits nolimits boldmath unboldmath",
)
# Commands whose first argument is no part of the text.
UNSEEN = _words("phantom hphantom vphantom color textcolor cellcolor rowcolor hspace hspace* vspace vspace* label")
FRACTIONS = _words("frac tfrac dfrac cfrac sfrac nicefrac flatfrac")
# A thin space groups digits; the others would part two numbers.
SPACES = {
    **dict.fromkeys([",", "!", "/", "-", "@"], ""),
    **dict.fromkeys([" ", ";", ":", ">", "\n", "\t"], " "),
}
ACCENTS = {
    **{"'": "\u0301", "`": "\u0300", "^": "\u0302", '"': "\u0308", "~": "\u0303", "=": "\u0304", ".": "\u0307"},
    **{"c": "\u0327", "v": "\u030c", "H": "\u030b", "u": "\u0306", "k": "\u0328", "r": "\u030a"},
}
