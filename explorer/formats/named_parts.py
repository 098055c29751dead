"""Several arrays by name, put together with the labels that came with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from explorer.errors import ExplorerError
from explorer.formats.imported import Imported
from explorer.formats.printable import printable

# Written without capitals, spaces, dots, hyphens, underscores and carets.
ROLES: Mapping[str, tuple[str, ...]] = {
    "q": ("q", "query", "queries"),
    "k": ("k", "key", "keys"),
    "v": ("v", "value", "values"),
    "x": ("x", "embeddings", "embedding", "tokenembeddings", "inputs", "input", "hiddenstates"),
    "memory": ("memory", "encoderhiddenstates"),
    "w_q": ("wq",),
    "w_k": ("wk",),
    "w_v": ("wv",),
    "scores": ("scores", "score", "attentionscores", "attnscores"),
    "weights": (
        "weights", "attn", "attention", "attentions", "attnweights", "attentionweights", "alpha", "alphas",
        "attnprobs", "attentionprobs", "attentionpattern", "attentionpatterns", "pattern",
    ),
    "mask": ("mask", "attnmask", "attentionmask", "srcmask", "tgtmask", "keypaddingmask", "paddingmask", "allowed"),
    "bias": ("bias", "attnbias", "attentionbias"),
    "tokens": ("tokens", "token", "labels", "words", "strtokens", "texts", "text"),
    "query_labels": (
        "querylabels", "querytokens", "lefttext", "rowlabels", "rowtokens", "destinationtokens", "targettokens",
    ),
    "key_labels": ("keylabels", "keytokens", "righttext", "columnlabels", "columntokens", "sourcetokens"),
}  # fmt: skip
LABEL_ROLES = ("tokens", "query_labels", "key_labels")
MOST_PARTS = 4096
_ROLE_OF = {alias: role for role, aliases in ROLES.items() for alias in aliases}
_DROPPED = str.maketrans("", "", "_-. ^{}\\")
_LONGEST = 40


def role_of(name: str) -> str:
    """Which of our matrices or label lists a name stands for ("W_Q", "wq": w_q); nothing when unknown."""
    return _ROLE_OF.get(name.translate(_DROPPED).casefold(), "")


def quoted(name: str) -> str:
    """A name from a file as an error shows it."""
    name = printable(name)
    return f"'{name}'" if len(name) <= _LONGEST else f"'{name[: _LONGEST - 1]}…'"


def joined(
    parts: Mapping[str, Imported], labels: Mapping[str, Sequence[str]] | None = None, *,
    notes: Sequence[str] = (), hint: str = "save Q, K and V, or one matrix, into it",
) -> Imported:  # fmt: skip
    """One part: itself, labelled; several: "named". ``labels`` are lists of texts, known by their roles."""
    made = {name: _as_role(part, name) for name, part in parts.items()}
    if not made:
        raise ExplorerError("no matrix is in it", hint)
    if len(made) > MOST_PARTS:
        raise ExplorerError(f"{len(made)} arrays are in it", f"use at most {MOST_PARTS}")
    known, said = _by_role(labels or {})
    said = [*notes, *said]
    if len(made) == 1:
        ((name, part),) = made.items()
        return labelled(replace(part, name=name, notes=(*part.notes, *said)), **known)
    said += [f"{quoted(name)}: {note}" for name, part in made.items() for note in part.notes]
    return Imported(
        "named",
        matrices={name: replace(part, name=name) for name, part in made.items()},
        tokens=known.get("tokens", ()),
        row_labels=known.get("query_labels", ()),
        column_labels=known.get("key_labels", ()),
        notes=tuple(said),
    )


def labelled(
    part: Imported, *, tokens: tuple[str, ...] = (),
    query_labels: tuple[str, ...] = (), key_labels: tuple[str, ...] = (),
) -> Imported:  # fmt: skip
    """The same part with labels on its last two axes where their numbers fit; a note where they do not."""
    if part.values is None or not (tokens or query_labels or key_labels):
        return part
    rows, columns = part.values.shape[-2:]
    shape = f"{rows} x {columns}"
    said = []
    if tokens:
        if len(tokens) not in (rows, columns):
            said.append(f"{len(tokens)} tokens do not fit {shape} numbers: left out")
            tokens = ()
        query_labels = query_labels or (tokens if len(tokens) == rows else ())
        key_labels = key_labels or (tokens if len(tokens) == columns else ())
    if query_labels and len(query_labels) != rows:
        said.append(f"{len(query_labels)} labels do not fit {rows} rows: left out")
        query_labels = ()
    if key_labels and len(key_labels) != columns:
        said.append(f"{len(key_labels)} labels do not fit {columns} columns: left out")
        key_labels = ()
    return replace(
        part, tokens=tokens or part.tokens, row_labels=query_labels or part.row_labels,
        column_labels=key_labels or part.column_labels, notes=(*part.notes, *said),
    )  # fmt: skip


def _by_role(labels: Mapping[str, Sequence[str]]) -> tuple[dict[str, tuple[str, ...]], list[str]]:
    known: dict[str, tuple[str, ...]] = {}
    said = []
    for name, texts in labels.items():
        role = role_of(name)
        if role in LABEL_ROLES and role not in known:
            known[role] = tuple(texts)
        else:
            said.append(f"{quoted(name)} holds texts: left out")
    return known, said


def _as_role(part: Imported, name: str) -> Imported:
    """A matrix of 0 and 1 that is called a mask becomes one."""
    values = part.values
    if part.kind != "matrix" or role_of(name) != "mask" or values is None or not np.isin(values, (0, 1)).all():
        return part
    return replace(part, kind="mask", values=values == 1, texts=None, notes=(*part.notes, "0 is false, 1 is true"))


def names_found(names: Sequence[str]) -> str:
    """The first names of an object, for an error."""
    shown = ", ".join(quoted(name) for name in names[:8])
    return f"{shown} and {len(names) - 8} more" if len(names) > 8 else shown or "nothing"
