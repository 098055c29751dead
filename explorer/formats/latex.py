"""Matrices and worked solutions as LaTeX that needs amsmath only."""

from __future__ import annotations

import re
import unicodedata

from explorer.core.attention import Attention
from explorer.core.matrices import Matrix
from explorer.core.typesetting import Digits, bracketed, folded_cells, places, tex
from explorer.formats.solution import Section, entropies, left_out, notes, sections
from explorer.state.document import Document, Labels

NEEDS = r"% A fragment for an article or slides: put \usepackage{amsmath} into the preamble."

_ESCAPES = {
    **{letter: f"\\{letter}" for letter in "#$%&_{}"},
    **{"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\0": "{}"},
    # These print as other characters in LaTeX's default fonts.
    **{letter: rf"\ensuremath{{{letter}}}" for letter in "<>|"},
    **{'"': "''", "–": "--", "—": "---", "‘": "`", "’": "'", "“": "``", "”": "''", "…": r"\dots{}"},
    **{"−": r"\ensuremath{-}", "→": r"\ensuremath{\to}", "·": r"\ensuremath{\cdot}"},
}
# Neighbours that LaTeX joins into one character.
_JOINED = re.compile(r"([-'`,])(?=\1)|[?!](?=`)")
# Letters up to U+017E that LaTeX's default font encoding does not have.
_MISSING = "ÐÞðþĄąĐđĘęĦħĮįĸĿŀŉŊŋŦŧŲų"
_GREEK = (
    " alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi chi psi"
    " omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega "
)


def matrix(values: Matrix, decimals: int | None = None) -> str:
    """A whole matrix in square brackets, one row a line; without decimals at full precision."""
    return bracketed([[tex(x, decimals) for x in row] for row in values.tolist()], end="\n")


def escape(text: str) -> str:
    """Any text, as LaTeX that prints it; a character that its default fonts lack as its number, U+4E2D."""
    apart = _JOINED.sub(lambda found: found[0] + "\0", unicodedata.normalize("NFC", text.replace("\0", " ")))
    return "".join(map(_escaped, apart))


def _escaped(letter: str) -> str:
    if letter in _ESCAPES:
        return _ESCAPES[letter]
    if " " <= letter <= "~" or ("\xc0" <= letter <= "\u017e" and letter not in _MISSING):
        return letter
    if not letter.isprintable() and unicodedata.category(letter) in ("Cc", "Zs", "Zl", "Zp"):
        return " "
    _, _, name = unicodedata.name(letter, "").partition("GREEK SMALL LETTER ")
    _, _, capital = unicodedata.name(letter, "").partition("GREEK CAPITAL LETTER ")
    command = name.lower() or capital.capitalize()
    return rf"\ensuremath{{\{command}}}" if command and f" {command} " in _GREEK else rf"\texttt{{U+{ord(letter):04X}}}"


def write(document: Document, attention: Attention, decimals: int) -> str:
    """The worked solution, stage by stage, as a fragment of a document."""
    blocks = [NEEDS, rf"\par\noindent\textbf{{{escape(document.title or 'Untitled')}}}"]
    named = [("Queries", document.query_labels), ("Keys", document.key_labels)]
    if document.problem.has_shared_tokens:
        named = [("Tokens", document.query_labels)]
    blocks += [rf"\par\noindent {what}: {_tokens(labels)}." for what, labels in named if any(labels)]
    for section in sections(document, attention, decimals):
        blocks.append(_block(section, Digits(decimals)))
        if section.name == "weights":
            blocks += [rf"\noindent {escape(note)}" for note in notes(document, attention, decimals)]

    def entry(token: str, word: str, value: float) -> str:
        return f"{escape(token)}: {word or f'${tex(value, decimals)}$'}"

    if len(attention.entropy):
        blocks.append(rf"\par\noindent\textbf{{Entropy}} (nats): {entropies(document, attention, entry)}.")
    return "\n\n".join(blocks) + "\n"


def _tokens(labels: Labels) -> str:
    """Positions and tokens, the middle ones of many left out."""
    return ", ".join(
        r"\dots{}" if place is None else f"{place + 1} {escape(labels[place] or '')}".rstrip()
        for place in places(len(labels))
    )


def _block(section: Section, digits: Digits) -> str:
    rows, columns = section.values.shape
    cells = folded_cells(section.values, digits.tex)
    shown = [[j for j in places(size) if j is not None] for size in section.values.shape]
    sign = digits.equality(section.values[shown[0]][:, shown[1]])
    about = f": ${section.equation}$" if section.equation else ", as given"
    lines = [
        rf"\par\medskip\noindent\textbf{{{escape(section.heading)}}} (${rows} \times {columns}$){about}",
        r"\[", f"{section.symbol} {sign} {bracketed(cells, end=chr(10))}", r"\]",
    ]  # fmt: skip
    said = left_out(section.values.shape)
    return "\n".join([*lines, rf"\noindent {said}"] if said else lines)
